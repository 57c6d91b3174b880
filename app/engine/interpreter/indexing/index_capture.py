"""Indexing of lazy arrays on the graph itself, where it has an operation for it.

Blocks selected by colons, scalars and evenly spaced ranges are ``slice`` and ``assign`` nodes; a
mask of the array's own size with a scalar on the right side is a ``select``. What a mask selects
is a ``compact`` (only the number of its elements is fetched), and an array of places a ``gather``
(only whether all are valid is fetched). All else is done on the host.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.ir.whole_ranges import Whole, whole_range
from app.engine.capture import capture_session, selections
from app.engine.capture.capture_session import Session
from app.engine.capture.complex_capture import node_of
from app.engine.capture.lazy_limits import LONG, Limits
from app.engine.capture.progressions import progression_of, runs_of
from app.engine.interpreter.indexing import outgrowth, parts
from app.engine.interpreter.indexing.gather_elements import linear_shape
from app.engine.interpreter.indexing.subscripts import COLON, is_colon
from app.engine.interpreter.tracing import (
    Tracing,
    counted,
    following_lanes,
    follows_counter,
    moving_subscript,
)
from app.engine.values import Array, DeviceArray, trim_shape
from app.engine.values import Untyped as Value
from app.errors import Unsupported


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
    found = [_progression(sub, n) for sub, n in zip(args, shape, strict=True)]
    known = [p for p in found if p is not None]
    if len(known) < len(found):
        return None
    starts, steps, counts, moves = (tuple(p[k] for p in known) for k in range(4))
    return Block(starts, steps, counts, moves if any(moves) else ())


def _progression(sub: Value, extent: int) -> tuple[int, int, int, int] | None:
    """Start, step, count and move per pass of a subscript; None when it is no progression."""
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


def traced_read(x: Value, args: tuple[Value, ...]) -> Value:
    """``x(args)`` with subscripts that follow the counter of the loop being traced."""
    if len(args) == 1 and selections.are_pending(x, args[0]):
        part = selections.narrowed(x, args[0])
        if part is not None:
            return part
    node = x.node if type(x) is DeviceArray else node_of(x)
    if node is NotImplemented:
        raise Unsupported("what is indexed by the counter is no array of numbers")
    guarded = type(x) is DeviceArray and x.guarded
    outgrowth.check_places(node, args)
    with following_lanes(args):
        found = read(DeviceArray(node, Session.runtime, guarded), args)
    if found is None:
        raise Unsupported("a subscript depends on the data of the loop")
    if type(found) is DeviceArray and found.pending is None and Tracing.lanes is None:
        node = counted(found.node)
        return found if node is found.node else DeviceArray(node, found.runtime)
    return found


def read(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(args)`` as a lazy array; None when it has to be read on the host."""
    if len(args) == 1 and selections.are_pending(x, args[0]):
        part = selections.narrowed(x, args[0])
        if part is not None:
            return part
    if len(args) == 1 and is_colon(args[0]):
        return capture_session.reshape_lazy(x, (x.size, 1))
    block = block_of(x.shape, args)
    if block is None:
        return _not_one_block(x, args)
    if _is_small(block):
        return parts.fetched_block(x, block)
    return DeviceArray(_slice_node(x, block), x.runtime, x.guarded)


def looked_up(x: Value, args: tuple[Value, ...]) -> Value | None:
    """``x(args)`` of an array of the host with many places, or a mask, that are lazy."""
    if not any(type(a) is DeviceArray and a.size >= Limits.capture for a in args):
        return None
    node = capture_session.operand(x)
    return None if node is NotImplemented else read(capture_session.lazy_of(node), args)


