"""Layer descriptions as the bytes the shaders read."""

from __future__ import annotations

import math
import struct

import numpy as np

from app.ui.plots.layers import CLEAR, ImageLayer, LineLayer, MarkerLayer, Rgba
from app.ui.plots.numbers import Exported, Window, count_of

VIEW_BYTES = 80
PAINT_BYTES = 96
IMAGE_BYTES = 64


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
        *split(window.left), window.x_scale, window.log_x,
        *split(window.top), window.y_scale, window.log_y,
        x.get("offset", 0), y.get("offset", 0), count, columns,
        pixel, step, base, first, start, unit, window.width, window.height,
    )  # fmt: skip


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


def premultiplied(color: Rgba) -> Rgba:
    """A colour with its opacity multiplied in."""
    red, green, blue, alpha = color
    return red * alpha, green * alpha, blue * alpha, alpha


def paint_bytes(layer: LineLayer | MarkerLayer, window: Window, *, mirror: bool = False) -> bytes:
    """The parameters of the passes that paint lines and markers."""
    if isinstance(layer, LineLayer):
        dashes = (*layer.dashes, 0.0, 0.0, 0.0, 0.0)[:4]
        color, edge, shape = layer.color, CLEAR, (0, 0.0, 0.0, int(mirror))
        stroke = (layer.width / 2, sum(layer.dashes))
    else:
        dashes, stroke = (0.0, 0.0, 0.0, 0.0), (0.0, 0.0)
        color, edge = layer.face, layer.edge
        shape = (layer.shape, layer.radius, layer.edge_width, layer.mapped)
    return struct.pack(
        "4f4f4f2f2fI2fI", *premultiplied(color), *premultiplied(edge), *dashes,
        window.width, window.height, *stroke, *shape,
    )  # fmt: skip


def _index_map(ends: tuple[float, float], count: int, origin: float, scale: float) -> tuple[
    float, float]:  # fmt: skip
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
        "4f4I3fIf2If",
        *_index_map(layer.columns, columns, window.left, window.x_scale),
        *_index_map(layer.rows, rows, window.top, window.y_scale),
        columns, rows, layer.values.get("offset", 0), size,
        *split(low), size / (high - low), pages[0] if pages else 1,
        unit, direct, 0, layer.alpha,
    )  # fmt: skip


def tint_bytes(layer: MarkerLayer, first: int, total: int) -> bytes:
    """The parameters of the pass that gives markers their colours."""
    low, high = layer.limits
    size = 1 if layer.palette is None else len(layer.palette)
    offset = 0 if layer.values is None else int(layer.values.get("offset", 0))
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
