"""Assignment into lazy arrays on the graph itself, where it has an operation for it.

Blocks are ``assign`` nodes; a mask of the array's own size with a scalar on the right side is a
``select``, with as many values as it selects a ``scatter``, as are lists of places. All else is
done on the host.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.engine.capture import capture_session, selections
from app.engine.capture.capture_session import Session
from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.indexing import outgrowth
from app.engine.interpreter.indexing.captured_subscripts import (
    Block,
    are_few,
    block_of,
    cross_selection_of,
    is_mask,
    is_small,
    linear_index,
    listed_places,
    mask_along,
    numbers_of,
    places_of,
    slice_node,
    valid_places,
)
from app.engine.interpreter.indexing.part_choices import chosen_part
from app.engine.interpreter.indexing.subscripts import COLON, is_colon
from app.engine.interpreter.tracing import Tracing, follows_counter
from app.engine.values import Array, DeviceArray, Value
from app.errors import Unsupported

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Numbers: TypeAlias = DeviceArray | Array
"""Arrays of numbers or truth values, wherever they are."""


def write(x: Value, args: tuple[Value, ...], v: Value) -> Value | None:
    """``x(args) = v`` as a lazy array; None when it has to be done on the host."""
    if not Session.is_active:
        return None
    args = selections.with_masks(x, args)
    if type(x) is float and _selects_all((1, 1), args):
        return _replaced_whole(x, v, any_form=len(args) == 1)
    if not is_array(x):
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


def _written_array(x: Numbers, args: tuple[Value, ...], v: Value) -> Value | None:
    if len(args) == 1 and type(v) is float and selections.are_pending(x, args[0]):
        return selections.mapped(lambda whole, mask: write(whole, (mask,), v), (x, args[0]))
    if len(args) == 1 and is_mask(args[0], x.shape):
        return _masked_write(x, capture_session.operand(args[0]), v)
    if len(args) > 1 and (found := mask_along(x, args)) is not None and x.size >= Limits.capture:
        part = _masked_write(x, found[0], v)
        if part is not None:
            return part
    elif len(args) > 1 and (part := _masked_part(x, args, v)) is not None:
        return part
    if len(args) > 1:
        args = tuple(map(listed_places, args))
    if DeviceArray in (type(x), type(v)) and _selects_all(x.shape, args):
        return _replaced_whole(x, v, any_form=len(args) == 1)
    late = type(v) is DeviceArray and (v.size >= Limits.capture or Tracing.trace is not None)
    late = late or follows_counter(args)
    if type(x) is not DeviceArray and not late:
        return None
    block = block_of(x.shape, args)
    if not (is_array(v) or type(v) is float) or (block is not None and is_small(block)):
        return None
    if block is not None and _stays_on_host(x, block):
        return None
    whole = x if type(x) is DeviceArray else capture_session.lazy_of(capture_session.operand(x))
    if block is not None:
        return with_write_count(whole, assigned(whole, block, v))
    few = Tracing.trace is None and are_few(x.shape, args)
    return None if few or whole.node.dtype.is_complex else placed(whole, args, v)


def _stays_on_host(x: Numbers, block: Block) -> bool:
    """Whether a small part of an array is better stored by the host, in place.

    Each write of the graph copies the whole array: worth it for one that is on the device, or is
    written to a few times.
    """
    if Tracing.trace is not None or block.size * LEAST_PARTS > x.size:
        return False
    if type(x) is not DeviceArray:
        return True
    if not is_written_often(x):
        return False
    if not x.runtime.placer.is_apart:
        return True
    x.runtime.evaluate([x.node], "indexed-assignment")
    return x.runtime.state(x.node) not in ("device", "both")


def is_written_often(x: DeviceArray) -> bool:
    """Whether an array was written to so often that the copies are worth fetching it."""
    writes = _writes.get(x.node, 0)
    return writes >= MOST_WRITES or writes * x.size * x.node.dtype.size >= MOST_COPIED


def with_write_count(x: DeviceArray, made: Value | None) -> Value | None:
    """``made`` of ``x`` by one more write."""
    if type(made) is DeviceArray:
        _writes[made.node] = _writes.get(x.node, 0) + 1
    return made


MOST_WRITES = 8
MOST_COPIED = 1 << 28
"""Bytes of the copies of an array on the way."""
LEAST_PARTS = 8
"""A part is small where an array has at least so many of its size."""
_writes: WeakKeyDictionary[Node, int] = WeakKeyDictionary()
"""How often the arrays were written to since they were computed."""


def placed(x: DeviceArray, args: tuple[Value, ...], v: Numbers | float) -> Value | None:
    """``x(places) = v``, one array of places for all elements or one per dimension."""
    if x.size < Limits.capture:
        return None
    if len(args) == 1:
        (places,) = args
        checked = None if places_of(places) is None else valid_places(places, x.size)
        if checked is None:
            return None
        minus = x.runtime.apply("minus", (checked, x.runtime.scalar(1.0)))
        return scattered(x, capture_session.cast(minus, DType.I64), v, (checked.size,))
    selection = cross_selection_of(x, args)
    if selection is None or 0 in selection.counts:
        return None
    index = linear_index(x, args, selection)
    return None if index is None else scattered(x, index, v, selection.counts)


def scattered(
    x: DeviceArray, index: Any, v: Numbers | float, counts: tuple[int, ...]
) -> Value | None:
    """``x`` with values at places from 0; None where their numbers differ."""
    if isinstance(v, float):
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
    made = x.runtime.apply("scatter", (x.node, index, _converted(node, x.node.dtype)))
    guarded = x.guarded or (type(v) is DeviceArray and v.guarded)
    return DeviceArray(made, x.runtime, guarded)


def is_array(v: Value) -> TypeIs[Numbers]:
    """Whether a value is an array of numbers or truth values."""
    return type(v) is DeviceArray or (type(v) is np.ndarray and v.dtype.kind in "fbiu")


def _masked_write(x: Numbers, where: Any, v: Value) -> Value | None:
    """``x(mask) = v``: a choice for a scalar, places for as many values as the mask selects."""
    if where is not NotImplemented and type(v) is DeviceArray and v.pending is not None:
        whole = _write_by_selection(x, where, v)
        if whole is not None:
            return whole
    if is_array(v) and v.size == 1:
        return _chosen(x, where, v)
    if not isinstance(v, float | bool | complex):
        return _masked_array(x, where, v) if is_array(v) else None
    base = numbers_of(x)
    if base is NotImplemented or where is NotImplemented:
        return None
    runtime = Session.runtime
    widened = isinstance(v, complex) and not base.dtype.is_complex
    if widened:
        if not base.dtype.is_float:
            return None
        base = capture_session.cast(base, base.dtype.complex)
    if base.dtype.is_complex:
        number = capture_session.cast(runtime.scalar(complex(v), DType.C128), base.dtype)
    else:
        number = _converted(runtime.scalar(float(v.real)), base.dtype)
    made = runtime.apply("select", (where, number, base))
    return capture_session.lazy_of(made, widened or (type(x) is DeviceArray and x.guarded))


def _chosen(x: Numbers, where: Any, v: Numbers) -> Value | None:
    """``x(mask) = v`` for an array of one element: a choice, however many are selected."""
    base, number = numbers_of(x), capture_session.operand(v)
    if NotImplemented in (base, where, number):
        return None
    made = Session.runtime.apply("select", (where, _converted(number, base.dtype), base))
    return capture_session.lazy_of(made, any(type(a) is DeviceArray and a.guarded for a in (x, v)))


def _masked_part(x: Numbers, args: tuple[Value, ...], v: Value) -> Value | None:
    """``x(mask, 3) = …`` and the like: a choice within a block; None for all else."""
    masks = [type(sub) is DeviceArray and sub.dtype == np.bool_ for sub in args]
    if masks.count(True) != 1 or type(x) is not DeviceArray:
        return None
    if type(v) is not float and not is_array(v):
        return None
    block = block_of(x.shape, tuple(COLON if m else s for m, s in zip(masks, args, strict=True)))
    if block is None or len(block.shape) != 2 or is_small(block):
        return None
    part = DeviceArray(slice_node(x, block), x.runtime, x.guarded)
    found = mask_along(part, tuple(s if m else COLON for m, s in zip(masks, args, strict=True)))
    chosen = None if found is None else _masked_write(part, found[0], v)
    return None if chosen is None else assigned(x, block, chosen)


def _write_by_selection(x: Numbers, where: Node, v: DeviceArray) -> Value | None:
    """``x(mask) = v`` for a selection by that mask; None where it cannot be converted as it is."""
    base, pending = numbers_of(x), v.pending
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


def _masked_array(x: Numbers, where: Any, v: Numbers) -> Value | None:
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
    old, new = numbers_of(x), _value_node(v)
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


def _converted(node: Node, dtype: DType) -> Node:
    """What is assigned to elements of a class, in that class. Raises an error for NaN as truth."""
    if dtype is DType.BOOL and node.dtype.is_float:
        capture_session.check_no_nan(node)
    return capture_session.cast(node, dtype)


def _value_node(v: Value) -> Any:
    """The node of a number, which is a parameter, or of an array that may be complex."""
    return Session.runtime.scalar(v) if type(v) is float else numbers_of(v)


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
    """``x`` with a block set to a number, or to as many as it has places.

    Real floats that take complex numbers are complex then, unless all turn out real.
    """
    node, whole = _value_node(v), x.node
    if node is NotImplemented:
        return None
    widened = node.dtype.is_complex and not whole.dtype.is_complex
    if widened:
        if not whole.dtype.is_float:
            return None
        whole = capture_session.cast(whole, whole.dtype.complex)
    node = _in_size(_converted(node, whole.dtype), block.shape)
    if node is None:
        return None
    made = chosen_part(x.runtime, whole, block, node)
    if made is None:
        attrs = (block.steps, block.moves) if block.moves else (block.steps,)
        made = x.runtime.apply("assign", (whole, node), attrs, block.start)
    guarded = widened or x.guarded or (type(v) is DeviceArray and v.guarded)
    return DeviceArray(made, x.runtime, guarded)
