"""``table`` and ``timetable``: columns of any class with names, and rows that may have names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.containers.row_filter import RowFilter
from app.engine.builtins.containers.table_facts import (
    CUSTOM,
    PER_VARIABLE,
    check_facts,
    properties_for,
    row_times,
)
from app.engine.builtins.containers.table_properties import TableProperties
from app.engine.builtins.containers.table_rows import (
    cell_rows,
    check_names,
    extended_row_times,
    is_whole,
    missing_rows,
    row_index,
    rows_at,
    text_column,
    two_subscripts,
    variable_index,
    with_rows,
)
from app.engine.declarations.class_methods import methods_of, operators_of
from app.engine.declarations.registry import lookup, native_type
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    NativeObject,
    StringArray,
    Struct,
    Value,
    cell_items,
    class_of,
    int_of,
    is_cell,
    is_char,
    is_string,
    numel,
    object_array,
    size_of,
    text_of,
    texts_of,
)
from app.engine.values.containers import VariableNumber, no_member
from app.errors import MatlabError

_DERIVED = ("StartTime", "SampleRate", "TimeStep", "VariableTypes")


@native_type
class Table(NativeObject):
    """A table; with ``times`` a timetable.

    Attributes:
        columns: variables by name, in order; each has one row per row of the table.
        height: number of rows.
        row_names: names of rows, empty when they have none.
        times: row times of a timetable; None for a table.
        label: what a function calls it in names that it makes.
        facts: other properties (Description, VariableUnits, DimensionNames, UserData …).
    """

    def __init__(
        self,
        columns: dict[str, Value],
        height: int | None = None,
        row_names: list[str] | None = None,
        times: NativeArray | None = None,
        facts: dict[str, Value] | None = None,
    ) -> None:
        self.columns = columns
        first = next(iter(columns.values()), None)
        rows = (
            int(times.shape[0])
            if times is not None
            else 0
            if first is None
            else (size_of(first)[0])
        )
        self.height = rows if height is None else height
        self.row_names = row_names or []
        self.times = times
        self.facts = facts or {}
        self.label = ""
        self.class_name = "table" if times is None else "timetable"

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and variables."""
        return (self.height, len(self.columns))

    def contents(self) -> Iterable[Value]:
        """Columns, their names, and what the rows are called."""
        times = () if self.times is None else (self.times,)
        return (*self.columns.values(), *self.columns, *self.row_names, *times)

    @property
    def names(self) -> list[str]:
        """Names of variables."""
        return list(self.columns)

    @property
    def dimension_names(self) -> list[str]:
        """Names of the rows and of the variables."""
        if "DimensionNames" in self.facts:
            return texts_of(self.facts["DimensionNames"])
        return ["Row" if self.times is None else "Time", "Variables"]

    def with_columns(self, columns: dict[str, Value]) -> Table:
        """Other variables with the same rows."""
        facts = properties_for(self.facts, self.names, list(columns)) if self.facts else self.facts
        return Table(columns, self.height, self.row_names, self.times, facts)

    def rows(self, index: Any) -> Table:
        """Rows by 0-based positions."""
        columns = {n: rows_at(c, index) for n, c in self.columns.items()}
        names = [self.row_names[k] for k in index] if self.row_names else None
        times = rows_at(self.times, index) if self.times is not None else None
        return Table(columns, len(index), names, times, self.facts)

    def part(self, args: tuple[Value, ...]) -> tuple[Any, list[str]]:
        """0-based rows and names of variables that two subscripts select."""
        rows, variables = two_subscripts(args)
        if isinstance(rows, RowFilter):
            return np.flatnonzero(self.fulfilling(rows)), self._names_at(variables)
        index = row_index(rows, self.height, self.row_names, self.times)
        return index, self._names_at(variables)

    def _names_at(self, variables: Value) -> list[str]:
        return [self.names[k] for k in variable_index(variables, self)]

    def fulfilling(self, rows: RowFilter) -> Array:
        """Which rows fulfil the conditions of a row filter, as flags."""
        times = {} if self.times is None else {self.dimension_names[0]: self.times}
        return rows.fulfilled({**times, **self.columns}, self.height)

    # --- reading ---

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``t(rows, vars)``."""
        index, names = self.part(args)
        return self.with_columns({n: self.columns[n] for n in names}).rows(index)

    def brace_get(self, ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        """``t{rows, vars}``."""
        index, names = self.part(args)
        columns = [rows_at(self.columns[n], index) for n in names]
        return _side_by_side(names, columns) if columns else np.zeros((len(index), 0))

    def array(self) -> Value:
        """The variables side by side in one array."""
        columns = list(self.columns.values())
        return _side_by_side(self.names, columns) if columns else np.zeros((self.height, 0))

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``t.name`` and ``t.Properties``; functions are no members."""
        value = self._member(ctx, self._variable_name(name, grow=False))
        if args:
            from app.engine.interpreter.indexing.index_read import paren

            return paren(value, *args)
        return value

    def _variable_name(self, name: str, *, grow: bool) -> str:
        """The name of a variable that may be given by its number, as in ``t.(2)``."""
        if not isinstance(name, VariableNumber):
            return name
        at = variable_index(float(name), self, grow=grow)[0]
        return self.names[at] if at < len(self.names) else f"Var{at + 1}"

    def _member(self, ctx: CallContext, name: str) -> Value:
        if name in self.columns:
            return self.columns[name]
        if name == "Properties":
            return self.properties()
        if name == self.dimension_names[1]:
            return self.brace_get(ctx, (":", ":"), 1)
        if name == self.dimension_names[0]:
            return self.times if self.times is not None else text_column(self.row_names)
        text = f"Unrecognized table variable name '{name}'."
        raise MatlabError("MATLAB:table:UnrecognizedVarName", text)

    def properties(self) -> TableProperties:
        """``t.Properties``."""
        made: dict[str, Value] = {
            "Description": "",
            "UserData": EMPTY,
            "DimensionNames": Cell.of(self.dimension_names),
            "VariableNames": Cell(object_array(self.names, (1, len(self.names)))),
            "VariableTypes": self._variable_types(),
            "VariableDescriptions": Cell.empty(),
            "VariableUnits": Cell.empty(),
            "VariableContinuity": EMPTY,
        }
        if self.times is None:
            made["RowNames"] = text_column(self.row_names) if self.row_names else Cell.empty()
        else:
            from app.engine.builtins.containers.row_times import regularity

            made |= {"RowTimes": self.times, **regularity(self.times)}
        made["CustomProperties"] = Struct({})
        return TableProperties({**made, **{n: v for n, v in self.facts.items() if n != CUSTOM}})

    def _variable_types(self) -> StringArray:
        kinds = [class_of(c) for c in self.columns.values()]
        return StringArray(object_array(kinds, (1, len(kinds))))

    # --- changing ---

    def new_member(self, name: str, like: Value) -> Value:
        """Missing values of a class for a variable that is not there yet; else None."""
        named = self._variable_name(name, grow=True)
        if named in self.columns or named in ("Properties", *self.dimension_names):
            return None
        return missing_rows(like, self.height)

    def lengthened(self, name: str, value: Value) -> NativeObject | None:
        """The table with as many rows as a variable has now, where those are more."""
        named, height = self._variable_name(name, grow=True), size_of(value)[0]
        if height <= self.height or named in ("Properties", *self.dimension_names):
            return None
        rows = np.arange(1.0, height + 1).reshape(1, -1)
        return self._store((rows, named), [value], [])

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``t.name = value``; ``[]`` removes the variable."""
        name = self._variable_name(name, grow=True)
        if name == "Properties":
            return self._with_properties(ctx, value)
        if name == self.dimension_names[1] and name not in self.columns:
            return self.brace_set(ctx, (":", ":"), value)
        if name == self.dimension_names[0] and name not in self.columns:
            held = "RowNames" if self.times is None else "RowTimes"
            changed = TableProperties({**self.properties().fields, held: value})
            return self._with_properties(ctx, changed)
        columns = dict(self.columns)
        if isinstance(value, np.ndarray) and value.shape == (0, 0) and value.dtype == float:
            if columns.pop(name, None) is None:
                raise no_member(self.class_name, name)
            return self.with_columns(columns)
        if isinstance(value, str):
            value = value if self.height == 1 else Cell.of([value])
        count = size_of(value)[0]
        if count != self.height and (columns or self.times is not None):
            text = (
                "To assign to or create a variable in a table, the number of rows must match the "
                "height of the table."
            )
            raise MatlabError("MATLAB:table:RowDimensionMismatch", text)
        columns[name] = value
        wider = self.with_columns(columns)
        return Table(columns, count, self.row_names, self.times, wider.facts)

    def _with_properties(self, ctx: CallContext, value: Value) -> Table:
        if not isinstance(value, TableProperties):
            text = "The properties of a table must be those of a table or timetable."
            raise MatlabError("MATLAB:table:InvalidPropertiesAssignment", text)
        held = self._with_types(ctx, texts_of(value.fields["VariableTypes"]))
        facts = {
            n: _row_of_texts(v) if n in PER_VARIABLE else v
            for n, v in value.fields.items()
            if n not in _DERIVED
        }
        if CUSTOM in self.facts:
            facts[CUSTOM] = self.facts[CUSTOM]
        names = texts_of(facts.pop("VariableNames"))
        check_names(names, len(self.columns))
        rows = texts_of(facts.pop("RowNames", Cell.empty()))
        check_facts(facts, len(names), self.height, rows)
        given = facts.pop("RowTimes", self.times)
        times = None if given is None else row_times(given, self.height)
        columns = dict(zip(names, held.columns.values(), strict=True))
        return Table(columns, self.height, rows, times, facts)

    def _with_types(self, ctx: CallContext, kinds: list[str]) -> Table:
        """The table with every variable whose class is another one converted to it."""
        made = self
        for name, old, new in zip(self.names, texts_of(self._variable_types()), kinds, strict=True):
            if new != old:
                found = ctx.call("convertvars", (made, name, new), 1)[0]
                assert isinstance(found, Table)
                made = found
        return made

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``t(rows, vars) = table or cell`` and ``t(rows, :) = []``."""
        if value is None:
            return self._with_deleted(args)
        if is_cell(value):
            value = Table(dict(cell_rows(value, self.names)))
        if not isinstance(value, Table):
            text = "Right hand side of an assignment into a table must be another table or a cell."
            raise MatlabError("MATLAB:table:InvalidRHS", text)
        given = self._extended(args, (value.height, len(value.columns)))
        return self._store(given, list(value.columns.values()), value.row_names)

    def brace_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``t{rows, vars} = array``."""
        from app.engine.interpreter.indexing.index_read import paren

        size = size_of(value) if not isinstance(value, str) else (1, 1)
        args, wide = self._extended(args, size), size[1]
        count = len(variable_index(args[1], self, grow=True))
        if count > 1 and wide == count:
            return self._store(args, [paren(value, ":", float(k + 1)) for k in range(count)], [])
        return self._store(args, [value] * count, [])

    def _extended(self, args: tuple[Value, ...], size: tuple[int, ...]) -> tuple[Value, ...]:
        """Two subscripts; ``:`` of a table without anything is as far as the ``size`` stored."""
        two_subscripts(args)
        if self.columns or self.height:
            return args
        ends = zip(args, size, strict=False)
        return tuple(np.arange(1.0, n + 1)[None] if is_whole(a) else a for a, n in ends)

    def _with_deleted(self, args: tuple[Value, ...]) -> Table:
        index, names = self.part(args)
        if is_whole(args[0]):
            kept = {n: c for n, c in self.columns.items() if n not in names}
            return self.with_columns(kept)
        return self.rows(np.setdiff1d(np.arange(self.height), np.asarray(index)))

    def _store(self, args: tuple[Value, ...], values: list[Value], names: list[str]) -> Table:
        rows_given, given = two_subscripts(args)
        index = row_index(rows_given, self.height, self.row_names, self.times, grow=True)
        height = max(self.height, int(np.max(index, initial=-1)) + 1)
        columns = dict(self.columns)
        for name, value in zip(self._named_by(given), values, strict=True):
            columns[name] = with_rows(columns.get(name), index, value, height)
        if height > self.height:
            rest = {
                n: with_rows(c, [], None, height)
                for n, c in columns.items()
                if size_of(c)[0] < height
            }
            columns.update(rest)
        rows = list(self.row_names)
        if rows and height > len(rows):
            new = names or texts_of(args[0]) if is_char(args[0]) or is_string(args[0]) else names
            rows += new or [f"Row{k + 1}" for k in range(len(rows), height)]
        times = self.times
        if times is not None and height > self.height:
            times = extended_row_times(times, args[0], index, height)
        return Table(columns, height, rows, times, self.facts)

    def _named_by(self, given: Value) -> list[str]:
        """The variables that a subscript names, those that it makes among them."""
        if (is_char(given) and given != ":") or is_string(given) or is_cell(given):
            return texts_of(given)
        places = variable_index(given, self, grow=True)
        added = sorted({k for k in places if k >= len(self.names)})
        if added != list(range(len(self.names), len(self.names) + len(added))):
            text = f"New variables follow the {len(self.names)} of the table without a gap."
            raise MatlabError("MATLAB:table:DiscontiguousVars", text)
        return [self.names[k] if k < len(self.names) else f"Var{k + 1}" for k in places]

    # --- what builtins ask ---

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Concatenation and arithmetic."""
        return operators_of("table")(operator, args)

    def members(self) -> list[str]:
        """Variables and properties."""
        return [*self.names, "Properties", *self.dimension_names]

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions with a meaning of their own for tables."""
        return methods_of("table")

    def show(self, name: str, style: Any) -> str:
        """Columns under their names."""
        from app.engine.builtins.containers.table_display import table_text

        return table_text(self, style, headed=bool(name))

    def equals(self, other: Value) -> bool:
        """Equal names and equal variables."""
        from app.engine.builtins.arrays.predicates import equal

        return (
            isinstance(other, Table)
            and self.names == other.names
            and self.shape == other.shape
            and self.row_names == other.row_names
            and (self.times is None) == (other.times is None)
            and (self.times is None or self.times.equals(other.times))
            and all(equal(c, other.columns[n]) for n, c in self.columns.items())
        )

    def equals_missing(self, other: Value) -> bool:
        """Equal, missing elements too."""
        from app.engine.builtins.arrays.predicates import equal

        return (
            isinstance(other, Table)
            and self.names == other.names
            and self.shape == other.shape
            and self.row_names == other.row_names
            and all(equal(c, other.columns[n], nan_equal=True) for n, c in self.columns.items())
        )

    def to_json(self) -> Value:
        """One object for every row."""
        convert = lookup("table2struct")
        assert convert is not None
        return Cell.of([convert.call(None, (self.rows([k]),)) for k in range(self.height)])

    def to_portable(self) -> dict[str, Value]:
        """For files."""
        made: dict[str, Value] = {
            "names": Cell.of(self.names),
            "columns": Cell.of(list(self.columns.values())),
            "height": float(self.height),
            "rows": Cell.of(self.row_names),
            "properties": Struct(dict(self.facts)),
        }
        if self.times is not None:
            made["times"] = self.times
        return made


def _row_of_texts(v: Value) -> Value:
    """Texts of variables as a row cell."""
    if not is_string(v) and not is_cell(v):
        return v
    texts = ["" if numel(t) == 0 else text_of(t) for t in v.items()] if is_cell(v) else texts_of(v)
    return Cell(object_array(texts, (1, len(texts)))) if texts else Cell.empty()


def table_argument(v: Value, function: str) -> Table:
    """A table, or MATLAB's error that the function needs one."""
    if not isinstance(v, Table):
        text = f"Input to '{function}' must be a table or timetable."
        raise MatlabError(f"MATLAB:{function}:InvalidInput", text)
    return v


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Table.to_portable` gave."""
    names = [text_of(n) for n in cell_items(fields["names"])]
    columns = dict(zip(names, cell_items(fields["columns"]), strict=True))
    rows = [text_of(n) for n in cell_items(fields["rows"])]
    properties, times = fields["properties"], fields.get("times")
    facts = dict(properties.fields) if isinstance(properties, Struct) else {}
    kept_times = times if isinstance(times, NativeArray) else None
    return Table(columns, int_of(fields["height"]), rows, kept_times, facts)


def _side_by_side(names: list[str], columns: list[Value]) -> Value:
    """Variables side by side in one array, as ``t{:, :}`` gives them."""
    first, *others = columns
    for name, column in zip(names[1:], others, strict=True):
        if is_cell(first) != is_cell(column):
            text = (
                f"Unable to concatenate the table variables '{names[0]}' and '{name}', because "
                f"their types are {class_of(first)} and {class_of(column)}."
            )
            raise MatlabError("MATLAB:table:ExtractDataIncompatibleTypeError", text)
    return concatenate(1, columns)
