"""Groups of rows, and functions of variables: varfun, rowfun, splitapply, groupsummary."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.arrays.concatenation import concatenate
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_order import keys_of
from app.engine.builtins.containers.table_rows import taken, variable_index
from app.engine.builtins.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    FunctionHandle,
    Value,
    as_array,
    canonical,
    is_cell,
    is_cellstr,
    is_numeric_like,
    is_text_scalar,
    numel,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "tables"
_METHODS = ("sum", "mean", "median", "mode", "var", "std", "min", "max", "range", "numel",
            "nnz", "nummissing", "numunique")  # fmt: skip


def _is_missing_key(column: Value) -> Array:
    """True for rows that belong to no group."""
    if hasattr(column, "is_missing"):
        return np.asarray(column.is_missing().reshape(size_of(column)[0], -1).any(axis=1))
    if is_numeric_like(column):
        flat = as_array(column).astype(np.float64).reshape(size_of(column)[0], -1)
        return np.asarray(np.isnan(flat).any(axis=1))
    if is_cellstr(column):
        return np.array([not t for t in texts_of(column)])
    return np.zeros(size_of(column)[0], dtype=bool)


def groups_of(columns: list[Value]) -> tuple[Array, Array]:
    """Number of the group (from 1, 0 for none) of every row, and the first row of each group."""
    if not columns or any(0 in size_of(c) for c in columns):
        raise MatlabError("MATLAB:findgroups:EmptyGroups", "Grouping variables must not be empty.")
    flat = [c if size_of(c)[0] > 1 else _upright(c) for c in columns]
    if len({size_of(c)[0] for c in flat}) > 1:
        text = "Grouping variables must have the same number of elements."
        raise MatlabError("MATLAB:findgroups:InputSizeMismatch", text)
    keys = np.concatenate([keys_of(c) for c in flat], axis=1).astype(np.float64)
    gone = np.any([_is_missing_key(c) for c in flat], axis=0)
    numbers = np.zeros(keys.shape[0])
    places = np.flatnonzero(~gone)
    if not places.size:
        return numbers, places
    _, first, back = np.unique(keys[places], axis=0, return_index=True, return_inverse=True)
    numbers[places] = back.ravel() + 1.0
    return numbers, places[first]


def _upright(v: Value) -> Value:
    """A vector as a column."""
    from app.engine.interp.indexing.reading import paren

    return paren(v, ":")


@builtin("findgroups", least=1, category=_FAMILY,
         signatures=("G = findgroups(A)", "[G, ID1, ...] = findgroups(A1, ...)"),
         cases=("isequal(findgroups([5 7 5]), [1 2 1])",
                "isequal(findgroups({'b'; 'a'}), [2; 1])"),
         see=("splitapply", "groupsummary"))  # fmt: skip
def findgroups(*args: Value) -> Value:
    """Numbers of groups of equal values, and the values of the groups."""
    table = args[0] if isinstance(args[0], Table) else None
    columns = list(table.columns.values()) if table is not None else list(args)
    numbers, first = groups_of(columns)
    numbers = np.where(numbers == 0, np.nan, numbers)
    shape = (-1, 1) if table is not None or size_of(columns[0])[0] != 1 else (1, -1)
    made = canonical(numbers.reshape(shape))
    if table is not None:
        return made, table.rows(first)
    ids = [_same_way(taken(_upright(c), first), c) for c in columns]
    return (made, *ids)


def _same_way(v: Value, like: Value) -> Value:
    """A column turned into a row when the data were one."""
    from app.engine.interp.indexing.reading import paren

    if size_of(like)[0] != 1 or size_of(like)[1] < 2:
        return v
    if hasattr(v, "like"):
        return v.like(v.data.T)
    if isinstance(v, Cell) or (hasattr(v, "data") and not isinstance(v, np.ndarray)):
        return type(v)(v.data.T)
    return canonical(as_array(v).T) if numel(v) else paren(v, ":")


@builtin("splitapply", category=_FAMILY,
         signatures=("Y = splitapply(f, X, G)", "[Y1, Y2, ...] = splitapply(f, X1, X2, ..., G)"),
         cases=("isequal(splitapply(@sum, [1; 2; 3], [1; 2; 1]), [4; 2])",),
         see=("findgroups", "groupsummary", "accumarray"))  # fmt: skip
def splitapply(ctx: Any, function: Value, *args: Value, nargout: int = 1) -> Value:
    """Apply a function to the rows of every group and stack the results."""
    *data, group = args or (0.0,)
    if not data or not isinstance(function, FunctionHandle):
        text = "Inputs must be a function handle, data and group numbers."
        raise MatlabError("MATLAB:splitapply:InvalidInput", text)
    numbers = as_array(group).astype(np.float64).ravel(order="F")
    if len(data) == 1 and isinstance(data[0], Table):
        data = list(data[0].columns.values())
    rows = [_upright(d) if size_of(d)[0] == 1 and numbers.size > 1 else d for d in data]
    wanted = max(nargout, 1)
    results: list[list[Value]] = [[] for _ in range(wanted)]
    for g in range(1, int(np.nanmax(numbers, initial=0)) + 1):
        index = np.flatnonzero(numbers == g)
        outputs = ctx.call(function, tuple(taken(d, index) for d in rows), wanted)
        for k in range(wanted):
            results[k].append(outputs[k])
    joined = tuple(concatenate(0, r) for r in results)
    if size_of(data[0])[0] == 1 and numbers.size > 1:
        joined = tuple(canonical(as_array(j).T) if is_numeric_like(j) else j for j in joined)
    return joined


def grouped(
    ctx: Any, function: Value, t: Table, by: list[str], targets: list[tuple[str, str]]
) -> Table:
    """One row per group: its keys, its size, and a function of variables."""
    numbers, first = groups_of([t.columns[n] for n in by])
    index = [np.flatnonzero(numbers == g + 1) for g in range(len(first))]
    columns = {n: taken(t.columns[n], first) for n in by}
    columns["GroupCount"] = canonical(np.array([float(len(k)) for k in index]).reshape(-1, 1))
    for source, target in targets:
        parts = [ctx.call(function, (taken(t.columns[source], k),), 1)[0] for k in index]
        columns[target] = concatenate(0, parts)
    return Table(columns, len(first))


@builtin("groupcounts", category=_FAMILY,
         signatures=("G = groupcounts(T, vars)", "[n, values] = groupcounts(A)"),
         cases=("isequal(groupcounts([1; 2; 1]), [2; 1])",), see=("groupsummary",))  # fmt: skip
def groupcounts(t: Value, names: Value | None = None) -> Value:
    """Number of rows of every group."""
    if not isinstance(t, Table):
        numbers, first = groups_of([_upright(t)])
        counts = np.bincount(numbers.astype(int), minlength=len(first) + 1)[1:]
        return canonical(counts.astype(np.float64).reshape(-1, 1)), taken(_upright(t), first)
    if names is None:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    by = [t.names[k] for k in variable_index(names, t)]
    made = grouped(None, "", t, by, [])
    counts = as_array(made.columns["GroupCount"])
    made.columns["Percent"] = canonical(100 * counts / counts.sum())
    return made


@builtin("groupsummary", category=_FAMILY,
         signatures=("G = groupsummary(T, groupvars)", "G = groupsummary(T, groupvars, method)",
                     "G = groupsummary(T, groupvars, method, datavars)",
                     "B = groupsummary(A, groups, method)"),
         cases=("isequal(groupsummary(table([1; 1; 2], [3; 5; 7]), 'Var1', 'mean').mean_Var2, "
                "[4; 7])", "isequal(groupsummary([3; 5; 7], [1; 1; 2], 'sum'), [8; 7])"),
         see=("splitapply", "varfun"))  # fmt: skip
def groupsummary(
    ctx: Any, t: Value, by: Value, method: Value | None = None, data: Value | None = None
) -> Value:
    """Count the rows of groups and summarise variables: mean, sum, min, max, median, std."""
    if not isinstance(t, Table):
        return _summarised_array(ctx, t, by, method)
    names = [t.names[k] for k in variable_index(by, t)]
    if method is None:
        return grouped(ctx, "numel", t, names, [])
    wanted = [t.names[k] for k in variable_index(data, t)] if data is not None else [
        n for n, c in t.columns.items() if n not in names and is_numeric_like(c)]  # fmt: skip
    methods = method.items() if is_cell(method) else (
        texts_of(method) if not isinstance(method, FunctionHandle) else [method])
    columns: dict[str, Value] = {}
    for m in methods:
        made = grouped(ctx, _method(m), t, names, [(n, f"{_label(m)}_{n}") for n in wanted])
        columns.update(made.columns)
    return Table(columns)


def _summarised_array(ctx: Any, a: Value, by: Value, method: Value) -> Value:
    numbers, first = groups_of(by.items() if is_cell(by) and not is_cellstr(by) else [by])
    column = _upright(a) if size_of(a)[0] == 1 else a
    parts = [ctx.call(_method(method), (taken(column, np.flatnonzero(numbers == g + 1)),), 1)[0]
             for g in range(len(first))]
    groups = taken(_upright(by), first) if not is_cell(by) or is_cellstr(by) else by
    counts = np.bincount(numbers.astype(int), minlength=len(first) + 1)[1:].astype(np.float64)
    return concatenate(0, parts), groups, canonical(counts.reshape(-1, 1))


def _label(method: Value) -> str:
    return text_of(method) if is_text_scalar(method) else "fun1"


def _method(method: Value) -> Value:
    """The function of a method's name; statistics leave out NaN."""
    if isinstance(method, FunctionHandle):
        return method
    name = text_of(method).lower()
    if name not in _METHODS:
        raise MatlabError("MATLAB:groupsummary:InvalidMethod", f"Unknown method '{name}'.")
    return name
