"""Source texts and positions in them.

A position is an offset into the text; lines and columns (both from 1) are derived from it
only when somebody needs to read them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from app.late_pattern import late_pattern

BLOCK_MARK = late_pattern(r"^[ \t\r\f]*[%#]([{}])[ \t\r\f]*$", re.MULTILINE)
"""A line that begins or ends a comment of several lines."""
_NO_CODE = late_pattern(r"\s*(?:\Z|[%#]|\.\.\.)")
_RULE = r"(?:[-=*#%~\u2500-\u257f]{2,}|_{3,})"
_MOST_SHOWN = 160
"""Characters of a line that an error message shows."""
_RULE_BEFORE = late_pattern(_RULE)
_RULE_BEHIND = late_pattern(rf"{_RULE}(?=\s)|{_RULE}{_RULE}")
"""Of a text read from its end: a search would begin anew at every character of a long line."""


def section_title(text: str) -> str:
    """The title of a section without the lines drawn beside it: ``---- Setup ----`` is Setup."""
    title = text.strip()
    before = _RULE_BEFORE.match(title)
    title = title[before.end() :] if before else title
    behind = _RULE_BEHIND.match(title[::-1])
    return title[: -behind.end()].strip() if behind else title.strip()


class Span(NamedTuple):
    """A half-open range of character offsets, ``start <= i < end``."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The smallest span that covers this one and ``other``."""
        return Span(min(self.start, other.start), max(self.end, other.end))


class Place(NamedTuple):
    """A place a person can go to: file name, line and column, both from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class SourceText:
    """A named text with line and column arithmetic.

    Attributes:
        name: file path, or a label in angle brackets such as ``<command>``.
        text: the whole text with ``\\n`` line ends.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first character of every line."""
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def line_of(self, offset: int) -> int:
        """The line, from 1, that holds ``offset``."""
        return bisect_right(self.line_starts, offset)

    def place(self, offset: int) -> Place:
        """File, line and column of ``offset``."""
        line = self.line_of(offset)
        return Place(self.name, line, offset - self.line_starts[line - 1] + 1)

    def line_text(self, line: int) -> str:
        """The text of ``line`` (from 1) without its line end; empty when there is no such line."""
        if not 1 <= line <= len(self.line_starts):
            return ""
        start = self.line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def caret(self, span: Span) -> str:
        """The line of ``span`` with a second line of carets under the part it covers."""
        place = self.place(span.start)
        start = place.column - 1
        return underlined(self.line_text(place.line), start, start + span.end - span.start)


def underlined(line: str, start: int, end: int) -> str:
    """A line with a second line of carets under its characters ``start`` to ``end``, at least one.

    Of a line that is longer than `_MOST_SHOWN` only the surroundings are shown.
    """
    if len(line) > _MOST_SHOWN:
        first = max(0, min(start - _MOST_SHOWN // 3, len(line) - _MOST_SHOWN))
        last = first + _MOST_SHOWN
        before, after = "…" * (first > 0), "…" * (last < len(line))
        line = f"{before}{line[first:last]}{after}"
        moved = first - len(before)
        start, end = start - moved, min(end - moved, len(line) - len(after))
    width = max(1, min(end, len(line)) - start)
    lead = "".join("\t" if c == "\t" else " " for c in line[:start]).ljust(start)
    return f"{line}\n{lead}{'^' * width}"


def code_line(lines: Iterable[str], line: int) -> int:
    """The first line (from 1) at or behind ``line`` that has code; ``line`` where none has."""
    depth = 0
    for number, text in enumerate(lines, 1):
        mark = BLOCK_MARK.match(text)
        if mark is not None:
            depth = max(0, depth + (1 if mark[1] == "{" else -1))
        elif number >= line and not depth and not _NO_CODE.match(text):
            return number
    return line
