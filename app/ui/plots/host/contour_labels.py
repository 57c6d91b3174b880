"""Heights written on contour lines: along the line, in a gap of it, none over another."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from app.ui.plots.host.brush import Brush, runs
from app.ui.plots.host.scene import Scene
from app.ui.plots.labels.label import Label
from app.ui.plots.series_arrays import Array, Exported
from app.ui.plots.style import font

SPACING = 220.0
"""Pixels between labels on one line."""
AIR = 3.0


def write_places(brush: Brush, series: Exported) -> None:
    """The heights of contours that the device has drawn, each once on its line."""
    taken: list[QRectF] = []
    for place in series["places"]:
        x, y = (
            float(way(np.array(at)))
            for way, at in ((brush.data_x, place.x), (brush.data_y, place.y))
        )
        kept, row = series["LineColor"], brush.mapped(np.array([place.level]))[0]
        ink = QColor(*map(int, row)) if kept == "flat" else QColor(brush.style.frame)
        label = Label(f"{place.level:.4g}", font(series["LabelSize"]), ink, "none")
        half = label.size.width() / 2 + AIR
        spot = QRectF(x - half, y - half, 2 * half, 2 * half)
        inside = QRectF(0, 0, brush.window.width, brush.window.height).contains(spot)
        if not inside or any(spot.intersects(other) for other in taken):
            continue
        taken.append(spot)
        run = place.along[0] * brush.window.x_scale, place.along[1] * brush.window.y_scale
        angle = math.degrees(math.atan2(abs(run[1]) * np.sign(run[1] * run[0] or 1), abs(run[0])))
        if not series["Fill"]:  # a gap in the line
            brush.painter.save()
            brush.painter.translate(x, y)
            brush.painter.rotate(-angle)
            height = 0.62 * label.size.height()
            ground = brush.style.color(brush.axes["Color"], brush.style.plot)
            brush.painter.fillRect(QRectF(-half, -height / 2, 2 * half, height), ground)
            brush.painter.restore()
        label.draw(brush.painter, QPointF(x, y), 0.5, 0.5, angle)


def write_heights(scene: Scene, series: Exported) -> None:
    """The heights of contours in space, each once on its line, upright."""
    brush = scene.brush
    taken: list[QRectF] = []
    for place in series["places"]:
        height = place.level if series["ZLocation"] == "levels" else min(brush.axes["ZLim"])
        x, y, _depth = scene.projection.place(*map(np.array, (place.x, place.y, height))).tolist()
        row = brush.mapped(np.array([place.level]))[0]
        ink = QColor(*map(int, row)) if series["LineColor"] == "flat" else brush.style.frame
        label = Label(f"{place.level:.4g}", font(series["LabelSize"]), QColor(ink), "none")
        size = label.size
        spot = QRectF(x - size.width() / 2, y - size.height() / 2, size.width(), size.height())
        if any(spot.intersects(other) for other in taken):
            continue
        taken.append(spot)
        ground = brush.style.color(brush.axes["Color"], brush.style.plot)
        brush.painter.fillRect(spot.adjusted(1, 4, -1, -4), ground)
        label.draw(brush.painter, QPointF(x, y), 0.5, 0.5)


@dataclass
class Labels:
    """The labels of one contour plot.

    Attributes:
        size: of the letters, in points.
        taken: where labels already are.
    """

    size: float = 9.0
    taken: list[QRectF] = field(default_factory=list)

    def cut(self, painter: QPainter, level: float, line: Array, color: QColor) -> list[Array]:
        """Write the height on a line in pixels; the parts of the line that remain."""
        if not np.isfinite(line).all() or len(line) < 4:
            return [line]
        steps = np.hypot(*np.diff(line, axis=0).T)
        ways = np.concatenate([[0.0], np.cumsum(steps)])
        label = Label(f"{level:.4g}", font(self.size), color, "none")
        half = label.size.width() / 2 + AIR
        if ways[-1] < 6 * half:
            return [line]
        count = max(1, int(ways[-1] / SPACING))
        middles = [
            self._place(line, ways, (k + 0.5) * ways[-1] / count, half) for k in range(count)
        ]
        found, keep = [m for m in middles if m is not None], np.ones(len(line), dtype=bool)
        for middle in found:
            self._write(painter, label, line, ways, middle, half)
            keep &= np.abs(ways - middle) > half
        return [line[part] for part in runs(keep) if part.stop - part.start > 1]

    def _place(self, line: Array, ways: Array, near: float, half: float) -> float | None:
        """A place near a wanted one where no label is yet."""
        for shift in (0.0, 1.5, -1.5, 3.0, -3.0, 5.0, -5.0):
            middle = near + shift * half
            if not half < middle < ways[-1] - half:
                continue
            x, y = (float(np.interp(middle, ways, line[:, k])) for k in (0, 1))
            spot = QRectF(x - half, y - half, 2 * half, 2 * half)
            if not any(spot.intersects(other) for other in self.taken):
                self.taken.append(spot)
                return middle
        return None

    def _write(
        self, painter: QPainter, label: Label, line: Array, ways: Array, middle: float, half: float
    ) -> None:
        ends = [
            [float(np.interp(middle + side * half, ways, line[:, k])) for k in (0, 1)]
            for side in (-1, 1)
        ]
        (x0, y0), (x1, y1) = ends
        angle = -math.degrees(math.atan2(y1 - y0, x1 - x0))
        if not -90 < angle <= 90:  # never upside down
            angle += 180
        label.draw(painter, QPointF((x0 + x1) / 2, (y0 + y1) / 2), 0.5, 0.5, angle)
