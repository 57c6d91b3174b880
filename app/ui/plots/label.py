"""Text in figures: measured and drawn, plain or with markup, at any angle."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextDocument, QTextOption

from app.engine.figures.ticks import tick_label
from app.ui.plots.markup import is_plain, rich_text
from app.ui.plots.numbers import Exported
from app.ui.plots.style import Style, font

_ALIGNMENTS = {
    "left": Qt.AlignmentFlag.AlignLeft, "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}  # fmt: skip
ACROSS = {"left": 0.0, "center": 0.5, "right": 1.0}
DOWN = {"top": 0.0, "cap": 0.0, "middle": 0.5, "bottom": 1.0, "baseline": 0.8}


@lru_cache(maxsize=256)
def _document(text: str, family: str, align: str, color: int) -> QTextDocument:
    made = QTextDocument()
    made.setDocumentMargin(0)
    used = QFont()
    used.fromString(family)
    made.setDefaultFont(used)
    made.setDefaultTextOption(QTextOption(_ALIGNMENTS[align]))
    made.setHtml(f'<span style="color:{QColor.fromRgba(color).name()}">{text}</span>')
    made.setTextWidth(made.idealWidth())
    return made


class Label:
    """One text with its looks.

    Attributes:
        size: the room it needs, unrotated.
    """

    def __init__(
        self, text: str, used: QFont, color: QColor, interpreter: str = "tex", align: str = "center"
    ) -> None:
        self._text = text
        self._font = used
        self._color = color
        self._document = None
        if not is_plain(text, interpreter):
            html = rich_text(text, interpreter)
            self._document = _document(html, used.toString(), align, color.rgba())
        self.size = self._measure()

    def _measure(self) -> QSizeF:
        if not self._text:
            return QSizeF(0, 0)
        if self._document is not None:
            return self._document.size()
        metrics = QFontMetricsF(self._font)
        return QSizeF(metrics.horizontalAdvance(self._text), metrics.height())

    def draw(
        self, painter: QPainter, anchor: QPointF, across: float = 0.5, down: float = 0.5,
        angle: float = 0.0,
    ) -> None:  # fmt: skip
        """Draw so that the point (across, down) of the text's box, from 0 to 1, is at ``anchor``;
        ``angle`` in degrees, counterclockwise."""
        if not self._text:
            return
        painter.save()
        painter.translate(anchor)
        painter.rotate(-angle)
        painter.translate(-across * self.size.width(), -down * self.size.height())
        if self._document is not None:
            self._document.drawContents(painter)
        else:
            painter.setFont(self._font)
            painter.setPen(self._color)
            box = QRectF(QPointF(0, 0), self.size)
            flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextDontClip
            painter.drawText(box, flags, self._text)
        painter.restore()


def power_label(tick: float) -> str:
    """A tick of a logarithmic scale: a power of ten, or the number."""
    power = math.log10(tick)
    if abs(power - round(power)) < 1e-9:
        return f"10^{{{round(power)}}}"
    return tick_label(tick)


def label_of(text: Exported | None, style: Style, color: QColor | None = None) -> Label | None:
    """The label of a text object of the model; None where there is none."""
    if text is None or not text["String"] or not text["Visible"]:
        return None
    used = font(text["FontSize"], bold=text["FontWeight"] == "bold",
                italic=text["FontAngle"] == "italic")  # fmt: skip
    ink = style.color(text["Color"], color)
    return Label(text["String"], used, ink, text["Interpreter"], text["HorizontalAlignment"])
