"""Operators of tables: brackets, and arithmetic of each variable."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.checks import receiver
from app.engine.builtins.arrays.native_arrays import native_array
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_facts import facts_of_variables
from app.engine.builtins.containers.table_maths import ARITHMETIC, elementwise, negated_variable
from app.engine.builtins.containers.table_rows import cell_rows
from app.engine.declarations.class_methods import add_operators
from app.engine.operators.concatenation import concatenate
from app.engine.values import Cell, Value
from app.errors import MatlabError


def _operate(operator: str, args: tuple[Value, ...]) -> Value:
    if operator in ("vertcat", "horzcat"):
        parts = [a for a in args if not _is_nothing(a)] or [receiver(args, Table)]
        return below(parts) if operator == "vertcat" else beside(parts)
    if operator in ("uminus", "not"):
        t = receiver(args, Table)
        return t.with_columns({n: negated_variable(operator, c) for n, c in t.columns.items()})
    return elementwise(operator, args) if operator in ARITHMETIC else NotImplemented


def _is_nothing(v: Value) -> bool:
    """Whether it may stand beside and below any table: ``[]`` and tables without rows and variables
    may."""
    if isinstance(v, Table):
        return not v.height and not v.columns
    return isinstance(v, np.ndarray) and v.size == 0


def _no_tables(operator: str) -> MatlabError:
    text = "All input arguments must be tables."
    return MatlabError(f"MATLAB:table:{operator}:InvalidInput", text)


def below(parts: list[Any]) -> Table:
    """Tables one below the other; variables are matched by name."""
    first = next((p for p in parts if isinstance(p, Table)), None)
    if first is None:
        raise _no_tables("vertcat")
    tables = [_table_of(p, first.names) for p in parts]
    if len({t.times is None for t in tables}) > 1:
        text = "Timetables stand above and below timetables: their rows have times."
        raise MatlabError("MATLAB:timetable:vertcat:InvalidInput", text)
    for t in tables[1:]:
        if set(t.names) != set(first.names):
            text = "All tables being vertically concatenated must have the same variable names."
            raise MatlabError("MATLAB:table:vertcat:UnequalVarNames", text)
    columns = {n: concatenate(0, [t.columns[n] for t in tables]) for n in first.names}
    names: list[str] = []
    if any(t.row_names for t in tables):
        for t in tables:
            names += t.row_names or [f"Row{len(names) + k + 1}" for k in range(t.height)]
    times = None
    if first.times is not None:
        times = native_array(concatenate(0, [t.times for t in tables]))
    return Table(columns, sum(t.height for t in tables), names, times, first.facts)


def _table_of(part: Value, names: list[str]) -> Table:
    """A part of a concatenation as a table: a table itself or a cell array of rows."""
    if isinstance(part, Table):
        return part
    if not isinstance(part, Cell):
        raise _no_tables("vertcat")
    return Table(dict(cell_rows(part, names)))


def beside(parts: list[Any]) -> Value:
    """Tables side by side."""
    if not all(isinstance(t, Table) for t in parts):
        raise _no_tables("horzcat")
    first: Table = parts[0]
    columns: dict[str, Value] = {}
    for t in parts:
        if t.height != first.height:
            text = "All tables being horizontally concatenated must have the same number of rows."
            raise MatlabError("MATLAB:table:horzcat:SizeMismatch", text)
        for name, column in t.columns.items():
            if name in columns:
                text = f"Duplicate table variable name: '{name}'."
                raise MatlabError("MATLAB:table:DuplicateVarNames", text)
            columns[name] = column
    rows: list[str] = next((t.row_names for t in parts if t.row_names), [])
    origins = [(t.facts, t.names, name) for t in parts for name in t.names]
    facts = facts_of_variables(first.facts, origins) if len(parts) > 1 else first.facts
    return Table(columns, first.height, rows, first.times, facts)


add_operators("table", _operate)
