"""Tables as arguments of general functions: sorting, unique rows, missing rows, sizes."""

from __future__ import annotations

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
    StringArray,
    Value,
    as_array,
    canonical,
    is_cell,
    is_cellstr,
    is_char,
    is_string,
    size_of,
    text_of,
    texts_of,
)


def keys_of(column: Value) -> Array:
    """Numbers with the order of a variable's rows, one column of them per column."""
    if isinstance(column, NativeArray):
        return column.data.reshape(column.shape[0], -1)
    if is_char(column) or isinstance(column, StringArray) or is_cellstr(column):
        texts = texts_of(column)
        ranks = {t: float(k) for k, t in enumerate(sorted(set(texts)))}
        return np.array([ranks[t] for t in texts]).reshape(size_of(column)[0], -1, order="F")
    if isinstance(column, Cell):
        texts = [repr(x) for x in column.items()]
        ranks = {t: float(k) for k, t in enumerate(dict.fromkeys(texts))}
        return np.array([ranks[t] for t in texts]).reshape(column.shape[0], -1, order="F")
    a = as_array(column)
    return np.asarray(a.real if a.dtype.kind == "c" else a).reshape(a.shape[0], -1)


def _sortrows(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> tuple[Table, Value]:
    t, rest = receiver(args, Table), list(args[1:])
    downs: list[bool] = []
    names: list[str] = t.names
    by_rows = t.times is not None
    if rest:
        chosen = rest.pop(0)
        plain = not (is_char(chosen) or is_string(chosen) or is_cell(chosen))
        if plain:
            numbers = as_array(chosen).ravel()
            downs = [bool(n < 0) for n in numbers]
            names = [t.names[int(abs(n)) - 1] for n in numbers]
        else:
            wanted = texts_of(chosen)
            by_rows = wanted == [t.dimension_names[0]] or wanted == ["RowNames"]
            names = [] if by_rows else [t.names[k] for k in variable_index(chosen, t)]
    if rest and len(rest) % 2:
        downs = [w.lower() == "descend" for w in texts_of(rest.pop(0))]
    words = option_pairs("sortrows", rest, "MissingPlacement")
    place = text_of(words.get("missingplacement", "auto")).lower()
    columns: list[Value] = [t.columns[n] for n in names]
    if by_rows:
        columns = [t.times if t.times is not None else Cell.of(t.row_names, (t.height, 1))]
    downs = downs * len(columns) if len(downs) == 1 else downs or [False] * len(columns)
    index = order_of(columns, downs, t.height, place)
    return t.rows(index), canonical(index.astype(np.float64).reshape(-1, 1) + 1)


def _is_sorted(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    order = as_array(_sortrows(ctx, args, 2)[1]).ravel()
    return bool(np.all(np.diff(order) > 0))


def order_of(columns: list[Value], downs: list[bool], height: int, place: str = "auto") -> Array:
    """0-based stable order of rows by several variables; missing ones come last, or first where
    a variable descends, unless ``place`` says otherwise."""
    index = np.arange(height)
    for column, down in reversed(list(zip(columns, downs, strict=True))):
        keys = keys_of(column)
        for k in reversed(range(keys.shape[1])):
            values = keys[index, k].astype(np.float64)
            values = -values if down else values
            ahead = place == "first" or (place == "auto" and down)
            values = np.where(np.isnan(values), -np.inf if ahead else np.inf, values)
            index = index[np.argsort(values, kind="stable")]
    return index


add_methods(
    "table",
    {
        "sortrows": _sortrows,
        "issorted": _is_sorted,
        "issortedrows": _is_sorted,
        "isempty": lambda ctx, args, n: 0 in args[0].shape,
        "fieldnames": lambda ctx, args, n: Cell.of(
            [*args[0].names, "Properties", *args[0].dimension_names], (len(args[0].names) + 3, 1)
        ),
    },
)
