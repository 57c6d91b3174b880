"""Implicit expansion: dimensions of size one fit any size."""

from __future__ import annotations

from app.engine.values import Array
from app.errors import size_error


def align(x: Array, y: Array) -> tuple[Array, Array]:
    """Operands with equally many dimensions, checked for implicit expansion."""
    if x.shape == y.shape:
        return x, y
    if x.ndim < y.ndim:
        x = x.reshape(x.shape + (1,) * (y.ndim - x.ndim), order="F")
    elif y.ndim < x.ndim:
        y = y.reshape(y.shape + (1,) * (x.ndim - y.ndim), order="F")
    for m, n in zip(x.shape, y.shape, strict=True):
        if m not in (n, 1) and n != 1:
            raise size_error()
    return x, y
