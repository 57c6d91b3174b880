"""The margin of a document: where each section stands, what its last run cost, what runs it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.ui.documents.runs import Phase, Section
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme

WIDTH = 132
_BAR = 10
_GLYPH = 16
_COLOURS = {
    Phase.NEW: "border",
    Phase.QUEUED: "pause",
    Phase.RUNNING: "device",
    Phase.DONE: "border_strong",
    Phase.FAILED: "error",
}


@dataclass(frozen=True)
class Extent:
    """A section and where it is on the screen."""

    section: Section
    top: int
    bottom: int

    def button(self, left: int) -> QRect:
        """Where the triangle that runs the section is."""
        return QRect(left + WIDTH - _BAR - _GLYPH - 14, self.top + 3, _GLYPH + 8, _GLYPH + 8)


def paint_section(painter: QPainter, extent: Extent, left: int, *, hot: bool) -> None:
    """Draw one section's bar, its triangle and what its last run cost."""
    section = extent.section
    stale = section.stale and section.phase is not Phase.RUNNING
    colour = theme().colour("warning" if stale else _COLOURS[section.phase])
    pen = QPen(colour, 3, Qt.PenStyle.DotLine if stale else Qt.PenStyle.SolidLine)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    across = left + WIDTH - _BAR
    painter.drawLine(across, extent.top + 4, across, max(extent.top + 8, extent.bottom - 4))
    _paint_button(painter, QRectF(extent.button(left)), section, hot=hot)
    painter.setFont(ui_font(11))
    top = extent.top + _GLYPH + 14
    texts = [*section.summary]
    if section.phase is Phase.RUNNING:
        texts = ["running"]
    elif section.phase is Phase.QUEUED:
        texts = ["waiting"]
    elif stale:
        texts = ["changed since", *texts]
    for number, text in enumerate(texts):
        if top + 15 > extent.bottom + 30:
            break
        role = "warning" if stale and not number else "device" if "GPU" in text else "muted"
        painter.setPen(theme().colour(role))
        area = QRect(left, top, WIDTH - _BAR - 10, 15)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, flags, text)
        top += 16


def _paint_button(painter: QPainter, area: QRectF, section: Section, *, hot: bool) -> None:
    if hot:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("hover"))
        painter.drawRoundedRect(area, 4, 4)
    running = section.phase in (Phase.RUNNING, Phase.QUEUED)
    role = "error" if running else "accent" if hot else "faint"
    painter.setPen(QPen(theme().colour(role), 1.4))
    painter.setBrush(theme().colour(role) if hot else Qt.BrushStyle.NoBrush)
    middle = area.center()
    if running:
        painter.drawRect(QRectF(middle.x() - 4, middle.y() - 4, 8, 8))
        return
    painter.drawPolygon(
        QPolygonF(
            [
                QPointF(middle.x() - 4, middle.y() - 5.5),
                QPointF(middle.x() + 5.5, middle.y()),
                QPointF(middle.x() - 4, middle.y() + 5.5),
            ]
        )
    )
