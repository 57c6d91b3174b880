"""What is not generated of kernels lies in files of WGSL, each of which a module reads."""

from __future__ import annotations

import re

import pytest

from app.accel.codegen.wgsl.shader_files import FOLDER, wgsl_template, wgsl_text

FILES = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.wgsl")}
_READ = re.compile(r'wgsl_(?:text|template)\("([\w/]+)"\)')


def test_every_file_is_read_by_the_module_of_its_folder() -> None:
    read = {
        name
        for path in FOLDER.parent.rglob("*.py")
        for name in _READ.findall(path.read_text(encoding="utf-8"))
        if name.startswith(f"{path.stem}/")
    }
    assert FILES
    assert read == FILES


def test_a_key_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="own"):
        wgsl_template("compact/count").format(size=4, scanned="", last=3)


def test_braces_are_those_of_the_file() -> None:
    filled = wgsl_template("compact/count").format(size=4, own=2, scanned="", last=3)
    text = wgsl_text("compact/count")
    for key, value in {"size": "4", "own": "2", "scanned": "", "last": "3"}.items():
        text = text.replace(f"${{{key}}}", value)
    assert filled == text
