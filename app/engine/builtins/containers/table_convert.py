"""Tables from arrays, cells and structs, and back."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import flag, option_pairs
from app.engine.builtins.argument_names import argument_names
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_facts import properties_for, row_times, upright_times
from app.engine.builtins.containers.table_make import make
from app.engine.builtins.containers.table_rows import cell_rows, column_of, rows_at
from app.engine.declarations.registry import builtin
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import (
    Cell,
    Struct,
    StructArray,
    Value,
    is_cell,
    is_text_scalar,
    object_array,
    size_of,
    text_of,
    texts_of,
)
from app.engine.values.containers import ObjectArrayData
from app.errors import MatlabError

_FAMILY = "tables"


@builtin(
    "table2timetable",
    category=_FAMILY,
    signatures=("TT = table2timetable(T)", "TT = table2timetable(T, 'RowTimes', times)"),
    cases=('class(table2timetable(table(hours(1), 2))) == "timetable"',),
    see=("timetable2table",),
)
def table2timetable(t: Value, *options: Value) -> Value:
    """A timetable from a table: the first variable of times labels the rows."""
    t, words = (
        table_argument(t, "table2timetable"),
        option_pairs("table2timetable", options, "RowTimes SampleRate TimeStep StartTime"),
    )
    if words:
        from app.engine.builtins.containers.row_times import (
            check_row_time_options,
            row_times_by_step,
        )

        check_row_time_options("table2timetable", words)
        if "rowtimes" not in words:
            made = row_times_by_step(words, t.height)
            return Table(t.columns, t.height, None, made, t.facts)
    value = (
        words["rowtimes"]
        if "rowtimes" in words
        else next((n for n, c in t.columns.items() if hasattr(c, "form")), "")
    )
    if is_text_scalar(value) and text_of(value) in t.columns:
        name = text_of(value)
        rest = t.with_columns({n: c for n, c in t.columns.items() if n != name})
        facts = {**rest.facts, "DimensionNames": Cell.of([name, "Variables"])}
        return Table(rest.columns, t.height, None, upright_times(t.columns[name]), facts)
    times, columns = value, t.columns
    if not isinstance(times, NativeArray):
        text = "The row times must be datetimes or durations."
        raise MatlabError("MATLAB:table2timetable:NoTimeVector", text)
    return Table(columns, t.height, None, row_times(times, t.height), t.facts)


@builtin(
    "timetable2table",
    category=_FAMILY,
    signatures=("T = timetable2table(TT)", "T = timetable2table(TT, 'ConvertRowTimes', tf)"),
    cases=("width(timetable2table(timetable(seconds([1; 2]), [3; 4]))) == 2",),
    see=("table2timetable",),
)
def timetable2table(t: Value, *options: Value) -> Value:
    """A table from a timetable: the times become its first variable unless told otherwise."""
    t, words = (
        table_argument(t, "timetable2table"),
        option_pairs("timetable2table", options, "ConvertRowTimes"),
    )
    if not flag(words, "convertrowtimes", True):
        return Table(t.columns, t.height, facts=_without_names(t.facts))
    times = t.dimension_names[0]
    facts = properties_for(_without_names(t.facts), t.names, [times, *t.names])
    return Table({times: t.times, **t.columns}, t.height, facts=facts)


def _without_names(facts: dict[str, Value]) -> dict[str, Value]:
    """Properties without the names of the dimensions, of which a table has others."""
    return {name: value for name, value in facts.items() if name != "DimensionNames"}


@builtin(
    "array2table",
    category=_FAMILY,
    signatures=("T = array2table(A)", "T = array2table(A, 'VariableNames', names)"),
    cases=(
        "isequal(array2table([1 2; 3 4]).Var2, [2; 4])",
        "isequal(array2table([1 2], 'VariableNames', {'a', 'b'}).b, 2)",
    ),
    see=("table2array", "cell2table"),
)
def array2table(a: Value, *args: Value) -> Value:
    """A table with one variable for every column of an array."""
    options = option_pairs("array2table", args, "VariableNames RowNames DimensionNames")
    count = size_of(a)[1]
    columns = [paren(a, ":", float(k + 1)) for k in range(count)]
    if "variablenames" not in options:
        base = next(iter(argument_names("array2table")), "") or "Var"
        options["variablenames"] = Cell(
            object_array([f"{base}{k + 1}" for k in range(count)], (1, count))
        )
    made = make(columns, options)
    made.height = size_of(a)[0]
    return made


@builtin(
    "table2array",
    category=_FAMILY,
    signatures=("A = table2array(T)",),
    cases=("isequal(table2array(table([1; 2], [3; 4])), [1 3; 2 4])",),
    see=("array2table", "table2cell"),
)
def table2array(t: Value) -> Value:
    """The variables of a table side by side in one array."""
    return table_argument(t, "table2array").array()


@builtin(
    "cell2table",
    category=_FAMILY,
    signatures=("T = cell2table(C)", "T = cell2table(C, 'VariableNames', names)"),
    cases=("isequal(cell2table({1, 'a'; 2, 'b'}).Var1, [1; 2])",),
    see=("table2cell",),
)
def cell2table(c: Value, *args: Value) -> Value:
    """A table from a cell of rows."""
    if not isinstance(c, Cell):
        raise MatlabError("MATLAB:cell2table:InvalidInput", "Input must be a cell array.")
    options = option_pairs("cell2table", args, "VariableNames RowNames")
    base = next(iter(argument_names("cell2table")), "") or "Var"
    named = "variablenames" in options
    names = (
        texts_of(options["variablenames"])
        if named
        else [f"{base}{k + 1}" for k in range(c.shape[1])]
    )
    rows = texts_of(options["rownames"]) if "rownames" in options else None
    return Table(dict(cell_rows(c, names)), c.shape[0], rows)


@builtin(
    "table2cell",
    category=_FAMILY,
    signatures=("C = table2cell(T)",),
    cases=("isequal(table2cell(table(1, {'a'})), {1, 'a'})",),
    see=("cell2table",),
)
def table2cell(t: Value) -> Value:
    """The elements of a table in a cell."""
    return Cell(table_cells(table_argument(t, "table2cell")))


def table_cells(t: Table) -> ObjectArrayData:
    """The elements of a table, those of cells as what they hold."""
    data = np.empty(t.shape, dtype=object)
    for j, column in enumerate(t.columns.values()):
        for i in range(t.height):
            item = rows_at(column, [i])
            data[i, j] = item.data.flat[0] if is_cell(item) and item.data.size == 1 else item
    return data


@builtin(
    "struct2table",
    category=_FAMILY,
    signatures=("T = struct2table(S)", "T = struct2table(S, 'AsArray', true)"),
    cases=("isequal(struct2table(struct('a', [1; 2])).a, [1; 2])",),
    see=("table2struct",),
)
def struct2table(s: Value, *options: Value) -> Value:
    """A table from a struct of columns, or from a struct array with one row each."""
    if not isinstance(s, Struct | StructArray):
        raise MatlabError("MATLAB:struct2table:InvalidInput", "Input must be a structure array.")
    given = option_pairs("struct2table", options, "AsArray")
    if isinstance(s, Struct) and not flag(given, "asarray"):
        heights = {size_of(v)[0] for v in s.fields.values()}
        if len(heights) > 1:
            text = "Fields in a scalar structure must have the same number of rows."
            raise MatlabError("MATLAB:struct2table:UnequalFieldLengths", text)
        return Table({n: Cell.of([v]) if isinstance(v, str) else v for n, v in s.fields.items()})
    items = [s] if isinstance(s, Struct) else s.elements()
    names = list(s.fields)
    return Table({n: column_of([e.fields[n] for e in items]) for n in names}, len(items))


@builtin(
    "table2struct",
    category=_FAMILY,
    signatures=("S = table2struct(T)", "S = table2struct(T, 'ToScalar', true)"),
    cases=("numel(table2struct(table([1; 2]))) == 2",),
    see=("struct2table",),
)
def table2struct(t: Value, *options: Value) -> Value:
    """A struct array with one element per row, or one struct of columns."""
    t = table_argument(t, "table2struct")
    given = option_pairs("table2struct", options, "ToScalar")
    if flag(given, "toscalar"):
        return Struct(dict(t.columns))
    rows = table_cells(t)
    structs = [Struct(dict(zip(t.names, row, strict=True))) for row in rows]
    return StructArray.of(structs, (t.height, 1), t.names)
