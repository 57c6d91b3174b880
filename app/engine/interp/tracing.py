"""The loop that is being traced, and subscripts that follow its counter."""

from __future__ import annotations

from typing import Any

from app.engine.values import DeviceArray
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


def moving_subscript(sub: DeviceArray, extent: int) -> tuple[int, int] | None:
    """Start (from 0) and move per pass of a scalar subscript that follows the counter."""
    found = affine(sub.node)
    if found is None:
        return None
    trace, (scale, offset) = Tracing.trace, found
    first = scale * trace.first + offset
    move = scale * trace.step
    last = first + move * (trace.trips - 1)
    if not (first.is_integer() and move.is_integer()):
        return None
    if not (1 <= first <= extent and 1 <= last <= extent):
        raise Unsupported("a subscript leaves the array in some pass")
    return int(first) - 1, int(move)
