"""``duration``: lengths of time in fixed units, kept in milliseconds."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from app import memory
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.arrays.native_arrays import NativeArray, native_array
from app.engine.builtins.dates import time_bins
from app.engine.declarations.registry import native_type
from app.engine.values import (
    Array,
    NativeObject,
    Value,
    as_array,
    canonical,
    class_of,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    numel,
    text_of,
    texts_of,
    unwrap,
)
from app.engine.values.containers import no_member
from app.engine.values.display_format import short_general
from app.errors import MatlabError

UNITS = {
    "years": 365.2425 * 86400e3,
    "days": 86400e3,
    "hours": 3600e3,
    "minutes": 60e3,
    "seconds": 1e3,
    "milliseconds": 1.0,
}
_DAY = 86400e3
FORMATS = {
    "years": "y",
    "days": "d",
    "hours": "h",
    "minutes": "m",
    "seconds": "s",
    "milliseconds": "s",
}
_SINGLE = {
    "y": ("years", "yr"),
    "d": ("days", "day"),
    "h": ("hours", "hr"),
    "m": ("minutes", "min"),
    "s": ("seconds", "sec"),
}
_FORMAT = re.compile(r"[ydhms]|((dd:)?hh:mm:ss|mm:ss)(\.S{1,9})?|hh:mm")
_FIELDS = {"d": 86400e3, "h": 3600e3, "m": 60e3, "s": 1e3}
_TEXT = re.compile(r"\s*(-?)(\d+(?::\d+){1,3}(?:\.\d+)?)\s*")


@native_type
class Duration(NativeArray):
    """An array of lengths of time.

    Attributes:
        form: ``y d h m s`` for one unit, or a digital form such as ``hh:mm:ss``.
    """

    class_name = "duration"
    fill: ClassVar[Any] = 0.0

    def __init__(self, data: Array, form: str = "hh:mm:ss") -> None:
        super().__init__(np.asarray(data, dtype=np.float64))
        self.form = form

    def like(self, data: Array) -> Duration:
        """Other lengths in the same format."""
        return Duration(data, self.form)

    def accept(self, v: Value) -> Duration:
        """Durations, numbers of days, or texts."""
        if isinstance(v, Duration):
            return v
        if is_char(v) or is_string(v) or is_cell(v):
            return Duration(parse_texts(v), self.form)
        if is_numeric_like(v):
            return Duration(as_array(v).astype(np.float64) * UNITS["days"], self.form)
        return super().accept(v)

    def texts(self) -> list[str | None]:
        """By the format."""
        return [render(x, self.form) for x in self.data.ravel(order="F").tolist()]

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``Format``."""
        if name == "Format":
            return self.form
        raise no_member("duration", name)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``d.Format = …``."""
        if name != "Format":
            raise no_member("duration", name)
        return Duration(self.data, duration_format(value))

    def members(self) -> list[str]:
        """Properties."""
        return ["Format"]

    def to_portable(self) -> dict[str, Value]:
        """For files."""
        return {"milliseconds": canonical(self.data), "format": self.form}

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Sums, multiples, quotients and comparisons."""
        for dated in args:
            if isinstance(dated, NativeArray) and class_of(dated) == "datetime":
                return dated.operate(operator, args)
        if operator in ("uminus", "uplus"):
            return self.like(-self.data if operator == "uminus" else self.data)
        if operator == "plus" and any(map(is_string, args)):
            return NotImplemented
        if operator in ("plus", "minus"):
            a, b = (self.accept(v).data for v in args)
            return self.like(a + b if operator == "plus" else a - b)
        if operator in ("times", "mtimes", "rdivide", "mrdivide", "ldivide", "mldivide"):
            return self.scaled(operator, args)
        if operator in ("mod", "rem"):
            a, b = (self.accept(v).data for v in args)
            return self.like(np.mod(a, b) if operator == "mod" else np.fmod(a, b))
        if operator == "colon":
            return _colon(args)
        return super().operate(operator, args)

    def scaled(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Products with numbers and quotients."""
        a, b = args if "ldiv" not in operator else args[::-1]
        both = isinstance(a, Duration) and isinstance(b, Duration)
        x, y = (v.data if isinstance(v, Duration) else as_array(v) for v in (a, b))
        if operator in ("times", "mtimes"):
            return NotImplemented if both else self.like(x * y)
        if both:
            return canonical(x / y)
        return self.like(x / y) if isinstance(a, Duration) else NotImplemented

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Arithmetic functions besides those of all arrays."""
        made = super().methods()
        made.update(
            {
                n: _function_of_numbers(n)
                for n in (
                    "sum",
                    "mean",
                    "median",
                    "movmean",
                    "movmedian",
                    "movsum",
                    "cumsum",
                    "diff",
                    "abs",
                    "std",
                    "cummax",
                    "cummin",
                    "linspace",
                )
            }
        )
        made.update({n: integral_method(n) for n in ("trapz", "cumtrapz")})
        made.update({n: _rounding_function(n) for n in ("round", "floor", "ceil", "fix")})
        made["isnan"] = lambda ctx, args, n: unwrap(np.isnan(args[0].data))
        made["isfinite"] = lambda ctx, args, n: unwrap(np.isfinite(args[0].data))
        made["sign"] = lambda ctx, args, n: unwrap(np.sign(args[0].data))
        made["colon"] = lambda ctx, args, n: _colon(args)
        made.update(time_bins.time_methods())
        for name in (
            "plus",
            "minus",
            "times",
            "rdivide",
            "mod",
            "rem",
            "eq",
            "lt",
            "gt",
            "le",
            "ge",
            "ne",
            "uminus",
        ):
            made[name] = _operator(name)
        return made


def _operator(name: str) -> Callable[..., Value]:
    return lambda ctx, args, n: next(a for a in args if isinstance(a, NativeArray)).operate(
        name, args
    )


def _function_of_numbers(name: str) -> Callable[..., Value]:
    """A function of the numbers whose result is a duration again."""

    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        x = next(a for a in args if isinstance(a, Duration))
        plain = tuple(canonical(a.data) if isinstance(a, Duration) else a for a in args)
        return x.like(as_array(ctx.call(name, plain, 1)[0]))

    return call


def integral_method(name: str) -> Callable[..., Value]:
    """``trapz`` and ``cumtrapz`` where places are times, or lengths of time are summed."""

    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        given, rest = args[:2], args[2:]
        times = [a for a in given if isinstance(a, NativeArray)]
        summed = given[-1]
        if len(times) != 1 or (times[0] is summed and not isinstance(summed, Duration)):
            text = f"Undefined function '{name}' for input arguments of type '{class_of(summed)}'."
            raise MatlabError("MATLAB:UndefinedFunction", text)
        (time,) = times
        numbers = time.data if isinstance(time, Duration) else time.data - time.data[:1, :1]
        plain = tuple(canonical(numbers) if a is time else a for a in given)
        found = as_array(ctx.call(name, (*plain, *rest), 1)[0])
        return time.like(found) if isinstance(time, Duration) else Duration(found)

    return call


def _rounding_function(name: str) -> Callable[..., Value]:
    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        unit = UNITS[text_of(args[1])] if len(args) > 1 else UNITS["seconds"]
        x = native_array(args[0])
        plain = ctx.call(name, (canonical(x.data / unit),), 1)[0]
        return x.like(as_array(plain) * unit)

    return call


def _colon(args: tuple[Value, ...]) -> Value:
    """``a:b`` in days, or ``a:step:b``."""
    x = next(a for a in args if isinstance(a, Duration))
    if any(numel(a) == 0 for a in args):
        return x.like(np.zeros((1, 0)))
    ends = [float(x.accept(a).data.flat[0]) for a in args]
    first, last = ends[0], ends[-1]
    step = ends[1] if len(ends) == 3 else UNITS["days"]
    if not math.isfinite(first) or not math.isfinite(step) or math.isnan(last):
        return x.like(np.full((1, 1), np.nan))
    count = max(0, math.floor((last - first) / step + 1e-9) + 1) if step else 0
    memory.require_array((1, count), np.dtype(float).itemsize)
    return x.like((first + step * np.arange(count)).reshape(1, -1))


def parse_texts(v: Value, form: str = "") -> Array:
    """Milliseconds of texts such as ``1:02:03`` or ``2:01:02:03``, or by a form such as mm:ss."""
    if form and (":" not in form or _FORMAT.fullmatch(form) is None):
        text = f"'{form}' is not a format for text. Use dd:hh:mm:ss, hh:mm:ss, mm:ss or hh:mm."
        raise MatlabError("MATLAB:duration:UnrecognizedInputFormat", text)
    units = [_FIELDS[w[0]] for w in form.partition(".")[0].split(":")] if form else []
    found = []
    for text in texts_of(v):
        match = _TEXT.fullmatch(text)
        if match is None or (units and match.group(2).count(":") + 1 != len(units)):
            raise MatlabError(
                "MATLAB:duration:DataConversionFailed",
                f"Could not recognize the duration format of '{text}'.",
            )
        parts = [float(p) for p in match.group(2).split(":")]
        parts = [*parts, 0.0] if len(parts) == 2 and not form else parts
        scales = units or [_DAY, 3600e3, 60e3, 1e3][-len(parts) :]
        total = sum(p * s for p, s in zip(parts, scales, strict=False))
        found.append(-total if match.group(1) else total)
    shape = v.shape if is_cell(v) or is_string(v) else (len(found), 1)
    return np.array(found).reshape(shape, order="F")


def duration_format(v: Value) -> str:
    """A format of durations, checked."""
    form = text_of(v)
    if _FORMAT.fullmatch(form) is None:
        text = f"'{form}' is not a format for durations. Use y, d, h, m, s, or digits such as "
        text += "hh:mm:ss, dd:hh:mm:ss, mm:ss or hh:mm, seconds with up to nine decimals (.SSS)."
        raise MatlabError("MATLAB:duration:UnrecognizedFormat", text)
    return form


def render(x: float, form: str) -> str:
    """One length of time in milliseconds by a format."""
    if math.isnan(x):
        return f"NaN {_SINGLE[form][1]}" if form in _SINGLE else "NaN"
    if form in _SINGLE:
        unit, short = _SINGLE[form]
        value = x / UNITS[unit]
        plural = "s" if short in ("yr", "day") and value != 1 else ""
        return f"{short_general(value)} {short}{plural}"
    if math.isinf(x):
        return "Inf" if x > 0 else "-Inf"
    return _digital(x, form)


def _digital(x: float, form: str) -> str:
    head, _, fraction = form.partition(".")
    digits = len(fraction)
    total = math.floor(abs(x) / 1e3 * 10**digits + 1e-6) / 10**digits
    sizes = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    names, parts, rest = head.split(":"), [], total
    for k, name in enumerate(names):
        size = sizes[name[0]]
        last = k == len(names) - 1
        value = rest / size if last and digits else float(math.floor(rest / size + 1e-12))
        rest -= math.floor(value) * size
        parts.append(
            f"{value:0{3 + digits}.{digits}f}"
            if last and digits
            else (f"{int(value):0{len(name)}d}")
        )
    return ("-" if x < 0 else "") + ":".join(parts)


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Duration.to_portable` gave."""
    return Duration(as_array(fields["milliseconds"]), text_of(fields["format"]))
