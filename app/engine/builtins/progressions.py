"""Long evenly spaced rows as nodes of the graph: computed in the kernel that reads them."""

from __future__ import annotations

import math

from app.accel.dtypes import DType
from app.engine.builtins.capture import Session, lazy_of
from app.engine.values import Value


def points(a: float, b: float, count: int) -> Value:
    """``count`` points from a to b with exact ends; NotImplemented without a graph."""
    runtime = Session.runtime
    if runtime is None or not math.isfinite(b - a):
        return NotImplemented
    shape = (1, count)
    start, step, last = (runtime.scalar(v) for v in (a, (b - a) / (count - 1), count - 1.0))
    row = runtime.apply("iota", (start, step), (DType.F64, shape))
    place = runtime.apply("position", (), (shape, 1))
    at_end = runtime.apply("eq", (place, last))
    return lazy_of(runtime.apply("select", (at_end, runtime.scalar(b), row)))
