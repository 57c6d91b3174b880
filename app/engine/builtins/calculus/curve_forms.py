"""Smooth curves through resident samples, by their slopes there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from app.engine.builtins.calculus.sample_lines import Line
from app.engine.capture.line_systems import dominated_solution
from app.engine.capture.term_arrays import elements_at, rows_taken
from app.engine.capture.terms import Term, cat, where

LEAST = 4
"""Samples from which a curve has pieces of degree three."""
Shares: TypeAlias = tuple[tuple[Term, Term], tuple[Term, Term]]
"""What the values at both ends of an interval, and the slopes there, count at a place."""


def pchip_slopes(width: Term, rise: Term) -> Term:
    """Slopes at the samples of the curve that keeps their shape: see `cubic_pieces`.

    Args:
        width: of the intervals, a column.
        rise: the mean slope of each, a column for every curve.
    """
    count = width.shape[0]
    (near, far), (before, after) = (
        (v.part(0, 0, count - 1), v.part(0, 1, count - 1)) for v in (width, rise)
    )
    first, second = far * 2.0 + near, far + near * 2.0
    mean = (first / before + second / after) / (first + second)
    inner = where(before.sign() * after.sign() > 0.0, 1.0 / mean, 0.0)
    ends = [
        _end_slope(*(v.part(0, k, 1) for v in (width, rise) for k in places))
        for places in ((0, 1), (count - 1, count - 2))
    ]
    return cat(0, ends[0], inner, ends[1])


def _end_slope(near: Term, next_: Term, rise: Term, onward: Term) -> Term:
    """The slope at an end, by three points, unless the curve would turn there."""
    slope = ((near * 2.0 + next_) * rise - near * onward) / (near + next_)
    steep = rise.sign().ne(onward.sign()) & (abs(slope) > abs(rise) * 3.0)
    return where(slope.sign().ne(rise.sign()), 0.0, where(steep, rise * 3.0, slope))


def spline_slopes(width: Term, rise: Term) -> Term:
    """Slopes at four samples or more of the curve whose bends are continuous, the third
    derivatives at the second and the last sample but one, too ("not a knot").

    The ends' equations are put into their neighbours', so that all rows are dominated by their
    diagonal; see `pchip_slopes` for the arguments.
    """
    count = width.shape[0]
    (near, far), (before, after) = (
        (v.part(0, 0, count - 1), v.part(0, 1, count - 1)) for v in (width, rise)
    )
    both = near + far
    right = (far * before + near * after) * 3.0
    own, low, high = both * 2.0, far, near
    begin, end = (
        _end_equation(*(v.part(0, k, 1) for v in (width, rise) for k in places))
        for places in ((0, 1), (count - 1, count - 2))
    )
    last = count - 2
    none = width.part(0, 0, 1) * 0.0
    own = _with_ends(both.part(0, 0, 1), own, both.part(0, last, 1))
    low = cat(0, none, low.part(0, 1, last))
    high = cat(0, high.part(0, 0, last), none)
    right = _with_ends(right.part(0, 0, 1) - begin, right, right.part(0, last, 1) - end)
    inner = dominated_solution(low / own, high / own, right / own)
    first = (begin - both.part(0, 0, 1) * inner.part(0, 0, 1)) / far.part(0, 0, 1)
    final = (end - both.part(0, last, 1) * inner.part(0, last, 1)) / near.part(0, last, 1)
    return cat(0, first, inner, final)


def _with_ends(first: Term, x: Term, last: Term) -> Term:
    """Rows with others in the place of the first and of the last one."""
    inner = (x.part(0, 1, x.shape[0] - 2),) if x.shape[0] > 2 else ()
    return cat(0, first, *inner, last)


def _end_equation(near: Term, next_: Term, rise: Term, onward: Term) -> Term:
    """The right side of an end's equation, ``next_ s0 + (near + next_) s1``."""
    both = near + next_
    return ((near + both * 2.0) * next_ * rise + near * near * onward) / both


SLOPES: dict[str, Callable[[Term, Term], Term]] = {"pchip": pchip_slopes, "spline": spline_slopes}
"""By method."""


def hermite(away: Term, width: Term, value: Term, slopes: tuple[Term, Term], rise: Term) -> Term:
    """The cubic of an interval ``away`` from its begin, where it has a value; it has two slopes at
    its ends, and rises from one to the other."""
    low, high = slopes
    bend = (low + high - rise * 2.0) / width
    cubic, square = bend / width, (rise - low) / width - bend
    return ((cubic * away + square) * away + low) * away + value


def hermite_shares(away: Term, width: Term) -> Shares:
    """The shares of values and of slopes at both ends of an interval, ``away`` from its begin."""
    t = away / width
    rest = 1.0 - t
    values = (1.0 + 2.0 * t) * rest * rest, t * t * (3.0 - 2.0 * t)
    return values, (away * rest * rest, -away * t * rest)


def smooth_values(line: Line, y: Term, method: str, q: Term) -> Term:
    """Values of the curves through the rows of samples, of "pchip" or "spline"."""
    points = line.column()
    width = points.part(0, 1, line.size - 1) - points.part(0, 0, line.size - 1)
    rise = (y.part(0, 1, line.size - 1) - y.part(0, 0, line.size - 1)) / width
    slopes = SLOPES[method](width, rise)
    k = line.interval(q)
    low, high, steep = (rows_taken(v, n) for v, n in ((slopes, k), (slopes, k + 1.0), (rise, k)))
    away = q - elements_at(points, k)
    return hermite(away, elements_at(width, k), rows_taken(y, k), (low, high), steep)
