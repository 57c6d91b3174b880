"""``datetime``: points in time, kept in milliseconds since 1970 (of UTC when there is a zone)."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np

from app.engine.builtins.containers.native_arrays import NativeArray, no_conversion
from app.engine.builtins.dates import date_fields, time_bins
from app.engine.builtins.dates import date_patterns as patterns
from app.engine.builtins.dates.duration_class import UNITS, Duration
from app.engine.builtins.registry import native_type
from app.engine.values import (
    Array,
    NativeObject,
    StringArray,
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    object_array,
    text_of,
    texts_of,
    unwrap,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError

DATE, FULL = "dd-MMM-uuuu", "dd-MMM-uuuu HH:mm:ss"
_DAY = 86400e3
_GUESSES = (
    FULL, DATE, "dd-MMM-uuuu HH:mm", "uuuu-MM-dd HH:mm:ss.SSS", "uuuu-MM-dd HH:mm:ss",
    "uuuu-MM-dd HH:mm", "uuuu-MM-dd'T'HH:mm:ss.SSS", "uuuu-MM-dd'T'HH:mm:ss",
    "uuuu-MM-dd'T'HH:mm:ssZ", "uuuu-MM-dd'T'HH:mm", "uuuu-MM-dd", "uuuu/MM/dd HH:mm:ss",
    "uuuu/MM/dd HH:mm", "uuuu/MM/dd", "MM/dd/uuuu HH:mm:ss", "MM/dd/uuuu HH:mm",
    "MM/dd/uuuu hh:mm:ss a", "MM/dd/uuuu", "dd.MM.uuuu HH:mm:ss", "dd.MM.uuuu", "MMM d, uuuu",
    "MMMM d, uuuu", "d MMM uuuu HH:mm:ss", "d MMM uuuu", "MMM d uuuu", "dd-MMM-uuuu HH:mm:ss.SSS",
    "HH:mm:ss", "HH:mm",
)  # fmt: skip


def offset(ms: float, zone: str) -> float:
    """Milliseconds that a zone is ahead of UTC at a point in time."""
    if zone in ("", "UTC", "Z") or math.isnan(ms):
        return 0.0
    if zone[0] in "+-":
        hours, minutes = zone[1:3], zone[-2:] if len(zone) > 3 else "0"
        return (-1 if zone[0] == "-" else 1) * (int(hours) * 60 + int(minutes)) * 60e3
    try:
        found = datetime.fromtimestamp(ms / 1e3, UTC).astimezone(ZoneInfo(zone)).utcoffset()
    except (ZoneInfoNotFoundError, ValueError) as problem:
        text = f"'{zone}' is not a recognized time zone."
        raise MatlabError("MATLAB:datetime:UnknownTimeZone", text) from problem
    return found.total_seconds() * 1e3 if found is not None else 0.0


@native_type
class Datetime(NativeArray):
    """An array of points in time.

    Attributes:
        form: display format; empty for the usual one.
        zone: name of the time zone; empty for none.
    """

    class_name = "datetime"

    def __init__(self, data: Array, form: str = "", zone: str = "") -> None:
        super().__init__(np.asarray(data, dtype=np.float64))
        self.form = form
        self.zone = zone

    @classmethod
    def of_serial(cls, number: Array, form: str = "", zone: str = "") -> Datetime:
        """From serial date numbers (wall clock of the zone)."""
        ms = np.round((np.asarray(number) - date_fields.EPOCH) * _DAY, 3)
        return cls(to_utc(ms, zone), form, zone)

    def like(self, data: Array) -> Datetime:
        """Other points in time in the same format and zone."""
        return Datetime(data, self.form, self.zone)

    def accept(self, v: Value) -> Datetime:
        """Datetimes, texts, or missing values."""
        if isinstance(v, Datetime):
            return v
        if is_char(v) or is_string(v) or is_cell(v):
            return parse_texts(v, form=self.form, zone=self.zone)
        if is_numeric_like(v) and np.all(np.isnan(as_array(v))):
            return self.like(as_array(v))
        raise no_conversion(v, "datetime")

    def wall(self) -> Array:
        """Milliseconds since 1970 on the clock of the zone."""
        if not self.zone:
            return self.data
        shifts = [offset(ms, self.zone) for ms in self.data.ravel(order="F").tolist()]
        return np.asarray(self.data + np.array(shifts).reshape(self.shape, order="F"))

    def serial(self) -> Array:
        """Serial date numbers."""
        return np.asarray(self.wall() / _DAY + date_fields.EPOCH)

    def fields(self) -> list[Array]:
        """Year, month, day, hour, minute, second."""
        wall = self.wall()
        day = np.floor(wall / _DAY)
        rest = wall - day * _DAY
        year, month, date = date_fields.civil(day + date_fields.EPOCH)
        hour = np.floor(rest / 3600e3)
        minute = np.floor((rest - hour * 3600e3) / 60e3)
        second = (rest - hour * 3600e3 - minute * 60e3) / 1e3
        return [year, month, date, hour, minute, second]

    def shown_format(self) -> str:
        """The format, or the usual one for these times."""
        if self.form:
            return self.form
        wall = self.wall()
        known = wall[np.isfinite(wall)]
        return DATE if known.size and not np.any(known % _DAY) else FULL

    def texts(self) -> list[str | None]:
        """By the format."""
        return self.rendered(self.shown_format())

    def rendered(self, form: str) -> list[str | None]:
        """Every element by a format."""
        parts = patterns.new_format(form)
        columns = [f.ravel(order="F").tolist() for f in self.fields()]
        weekdays = np.mod(np.floor(self.wall() / _DAY) + 4, 7).ravel(order="F").tolist()
        moments = self.data.ravel(order="F").tolist()
        found: list[str | None] = []
        for k, moment in enumerate(moments):
            if not math.isfinite(moment):
                found.append("NaT" if math.isnan(moment) else "Inf" if moment > 0 else "-Inf")
                continue
            values = tuple(c[k] for c in columns)
            found.append(patterns.render(parts, values, int(weekdays[k]), self._shift(moment)))
        return found

    def _shift(self, moment: float) -> str:
        minutes = int(offset(moment, self.zone) / 60e3)
        sign = "-" if minutes < 0 else "+"
        return f"{sign}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}"

    # --- members ---

    def get_member(
        self, ctx: Any, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Format, TimeZone and the fields."""
        value = self._member(name)
        if args:
            from app.engine.interp.indexing.reading import paren

            return paren(value, *args)
        return value

    def _member(self, name: str) -> Value:
        if name == "Format":
            return self.shown_format()
        if name == "TimeZone":
            return self.zone
        names = ("Year", "Month", "Day", "Hour", "Minute", "Second")
        if name not in names:
            raise no_member("datetime", name)
        return unwrap(np.where(np.isnan(self.data), np.nan, self.fields()[names.index(name)]))

    def set_member(self, ctx: Any, name: str, value: Value) -> NativeObject:
        """``t.Format = …``, ``t.TimeZone = …``, ``t.Hour = …``."""
        if name == "Format":
            form = text_of(value)
            return Datetime(self.data, "" if form == "default" else form, self.zone)
        if name == "TimeZone":
            zone = text_of(value)
            moved = self.wall() if not zone else (
                to_utc(self.data, zone) if not self.zone else self.data)
            return Datetime(moved, self.form, zone)
        names = ("Year", "Month", "Day", "Hour", "Minute", "Second")
        if name not in names:
            raise no_member("datetime", name)
        parts = self.fields()
        parts[names.index(name)] = np.broadcast_to(as_array(value), self.shape).astype(float)
        return Datetime.of_serial(date_fields.serial(parts), self.form, self.zone)

    def members(self) -> list[str]:
        """Properties."""
        return ["Format", "TimeZone", "Year", "Month", "Day", "Hour", "Minute", "Second"]

    def to_portable(self) -> dict[str, Value]:
        """For files."""
        return {"milliseconds": canonical(self.data), "format": self.form, "zone": self.zone}

    # --- arithmetic ---

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Differences, shifts by durations or days, comparisons."""
        if operator == "minus" and len(args) == 2:
            return self._minus(*args)
        if operator == "plus" and len(args) == 2:
            a, b = args if isinstance(args[0], Datetime) else args[::-1]
            return NotImplemented if isinstance(b, Datetime) else a.shifted(b, 1)
        if operator == "colon":
            return _colon(args)
        return super().operate(operator, args)

    def _minus(self, a: Value, b: Value) -> Value:
        if isinstance(a, Datetime) and not isinstance(b, Datetime) and not (
            is_char(b) or is_string(b)
        ):  # fmt: skip
            return a.shifted(b, -1)
        return Duration(self.accept(a).data - self.accept(b).data)

    def shifted(self, by: Value, sign: int) -> Value:
        """Later (or earlier) by a duration, a calendar duration, or days."""
        months = getattr(by, "months", None)
        if months is not None:
            moved = date_fields.add_months(self.serial(), sign * months) + sign * by.days
            return Datetime.of_serial(moved + sign * by.data / _DAY, self.form, self.zone)
        if isinstance(by, Duration):
            return self.like(self.data + sign * by.data)
        if is_numeric_like(by) and not is_char(by):
            return self.like(self.data + sign * as_array(by).astype(np.float64) * UNITS["days"])
        return NotImplemented

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions besides those of all arrays."""
        made = super().methods()
        made["datenum"] = lambda ctx, args, n: canonical(args[0].serial())
        made["isnan"] = lambda ctx, args, n: unwrap(np.isnan(args[0].data))
        made["isfinite"] = lambda ctx, args, n: unwrap(np.isfinite(args[0].data))
        made["diff"] = lambda ctx, args, n: Duration(
            as_array(ctx.call("diff", (canonical(args[0].data), *args[1:]), 1)[0]))
        made["mean"] = lambda ctx, args, n: self.like(
            as_array(ctx.call("mean", (canonical(args[0].data), *args[1:]), 1)[0]))
        made["colon"] = lambda ctx, args, n: _colon(args)
        made["string"] = _string_by
        made.update(time_bins.time_methods())
        made["linspace"] = lambda ctx, args, n: self.like(as_array(ctx.call(
            "linspace", (canonical(args[0].data), canonical(args[1].data), *args[2:]), 1)[0]))
        made["char"] = _char_by
        for name in ("plus", "minus", "eq", "lt", "gt", "le", "ge", "ne"):
            made[name] = _operator(name)
        return made


