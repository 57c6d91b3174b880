"""What subscripts of lazy arrays select, as far as the graph can say it.

Colons, scalars and evenly spaced ranges select a block, lists of places and masks what is looked
up.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.ir.whole_ranges import Whole, whole_range
from app.engine.capture import capture_session
from app.engine.capture.capture_session import Session
from app.engine.capture.known_answers import answers
from app.engine.capture.lazy_limits import LONG, Limits
from app.engine.capture.progressions import progression_of
from app.engine.interpreter.indexing.subscripts import is_colon
from app.engine.interpreter.tracing import Tracing, are_inside, moving_subscript
from app.engine.values import Array, DeviceArray, Value, numel, trim_shape


class Block(NamedTuple):
    """A rectangular selection, per dimension from 0; ``moves`` per pass of a traced loop."""

    start: tuple[int, ...]
    steps: tuple[int, ...]
    shape: tuple[int, ...]
    moves: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of elements selected."""
        return math.prod(self.shape)


def block_of(shape: tuple[int, ...], args: tuple[Value, ...]) -> Block | None:
    """The block that ``args`` select; None when they select anything else."""
    if len(args) == 1:
        if len(shape) != 2 or 1 not in shape or is_colon(args[0]):
            return None
        args = (1.0, args[0]) if shape[0] == 1 else (args[0], 1.0)
    if len(args) != len(shape):
        return None
    found = [progression_along(sub, n) for sub, n in zip(args, shape, strict=True)]
    known = [p for p in found if p is not None]
    if len(known) < len(found):
        return None
    starts, steps, counts, moves = (tuple(p[k] for p in known) for k in range(4))
    return Block(starts, steps, counts, moves if any(moves) else ())


def progression_along(sub: Value, extent: int) -> tuple[int, int, int, int] | None:
    """Start, step, count and move per pass of a subscript; None when it is no progression.

    ``a:b`` may come as the pair of its ends.
    """
    if type(sub) is tuple:
        start, stop = sub
        return _between(start, stop, extent)
    if is_colon(sub):
        return 0, 1, extent, 0
    if type(sub) is float:
        return (int(sub) - 1, 1, 1, 0) if sub.is_integer() and 1 <= sub <= extent else None
    if type(sub) is DeviceArray:
        return moving_subscript(sub, extent) or _known_row(sub, extent)
    if type(sub) is not np.ndarray or sub.dtype.kind not in "fiu" or sub.size < 2:
        return None
    flat = sub.reshape(-1, order="F").astype(np.float64)
    step = flat[1] - flat[0]
    last = flat[0] + step * (flat.size - 1)
    inside = 1 <= flat[0] <= extent and 1 <= last <= extent
    if not inside or step == 0 or not float(step).is_integer() or not float(flat[0]).is_integer():
        return None
    if not np.array_equal(flat, flat[0] + step * np.arange(flat.size)):
        return None
    return int(flat[0]) - 1, int(step), flat.size, 0


def _between(start: Value, stop: Value, extent: int) -> tuple[int, int, int, int] | None:
    if type(start) is not float or type(stop) is not float:
        return None
    if not 1.0 <= start <= stop < extent + 1 or not start.is_integer():
        return None
    return int(start) - 1, 1, int(stop) - int(start) + 1, 0


def _known_row(sub: DeviceArray, extent: int) -> tuple[int, int, int, int] | None:
    """A long range that has never been computed."""
    found = progression_of(sub.node)
    if found is None:
        return None
    start, step = found
    last = start + step * (sub.size - 1)
    inside = min(start, last) >= 1 and max(start, last) <= extent
    if not inside or not (start.is_integer() and step.is_integer()):
        return None
    return int(start) - 1, int(step), sub.size, 0


def listed_places(sub: Value) -> Value:
    """A mask of the host along a dimension as the places that it selects, if there are any."""
    if type(sub) is not np.ndarray or sub.dtype != np.bool_:
        return sub
    places = np.flatnonzero(sub.reshape(-1, order="F")) + 1.0
    return (float(places[0]) if places.size == 1 else places.reshape(1, -1)) if len(places) else sub


PLACES = frozenset({"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32"})
"""Classes of subscript arrays that are looked up on the device."""


def valid_places(places: Any, extent: int) -> Any:
    """A node of places as doubles; None where one is not valid."""
    runtime = Session.runtime
    if type(places) is np.ndarray:
        right = ((places >= 1) & (places <= extent) & (places % 1 == 0)).all()
        return runtime.leaf(np.asfortranarray(places, np.float64)) if right else None
    node = capture_session.operand(places)
    if node is NotImplemented:
        return None
    if places.guarded and Session.runtime.settled_dtype(node).is_complex:
        return None
    if progression_of(node) is not None and _known_row(places, extent) is None:
        return None  # a range that is not inside: its numbers need not be computed
    work = capture_session.cast(node, DType.F64)
    known = whole_range(work, _of_list)
    if not work.size or (known is not None and known[0] >= 1.0 and known[1] <= extent):
        return work
    if Tracing.trace is not None and are_inside(work, extent):
        return work
    outside = [
        runtime.apply("lt", (work, runtime.scalar(1.0))),
        runtime.apply("gt", (work, runtime.scalar(float(extent)))),
        runtime.apply("ne", (work, runtime.apply("floor", (work,)))),
    ]
    wrong = runtime.apply("or", (runtime.apply("or", (outside[0], outside[1])), outside[2]))
    found = runtime.apply("any", (wrong,), (tuple(range(len(node.shape))),))
    cause = "needs-host-value: are all subscripts valid?"
    return None if answers([found], cause)[0].item() else work


