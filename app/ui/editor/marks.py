"""Markers, margins and indicators of the code editor, and the pictures drawn for them."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from pyside6_scintilla import Scintilla

from app.ui.support.theme import theme


class Margin(IntEnum):
    """The margins from left to right."""

    TIMES = 0
    BREAKPOINTS = 1
    NUMBERS = 2
    HEAT = 3
    GROUPS = 4
    CHANGES = 5
    FOLDS = 6


class Marker(IntEnum):
    """Marker numbers; group brackets take five numbers from ``DEVICE`` and ``HOST`` on.

    Larger ones are drawn over smaller ones.
    """

    CHOSEN = 0
    ERROR_LINE = 1
    EXECUTION_LINE = 2
    BREAKPOINT = 3
    BREAKPOINT_OFF = 4
    BREAKPOINT_IF = 5
    DEVICE = 6
    HOST = 11
    SECTION = 16
    EXECUTION = 17
    HEAT = 18


class Indicator(IntEnum):
    """Indicator numbers."""

    ERROR = 8
    WARNING = 9
    INFO = 10
    FOUND = 11
    OCCURRENCE = 12
    SECTION_TITLE = 13
    FUNCTION = 14
    OWN_FUNCTION = 15
    RESIDENT = 16
    BLOCK = 17
    COST = 18
    STOP = 19
    READ = 20
    WRITTEN = 21
    PART = 22
    RUN = 23
    AUTO_CLOSED = 24
    AUTO_END = 25
    PLACEHOLDER = 26
    SEARCHED = 27


HEAT_SHARES = (0.05, 0.2, 0.5)
HEAT_ALPHAS = (90, 160, 255)
HEAT_MARKERS = tuple(range(Marker.HEAT, Marker.HEAT + 3))
_outline = Scintilla.MarkerOutline
HISTORY_MARKERS = {
    _outline.HistoryRevertedToOrigin: "lazy",
    _outline.HistorySaved: "device",
    _outline.HistoryModified: "accent",
    _outline.HistoryRevertedToModified: "accent",
}
"""What Scintilla puts on lines that were changed, and their colours."""
PARTS = ("single", "first", "middle", "last", "through")
GROUP_MARKERS = tuple(range(Marker.DEVICE, Marker.HOST + len(PARTS)))
STOP_MARKERS = (
    Marker.BREAKPOINT,
    Marker.BREAKPOINT_OFF,
    Marker.BREAKPOINT_IF,
    Marker.EXECUTION,
)
WIDTH = 10


def group_marker(side: str, part: str) -> int:
    """The marker number of a bracket part."""
    base = Marker.DEVICE if side == "device" else Marker.HOST
    return base + PARTS.index(part)


@lru_cache(maxsize=8)
def pictures(_theme: str, height: int, scale: float) -> tuple[tuple[int, QImage], ...]:
    """Every marker that is a picture, in the colours of the theme in use, which has that name; all
    cells of a document share them."""
    brackets = (
        (group_marker(side, part), bracket_image(side, part, height, scale))
        for side in ("device", "host")
        for part in PARTS
    )
    heat = ((marker, heat_image(level, height)) for level, marker in enumerate(HEAT_MARKERS))
    return (
        *brackets,
        *heat,
        (Marker.BREAKPOINT, dot_image("error", height, scale)),
        (Marker.BREAKPOINT_IF, dot_image("transfer", height, scale)),
        (Marker.BREAKPOINT_OFF, dot_image("faint", height, scale, filled=False)),
        (Marker.EXECUTION, arrow_image("pause", height, scale)),
    )


def bracket_image(side: str, part: str, height: int, scale: float) -> QImage:
    """A part of a group bracket, as tall as a line so that parts join without gaps."""
    image = _blank(WIDTH, height, scale)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = theme().colour(side, 110 if part == "through" else 255)
    painter.setPen(QPen(colour, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    _draw_bracket(painter, part, height, colour)
    painter.end()
    return image


def _draw_bracket(painter: QPainter, part: str, height: int, colour: QColor) -> None:
    left, right, middle = 3.0, 8.0, height / 2
    if part == "single":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(QRectF(left - 1, 4, 3, height - 8), 1.5, 1.5)
    elif part == "first":
        painter.drawPolyline([QPointF(right, 5), QPointF(left, 5), QPointF(left, height)])
    elif part == "last":
        low = height - 5
        painter.drawPolyline([QPointF(left, 0), QPointF(left, low), QPointF(right, low)])
    else:
        painter.drawLine(QPointF(left, 0), QPointF(left, height))
        if part == "middle":
            painter.drawLine(QPointF(left, middle), QPointF(right - 2, middle))


def heat_image(level: int, height: int) -> QImage:
    """How much of the run's time a line took, in three steps."""
    image = _blank(4, height, 1.0)
    painter = QPainter(image)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().colour("heat", HEAT_ALPHAS[level]))
    painter.drawRect(QRectF(0, 1, 3, height - 2))
    painter.end()
    return image


def dot_image(token: str, height: int, scale: float, *, filled: bool = True) -> QImage:
    """A breakpoint: a filled dot, or a ring when it is switched off."""
    image = _blank(14, height, scale)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme().colour(token), 1.5))
    painter.setBrush(theme().colour(token) if filled else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(7, height / 2), 4.5, 4.5)
    painter.end()
    return image


def arrow_image(token: str, height: int, scale: float) -> QImage:
    """The place where the script stands; its edge sets it off from a breakpoint below it."""
    image = _blank(14, height, scale)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme().colour("editor"), 1.5))
    painter.setBrush(theme().colour(token))
    middle = height / 2
    points = [QPointF(3, middle - 5), QPointF(12, middle), QPointF(3, middle + 5)]
    painter.drawPolygon(points)
    painter.end()
    return image


def _blank(width: int, height: int, scale: float) -> QImage:
    size = round(width * scale), round(height * scale)
    image = QImage(*size, QImage.Format.Format_RGBA8888)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    return image
