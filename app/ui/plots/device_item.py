"""Series whose data is on the device, as one picture inside the plot box."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtGui import QColor, QImage

from app.ui.plots import layers
from app.ui.plots.brush import Brush
from app.ui.plots.layers import ImageLayer, LineLayer, MarkerLayer, Rgba
from app.ui.plots.markers import EDGE, STROKED, marker_radius
from app.ui.plots.numbers import Exported, is_device
from app.ui.plots.renderer import Frame, Layer, supported
from app.ui.plots.style import Style, dash_lengths, width_pixels


def on_device(series: Exported) -> bool:
    """Whether the device can draw a series: its numbers are there."""
    if series["kind"] in ("line", "scatter"):
        x, y = series["XData"], series["YData"]
        if not is_device(y) or x is None or series["ZData"] is not None:
            return False
        values = series.get("CData")
        if values is not None and not supported(values):
            return False
        return x["kind"] in ("device", "range") and supported(x) and supported(y)
    if series["kind"] == "image":
        return is_device(series["CData"]) and supported(series["CData"])
    return False


def rgba(color: QColor) -> Rgba:
    """A Qt colour as four numbers."""
    return color.redF(), color.greenF(), color.blueF(), color.alphaF()


def _line_layers(series: Exported, style: Style, ratio: float) -> list[Layer]:
    color = style.color(series["Color"])
    found: list[Layer] = []
    if series["LineStyle"] != "none":
        width = width_pixels(series["LineWidth"])
        dashes = tuple(part * ratio for part in dash_lengths(series["LineStyle"], width))
        found.append(
            LineLayer(series["XData"], series["YData"], rgba(color), width * ratio, dashes)
        )
    if series["Marker"] != "none":
        edge = style.color(series["MarkerEdgeColor"], color)
        face = style.color(series["MarkerFaceColor"], color)
        found.append(_marker_layer(series, face, edge, series["MarkerSize"], ratio))
    return found


def _marker_layer(
    series: Exported, face: QColor, edge: QColor, points: float, ratio: float
) -> MarkerLayer:
    marker = series["Marker"]
    radius, width = marker_radius(marker, points), EDGE
    if marker == ".":
        face, edge, width = edge, QColor(0, 0, 0, 0), 0.0
    elif marker in STROKED:
        face = edge
    return MarkerLayer(
        series["XData"], series["YData"], rgba(face), rgba(edge),
        layers.MARKER_SHAPES[marker], radius * ratio, width * ratio,
    )  # fmt: skip


def _scatter_layers(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    from app.ui.plots.draw_shapes import scatter_colors

    values = series["CData"] if is_device(series["CData"]) else None
    color = scatter_colors(brush, series, 0)[0]
    face = brush.color(series["MarkerFaceColor"], color)
    edge = brush.color(series["MarkerEdgeColor"], color)
    size = 36.0
    sizes = series["SizeData"]
    if sizes is not None and sizes["kind"] == "host" and sizes["array"].size:
        size = float(sizes["array"].reshape(-1)[0])
    made = _marker_layer(series, face, edge, size**0.5, ratio)
    if values is None:
        return [made]
    stroked = series["Marker"] in STROKED or series["Marker"] == "."
    parts = (series["MarkerFaceColor"], 1), (series["MarkerEdgeColor"], 2)
    mapped = 3 if stroked else sum(bit for kept, bit in parts if kept == "flat")
    axes = brush.axes
    return [replace(made, values=values, palette=axes["colormap"], limits=axes["CLim"],
                    mapped=mapped)]  # fmt: skip


def _image_layers(series: Exported, axes: Exported) -> list[Layer]:
    alpha = series["AlphaData"]
    opacity = 1.0
    if alpha is not None and alpha["kind"] == "host" and alpha["array"].size == 1:
        opacity = float(alpha["array"].reshape(-1)[0])
    return [
        ImageLayer(
            series["CData"], axes["colormap"], axes["CLim"], series["columns"], series["rows"],
            series["CDataMapping"] == "scaled", opacity,
        )
    ]  # fmt: skip


def layers_of(series: list[Exported], brush: Brush, ratio: float) -> list[Layer]:
    """What to draw for these series, the first one at the bottom."""
    found: list[Layer] = []
    for item in series:
        if item["kind"] == "line":
            found += _line_layers(item, brush.style, ratio)
        elif item["kind"] == "scatter":
            found += _scatter_layers(item, brush, ratio)
        else:
            found += _image_layers(item, brush.axes)
    return found


def picture_of(frame: Frame) -> QImage:
    """A frame as a Qt image, without a copy of its bytes."""
    made = QImage(frame.data, frame.width, frame.height, frame.stride,
                  QImage.Format.Format_RGBA8888_Premultiplied)  # fmt: skip
    made.frame_data = frame.data  # type: ignore[attr-defined]
    return made


def buffer_of(series: Exported) -> Any:
    """The pinned buffer a series is drawn from."""
    data = series["CData"] if series["kind"] == "image" else series["YData"]
    return data["buffer"]
