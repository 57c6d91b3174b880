"""``datetime``: points in time, kept in milliseconds since 1970 (of UTC when there is a zone)."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol, runtime_checkable

import numpy as np

from app import memory
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import receiver
from app.engine.builtins.arrays.native_arrays import NativeArray, native_array
from app.engine.builtins.dates import date_fields, time_bins
from app.engine.builtins.dates import date_patterns as patterns
from app.engine.builtins.dates.duration_class import UNITS, Duration, integral_method
from app.engine.builtins.dates.time_zones import label, offset, to_utc, zone_name
from app.engine.declarations.registry import native_type
from app.engine.values import (
    Array,
    NativeObject,
    StringArray,
    Value,
    as_array,
    canonical,
    class_of,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    numel,
    object_array,
    text_of,
    texts_of,
    unwrap,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError, size_error

DATE, FULL = "dd-MMM-uuuu", "dd-MMM-uuuu HH:mm:ss"
_DAY = 86400e3
_LONGEST = 1.12
"""By how much the first step of a range may be longer than the mean: 31 days to 28."""
_BYTES_ON_THE_WAY = 32
"""That an element of a range takes until it is made."""
_GUESSES = (
    FULL,
    DATE,
    "dd-MMM-uuuu HH:mm",
    "dd-MMM-uuuu hh:mm:ss a",
    "dd-MMM-uuuu hh:mm a",
    "uuuu-MM-dd HH:mm:ss.SSS",
    "uuuu-MM-dd HH:mm:ss",
    "uuuu-MM-dd HH:mm",
    "uuuu-MM-dd'T'HH:mm:ss.SSS",
    "uuuu-MM-dd'T'HH:mm:ss",
    "uuuu-MM-dd'T'HH:mm:ssZ",
    "uuuu-MM-dd'T'HH:mm",
    "uuuu-MM-dd",
    "uuuu-MMM-dd HH:mm:ss",
    "uuuu-MMM-dd",
    "uuuu/MM/dd HH:mm:ss",
    "uuuu/MM/dd HH:mm",
    "uuuu/MM/dd",
    "MM/dd/uuuu HH:mm:ss",
    "MM/dd/uuuu HH:mm",
    "MM/dd/uuuu hh:mm:ss a",
    "MM/dd/uuuu hh:mm a",
    "MM/dd/uuuu",
    "dd.MM.uuuu HH:mm:ss",
    "dd.MM.uuuu",
    "MMM d, uuuu",
    "MMMM d, uuuu",
    "d MMM uuuu HH:mm:ss",
    "d MMM uuuu",
    "MMM d uuuu",
    "dd-MMM-uuuu HH:mm:ss.SSS",
    "HH:mm:ss",
    "HH:mm",
)


@runtime_checkable
class CalendarParts(Protocol):
    """What a calendar duration consists of: months, days and milliseconds (in ``data``)."""

    months: Array
    days: Array
    data: Array


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
            if bool(v.zone) != bool(self.zone) and v.timed() and self.timed():
                text = "Cannot combine or compare a datetime array with a time zone with one "
                raise MatlabError("MATLAB:datetime:IncompatibleTZ", f"{text}without a time zone.")
            return v
        if is_char(v) or is_string(v) or is_cell(v):
            return parse_texts(v, form=self.form, zone=self.zone)
        if is_numeric_like(v) and np.all(np.isnan(as_array(v))):
            return self.like(as_array(v))
        return super().accept(v)

    def timed(self) -> bool:
        """Whether there is any time that is one."""
        return not bool(np.all(np.isnan(self.data)))

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
            found.append(patterns.render(parts, values, int(weekdays[k]), label(moment, self.zone)))
        return found

    # --- members ---

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Format, TimeZone and the fields."""
        value = self._member(name)
        if args:
            from app.engine.interpreter.indexing.index_read import paren

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

    def set_member(self, ctx: CallContext | None, name: str, value: Value) -> NativeObject:
        """``t.Format = …``, ``t.TimeZone = …``, ``t.Hour = …``."""
        if name == "Format":
            return Datetime(self.data, format_of(value), self.zone)
        if name == "TimeZone":
            zone = zone_name(text_of(value))
            moved = (
                self.wall()
                if not zone
                else (to_utc(self.data, zone) if not self.zone else self.data)
            )
            return Datetime(moved, self.form, zone)
        names = ("Year", "Month", "Day", "Hour", "Minute", "Second")
        if name not in names:
            raise no_member("datetime", name)
        parts = self.fields()
        given = as_array(value)
        if given.size != 1 and given.shape != self.shape:
            raise size_error()
        parts[names.index(name)] = np.full(self.shape, given.astype(float))
        return Datetime(to_utc(date_fields.milliseconds(parts), self.zone), self.form, self.zone)

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
            a, b = args
            if isinstance(a, Datetime) and isinstance(b, Datetime):
                text = "Addition is not defined between datetime arrays."
                raise MatlabError("MATLAB:datetime:DatetimeAdditionNotDefined", text)
            return a.shifted(b, 1) if isinstance(a, Datetime) else self.shifted(a, 1)
        if operator == "colon":
            return _colon(args)
        return super().operate(operator, args)

    def _minus(self, a: Value, b: Value) -> Value:
        if (
            isinstance(a, Datetime)
            and not isinstance(b, Datetime)
            and not (is_char(b) or is_string(b))
        ):
            return a.shifted(b, -1)
        return Duration(self.accept(a).data - self.accept(b).data)

    def compared(self, name: str, args: tuple[Value, ...]) -> Value:
        """Element by element comparison, with texts, too."""
        try:
            return super().compared(name, args)
        except MatlabError as problem:
            if problem.identifier != "MATLAB:invalidConversion":
                raise
            a, b = map(class_of, args)
            text = f"Comparison is not defined between {a} and {b} arrays."
            raise MatlabError("MATLAB:datetime:InvalidComparison", text) from problem

    def shifted(self, by: Value, sign: int) -> Value:
        """Later (or earlier) by a duration, a calendar duration, or days."""
        if isinstance(by, CalendarParts):
            wall = self.wall()
            day = np.floor(wall / _DAY)
            moved = (
                date_fields.add_months(day + date_fields.EPOCH, sign * by.months) + sign * by.days
            )
            ms = (moved - date_fields.EPOCH) * _DAY + (wall - day * _DAY)
            return self.like(to_utc(ms, self.zone) + sign * by.data)
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
        made["isinf"] = lambda ctx, args, n: unwrap(np.isinf(args[0].data))
        made["isfinite"] = lambda ctx, args, n: unwrap(np.isfinite(args[0].data))
        made["diff"] = lambda ctx, args, n: Duration(
            as_array(ctx.call("diff", (canonical(args[0].data), *args[1:]), 1)[0])
        )
        made["trapz"], made["cumtrapz"] = map(integral_method, ("trapz", "cumtrapz"))
        made["mean"] = time_bins.by_numbers("mean", 0)
        made["median"] = time_bins.by_numbers("median", 0)
        made["std"] = lambda ctx, args, n: Duration(
            as_array(ctx.call("std", (canonical(args[0].data), *time_bins.plain(args[1:])), 1)[0])
        )
        made["colon"] = lambda ctx, args, n: _colon(args)
        made["string"] = _string_by
        made.update(time_bins.time_methods())
        made["linspace"] = lambda ctx, args, n: self.like(
            as_array(
                ctx.call(
                    "linspace", (*(canonical(self.accept(a).data) for a in args[:2]), *args[2:]), 1
                )[0]
            )
        )
        made["char"] = _char_by
        for name in ("plus", "minus", "eq", "lt", "gt", "le", "ge", "ne"):
            made[name] = _operator(name)
        return made


