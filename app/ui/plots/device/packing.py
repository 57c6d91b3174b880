"""Layer descriptions as the bytes the shaders read."""

from __future__ import annotations

import math
import struct

import numpy as np

from app.ui.plots.device.draw_layers import (
    CLEAR,
    ContourLayer,
    ImageLayer,
    LineLayer,
    MarkerLayer,
    PairLayer,
    Rgba,
    RuleLayer,
)
from app.ui.plots.host.projection import Projection
from app.ui.plots.series_arrays import Exported, Window, count_of, to_axis

GROUP = 256
"""Threads per workgroup of the passes over points."""


def split(value: float) -> tuple[float, float]:
    """A double as the sum of two floats."""
    high = float(np.float32(value))
    return high, value - high


def view_bytes(x: Exported, y: Exported, window: Window, columns: int, first: int = 0) -> bytes:
    """The parameters of the compute passes."""
    count = min(count_of(x), count_of(y))
    base, pixel, step, start, unit = _range_numbers(x, window)
    return struct.pack(
        "3fI3fI4I2f2I4f",
        *split(window.left),
        window.x_scale,
        window.log_x,
        *split(window.top),
        window.y_scale,
        window.log_y,
        x.get("offset", 0),
        y.get("offset", 0),
        count,
        columns,
        pixel,
        step,
        base,
        first,
        start,
        unit,
        window.width,
        window.height,
    )


