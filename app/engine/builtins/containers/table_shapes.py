"""Other shapes of tables: stack, unstack, rows2vars."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs
from app.engine.builtins.arrays.categorical_class import Categorical
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_order import keys_of
from app.engine.builtins.containers.table_rows import (
    rows_at,
    text_column,
    variable_index,
    with_rows,
)
from app.engine.declarations.registry import builtin
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    is_numeric_like,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "tables"


def _only_variable(sub: Value, table: Table) -> int:
    """The 0-based variable that a subscript selects, where it must be one."""
    chosen = variable_index(sub, table)
    if len(chosen) != 1:
        text = f"Exactly one variable must be named here, not {len(chosen)}."
        raise MatlabError("MATLAB:table:unstack:OneVariable", text)
    return chosen[0]


@builtin(
    "stack",
    category=_FAMILY,
    signatures=(
        "S = stack(T, vars)",
        "S = stack(T, vars, 'NewDataVariableName', name, 'IndexVariableName', name)",
        "[S, iT] = stack(..., 'ConstantVariables', vars)",
    ),
    cases=("height(stack(table([1; 2], [3; 4]), [1 2])) == 4",),
    see=("unstack",),
)
def stack(t: Value, names: Value, *options: Value) -> Value:
    """Stack several variables into one, with another that says where a value came from."""
    t = table_argument(t, "stack")
    words = option_pairs(
        "stack", options, "ConstantVariables IndexVariableName NewDataVariableName"
    )
    chosen = [t.names[k] for k in variable_index(names, t)]
    kept = (
        [t.names[k] for k in variable_index(words["constantvariables"], t)]
        if ("constantvariables" in words)
        else [n for n in t.names if n not in chosen]
    )
    count = len(chosen)
    index = np.repeat(np.arange(t.height), count)
    order = np.arange(t.height * count).reshape(count, t.height).T.ravel()
    data = rows_at(concatenate(0, [t.columns[n] for n in chosen]), order)
    name = text_of(words.get("newdatavariablename", "_".join(chosen)))
    place = text_of(words.get("indexvariablename", f"{name}_Indicator"))
    codes = np.tile(np.arange(1.0, count + 1), t.height).reshape(-1, 1)
    columns = {n: rows_at(t.columns[n], index) for n in kept}
    times = rows_at(t.times, index) if t.times is not None else None
    columns |= {place: Categorical(codes, chosen), name: data}
    return Table(columns, len(index), None, times), canonical(index.reshape(-1, 1) + 1.0)


@builtin(
    "unstack",
    category=_FAMILY,
    signatures=(
        "[U, iS] = unstack(S, dataVar, indexVar)",
        "U = unstack(..., 'AggregationFunction', f, 'GroupingVariables', vars)",
        "U = unstack(..., 'NewDataVariableNames', names)",
    ),
    cases=("width(unstack(table([1; 1], {'a'; 'b'}, [5; 6]), 'Var3', 'Var2')) == 3",),
    see=("stack",),
)
def unstack(ctx: CallContext, t: Value, data: Value, indicator: Value, *options: Value) -> Value:
    """Spread one variable over several, one for each value of another.

    Values that meet in one place are added up, or given to the AggregationFunction.
    """
    t, words = (
        table_argument(t, "unstack"),
        option_pairs(
            "unstack", options, "GroupingVariables NewDataVariableNames AggregationFunction"
        ),
    )
    d, i = (_only_variable(v, t) for v in (data, indicator))
    column = t.columns[t.names[d]]
    labels, places = _spread_names(t.columns[t.names[i]])
    others = (
        [t.names[k] for k in variable_index(words["groupingvariables"], t)]
        if ("groupingvariables" in words)
        else [n for k, n in enumerate(t.names) if k not in (d, i)]
    )
    by = [t.columns[n] for n in others] + ([t.times] if t.times is not None else [])
    keys = np.concatenate([keys_of(c) for c in by] or [np.zeros((t.height, 1))], 1)
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    columns = {n: rows_at(t.columns[n], first) for n in others}
    names = texts_of(words["newdatavariablenames"]) if "newdatavariablenames" in words else labels
    rule = words.get("aggregationfunction")
    for k, name in enumerate(names):
        rows = [np.flatnonzero((back.ravel() == g) & (places == k)) for g in range(len(first))]
        columns[name] = _value_of_each_list(ctx, column, rows, rule)
    times = rows_at(t.times, first) if t.times is not None else None
    return Table(columns, len(first), None, times), canonical(first.reshape(-1, 1) + 1.0)


def _spread_names(index: Value) -> tuple[list[str], Array]:
    """Names of the new variables, and which of them every row belongs to."""
    if isinstance(index, Categorical):
        return list(index.names), np.nan_to_num(index.data.ravel() - 1, nan=-1.0)
    texts = (
        [f"x{x:g}" for x in as_array(index).ravel()]
        if is_numeric_like(index)
        else ([x or "" for x in index.texts()] if hasattr(index, "texts") else texts_of(index))
    )
    if is_numeric_like(index):
        labels = list(dict.fromkeys(f"x{x:g}" for x in np.unique(as_array(index))))
    else:
        labels = sorted(set(texts))
    return labels, np.array([float(labels.index(x)) for x in texts])


def _value_of_each_list(ctx: CallContext, column: Value, rows: list[Array], rule: Value) -> Value:
    """One value for every list of rows: missing for none of them."""
    numbers = is_numeric_like(column)
    found = [k for k, r in enumerate(rows) if len(r)]
    parts = []
    for k in found:
        part = rows_at(column, rows[k])
        if rule is not None:
            part = ctx.call(rule, (part,), 1)[0]
        elif len(rows[k]) > 1:
            part = (
                ctx.call("sum", (part, 1.0), 1)[0]
                if numbers
                else (ctx.call("unique", (part,), 1)[0])
            )
        parts.append(rows_at(part, [0]))
    if not numbers:
        return with_rows(None, found, concatenate(0, parts), len(rows))
    spread = np.full((len(rows), 1), np.nan)
    spread[found] = as_array(concatenate(0, parts)).reshape(-1, 1) if parts else spread[found]
    return canonical(spread)


@builtin(
    "rows2vars",
    category=_FAMILY,
    signatures=("T = rows2vars(T)",),
    cases=("height(rows2vars(table(1, 2))) == 2",),
    see=("stack",),
)
def rows2vars(t: Value) -> Value:
    """Turn rows into variables."""
    t = table_argument(t, "rows2vars")
    from app.engine.builtins.containers.table_rows import column_of

    names = t.row_names or [f"Var{k + 1}" for k in range(t.height)]
    columns: dict[str, Value] = {"OriginalVariableNames": text_column(t.names)}
    for k, name in enumerate(names):
        columns[name] = column_of([rows_at(c, [k]) for c in t.columns.values()])
    return Table(columns, len(t.names))
