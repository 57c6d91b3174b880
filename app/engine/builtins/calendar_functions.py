"""The calendar: date, weekday, eomday, addtodate, calendar, leap years, strftime and its kin."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import numpy as np

from app.engine.builtins import date_fields
from app.engine.builtins.date_patterns import DAYS
from app.engine.builtins.date_text import numbers_of, text_of_number
from app.engine.builtins.number_text import char_rows
from app.engine.builtins.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "time"


@builtin("date", category=_FAMILY, signatures=("text = date",), cases=("numel(date) == 11",),
         see=("datestr", "clock"))  # fmt: skip
def date() -> Value:
    """Today as text: dd-mmm-yyyy."""
    return datetime.now().astimezone().strftime("%d-%b-%Y")


@builtin("eomday", category=_FAMILY, signatures=("d = eomday(Y, M)",),
         cases=("eomday(2020, 2) == 29",), see=("calendar",))  # fmt: skip
def eomday(year: Value, month: Value) -> Value:
    """Last day of a month."""
    y, m = np.broadcast_arrays(as_array(year), as_array(month))
    return unwrap(date_fields.month_days(y, m))


@builtin("is_leap_year", category=_FAMILY, signatures=("tf = is_leap_year(Y)",),
         cases=("is_leap_year(2000)", "~is_leap_year(1900)"))  # fmt: skip
def is_leap_year(year: Value = None) -> Value:
    """True for leap years (Octave's)."""
    y = as_array(year) if year is not None else np.array([[datetime.now().astimezone().year]])
    return unwrap(date_fields.is_leap(y))


@builtin("weekday", category=_FAMILY,
         signatures=("n = weekday(d)", "[n, name] = weekday(d, 'long')"),
         cases=("weekday(738000) == 3",), see=("datestr", "calendar"))  # fmt: skip
def weekday(day: Value, form: Value = "short", *more: Value) -> Value:
    """Day of the week, 1 for Sunday, and its name."""
    numbers = date_fields.weekday_of(numbers_of(day))
    long = any(text_of(w).lower() == "long" for w in (form, *more))
    names = [DAYS[int(k) - 1] for k in numbers.ravel(order="F")]
    return canonical(numbers), char_rows([n if long else n[:3] for n in names])


@builtin("addtodate", category=_FAMILY, signatures=("n = addtodate(d, q, unit)",),
         cases=("addtodate(730486, 1, 'month') == 730517",), see=("datenum",))  # fmt: skip
def addtodate(day: Value, quantity: Value, unit: Value) -> Value:
    """A date changed by years, months, days, hours, minutes, seconds or milliseconds."""
    d, q = np.broadcast_arrays(np.asarray(as_array(day), dtype=float), as_array(quantity))
    word = text_of(unit)
    if word in ("year", "month"):
        return canonical(date_fields.add_months(d, q * (12 if word == "year" else 1)))
    days = {"day": 1.0, "hour": 24.0, "minute": 1440.0, "second": 86400.0, "millisecond": 86400e3}
    if word not in days:
        raise MatlabError("MATLAB:addtodate:InvalidUnit", f"Unknown unit '{word}'.")
    return canonical(d + q / days[word])


@builtin("calendar", category=_FAMILY,
         signatures=("calendar", "c = calendar(d)", "c = calendar(y, m)"),
         cases=("isequal(size(calendar(2020, 1)), [6 7])",), see=("eomday",))  # fmt: skip
def calendar(ctx: Any, *when: Value, nargout: int = 0) -> Value:
    """The days of a month as a 6-by-7 matrix, weeks beginning on Sunday."""
    if len(when) == 2:
        year, month = (float(as_array(w).flat[0]) for w in when)
    else:
        number = numbers_of(when[0]) if when else np.array([[datetime.now().toordinal() + 366.0]])  # noqa: DTZ005
        parts = date_fields.parts_of(number)
        year, month = float(parts[0].flat[0]), float(parts[1].flat[0])
    table = _month_table(year, month)
    if nargout:
        return table
    first = date_fields.day_number(np.array(year), np.array(month), np.array(1.0))
    head = text_of_number(float(first), "mmm yyyy")
    rows = ["".join(f"{int(d):6d}" for d in row) for row in table]
    names = "".join(f"{n[:3]:>6s}" for n in DAYS)
    ctx.write("\n".join([head.center(42).rstrip(), names, *rows]) + "\n")
    return ()


def _month_table(year: float, month: float) -> Array:
    y, m = np.array(year), np.array(month)
    first = int(date_fields.weekday_of(date_fields.day_number(y, m, np.array(1.0)))) - 1
    last = int(date_fields.month_days(y, m))
    cells = np.zeros(42)
    cells[first : first + last] = np.arange(1, last + 1)
    return cells.reshape(6, 7)


# --- the C library's (Octave) -------------------------------------------------------------------


def _tm(t: time.struct_time, fraction: float) -> Struct:
    return Struct({
        "usec": float(int(fraction * 1e6)), "sec": float(t.tm_sec), "min": float(t.tm_min),
        "hour": float(t.tm_hour), "mday": float(t.tm_mday), "mon": float(t.tm_mon - 1),
        "year": float(t.tm_year - 1900), "wday": float((t.tm_wday + 1) % 7),
        "yday": float(t.tm_yday - 1), "isdst": float(t.tm_isdst),
        "gmtoff": float(t.tm_gmtoff or 0), "zone": t.tm_zone or "",
    })  # fmt: skip


def _struct_time(s: Value) -> time.struct_time:
    f = {k: v for k, v in s.fields.items() if not isinstance(v, str)}
    whole = {k: int(float(as_array(v).flat[0])) for k, v in f.items()}
    return time.struct_time((
        whole["year"] + 1900, whole["mon"] + 1, whole["mday"], whole["hour"], whole["min"],
        whole["sec"], (whole.get("wday", 0) - 1) % 7, whole.get("yday", 0) + 1,
        whole.get("isdst", -1),
    ))  # fmt: skip


def declare_clock(name: str, convert: Any, summary: str) -> None:
    """Declare a function from seconds since 1970 to a time struct."""

    def call(t: Value) -> Value:
        seconds = float(as_array(t).flat[0])
        return _tm(convert(seconds), seconds - np.floor(seconds))

    builtin(name, category=_FAMILY, signatures=(f"tm = {name}(t)",), text=summary,
            cases=(f"isfield({name}(0), 'hour')",), see=("strftime", "mktime"))(call)  # fmt: skip


declare_clock("localtime", time.localtime,
              "Seconds since 1970 as a struct of local time (Octave's).")
declare_clock("gmtime", time.gmtime, "Seconds since 1970 as a struct of UTC (Octave's).")


@builtin("mktime", category=_FAMILY, signatures=("t = mktime(tm)",),
         cases=("mktime(localtime(1e9)) == 1e9",), see=("localtime",))  # fmt: skip
def mktime(tm: Value) -> Value:
    """Seconds since 1970 of a time struct (Octave's)."""
    extra = tm.fields.get("usec", 0.0)
    return time.mktime(_struct_time(tm)) + float(as_array(extra).flat[0]) / 1e6


@builtin("strftime", category=_FAMILY, signatures=("text = strftime(format, tm)",),
         cases=("strcmp(strftime('%Y', gmtime(0)), '1970')",), see=("datestr",))  # fmt: skip
def strftime(template: Value, tm: Value) -> Value:
    """A time struct as text by the C library's format (Octave's)."""
    return time.strftime(text_of(template), _struct_time(tm))


@builtin("asctime", category=_FAMILY, signatures=("text = asctime(tm)",),
         cases=("numel(asctime(gmtime(0))) == 25",), see=("ctime",))  # fmt: skip
def asctime(tm: Value) -> Value:
    """A time struct as text in five parts (Octave's)."""
    return time.strftime("%a %b %d %H:%M:%S %Y\n", _struct_time(tm))


@builtin("ctime", category=_FAMILY, signatures=("text = ctime(t)",),
         cases=("numel(ctime(0)) == 25",), see=("asctime",))  # fmt: skip
def ctime(t: Value) -> Value:
    """Seconds since 1970 as text in five parts (Octave's)."""
    return time.strftime("%a %b %d %H:%M:%S %Y\n", time.localtime(float(as_array(t).flat[0])))
