"""What the parser and the analyses have to say about a text."""

from __future__ import annotations

from enum import StrEnum

from app.records import record
from app.source import Span


class Severity(StrEnum):
    """How bad it is; only errors keep a text from running."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@record
class Fix:
    """A quick fix: replace the text of ``span`` by ``text``.

    Attributes:
        title: what it does, for the menu.
        span: what is replaced.
        text: the new text.
    """

    title: str
    span: Span
    text: str


def comparison_fix(text: str, target: Span, value: Span) -> Fix | None:
    """``==`` in the place of the ``=`` between two parts of a condition."""
    place = text.find("=", target[1], value[0])
    return Fix("Compare with ==", Span(place, place + 1), "==") if place >= 0 else None


@record
class Diagnostic:
    """One remark on a text.

    Attributes:
        span: the part of the text it is about.
        severity: error, warning or info.
        code: stable name, such as ``syntax`` or ``unused-variable``.
        message: a sentence.
        fix: an obvious repair, or None.
    """

    span: Span
    severity: Severity
    code: str
    message: str
    fix: Fix | None = None
