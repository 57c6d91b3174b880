"""Properties of tables: those with one value per variable follow the variables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.values import EMPTY, Cell, Struct, Value, numel, object_array, texts_of
from app.errors import MatlabError

PER_VARIABLE = ("VariableDescriptions", "VariableUnits", "VariableContinuity")
"""Properties with one value for every variable."""
CUSTOM = "CustomPerVariable"
"""The fact that lists the added properties with one value for every variable."""


def properties_for(facts: dict[str, Value], old: list[str], new: list[str]) -> dict[str, Value]:
    """The properties for other variables: those with one value per variable follow their names."""
    if old == new or not old:
        return facts
    same = len(old) == len(new)
    places = [old.index(n) if n in old else k if same else -1 for k, n in enumerate(new)]
    made = dict(facts)
    for name in PER_VARIABLE:
        if name in facts and numel(facts[name]):
            made[name] = _values_at(facts[name], places, "")
    custom = facts.get("CustomProperties")
    if isinstance(custom, Struct) and CUSTOM in facts:
        each = texts_of(facts[CUSTOM])
        made["CustomProperties"] = Struct(
            {
                n: _values_at(v, places, EMPTY) if n in each and numel(v) == len(old) else v
                for n, v in custom.fields.items()
            }
        )
    return made


def facts_of_variables(
    facts: dict[str, Value], origins: Sequence[tuple[dict[str, Value], list[str], str]]
) -> dict[str, Value]:
    """The properties of a table whose variables come from several tables.

    ``facts`` are those of the whole; each origin is the properties and variables of a table, and
    the variable taken from it.
    """
    own = {name: value for name, value in facts.items() if name not in PER_VARIABLE}
    made = dict(properties_for(own, origins[0][1] if origins else [], [o[2] for o in origins]))
    for name in PER_VARIABLE:
        values = [_fact_of_variable(held, names, one, name) for held, names, one in origins]
        if any(numel(v) for v in values):
            made[name] = Cell(object_array(values, (1, len(values))))
    return made


def _fact_of_variable(facts: dict[str, Value], names: list[str], one: str, name: str) -> Value:
    held = facts.get(name)
    known = isinstance(held, Cell) and one in names and numel(held) == len(names)
    return held.items()[names.index(one)] if isinstance(held, Cell) and known else ""


def upright_times(times: Value) -> NativeArray:
    """Row times as a column; an error unless they are datetimes or durations."""
    if not isinstance(times, NativeArray) or not hasattr(times, "form"):
        text = "Row times must be a datetime or duration vector."
        raise MatlabError("MATLAB:timetable:InvalidRowTimes", text)
    return times.like(times.data.reshape(-1, 1, order="F"))


def row_times(times: Value, height: int) -> NativeArray:
    """Row times for so many rows as a column."""
    made = upright_times(times)
    if made.data.size != height:
        text = "There must be as many row times as rows."
        raise MatlabError("MATLAB:timetable:IncorrectNumberOfRowTimes", text)
    return made


def check_facts(facts: dict[str, Value], variables: int, height: int, rows: list[str]) -> None:
    """Raise MatlabError where a property has not as many elements as what it describes."""
    if facts.get("DimensionNames") is not None and (
        len(set(texts_of(facts["DimensionNames"]))) != 2 or numel(facts["DimensionNames"]) != 2
    ):
        text = "The DimensionNames property must contain two different names."
        raise MatlabError("MATLAB:table:IncorrectNumberOfDimNames", text)
    for name in PER_VARIABLE:
        if numel(facts.get(name, EMPTY)) not in (0, variables):
            text = f"The {name} property must contain one element for each variable."
            raise MatlabError(f"MATLAB:table:IncorrectNumberOf{name}", text)
    if len(rows) not in (0, height) or len(set(rows)) != len(rows):
        text = "The RowNames property must contain one unique name for each row in the table."
        raise MatlabError("MATLAB:table:IncorrectNumberOfRowNames", text)


def _values_at(values: Value, places: list[int], blank: Value) -> Value:
    """Values by 0-based position, a blank one for -1."""
    if isinstance(values, Cell):
        held = values.items()
        return Cell(object_array([held[k] if k >= 0 else blank for k in places], (1, len(places))))
    from app.engine.interpreter.indexing.index_read import paren

    if any(k < 0 for k in places):
        return values
    return paren(values, np.array(places, dtype=float).reshape(1, -1) + 1.0)
