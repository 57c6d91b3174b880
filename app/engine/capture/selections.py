"""Operations on what a mask selects, done on whole arrays as long as nobody asks how many it is.

``x(m)`` is an array and a mask. An operation element by element on such selections by one mask, and
on single numbers, is done on the whole arrays and selected from later; ``y(m) = `` such a result is
a choice among whole arrays, and its sum is the sum of what is selected and zeros. So nothing has to
be counted, and no pass of a loop needs the host. What is not selected is computed, too: after some
operations, or where it is known to be most of the array, the elements are picked out instead.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.engine.capture.capture import Session, leaves_domain
from app.engine.capture.lazy_limits import Limits
from app.engine.values import DeviceArray, Value
from app.engine.values.lazy import Pending, Selection

MOST_WORK = 12
"""Operations on whole arrays before what is selected is picked out."""


def are_pending(*operands: Value) -> bool:
    """Whether all of these are selections that have not been picked out."""
    return all(type(v) is DeviceArray and v.pending is not None for v in operands)


def selected(x: Node, mask: Node, guarded: bool) -> DeviceArray:
    """What a mask selects from an array of its size; both are nodes."""
    selection = Selection(mask, Session.runtime, len(x.shape) == 2 and x.shape[0] == 1)
    return DeviceArray(None, Session.runtime, guarded, Pending(x, selection))


def mapped(make: Callable[..., Value], operands: tuple[Value, ...]) -> Value:
    """An operation element by element on selections.

    Args:
        make: the operation, of arrays of one size and single numbers.
        operands: what it is done on; one of them is a selection.

    Returns:
        A selection from what it makes of whole arrays where all operands are selections by one mask
        or single numbers; else what it makes of the elements. NotImplemented as from `make`.
    """
    found = [v.pending for v in operands if type(v) is DeviceArray and v.pending is not None]
    work = 1 + max(p.work for p in found)
    if not _stays(found, work) or not all(_is_whole_or_one(v) for v in operands):
        for v in operands:
            _ = type(v) is DeviceArray and v.node
        return make(*operands)
    made = make(*(_whole(v) for v in operands))
    if type(made) is not DeviceArray:
        return made
    left = not any(type(v) is DeviceArray and v.guarded for v in operands)
    if made.guarded and (left or leaves_domain(made.node.op, made.node)):
        made = make(*(_within_domain(v) for v in operands))
    pending = Pending(made.node, found[0].selection, work)
    return DeviceArray(None, Session.runtime, made.guarded, pending)


def _stays(found: list[Pending], work: int) -> bool:
    """Whether an operation on these selections is done on their whole arrays."""
    first = found[0].selection
    if any(p.selection.mask is not first.mask for p in found):
        return False
    types = {p.node.dtype for p in found}
    if len(types) > 1 and any(t.is_integer for t in types):
        return False  # an error, but for single elements
    if Limits.pure:
        return True
    few = first.is_counted and 2 * max(first.shape) < first.mask.size
    return work <= MOST_WORK and not few


def _is_whole_or_one(v: Value) -> bool:
    """Whether a value is a selection or a single number, which goes with any number of elements."""
    kind = type(v)
    if kind is DeviceArray:
        return v.pending is not None or v.size == 1
    return kind in (float, bool, complex) or (kind is np.ndarray and v.size == 1)


def _whole(v: Value) -> Value:
    """The array that is selected from; other values as they are."""
    if type(v) is not DeviceArray or v.pending is None:
        return v
    return DeviceArray(v.pending.node, Session.runtime, v.guarded)


def _within_domain(v: Value) -> Value:
    """The same with ones in place of what is not selected: every function is real there."""
    if type(v) is not DeviceArray or v.pending is None:
        return v
    node = v.pending.node
    if node.dtype is DType.BOOL:
        return _whole(v)
    one = Session.runtime.scalar(1.0, node.dtype)
    chosen = Session.runtime.apply("select", (v.pending.selection.mask, node, one))
    return DeviceArray(chosen, Session.runtime, v.guarded)


def narrowed(x: DeviceArray, mask: DeviceArray) -> DeviceArray | None:
    """``z(t)`` where ``z`` and the truth values ``t`` are selections by one mask; else None."""
    inner, outer = x.pending, mask.pending
    if inner is None or outer is None or mask.class_name != "logical":
        return None
    work = 1 + max(inner.work, outer.work)
    if not _stays([outer, inner], work):
        return None
    both = Session.runtime.apply("and", (inner.selection.mask, outer.node))
    selection = Selection(both, Session.runtime, inner.selection.is_row)
    return DeviceArray(None, Session.runtime, x.guarded, Pending(inner.node, selection, work))
