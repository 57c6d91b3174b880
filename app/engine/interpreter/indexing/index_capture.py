"""Reading parts of lazy arrays on the graph itself, where it has an operation for it.

Blocks selected by colons, scalars and evenly spaced ranges are ``slice`` nodes. What a mask selects
is a ``compact`` (only the number of its elements is fetched), and an array of places a ``gather``
(only whether all are valid is fetched). All else is done on the host.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.engine.capture import capture_session, selections
from app.engine.capture.capture_session import Session
from app.engine.capture.complex_capture import node_of
from app.engine.capture.lazy_limits import Limits
from app.engine.capture.progressions import runs_of
from app.engine.interpreter.indexing import outgrowth, parts
from app.engine.interpreter.indexing.captured_subscripts import (
    Block,
    block_of,
    cross_selection_of,
    is_mask,
    is_small,
    linear_index,
    listed_places,
    mask_along,
    numbers_of,
    places_of,
    progression_along,
    slice_node,
    valid_places,
)
from app.engine.interpreter.indexing.gather_elements import linear_shape
from app.engine.interpreter.indexing.subscripts import COLON, is_colon
from app.engine.interpreter.tracing import Tracing, counted, following_lanes
from app.engine.values import Array, DeviceArray, Value, trim_shape
from app.errors import Unsupported


def traced_read(x: Value, args: tuple[Value, ...]) -> Value:
    """``x(args)`` with subscripts that follow the counter of the loop being traced."""
    args = selections.with_masks(x, args)
    part = selections.narrowed(x, args)
    if part is not None:
        return part
    node = x.node if type(x) is DeviceArray else node_of(x)
    if node is NotImplemented:
        raise Unsupported("what is indexed by the counter is not a numeric array")
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
    args = selections.with_masks(x, args)
    part = selections.narrowed(x, args)
    if part is not None:
        return part
    if len(args) > 1:
        args = tuple(map(listed_places, args))
    elif is_colon(args[0]):
        return capture_session.reshape_lazy(x, (x.size, 1))
    else:
        part = selections.looked_up(x, args[0], lambda places: _block_at(x, places))
        if part is not None:
            return part
    block = block_of(x.shape, args)
    return _not_one_block(x, args) if block is None else part_of(x, block)


def part_of(x: DeviceArray, block: Block) -> Value:
    """A block of an array as a lazy one; a small one is fetched."""
    if is_small(block) and not parts.is_away(x):
        return parts.fetched_block(x, block)
    return DeviceArray(slice_node(x, block), x.runtime, x.guarded)


def _block_at(x: DeviceArray, places: DeviceArray) -> Node | None:
    """The node of ``x(places)`` for evenly spaced places; None for others."""
    block = block_of(x.shape, (places,))
    return None if block is None else slice_node(x, block)


def looked_up(x: Value, args: tuple[Value, ...]) -> Value | None:
    """``x(args)`` of an array of the host with many places, or a mask, that are lazy."""
    args = selections.with_masks(x, args)
    lazy = [a for a in args if type(a) is DeviceArray]
    if not any(a.pending is not None or a.size >= Limits.capture for a in lazy):
        return None
    node = capture_session.operand(x)
    return None if node is NotImplemented else read(capture_session.lazy_of(node), args)


def _not_one_block(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    if x.size >= Limits.capture:
        if len(args) == 1 and is_mask(args[0], x.shape):  # of one element it may leave 0 by 0
            return selected(x, args[0]) if x.size > 1 else None
        part = _masked_slices(x, args)
        if part is not None:
            return part
        joined = _joined_blocks(x, args)
        if joined is not None:
            return joined
    if len(args) > 1:
        return _cross_selection(x, args)
    places = args[0]
    if (
        isinstance(places, DeviceArray | np.ndarray)
        and places_of(places) is not None
        and (type(places) is DeviceArray or _is_wide(x, places))
    ):
        return _elements_at(x, places)
    return _along_all(x, args)


def _is_wide(x: DeviceArray, places: DeviceArray | Array) -> bool:
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
    made = x.runtime.apply("cat", tuple(slice_node(x, block) for block in known), (along,))
    return DeviceArray(made, x.runtime, x.guarded)


def _along_all(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(a:d:b)`` of an array that is no vector: along its elements in order."""
    if Tracing.trace is not None or (len(x.shape) == 2 and 1 in x.shape):
        return None
    found = progression_along(args[0], x.size)
    if found is None or found[2] < 2:
        return None
    part = read(capture_session.reshape_lazy(x, (x.size, 1)), args)
    shape = linear_shape(x.shape, args[0], found[2])
    if type(part) is np.ndarray:
        return part.reshape(shape, order="F")
    return capture_session.reshape_lazy(part, shape) if type(part) is DeviceArray else None


def selected(x: DeviceArray, mask: Value) -> Value | None:
    """``x(mask)`` of a mask of the same size."""
    data, where = numbers_of(x), capture_session.operand(mask)
    if data is NotImplemented or where is NotImplemented:
        return None
    axis = selections.axis_of(x.shape)
    return selections.selected(data, where, axis, x.guarded)


def _masked_slices(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(mask, :)``, ``x(mask, 3)`` and the like; None for all else."""
    masks = [isinstance(sub, DeviceArray | np.ndarray) and sub.dtype == np.bool_ for sub in args]
    if len(args) != len(x.shape) or masks.count(True) != 1:
        return None
    rest = tuple(COLON if is_mask else sub for is_mask, sub in zip(masks, args, strict=True))
    if not all(map(is_colon, rest)):
        part = read(x, rest)
        if type(part) is not DeviceArray or len(part.shape) != len(args):
            return None
        x = part
        args = tuple(s if is_mask else COLON for is_mask, s in zip(masks, args, strict=True))
    found = mask_along(x, args)
    return found and selections.selected(numbers_of(x), *found, x.guarded)


def without_selected(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(mask) = []`` of a vector, ``x(mask, :) = []`` and the like; None for all else."""
    if Tracing.trace is not None or x.size < Limits.capture:
        return None
    args = selections.with_masks(x, args)
    if len(args) == 1 and (selections.axis_of(x.shape) is None or not is_mask(args[0], x.shape)):
        return None
    if len(args) > 1 and mask_along(x, args) is None:
        return None
    return read(x, tuple(sub if is_colon(sub) else _negated(sub) for sub in args))


def _negated(mask: Value) -> Value:
    if type(mask) is np.ndarray:
        return ~mask
    node = capture_session.operand(mask)
    return capture_session.lazy_of(Session.runtime.apply("not", (node,)))


def _elements_at(x: DeviceArray, places: DeviceArray | Array) -> Value | None:
    """``x(places)``; None where a place is not valid, for the host to say which."""
    if max(places.size, x.size) < Limits.capture:
        return None
    work = valid_places(places, x.size)
    if work is None:
        return None
    index = capture_session.cast(x.runtime.apply("minus", (work, x.runtime.scalar(1.0))), DType.I64)
    return _gather_at(x, index, linear_shape(x.shape, places, places.size))


def _gather_at(x: DeviceArray, index: Any, shape: tuple[int, ...]) -> DeviceArray:
    return DeviceArray(x.runtime.apply("gather", (x.node, index), (shape,)), x.runtime, x.guarded)


def _cross_selection(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(places, :)`` and the like: every dimension's places times how far apart they lie."""
    selection = cross_selection_of(x, args)
    if selection is None:
        return None
    if math.prod(selection.counts) < Limits.capture and Tracing.trace is None:
        return parts.fetched_places(x, args)
    index = linear_index(x, args, selection)
    return None if index is None else _gather_at(x, index, trim_shape(selection.counts))
