"""Parts of datetimes: year … second, ymd, timeofday, posixtime and other counts."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs, unknown_option
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.dates import date_fields
from app.engine.builtins.dates.date_patterns import DAYS, MONTHS
from app.engine.builtins.dates.date_text import numbers_of
from app.engine.builtins.dates.datetime_class import Datetime, datetime_argument, parse_texts
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    Value,
    canonical,
    float_of,
    is_cell,
    is_char,
    is_string,
    object_array,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "dates"


def as_datetime(v: Value) -> Datetime:
    """Datetimes, from serial date numbers or text if need be."""
    if isinstance(v, Datetime):
        return v
    if is_char(v) or is_string(v) or is_cell(v):
        return parse_texts(v)
    return Datetime.of_serial(numbers_of(v))


_KINDS = {
    "year": "gregorian",
    "month": "monthofyear name shortname",
    "day": "dayofmonth dayofweek dayofyear name shortname",
    "hour": "",
    "minute": "",
    "second": "secondofminute secondofday",
}
"""The words for what is counted, for each part."""


def declare_part(name: str, index: int, cases: tuple[str, ...]) -> None:
    """Declare the function that gives one field of datetimes."""

    def call(t: Value, form: Value = "") -> Value:
        times = as_datetime(t)
        word = text_of(form).lower()
        if word not in ("", *_KINDS[name].split()):
            raise unknown_option(name, word, _KINDS[name])
        if name in ("month", "day") and word in (
            "name",
            "shortname",
        ):
            return _names(times, name, word)
        if name == "day" and word in ("dayofweek", "dayofyear"):
            serial = times.serial()
            if word == "dayofweek":
                return unwrap(date_fields.weekday_of(serial))
            start = date_fields.day_number(times.fields()[0], np.ones(1), np.ones(1))
            return unwrap(np.floor(serial) - start + 1)
        if word == "secondofday":
            return unwrap(np.mod(times.wall(), 86400e3) / 1e3)
        found = times.fields()[index]
        return unwrap(np.where(np.isnan(times.data), np.nan, found))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"x = {name}(t)",),
        cases=cases,
        text=f"The {name} of datetimes.",
        see=("datetime", "ymd", "hms"),
    )(call)


def _names(times: Datetime, name: str, word: str) -> Value:
    if name == "month":
        found = [MONTHS[int(m) - 1] for m in times.fields()[1].ravel(order="F")]
    else:
        days = date_fields.weekday_of(times.serial()).ravel(order="F")
        found = [DAYS[int(d) - 1] for d in days]
    short = word == "shortname"
    return Cell(object_array([f[:3] if short else f for f in found], times.shape))


declare_part("year", 0, ("year(datetime(2020, 5, 6)) == 2020",))
declare_part("month", 1, ("month(datetime(2020, 5, 6)) == 5",))
declare_part("day", 2, ("day(datetime(2020, 5, 6)) == 6",))
declare_part("hour", 3, ("hour(datetime(2020, 5, 6, 7, 8, 9)) == 7",))
declare_part("minute", 4, ("minute(datetime(2020, 5, 6, 7, 8, 9)) == 8",))
declare_part("second", 5, ("second(datetime(2020, 5, 6, 7, 8, 9)) == 9",))


@builtin(
    "quarter",
    category=_FAMILY,
    signatures=("q = quarter(t)",),
    cases=("quarter(datetime(2020, 5, 6)) == 2",),
    see=("month",),
)
def quarter(t: Value) -> Value:
    """Quarter of the year."""
    return unwrap(np.floor((as_datetime(t).fields()[1] + 2) / 3))


@builtin(
    "week",
    words="weekofyear weekofmonth iso-weekofyear",
    category=_FAMILY,
    signatures=("w = week(t)", "w = week(t, 'weekofmonth')", "w = week(t, 'iso-weekofyear')"),
    cases=("week(datetime(2024, 1, 10)) == 2", "week(datetime(2024, 1, 31), 'weekofmonth') == 5"),
    see=("weekday", "quarter"),
)
def week(t: Value, kind: Value = "weekofyear") -> Value:
    """Week of the year (weeks begin on Sunday, the first has 1 January), of the month, or ISO's."""
    times, word = as_datetime(t), text_of(kind).lower()
    day, (year, month) = np.floor(times.serial()), times.fields()[:2]
    if word == "iso-weekofyear":
        thursday = day - np.mod(day - 3, 7) + 3
        first = date_fields.day_number(date_fields.civil(thursday)[0], np.ones(1), np.ones(1))
        return unwrap(np.floor((thursday - first) / 7) + 1)
    start = date_fields.day_number(year, month if word == "weekofmonth" else np.ones(1), np.ones(1))
    return unwrap(np.floor((day - start + date_fields.weekday_of(start) - 1) / 7) + 1)


@builtin(
    "yyyymmdd",
    category=_FAMILY,
    signatures=("n = yyyymmdd(t)",),
    cases=("yyyymmdd(datetime(2024, 3, 5)) == 20240305",),
    see=("ymd", "convertTo"),
)
def yyyymmdd(t: Value) -> Value:
    """Year, month and day as the digits of one number."""
    year, month, day = as_datetime(t).fields()[:3]
    return canonical(year * 10000 + month * 100 + day)