def _operator(name: str) -> Callable[..., Value]:
    return lambda ctx, args, n: next(a for a in args if isinstance(a, Datetime)).operate(name, args)


def _char_by(ctx: Any, args: tuple[Value, ...], nargout: int) -> Value:
    from app.engine.builtins.text.number_text import char_rows

    x = args[0]
    texts = x.rendered(text_of(args[1])) if len(args) > 1 else x.texts()
    return char_rows([t or "" for t in texts])


def _string_by(ctx: Any, args: tuple[Value, ...], nargout: int) -> Value:
    """``string(t, format)``; NaT is missing."""
    x = args[0]
    texts = x.rendered(text_of(args[1])) if len(args) > 1 else x.texts()
    lost = x.is_missing().ravel(order="F").tolist()
    kept = [None if gone else t for t, gone in zip(texts, lost, strict=True)]
    return StringArray(object_array(kept, x.shape))


def _colon(args: tuple[Value, ...]) -> Value:
    """``a:b`` by days, or ``a:step:b``."""
    first, last = args[0], args[-1]
    step = args[1] if len(args) == 3 else 1.0
    made, place = [], 1.0
    current = first
    up = float(first.shifted(step, 1).data.flat[0]) > float(first.data.flat[0])
    end = float(first.accept(last).data.flat[0])
    while (float(current.data.flat[0]) <= end) if up else (float(current.data.flat[0]) >= end):
        made.append(float(current.data.flat[0]))
        multiple = step.operate("times", (step, place)) if isinstance(step, NativeObject) else (
            as_array(step) * place)  # fmt: skip
        current = first.shifted(multiple, 1)
        place += 1
    return first.like(np.array(made).reshape(1, -1))


