"""Properties of import options: which there are, how they are read and set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from app.engine.builtins.files import delimited
from app.engine.builtins.files.import_options import Plan
from app.engine.builtins.files.import_rules import RULES, TEXT_RULES, checked_rule
from app.engine.values import (
    Cell,
    Value,
    as_array,
    int_of,
    is_text_scalar,
    numel,
    object_array,
    text_of,
    texts_of,
)
from app.errors import MatlabError

Setter = Callable[[Plan, Value], Plan]
Getter = Callable[[Plan], Value]


def row_of_texts(texts: list[str]) -> Cell:
    """A row of cells with texts."""
    return Cell(object_array(texts, (1, len(texts))))


def property_names(plan: Plan) -> list[str]:
    """The properties that options for this kind of file have."""
    own = _OF_SHEETS if plan.workbook else _OF_TEXTS
    rules = [n for n in RULES if n not in TEXT_RULES or not plan.workbook]
    return [*_OF_VARIABLES, *own, *rules]


def property_value(plan: Plan, name: str) -> Value:
    """The value of a property."""
    if name in RULES:
        return plan.rule(name)
    if name in _FIXED:
        return _FIXED[name]()
    getter = _GETTERS.get(name)
    return plan.source.get(name.lower(), "") if getter is None else getter(plan)


def with_property(plan: Plan, name: str, value: Value) -> Plan:
    """The plan with another value of a property that it has."""
    if name == "VariableNamingRule":
        return plan.with_naming(checked_rule(name, value))
    if name in RULES:
        return replace(plan, rules={**plan.rules, name: checked_rule(name, value)})
    if name in _FIXED:
        return _checked_fixed(plan, name, value)
    setter = _SETTERS.get(name)
    if setter is not None:
        return setter(plan, value)
    return replace(plan, source={**plan.source, name.lower(): value})


def _checked_fixed(plan: Plan, name: str, value: Value) -> Plan:
    """The plan as it is: a property that has one value only may be given that."""
    held = _FIXED[name]()
    if numel(value) == 0 and numel(held) == 0:
        return plan
    if isinstance(held, float):
        same = not isinstance(value, Cell) and numel(value) == 1 and as_array(value).flat[0] == held
    else:
        same = set(map(_with_escapes, texts_of(value))) <= set(map(_with_escapes, texts_of(held)))
    if not same:
        text = f"{name} cannot be changed here."
        raise MatlabError("MATLAB:textio:io:UnsupportedProperty", text)
    return plan


def _with_escapes(text: str) -> str:
    return text.encode("unicode_escape").decode() if "\\" not in text else text


_FIXED: Mapping[str, Callable[[], Value]] = {
    "Whitespace": lambda: "\\b\\t ",
    "LineEnding": lambda: row_of_texts(["\\n", "\\r", "\\r\\n"]),
    "VariableUnitsLine": lambda: 0.0,
    "VariableDescriptionsLine": lambda: 0.0,
    "VariableUnitsRange": lambda: "",
    "VariableDescriptionsRange": lambda: "",
}
"""Properties that are shown, and may be set to what they are."""

_OF_VARIABLES = ("VariableNames", "VariableTypes", "SelectedVariableNames")
_OF_TEXTS = (
    "Delimiter",
    "Whitespace",
    "LineEnding",
    "CommentStyle",
    "Encoding",
    "DataLines",
    "VariableNamesLine",
    "RowNamesColumn",
    "VariableUnitsLine",
    "VariableDescriptionsLine",
)
_OF_SHEETS = (
    "Sheet",
    "DataRange",
    "VariableNamesRange",
    "RowNamesRange",
    "VariableUnitsRange",
    "VariableDescriptionsRange",
)


# --- lines and ranges -------------------------------------------------------------------------


def _data_lines(plan: Plan) -> Value:
    return np.array([[plan.begin + 1.0, float(plan.last or np.inf)]])


def _set_data_lines(plan: Plan, value: Value) -> Plan:
    ends = as_array(value).ravel(order="F")
    if ends.size not in (1, 2) or not ends[0] >= 1:
        text = "DataLines is the first line of data, or the first and the last one."
        raise MatlabError("MATLAB:textio:io:InvalidDataLines", text)
    last = 0 if ends.size == 1 or np.isinf(ends[1]) else int(ends[1])
    return replace(plan, first=int(ends[0]), last=last)


def _set_names_line(plan: Plan, value: Value) -> Plan:
    line = int_of(value)
    return replace(plan, named=line > 0, skip=max(line - 1, 0))


def _set_row_names_column(plan: Plan, value: Value) -> Plan:
    return replace(plan, row_names=_is_first("RowNamesColumn", int_of(value)))


def _is_first(name: str, column: int) -> bool:
    if column not in (0, 1):
        text = f"{name} can name the first column only."
        raise MatlabError("MATLAB:textio:io:UnsupportedProperty", text)
    return column == 1


def data_range(plan: Plan) -> str:
    """Where the data of a worksheet begins, or the whole range."""
    if plan.ranged:
        return text_of(plan.source["range"])
    return f"A{plan.begin + 1}"


def _set_data_range(plan: Plan, value: Value) -> Plan:
    area = text_of(value) if is_text_scalar(value) else _range_of_numbers(as_array(value).ravel())
    delimited.cut([], area)  # refuses what is no range
    source = {**plan.source, "range": area}
    return replace(plan, source=source, ranged=True, named=False, skip=0, first=0, last=0)


def _range_of_numbers(numbers: np.ndarray) -> str:
    """A row, a row and a column, or the corners of a block as text."""
    if numbers.size not in (1, 2, 4) or np.any(numbers < 1):
        text = "DataRange is a text such as 'A2:C9', a row, [row column] or two corners in a row."
        raise MatlabError("MATLAB:textio:io:InvalidRange", text)
    places = [int(n) for n in (*numbers, 1)][: max(numbers.size, 2)]
    return ":".join(
        f"{delimited.column_letters(c)}{r}" for r, c in zip(places[::2], places[1::2], strict=True)
    )


def _names_range(plan: Plan) -> Value:
    return f"A{plan.skip + 1}" if plan.named else ""


def _set_names_range(plan: Plan, value: Value) -> Plan:
    if numel(value) == 0 or not text_of(value):
        begin = plan.begin
        return plan if plan.ranged else replace(plan, named=False, skip=begin)
    if text_of(value) != _names_range(plan):
        text = "VariableNamesRange can only be emptied: names are set by VariableNames."
        raise MatlabError("MATLAB:textio:io:UnsupportedProperty", text)
    return plan


def _set_row_names_range(plan: Plan, value: Value) -> Plan:
    text = text_of(value) if numel(value) else ""
    column = delimited.cell_address(text.partition(":")[0])[1] + 1 if text else 0
    return replace(plan, row_names=_is_first("RowNamesRange", column))


# --- variables --------------------------------------------------------------------------------


def _set_names(plan: Plan, value: Value) -> Plan:
    names = texts_of(value)
    if len(names) != len(plan.variables):
        message = "There must be a name for every variable."
        raise MatlabError("MATLAB:textio:io:InvalidVariableNames", message)
    return plan.with_names(names)


def _set_types(plan: Plan, value: Value) -> Plan:
    names = (v.name for v in plan.variables)
    return plan.with_kinds(dict(zip(names, texts_of(value), strict=False)))


_GETTERS: Mapping[str, Getter] = {
    "VariableNames": lambda plan: row_of_texts([v.name for v in plan.variables]),
    "VariableTypes": lambda plan: row_of_texts([v.kind for v in plan.variables]),
    "SelectedVariableNames": lambda plan: row_of_texts(list(plan.selected)),
    "DataLines": _data_lines,
    "VariableNamesLine": lambda plan: float(plan.skip + 1 if plan.named else 0),
    "RowNamesColumn": lambda plan: float(plan.row_names),
    "DataRange": data_range,
    "VariableNamesRange": _names_range,
    "RowNamesRange": lambda plan: "A1" if plan.row_names else "",
}
_SETTERS: Mapping[str, Setter] = {
    "VariableNames": _set_names,
    "VariableTypes": _set_types,
    "DataLines": _set_data_lines,
    "VariableNamesLine": _set_names_line,
    "RowNamesColumn": _set_row_names_column,
    "DataRange": _set_data_range,
    "VariableNamesRange": _set_names_range,
    "RowNamesRange": _set_row_names_range,
}
