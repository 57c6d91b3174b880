"""Which module declares which builtin, read from the declarations' text: nothing is imported."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_PACKAGE = "app.engine.builtins"
_DECLARATION = re.compile(r'^@?(?:builtin|declare_\w+)\(\s*"([\w.]+)"', re.MULTILINE)


@cache
def index() -> dict[str, str]:
    """Name of every builtin to the module that declares it."""
    table: dict[str, str] = {}
    for family in resources.files(_PACKAGE).iterdir():
        if not family.is_dir():
            continue
        for entry in family.iterdir():
            if entry.name.endswith(".py"):
                module = f"{_PACKAGE}.{family.name}.{entry.name[:-3]}"
                for name in _DECLARATION.findall(entry.read_text(encoding="utf-8")):
                    table[name] = module
    return table