def _range_numbers(x: Exported, window: Window) -> tuple[int, float, float, float, float]:
    """Where a range's points are, counted from one near the window, so that f32 is enough."""
    if x["kind"] != "range":
        return 0, 0.0, 0.0, 0.0, 0.0
    start, unit = float(x["start"]), float(x["step"])
    if window.log_x:
        return 0, 0.0, 0.0, start, unit
    base = int(min(max((window.left - start) // unit, 0), max(x["count"] - 1, 0)))
    pixel = (start + unit * base - window.left) * window.x_scale
    return base, pixel, unit * window.x_scale, start, unit


def premultiplied_colour(color: Rgba) -> Rgba:
    """A colour with its opacity multiplied in."""
    red, green, blue, alpha = color
    return red * alpha, green * alpha, blue * alpha, alpha


def paint_bytes(
    layer: LineLayer | MarkerLayer, window: Window, *, mirror: bool = False, margin: int = 0
) -> bytes:
    """The parameters of the passes that paint lines and markers."""
    if isinstance(layer, LineLayer):
        dashes = (*layer.dashes, 0.0, 0.0, 0.0, 0.0)[:4]
        color, edge, shape = layer.color, CLEAR, (int(layer.stepped), 0.0, 0.0, int(mirror))
        stroke = (layer.width / 2, sum(layer.dashes))
    else:
        dashes, stroke = (0.0, 0.0, 0.0, 0.0), (float(margin), 0.0)
        color, edge = layer.face, layer.edge
        shape = (
            layer.shape,
            layer.radius,
            layer.edge_width,
            layer.mapped + 4 * (layer.sizes is not None),
        )
    return struct.pack(
        "4f4f4f2f2fI2fI",
        *premultiplied_colour(color),
        *premultiplied_colour(edge),
        *dashes,
        window.width,
        window.height,
        *stroke,
        *shape,
    )


def pair_bytes(layer: PairLayer, window: Window, *, mirror: bool) -> bytes:
    """The parameters of the passes that join points with their partners."""
    flags = mirror + 2 * layer.swap + 4 * (layer.floors is not None)
    log = window.log_x if layer.swap else window.log_y
    place = to_axis(np.array([layer.base]), log=log)
    pixel = float((window.x_pixels if layer.swap else window.y_pixels)(place)[0])
    if not math.isfinite(pixel):
        pixel = 0.0 if layer.swap else float(window.height)
    scale = window.y_scale if layer.swap else window.x_scale
    shape, radius, edge_width, middle = 0, abs(layer.half * scale), layer.width, 0.0
    if layer.kind == "bar":
        middle = layer.shift * scale
    elif layer.kind in ("errorbar", "arrow"):
        shape, radius = (1, layer.reach) if layer.kind == "errorbar" else (2, layer.reach)
        edge_width = layer.ratio
    return struct.pack(
        "4f4f4f2f2fI2fI",
        *premultiplied_colour(layer.color),
        *premultiplied_colour(layer.edge),
        pixel,
        middle,
        0.0,
        0.0,
        window.width,
        window.height,
        layer.width / 2,
        0.0,
        shape,
        radius,
        edge_width,
        flags,
    )


def rule_bytes(layer: RuleLayer, window: Window) -> bytes:
    """The parameters of a line right across the picture."""
    log = window.log_x if layer.upright else window.log_y
    place = to_axis(np.array([layer.place]), log=log)
    pixel = float((window.x_pixels if layer.upright else window.y_pixels)(place)[0])
    pixel = float(window.height) if not math.isfinite(pixel) else min(max(pixel, -1e6), 1e6)
    return struct.pack(
        "4f4f4f2f2fI2fI",
        *premultiplied_colour(layer.color),
        *CLEAR,
        *CLEAR,
        window.width,
        window.height,
        layer.width / 2,
        0.0,
        0,
        pixel,
        0.0,
        int(layer.upright),
    )


def _padded_vectors(*rows: object) -> list[float]:
    """Vectors of three numbers as vectors of four."""
    return [float(v) for row in rows for v in (*row, 0.0)]  # type: ignore[misc]


def seen(projection: Projection) -> list[float]:
    """Right, down, the corner, spans and sides of the box, centre and scale of the picture."""
    p = projection
    right, down, _away = p.matrix()
    return [*_padded_vectors(right, down, p.low, p.high - p.low, p.sides), *p.centre, *p.scale]


def logs_of(projection: Projection) -> int:
    """A bit for every logarithmic axis."""
    return sum(1 << k for k, log in enumerate(projection.log) if log)


def space_bytes(
    projection: Projection, data: tuple[Exported, Exported, Exported], first: int, total: int
) -> bytes:
    """The parameters of the pass that places points in space."""
    starts = [float(item.get("start", 0.0)) for item in data]
    steps = [float(item.get("step", 0.0)) for item in data]
    offsets = [int(item.get("offset", 0)) for item in data]
    return struct.pack(
        "24f8f8I",
        *seen(projection),
        *_padded_vectors(starts, steps),
        *offsets,
        first,
        total,
        logs_of(projection),
        0,
        0,
    )


def size_bytes(window: Window, total: int) -> bytes:
    """The parameters of the pass that counts points in pixels."""
    return struct.pack("2f2I", window.width, window.height, total, 0)


def contour_bytes(layer: ContourLayer, stride: int, capacity: int) -> bytes:
    """The parameters of the pass that finds the pieces of contours."""
    rows, columns = layer.z["shape"][:2]
    on_device = (layer.x["kind"] == "device", layer.y["kind"] == "device")
    matrices = on_device[0] + 2 * on_device[1]
    return struct.pack(
        "24f8I2f2I",
        *seen(layer.projection),
        rows,
        columns,
        stride,
        int(layer.z.get("offset", 0)),
        matrices,
        logs_of(layer.projection),
        len(layer.levels),
        capacity,
        layer.floor or 0.0,
        0.0,
        int(layer.floor is None),
        0,
    )


def contour_paint(layer: ContourLayer, window: Window) -> bytes:
    """The parameters of the pass that paints the pieces of contours."""
    low, high = layer.limits
    size = len(layer.palette)
    mapped = layer.color is None
    return struct.pack(
        "4f4f4f2f2fI2fI",
        *premultiplied_colour(layer.color or CLEAR),
        *CLEAR,
        low,
        size / (high - low),
        size - 1.0,
        0.0,
        window.width,
        window.height,
        layer.width / 2,
        0.0,
        int(mapped),
        0.0,
        0.0,
        0,
    )


def _index_map(
    ends: tuple[float, float], count: int, origin: float, scale: float
) -> tuple[float, float]:
    """Factor and shift that turn a pixel into a fractional index of the image."""
    first, last = ends
    pitch = (last - first) / (count - 1) if count > 1 else 1.0
    return 1 / (scale * pitch), (origin - first) / pitch + 0.5


def image_bytes(layer: ImageLayer, window: Window) -> bytes:
    """The parameters of an image."""
    rows, columns, *pages = layer.values["shape"]
    low, high = layer.limits
    size = len(layer.palette)
    integer = np.dtype(layer.values["dtype"]).kind in "iu"
    unit = 1 / float(np.iinfo(layer.values["dtype"]).max) if integer else 1.0
    direct = 0 if layer.scaled else 2 if integer else 1
    return struct.pack(
        "4f4I3fIf2If2f2I",
        *_index_map(layer.columns, columns, window.left, window.x_scale),
        *_index_map(layer.rows, rows, window.top, window.y_scale),
        columns,
        rows,
        layer.values.get("offset", 0),
        size,
        *split(low),
        size / (high - low),
        pages[0] if pages else 1,
        unit,
        direct,
        0,
        layer.alpha,
        *layer.alpha_map,
        0 if layer.alphas is None else layer.alphas.get("offset", 0),
        0,
    )


def tint_bytes(layer: MarkerLayer, data: Exported, first: int, total: int) -> bytes:
    """The parameters of the passes that give markers their colours and sizes."""
    low, high = layer.limits
    size = 1 if layer.palette is None else len(layer.palette)
    offset = int(data.get("offset", 0))
    return struct.pack("2f6I", low, size / (high - low), size, offset, first, total, 0, 0)


def range_columns(x: Exported, window: Window) -> bytes:
    """Index of the first point of every pixel column of a range."""
    from app.ui.plots.decimate import range_starts

    starts = range_starts(float(x["start"]), float(x["step"]), int(x["count"]), window)
    return starts.astype(np.uint32).tobytes()


def groups_of(count: int, size: int) -> tuple[int, int, int]:
    """Workgroups for ``count`` threads, in two dimensions where one is not enough."""
    groups = math.ceil(count / size)
    across = min(groups, 65535)
    return max(across, 1), max(math.ceil(groups / max(across, 1)), 1), 1
