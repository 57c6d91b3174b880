"""Writing MAT-files of level 5 (``-v6``, and compressed as ``-v7``)."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

from app.engine.values import (
    Array,
    Cell,
    CharArray,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    as_array,
    char_codes,
    class_of,
    size_of,
)
from app.errors import MatlabError

_INT8, _INT32, _UINT16, _UINT32, _MATRIX, _COMPRESSED, _UTF16 = 1, 5, 4, 6, 14, 15, 17
_CELL, _STRUCT, _CHAR, _SPARSE = 1, 2, 4, 5
_LOGICAL, _COMPLEX = 0x0200, 0x0800
_CLASSES = {
    "double": 6,
    "single": 7,
    "int8": 8,
    "uint8": 9,
    "int16": 10,
    "uint16": 11,
    "int32": 12,
    "uint32": 13,
    "int64": 14,
    "uint64": 15,
    "logical": 9,
}
_TYPES = {
    "f8": 9,
    "f4": 7,
    "i1": 1,
    "u1": 2,
    "i2": 3,
    "u2": 4,
    "i4": 5,
    "u4": 6,
    "i8": 12,
    "u8": 13,
}


HEAD_SIZE = 128
"""Bytes before the first variable."""


def file_bytes(variables: dict[str, Value], *, compress: bool) -> bytes:
    """The whole file that holds the variables."""
    text = b"MATLAB 5.0 MAT-file, written by Fuselab".ljust(116)
    parts = [text + bytes(8) + struct.pack("<H", 0x0100) + b"IM"]
    for name, value in variables.items():
        element = _matrix(name, value)
        if compress:
            packed = zlib.compress(element)
            element = struct.pack("<II", _COMPRESSED, len(packed)) + packed
        parts.append(element)
    return b"".join(parts)


def _element(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def _numbers(a: Array) -> bytes:
    flat = a.ravel(order="F")
    little = flat.astype(flat.dtype.newbyteorder("<"), copy=False)
    return _element(_TYPES[flat.dtype.str[1:]], little.tobytes())


def _head(name: str, kind: int, shape: tuple[int, ...], most: int = 0) -> bytes:
    flags = _element(_UINT32, struct.pack("<II", kind, most))
    sizes = _element(_INT32, struct.pack(f"<{len(shape)}i", *shape))
    return flags + sizes + _element(_INT8, name.encode())


def _matrix(name: str, v: Value) -> bytes:
    """One array with its name, as an element of its own."""
    if isinstance(v, Cell):
        body = _head(name, _CELL, v.shape) + b"".join(_matrix("", x) for x in v.items())
    elif isinstance(v, Struct | StructArray):
        body = _struct(name, v)
    elif isinstance(v, str | CharArray):
        body = _chars(name, v)
    elif isinstance(v, SparseMatrix):
        body = _sparse(name, v)
    else:
        body = _full(name, v)
    if len(body) >= 1 << 31:
        text = (
            f"Variable '{name}' was not saved. For variables larger than 2GB use MAT-file version "
            "7.3 or later."
        )
        raise MatlabError("MATLAB:save:sizeTooBigForMATFile", text)
    return struct.pack("<II", _MATRIX, len(body)) + body


def _full(name: str, v: Value) -> bytes:
    a = as_array(v)
    kind = _CLASSES[class_of(v)]
    if a.dtype.kind == "b":
        return _head(name, kind | _LOGICAL, a.shape) + _numbers(a.astype(np.uint8))
    if a.dtype.kind == "c":
        head = _head(name, kind | _COMPLEX, a.shape)
        return head + _numbers(np.asarray(a.real)) + _numbers(np.asarray(a.imag))
    return _head(name, kind, a.shape) + _numbers(a)


def _chars(name: str, v: str | CharArray) -> bytes:
    """Text as UTF-16 code units, said to be so where they are more than ASCII."""
    kind = _UINT16
    if isinstance(v, str):
        kind = kind if v.isascii() else _UTF16
        raw = v.encode("utf-16-le", "surrogatepass")
        shape: tuple[int, ...] = (1, len(raw) // 2) if v else (0, 0)
    else:
        codes = char_codes(v)
        raw = np.minimum(codes, 0xFFFD).astype("<u2").tobytes(order="F")
        shape = codes.shape
    return _head(name, _CHAR, shape) + _element(kind, raw)


def _struct(name: str, v: Struct | StructArray) -> bytes:
    names = list(v.fields)
    length = 32 if all(len(n) < 32 for n in names) else 64
    head = _head(name, _STRUCT, size_of(v)) + struct.pack("<HHi", _INT32, 4, length)
    table = b"".join(n.encode().ljust(length, b"\0") for n in names)
    elements = [v] if isinstance(v, Struct) else v.elements()
    body = b"".join(_matrix("", e.fields[n]) for e in elements for n in names)
    return head + _element(_INT8, table) + body


def _sparse(name: str, v: SparseMatrix) -> bytes:
    m: Any = v.matrix.tocsc()
    m.sort_indices()
    flags = {"b": _LOGICAL, "c": _COMPLEX}.get(m.dtype.kind, 0)
    places = _numbers(m.indices.astype(np.int32)) + _numbers(m.indptr.astype(np.int32))
    data = m.data.astype(np.uint8) if m.dtype.kind == "b" else m.data
    parts = [data] if data.dtype.kind != "c" else [data.real, data.imag]
    head = _head(name, _SPARSE | flags, v.shape, max(int(m.nnz), 1))
    return head + places + b"".join(_numbers(np.asarray(p)) for p in parts)
