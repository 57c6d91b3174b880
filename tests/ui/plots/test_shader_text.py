"""Shaders are files with keys that are all given, and no others."""

from __future__ import annotations

import re

import pytest

from app.ui.plots.device.shader_text import FOLDER, shader, template

NAMES = sorted(path.stem for path in FOLDER.glob("*.wgsl"))


@pytest.mark.parametrize("name", NAMES)
def test_every_file_can_be_filled_in(name: str) -> None:
    text = template(name)
    assert "//include" not in text
    keys = set(re.findall(r"\$\{(\w+)\}", text))
    assert "$" not in shader(name, **dict.fromkeys(keys, "f32"))


def test_a_key_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="number"):
        shader("blocks")


def test_a_value_without_a_key_is_an_error() -> None:
    with pytest.raises(KeyError, match="colour"):
        shader("splat", colour="red")
