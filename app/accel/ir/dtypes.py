"""Element types of the acceleration graph.

The graph is strictly typed: both operands of an operation have the same `DType`, and whoever
builds the graph inserts casts. Class rules of the language live above this layer.
"""

from __future__ import annotations

from enum import Enum

import numpy as np


class DType(Enum):
    """An element type; the value is its short name, as used in plans and kernels."""

    F64 = "f64"
    F32 = "f32"
    I8 = "i8"
    I16 = "i16"
    I32 = "i32"
    I64 = "i64"
    U8 = "u8"
    U16 = "u16"
    U32 = "u32"
    U64 = "u64"
    BOOL = "bool"
    C64 = "c64"
    C128 = "c128"

    # Enum hashes by name in Python code; identity is right and ten times faster.
    __hash__ = object.__hash__

    numpy: np.dtype[np.generic]
    size: int
    kind: str
    label: str
    is_float: bool
    is_complex: bool
    is_integer: bool
    real: DType
    complex: DType


_LABELS = {
    DType.F64: ("float64", "double"),
    DType.F32: ("float32", "single"),
    DType.I8: ("int8", "int8"),
    DType.I16: ("int16", "int16"),
    DType.I32: ("int32", "int32"),
    DType.I64: ("int64", "int64"),
    DType.U8: ("uint8", "uint8"),
    DType.U16: ("uint16", "uint16"),
    DType.U32: ("uint32", "uint32"),
    DType.U64: ("uint64", "uint64"),
    DType.BOOL: ("bool", "logical"),
    DType.C64: ("complex64", "single"),
    DType.C128: ("complex128", "double"),
}
_REAL_OF = {DType.C64: DType.F32, DType.C128: DType.F64}
_COMPLEX_OF = {DType.F32: DType.C64, DType.F64: DType.C128}

for _dtype, (_numpy, _label) in _LABELS.items():
    _dtype.numpy = np.dtype(_numpy)
    _dtype.size = _dtype.numpy.itemsize
    _dtype.kind = _dtype.numpy.kind
    _dtype.label = _label
    _dtype.is_float = _dtype.kind == "f"
    _dtype.is_complex = _dtype.kind == "c"
    _dtype.is_integer = _dtype.kind in "iu"
    _dtype.real = _REAL_OF.get(_dtype, _dtype)
    _dtype.complex = _COMPLEX_OF.get(_dtype, _dtype)

_BY_NUMPY: dict[np.dtype[np.generic], DType] = {d.numpy: d for d in DType}


def of_numpy(dtype: np.dtype[np.generic]) -> DType:
    """The element type of a NumPy dtype; KeyError where the graph has none."""
    return _BY_NUMPY[dtype]
