"""Rows and variables of tables: what subscripts select, taking, storing and joining rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.interpreter.indexing.index_assign import set_general
from app.engine.interpreter.indexing.index_read import paren
from app.engine.interpreter.indexing.subscripts import is_colon, resolve
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    Array,
    Cell,
    NativeObject,
    StringArray,
    Value,
    canonical,
    class_of,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    object_array,
    size_of,
    texts_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@overload
def rows_at(v: NativeArray, index: Any) -> NativeArray: ...
@overload
def rows_at(v: Value, index: Any) -> Value: ...
def rows_at(v: Value, index: Any) -> Value:
    """Rows of a variable by 0-based positions."""
    size = size_of(v)
    return paren(v, _subscript(index, size[0]), *[":"] * (len(size) - 1))


def _subscript(index: ArrayLike, height: int) -> Value:
    """A subscript for 0-based rows; all of them in their order are ``:``, which copies nothing."""
    places = np.asarray(index)
    if len(places) == height and np.array_equal(places, np.arange(height)):
        return ":"
    return canonical(places.astype(np.float64).reshape(1, -1) + 1)


def with_rows(v: Value, index: Any, new: Value, height: int) -> Value:
    """A variable with rows replaced; missing rows up to ``height`` get the class's empty value."""
    if v is None:
        v = missing_rows(new, height)
    grown = size_of(v)[0] < height
    if grown:
        v = concatenate(0, [v, missing_rows(v, height - size_of(v)[0])])
    if new is None or not len(index):
        return v
    if isinstance(v, Cell) and not isinstance(new, Cell):
        new = Cell.of([new])
    return set_general(v, (_subscript(index, height), ":"), new, grown)


def missing_rows(like: Value, count: int) -> Value:
    """Rows of missing values of a variable's class."""
    wide = max(size_of(like)[1], 1)
    if isinstance(like, Cell):
        return Cell.empty((count, wide))
    if isinstance(like, StringArray):
        return StringArray.of([None] * (count * wide), (count, wide))
    if not is_numeric_like(like):
        if not hasattr(like, "like"):
            text = f"A variable of class '{class_of(like)}' has no missing value for new rows."
            raise MatlabError("MATLAB:table:NoMissingValue", text)
        return like.like(np.full((count, wide), np.nan))
    dtype = like.dtype if isinstance(like, np.ndarray) else np.dtype(type(like))
    if is_char(like):
        from app.engine.values import char_value

        return char_value(np.full((count, wide), 32, dtype=np.uint32))
    return canonical(np.zeros((count, wide), dtype=dtype))


def text_column(texts: list[str]) -> Cell:
    """Texts as a column cell."""
    return Cell(object_array(texts, (len(texts), 1)))


def is_whole(sub: Value) -> bool:
    """True for ``:``, as a subscript or as text."""
    return is_colon(sub) or (isinstance(sub, str) and sub == ":")


def row_index(
    sub: Value, height: int, names: list[str], times: Any = None, *, grow: bool = False
) -> Array:
    """0-based rows that a subscript selects: numbers, flags, names, or times."""
    if is_whole(sub):
        return np.arange(height)
    if times is not None and hasattr(sub, "rows") and not hasattr(sub, "columns"):
        return np.asarray(sub.rows(times))
    if times is not None and (isinstance(sub, NativeObject) or is_char(sub) or is_string(sub)):
        wanted = times.accept(sub).data.ravel(order="F")
        if grow:
            return _places(times.data.ravel(order="F"), wanted)
        return np.flatnonzero(np.isin(times.data.ravel(order="F"), wanted))
    if is_char(sub) or is_string(sub) or is_cell(sub):
        found: list[int] = []
        for text in texts_of(sub):
            if text not in names:
                if grow:
                    found.append(max([height, *(k + 1 for k in found)]))
                    continue
                message = f"Unrecognized row name '{text}'."
                raise MatlabError("MATLAB:table:UnrecognizedRowName", message)
            found.append(names.index(text))
        return np.array(found, dtype=np.int64)
    index = _places_within(sub, height, 0, grow=grow)
    if isinstance(index, slice):
        top = max(height, index.stop or 0)
        return np.arange(*index.indices(top))
    return np.asarray(index)


