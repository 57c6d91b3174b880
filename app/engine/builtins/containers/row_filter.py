"""``rowfilter``: conditions on variables, by which rows are read from files or chosen of tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.arrays.native_arrays import RELATIONS
from app.engine.declarations.registry import builtin, native_type
from app.engine.operators import operators
from app.engine.values import (
    Array,
    NativeObject,
    Value,
    as_array,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError

_SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "~="}
_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}

Columns = Mapping[str, Value]
"""The variables that a condition is about, by name."""


@native_type
class RowFilter(NativeObject):
    """Conditions on variables; without any, all rows fulfil it.

    Attributes:
        names: the variables that there are.
        variable: the one that ``rf.Name`` stands for, to be compared with something.
        used: the variables that conditions are about.
        condition: which rows of some columns fulfil it; None without conditions.
        text: the condition as it is shown.
    """

    class_name = "matlab.io.RowFilter"

    def __init__(
        self,
        names: tuple[str, ...],
        variable: str = "",
        used: frozenset[str] = frozenset(),
        condition: Callable[[Columns], Array] | None = None,
        text: str = "",
    ) -> None:
        self.names, self.variable, self.used = names, variable, used
        self.condition, self.text = condition, text

    def fulfilled(self, columns: Columns, height: int) -> Array:
        """Which of the rows fulfil it, as flags.

        Raises:
            MatlabError: a variable is not there, or cannot be compared.
        """
        missed = next((n for n in sorted(self.used) if n not in columns), None)
        if missed is not None:
            text = f"The row filter needs variable '{missed}', which is not there."
            raise MatlabError("MATLAB:io:filter:filter:UnknownVariable", text)
        if self.condition is None:
            return np.ones(height, dtype=bool)
        return self.condition(columns)

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """A variable, to be compared with something."""
        if name not in self.names or args:
            raise no_member(self.class_name, name)
        return RowFilter(self.names, name)

    def members(self) -> list[str]:
        """The variables."""
        return list(self.names)

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Comparisons with a scalar, and ``& | ~`` of conditions."""
        if operator == "not":
            return self._joined(np.logical_not, f"~({self._said()})", self)
        left, right = args[0], args[-1]
        if operator in ("and", "or"):
            if not (isinstance(left, RowFilter) and isinstance(right, RowFilter)):
                text = "Row filters are joined with row filters."
                raise MatlabError("MATLAB:io:filter:filter:InvalidOperand", text)
            both = np.logical_and if operator == "and" else np.logical_or
            said = f"({left._said()}) {'&' if operator == 'and' else '|'} ({right._said()})"  # noqa: SLF001 - of this class
            return left._joined(both, said, left, right)  # noqa: SLF001 - as above
        if operator not in RELATIONS:
            return NotImplemented
        if not isinstance(left, RowFilter):
            return self._compared(_TURNED[operator], left)
        return left._compared(operator, right)  # noqa: SLF001 - as above

    def _said(self) -> str:
        if self.condition is None:
            text = "A row filter joins conditions, as rf.Name > 3."
            raise MatlabError("MATLAB:io:filter:filter:NoCondition", text)
        return self.text

    def _joined(self, how: Callable[..., Array], text: str, *parts: RowFilter) -> RowFilter:
        tests = [p.condition for p in parts if p.condition is not None]
        used = frozenset().union(*(p.used for p in parts))
        return RowFilter(self.names, "", used, lambda c: how(*(t(c) for t in tests)), text)

    def _compared(self, operator: str, value: Value) -> RowFilter:
        name = self.variable
        scalar = is_text_scalar(value) or (numel(value) == 1 and not is_cell(value))
        if not name or isinstance(value, RowFilter) or not scalar:
            text = "A row filter compares a variable with one value, as rf.Name > 3."
            raise MatlabError("MATLAB:io:filter:filter:InvalidOperand", text)
        shown = f'"{text_of(value)}"' if is_text_scalar(value) else _shown(value)
        return RowFilter(
            self.names,
            "",
            frozenset({name}),
            lambda columns: _comparison(operator, columns[name], value),
            f"{name} {_SIGNS[operator]} {shown}",
        )

    def show(self, name: str, style: object) -> str:
        """The conditions and the variables."""
        said = self.text or f"{self.variable or '<unconstrained>'}"
        return f"  RowFilter: {said}\n\n  VariableNames: {', '.join(self.names)}\n"


def _shown(value: Value) -> str:
    if isinstance(value, NativeObject):
        return str(next(iter(value.texts()), ""))
    return f"{as_array(value).flat[0]:.15g}"


def _comparison(operator: str, column: Value, value: Value) -> Array:
    """Which elements of a column compare so with a value; a missing one only differs."""
    if is_numeric_like(column) and not is_char(column):
        if is_text_scalar(value) or not is_numeric_like(value):
            text = "A variable of numbers is compared with a number."
            raise MatlabError("MATLAB:io:filter:filter:InvalidOperand", text)
        flags = RELATIONS[operator](as_array(column), as_array(value))
    elif is_cell(column) or is_string(column):
        flags = as_array(getattr(operators, operator)(column, _as_string(value)))
    else:
        flags = as_array(getattr(operators, operator)(column, value))
    if flags.ndim != 2 or flags.shape[1] != 1:
        text = "A row filter compares variables of one column."
        raise MatlabError("MATLAB:io:filter:filter:InvalidOperand", text)
    return np.asarray(flags, dtype=bool).ravel()


def _as_string(value: Value) -> Value:
    from app.engine.values import StringArray

    return StringArray.scalar(text_of(value)) if is_text_scalar(value) else value


@builtin(
    "rowfilter",
    category="tables",
    signatures=("rf = rowfilter(names)", "rf = rowfilter(T)", "rf = rowfilter(info)"),
    cases=(
        "T = table([1; 2; 3]); rf = rowfilter(T); isequal(T(rf.Var1 > 1, :).Var1, [2; 3])",
        "T = table([1; 2; 3]); rf = rowfilter(T); isequal(T(~(rf.Var1 == 2), :).Var1, [1; 3])",
    ),
    see=("parquetread", "parquetDatastore", "table"),
)
def rowfilter(ctx: CallContext, source: Value) -> Value:
    """Conditions on variables, by which rows are chosen: ``rf.Name > 3 & rf.Other == "a"``.

    ``source`` gives the names: texts, a table or timetable, what ``parquetinfo`` gives, or a
    datastore. Variables are compared with one value by ``< <= > >= == ~=``, conditions are joined
    by ``& | ~``. The result is a subscript of a table's rows, and the option ``RowFilter`` of
    ``parquetread`` and ``parquetDatastore``.
    """
    if is_string(source) or is_char(source) or is_cell(source):
        return RowFilter(tuple(texts_of(source)))
    if isinstance(source, NativeObject):
        if hasattr(source, "dimension_names"):
            times = source.dimension_names[:1] if getattr(source, "times", None) is not None else []
            return RowFilter((*times, *source.names))  # type: ignore[attr-defined]
        if "VariableNames" in source.members():
            names = source.get_member(ctx, "VariableNames", None, 1)
            return RowFilter(tuple(texts_of(names)))
    text = "rowfilter takes names of variables, a table, or what parquetinfo gives."
    raise MatlabError("MATLAB:io:filter:filter:InvalidInput", text)
