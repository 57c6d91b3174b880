"""Making tables from variables, arrays, cells and structs, and turning them back."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.argument_names import argument_names
from app.engine.builtins.native_arrays import NativeArray
from app.engine.builtins.registry import builtin
from app.engine.builtins.table_class import Table
from app.engine.builtins.table_rows import cell_rows, column_of, taken
from app.engine.interp.indexing import paren
from app.engine.values import (
    Cell,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    is_cell,
    is_char,
    is_string,
    object_array,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "tables"
_OPTIONS = ("variablenames", "rownames", "size", "variabletypes", "dimensionnames", "rowtimes",
            "timestep", "samplerate", "starttime", "toscalar")  # fmt: skip


def split_options(args: tuple[Value, ...]) -> tuple[list[Value], dict[str, Value]]:
    """Variables, and the named options behind them."""
    rest, options = list(args), {}
    while len(rest) >= 2 and (is_char(rest[-2]) or is_string(rest[-2])):
        if size_of(rest[-2])[0] > 1 or (is_string(rest[-2]) and rest[-2].data.size != 1):
            break
        name = text_of(rest[-2]).lower()
        if name not in _OPTIONS:
            break
        options[name] = rest[-1]
        del rest[-2:]
    return rest, options


def input_names(function: str, count: int) -> list[str]:
    """Names of the variables given to ``function``, ``Var1`` … for expressions."""
    written = argument_names(function)
    names: list[str] = []
    for k in range(count):
        found = written[k] if k < len(written) else ""
        names.append(found if found and found not in names else f"Var{k + 1}")
    return names


def make(
    rest: list[Value], options: dict[str, Value], times: Any = None, function: str = "table"
) -> Table:
    """A table of variables with their options."""
    if "size" in options:
        return _sized(options, times)
    named = "variablenames" in options
    names = texts_of(options["variablenames"]) if named else input_names(function, len(rest))
    if len(names) != len(rest):
        text = "The VariableNames property must contain one name for each variable in the table."
        raise MatlabError("MATLAB:table:IncorrectNumberOfVarNames", text)
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise MatlabError("MATLAB:table:DuplicateVarNames", f"Duplicate variable name: '{twice}'.")
    heights = {size_of(v)[0] for v in rest}
    if len(heights) > 1:
        text = "All table variables must have the same number of rows."
        raise MatlabError("MATLAB:table:UnequalVarLengths", text)
    rows = texts_of(options["rownames"]) if "rownames" in options else None
    facts = {"DimensionNames": options["dimensionnames"]} if "dimensionnames" in options else {}
    height = heights.pop() if heights else len(rows or [])
    return Table(dict(zip(names, rest, strict=True)), height, rows, times, facts)


def _sized(options: dict[str, Value], times: Any) -> Table:
    """``table('Size', [m n], 'VariableTypes', types)``."""
    rows, count = (int(n) for n in as_array(options["size"]).ravel())
    types = texts_of(options["variabletypes"])
    named = "variablenames" in options
    names = texts_of(options["variablenames"]) if named else [f"Var{k + 1}" for k in range(count)]
    columns = {n: _blank_column(kind, rows) for n, kind in zip(names, types, strict=True)}
    return Table(columns, rows, None, times)


def _blank_column(kind: str, rows: int) -> Value:
    from app.engine.builtins.datetime_class import Datetime
    from app.engine.builtins.duration_class import Duration
    from app.engine.values import DTYPE_OF_CLASS, canonical

    if kind in ("cell", "cellstr"):
        return Cell.empty((rows, 1))
    if kind == "string":
        return StringArray.of([None] * rows, (rows, 1))
    if kind == "datetime":
        return Datetime(np.full((rows, 1), np.nan))
    if kind == "duration":
        return Duration(np.zeros((rows, 1)))
    if kind == "categorical":
        from app.engine.builtins.categorical_class import Categorical

        return Categorical(np.full((rows, 1), np.nan), [])
    if kind not in DTYPE_OF_CLASS:
        raise MatlabError("MATLAB:table:InvalidType", f"Unknown variable type '{kind}'.")
    return canonical(np.zeros((rows, 1), dtype=DTYPE_OF_CLASS[kind]))


@builtin("table", category=_FAMILY,
         signatures=("T = table(var1, var2, ...)", "T = table(..., 'VariableNames', names)",
                     "T = table(..., 'RowNames', names)",
                     "T = table('Size', sz, 'VariableTypes', types)"),
         cases=("height(table([1; 2], {'a'; 'b'})) == 2",
                "isequal(table([1; 2], 'VariableNames', {'x'}).x, [1; 2])"),
         see=("array2table", "readtable", "timetable", "varfun"))  # fmt: skip
def table(*args: Value) -> Value:
    """A table: variables of any classes with names, all with the same number of rows.

    ``T.name`` is a variable, ``T(rows, vars)`` a smaller table, ``T{rows, vars}`` an array.
    """
    return make(*split_options(args))


@builtin("timetable", category=_FAMILY,
         signatures=("TT = timetable(times, var1, ...)",
                     "TT = timetable(var1, ..., 'RowTimes', times)",
                     "TT = timetable(..., 'VariableNames', names)"),
         cases=("height(timetable(seconds([1; 2]), [3; 4])) == 2",),
         see=("table", "table2timetable"))  # fmt: skip
def timetable(*args: Value) -> Value:
    """A table whose rows are labelled with datetimes or durations."""
    rest, options = split_options(args)
    if "rowtimes" in options:
        times = options["rowtimes"]
        return make(rest, options, _column(times), "timetable")
    if not rest or not isinstance(rest[0], NativeArray):
        text = "The row times must be datetimes or durations."
        raise MatlabError("MATLAB:timetable:NoTimeVector", text)
    if "variablenames" not in options:
        written = argument_names("timetable")[1:]
        names = [(written[k] if k < len(written) else "") or f"Var{k + 1}"
                 for k in range(len(rest) - 1)]
        options["variablenames"] = Cell.of(names)
    return make(rest[1:], options, _column(rest[0]))


def _column(times: NativeArray) -> NativeArray:
    return times.like(times.data.reshape(-1, 1, order="F"))


@builtin("table2timetable", category=_FAMILY,
         signatures=("TT = table2timetable(T)", "TT = table2timetable(T, 'RowTimes', times)"),
         cases=("class(table2timetable(table(hours(1), 2))) == \"timetable\"",),
         see=("timetable2table",))  # fmt: skip
def table2timetable(t: Value, *options: Value) -> Value:
    """A timetable from a table: the first variable of times labels the rows."""
    columns = dict(t.columns)
    if options:
        value = options[1]
        times = columns.pop(text_of(value)) if is_char(value) else value
    else:
        name = next(n for n, c in columns.items() if isinstance(c, NativeArray))
        times = columns.pop(name)
    return Table(columns, t.height, None, _column(times), t.facts)


@builtin("timetable2table", category=_FAMILY, signatures=("T = timetable2table(TT)",),
         cases=("width(timetable2table(timetable(seconds([1; 2]), [3; 4]))) == 2",),
         see=("table2timetable",))  # fmt: skip
def timetable2table(t: Value) -> Value:
    """A table from a timetable: the times become its first variable."""
    return Table({t.dimension_names[0]: t.times, **t.columns}, t.height)


@builtin("array2table", category=_FAMILY,
         signatures=("T = array2table(A)", "T = array2table(A, 'VariableNames', names)"),
         cases=("isequal(array2table([1 2; 3 4]).Var2, [2; 4])",
                "isequal(array2table([1 2], 'VariableNames', {'a', 'b'}).b, 2)"),
         see=("table2array", "cell2table"))  # fmt: skip
def array2table(a: Value, *args: Value) -> Value:
    """A table with one variable for every column of an array."""
    _, options = split_options(args)
    count = size_of(a)[1]
    columns = [paren(a, ":", float(k + 1)) for k in range(count)]
    if "variablenames" not in options:
        base = next(iter(argument_names("array2table")), "") or "Var"
        options["variablenames"] = Cell(
            object_array([f"{base}{k + 1}" for k in range(count)], (1, count)))
    made = make(columns, options)
    made.height = size_of(a)[0]
    return made


@builtin("table2array", category=_FAMILY, signatures=("A = table2array(T)",),
         cases=("isequal(table2array(table([1; 2], [3; 4])), [1 3; 2 4])",),
         see=("array2table", "table2cell"))  # fmt: skip
def table2array(t: Value) -> Value:
    """The variables of a table side by side in one array."""
    return t.brace_get(None, (":", ":"), 1)


@builtin("cell2table", category=_FAMILY,
         signatures=("T = cell2table(C)", "T = cell2table(C, 'VariableNames', names)"),
         cases=("isequal(cell2table({1, 'a'; 2, 'b'}).Var1, [1; 2])",),
         see=("table2cell",))  # fmt: skip
def cell2table(c: Value, *args: Value) -> Value:
    """A table from a cell of rows."""
    _, options = split_options(args)
    base = next(iter(argument_names("cell2table")), "") or "Var"
    named = "variablenames" in options
    names = texts_of(options["variablenames"]) if named else [
        f"{base}{k + 1}" for k in range(c.shape[1])]  # fmt: skip
    rows = texts_of(options["rownames"]) if "rownames" in options else None
    return Table(dict(cell_rows(c, names)), c.shape[0], rows)


@builtin("table2cell", category=_FAMILY, signatures=("C = table2cell(T)",),
         cases=("isequal(table2cell(table(1, {'a'})), {1, 'a'})",), see=("cell2table",))
def table2cell(t: Value) -> Value:
    """The elements of a table in a cell."""
    data = np.empty(t.shape, dtype=object)
    for j, column in enumerate(t.columns.values()):
        for i in range(t.height):
            item = taken(column, [i])
            data[i, j] = item.data.flat[0] if is_cell(item) and item.data.size == 1 else item
    return Cell(data)


@builtin("struct2table", category=_FAMILY,
         signatures=("T = struct2table(S)", "T = struct2table(S, 'AsArray', true)"),
         cases=("isequal(struct2table(struct('a', [1; 2])).a, [1; 2])",),
         see=("table2struct",))  # fmt: skip
def struct2table(s: Value, *options: Value) -> Value:
    """A table from a struct of columns, or from a struct array with one row each."""
    if isinstance(s, Struct) and not options:
        heights = {size_of(v)[0] for v in s.fields.values()}
        if len(heights) > 1:
            text = "Fields in a scalar structure must have the same number of rows."
            raise MatlabError("MATLAB:struct2table:UnequalFieldLengths", text)
        return Table({n: Cell.of([v]) if isinstance(v, str) else v for n, v in s.fields.items()})
    items = [s] if isinstance(s, Struct) else s.elements()
    names = list(s.fields)
    return Table({n: column_of([e.fields[n] for e in items]) for n in names}, len(items))


@builtin("table2struct", category=_FAMILY,
         signatures=("S = table2struct(T)", "S = table2struct(T, 'ToScalar', true)"),
         cases=("numel(table2struct(table([1; 2]))) == 2",), see=("struct2table",))  # fmt: skip
def table2struct(t: Value, *options: Value) -> Value:
    """A struct array with one element per row, or one struct of columns."""
    if len(options) == 2 and bool(as_array(options[1]).flat[0]):
        return Struct(dict(t.columns))
    rows = table2cell(t).data
    structs = [Struct(dict(zip(t.names, row, strict=True))) for row in rows]
    return StructArray.of(structs, (t.height, 1), t.names)
