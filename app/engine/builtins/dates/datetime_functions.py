"""Making datetimes and asking them: datetime, NaT, year … second, ymd, conversions."""

from __future__ import annotations

import re
from datetime import datetime as clock

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import unknown_option
from app.engine.builtins.arrays.native_arrays import no_conversion
from app.engine.builtins.dates import date_fields
from app.engine.builtins.dates.datetime_class import DATE, FULL, Datetime, format_of, parse_texts
from app.engine.builtins.dates.datetime_parts import as_datetime
from app.engine.builtins.dates.time_zones import to_utc, zone_name
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    float_of,
    int_of,
    is_cell,
    is_char,
    is_string,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "dates"
_OPTIONS = (
    "inputformat",
    "format",
    "timezone",
    "convertfrom",
    "pivotyear",
    "locale",
    "epoch",
    "tickspersecond",
)


def _data_and_options(args: tuple[Value, ...]) -> tuple[list[Value], dict[str, Value]]:
    rest, options = list(args), {}
    while len(rest) >= 2 and (is_char(rest[-2]) or is_string(rest[-2])):
        name = text_of(rest[-2]).lower()
        if name not in _OPTIONS:
            break
        options[name] = rest[-1]
        del rest[-2:]
    return rest, options


@builtin(
    "datetime",
    category=_FAMILY,
    signatures=(
        "t = datetime",
        "t = datetime('today')",
        "t = datetime(Y, M, D)",
        "t = datetime(Y, M, D, H, MI, S)",
        "t = datetime(text, 'InputFormat', format)",
        "t = datetime(x, 'ConvertFrom', kind)",
        "t = datetime(..., 'TimeZone', zone)",
    ),
    cases=(
        "strcmp(char(datetime(2020, 1, 2)), '02-Jan-2020')",
        "datetime(2020, 3, 1) - datetime(2020, 2, 28) == days(2)",
        "year(datetime('2021-05-06')) == 2021",
        "strlength(string(datetime(\"now\", 'Format', 'yyyy'))) == 4",
        "datetime(2020, 1, 1) < datetime(2020, 1, 2)",
    ),
    see=("duration", "datestr", "dateshift", "between"),
)
def datetime_(*args: Value) -> Value:
    """Points in time from numbers, text or the clock.

    They can be compared, subtracted (a duration), shifted by durations, days or calendar
    durations, and sorted. ``Format`` says how they are shown.
    """
    rest, options = _data_and_options(args)
    form = format_of(options["format"]) if "format" in options else ""
    zone = zone_name(text_of(options["timezone"])) if "timezone" in options else ""
    _check_use(options, rest[0] if rest else None)
    if not rest:
        return _current_time(form, zone)
    first = rest[0]
    if isinstance(first, Datetime):
        made = first if not zone else first.set_member(None, "TimeZone", zone)
        assert isinstance(made, Datetime)
        return Datetime(made.data, form or made.form, made.zone)
    if "convertfrom" in options:
        kind = text_of(options["convertfrom"]).lower()
        return _datetime_of_numbers(as_array(first).astype(np.float64), kind, options, form, zone)
    if is_char(first) or is_string(first) or is_cell(first):
        return _from_text(first, options, form, zone)
    stray = next((text_of(v) for v in rest if is_text_scalar(v)), "")
    if stray:
        raise unknown_option("datetime", stray, " ".join(_OPTIONS))
    return _from_numbers(rest, form, zone)


def _check_use(options: dict[str, Value], data: Value | None) -> None:
    """Refuse options that say nothing about what is given."""
    texts = data is not None and (is_char(data) or is_string(data) or is_cell(data))
    for name in ("inputformat", "locale", "pivotyear"):
        if name in options and not texts:
            text = f"The option '{name}' is about texts that are read; none are given."
            raise MatlabError("MATLAB:datetime:OptionWithoutText", text)
    for name in ("epoch", "tickspersecond"):
        if name in options and text_of(options.get("convertfrom", "")).lower() != "epochtime":
            text = f"The option '{name}' needs the option 'ConvertFrom' with 'epochtime'."
            raise MatlabError("MATLAB:datetime:OptionWithoutEpochTime", text)
    if "locale" in options and not re.fullmatch(
        r"en(_[A-Z]{2})?|system", text_of(options["locale"])
    ):
        text = "The names of months are English: the option 'Locale' can be 'en_US'."
        raise MatlabError("MATLAB:datetime:UnsupportedLocale", text)


def _current_time(form: str, zone: str) -> Datetime:
    t = clock.now().astimezone()
    shift = t.utcoffset()
    local = t.timestamp() * 1e3 + (shift.total_seconds() * 1e3 if shift else 0.0)
    ms = t.timestamp() * 1e3 if zone else local
    return Datetime(np.array([[np.round(ms, 3)]]), form or FULL, zone)


def _from_text(v: Value, options: dict[str, Value], form: str, zone: str) -> Datetime:
    words = {"now": 0, "today": 0, "tomorrow": 1, "yesterday": -1}
    word = text_of(v).lower() if is_text_scalar(v) else ""
    if word in words:
        now = _current_time(form, zone)
        if word == "now":
            return now
        day = np.floor(now.serial()) + words[word]
        return Datetime.of_serial(day, form or DATE, zone)
    input_format = format_of(options["inputformat"]) if "inputformat" in options else ""
    pivot = int_of(options["pivotyear"]) if "pivotyear" in options else None
    return parse_texts(v, input_format=input_format, form=form, zone=zone, pivot=pivot)


def _datetime_of_numbers(
    a: Array, kind: str, options: dict[str, Value], form: str, zone: str
) -> Datetime:
    if kind in ("posixtime", "epochtime"):
        ticks = float_of(options.get("tickspersecond", 1.0))
        start = as_datetime(options["epoch"]).data if "epoch" in options else 0.0
        return Datetime(start + a / ticks * 1e3, form or FULL, zone)
    if kind == "yyyymmdd":
        year, month, day = np.floor(a / 10000), np.floor(a / 100) % 100, a % 100
        return Datetime.of_serial(date_fields.day_number(year, month, day), form, zone)
    starts = {
        "datenum": 0.0,
        "excel": 693960.0,
        "excel1904": 695422.0,
        "juliandate": -1721058.5,
        "modifiedjuliandate": 678942.0,
    }
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


@builtin(
    "NaT",
    category=_FAMILY,
    signatures=("t = NaT", "t = NaT(m, n)"),
    cases=("isnat(NaT)",),
    see=("datetime", "isnat"),
)
def nat(*size: Value) -> Value:
    """Datetimes that are no time."""
    from app.engine.arguments.size_arguments import check_room, shape_of

    shape = shape_of(size)
    check_room(shape, np.dtype(float).itemsize)
    return Datetime(stoppable.applied(np.array, np.broadcast_to(np.nan, shape)))


@builtin("isnat", category=_FAMILY, signatures=("tf = isnat(t)",), cases=("~isnat(datetime)",))
def isnat(t: Value) -> Value:
    """True for datetimes that are no time."""
    return unwrap(np.isnan(as_datetime(t).data))


@builtin(
    "isdatetime",
    category=_FAMILY,
    signatures=("tf = isdatetime(x)",),
    cases=("isdatetime(NaT)", "~isdatetime(1)"),
    see=("datetime",),
)
def isdatetime(x: Value) -> Value:
    """True for datetimes."""
    return isinstance(x, Datetime)
