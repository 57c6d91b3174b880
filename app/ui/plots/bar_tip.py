"""The bar of a chart or of a histogram that was meant by a click."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.ui.plots.series_arrays import Array, Exported, host_array
from app.ui.plots.tip_numbers import number, on_ruler


@dataclass(frozen=True, slots=True)
class Bars:
    """All bars of a series in data coordinates, as if they stood upright.

    Attributes:
        low: left ends.
        high: right ends.
        foot: where they begin.
        top: where they end.
        lies: whether they lie, so that the two coordinates change places.
    """

    low: Array
    high: Array
    foot: Array
    top: Array
    lies: bool


def bars_of(series: Exported) -> Bars | None:
    """The bars of a series; None where it has none on the host."""
    if series["kind"] == "histogram":
        edges, values = np.array(series["BinEdges"], dtype=float), _numbers(series["Values"])
        if values is None:
            return None
        lies = series["Orientation"] == "horizontal"
        return Bars(edges[:-1], edges[1:], np.zeros(len(values)), values, lies)
    places, tops, feet = (_numbers(series[name]) for name in ("XData", "YData", "YBase"))
    if places is None or tops is None or feet is None:
        return None
    middle, half = places + series["XOffset"], series["XWidth"] / 2
    foot = feet if len(feet) else np.full(len(tops), float(series["BaseValue"]))
    return Bars(middle - half, middle + half, foot, tops, series["Horizontal"])


def _numbers(data: Exported | None) -> Array | None:
    """The elements in order; None of what is on the device."""
    if data is None:
        return np.zeros(0)
    if data["kind"] == "device":
        return None
    return np.asarray(host_array(data).reshape(-1, order="F"), dtype=np.float64)


def gaps_to(bars: Bars, spot: tuple[float, float], logs: tuple[bool, bool]) -> tuple[Array, Array]:
    """How far every bar is from a spot, across and along it, in units of the view: zero inside.

    ``spot`` is given in the view, where a logarithmic axis has exponents.
    """
    across, along = spot[::-1] if bars.lies else spot
    log_across, log_along = logs[::-1] if bars.lies else logs
    low, high = _viewed(bars.low, log_across), _viewed(bars.high, log_across)
    ends = _viewed(bars.foot, log_along), _viewed(bars.top, log_along)
    under, over = np.minimum(*ends), np.maximum(*ends)
    return _beyond(across, low, high), _beyond(along, under, over)


def _viewed(values: Array, log: bool) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(np.log10(values), nan=-np.inf, neginf=-np.inf) if log else values


def _beyond(value: float, low: Array, high: Array) -> Array:
    return np.maximum(np.maximum(low - value, value - high), 0.0)


def told_of(ruler: Exported, series: Exported, bars: Bars, index: int) -> str:
    """What a tip says of one bar: where it stands on its ruler, and its own height."""
    height = number(float(bars.top[index] - bars.foot[index]))
    if series["kind"] == "histogram":
        ends = " to ".join(number(float(end[index])) for end in (bars.low, bars.high))
        return f"Value  {height}\nBin  {ends}"
    place = float((bars.low[index] + bars.high[index]) / 2 - series["XOffset"])
    where = on_ruler(ruler, "Y" if bars.lies else "X", place)
    return f"X  {where}\nY  {height}\n#{index + 1}"
