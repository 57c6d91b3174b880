"""The canonical form in which every numeric value is kept."""

from __future__ import annotations

from typing import overload

import numpy as np

from app.engine.values.containers import Array, Value

_SMALL = 1 << 14
"""Elements up to which an array is put in column-major order when it is made: operations of arrays
in different orders are slow, and products of the same numbers would differ in their last digits."""
_UNWRAPPED = frozenset(np.dtype(t).num for t in (np.float64, np.bool_, np.complex128))


def trim_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """``shape`` with at least two dimensions and without trailing ones beyond them."""
    n = len(shape)
    while n > 2 and shape[n - 1] == 1:
        n -= 1
    return shape[:n] if n >= 2 else (*shape, 1, 1)[:2]


def canonical(a: Array) -> Value:
    """``a`` as a MATLAB value: 1x1 doubles and logicals unwrapped, complex narrowed to real."""
    shape = a.shape
    if len(shape) != 2:
        trimmed = trim_shape(shape)
        if trimmed != shape:
            a = a.reshape(trimmed, order="F")
    kind = a.dtype.kind
    if kind == "c" and _is_real(a):
        a = np.ascontiguousarray(a.real) if a.size == 1 else a.real.copy(order="K")
    size = a.size
    if size == 1 and a.dtype.num in _UNWRAPPED:
        return a.item()
    if size <= _SMALL and not a.flags.f_contiguous:
        return np.asfortranarray(a)
    return a


def _is_real(a: Array) -> bool:
    """Whether no element of a complex array has an imaginary part."""
    if a.size > 3 and (a.item(1).imag or a.item(3).imag):
        return False  # most that are not show it at once
    return not np.count_nonzero(a.imag)


def in_order(a: Array) -> bool:
    """Whether ``a`` lies in column-major order, or is the transpose of what does.

    What computing with a transpose makes lies by rows, too, but is no view.
    """
    return a.flags.f_contiguous or (a.flags.c_contiguous and a.base is not None)


@overload
def column_major(v: Array) -> Array: ...
@overload
def column_major(v: Value) -> Value: ...
def column_major(v: Value) -> Value:
    """A small array in column-major order, such as a transpose that is going to have a name."""
    if type(v) is np.ndarray and v.size <= _SMALL and not v.flags.f_contiguous:
        return np.asfortranarray(v)
    return v


def unwrap(a: Array) -> Value:
    """Like ``canonical`` for an array known to be real (or to stay complex) and trimmed."""
    if a.size == 1 and a.dtype.num in _UNWRAPPED:
        return a.item()
    return a
