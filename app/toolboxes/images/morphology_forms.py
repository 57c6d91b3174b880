"""Largest and smallest neighbours in resident images."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.term_arrays import resident
from app.engine.capture.terms import Made, Term, cat, constant_array
from app.engine.values import Array, Struct, Value, as_array, is_text_scalar

Args = tuple[Value, ...]
CLOSING = (True, False)
MOST_CELLS = 49
"""Neighbours that one kernel compares; those of larger rectangles are compared side by side."""


def _border(x: Term, dilate: bool) -> float:
    """What lies beyond an image: never the largest, or the smallest."""
    if x.dtype is DType.BOOL:
        return float(not dilate)
    if x.dtype.is_integer:
        limits = np.iinfo(x.dtype.numpy.str)
        return float(limits.min if dilate else limits.max)
    return -math.inf if dilate else math.inf


def _padded_axis(x: Term, axis: int, before: int, after: int, value: float) -> Term:
    sizes = [tuple(n if k == axis else m for k, m in enumerate(x.shape)) for n in (before, after)]
    parts = [constant_array(value, shape, x.dtype) for shape in sizes if shape[axis]]
    return cat(axis, *(parts[:1] if before else []), x, *(parts[-1:] if after else []))


def _extreme(x: Term, cells: Array, dilate: bool) -> Term:
    """The largest or smallest neighbour of every pixel among the cells."""
    wide = x
    for axis, n in enumerate(cells.shape):
        before = n // 2 if dilate or n % 2 else n // 2 - 1
        if n > 1:
            wide = _padded_axis(wide, axis, before, n - 1 - before, _border(x, dilate))
    found: Term | None = None
    for i, j in zip(*np.nonzero(np.flip(cells) if dilate else cells), strict=True):
        part = wide.part(0, int(i), x.shape[0]).part(1, int(j), x.shape[1])
        found = part if found is None else _better(found, part, dilate)
    assert found is not None
    return found


def _better(a: Term, b: Term, dilate: bool) -> Term:
    if a.dtype is DType.BOOL:
        return a | b if dilate else a & b
    return a.max(b) if dilate else a.min(b)


def _steps(cells: Array) -> list[Array] | None:
    """The cells as neighbourhoods one after the other; None where they are too many."""
    if cells.all() and min(cells.shape) > 1:
        column, row = cells[:, :1], cells[:1]
        return None if max(cells.shape) > MOST_CELLS else [column, row]
    return [cells] if 0 < np.count_nonzero(cells) <= MOST_CELLS else None


def neighbourhood(se: Value) -> Array:
    """Which neighbours a structuring element takes."""
    data = se.fields["Neighborhood"] if isinstance(se, Struct) else se
    return np.asarray(as_array(data) != 0)


def morphology(*ways: bool) -> Callable[[Args, int], Made]:
    """The form of dilations (true) and erosions one after the other."""

    def form(args: Args, nargout: int) -> Made:
        found = None if len(args) != 2 or is_text_scalar(args[1]) else resident(args[0])
        if found is None or found[0].rank > 2:
            return None
        cells = neighbourhood(args[1])
        steps = _steps(cells) if cells.ndim == 2 and nargout < 2 else None
        if steps is None:
            return None
        image = x = found[0]
        around = cells.shape if ways == CLOSING else (0, 0)  # as on the host
        for axis, n in enumerate(around):
            x = _padded_axis(x, axis, n, n, _border(x, True)) if n else x
        for dilate in ways:
            for step in steps:
                x = _extreme(x, step, dilate)
        for axis, n in enumerate(around):
            x = x.part(axis, n, image.shape[axis])
        return x

    return form