def checked(v: Value, function: str) -> Datetime:
    """A datetime array, or MATLAB's error that the function needs one."""
    if not isinstance(v, Datetime):
        text = f"Input to '{function}' must be a datetime array."
        raise MatlabError(f"MATLAB:{function}:InvalidInput", text)
    return v


def to_utc(wall: Array, zone: str) -> Array:
    """Milliseconds of UTC from those on the clock of a zone."""
    if not zone or zone in ("UTC", "Z"):
        return wall
    flat = wall.ravel(order="F").tolist()
    moved = [ms - offset(ms - offset(ms, zone), zone) for ms in flat]
    return np.array(moved).reshape(wall.shape, order="F")


def parse_texts(
    v: Value, *, input_format: str = "", form: str = "", zone: str = "", pivot: int | None = None
) -> Datetime:
    """Datetimes of texts by one format, or by the first usual one that fits."""
    texts = texts_of(v)
    parsed = [_parse(t, input_format, pivot) for t in texts]
    rows = np.array([p if p is not None else [math.nan] * 6 for p in parsed]).reshape(-1, 6)
    shape = v.shape if is_cell(v) or is_string(v) else (len(texts), 1)
    serial = date_fields.serial(list(rows.T)).reshape(shape, order="F")
    return Datetime.of_serial(serial, form, zone)


def _parse(text: str, input_format: str, pivot: int | None) -> list[float] | None:
    if text.strip().lower() in ("", "nat", "<missing>"):
        return None
    for guess in (input_format,) if input_format else _GUESSES:
        found = patterns.match(patterns.new_format(guess), text, pivot)
        if found is not None:
            return found
    known = f" using the format '{input_format}'" if input_format else ""
    message = f"Unable to convert '{text}' to datetime{known}."
    identifier = "ParseErr" if input_format else "UnrecognizedDateStringSuggestLocale"
    raise MatlabError(f"MATLAB:datetime:{identifier}", message)


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Datetime.to_portable` gave."""
    return Datetime(as_array(fields["milliseconds"]), text_of(fields["format"]),
                    text_of(fields["zone"]))  # fmt: skip
