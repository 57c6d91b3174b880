"""Places behind the end of an array that the passes of a traced loop set."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.accel.ir import shapes
from app.accel.ir.node import Node
from app.engine.capture.capture_session import Session
from app.engine.capture.growing import MOST_ELEMENTS, Outgrown, placeholder_below
from app.engine.interpreter.indexing.subscripts import is_colon
from app.engine.interpreter.tracing import FormChanged, Tracing, affine
from app.engine.values import Value
from app.engine.values.lazy import DeviceArray

if TYPE_CHECKING:
    from app.engine.interpreter.loops.branches import TracingRuntime

Line = tuple[int, int]
"""A place in the first pass, and by how much it moves in every other one."""


def check_places(node: Node, args: tuple[Value, ...]) -> None:
    """Raise `Outgrown` where passes set ``x(args)`` behind the end along one dimension.

    A number behind the end is taken for ``end + 1``, which goes on with the array.
    """
    trace = Tracing.trace
    if placeholder_below(node).op != "carry" or not 1 < trace.trips < MOST_ELEMENTS:
        return
    shape, subscripts = _size_per_subscript(node.shape, args)
    longer: list[tuple[int, int, int]] = []
    for axis, (extent, sub) in enumerate(zip(shape, subscripts, strict=True)):
        line = _last_place(sub, extent)
        if line is None:
            return
        first, move = line
        last = max(first, first + move * (trace.trips - 1))
        if last > extent:
            longer.append((axis, last, max(move, 1)))
    if len(longer) != 1:
        return
    ((axis, last, rate),) = longer
    wanted = (*shape[:axis], last, *shape[axis + 1 :])
    if shapes.count(wanted) <= MOST_ELEMENTS:
        raise Outgrown(node, axis, wanted, rate)


def begin_array() -> None:
    """An array has its first element: raise `FormChanged`, unless only some passes give it one."""
    tracing = cast("TracingRuntime", Session.runtime)  # this is asked while a pass is traced
    if not tracing.decided:
        raise FormChanged("an array has no elements before the first pass")


def _size_per_subscript(
    shape: tuple[int, ...], args: tuple[Value, ...]
) -> tuple[tuple[int, ...], tuple[Value, ...]]:
    """The size with a dimension for each subscript; one subscript goes along a row or a column."""
    if len(args) == 1 and len(shape) == 2 and 1 in shape:
        return shape, (1.0, args[0]) if shape[0] == 1 else (args[0], 1.0)
    if len(args) < len(shape):
        return (), ()
    return (*shape, *(1,) * (len(args) - len(shape))), args


def _last_place(sub: Value, extent: int) -> Line | None:
    """The last place that a subscript selects; None where the text of the loop does not say."""
    if is_colon(sub):
        return extent, 0
    if type(sub) is float and sub.is_integer() and sub >= 1.0:
        if sub <= extent:
            return int(sub), 0
        return (int(sub), 1) if sub == extent + 1 else None
    if type(sub) is not DeviceArray:
        return None
    node, step, count = sub.node, 1.0, 1
    if node.op == "iota" and node.inputs[1].op == "param":
        node, step, count = node.inputs[0], float(node.inputs[1].data[0].real), node.size
    found = affine(node) if node.size == 1 else None
    if found is None:
        return None
    trace, (scale, offset) = Tracing.trace, found
    first = scale * trace.first + offset + max(0.0, step * (count - 1))
    move = scale * trace.step
    if not (first.is_integer() and move.is_integer() and first >= 1.0):
        return None
    return int(first), int(move)
