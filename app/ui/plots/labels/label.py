"""Text in figures: measured and drawn, plain or with markup, at any angle."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.engine.figures.ticks import tick_label
from app.ui.plots.labels.label_lines import is_plain, lines_of
from app.ui.plots.labels.typeset import Box, Setter
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import Style, font

ACROSS = {"left": 0.0, "center": 0.5, "right": 1.0}
DOWN = {"top": 0.0, "cap": 0.0, "middle": 0.5, "bottom": 1.0, "baseline": 0.8}


class Label:
    """One text with its looks.

    Attributes:
        size: the room it needs, unrotated.
        rotation: degrees that the script turns it by.
        ground: what it stands on where something is drawn below it; none at all usually.
    """

    def __init__(
        self, text: str, used: QFont, color: QColor, interpreter: str = "tex", align: str = "center"
    ) -> None:
        self._text = text
        self._font = used
        self._color = color
        self._align = ACROSS.get(align, 0.5)
        self._lines: tuple[Box, ...] = ()
        if not is_plain(text, interpreter):
            self._lines = _set_lines(text, interpreter, used.toString(), color.rgba())
        self.size = self._measure()
        self.rotation = 0.0
        self.ground: QColor | None = None

    def _measure(self) -> QSizeF:
        if not self._text:
            return QSizeF(0, 0)
        if self._lines:
            return QSizeF(
                max(line.width for line in self._lines),
                sum(line.up + line.down for line in self._lines),
            )
        metrics = QFontMetricsF(self._font)
        return QSizeF(metrics.horizontalAdvance(self._text), metrics.height())

    def draw(
        self,
        painter: QPainter,
        anchor: QPointF,
        across: float = 0.5,
        down: float = 0.5,
        angle: float = 0.0,
    ) -> None:
        """Draw so that the point (across, down) of the text's box, from 0 to 1, is at ``anchor``;
        ``angle`` in degrees, counterclockwise."""
        if not self._text:
            return
        painter.save()
        painter.translate(anchor)
        painter.rotate(-angle)
        painter.translate(-across * self.size.width(), -down * self.size.height())
        if self.ground is not None:
            painter.fillRect(QRectF(QPointF(0, 0), self.size).adjusted(-3, 0, 3, 0), self.ground)
        if self._lines:
            self._draw_lines(painter)
        else:
            painter.setFont(self._font)
            painter.setPen(self._color)
            box = QRectF(QPointF(0, 0), self.size)
            flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextDontClip
            painter.drawText(box, flags, self._text)
        painter.restore()

    def reach(self, name: str) -> float:
        """How far the text of this name reaches away from its ruler."""
        if not name.startswith("y"):
            return self.size.height()
        turn = math.radians(self.rotation)
        return float(
            abs(self.size.height() * math.sin(turn)) + abs(self.size.width() * math.cos(turn))
        )

    def draw_along(self, name: str, painter: QPainter, anchor: QPointF, down: float) -> None:
        """Draw the text of this name at its ruler, turned as the script wants: a level one is
        beside an upright ruler."""
        beside = name.startswith("y") and not self.rotation % 180.0
        across, down = (down, 0.5) if beside else (0.5, down)
        self.draw(painter, anchor, across, down, self.rotation)

    def _draw_lines(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        top = 0.0
        for line in self._lines:
            line.paint(painter, self._align * (self.size.width() - line.width), top + line.up)
            top += line.up + line.down


@lru_cache(maxsize=512)
def _set_lines(text: str, interpreter: str, family: str, color: int) -> tuple[Box, ...]:
    """A label's lines, set in type."""
    used = QFont()
    used.fromString(family)
    setter = Setter(used, QColor.fromRgba(color), serif=interpreter == "latex")
    made = [setter.box(line) for line in lines_of(text, interpreter)]
    least = QFontMetricsF(used)
    return tuple(
        Box(box.width, max(box.up, least.ascent()), max(box.down, least.descent()), box.paint)
        for box in made
    )


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
    heavy = text["FontWeight"] == "bold" and text["Interpreter"] != "latex"
    used = font(
        text["FontSize"], bold=heavy, italic=text["FontAngle"] == "italic", family=text["FontName"]
    )
    ink = style.color(text["Color"], color)
    made = Label(text["String"], used, ink, text["Interpreter"], text["HorizontalAlignment"])
    made.rotation = text["Rotation"]
    return made
