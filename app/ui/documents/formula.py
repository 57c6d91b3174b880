"""Formulas within the text of documents: LaTeX as an object that flows with the words."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect, QRectF, QSizeF
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from app.ui.plots.labels.label_lines import lines_of
from app.ui.plots.labels.typeset import Box, Setter, side_by_side

KIND = QTextFormat.ObjectTypes.UserObject + 1
_LATEX = int(QTextFormat.Property.UserProperty) + 1
OBJECT = "\N{OBJECT REPLACEMENT CHARACTER}"


@lru_cache(maxsize=512)
def _box(latex: str, font: str, colour: int) -> tuple[Box, float]:
    """A formula set in type, and how much air it has above its highest letters."""
    used = QFont()
    used.fromString(font)
    setter = Setter(used, QColor.fromRgba(colour), serif=True)
    dollars = "$$" if "\\begin" in latex or "\\frac" in latex or "\\sum" in latex else "$"
    lines = lines_of(f"{dollars}{latex}{dollars}", "latex")
    return side_by_side([setter.box(line) for line in lines]), setter.air


class FormulaObjects(QPyTextObject):
    """Measures and draws the formulas of a document."""

    def intrinsicSize(self, _document: QTextDocument, _place: int, form: QTextFormat) -> QSizeF:
        """The room a formula needs: as much above the middle of the line as below it."""
        box, air, half = _placed_formula(form)
        return QSizeF(box.width + 2, 2 * max(box.up - air - half, box.down + half))

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        document: QTextDocument,
        place: int,
        form: QTextFormat,
    ) -> None:
        """Draw a formula on the base line of its words: Qt puts it in the middle of their line."""
        box, _air, _half = _placed_formula(form)
        block = document.findBlock(place)
        line = block.layout().lineForTextPosition(place - block.position())
        base = line.ascent() - line.height() / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box.paint(painter, float(rect.left()) + 1, float(rect.center().y()) + base)
        painter.restore()


def _placed_formula(form: QTextFormat) -> tuple[Box, float, float]:
    """A formula, the air above it, and how far its base line is below the middle of its line."""
    letters = form.toCharFormat()
    font = letters.font()
    colour = letters.foreground().color().rgba()
    box, air = _box(str(form.property(_LATEX)), font.toString(), colour)
    return box, air, QFontMetricsF(font).xHeight() / 4


def insert_formula(
    cursor: QTextCursor, latex: str, description: str, look: QTextCharFormat
) -> None:
    """Put a formula at a cursor; the document must have ``FormulaObjects``."""
    form = QTextCharFormat(look)
    form.setObjectType(KIND)
    form.setProperty(_LATEX, latex)
    form.setToolTip(description or latex)
    form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    cursor.insertText(OBJECT, form)


def has_formulas(document: QTextDocument) -> FormulaObjects:
    """Make a document show formulas; it keeps the answer."""
    made = FormulaObjects(document)
    document.documentLayout().registerHandler(KIND, made)
    return made
