"""Points of resident data in polygons of few corners."""

from __future__ import annotations

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import column, resident
from app.engine.capture.terms import Made, Term
from app.engine.values import Array, DeviceArray, Value, as_array, is_text_scalar, numel

Args = tuple[Value, ...]
MOST_CORNERS = 1024
F64 = DType.F64


def _row(a: Array) -> Term:
    return Term(Session.runtime.leaf(np.asfortranarray(a.reshape(1, -1))))


def inpolygon(args: Args, nargout: int) -> Made:
    """``[in, on] = inpolygon(xq, yq, xv, yv)``: all points beside all edges, as on the host."""
    corners = args[2:]
    small = all(type(v) is not DeviceArray and 0 < numel(v) <= MOST_CORNERS for v in corners)
    found = resident(*args[:2]) if small and not any(map(is_text_scalar, args)) else None
    if found is None or found[0].shape != found[1].shape or numel(corners[0]) != numel(corners[1]):
        return None
    given = [as_array(v) for v in corners]
    if any(a.dtype.kind not in "fiub" or a.size != max(a.shape) for a in given):
        return None
    parts = parts_of_polygon(*(a.ravel().astype(np.float64) for a in given))
    if not parts:
        return None
    bx, by = (np.concatenate([p[k] for p in parts]) for k in (0, 1))
    ax, ay = (np.concatenate([np.roll(p[k], 1) for p in parts]) for k in (0, 1))
    xs, ys = (column(x.cast(F64)) for x in found)
    cross = _row(bx - ax) * (ys - _row(ay)) - _row(by - ay) * (xs - _row(ax))
    within = (xs >= _row(np.minimum(ax, bx))) & (xs <= _row(np.maximum(ax, bx)))
    within = within & (ys >= _row(np.minimum(ay, by))) & (ys <= _row(np.maximum(ay, by)))
    near = abs(cross) <= _row(np.finfo(float).eps * 4 * (abs(bx - ax) + abs(by - ay) + 1))
    on = (within & near).any(1)
    reached = (ys < _row(ay)) ^ (ys < _row(by))
    across = xs < _row(bx - ax) * (ys - _row(ay)) / _row(by - ay) + _row(ax)
    odd = (reached & across).nnz(1).cast(F64).mod(2.0) > 0.0
    shape = found[0].shape
    inside = (odd | on).reshape(shape)
    return (inside, on.reshape(shape)) if nargout > 1 else inside


def parts_of_polygon(x: Array, y: Array) -> list[tuple[Array, Array]]:
    """The corners of parts that NaN separates."""
    breaks = np.flatnonzero(np.isnan(x) | np.isnan(y))
    pieces = np.split(np.arange(x.size), breaks)
    kept = [p[~np.isnan(x[p])] for p in pieces]
    return [(x[p], y[p]) for p in kept if p.size]
