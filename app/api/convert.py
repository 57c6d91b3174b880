"""Python values as MATLAB values and back.

============================== ============================== ==========================
Python                         MATLAB                         back
============================== ============================== ==========================
bool, int, float, complex      logical or double scalar       bool, float, complex
str                            char row                       str
list, tuple                    cell row                       list (of a cell vector)
dict with text keys            struct                         dict
numpy.ndarray, ``__array__``   array of its class; 1-D: a row numpy.ndarray, DeviceArray
SciPy sparse matrix            sparse                         SciPy csc_matrix
None                           ``[]``                         0×0 numpy.ndarray
a value of ``from_matlab``     itself                         –
============================== ============================== ==========================

Strings come back as ``str`` (scalars) or object arrays of ``str`` with ``None`` for missing ones;
struct arrays and cells of other shapes as object arrays; a char matrix as a list of its rows.
What Python has no type for (objects, handles, dates, tables) comes back as the engine's value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from app.api.arrays import DeviceArray
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
        case bool() | str():
            return value
        case int() | float():
            return float(value)
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
    if hasattr(value, "tocsc"):
        return SparseMatrix(value.tocsc())
    if hasattr(value, "__array__") or hasattr(value, "__dlpack__"):
        return _array(np.asarray(value))
    kind = type(value).__name__
    raise UsageError(f"a {kind} has no MATLAB value; pass numbers, text, lists, dicts or arrays")


def _struct(fields: Mapping[Any, object]) -> Struct:
    for name in fields:
        if not (isinstance(name, str) and name.isidentifier()):
            raise UsageError(f"{name!r} cannot name a field of a struct")
    return Struct({name: to_matlab(value) for name, value in fields.items()})


def _array(data: Array) -> Value:
    if data.dtype.kind == "O":
        flat = [to_matlab(item) for item in data.ravel(order="F").tolist()]
        return Cell.of(flat, _shape_of(data))
    if data.dtype.kind == "U":
        return StringArray.of(data.ravel(order="F").tolist(), _shape_of(data))
    if data.dtype not in CLASS_OF_DTYPE:
        raise UsageError(f"MATLAB has no class for elements of type {data.dtype}")
    shaped = data.reshape(_shape_of(data), order="A" if data.ndim > 1 else "C")
    # A view: the array object of the caller is never written to in place.
    return canonical(np.asfortranarray(shaped).view())


def _shape_of(data: Array) -> tuple[int, ...]:
    return data.shape if data.ndim > 1 else (1, data.size)


def from_matlab(value: Value) -> Any:
    """A value of the engine as the Python value that the table above names."""
    match value:
        case LazyValue():
            return DeviceArray(value) if value.size != 1 else value.gather("read by Python")
        case Struct():
            return {name: from_matlab(held) for name, held in value.fields.items()}
        case StructArray():
            elements = [from_matlab(item) for item in value.elements()]
            return object_array(elements, value.shape)
        case Cell():
            return _from_cell(value)
        case StringArray():
            return value.data[0, 0] if value.data.size == 1 else value.data.copy()
        case CharArray():
            return value.rows()
        case SparseMatrix():
            return value.matrix
        case _:
            return value


def _from_cell(value: Cell) -> Any:
    items = [from_matlab(item) for item in value.items()]
    is_row_or_column = len(value.shape) == 2 and 1 in value.shape
    if is_row_or_column or not items:
        return items
    return object_array(items, value.shape)
