"""Missing values and outliers of resident numbers: places of neighbours by running extremes."""

from __future__ import annotations

import math

from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.statistics.median_forms import median_of_numbers
from app.engine.capture.term_arrays import (
    column,
    compacted_places,
    resident,
    rows_taken,
    select_by_mask,
    taken_along,
)
from app.engine.capture.terms import Made, Term, clamp, position, where
from app.engine.values import Value, is_text_scalar, text_of

Args = tuple[Value, ...]
_NORMAL_SPREAD = 1.482602218505602
"""The standard deviation of normal numbers over the median of their distances from the middle."""


def _floats(v: Value) -> Term | None:
    found = resident(v)
    return found[0] if found is not None and found[0].dtype.is_float else None


def _nearest_known_places(x: Term, axis: int, *, later: bool) -> Term:
    """The place, from 0, of the nearest number before each element, itself included, or after it;
    -1 or the length where there is none."""
    here = position(x.shape, axis)
    if later:
        return where(x.isnan(), float(x.shape[axis]), here).cummin(axis, True)
    return where(x.isnan(), -1.0, here).cummax(axis)


def _values_at_places(x: Term, axis: int, places: Term) -> Term:
    return taken_along(x, axis, clamp(places, 0.0, x.shape[axis] - 1.0))


def fillmissing(args: Args, nargout: int) -> Made:
    """``[F, TF] = fillmissing(A, 'constant', v | 'previous' | 'next' | 'nearest' | 'linear')``."""
    x = _floats(args[0])
    word = text_of(args[1]).lower() if is_text_scalar(args[1]) else ""
    rest = args[3:] if word == "constant" else args[2:]
    if x is None or nargout > 2 or len(rest) > 1 or any(type(v) is not float for v in rest):
        return None
    axis = dimension(rest[0]) if rest else first_axis(x.shape)
    if axis >= x.rank:
        return None
    missing = x.isnan()
    if word == "constant":
        if len(args) < 3 or type(args[2]) is not float:
            return None
        filled = where(missing, args[2], x)
    elif word in _FILLS:
        filled = where(missing, _FILLS[word](x, axis), x)
    else:
        return None
    return (filled, missing & ~filled.isnan()) if nargout > 1 else filled


def _previous(x: Term, axis: int) -> Term:
    before = _nearest_known_places(x, axis, later=False)
    return where(before < 0.0, math.nan, _values_at_places(x, axis, before))


def _next_known_values(x: Term, axis: int) -> Term:
    after = _nearest_known_places(x, axis, later=True)
    return where(after >= float(x.shape[axis]), math.nan, _values_at_places(x, axis, after))


def _nearest(x: Term, axis: int) -> Term:
    before, after = (_nearest_known_places(x, axis, later=later) for later in (False, True))
    here = position(x.shape, axis)
    is_closer = (here - before < after - here) & (before >= 0.0)
    return _values_at_places(
        x, axis, where(is_closer | (after >= float(x.shape[axis])), before, after)
    )


def _linear(x: Term, axis: int) -> Term:
    """On the line through the numbers around, or through the first or last two."""
    count = float(x.shape[axis])
    before, after = (_nearest_known_places(x, axis, later=later) for later in (False, True))
    second = _values_at_places(after, axis, after + 1.0)  # for what comes before the first number
    last_but_one = _values_at_places(before, axis, before - 1.0)
    no_second = (second >= count) | (after + 1.0 >= count)
    no_last = (last_but_one < 0.0) | (before < 1.0)
    left = where(
        before < 0.0, after, where(after >= count, where(no_last, before, last_but_one), before)
    )
    right = where(
        after >= count, before, where(before < 0.0, where(no_second, after, second), after)
    )
    low, high = _values_at_places(x, axis, left), _values_at_places(x, axis, right)
    width = (right - left).cast(x.dtype)
    away = (position(x.shape, axis) - left).cast(x.dtype)
    slope = (high - low) / where(width.eq(0.0), 1.0, width)
    return where(width.eq(0.0), low, low + slope * away)


_FILLS = {"previous": _previous, "next": _next_known_values, "nearest": _nearest, "linear": _linear}


def rmmissing(args: Args, nargout: int) -> Made:
    """``[R, TF] = rmmissing(A)`` of a vector, or of the rows of a matrix."""
    x = _floats(args[0])
    if x is None or len(args) > 1 or nargout > 2 or x.rank > 2:
        return None
    if 1 in x.shape:
        gone = x.isnan()
        found = select_by_mask(column(~gone), column(x), row=x.shape[0] == 1)
        kept = None if found is None else found[0]
    else:
        gone = x.isnan().any(1)
        places = compacted_places(~gone)
        kept = None if places is None else rows_taken(x, places)
    if kept is None:
        return None
    return (kept, gone) if nargout > 1 else kept


def isoutlier(args: Args, nargout: int) -> Made:
    """``[TF, L, U, C] = isoutlier(A, 'median' | 'mean')``."""
    x = _floats(args[0])
    words = [text_of(v).lower() for v in args[1:] if is_text_scalar(v)]
    rest = args[1 + len(words) :]
    if x is None or len(words) > 1 or len(rest) > 1 or not set(words) <= {"median", "mean"}:
        return None
    if any(type(v) is not float for v in rest) or nargout > 4:
        return None
    axis = dimension(rest[0]) if rest else first_axis(x.shape)
    if axis >= x.rank:
        return None
    if words == ["mean"]:
        centre, reach = _mean_and_reach(x, axis)
    else:
        centre = median_of_numbers(x, axis)
        reach = median_of_numbers(abs(x - centre), axis) * (3.0 * _NORMAL_SPREAD)
    low, high = centre - reach, centre + reach
    return ((x < low) | (x > high), low, high, centre)[: max(nargout, 1)]


def _mean_and_reach(x: Term, axis: int) -> tuple[Term, Term]:
    there = ~x.isnan()
    count = there.cast(x.dtype).sum(axis)
    mean = where(there, x, 0.0).sum(axis) / count
    away = where(there, x - mean, 0.0)
    spread = ((away * away).sum(axis) / where(count > 1.0, count - 1.0, 1.0)).root()
    return mean, spread * 3.0
