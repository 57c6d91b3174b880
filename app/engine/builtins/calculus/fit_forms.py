"""Polynomials fitted to resident points."""

from __future__ import annotations

import math

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.term_arrays import column, fetch_terms, resident
from app.engine.capture.terms import Term, cat, constant_array
from app.engine.operators.linear_solves import best_fit
from app.engine.values import Array, Value, numel

MOST_DEGREE = 24
FIT = "needs-host-value: the coefficients of a fit"


def polyfit(args: tuple[Value, ...], nargout: int) -> Array | None:
    """``p = polyfit(x, y, n)`` of many points, by polynomials that are orthogonal on them.

    Their recurrence has two coefficients each (Forsythe, 1957), which are fetched with those of the
    fit; no matrix of powers is made. None where the points hardly determine the polynomial, of
    which the host warns.
    """
    if nargout > 1 or len(args) != 3:
        return None
    x, y, degree = args
    if type(degree) is not float or not 0 <= degree <= MOST_DEGREE or degree % 1:
        return None
    points = numel(x)
    found = resident(x, y) if points == numel(y) and points > degree + 1 else None
    if found is None or not all(part.dtype.is_float for part in found):
        return None
    single = any(part.dtype is DType.F32 for part in found)
    at, rest = (column(part.cast(DType.F64)) for part in found)
    one = constant_array(1 / math.sqrt(points), at.shape)
    lines: list[Term] = [one]
    shares: list[Term] = []
    shifts: list[Term] = []
    norms: list[Term] = []
    for k in range(int(degree) + 1):
        line = lines[-1]
        shares.append((rest * line).sum())
        if k == degree:
            break
        rest = rest - shares[-1] * line
        moved = at * line
        shifts.append((moved * line).sum())
        further = moved - shifts[-1] * line
        further = further - norms[-1] * lines[-2] if norms else further
        norms.append((further * further).sum().root())
        lines.append(further / norms[-1])
    numbers = fetch_terms(cat(0, *shares, *shifts, *norms), cause=FIT)[0].ravel()
    if not np.isfinite(numbers).all():
        return None
    known = np.split(numbers, [len(shares), len(shares) + len(shifts)])
    made, rank, _ = best_fit(_powers(points, *known[1:]), known[0].reshape(-1, 1), points)
    if rank < len(shares):
        return None
    return made.reshape(1, -1).astype(np.float32 if single else np.float64)


def _powers(points: int, shifts: Array, norms: Array) -> Array:
    """Powers of x, the highest first, as sums of the polynomials that are orthogonal on it."""
    times_x = np.diag(norms, 1) + np.diag(norms, -1) + np.diag(np.append(shifts, 0.0))
    columns = [np.append(math.sqrt(points), np.zeros(norms.size))]
    for _ in norms:
        columns.append(times_x @ columns[-1])
    return np.column_stack(columns[::-1])
