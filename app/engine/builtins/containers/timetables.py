"""Timetables from arrays, variables converted, and combinations."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_rows import variable_index
from app.engine.declarations.registry import builtin
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import (
    Cell,
    FunctionHandle,
    Value,
    object_array,
    size_of,
    text_of,
    texts_of,
    true_value,
)
from app.errors import MatlabError

_FAMILY = "tables"
_ROW_TIMES = "RowTimes SampleRate TimeStep StartTime VariableNames DimensionNames"


@builtin(
    "array2timetable",
    category=_FAMILY,
    signatures=(
        "T = array2timetable(A, 'RowTimes', times)",
        "T = array2timetable(A, 'SampleRate', fs)",
        "T = array2timetable(..., 'VariableNames', names)",
    ),
    cases=("isequal(array2timetable([1; 2], 'RowTimes', hours([1; 2])).Var1, [1; 2])",),
    see=("timetable", "array2table"),
)
def array2timetable(ctx: CallContext, a: Value, *args: Value) -> Value:
    """A timetable with one variable for every column of an array."""
    options = option_pairs("array2timetable", args, _ROW_TIMES)
    count = size_of(a)[1]
    names = (
        texts_of(options.pop("variablenames"))
        if "variablenames" in options
        else [f"Var{k + 1}" for k in range(count)]
    )
    if not {"rowtimes", "samplerate", "timestep"} & set(options):
        message = "RowTimes, SampleRate or TimeStep must be given."
        raise MatlabError("MATLAB:array2timetable:RowTimeRequired", message)
    columns = [paren(a, ":", float(k + 1)) for k in range(count)]
    rest = [v for n, x in options.items() for v in (n, x)]
    labels = Cell(object_array(names, (1, count)))
    return ctx.call("timetable", (*columns, *rest, "VariableNames", labels), 1)[0]


@builtin(
    "convertvars",
    category=_FAMILY,
    signatures=("T = convertvars(T, vars, kind)",),
    cases=(
        "isstring(convertvars(table({'a'; 'b'}), 1, 'string').Var1)",
        "isequal(convertvars(table([1; 2]), @isnumeric, @(x) x * 2).Var1, [2; 4])",
    ),
    see=("varfun", "addvars"),
)
def convertvars(ctx: CallContext, t: Value, names: Value, kind: Value) -> Value:
    """Convert variables to a class, or by a function."""
    t = table_argument(t, "convertvars")
    chosen = (
        [n for n, c in t.columns.items() if true_value(ctx.call(names, (c,), 1)[0])]
        if (isinstance(names, FunctionHandle))
        else [t.names[k] for k in variable_index(names, t)]
    )
    columns = dict(t.columns)
    for n in chosen:
        how = kind if isinstance(kind, FunctionHandle) else text_of(kind)
        columns[n] = ctx.call(how, (t.columns[n],), 1)[0]
    return t.with_columns(columns)


@builtin(
    "combinations",
    category=_FAMILY,
    least=1,
    signatures=("T = combinations(A1, A2, ...)",),
    cases=("isequal(combinations([1 2], [3 4]).Var2, [3; 4; 3; 4])",),
    see=("ndgrid", "nchoosek"),
)
def combinations(ctx: CallContext, *args: Value) -> Value:
    """Every combination of the elements of arrays as rows of a table, the last one fastest."""
    from app.engine.builtins.argument_names import argument_names

    sizes = [int(np.prod(size_of(a))) for a in args]
    places = np.indices(sizes).reshape(len(args), -1)
    labels = [n or f"Var{k + 1}" for k, n in enumerate(argument_names("combinations"))]
    labels += [f"Var{k + 1}" for k in range(len(labels), len(args))]
    columns = {
        n: paren(paren(a, ":"), (p + 1.0).reshape(-1, 1))
        for n, a, p in zip(labels, args, places, strict=False)
    }
    return Table(columns, places.shape[1])
