"""Days, dates and their texts: the arithmetic under datenum, datestr and datetime."""

from __future__ import annotations

import math
import re
from datetime import date
from typing import Any

import numpy as np

from app.engine.values import Array
from app.errors import MatlabError

EPOCH = 719529
"""The serial date number of 1 January 1970."""

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def days_from(year: Array, month: Array, day: Array) -> Array:
    """Serial day numbers of proleptic Gregorian dates; months beyond 1–12 and days carry over."""
    whole = np.floor(month - 1)
    year = year + np.floor(whole / 12)
    month = whole - 12 * np.floor(whole / 12) + 1
    y = np.where(month <= 2, year - 1, year)
    m = np.where(month <= 2, month + 9, month - 3)
    start = 365 * y + np.floor(y / 4) - np.floor(y / 100) + np.floor(y / 400)
    return np.asarray(start + np.floor((153 * m + 2) / 5) + day + 60)


def date_from(days: Array) -> tuple[Array, Array, Array]:
    """Year, month and day of whole serial day numbers."""
    z = np.floor(days) - 61
    era = np.floor(z / 146097)
    doe = z - era * 146097
    leaps = np.floor(doe / 1460) - np.floor(doe / 36524) + np.floor(doe / 146096)
    yoe = np.floor((doe - leaps) / 365)
    doy = doe - (365 * yoe + np.floor(yoe / 4) - np.floor(yoe / 100))
    mp = np.floor((5 * doy + 2) / 153)
    day = doy - np.floor((153 * mp + 2) / 5) + 1
    month = np.where(mp < 10, mp + 3, mp - 9)
    year = yoe + era * 400 + (month <= 2)
    return year, month, day


def parts_from(days: Array) -> tuple[Array, ...]:
    """Year, month, day, hour, minute and second of serial date numbers."""
    seconds = np.round((days - np.floor(days)) * 86400, 6)
    whole = np.floor(days) + (seconds >= 86400)
    seconds = np.where(seconds >= 86400, 0.0, seconds)
    year, month, day = date_from(whole)
    hour = np.floor(seconds / 3600)
    minute = np.floor((seconds - 3600 * hour) / 60)
    return year, month, day, hour, minute, seconds - 3600 * hour - 60 * minute


def weekday_of(days: float) -> int:
    """0 for Monday … 6 for Sunday."""
    return int(math.floor(days) - 3) % 7


# --- texts ------------------------------------------------------------------------------------

STYLES = (
    "dd-mmm-yyyy HH:MM:SS", "dd-mmm-yyyy", "mm/dd/yy", "mmm", "m", "mm", "mm/dd", "dd", "ddd", "d",
    "yyyy", "yy", "mmmyy", "HH:MM:SS", "HH:MM:SS PM", "HH:MM", "HH:MM PM", "QQ-YY", "QQ", "dd/mm",
    "dd/mm/yy", "mmm.dd,yyyy HH:MM:SS", "mmm.dd,yyyy", "mm/dd/yyyy", "dd/mm/yyyy", "yy/mm/dd",
    "yyyy/mm/dd", "QQ-YYYY", "mmmyyyy", "yyyy-mm-dd", "yyyymmddTHHMMSS", "yyyy-mm-dd HH:MM:SS",
)
"""The numbered formats of datestr."""

_OLD = re.compile(r"yyyy|YYYY|yy|YY|mmmm|mmm|mm|m|dddd|ddd|dd|d|HH|MM|SS|FFF|QQ|AM|PM")
_NEW = re.compile(r"'[^']*'|u+|y+|M+|d+|D+|H+|h+|m+|s+|S+|e+|a")


def old_text(days: float, style: str) -> str:
    """``datestr`` of one number."""
    parts = [float(p) for p in parts_from(np.array(days))]
    half_day = "AM" in style or "PM" in style
    return _OLD.sub(lambda m: _old_field(m.group(), parts, days, half_day=half_day), style)


