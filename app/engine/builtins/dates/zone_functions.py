"""Asking about time zones: timezones, isdst, tzoffset."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.arrays.categorical_class import from_texts
from app.engine.builtins.dates.datetime_class import datetime_argument
from app.engine.builtins.dates.duration_class import Duration
from app.engine.builtins.dates.time_zones import known_zones, summer
from app.engine.declarations.registry import builtin
from app.engine.values import Cell, Value, canonical, object_array, text_of, unwrap

_FAMILY = "dates"


@builtin(
    "tzoffset",
    category=_FAMILY,
    signatures=("d = tzoffset(t)",),
    cases=("tzoffset(datetime(2020, 1, 1, 'TimeZone', 'UTC')) == hours(0)",),
)
def tzoffset(t: Value) -> Value:
    """How far a time zone is ahead of UTC."""
    t = datetime_argument(t, "tzoffset")
    return Duration(t.wall() - t.data if t.zone else np.full(t.shape, np.nan), "hh:mm")


@builtin(
    "isdst",
    category=_FAMILY,
    signatures=("tf = isdst(t)",),
    cases=("isdst(datetime(2024, 7, 1, 'TimeZone', 'Europe/Paris'))",),
    see=("tzoffset", "timezones"),
)
def isdst(t: Value) -> Value:
    """True for datetimes at which summer time is kept."""
    t = datetime_argument(t, "isdst")
    flags = [summer(ms, t.zone) for ms in t.data.ravel(order="F").tolist()]
    return unwrap(np.array(flags, dtype=bool).reshape(t.shape, order="F"))


@builtin(
    "timezones",
    category=_FAMILY,
    signatures=("timezones", "T = timezones(area)"),
    cases=("any(strcmp(timezones('Europe').Name, 'Europe/Paris'))",),
    see=("datetime", "tzoffset"),
)
def timezones(ctx: CallContext, area: Value = "", *, nargout: int = 0) -> Value:
    """The time zones, of an area such as Europe if given: hours ahead of UTC and of summer time."""
    wanted = text_of(area).lower()
    rows = [r for r in known_zones() if wanted in ("", "all", r[1].lower())]
    texts = [Cell(object_array([r[k] for r in rows], (len(rows), 1))) for k in (0, 1)]
    numbers = [
        canonical(np.array([r[k] for r in rows], dtype=float).reshape(-1, 1)) for k in (2, 3)
    ]
    columns = (texts[0], from_texts(texts[1], None), *numbers)
    names = Cell(object_array(["Name", "Area", "UTCOffset", "DSTOffset"], (1, 4)))
    made = ctx.call("table", (*columns, "VariableNames", names), 1)[0]
    if nargout:
        return made
    ctx.call("disp", (made,), 0)
    return ()
