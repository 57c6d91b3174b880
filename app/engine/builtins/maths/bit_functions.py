"""Integers bit by bit: bitand, bitor, bitxor, bitshift, bitcmp, bitget, bitset, swapbytes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import cache

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
from app.engine.builtins.vectors import natural_pair
from app.engine.declarations.device_support import term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import integer_numbers, integer_value
from app.engine.operators.expansion import align
from app.engine.values import (
    INTEGER_CLASSES,
    Array,
    Value,
    as_array,
    canonical,
    int_of,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError


def _assumed_class(name: str, v: Value) -> np.dtype:
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
    if type(kind) is not str:
        kind = _assumed_class(name, kind).name
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
    pair = natural_pair(a, b) if kind == "uint64" else None
    if pair is not None:
        return canonical(function(*pair).astype(np.float64))
    x, y = align(as_array(a), as_array(b))
    whole = [v for v in (x, y) if v.dtype.kind in "iu"]
    assumed = _assumed_class(name, kind)
    dtype = whole[0].dtype if whole else assumed
    if whole and dtype != assumed != np.uint64:
        raise _assumed_error(name)
    for v in (x, y):
        if v.dtype.kind == "f" and v.size:
            _check_doubles(name, v, dtype)
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

    Bits beyond the class are lost; whole doubles stand for numbers of the class ``kept`` (uint64),
    or, as in older releases, keep their lowest ``kept`` bits.
    """
    if (
        (type(a) is type(k) is float and kept is None)
        and (0.0 < a < _EXACT and abs(k) <= 64.0)
        and (a.is_integer() and k.is_integer())
    ):
        return float(math.floor(a * 2.0**k)) % 2.0**64
    if type(a) is np.ndarray and a.dtype.char == "d" and type(k) is float and kept is None:
        shifted = _shifted_doubles(a, k)
        if shifted is not None:
            return shifted
    by_bits = as_array(k)
    if by_bits.dtype.kind == "f" and np.count_nonzero(np.floor(by_bits) != by_bits):
        raise MatlabError("MATLAB:bitshift:NotInteger", "K must be an array of integers.")
    x, n = align(as_array(a), by_bits.astype(np.int64))
    by_class = kept is None or is_text_scalar(kept)
    whole = _whole_numbers("bitshift", x, "uint64" if kept is None or not by_class else kept)
    if not by_class:
        (NUMBER & WHOLE & POSITIVE)("bitshift", 3, kept)
    least = None if by_class else (1 << min(int_of(kept), _width(whole.dtype))) - 1
    if whole.size == n.size == 1 and whole.dtype == x.dtype and whole.item() >= 0:
        number, by = whole.item(), n.item()
        number = number << min(by, 64) if by >= 0 else number >> -by
        return integer_value(_wrapped(number, whole.dtype, least), x.dtype)
    made = _shifted_bits(whole, n)
    if least is not None:
        made = np.where(whole < 0, made, made & whole.dtype.type(least))
    return canonical(made.astype(x.dtype if x.dtype.kind in "iuf" else np.float64))


_EXACT = 2.0**53
"""Doubles below it are whole numbers that bits can be taken of."""
_HALF_OF_SIGNED = np.array(1 << 62, np.uint64)


def _shifted_doubles(x: Array, k: float) -> Array | None:
    """Whole doubles below 2^62 with their bits shifted by one number; None for all else."""
    if not k.is_integer() or abs(k) > 63.0:
        return None
    signed = x.astype(np.int64)
    whole = signed.view(np.uint64)  # negative numbers are large
    if np.count_nonzero(signed.astype(np.float64) != x) or np.count_nonzero(
        whole > _HALF_OF_SIGNED
    ):
        return None
    shift = np.left_shift if k >= 0.0 else np.right_shift
    made: Array = shift(whole, np.array(abs(k), np.uint64)).astype(np.float64)
    return made


def _width(dtype: np.dtype) -> int:
    """The bits of a class that count, without the sign."""
    return 8 * dtype.itemsize - (dtype.kind == "i")


def _whole_numbers(name: str, x: Array, kind: Value) -> Array:
    """Numbers as integers of their class; doubles as those of the class ``kind``."""
    assumed = _assumed_class(name, kind)
    if x.dtype.kind in "iu":
        if kind != "uint64" and x.dtype != assumed:
            raise _assumed_error(name)
        return x
    _check_doubles(name, x, assumed)
    return x.astype(assumed)


def _check_doubles(name: str, x: Array, assumed: np.dtype) -> None:
    """Raise unless doubles are whole numbers of the integer class that they stand for."""
    low, high = _limits(assumed)
    # The limit is a power of two: that of uint64 itself, 2^64 - 1, cannot be held by a double.
    wrong = x.size and (~(x >= low) | (x >= float(high + 1)) | (x != np.floor(x)))
    if np.count_nonzero(wrong):
        text = "Double inputs must have integer values in the range of ASSUMEDTYPE."
        raise MatlabError(f"MATLAB:{name}:outOfRange", text)


def _wrapped(number: int, dtype: np.dtype, least: int | None) -> int:
    """A whole number without the bits that its class has no room for, or beyond ``least``."""
    bits = 8 * dtype.itemsize
    number &= (1 << bits) - 1 if least is None else least
    return number - (1 << bits) if dtype.kind == "i" and number >> (bits - 1) else number


def _shifted_bits(x: Array, n: Array) -> Array:
    """Integers with their bits shifted; what leaves the class is lost, signs fill up from above."""
    left: Array = np.minimum(np.maximum(n, 0), 63)
    right: Array = np.minimum(np.maximum(-n, 0), 63)
    if x.dtype.kind == "u":
        wide: Array = x.astype(np.uint64) << left.astype(np.uint64) >> right.astype(np.uint64)
        return np.where(np.abs(n) > 63, 0, wide).astype(x.dtype)
    wide = (x.astype(np.int64) << left) >> right
    return np.where(n > 63, 0, wide).astype(x.dtype)


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
