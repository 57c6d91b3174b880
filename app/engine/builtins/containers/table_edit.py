"""Changing tables: height, width, head, tail, variables added, removed, renamed, moved, stacked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, option_pairs
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_rows import rows_at, variable_index
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    NativeObject,
    Value,
    as_array,
    class_of,
    int_of,
    is_numeric_like,
    is_text_scalar,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "tables"


@builtin(
    "istable",
    category=_FAMILY,
    signatures=("tf = istable(x)",),
    cases=("istable(table(1))", "~istable(1)"),
    see=("table",),
)
def istable(x: Value) -> Value:
    """True for tables."""
    return isinstance(x, Table) and x.times is None


@builtin(
    "istimetable",
    category=_FAMILY,
    signatures=("tf = istimetable(x)",),
    cases=("~istimetable(table(1))",),
    see=("timetable",),
)
def istimetable(x: Value) -> Value:
    """True for timetables."""
    return isinstance(x, Table) and x.times is not None


@builtin(
    "istabular",
    category=_FAMILY,
    signatures=("tf = istabular(x)",),
    cases=("istabular(table(1))",),
    see=("istable",),
)
def istabular(x: Value) -> Value:
    """True for tables and timetables."""
    return isinstance(x, Table)


@builtin(
    "height",
    category=_FAMILY,
    signatures=("n = height(T)",),
    cases=("height([1; 2]) == 2",),
    see=("width", "size"),
)
def height(t: Value) -> Value:
    """Number of rows."""
    return float(size_of(t)[0])


@builtin(
    "width",
    category=_FAMILY,
    signatures=("n = width(T)",),
    cases=("width([1 2]) == 2",),
    see=("height", "size"),
)
def width(t: Value) -> Value:
    """Number of variables or columns."""
    return float(size_of(t)[1])


def _some_rows(t: Value, index: range) -> Value:
    return t.rows(list(index)) if isinstance(t, Table) else rows_at(t, list(index))


@builtin(
    "head",
    category=_FAMILY,
    signatures=("T = head(T)", "T = head(T, n)"),
    cases=("isequal(head((1:20)', 2), [1; 2])",),
    see=("tail",),
)
def head(ctx: CallContext, t: Value, n: Value = 8.0, *, nargout: int = 0) -> Value:
    """The first rows, eight unless told otherwise."""
    return _some_rows(t, range(min(size_of(t)[0], int_of(n))))


@builtin(
    "tail",
    category=_FAMILY,
    signatures=("T = tail(T)", "T = tail(T, n)"),
    cases=("isequal(tail((1:20)', 2), [19; 20])",),
    see=("head",),
)
def tail(t: Value, n: Value = 8.0) -> Value:
    """The last rows, eight unless told otherwise."""
    rows = size_of(t)[0]
    return _some_rows(t, range(max(0, rows - int_of(n)), rows))


def _place(t: Table, where: Value, *, after: bool) -> int:
    (k,) = variable_index(where, t)
    return k + 1 if after else k


def _with_variables_at(t: Table, new: dict[str, Value], at: int) -> Table:
    items = list(t.columns.items())
    return t.with_columns(dict([*items[:at], *new.items(), *items[at:]]))


@builtin(
    "addvars",
    category=_FAMILY,
    signatures=(
        "T = addvars(T, var1, ...)",
        "T = addvars(..., 'NewVariableNames', names)",
        "T = addvars(..., 'Before', place)",
        "T = addvars(..., 'After', place)",
    ),
    cases=("width(addvars(table(1), 2)) == 2",),
    see=("removevars", "movevars"),
)
def addvars(t: Value, *args: Value) -> Value:
    """Add variables to a table."""
    t = table_argument(t, "addvars")
    from app.engine.builtins.argument_names import argument_names

    rest, options = list(args), {}
    while (
        len(rest) >= 2
        and is_text_scalar(rest[-2])
        and text_of(rest[-2]).lower() in ("before", "after", "newvariablenames")
    ):
        options[text_of(rest[-2]).lower()] = rest[-1]
        del rest[-2:]
    written = argument_names("addvars")[1:]
    names = (
        texts_of(options["newvariablenames"])
        if "newvariablenames" in options
        else [
            (written[k] if k < len(written) else "") or f"Var{len(t.names) + k + 1}"
            for k in range(len(rest))
        ]
    )
    for v in rest:
        if size_of(v)[0] != t.height:
            text = "All table variables must have the same number of rows."
            raise MatlabError("MATLAB:table:RowDimensionMismatch", text)
    at = len(t.names)
    for key in ("before", "after"):
        if key in options:
            at = _place(t, options[key], after=key == "after")
    return _with_variables_at(t, dict(zip(names, rest, strict=True)), at)


@builtin(
    "removevars",
    category=_FAMILY,
    signatures=("T = removevars(T, vars)",),
    cases=("width(removevars(table(1, 2), 'Var1')) == 1",),
    see=("addvars",),
)
def removevars(t: Value, names: Value) -> Value:
    """Remove variables from a table."""
    t = table_argument(t, "removevars")
    gone = {t.names[k] for k in variable_index(names, t)}
    return t.with_columns({n: c for n, c in t.columns.items() if n not in gone})


@builtin(
    "renamevars",
    category=_FAMILY,
    signatures=("T = renamevars(T, vars, names)",),
    cases=("renamevars(table(1), 'Var1', 'x').x == 1",),
    see=("addvars",),
)
def renamevars(t: Value, old: Value, new: Value) -> Value:
    """Rename variables of a table."""
    t = table_argument(t, "renamevars")
    before = [t.names[k] for k in variable_index(old, t)]
    table = dict(zip(before, texts_of(new), strict=True))
    return t.with_columns({table.get(n, n): c for n, c in t.columns.items()})


@builtin(
    "movevars",
    category=_FAMILY,
    signatures=("T = movevars(T, vars, 'Before', place)", "T = movevars(T, vars, 'After', p)"),
    cases=(
        "isequal(movevars(table(1, 2), 'Var2', 'Before', 1).Properties.VariableNames, "
        "{'Var2', 'Var1'})",
    ),
    see=("addvars",),
)
def movevars(t: Value, names: Value, where: Value = "After", place: Value | None = None) -> Value:
    """Move variables within a table."""
    t = table_argument(t, "movevars")
    moved = {t.names[k]: t.columns[t.names[k]] for k in variable_index(names, t)}
    rest = t.with_columns({n: c for n, c in t.columns.items() if n not in moved})
    if place is None:
        return _with_variables_at(rest, moved, len(rest.names))
    places = variable_index(place, t)
    if not places:
        text = "The place must be a variable of the table."
        raise MatlabError("MATLAB:table:movevars:InvalidLocation", text)
    target = t.names[places[0]]
    return _with_variables_at(
        rest, moved, _place(rest, target, after=text_of(where).lower() == "after")
    )


@builtin(
    "mergevars",
    category=_FAMILY,
    signatures=(
        "T = mergevars(T, vars)",
        "T = mergevars(T, vars, 'NewVariableName', name, 'MergeAsTable', tf)",
    ),
    cases=(
        "width(mergevars(table(1, 2), [1 2])) == 1",
        "isequal(mergevars(table(1, 2), [1 2], 'MergeAsTable', true).Var1, table(1, 2))",
    ),
    see=("splitvars",),
)
def mergevars(t: Value, names: Value, *options: Value) -> Value:
    """Join variables side by side into one."""
    t = table_argument(t, "mergevars")
    from app.engine.operators.concatenation import concatenate

    chosen = [t.names[k] for k in variable_index(names, t)]
    given = option_pairs("mergevars", options, "NewVariableName MergeAsTable")
    name = text_of(given.get("newvariablename", f"Var{t.names.index(chosen[0]) + 1}"))
    parts = {n: t.columns[n] for n in chosen}
    as_table = flag(given, "mergeastable")
    joined = Table(parts, t.height) if as_table else concatenate(1, list(parts.values()))
    rest = t.with_columns({n: c for n, c in t.columns.items() if n not in chosen})
    return _with_variables_at(rest, {name: joined}, t.names.index(chosen[0]))


@builtin(
    "splitvars",
    category=_FAMILY,
    signatures=("T = splitvars(T)", "T = splitvars(T, vars)"),
    cases=("width(splitvars(table([1 2]))) == 2",),
    see=("mergevars",),
)
def splitvars(t: Value, names: Value = ":") -> Value:
    """Split variables of several columns into one each."""
    t = table_argument(t, "splitvars")
    from app.engine.interpreter.indexing.index_read import paren

    chosen = {t.names[k] for k in variable_index(names, t)}
    columns: dict[str, Value] = {}
    for n, c in t.columns.items():
        count = size_of(c)[1]
        if n in chosen and isinstance(c, Table):
            taken = {*columns, *t.names} - {n}
            columns.update({f"{n}_{k}" if k in taken else k: v for k, v in c.columns.items()})
            continue
        if n not in chosen or count < 2:
            columns[n] = c
            continue
        columns.update({f"{n}_{k + 1}": paren(c, ":", float(k + 1)) for k in range(count)})
    return t.with_columns(columns)


class VariableType(NativeObject):
    """What ``vartype`` gives: chooses variables by class."""

    class_name = "vartype"

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def selects(self, column: Value) -> bool:
        """Whether a variable is of the kind."""
        tests: dict[str, Callable[[Value], bool]] = {
            "numeric": lambda v: is_numeric_like(v) and class_of(v) not in ("char", "logical"),
            "cellstr": lambda v: isinstance(v, Cell),
            "float": lambda v: class_of(v) in ("double", "single"),
        }
        test = tests.get(self.kind)
        return test(column) if test else class_of(column) == self.kind


@builtin(
    "vartype",
    category=_FAMILY,
    signatures=("s = vartype(class)",),
    cases=("width(subsref(table(1, \"a\"), substruct('()', {':', vartype('double')}))) == 1",),
    see=("table",),
)
def vartype(kind: Value) -> Value:
    """A subscript that chooses variables by class: ``T(:, vartype('numeric'))``."""
    return VariableType(text_of(kind))


@builtin(
    "issortedrows",
    category=_FAMILY,
    signatures=("tf = issortedrows(A)", "tf = issortedrows(A, column, direction)"),
    cases=(
        "issortedrows(table([1; 2]))",
        "issortedrows([1 2; 1 3; 2 0])",
        "~issortedrows([1 2; 1 3; 2 0], 2)",
        "issortedrows([1 2; 0 3], 1, 'descend')",
    ),
    see=("sortrows", "issorted"),
)
def issortedrows(ctx: CallContext, a: Value, *how: Value) -> Value:
    """True when the rows are as sortrows would leave them."""
    _, order = ctx.call("sortrows", (a, *how), 2)
    return bool(np.all(np.diff(as_array(order).ravel()) > 0))
