"""Joining tables by keys: join, innerjoin, outerjoin, and set operations on rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, one_of, option_pairs
from app.engine.builtins.argument_names import argument_names
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_facts import facts_of_variables
from app.engine.builtins.containers.table_order import keys_of
from app.engine.builtins.containers.table_rows import rows_at, variable_index, with_rows
from app.engine.declarations.class_methods import add_methods
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Value,
    canonical,
    is_cellstr,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "tables"
_OPTIONS = "Keys LeftKeys RightKeys LeftVariables RightVariables"
_TIME = ""
"""The key that stands for the row times of timetables."""


def _keys(a: Table, b: Table, words: dict[str, Value]) -> tuple[list[str], list[str]]:
    """Names of the key variables on the left and on the right."""
    if "keys" in words:
        left = [a.names[k] for k in variable_index(words["keys"], a)]
        return left, left
    if "leftkeys" in words:
        return (
            [a.names[k] for k in variable_index(words["leftkeys"], a)],
            [b.names[k] for k in variable_index(words["rightkeys"], b)],
        )
    common = [n for n in a.names if n in b.names]
    if a.times is not None and b.times is not None:
        return [_TIME], [_TIME]
    if not common:
        text = "Cannot find a common table variable to use as a key variable."
        raise MatlabError("MATLAB:table:join:CantInferKey", text)
    return common, common


def _codes(a: Table, b: Table, left: list[str], right: list[str]) -> tuple[Array, Array]:
    """One number per row, equal where all keys are equal."""
    parts = []
    for x, y in zip(left, right, strict=True):
        both = _stacked_columns(_column(a, x), _column(b, y))
        parts.append(keys_of(both))
    _, codes = np.unique(np.concatenate(parts, axis=1), axis=0, return_inverse=True)
    codes = codes.ravel()
    return codes[: a.height], codes[a.height :]


def _column(t: Table, name: str) -> Value:
    return t.times if name == _TIME else t.columns[name]


def _stacked_columns(x: Value, y: Value) -> Value:
    from app.engine.operators.concatenation import concatenate

    if is_cellstr(x) or is_cellstr(y):
        texts = [*texts_of(x), *texts_of(y)]
        return Cell.of(texts, (len(texts), 1))
    return concatenate(0, [x, y])


def _right_names(a: Table, b: Table, right: list[str]) -> dict[str, str]:
    """Variables of ``b`` that are no keys, with the names they get beside those of ``a``."""
    return {n: f"{n}_{b.label}" if n in a.columns else n for n in b.names if n not in right}


def _left_names(a: Table, b: Table, left: list[str], right: list[str]) -> dict[str, str]:
    clash = [n for n in b.names if n not in right]
    return {n: f"{n}_{a.label}" if n in clash and n not in left else n for n in a.names}


def _checked_tables(a: Value, b: Value, function: str) -> tuple[Table, Table]:
    """Two tables that are called by the names of the variables they were given as."""
    written = [*argument_names(function), "", ""]
    made = []
    for v, name, side in zip((a, b), written, ("left", "right"), strict=False):
        t = table_argument(v, function)
        made.append(Table(t.columns, t.height, t.row_names, t.times, t.facts))
        made[-1].label = name or side
    return made[0], made[1]


def _with_named_variables(t: Table, words: dict[str, Value], option: str, keys: list[str]) -> Table:
    """The table with the variables that an option names, and these keys."""
    if option not in words:
        return t
    kept = {t.names[k] for k in variable_index(words[option], t)} | set(keys)
    made = t.with_columns({n: c for n, c in t.columns.items() if n in kept})
    made.label = t.label
    return made


def _combine(a: Table, b: Table, left: list[str], right: list[str], i: Array, j: Array) -> Table:
    of_a, of_b = _left_names(a, b, left, right), _right_names(a, b, right)
    columns = {new: rows_at(a.columns[n], i) for n, new in of_a.items()}
    columns.update({new: rows_at(b.columns[n], j) for n, new in of_b.items()})
    facts = facts_of_variables(a.facts, [*_origins(a, of_a), *_origins(b, of_b)])
    times = rows_at(a.times, i) if a.times is not None else None
    return Table(columns, len(i), None, times, facts)


def _origins(t: Table, names: Iterable[str]) -> list[tuple[dict[str, Value], list[str], str]]:
    """Where the properties of these variables are to be found."""
    return [(t.facts, t.names, name) for name in names]


@builtin(
    "innerjoin",
    category=_FAMILY,
    signatures=("[C, ia, ib] = innerjoin(A, B)", "C = innerjoin(A, B, 'Keys', vars)"),
    cases=(
        "height(innerjoin(table([1; 2], 'VariableNames', {'k'}), "
        "table([2; 3], [5; 6], 'VariableNames', {'k', 'v'}))) == 1",
        "t = innerjoin(table(1, 2), table(1, 3, 'VariableNames', {'Var1', 'w'}), "
        "'LeftVariables', 'Var2'); isequal(t.Properties.VariableNames, {'Var2', 'w'})",
    ),
    see=("outerjoin",),
)
def innerjoin(a: Value, b: Value, *options: Value) -> Value:
    """The rows of two tables whose keys agree."""
    a, b = _checked_tables(a, b, "innerjoin")
    words = option_pairs("innerjoin", options, _OPTIONS)
    left, right = _keys(a, b, words)
    x, y = _codes(a, b, left, right)
    a, b = (
        _with_named_variables(a, words, "leftvariables", []),
        _with_named_variables(b, words, "rightvariables", []),
    )
    pairs = sorted((x[i], i, j) for i in range(len(x)) for j in np.flatnonzero(y == x[i]))
    i = np.array([p[1] for p in pairs], dtype=np.int64)
    j = np.array([p[2] for p in pairs], dtype=np.int64)
    return (
        _combine(a, b, left, [] if "rightvariables" in words else right, i, j),
        canonical(i.reshape(-1, 1) + 1.0),
        canonical(j.reshape(-1, 1) + 1.0),
    )


@builtin(
    "outerjoin",
    category=_FAMILY,
    signatures=(
        "[C, ia, ib] = outerjoin(A, B)",
        "C = outerjoin(A, B, 'Type', 'left')",
        "C = outerjoin(A, B, 'MergeKeys', true)",
    ),
    cases=(
        "height(outerjoin(table([1; 2], 'VariableNames', {'k'}), "
        "table([2; 3], [5; 6], 'VariableNames', {'k', 'v'}), 'MergeKeys', true)) == 3",
    ),
    see=("innerjoin",),
)
def outerjoin(a: Value, b: Value, *options: Value) -> Value:
    """The rows of two tables whose keys agree, and those that have no partner."""
    a, b = _checked_tables(a, b, "outerjoin")
    words = option_pairs("outerjoin", options, f"{_OPTIONS} MergeKeys Type")
    kind = one_of("outerjoin", "Type", words.get("type", "full"), "full left right")
    merge = flag(words, "mergekeys")
    left, right = _keys(a, b, words)
    x, y = _codes(a, b, left, right)
    a, b = (
        _with_named_variables(a, words, "leftvariables", left if merge else []),
        _with_named_variables(b, words, "rightvariables", right if merge else []),
    )
    rows = [(x[i], i, int(j)) for i in range(len(x)) for j in np.flatnonzero(y == x[i])]
    if kind != "right":
        rows += [(x[i], i, -1) for i in range(len(x)) if not np.any(y == x[i])]
    if kind != "left":
        rows += [(y[j], -1, j) for j in range(len(y)) if not np.any(x == y[j])]
    rows.sort(key=lambda r: (r[0], r[1] < 0, r[1], r[2]))
    made = _outer(a, b, (left, right), rows, merge)
    i, j = ([float(r[k] + 1) for r in rows] for k in (1, 2))
    return made, canonical(np.array([i]).T), canonical(np.array([j]).T)


def _outer(
    a: Table,
    b: Table,
    keys: tuple[list[str], list[str]],
    rows: list[tuple[Any, int, int]],
    merge: bool,
) -> Table:
    left, right = keys
    columns: dict[str, Value] = {}
    i, j = ([r[k] for r in rows] for k in (1, 2))
    for n in a.names:
        name = f"{n}_{a.label}" if not merge and n in b.names and n in left else n
        name = f"{n}_{a.label}" if n in b.names and n not in left else name
        columns[name] = _rows_or_missing(a.columns[n], i)
        if merge and n in left:
            other = b.columns[right[left.index(n)]]
            lone = [k for k, place in enumerate(i) if place < 0]
            new = rows_at(other, [j[k] for k in lone])
            columns[name] = (
                with_rows(columns[name], lone, new, len(rows)) if lone else columns[name]
            )
    for n in b.names:
        if merge and n in right:
            continue
        columns[f"{n}_{b.label}" if n in a.names else n] = _rows_or_missing(b.columns[n], j)
    times = None
    if a.times is not None:
        own = [
            a.times.data.flat[x]
            if x >= 0
            else b.times.data.flat[y]
            if (b.times is not None)
            else np.nan
            for x, y in zip(i, j, strict=True)
        ]
        times = a.times.like(np.array(own, dtype=float).reshape(-1, 1))
    kept = (n for n in b.names if not (merge and n in right))
    facts = facts_of_variables(a.facts, [*_origins(a, a.names), *_origins(b, kept)])
    return Table(columns, len(rows), None, times, facts)


def _rows_or_missing(column: Value, index: list[int]) -> Value:
    """Rows of a variable; missing values where the position is -1."""
    present = [k for k, place in enumerate(index) if place >= 0]
    found = rows_at(column, [index[k] for k in present])
    if len(present) == len(index):
        return found
    made = with_rows(None, present, found, len(index))
    lone = [k for k in range(len(index)) if index[k] < 0]
    return _with_missing(made, lone)


def _with_missing(column: Value, lone: list[int]) -> Value:
    if isinstance(column, Cell):
        data = column.data.copy()
        data[lone, :] = (
            "" if all(isinstance(x, str) or not np.size(x) for x in data.flat) else (data[lone, :])
        )
        return Cell(data)
    if isinstance(column, np.ndarray) and column.dtype.kind == "f":
        data = column.copy()
        data[lone, :] = np.nan
        return canonical(data)
    return column


def join_tables(table: Value, other: Value, *options: Value) -> Value:
    """``join(A, B)``: every row of A with the one row of B that has its key."""
    a, b = _checked_tables(table, other, "join")
    words = option_pairs("join", options, f"{_OPTIONS} KeepOneCopy")
    left, right = _keys(a, b, words)
    x, y = _codes(a, b, left, right)
    a, b = (
        _with_named_variables(a, words, "leftvariables", []),
        _with_named_variables(b, words, "rightvariables", right),
    )
    single = texts_of(words["keeponecopy"]) if "keeponecopy" in words else []
    kept = [float(k + 1) for k, n in enumerate(b.names) if n not in single or n in right]
    b = _with_named_variables(b, {"kept": np.array([kept])}, "kept", right)
    places = []
    for code in x:
        found = np.flatnonzero(y == code)
        if not found.size:
            text = "The key variable for B must contain all values in the key variable for A."
            raise MatlabError("MATLAB:table:join:LeftKeyValueNotFound", text)
        places.append(int(found[0]))
    j = np.array(places, dtype=np.int64)
    return _combine(a, b, left, right, np.arange(a.height), j), canonical(j.reshape(-1, 1) + 1.0)


def _join(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    return join_tables(args[0], args[1] if len(args) > 1 else None, *args[2:])


add_methods("table", {"join": _join})
