"""Making datetimes and asking them: datetime, NaT, year … second, ymd, conversions."""

from __future__ import annotations

from datetime import datetime as clock
from typing import Any

import numpy as np

from app.engine.builtins import date_fields
from app.engine.builtins.date_patterns import DAYS, MONTHS
from app.engine.builtins.date_text import numbers_of
from app.engine.builtins.datetime_class import DATE, FULL, Datetime, parse_texts, to_utc
from app.engine.builtins.native_arrays import no_conversion
from app.engine.builtins.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    is_string,
    object_array,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "dates"
_OPTIONS = ("inputformat", "format", "timezone", "convertfrom", "pivotyear", "locale", "epoch",
            "tickspersecond")  # fmt: skip
_SECONDS_FROM = {"posixtime": 1e3, "epochtime": 1e3}


def _split(args: tuple[Value, ...]) -> tuple[list[Value], dict[str, Value]]:
    rest, options = list(args), {}
    while len(rest) >= 2 and (is_char(rest[-2]) or is_string(rest[-2])):
        name = text_of(rest[-2]).lower()
        if name not in _OPTIONS:
            break
        options[name] = rest[-1]
        del rest[-2:]
    return rest, options


@builtin("datetime", category=_FAMILY,
         signatures=("t = datetime", "t = datetime('today')", "t = datetime(Y, M, D)",
                     "t = datetime(Y, M, D, H, MI, S)", "t = datetime(text, 'InputFormat', format)",
                     "t = datetime(x, 'ConvertFrom', kind)", "t = datetime(..., 'TimeZone', zone)"),
         cases=("strcmp(char(datetime(2020, 1, 2)), '02-Jan-2020')",
                "datetime(2020, 3, 1) - datetime(2020, 2, 28) == days(2)",
                "year(datetime('2021-05-06')) == 2021",
                "datetime(2020, 1, 1) < datetime(2020, 1, 2)"),
         see=("duration", "datestr", "dateshift", "between"))  # fmt: skip
def datetime_(*args: Value) -> Value:
    """Points in time from numbers, text or the clock.

    They can be compared, subtracted (a duration), shifted by durations, days or calendar
    durations, and sorted. ``Format`` says how they are shown.
    """
    rest, options = _split(args)
    form = text_of(options["format"]) if "format" in options else ""
    zone = text_of(options["timezone"]) if "timezone" in options else ""
    form = "" if form in ("default", "defaultdate") else form
    if not rest:
        return _now(form, zone)
    first = rest[0]
    if isinstance(first, Datetime):
        made = first if not zone else first.set_member(None, "TimeZone", zone)
        assert isinstance(made, Datetime)
        return Datetime(made.data, form or made.form, made.zone)
    if "convertfrom" in options:
        kind = text_of(options["convertfrom"]).lower()
        return _converted(as_array(first).astype(np.float64), kind, form, zone)
    if is_char(first) or is_string(first) or is_cell(first):
        return _from_text(first, options, form, zone)
    return _from_numbers(rest, form, zone)


def _now(form: str, zone: str) -> Datetime:
    t = clock.now().astimezone()
    shift = t.utcoffset()
    local = t.timestamp() * 1e3 + (shift.total_seconds() * 1e3 if shift else 0.0)
    ms = t.timestamp() * 1e3 if zone else local
    return Datetime(np.array([[np.round(ms, 3)]]), form or FULL, zone)


def _from_text(v: Value, options: dict[str, Value], form: str, zone: str) -> Datetime:
    words = {"now": 0, "today": 0, "tomorrow": 1, "yesterday": -1}
    if is_char(v) and text_of(v).lower() in words:
        word = text_of(v).lower()
        now = _now(form, zone)
        if word == "now":
            return now
        day = np.floor(now.serial()) + words[word]
        return Datetime.of_serial(day, form or DATE, zone)
    input_format = text_of(options["inputformat"]) if "inputformat" in options else ""
    pivot = int(as_array(options["pivotyear"]).flat[0]) if "pivotyear" in options else None
    return parse_texts(v, input_format=input_format, form=form, zone=zone, pivot=pivot)