def _of_list(leaf: Node) -> Whole | None:
    """Between what the numbers are of a list of the host, or of places that were found.

    A trace does not go by what is known of places: in later runs they are others.
    """
    record = Session.runtime.residency.record(leaf) if Tracing.trace is None else None
    if record is not None and record.whole is not None:
        found: Whole = record.whole
        return found
    numbers = capture_session.listed_numbers(leaf, LONG)
    if (
        numbers is None
        or numbers.dtype.kind not in "fiu"
        or not np.array_equal(numbers, np.floor(numbers))
    ):
        return None
    return float(numbers.min()), float(numbers.max())


class CrossSelection(NamedTuple):
    """What subscripts select: a progression or () for places per dimension, and how many."""

    kinds: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]


def cross_selection_of(x: DeviceArray, args: tuple[Value, ...]) -> CrossSelection | None:
    """What one subscript per dimension selects; None where one is neither."""
    kinds = [
        progression_along(sub, n) or places_of(sub) for sub, n in zip(args, x.shape, strict=False)
    ]
    known = tuple(kind for kind in kinds if kind is not None)
    if len(args) != len(x.shape) or len(known) < len(args):
        return None
    counts = (kind[2] if kind else numel(sub) for kind, sub in zip(known, args, strict=True))
    return CrossSelection(known, tuple(counts))


def linear_index(x: DeviceArray, args: tuple[Value, ...], selection: CrossSelection) -> Any:
    """The places from 0 along all elements, as a node; None where a subscript is not valid."""
    runtime, index, apart = x.runtime, None, 1
    kinds, counts = selection
    for axis, (found, sub, n) in enumerate(zip(kinds, args, x.shape, strict=True)):
        row = tuple(counts[axis] if k == axis else 1 for k in range(max(2, axis + 1)))
        if found:
            ends = (runtime.scalar(float(found[0])), runtime.scalar(float(found[1])))
            work = runtime.apply("iota", ends, (DType.F64, row))
        else:
            checked = valid_places(sub, n)
            if checked is None:
                return None
            checked = runtime.apply("reshape", (checked,), (row,))
            work = runtime.apply("minus", (checked, runtime.scalar(1.0)))
        far = runtime.apply("times", (work, runtime.scalar(float(apart))))
        index = far if index is None else runtime.apply("plus", (index, far))
        apart *= n
    return None if index is None else capture_session.cast(index, DType.I64)


def places_of(sub: Value) -> tuple[()] | None:
    """Nothing for an array of numbers, which is looked up; None for all else."""
    numbers = type(sub) is DeviceArray and sub.class_name in PLACES
    return () if numbers or (type(sub) is np.ndarray and sub.dtype.kind in "fiu") else None


def is_mask(sub: Value, shape: tuple[int, ...]) -> bool:
    """Whether a subscript is a mask of all elements of an array of this size."""
    if type(sub) is DeviceArray:
        return sub.class_name == "logical" and sub.shape == shape
    return type(sub) is np.ndarray and sub.dtype == np.bool_ and sub.shape == shape


def mask_along(x: DeviceArray | Array, args: tuple[Value, ...]) -> tuple[Node, int] | None:
    """The mask, and its axis, of ``x(mask, :)`` and the like where one is lazy; else None."""
    masks = [axis for axis, sub in enumerate(args) if not is_colon(sub)]
    if len(args) != len(x.shape) or len(masks) != 1:
        return None
    axis, sub = masks[0], args[masks[0]]
    if not isinstance(sub, DeviceArray | np.ndarray) or sub.dtype != np.bool_:
        return None
    if len(sub.shape) > 2:
        return None
    if 1 not in sub.shape or sub.size != x.shape[axis] or type(x) is type(sub) is np.ndarray:
        return None
    shape = tuple(sub.size if k == axis else 1 for k in range(len(x.shape)))
    where = capture_session.operand(sub)
    if where.shape != shape:
        where = Session.runtime.apply("reshape", (where,), (shape,))
    return where, axis


def numbers_of(x: Value) -> Any:
    """The node of an array of numbers, which may be complex."""
    if type(x) is DeviceArray and x.node.dtype.is_complex:
        return x.node
    if type(x) is np.ndarray and x.dtype.kind == "c":
        return capture_session.leaf(x)
    return capture_session.operand(x)


def is_small(block: Block) -> bool:
    """Small blocks are no work for the graph, except in a loop that is being traced."""
    return block.size < Limits.capture and Tracing.trace is None


def are_few(shape: tuple[int, ...], args: tuple[Value, ...]) -> bool:
    """Whether lists of the host name so few places that these are no work for the graph."""
    extents = shape if len(args) == len(shape) else (math.prod(shape),)
    return (
        not any(type(sub) is DeviceArray for sub in args)
        and len(args) == len(extents)
        and math.prod(_count(*pair) for pair in zip(args, extents, strict=True)) < Limits.capture
    )


def _count(sub: Value, extent: int) -> int:
    return extent if is_colon(sub) else sub.size if type(sub) is np.ndarray else 1


def slice_node(x: DeviceArray, block: Block) -> Node:
    """A block of an array."""
    attrs = (block.steps, block.shape, block.moves) if block.moves else (block.steps, block.shape)
    made: Node = x.runtime.apply("slice", (x.node,), attrs, block.start)
    known = not made.inputs or made.inputs[0] is not x.node  # it is what was just set there
    if block.moves and Tracing.lanes is not None and not known:
        made = Tracing.lanes.trace.part(made, Tracing.trace.counter)
    if len(block.shape) > 2 and trim_shape(block.shape) != block.shape:
        made = x.runtime.apply("reshape", (made,), (trim_shape(block.shape),))
    return made