def _old_field(token: str, p: list[float], days: float, *, half_day: bool) -> str:
    year, month, day, hour, minute, second = p
    name, weekday = MONTHS[int(month) - 1], DAYS[weekday_of(days)]
    shown = (hour % 12 or 12) if half_day else hour
    fields = {
        "yyyy": f"{int(year):04d}", "YYYY": f"{int(year):04d}", "yy": f"{int(year) % 100:02d}",
        "YY": f"{int(year) % 100:02d}", "mmmm": name, "mmm": name[:3], "mm": f"{int(month):02d}",
        "m": name[:1], "dddd": weekday, "ddd": weekday[:3], "dd": f"{int(day):02d}",
        "d": weekday[:1], "HH": f"{int(shown):2d}" if half_day else f"{int(shown):02d}",
        "MM": f"{int(minute):02d}", "SS": f"{int(second + 1e-9):02d}",
        "FFF": f"{round((second % 1) * 1000) % 1000:03d}", "QQ": f"Q{(int(month) + 2) // 3}",
        "AM": "AM" if hour < 12 else "PM", "PM": "AM" if hour < 12 else "PM",
    }
    return fields[token]


def new_text(days: float, style: str) -> str:
    """The text of one datetime in a format of letters such as ``dd-MMM-uuuu HH:mm:ss``."""
    if math.isnan(days):
        return "NaT"
    if math.isinf(days):
        return "Inf" if days > 0 else "-Inf"
    parts = [float(p) for p in parts_from(np.array(days))]
    return _NEW.sub(lambda m: _new_field(m.group(), parts, days), style)


def _new_field(token: str, p: list[float], days: float) -> str:
    year, month, day, hour, minute, second = p
    letter, width = token[0], len(token)
    if letter == "'":
        return token[1:-1] or "'"
    if letter in "uy":
        return f"{int(year) % 100:02d}" if width == 2 else f"{int(year):0{width}d}"
    if letter == "M":
        name = MONTHS[int(month) - 1]
        return name if width == 4 else name[:3] if width == 3 else f"{int(month):0{width}d}"
    if letter == "e":
        weekday = DAYS[weekday_of(days)]
        return weekday if width == 4 else weekday[:3]
    if letter == "a":
        return "AM" if hour < 12 else "PM"
    if letter == "S":
        return f"{second % 1:.{width}f}"[2:]
    numbers = {"d": day, "H": hour, "h": hour % 12 or 12, "m": minute, "s": int(second + 1e-9),
               "D": days - float(days_from(np.array(year), np.array(1.0), np.array(0.0)))}
    return f"{int(numbers[letter]):0{width}d}"


# --- reading ----------------------------------------------------------------------------------

_GUESSES = (
    r"(?P<d>\d{1,2})-(?P<b>[A-Za-z]{3})-(?P<y>\d{4})(?:[ T](?P<t>[\d:.]+ ?(?:[AaPp][Mm])?))?",
    r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?:[ T](?P<t>[\d:.]+ ?(?:[AaPp][Mm])?))?Z?",
    r"(?P<y>\d{4})/(?P<m>\d{1,2})/(?P<d>\d{1,2})(?: (?P<t>[\d:.]+ ?(?:[AaPp][Mm])?))?",
    r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4}|\d\d)(?: (?P<t>[\d:.]+ ?(?:[AaPp][Mm])?))?",
    r"(?P<b>[A-Za-z]{3,9})[ .-](?P<d>\d{1,2}),? ?(?P<y>\d{4})(?: (?P<t>[\d:.]+ ?(?:[AaPp][Mm])?))?",
    r"(?P<d>\d{1,2}) (?P<b>[A-Za-z]{3,9}) (?P<y>\d{4})(?: (?P<t>[\d:.]+ ?(?:[AaPp][Mm])?))?",
    r"(?P<b>[A-Za-z]{3})(?P<y>\d{4}|\d\d)", r"(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)(?:T(?P<t>\d{6}))?",
    r"(?P<t>\d{1,2}:\d\d(?::[\d.]+)? ?(?:[AaPp][Mm])?)",
)


def read(text: str, style: str = "") -> float:
    """The serial date number that a text says; ValueError when it is none."""
    pattern = _pattern_of(style) if style else None
    for guess in [pattern] if pattern else _GUESSES:
        match = re.fullmatch(guess, text.strip())
        if match:
            return _number_of({k: v for k, v in match.groupdict().items() if v})
    raise ValueError(text)


def _number_of(found: dict[str, str]) -> float:
    year = float(found.get("y", date.today().year))  # noqa: DTZ011 - the user's own day
    if len(found.get("y", "")) == 2:
        year += 2000 if year < 70 else 1900
    month = _month(found["b"]) if "b" in found else int(found.get("m", 1))
    day = float(found.get("d", 1))
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        raise ValueError("date")
    days = float(days_from(np.array(year), np.array(float(month)), np.array(day)))
    return days + (_time(found["t"]) if "t" in found else _clock(found)) / 86400


