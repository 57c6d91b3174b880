"""The ground of polar axes: disc, rings, spokes and what is written at them."""

from __future__ import annotations

import math
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.ui.plots.labels.label import Label
from app.ui.plots.paint_support import told
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import Style, font

ROOM = 30.0
"""Pixels around the disc for labels."""
LEAST = 16.0
"""Pixels between the numbers of rings."""


class Disc:
    """The visible sector in pixels of a box that shows limits of the plane.

    Attributes:
        centre: the pole.
        radius: of the rim.
    """

    def __init__(self, model: Exported, area: QRectF) -> None:
        (x0, x1), (_y0, y1) = model["XLim"], model["YLim"]
        self._polar = model["polar"]
        self._scale = area.width() / (x1 - x0) if x1 > x0 else 1.0
        self.centre = QPointF(area.left() - x0 * self._scale, area.top() + y1 * self._scale)
        self.radius = self._polar["reach"] * self._scale

    def spot(self, degrees: float, radius: float, beyond: float = 0.0) -> QPointF:
        """The pixel at an angle and a radius, and so many pixels farther out."""
        turn, length = math.radians(degrees), radius * self._scale + beyond
        return self.centre + QPointF(length * math.cos(turn), -length * math.sin(turn))

    def arc(self, radius: float) -> QPainterPath:
        """The visible part of a ring."""
        first, last = self._polar["sector"]
        reach = radius * self._scale
        box = QRectF(self.centre.x() - reach, self.centre.y() - reach, 2 * reach, 2 * reach)
        made = QPainterPath()
        if self._polar["whole"]:
            made.addEllipse(box)
        else:
            made.arcMoveTo(box, first)
            made.arcTo(box, first, last - first)
        return made

    def outline(self) -> QPainterPath:
        """The rim of the visible sector."""
        made = self.arc(self._polar["reach"])
        if not self._polar["whole"]:
            made.lineTo(self.centre)
            made.closeSubpath()
        return made


class PolarFrame(pg.GraphicsObject):  # type: ignore[misc]
    """Draws the ground below the series of an axes item."""

    def __init__(self) -> None:
        super().__init__()
        self._model: Exported | None = None
        self._style: Style | None = None
        self._area = QRectF()
        self.setZValue(-200)  # view boxes are at -100
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_model(self, model: Exported, style: Style) -> None:
        """Show other axes, or the same ones in another state."""
        self._model, self._style = model, style
        self.update()

    def place(self, area: QRectF) -> None:
        """Fill a box."""
        self.prepareGeometryChange()
        self._area = QRectF(area)
        self.update()

    def boundingRect(self) -> QRectF:
        """The box and the labels around it."""
        return self._area.adjusted(-60, -40, 60, 40)

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """Disc, rings, spokes, labels."""
        model, style = self._model, self._style
        if model is None or style is None or not model["Visible"]:
            return
        disc, polar = Disc(model, self._area), model["polar"]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(disc.outline(), style.paper_color(model["Color"], style.plot))
        faint = QColor(style.grid)
        faint.setAlphaF(model["GridAlpha"])
        painter.setPen(QPen(faint, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if polar["ring_grid"]:
            for ring in polar["rings"]:
                painter.drawPath(disc.arc(ring))
        if polar["spoke_grid"]:
            painter.drawLines(
                [
                    QLineF(disc.centre, disc.spot(degrees, polar["reach"]))
                    for degrees in polar["spokes"]
                ]
            )
        painter.setPen(QPen(style.frame, 1))
        painter.drawPath(disc.outline())
        self._write(painter, disc, polar)

    def _write(self, painter: QPainter, disc: Disc, polar: dict[str, Any]) -> None:
        model, style = self._model, self._style
        if model is None or style is None:
            return
        used = font(model["FontSize"])
        around = style.color(model["ThetaColor"], style.muted)
        for degrees, text in zip(polar["spokes"], polar["spoke_labels"], strict=True):
            way = math.radians(degrees)
            spot = disc.spot(degrees, polar["reach"], 6.0)
            label = Label(text, used, around)
            label.draw(painter, spot, 0.5 - 0.5 * math.cos(way), 0.5 + 0.5 * math.sin(way))
        first, _last = polar["sector"]
        at = polar["labels_at"] if polar["whole"] else first
        along = style.color(model["RColor"], style.muted)
        small = font(0.9 * model["FontSize"])
        last = -1e9
        for ring, text in zip(polar["rings"], polar["ring_labels"], strict=True):
            reach = ring / (polar["reach"] or 1.0) * disc.radius
            if reach - last < LEAST:
                continue
            label, last = Label(text, small, along), reach
            if polar["whole"]:
                label.draw(painter, disc.spot(at, ring) + QPointF(2, 0), 0.0, 0.5)
            else:
                label.draw(painter, disc.spot(at, ring) + QPointF(0, 3), 0.5, 0.0)
