"""Python values as MATLAB values and back.

============================== ============================== ==========================
Python                         MATLAB                         back
============================== ============================== ==========================
bool, int, float, complex      logical or double scalar       bool, float, complex
str, path                      char row                       str
bytes, buffers                 array; bytes are uint8         numpy.ndarray
list, tuple                    cell row                       list (of a cell vector)
range                          double row                     numpy.ndarray
dict whose keys are names      struct                         dict
other dict                     dictionary                     dict
dataclass                      struct                         dict
numpy.ndarray, ``__array__``   array of its class; 1-D: a row numpy.ndarray, DeviceArray
structured array, dicts in one struct array                   object array of dicts
SciPy sparse matrix            sparse                         SciPy csc_matrix
datetime, timedelta            datetime, duration             the same
datetime64, timedelta64        datetime, duration array       the same
pandas.DataFrame               table, timetable               pandas.DataFrame
pandas.Series, Index           row of what a table would hold –
pandas.Categorical             categorical row                pandas.Categorical (of a vector)
callable                       function handle                callable (of its session)
None                           ``[]``                         0×0 numpy.ndarray
a value of ``from_matlab``     itself                         –
============================== ============================== ==========================

Strings come back as ``str`` (scalars) or object arrays of ``str`` with ``None`` for missing ones;
cells that are no vectors as object arrays; a char matrix as a list of its rows; containers.Map is
a dict, too. Bytes in another order than the machine's and masked numbers (NaN) are converted.
What Python has no type for comes back as the engine's value: objects, categorical matrices,
dictionaries whose keys are no text and no numbers; without pandas all categorical arrays and
tables, with it tables that have a variable of several columns.
"""

from __future__ import annotations

import array
import dataclasses
import datetime as dt
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from app.api.arrays import DeviceArray
from app.api.functions import Function, lent_function
from app.engine.values import (
    CLASS_OF_DTYPE,
    EMPTY,
    Array,
    Cell,
    CharArray,
    FunctionHandle,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    canonical,
    class_of,
    is_numeric_like,
    is_scalar,
    object_array,
)
from app.engine.values import DeviceArray as LazyValue
from app.errors import UsageError

if TYPE_CHECKING:
    from app.api.session import Session

_ENGINE_VALUES = (
    Cell,
    CharArray,
    FunctionHandle,
    LazyValue,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
)


def to_matlab(value: object) -> Value:
    """``value`` as the engine keeps it; a UsageError where MATLAB has no such type.

    A column-major array is shared, not copied: leave it unchanged while the session may read it.
    """
    match value:
        case None:
            return EMPTY
        case bool():
            return value
        case str():
            return str(value)
        case int() | float():
            return _number(value)
        case complex():
            return value if value.imag else value.real
        case DeviceArray():
            return value.value
        case Mapping():
            return _from_mapping(value)
        case list() | tuple():
            return Cell.of([to_matlab(item) for item in value])
    if isinstance(value, _ENGINE_VALUES):
        return value
    return _value_of_other(value)


def _number(value: float) -> float:
    """A number as a double, which has to be able to hold it if it is an integer."""
    try:
        number = float(value)
    except OverflowError as problem:
        raise UsageError("an integer beyond the range of double has no MATLAB value") from problem
    if isinstance(value, int) and number != value:
        text = f"{value} cannot be held by a double: pass numpy.int64(…), or float(…) to round it"
        raise UsageError(text)
    return number


def _value_of_other(value: object) -> Value:
    """Values of other libraries, times, buffers, functions."""
    match value:
        case Function():
            target = value.target
            return FunctionHandle(target) if isinstance(target, str) else target
        case os.PathLike():
            return to_matlab(os.fspath(value))
        case bytes() | bytearray():
            return _array(np.frombuffer(value, np.uint8))
        case memoryview() | array.array():
            return _array(np.asarray(value))
        case range():
            return _array(np.array(value, dtype=np.float64))
        case dt.date() | dt.timedelta():
            return _time(value)
    return _by_protocol(value)


def _by_protocol(value: object) -> Value:
    """What offers itself as a table, a matrix, an array, fields or a function, in this order."""
    kind = type(value)
    if kind.__module__.startswith("pandas") and (found := _from_pandas(value)) is not None:
        return found
    if hasattr(kind, "tocsc"):
        return SparseMatrix.of(cast("Any", value).tocsc())
    if hasattr(kind, "__array__") or hasattr(kind, "__dlpack__"):
        return _array(_without_mask(np.asanyarray(value)))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _struct({f.name: getattr(value, f.name) for f in dataclasses.fields(value)})
    if callable(value):
        return lent_function(value, to_matlab, from_matlab)
    text = "pass numbers, text, lists, dicts or arrays"
    raise UsageError(f"a {kind.__name__} has no MATLAB value; {text}")


def _from_pandas(value: object) -> Value | None:
    from app.engine.builtins.python.py_tables import is_frame, row_of, table_of

    return table_of(value, to_matlab) if is_frame(value) else row_of(value, to_matlab)


def _without_mask(data: Array) -> Array:
    """``data``, where an element is masked NaN."""
    if not isinstance(data, np.ma.MaskedArray):
        return np.asarray(data)
    if not np.ma.is_masked(data):
        return np.asarray(data.data)
    if data.dtype.kind not in "fc":
        raise UsageError(f"masked elements of type {data.dtype} have no MATLAB value")
    return data.filled(np.nan)


