"""The loop that is being traced, and subscripts that follow its counter."""

from __future__ import annotations

from typing import Any

from app.accel.ir.dtypes import DType
from app.engine.values import DeviceArray, Value
from app.errors import Unsupported

LEAST_STATE = 64
"""A pass that works on fewer elements is a scalar loop: one kernel would be one slow thread."""


class Tracing:
    """The trace that is being made, for the indexing of placeholders.

    Attributes:
        trace: the trace; None outside tracing.
    """

    trace: Any = None


def affine(node: Any) -> tuple[float, float] | None:
    """Scale and offset of a subscript ``scale * counter + offset``; None for anything else."""
    trace = Tracing.trace
    if trace is None:
        return None
    if node is trace.counter:
        return 1.0, 0.0
    if node.op == "param":
        return 0.0, float(node.data[0])
    parts = [affine(child) for child in node.inputs]
    known = [p for p in parts if p is not None]
    if len(parts) != 2 or len(known) != 2:
        return None
    (a, b), (c, d) = known
    if node.op in {"plus", "minus"}:
        sign = 1.0 if node.op == "plus" else -1.0
        return a + sign * c, b + sign * d
    if node.op == "times" and (a == 0.0 or c == 0.0):
        return a * d + c * b, b * d
    return None


def moving_subscript(sub: DeviceArray, extent: int) -> tuple[int, int, int, int] | None:
    """Start (from 0), step, count and move per pass of a subscript that follows the counter."""
    node, step, count = sub.node, 1.0, 1
    if node.op == "iota" and node.inputs[1].op == "param":
        node, step, count = node.inputs[0], float(node.inputs[1].data[0]), node.size
    elif node.size != 1:
        return None
    found = affine(node)
    if found is None:
        return None
    trace, (scale, offset) = Tracing.trace, found
    first, move = scale * trace.first + offset, scale * trace.step
    if not (first.is_integer() and move.is_integer() and step.is_integer()):
        return None
    ends = [first + move * k + step * j for k in (0, trace.trips - 1) for j in (0, count - 1)]
    if min(ends) < 1 or max(ends) > extent:
        raise Unsupported("a subscript leaves the array in some pass")
    return int(first) - 1, int(step), count, int(move)


def moving_range(start: Value, step: Value, stop: Value) -> Value | None:
    """``start:step:stop`` of as many numbers in every pass; None where that is not so."""
    ends = [_followed(start), _followed(stop)]
    if type(step) is not float or step == 0.0 or None in ends:
        return None
    (scale, low), (other, high) = (e for e in ends if e is not None)
    if scale != other or type(start) is not DeviceArray:
        return None
    count = int((high - low) // step) + 1
    if count < 1:
        return None
    if count == 1:
        return start
    runtime = start.runtime
    return DeviceArray(
        runtime.apply("iota", (start.node, runtime.scalar(step)), (DType.F64, (1, count))), runtime
    )


def _followed(v: Value) -> tuple[float, float] | None:
    """Scale and offset of a number that follows the counter."""
    if type(v) is float:
        return 0.0, v
    return affine(v.node) if type(v) is DeviceArray else None
