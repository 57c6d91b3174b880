"""Where a line of code reads a variable and where it writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_OPENING, _CLOSING = "([{", ")]}"
_HEAD = re.compile(r"^\s*(?:for\s+|global\s+|persistent\s+)?$|^\s*\[[^\]=]*$|.*[;,]\s*$")
_EQUALS = re.compile(r"\s*(?:,[^=;]*\]|\s[^=;()]*\])?\s*\]?\s*=(?!=)")


def uses(line: str, name: str) -> Iterator[tuple[int, int, bool]]:
    """The places of a name in the code of a line: start, end, whether it is written there."""
    for found in re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w)", line):
        yield found.start(), found.end(), is_written(line, found.start(), found.end())


def is_written(line: str, start: int, end: int) -> bool:
    """Whether the name between two columns is the target of an assignment."""
    if not _HEAD.match(line[:start]):
        return False
    return _EQUALS.match(line, _after_parts(line, end)) is not None


def _after_parts(line: str, place: int) -> int:
    """The column behind the indices and fields that follow a name."""
    while place < len(line):
        if line[place] == "." and line[place + 1 : place + 2].isalpha():
            place = re.compile(r"\.\w+").match(line, place).end()  # type: ignore[union-attr]
        elif line[place] in "({":
            place = _closing_column(line, place)
        else:
            break
    return place


def _closing_column(line: str, place: int) -> int:
    """The column behind the bracket that closes the one at a column."""
    depth = 0
    for column in range(place, len(line)):
        depth += (line[column] in _OPENING) - (line[column] in _CLOSING)
        if depth == 0:
            return column + 1
    return len(line)
