"""The arrays behind a series: on the host, on the device, or no array at all but a range.

Whatever they are, a series asks them only for their limits, and hands their ``export()`` to the
window: host arrays as they are, device arrays as the token of a pinned buffer. Nothing here
downloads the data of a resident array.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from app.accel.ir.node import Node
from app.engine.figures.pinned_buffers import pin
from app.engine.figures.ticks import Limits
from app.engine.values import EMPTY, DeviceArray, Value, as_array, canonical
from app.records import record

Array = NDArray[Any]
Caller = Callable[[str, tuple[Value, ...]], tuple[Value, ...]]
"""Calls a builtin by name: how limits of lazy arrays are reduced where the data is."""


class SeriesData(Protocol):
    """What a series knows of its numbers."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""

    @property
    def size(self) -> int:
        """The number of elements."""

    def limits(self, *, positive: bool = False) -> Limits | None:
        """Smallest and largest finite (and positive) value, or None."""

    def value(self) -> Value:
        """The MATLAB value that ``get`` returns."""

    def host(self, cause: str = "plot") -> Array:
        """The numbers in host memory."""

    def export(self) -> dict[str, Any]:
        """What the window gets; see ``FigureUpdated``."""

    def first(self, count: int) -> SeriesData:
        """The first elements, left where they are."""


def _limits_of(values: Array, *, positive: bool) -> Limits | None:
    """Limits of an array that leave NaN, infinities and (if asked) values <= 0 aside."""
    kept = values[values > 0] if positive else values.ravel(order="K")
    if not kept.size:
        return None
    low, high = float(kept.min()), float(kept.max())
    if math.isfinite(low) and math.isfinite(high):
        return low, high
    kept = kept[np.isfinite(kept)]
    return (float(kept.min()), float(kept.max())) if kept.size else None


class HostData:
    """Numbers in host memory.

    Attributes:
        array: the numbers, never changed.
        moved_bytes: bytes that were downloaded from a device to get them.
    """

    __slots__ = ("_limits", "array", "moved_bytes")

    def __init__(self, array: Array, moved_bytes: int = 0) -> None:
        self.array = array.real if array.dtype.kind == "c" else array
        self.moved_bytes = moved_bytes
        self._limits: dict[bool, Limits | None] = {}

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return self.array.shape

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self.array.size)

    def limits(self, *, positive: bool = False) -> Limits | None:
        """Smallest and largest finite value."""
        if positive not in self._limits:
            self._limits[positive] = _limits_of(self.array, positive=positive)
        return self._limits[positive]

    def value(self) -> Value:
        """The array itself."""
        return canonical(self.array)

    def host(self, cause: str = "plot") -> Array:
        """The array itself."""
        return self.array

    def export(self) -> dict[str, Any]:
        """The array itself: window and engine share the memory."""
        return {"kind": "host", "array": self.array, "moved_bytes": self.moved_bytes}

    def first(self, count: int) -> SeriesData:
        """The first elements."""
        return HostData(self.array.reshape(1, -1, order="F")[:, :count])


@record
class RangeData:
    """The implicit abscissa ``1:count`` of ``plot(y)``."""

    count: int

    @property
    def shape(self) -> tuple[int, ...]:
        """A row."""
        return 1, self.count

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.count

    def limits(self, *, positive: bool = False) -> Limits | None:
        """From 1 to the count."""
        return (1.0, float(self.count)) if self.count else None

    def value(self) -> Value:
        """The row 1:count."""
        return canonical(self.host())

    def host(self, cause: str = "plot") -> Array:
        """The row 1:count."""
        return np.arange(1.0, self.count + 1)[None, :]

    def export(self) -> dict[str, Any]:
        """Start, step and count."""
        return {"kind": "range", "start": 1.0, "step": 1.0, "count": self.count}

    def first(self, count: int) -> SeriesData:
        """A shorter range."""
        return RangeData(min(count, self.count))


class UniformData(HostData):
    """Evenly spaced numbers: the window gets the first one and the step instead of all.

    Attributes:
        start: the first number.
        step: from one to the next.
    """

    __slots__ = ("start", "step")

    def __init__(self, array: Array, start: float, step: float) -> None:
        super().__init__(array)
        self.start = start
        self.step = step

    def export(self) -> dict[str, Any]:
        """Start, step and count."""
        return {"kind": "range", "start": self.start, "step": self.step, "count": self.size}


_extremes_of: WeakKeyDictionary[Node, dict[tuple[bool, bool], tuple[Array, Array]]] = (
    WeakKeyDictionary()
)
"""Extremes that were reduced before: an array that is plotted again and again is looked at once."""


