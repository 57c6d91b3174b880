"""Making tables from variables, arrays, cells and structs, and turning them back."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.checks import unknown_option
from app.engine.builtins.argument_names import argument_names
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_facts import check_facts, upright_times
from app.engine.builtins.containers.table_rows import check_names
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    int_of,
    is_char,
    is_string,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "tables"
_TABLE = "Size VariableTypes VariableNames DimensionNames RowNames"
_TIMETABLE = (
    "Size VariableTypes VariableNames DimensionNames RowTimes SampleRate TimeStep StartTime"
)
_ALL_OPTIONS = frozenset(f"{_TABLE} {_TIMETABLE}".lower().split())


def _variables_and_options(
    function: str, args: tuple[Value, ...], known: str
) -> tuple[list[Value], dict[str, Value]]:
    """Variables, and the named options behind them; an option of the other class is refused."""
    rest, options = list(args), {}
    while len(rest) >= 2 and (is_char(rest[-2]) or is_string(rest[-2])):
        if size_of(rest[-2])[0] > 1 or (is_string(rest[-2]) and rest[-2].data.size != 1):
            break
        name = text_of(rest[-2]).lower()
        if name not in _ALL_OPTIONS:
            break
        if name not in known.lower().split():
            raise unknown_option(function, rest[-2], known)
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
    sized = "size" in options or "variabletypes" in options
    if sized:
        rest = _blank_variables(function, rest, options)
    if "variablenames" in options:
        names = texts_of(options["variablenames"])
    elif sized:
        names = [f"Var{k + 1}" for k in range(len(rest))]
    else:
        names = input_names(function, len(rest))
    check_names(names, len(rest))
    heights = {size_of(v)[0] for v in rest}
    if len(heights) > 1:
        text = "All table variables must have the same number of rows."
        raise MatlabError("MATLAB:table:UnequalVarLengths", text)
    if times is not None and heights - {times.data.size}:
        text = "All timetable variables must have as many rows as there are row times."
        raise MatlabError("MATLAB:timetable:UnequalVarLengths", text)
    rows = texts_of(options["rownames"]) if "rownames" in options else None
    facts = {"DimensionNames": options["dimensionnames"]} if "dimensionnames" in options else {}
    height = heights.pop() if heights else len(rows or []) if times is None else times.data.size
    check_facts(facts, len(rest), height, rows or [])
    return Table(dict(zip(names, rest, strict=True)), height, rows, times, facts)


def _blank_variables(function: str, rest: list[Value], options: dict[str, Value]) -> list[Value]:
    """The variables of ``table('Size', [m n], 'VariableTypes', types)``."""
    if rest or not {"size", "variabletypes"} <= options.keys():
        text = "Size and VariableTypes must be given together, and without variables."
        raise MatlabError(f"MATLAB:{function}:SizeAndVariableTypes", text)
    size = as_array(options["size"]).ravel()
    if size.size != 2:
        raise MatlabError(
            f"MATLAB:{function}:InvalidSize", "'Size' takes two numbers: rows, variables."
        )
    rows, count = (int(n) for n in size)
    types = texts_of(options["variabletypes"])
    if len(types) != count:
        text = "VariableTypes must contain one class for each variable of Size."
        raise MatlabError(f"MATLAB:{function}:VariableTypesAndSizeMismatch", text)
    return [_blank_column(kind, rows) for kind in types]


def _blank_column(kind: str, rows: int) -> Value:
    from app.engine.builtins.dates.datetime_class import Datetime
    from app.engine.builtins.dates.duration_class import Duration
    from app.engine.values import DTYPE_OF_CLASS, canonical

    if kind in ("cell", "cellstr"):
        return Cell.empty((rows, 1)) if kind == "cell" else Cell.of([""] * rows, (rows, 1))
    if kind == "string":
        return StringArray.of([None] * rows, (rows, 1))
    if kind == "datetime":
        return Datetime(np.full((rows, 1), np.nan))
    if kind == "duration":
        return Duration(np.zeros((rows, 1)))
    if kind == "categorical":
        from app.engine.builtins.arrays.categorical_class import Categorical

        return Categorical(np.full((rows, 1), np.nan), [])
    if kind in ("doublenan", "singlenan"):
        return canonical(np.full((rows, 1), np.nan, dtype=DTYPE_OF_CLASS[kind[:6]]))
    if kind not in DTYPE_OF_CLASS:
        raise MatlabError("MATLAB:table:InvalidType", f"Unknown variable type '{kind}'.")
    return canonical(np.zeros((rows, 1), dtype=DTYPE_OF_CLASS[kind]))


@builtin(
    "table",
    category=_FAMILY,
    signatures=(
        "T = table(var1, var2, ...)",
        "T = table(..., 'VariableNames', names)",
        "T = table(..., 'RowNames', names)",
        "T = table('Size', sz, 'VariableTypes', types)",
    ),
    cases=(
        "height(table([1; 2], {'a'; 'b'})) == 2",
        "isequal(table([1; 2], 'VariableNames', {'x'}).x, [1; 2])",
        "isequal(table('Size', [1 1], 'VariableTypes', \"string\", 'RowNames', {'a'}).Row, {'a'})",
    ),
    see=("array2table", "readtable", "timetable", "varfun"),
)
def table(*args: Value) -> Value:
    """A table: variables of any classes with names, all with the same number of rows.

    ``T.name`` is a variable, ``T(rows, vars)`` a smaller table, ``T{rows, vars}`` an array.
    """
    return make(*_variables_and_options("table", args, _TABLE))


@builtin(
    "timetable",
    category=_FAMILY,
    signatures=(
        "TT = timetable(times, var1, ...)",
        "TT = timetable(var1, ..., 'RowTimes', times)",
        "TT = timetable(..., 'VariableNames', names)",
        "TT = timetable",
    ),
    cases=(
        "T = timetable; for k = 1:2, T = [T; timetable(seconds(k), k)]; end, isequal(T.k, [1;2])",
        "height(timetable(seconds([1; 2]), [3; 4])) == 2",
    ),
    see=("table", "table2timetable"),
)
def timetable(*args: Value) -> Value:
    """A table whose rows are labelled with datetimes or durations; without inputs it has none."""
    if not args:
        from app.engine.builtins.dates.datetime_class import Datetime

        return Table({}, 0, [], Datetime(np.zeros((0, 1))))
    rest, options = _variables_and_options("timetable", args, _TIMETABLE)
    if options.keys() & {"rowtimes", "samplerate", "timestep", "starttime"}:
        from app.engine.builtins.containers.row_times import (
            check_row_time_options,
            row_times_by_step,
        )

        check_row_time_options("timetable", options)
        count = int_of(options["size"]) if "size" in options else size_of(rest[0])[0] if rest else 0
        times = (
            upright_times(options["rowtimes"])
            if "rowtimes" in options
            else row_times_by_step(options, count)
        )
        return make(rest, options, times, "timetable")
    if not rest or not isinstance(rest[0], NativeArray):
        text = "The row times must be datetimes or durations."
        raise MatlabError("MATLAB:timetable:NoTimeVector", text)
    if "variablenames" not in options:
        written = argument_names("timetable")[1:]
        names = [
            (written[k] if k < len(written) else "") or f"Var{k + 1}" for k in range(len(rest) - 1)
        ]
        options["variablenames"] = Cell.of(names)
    return make(rest[1:], options, upright_times(rest[0]))
