"""Resident numbers in bins: places by bisection, counts by sorted keys."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.arrays.histogram_edges import (
    ROUNDINGS,
    Summary,
    edges_by,
    edges_for,
    rising,
)
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import (
    apply_operation,
    column,
    count_before,
    fetch_terms,
    holds,
    key_counts,
    real_term_of,
    resident,
)
from app.engine.capture.terms import Made, Term, position, value_where, where
from app.engine.values import Array, DeviceArray, Value, as_array, is_text_scalar, numel

Args = tuple[Value, ...]
SINGLE_STEP, DOUBLE_STEP = 2.0**-23, 2.0**-52
"""From 1 to the next number."""
MANY = 4096
"""Edges whose way to the host takes longer than to see on the device whether they rise."""


def _edges(v: Value) -> Array | None:
    """Rising edges; those on the device are a few numbers. None for all else."""
    if is_text_scalar(v) or numel(v) < 2:
        return None
    a = as_array(v.gather("needs-host-value: edges") if type(v) is DeviceArray else v)
    if a.dtype.kind not in "fiub" or a.size < 2 or np.isnan(a).any():
        return None
    edges = rising(a.ravel())
    return None if edges is None else edges.astype(np.float64)


def edge_line(edges: Array) -> Term:
    """Edges as a column."""
    return Term(Session.runtime.leaf(np.asfortranarray(edges.reshape(-1, 1))))


def _edge_line(v: Value) -> Term | None:
    """Rising edges as a column (see `rising`); many that are resident stay so."""
    if type(v) is not DeviceArray or numel(v) < MANY:
        edges = _edges(v)
        return None if edges is None else edge_line(edges)
    given = real_term_of(v)
    if given is None or not given.dtype.is_float:
        return None
    line = column(given)
    level = apply_operation("cummax", line, attrs=(0, False))
    slack = abs(level) * (ROUNDINGS / 2 * (SINGLE_STEP if line.dtype is DType.F32 else DOUBLE_STEP))
    fits = line.eq(level) | (level.isfinite() & (level - line <= slack))
    return level.cast(DType.F64) if holds(fits.all(), "do edges rise?") else None


def _numbers(*args: Value) -> list[Term] | None:
    """Real arrays as doubles."""
    found = resident(*args)
    return None if found is None else [x.cast(DType.F64) for x in found]


def bin_places(x: Term, line: Term, closed: bool) -> Term:
    """The bin of every number from 1, 0 outside, by a column of edges; ``closed``: the last one
    holds its right edge."""
    place = count_before(x, line, True)
    last = line.part(0, line.size - 1, 1)
    if closed:
        place = where(x.eq(last), line.size - 1.0, place)
        return where((place >= float(line.size)) | x.isnan(), 0.0, place)
    return where((x > last) | x.isnan(), 0.0, place)


def histc(args: Args, nargout: int) -> Made:
    """``[n, bin] = histc(x, edges, dim)``."""
    edges, found = _edge_line(args[1]), _numbers(args[0])
    if edges is None or found is None or len(args) > 3 or nargout > 2:
        return None
    x, count = found[0], edges.size
    axis = dimension(args[2]) if len(args) > 2 else first_axis(x.shape)
    if axis >= x.rank:
        return None
    place = bin_places(x, edges, closed=False)
    line: Term | None = None
    apart = 1
    for k, extent in enumerate(x.shape):
        if k != axis and extent > 1:
            far = position(x.shape, k) * float(apart * count)
            line = far if line is None else line + far
            apart *= extent
    keys = place if line is None else where(place > 0.0, place + line, 0.0)
    counts = key_counts(keys, count * apart)
    others = [n for k, n in enumerate(x.shape) if k != axis]
    made = counts.reshape((count, *others))
    order = [*range(1, axis + 1), 0, *range(axis + 1, x.rank)]
    made = made.permute(*order) if axis else made
    return (made, place) if nargout > 1 else made


def hist(x: Value, edges_of: Callable[[float, float], Array]) -> Term | None:
    """The counts of every column, a row of bins for each edge but the last; of what is no number
    none. ``edges_of`` chooses edges by the least and the largest number."""
    found = _numbers(x)
    if found is None or found[0].rank > 2:
        return None
    data = found[0]
    low, high = (
        float(part.item())
        for part in fetch_terms(
            data.amin(0, 1), data.amax(0, 1), cause="needs-host-value: where bins begin and end"
        )
    )
    if not math.isfinite(low) or not math.isfinite(high):
        return None
    edges = edges_of(low, high)
    count, columns = edges.size - 1, data.shape[1]
    place = bin_places(data, edge_line(edges), closed=True)
    keys = where(place > 0.0, place + position((1, columns), 1) * float(count), 0.0)
    return key_counts(keys, count * columns).reshape((count, columns))


def histcounts2(args: Args, nargout: int) -> Made:
    """``[N, Xedges, Yedges, binX, binY] = histcounts2(X, Y, Xedges, Yedges)``."""
    found = _numbers(*args[:2]) if len(args) < 5 else None
    if found is None or any(is_text_scalar(v) for v in args[2:]):
        return None
    edges = _edges_of_both(found, args[2:])
    if edges[0] is None or edges[1] is None or found[0].size != found[1].size:
        return None
    bins = [
        bin_places(x, edge_line(e), closed=True)
        for x, e in zip(found, edges, strict=True)
        if e is not None
    ]
    rows, columns = edges[0].size - 1, edges[1].size - 1
    x, y = map(column, bins)
    inside = (x > 0.0) & (y > 0.0)
    keys = where(inside, x + (y - 1.0) * float(rows), 0.0)
    counts = key_counts(keys, rows * columns).reshape((rows, columns))
    lines = [Term(Session.runtime.leaf(e.reshape(1, -1))) for e in edges if e is not None]
    shaped = [b.reshape(found[0].shape) for b in bins]
    made = (counts, *lines, *shaped)
    return made[:nargout] if nargout > 1 else counts


def _edges_of_both(data: list[Term], given: Args) -> list[Array | None]:
    """The edges that are given for two arrays, or chosen by how many bins they are to have."""
    if len(given) == 2 and all(numel(v) > 1 for v in given):
        return [_edges(v) for v in given]
    if any(type(v) is DeviceArray or (len(given) > 1 and numel(v) != 1) for v in given):
        return [None, None]
    counts = [n for v in given for n in as_array(v).astype(np.float64).ravel().tolist()]
    bins = [counts[0], counts[-1]] if counts else [None, None]
    return [
        edges_by("histcounts2", summary_of(x), n, {}, axes=2)
        for x, n in zip(data, bins, strict=True)
    ]


def summary_of(x: Term) -> Summary:
    """The numbers' count, extremes and spread; a handful of numbers is fetched."""
    finite = x.isfinite()
    kept = value_where(finite, x)
    count, axes = finite.nnz(), tuple(range(x.rank))
    away = where(finite, x - where(finite, x, 0.0).sum() / count.cast(x.dtype), 0.0)
    number, low, high, broken, squares = (
        part.item()
        for part in fetch_terms(
            count,
            kept.amin(*axes),
            kept.amax(*axes),
            where(finite, x.round().ne(x), False).any(),
            (away * away).sum(),
            cause="needs-host-value: where bins begin and end",
        )
    )
    spread = math.sqrt(squares / max(number - 1, 1))
    if not number:
        low, high = 0.0, 1.0
    return Summary(int(number), float(low), float(high), not broken, spread)


def discretize(args: Args, nargout: int) -> Made:
    """``discretize(X, edges)``."""
    edges = _edges(args[1]) if len(args) == 2 and nargout < 2 else None
    found = _numbers(args[0]) if edges is not None else None
    if found is None or edges is None:
        return None
    edges = edges_for("discretize", np.zeros(0), edges, {})
    place = bin_places(found[0], edge_line(edges), closed=True)
    return where(place.eq(0.0), math.nan, place)
