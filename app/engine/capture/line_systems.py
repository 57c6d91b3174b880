"""Linear systems along the first axis whose matrices have three diagonals."""

from __future__ import annotations

from app.engine.capture.term_arrays import shift_along
from app.engine.capture.terms import Term

REACH = 64
"""Rows farther apart than these do not feel each other to the last bit of a double."""


def dominated_solution(low: Term, high: Term, right: Term) -> Term:
    """What solves ``low[k] x[k-1] + x[k] + high[k] x[k+1] = right[k]``, of several right sides.

    Neighbours are eliminated in all rows at once, then the ones two, four, … rows away (parallel
    cyclic reduction, R. Hockney, 1965). Rows in which ``|low| + |high|`` is a half at most, the
    first and the last one aside, forget each other on the way, so that a few steps do.

    Args:
        low: a column, 0 in its first row.
        high: a column, 0 in its last row.
        right: right sides, a column each.
    """
    apart = 1
    while apart < min(REACH, right.shape[0]):
        before, after = (
            [shift_along(x, 0, by, 0.0) for x in (low, high, right)] for by in (apart, -apart)
        )
        own = 1.0 - low * before[1] - high * after[0]
        right = (right - low * before[2] - high * after[2]) / own
        low, high = -low * before[0] / own, -high * after[1] / own
        apart *= 2
    return right
