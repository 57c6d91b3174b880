"""Joining tables by keys: join, innerjoin, outerjoin, and set operations on rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.containers.table_class import Table, checked
from app.engine.builtins.containers.table_order import keys_of
from app.engine.builtins.containers.table_rows import stored, taken, variable_index
from app.engine.builtins.files.delimited import named_options
from app.engine.builtins.registry import builtin
from app.engine.values import Array, Cell, Value, as_array, canonical, is_cellstr, text_of, texts_of
from app.errors import MatlabError

_FAMILY = "tables"


def _keys(a: Table, b: Table, words: dict[str, Value]) -> tuple[list[str], list[str]]:
    """Names of the key variables on the left and on the right."""
    if "keys" in words:
        left = [a.names[k] for k in variable_index(words["keys"], a)]
        return left, left
    if "leftkeys" in words:
        return ([a.names[k] for k in variable_index(words["leftkeys"], a)],
                [b.names[k] for k in variable_index(words["rightkeys"], b)])  # fmt: skip
    common = [n for n in a.names if n in b.names]
    if not common:
        text = "Cannot find a common table variable to use as a key variable."
        raise MatlabError("MATLAB:table:join:CantInferKey", text)
    return common, common


def _codes(a: Table, b: Table, left: list[str], right: list[str]) -> tuple[Array, Array]:
    """One number per row, equal where all keys are equal."""
    parts = []
    for x, y in zip(left, right, strict=True):
        both = _joined(a.columns[x], b.columns[y])
        parts.append(keys_of(both))
    _, codes = np.unique(np.concatenate(parts, axis=1), axis=0, return_inverse=True)
    codes = codes.ravel()
    return codes[: a.height], codes[a.height :]


def _joined(x: Value, y: Value) -> Value:
    from app.engine.builtins.arrays.concatenation import concatenate

    if is_cellstr(x) or is_cellstr(y):
        texts = [*texts_of(x), *texts_of(y)]
        return Cell.of(texts, (len(texts), 1))
    return concatenate(0, [x, y])


def _right_names(a: Table, b: Table, right: list[str]) -> dict[str, str]:
    """Variables of ``b`` that are no keys, with the names they get beside those of ``a``."""
    return {n: f"{n}_b" if n in a.columns else n for n in b.names if n not in right}


def _left_names(a: Table, b: Table, left: list[str], right: list[str]) -> dict[str, str]:
    clash = [n for n in b.names if n not in right]
    return {n: f"{n}_a" if n in clash and n not in left else n for n in a.names}


def _combine(
    a: Table, b: Table, left: list[str], right: list[str], i: Array, j: Array
) -> Table:
    columns = {new: taken(a.columns[n], i) for n, new in _left_names(a, b, left, right).items()}
    columns.update({new: taken(b.columns[n], j) for n, new in _right_names(a, b, right).items()})
    return Table(columns, len(i), None, taken(a.times, i) if a.times is not None else None)


@builtin("innerjoin", category=_FAMILY,
         signatures=("[C, ia, ib] = innerjoin(A, B)", "C = innerjoin(A, B, 'Keys', vars)"),
         cases=("height(innerjoin(table([1; 2], 'VariableNames', {'k'}), "
                "table([2; 3], [5; 6], 'VariableNames', {'k', 'v'}))) == 1",),
         see=("outerjoin",))  # fmt: skip
def innerjoin(a: Value, b: Value, *options: Value) -> Value:
    """The rows of two tables whose keys agree."""
    a, b = checked(a, "innerjoin"), checked(b, "innerjoin")
    left, right = _keys(a, b, named_options(options))
    x, y = _codes(a, b, left, right)
    pairs = sorted((x[i], i, j) for i in range(len(x)) for j in np.flatnonzero(y == x[i]))
    i = np.array([p[1] for p in pairs], dtype=np.int64)
    j = np.array([p[2] for p in pairs], dtype=np.int64)
    return (_combine(a, b, left, right, i, j), canonical(i.reshape(-1, 1) + 1.0),
            canonical(j.reshape(-1, 1) + 1.0))  # fmt: skip


@builtin("outerjoin", category=_FAMILY,
         signatures=("C = outerjoin(A, B)", "C = outerjoin(A, B, 'Type', 'left')",
                     "C = outerjoin(A, B, 'MergeKeys', true)"),
         cases=("height(outerjoin(table([1; 2], 'VariableNames', {'k'}), "
                "table([2; 3], [5; 6], 'VariableNames', {'k', 'v'}), 'MergeKeys', true)) == 3",),
         see=("innerjoin",))  # fmt: skip
def outerjoin(a: Value, b: Value, *options: Value) -> Value:
    """The rows of two tables whose keys agree, and those that have no partner."""
    a, b = checked(a, "outerjoin"), checked(b, "outerjoin")
    words = named_options(options)
    kind = text_of(words["type"]).lower() if "type" in words else "full"
    merge = "mergekeys" in words and bool(as_array(words["mergekeys"]).flat[0])
    left, right = _keys(a, b, words)
    x, y = _codes(a, b, left, right)
    rows = [(x[i], i, int(j)) for i in range(len(x)) for j in np.flatnonzero(y == x[i])]
    if kind != "right":
        rows += [(x[i], i, -1) for i in range(len(x)) if not np.any(y == x[i])]
    if kind != "left":
        rows += [(y[j], -1, j) for j in range(len(y)) if not np.any(x == y[j])]
    rows.sort(key=lambda r: (r[0], r[1] < 0, r[1], r[2]))
    return _outer(a, b, (left, right), rows, merge)


def _outer(
    a: Table, b: Table, keys: tuple[list[str], list[str]], rows: list[tuple[Any, int, int]],
    merge: bool,
) -> Table:  # fmt: skip
    left, right = keys
    columns: dict[str, Value] = {}
    i, j = ([r[k] for r in rows] for k in (1, 2))
    for n in a.names:
        name = f"{n}_A" if not merge and n in b.names and n in left else n
        name = f"{n}_a" if n in b.names and n not in left else name
        columns[name] = _gathered(a.columns[n], i)
        if merge and n in left:
            other = b.columns[right[left.index(n)]]
            lone = [k for k, place in enumerate(i) if place < 0]
            new = taken(other, [j[k] for k in lone])
            columns[name] = stored(columns[name], lone, new, len(rows)) if lone else columns[name]
    for n in b.names:
        if merge and n in right:
            continue
        name = f"{n}_B" if n in a.names and n in right else f"{n}_b" if n in a.names else n
        columns[name] = _gathered(b.columns[n], j)
    return Table(columns, len(rows))


def _gathered(column: Value, index: list[int]) -> Value:
    """Rows of a variable; missing values where the position is -1."""
    present = [k for k, place in enumerate(index) if place >= 0]
    found = taken(column, [index[k] for k in present])
    if len(present) == len(index):
        return found
    made = stored(None, present, found, len(index))
    lone = [k for k in range(len(index)) if index[k] < 0]
    return _with_missing(made, lone)


def _with_missing(column: Value, lone: list[int]) -> Value:
    if isinstance(column, Cell):
        data = column.data.copy()
        data[lone, :] = "" if all(isinstance(x, str) or not np.size(x) for x in data.flat) else (
            data[lone, :])
        return Cell(data)
    if isinstance(column, np.ndarray) and column.dtype.kind == "f":
        data = column.copy()
        data[lone, :] = np.nan
        return canonical(data)
    return column


def join_tables(a: Table, b: Table, *options: Value) -> Value:
    """``join(A, B)``: every row of A with the one row of B that has its key."""
    a, b = checked(a, "join"), checked(b, "join")
    left, right = _keys(a, b, named_options(options))
    x, y = _codes(a, b, left, right)
    places = []
    for code in x:
        found = np.flatnonzero(y == code)
        if not found.size:
            text = "The key variable for B must contain all values in the key variable for A."
            raise MatlabError("MATLAB:table:join:LeftKeyValueNotFound", text)
        places.append(int(found[0]))
    j = np.array(places, dtype=np.int64)
    return _combine(a, b, left, right, np.arange(a.height), j), canonical(j.reshape(-1, 1) + 1.0)
