"""Formats of dates: ``datestr``'s (yyyy-mm-dd HH:MM) and ``datetime``'s (uuuu-MM-dd HH:mm).

Both become a list of parts, which can be written (:func:`render`) and read (:func:`match`).
"""

from __future__ import annotations

import math
import re
import time
from datetime import datetime
from functools import lru_cache

from app.errors import MatlabError

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")

Part = tuple[str, int]
"""What a part is, and its width; a literal is (text, 0)."""

_OLD = re.compile(r"yyyy|yy|YYYY|YY|QQ|mmmm|mmm|mm|m|dddd|ddd|dd|d|HH|MM|SS|F{1,3}|AM|PM")
_OLD_KINDS = {
    "yyyy": ("Y", 4),
    "yy": ("Y", 2),
    "YYYY": ("Y", 4),
    "YY": ("Y", 2),
    "QQ": ("Q", 2),
    "mmmm": ("B", 4),
    "mmm": ("B", 3),
    "mm": ("M", 2),
    "m": ("B", 1),
    "dddd": ("W", 4),
    "ddd": ("W", 3),
    "dd": ("D", 2),
    "d": ("W", 1),
    "HH": ("H", 2),
    "MM": ("N", 2),
    "SS": ("S", 2),
    "AM": ("P", 2),
    "PM": ("P", 2),
}
_NEW = re.compile(r"'((?:[^']|'')*)'|([yuMdDHhmsSaEeQzZxX])\2*")
_LETTER = re.compile(rf"{_NEW.pattern}|(?P<letter>[A-Za-z])")
_NEW_KINDS = {
    "y": "Y",
    "u": "Y",
    "d": "D",
    "D": "J",
    "H": "H",
    "h": "I",
    "m": "N",
    "s": "S",
    "S": "F",
    "a": "P",
    "Q": "Q",
}


@lru_cache(maxsize=256)
def old_format(text: str) -> tuple[Part, ...]:
    """The parts of a ``datestr`` format."""
    parts: list[Part] = []
    position = 0
    for found in _OLD.finditer(text):
        _literal(parts, text[position : found.start()])
        word = found.group()
        parts.append(("F", len(word)) if word[0] == "F" else _OLD_KINDS[word])
        position = found.end()
    _literal(parts, text[position:])
    if ("P", 2) in parts:
        parts = [("I", -2) if p == ("H", 2) else p for p in parts]
    return tuple(parts)


def checked_format(text: str) -> str:
    """A ``datetime`` format whose letters all mean something; others stand between quotes."""
    for found in _LETTER.finditer(text):
        letter = found["letter"]
        if letter is not None and letter != "T":
            told = (
                f"The format '{text}' contains an unsupported symbol: '{letter}'. Put text that is "
                "to be shown as it stands between quotes."
            )
            raise MatlabError("MATLAB:datetime:UnsupportedSymbol", told)
    return text


@lru_cache(maxsize=256)
def new_format(text: str) -> tuple[Part, ...]:
    """The parts of a ``datetime`` format."""
    parts: list[Part] = []
    position = 0
    for found in _NEW.finditer(text):
        _literal(parts, text[position : found.start()])
        position = found.end()
        word = found.group()
        if word[0] == "'":
            _literal(parts, found.group(1).replace("''", "'") or "'")
            continue
        kind, width = word[0], len(word)
        if kind == "M":
            parts.append(("M", width) if width < 3 else ("B", {3: 3, 4: 4}.get(width, 1)))
        elif kind in "Ee":
            parts.append(("W", {4: 4, 5: 1}.get(width, 3)))
        elif kind in "zZxX":
            parts.append((kind, width))
        else:
            parts.append((_NEW_KINDS[kind], width))
    _literal(parts, text[position:])
    return tuple(parts)


def _literal(parts: list[Part], text: str) -> None:
    if text:
        parts.append((text, 0))


# --- writing ----------------------------------------------------------------------------------


def render(parts: tuple[Part, ...], fields: tuple[float, ...], weekday: int, zone: str = "") -> str:
    """A date by a format; ``fields`` are year … second, ``weekday`` is 0 for Sunday."""
    fields = _with_shown_digits(parts, fields)
    return "".join(
        text if not width else _write(text, width, fields, weekday, zone) for text, width in parts
    )


def _with_shown_digits(parts: tuple[Part, ...], fields: tuple[float, ...]) -> tuple[float, ...]:
    """Fields with the second cut to what the format shows."""
    digits = max((width for kind, width in parts if kind == "F" and width), default=0)
    second = math.floor(fields[5] * 10**digits + 1e-4) / 10**digits
    return (*fields[:5], min(second, 60 - 10.0**-digits))


