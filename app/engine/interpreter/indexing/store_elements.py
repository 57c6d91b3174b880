"""Writing and deleting elements of one NumPy array by MATLAB subscripts, with growth."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

import numpy as np

from app import memory
from app.engine import stoppable
from app.engine.interpreter.indexing.subscripts import (
    Resolved,
    greatest,
    is_colon,
    merged_shape,
    out_of_bounds,
    resolve,
    subscript_shape,
    whole,
)
from app.engine.values import Array, Value, filled_objects, trim_shape
from app.errors import MatlabError
from app.native import address_of


def put(data: Array, args: tuple[Value, ...], rhs: Array, fill: Any, own: bool) -> Array:
    """``data(args) = rhs``: ``rhs`` has the element type of ``data``; grows with ``fill``."""
    if len(args) == 1:
        return _put_linear(data, args[0], rhs, fill, own)
    if not args:
        raise MatlabError(
            "MATLAB:badsubscript",
            "An indexing expression on the left side of an "
            "assignment must have at least one subscript.",
        )
    return _put_subscripts(data, args, rhs, fill, own)


def enlarged_copy(data: Array, shape: tuple[int, ...], fill: Any) -> Array:
    """A copy of ``data`` enlarged to ``shape``; new elements are ``fill``."""
    memory.require_array(shape, data.dtype.itemsize)
    made = _filled(data, shape, fill)
    if data.size:
        before = made[tuple(slice(0, n) for n in data.shape) + (0,) * (len(shape) - data.ndim)]
        stoppable.of_elements(data.size, partial(np.copyto, before, data))
    return made


def _copied(data: Array) -> Array:
    return stoppable.of_elements(data.size, partial(data.copy, order="F"))


def _filled(like: Array, shape: tuple[int, ...], fill: Any) -> Array:
    """An array of one element, of the type of another one."""
    if like.dtype == object:
        return filled_objects(shape, fill)
    if type(fill) in {int, float, bool} and not fill:  # memory that nobody has touched is zero
        return np.zeros(shape, like.dtype, order="F")
    written = partial(np.full, shape, fill, like.dtype, order="F")
    return stoppable.of_elements(prod(shape), written)


def _longer(data: Array, shape: tuple[int, ...], fill: Any) -> Array:
    """A solely held array enlarged to ``shape``: where only its last dimension grows a little, into
    the room behind it, and with room for what will be appended next."""
    have, want = data.shape[-1], shape[-1]
    if data.shape[:-1] != shape[:-1] or want > have + have // 2 or not data.flags.f_contiguous:
        return enlarged_copy(data, shape, fill)
    room = data.base
    if (
        room is None
        or room.shape[:-1] != shape[:-1]
        or room.shape[-1] < want
        or not (
            room.flags.f_contiguous
            and address_of(room) == address_of(data)
            and room.dtype == data.dtype
        )
    ):
        longer = (*shape[:-1], want + want // 2)
        memory.require_array(longer, data.dtype.itemsize)
        room = np.empty(longer, dtype=data.dtype, order="F")
        room[..., :have] = data
    room[..., have:want].fill(fill)
    return room[..., :want]


def _put_linear(data: Array, sub: Value, rhs: Array, fill: Any, own: bool) -> Array:
    if type(sub) is float and rhs.size == 1 and 1.0 <= sub <= data.size and data.ndim == 2:
        return _put_element(data, whole(sub) - 1, rhs, own)
    if is_colon(sub):
        return _put_all(data, rhs)
    index, count = resolve(sub, data.size, grow=True)
    if rhs.size not in {1, count}:
        raise count_mismatch(subscript_shape(sub, count), rhs.shape, data.size)
    if not count:
        return data
    last = index.stop if isinstance(index, slice) else greatest(index) + 1
    if last > data.size:
        data = enlarged_copy(data, _linear_growth(data.shape, last), fill)
    elif not own:
        data = _copied(data)
    values = rhs.reshape(-1, order="F")
    if data.flags.f_contiguous:
        data.reshape(-1, order="F")[index] = values
    else:
        if isinstance(index, slice):
            index = np.arange(index.start, index.stop)
        data[np.unravel_index(index, data.shape, order="F")] = values
    return data


def _put_element(data: Array, k: int, rhs: Array, own: bool) -> Array:
    """A matrix with its element at a place, from 0, set."""
    if not own:
        data = _copied(data)
    rows = data.shape[0]
    data[(0, k) if rows == 1 else (k % rows, k // rows)] = rhs.reshape(-1)[0]
    return data


def _linear_growth(shape: tuple[int, ...], last: int) -> tuple[int, ...]:
    if len(shape) == 2 and shape[0] < 2:
        return (1, last)
    if len(shape) == 2 and shape[1] == 1:
        return (last, 1)
    text = "Attempt to grow array along ambiguous dimension."
    raise MatlabError("MATLAB:badsubscript", text)


def _put_all(data: Array, rhs: Array) -> Array:
    if rhs.size == 1:
        return _filled(data, data.shape, rhs.reshape(())[()])
    if rhs.size != data.size:
        raise count_mismatch((data.size, 1), rhs.shape, data.size)
    return _copied(rhs.reshape(data.shape, order="F"))


def count_mismatch(left: tuple[int, ...], right: tuple[int, ...], total: int) -> MatlabError:
    """The error when the two sides of an indexed assignment differ in size."""
    text = (
        "Unable to perform assignment because the left and right sides have a different number of "
        "elements."
    )
    return MatlabError("MATLAB:matrix:singleSubscriptNumelMismatch", text)


def shape_mismatch(left: tuple[int, ...], right: tuple[int, ...]) -> MatlabError:
    """The error when ``x(i,j) = rhs`` has the wrong size."""
    text = (
        f"Unable to perform assignment because the size of the left side is {_size_text(left)} and "
        f"the size of the right side is {_size_text(right)}."
    )
    return MatlabError("MATLAB:subsassigndimmismatch", text)


def _size_text(shape: tuple[int, ...]) -> str:
    return "-by-".join(map(str, shape))


def _put_subscripts(
    data: Array, args: tuple[Value, ...], rhs: Array, fill: Any, own: bool
) -> Array:
    count = len(args)
    shape = merged_shape(data.shape, count)
    open_shape = _colon_extents(shape, args, rhs, data.size)
    found = [resolve(s, open_shape[p], p, count, grow=True) for p, s in enumerate(args)]
    counts = tuple(n for _, n in found)
    values = _shaped_for_block(rhs, counts)
    if rhs.size == 0 and values.shape != counts:  # both sides are empty, in different ways
        return data
    indices = [i for i, _ in found]
    grows = all(counts) or all(n or is_colon(s) for n, s in zip(counts, args, strict=True))
    needed = tuple(
        max(extent, _last(i, open_shape[p]) if grows else extent)
        for p, (i, extent) in enumerate(zip(indices, shape, strict=True))
    )
    if needed != shape:
        if len(data.shape) > count:
            raise _folded_growth(needed, shape)
        data = (_longer if own and data.shape == shape else enlarged_copy)(
            data.reshape(shape, order="F"), needed, fill
        )
    elif not own or not (data.shape == needed or data.flags.f_contiguous):
        data = _copied(data)
    if all(counts):
        view = data if data.shape == needed else data.reshape(needed, order="F")
        view[_open_mesh(indices, needed)] = values
    return data if data.ndim == 2 else data.reshape(trim_shape(data.shape), order="F")


def _folded_growth(needed: tuple[int, ...], shape: tuple[int, ...]) -> MatlabError:
    position = next(p for p, (a, b) in enumerate(zip(needed, shape, strict=True)) if a > b)
    if position == len(shape) - 1:
        text = "Attempt to grow array along ambiguous dimension."
        return MatlabError("MATLAB:badsubscript", text)
    return out_of_bounds(shape[position], position, len(shape))


def _last(index: Resolved, extent: int) -> int:
    if isinstance(index, slice):
        return extent if index.stop is None else int(index.stop)
    return greatest(index) + 1 if index.size else 0


def _colon_extents(
    shape: tuple[int, ...], args: tuple[Value, ...], rhs: Array, size: int
) -> tuple[int, ...]:
    """Extents for the colons: those of the right side where the left has none yet."""
    colons = [p for p, sub in enumerate(args) if is_colon(sub)]
    if not colons or size or any(shape[:2]) or max(shape) > 1:
        return shape
    if rhs.size == 1:
        return tuple(max(n, int(p in colons)) for p, n in enumerate(shape))
    if len(colons) == len(args):
        return merged_shape(rhs.shape, len(args))
    open_ = [p for p, sub in enumerate(args) if is_colon(sub) or resolve(sub, 0, grow=True)[1] != 1]
    if len(open_) == rhs.ndim:
        extents = dict(zip(open_, rhs.shape, strict=True))
    else:
        left = [n for n in rhs.shape if n != 1] + [1] * len(colons)
        extents = dict(zip(colons, left, strict=False))
    return tuple(extents[p] if p in colons else n for p, n in enumerate(shape))


def _shaped_for_block(rhs: Array, counts: tuple[int, ...]) -> Array:
    """``rhs`` with the shape of the selected block; singleton dimensions may differ."""
    if rhs.size == 1:
        return rhs.reshape((1,) * len(counts))
    if [n for n in rhs.shape if n != 1] != [n for n in counts if n != 1]:
        if not all(counts) and rhs.size == 0:
            return rhs
        raise shape_mismatch(trim_shape(counts), rhs.shape)
    return rhs.reshape(counts, order="F")


def _open_mesh(indices: list[Resolved], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Indices that select the outer product in NumPy."""
    if sum(not isinstance(i, slice) for i in indices) <= 1:
        return tuple(indices)
    flat = [
        np.arange(*i.indices(n)) if isinstance(i, slice) else i
        for i, n in zip(indices, shape, strict=True)
    ]
    after = range(len(flat) - 1, -1, -1)
    return tuple([i.reshape(-1, *(1,) * n) for i, n in zip(flat, after, strict=True)])