def _places_within(sub: Value, size: int, dim: int, *, grow: bool) -> Any:
    """0-based places of numbers or flags among a table's rows (``dim`` 0) or variables (1)."""
    try:
        return resolve(sub, size, dim, 2, grow=grow)[0]
    except MatlabError as problem:
        if problem.identifier == "MATLAB:badsubscript" and "exceed" in problem.message:
            what, short = (("Row", "Row"), ("Variable", "Var"))[dim]
            text = f"{what} index exceeds table dimensions."
            raise MatlabError(f"MATLAB:table:{short}IndexOutOfRange", text) from problem
        raise


def _places(held: Array, wanted: Array) -> Array:
    """Positions of times; those that are not held come behind."""
    places, top = [], held.size
    for value in wanted.tolist():
        found = np.flatnonzero(held == value).tolist()
        places += found or [top]
        top += not found
    return np.array(places, dtype=np.int64)


def extended_row_times(times: Any, sub: Value, index: Any, height: int) -> Any:
    """Row times with those of new rows, missing ones where a row was given by its number."""
    data = np.full((height, 1), np.nan)
    data[: times.data.size, 0] = times.data.ravel(order="F")
    if isinstance(sub, NativeObject) or is_char(sub) or is_string(sub):
        given = times.accept(sub).data.ravel(order="F") if sub != ":" else ()
        if len(given) == len(index):
            data[index, 0] = given
    return times.like(data)


def two_subscripts(args: tuple[Value, ...]) -> tuple[Value, Value]:
    """The subscript of rows and that of variables; there are no others."""
    if len(args) != 2:
        text = "Subscripting into a table using one subscript (as in t(i)) is not supported. "
        text += "Specify a row subscript and a variable subscript, as in t(rows, vars)."
        raise MatlabError("MATLAB:table:LinearSubscript", text)
    return args[0], args[1]


def variable_index(sub: Value, table: Any, *, grow: bool = False) -> list[int]:
    """0-based variables that a subscript selects: numbers, flags, names, or a ``vartype``."""
    names = table.names
    if is_whole(sub):
        return list(range(len(names)))
    if is_char(sub) or is_string(sub) or is_cell(sub):
        found = []
        for text in texts_of(sub):
            if text not in names and not grow:
                message = f"Unrecognized table variable name '{text}'."
                raise MatlabError("MATLAB:table:UnrecognizedVarName", message)
            found.append(names.index(text) if text in names else len(names))
        return found
    if hasattr(sub, "selects"):
        return [k for k, n in enumerate(names) if sub.selects(table.columns[n])]
    index = _places_within(sub, len(names), 1, grow=grow)
    if isinstance(index, slice):
        return list(range(max(len(names), index.stop or 0)))[index]
    return [int(k) for k in index]


def check_names(names: list[str], count: int) -> None:
    """Raise MatlabError unless there is one name of its own for each of ``count`` variables."""
    if len(names) != count:
        text = "The VariableNames property must contain one name for each variable in the table."
        raise MatlabError("MATLAB:table:IncorrectNumberOfVarNames", text)
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        text = f"Duplicate table variable name: '{twice}'."
        raise MatlabError("MATLAB:table:DuplicateVarNames", text)


def cell_rows(value: Cell, names: list[str]) -> list[tuple[str, Value]]:
    """The columns of a cell of rows as variables."""
    made = []
    for k in range(value.shape[1]):
        column = list(value.data[:, k])
        name = names[k] if k < len(names) else f"Var{k + 1}"
        made.append((name, column_of(column)))
    return made


def column_of(items: list[Value]) -> Value:
    """Values of one column joined when they are of one class and one row each."""
    from app.engine.values import class_of

    kinds = {class_of(x) for x in items}
    plain = len(kinds) == 1 and not kinds & {"char", "cell", "struct", "function_handle"}
    even = len({size_of(x)[1:] for x in items}) == 1 and all(size_of(x)[0] == 1 for x in items)
    if items and plain and even:
        return concatenate(0, items) if len(items) > 1 else items[0]
    return Cell(object_array(items, (len(items), 1)))
