"""Other shapes of tables: stack, unstack, rows2vars."""

from __future__ import annotations

import numpy as np

from app.engine.builtins.checks import option_pairs
from app.engine.builtins.containers.table_class import Table, checked
from app.engine.builtins.containers.table_order import keys_of
from app.engine.builtins.containers.table_rows import stacked, taken, variable_index
from app.engine.builtins.registry import builtin
from app.engine.values import (
    Value,
    as_array,
    canonical,
    is_numeric_like,
    text_of,
    texts_of,
)

_FAMILY = "tables"


@builtin("stack", category=_FAMILY,
         signatures=("S = stack(T, vars)", "S = stack(T, vars, 'NewDataVariableName', name, "
                     "'IndexVariableName', name)"),
         cases=("height(stack(table([1; 2], [3; 4]), [1 2])) == 4",), see=("unstack",))  # fmt: skip
def stack(t: Value, names: Value, *options: Value) -> Value:
    """Stack several variables into one, with another that says where a value came from."""
    t = checked(t, "stack")
    from app.engine.builtins.arrays.concatenation import concatenate
    from app.engine.builtins.containers.categorical_class import Categorical

    words = option_pairs("stack", options)
    chosen = [t.names[k] for k in variable_index(names, t)]
    kept = [n for n in t.names if n not in chosen]
    count = len(chosen)
    index = np.repeat(np.arange(t.height), count)
    order = np.arange(t.height * count).reshape(count, t.height).T.ravel()
    data = taken(concatenate(0, [t.columns[n] for n in chosen]), order)
    name = text_of(words["newdatavariablename"]) if "newdatavariablename" in words else "_".join(
        chosen)
    place = text_of(words["indexvariablename"]) if "indexvariablename" in words else (
        f"{name}_Indicator")
    codes = np.tile(np.arange(1.0, count + 1), t.height).reshape(-1, 1)
    columns = {n: taken(t.columns[n], index) for n in kept}
    return Table({**columns, place: Categorical(codes, chosen), name: data}, len(index))


@builtin("unstack", category=_FAMILY, signatures=("U = unstack(S, dataVar, indexVar)",),
         cases=("width(unstack(table([1; 1], {'a'; 'b'}, [5; 6]), 'Var3', 'Var2')) == 3",),
         see=("stack",))  # fmt: skip
def unstack(t: Value, data: Value, indicator: Value) -> Value:
    """Spread one variable over several, one for each value of another."""
    t = checked(t, "unstack")
    (d,), (i,) = variable_index(data, t), variable_index(indicator, t)
    column, index = t.columns[t.names[d]], t.columns[t.names[i]]
    labels = [x or "" for x in index.texts()] if hasattr(index, "texts") else (
        texts_of(index) if not is_numeric_like(index) else [
            f"x{x:g}" for x in as_array(index).ravel()])  # fmt: skip
    others = [n for k, n in enumerate(t.names) if k not in (d, i)]
    keys = np.concatenate([keys_of(t.columns[n]) for n in others] or [np.zeros((t.height, 1))], 1)
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    columns = {n: taken(t.columns[n], first) for n in others}
    values = as_array(column).astype(np.float64).ravel()
    for label in sorted(set(labels)):
        spread = np.full((len(first), 1), np.nan)
        for row, (group, text) in enumerate(zip(back.ravel().tolist(), labels, strict=True)):
            if text == label:
                spread[group, 0] = np.nansum([spread[group, 0], values[row]])
        columns[label] = canonical(spread)
    return Table(columns, len(first))


@builtin("rows2vars", category=_FAMILY, signatures=("T = rows2vars(T)",),
         cases=("height(rows2vars(table(1, 2))) == 2",), see=("stack",))  # fmt: skip
def rows2vars(t: Value) -> Value:
    """Turn rows into variables."""
    t = checked(t, "rows2vars")
    from app.engine.builtins.containers.table_rows import column_of

    names = t.row_names or [f"Var{k + 1}" for k in range(t.height)]
    columns: dict[str, Value] = {"OriginalVariableNames": stacked(t.names)}
    for k, name in enumerate(names):
        columns[name] = column_of([taken(c, [k]) for c in t.columns.values()])
    return Table(columns, len(t.names))