def remove(data: Array, args: tuple[Value, ...]) -> Array:
    """``data(args) = []``."""
    if len(args) == 1:
        return _remove_linear(data, args[0])
    if len(args) == data.ndim == 2 and is_colon(args[0]) != is_colon(args[1]):
        axis = 0 if is_colon(args[1]) else 1
        line = args[axis]
        if type(line) is float:
            return _without_line(data, line, axis)
    shape, held = merged_shape(data.shape, len(args)), data
    if shape != data.shape:
        data = data.reshape(shape, order="F")
    count = len(args)
    found = [resolve(s, shape[p], p, count) for p, s in enumerate(args)]
    partial = [p for p, (i, _) in enumerate(found) if not _covers(i, shape[p])]
    if any(n == 0 and shape[p] for p, (_, n) in enumerate(found)):
        return held
    if len(partial) > 1:
        text = "A null assignment can have only one non-colon index."
        raise MatlabError("MATLAB:subsdeldimmismatch", text)
    axis = partial[0] if partial else _deletion_axis(args)
    index = found[axis][0]
    kept = np.ones(shape[axis], dtype=bool)
    kept[index] = False
    made: Array = np.compress(kept, data, axis=axis)
    return made if made.ndim == 2 else made.reshape(trim_shape(made.shape), order="F")


