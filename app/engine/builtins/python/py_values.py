"""Values of Python that hold no other values: numbers, arrays, texts, lists of these."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.engine.builtins.python.py_tables import UNSUPPORTED, as_row
from app.engine.builtins.python.py_worker import WholeNumber
from app.engine.values import (
    Array,
    Cell,
    CharArray,
    StringArray,
    Value,
    as_array,
    canonical,
    class_of,
)
from app.errors import MatlabError

CONVERSION = UNSUPPORTED


def unsupported(value: Value) -> MatlabError:
    """The error for a value that Python has no like of."""
    kind = "char matrix" if isinstance(value, CharArray) else class_of(value)
    text = f"Conversion of MATLAB '{kind}' to Python is not supported."
    return MatlabError(CONVERSION, text)


def lent_array(value: Value) -> object:
    """An array that Python may read; a single number as a number."""
    if not isinstance(value, np.ndarray):  # a gathered scalar
        return value
    if value.size == 1:
        single = value.item()
        whole = isinstance(single, float) and single.is_integer()
        return WholeNumber(single) if whole else single
    lent = as_row(value).view()
    lent.flags.writeable = False
    return lent


def strings(value: StringArray) -> object:
    """A string as a str, several as a list."""
    if value.data.size == 1:
        return value.data.flat[0]
    return list(vector(value, "string"))


def vector(value: Cell | StringArray, kind: str) -> Iterable[Value]:
    """The elements of a row or column; others have no like in Python."""
    if len(value.shape) > 2 or (1 not in value.shape and value.data.size):
        text = f"Conversion of MATLAB '{kind}' to Python is only supported for 1-N vectors."
        raise MatlabError(CONVERSION, text)
    return value.data.ravel(order="F").tolist()


def elements(value: Value) -> list[Value]:
    """The elements of a list of keys or values."""
    if isinstance(value, Cell):
        return value.items()
    if isinstance(value, StringArray):
        return [StringArray.scalar(text) for text in value.data.ravel(order="F")]
    return [canonical(item.reshape(1, 1)) for item in as_array(value).ravel(order="F")]


def matrix_of(found: object) -> Value:
    """Numbers that Python holds as a MATLAB array of their class; a copy of its own.

    Args:
        found: an array, also of another library that lends it (``__array__``, ``__dlpack__``), a
            buffer, a number, also one of another library (``__float__``, ``__complex__``), or a
            sequence of numbers; one dimension makes a row.

    Raises:
        MatlabError: MATLAB:Python:UnsupportedType, they are no numbers.
    """
    is_other = hasattr(found, "__dlpack__") and not hasattr(found, "__array__")
    lent: object = np.from_dlpack(found) if is_other else found  # type: ignore[arg-type]
    data = np.array(lent, order="F")
    if data.dtype.kind == "O":
        data = _numbers_of_objects(data)
    data = data.astype(data.dtype.newbyteorder("="), copy=False)
    if data.dtype.kind not in "fiubc":
        kind = type(found).__name__
        raise MatlabError(CONVERSION, f"Conversion of Python '{kind}' to numbers is not supported.")
    if data.dtype == np.float16 or data.dtype.itemsize > (16 if data.dtype.kind == "c" else 8):
        data = data.astype(np.complex128 if data.dtype.kind == "c" else np.float64)
    shape = data.shape if data.ndim > 1 else (1, data.size)
    return canonical(data.reshape(shape, order="F"))


def _numbers_of_objects(data: Array) -> Array:
    """Objects that are numbers, such as exact fractions, as doubles; others as they are."""
    items = data.ravel(order="F").tolist()
    for kind, method in ((float, "__float__"), (complex, "__complex__")):
        if all(hasattr(item, method) for item in items):
            try:
                made = [kind(item) for item in items]
            except TypeError:  # a number, but no real one
                if kind is complex:
                    raise
                continue
            return np.array(made).reshape(data.shape, order="F")
    return data
