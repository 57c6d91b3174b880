"""Functions of the variables and rows of tables: varfun, rowfun."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, one_of, option_pairs
from app.engine.builtins.containers.error_handlers import call_or_handle
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_group import groups_of
from app.engine.builtins.containers.table_rows import column_of, rows_at, variable_index
from app.engine.declarations.registry import builtin
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    EMPTY,
    Cell,
    FunctionHandle,
    Value,
    canonical,
    int_of,
    object_array,
    text_of,
    texts_of,
)

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "tables"


@builtin(
    "varfun",
    category=_FAMILY,
    signatures=(
        "B = varfun(f, T)",
        "B = varfun(f, T, 'GroupingVariables', vars)",
        "B = varfun(f, T, 'InputVariables', vars, 'OutputFormat', 'uniform')",
    ),
    cases=(
        "isequal(varfun(@mean, table([1; 3])).mean_Var1, 2)",
        "isequal(varfun(@sum, table([1; 3]), 'OutputFormat', 'uniform'), 4)",
    ),
    see=("rowfun", "groupsummary"),
)
def varfun(ctx: Context, function: Value, t: Value, *options: Value) -> Value:
    """Apply a function to every variable of a table."""
    t = table_argument(t, "varfun")
    known = "InputVariables GroupingVariables OutputFormat ErrorHandler"
    words = option_pairs("varfun", options, known)
    by = [t.names[k] for k in variable_index(words.get("groupingvariables", EMPTY), t)]
    names = [n for n in t.names if n not in by]
    if "inputvariables" in words:
        names = _selected_variables(ctx, t, words["inputvariables"])
    prefix = _function_name(function)
    numbers, first = groups_of([t.columns[n] for n in by]) if by else (EMPTY, EMPTY)
    groups = [np.flatnonzero(numbers == g + 1) for g in range(len(first))]
    handler = words.get("errorhandler")
    results: list[Value] = []
    for place, n in enumerate(names):
        parts = [rows_at(t.columns[n], k) for k in groups] if by else [t.columns[n]]
        found = [call_or_handle(ctx, function, (p,), 1, handler, place)[0] for p in parts]
        results.append(concatenate(0, found) if by else found[0])
    form = _form("varfun", words)
    if form == "uniform":
        return concatenate(1, results)
    if form == "cell":
        return Cell.of(results)
    made = {n: rows_at(t.columns[n], first) for n in by}
    if by:
        made["GroupCount"] = canonical(np.array([[float(len(k))] for k in groups]))
    made |= {f"{prefix}_{n}": r for n, r in zip(names, results, strict=True)}
    return Table(made)


def _form(name: str, words: dict[str, Value]) -> str:
    """What the results become: a table, a cell array, or an array."""
    wanted = words.get("outputformat", "table")
    return one_of(name, "OutputFormat", wanted, "table timetable cell uniform")


def _selected_variables(ctx: CallContext, t: Table, v: Value) -> list[str]:
    if isinstance(v, FunctionHandle):
        return [n for n, c in t.columns.items() if bool(ctx.call(v, (c,), 1)[0])]
    return [t.names[k] for k in variable_index(v, t)]


def _function_name(function: Value) -> str:
    name = function.name if isinstance(function, FunctionHandle) else text_of(function)
    return name or "Fun"


@builtin(
    "rowfun",
    category=_FAMILY,
    signatures=(
        "B = rowfun(f, T)",
        "B = rowfun(f, T, 'OutputVariableNames', names)",
        "B = rowfun(f, T, 'OutputFormat', 'uniform')",
    ),
    cases=("isequal(rowfun(@plus, table([1; 2], [3; 4]), 'OutputFormat', 'uniform'), [4; 6])",),
    see=("varfun",),
)
def rowfun(ctx: Context, function: Value, t: Value, *options: Value) -> Value:
    """Apply a function to every row of a table, or to its rows of every group.

    Contents of cells are taken out with ``ExtractCellContents``; what ``ErrorHandler`` gives
    stands for rows whose call failed.
    """
    t = table_argument(t, "rowfun")
    known = (
        "InputVariables GroupingVariables OutputFormat SeparateInputs ExtractCellContents "
        "OutputVariableNames NumOutputs ErrorHandler"
    )
    words = option_pairs("rowfun", options, known)
    by = [t.names[k] for k in variable_index(words.get("groupingvariables", EMPTY), t)]
    names = [n for n in t.names if n not in by]
    names = (
        _selected_variables(ctx, t, words["inputvariables"]) if "inputvariables" in words else names
    )
    out_names = (
        texts_of(words["outputvariablenames"])
        if "outputvariablenames" in words
        else [f"Var{k + 1}" for k in range(int_of(words.get("numoutputs", 1.0)))]
    )
    count = max(1, len(out_names))
    numbers, first = groups_of([t.columns[n] for n in by]) if by else (EMPTY, EMPTY)
    groups = [np.flatnonzero(numbers == g + 1) for g in range(len(first))] if by else None
    results: list[list[Value]] = [[] for _ in range(count)]
    for k, rows in enumerate([[k] for k in range(t.height)] if groups is None else groups):
        values = _inputs(words, [rows_at(t.columns[n], rows) for n in names])
        outputs = call_or_handle(ctx, function, values, count, words.get("errorhandler"), k)
        for j in range(count):
            results[j].append(outputs[j])
    form = _form("rowfun", words)
    if form == "uniform":
        return concatenate(0, results[0])
    if form == "cell":
        flat = [r for column in results for r in column]
        return Cell(object_array(flat, (len(results[0]), count)))
    if groups is None:
        made = {n: column_of(r) for n, r in zip(out_names, results, strict=True)}
        return Table(made, t.height, t.row_names, t.times)
    made = {n: rows_at(t.columns[n], first) for n in by}
    made["GroupCount"] = canonical(np.array([[float(len(k))] for k in groups]))
    made |= {n: concatenate(0, r) for n, r in zip(out_names, results, strict=True)}
    return Table(made, len(groups))


def _inputs(words: dict[str, Value], values: list[Value]) -> tuple[Value, ...]:
    """What the function is given: the variables one by one, or side by side."""
    if _is_on(words, "extractcellcontents", False):
        values = [concatenate(0, list(v.items())) if isinstance(v, Cell) else v for v in values]
    return tuple(values) if _is_on(words, "separateinputs", True) else (concatenate(1, values),)


def _is_on(words: dict[str, Value], name: str, default: bool) -> bool:
    return flag(words, name, default)
