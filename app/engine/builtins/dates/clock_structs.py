"""The C library's times (Octave's): localtime, gmtime, mktime, strftime, asctime, ctime."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from app.engine.arguments.checks import FINITE, NUMBER, real_number, takes, within
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Struct,
    Value,
    float_of,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "time"


def _tm(t: time.struct_time, fraction: float) -> Struct:
    return Struct(
        {
            "usec": float(int(fraction * 1e6)),
            "sec": float(t.tm_sec),
            "min": float(t.tm_min),
            "hour": float(t.tm_hour),
            "mday": float(t.tm_mday),
            "mon": float(t.tm_mon - 1),
            "year": float(t.tm_year - 1900),
            "wday": float((t.tm_wday + 1) % 7),
            "yday": float(t.tm_yday - 1),
            "isdst": float(t.tm_isdst),
            "gmtoff": float(t.tm_gmtoff or 0),
            "zone": t.tm_zone or "",
        }
    )


def _struct_time(s: Value) -> time.struct_time:
    if not isinstance(s, Struct) or not {"year", "mon", "mday", "hour", "min", "sec"} <= set(
        s.fields
    ):
        raise MatlabError("Octave:undefined-function", "The time must be a struct of its parts.")
    f = {k: v for k, v in s.fields.items() if not isinstance(v, str)}
    whole = {k: int(float_of(v)) for k, v in f.items()}
    return time.struct_time(
        (
            whole["year"] + 1900,
            whole["mon"] + 1,
            whole["mday"],
            whole["hour"],
            whole["min"],
            whole["sec"],
            (whole.get("wday", 0) - 1) % 7,
            whole.get("yday", 0) + 1,
            whole.get("isdst", -1),
        )
    )


def declare_clock(name: str, convert: Any, summary: str) -> None:
    """Declare a function from seconds since 1970 to a time struct."""

    def call(t: Value) -> Value:
        seconds = real_number(t)
        try:
            clock = convert(seconds)
        except (OverflowError, ValueError, OSError):
            text = f"{name} has no clock for {seconds:g} seconds since 1970."
            raise MatlabError("Octave:bad-input", text) from None
        return _tm(clock, seconds - np.floor(seconds))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"tm = {name}(t)",),
        text=summary,
        cases=(f"isfield({name}(0), 'hour')",),
        see=("strftime", "mktime"),
    )(call)


declare_clock(
    "localtime", time.localtime, "Seconds since 1970 as a struct of local time (Octave's)."
)
declare_clock("gmtime", time.gmtime, "Seconds since 1970 as a struct of UTC (Octave's).")


@builtin(
    "mktime",
    category=_FAMILY,
    signatures=("t = mktime(tm)",),
    cases=("mktime(localtime(1e9)) == 1e9",),
    see=("localtime",),
)
def mktime(tm: Value) -> Value:
    """Seconds since 1970 of a time struct (Octave's)."""
    seconds = time.mktime(_struct_time(tm))
    extra = tm.fields.get("usec", 0.0) if isinstance(tm, Struct) else 0.0
    return seconds + float_of(extra) / 1e6


@builtin(
    "strftime",
    category=_FAMILY,
    signatures=("text = strftime(format, tm)",),
    cases=("strcmp(strftime('%Y', gmtime(0)), '1970')",),
    see=("datestr",),
)
def strftime(template: Value, tm: Value) -> Value:
    """A time struct as text by the C library's format (Octave's)."""
    return time.strftime(text_of(template), _struct_time(tm))


@builtin(
    "asctime",
    category=_FAMILY,
    signatures=("text = asctime(tm)",),
    cases=("numel(asctime(gmtime(0))) == 25",),
    see=("ctime",),
)
def asctime(tm: Value) -> Value:
    """A time struct as text in five parts (Octave's)."""
    return time.strftime("%a %b %d %H:%M:%S %Y\n", _struct_time(tm))


@builtin(
    "ctime",
    category=_FAMILY,
    signatures=("text = ctime(t)",),
    cases=("numel(ctime(0)) == 25",),
    see=("asctime",),
)
@takes(NUMBER & FINITE & within(-(2.0**40), 2.0**40))
def ctime(t: Value) -> Value:
    """Seconds since 1970 as text in five parts (Octave's)."""
    return time.strftime("%a %b %d %H:%M:%S %Y\n", time.localtime(float_of(t)))
