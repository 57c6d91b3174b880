"""Python values as MATLAB values and back.

============================== ============================== ==========================
Python                         MATLAB                         back
============================== ============================== ==========================
bool, int, float, complex      logical or double scalar       bool, float, complex
str, path                      char row                       str
bytes, buffers                 array; bytes are uint8         numpy.ndarray
list, tuple                    cell row                       list (of a cell vector)
range                          double row                     numpy.ndarray
dict with text keys            struct                         dict
numpy.ndarray, ``__array__``   array of its class; 1-D: a row numpy.ndarray, DeviceArray
SciPy sparse matrix            sparse                         SciPy csc_matrix
datetime, timedelta            datetime, duration             the same
datetime64, timedelta64        datetime, duration array       the same
pandas.DataFrame               table, timetable               pandas.DataFrame
callable                       function handle                callable (of its session)
None                           ``[]``                         0×0 numpy.ndarray
a value of ``from_matlab``     itself                         –
============================== ============================== ==========================

Strings come back as ``str`` (scalars) or object arrays of ``str`` with ``None`` for missing ones;
struct arrays and cells of other shapes as object arrays; a char matrix as a list of its rows.
What Python has no type for comes back as the engine's value: objects, categorical arrays, tables
where pandas is not installed or a variable of theirs has several columns.
"""

from __future__ import annotations

import array
import datetime as dt
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

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
            return _struct(value)
        case list() | tuple():
            return Cell.of([to_matlab(item) for item in value])
    if isinstance(value, _ENGINE_VALUES):
        return value
    return _other(value)


def _number(value: float) -> float:
    try:
        return float(value)
    except OverflowError as problem:
        raise UsageError("an integer beyond the range of double has no MATLAB value") from problem


def _other(value: object) -> Value:
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
    if type(value).__module__.startswith("pandas"):
        from app.engine.builtins.python.py_tables import is_frame, table_of

        if is_frame(value):
            return table_of(value, to_matlab)
    if hasattr(value, "tocsc"):
        return SparseMatrix(value.tocsc())
    if hasattr(value, "__array__") or hasattr(value, "__dlpack__"):
        return _array(np.asarray(value))
    if callable(value):
        return lent_function(value, to_matlab, from_matlab)
    kind = type(value).__name__
    raise UsageError(f"a {kind} has no MATLAB value; pass numbers, text, lists, dicts or arrays")


def _struct(fields: Mapping[Any, object]) -> Struct:
    for name in fields:
        if not (isinstance(name, str) and name.isidentifier()):
            raise UsageError(f"{name!r} cannot name a field of a struct")
    return Struct({name: to_matlab(value) for name, value in fields.items()})


def _time(value: object) -> Value:
    from app.engine.builtins.python.py_tables import times_from

    return times_from(value)


def _array(data: Array) -> Value:
    if data.dtype.kind in "mM":
        return _time(data)
    if data.dtype.kind == "O":
        flat = [to_matlab(item) for item in data.ravel(order="F").tolist()]
        return Cell.of(flat, _shape_of(data))
    if data.dtype.kind == "U":
        return StringArray.of(data.ravel(order="F").tolist(), _shape_of(data))
    if data.dtype == np.float16:
        data = data.astype(np.float32)
    if data.dtype not in CLASS_OF_DTYPE:
        raise UsageError(f"MATLAB has no class for elements of type {data.dtype}")
    shaped = data.reshape(_shape_of(data), order="A" if data.ndim > 1 else "C")
    # A view: the array object of the caller is never written to in place.
    return canonical(np.asfortranarray(shaped).view())


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
        case "datetime" | "duration" | "table" | "timetable":
            from app.engine.builtins.python.py_tables import numpy_values

            return numpy_values(value, lambda item: from_matlab(item, session))
        case kind if kind.startswith("py."):
            from app.engine.builtins.python.py_object import PyObject

            return value.held if isinstance(value, PyObject) else value
    return value
