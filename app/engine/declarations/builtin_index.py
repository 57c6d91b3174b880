"""Which module declares which builtin, read from the declarations' text: nothing is imported."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PACKAGE = __name__.rpartition(".declarations")[0]
ENGINE = Path(__file__).parents[1]
OPERATIONS = Path(__file__).parents[2] / "accel" / "ir" / "operations"
_DECLARATION = re.compile(r'^@?(?:toolbox\.)?(?:builtin|declare_\w+)\(\s*"([\w.]+)"', re.MULTILINE)
_FUNCTION = re.compile(r'\bfunction=Function\(\s*"(\w+)"')


@cache
def index() -> dict[str, str]:
    """Name of every builtin to the module that declares it."""
    files = (*ENGINE.glob("builtins/*/*.py"), *ENGINE.glob("operators/*.py"))
    declared = {
        name: ".".join((PACKAGE, *file.relative_to(ENGINE).with_suffix("").parts))
        for file in files
        for name in declared_in(file)
    }
    return declared | dict.fromkeys(operations(), f"{PACKAGE}.builtins.maths.operations")


@cache
def operations() -> dict[str, str]:
    """Name of every function that is an operation of the graph to the module with its record."""
    return {
        name: f"app.accel.ir.operations.{file.stem}"
        for file in OPERATIONS.glob("*.py")
        for name in _FUNCTION.findall(file.read_text(encoding="utf-8"))
    }


def declared_in(file: Path) -> list[str]:
    """The names that a module declares."""
    return _DECLARATION.findall(file.read_text(encoding="utf-8"))
