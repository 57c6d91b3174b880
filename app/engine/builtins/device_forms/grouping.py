"""Values by group on the device: sorted by their group, then added up side by side."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture import Session
from app.engine.capture.terms import Term, term, where
from app.engine.values import FunctionHandle, Value, as_array, numel

Args = tuple[Value, ...]
_SUMS = frozenset(("", "sum", "mean", "numel", "length"))
MOST_KEYS = 1 << 30


def accumarray(args: Args, nargout: int) -> Any:
    """``accumarray(ind, data, sz, fun, fillval)`` of sums, means and counts.

    Fetched are only the largest subscripts and whether all are valid; the host says what is wrong.
    """
    subs, fun = term(args[0]), _function(args[3] if len(args) > 3 else None)
    if subs is NotImplemented or subs.guarded or fun not in _SUMS or len(args) > 5 or nargout > 1:
        return NotImplemented
    if subs.rank != 2 or subs.shape[0] < 2 or not subs.shape[1]:
        return NotImplemented
    values = _values(args[1], subs.shape[0])
    if values is NotImplemented:
        return NotImplemented
    shape = _shape(subs, args[2] if len(args) > 2 else None)
    if shape is None or not 0 < math.prod(shape) < MOST_KEYS:
        return NotImplemented
    keys, order = _sorted_keys(subs, shape)
    runtime = Session.runtime
    counts = Term(runtime.apply("segment_count", (keys,), (shape,)))
    if isinstance(values, float):
        sums = counts * values
    else:
        lined = runtime.apply("gather", (values.node, order), ((subs.shape[0], 1),))
        sums = Term(runtime.apply("segment_sum", (keys, lined), (shape,)))
    made = {"mean": lambda: where(counts.eq(0.0), 0.0, sums / counts.cast(sums.dtype))}.get(
        fun, lambda: counts if fun in ("numel", "length") else sums
    )()
    filler = args[4] if len(args) > 4 else None
    if filler is None or not numel(filler) or not float(as_array(filler).flat[0]):
        return made
    return where(counts.eq(0.0), float(as_array(filler).flat[0]), made)


def _function(fun: Value | None) -> str:
    """The name of the function that combines values; "?" for what only the host does."""
    if fun is None or (not isinstance(fun, FunctionHandle) and not numel(fun)):
        return ""
    return fun.name or "?" if isinstance(fun, FunctionHandle) else "?"


def _values(data: Value, count: int) -> Any:
    """One whole number, or a term of as many floats as there are subscripts."""
    if type(data) is float:
        return data if data.is_integer() else NotImplemented
    found = term(data)
    fits = found is not NotImplemented and math.prod(found.shape) == count and not found.guarded
    return found if fits and found.dtype in (DType.F32, DType.F64) else NotImplemented


def _shape(subs: Term, size: Value | None) -> tuple[int, ...] | None:
    """The size of the result; None where a subscript is not valid or beyond it."""
    runtime = Session.runtime
    work = subs.cast(DType.F64)
    wrong = ((work < 1.0) | work.floor().ne(work)).any()
    largest = Term(runtime.apply("amax", (work.node,), ((0,),)))
    cause = "needs-host-value: the largest subscripts"
    runtime.evaluate([wrong.node, largest.node], cause)
    if runtime.gather(wrong.node, cause).item():
        return None
    most = tuple(int(n) for n in np.asarray(runtime.gather(largest.node, cause)).ravel())
    if size is None or not numel(size):
        return (*most, 1) if len(most) == 1 else most
    shape = tuple(int(n) for n in as_array(size).ravel())
    if len(most) == 1:
        most = (*most, 1) if shape[1:] == (1,) or len(shape) < 2 else (1, *most)
    fits = len(shape) == len(most) and all(m <= n for m, n in zip(most, shape, strict=True))
    return shape if fits else None


def _sorted_keys(subs: Term, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """The groups' numbers from 1 in ascending order, and the places from 0 they came from."""
    runtime = Session.runtime
    work = subs.cast(DType.F64)
    linear: Term | None = None
    apart = 1
    extents = shape if subs.shape[1] > 1 else (math.prod(shape),)
    for k, extent in enumerate(extents):
        column = work.part(1, k, 1) if subs.shape[1] > 1 else work
        offset = (column - 1.0) * float(apart)
        linear = offset if linear is None else linear + offset
        apart *= extent
    assert linear is not None
    keys = (linear + 1.0).cast(DType.I32)
    order = Term(runtime.apply("sort_index", (keys.node,), (0, False)))
    places = (order - 1.0).cast(DType.I64)
    return runtime.apply("sort", (keys.node,), (0, False)), places.node