def _write(kind: str, width: int, fields: tuple[float, ...], weekday: int, zone: str) -> str:
    year, month, day, hour, minute, second = fields
    if kind == "Y":
        return f"{int(year) % 100:02d}" if width == 2 else f"{int(year):0{width}d}"
    if kind == "B":
        name = MONTHS[int(month) - 1]
        return name if width == 4 else name[:width]
    if kind == "W":
        return DAYS[weekday] if width == 4 else DAYS[weekday][:width]
    if kind == "I" and width < 0:
        return f"{(int(hour) - 1) % 12 + 1:2d}"
    if kind == "F":
        return f"{second - math.floor(second):.{width}f}"[2:]
    if kind == "P":
        return "AM" if hour < 12 else "PM"
    if kind == "Q":
        return f"Q{int(month - 1) // 3 + 1}" if width == 2 else str(int(month - 1) // 3 + 1)
    if kind in "zZxX":
        return _write_zone(kind, width, *zone.split(" ", 1))
    if kind == "J":
        number = datetime(int(year), int(month), int(day)).timetuple().tm_yday  # noqa: DTZ001 - a date without a time
        return f"{number:0{width}d}"
    values = {"M": month, "D": day, "H": hour, "I": (hour - 1) % 12 + 1, "N": minute, "S": second}
    return f"{int(values[kind]):0{width}d}"


def _write_zone(kind: str, width: int, shift: str = "", name: str = "") -> str:
    """A zone: ``z`` by name, ``X`` with Z for UTC, three or more letters with a colon."""
    if kind == "z":
        return name
    if kind == "X" and shift == "+0000":
        return "Z"
    if kind in "xX" and width == 1:
        return shift[:3] if shift.endswith("00") else shift
    long = f"{shift[:3]}:{shift[3:]}"
    if kind == "Z":
        return {4: f"GMT{long}", 5: long}.get(width, shift)
    return long if width in (3, 5) else shift


# --- reading ----------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _expression(parts: tuple[Part, ...]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    pattern, kinds = [], []
    names = "|".join(m[:3] + f"(?:{m[3:]})?" if len(m) > 3 else m for m in MONTHS)
    days = "|".join(d[:3] + f"(?:{d[3:]})?" for d in DAYS)
    for k, (kind, width) in enumerate(parts):
        if not width:
            pattern.append(re.sub(r"(\\?\s)+", r"\\s+", re.escape(kind)))
            continue
        tight = k + 1 < len(parts) and parts[k + 1][1] and parts[k + 1][0] in "YMDHINSF"
        digits = rf"\d{{{abs(width)}}}" if tight else r"\s?\d{1,2}"
        pattern.append(
            {
                "Y": rf"(\d{{{width}}})" if width in (2, 4) else r"(-?\d+)",
                "B": f"({names})",
                "W": f"({days})",
                "P": r"([AaPp]\.?[Mm]?\.?)",
                "F": r"(\d+)",
                "Q": r"(Q?\d)",
                **dict.fromkeys("zZxX", r"(Z|UTC|GMT|[-+]\d\d(?::?\d\d)?)"),
                "J": r"(\d{1,3})",
            }.get(kind, f"({digits})")
        )
        kinds.append((kind, width))
    flags = re.IGNORECASE
    return re.compile(r"\s*" + "".join(pattern) + r"\s*", flags), tuple(k for k, _ in kinds)


def fits(parts: tuple[Part, ...], text: str) -> bool:
    """Whether a text has the shape of a format, whatever its digits say."""
    return _expression(parts)[0].fullmatch(text) is not None


def match(parts: tuple[Part, ...], text: str, pivot: int | None = None) -> list[float] | None:
    """Year … second that a text says by a format; None when it does not fit.

    What the format lacks is the first of January of this year, at midnight.
    """
    expression, kinds = _expression(parts)
    found = expression.fullmatch(text)
    if found is None:
        return None
    year = time.localtime().tm_year
    fields = [float(year), 1.0, 1.0, 0.0, 0.0, 0.0]
    afternoon = ""
    for kind, word in zip(kinds, found.groups(), strict=True):
        if kind == "P":
            afternoon = word[0].upper()
        elif kind in "YBMDHINSFJ":
            _read(kind, word.strip(), fields, pivot if pivot is not None else year - 50)
    if afternoon:
        fields[3] = fields[3] % 12 + (12 if afternoon == "P" else 0)
    fits = 1 <= fields[1] <= 12 and 1 <= fields[2] <= 366 and fields[3] < 25 and fields[4] < 60
    return fields if fits and fields[5] < 61 else None


def _read(kind: str, word: str, fields: list[float], pivot: int) -> None:
    if kind == "Y":
        year = int(word)
        if len(word) <= 2:
            year += pivot - pivot % 100
            year += 100 if year < pivot else 0
        fields[0] = float(year)
    elif kind == "B":
        fields[1] = 1.0 + next(i for i, m in enumerate(MONTHS) if m[:3].lower() == word[:3].lower())
    elif kind == "F":
        fields[5] += int(word) / 10 ** len(word)
    elif kind == "J":
        fields[1], fields[2] = 1.0, float(word)
    elif kind == "S":
        fields[5] += float(word)
    else:
        fields[{"M": 1, "D": 2, "H": 3, "I": 3, "N": 4}[kind]] = float(word)


def zone_minutes(parts: tuple[Part, ...], text: str) -> float | None:
    """Minutes that a text says it is ahead of UTC; None when its format has no zone."""
    expression, kinds = _expression(parts)
    found = expression.fullmatch(text)
    at = next((k for k, kind in enumerate(kinds) if kind in "zZxX"), None)
    if found is None or at is None:
        return None
    word = found.group(at + 1)
    if word[0] not in "+-":
        return 0.0
    minutes = int(word[1:3]) * 60 + int(word[-2:] if len(word) > 3 else 0)
    return float(-minutes if word[0] == "-" else minutes)
