"""Making and reading durations: duration, years, days, hours, minutes, seconds, milliseconds."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import unknown_option
from app.engine.builtins.arrays.native_arrays import no_conversion
from app.engine.builtins.dates.duration_class import (
    FORMATS,
    UNITS,
    Duration,
    duration_format,
    parse_texts,
)
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "dates"
_OPTIONS = ("format", "inputformat")


def declare_unit(name: str, cases: tuple[str, ...]) -> None:
    """Declare the function of a unit: numbers to durations, and durations to numbers."""

    def call(x: Value) -> Value:
        if isinstance(x, Duration):
            return canonical(x.data / UNITS[name])
        if not is_numeric_like(x) or is_char(x):
            raise no_conversion(x, "duration")
        return Duration(as_array(x).astype(np.float64) * UNITS[name], FORMATS[name])

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"d = {name}(x)", f"x = {name}(d)"),
        cases=cases,
        text=f"A duration of that many {name}, or the number of {name} in a duration.",
        see=("duration",),
    )(call)


declare_unit("years", ("years(days(365.2425)) == 1", 'string(years(Inf)) == "Inf yrs"'))
declare_unit("days", ("days(hours(36)) == 1.5",))
declare_unit("hours", ("hours(minutes(90)) == 1.5",))
declare_unit("minutes", ("minutes(hours(2)) == 120",))
declare_unit("seconds", ("seconds(minutes(2)) == 120", "seconds(2) + seconds(3) == seconds(5)"))
declare_unit("milliseconds", ("milliseconds(seconds(2)) == 2000",))


@builtin(
    "duration",
    least=1,
    category=_FAMILY,
    signatures=(
        "d = duration(H, MI, S)",
        "d = duration(H, MI, S, MS)",
        "d = duration(matrix)",
        "d = duration(text)",
        "d = duration(..., 'Format', format)",
    ),
    cases=(
        "hours(duration(1, 30, 0)) == 1.5",
        "strcmp(char(duration(1, 2, 3)), '01:02:03')",
        "seconds(duration('00:01:30')) == 90",
    ),
    see=("hours", "datetime", "between"),
)
def duration(*args: Value) -> Value:
    """Lengths of time from hours, minutes and seconds, or from text."""
    rest, words = list(args), {}
    while len(rest) > 2 and is_text_scalar(rest[-2]) and text_of(rest[-2]).lower() in _OPTIONS:
        words[text_of(rest[-2]).lower()] = text_of(rest[-1])
        del rest[-2:]
    stray = next((text_of(v) for v in rest[1:] if is_text_scalar(v)), "")
    if stray:
        raise unknown_option("duration", stray, " ".join(_OPTIONS))
    form = duration_format(words["format"]) if words.get("format") else ""
    first = rest[0]
    if isinstance(first, Duration):
        return Duration(first.data, form or first.form)
    if is_char(first) or is_string(first) or is_cell(first):
        return Duration(parse_texts(first, words.get("inputformat", "")), form or "hh:mm:ss")
    if "inputformat" in words:
        text = "InputFormat describes texts; these are numbers."
        raise MatlabError("MATLAB:duration:InputFormatWithoutText", text)
    columns = [as_array(v).astype(np.float64) for v in rest]
    if len(columns) == 1:
        columns = list(columns[0].T[:, :, None])
    scale = (3600e3, 60e3, 1e3, 1.0)
    total = sum((c * s for c, s in zip(columns, scale, strict=False)), np.zeros((1, 1)))
    return Duration(total, form or "hh:mm:ss")


@builtin(
    "isduration",
    category=_FAMILY,
    signatures=("tf = isduration(x)",),
    cases=("isduration(hours(1))", "~isduration(1)"),
    see=("duration",),
)
def isduration(x: Value) -> Value:
    """True for durations."""
    return isinstance(x, Duration)


@builtin(
    "hms",
    category=_FAMILY,
    signatures=("[h, m, s] = hms(t)",),
    cases=("hms(duration(1, 2, 3)) == 1",),
    see=("duration", "ymd"),
)
def hms(t: Value) -> Value:
    """Hours, minutes and seconds of durations or datetimes."""
    from app.engine.builtins.dates.datetime_class import Datetime

    if isinstance(t, Datetime):
        return tuple(unwrap(p) for p in t.fields()[3:])
    if not isinstance(t, Duration):
        raise no_conversion(t, "duration")
    total = t.data / 1e3
    hours = np.trunc(total / 3600)
    minutes = np.trunc((total - hours * 3600) / 60)
    return unwrap(hours), unwrap(minutes), unwrap(total - hours * 3600 - minutes * 60)
