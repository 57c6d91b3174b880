"""The value under the pointer: found on the host, or one element fetched from the device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPen

from app.ui.plots.axes_item import AxesItem
from app.ui.plots.bar_tip import Bars, bars_of, gaps_to, told_of
from app.ui.plots.labels.label import Label
from app.ui.plots.paint_support import told
from app.ui.plots.plot_box import PlotBox
from app.ui.plots.series_arrays import Exported, count_of
from app.ui.plots.space_item import SpaceItem
from app.ui.plots.space_tip import point_in_space, space_point
from app.ui.plots.style import font
from app.ui.plots.tip_ground import Ground, ground_of, nearest_index
from app.ui.plots.tip_numbers import number
from app.ui.plots.tip_rows import Coordinate, Look, chosen_rows, element, look_of

CLICK_REACH = 8.0
"""So many pixels around a click on a line belong to the line."""
REACH = 24.0
"""A click further away than this many pixels meets nothing."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One data point.

    Attributes:
        x: data coordinates.
        y: data coordinates.
        z: the height, of points in space.
        text: what a tip says.
        fetched: bytes that came from the device to say it.
        side: of the y axis that it stands on.
        look: how the text is written.
    """

    x: float
    y: float
    text: str
    fetched: int = 0
    z: float = 0.0
    side: str = "left"
    look: Look = Look()  # noqa: RUF009 - it never changes


def inner_item(axes: AxesItem) -> PlotBox | SpaceItem:
    """What the series of axes are drawn in."""
    return axes.box if axes.space is None else axes.space


def nearest(axes: AxesItem, place: QPointF) -> Sample | None:
    """The data point nearest to a place in the scene, if one is near."""
    found: list[tuple[float, Sample]] = []
    for series in reversed(axes.model["children"]):
        if not series["Visible"]:
            continue
        sample = _sample(axes, series, place)
        if sample is not None:
            found.append(sample)
    return min(found, key=_distance)[1] if found else None


def clicked_point(axes: AxesItem, place: QPointF) -> Sample | None:
    """The point of a line or of markers at a place in the scene; pictures have none."""
    series = (s for s in axes.model["children"] if s["Visible"] and s["kind"] != "image")
    found = [sample for s in series if (sample := _sample(axes, s, place)) is not None]
    near = [sample for sample in found if sample[0] <= CLICK_REACH]
    return min(near, key=_distance)[1] if near else None


def series_at(axes: AxesItem, place: QPointF) -> int:
    """The id of the series at a place in the scene; 0 for none."""
    found = []
    for series in reversed(axes.model["children"]):
        sample = _sample(axes, series, place) if series["Visible"] else None
        if sample is not None and (sample[0] <= CLICK_REACH or series["kind"] == "image"):
            found.append((sample[0], int(series["id"])))
    return min(found)[1] if found else 0


def _distance(pair: tuple[float, Sample]) -> float:
    return pair[0]


def _sample(axes: AxesItem, series: Exported, place: QPointF) -> tuple[float, Sample] | None:
    if axes.space is not None:
        found = space_point(axes.space.projection(), series, axes.space.mapFromScene(place))
        if found is None or found[0] >= REACH:
            return None
        gap, (x, y, z), text, fetched = found
        return gap, Sample(x, y, text, fetched, z=z, look=look_of(series))
    ground = ground_of(axes, series.get("YAxisSide", "left"))
    if series["kind"] == "image":
        return _image_sample(series, ground.box.mapSceneToView(place))
    bars = bars_of(series) if series["kind"] in ("bar", "histogram") else None
    if bars is not None:
        return _bar_sample(ground, series, bars, place)
    if series["kind"] not in ("line", "scatter", "stair", "stem", "errorbar", "bar", "area"):
        return None
    index = nearest_index(ground, series, place)
    if index is None:
        return None
    sample = _point_sample(ground, series, index)
    gap = ground.pixels_between(sample.x, sample.y, place)
    return (gap, sample) if gap < REACH else None


def sample_of(axes: AxesItem, series: Exported, index: int) -> Sample | None:
    """What a tip says of the point of an index (from 0), wherever it is; None for no such point."""
    if axes.space is not None:
        found = point_in_space(series, index)
        if found is None:
            return None
        (x, y, z), text, fetched = found
        return Sample(x, y, text, fetched, z=z, look=look_of(series))
    ground = ground_of(axes, series.get("YAxisSide", "left"))
    if series["kind"] == "image":
        rows, columns = _image_shape(series)[:2]
        return (
            _pixel_sample(series, index % rows, index // rows) if index < rows * columns else None
        )
    bars = bars_of(series) if series["kind"] in ("bar", "histogram") else None
    if bars is not None:
        return _end_of_bar(ground, series, bars, index) if index < len(bars.top) else None
    known = index < min(count_of(series["XData"]), count_of(series["YData"]))
    return _point_sample(ground, series, index) if known else None


def _point_sample(ground: Ground, series: Exported, index: int) -> Sample:
    (x, from_x), (y, from_y) = (element(series[name], index) for name in ("XData", "YData"))
    across, up = Coordinate(x, ground.x_ruler, "X"), Coordinate(y, ground.y_ruler, "Y")
    usual = f"{_title(series)}X  {across.said()}\nY  {up.said()}\n#{index + 1}"
    chosen = chosen_rows(series, index, {"XData": across, "YData": up})
    text, more = chosen or (usual, 0)
    return Sample(x, y, text, from_x + from_y + more, side=ground.side, look=look_of(series))


def _bar_sample(
    ground: Ground, series: Exported, bars: Bars, place: QPointF
) -> tuple[float, Sample] | None:
    """The bar at a place, or the nearest one; the point of its tip is the middle of its end."""
    view = ground.box.mapSceneToView(place)
    across, along = gaps_to(bars, (view.x(), view.y()), ground.log)
    sizes = ground.box.viewPixelSize()
    wide, high = sizes[::-1] if bars.lies else sizes
    gaps = np.hypot(across / wide, along / high)
    if not np.isfinite(gaps).any():
        return None
    index = int(np.nanargmin(gaps))
    gap = float(gaps[index])
    return (gap, _end_of_bar(ground, series, bars, index)) if gap < REACH else None


def _end_of_bar(ground: Ground, series: Exported, bars: Bars, index: int) -> Sample:
    spot = float((bars.low[index] + bars.high[index]) / 2), float(bars.top[index])
    x, y = spot[::-1] if bars.lies else spot
    usual = _title(series) + told_of(ground.ruler_across(bars.lies), series, bars, index)
    text, fetched = chosen_rows(series, index, {}) or (usual, 0)
    return Sample(x, y, text, fetched, side=ground.side, look=look_of(series))


def _title(series: Exported) -> str:
    return f"{series['DisplayName']}\n" if series["DisplayName"] else ""


def _image_shape(series: Exported) -> tuple[int, ...]:
    data = series["CData"]
    return tuple(data["array"].shape if data["kind"] == "host" else data["shape"])


def _image_sample(series: Exported, view: Any) -> tuple[float, Sample] | None:
    shape = _image_shape(series)
    column = _image_index(series["columns"], shape[1], view.x())
    row = _image_index(series["rows"], shape[0], view.y())
    if not (0 <= row < shape[0] and 0 <= column < shape[1]):
        return None
    sample = _pixel_sample(series, row, column)
    return None if sample is None else (REACH, replace(sample, x=view.x(), y=view.y()))


def _pixel_sample(series: Exported, row: int, column: int) -> Sample | None:
    """What a tip at the middle of a pixel says; None where it has no one value."""
    shape = _image_shape(series)
    if len(shape) > 2:
        return None
    index = column * shape[0] + row
    value, fetched = element(series["CData"], index)
    usual = f"Row  {row + 1}\nColumn  {column + 1}\nValue  {number(value)}"
    spot = {"XData": column + 1.0, "YData": row + 1.0, "CData": value}
    told = {name: Coordinate(where) for name, where in spot.items()}
    text, more = chosen_rows(series, index, told) or (usual, 0)
    x = _middle(series["columns"], shape[1], column)
    y = _middle(series["rows"], shape[0], row)
    return Sample(x, y, text, fetched + more, look=look_of(series))


def _middle(ends: tuple[float, float], count: int, index: int) -> float:
    return float(ends[0] + (ends[1] - ends[0]) * index / max(count - 1, 1))


def _image_index(ends: tuple[float, float], count: int, place: float) -> int:
    pitch = (ends[1] - ends[0]) / (count - 1) if count > 1 else 1.0
    return int(np.floor((place - ends[0]) / pitch + 0.5))


class DataTip(pg.GraphicsObject):  # type: ignore[misc]
    """A small box that says what a point is.

    Attributes:
        sample: the point.
        location: the corner of the point where a script wants the box, such as ``southwest``.
    """

    def __init__(self, axes: AxesItem) -> None:
        super().__init__(axes.parentItem())  # over all axes, not only over its own
        self._axes = axes
        self.sample = Sample(0.0, 0.0, "")
        self.location = ""
        self.setZValue(30)
        axes.moved.connect(self.update)
        axes.visibleChanged.connect(self._follow_axes)

    def _follow_axes(self) -> None:
        if not self._axes.isVisible():
            self.setVisible(False)

    def show_sample(self, sample: Sample) -> None:
        """Say what a point is."""
        self.sample = sample
        self.setVisible(True)
        self.update()

    def label(self) -> Label:
        """What is said, in the colour of the figure as it is now: a copy for paper has another."""
        look = self.sample.look
        ink = self._axes.style.ink
        return Label(self.sample.text, font(look.size), ink, look.interpreter, "left")

    def size(self) -> QSizeF:
        """Of the box around it."""
        said = self.label().size
        return QSizeF(said.width() + 16, said.height() + 12)

    def _anchor(self) -> QPointF:
        space = self._axes.space
        if space is not None:
            across, down, _ = space.projection().place(
                *(np.array(part) for part in (self.sample.x, self.sample.y, self.sample.z))
            )
            return QPointF(space.mapToItem(self, QPointF(float(across), float(down))))
        spot = ground_of(self._axes, self.sample.side).scene_place(self.sample.x, self.sample.y)
        return QPointF(self.mapFromScene(spot))

    def boundingRect(self) -> QRectF:
        """Anywhere in the figure."""
        return QRectF(self.parentItem().boundingRect())

    def _corner(self, spot: QPointF, size: QSizeF) -> QPointF:
        """Where the box begins: right above the point where there is room, always in the figure."""
        room = self.boundingRect().adjusted(2, 2, -2, -2)
        fits = spot.x() + 10 + size.width() < self._axes.geometry().right()
        right = "east" in self.location if self.location else fits
        left = spot.x() + 10 if right else spot.x() - 10 - size.width()
        top = spot.y() + 10 if "south" in self.location else spot.y() - 10 - size.height()
        return QPointF(
            max(min(left, room.right() - size.width()), room.left()),
            max(min(top, room.bottom() - size.height()), room.top()),
        )

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """A dot and the box beside it."""
        spot = self._anchor()
        inner = inner_item(self._axes)
        seen = self.mapRectFromItem(inner, inner.boundingRect()).adjusted(-1, -1, 1, 1)
        if not seen.contains(spot):
            return
        style = self._axes.style
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        label, size = self.label(), self.size()
        corner = self._corner(spot, size)
        back = QColor(style.canvas)
        back.setAlphaF(0.95)
        painter.setPen(QPen(style.frame, 1))
        painter.setBrush(back)
        painter.drawRoundedRect(QRectF(corner, size), 4, 4)
        label.draw(painter, corner + QPointF(8, 6), 0.0, 0.0)
        painter.setBrush(style.ink)
        painter.setPen(QPen(style.plot, 1.5))
        painter.drawEllipse(spot, 4, 4)
