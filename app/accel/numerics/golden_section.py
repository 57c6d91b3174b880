"""The least value of a function on an interval, step by step as SciPy's bounded search."""

from __future__ import annotations

import math
from collections.abc import Callable

from app.records import record

_SMALL = math.sqrt(2.2e-16)
_GOLDEN = 0.5 * (3.0 - math.sqrt(5.0))
_FOUND, _CALLS, _NAN = (
    "Solution found.",
    "Maximum number of function calls reached.",
    "NaN result encountered.",
)


@record
class Least:
    """Where a search ended: the place, and why."""

    x: float
    message: str

    @property
    def succeeded(self) -> bool:
        """Whether the place is as near as was asked."""
        return self.message == _FOUND


def bounded_minimum(
    function: Callable[[float], float], low: float, high: float, tolerance: float, most_calls: int
) -> Least:
    """Brent's search: golden sections, and parabolas through the three best places.

    The best place is ``x``, the second ``second`` and the one before it ``third``.
    """
    x = second = third = low + _GOLDEN * (high - low)
    value = f_second = f_third = function(x)
    step = before = 0.0
    latest = math.inf
    calls, message = 1, _FOUND
    middle = 0.5 * (low + high)
    near = _SMALL * abs(x) + tolerance / 3.0
    while abs(x - middle) > 2.0 * near - 0.5 * (high - low):
        bend = _parabola(x, second, third, value, f_second, f_third) if abs(before) > near else None
        kept, before = before, step if bend is not None else before
        if bend is not None and _is_inside(*bend, kept, x, low, high):
            step = (bend[0] + 0.0) / bend[1]
            at = x + step
            if at - low < 2.0 * near or high - at < 2.0 * near:
                step = near if middle >= x else -near
        else:
            before = low - x if x >= middle else high - x
            step = _GOLDEN * before
        at = x + (1.0 if step >= 0.0 else -1.0) * max(abs(step), near)
        latest = function(at)
        calls += 1
        if latest <= value:
            low, high = (x, high) if at >= x else (low, x)
            third, f_third, second, f_second, x, value = second, f_second, x, value, at, latest
        else:
            low, high = (at, high) if at < x else (low, at)
            if latest <= f_second or second == x:
                third, f_third, second, f_second = second, f_second, at, latest
            elif latest <= f_third or third in {x, second}:
                third, f_third = at, latest
        middle = 0.5 * (low + high)
        near = _SMALL * abs(x) + tolerance / 3.0
        if calls >= most_calls:
            message = _CALLS
            break
    strange = math.isnan(x) or math.isnan(value) or math.isnan(latest)
    return Least(x, _NAN if strange else message)


def _parabola(
    x: float, second: float, third: float, value: float, f_second: float, f_third: float
) -> tuple[float, float]:
    """The step to the least of the parabola through three places, as a quotient."""
    r = (x - second) * (value - f_third)
    q = (x - third) * (value - f_second)
    p = (x - third) * q - (x - second) * r
    q = 2.0 * (q - r)
    return (-p if q > 0.0 else p), abs(q)


def _is_inside(p: float, q: float, before: float, x: float, low: float, high: float) -> bool:
    """Whether a step is less than half of the one before the last, and stays between the ends."""
    return abs(p) < abs(0.5 * q * before) and q * (low - x) < p < q * (high - x)
