"""Times as subscripts of a timetable's rows: timerange, withtol, and whether ranges overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.arrays.native_arrays import NativeArray, native_array
from app.engine.builtins.containers.table_class import table_argument
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Array,
    NativeObject,
    Value,
    is_char,
    is_string,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "tables"


@native_type
class TimeRange(NativeObject):
    """A range of times as a subscript of a timetable's rows.

    Attributes:
        low: where it begins.
        high: where it ends.
        kind: which ends belong to it.
    """

    class_name = "timerange"

    def __init__(self, low: Value, high: Value, kind: str) -> None:
        self.low, self.high, self.kind = low, high, kind

    def rows(self, times: Any) -> Array:
        """0-based rows whose times lie in the range."""
        t = times.data.ravel(order="F")
        low, high = (self.edge(times, v) for v in (self.low, self.high))
        above = t > low if self.kind in ("open", "openleft", "closedright") else t >= low
        below = t <= high if self.kind in ("closed", "closedright", "openleft") else t < high
        return np.flatnonzero(above & below)

    @staticmethod
    def edge(times: Any, v: Value) -> float:
        """An end as a number beside those of the times."""
        ends = [v] if isinstance(v, float) else times.accept(v).data.ravel().tolist()
        if len(ends) != 1:
            text = "An end of a range of times must be one time."
            raise MatlabError("MATLAB:timerange:InvalidLimit", text)
        return float(ends[0])

    def show(self, name: str, style: Any) -> str:
        """The two ends."""
        ends = [
            v.texts()[0] if isinstance(v, NativeObject) and hasattr(v, "texts") else str(v)
            for v in (self.low, self.high)
        ]
        left = "(" if self.kind in ("open", "openleft", "closedright") else "["
        right = "]" if self.kind in ("closed", "closedright", "openleft") else ")"
        return f"  timetable row subscript:\n\n    {left}{ends[0]}, {ends[1]}{right}\n"


@builtin(
    "timerange",
    category=_FAMILY,
    signatures=(
        "S = timerange(start, end)",
        "S = timerange(start, end, kind)",
        "S = timerange(start, unit)",
    ),
    cases=(
        "T = timetable(hours(1:4)', (1:4)'); "
        "isequal(T(timerange(hours(2), hours(4)), :).Var1, [2; 3])",
    ),
    see=("timetable", "isbetween"),
)
def timerange(ctx: CallContext, start: Value, end: Value, kind: Value = "openright") -> Value:
    """Rows of a timetable from a time on, before another; kinds: openright, closed, open, openleft.

    With a unit such as 'month' in place of the end: the unit that the start lies in.
    """
    word = text_of(kind).lower()
    word = {"closedleft": "openright", "closedright": "openleft"}.get(word, word)
    if word not in ("open", "closed", "openleft", "openright"):
        message = "The kind must be open, closed, openleft or openright."
        raise MatlabError("MATLAB:timerange:InvalidIntervalType", message)
    units = ("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds")
    unit = text_of(end).lower() if is_char(end) or is_string(end) else ""
    if unit in units or f"{unit}s" in units:
        at = ctx.call("datetime", (start,), 1)[0] if is_char(start) or is_string(start) else start
        single = unit.removesuffix("s")
        ends = [ctx.call("dateshift", (at, "start", single, k), 1)[0] for k in (0.0, 1.0)]
        return TimeRange(ends[0], ends[1], "openright")
    return TimeRange(start, end, word)


@native_type
class Tolerance(NativeObject):
    """Times within a distance as a subscript of a timetable's rows.

    Attributes:
        times: the times that are wanted.
        reach: how far from them a row may be.
    """

    class_name = "withtol"

    def __init__(self, times: Value, reach: NativeArray) -> None:
        self.times, self.reach = times, reach

    def rows(self, times: Any) -> Array:
        """0-based rows near any of the times, in the order of those."""
        held = times.data.ravel(order="F")
        wanted = times.accept(self.times).data.ravel(order="F")
        reach = float(self.reach.data.flat[0])
        found = [np.flatnonzero(np.abs(held - w) <= reach) for w in wanted]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


@builtin(
    "withtol",
    category=_FAMILY,
    signatures=("S = withtol(times, tolerance)",),
    cases=(
        "T = timetable(hours(1:4)', (1:4)'); "
        "isequal(T(withtol(hours(2.1), minutes(10)), :).Var1, 2)",
    ),
    see=("timerange", "timetable"),
)
def withtol(times: Value, tolerance: Value) -> Value:
    """Rows of a timetable whose times are within a tolerance of given times."""
    if getattr(tolerance, "class_name", "") != "duration":
        text = "The tolerance must be a duration."
        raise MatlabError("MATLAB:withtol:InvalidTolerance", text)
    return Tolerance(times, native_array(tolerance))


def _ends(t: Any, what: Value) -> tuple[Array, float, float, Array]:
    """Times of rows, the ends of a range or the times of another, and the rows in it."""
    if t.times is None:
        text = "Expected a timetable: rows of a table have no times. Make one with table2timetable."
        raise MatlabError("MATLAB:timetable:RowTimesNeeded", text)
    held = t.times.data.ravel(order="F")
    if isinstance(what, TimeRange):
        low, high = (what.edge(t.times, v) for v in (what.low, what.high))
        return held, low, high, what.rows(t.times)
    other = t.times.accept(getattr(what, "times", what)).data.ravel(order="F")
    low, high = float(np.nanmin(other)), float(np.nanmax(other))
    return held, low, high, np.flatnonzero((held >= low) & (held <= high))


def _answer(tf: bool, t: Any, rows: Array) -> Value:
    flags = np.zeros((t.height, 1), dtype=bool)
    flags[rows] = tf
    return tf, unwrap(flags)


@builtin(
    "overlapsrange",
    category=_FAMILY,
    signatures=("[tf, rows] = overlapsrange(TT, range)",),
    cases=("overlapsrange(timetable(hours(1:4)', (1:4)'), timerange(hours(3), hours(9)))",),
    see=("containsrange", "withinrange", "timerange"),
)
def overlapsrange(t: Value, what: Value) -> Value:
    """Whether the times of a timetable and a range, times or another timetable overlap."""
    t = table_argument(t, "overlapsrange")
    held, low, high, rows = _ends(t, what)
    return _answer(bool(held.min() <= high and low <= held.max()), t, rows)


@builtin(
    "containsrange",
    category=_FAMILY,
    signatures=("[tf, rows] = containsrange(TT, range)",),
    cases=("containsrange(timetable(hours(1:4)', (1:4)'), timerange(hours(2), hours(3)))",),
    see=("overlapsrange", "withinrange", "timerange"),
)
def containsrange(t: Value, what: Value) -> Value:
    """Whether a range, times or another timetable lie within the times of a timetable."""
    t = table_argument(t, "containsrange")
    held, low, high, rows = _ends(t, what)
    return _answer(bool(held.min() <= low and high <= held.max()), t, rows)


@builtin(
    "withinrange",
    category=_FAMILY,
    signatures=("[tf, rows] = withinrange(TT, range)",),
    cases=("withinrange(timetable(hours(1:4)', (1:4)'), timerange(hours(0), hours(9)))",),
    see=("overlapsrange", "containsrange", "timerange"),
)
def withinrange(t: Value, what: Value) -> Value:
    """Whether all times of a timetable lie within a range, times or another timetable."""
    t = table_argument(t, "withinrange")
    rows = _ends(t, what)[3]
    return _answer(len(rows) == t.height, t, rows)