def _not_one_block(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    if x.size >= Limits.capture:
        if len(args) == 1 and _is_mask(args[0], x.shape):
            return selected(x, args[0])
        part = _masked_slices(x, args)
        if part is not None:
            return part
        joined = _joined_blocks(x, args)
        if joined is not None:
            return joined
    if len(args) > 1:
        return _cross_selection(x, args)
    if _places(args[0]) is not None and (type(args[0]) is DeviceArray or _is_wide(x, args[0])):
        return _elements_at(x, args[0])
    return _along_all(x, args)


def _is_wide(x: DeviceArray, places: Array) -> bool:
    """Whether places of the host are looked up where the array is, which is not fetched."""
    return places.size > 1 and x.size >= Limits.capture and not parts.worth_all(x)


def _joined_blocks(x: DeviceArray, args: tuple[Value, ...]) -> DeviceArray | None:
    """``x([end 1:end-1], :)``: a few blocks side by side; None for all else."""
    split = [(axis, runs) for axis, sub in enumerate(args) if (runs := runs_of(sub))]
    if len(split) != 1:
        return None
    ((axis, runs),) = split
    if len(args) == 1 and 1 not in x.shape:
        part = _joined_blocks(capture_session.reshape_lazy(x, (x.size, 1)), args)
        return part and capture_session.reshape_lazy(
            part, linear_shape(x.shape, args[0], part.size)
        )
    blocks = [block_of(x.shape, (*args[:axis], run, *args[axis + 1 :])) for run in runs]
    known = [block for block in blocks if block is not None]
    if len(known) < len(runs) or sum(block.size for block in known) < Limits.capture:
        return None
    along = axis if len(args) > 1 else int(x.shape[0] == 1)
    made = x.runtime.apply("cat", tuple(_slice_node(x, block) for block in known), (along,))
    return DeviceArray(made, x.runtime, x.guarded)


def _slice_node(x: DeviceArray, block: Block) -> Node:
    attrs = (block.steps, block.shape, block.moves) if block.moves else (block.steps, block.shape)
    made: Node = x.runtime.apply("slice", (x.node,), attrs, block.start)
    if block.moves and Tracing.lanes is not None:
        made = Tracing.lanes.trace.part(made, Tracing.trace.counter)
    if len(block.shape) > 2 and trim_shape(block.shape) != block.shape:
        made = x.runtime.apply("reshape", (made,), (trim_shape(block.shape),))
    return made


def _along_all(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(a:d:b)`` of an array that is no vector: along its elements in order."""
    if Tracing.trace is not None or (len(x.shape) == 2 and 1 in x.shape):
        return None
    found = _progression(args[0], x.size)
    if found is None or found[2] < 2:
        return None
    part = read(capture_session.reshape_lazy(x, (x.size, 1)), args)
    shape = linear_shape(x.shape, args[0], found[2])
    if type(part) is np.ndarray:
        return part.reshape(shape, order="F")
    return capture_session.reshape_lazy(part, shape) if type(part) is DeviceArray else None


PLACES = frozenset({"double", "single", "int32", "uint32"})
"""Classes of subscript arrays that are looked up on the device."""


def selected(x: Value, mask: Value) -> Value | None:
    """``x(mask)`` of a mask of the same size."""
    data, where = _numbers(x), capture_session.operand(mask)
    if data is NotImplemented or where is NotImplemented:
        return None
    axis = selections.axis_of(x.shape)
    return selections.selected(data, where, axis, type(x) is DeviceArray and x.guarded)


def _masked_slices(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(mask, :)``, ``x(mask, 3)`` and the like; None for all else."""
    masks = [type(sub) in (DeviceArray, np.ndarray) and sub.dtype == np.bool_ for sub in args]
    if len(args) != len(x.shape) or masks.count(True) != 1:
        return None
    rest = tuple(COLON if is_mask else sub for is_mask, sub in zip(masks, args, strict=True))
    if not all(map(is_colon, rest)):
        part = read(x, rest)
        if type(part) is not DeviceArray or len(part.shape) != len(args):
            return None
        x = part
        args = tuple(s if is_mask else COLON for is_mask, s in zip(masks, args, strict=True))
    found = _slices(x, args)
    return found and selections.selected(_numbers(x), *found, x.guarded)


def _slices(x: Value, args: tuple[Value, ...]) -> tuple[Node, int] | None:
    """The mask, and its axis, of ``x(mask, :)`` and the like where one is lazy; else None."""
    masks = [axis for axis, sub in enumerate(args) if not is_colon(sub)]
    if len(args) != len(x.shape) or len(masks) != 1:
        return None
    axis, sub = masks[0], args[masks[0]]
    if type(sub) not in (DeviceArray, np.ndarray) or sub.dtype != np.bool_ or len(sub.shape) > 2:
        return None
    if 1 not in sub.shape or sub.size != x.shape[axis] or type(x) is type(sub) is np.ndarray:
        return None
    shape = tuple(sub.size if k == axis else 1 for k in range(len(x.shape)))
    where = capture_session.operand(sub)
    if where.shape != shape:
        where = Session.runtime.apply("reshape", (where,), (shape,))
    return where, axis


def _elements_at(x: DeviceArray, places: DeviceArray | Array) -> Value | None:
    """``x(places)``; None where a place is not valid, for the host to say which."""
    if max(places.size, x.size) < Limits.capture:
        return None
    work = _valid(places, x.size)
    if work is None:
        return None
    index = capture_session.cast(x.runtime.apply("minus", (work, x.runtime.scalar(1.0))), DType.I64)
    return _gather_at(x, index, linear_shape(x.shape, places, places.size))


def _gather_at(x: DeviceArray, index: Any, shape: tuple[int, ...]) -> DeviceArray:
    return DeviceArray(x.runtime.apply("gather", (x.node, index), (shape,)), x.runtime, x.guarded)


def _valid(places: Any, extent: int) -> Any:
    """A node of places as doubles; None where one is not valid."""
    runtime = Session.runtime
    if type(places) is np.ndarray:
        right = ((places >= 1) & (places <= extent) & (places % 1 == 0)).all()
        return runtime.leaf(np.asfortranarray(places, np.float64)) if right else None
    node = capture_session.operand(places)
    if node is NotImplemented or places.guarded:
        return None
    work = capture_session.cast(node, DType.F64)
    known = whole_range(work, _of_list)
    if known is not None and known[0] >= 1.0 and known[1] <= extent:
        return work
    outside = [
        runtime.apply("lt", (work, runtime.scalar(1.0))),
        runtime.apply("gt", (work, runtime.scalar(float(extent)))),
        runtime.apply("ne", (work, runtime.apply("floor", (work,)))),
    ]
    wrong = runtime.apply("or", (runtime.apply("or", (outside[0], outside[1])), outside[2]))
    found = runtime.apply("any", (wrong,), (tuple(range(len(node.shape))),))
    cause = "needs-host-value: are all subscripts valid?"
    return None if runtime.gather(found, cause).item() else work


def _of_list(leaf: Node) -> Whole | None:
    """Between what the numbers of a list of the host are, when all of them are whole."""
    record = Session.runtime.residency.record(leaf)
    if record is None or record.host is None or not 0 < leaf.size <= LONG:
        return None
    numbers = record.host
    if numbers.dtype.kind not in "fiu" or not np.array_equal(numbers, np.floor(numbers)):
        return None
    return float(numbers.min()), float(numbers.max())


def _cross_selection(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(places, :)`` and the like: every dimension's places times how far apart they lie."""
    selection = _selection(x, args)
    if selection is None or math.prod(selection.counts) < Limits.capture:
        return None
    index = _linear_index(x, args, selection)
    return None if index is None else _gather_at(x, index, trim_shape(selection.counts))


class _Selection(NamedTuple):
    """What subscripts select: a progression or () for places per dimension, and how many."""

    kinds: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]


def _selection(x: DeviceArray, args: tuple[Value, ...]) -> _Selection | None:
    """What one subscript per dimension selects; None where one is neither."""
    kinds = [_progression(sub, n) or _places(sub) for sub, n in zip(args, x.shape, strict=False)]
    known = tuple(kind for kind in kinds if kind is not None)
    if len(args) != len(x.shape) or len(known) < len(args):
        return None
    pairs = zip(known, args, strict=True)
    return _Selection(known, tuple(kind[2] if kind else sub.size for kind, sub in pairs))


def _linear_index(x: DeviceArray, args: tuple[Value, ...], selection: _Selection) -> Any:
    """The places from 0 along all elements, as a node; None where a subscript is not valid."""
    runtime, index, apart = x.runtime, None, 1
    kinds, counts = selection
    for axis, (found, sub, n) in enumerate(zip(kinds, args, x.shape, strict=True)):
        row = tuple(counts[axis] if k == axis else 1 for k in range(max(2, axis + 1)))
        if found:
            ends = (runtime.scalar(float(found[0])), runtime.scalar(float(found[1])))
            work = runtime.apply("iota", ends, (DType.F64, row))
        else:
            checked = _valid(sub, n)
            if checked is None:
                return None
            checked = runtime.apply("reshape", (checked,), (row,))
            work = runtime.apply("minus", (checked, runtime.scalar(1.0)))
        far = runtime.apply("times", (work, runtime.scalar(float(apart))))
        index = far if index is None else runtime.apply("plus", (index, far))
        apart *= n
    return None if index is None else capture_session.cast(index, DType.I64)


def _places(sub: Value) -> tuple[()] | None:
    """Nothing for an array of numbers, which is looked up; None for all else."""
    numbers = type(sub) is DeviceArray and sub.class_name in PLACES
    return () if numbers or (type(sub) is np.ndarray and sub.dtype.kind in "fiu") else None


def write(x: Value, args: tuple[Value, ...], v: Value) -> Value | None:
    """``x(args) = v`` as a lazy array; None when it has to be done on the host."""
    if not Session.is_active:
        return None
    if type(x) is float and _selects_all((1, 1), args):
        return _replaced_whole(x, v, any_form=len(args) == 1)
    if not _is_array(x):
        return None
    if Tracing.trace is not None and type(x) is not DeviceArray and not x.size:
        outgrowth.begin_array()
    if Tracing.trace is not None and type(x) is DeviceArray and x.pending is None:
        outgrowth.check_places(x.node, args)
        if Limits.growing is not None and x.node in Limits.growing:
            made = _written_array(DeviceArray(x.node, x.runtime, x.guarded), args, v)
            if type(made) is not DeviceArray:
                raise Unsupported("what is stored in an array that grows depends on the host")
            return DeviceArray.growing(made.node, made.runtime, made.guarded)
    return _written_array(x, args, v)


def _written_array(x: Value, args: tuple[Value, ...], v: Value) -> Value | None:
    if len(args) == 1 and type(v) is float and selections.are_pending(x, args[0]):
        return selections.mapped(lambda whole, mask: write(whole, (mask,), v), (x, args[0]))
    if len(args) == 1 and _is_mask(args[0], x.shape):
        return _masked_write(x, capture_session.operand(args[0]), v)
    if len(args) > 1 and (found := _slices(x, args)) is not None and x.size >= Limits.capture:
        part = _masked_write(x, found[0], v)
        if part is not None:
            return part
    if DeviceArray in (type(x), type(v)) and _selects_all(x.shape, args):
        return _replaced_whole(x, v, any_form=len(args) == 1)
    late = type(v) is DeviceArray and (v.size >= Limits.capture or Tracing.trace is not None)
    late = late or follows_counter(args)
    if type(x) is not DeviceArray and not late:
        return None
    block = block_of(x.shape, args)
    if not (_is_array(v) or type(v) is float) or (block is not None and _is_small(block)):
        return None
    if type(x) is not DeviceArray:
        x = capture_session.lazy_of(capture_session.operand(x))
    if block is not None:
        return assigned(x, block, v)
    few = Tracing.trace is None and are_few(x.shape, args)
    return None if few or x.node.dtype.is_complex else placed(x, args, v)


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


def placed(x: DeviceArray, args: tuple[Value, ...], v: Value) -> Value | None:
    """``x(places) = v``, one array of places for all elements or one per dimension."""
    if x.size < Limits.capture:
        return None
    if len(args) == 1:
        if _places(args[0]) is None:
            return None
        checked = _valid(args[0], x.size)
        if checked is None:
            return None
        minus = x.runtime.apply("minus", (checked, x.runtime.scalar(1.0)))
        return scattered(x, capture_session.cast(minus, DType.I64), v, (args[0].size,))
    selection = _selection(x, args)
    if selection is None or 0 in selection.counts:
        return None
    index = _linear_index(x, args, selection)
    return None if index is None else scattered(x, index, v, selection.counts)


def scattered(x: DeviceArray, index: Any, v: Value, counts: tuple[int, ...]) -> Value | None:
    """``x`` with values at places from 0; None where their numbers differ."""
    if type(v) is float:
        node = x.runtime.scalar(v)
    else:
        one_list = len(counts) == 1
        fits = v.size == 1 or (
            v.size == counts[0]
            if one_list
            else [n for n in v.shape if n != 1] == [n for n in counts if n != 1]
        )
        node = capture_session.operand(v) if fits else NotImplemented
    if node is NotImplemented:
        return None
    node = capture_session.cast(node, x.node.dtype)
    made = x.runtime.apply("scatter", (x.node, index, node))
    guarded = x.guarded or (type(v) is DeviceArray and v.guarded)
    return DeviceArray(made, x.runtime, guarded)


def _is_small(block: Block) -> bool:
    """Small blocks are no work for the graph, except in a loop that is being traced."""
    return block.size < Limits.capture and Tracing.trace is None


def _is_array(v: Value) -> bool:
    return type(v) is DeviceArray or (type(v) is np.ndarray and v.dtype.kind in "fbiu")


def _is_mask(sub: Value, shape: tuple[int, ...]) -> bool:
    if type(sub) is DeviceArray:
        return sub.class_name == "logical" and sub.shape == shape
    return type(sub) is np.ndarray and sub.dtype == np.bool_ and sub.shape == shape


def _masked_write(x: Value, where: Any, v: Value) -> Value | None:
    """``x(mask) = v``: a choice for a scalar, places for as many values as the mask selects."""
    if where is not NotImplemented and type(v) is DeviceArray and v.pending is not None:
        whole = _write_by_selection(x, where, v)
        if whole is not None:
            return whole
    if type(v) not in {float, bool, complex}:
        return _masked_array(x, where, v) if _is_array(v) else None
    base = _numbers(x)
    if base is NotImplemented or where is NotImplemented:
        return None
    runtime = Session.runtime
    if base.dtype.is_complex:
        number = capture_session.cast(runtime.scalar(complex(v), DType.C128), base.dtype)
    elif type(v) is complex:
        return None
    else:
        number = capture_session.cast(runtime.scalar(float(v)), base.dtype)
    made = runtime.apply("select", (where, number, base))
    return capture_session.lazy_of(made, type(x) is DeviceArray and x.guarded)


def _write_by_selection(x: Value, where: Node, v: DeviceArray) -> Value | None:
    """``x(mask) = v`` for a selection by that mask; None where it cannot be converted as it is."""
    base, pending = _numbers(x), v.pending
    if base is NotImplemented or pending is None or pending.selection.mask is not where:
        return None
    if pending.node.shape != x.shape:
        return None
    new, kept = pending.node, base.dtype
    if kept is not new.dtype and (kept is DType.BOOL or (kept.is_integer and new.dtype.is_complex)):
        return None
    kept = kept.complex if new.dtype.is_complex else kept
    pair = capture_session.cast(new, kept), capture_session.cast(base, kept)
    made = Session.runtime.apply("select", (where, *pair))
    return capture_session.lazy_of(made, v.guarded or (type(x) is DeviceArray and x.guarded))


def _masked_array(x: Value, where: Any, v: Value) -> Value | None:
    base = capture_session.operand(x)
    if base is NotImplemented or where is NotImplemented or Tracing.trace is not None:
        return None
    if where.shape != x.shape:
        return None
    late = type(x) is DeviceArray or (type(v) is DeviceArray and v.size >= Limits.capture)
    if not late or base.dtype.is_complex:
        return None
    shape = capture_session.chosen_shape(where, (v.size, 1))
    if shape is None or math.prod(shape) != v.size:
        return None
    runtime = Session.runtime
    places = runtime.apply("compact_index", (where,), (shape,))
    index = capture_session.cast(runtime.apply("minus", (places, runtime.scalar(1.0))), DType.I64)
    whole = x if type(x) is DeviceArray else capture_session.lazy_of(base)
    return scattered(whole, index, v, (v.size,))


def _numbers(x: Value) -> Any:
    """The node of an array of numbers, which may be complex."""
    if type(x) is DeviceArray and x.node.dtype.is_complex:
        return x.node
    if type(x) is np.ndarray and x.dtype.kind == "c":
        return capture_session.leaf(x)
    return capture_session.operand(x)


def _selects_all(shape: tuple[int, ...], args: tuple[Value, ...]) -> bool:
    """Whether subscripts select all of an array, in its order."""
    if all(map(is_colon, args)) and len(args) in {1, len(shape)}:
        return True
    block = block_of(shape, args)
    if block is None or block.moves:
        return False
    return block.shape == shape and not any(block.start)


def _replaced_whole(x: Value, v: Value, any_form: bool) -> Value | None:
    """``x(:) = v`` and ``x(:, :) = v``: all of ``v`` in the class and size of ``x``.

    ``any_form`` says that only the number of elements must be the same.
    """
    old, new = _numbers(x), _value_node(v)
    if old is NotImplemented or new is NotImplemented or 0 in old.shape:
        return None
    dtype, guarded = old.dtype, type(v) is DeviceArray and v.guarded
    if dtype is DType.BOOL and new.dtype.is_float and not (type(v) is float and v == v):
        return None  # NaN is an error
    if new.dtype.is_complex or guarded:
        if not (dtype.is_float or dtype.is_complex):
            return None
        dtype = dtype.complex if new.dtype.is_complex else dtype
    made = _in_size(capture_session.cast(new, dtype), old.shape, any_form)
    return None if made is None else capture_session.lazy_of(made, guarded or dtype.is_complex)


def _value_node(v: Value) -> Any:
    """The node of a number, which is a parameter, or of an array that may be complex."""
    return Session.runtime.scalar(v) if type(v) is float else _numbers(v)


def _in_size(node: Any, shape: tuple[int, ...], any_form: bool = False) -> Any:
    """What is assigned to places of this size, as a node; None where the sizes do not agree."""
    if node.size == 1 != math.prod(shape):
        return Session.runtime.apply("fill", (node,), (shape,))
    if node.shape == shape:
        return node
    fits = node.size == math.prod(shape)
    if not any_form:
        fits = [n for n in node.shape if n != 1] == [n for n in shape if n != 1]
    return Session.runtime.apply("reshape", (node,), (shape,)) if fits else None


def assigned(x: DeviceArray, block: Block, v: Value) -> Value | None:
    """``x`` with a block set to a number, or to as many as it has places."""
    node = _value_node(v)
    if node is NotImplemented or (node.dtype.is_complex and not x.node.dtype.is_complex):
        return None
    node = _in_size(capture_session.cast(node, x.node.dtype), block.shape)
    if node is None:
        return None
    attrs = (block.steps, block.moves) if block.moves else (block.steps,)
    made = x.runtime.apply("assign", (x.node, node), attrs, block.start)
    return DeviceArray(made, x.runtime, x.guarded)
