"""Functions of the variables and rows of tables: varfun, rowfun."""

from __future__ import annotations

from typing import Any

from app.engine.builtins.containers.table_class import Table, checked
from app.engine.builtins.containers.table_group import by_groups, grouped
from app.engine.builtins.containers.table_rows import column_of, taken, variable_index
from app.engine.builtins.files.delimited import named_options
from app.engine.declarations.registry import builtin
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    Cell,
    FunctionHandle,
    Value,
    as_array,
    is_cellstr,
    numel,
    object_array,
    text_of,
    texts_of,
)

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
def varfun(ctx: Any, function: Value, t: Value, *options: Value) -> Value:
    """Apply a function to every variable of a table."""
    t = checked(t, "varfun")
    words = named_options(options)
    by = (
        [t.names[k] for k in variable_index(words["groupingvariables"], t)]
        if ("groupingvariables" in words)
        else []
    )
    names = [n for n in t.names if n not in by]
    if "inputvariables" in words:
        names = _chosen(ctx, t, words["inputvariables"])
    prefix = _function_name(function)
    if by:
        return grouped(ctx, function, t, by, [(n, f"{prefix}_{n}") for n in names])
    results = [ctx.call(function, (t.columns[n],), 1)[0] for n in names]
    form = text_of(words["outputformat"]).lower() if "outputformat" in words else "table"
    if form == "uniform":
        return concatenate(1, results)
    if form == "cell":
        return Cell.of(results)
    return Table({f"{prefix}_{n}": r for n, r in zip(names, results, strict=True)})


def _chosen(ctx: Any, t: Table, v: Value) -> list[str]:
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
def rowfun(ctx: Any, function: Value, t: Value, *options: Value) -> Value:
    """Apply a function to every row of a table."""
    t = checked(t, "rowfun")
    words = named_options(options)
    names = _chosen(ctx, t, words["inputvariables"]) if "inputvariables" in words else t.names
    separate = "separateinputs" not in words or bool(as_array(words["separateinputs"]).flat[0])
    out_names = (
        texts_of(words["outputvariablenames"])
        if "outputvariablenames" in words
        else [f"Var{k + 1}" for k in range(int(as_array(words.get("numoutputs", 1.0)).flat[0]))]
    )
    count = max(1, len(out_names))
    if "groupingvariables" in words:
        by = [t.names[k] for k in variable_index(words["groupingvariables"], t)]
        return by_groups(ctx, function, t, by, [n for n in names if n not in by], out_names)
    results: list[list[Value]] = [[] for _ in range(count)]
    for k in range(t.height):
        values = [taken(t.columns[n], [k]) for n in names]
        values = [v.data.flat[0] if is_cellstr(v) and numel(v) == 1 else v for v in values]
        given = tuple(values) if separate else (concatenate(1, values),)
        outputs = ctx.call(function, given, count)
        for j in range(count):
            results[j].append(outputs[j])
    form = text_of(words["outputformat"]).lower() if "outputformat" in words else "table"
    if form == "uniform":
        return concatenate(0, results[0])
    if form == "cell":
        return Cell(object_array(results[0], (t.height, 1)))
    made = {n: column_of(r) for n, r in zip(out_names, results, strict=True)}
    return Table(made, t.height, t.row_names, t.times)
