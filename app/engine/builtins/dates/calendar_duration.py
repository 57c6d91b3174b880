"""``calendarDuration`` (months and days of varying length), ``between`` and ``dateshift``."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import enough, receiver, unknown_option
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.dates.datetime_class import Datetime
from app.engine.builtins.dates.duration_class import Duration
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Array,
    NativeObject,
    Value,
    as_array,
    canonical,
    is_numeric_like,
    is_text_scalar,
    size_of,
    text_of,
    unwrap,
)
from app.engine.values.display_format import short_general

_FAMILY = "dates"
_DAY = 86400e3
_GENERAL = (
    "cellstr",
    "char",
    "isempty",
    "ismissing",
    "cat",
    "reshape",
    "repmat",
    "permute",
    "flip",
    "fliplr",
    "flipud",
    "circshift",
    "transpose",
    "ctranspose",
    "repelem",
)
_MONTHS = {"years": 12, "quarters": 3, "months": 1}


@native_type
class CalendarDuration(NativeArray):
    """Months, days and milliseconds (in ``data``)."""

    class_name = "calendarDuration"

    def __init__(self, months: Array, days: Array, data: Array) -> None:
        months, days, data = (
            np.atleast_2d(np.asarray(a, dtype=np.float64))
            for a in np.broadcast_arrays(months, days, data)
        )
        super().__init__(data)
        self.months = months
        self.days = days

    def like(self, data: Array) -> CalendarDuration:
        """Not needed: elements are three numbers each."""
        if data.shape != self.shape:
            return CalendarDuration(np.zeros(1), np.zeros(1), data)
        return CalendarDuration(self.months, self.days, data)

    def picked(self, index: Array) -> CalendarDuration:
        """Elements at 0-based linear positions."""
        return CalendarDuration(*(p.ravel(order="F")[index] for p in self.components()))

    def components(self) -> tuple[Array, Array, Array]:
        """Months, days and milliseconds."""
        return self.months, self.days, self.data

    def is_missing(self) -> Array:
        """True where any part is missing."""
        return np.asarray(np.isnan(self.months + self.days + self.data))

    def accept(self, v: Value) -> CalendarDuration:
        """Calendar durations, durations, or days."""
        if isinstance(v, CalendarDuration):
            return v
        if isinstance(v, Duration):
            return CalendarDuration(np.zeros(1), np.zeros(1), v.data)
        if is_numeric_like(v):
            return CalendarDuration(np.zeros(1), as_array(v), np.zeros(1))
        return super().accept(v)

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``c(i)``."""
        from app.engine.interpreter.indexing.gather_elements import select

        return CalendarDuration(*(select(p, args) for p in self.components())) if args else self

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``c(i) = value`` and ``c(i) = []``."""
        from app.engine.interpreter.indexing.store_elements import put, remove

        if value is None:
            return CalendarDuration(*(remove(p, args) for p in self.components()))
        new = self.accept(value).components()
        return CalendarDuration(
            *(put(p, args, n, 0.0, False) for p, n in zip(self.components(), new, strict=True))
        )

    def joined(self, axis: int, args: tuple[Value, ...]) -> Value:
        """Concatenation; empties vanish."""
        from app.engine.operators.concatenation import join

        parts = [self.accept(v).components() for v in args if np.prod(size_of(v))]
        return CalendarDuration(*(join(axis, list(p)) for p in zip(*parts, strict=True)))

    def texts(self) -> list[str | None]:
        """Such as ``1y 2mo 3d``."""
        parts = (p.ravel(order="F").tolist() for p in (self.months, self.days, self.data))
        return [_text(*row) for row in zip(*parts, strict=True)]

    def equals(self, other: Value) -> bool:
        """All three parts agree."""
        if not isinstance(other, CalendarDuration) or other.shape != self.shape:
            return False
        pairs = zip(self.components(), other.components(), strict=True)
        return all(bool(np.all(a == b)) for a, b in pairs)

    def to_portable(self) -> dict[str, Value]:
        """For files."""
        return {
            "months": canonical(self.months),
            "days": canonical(self.days),
            "milliseconds": canonical(self.data),
        }

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Sums, whole multiples, negation; dates are shifted by ``datetime``."""
        dated = next((a for a in args if isinstance(a, Datetime)), None)
        if dated is not None:
            return dated.operate(operator, args)
        if operator == "uminus":
            return CalendarDuration(-self.months, -self.days, -self.data)
        if operator in ("plus", "minus"):
            a, b = (self.accept(v) for v in args)
            s = 1 if operator == "plus" else -1
            return CalendarDuration(
                a.months + s * b.months, a.days + s * b.days, a.data + s * b.data
            )
        if operator in ("times", "mtimes"):
            c, factor = args if isinstance(args[0], CalendarDuration) else args[::-1]
            c, k = receiver((c,), CalendarDuration), as_array(factor)
            return CalendarDuration(c.months * k, c.days * k, c.data * k)
        if operator in ("eq", "ne"):
            a, b = (self.accept(v) for v in args)
            same = (a.months == b.months) & (a.days == b.days) & (a.data == b.data)
            return canonical(same if operator == "eq" else ~same)
        if operator in ("transpose", "ctranspose"):
            return CalendarDuration(*(p.T for p in self.components()))
        return super().operate(operator, args) if operator.endswith("cat") else NotImplemented

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Text and the splitting into units."""
        made = {k: m for k, m in super().methods().items() if k in _GENERAL}
        made["split"] = _split_units
        made["time"] = lambda ctx, args, n: Duration(args[0].data)
        made["isnan"] = lambda ctx, args, n: unwrap(args[0].is_missing())
        return made


def _split_units(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    from app.engine.values import texts_of

    enough(args, 2)
    c = receiver(args, CalendarDuration)
    outputs: list[Value] = []
    months, days = c.months, c.days
    for unit in texts_of(args[1]):
        size = _MONTHS.get(unit)
        if size:
            outputs.append(canonical(np.fix(months / size)))
            months = np.fmod(months, size)
        elif unit == "weeks":
            outputs.append(canonical(np.fix(days / 7)))
            days = np.fmod(days, 7)
        else:
            outputs.append(Duration(c.data) if unit == "time" else canonical(days))
    return tuple(outputs)


def _text(months: float, days: float, ms: float) -> str:
    if math.isnan(months + days + ms):
        return "NaN"
    years, rest = divmod(abs(months), 12)
    sign = -1 if months < 0 else 1
    units = ((sign * years, "y"), (sign * rest, "mo"), (days, "d"))
    words = [f"{int(n)}{unit}" for n, unit in units if n]
    if ms:
        seconds = abs(ms) / 1e3
        mark = "-" if ms < 0 else ""
        hours, minutes = int(seconds // 3600), int(seconds // 60 % 60)
        words.append(f"{mark}{hours}h {minutes}m {short_general(seconds % 60)}s")
    return " ".join(words) or "0d"


@builtin(
    "calendarDuration",
    category=_FAMILY,
    signatures=("c = calendarDuration(Y, M, D)", "c = calendarDuration(Y, M, D, H, MI, S)"),
    cases=("strcmp(char(calendarDuration(1, 2, 3)), '1y 2mo 3d')",),
    see=("calmonths", "caldays"),
)
def calendar_duration(*parts: Value) -> Value:
    """Lengths of time in calendar units, whose length depends on the date they are added to."""
    stray = next((text_of(p) for p in parts if is_text_scalar(p)), "")
    if stray:
        raise unknown_option("calendarDuration", stray)
    values = [as_array(p).astype(np.float64) for p in parts]
    if len(values) == 1:
        values = list(values[0].T[:, :, None])
    values += [np.zeros((1, 1))] * (6 - len(values))
    ms = values[3] * 3600e3 + values[4] * 60e3 + values[5] * 1e3
    return CalendarDuration(values[0] * 12 + values[1], values[2], ms)


def declare_calendar(name: str, months: float, days: float, case: str) -> None:
    """Declare the function of one calendar unit."""

    def call(x: Value) -> Value:
        if isinstance(x, CalendarDuration):
            return canonical(np.fix(x.months / months) if months else np.fix(x.days / days))
        count = as_array(x).astype(np.float64)
        return CalendarDuration(count * months, count * days, np.zeros(1))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"c = {name}(x)",),
        cases=(case,),
        text=f"A calendar duration of that many units ({name[3:]}).",
        see=("calendarDuration",),
    )(call)


declare_calendar("calyears", 12, 0, "datetime(2020, 2, 29) + calyears(1) == datetime(2021, 2, 28)")
declare_calendar("calquarters", 3, 0, "calmonths(calquarters(1)) == 3")
declare_calendar("calmonths", 1, 0, "datetime(2020, 1, 31) + calmonths(1) == datetime(2020, 2, 29)")
declare_calendar("calweeks", 0, 7, "caldays(calweeks(1)) == 7")
declare_calendar("caldays", 0, 1, "datetime(2020, 1, 31) + caldays(1) == datetime(2020, 2, 1)")


@builtin(
    "iscalendarduration",
    category=_FAMILY,
    signatures=("tf = iscalendarduration(x)",),
    cases=("iscalendarduration(caldays(1))",),
)
def iscalendarduration(x: Value) -> Value:
    """True for calendar durations."""
    return isinstance(x, CalendarDuration)


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`CalendarDuration.to_portable` gave."""
    parts = (as_array(fields[n]) for n in ("months", "days", "milliseconds"))
    return CalendarDuration(*parts)
