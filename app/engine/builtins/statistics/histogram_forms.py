"""Resident numbers in bins: places by bisection, counts by sorted keys."""

from __future__ import annotations

import math

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.statistics.histogram_edges import edges_for
from app.engine.capture.capture import Session
from app.engine.capture.term_arrays import column, count_before, key_counts, resident
from app.engine.capture.terms import Made, Term, position, where
from app.engine.values import Array, DeviceArray, Value, as_array, is_text_scalar, numel

Args = tuple[Value, ...]


def _edges(v: Value) -> Array | None:
    """Rising edges; those on the device are a few numbers. None for all else."""
    if is_text_scalar(v) or numel(v) < 2:
        return None
    a = as_array(v.gather("needs-host-value: edges") if type(v) is DeviceArray else v)
    edges = a.astype(np.float64).ravel() if a.dtype.kind in "fiub" else np.zeros(0)
    return edges if edges.size > 1 and (np.diff(edges) >= 0).all() else None


def _numbers(*args: Value) -> list[Term] | None:
    """Real arrays as doubles."""
    found = resident(*args)
    return None if found is None else [x.cast(DType.F64) for x in found]


def _bins(x: Term, edges: Array, closed: bool) -> Term:
    """The bin of every number from 1, 0 outside; ``closed``: the last one holds its right edge."""
    line = Term(Session.runtime.leaf(np.asfortranarray(edges.reshape(-1, 1))))
    place = count_before(x, line, True)
    if closed:
        place = where(x.eq(float(edges[-1])), edges.size - 1.0, place)
        return where((place >= float(edges.size)) | x.isnan(), 0.0, place)
    return where((x > float(edges[-1])) | x.isnan(), 0.0, place)


def histc(args: Args, nargout: int) -> Made:
    """``[n, bin] = histc(x, edges, dim)``."""
    edges, found = _edges(args[1]), _numbers(args[0])
    if edges is None or found is None or len(args) > 3 or nargout > 2:
        return None
    x, count = found[0], edges.size
    axis = dimension(args[2]) if len(args) > 2 else first_axis(x.shape)
    if axis >= x.rank:
        return None
    place = _bins(x, edges, closed=False)
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


def histcounts2(args: Args, nargout: int) -> Made:
    """``[N, Xedges, Yedges, binX, binY] = histcounts2(X, Y, Xedges, Yedges)``."""
    edges = [_edges(v) for v in args[2:]]
    found = _numbers(*args[:2]) if len(args) == 4 else None
    if found is None or edges[0] is None or edges[1] is None or found[0].size != found[1].size:
        return None
    bins = [_bins(x, e, closed=True) for x, e in zip(found, edges, strict=True) if e is not None]
    rows, columns = edges[0].size - 1, edges[1].size - 1
    x, y = map(column, bins)
    inside = (x > 0.0) & (y > 0.0)
    keys = where(inside, x + (y - 1.0) * float(rows), 0.0)
    counts = key_counts(keys, rows * columns).reshape((rows, columns))
    lines = [Term(Session.runtime.leaf(e.reshape(1, -1))) for e in edges if e is not None]
    shaped = [b.reshape(found[0].shape) for b in bins]
    made = (counts, *lines, *shaped)
    return made[:nargout] if nargout > 1 else counts


def discretize(args: Args, nargout: int) -> Made:
    """``discretize(X, edges)``."""
    edges = _edges(args[1]) if len(args) == 2 and nargout < 2 else None
    found = _numbers(args[0]) if edges is not None else None
    if found is None or edges is None:
        return None
    edges = edges_for("discretize", np.zeros(0), edges, {})
    place = _bins(found[0], edges, closed=True)
    return where(place.eq(0.0), math.nan, place)
