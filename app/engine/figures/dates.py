"""Ticks of axes of dates: days are counted as MATLAB's serial date numbers."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta

from app.engine.figures.ticks import Limits

DATE = "date"
"""The tick format of axes of dates."""
UNIX = 719529
"""The serial date number of 1 January 1970."""
FIRST, LAST = 367.0, 3652424.0
"""The first and the last day that is written, of the years 1 to 9999."""
_MINUTE, _HOUR = 1 / 1440, 1 / 24
_STEPS = (
    1 / 86400,
    5 / 86400,
    15 / 86400,
    30 / 86400,
    _MINUTE,
    5 * _MINUTE,
    15 * _MINUTE,
    30 * _MINUTE,
    _HOUR,
    2 * _HOUR,
    3 * _HOUR,
    6 * _HOUR,
    12 * _HOUR,
    1,
    2,
    5,
    7,
    14,
)
_FORMS = ((300.0, "%Y"), (28.0, "%b %Y"), (1.0, "%b %d"), (_MINUTE, "%H:%M"), (0.0, "%H:%M:%S"))


def moment(number: float) -> datetime:
    """The date and time of a serial date number, or the nearest that there is."""
    within = min(LAST, max(FIRST, number))  # not a number: the first
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=within - UNIX)


def _number(year: int, month: int) -> float:
    return (datetime(year, month, 1, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)).days + UNIX


def date_ticks(limits: Limits, intervals: int) -> list[float]:
    """Ticks at round times inside ``limits``, none where there is no calendar."""
    low, high = max(limits[0], FIRST), min(limits[1], LAST)
    span = high - low
    if not span > 0:
        return []
    step = next((step for step in _STEPS if span / step <= intervals), None)
    if step is not None:
        first, last = math.ceil(low / step - 1e-6), math.floor(high / step + 1e-6)
        return [index * step for index in range(first, last + 1)]
    months = next(
        m
        for m in (1, 2, 3, 6, 12, 24, 60, 120, 600, 1200, 12000)
        if span / (30.44 * m) <= intervals or m == 12000
    )
    start, stop = moment(low), moment(high)
    found = []
    for index in range(start.year * 12, stop.year * 12 + 12, months):
        number = _number(index // 12, index % 12 + 1)
        if low <= number <= high:
            found.append(number)
    return found


_FIELDS = {
    "yyyy": "%Y",
    "uuuu": "%Y",
    "yy": "%y",
    "MMMM": "%B",
    "MMM": "%b",
    "MM": "%m",
    "dddd": "%A",
    "EEEE": "%A",
    "EEE": "%a",
    "eee": "%a",
    "ddd": "%a",
    "dd": "%d",
    "HH": "%H",
    "hh": "%I",
    "mm": "%M",
    "ss": "%S",
    "SSS": "%f",
    "a": "%p",
    "DDD": "%j",
    "M": "%m",
    "d": "%d",
    "H": "%H",
}
_FIELD = re.compile("'[^']*'|" + "|".join(sorted(_FIELDS, key=len, reverse=True)))


def formatted(number: float, form: str) -> str:
    """A serial date number in one of MATLAB's date formats (``dd-MMM HH:mm``)."""
    when = moment(number + 1e-9)

    def field(match: re.Match[str]) -> str:
        text = match.group(0)
        if text.startswith("'"):
            return text[1:-1]
        made = when.strftime(_FIELDS[text])
        if len(text) == 1 and text != "a":
            return made.lstrip("0") or "0"
        return made[:3] if text == "SSS" else made

    return _FIELD.sub(field, form)


def date_labels(ticks: list[float], limits: Limits, form: str = "") -> list[str]:
    """What is written at them: in a format, or as much as tells them apart."""
    if form:
        return [formatted(tick, form) for tick in ticks]
    gap = ticks[1] - ticks[0] if len(ticks) > 1 else limits[1] - limits[0]
    form = next((form for least, form in _FORMS if gap >= 0.999 * least), _FORMS[-1][1])
    if gap < 1 < limits[1] - limits[0]:
        form = "%b %d, %H:%M"
    return [moment(tick + 1e-9).strftime(form) for tick in ticks]
