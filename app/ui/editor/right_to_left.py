"""Words of letters that are written from right to left, in a view that lays out from the left.

Scintilla measures every stretch of one style by itself, and takes one that begins with such letters
for nothing wide: a comment or a line of output that consists of them was not to be seen. Here each
of the letters takes a cell of its own, which Scintilla leaves empty, and the word is painted over
its cells as it is read. The caret goes through the cells in the order of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent

if TYPE_CHECKING:
    from app.ui.editor.surface import Surface

_LETTER = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
_LETTERS = re.compile(_LETTER)
_WORDS = re.compile(f"{_LETTER}(?:(?:{_LETTER}| )*{_LETTER})?")
_EMPTY, _NOTHING = " ", "\u200b"
MOST = 20_000
"""Bytes of a line that are looked at."""


class RightToLeft:
    """Gives the letters of a view their cells, and paints their words."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._known: set[str] = set()

    def visible_words(self) -> list[tuple[int, str]]:
        """Such words in the lines on the screen, and the byte position where each begins."""
        surface = self._surface
        first = surface.firstVisibleLine()
        rows = range(first, first + surface.linesOnScreen() + 2)
        found: list[tuple[int, str]] = []
        for line in sorted({surface.docLineFromVisible(row) for row in rows}):
            start = surface.positionFromLine(line)
            end = min(surface.lineEndPosition(line), start + MOST)
            data = bytes(surface.textRange(start, end).data()) if end > start >= 0 else b""
            if not data.isascii():
                text = data.decode("utf-8", "replace")
                found += (
                    (start + len(text[: match.start()].encode()), match.group())
                    for match in _WORDS.finditer(text)
                )
        return found

    def give_cells(self, words: list[tuple[int, str]]) -> None:
        """Letters that were not seen before are empty cells from now on, and marks take no room."""
        letters = {letter for _, word in words for letter in _LETTERS.findall(word)}
        for letter in letters - self._known:
            mark = unicodedata.category(letter) == "Mn"
            self._surface.setRepresentation(letter, _NOTHING if mark else _EMPTY)
            self._surface.setRepresentationAppearance(letter, 0)
        self._known |= letters

    def paint(self, event: QPaintEvent, words: list[tuple[int, str]]) -> None:
        """Draw the words over their cells, each in the colours of its first letter."""
        if not words:
            return
        with QPainter(self._surface.viewport()) as painter:
            painter.setClipRegion(event.region())
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            for position, word in words:
                for start, part in self._rows(position, word):
                    self._paint_word(painter, start, part)

    def _rows(self, position: int, word: str) -> Iterator[tuple[int, str]]:
        """A word as its parts in the lines of the screen, where it is broken at the edge."""
        places = []
        for letter in word:
            places.append((position, letter))
            position += len(letter.encode())
        tops = groupby(places, lambda place: self._surface.pointYFromPosition(place[0]))
        for _, row in tops:
            held = list(row)
            yield held[0][0], "".join(letter for _, letter in held)

    def _paint_word(self, painter: QPainter, start: int, word: str) -> None:
        surface = self._surface
        style = surface.styleAt(start)
        font = QFont(bytes(surface.styleFont(style).data()).decode())
        font.setPointSizeF(surface.styleSizeFractional(style) / 100 + surface.zoom())
        font.setBold(surface.styleBold(style))
        font.setItalic(surface.styleItalic(style))
        metrics = QFontMetricsF(font)
        marks = sum(unicodedata.category(letter) == "Mn" for letter in word)
        left = surface.pointXFromPosition(start)
        room = surface.textWidth(style, " " * (len(word) - marks))
        wide = metrics.horizontalAdvance(word)
        colour = surface.styleFore(style)
        painter.save()
        painter.setFont(font)
        painter.setPen(QColor(colour & 0xFF, colour >> 8 & 0xFF, colour >> 16 & 0xFF))
        base = surface.pointYFromPosition(start) + surface.extraAscent() + metrics.ascent()
        painter.translate(left + max(room - wide, 0) / 2, round(base))
        painter.scale(min(room / wide, 1.0) if wide else 1.0, 1.0)
        painter.drawText(QPointF(0, 0), word)
        painter.restore()
