"""The parts of kernels that are not generated: files of WGSL in ``codegen/shaders``.

``${key}`` stands for what a kernel gives when it is made. The last line break of a file is not part
of its text.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "shaders"
_KEY = re.compile(r"\$\{\{(\w+)\}\}")


def wgsl_text(name: str) -> str:
    """The text of ``shaders/NAME.wgsl``, which has no keys."""
    return (FOLDER / f"{name}.wgsl").read_text(encoding="utf-8").removesuffix("\n")


def wgsl_template(name: str) -> str:
    """``shaders/NAME.wgsl`` for ``str.format``: a key without a value is an error there."""
    return _KEY.sub(r"{\1}", wgsl_text(name).replace("{", "{{").replace("}", "}}"))
