"""Line specifications: the ``'r--o'`` of ``plot(x, y, 'r--o')``."""

from __future__ import annotations

import re

from app.engine.figures.colors import LETTERS, NAMES, Rgb
from app.records import record

STYLES = ("--", "-.", "-", ":")
MARKERS = {
    "o": "o",
    "+": "+",
    "*": "*",
    ".": ".",
    "x": "x",
    "_": "_",
    "|": "|",
    "s": "square",
    "d": "diamond",
    "^": "^",
    "v": "v",
    ">": ">",
    "<": "<",
    "p": "pentagram",
    "h": "hexagram",
}
"""Marker symbols and the property values they stand for."""

LONG_MARKERS = ("square", "diamond", "pentagram", "hexagram")
_PART = re.compile(
    "|".join(
        [
            r"(?P<style>--|-\.|-|:)",
            f"(?P<name>{'|'.join((*NAMES, *LONG_MARKERS))})",
            r"(?P<marker>[o+*.x_|sd^v><ph])",
            r"(?P<color>[rgbcmykw])",
        ]
    )
)
_TITLE = re.compile(r";([^;]*);")


@record
class LineSpec:
    """What a specification says; None where it says nothing."""

    style: str | None = None
    marker: str | None = None
    color: Rgb | None = None
    title: str | None = None

    def properties(self) -> dict[str, object]:
        """The line properties this specification sets: a marker alone means no line."""
        found: dict[str, object] = {}
        if self.color is not None:
            found["Color"] = self.color
        if self.marker is not None:
            found["Marker"] = self.marker
        if self.style is not None or self.marker is not None:
            found["LineStyle"] = self.style or "none"
        if self.title is not None:
            found["DisplayName"] = self.title
        return found


def _entry(match: re.Match[str]) -> tuple[str, object]:
    """What one part of a specification sets: (field, value)."""
    text = match.group()
    if match.lastgroup == "name":
        return ("color", NAMES[text]) if text in NAMES else ("marker", text)
    if match.lastgroup == "marker":
        return "marker", MARKERS[text]
    if match.lastgroup == "color":
        return "color", LETTERS[text]
    return "style", text


def parse_linespec(text: str) -> LineSpec | None:
    """The meaning of ``text``, or None when it is not a line specification.

    Style, marker and colour may stand in any order and in capitals, each at most once; blanks mean
    nothing. What the legend says may stand between semicolons, as in Octave.
    """
    titled = _TITLE.search(text)
    title = titled[1] if titled else None
    if titled:
        text = text[: titled.start()] + text[titled.end() :]
    text = (text.replace(" ", "") or text).lower()
    found: dict[str, object] = {}
    place = 0
    while place < len(text):
        match = _PART.match(text, place)
        if match is None:
            return None
        field, value = _entry(match)
        if field in found:
            return None
        found[field] = value
        place = match.end()
    return LineSpec(**found, title=title)  # type: ignore[arg-type]
