"""Which module declares which builtin, read from the declarations' text: nothing is imported."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_PACKAGE = "app.engine.builtins"
_DECLARATION = re.compile(r'^@?(?:builtin|declare_\w+)\(\s*"([\w.]+)"', re.MULTILINE)


@cache
def index() -> dict[str, str]:
    """Name of every builtin to the module that declares it."""
    return {
        name: f"{_PACKAGE}.{module.parent.name}.{module.stem}"
        for module in Path(__file__).parent.glob("*/*.py")
        for name in _DECLARATION.findall(module.read_text(encoding="utf-8"))
    }
