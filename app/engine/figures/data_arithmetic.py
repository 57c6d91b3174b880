"""Elementwise arithmetic of series data, computed where the data is."""

from __future__ import annotations

import numpy as np

from app.engine.figures.figure_data import HostData, ResidentData, ResidentSource, SeriesData
from app.engine.figures.pinned_buffers import pin
from app.engine.values import EMPTY, Array, DeviceArray, Value, as_array

_OPERATIONS = {
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
    "hypot": np.hypot,
    "cos": np.cos,
    "sin": np.sin,
}


def combine_data(name: str, *parts: SeriesData | float) -> SeriesData:
    """An elementwise operation on series data: where one of them is on the device, there."""
    sources = [part.source for part in parts if isinstance(part, ResidentData)]
    if not sources:
        return HostData(_OPERATIONS[name](*map(_flat_numbers, parts)))
    source = sources[0]
    values = [part if isinstance(part, float) else column_of(source, part) for part in parts]
    found = source.call(name, tuple(values))[0]
    if isinstance(found, DeviceArray):
        buffer = pin(source.array.runtime, found.node, bring=True)
        if buffer is not None:
            return ResidentData(ResidentSource(found, buffer, source.call))
    return HostData(as_array(found))


def _flat_numbers(part: SeriesData | float) -> float | Array:
    return part if isinstance(part, float) else part.host().reshape(-1).astype(np.float64)


def column_of(source: ResidentSource, part: SeriesData) -> Value:
    """Series data as a column of doubles."""
    if part.shape[1:] == (1,):
        return source.call("double", (part.value(),))[0]
    flat = source.call("reshape", (part.value(), EMPTY, 1.0))[0]
    return source.call("double", (flat,))[0]
