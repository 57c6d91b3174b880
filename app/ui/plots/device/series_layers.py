"""Which series the device can draw, and what it is asked to draw for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtGui import QColor

from app.ui.plots.device import draw_layers
from app.ui.plots.device.draw_layers import (
    CLEAR,
    ContourLayer,
    ImageLayer,
    LineLayer,
    MarkerLayer,
    PairLayer,
    PolygonLayer,
    Rgba,
    RuleLayer,
    SurfaceLayer,
)
from app.ui.plots.device.renderer import Layer, is_supported
from app.ui.plots.host.brush import Brush
from app.ui.plots.host.markers import EDGE, STROKED, marker_radius
from app.ui.plots.host.projection import Projection, flat_projection
from app.ui.plots.series_arrays import Exported, count_of, is_device
from app.ui.plots.style import POINT, Style, dash_lengths, width_pixels

Check = Callable[[Exported], bool]
Maker = Callable[[Exported, Brush, float], list[Layer]]
CELL_EDGE = QColor(0, 0, 0, 140)
"""The default edges of cells: black, softened."""
SEEN = 4.0
"""Cells of flat grids have rims where they are at least this many pixels wide."""


def rgba(color: QColor) -> Rgba:
    """A Qt colour as four numbers."""
    return color.redF(), color.greenF(), color.blueF(), color.alphaF()


def _faded_color(color: QColor, alpha: object) -> QColor:
    """The colour with an opacity, if that is a number."""
    made = QColor(color)
    if isinstance(alpha, int | float) and made.alpha():
        made.setAlphaF(float(alpha))
    return made


# --- what can be drawn --------------------------------------------------------------------


def _are_in_buffers(*data: Exported | None) -> bool:
    """Whether all of this is in buffers, or a range."""
    return all(
        item is not None and item["kind"] in ("device", "range") and is_supported(item)
        for item in data
    )


def has_points_on_device(series: Exported) -> bool:
    """Whether the renderer can read where the points of a series are."""
    x, y = series["XData"], series["YData"]
    return is_device(y) and _are_in_buffers(x, y)


def _has_one_opacity(series: Exported, *names: str) -> bool:
    """Whether opacities are numbers: the device does not draw those that follow alpha data."""
    return not any(isinstance(series[name], str) for name in names)


def _scatter(series: Exported) -> bool:
    values, sizes = series["CData"], series["SizeData"]
    sized = sizes is None or is_device(sizes) or sizes["array"].size <= 1
    even = _has_one_opacity(series, "MarkerFaceAlpha", "MarkerEdgeAlpha")
    return (
        even and has_points_on_device(series) and sized and (values is None or is_supported(values))
    )


def _has_base_on_device(series: Exported) -> bool:
    """Bars and areas: points, and what they stand on."""
    base = series.get("YBase")
    return has_points_on_device(series) and (
        base is None or (is_device(base) and is_supported(base))
    )


def _errorbar(series: Exported) -> bool:
    ends = [series[name] for name in ("YLow", "YHigh", "XLow", "XHigh")]
    known = [item for item in ends if item is not None]
    return (
        has_points_on_device(series)
        and is_device(series["XData"]) | (series["XLow"] is None)
        and all(is_device(item) for item in known)
    )


def _quiver(series: Exported) -> bool:
    return has_points_on_device(series) and is_device(series["XTip"]) and is_device(series["YTip"])


def grid_on_device(series: Exported) -> bool:
    """Whether the device can draw a surface or contours: the heights are there."""
    z, values = series["ZData"], series.get("CData")
    if (
        not is_device(z)
        or not is_supported(z)
        or (series.get("ShowText") and "places" not in series)
    ):
        return False
    if values is not None and not (is_device(values) and values["shape"] == z["shape"]):
        return False
    places = [series[name] for name in ("XData", "YData")]
    whole = [d for d in places if d["kind"] == "host" and d["array"].size > sum(d["array"].shape)]
    return not whole


def surface_on_device(series: Exported) -> bool:
    """Whether the device can draw a surface: its heights are there, and it has one opacity."""
    return _has_one_opacity(series, "FaceAlpha", "EdgeAlpha") and grid_on_device(series)


def _image(series: Exported) -> bool:
    return is_device(series["CData"]) and is_supported(series["CData"])


_CHECKS: dict[str, Check] = {
    "line": has_points_on_device,
    "animatedline": has_points_on_device,
    "stair": has_points_on_device,
    "stem": has_points_on_device,
    "scatter": _scatter,
    "bar": _has_base_on_device,
    "area": _has_base_on_device,
    "errorbar": _errorbar,
    "quiver": _quiver,
    "surface": surface_on_device,
    "contour": grid_on_device,
    "image": _image,
    "polygon": has_points_on_device,
}


def on_device(series: Exported) -> bool:
    """Whether the device can draw a series in a plane: its numbers are there."""
    check = _CHECKS.get(series["kind"])
    return check is not None and check(series)


def buffer_of(series: Exported) -> Any:
    """A pinned buffer a series is drawn from."""
    name = {"image": "CData", "surface": "ZData", "contour": "ZData"}.get(series["kind"], "YData")
    return series[name]["buffer"]


# --- lines and markers --------------------------------------------------------------------


def line_layers(
    series: Exported, style: Style, ratio: float, projection: Projection | None = None
) -> list[Layer]:
    """A line, or steps, with its markers; in space with a projection."""
    color = style.color(series["Color"])
    found: list[Layer] = []
    z = series["ZData"] if projection is not None else None
    if series["LineStyle"] != "none":
        width = width_pixels(series["LineWidth"])
        dashes = tuple(part * ratio for part in dash_lengths(series["LineStyle"], width))
        found.append(
            LineLayer(
                series["XData"],
                series["YData"],
                rgba(color),
                width * ratio,
                dashes,
                series["kind"] == "stair",
                z,
                projection,
            )
        )
    found += [
        replace(layer, z=None if z is None else series.get("ZMark") or z, projection=projection)
        for layer in _markers(series, style, ratio)
    ]
    return found


def _markers(series: Exported, style: Style, ratio: float) -> list[MarkerLayer]:
    if series["Marker"] == "none":
        return []
    color = style.color(series["Color"])
    edge = style.color(series["MarkerEdgeColor"], color)
    face = style.color(series["MarkerFaceColor"], color)
    width = max(EDGE, series["LineWidth"] * POINT)
    made = _marker_layer(series, face, edge, series["MarkerSize"], ratio, width)
    if series.get("YMark") is not None:  # only some points have markers
        made = replace(made, x=series["XMark"], y=series["YMark"])
    return [made]


def _marker_layer(
    series: Exported, face: QColor, edge: QColor, points: float, ratio: float, width: float = EDGE
) -> MarkerLayer:
    marker = series["Marker"]
    radius = marker_radius(marker, points)
    if marker == ".":
        face, edge, width = edge, QColor(0, 0, 0, 0), 0.0
    elif marker in STROKED:
        face = edge
    return MarkerLayer(
        series["XData"],
        series["YData"],
        rgba(face),
        rgba(edge),
        draw_layers.MARKER_SHAPES[marker],
        radius * ratio,
        width * ratio,
    )


def scatter_layers(
    series: Exported, brush: Brush, ratio: float, projection: Projection | None = None
) -> list[Layer]:
    """Markers of one size; in space with a projection."""
    from app.ui.plots.host.shapes import scatter_colors

    values = series["CData"] if is_device(series["CData"]) else None
    color = scatter_colors(brush, series, 0)[0]
    face = _faded_color(brush.color(series["MarkerFaceColor"], color), series["MarkerFaceAlpha"])
    edge = _faded_color(brush.color(series["MarkerEdgeColor"], color), series["MarkerEdgeAlpha"])
    size = 36.0
    sizes = series["SizeData"]
    if is_device(sizes):
        size = 1.0
    elif sizes is not None and sizes["array"].size:
        size = float(sizes["array"].reshape(-1)[0])
    width = max(EDGE, series["LineWidth"] * POINT)
    made = _marker_layer(series, face, edge, size**0.5, ratio, width)
    z = series["ZData"] if projection is not None else None
    made = replace(made, z=z, projection=projection, sizes=sizes if is_device(sizes) else None)
    if values is None:
        return [made]
    stroked = series["Marker"] in STROKED or series["Marker"] == "."
    parts = (series["MarkerFaceColor"], 1), (series["MarkerEdgeColor"], 2)
    mapped = 3 if stroked else sum(bit for kept, bit in parts if kept == "flat")
    axes = brush.axes
    return [
        replace(made, values=values, palette=axes["colormap"], limits=axes["CLim"], mapped=mapped)
    ]


def _line_maker(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    return line_layers(series, brush.style, ratio)


# --- what stands on something -------------------------------------------------------------


def _stems(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    color = brush.color(series["Color"])
    found: list[Layer] = (
        [
            PairLayer(
                "stem",
                series["XData"],
                series["YData"],
                rgba(color),
                width_pixels(series["LineWidth"]) * ratio,
                series["BaseValue"],
            )
        ]
        if series["LineStyle"] != "none"
        else []
    )
    return [*found, *_base_line(series, brush, ratio), *_markers(series, brush.style, ratio)]


def _base_line(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    """What stems and bars stand on."""
    if not series["ShowBaseLine"]:
        return []
    color = brush.color(series["BaseLineColor"], brush.style.frame)
    width = width_pixels(series["BaseLineWidth"]) * ratio
    upright = bool(series.get("Horizontal"))
    return [RuleLayer(series["BaseValue"], rgba(color), width, upright)]


def _bars(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    from app.ui.plots.host.shapes import bar_half, rim_of

    face = _faded_color(brush.color(series["FaceColor"]), series["FaceAlpha"])
    swap = bool(series["Horizontal"])
    scale = brush.window.y_scale if swap else brush.window.x_scale
    half = bar_half(series, scale)
    thin = abs(2 * half * scale) < SEEN
    rim = None if thin else rim_of(brush, series)
    x, y = series["XData"], series["YData"]
    return [
        PairLayer(
            "bar",
            x,
            y,
            rgba(face),
            0.0 if rim is None else width_pixels(series["LineWidth"]) * ratio,
            series["BaseValue"],
            series["YBase"],
            edge=CLEAR if rim is None else rgba(rim),
            half=half,
            shift=series["XOffset"],
            swap=swap,
        ),
        *_base_line(series, brush, ratio),
    ]


def _areas(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    face = _faded_color(brush.color(series["FaceColor"]), series["FaceAlpha"])
    x, y = series["XData"], series["YData"]
    found: list[Layer] = [
        PairLayer("area", x, y, rgba(face), 0.0, series["BaseValue"], series["YBase"])
    ]
    if series["EdgeColor"] != "none" and series["LineStyle"] != "none":
        black = series["EdgeColor"] == (0.0, 0.0, 0.0)
        edge = brush.style.frame if black else brush.color(series["EdgeColor"])
        edge = _faded_color(edge, series["EdgeAlpha"])
        width = width_pixels(series["LineWidth"])
        dashes = tuple(part * ratio for part in dash_lengths(series["LineStyle"], width))
        found.append(LineLayer(x, y, rgba(edge), width * ratio, dashes))
    return found


def _errorbars(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    color = rgba(brush.color(series["Color"]))
    width = width_pixels(series["LineWidth"]) * ratio
    reach = series["CapSize"] / 2 * POINT * ratio
    x, y, found = series["XData"], series["YData"], []
    if series["YLow"] is not None:
        found.append(
            PairLayer(
                "errorbar", x, series["YHigh"], color, width, floors=series["YLow"], reach=reach
            )
        )
    if series["XLow"] is not None:
        found.append(
            PairLayer(
                "errorbar",
                series["XHigh"],
                y,
                color,
                width,
                floors=y,
                foot_x=series["XLow"],
                reach=reach,
            )
        )
    return [*found, *line_layers(series, brush.style, ratio)]


def _arrows(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    head = max(series["MaxHeadSize"], 0.25) if series["ShowArrowHead"] else 0.0
    return [
        PairLayer(
            "arrow" if head else "stem",
            series["XTip"],
            series["YTip"],
            rgba(brush.color(series["Color"])),
            width_pixels(series["LineWidth"]) * ratio,
            floors=series["YData"],
            foot_x=series["XData"],
            reach=head,
            ratio=ratio,
        )
    ]


# --- grids --------------------------------------------------------------------------------


def _images(series: Exported, brush: Brush, _ratio: float) -> list[Layer]:
    alpha, axes = series["AlphaData"], brush.axes
    opacity = 1.0
    if alpha is not None and alpha["kind"] == "host" and alpha["array"].size == 1:
        opacity = float(alpha["array"].reshape(-1)[0])
    pixels = series["CData"]["shape"][0] * series["CData"]["shape"][1]
    alphas = alpha if count_of(alpha) == pixels > 1 else None
    return [
        ImageLayer(
            series["CData"],
            axes["colormap"],
            axes["CLim"],
            series["columns"],
            series["rows"],
            series["CDataMapping"] == "scaled",
            opacity,
            alphas,
            series["alpha_map"],
        )
    ]


def _sharp(brush: Brush, ratio: float) -> Projection:
    """The plane in pixels of the picture."""
    return flat_projection(brush.window.wider(brush.margin, ratio), brush.axes["ZLim"])


def _flat_surface(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    solid = isinstance(series["FaceColor"], tuple)
    bits = draw_layers.FACES if series["FaceColor"] != "none" else 0
    if bits and not solid:
        bits |= draw_layers.COLORED
    if series["FaceColor"] == "interp":
        bits |= draw_layers.INTERPOLATED
    wide = brush.window.width / max(series["ZData"]["shape"][1], 1) >= SEEN
    edge = series["EdgeColor"]
    black = brush.style.frame if series["Whole"] else CELL_EDGE
    rim = QColor(black) if edge == (0.0, 0.0, 0.0) else brush.color(edge)
    rim.setAlphaF(rim.alphaF() * series["EdgeAlpha"])
    if edge != "none" and wide:
        bits |= draw_layers.EDGES
    if edge in ("flat", "interp"):
        bits |= draw_layers.EDGES_BY_VALUE
    face = brush.color(series["FaceColor"]) if solid else QColor(0, 0, 0, 0)
    thick = series["LineWidth"] if series["Whole"] else 0.25  # polygons show theirs
    return [
        SurfaceLayer(
            series["XData"],
            series["YData"],
            series["ZData"],
            _sharp(brush, ratio),
            brush.axes["colormap"],
            brush.axes["CLim"],
            bits,
            rgba(face),
            rgba(rim),
            width_pixels(thick) * ratio,
            series["FaceAlpha"],
            series["CData"],
            whole=series["Whole"],
        )
    ]


def polygon_layers(
    series: Exported, brush: Brush, ratio: float, projection: Projection | None = None
) -> list[Layer]:
    """Polygons of many corners, and the lines around all of them."""
    from app.ui.plots.host.shapes import patch_colors

    x, y, z = series["XData"], series["YData"], series["ZData"]
    colors = patch_colors(brush, series, 0, 0) or []
    found: list[Layer] = []
    if colors:
        seen = projection or _sharp(brush, ratio)
        table = series["Faces"]
        faces = table["shape"][0] if isinstance(table, dict) else len(table)
        found.append(PolygonLayer(x, y, z, seen, faces, tuple(map(rgba, colors))))
    edge, width = series["EdgeColor"], width_pixels(series["LineWidth"])
    if edge == "none":
        return found
    ink = QColor(brush.style.frame if edge == (0.0, 0.0, 0.0) else brush.color(edge))
    dashes = tuple(part * ratio for part in dash_lengths(series["LineStyle"], width))
    line = LineLayer(
        x,
        y,
        rgba(_faded_color(ink, series["EdgeAlpha"])),
        width * ratio,
        dashes,
        z=z,
        projection=projection,
    )
    return [*found, line]


def contour_layers(
    series: Exported, brush: Brush, ratio: float, projection: Projection, floor: float | None
) -> list[Layer]:
    """Lines of equal height, at their own height or on a floor."""
    kept, axes = series["LineColor"], brush.axes
    if kept == "none":
        return []
    color = None
    if kept != "flat":
        color = rgba(brush.style.frame if kept == (0.0, 0.0, 0.0) else brush.color(kept))
    return [
        ContourLayer(
            series["XData"],
            series["YData"],
            series["ZData"],
            projection,
            axes["colormap"],
            axes["CLim"],
            tuple(series["LevelList"]),
            color,
            width_pixels(series["LineWidth"]) * ratio,
            floor,
        )
    ]


def _contours(series: Exported, brush: Brush, ratio: float) -> list[Layer]:
    projection, axes = _sharp(brush, ratio), brush.axes
    found: list[Layer] = []
    if series["Fill"]:
        bits = draw_layers.FACES | draw_layers.COLORED | draw_layers.INTERPOLATED
        found.append(
            SurfaceLayer(
                series["XData"],
                series["YData"],
                series["ZData"],
                projection,
                axes["colormap"],
                axes["CLim"],
                bits | draw_layers.BANDS,
                CLEAR,
                CLEAR,
                0.0,
                series["FaceAlpha"],
                levels=tuple(series["LevelList"]),
            )
        )
    return found + contour_layers(series, brush, ratio, projection, None)


_MAKERS: dict[str, Maker] = {
    "line": _line_maker,
    "animatedline": _line_maker,
    "stair": _line_maker,
    "stem": _stems,
    "scatter": scatter_layers,
    "bar": _bars,
    "area": _areas,
    "errorbar": _errorbars,
    "quiver": _arrows,
    "image": _images,
    "surface": _flat_surface,
    "contour": _contours,
    "polygon": polygon_layers,
}


def layers_of(series: list[Exported], brush: Brush, ratio: float) -> list[Layer]:
    """What to draw for these series in a plane, the first one at the bottom."""
    return [layer for item in series for layer in _MAKERS[item["kind"]](item, brush, ratio)]
