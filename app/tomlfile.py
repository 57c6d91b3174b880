"""TOML files that a person or another program wrote: read whole, or refused in one sentence.

What is changed in one leaves the person's comments, order and spacing as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app import paths
from app.errors import UsageError, said_by_system
from app.late_pattern import late_pattern

DEEPEST = 30
"""How many tables and lists may lie in one another."""
_DEEP_NAME = late_pattern(rf"(?<![\w\"'-])(?:[\w\"'-]++\s*+\.\s*+){{{DEEPEST}}}")
"""A name of so many parts: each is a table in the one before, found again for every part."""


def read(path: Path) -> dict[str, Any]:
    """The tables of a file.

    Raises:
        UsageError: it cannot be read, is not TOML in UTF-8, or is nested too deeply.
    """
    import tomllib  # most starts read none

    try:
        paths.check_file(path)
        text = path.read_text(encoding="utf-8")
        found = None if _DEEP_NAME.search(text) else tomllib.loads(text)
    except RecursionError:
        found = None
    except (OSError, ValueError) as problem:
        said = said_by_system(problem) if isinstance(problem, OSError) else str(problem)
        raise UsageError(f"{path}: {said or problem}") from None
    if found is None or _is_deep(found):
        raise UsageError(f"{path}: lists and tables lie more than {DEEPEST} deep in one another")
    return found


def edited(text: str, values: Mapping[str, object]) -> str:
    """A text of TOML with other values of names at its top; everything else stays as it stands.

    A name whose value is None is left out, and one whose value is the same is not written anew.
    """
    import tomlkit

    document = tomlkit.parse(text)
    there = document.unwrap()
    for name, value in values.items():
        if value is None:
            document.pop(name, None)
        elif name not in there or there[name] != value:
            document[name] = value
    return tomlkit.dumps(document)


def _is_deep(value: object) -> bool:
    level: list[object] = [value]
    for _ in range(DEEPEST):
        level = [item for one in level for item in _held_values(one)]
        if not level:
            return False
    return True


def _held_values(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
