"""``is…`` questions that need no data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.values.containers import (
    Cell,
    CharArray,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
)
from app.engine.values.lazy import DeviceArray, has_imaginary_part
from app.engine.values.types import INTEGER_CLASSES, class_of, numel, size_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_NUMERIC_CLASSES = INTEGER_CLASSES | {"double", "single"}


def is_numeric(v: Value) -> bool:
    """True for double, single and integer classes."""
    return type(v) is float or type(v) is complex or class_of(v) in _NUMERIC_CLASSES


def is_float(v: Value) -> bool:
    """True for double and single."""
    return type(v) is float or class_of(v) in ("double", "single")


def is_integer_class(v: Value) -> bool:
    """True for int8 … uint64."""
    if type(v) is np.ndarray:
        return v.dtype.kind in "iu"
    return type(v) is DeviceArray and v.class_name in INTEGER_CLASSES


def is_logical(v: Value) -> bool:
    """True for logical arrays."""
    return type(v) is bool or class_of(v) == "logical"


def is_real_scalar(v: Value) -> TypeIs[float | bool]:
    """True for one real number of class double and for one truth value."""
    return type(v) is float or type(v) is bool


def is_char(v: Value) -> TypeIs[str | CharArray]:
    """True for char arrays."""
    return type(v) is str or type(v) is CharArray


def is_string(v: Value) -> TypeIs[StringArray]:
    """True for string arrays."""
    return type(v) is StringArray


def is_cell(v: Value) -> TypeIs[Cell]:
    """True for cell arrays."""
    return type(v) is Cell


def is_struct(v: Value) -> TypeIs[Struct | StructArray]:
    """True for structs and struct arrays."""
    return type(v) is Struct or type(v) is StructArray


def is_numeric_like(v: Value) -> bool:
    """True for whatever arithmetic takes: numbers, logicals, chars, sparse."""
    return type(v) in _NUMERIC_LIKE


_NUMERIC_LIKE = frozenset(
    (float, bool, complex, np.ndarray, str, CharArray, DeviceArray, SparseMatrix)
)


def is_empty(v: Value) -> bool:
    """True when some dimension is zero."""
    return numel(v) == 0


def is_scalar(v: Value) -> bool:
    """True for 1x1."""
    return numel(v) == 1


def is_vector(v: Value) -> bool:
    """True for 1xN and Nx1."""
    size = size_of(v)
    return len(size) == 2 and 1 in size


def is_complex(v: Value) -> bool:
    """True when ``v`` is stored complex; a guarded lazy array is gathered to know."""
    if type(v) is complex:
        return True
    if type(v) is DeviceArray:
        if v.node.dtype.is_complex:
            return has_imaginary_part(v)
        return turned_complex(v)
    if type(v) is SparseMatrix:
        return bool(v.dtype.kind == "c")
    return type(v) is np.ndarray and v.dtype.kind == "c"


def turned_complex(v: Value) -> bool:
    """Whether a lazy value left the real domain: computes it where only its guard can tell.

    One that did not has no guard from then on.
    """
    if type(v) is not DeviceArray or not v.guarded:
        return False
    v.guarded = v.runtime.settled_dtype(v.node).is_complex
    return bool(v.guarded)


def is_text_scalar(v: Value) -> bool:
    """True for a char row vector or a 1x1 string."""
    if type(v) is str:
        return True
    if type(v) is CharArray:
        return v.shape[0] in (0, 1) and len(v.shape) == 2
    return type(v) is StringArray and v.data.size == 1 and v.data.flat[0] is not None


_CHARS = frozenset((str, CharArray))


def is_cellstr(v: Value) -> bool:
    """True for a cell array of char vectors only."""
    if type(v) is not Cell:
        return False
    items = v.data.ravel(order="K").tolist()
    try:
        "".join(items)  # asks each for a fourth of what looking at its type takes
    except TypeError:
        return _CHARS.issuperset(map(type, items))
    return True


def text_of(v: Value, what: str = "Input") -> str:
    """The text of a char vector or 1x1 string; MATLAB's kind of error for anything else."""
    if type(v) is str:
        return v
    if type(v) is CharArray:
        return "".join(map(chr, v.data.ravel(order="F").tolist()))
    if type(v) is StringArray and v.data.size == 1:
        return v.data.flat[0] if v.data.flat[0] is not None else "<missing>"
    text = f"{what} must be a character vector or a string scalar."
    raise MatlabError("MATLAB:invalidInput", text)


def cell_items(v: Value) -> list[Value]:
    """The elements of a cell array in column-major order; MATLAB's error for other values."""
    if isinstance(v, Cell):
        return v.items()
    raise MatlabError("MATLAB:invalidType", "Input must be a cell array.")


def texts_of(v: Value, what: str = "Input") -> list[str]:
    """All texts of a char array (rows), string array or cellstr, in column-major order."""
    if type(v) is CharArray:
        return v.rows()
    if type(v) is StringArray:
        return [t if t is not None else "<missing>" for t in v.data.ravel(order="F")]
    if type(v) is Cell:
        return [text_of(x, what) for x in v.items()]
    return [text_of(v, what)]
