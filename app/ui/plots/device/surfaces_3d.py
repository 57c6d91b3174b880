"""Series in space whose numbers are on the device: drawn there, shown as one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from app.ui.plots.device.draw_layers import (
    CLEAR,
    COLORED,
    EDGES,
    EDGES_BY_VALUE,
    FACES,
    INTERPOLATED,
    ROWS,
    SurfaceLayer,
)
from app.ui.plots.device.frame_picture import picture_of
from app.ui.plots.device.renderer import Frame, Layer, is_supported
from app.ui.plots.device.renderer_pool import FrameRequest, is_synchronous, renderer_for
from app.ui.plots.device.series_layers import (
    buffer_of,
    contour_layers,
    grid_on_device,
    line_layers,
    polygon_layers,
    rgba,
    scatter_layers,
    surface_on_device,
)
from app.ui.plots.host.lighting import lighting_of
from app.ui.plots.host.projection import Projection, projection_of
from app.ui.plots.host.scene import Scene
from app.ui.plots.paint_support import sharpness_of
from app.ui.plots.series_arrays import Exported, Window, is_device

if TYPE_CHECKING:
    from app.ui.plots.space_item import SpaceItem

FINE = 200
"""Surfaces with more cells across than this are drawn without their edges."""


def space_on_device(series: Exported) -> bool:
    """Whether the device can draw a series in space: its numbers are there."""
    kind = series["kind"]
    if kind == "contour":
        return grid_on_device(series)
    if kind == "surface":
        rows = series["MeshStyle"] == "row" and not series["Whole"]
        return not rows and surface_on_device(series)
    if kind not in ("line", "animatedline", "scatter", "polygon"):
        return False
    places = [series[name] for name in ("XData", "YData", "ZData") if series[name] is not None]
    values = series.get("CData")
    if values is not None and not is_supported(values):
        return False
    return is_device(series["YData"]) and all(
        data["kind"] == "range" or (is_device(data) and is_supported(data)) for data in places
    )


def _style_of(series: Exported, cells: int) -> int:
    face, edge = series["FaceColor"], series["EdgeColor"]
    bits = 0 if face == "none" else FACES
    if face in ("flat", "interp", "texturemap"):
        bits |= COLORED
    if face == "interp":
        bits |= INTERPOLATED
    if edge != "none" and (cells <= FINE or face == "none"):
        bits |= EDGES
    if edge in ("flat", "interp"):
        bits |= EDGES_BY_VALUE
    if series["MeshStyle"] == "row":
        bits |= ROWS | INTERPOLATED
    return bits


def surface_layer(
    scene: Scene, series: Exported, projection: Projection, ratio: float
) -> SurfaceLayer:
    """What the device is asked to draw."""
    style, axes = scene.brush.style, scene.brush.axes
    face, edge = series["FaceColor"], series["EdgeColor"]
    solid = isinstance(face, tuple)
    ground = style.color(face) if solid else QColor(style.plot)
    ink = QColor(0, 0, 0, 140) if edge == (0.0, 0.0, 0.0) else style.color(edge)
    ink.setAlphaF(ink.alphaF() * series["EdgeAlpha"])
    cells = 0 if series["Whole"] else max(series["ZData"]["shape"])
    wide = (2.4 if series["MeshStyle"] == "row" else 0.8) * ratio  # rows have half their edges
    return SurfaceLayer(
        series["XData"],
        series["YData"],
        series["ZData"],
        projection,
        axes["colormap"],
        axes["CLim"],
        _style_of(series, cells),
        rgba(ground),
        CLEAR if edge == "none" else rgba(ink),
        wide,
        series["FaceAlpha"],
        series["CData"],
        lighting=lighting_of(axes, series, projection),
        whole=series["Whole"],
    )


def _layers(scene: Scene, item: Exported, projection: Projection, ratio: float) -> list[Layer]:
    """What to draw for one series."""
    if item["kind"] == "surface":
        return [surface_layer(scene, item, projection, ratio)]
    if item["kind"] == "contour":
        floor = None if item["ZLocation"] == "levels" else min(scene.brush.axes["ZLim"])
        return contour_layers(item, scene.brush, ratio, projection, floor)
    if item["kind"] == "polygon":
        return polygon_layers(item, scene.brush, ratio, projection)
    if item["kind"] == "scatter":
        return scatter_layers(item, scene.brush, ratio, projection)
    return line_layers(item, scene.brush.style, ratio, projection)


class DeviceSurfaces:
    """The device's part of axes in space.

    Attributes:
        frame: the last picture.
    """

    def __init__(self, item: SpaceItem) -> None:
        self._item = item
        self._request = FrameRequest(self._receive, item)
        self._key: object = None
        self.frame: Frame | None = None

    def draw(self, scene: Scene, series: list[Exported]) -> None:
        """Have the device draw when anything changed, and show the last picture."""
        if not series:
            self.frame = self._key = None
            return
        renderer = renderer_for(buffer_of(series[0]))
        window = scene.brush.window
        ratio = sharpness_of(scene.brush.painter)
        size = round(window.width * ratio), round(window.height * ratio)
        lights = [child for child in scene.brush.axes["children"] if child["kind"] == "light"]
        states = tuple((item["id"], item["revision"]) for item in (*series, *lights))
        key = self._item.view, size, scene.brush.style.dark, states
        if key != self._key and renderer is not None and min(size) > 0:
            layers, sharp = self._layers(scene, series, ratio), Window(0, 1, 0, 1, *size)
            if is_synchronous():
                self.frame, self._key = renderer.render(layers, sharp), key
            else:
                self._request.ask(key, renderer, layers, sharp)
        if self.frame is not None:
            area = QRectF(0, 0, window.width, window.height)
            scene.brush.painter.drawImage(area, picture_of(self.frame))

    def _layers(self, scene: Scene, series: list[Exported], ratio: float) -> list[Layer]:
        area = tuple(part * ratio for part in self._item.area())
        projection = projection_of(scene.brush.axes, self._item.view, area)  # type: ignore[arg-type]
        floor = [i for i in series if i["kind"] == "contour" and i["ZLocation"] != "levels"]
        rest = [item for item in series if not any(item is low for low in floor)]
        return [
            layer for item in (*floor, *rest) for layer in _layers(scene, item, projection, ratio)
        ]

    def _receive(self, key: object, frame: Frame) -> None:
        self.frame, self._key = frame, key
        self._item.update()
        self._item.turned.emit()
