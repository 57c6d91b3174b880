"""How many numbers fall into each bin, counted by machine code in one pass."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from app import native
from app.accel.numerics.host_sort import bins_of, even_width

if TYPE_CHECKING:
    from app.accel.numerics.host_sort import Array

LEAST = 1 << 16
"""Elements from which machine code is worth being compiled, or fetched from the disk."""
_BLOCK = 1 << 15
_TEXT = """
define void @count_bins(ptr %x, i64 %n, ptr %edges, i64 %last, double %inverse, ptr %counts) {
entry:
  %low = load double, ptr %edges
  %end = getelementptr double, ptr %edges, i64 %last
  %high = load double, ptr %end
  br label %again
again:
  %i = phi i64 [0, %entry], [%next, %after]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %next = add i64 %i, 1
  %above = fcmp oge double %v, %low
  br i1 %above, label %up, label %after
up:
  %below = fcmp ole double %v, %high
  br i1 %below, label %inside, label %after
inside:
  %far = fsub double %v, %low
  %steps = fmul double %far, %inverse
  %place = fptosi double %steps to i64
  %left = getelementptr double, ptr %edges, i64 %place
  %from = load double, ptr %left
  %right = getelementptr double, ptr %left, i64 1
  %to = load double, ptr %right
  %less = fcmp olt double %v, %from
  %back = sext i1 %less to i64
  %reached = fcmp oge double %v, %to
  %step = zext i1 %reached to i64
  %lower = add i64 %place, %back
  %bin = add i64 %lower, %step
  %four = shl i64 %bin, 2
  %lane = and i64 %i, 3
  %own = or i64 %four, %lane
  %cell = getelementptr i64, ptr %counts, i64 %own
  %old = load i64, ptr %cell
  %new = add i64 %old, 1
  store i64 %new, ptr %cell
  br label %after
after:
  br label %again
done:
  ret void
}
"""
"""Counts as `bins_of` finds bins between even edges, behind which stands infinity.

Each bin has four cells in turn, so that numbers of one bin need not wait for each other; the last
edge has a bin of its own.
"""


def counts_of(x: Array, edges: NDArray[np.float64]) -> NDArray[np.int64]:
    """The number of elements in each bin of `bins_of`; shape (edges - 1,).

    Many numbers between even edges are counted by machine code, with the same result.
    """
    counts, cells = np.zeros(edges.size - 1, np.int64), np.zeros((edges.size, 4), np.int64)
    width = even_width(edges)
    count = _counter() if width is not None and x.size >= LEAST else None
    limits = np.append(edges, np.inf)
    for start in range(0, x.size, _BLOCK):
        block = x[start : start + _BLOCK].astype(np.float64, copy=False)
        if count is None or width is None:
            counts += np.bincount(bins_of(block, edges), minlength=edges.size)[1:]
            continue
        held = np.ascontiguousarray(block)
        count(
            native.address_of(held),
            held.size,
            native.address_of(limits),
            edges.size - 1,
            1 / width,
            native.address_of(cells),
        )
    found: NDArray[np.int64] = cells.sum(axis=1)
    found[-2] += found[-1]
    counts += found[:-1]
    return counts


@cache
def _counter() -> Callable[[int, int, int, int, float, int], None]:
    made = native.compile_assembly(_TEXT, "count_bins")
    number, pointer = ctypes.c_int64, ctypes.c_void_p
    kinds = (pointer, number, pointer, number, ctypes.c_double, pointer)
    found = made.function("count_bins", None, *kinds)
    return cast("Callable[[int, int, int, int, float, int], None]", found)
