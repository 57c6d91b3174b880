"""Serial date numbers and their texts: datenum, datestr, datevec, weekday, eomday, addtodate."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np

from app.engine.builtins import calendar
from app.engine.builtins.number_text import char_rows
from app.engine.builtins.registry import builtin
from app.engine.builtins.texts import is_text
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    is_char,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "time"


def _numbers(v: Value, style: Value = "") -> Array:
    """Serial date numbers of texts, date vectors or numbers."""
    if is_text(v):
        return calendar.read_all(texts_of(v), text_of(style) if is_char(style) else "")[:, None]
    a = as_array(v).astype(np.float64)
    if a.ndim == 2 and a.shape[1] in (3, 6) and a.size and (a[:, 0] < 3000).all() and (
        a[:, 1] <= 12
    ).all() and (a[:, 1] >= 1).all():
        return _from_columns(calendar.columns_of(a))[:, None]
    return a


def _from_columns(c: list[Any]) -> Array:
    days = calendar.days_from(c[0], c[1], c[2])
    return np.asarray(days + (c[3] * 3600 + c[4] * 60 + c[5]) / 86400)


@builtin("datenum", category=_FAMILY,
         signatures=("n = datenum(vector)", "n = datenum(y, m, d, H, M, S)",
                     "n = datenum(text, format)"),
         cases=("datenum(2000, 1, 1) == 730486", "datenum('2000-01-01') == 730486",
                "datenum([2000 1 1 12 0 0]) == 730486.5"), see=("datestr", "datevec"))
def datenum(*args: Value) -> Value:
    """Days since year 0, with the time as a fraction."""
    if len(args) >= 3:
        columns = np.broadcast_arrays(*(as_array(a).astype(np.float64) for a in args))
        return canonical(_from_columns([*columns, *([np.zeros(columns[0].shape)] * 3)][:6]))
    return canonical(_numbers(*args))


@builtin("datestr", category=_FAMILY,
         signatures=("text = datestr(n)", "text = datestr(n, format)"),
         cases=("strcmp(datestr(730486, 'yyyy-mm-dd'), '2000-01-01')",
                "strcmp(datestr(730486.5), '01-Jan-2000 12:00:00')"), see=("datenum",))
def datestr(dates: Value, style: Value | None = None, *more: Value) -> Value:
    """Text of a date; the format is a number or made of yyyy mmm mm dd HH MM SS FFF PM."""
    to_datenum = getattr(dates, "to_datenum", None)
    days = (to_datenum() if to_datenum else _numbers(dates)).ravel(order="F")
    form = _style(style, days)
    return char_rows([calendar.old_text(d, form) for d in days.tolist()] or [""])


def _style(style: Value | None, days: Array) -> str:
    if style is None or (not is_text(style) and not as_array(style).size):
        return calendar.STYLES[1 if (days == np.floor(days)).all() else 0]
    if is_text(style):
        return text_of(style)
    number = int(as_array(style).flat[0])
    if not -1 <= number < len(calendar.STYLES):
        raise MatlabError("MATLAB:datestr:InputFormat", "Unknown date format number.")
    return calendar.STYLES[max(number, 0)]


@builtin("datevec", category=_FAMILY,
         signatures=("v = datevec(n)", "[y, m, d, H, M, S] = datevec(n)",
                     "v = datevec(text, format)"),
         cases=("isequal(datevec(730486.5), [2000 1 1 12 0 0])",), see=("datenum",))
def datevec(dates: Value, *style: Value, nargout: int = 1) -> Value:
    """Year, month, day, hour, minute and second."""
    days = _numbers(dates, *style[:1]).ravel(order="F")
    parts = calendar.parts_from(days)
    if nargout <= 1:
        return canonical(np.stack(parts, axis=1))
    return tuple(canonical(p.reshape(-1, 1)) for p in parts)


@builtin("weekday", category=_FAMILY, signatures=("[n, name] = weekday(date)",),
         cases=("weekday(730486) == 7",), see=("datestr",))
def weekday(dates: Value, form: Value = "short", *, nargout: int = 1) -> Value:
    """Day of the week, 1 for Sunday, and its name."""
    days = _numbers(dates)
    numbers = np.mod(np.floor(days) - 1 - 1, 7) + 1
    names = [calendar.DAYS[(int(n) + 5) % 7] for n in numbers.ravel(order="F")]
    shown = names if text_of(form) == "long" else [n[:3] for n in names]
    return unwrap(numbers), char_rows(shown)


@builtin("eomday", category=_FAMILY, signatures=("d = eomday(year, month)",),
         cases=("eomday(2000, 2) == 29",), see=("datenum",))
def eomday(year: Value, month: Value) -> Value:
    """Last day of a month."""
    y, m = np.broadcast_arrays(as_array(year), as_array(month))
    first = np.ones(y.shape)
    days = calendar.days_from(y, m + 1.0, first) - calendar.days_from(y, m * 1.0, first)
    return canonical(days)


@builtin("is_leap_year", category=_FAMILY, signatures=("tf = is_leap_year(year)",),
         cases=("is_leap_year(2000)",), see=("eomday",))
def is_leap_year(year: Value | None = None) -> Value:
    """True for leap years (Octave's)."""
    y = as_array(float(datetime.now().astimezone().year) if year is None else year)
    return unwrap(((y % 4 == 0) & (y % 100 != 0)) | (y % 400 == 0))


@builtin("addtodate", category=_FAMILY, signatures=("n = addtodate(n, amount, unit)",),
         cases=("addtodate(730486, 1, 'month') == 730517",), see=("datenum",))
def addtodate(dates: Value, amount: Value, unit: Value) -> Value:
    """Move dates by years, months, days, hours, minutes, seconds or milliseconds."""
    days, k = np.broadcast_arrays(_numbers(dates), as_array(amount))
    word = text_of(unit)
    steps = {"day": 1.0, "hour": 1 / 24, "minute": 1 / 1440, "second": 1 / 86400,
             "millisecond": 1 / 86400000}
    if word in steps:
        return canonical(days + k * steps[word])
    if word not in ("year", "month"):
        raise MatlabError("MATLAB:addtodate:InvalidUnit", f"Unknown unit '{word}'.")
    return canonical(plus_months(days, k * (12 if word == "year" else 1)))


def plus_months(days: Array, months: Array) -> Array:
    """Move dates by months, to the last day of shorter ones."""
    year, month, day = calendar.date_from(days)
    first = calendar.days_from(year, month + months, np.ones(days.shape))
    following = calendar.days_from(year, month + months + 1, np.ones(days.shape))
    return np.asarray(np.minimum(first + day - 1, following - 1) + days - np.floor(days))


@builtin("date", category=_FAMILY, signatures=("text = date",), cases=("ischar(date)",),
         see=("now",))
def date() -> Value:
    """Today as dd-mmm-yyyy."""
    today = datetime.now().astimezone()
    return calendar.old_text(float(today.toordinal() + 366), "dd-mmm-yyyy")


@builtin("asctime", category=_FAMILY, signatures=("text = asctime(t)",), see=("datestr",))
def _asctime(t: Value) -> Value:
    """Text of a time structure (Octave's)."""
    fields = t.fields
    days = calendar.days_from(*(np.array(float(fields[k]) + o) for k, o in
                                (("year", 1900), ("mon", 1), ("mday", 0))))
    seconds = fields["hour"] * 3600 + fields["min"] * 60 + fields["sec"]
    return calendar.old_text(float(days) + seconds / 86400, "ddd mmm dd HH:MM:SS yyyy") + "\n"
