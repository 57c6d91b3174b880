"""TOML files that a person or another program wrote: read whole, or refused in one sentence."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.errors import UsageError

DEEPEST = 30
"""How many tables and lists may lie in one another."""
_DEEP_NAME = re.compile(rf"(?<![\w\"'-])(?:[\w\"'-]++\s*+\.\s*+){{{DEEPEST}}}")
"""A name of so many parts: each is a table in the one before, found again for every part."""


def read(path: Path) -> dict[str, Any]:
    """The tables of a file.

    Raises:
        UsageError: it cannot be read, is not TOML in UTF-8, or is nested too deeply.
    """
    import tomllib  # most starts read none

    try:
        text = path.read_text(encoding="utf-8")
        found = None if _DEEP_NAME.search(text) else tomllib.loads(text)
    except RecursionError:
        found = None
    except (OSError, ValueError) as problem:
        said = problem.strerror if isinstance(problem, OSError) else str(problem)
        raise UsageError(f"{path}: {said or problem}") from None
    if found is None or _is_deep(found):
        raise UsageError(f"{path}: lists and tables lie more than {DEEPEST} deep in one another")
    return found


def key(name: str) -> str:
    """A name as it stands in a file, before the equals sign."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else literal(name)


def literal(value: object) -> str:
    """A value as it stands in a file, behind ``name =``."""
    if isinstance(value, dict):
        inner = ", ".join(f"{key(name)} = {literal(item)}" for name, item in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else f"{value:+}"
    return str(value)  # numbers, dates and times


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
