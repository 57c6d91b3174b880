"""Questions about any value."""

from __future__ import annotations

from codecs import utf_32_le_decode, utf_32_le_encode  # by their names they take ten times longer
from math import isnan
from typing import Any

import numpy as np

from app.engine.stoppable import Stop
from app.engine.values.canonical_form import trim_shape, unwrap
from app.engine.values.containers import (
    PIECE,
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
)
from app.engine.values.lazy import DeviceArray, Watch
from app.errors import InternalError, MatlabError, conversion_error, logical_nan_error

CLASS_OF_DTYPE: dict[np.dtype[Any], str] = {
    np.dtype(np.float64): "double",
    np.dtype(np.float32): "single",
    np.dtype(np.complex128): "double",
    np.dtype(np.complex64): "single",
    np.dtype(np.bool_): "logical",
    **{
        np.dtype(n): n
        for n in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    },
}
"""MATLAB class name of every NumPy element type that values use."""

DTYPE_OF_CLASS: dict[str, np.dtype[Any]] = {
    "double": np.dtype(np.float64),
    "single": np.dtype(np.float32),
    "logical": np.dtype(np.bool_),
    **{
        n: np.dtype(n)
        for n in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    },
}
"""NumPy element type of every numeric class name (real)."""

INTEGER_CLASSES = frozenset(
    ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
)
_SCALARS: dict[type, str] = {float: "double", bool: "logical", complex: "double", str: "char"}
_CONTAINERS: dict[type, str] = {
    CharArray: "char",
    StringArray: "string",
    Cell: "cell",
    Struct: "struct",
    StructArray: "struct",
    FunctionHandle: "function_handle",
}
_SCALAR_SHAPE = (1, 1)


def class_of(v: Value) -> str:
    """The MATLAB class name of ``v``."""
    kind = type(v)
    if kind in _SCALARS:
        return _SCALARS[kind]
    if type(v) is np.ndarray:
        return CLASS_OF_DTYPE[v.dtype]
    if kind in _CONTAINERS:
        return _CONTAINERS[kind]
    if type(v) is DeviceArray:
        return v.class_name
    if isinstance(v, ObjectValue | ObjectArray):
        return str(v.class_info.name)
    if isinstance(v, NativeObject):
        return v.class_name
    if type(v) is SparseMatrix:
        return "logical" if v.dtype == np.bool_ else "double"
    raise InternalError("values", f"not a MATLAB value: {kind.__name__}")


def size_of(v: Value) -> tuple[int, ...]:
    """The size of ``v``, at least two numbers."""
    kind = type(v)
    if kind is float or kind is bool or kind is complex:
        return _SCALAR_SHAPE
    if type(v) is str:
        return (1, len(v)) if v else (0, 0)
    shape: tuple[int, ...] = v.shape  # type: ignore[attr-defined]  # all others have one
    return shape


def numel(v: Value) -> int:
    """The number of elements of ``v``."""
    kind = type(v)
    if kind is float or kind is bool or kind is complex:
        return 1
    if type(v) is str:
        return len(v)
    if type(v) is np.ndarray:
        return v.size
    count = 1
    for n in size_of(v):
        count *= n
    return count


def as_array(v: Value) -> Array:
    """A numeric, logical or char value as an array with two dimensions or more.

    Chars become double code points; sparse becomes full; lazy arrays are gathered.
    """
    if type(v) is np.ndarray:
        return v
    if type(v) is float:
        return np.array([[v]])
    if type(v) is bool or type(v) is complex:
        return np.array([[v]])
    if type(v) is str:
        return char_codes(v).astype(np.float64)
    if type(v) is CharArray:
        return v.data.astype(np.float64)
    if type(v) is DeviceArray:
        return as_array(v.gather())
    if type(v) is SparseMatrix:
        return v.dense()
    return as_number_of_object(v)


def as_number_of_object(v: Value) -> Array:
    """The numeric array an object stands for, or MATLAB's error that there is none."""
    convert = getattr(v, "to_double", None)
    if convert is not None:
        return as_array(convert())
    raise conversion_error("double", class_of(v))


def float_of(v: Value) -> float:
    """The first element of a value as a Python number, as code reads a single number."""
    return v if type(v) is float else float(as_array(v).flat[0])


def int_of(v: Value) -> int:
    """The first element of a value as a Python integer, without its fraction."""
    return int(v if type(v) is float else as_array(v).flat[0])


