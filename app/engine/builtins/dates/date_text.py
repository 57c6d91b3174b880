"""Dates as text and numbers: datestr, datenum, datevec."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from app.engine.builtins.dates import date_patterns as patterns
from app.engine.builtins.dates.date_fields import (
    parts_of,
    serial,
    serial_of_numbers,
    weekday_of,
)
from app.engine.declarations.registry import builtin
from app.engine.operators.number_text import char_rows
from app.engine.values import (
    Array,
    NativeObject,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "time"
STYLES = (
    "dd-mmm-yyyy HH:MM:SS",
    "dd-mmm-yyyy",
    "mm/dd/yy",
    "mmm",
    "m",
    "mm",
    "mm/dd",
    "dd",
    "ddd",
    "d",
    "yyyy",
    "yy",
    "mmmyy",
    "HH:MM:SS",
    "HH:MM:SS PM",
    "HH:MM",
    "HH:MM PM",
    "QQ-yy",
    "QQ",
    "dd/mm",
    "dd/mm/yy",
    "mmm.dd,yyyy HH:MM:SS",
    "mmm.dd,yyyy",
    "mm/dd/yyyy",
    "dd/mm/yyyy",
    "yy/mm/dd",
    "yyyy/mm/dd",
    "QQ-yyyy",
    "mmmyyyy",
    "yyyy-mm-dd",
    "yyyymmddTHHMMSS",
    "yyyy-mm-dd HH:MM:SS",
)
_GUESSES = (
    "dd-mmm-yyyy HH:MM:SS.FFF",
    "dd-mmm-yyyy HH:MM:SS",
    "dd-mmm-yyyy HH:MM",
    "dd-mmm-yyyy",
    "dd-mmm-yy",
    "mm/dd/yyyy",
    "mm/dd/yy",
    "mm/dd",
    "mmm-dd-yyyy HH:MM:SS",
    "mmm-dd-yyyy",
    "dd mmm yyyy HH:MM:SS",
    "dd mmm yyyy",
    "mmm dd yyyy HH:MM:SS",
    "mmm dd, yyyy",
    "mmm dd yyyy",
    "mmmm dd, yyyy",
    "dd.mmm.yyyy HH:MM:SS",
    "dd.mmm.yyyy",
    "mmm.dd,yyyy HH:MM:SS",
    "mmm.dd,yyyy",
    "mmmyy",
    "mm/dd/yyyy HH:MM:SS",
    "mm/dd/yyyy HH:MM",
    "yyyy/mm/dd HH:MM:SS",
    "yyyy/mm/dd",
    "yyyy-mm-dd HH:MM:SS.FFF",
    "yyyy-mm-dd HH:MM:SS",
    "yyyy-mm-dd HH:MM",
    "yyyy-mm-ddTHH:MM:SS.FFF",
    "yyyy-mm-ddTHH:MM:SS",
    "yyyy-mm-dd",
    "yyyymmddTHHMMSS",
    "HH:MM:SS.FFF",
    "HH:MM:SS",
    "HH:MM:SS PM",
    "HH:MM",
    "HH:MM PM",
    "mmmyyyy",
    "yyyy",
)


def vector_of(text: str, form: str = "", pivot: int | None = None) -> list[float]:
    """Year … second of a text."""
    for guess in (form,) if form else _GUESSES:
        found = patterns.match(patterns.old_format(guess), text, pivot)
        if found is not None:
            return found
    message = f"Failed to convert from text to date number: '{text}'."
    raise MatlabError("MATLAB:datevec:InvalidDate", message)


def _style(v: Value) -> str:
    if is_numeric_like(v) and not is_char(v):
        k = int_of(v)
        if not 0 <= k < len(STYLES):
            raise MatlabError("MATLAB:datestr:Input", f"Date style {k} is unknown.")
        return STYLES[k]
    return text_of(v)


def numbers_of(v: Value, form: str = "", pivot: int | None = None) -> Array:
    """Serial date numbers of texts, numbers, date vectors or datetimes."""
    if isinstance(v, NativeObject):
        method = v.methods().get("datenum")
        if method is not None:
            return as_array(method(None, (v,), 1))
    if is_char(v) or is_string(v) or is_cell(v):
        rows = np.array([vector_of(t, form, pivot) for t in texts_of(v)]).reshape(-1, 6)
        return serial(list(rows.T)).reshape(-1, 1)
    a = np.asarray(as_array(v), dtype=np.float64)
    return serial(list(a.T)).reshape(-1, 1) if _is_vector(a) else a


def _is_vector(a: Array) -> bool:
    """Whether rows look like [year month day …] rather than serial numbers."""
    if a.ndim != 2 or a.shape[1] not in (3, 6) or not a.size:
        return False
    whole = np.all(a[:, :3] == np.floor(a[:, :3]))
    return bool(
        whole
        and np.all(a[:, 1] <= 12)
        and np.all(a[:, 2] <= 31)
        and np.all(np.abs(a[:, 0]) < 10000)
    )


def _options(options: tuple[Value, ...]) -> tuple[str, int | None]:
    """Format and pivot year, in any order."""
    form, pivot = "", None
    for o in options:
        if is_char(o) or is_string(o):
            form = text_of(o)
        else:
            pivot = int_of(o)
    return form, pivot


@builtin(
    "datenum",
    category=_FAMILY,
    signatures=(
        "n = datenum(Y, M, D)",
        "n = datenum(Y, M, D, H, MN, S)",
        "n = datenum(vector)",
        "n = datenum(text, format)",
        "[days, seconds] = datenum(...)",
    ),
    cases=(
        "datenum(2000, 1, 1) == 730486",
        "datenum([2020 1 1 12 0 0]) == 737791.5",
        "datenum('2000-01-01', 'yyyy-mm-dd') == 730486",
    ),
    see=("datestr", "datevec", "datetime"),
)
def datenum(first: Value, *rest: Value) -> Value:
    """Serial date number: days since the beginning of year 0."""
    numbers = [v for v in (first, *rest) if type(v) is float]
    alone = len(numbers) == 1 + len(rest) and len(rest) in {2, 5}
    whole = serial_of_numbers(numbers) if alone else None
    if whole is not None:
        return whole, whole * 86400
    if isinstance(first, NativeObject) or is_char(first) or is_string(first) or is_cell(first):
        days = numbers_of(first, *_options(rest))
    elif rest:
        if any(as_array(v).dtype.kind in "iu" for v in (first, *rest)):
            text = "The parts of a date must be of class double or single."
            raise MatlabError("MATLAB:datenum:inputs", text)
        parts = [np.asarray(as_array(v), dtype=np.float64) for v in (first, *rest)]
        days = serial([*parts, np.ones(1)] if len(parts) == 2 else parts)
    else:
        a = np.asarray(as_array(first), dtype=np.float64)
        if a.ndim == 2 and a.shape[0] == 1 and a.shape[1] in (2, 7):
            text = "Date vectors have three or six elements."
            raise MatlabError("MATLAB:datenum:inputs", text)
        vectors = a.ndim == 2 and a.shape[1] in (3, 6)
        days = serial(list(a.T)).reshape(-1, 1) if vectors else a
    return canonical(days), canonical(days * 86400)


@builtin(
    "datevec",
    category=_FAMILY,
    signatures=(
        "v = datevec(n)",
        "v = datevec(text, format)",
        "[Y, M, D, H, MN, S] = datevec(...)",
    ),
    cases=(
        "isequal(datevec(730486.5), [2000 1 1 12 0 0])",
        "isequal(datevec('2020-03-04', 'yyyy-mm-dd'), [2020 3 4 0 0 0])",
    ),
    see=("datenum", "datestr"),
)
def datevec(date: Value, *options: Value, nargout: int = 1) -> Value:
    """Dates as rows [year month day hour minute second]."""
    if is_char(date) or is_string(date) or is_cell(date):
        form, pivot = _options(options)
        rows = np.array([vector_of(t, form, pivot) for t in texts_of(date)]).reshape(-1, 6)
        columns = list(rows.T.reshape(6, -1, 1))
    else:
        numbers = numbers_of(date)
        columns = parts_of(numbers)
        rows = np.stack([c.ravel(order="F") for c in columns], axis=1)
    return canonical(rows) if nargout <= 1 else tuple(canonical(np.asarray(c)) for c in columns)


@builtin(
    "datestr",
    category=_FAMILY,
    signatures=(
        "text = datestr(n)",
        "text = datestr(n, format)",
        "text = datestr(vector)",
        "text = datestr(text, format)",
    ),
    cases=(
        "strcmp(datestr(730486.5), '01-Jan-2000 12:00:00')",
        "strcmp(datestr(730486, 'yyyy-mm-dd'), '2000-01-01')",
        "strcmp(datestr(730486, 29), '2000-01-01')",
    ),
    see=("datenum", "datevec", "datetime"),
)
def datestr(date: Value = None, form: Value = None) -> Value:
    """Dates as text, by a format such as ``yyyy-mm-dd HH:MM:SS`` or the number of a style."""
    if date is None:
        date = now()
    numbers = numbers_of(date)
    flat = numbers.ravel(order="F")
    if (
        form is None
        or (not is_char(form) and np.asarray(as_array(form)).size == 0)
        or (not is_char(form) and not is_string(form) and float_of(form) < 0)
    ):
        form_text = _default_style(flat)
    else:
        form_text = _style(form)
    texts = [text_of_number(x, form_text) for x in flat.tolist()]
    return char_rows(texts) if texts else ""


def _default_style(flat: Array) -> str:
    if flat.size and np.all(flat == np.floor(flat)):
        return STYLES[1]
    return STYLES[16] if flat.size and np.all(np.abs(flat) < 1) else STYLES[0]


def text_of_number(x: float, form: str) -> str:
    """One serial date number by a ``datestr`` format."""
    if np.isnan(x):
        return "NaN"
    parts = patterns.old_format(form)
    digits = max((w for k, w in parts if k == "F" and w), default=3)
    whole = np.floor(x)
    seconds = np.round((x - whole) * 86400 * 10**digits, 1)
    rounded = whole + np.floor(seconds + 0.5) / 10**digits / 86400 if digits >= 3 else x
    fields = parts_of(np.array([rounded + 1e-10 if digits >= 3 else x]))
    second = round(float(fields[5][0]), 4)
    values = (*(float(f[0]) for f in fields[:5]), second)
    return patterns.render(parts, values, int(weekday_of(np.array([rounded]))[0]) - 1)


@builtin(
    "now", category=_FAMILY, signatures=("t = now",), cases=("now > 7e5",), see=("clock", "datestr")
)
def now() -> Value:
    """Date and time as a serial date number (days since year 0)."""
    t = datetime.now().astimezone()
    seconds = t.hour * 3600 + t.minute * 60 + t.second + t.microsecond / 1e6
    return float(t.toordinal() + 366) + seconds / 86400
