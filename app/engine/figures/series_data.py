"""Numbers on their way into a series: left on the device where it can draw them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.capture import capture_session
from app.engine.figures.figure_data import (
    HostData,
    RangeData,
    ResidentData,
    ResidentSource,
    SeriesData,
    UniformData,
)
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.pinned_buffers import pin
from app.engine.values import DeviceArray, Value, as_array, host, numel
from app.errors import MatlabError

DRAWABLE = frozenset(
    ("double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "logical")
)
"""Classes the window can draw from a device buffer."""
WIDE = frozenset(("int64", "uint64"))
"""Classes that are drawn as doubles."""
_EVEN = 1e-9
_CHUNK = 1 << 14
"""Numbers that are looked at together: what is made of them stays near the processor."""


def source_of(ctx: CallContext, value: Value, *, bring: bool = False) -> ResidentSource | None:
    """The device buffer of a lazy array, pinned; None when its data ends up in host memory.

    With ``bring`` data of the host is uploaded: its partner is on the device.
    """
    if type(value) is not DeviceArray or value.class_name not in DRAWABLE | WIDE:
        return None
    if value.class_name in WIDE:
        value = ctx.call("double", (value,))[0]
    if type(value) is not DeviceArray:
        return None
    if value.guarded and ctx.runtime.settled_dtype(value.node).is_complex:
        return None  # a root or logarithm has left the real numbers
    buffer = pin(ctx.runtime, value.node, bring=bring)
    return None if buffer is None else ResidentSource(value, buffer, ctx.call)


def data_of(ctx: CallContext, value: Value) -> SeriesData:
    """All of an array as series data, left where it is."""
    if isinstance(value, HostData):
        return value
    source = source_of(ctx, value)
    return host_data_of(ctx, value) if source is None else ResidentData(source)


def host_data_of(ctx: CallContext, value: Value) -> HostData:
    """All of an array in host memory, with the bytes that had to be downloaded for it."""
    if isinstance(value, HostData):
        return value
    before = came_down(ctx)
    array = as_array(host(value, "plot"))
    return HostData(array, came_down(ctx) - before)


def came_down(ctx: CallContext) -> int:
    """The bytes of plots that have been downloaded so far; none without a device."""
    if ctx.runtime is None:
        return 0
    return int(ctx.runtime.recorder.counters.plot_download_bytes)


def columns_of(ctx: CallContext, value: Value, *, rows: bool = False) -> list[SeriesData]:
    """The columns (or rows) of a matrix; a vector is one column. More dimensions are refused."""
    if len(value_shape(value)) > 2:
        raise MatlabError("MATLAB:hg:DataDimensions", "Data cannot have more than 2 dimensions.")
    if not numel(value):
        return [HostData(np.zeros((1, 0)))]
    if 1 in value_shape(value):
        return [data_of(ctx, value)]
    if rows:
        value = _transposed_data(ctx, value)
    source = source_of(ctx, value)
    if source is not None:
        return [ResidentData(source, column) for column in range(source.array.shape[1])]
    whole = host_data_of(ctx, value)
    array = whole.array.reshape(whole.array.shape[0], -1, order="F")
    count = array.shape[1]
    return [HostData(array[:, k : k + 1], whole.moved_bytes // count) for k in range(count)]


def _transposed_data(ctx: CallContext, value: Value) -> Value:
    """A matrix with rows and columns swapped."""
    if isinstance(value, HostData):
        return HostData(value.array.T, value.moved_bytes)
    return ctx.call("transpose", (value,))[0]


def value_shape(value: Value) -> tuple[int, ...]:
    """The size of a numeric value."""
    shape: tuple[int, ...] = value.shape if hasattr(value, "shape") else as_array(value).shape
    return shape


def _length_error() -> MatlabError:
    return MatlabError("MATLAB:samelen", "Vectors must be the same length.")


def paired_columns(
    ctx: CallContext, x: Value | None, y: Value
) -> list[tuple[SeriesData, SeriesData]]:
    """The (x, y) pairs that ``plot(x, y)`` draws: columns of matrices against a vector or each
    other; ``x`` None stands for 1:n. A scalar and a vector are single points."""
    if x is None:
        return [(RangeData(data.size), data) for data in columns_of(ctx, y)]
    size_x, size_y = value_shape(x), value_shape(y)
    if not numel(x) and not numel(y):
        return [(HostData(np.zeros((1, 0))), HostData(np.zeros((1, 0))))]
    vectors = 1 in size_x and 1 in size_y
    if vectors and not (numel(x) and numel(y)):
        raise _length_error()
    if vectors and (numel(x) == 1) != (numel(y) == 1):
        count = max(numel(x), numel(y))
        points = zip(_elements(ctx, x, count), _elements(ctx, y, count), strict=True)
        return [(a, b) for a, b in points]
    if vectors:
        return [matching_pair(ctx, data_of(ctx, x), data_of(ctx, y))]
    if 1 in size_x:
        rows = max(size_x) != size_y[0] and max(size_x) == size_y[1]
        own = data_of(ctx, x)
        return [matching_pair(ctx, own, data) for data in columns_of(ctx, y, rows=rows)]
    if 1 in size_y:
        rows = max(size_y) != size_x[0] and max(size_y) == size_x[1]
        own = data_of(ctx, y)
        return [matching_pair(ctx, data, own) for data in columns_of(ctx, x, rows=rows)]
    if size_x != size_y:
        raise _length_error()
    pairs = zip(columns_of(ctx, x), columns_of(ctx, y), strict=True)
    return [matching_pair(ctx, a, b) for a, b in pairs]


def _elements(ctx: CallContext, value: Value, count: int) -> list[HostData]:
    """Every element by itself; a scalar ``count`` times."""
    flat = host_data_of(ctx, value).array.reshape(-1, order="F")
    return [HostData(flat[k % flat.size].reshape(1, 1)) for k in range(count)]


def matching_pair(ctx: CallContext, x: SeriesData, y: SeriesData) -> tuple[SeriesData, SeriesData]:
    """Two vectors of the same length, both where the device can draw them or both on the host."""
    if x.size != y.size:
        raise _length_error()
    if isinstance(y, ResidentData) and isinstance(x, HostData):
        return uniform_data_of(x) or device_data_of(ctx, x) or x, y
    if isinstance(x, ResidentData) and isinstance(y, HostData):
        return x, device_data_of(ctx, y) or y
    return x, y


def together(ctx: CallContext, *parts: SeriesData) -> list[SeriesData]:
    """Series data that is drawn together: all where the device can draw it, or as it is."""
    if not any(isinstance(part, ResidentData) for part in parts):
        return list(parts)
    return [
        (device_data_of(ctx, part) or part) if isinstance(part, HostData) else part
        for part in parts
    ]


def uniform_data_of(data: HostData) -> UniformData | None:
    """Evenly spaced numbers as their first one and a step: nothing has to be uploaded."""
    values = data.array.reshape(-1, order="F")
    if values.size < 2:
        return None
    first, last = float(values[0]), float(values[-1])
    step = (last - first) / (values.size - 1)
    if not math.isfinite(step) or step <= 0:
        return None
    slack = _EVEN * (last - first)
    if values.dtype == np.float32:  # whose own steps are never quite the same
        slack = max(slack, float(np.finfo(np.float32).eps) * max(abs(first), abs(last)))
    expected = step * np.arange(min(_CHUNK, values.size))
    for at in range(0, values.size, _CHUNK):
        part = values[at : at + _CHUNK]
        off = np.subtract(part, expected[: part.size], dtype=np.float64)
        off -= first + step * at
        if not (off.min() >= -slack and off.max() <= slack):  # false where there is no number
            return None
    return UniformData(data.array, first, step)


def device_data_of(ctx: CallContext, data: HostData) -> ResidentData | None:
    """Host data in a device buffer: the one it already has, or an upload."""
    if data.array.dtype.kind not in "fbiu" or not data.size:
        return None
    array = DeviceArray(capture_session.leaf(data.array), ctx.runtime)
    source = source_of(ctx, array, bring=True)
    if source is None:
        return None
    source.origin = data
    return ResidentData(source)


def table_of(ctx: CallContext, value: Value) -> Any:
    """A matrix of numbers, left on the device if it is there."""
    data = data_of(ctx, value)
    return data if isinstance(data, ResidentData) else data.host().astype(np.float64)


_PARTNERS = {"XData": "YData", "YData": "XData"}
_PAIRED = frozenset(("line", "stair", "stem", "bar", "area", "scatter", "errorbar"))


def property_data(ctx: CallContext, item: GraphicsObject, name: str, value: Value) -> Any:
    """Numbers that a script assigns to a property: left on the device where the series is drawn
    from there, with its other coordinates brought to it."""
    kind = item.kind.name
    if kind == "patch" and name in ("Vertices", "Faces", "FaceVertexCData"):
        return table_of(ctx, value)
    if kind == "image" and name in ("CData", "AlphaData"):
        return data_of(ctx, value)
    if kind == "surface" and name == "ZData" and isinstance(item["ZData"], ResidentData):
        return data_of(ctx, value)
    partner = item[_PARTNERS[name]] if kind in _PAIRED and name in _PARTNERS else None
    if partner is None or partner.size != numel(value):
        return host_data_of(ctx, value)
    data = data_of(ctx, value)
    pair = (data, partner) if name == "XData" else (partner, data)
    x, y = matching_pair(ctx, *pair)
    if isinstance(y, HostData) and isinstance(x, ResidentData):
        return host_data_of(ctx, value)  # the device cannot draw them together
    item.values[_PARTNERS[name]] = y if name == "XData" else x
    return x if name == "XData" else y