class ResidentSource:
    """An array in a device buffer, and the limits of its columns once they are asked for.

    Attributes:
        array: the lazy array.
        buffer: the pinned device buffer; pinned as long as anybody holds it. None where the device
            is lost and there is no other one.
        call: calls a builtin by name.
        origin: the numbers in host memory, where they were brought to the device from there.
    """

    __slots__ = ("_extremes", "array", "buffer", "call", "origin")

    def __init__(self, array: DeviceArray, buffer: Any, call: Caller) -> None:
        self.array = array
        self.buffer = buffer
        self.call = call
        self.origin: HostData | None = None
        self._extremes = _extremes_of.setdefault(array.node, {})

    def renew(self) -> None:
        """Pin the array again: on the device that is there now, where the one before is lost."""
        self.buffer = pin(self.array.runtime, self.array.node, bring=True)

    @property
    def is_stale(self) -> bool:
        """Whether the buffer is one of a device that is no longer used."""
        return self.buffer is None or self.buffer.provider is not self.array.runtime.executor.device

    @property
    def extremes_known(self) -> Collection[tuple[bool, bool]]:
        """Which extremes were reduced before: (positive, columns)."""
        return self._extremes.keys()

    def extremes(self, *, positive: bool, columns: bool) -> tuple[Array, Array]:
        """Smallest and largest values: of every column, or of everything (one-element arrays)."""
        key = positive, columns
        if key not in self._extremes:
            found = self._reduced_where_it_is(self.array, columns)
            low = found[0]
            if not (np.isfinite(found).all() and ((low > 0).all() or not positive)):
                found = self._reduced_where_it_is(self._placeable_data(positive), columns)
            self._extremes[key] = found
        return self._extremes[key]

    def _reduced_where_it_is(self, value: DeviceArray, columns: bool) -> tuple[Array, Array]:
        """Two reductions where the data is: only their results come down. Logical values lie
        between 0 and 1 without looking."""
        if value.dtype == np.bool_:
            count = value.shape[1] if columns else 1
            return np.zeros(count), np.ones(count)
        over = 1.0 if columns else "all"
        args = (value, np.zeros((0, 0)), over)
        found = [self.call(name, args)[0] for name in ("min", "max")]
        lazy = [part.node for part in found if isinstance(part, DeviceArray)]
        if lazy:
            # Both in one pass over the data, and one way down.
            value.runtime.evaluate(lazy, "plot", gathered=True)
        low, high = map(as_array, found)
        return low.reshape(-1).astype(np.float64), high.reshape(-1).astype(np.float64)

    def _placeable_data(self, positive: bool) -> DeviceArray:
        """The data with whatever has no place on the axis turned into NaN."""
        inside = self.call("isfinite", (self.array,))[0]
        if positive:
            above = self.call("gt", (self.array, 0.0))[0]
            inside = self.call("and", (inside, above))[0]
        penalty = self.call("rdivide", (0.0, self.call("double", (inside,))[0]))[0]
        placeable = self.call("plus", (self.array, penalty))[0]
        assert type(placeable) is DeviceArray
        return placeable


class ResidentData:
    """An array whose numbers live in a device buffer, or one column of it.

    Attributes:
        source: the array and its buffer.
        column: which column, from 0; None for the whole array.
        count: how many of its elements; None for all.
    """

    __slots__ = ("column", "count", "source")

    def __init__(
        self, source: ResidentSource, column: int | None = None, count: int | None = None
    ) -> None:
        self.source = source
        self.column = column
        self.count = count

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        shape: tuple[int, ...] = self.source.array.shape
        if self.count is not None:
            return self.count, 1
        return shape if self.column is None else (shape[0], 1)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def offset(self) -> int:
        """The first element inside the buffer."""
        return (self.column or 0) * self.source.array.shape[0]

    def limits(self, *, positive: bool = False) -> Limits | None:
        """Smallest and largest value, reduced where the data is."""
        columns = self.column is not None
        if self.source.origin is not None and self.column is None and self.count is None:
            return self.source.origin.limits(positive=positive)
        lows, highs = self.source.extremes(positive=positive, columns=columns)
        low, high = float(lows[self.column or 0]), float(highs[self.column or 0])
        return (low, high) if math.isfinite(low) and math.isfinite(high) else None

    def value(self) -> DeviceArray:
        """The lazy array, or a lazy column of it."""
        array = self.source.array
        if self.count is not None:
            flat = self.source.call("reshape", (array, EMPTY, 1.0))[0]
            assert type(flat) is DeviceArray
            part, start = ((1, 1), self.shape), (self.offset, 0)
            node = array.runtime.apply("slice", (flat.node,), part, start)
            return DeviceArray(node, array.runtime)
        if self.column is None:
            return array
        shape = (array.shape[0], 1)
        node = array.runtime.apply("slice", (array.node,), ((1, 1), shape), (0, self.column))
        return DeviceArray(node, array.runtime)

    def host(self, cause: str = "plot") -> Array:
        """The numbers, downloaded unless they came from the host."""
        origin = self.source.origin
        whole = origin.array if origin else as_array(self.source.array.gather(cause))
        if self.count is not None:
            start = self.offset
            return whole.reshape(-1, 1, order="F")[start : start + self.count]
        return whole if self.column is None else whole[:, self.column : self.column + 1]

    def export(self) -> dict[str, Any]:
        """The pinned buffer and the part of it that is drawn; numbers where no device is left."""
        if self.source.is_stale:
            self.source.renew()
        if self.source.buffer is None:
            return HostData(self.host()).export()
        return {
            "kind": "device",
            "buffer": self.source.buffer,
            "offset": self.offset,
            "shape": self.shape,
            "dtype": self.source.array.dtype.name,
            "limits": self._known_limits(),
        }

    def _known_limits(self) -> Limits | None:
        """The limits, if they were asked for before."""
        columns = self.column is not None
        if self.count is not None or (False, columns) not in self.source.extremes_known:
            return None
        return self.limits()

    def first(self, count: int) -> SeriesData:
        """A part of the same buffer."""
        return ResidentData(self.source, self.column, min(count, self.size))


def host_table(kept: Any) -> Array:
    """A kept matrix, or one in a device buffer, in host memory."""
    found: Array = kept.host() if isinstance(kept, ResidentData) else kept
    return found
