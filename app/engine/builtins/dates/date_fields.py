"""Calendar arithmetic on whole arrays: serial date numbers and their year, month, day, time."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

import numpy as np

from app.engine.arguments.checks import within
from app.engine.values import Array

_BEFORE = np.array([306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275], dtype=np.float64)
_LENGTH = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], dtype=np.float64)
_MOST_YEARS = 1e9
"""Whose days are whole numbers of doubles."""
EPOCH = 719529.0
"""Serial date number of 1 January 1970."""


def is_leap(year: Array) -> Array:
    """True for leap years."""
    return np.asarray((year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0)))


def month_days(year: Array, month: Array) -> Array:
    """Days in a month (1 to 12)."""
    within(1, 12)("eomday", 2, np.atleast_2d(month))
    index = np.nan_to_num(month, nan=1.0).astype(np.int64) - 1
    return np.asarray(_LENGTH[index] + ((month == 2) & is_leap(year)))


def day_number(year: Array, month: Array, day: Array) -> Array:
    """Serial day of a date; months beyond 12 carry into the years, days into the months."""
    year, month, day = (np.asarray(a, dtype=np.float64) for a in (year, month, day))
    whole = np.floor(month)
    y = year + np.floor((whole - 1) / 12)
    m = np.mod(whole - 1, 12) + 1
    safe = np.nan_to_num(m, nan=1.0, posinf=1.0, neginf=1.0)
    fraction = (month - whole) * month_days(np.nan_to_num(y), safe)
    before = _BEFORE[safe.astype(np.int64) - 1]
    y = y - (m < 3)
    days = 365 * y + np.floor(y / 4) - np.floor(y / 100) + np.floor(y / 400)
    return np.asarray(days + before + 60 + day + fraction)


def serial_of_numbers(parts: Sequence[float]) -> float | None:
    """`serial` of one date with a month of the year; None for others."""
    year, month, day, hour, minute, second = (*parts, *([0.0] * (6 - len(parts))))
    if not (month.is_integer() and 1 <= month <= 12 and abs(year) < _MOST_YEARS):
        return None
    y = year - (month < 3)
    days = 365 * y + floor(y / 4) - floor(y / 100) + floor(y / 400)
    whole = days + _BEFORE.item(int(month) - 1) + 60 + day
    return whole + (hour + (minute + second / 60) / 60) / 24


def serial(parts: list[Array]) -> Array:
    """Serial date numbers of year, month, day, hour, minute, second (missing ones are 0)."""
    day = day_number(parts[0], parts[1], parts[2])
    hour, minute, second = [*parts[3:], *([np.zeros(1)] * (6 - len(parts)))][:3]
    return np.asarray(day + (hour + (minute + second / 60) / 60) / 24)


def milliseconds(parts: list[Array]) -> Array:
    """Milliseconds since 1970 of year, month, day, hour, minute, second."""
    ms = (day_number(parts[0], parts[1], parts[2]) - EPOCH) * 86400e3
    return np.asarray(ms + parts[3] * 3600e3 + parts[4] * 60e3 + np.round(parts[5] * 1e9) / 1e6)


def civil(day: Array) -> tuple[Array, Array, Array]:
    """Year, month and day of whole serial days."""
    z = np.floor(day) - 60
    century = np.floor((z - 0.25) / 36524.25)
    b = z - 0.25 + century - np.floor(century / 4)
    year = np.floor(b / 365.25)
    rest = np.trunc(b - np.floor(365.25 * year)) + 1
    month = np.trunc((5 * rest + 456) / 153)
    date = rest - np.trunc((153 * month - 457) / 5)
    late = month > 12
    return year + late, month - 12 * late, date


def parts_of(number: Array) -> list[Array]:
    """Year, month, day, hour, minute, second of serial date numbers."""
    number = np.asarray(number, dtype=np.float64)
    day = np.floor(number)
    noise = np.abs(np.finfo(float).eps * 86400 * number)
    noise = np.where((noise == 0) | ~np.isfinite(noise), 1, noise)
    grain = np.exp2(np.floor(-np.log2(noise)))
    seconds = np.round(86400 * (number - day) * grain) / grain
    full = seconds >= 86400
    day, seconds = day + full, np.where(full, 0, seconds)
    hour = np.floor(seconds / 3600)
    minute = np.floor((seconds - 3600 * hour) / 60)
    year, month, date = civil(day)
    return [year, month, date, hour, minute, seconds - 3600 * hour - 60 * minute]


def weekday_of(number: Array) -> Array:
    """1 for Sunday to 7 for Saturday."""
    return np.asarray(np.mod(np.floor(number) - 2, 7) + 1)


def add_months(number: Array, months: Array) -> Array:
    """The dates that many months later, on the last day of shorter months."""
    day = np.floor(number)
    year, month, date = civil(day)
    total = year * 12 + month - 1 + months
    y, m = np.floor(total / 12), np.mod(total, 12) + 1
    date = np.minimum(date, month_days(np.nan_to_num(y), np.nan_to_num(m, nan=1.0)))
    return np.asarray(day_number(y, m, date) + (number - day))
