"""Functions that only move elements, on lazy arrays; host arrays stay where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.arguments.shape_rules import permutation, repetitions, reshape_target, squeezed_size
from app.engine.capture.capture_session import Session, cast, lazy_of, leaf, reshape_lazy
from app.engine.values import Array, DeviceArray, Value, as_array, int_of, size_of, trim_shape


def reshape(args: tuple[Value, ...]) -> Value:
    """``reshape``."""
    a = args[0]
    if type(a) is not DeviceArray or len(args) < 2:
        return NotImplemented
    return reshape_lazy(a, reshape_target(a.size, args[1:]))


def squeeze(args: tuple[Value, ...]) -> Value:
    """``squeeze``."""
    a = args[0]
    return reshape_lazy(a, squeezed_size(size_of(a))) if type(a) is DeviceArray else NotImplemented


def permute(args: tuple[Value, ...]) -> Value:
    """``permute``."""
    a = args[0]
    if type(a) is not DeviceArray:
        return NotImplemented
    order = permutation(args[1], len(a.shape))
    return DeviceArray(a.runtime.apply("permute", (a.node,), (order,)), a.runtime, a.guarded)


def repmat(args: tuple[Value, ...]) -> Value:
    """``repmat``."""
    a = args[0]
    if type(a) is not DeviceArray:
        return NotImplemented
    counts = repetitions(args[1:])
    if 0 in counts or 0 in a.shape:
        return NotImplemented
    counts += (1,) * (len(a.shape) - len(counts))
    return DeviceArray(a.runtime.apply("repmat", (a.node,), (counts,)), a.runtime, a.guarded)


SliceData = tuple[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]


def slice_along(
    shape: tuple[int, ...], axis: int, start: int, count: int, step: int = 1
) -> SliceData:
    """Attributes and data of the op ``slice`` for ``count`` slices along an axis in steps."""
    made = tuple(count if k == axis else n for k, n in enumerate(shape))
    steps = tuple(step if k == axis else 1 for k in range(len(shape)))
    starts = tuple(start if k == axis else 0 for k in range(len(shape)))
    return (steps, made), starts


def _slice_along(a: DeviceArray, axis: int, start: int, step: int, count: int) -> DeviceArray:
    """``count`` slices along an axis from ``start`` (from 0) in steps."""
    attrs, data = slice_along(a.shape, axis, start, count, step)
    node = a.runtime.apply("slice", (a.node,), attrs, data)
    return reshape_lazy(DeviceArray(node, a.runtime, a.guarded), attrs[1])


def _float_array(a: Value) -> TypeGuard[DeviceArray]:
    return type(a) is DeviceArray and bool(a.node.dtype.is_float or a.node.dtype.is_complex)


def diff(args: tuple[Value, ...], minus: Callable[[Value, Value], Value]) -> Value:
    """``diff`` of floats and truth values, once or more."""
    a = args[0]
    if type(a) is DeviceArray and a.class_name == "logical":
        a = lazy_of(cast(a.node, DType.F64))
    if not _float_array(a) or len(args) > 3 or any(type(v) is not float for v in args[1:2]):
        return NotImplemented
    axis = dimension(args[2]) if len(args) > 2 else first_axis(a.shape)
    times = int_of(args[1]) if len(args) > 1 else 1
    if axis >= len(a.shape) or a.shape[axis] <= times:
        return NotImplemented
    for _ in range(times):
        assert type(a) is DeviceArray
        count = a.shape[axis] - 1
        a = minus(_slice_along(a, axis, 1, 1, count), _slice_along(a, axis, 0, 1, count))
    return a


def flip(args: tuple[Value, ...]) -> Value:
    """``flip``."""
    a = args[0]
    if type(a) is not DeviceArray:
        return NotImplemented
    return _reversed_along(a, dimension(args[1]) if len(args) > 1 else first_axis(a.shape))


def fliplr(args: tuple[Value, ...]) -> Value:
    """``fliplr``."""
    return _reversed_along(args[0], 1) if type(args[0]) is DeviceArray else NotImplemented


def flipud(args: tuple[Value, ...]) -> Value:
    """``flipud``."""
    return _reversed_along(args[0], 0) if type(args[0]) is DeviceArray else NotImplemented


def _reversed_along(a: DeviceArray, axis: int) -> Value:
    if axis >= len(a.shape):
        return a
    return _slice_along(a, axis, a.shape[axis] - 1, -1, a.shape[axis])


def circshift(args: tuple[Value, ...]) -> Value:
    """``circshift`` along one dimension, or along the first ones by a vector."""
    a = args[0]
    if type(a) is not DeviceArray or 0 in a.shape:
        return NotImplemented
    shifts = [float(k) for k in as_array(args[1]).ravel()]
    if any(k != int(k) for k in shifts) or (len(args) > 2 and len(shifts) > 1):
        return NotImplemented
    if len(args) > 2:
        axes = [dimension(args[2])]
    else:
        axes = [first_axis(a.shape)] if len(shifts) == 1 else list(range(len(shifts)))
    for shift, axis in zip(shifts, axes, strict=True):
        a = _rolled_along(a, axis, int(shift))
    return a


def _rolled_along(a: DeviceArray, axis: int, shift: int) -> DeviceArray:
    extent = a.shape[axis] if axis < len(a.shape) else 1
    shift %= extent
    if not shift:
        return a
    tail, head = (
        _slice_along(a, axis, extent - shift, 1, shift),
        _slice_along(a, axis, 0, 1, extent - shift),
    )
    node = a.runtime.apply("cat", (tail.node, head.node), (axis,))
    return DeviceArray(node, a.runtime, a.guarded)


def spread_line(a: DeviceArray, line: tuple[int, ...], shape: tuple[int, ...]) -> DeviceArray:
    """The elements of a lazy array as a line along one axis, repeated along the others."""
    counts = tuple(n // m for n, m in zip(shape, line, strict=True))
    spread = a.runtime.apply("repmat", (reshape_lazy(a, line).node,), (counts,))
    return DeviceArray(spread, a.runtime, a.guarded)


def spread_rows(data: Array, shape: tuple[int, ...]) -> Value:
    """A small array repeated up to a large size, on the graph; NotImplemented without one."""
    if not Session.is_active or data.dtype.kind not in "fiub" or 0 in shape:
        return NotImplemented
    padded = data.reshape(data.shape + (1,) * (len(shape) - data.ndim), order="F")
    sizes: tuple[int, ...] = padded.shape
    counts = tuple(n // m for n, m in zip(shape, sizes, strict=True))
    trimmed = trim_shape(data.shape)
    if trimmed != data.shape:  # else the leaf of the array itself is found again
        data = data.reshape(trimmed, order="F")
    return lazy_of(Session.runtime.apply("repmat", (leaf(data),), (counts,)))