def _from_mapping(found: Mapping[Any, object]) -> Value:
    """A struct where the keys can name its fields, else a dictionary."""
    if all(isinstance(key, str) and key.isidentifier() for key in found):
        return _struct(found)
    from app.engine.builtins.containers.dictionary_class import Dictionary
    from app.engine.builtins.containers.dictionary_keys import key_of

    is_text = all(isinstance(key, str) for key in found)
    if not is_text and not all(isinstance(key, int | float | np.number) for key in found):
        raise UsageError("the keys of a dict must be all text or all numbers")
    keys = [StringArray.scalar(key) if is_text else to_matlab(key) for key in found]
    pairs = zip(keys, _as_array_elements(list(map(to_matlab, found.values()))), strict=True)
    return Dictionary({key_of(key): (key, held) for key, held in pairs})


def _as_array_elements(values: list[Value]) -> list[Value]:
    """``values`` as elements of one array: strings, numbers of one class, or cells."""
    texts = [v for v in values if isinstance(v, str)]
    if len(texts) == len(values):
        return [StringArray.scalar(v) for v in texts]
    is_one_class = len(set(map(class_of, values))) == 1
    if is_one_class and all(is_numeric_like(v) and is_scalar(v) for v in values):
        return values
    return [Cell.of([v]) for v in values]


def _struct(fields: Mapping[str, object]) -> Struct:
    return Struct({name: to_matlab(value) for name, value in fields.items()})


def _time(value: object) -> Value:
    from app.engine.builtins.python.py_tables import times_from

    return times_from(value)


def _array(data: Array) -> Value:
    if data.dtype.kind in "mM":
        return _time(data)
    if data.dtype.names:
        names, rows = data.dtype.names, data.ravel(order="F")
        records = [{name: row[name] for name in names} for row in rows]
        return StructArray.of([_struct(r) for r in records], _shape_of(data), names)
    if data.dtype.kind == "O":
        return _from_objects(data.ravel(order="F").tolist(), _shape_of(data))
    if data.dtype.kind in "UT":
        return StringArray.of(data.ravel(order="F").tolist(), _shape_of(data))
    data = data.astype(data.dtype.newbyteorder("="), copy=False)
    if data.dtype == np.float16:
        data = data.astype(np.float32)
    if data.dtype not in CLASS_OF_DTYPE:
        raise UsageError(f"MATLAB has no class for elements of type {data.dtype}")
    shaped = data.reshape(_shape_of(data), order="A" if data.ndim > 1 else "C")
    # A view: the array object of the caller is never written to in place.
    return canonical(np.asfortranarray(shaped).view())


def _from_objects(items: list[object], shape: tuple[int, ...]) -> Value:
    """A struct array of dicts with the same keys, else a cell array."""
    values = [to_matlab(item) for item in items]
    names = list(values[0].fields) if values and isinstance(values[0], Struct) else None
    structs = [v for v in values if isinstance(v, Struct) and list(v.fields) == names]
    if len(structs) == len(values) > 1:
        return StructArray.of(structs, shape)
    return Cell.of(values, shape)


def _shape_of(data: Array) -> tuple[int, ...]:
    return data.shape if data.ndim > 1 else (1, data.size)


def from_matlab(value: Value, session: Session | None = None) -> Any:
    """A value of the engine as the Python value that the table above names.

    Args:
        value: the value.
        session: where function handles in it run when Python calls them; without, they come back
            as the engine's values.
    """
    match value:
        case LazyValue():
            return DeviceArray(value) if value.size != 1 else value.gather("read by Python")
        case Struct():
            return {name: from_matlab(held, session) for name, held in value.fields.items()}
        case StructArray():
            elements = [from_matlab(item, session) for item in value.elements()]
            return object_array(elements, value.shape)
        case Cell():
            return _from_cell(value, session)
        case StringArray():
            return value.data[0, 0] if value.data.size == 1 else value.data.copy()
        case CharArray():
            return value.rows()
        case SparseMatrix():
            return value.matrix
        case FunctionHandle() if session is not None:
            return Function(value, session)
        case NativeObject():
            return _from_object(value, session)
        case _:
            return value


def _from_cell(value: Cell, session: Session | None) -> Any:
    items = [from_matlab(item, session) for item in value.items()]
    is_row_or_column = len(value.shape) == 2 and 1 in value.shape
    if is_row_or_column or not items:
        return items
    return object_array(items, value.shape)


def _from_object(value: NativeObject, session: Session | None) -> object:
    match value.class_name:
        case "datetime" | "duration" | "table" | "timetable" | "categorical":
            from app.engine.builtins.python.py_tables import numpy_values

            return numpy_values(value, lambda item: from_matlab(item, session))
        case "dictionary" | "containers.Map":
            return _from_dictionary(value, session)
        case kind if kind.startswith("py."):
            from app.engine.builtins.python.py_object import PyObject

            return value.held if isinstance(value, PyObject) else value
    return value


def _from_dictionary(value: NativeObject, session: Session | None) -> object:
    from app.engine.builtins.containers.dictionary_class import Dictionary
    from app.engine.builtins.containers.map_object import ContainersMap

    if isinstance(value, Dictionary):
        held = [v.items()[0] if isinstance(v, Cell) else v for v in value.values()]
    else:
        assert isinstance(value, ContainersMap)
        held = value.value_list()
    pairs = zip(value.keys(), held, strict=True)
    made = [(from_matlab(k, session), from_matlab(v, session)) for k, v in pairs]
    is_plain = all(isinstance(k, str | bool | float) for k, _ in made)
    return dict(made) if is_plain else value
