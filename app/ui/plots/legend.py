"""The legend of axes: a box with a sample of every series; a click hides or shows a series."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from app.ui.plots.host.markers import draw_markers, marker_radius
from app.ui.plots.labels.label import Label, label_of
from app.ui.plots.paint_support import told
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import POINT, Style, font, line_pen, style_on

SAMPLE = 28.0
PAD = 8.0
GAP = 4.0
_FILLED = frozenset(("bar", "histogram", "area", "patch", "surface", "contour", "boxchart"))


Frame = tuple[float, float, float, float]
"""Left, bottom, width and height in parts of a figure."""


class LegendBox(pg.GraphicsWidget):  # type: ignore[misc]
    """Shows what the series are called; can be dragged.

    Attributes:
        model: the legend's snapshot.
        hidden: ids of series that are hidden by a click.
        dragged: where the mouse has put it, in parts of the figure, until the figure says so.
    """

    toggled = Signal(int)
    moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[tuple[Exported, Label]] = []
        self._style: Style | None = None
        self.model: Exported = {}
        self.hidden: set[int] = set()
        self.dragged: Frame | None = None
        self._title: Label | None = None
        self.setFlag(self.GraphicsItemFlag.ItemIsMovable)
        self.setZValue(20)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def show_model(self, model: Exported, series: list[Exported], style: Style) -> None:
        """Show a legend of the model with these series."""
        if any(self.model.get(name) != model[name] for name in ("Location", "Position")):
            self.dragged = None
        self.model = model
        self._style = style = style_on(style, model["Color"])
        ink = style.color(model["TextColor"])
        used = font(model["FontSize"])
        self._rows = [
            (item, Label(item["DisplayName"], used, ink, model["Interpreter"], "left"))
            for item in series
        ]
        self._title = label_of(model["title"], style, ink)
        self.resize(self.wanted_size())
        self.update()

    # --- geometry -------------------------------------------------------------------------

    def _columns(self) -> int:
        if self.model["Orientation"] == "horizontal":
            return max(len(self._rows), 1)
        return max(1, min(int(self.model["NumColumns"]), len(self._rows)))

    def _cell(self) -> QSizeF:
        widths = [label.size.width() for _item, label in self._rows] or [0.0]
        heights = [label.size.height() for _item, label in self._rows] or [0.0]
        return QSizeF(SAMPLE + 6 + max(widths), max(heights) + GAP)

    def wanted_size(self) -> QSizeF:
        """The room the entries need."""
        columns = self._columns()
        rows = -(-len(self._rows) // columns)
        cell = self._cell()
        width = columns * cell.width() + (columns - 1) * 12 + 2 * PAD
        if self._title is not None:
            width = max(width, self._title.size.width() + 2 * PAD)
        return QSizeF(round(width), round(rows * cell.height() + 2 * PAD - GAP + self._head()))

    def _head(self) -> float:
        """The room of the title."""
        return 0.0 if self._title is None else self._title.size.height() + GAP

    def _origin(self, place: int) -> QPointF:
        rows = -(-len(self._rows) // self._columns())
        column, row = divmod(place, rows)
        cell = self._cell()
        top = PAD + self._head() - GAP / 2
        return QPointF(PAD + column * (cell.width() + 12), top + row * cell.height())

    # --- painting -------------------------------------------------------------------------

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """The box and its entries."""
        style = self._style
        if style is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.model["Box"]:
            back = QColor(style.paper_color(self.model["Color"], style.plot))
            back.setAlphaF(0.92)
            rim = QColor(style.frame)
            rim.setAlphaF(0.45)
            painter.setBrush(back)
            width = max(1.0, self.model["LineWidth"] * POINT)
            painter.setPen(QPen(style.color(self.model["EdgeColor"], rim), width))
            painter.drawRoundedRect(QRectF(QPointF(0.5, 0.5), self.size() - QSizeF(1, 1)), 3, 3)
        if self._title is not None:
            self._title.draw(painter, QPointF(self.size().width() / 2, PAD - 2), 0.5, 0.0)
        for place, (item, label) in enumerate(self._rows):
            painter.setOpacity(0.35 if item["id"] in self.hidden else 1.0)
            origin = self._origin(place)
            middle = origin.y() + self._cell().height() / 2
            _paint_sample(painter, item, QPointF(origin.x(), middle), style)
            label.draw(painter, QPointF(origin.x() + SAMPLE + 6, middle), 0.0, 0.5)
        painter.setOpacity(1.0)

    # --- mouse ----------------------------------------------------------------------------

    def mouseMoveEvent(self, event: Any) -> None:
        """Dragging keeps the place from then on."""
        super().mouseMoveEvent(event)
        self.moved.emit()

    def mouseReleaseEvent(self, event: Any) -> None:
        """A click without a drag toggles the series."""
        drag = event.screenPos() - event.buttonDownScreenPos(Qt.MouseButton.LeftButton)
        super().mouseReleaseEvent(event)
        if drag.manhattanLength() < 4:
            self._toggle(event.pos())

    def _toggle(self, place: QPointF) -> None:
        cell = self._cell()
        for row, (item, _label) in enumerate(self._rows):
            if QRectF(self._origin(row), cell).contains(place):
                self.hidden ^= {item["id"]}
                self.toggled.emit(item["id"])
                self.update()


def _series_color(item: Exported, style: Style) -> QColor:
    for name in ("Color", "FaceColor", "BoxFaceColor"):
        kept = item.get(name)
        if isinstance(kept, tuple):
            return style.series_color(kept)
    data = item.get("CData")
    if item["kind"] == "scatter" and data is not None and data["kind"] == "host":
        values = data["array"]
        rows = values.reshape(1, -1) if values.size == 3 else values
        if rows.ndim == 2 and rows.shape[1] == 3:  # else they are looked up in the colormap
            return style.color(tuple(float(v) for v in rows[0]))
    return style.series_color((0.0, 0.447, 0.741))


def _paint_sample(painter: QPainter, item: Exported, left: QPointF, style: Style) -> None:
    """A short piece of a series."""
    color = _series_color(item, style)
    if item["kind"] in _FILLED:
        if isinstance(item.get("FaceAlpha"), float):
            color.setAlphaF(item["FaceAlpha"])
        painter.setPen(QPen(Qt.PenStyle.NoPen))
        painter.setBrush(color)
        painter.drawRoundedRect(QRectF(left.x() + 4, left.y() - 5, SAMPLE - 8, 10), 1.5, 1.5)
        return
    if item.get("LineStyle", "none") != "none" and item["kind"] != "scatter":
        painter.setPen(line_pen(color, item["LineStyle"], max(item["LineWidth"], 1.0)))
        painter.drawLine(left, left + QPointF(SAMPLE, 0))
    if item.get("Marker", "none") != "none":
        import numpy as np

        face = style.color(item["MarkerFaceColor"], color)
        edge = style.color(item["MarkerEdgeColor"], color)
        if item["Marker"] == ".":
            face, edge = edge, QColor(0, 0, 0, 0)
        radius = min(marker_radius(item["Marker"], item.get("MarkerSize", 6.0)), 5.0)
        x, y = np.array([left.x() + SAMPLE / 2]), np.array([left.y()])
        draw_markers(painter, x, y, item["Marker"], radius, face, edge)
