"""Missing elements of tables: found, removed, filled, and marked."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs, receiver
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_rows import variable_index
from app.engine.declarations.class_methods import add_methods
from app.engine.values import (
    Array,
    Cell,
    FunctionHandle,
    StringArray,
    Value,
    as_array,
    float_of,
    int_of,
    is_cell,
    is_cellstr,
    is_char,
    is_numeric_like,
    is_string,
    is_text_scalar,
    text_of,
    unwrap,
)

_SCALES = ("linear", "spline", "pchip", "makima", "movmean", "movmedian", "nearest")


def _numbers(v: Value) -> bool:
    """Numbers and flags, no text."""
    return bool(is_numeric_like(v)) and not is_char(v)


def missing_rows(t: Any) -> Array:
    """True for every element of a table that is missing."""
    flags = np.zeros(t.shape, dtype=bool)
    for k, column in enumerate(t.columns.values()):
        if isinstance(column, NativeArray):
            flags[:, k] = column.is_missing().any(axis=1)
        elif isinstance(column, StringArray):
            flags[:, k] = [x is None for x in column.data[:, 0]]
        elif is_cellstr(column):
            flags[:, k] = [not text_of(x) for x in column.data[:, 0]]
        elif not isinstance(column, Cell) and as_array(column).dtype.kind in "fc":
            flags[:, k] = np.isnan(as_array(column)).any(axis=1)
    return flags


def _data_variables(ctx: CallContext, t: Any, words: dict[str, Value]) -> list[str]:
    """The variables of the option DataVariables, all without it."""
    which = words.get("datavariables")
    if which is None:
        return list(t.names)
    if isinstance(which, FunctionHandle):
        return [n for n, c in t.columns.items() if bool(ctx.call(which, (c,), 1)[0])]
    return [t.names[k] for k in variable_index(which, t)]


def _ismissing(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    t, *marks = receiver(args, Table), *args[1:]
    if not marks:
        return unwrap(missing_rows(t))
    given = marks[0].items() if is_cell(marks[0]) else [marks[0]]
    found = np.zeros(t.shape, dtype=bool)
    for k, column in enumerate(t.columns.values()):
        for mark in given:
            if _numbers(column) == _numbers(mark):
                (same,) = ctx.call("ismember", (column, mark), 1)
                found[:, k] |= as_array(same).reshape(t.height, -1).any(axis=1)
    return unwrap(found)


def _rmmissing(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    t, *rest = receiver(args, Table), *args[1:]
    along = rest.pop(0) if rest and _numbers(rest[0]) else 1.0
    words = option_pairs("rmmissing", rest, "DataVariables MinNumMissing")
    names = _data_variables(ctx, t, words)
    flags = missing_rows(t) & np.array([n in names for n in t.names])
    least = int_of(words.get("minnummissing", 1.0))
    if float_of(along) == 2:
        bad = flags.sum(axis=0) >= least
        kept = {n: c for (n, c), gone in zip(t.columns.items(), bad, strict=True) if not gone}
        return t.with_columns(kept), unwrap(bad.reshape(1, -1))
    bad = flags.sum(axis=1) >= least
    if t.times is not None:
        bad = bad | t.times.is_missing().ravel()
    return t.rows(np.flatnonzero(~bad)), unwrap(bad.reshape(-1, 1))


def _fillmissing(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Every variable that the method suits; a timetable's times are the sample points."""
    t, method, *rest = receiver(args, Table), *args[1:]
    word = text_of(method).lower() if is_text_scalar(method) else ""
    lead = 1 if word == "constant" or word.startswith("mov") else 0
    names = _data_variables(ctx, t, option_pairs("fillmissing", rest[lead:], "DataVariables"))
    constants = rest[0].items() if lead and is_cell(rest[0]) else rest[:lead] * len(names)
    made = dict(t.columns)
    for n, k in zip(names, range(len(names)), strict=True):
        made[n] = _filled_column(ctx, t, t.columns[n], method, constants[k : k + 1] if lead else [])
    return t.with_columns(made)


def _filled_column(
    ctx: CallContext, t: Any, column: Value, method: Value, given: list[Value]
) -> Value:
    word, plain = text_of(method).lower(), _numbers(column)
    if word == "constant" and plain != _numbers(given[0]):
        return column
    if word in _SCALES and not plain and not hasattr(column, "form") and word != "nearest":
        return column
    if t.times is not None and plain and word == "linear":
        return _interpolated_by_times(t, column)
    return ctx.call("fillmissing", (column, method, *given), 1)[0]


def _interpolated_by_times(t: Any, column: Value) -> Value:
    """Missing numbers from their neighbours, by the times of the rows."""
    data, when = as_array(column).astype(float).copy(), t.times.data.ravel(order="F")
    for c in data.T:
        gone = np.isnan(c)
        known = np.flatnonzero(~gone)
        if known.size > 1:
            ends = np.clip(np.searchsorted(when[known], when[gone]), 1, known.size - 1)
            low, high = known[ends - 1], known[ends]
            slope = (c[high] - c[low]) / (when[high] - when[low])
            c[gone] = c[low] + slope * (when[gone] - when[low])
    return unwrap(data)


def _standardized_missing(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    t, marks, *rest = receiver(args, Table), *args[1:]
    given = marks.items() if is_cell(marks) else [marks]
    made = dict(t.columns)
    for n in _data_variables(ctx, t, option_pairs("standardizeMissing", rest, "DataVariables")):
        for mark in given:
            if _numbers(mark) == _numbers(made[n]):
                made[n] = _with_marks_missing(ctx, made[n], mark)
    return t.with_columns(made)


def _with_marks_missing(ctx: CallContext, column: Value, mark: Value) -> Value:
    if _numbers(column) or isinstance(column, NativeArray):
        return ctx.call("standardizeMissing", (column, mark), 1)[0]
    assert isinstance(column, StringArray | Cell)
    blank = None if is_string(column) else ""
    data = column.data.copy()
    data[data == text_of(mark)] = blank
    return type(column)(data)


add_methods(
    "table",
    {
        "ismissing": _ismissing,
        "rmmissing": _rmmissing,
        "fillmissing": _fillmissing,
        "standardizeMissing": _standardized_missing,
        "anymissing": lambda ctx, args, n: bool(missing_rows(args[0]).any()),
    },
)