def _converted(a: Array, kind: str, form: str, zone: str) -> Datetime:
    if kind in _SECONDS_FROM:
        return Datetime(a * 1e3, form or FULL, zone)
    if kind == "yyyymmdd":
        year, month, day = np.floor(a / 10000), np.floor(a / 100) % 100, a % 100
        return Datetime.of_serial(date_fields.day_number(year, month, day), form, zone)
    starts = {"datenum": 0.0, "excel": 693960.0, "excel1904": 695422.0,
              "juliandate": -1721058.5, "modifiedjuliandate": 678942.0}  # fmt: skip
    if kind not in starts:
        raise MatlabError("MATLAB:datetime:UnrecognizedConvertFrom", f"Unknown kind '{kind}'.")
    return Datetime.of_serial(a + starts[kind], form or FULL, zone)


def _from_numbers(rest: list[Value], form: str, zone: str) -> Datetime:
    columns = [as_array(v).astype(np.float64) for v in rest]
    if len(columns) == 1:
        if columns[0].size and columns[0].shape[1] not in (3, 6):
            raise no_conversion(rest[0], "datetime")
        columns = list(columns[0].T[:, :, None])
    if len(columns) < 3:
        text = "Numeric inputs must be three or more: year, month, day."
        raise MatlabError("MATLAB:datetime:InvalidNumericData", text)
    if len(columns) == 7:
        columns[5] = columns[5] + columns.pop() / 1e3
    days = date_fields.day_number(*columns[:3])
    clockwise = columns[3:] + [np.zeros((1, 1))] * (6 - len(columns))
    ms = (days - date_fields.EPOCH) * 86400e3
    for part, scale in zip(clockwise, (3600e3, 60e3, 1e3), strict=True):
        ms = ms + part * scale
    shown = form or (FULL if len(columns) > 3 and not np.all(ms % 86400e3 == 0) else "")
    return Datetime(to_utc(np.atleast_2d(ms), zone), shown, zone)


@builtin("NaT", category=_FAMILY, signatures=("t = NaT", "t = NaT(m, n)"), cases=("isnat(NaT)",),
         see=("datetime", "isnat"))  # fmt: skip
def nat(*size: Value) -> Value:
    """Datetimes that are no time."""
    from app.engine.builtins.sizes import shape_of

    return Datetime(np.full(shape_of(size), np.nan))


@builtin("isnat", category=_FAMILY, signatures=("tf = isnat(t)",), cases=("~isnat(datetime)",))
def isnat(t: Value) -> Value:
    """True for datetimes that are no time."""
    return unwrap(np.isnan(_datetime(t).data))


@builtin("isdatetime", category=_FAMILY, signatures=("tf = isdatetime(x)",),
         cases=("isdatetime(NaT)", "~isdatetime(1)"), see=("datetime",))  # fmt: skip
def isdatetime(x: Value) -> Value:
    """True for datetimes."""
    return isinstance(x, Datetime)


def _datetime(v: Value) -> Datetime:
    """Datetimes, from serial date numbers or text if need be."""
    if isinstance(v, Datetime):
        return v
    if is_char(v) or is_string(v) or is_cell(v):
        return parse_texts(v)
    return Datetime.of_serial(numbers_of(v))


def declare_part(name: str, index: int, cases: tuple[str, ...]) -> None:
    """Declare the function that gives one field of datetimes."""

    def call(t: Value, form: Value = "") -> Value:
        times = _datetime(t)
        word = text_of(form).lower()
        if name in ("month", "day") and word in ("name", "shortname", "longname"):
            return _names(times, name, word)
        if name == "day" and word in ("dayofweek", "dayofyear"):
            serial = times.serial()
            if word == "dayofweek":
                return unwrap(date_fields.weekday_of(serial))
            start = date_fields.day_number(times.fields()[0], np.ones(1), np.ones(1))
            return unwrap(np.floor(serial) - start + 1)
        found = times.fields()[index]
        return unwrap(np.where(np.isnan(times.data), np.nan, found))

    builtin(name, category=_FAMILY, signatures=(f"x = {name}(t)",), cases=cases,
            text=f"The {name} of datetimes.", see=("datetime", "ymd", "hms"))(call)  # fmt: skip


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


