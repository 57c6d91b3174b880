"""Where axes begin and end, and where their ticks stand."""

from __future__ import annotations

import math
from collections.abc import Iterable

Limits = tuple[float, float]
RADIUS_INTERVALS = 5
"""Radii of polar axes are cut into so many pieces."""
_SPREAD = 1e-10


def nice_step(span: float, intervals: int) -> float:
    """The smallest of 1, 2, 5 times a power of ten that cuts ``span`` into few enough pieces."""
    if not (span > 0 and math.isfinite(span)):
        return 1.0
    power = 10.0 ** math.floor(math.log10(span / intervals))
    steps = (factor * power for factor in (1, 2, 5, 10, 20))
    return next((step for step in steps if span / step <= intervals * (1 + _SPREAD)), 20 * power)


def _aligned_limits(low: float, high: float, step: float) -> Limits:
    """Whole multiples of ``step`` around ``low`` and ``high``."""
    first = math.floor(low / step + _SPREAD)
    last = math.ceil(high / step - _SPREAD)
    return multiple(first, step), multiple(last, step)


def multiple(count: int, step: float) -> float:
    """``count`` steps, without the noise of the product's last digits."""
    return round(count * step, 12 - math.floor(math.log10(step)))


def widened_limits(low: float, high: float) -> Limits:
    """Limits around a single value."""
    if low < high:
        return low, high
    return low - 1, high + 1


def linear_limits(low: float, high: float, intervals: int = 10) -> Limits:
    """Tick-aligned limits around data from ``low`` to ``high``."""
    low, high = widened_limits(low, high)
    step = nice_step(high - low, intervals)
    found = _aligned_limits(low, high, step)
    while round((found[1] - found[0]) / step) > intervals:
        step = nice_step(step * intervals * 1.01, intervals)
        found = _aligned_limits(low, high, step)
    return found


def log_limits(low: float, high: float) -> Limits:
    """Whole decades around positive data from ``low`` to ``high``."""
    first = math.floor(math.log10(low) + _SPREAD)
    last = math.ceil(math.log10(high) - _SPREAD)
    return 10.0**first, 10.0 ** (last if last > first else first + 1)


def auto_limits(
    extents: Iterable[Limits | None], *, log: bool = False, intervals: int = 10
) -> Limits:
    """Limits that hold all ``extents``; (0, 1) around nothing."""
    known = [extent for extent in extents if extent is not None]
    if not known:
        return (0.1, 1.0) if log else (0.0, 1.0)
    low = min(extent[0] for extent in known)
    high = max(extent[1] for extent in known)
    return log_limits(low, high) if log else linear_limits(low, high, intervals)


def tight_limits(extents: Iterable[Limits | None]) -> Limits:
    """The limits of the data itself; (0, 1) around nothing."""
    known = [extent for extent in extents if extent is not None]
    if not known:
        return 0.0, 1.0
    return widened_limits(min(extent[0] for extent in known), max(extent[1] for extent in known))


def linear_ticks(limits: Limits, intervals: int = 10) -> list[float]:
    """Ticks at whole multiples of a nice step inside ``limits``."""
    low, high = limits
    step = nice_step(high - low, max(1, intervals))
    first, last = math.ceil(low / step - _SPREAD), math.floor(high / step + _SPREAD)
    return [multiple(index, step) for index in range(first, last + 1)]


def enough_ticks(limits: Limits, intervals: int) -> list[float]:
    """Ticks for about that many intervals, but never fewer than three."""
    for finer in range(4):
        found = linear_ticks(limits, intervals + finer)
        if len(found) >= 3:
            return found
    return linear_ticks(limits, 10)


def log_ticks(limits: Limits, intervals: int = 10) -> list[float]:
    """Ticks at whole decades inside ``limits``, thinned to about ``intervals``."""
    low, high = limits
    if not 0 < low < high:
        return []
    first, last = math.ceil(math.log10(low) - _SPREAD), math.floor(math.log10(high) + _SPREAD)
    stride = max(1, math.ceil((last - first) / max(1, intervals)))
    return [10.0**power for power in range(first, last + 1, stride)]


def minor_log_ticks(limits: Limits) -> list[float]:
    """The ticks 2 to 9 of every decade inside ``limits``."""
    low, high = limits
    if not 0 < low < high:
        return []
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)))
    marks = (digit * 10.0**power for power in powers for digit in range(2, 10))
    return [mark for mark in marks if low <= mark <= high]


def tick_label(value: float) -> str:
    """A tick's text, as short as it can be."""
    return f"{value:.6g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
