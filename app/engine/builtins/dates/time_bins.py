"""Datetimes and durations in functions of numbers: bins, counts and interpolation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.arrays.categorical_class import Categorical
from app.engine.builtins.arrays.histogram_edges import bin_names
from app.engine.builtins.arrays.native_arrays import NativeArray, native_array
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
)

_PARTS = {"dayofweek": "weekday", "monthofyear": "month", "hourofday": "hour", "dayofmonth": "day"}
_FORMS = {
    "second": "dd-MMM-yyyy HH:mm:ss",
    "minute": "dd-MMM-yyyy HH:mm",
    "hour": "dd-MMM-yyyy HH:00",
    "day": "dd-MMM-yyyy",
    "month": "MMM-yyyy",
    "quarter": "QQQ yyyy",
    "year": "yyyy",
}


def _number_or_word(v: Value) -> Value:
    if isinstance(v, NativeArray):
        return canonical(v.data)
    word = text_of(v).lower() if is_text_scalar(v) else ""
    return {"omitnat": "omitnan", "includenat": "includenan"}.get(word, v)


def plain(args: tuple[Value, ...]) -> tuple[Value, ...]:
    """Arguments for a function of numbers: times by their numbers, words of NaT as those of NaN."""
    return tuple(map(_number_or_word, args))


def by_numbers(name: str, like: int | None) -> Callable[..., tuple[Value, ...]]:
    """The method that calls a function of numbers; its first output is of the kind of argument
    ``like``, where that is a time."""

    def method(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> tuple[Value, ...]:
        found = ctx.call(name, plain(args), max(nargout, 1))
        kind = args[like] if like is not None and len(args) > like else None
        first = kind.like(as_array(found[0])) if isinstance(kind, NativeArray) else found[0]
        return (first, *found[1:])

    return method


def counted(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """``histcounts``: edges are times, too."""
    words = [text_of(a).lower() if is_text_scalar(a) else "" for a in args]
    at = words.index("binmethod") + 1 if "binmethod" in words else len(words)
    unit = words[at] if at < len(words) else "auto"
    if unit != "auto":
        place, edges, _ = _by_unit(ctx, args[0], unit)
        known = place[np.isfinite(place)].astype(int)
        counts = np.bincount(known, minlength=edges.data.size)[1:].astype(float)
        return canonical(counts.reshape(1, -1)), edges, canonical(place)
    found = ctx.call("histcounts", plain(args), 3)
    return (found[0], native_array(args[0]).like(as_array(found[1])), found[2])


def discretized(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """``discretize`` by edges, by a number of bins, or by a unit of time."""
    x, rule, *rest = native_array(args[0]), *args[1:]
    words = [text_of(a).lower() for a in rest if is_text_scalar(a)]
    if is_text_scalar(rule):
        place, edges, names = _by_unit(ctx, x, text_of(rule).lower())
    else:
        found = ctx.call("discretize", (_number_or_word(x), _number_or_word(rule)), 2)
        place, edges = as_array(found[0]), x.like(as_array(found[1]))
        names = bin_names([t or "" for t in edges.texts()])
    if "categorical" in words:
        return Categorical(place, names, ordinal=True), edges
    return canonical(place), edges


def _by_unit(ctx: CallContext, x: Any, unit: str) -> tuple[Array, Any, list[str]]:
    """Bins of a unit of time: from the first to the last, or the places within a larger unit."""
    if unit in _PARTS:
        place = as_array(ctx.call(_PARTS[unit], (x,), 1)[0])
        top = int(np.nanmax(place, initial=1))
        return (
            place + (unit == "hourofday"),
            x,
            [str(k - (unit == "hourofday")) for k in range(1, top + 2)],
        )
    start = _shifted(ctx, x, unit)
    flat = start.data[np.isfinite(start.data)]
    first, last = start.like(np.array([[flat.min()]])), start.like(np.array([[flat.max()]]))
    every = [first]
    while every[-1].data.flat[0] <= last.data.flat[0]:
        every.append(_shifted(ctx, every[-1], unit, 1.0))
    edges = x.like(np.array([[float(e.data.flat[0]) for e in every]]))
    place = np.searchsorted(edges.data.ravel(), x.data, side="right").astype(np.float64)
    place = np.where(np.isfinite(x.data), place, np.nan)
    form = _FORMS.get(unit)
    names = [t or "" for t in (edges.rendered(form) if form else edges.texts())][:-1]
    return place, edges, names if form else bin_names([t or "" for t in edges.texts()])


def _shifted(ctx: CallContext, x: NativeArray, unit: str, *steps: float) -> NativeArray:
    """The starts of the units of time that ``x`` is in, or of some later."""
    found = ctx.call("dateshift", (x, "start", unit, *steps), 1)[0]
    assert isinstance(found, NativeArray)
    return found


def time_methods() -> dict[str, Callable[..., Value]]:
    """Functions of numbers that also take times."""
    return {"interp1": _interpolated_times, "discretize": discretized, "histcounts": counted}


def _interpolated_times(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """``interp1``: places, values or both may be times."""
    three = len([a for a in args if not is_text_scalar(a)]) > 2
    (found,) = by_numbers("interp1", 1 if three else 0)(ctx, args, 1)
    return found if numel(args[0]) else args[0]
