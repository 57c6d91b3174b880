"""The calendar: date, weekday, eomday, addtodate, calendar, leap years, strftime and its kin."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.dates import date_fields
from app.engine.builtins.dates.date_patterns import DAYS
from app.engine.builtins.dates.date_text import numbers_of, text_of_number
from app.engine.declarations.registry import builtin
from app.engine.operators.number_text import char_rows
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    float_of,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "time"


@builtin(
    "date",
    category=_FAMILY,
    signatures=("text = date",),
    cases=("numel(date) == 11",),
    see=("datestr", "clock"),
)
def date() -> Value:
    """Today as text: dd-mmm-yyyy."""
    return datetime.now().astimezone().strftime("%d-%b-%Y")


@builtin(
    "eomday",
    category=_FAMILY,
    signatures=("d = eomday(Y, M)",),
    cases=("eomday(2020, 2) == 29",),
    see=("calendar",),
)
def eomday(year: Value, month: Value) -> Value:
    """Last day of a month."""
    y, m = np.broadcast_arrays(*(as_array(v).astype(np.float64) for v in (year, month)))
    return unwrap(date_fields.month_days(y, m))


@builtin(
    "is_leap_year",
    category=_FAMILY,
    signatures=("tf = is_leap_year(Y)",),
    cases=("is_leap_year(2000)", "~is_leap_year(1900)"),
)
def is_leap_year(year: Value = None) -> Value:
    """True for leap years (Octave's)."""
    y = as_array(year) if year is not None else np.array([[datetime.now().astimezone().year]])
    return unwrap(date_fields.is_leap(y.astype(np.float64)))


@builtin(
    "weekday",
    words="short long local en_us",
    category=_FAMILY,
    signatures=("n = weekday(d)", "[n, name] = weekday(d, 'long')"),
    cases=("weekday(738000) == 3",),
    see=("datestr", "calendar"),
)
def weekday(day: Value, form: Value = "short", *more: Value) -> Value:
    """Day of the week, 1 for Sunday, and its name."""
    numbers = date_fields.weekday_of(numbers_of(day))
    long = any(text_of(w).lower() == "long" for w in (form, *more))
    names = [DAYS[int(k) - 1] for k in numbers.ravel(order="F")]
    return canonical(numbers), char_rows([n if long else n[:3] for n in names])


@builtin(
    "addtodate",
    category=_FAMILY,
    signatures=("n = addtodate(d, q, unit)",),
    cases=("addtodate(730486, 1, 'month') == 730517",),
    see=("datenum",),
)
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


@builtin(
    "calendar",
    category=_FAMILY,
    signatures=("calendar", "c = calendar(d)", "c = calendar(y, m)"),
    cases=(
        "isequal(size(calendar(2020, 1)), [6 7])",
        "isequal(calendar('1-Jan-2020'), calendar(2020, 1))",
    ),
    see=("eomday",),
)
def calendar(ctx: CallContext, *when: Value, nargout: int = 0) -> Value:
    """The days of a month as a 6-by-7 matrix, weeks beginning on Sunday."""
    if len(when) == 2:
        year, month = (float_of(w) for w in when)
    else:
        number = numbers_of(when[0]) if when else np.array([[datetime.now().toordinal() + 366.0]])  # noqa: DTZ005 - MATLAB's dates have no zone
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
