"""Differences and shifts of datetimes by the calendar: between, caldiff, dateshift."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import WHOLE, unknown_option
from app.engine.builtins.dates import date_fields
from app.engine.builtins.dates.calendar_duration import CalendarDuration
from app.engine.builtins.dates.datetime_class import Datetime, datetime_argument
from app.engine.builtins.dates.time_zones import to_utc
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    float_of,
    is_numeric_like,
    is_text_scalar,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "dates"
_DAY = 86400e3
_UNITS = "years quarters months weeks days time"
_STEPS = {"second": 1e3, "minute": 60e3, "hour": 3600e3, "day": _DAY}


@builtin(
    "between",
    category=_FAMILY,
    signatures=("c = between(t1, t2)", "c = between(t1, t2, units)"),
    cases=(
        "strcmp(char(between(datetime(2020, 1, 1), datetime(2021, 3, 4))), '1y 2mo 3d')",
        "caldays(between(datetime(2020, 1, 1), datetime(2020, 1, 20), 'weeks')) == 14",
        "calmonths(between(datetime(2020, 1, 1), datetime(2020, 9, 9), 'quarters')) == 6",
        "strcmp(char(between(datetime(2020, 1, 1), datetime(2020, 3, 4), "
        "{'months', 'days'})), '2mo 3d')",
    ),
    see=("caldiff", "calendarDuration"),
)
def between(first: Value, second: Value, units: Value = "") -> Value:
    """Difference of datetimes in calendar units: in all, or in those that are named."""
    first, second = datetime_argument(first, "between"), datetime_argument(second, "between")
    wanted = _components(units)
    a, b = np.broadcast_arrays(first.serial(), second.serial())
    months: Array = np.zeros(a.shape)
    days: Array = np.zeros(a.shape)
    time: Array = np.zeros(a.shape)
    step = next((n for word, n in _MONTHS.items() if word in wanted), 0)
    if step:
        months = np.fix(_whole_months(a, b) / step) * step
    rest = b - date_fields.add_months(a, months)
    step = next((n for word, n in _DAYS.items() if word in wanted), 0)
    if step:
        days = np.fix(rest / step) * step
    if "time" in wanted:
        time = np.round((rest - days) * _DAY)
    return CalendarDuration(months, days, time)


_MONTHS = {"months": 1, "quarters": 3, "years": 12}
_DAYS = {"days": 1, "weeks": 7}


def _components(units: Value) -> set[str]:
    """The units that are named, in the plural; all where none is."""
    words = {f"{t.lower().removesuffix('s')}s" for t in texts_of(units) if t}
    words = {"time" if w == "times" else w for w in words}
    for word in words - set(_UNITS.split()):
        raise unknown_option("between", word, _UNITS)
    return words or set(_UNITS.split())


def _whole_months(a: Array, b: Array) -> Array:
    """Months that are over from one serial date to another, negative where time runs back."""
    (y1, m1, _), (y2, m2, _) = (date_fields.civil(np.floor(x)) for x in (a, b))
    months = (y2 - y1) * 12 + m2 - m1
    reached = date_fields.add_months(a, months)
    return np.asarray(months - np.where(b >= a, reached > b, -(reached < b).astype(float)))


@builtin(
    "caldiff",
    words="quarters months weeks days time years",
    category=_FAMILY,
    signatures=("c = caldiff(t)",),
    cases=("caldays(caldiff(datetime(2020, 1, [1 5]))) == 4",),
    see=("between",),
)
def caldiff(t: Value, units: Value = "") -> Value:
    """Differences of neighbouring datetimes in calendar units."""
    t = datetime_argument(t, "caldiff")
    axis = 0 if t.shape[0] > 1 else 1
    count = t.shape[axis]
    early, late = (t.like(np.take(t.data, range(k, count - 1 + k), axis)) for k in (0, 1))
    return between(early, late, units)


@builtin(
    "dateshift",
    category=_FAMILY,
    signatures=(
        "t = dateshift(t, 'start', unit)",
        "t = dateshift(t, 'end', unit)",
        "t = dateshift(t, 'start', unit, rule)",
        "t = dateshift(t, 'dayofweek', day)",
    ),
    cases=(
        "dateshift(datetime(2020, 12, 6), 'start', 'year', 'next') == datetime(2021, 1, 1)",
        "dateshift(datetime(2020, 5, 6), 'start', 'month') == datetime(2020, 5, 1)",
        "dateshift(datetime(2020, 2, 6), 'end', 'month') == datetime(2020, 2, 29)",
    ),
    see=("between", "calmonths"),
)
def dateshift(t: Value, what: Value, unit: Value, rule: Value = "current") -> Datetime:
    """Move datetimes to the beginning or end of a unit of time, or to a day of the week."""
    t = datetime_argument(t, "dateshift")
    kind, serial = text_of(what).lower(), t.serial()
    if kind == "dayofweek":
        return Datetime.of_serial(_to_weekday(serial, unit, rule), t.form, t.zone)
    if is_text_scalar(rule) and text_of(rule).lower() == "nearest":
        return _nearest(t, what, unit)
    ahead = _units_ahead(rule)
    word = text_of(unit).lower()
    if word in _STEPS:
        return _to_step(t, kind, word, ahead)
    year, month, _ = date_fields.civil(np.floor(serial))
    months = {"month": 1, "quarter": 3, "year": 12}.get(word)
    if word == "week":
        start = np.floor(serial) - date_fields.weekday_of(serial) + 1 + 7 * ahead
        return Datetime.of_serial(start if kind == "start" else start + 6, t.form, t.zone)
    if months is None:
        raise MatlabError("MATLAB:datetime:InvalidUnit", f"Unknown unit '{word}'.")
    first = (np.floor((month - 1) / months) + ahead) * months + 1
    start = date_fields.day_number(year, first, np.ones(1))
    end = date_fields.day_number(year, first + months, np.ones(1)) - 1
    return Datetime.of_serial(start if kind == "start" else end, t.form, t.zone)


def _to_step(t: Datetime, kind: str, word: str, ahead: Array) -> Datetime:
    """To the beginning or end of a day or a part of one."""
    wall, size = t.wall(), _STEPS[word]
    start = (np.floor(wall / size) + ahead) * size
    beyond = 0.0 if kind == "start" or word == "day" else size * (wall + ahead * size > start)
    return t.like(to_utc(start + beyond, t.zone))


def _nearest(t: Datetime, what: Value, unit: Value) -> Datetime:
    """The start or end of a unit that is closest."""
    choices = [dateshift(t, what, unit, float(k)).data for k in (-1, 0, 1)]
    away = np.abs(np.stack(choices) - t.data)
    best = np.argmin(np.nan_to_num(away), axis=0)
    return t.like(np.choose(best, choices))


def _units_ahead(rule: Value) -> Array:
    """How many units further a rule means: ``current``, ``next``, ``previous`` or numbers."""
    words = {"current": 0.0, "next": 1.0, "previous": -1.0}
    if not is_text_scalar(rule):
        WHOLE("dateshift", 4, rule)
        return as_array(rule)
    word = text_of(rule).lower()
    if word not in words:
        text = f"Unknown rule '{word}': use current, next, previous or a number."
        raise MatlabError("MATLAB:datetime:InvalidRule", text)
    return np.array([[words[word]]])


def _to_weekday(serial: Array, day: Value, rule: Value) -> Array:
    from app.engine.builtins.dates.date_patterns import DAYS

    word = text_of(day).lower() if not is_numeric_like(day) or isinstance(day, str) else ""
    if word == "weekday":
        steps = np.array([1, 0, 0, 0, 0, 0, 2])
        return np.asarray(serial + steps[date_fields.weekday_of(serial).astype(int) - 1])
    named = [i + 1.0 for i, d in enumerate(DAYS) if word and d.lower().startswith(word)]
    target = named[0] if named else float_of(day)
    forward = np.mod(target - date_fields.weekday_of(serial), 7)
    word = text_of(rule).lower() if is_text_scalar(rule) else ""
    if word in ("previous", "nearest"):
        back = np.mod(forward, -7)
        forward = back if word == "previous" else np.where(forward > -back, back, forward)
    elif not word:
        forward = forward + 7 * (as_array(rule) - (as_array(rule) > 0))
    return np.asarray(np.floor(serial) + forward)