@builtin("quarter", category=_FAMILY, signatures=("q = quarter(t)",),
         cases=("quarter(datetime(2020, 5, 6)) == 2",), see=("month",))  # fmt: skip
def quarter(t: Value) -> Value:
    """Quarter of the year."""
    return unwrap(np.floor((_datetime(t).fields()[1] + 2) / 3))


@builtin("ymd", category=_FAMILY, signatures=("[y, m, d] = ymd(t)",),
         cases=("ymd(datetime(2020, 5, 6)) == 2020",), see=("hms",))  # fmt: skip
def ymd(t: Value) -> Value:
    """Year, month and day of datetimes."""
    return tuple(unwrap(p) for p in _datetime(t).fields()[:3])


@builtin("timeofday", category=_FAMILY, signatures=("d = timeofday(t)",),
         cases=("timeofday(datetime(2020, 1, 1, 2, 0, 0)) == hours(2)",), see=("hms",))  # fmt: skip
def timeofday(t: Value) -> Value:
    """Time since midnight as a duration."""
    from app.engine.builtins.duration_class import Duration

    return Duration(np.mod(_datetime(t).wall(), 86400e3))


@builtin("posixtime", category=_FAMILY, signatures=("s = posixtime(t)",),
         cases=("posixtime(datetime(1970, 1, 2)) == 86400",), see=("datetime",))  # fmt: skip
def posixtime(t: Value) -> Value:
    """Seconds since 1970."""
    return canonical(_datetime(t).data / 1e3)


@builtin("juliandate", category=_FAMILY, signatures=("d = juliandate(t)",),
         cases=("juliandate(datetime(2000, 1, 1, 12, 0, 0)) == 2451545",))  # fmt: skip
def juliandate(t: Value) -> Value:
    """Julian date: days since noon of 24 November 4714 BC."""
    return canonical(_datetime(t).serial() + 1721058.5)


@builtin("exceltime", category=_FAMILY, signatures=("d = exceltime(t)",),
         cases=("exceltime(datetime(2000, 1, 1)) == 36526",))  # fmt: skip
def exceltime(t: Value) -> Value:
    """Days as Excel counts them from 1900."""
    return canonical(_datetime(t).serial() - 693960)


@builtin("isweekend", category=_FAMILY, signatures=("tf = isweekend(t)",),
         cases=("isweekend(datetime(2020, 1, 4))",), see=("weekday",))  # fmt: skip
def isweekend(t: Value) -> Value:
    """True for Saturdays and Sundays."""
    days = date_fields.weekday_of(_datetime(t).serial())
    return unwrap((days == 1) | (days == 7))


@builtin("isbetween", category=_FAMILY, signatures=("tf = isbetween(t, lower, upper)",),
         cases=("isbetween(datetime(2020, 1, 2), datetime(2020, 1, 1), datetime(2020, 1, 3))",),
         see=("between",))  # fmt: skip
def isbetween(t: Value, lower: Value, upper: Value) -> Value:
    """True where times lie between two others, ends included."""
    low, high = t.accept(lower).data, t.accept(upper).data
    return unwrap((t.data >= low) & (t.data <= high))


@builtin("tzoffset", category=_FAMILY, signatures=("d = tzoffset(t)",),
         cases=("tzoffset(datetime(2020, 1, 1, 'TimeZone', 'UTC')) == hours(0)",))  # fmt: skip
def tzoffset(t: Value) -> Value:
    """How far a time zone is ahead of UTC."""
    from app.engine.builtins.duration_class import Duration

    return Duration(t.wall() - t.data, "hh:mm")


def serial_of(v: Any) -> Array:
    """Serial date numbers of anything that says a date."""
    return _datetime(v).serial()