def bool_of(v: Value) -> bool:
    """Whether the first element of a value is not zero."""
    return v if type(v) is bool else bool(as_array(v).flat[0])


_CODE = np.dtype(np.uint32)
_LAST_CODE = 0x10FFFF


def char_codes(v: str | CharArray) -> Array:
    """The code points of a char value, as uint32 with MATLAB's shape."""
    if isinstance(v, CharArray):
        return v.data
    if not v:
        return np.zeros((0, 0), dtype=np.uint32)
    return np.ndarray((1, len(v)), _CODE, utf_32_le_encode(v, "surrogatepass")[0])


def char_value(codes: Array) -> Value:
    """A char value of code points of any shape: ``str`` for a row, else CharArray."""
    shape = codes.shape
    if shape == (0, 0):
        return ""
    if len(shape) == 2 and shape[0] == 1 and shape[1]:
        codes = codes.astype(_CODE, copy=False)
        return _row(codes) if codes.size <= PIECE else _long_row(codes[0])
    return CharArray(codes.astype(np.uint32).reshape(trim_shape(shape), order="F"))


def _row(codes: Array) -> str:
    try:
        return utf_32_le_decode(codes.tobytes(), "surrogatepass", True)[0]
    except UnicodeDecodeError:  # what is no character is taken for the last one
        codes = np.minimum(codes, _LAST_CODE)
        return utf_32_le_decode(codes.tobytes(), "surrogatepass", True)[0]


def _long_row(codes: Array) -> str:
    """The same in pieces: others and a stop have their turn between them."""
    pieces = []
    for start in range(0, codes.size, PIECE):
        pieces.append(_row(codes[start : start + PIECE]))
        Stop.poll()
    return "".join(pieces)


def character(code: int) -> str:
    """The character of a code point, as ``char_value`` gives it."""
    return chr(min(code, _LAST_CODE))


def codes_of_numbers(numbers: Array) -> Array:
    """Numbers as code points: what is out of range is the nearest one, NaN the null character."""
    if numbers.dtype.kind == "c":
        text = "Complex values cannot be converted to chars."
        raise MatlabError("MATLAB:nocomplexchar", text)
    if numbers.dtype.kind == "f":  # NaN is no larger number than 0
        numbers = np.fmax(numbers, 0.0)
    if numbers.dtype.kind in "iu":  # the limit may be more than their class holds
        numbers = numbers.astype(np.float64)
    return np.asarray(np.minimum(np.maximum(numbers, 0), 0x10FFFF), dtype=np.uint32)


def host(v: Value, cause: str = "needs-host-value") -> Value:
    """``v`` itself, or the gathered value of a lazy array; ``cause`` is recorded."""
    return v.gather(cause) if type(v) is DeviceArray else v


def _logical_complex_error() -> MatlabError:
    text = "Complex values cannot be converted to logicals."
    return MatlabError("MATLAB:nologicalcomplex", text)


def make_logical(v: Value) -> Value:
    """``logical(v)``: nonzero to true; NaN and complex numbers are errors."""
    if type(v) is bool:
        return v
    if type(v) is float:
        return true_value(v)
    a = as_array(v)
    if a.dtype.kind == "b":
        return unwrap(a)
    if a.dtype.kind == "f" and np.count_nonzero(np.isnan(a)):  # `any` takes long to begin
        raise logical_nan_error()
    if a.dtype.kind == "c":
        raise _logical_complex_error()
    return unwrap(a.astype(np.bool_))


def true_value(v: Value) -> bool:
    """The truth of ``v`` in ``if`` and ``while``: not empty and no element zero."""
    kind = type(v)
    if kind is bool:
        return bool(v)
    if type(v) is float:
        if isnan(v):
            raise logical_nan_error()
        return bool(v != 0.0)
    if kind is complex:
        raise _logical_complex_error()
    if type(v) is str:
        return bool(v) and "\0" not in v
    if type(v) is DeviceArray and Watch.truth is not None:
        return Watch.truth(v)
    if kind in (np.ndarray, DeviceArray, CharArray, SparseMatrix):
        a = as_array(v)
        return bool(a.size) and bool(np.all(as_array(make_logical(a))))
    if isinstance(v, ObjectValue | ObjectArray) and (held := v.to_double) is not None:
        return true_value(held())
    raise conversion_error("logical", class_of(v))
