"""A label as lines of markup, by its interpreter."""

from __future__ import annotations

from app.ui.plots.labels.latex import LatexLine
from app.ui.plots.labels.markup import Letters, Look, Node
from app.ui.plots.labels.tex import TexLine

_MARKS = ("\\", "^", "_", "{", "\n")


def is_plain(text: str, interpreter: str) -> bool:
    """Whether a label is letters in one line."""
    if interpreter == "none":
        return "\n" not in text
    if interpreter == "latex":
        return False
    return not any(mark in text for mark in _MARKS)


def lines_of(text: str, interpreter: str) -> list[Node]:
    """The lines of a label."""
    if interpreter == "none":
        return [Letters(line, Look()) for line in text.split("\n")]
    if interpreter == "tex":
        return [TexLine(line).row() for line in text.split("\n")]
    return [row for line in text.split("\n") for row in LatexLine(line).rows()]