def _month(name: str) -> int:
    for k, month in enumerate(MONTHS):
        if month.lower().startswith(name.lower()[:3]):
            return k + 1
    raise ValueError(name)


def _time(text: str) -> float:
    half = re.search(r"[AaPp][Mm]$", text)
    clock = text[: half.start()].strip() if half else text
    if ":" not in clock:
        clock = f"{clock[:2]}:{clock[2:4]}:{clock[4:]}"
    fields = [float(p) for p in clock.split(":")] + [0.0, 0.0]
    hour = fields[0]
    if half:
        hour = hour % 12 + (12 if half.group().lower() == "pm" else 0)
    return hour * 3600 + fields[1] * 60 + fields[2]


def _clock(found: dict[str, str]) -> float:
    hour = float(found.get("H", 0))
    if "p" in found:
        hour = hour % 12 + (12 if found["p"].lower() == "pm" else 0)
    second = float(found.get("s", 0)) + float(f"0.{found['f']}" if "f" in found else 0)
    return hour * 3600 + float(found.get("M", 0)) * 60 + second


_FIELDS: dict[str, str] = {
    "yyyy": r"(?P<y>\d{4})", "uuuu": r"(?P<y>\d{4})", "yy": r"(?P<y>\d\d)", "uu": r"(?P<y>\d\d)",
    "dd": r"(?P<d>\d{1,2})", "d": r"(?P<d>\d{1,2})", "HH": r"(?P<H>\d{1,2})",
    "hh": r"(?P<H>\d{1,2})", "h": r"(?P<H>\d{1,2})", "H": r"(?P<H>\d{1,2})",
    "SS": r"(?P<s>\d{1,2})", "ss": r"(?P<s>\d{1,2})", "s": r"(?P<s>\d{1,2})",
    "FFF": r"(?P<f>\d{1,3})", "AM": r"(?P<p>[AaPp][Mm])", "PM": r"(?P<p>[AaPp][Mm])",
    "a": r"(?P<p>[AaPp][Mm])", "mmm": r"(?P<b>[A-Za-z]{3})", "MMM": r"(?P<b>[A-Za-z]{3})",
    "mmmm": r"(?P<b>[A-Za-z]+)", "MMMM": r"(?P<b>[A-Za-z]+)", "eee": r"[A-Za-z]{3}",
    "eeee": r"[A-Za-z]+", "dddd": r"[A-Za-z]+", "ddd": r"[A-Za-z]{3}",
}
_TOKENS = re.compile(
    r"'[^']*'|yyyy|uuuu|YYYY|yy|uu|mmmm|MMMM|mmm|MMM|mm|MM|m|M|dddd|ddd|dd|d|HH|hh|H|h|SSS+|SS|ss"
    r"|s|FFF|AM|PM|a|e{3,4}|.",
    re.DOTALL,
)


def _pattern_of(style: str) -> str:
    """A regular expression for a format of either kind."""
    new = "u" in style or "ss" in style or ("M" in style.replace("MM:", "") and ":mm" in style)
    month, minute = r"(?P<m>\d{1,2})", r"(?P<M>\d{1,2})"
    out = []
    for token in _TOKENS.findall(style):
        if token in ("MM", "M"):
            out.append(month if new or (":" not in style and "mm" not in style) else minute)
        elif token in ("mm", "m"):
            out.append(minute if new else month)
        elif token.startswith("SSS"):
            out.append(r"(?P<f>\d+)")
        elif token[0] == "'":
            out.append(re.escape(token[1:-1]))
        else:
            out.append(_FIELDS.get(token) or re.escape(token))
    return "".join(out)


def read_all(texts: list[str], style: str = "") -> Array:
    """Serial date numbers of texts, or MATLAB's error."""
    try:
        return np.array([read(t, style) for t in texts])
    except ValueError as problem:
        text = f"Failed to convert from text to date number: '{problem}'."
        raise MatlabError("MATLAB:datenum:ConvertDateString", text) from None


def columns_of(a: Array) -> list[Any]:
    """The columns of a date vector array."""
    return [a[:, k] if k < a.shape[1] else np.zeros(len(a)) for k in range(6)]
