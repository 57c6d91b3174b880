"""Axes in space: a box seen from the side, turned with the mouse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsSceneWheelEvent

from app.ui.plots.device.surfaces_3d import DeviceSurfaces, space_on_device
from app.ui.plots.host.brush import Brush
from app.ui.plots.host.contour_labels import write_heights
from app.ui.plots.host.faces import has_faces, is_among_faces, paint_faces
from app.ui.plots.host.projection import Projection, projection_of
from app.ui.plots.host.scene import Scene
from app.ui.plots.host.space import draw_series
from app.ui.plots.paint_support import told
from app.ui.plots.series_arrays import Array, Exported, Window
from app.ui.plots.series_pieces import pieces_of
from app.ui.plots.space_rulers import LETTERS, SpaceRulers, spot_of
from app.ui.plots.style import Style

WHEEL, MOST_MAGNIFIED = 1.15, 50.0
"""How much nearer one step of the wheel brings a box, and how near it can come."""
MARGIN = (58.0, 14.0, 30.0)
"""Room for labels left, above and right of the box, in a figure of the usual size."""
BELOW = 28.0
"""Room for the numbers below the box, whatever the size of the figure."""


class SpaceItem(pg.GraphicsWidget):  # type: ignore[misc]
    """The box, its grid and ticks, and the series in it.

    Attributes:
        view: azimuth and elevation in degrees.
        magnified: how much larger than fitting the box is seen.
        device: the surfaces whose heights are on the device.
    """

    turned = Signal()

    def __init__(self, model: Exported, style: Style) -> None:
        super().__init__()
        self.model, self.style = model, style
        self.hidden: set[int] = set()
        self.view = (float(model["View"][0]), float(model["View"][1]))
        self._home = self.view
        self.magnified, self._aside = 1.0, np.zeros(2)
        self.device = DeviceSurfaces(self)
        self.setAcceptedMouseButtons(Qt.MouseButton.LeftButton)

    def show_model(self, model: Exported, style: Style) -> None:
        """Show another state of the axes; a view turned by hand stays until the script turns it."""
        self.model, self.style = model, style
        home = float(model["View"][0]), float(model["View"][1])
        if home != self._home:
            self.view = self._home = home
        self.update()

    def reset_view(self) -> None:
        """Back to where the script looks from."""
        self.view = self._home
        self.magnified, self._aside = 1.0, np.zeros(2)
        self.update()

    # --- mouse ----------------------------------------------------------------------------

    def mouseDragEvent(self, event: Any) -> None:
        """Turn the box."""
        event.accept()
        way = event.pos() - event.lastPos()
        azimuth = self.view[0] - 0.5 * way.x()
        elevation = min(90.0, max(-90.0, self.view[1] + 0.5 * way.y()))
        self.view = (azimuth + 180.0) % 360.0 - 180.0, elevation
        self.update()
        self.turned.emit()

    def wheelEvent(self, event: QGraphicsSceneWheelEvent) -> None:
        """Bring the box nearer, or away; what is under the pointer stays there."""
        event.accept()
        wanted = self.magnified * WHEEL ** (event.delta() / 120.0)
        factor = min(MOST_MAGNIFIED, max(1.0 / MOST_MAGNIFIED, wanted)) / self.magnified
        place = np.array([event.pos().x(), event.pos().y()])
        self._aside = place + factor * (self._aside - place)
        self.magnified *= factor
        self.update()
        self.turned.emit()

    def mouseClickEvent(self, event: Any) -> None:
        """A double click goes home."""
        if event.double():
            event.accept()
            self.reset_view()

    # --- painting -------------------------------------------------------------------------

    def area(self) -> tuple[float, float, float, float]:
        """Where the box is: left, top, width, height."""
        size = self.size()
        tight = min(1.0, size.width() / 400, size.height() / 300)
        left, above, right = (room * max(tight, 0.6) for room in MARGIN)
        if self.model["zlabel"] is not None:
            left += 1.4 * self.model["zlabel"]["FontSize"]
        names = (self.model["xlabel"], self.model["ylabel"])
        below = BELOW + max(
            (1.6 * name["FontSize"] for name in names if name is not None), default=0.0
        )
        return (
            left,
            above,
            max(size.width() - left - right, 20.0),
            max(size.height() - above - below, 20.0),
        )

    def projection(self) -> Projection:
        """How the box is seen now."""
        fitting = projection_of(self.model, self.view, self.area())
        across, up = self.magnified * np.array(fitting.centre) + self._aside
        wide, high = self.magnified * np.array(fitting.scale)
        return replace(fitting, centre=(float(across), float(up)), scale=(float(wide), float(high)))

    def rulers(self, projection: Projection) -> SpaceRulers:
        """Ticks and texts around the box that is seen so."""
        return SpaceRulers(self.model, self.style, projection, self.boundingRect())

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """Everything."""
        projection = self.projection()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.magnified > 1.0:
            painter.setClipRect(self.boundingRect())
        if self.model["Visible"]:
            rulers = self.rulers(projection)
            self._paint_walls(painter, rulers)
            rulers.paint(painter)
        size = self.size()
        window = Window(0, 1, 0, 1, round(size.width()), round(size.height()))
        scene = Scene(Brush(painter, window, self.style, self.model), projection)
        shown = [
            piece
            for child in self.model["children"]
            if child["Visible"] and child["id"] not in self.hidden
            for piece in pieces_of(child)
        ]
        floor = [
            child
            for child in shown
            if not space_on_device(child)
            and child["kind"] == "contour"
            and child["ZLocation"] != "levels"
        ]
        for child in floor:
            draw_series(scene, child)
        self.device.draw(scene, [child for child in shown if space_on_device(child)])
        rest = [
            child
            for child in shown
            if not space_on_device(child) and not any(child is low for low in floor)
        ]
        solid = any(has_faces(child) for child in rest)
        among = [solid and (has_faces(child) or is_among_faces(child)) for child in rest]
        paint_faces(scene, [child for child, inside in zip(rest, among, strict=True) if inside])
        for child, inside in zip(rest, among, strict=True):
            if not inside:
                draw_series(scene, child)
        for child in shown:
            if child.get("places"):
                write_heights(scene, child)

    def _paint_walls(self, painter: QPainter, rulers: SpaceRulers) -> None:
        """The three walls at the back, with grid lines."""
        projection, back = rulers.projection, rulers.projection.back()
        for axis in range(3):
            others = [k for k in range(3) if k != axis]
            corners = []
            for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1)):
                signs = np.zeros(3)
                signs[axis], signs[others[0]], signs[others[1]] = back[axis], a, b
                corners.append(spot_of(projection, signs * projection.sides / 2))
            painter.setBrush(self.style.paper_color(self.model["Color"], self.style.plot))
            painter.setPen(QPen(Qt.PenStyle.NoPen))
            painter.drawPolygon(QPolygonF(corners))
            for along in others:
                self._paint_grid(painter, rulers, (axis, along), back)
        self._paint_edges(painter, projection, back)

    def _paint_grid(
        self, painter: QPainter, rulers: SpaceRulers, wall: tuple[int, int], back: Array
    ) -> None:
        """The lines on one wall that stand on the ticks of one axis."""
        (axis, along), projection = wall, rulers.projection
        if not self.model[f"{LETTERS[along]}Grid"]:
            return
        across = 3 - axis - along
        color = QColor(self.style.grid)
        color.setAlphaF(0.14)
        painter.setPen(QPen(color, 1))
        for place in rulers.places(along):
            ends = []
            for sign in (-1.0, 1.0):
                point = back * projection.sides / 2
                point[along], point[across] = place, sign * projection.sides[across] / 2
                ends.append(spot_of(projection, point))
            painter.drawLine(QLineF(*ends))

    def _paint_edges(self, painter: QPainter, projection: Projection, back: Array) -> None:
        """The edges where walls meet, and the rulers' edges; all twelve for a box."""
        painter.setPen(QPen(self.style.frame, 1))
        for axis in range(3):
            others = [k for k in range(3) if k != axis]
            for a in (-1.0, 1.0):
                for b in (-1.0, 1.0):
                    signs = np.zeros(3)
                    signs[others[0]], signs[others[1]] = a, b
                    behind = (signs[others] == back[others]).sum()
                    if behind > 0 or self.model["Box"]:
                        self._edge(painter, projection, signs, axis, faint=behind == 2)

    def _edge(
        self, painter: QPainter, projection: Projection, signs: Array, axis: int, *, faint: bool
    ) -> None:
        ends = []
        for sign in (-1.0, 1.0):
            corner = signs.copy()
            corner[axis] = sign
            ends.append(spot_of(projection, corner * projection.sides / 2))
        color = QColor(self.style.frame)
        color.setAlphaF(0.35 if faint else 0.8)
        painter.setPen(QPen(color, 1))
        painter.drawLine(QLineF(*ends))

    def boundingRect(self) -> QRectF:
        """All of it."""
        return QRectF(QPointF(0, 0), self.size())
