"""Class conversion: double, single, int8 … uint64, logical, char, string, cast, typecast."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.arrays import byte_forms
from app.engine.capture.device_arrays import device_creator
from app.engine.declarations.device_support import Custom, HostOnly, of_resident
from app.engine.declarations.registry import builtin
from app.engine.operators import operator_overloads
from app.engine.operators.arithmetic import cast as cast_array
from app.engine.operators.arithmetic import integer_value
from app.engine.operators.number_text import char_rows
from app.engine.operators.string_operators import to_strings
from app.engine.values import (
    DTYPE_OF_CLASS,
    Cell,
    CharArray,
    SparseMatrix,
    StringArray,
    Value,
    as_array,
    canonical,
    char_codes,
    char_value,
    class_of,
    codes_of_numbers,
    filled_objects,
    is_char,
    is_numeric_like,
    is_string,
    make_logical,
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError, conversion_error

_FAMILY = "class conversion"


def _device(name: str) -> Custom:
    def form(args: tuple[Value, ...], nargout: int) -> Any:
        from app.engine.capture import capture

        return capture.convert(args[0], DTYPE_OF_CLASS[name]) if len(args) == 1 else NotImplemented

    return Custom(form)


def convert(v: Value, name: str) -> Value:
    """``v`` as the numeric class ``name``."""
    if type(v) is float:
        return _scalar(v, name)
    if type(v) is np.ndarray and v.size == 1 and v.dtype.kind in "iu" and name == "double":
        return float(v.item())
    if type(v) is str and len(v) == 1:
        return _scalar(float(ord(v)), name)
    if type(v) is StringArray and name in ("double", "single"):
        from app.engine.builtins.text.text_numbers import numbers_of

        values = numbers_of([t or "" for t in v.data.ravel(order="F")])
        return canonical(cast_array(values.reshape(v.shape, order="F"), DTYPE_OF_CLASS[name]))
    if type(v) is SparseMatrix and name == "double":
        from app.engine.values.compressed_columns import as_doubles

        return v if v.dtype.kind != "b" else as_doubles(v)
    if not is_numeric_like(v):
        result = operator_overloads.overload_result(name, v)
        if result is not NotImplemented:
            return result
        to_double = getattr(v, "to_double", None)
        if to_double is None:
            raise conversion_error(name, class_of(v))
        v = to_double()
    a = as_array(v)
    dtype = DTYPE_OF_CLASS[name]
    if a.dtype.kind == "c" and dtype.kind == "f":
        a = a.astype(np.complex64 if name == "single" else np.complex128)
        return a.item() if a.size == 1 and name == "double" else a
    return unwrap(cast_array(a, dtype))


def _scalar(x: float, name: str) -> Value:
    dtype = DTYPE_OF_CLASS[name]
    if dtype.kind in "iu":
        return integer_value(x, dtype)
    return x if name == "double" else unwrap(cast_array(np.array([[x]]), dtype))


def declare_cast(name: str, summary: str, *cases: str) -> None:
    """Declare the conversion function ``name(A)``."""
    builtin(
        name,
        category=_FAMILY,
        signatures=(f"B = {name}(A)",),
        device=_device(name),
        cases=cases,
        text=summary,
    )(lambda a=0.0: convert(a, name))


declare_cast(
    "double",
    "Convert to double precision.",
    "isa(double(int8(5)), 'double')",
    "isequal(double('AB'), [65 66])",
)
declare_cast("single", "Convert to single precision.", "isa(single(5), 'single')")
declare_cast(
    "int8",
    "Convert to 8-bit signed integers, rounded and saturated.",
    "int8(200) == 127",
    "int8(2.5) == 3",
    "int8(-2.5) == -3",
    "int8(NaN) == 0",
)
declare_cast(
    "int16", "Convert to 16-bit signed integers, rounded and saturated.", "int16(40000) == 32767"
)
declare_cast(
    "int32", "Convert to 32-bit signed integers, rounded and saturated.", "int32(1.5) == 2"
)
declare_cast(
    "int64",
    "Convert to 64-bit signed integers, rounded and saturated.",
    "int64(2)^62 == int64(4611686018427387904)",
)
declare_cast(
    "uint8",
    "Convert to 8-bit unsigned integers, rounded and saturated.",
    "uint8(-5) == 0",
    "uint8(300) == 255",
)
declare_cast(
    "uint16",
    "Convert to 16-bit unsigned integers, rounded and saturated.",
    "uint16(70000) == 65535",
)
declare_cast(
    "uint32", "Convert to 32-bit unsigned integers, rounded and saturated.", "uint32(-1) == 0"
)
declare_cast(
    "uint64", "Convert to 64-bit unsigned integers, rounded and saturated.", "uint64(3.5) == 4"
)


@builtin(
    "logical",
    category=_FAMILY,
    signatures=("L = logical(A)",),
    device=_device("logical"),
    cases=("logical(5)", "isequal(logical([1 0 2]), [true false true])"),
    see=("true",),
)
def logical(a: Value) -> Value:
    """Convert numbers to logicals: nonzero is true, NaN is an error."""
    if type(a) is SparseMatrix:
        from app.engine.values.compressed_columns import pattern

        return pattern(a)
    if is_char(a) or not is_numeric_like(a):
        raise conversion_error("logical", class_of(a))
    return make_logical(a)


@builtin(
    "cast",
    category=_FAMILY,
    signatures=("B = cast(A, class)", "B = cast(A, 'like', p)"),
    cases=("isa(cast(5, 'int8'), 'int8')", "isa(cast(5, 'like', single(1)), 'single')"),
    see=("typecast",),
    device=HostOnly("is one of the conversions", lazy=True),
)
@device_creator
def cast(a: Value, name: Value, like: Value | None = None) -> Value:
    """Convert to the named class."""
    if like is not None and text_of(name).lower() != "like":
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    if isinstance(like, SparseMatrix):
        from app.engine.values.sparse_values import from_dense

        return a if isinstance(a, SparseMatrix) else from_dense(as_array(a).astype(np.float64))
    if like is not None and isinstance(a, SparseMatrix):
        a = a.dense()
    target = class_of(like) if like is not None else text_of(name)
    if target == "logical":
        return logical(a)
    if target == "char":
        return char(a)
    if target not in DTYPE_OF_CLASS:
        text = f"Unsupported data type for conversion: '{target}'."
        raise MatlabError("MATLAB:cast:invalidClass", text)
    return convert(a, target)


@builtin(
    "typecast",
    category=_FAMILY,
    signatures=("Y = typecast(X, class)",),
    device=of_resident(byte_forms.typecast),
    cases=("typecast(single(1), 'uint32') == 1065353216",),
    see=("cast",),
)
def typecast(x: Value, name: Value) -> Value:
    """The same bytes read as another class."""
    a = as_array(x)
    if a.size > 1 and max(a.shape) != a.size:
        text = "The first input argument must be a vector."
        raise MatlabError("MATLAB:typecast:notVector", text)
    kind = text_of(name)
    dtype = np.dtype(np.uint8) if kind in ("logical", "char") else DTYPE_OF_CLASS.get(kind)
    if dtype is None:
        raise MatlabError("MATLAB:typecast:InvalidClass", f"Unsupported class '{kind}'.")
    raw = np.ascontiguousarray(a.ravel(order="F")).tobytes()
    if len(raw) % dtype.itemsize:
        text = "Too few input values to make output type."
        raise MatlabError("MATLAB:typecast:notEnoughInputElements", text)
    result = np.frombuffer(raw, dtype=dtype).copy()
    return canonical(result.reshape((-1, 1) if a.shape[1] == 1 and a.shape[0] > 1 else (1, -1)))


@builtin(
    "char",
    category=_FAMILY,
    signatures=("C = char(A)", "C = char(t1, t2, ...)"),
    cases=("strcmp(char([72 105]), 'Hi')", "isequal(size(char('a', 'bcd')), [2 3])"),
    see=("string", "double"),
)
def char(*parts: Value) -> Value:
    """Convert to char: from codes, or several texts as rows padded with blanks."""
    if len(parts) == 1:
        v = parts[0]
        if type(v) is float and 0.0 <= v <= 0x10FFFF:
            return chr(int(v))
        if is_char(v):
            return v
        if is_numeric_like(v):
            return char_value(codes_of_numbers(as_array(v)))
        if isinstance(v, StringArray) and v.shape[1:] != (1,) and v.data.size:
            return _pages(v)
    rows = [row for p in parts for row in _rows(p)]
    return char_rows(rows) if rows else ""


def _pages(v: StringArray) -> Value:
    """The rows of strings as rows of char, their columns as pages."""
    codes = char_codes(char_rows(texts_of(v)))
    table = codes.reshape(*v.shape, -1, order="F")
    return char_value(np.moveaxis(table, -1, 1))


def _rows(v: Value) -> list[str]:
    if isinstance(v, Cell):
        return [row for x in v.items() for row in _rows(x)]
    if is_numeric_like(v) and not is_char(v):
        v = char(v)
    to_chars = getattr(v, "to_chars", None)
    if to_chars is not None:
        return list(to_chars())
    if not is_char(v) and not is_string(v):
        raise conversion_error("char", class_of(v))
    return texts_of(v) if not (type(v) is CharArray and v.data.size == 0) else [""]


@builtin(
    "string",
    category=_FAMILY,
    signatures=("s = string(A)",),
    cases=('string(5) == "5"', "string('a') == \"a\"", "isequal(size(string([1 2])), [1 2])"),
    see=("char", "num2str"),
)
def string(a: Value = "") -> Value:
    """Convert to a string array; NaN becomes missing."""
    made = to_strings(a)
    if is_numeric_like(a) and class_of(a) in ("double", "single"):
        made.data[np.isnan(as_array(a))] = None
    return made


@builtin(
    "strings",
    category=_FAMILY,
    signatures=("s = strings(n)", "s = strings(m, n, ...)"),
    cases=('strings(1, 1) == ""',),
    see=("string",),
)
def strings(*args: Value) -> Value:
    """String array of empty strings."""
    from app.engine.arguments import size_arguments

    shape = size_arguments.shape_of(args)
    size_arguments.check_room(shape, np.dtype(object).itemsize)
    return StringArray(filled_objects(shape, ""))


@builtin(
    "cellstr",
    category=_FAMILY,
    signatures=("C = cellstr(A)",),
    cases=(
        "isequal(cellstr('ab'), {'ab'})",
        "isequal(cellstr([\"a\" \"b\"]), {'a', 'b'})",
        "isequal(cellstr({'a', \"b\"}), {'a', 'b'})",
    ),
    see=("char", "string"),
)
def cellstr(a: Value) -> Value:
    """Convert to a cell array of char vectors."""
    if isinstance(a, Cell):
        for number, part in enumerate(a.data.ravel(order="F"), 1):
            if not is_char(part) and not (isinstance(part, StringArray) and part.data.size == 1):
                text = (
                    f"Element {number} is not a string scalar or character array. All elements of "
                    "cell input must be string scalars or character arrays."
                )
                raise MatlabError("MATLAB:cellstr:MustBeText", text)
        if not any(isinstance(part, StringArray) for part in a.data.flat):
            return a
        return Cell.of([text_of(part) for part in a.data.ravel(order="F")], a.shape)
    if isinstance(a, StringArray):
        return Cell.of(texts_of(a), a.shape)
    if is_char(a):
        rows = [r.rstrip() for r in texts_of(a)] if not isinstance(a, str) else [a.rstrip()]
        return Cell.of(rows or [""], (max(len(rows), 1), 1))
    to_chars = getattr(a, "to_chars", None)
    if to_chars is not None:
        return Cell.of(list(to_chars()), size_of(a))
    if is_numeric_like(a) and as_array(a).size == 0:
        return Cell.of([""], (1, 1))
    text = f"Conversion to cellstr from {class_of(a)} is not possible."
    raise MatlabError("MATLAB:cellstr:MustBeText", text)
