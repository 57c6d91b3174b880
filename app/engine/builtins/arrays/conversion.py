"""Class conversion: double, single, int8 … uint64, logical, char, string, cast, typecast, bits."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from app.engine.arguments.checks import (
    NUMBER,
    NUMBERS,
    POSITIVE,
    REAL,
    WHOLE,
    takes,
    unless_text,
    within,
)
from app.engine.builtins.maths import integer_forms
from app.engine.capture.device_arrays import device_creator
from app.engine.declarations.device_support import Custom, HostOnly, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators import operator_overloads
from app.engine.operators.arithmetic import cast as cast_array
from app.engine.operators.arithmetic import integer_numbers, integer_value
from app.engine.operators.expansion import align
from app.engine.operators.number_text import char_rows
from app.engine.operators.string_operators import to_strings
from app.engine.values import (
    DTYPE_OF_CLASS,
    INTEGER_CLASSES,
    Array,
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
    int_of,
    is_char,
    is_numeric_like,
    is_string,
    is_text_scalar,
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
        return v if v.matrix.dtype.kind == "c" else SparseMatrix(v.matrix.astype(np.float64))
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
        return SparseMatrix(a.matrix.astype(bool))
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
    return StringArray.of([""] * int(np.prod(shape)), shape)


@builtin(
    "cellstr",
    category=_FAMILY,
    signatures=("C = cellstr(A)",),
    cases=("isequal(cellstr('ab'), {'ab'})", "isequal(cellstr([\"a\" \"b\"]), {'a', 'b'})"),
    see=("char", "string"),
)
def cellstr(a: Value) -> Value:
    """Convert to a cell array of char vectors."""
    if isinstance(a, Cell):
        return a
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


# --- bits -------------------------------------------------------------------------------------


def _assumed_class(name: str, v: Value) -> np.dtype[Any]:
    """The integer class that doubles stand for."""
    word = text_of(v) if is_text_scalar(v) else ""
    if word not in INTEGER_CLASSES:
        text = f"ASSUMEDTYPE must be one of: {', '.join(INTEGER_CLASSES)}."
        raise MatlabError(f"MATLAB:{name}:unknownType", text)
    return np.dtype(word)


@cache
def _limits(dtype: np.dtype) -> tuple[int, int]:
    """The least and the largest number of an integer class."""
    found = np.iinfo(dtype)
    return int(found.min), int(found.max)


def _assumed_error(name: str) -> MatlabError:
    text = "ASSUMEDTYPE must be the class of the integer inputs."
    return MatlabError(f"MATLAB:{name}:mixedClasses", text)


_OF_WHOLE: dict[str, Callable[[int, int], int]] = {
    "bitand": operator.and_,
    "bitor": operator.or_,
    "bitxor": operator.xor,
}


def _bitwise(name: str, function: np.ufunc, a: Value, b: Value, kind: Value) -> Value:
    numbers = integer_numbers(a, b)
    if numbers is not None and kind == "uint64" and type(numbers[0]) is type(numbers[1]) is int:
        first, second, dtype = int(numbers[0]), int(numbers[1]), numbers[2]
        low, high = _limits(dtype)
        if low <= min(first, second) and max(first, second) <= high:
            return integer_value(_OF_WHOLE[name](first, second), dtype)
    if type(a) is type(b) is np.ndarray and kind == "uint64":
        of_one_class = a.dtype is b.dtype and a.dtype.kind in "iu"
        if of_one_class and a.size > 1 and b.shape in (a.shape, (1, 1)):
            return np.asarray(function(a, b))
    x, y = align(as_array(a), as_array(b))
    whole = [v for v in (x, y) if v.dtype.kind in "iu"]
    assumed = _assumed_class(name, kind)
    dtype = whole[0].dtype if whole else assumed
    if whole and dtype != assumed != np.uint64:
        raise _assumed_error(name)
    low, high = _limits(dtype)
    for v in (x, y):
        if v.dtype.kind != "f" or not v.size:
            continue
        if v.min() < low or v.max() > high or (v != np.floor(v)).any():
            text = "Double inputs must have integer values in the range of ASSUMEDTYPE."
            raise MatlabError(f"MATLAB:{name}:outOfRange", text)
    result = np.asarray(function(x.astype(dtype, copy=False), y.astype(dtype, copy=False)))
    return canonical(result if whole else result.astype(np.float64))


@builtin(
    "bitand",
    category="bits",
    signatures=("C = bitand(A, B)", "C = bitand(A, B, assumedtype)"),
    device=term_form(integer_forms.bitand),
    cases=("bitand(12, 10) == 8",),
    see=("bitor", "bitxor"),
)
def bitand(a: Value, b: Value, kind: Value = "uint64") -> Value:
    """Bitwise AND; doubles stand for integers of the class ``kind``."""
    return _bitwise("bitand", np.bitwise_and, a, b, kind)


@builtin(
    "bitor",
    category="bits",
    signatures=("C = bitor(A, B)", "C = bitor(A, B, assumedtype)"),
    device=term_form(integer_forms.bitor),
    cases=("bitor(12, 10) == 14",),
    see=("bitand",),
)
def bitor(a: Value, b: Value, kind: Value = "uint64") -> Value:
    """Bitwise OR; doubles stand for integers of the class ``kind``."""
    return _bitwise("bitor", np.bitwise_or, a, b, kind)


@builtin(
    "bitxor",
    category="bits",
    signatures=("C = bitxor(A, B)", "C = bitxor(A, B, assumedtype)"),
    device=term_form(integer_forms.bitxor),
    cases=("bitxor(12, 10) == 6",),
    see=("bitand",),
)
def bitxor(a: Value, b: Value, kind: Value = "uint64") -> Value:
    """Bitwise exclusive OR; doubles stand for integers of the class ``kind``."""
    return _bitwise("bitxor", np.bitwise_xor, a, b, kind)


@builtin(
    "bitshift",
    category="bits",
    signatures=("C = bitshift(A, k)", "C = bitshift(A, k, assumedtype)", "C = bitshift(A, k, n)"),
    device=term_form(integer_forms.bitshift),
    cases=(
        "bitshift(1, 3) == 8",
        "bitshift(8, -2) == 2",
        "bitshift(2^31 + 7, 13, 32) == 57344",
        "bitshift(255, 1, 'uint8') == 254",
    ),
    see=("bitand",),
)
def bitshift(a: Value, k: Value, kept: Value | None = None) -> Value:
    """Shift bits to the left by k, to the right for negative k.

    Bits beyond the class are lost; for doubles it is 53 bits, the class ``kept``, or, as in older
    releases, the lowest ``kept`` bits.
    """
    by_bits = as_array(k)
    if by_bits.dtype.kind == "f" and not (np.floor(by_bits) == by_bits).all():
        raise MatlabError("MATLAB:bitshift:NotInteger", "K must be an array of integers.")
    x, n = align(as_array(a), by_bits.astype(np.int64))
    if x.dtype.kind in "iu":
        if x.size == n.size == 1 and x.item() >= 0:
            number, by = x.item(), n.item()
            number = number << min(by, 64) if by >= 0 else number >> -by
            return integer_value(number & ((1 << _bits_kept(x.dtype, kept)) - 1), x.dtype)
        return canonical(_shifted_bits(x, n, (1 << _bits_kept(x.dtype, kept)) - 1))
    shifted = np.floor(x * 2.0 ** n.astype(np.float64))
    most = 2.0 ** _bits_kept(x.dtype, kept)
    return unwrap(np.where(shifted >= most, np.mod(shifted, most), shifted).astype(x.dtype))


def _shifted_bits(x: Array, n: Array, mask: int) -> Array:
    """Integers with their bits shifted; bits outside ``mask`` are lost, but not the sign."""
    left, right = np.clip(n, 0, 63), np.clip(-n, 0, 63)
    if x.dtype.kind == "u":
        wide = x.astype(np.uint64) << left.astype(np.uint64) >> right.astype(np.uint64)
        return np.where(np.abs(n) > 63, 0, wide & np.uint64(mask)).astype(x.dtype)
    wide = (x.astype(np.int64) << left) >> right
    return np.where(n > 63, 0, np.where(x < 0, wide, wide & mask)).astype(x.dtype)


def _bits_kept(dtype: np.dtype[Any], kept: Value | None) -> int:
    """How many bits a shift keeps: those of the class, of an assumed class, or a number."""
    own = {"f": 24 if dtype == np.float32 else 53, "i": 8 * dtype.itemsize - 1}
    most = own.get(dtype.kind, 8 * dtype.itemsize)
    if kept is None:
        return most
    if is_text_scalar(kept):
        assumed = _assumed_class("bitshift", kept)
        if dtype.kind in "iu" and dtype != assumed:
            raise _assumed_error("bitshift")
        return min(most, 8 * assumed.itemsize - (assumed.kind == "i"))
    (NUMBER & WHOLE & POSITIVE)("bitshift", 3, kept)
    return min(most, int_of(kept))


@builtin(
    "bitcmp",
    category="bits",
    signatures=("C = bitcmp(A)", "C = bitcmp(A, assumedtype)", "C = bitcmp(A, n)"),
    device=term_form(integer_forms.bitcmp),
    cases=("bitcmp(uint8(1)) == 254", "bitcmp(5, 'uint8') == 250"),
    see=("bitand",),
)
@takes(NUMBERS & REAL, unless_text(NUMBER & WHOLE & within(1, 64)))
def bitcmp(a: Value, width: Value | None = None) -> Value:
    """Bitwise complement, of the lowest ``width`` bits or of a class if given."""
    x = as_array(a)
    if width is not None and is_text_scalar(width):
        width = float(8 * _assumed_class("bitcmp", width).itemsize)
    if x.dtype.kind not in "iu":
        digits = 24 if x.dtype == np.float32 else 53
        bits = digits if width is None else int_of(width)
        return canonical((2.0**bits - 1 - np.mod(x, 2.0**bits)).astype(x.dtype))
    if width is None:
        return canonical(np.invert(x))
    mask = x.dtype.type((1 << int_of(width)) - 1)
    return canonical(np.bitwise_and(np.invert(x), mask))


def _bits_of(name: str, a: Value, kind: Value | None) -> tuple[Array, str]:
    """Numbers as integers whose bits are meant, and NumPy's name of the answer's class.

    Doubles stand for numbers of the integer class ``kind`` where one is given.
    """
    x = as_array(a)
    home = x.dtype.name if x.dtype.kind in "iuf" else "float64"
    if kind is None:
        return x, home
    assumed = _assumed_class(name, kind)
    if x.dtype.kind in "iu" and x.dtype != assumed:
        raise _assumed_error(name)
    limits = np.iinfo(assumed)
    if x.size and (x.min() < limits.min or x.max() > limits.max or (x != np.floor(x)).any()):
        text = f"Inputs must be whole numbers of the class {assumed.name}."
        raise MatlabError(f"MATLAB:{name}:outOfRange", text)
    return x.astype(assumed), home


def _check_bit(x: Array, n: Array) -> None:
    """Bit numbers run from 1 to the number of bits of the class."""
    most = {"f": 53, "i": 8 * x.dtype.itemsize, "u": 8 * x.dtype.itemsize}.get(x.dtype.kind, 53)
    most = 24 if x.dtype == np.float32 else most
    if n.size and (n.min() < 1 or n.max() > most or (n != np.floor(n)).any()):
        text = f"Bit number must be an integer between 1 and {most}."
        raise MatlabError("MATLAB:bitSetGet:BITOutOfRange", text)
    if x.dtype.kind == "f" and x.size and (x.min() < 0 or (x != np.floor(x)).any()):
        text = "Double inputs must be nonnegative whole numbers."
        raise MatlabError("MATLAB:bitSetGet:outOfRange", text)


@builtin(
    "bitget",
    category="bits",
    signatures=("b = bitget(A, bit)", "b = bitget(A, bit, assumedtype)"),
    device=term_form(integer_forms.bitget),
    cases=("bitget(5, 3) == 1", "bitget(-1, 8, 'int8') == 1"),
    see=("bitset",),
)
@takes(NUMBERS)
def bitget(a: Value, bit: Value, kind: Value | None = None) -> Value:
    """Value of a bit, counted from 1; doubles may stand for an integer class."""
    numbers, home = _bits_of("bitget", a, kind)
    x, n = align(numbers, as_array(bit))
    _check_bit(x, n)
    result = (x.astype(np.int64) >> (n.astype(np.int64) - 1)) & 1
    return canonical(result.astype(home))


@builtin(
    "bitset",
    category="bits",
    signatures=(
        "C = bitset(A, bit)",
        "C = bitset(A, bit, value)",
        "C = bitset(..., assumedtype)",
    ),
    device=term_form(integer_forms.bitset),
    cases=("bitset(1, 2) == 3", "bitset(-1, 8, 0, 'int8') == 127"),
    see=("bitget",),
)
@takes(NUMBERS)
def bitset(a: Value, bit: Value, value: Value = 1.0, kind: Value | None = None) -> Value:
    """Set a bit, counted from 1; doubles may stand for an integer class."""
    if kind is None and is_text_scalar(value):
        value, kind = 1.0, value
    numbers, home = _bits_of("bitset", a, kind)
    x, n = align(numbers, as_array(bit))
    _check_bit(x, n)
    mask = np.left_shift(np.int64(1), n.astype(np.int64) - 1)
    on = as_array(value) != 0
    result = np.where(on, x.astype(np.int64) | mask, x.astype(np.int64) & ~mask)
    return canonical(result.astype(x.dtype).astype(home))


@builtin(
    "swapbytes",
    category="bits",
    signatures=("Y = swapbytes(X)",),
    cases=("swapbytes(uint16(1)) == 256",),
)
def swapbytes(x: Value) -> Value:
    """Reverse the order of the bytes of every element."""
    return canonical(as_array(x).byteswap())
