"""Matrices made of vectors and blocks by a rule, and Laplacians."""

from __future__ import annotations

from app.engine.capture.capture_session import BOOL, F64
from app.engine.capture.term_arrays import elements_at, resident, shift_along
from app.engine.capture.terms import Made, Term, cat, clamp, constant_array, position, where
from app.engine.values import DeviceArray, Value

Args = tuple[Value, ...]


def _vectors(*args: Value) -> list[Term] | None:
    """Real vectors as columns."""
    found = resident(*args)
    if found is None or any(x.size != max(x.shape) for x in found):
        return None
    if len({x.dtype for x in found}) > 1 or found[0].dtype is BOOL:
        return None
    return [x.reshape((x.size, 1)) for x in found]


def toeplitz(args: Args, nargout: int) -> Made:
    """``toeplitz(c, r)``."""
    found = _vectors(*args) if nargout < 2 else None
    if found is None:
        return None
    first, row = found[0], found[-1]
    shape = (first.size, row.size)
    away = position(shape, 1) - position(shape, 0)
    return where(away > 0.0, elements_at(row, away.max(0.0)), elements_at(first, (-away).max(0.0)))


def hankel(args: Args, nargout: int) -> Made:
    """``hankel(c, r)``."""
    found = _vectors(*args) if nargout < 2 else None
    if found is None:
        return None
    first, row = found[0], found[-1]
    shape, last = (first.size, row.size), first.size - 1.0
    place = position(shape, 0) + position(shape, 1)
    inside = elements_at(first, place.min(last))
    beyond = 0.0 if len(found) < 2 else elements_at(row, clamp(place - last, 0.0, row.size - 1.0))
    return where(place <= last, inside, beyond)


def blkdiag(args: Args, nargout: int) -> Made:
    """``blkdiag(A1, A2, …)``."""
    found = resident(*args) if nargout < 2 else None
    if found is None or any(x.rank > 2 or x.dtype is not found[0].dtype for x in found):
        return None
    if found[0].dtype is BOOL:
        return None
    width, column, parts = sum(x.shape[1] for x in found), 0, []
    for x in found:
        rows = x.shape[0]
        around = [
            constant_array(0.0, (rows, n), x.dtype) if n else None
            for n in (column, width - column - x.shape[1])
        ]
        row = [p for p in (around[0], x, around[1]) if p is not None]
        parts.append(cat(1, *row) if len(row) > 1 else x)
        column += x.shape[1]
    return cat(0, *parts) if len(parts) > 1 else parts[0]


def diag(args: Args, nargout: int) -> Made:
    """``diag(v, k)`` of a vector, and other diagonals of a matrix."""
    a = args[0]
    plain = len(args) == 1 and type(a) is DeviceArray and nargout < 2 and len(a.shape) == 2
    if plain and type(a) is DeviceArray and 1 not in a.shape:
        return Term(a.node, a.guarded).diagonal()
    offset = args[1] if len(args) > 1 else 0.0
    found = resident(args[0]) if type(offset) is float and nargout < 2 else None
    if found is None or found[0].rank > 2 or type(offset) is not float or offset % 1:
        return None
    x, k = found[0], int(offset)
    if 1 in x.shape:
        size = x.size + abs(k)
        i, j = position((size, size), 0), position((size, size), 1)
        line = clamp(i.min(j), 0.0, x.size - 1.0)
        on = (j - i).eq(float(k))
        return _zero_outside(on, elements_at(x.reshape((x.size, 1)), line))
    rows, columns = x.shape
    count = min(rows - max(-k, 0), columns - max(k, 0))
    if count < 1:
        return None
    place = position((count, 1), 0) * (rows + 1.0) + float(max(-k, 0) + max(k, 0) * rows)
    return elements_at(x, place)


def _zero_outside(mask: Term, x: Term) -> Term:
    """``x`` where the mask holds, zero elsewhere."""
    return mask & x if x.dtype is BOOL else where(mask, x, 0.0)


def del2(args: Args, nargout: int) -> Made:
    """``del2(U, h)`` with one spacing."""
    step = args[1] if len(args) == 2 else 1.0
    found = resident(args[0]) if len(args) < 3 and type(step) is float else None
    if found is None or type(step) is not float or found[0].dtype.is_integer or nargout > 1:
        return None
    x = found[0].floating()
    x = x if x.dtype.size == 8 else x.cast(F64)
    axes = [k for k, n in enumerate(x.shape) if n > 1]
    total: Term | None = None
    for axis in (k for k in axes if x.shape[k] >= 3):
        part = _second(x, axis, step)
        total = part if total is None else total + part
    if total is None:
        return None
    return total / (2.0 * len(axes)) if len(axes) > 1 else total / 4.0


def _second(x: Term, axis: int, step: float) -> Term:
    """Second differences, continued in a line at the ends."""
    n = x.shape[axis]
    after, here = shift_along(x, axis, -1, 0.0), x
    bend = (after - 2.0 * here + shift_along(x, axis, 1, 0.0)) / (step * step)
    inner = bend.part(axis, 1, n - 2)
    if n == 3:
        return cat(axis, inner, inner, inner)
    first = 2.0 * inner.part(axis, 0, 1) - inner.part(axis, 1, 1)
    last = 2.0 * inner.part(axis, n - 3, 1) - inner.part(axis, n - 4, 1)
    return cat(axis, first, inner, last)
