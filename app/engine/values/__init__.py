"""MATLAB values as Python objects.

* real double, logical and complex double scalars: ``float``, ``bool``, ``complex``, always;
* other numeric and logical arrays: ``np.ndarray`` with two dimensions or more, immutable unless
  the holder is the sole owner; single and integer scalars are 1x1 arrays;
* char row vectors: ``str`` (``''`` is 0x0), other char arrays ``CharArray``;
* ``StringArray``, ``Cell``, ``Struct``, ``StructArray``, ``FunctionHandle``, ``SparseMatrix``,
  ``ObjectValue``, ``HandleObject``, ``ObjectArray``, ``NativeObject``;
* ``DeviceArray``: a numeric array that the acceleration graph may not have computed yet.
"""

from __future__ import annotations

import numpy as np

from app.engine.values.byte_count import n_bytes
from app.engine.values.canonical_form import (
    canonical,
    column_major,
    in_order,
    trim_shape,
    unwrap,
)
from app.engine.values.containers import (
    EMPTY,
    Array,
    Cell,
    CharArray,
    FunctionHandle,
    HandleObject,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    argument_name,
    filled_objects,
    is_argument_name,
    object_array,
    object_array_of,
)
from app.engine.values.lazy import DeviceArray
from app.engine.values.no_objects import NoObjects
from app.engine.values.types import (
    CLASS_OF_DTYPE,
    DTYPE_OF_CLASS,
    INTEGER_CLASSES,
    as_array,
    bool_of,
    char_codes,
    char_value,
    class_of,
    codes_of_numbers,
    float_of,
    host,
    int_of,
    make_logical,
    numel,
    size_of,
    true_value,
)
from app.engine.values.value_predicates import (
    cell_items,
    is_cell,
    is_cellstr,
    is_char,
    is_complex,
    is_empty,
    is_float,
    is_integer_class,
    is_logical,
    is_numeric,
    is_numeric_like,
    is_real_scalar,
    is_scalar,
    is_string,
    is_struct,
    is_text_scalar,
    is_vector,
    text_of,
    texts_of,
    turned_complex,
)


def prepare_thread() -> None:
    """Make NumPy silent about NaN and Inf in this thread; every engine thread calls it once."""
    np.seterr(all="ignore")


prepare_thread()

__all__ = [
    "CLASS_OF_DTYPE",
    "DTYPE_OF_CLASS",
    "EMPTY",
    "INTEGER_CLASSES",
    "Array",
    "Cell",
    "CharArray",
    "DeviceArray",
    "FunctionHandle",
    "HandleObject",
    "NativeObject",
    "NoObjects",
    "ObjectArray",
    "ObjectValue",
    "SparseMatrix",
    "StringArray",
    "Struct",
    "StructArray",
    "Value",
    "argument_name",
    "as_array",
    "bool_of",
    "canonical",
    "cell_items",
    "char_codes",
    "char_value",
    "class_of",
    "codes_of_numbers",
    "column_major",
    "filled_objects",
    "float_of",
    "host",
    "in_order",
    "int_of",
    "is_argument_name",
    "is_cell",
    "is_cellstr",
    "is_char",
    "is_complex",
    "is_empty",
    "is_float",
    "is_integer_class",
    "is_logical",
    "is_numeric",
    "is_numeric_like",
    "is_real_scalar",
    "is_scalar",
    "is_string",
    "is_struct",
    "is_text_scalar",
    "is_vector",
    "make_logical",
    "n_bytes",
    "numel",
    "object_array",
    "object_array_of",
    "prepare_thread",
    "size_of",
    "text_of",
    "texts_of",
    "trim_shape",
    "true_value",
    "turned_complex",
    "unwrap",
]
