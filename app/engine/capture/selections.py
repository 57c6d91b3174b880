"""Operations on what a mask selects, done on whole arrays as long as nobody asks how many it is.

``x(m)`` is an array and a mask. An operation element by element on such selections by one mask, and
on single numbers, is done on the whole arrays and selected from later; ``y(m) = `` such a result is
a choice among whole arrays, and its sum is the sum of what is selected and zeros. So nothing has to
be counted, and no pass of a loop needs the host. What is not selected is computed, too: after some
operations, or where it is known to be most of the array, the elements are picked out instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.engine.capture.capture_session import Session, leaves_domain
from app.engine.capture.lazy_limits import Limits
from app.engine.values import DeviceArray, Value
from app.engine.values.lazy import Pending, Selection

MOST_WORK = 12
"""Operations on whole arrays before what is selected is picked out."""


def are_pending(*operands: Value) -> bool:
    """Whether all of these are selections that have not been picked out."""
    return all(type(v) is DeviceArray and v.pending is not None for v in operands)


def selected(x: Node, mask: Node, axis: int | None, guarded: bool) -> DeviceArray:
    """What a mask selects along an axis, or of all elements of an array of its size."""
    return DeviceArray(
        None, Session.runtime, guarded, Pending(x, Selection(mask, Session.runtime, axis))
    )


def found_places(mask: Node) -> DeviceArray:
    """``find`` of a mask: the numbers from 1 of the elements that it selects, not yet counted."""
    selection = Selection(mask, Session.runtime, axis_of(mask.shape))
    selection.places = numbers = element_numbers(mask.shape)
    return DeviceArray(None, Session.runtime, pending=Pending(numbers, selection))


def count_of(v: Value) -> DeviceArray | None:
    """How many a list has that a mask selects, not yet fetched; None for all else."""
    if type(v) is not DeviceArray or v.pending is None:
        return None
    selection = v.pending.selection
    if v.pending.node.shape != selection.mask.shape:
        return None
    return DeviceArray(selection.number, Session.runtime)


def is_none(v: Value) -> DeviceArray | None:
    """Whether a list in a pass that is traced selects nothing; None for all else, which has a size.

    Elsewhere they are counted: who asks goes on with those that are there.
    """
    if type(v) is not DeviceArray or not Limits.pure or count_of(v) is None:
        return None
    assert v.pending is not None
    mask = v.pending.selection.mask
    runtime, every = Session.runtime, tuple(range(len(mask.shape)))
    found = runtime.apply("any", (mask,), (every,))
    return DeviceArray(runtime.apply("not", (found,)), runtime)


def element_numbers(shape: tuple[int, ...]) -> Node:
    """The numbers of all elements, from 1."""
    runtime = Session.runtime
    ends, row = (runtime.scalar(1.0), runtime.scalar(1.0)), (1, math.prod(shape))
    made: Node = runtime.apply("iota", ends, (DType.F64, row))
    return runtime.apply("reshape", (made,), (shape,))


def with_masks(x: Value, args: tuple[Value, ...]) -> tuple[Value, ...]:
    """Subscripts of an array in which places that `find` gave are the mask they were found in."""
    if not any(type(sub) is DeviceArray and _is_found(sub) for sub in args):
        return args
    shape = () if are_pending(x) else getattr(x, "shape", ())
    if len(args) == 1:
        (sub,) = args
        return ((_mask_of_all(sub, shape) if type(sub) is DeviceArray else None) or sub,)
    if len(args) != len(shape):
        return args
    return tuple(_mask_along(sub, n) or sub for sub, n in zip(args, shape, strict=True))


def _is_found(sub: DeviceArray) -> bool:
    """Whether subscripts are what `find` gave, and not known to be few."""
    pending = sub.pending
    if pending is None or pending.node is not pending.selection.places:
        return False
    return Limits.pure or not pending.selection.is_sparse


def _mask_of_all(sub: DeviceArray, shape: tuple[int, ...]) -> DeviceArray | None:
    """The mask of places among all elements, where it selects from that size what they do."""
    assert sub.pending is not None
    mask = sub.pending.selection.mask
    if mask.shape == shape:
        return DeviceArray(mask, sub.runtime)
    column = mask.shape[1:] == (1,)
    turned = axis_of(shape) is not None and axis_of(mask.shape) is not None
    if not (column or turned) or mask.size != math.prod(shape):
        return None
    return DeviceArray(sub.runtime.apply("reshape", (mask,), (shape,)), sub.runtime)


def _mask_along(sub: Value, extent: int) -> DeviceArray | None:
    """The mask of places along a dimension of this extent."""
    if type(sub) is not DeviceArray or not _is_found(sub) or sub.pending is None:
        return None
    mask = sub.pending.selection.mask
    if mask.size != extent or axis_of(mask.shape) is None:
        return None
    return DeviceArray(mask, sub.runtime)


def axis_of(shape: tuple[int, ...]) -> int | None:
    """The axis along which a mask of all elements selects: that of a vector."""
    if len(shape) == 2 and 1 in shape:
        return int(shape[0] == 1)
    return None


def mapped(make: Callable[..., Value], operands: tuple[Value, ...]) -> Value:
    """An operation element by element on selections.

    Args:
        make: the operation, with implicit expansion.
        operands: what it is done on; one of them is a selection.

    Returns:
        A selection from what it makes of whole arrays where all operands are selections by one mask
        or are expanded along its axis; else what it makes of the elements. NotImplemented as from
        `make`.
    """
    found = [v.pending for v in operands if type(v) is DeviceArray and v.pending is not None]
    work = 1 + max(p.work for p in found)
    if not _stays(found, work) or not all(_goes_with(found, v) for v in operands):
        for v in operands:
            _ = type(v) is DeviceArray and v.node
        return make(*operands)
    made = make(*(_selected_from(v) for v in operands))
    if type(made) is not DeviceArray:
        return made
    left = not any(type(v) is DeviceArray and v.guarded for v in operands)
    if made.guarded and (left or leaves_domain(made.node.op, made.node)):
        made = make(*(_within_domain(v) for v in operands))
        assert isinstance(made, DeviceArray)
    pending = Pending(made.node, found[0].selection, work)
    return DeviceArray(None, Session.runtime, made.guarded, pending)


def _stays(found: list[Pending], work: int) -> bool:
    """Whether an operation on these selections is done on their whole arrays."""
    first = found[0].selection
    if any(p.selection.mask is not first.mask or p.selection.axis != first.axis for p in found):
        return False
    types = {p.node.dtype for p in found}
    if len(types) > 1 and any(t.is_integer for t in types):
        return False  # an error, but for single elements
    if Limits.pure:
        return True
    return work <= MOST_WORK and not first.is_sparse


def _goes_with(found: list[Pending], v: Value) -> bool:
    """Whether an operand is a selection, or one that goes with any number of selected elements."""
    if not isinstance(v, DeviceArray | np.ndarray):
        return type(v) in (float, bool, complex)
    if (isinstance(v, DeviceArray) and v.pending is not None) or v.size == 1:
        return True
    axis = found[0].selection.axis
    if axis is None or any(p.node.dtype.is_integer for p in found):
        return False
    return len(v.shape) <= axis or v.shape[axis] == 1


def _selected_from(v: Value) -> Value:
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
        return _selected_from(v)
    one = Session.runtime.scalar(1.0, node.dtype)
    chosen = Session.runtime.apply("select", (v.pending.selection.mask, node, one))
    return DeviceArray(chosen, Session.runtime, v.guarded)


def looked_up(
    x: DeviceArray, places: Value, part: Callable[[DeviceArray], Node | None]
) -> DeviceArray | None:
    """``x(places)`` as a selection by the mask of the places; None where it is none.

    Args:
        x: an array.
        places: what is computed of places that a mask selects.
        part: what all places would give, not only those that are selected; None where that is no
            block of the array.
    """
    if type(places) is not DeviceArray or places.pending is None or x.pending is not None:
        return None
    node, selection, work = places.pending
    if node.dtype is DType.BOOL or node.shape != selection.mask.shape:
        return None
    if not _stays([places.pending], work + 1):
        return None
    made = part(DeviceArray(node, Session.runtime))
    if made is None or made.shape != selection.mask.shape:
        return None
    return DeviceArray(None, Session.runtime, x.guarded, Pending(made, selection, work + 1))


def narrowed(x: Value, args: tuple[Value, ...]) -> DeviceArray | None:
    """``z(t)`` where ``z`` and the truth values ``t`` are selections by one mask; else None."""
    mask = args[0] if len(args) == 1 else None
    if type(x) is not DeviceArray or type(mask) is not DeviceArray:
        return None
    inner, outer = x.pending, mask.pending
    if inner is None or outer is None or mask.class_name != "logical":
        return None
    if not inner.node.shape == outer.node.shape == inner.selection.mask.shape:
        return None
    work = 1 + max(inner.work, outer.work)
    if not _stays([outer, inner], work):
        return None
    both = Session.runtime.apply("and", (inner.selection.mask, outer.node))
    selection = Selection(both, Session.runtime, inner.selection.axis)
    return DeviceArray(None, Session.runtime, x.guarded, Pending(inner.node, selection, work))
