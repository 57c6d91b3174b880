"""Long evenly spaced rows as nodes of the graph: computed in the kernel that reads them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.engine.arguments.operation_rules import last_of, range_count
from app.engine.capture.capture_session import Session, cast, lazy_of
from app.engine.capture.lazy_limits import LONG
from app.engine.values import Array, DeviceArray, Value

_SINGLE = 2**24
MOST_RUNS = 4
"""Evenly spaced runs side by side that are read as so many blocks."""


def points(a: float, b: float, count: int) -> Value:
    """``count`` points from a to b with exact ends; NotImplemented without a graph.

    Between a and -a they are multiples of the step on both sides of zero, as ``linear_points`` are.
    """
    runtime = Session.runtime
    if runtime is None or not math.isfinite(b - a):
        return NotImplemented
    shape = (1, count)
    step, last = (runtime.scalar(v) for v in ((b - a) / (count - 1), count - 1.0))
    if a == -b:
        ends = runtime.scalar((1 - count) / 2), runtime.scalar(1.0)
        row = runtime.apply("times", (runtime.apply("iota", ends, (DType.F64, shape)), step))
    else:
        row = runtime.apply("iota", (runtime.scalar(a), step), (DType.F64, shape))
    place = runtime.apply("position", (), (shape, 1))
    at_end = runtime.apply("eq", (place, last))
    return lazy_of(runtime.apply("select", (at_end, runtime.scalar(b), row)))


def colon(start: float, step: float, stop: float) -> Value:
    """``start:step:stop`` in double where it is long, with MATLAB's values to the last bit."""
    row = _row(start, step, stop)
    return row if row is NotImplemented else lazy_of(row)


def single_colon(start: float, step: float, stop: float) -> Value:
    """The same in single: the doubles, rounded."""
    row = _row(start, step, stop)
    if row is NotImplemented:
        return row
    exact = row.op == "iota" and max(abs(start), abs(stop)) <= _SINGLE
    if not exact:
        return lazy_of(cast(row, DType.F32))
    runtime = Session.runtime
    ends = (runtime.scalar(start, DType.F32), runtime.scalar(step, DType.F32))
    return lazy_of(runtime.apply("iota", ends, (DType.F32, row.shape)))


def whole_colon(start: int, step: int, count: int, dtype: DType) -> Value:
    """A row of integers of a class of at most 32 bits."""
    runtime = Session.runtime
    if runtime is None or count < LONG or dtype.size > 4:
        return NotImplemented
    work = DType.F64 if dtype is DType.U32 else DType.I32
    ends = (runtime.scalar(start, work), runtime.scalar(step, work))
    return lazy_of(cast(runtime.apply("iota", ends, (work, (1, count))), dtype))


def _row(start: float, step: float, stop: float) -> Any:
    """The node of a long range of doubles."""
    runtime = Session.runtime
    if runtime is None or not abs(stop - start) >= (LONG - 1) * abs(step) or not step:
        return NotImplemented
    if not math.isfinite(stop - start) or (step > 0) != (stop > start):
        return NotImplemented
    whole = start.is_integer() and step.is_integer()
    last = math.floor(stop) if whole and step == 1.0 else stop
    count = range_count(start, step, last)
    if count < LONG:
        return NotImplemented
    ends = (runtime.scalar(start), runtime.scalar(step))
    low = runtime.apply("iota", ends, (DType.F64, (1, count)))
    return low if whole else _symmetric(low, start, step, stop)


def _symmetric(low: Any, start: float, step: float, stop: float) -> Any:
    """The lower half counts from the start, the upper half back from the end; see `ranges`."""
    runtime, n = Session.runtime, low.size - 1
    last, half = last_of(start, step, stop, n), n // 2
    place = runtime.apply("position", (), (low.shape, 1))
    back = runtime.apply("minus", (runtime.scalar(float(n)), place))
    below = runtime.apply("times", (runtime.scalar(step), back))
    high = runtime.apply("minus", (runtime.scalar(last), below))
    upper = runtime.apply("gt", (place, runtime.scalar(float(half))))
    row = runtime.apply("select", (upper, high, low))
    if n % 2:
        return row
    middle = runtime.apply("eq", (place, runtime.scalar(float(half))))
    return runtime.apply("select", (middle, runtime.scalar((start + last) / 2), row))


def progression_of(node: Any) -> tuple[float, float] | None:
    """Start and step of a vector that is known without computing it."""
    while node.op == "cast" or (node.op == "reshape" and 1 in node.shape):
        node = node.inputs[0]
    if node.op in {"plus", "minus"} and node.dtype is DType.F64:
        return _moved_progression(node)
    if node.op != "iota" or any(child.op != "param" for child in node.inputs):
        return None
    start, step = (child.data[0] for child in node.inputs)
    return float(start), float(step)


def _moved_progression(node: Node) -> tuple[float, float] | None:
    """The same of a known vector and a number that is added or taken away."""
    row, number = node.inputs
    if row.op == "param" and node.op == "plus":
        row, number = number, row
    found = None if number.op != "param" or number.dtype.is_complex else progression_of(row)
    if found is None:
        return None
    by = float(number.data[0].real)
    return found[0] + (by if node.op == "plus" else -by), found[1]


def runs_of(sub: Value) -> list[Value]:
    """A subscript as some evenly spaced ones side by side; nothing where it is not so."""
    if type(sub) is np.ndarray:
        few = sub.dtype.kind in "fiu" and sub.size > 2
        return _host_runs(sub.reshape(-1, order="F").astype(np.float64)) if few else []
    if type(sub) is not DeviceArray or sub.node.op != "cat" or 1 not in sub.node.shape:
        return []
    found = [_run(node) for node in sub.node.inputs]
    return found if len(found) <= MOST_RUNS and None not in found else []


def _run(node: Node) -> Value | None:
    """A part of a row that is joined: a long range, or a number."""
    if progression_of(node) is not None:
        return lazy_of(node)
    if node.op == "fill" and node.inputs[0].op == "param":
        number = node.inputs[0].data[0]
        return None if isinstance(number, complex) else float(number)
    return None


def _host_runs(flat: Array) -> list[Value]:
    steps = np.diff(flat)
    if np.count_nonzero(np.diff(steps)) > 2 * MOST_RUNS:
        return []
    found: list[Value] = []
    start = 0
    while start < flat.size and len(found) <= MOST_RUNS:
        ahead = steps[start:]
        others = np.flatnonzero(ahead != ahead[:1])
        count = int(others[0]) + 1 if others.size else ahead.size + 1
        if count == 2 and start + 2 < flat.size:
            count = 1  # what follows is nearer to the next one
        run = flat[start : start + count]
        found.append(float(run[0]) if count == 1 else run.reshape(1, -1))
        start += count
    return found if len(found) <= MOST_RUNS else []