def _operator(name: str) -> Callable[..., Value]:
    return lambda ctx, args, n: next(a for a in args if isinstance(a, Datetime)).operate(name, args)


def _char_by(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    from app.engine.operators.number_text import char_rows

    x = receiver(args, Datetime)
    texts = x.rendered(text_of(args[1])) if len(args) > 1 else x.texts()
    return char_rows([t or "" for t in texts])


def _string_by(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """``string(t, format)``; NaT is missing."""
    x = receiver(args, Datetime)
    texts = x.rendered(text_of(args[1])) if len(args) > 1 else x.texts()
    lost = x.is_missing().ravel(order="F").tolist()
    kept = [None if gone else t for t, gone in zip(texts, lost, strict=True)]
    return StringArray(object_array(kept, x.shape))


def _colon(args: tuple[Value, ...]) -> Value:
    """``a:b`` by days, or ``a:step:b``."""
    first, last = next(a for a in args if isinstance(a, Datetime)).accept(args[0]), args[-1]
    step = args[1] if len(args) == 3 else 1.0
    moved = first.shifted(step, 1)
    if moved is NotImplemented:
        text = "The step between dates must be a duration, a calendar duration or a number of days."
        raise MatlabError("MATLAB:datetime:InvalidColonStep", text)
    if any(numel(a) == 0 for a in args):
        return first.like(np.zeros((1, 0)))
    start, end = float(first.data.flat[0]), float(first.accept(last).data.flat[0])
    length = float(native_array(moved).data.flat[0]) - start
    if length == 0 or not math.isfinite((end - start) / length):
        return first.like(np.zeros((1, 0)))
    count = max(0, int((end - start) / length * _LONGEST) + 2)
    memory.require_array((1, count), _BYTES_ON_THE_WAY)
    places = np.arange(float(count)).reshape(1, -1)
    multiples = (
        step.operate("times", (step, places))
        if isinstance(step, NativeObject)
        else as_array(step) * places
    )
    made = native_array(first.shifted(multiples, 1))
    within = made.data <= end if length > 0 else made.data >= end
    return first.like(made.data[within].reshape(1, -1))


def datetime_argument(v: Value, function: str) -> Datetime:
    """A datetime array, or MATLAB's error that the function needs one."""
    if not isinstance(v, Datetime):
        text = f"Input to '{function}' must be a datetime array."
        raise MatlabError(f"MATLAB:{function}:InvalidInput", text)
    return v


def format_of(v: Value) -> str:
    """The format that an option or a property names; empty for the usual ones."""
    form = text_of(v)
    return "" if form in ("default", "defaultdate") else patterns.checked_format(form)


def parse_texts(
    v: Value, *, input_format: str = "", form: str = "", zone: str = "", pivot: int | None = None
) -> Datetime:
    """Datetimes of texts by one format, or by the first usual one that fits."""
    texts = texts_of(v)
    known: dict[str, list[float]] = {}
    for text in dict.fromkeys(texts):
        known[text] = _parse(text, input_format, pivot) or [math.nan] * 6
    rows = np.array([known[t] for t in texts]).reshape(-1, 6)
    shape = v.shape if is_cell(v) or is_string(v) else (len(texts), 1)
    ms = to_utc(date_fields.milliseconds(list(rows.T)), zone)
    if zone and input_format:
        ms = np.array(
            [_instant_with_offset(x, t, input_format, zone) for x, t in zip(ms, texts, strict=True)]
        )
    return Datetime(ms.reshape(shape, order="F"), form, zone)


def _instant_with_offset(ms: float, text: str, input_format: str, zone: str) -> float:
    """The instant of a text that names its own distance from UTC."""
    minutes = patterns.zone_minutes(patterns.new_format(input_format), text)
    return ms if minutes is None else ms + offset(ms, zone) - minutes * 60e3


_ZEROS = str.maketrans("123456789", "000000000")


@lru_cache(maxsize=4096)
def _fitting(text: str) -> tuple[str, ...]:
    """The usual formats that a text fits by its shape; all its digits are zeros."""
    return tuple(g for g in _GUESSES if patterns.fits(patterns.new_format(g), text))


def _parse(text: str, input_format: str, pivot: int | None) -> list[float] | None:
    if text.strip().lower() in ("", "nat", "<missing>"):
        return None
    for guess in (input_format,) if input_format else _fitting(text.translate(_ZEROS)):
        found = patterns.match(patterns.new_format(guess), text, pivot)
        if found is not None:
            return found
    known = f" using the format '{input_format}'" if input_format else ""
    message = f"Unable to convert '{text}' to datetime{known}."
    identifier = "ParseErr" if input_format else "UnrecognizedDateStringSuggestLocale"
    raise MatlabError(f"MATLAB:datetime:{identifier}", message)


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Datetime.to_portable` gave."""
    return Datetime(
        as_array(fields["milliseconds"]), text_of(fields["format"]), text_of(fields["zone"])
    )