def _without_line(data: Array, sub: float, axis: int) -> Array:
    """A matrix without one of its rows, along the first axis, or columns."""
    k, rest = whole(sub, axis, 2) - 1, list(data.shape)
    if k >= rest[axis]:
        raise out_of_bounds(rest[axis], axis, 2)
    rest[axis] -= 1
    made: Array = np.empty(rest, data.dtype, order="F")
    if axis:
        made[:, :k], made[:, k:] = data[:, :k], data[:, k + 1 :]
    else:
        made[:k], made[k:] = data[:k], data[k + 1 :]
    return made


def _deletion_axis(args: tuple[Value, ...]) -> int:
    """Everything is selected: a subscript that is no colon names the axis, else the first."""
    return next((p for p, sub in enumerate(args) if not is_colon(sub)), 0)


def _covers(index: Resolved, extent: int) -> bool:
    if isinstance(index, slice):
        return index.start is None or (index.start == 0 and index.stop == extent)
    return bool(np.unique(index).size == extent)


def _remove_linear(data: Array, sub: Value) -> Array:
    if is_colon(sub):
        return np.empty((0, 0), dtype=data.dtype)
    index, count = resolve(sub, data.size)
    if not count:
        return data
    if isinstance(index, slice) and data.ndim == 2 and 1 in data.shape:
        flat = data.reshape(-1, order="F")
        made = np.concatenate((flat[: index.start], flat[index.stop :]))
        return made.reshape((-1, 1) if data.shape[0] != 1 else (1, -1))
    kept = np.ones(data.size, dtype=bool)
    kept[index] = False
    if data.ndim == 2 and data.shape[1] == 1 and data.shape[0] != 1:
        return data[kept]
    return data.reshape(-1, order="F")[kept].reshape(1, -1)
