"""Groups of rows: findgroups, splitapply, and a function of every group."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.arrays import set_forms
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_order import keys_of
from app.engine.builtins.containers.table_rows import rows_at
from app.engine.builtins.statistics import grouping_forms
from app.engine.capture.term_arrays import column, holds, resident
from app.engine.capture.terms import Made, Term
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    CharArray,
    FunctionHandle,
    StringArray,
    Value,
    as_array,
    canonical,
    is_cellstr,
    is_numeric_like,
    numel,
    size_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "tables"


def is_missing_key(column: Value) -> Array:
    """True for rows that belong to no group."""
    if hasattr(column, "is_missing"):
        return np.asarray(column.is_missing().reshape(size_of(column)[0], -1).any(axis=1))
    if is_numeric_like(column):
        flat = as_array(column).astype(np.float64).reshape(size_of(column)[0], -1)
        return np.asarray(np.isnan(flat).any(axis=1))
    if is_cellstr(column):
        return np.array([not t for t in texts_of(column)])
    return np.zeros(size_of(column)[0], dtype=bool)


def groups_of(columns: list[Value], *, missing: bool = False) -> tuple[Array, Array]:
    """Number of the group (from 1, 0 for none) of every row, and the first row of each group.

    Rows with a missing key belong to no group, or with ``missing`` to groups of their own at the
    end.
    """
    if not columns or any(0 in size_of(c) for c in columns):
        raise MatlabError("MATLAB:findgroups:EmptyGroups", "Grouping variables must not be empty.")
    flat = [c if size_of(c)[0] > 1 else upright(c) for c in columns]
    if len({size_of(c)[0] for c in flat}) > 1:
        text = "Grouping variables must have the same number of elements."
        raise MatlabError("MATLAB:findgroups:InputSizeMismatch", text)
    keys = np.concatenate([keys_of(c) for c in flat], axis=1).astype(np.float64)
    lost = [is_missing_key(c).reshape(-1, 1) for c in flat]
    gone = np.zeros(keys.shape[0], dtype=bool) if missing else np.any(lost, axis=0)[:, 0]
    if missing:
        keys = np.concatenate(
            [x for c, m in zip(flat, lost, strict=True) for x in (m, np.where(m, 0.0, keys_of(c)))],
            axis=1,
        )
    numbers = np.zeros(keys.shape[0])
    places = np.flatnonzero(~gone)
    if not places.size:
        return numbers, places
    _, first, back = np.unique(keys[places], axis=0, return_index=True, return_inverse=True)
    numbers[places] = back.ravel() + 1.0
    return numbers, places[first]


def upright(v: Value) -> Value:
    """A vector as a column."""
    from app.engine.interpreter.indexing.index_read import paren

    return paren(v, ":")


@builtin(
    "findgroups",
    least=1,
    category=_FAMILY,
    signatures=("G = findgroups(A)", "[G, ID1, ...] = findgroups(A1, ...)"),
    cases=("isequal(findgroups([5 7 5]), [1 2 1])", "isequal(findgroups({'b'; 'a'}), [2; 1])"),
    see=("splitapply", "groupsummary"),
    device=of_resident(set_forms.findgroups),
)
def findgroups(*args: Value) -> Value:
    """Numbers of groups of equal values, and the values of the groups."""
    table = args[0] if isinstance(args[0], Table) else None
    columns = list(table.columns.values()) if table is not None else list(args)
    if any(isinstance(c, Cell | StringArray) and 1 not in size_of(c) for c in columns):
        text = "A grouping variable of texts must be a vector."
        raise MatlabError("MATLAB:findgroups:GroupingVarNotVector", text)
    numbers, first = groups_of(columns)
    numbers = np.where(numbers == 0, np.nan, numbers)
    shape = (-1, 1) if table is not None or size_of(columns[0])[0] != 1 else (1, -1)
    made = canonical(numbers.reshape(shape))
    if table is not None:
        return made, table.rows(first)
    ids = [_same_way(rows_at(upright(c), first), c) for c in columns]
    return (made, *ids)


def _same_way(v: Value, like: Value) -> Value:
    """A column turned into a row when the data were one."""
    from app.engine.interpreter.indexing.index_read import paren

    if size_of(like)[0] != 1 or size_of(like)[1] < 2:
        return v
    if isinstance(v, NativeArray):
        return v.like(v.data.T)
    if isinstance(v, Cell | StringArray | CharArray):
        return type(v)(v.data.T)
    return canonical(as_array(v).T) if numel(v) else paren(v, ":")


def _reduced_by_group(args: tuple[Value, ...], nargout: int) -> Made:
    """One of the usual functions of a column's groups, all of them in a few dispatches.

    None where some rows or numbers of groups are left out, and for all else.
    """
    found = resident(*args[1:]) if nargout < 2 and len(args) == 3 else None
    if found is None or not found[0].dtype.is_float or found[0].shape != (found[1].size, 1):
        return None
    groups = column(found[1]).value
    made = grouping_forms.accumarray((groups, args[1], EMPTY, args[0]), 1)
    counts = None if made is None else grouping_forms.accumarray((groups, 1.0), 1)
    whole = isinstance(counts, Term) and holds((counts > 0.0).all(), "is any group empty?")
    return made if whole else None


@builtin(
    "splitapply",
    category=_FAMILY,
    signatures=("Y = splitapply(f, X, G)", "[Y1, Y2, ...] = splitapply(f, X1, X2, ..., G)"),
    device=of_resident(_reduced_by_group),
    cases=("isequal(splitapply(@sum, [1; 2; 3], [1; 2; 1]), [4; 2])",),
    see=("findgroups", "groupsummary", "accumarray"),
)
def splitapply(ctx: CallContext, function: Value, *args: Value, nargout: int = 1) -> Value:
    """Apply a function to the rows of every group and stack the results."""
    *data, group = args or (0.0,)
    if not data or not isinstance(function, FunctionHandle):
        text = "Inputs must be a function handle, data and group numbers."
        raise MatlabError("MATLAB:splitapply:InvalidInput", text)
    numbers = as_array(group).astype(np.float64).ravel(order="F")
    if len(data) == 1 and isinstance(data[0], Table):
        data = list(data[0].columns.values())
    rows = [upright(d) if size_of(d)[0] == 1 and numbers.size > 1 else d for d in data]
    wanted = max(nargout, 1)
    results: list[list[Value]] = [[] for _ in range(wanted)]
    for g in range(1, int(np.nanmax(numbers, initial=0)) + 1):
        index = np.flatnonzero(numbers == g)
        outputs = ctx.call(function, tuple(rows_at(d, index) for d in rows), wanted)
        for k in range(wanted):
            results[k].append(outputs[k])
    joined = tuple(concatenate(0, r) for r in results)
    if size_of(data[0])[0] == 1 and numbers.size > 1:
        joined = tuple(canonical(as_array(j).T) if is_numeric_like(j) else j for j in joined)
    return joined