@builtin(
    "convertTo",
    category=_FAMILY,
    signatures=("n = convertTo(t, kind)",),
    cases=(
        "convertTo(datetime(1970, 1, 2), 'posixtime') == 86400",
        "convertTo(datetime(2024, 3, 5), 'yyyymmdd') == 20240305",
    ),
    see=("posixtime", "exceltime", "datenum"),
)
def convert_to(ctx: CallContext, t: Value, kind: Value, *options: Value) -> Value:
    """Datetimes as numbers: datenum, posixtime, excel, juliandate, yyyymmdd or epochtime."""
    named = {
        "datenum": "datenum",
        "posixtime": "posixtime",
        "excel": "exceltime",
        "juliandate": "juliandate",
        "yyyymmdd": "yyyymmdd",
    }
    word = text_of(kind).lower()
    if word == "epochtime":
        words = option_pairs("convertTo", options, "Epoch TicksPerSecond")
        start = as_datetime(words["epoch"]).data if "epoch" in words else 0.0
        ticks = float_of(words.get("tickspersecond", 1.0))
        return canonical(np.floor((as_datetime(t).data - start) / 1e3 * ticks).astype(np.int64))
    if word not in named:
        message = f"Unknown kind '{word}': use {', '.join(named)} or epochtime."
        raise MatlabError("MATLAB:datetime:InvalidConversion", message)
    return ctx.call(named[word], (as_datetime(t),), 1)[0]


@builtin(
    "ymd",
    category=_FAMILY,
    signatures=("[y, m, d] = ymd(t)",),
    cases=("ymd(datetime(2020, 5, 6)) == 2020",),
    see=("hms",),
)
def ymd(t: Value) -> Value:
    """Year, month and day of datetimes."""
    return tuple(unwrap(p) for p in as_datetime(t).fields()[:3])


@builtin(
    "timeofday",
    category=_FAMILY,
    signatures=("d = timeofday(t)",),
    cases=("timeofday(datetime(2020, 1, 1, 2, 0, 0)) == hours(2)",),
    see=("hms",),
)
def timeofday(t: Value) -> Value:
    """Time since midnight as a duration."""
    from app.engine.builtins.dates.duration_class import Duration

    return Duration(np.mod(as_datetime(t).wall(), 86400e3))


@builtin(
    "posixtime",
    category=_FAMILY,
    signatures=("s = posixtime(t)",),
    cases=("posixtime(datetime(1970, 1, 2)) == 86400",),
    see=("datetime",),
)
def posixtime(t: Value) -> Value:
    """Seconds since 1970."""
    return canonical(as_datetime(t).data / 1e3)


@builtin(
    "juliandate",
    category=_FAMILY,
    signatures=("d = juliandate(t)",),
    cases=("juliandate(datetime(2000, 1, 1, 12, 0, 0)) == 2451545",),
)
def juliandate(t: Value) -> Value:
    """Julian date: days since noon of 24 November 4714 BC."""
    return canonical(as_datetime(t).serial() + 1721058.5)


@builtin(
    "exceltime",
    category=_FAMILY,
    signatures=("d = exceltime(t)",),
    cases=("exceltime(datetime(2000, 1, 1)) == 36526",),
)
def exceltime(t: Value) -> Value:
    """Days as Excel counts them from 1900."""
    return canonical(as_datetime(t).serial() - 693960)


@builtin(
    "isweekend",
    category=_FAMILY,
    signatures=("tf = isweekend(t)",),
    cases=("isweekend(datetime(2020, 1, 4))",),
    see=("weekday",),
)
def isweekend(t: Value) -> Value:
    """True for Saturdays and Sundays."""
    days = date_fields.weekday_of(as_datetime(t).serial())
    return unwrap((days == 1) | (days == 7))


@builtin(
    "isbetween",
    category=_FAMILY,
    signatures=("tf = isbetween(t, lower, upper)", "tf = isbetween(..., kind)"),
    cases=("isbetween(datetime(2020, 1, 2), datetime(2020, 1, 1), datetime(2020, 1, 3))",),
    see=("between",),
)
def isbetween(t: Value, lower: Value, upper: Value, kind: Value = "closed") -> Value:
    """True where times lie between two others; ends belong to it unless the kind is open,
    openleft or openright."""
    word = text_of(kind).lower()
    if word not in ("closed", "open", "openleft", "openright", "closedleft", "closedright"):
        message = "The kind must be closed, open, openleft or openright."
        raise MatlabError("MATLAB:datetime:InvalidIntervalType", message)
    if not isinstance(t, NativeArray) or not hasattr(t, "form"):
        t = datetime_argument(t, "isbetween")
    low, high = t.accept(lower).data, t.accept(upper).data
    above = t.data > low if word in ("open", "openleft", "closedright") else t.data >= low
    below = t.data < high if word in ("open", "openright", "closedleft") else t.data <= high
    return unwrap(above & below)
