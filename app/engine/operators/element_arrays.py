"""The elements of any value as one NumPy array, and back: for functions that only move them."""

from __future__ import annotations

import numpy as np

from app.engine.values import (
    Array,
    Cell,
    CharArray,
    NativeObject,
    ObjectArray,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    char_codes,
    char_value,
    host,
    object_array,
    trim_shape,
    unwrap,
)


def data_of(v: Value) -> Array:
    """The elements of ``v``: numbers, code points, or objects."""
    v = host(v)
    if isinstance(v, np.ndarray):
        return v
    if isinstance(v, str | CharArray):
        return char_codes(v)
    if isinstance(v, Cell | StringArray | ObjectArray):
        return v.data
    if isinstance(v, StructArray):
        return object_array(v.elements(), v.shape)
    if isinstance(v, float | bool | complex | SparseMatrix):
        return as_array(v)
    if isinstance(v, NativeObject) and hasattr(v, "single_elements"):
        return v.single_elements()  # type: ignore[no-any-return]
    return object_array([v])


def rebuild(like: Value, data: Array) -> Value:
    """A value of the kind of ``like`` with other elements."""
    shape = trim_shape(data.shape)
    if shape != data.shape:
        data = data.reshape(shape, order="F")
    if isinstance(like, str | CharArray):
        return char_value(data)
    if isinstance(like, Cell | StringArray):
        return type(like)(data)
    if isinstance(like, Struct | StructArray):
        return StructArray.of(list(data.ravel(order="F")), shape, like.fields)
    if isinstance(like, SparseMatrix):
        from app.engine.values import sparse_values

        return sparse_values.from_dense(data)
    if data.dtype == object:
        return _objects(like, data)
    return unwrap(data)


def _objects(like: Value, data: Array) -> Value:
    if data.size == 1:
        return data.flat[0]
    info = like.class_info if hasattr(like, "class_info") else None
    return ObjectArray(info, data) if info is not None else Cell(data)
