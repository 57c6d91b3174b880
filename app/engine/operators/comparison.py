"""Relational and logical operators on the host."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.capture.lazy_limits import Limits
from app.engine.operators import operator_overloads
from app.engine.operators.arithmetic import (
    ND,
    ONE_NUMBER,
    PLAIN,
    WIDE,
    integer_numbers,
    is_large,
    is_wide,
    one_number,
)
from app.engine.operators.expansion import align
from app.engine.values import Array, CharArray, Value, as_array, char_codes, make_logical, unwrap


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A relational operator; ``ordering`` ones look at real parts only."""

    name: str
    symbol: str
    ufunc: np.ufunc
    scalar: Callable[[float, float], bool]
    ordering: bool = True


_NARROW = frozenset("?bBhHiI")
"""Classes whose elements are numbers that doubles hold, too."""


def _are_few(v: Array) -> bool:
    """Whether elements are few that NumPy compares with one double as MATLAB does, not one."""
    letter = v.dtype.char
    return (letter == "d" or (letter in _NARROW and v.size > 1)) and v.size < Limits.capture


def relational(op: Relation, a: Value, b: Value) -> Value:
    """``a op b`` for any operands."""
    if type(a) is ND and _are_few(a):
        if type(b) is float or (type(b) is ND and a.dtype is b.dtype and a.shape == b.shape):
            return op.ufunc(a, b)
    elif type(a) is float and type(b) is ND and _are_few(b):
        return op.ufunc(a, b)
    ta, tb = type(a), type(b)
    if ta in _TEXTS and tb in _TEXTS:
        found = _of_characters(op, _codes(a), _codes(b))  # type: ignore[arg-type]  # both are texts
        if found is not None:
            return found
    if ta in ONE_NUMBER and tb in ONE_NUMBER:
        x, y = one_number(a), one_number(b)
        if x is not None and y is not None:
            return op.scalar(x, y)
    if ta not in PLAIN or tb not in PLAIN:
        return operator_overloads.binary(op.name, op.symbol, a, b)
    numbers = integer_numbers(a, b)
    if numbers is not None:
        return op.scalar(numbers[0], numbers[1])
    if is_wide(a, b):
        from app.engine.capture.capture import compare

        lazy = compare(op.name, a, b)
        if lazy is not NotImplemented:
            return lazy
    return host_relational(op, as_array(a), as_array(b))


_TEXTS = frozenset((str, CharArray))


_SINGLE = list(np.arange(128, dtype=np.uint32).reshape(-1, 1, 1))
"""The codes of single characters."""


def _codes(v: str | CharArray) -> Array:
    return _SINGLE[ord(v)] if type(v) is str and len(v) == 1 and v.isascii() else char_codes(v)


def _of_characters(op: Relation, x: Array, y: Array) -> Array | None:
    """``x op y`` of codes in arrays of one size, or of one code and several; None for all else."""
    fits = x.shape == y.shape or x.size == 1 or y.size == 1
    return op.ufunc(x, y) if fits and x.ndim == y.ndim == 2 and x.size * y.size > 1 else None


def host_relational(op: Relation, x: Array, y: Array) -> Value:
    """``x op y`` for arrays."""
    x, y = align(x, y)
    if op.ordering:
        x, y = x.real, y.real
    if x.dtype.char == "f" or y.dtype.char == "f":
        x, y = _in_single(x, y)
    return unwrap(related(op.ufunc, x, y))


def related(ufunc: np.ufunc, x: Array, y: Array) -> Array:
    """A comparison of real arrays that fit each other, exact for integers beside floats, too."""
    made = np.asarray(ufunc(x, y))
    if x.dtype in WIDE and y.dtype.kind == "f":
        _relate_rounded(made, ufunc, x, y)
    elif y.dtype in WIDE and x.dtype.kind == "f":
        _relate_rounded(made, lambda b, a: ufunc(a, b), y, x)
    return made


def _relate_rounded(
    made: Array, compare: Callable[[Array, Array], Array], whole: Array, y: Array
) -> None:
    """Relate integers of 64 bits to the numbers that they become when they are rounded to doubles.

    NumPy compares the rounded integers, which is right wherever they are not equal.
    """
    equal = whole.astype(np.float64) == y
    if not equal.any():
        return
    whole, y = np.broadcast_arrays(whole, y)
    whole, y = whole[equal], y[equal]
    beyond = y >= float(np.iinfo(whole.dtype).max)
    exact = np.where(beyond, 0, y).astype(whole.dtype)
    made[equal] = np.where(beyond, compare(exact, exact + 1), compare(whole, exact))


def _in_single(x: Array, y: Array) -> tuple[Array, Array]:
    """A double beside a single is compared in single precision."""
    if x.dtype.char == "d":
        x = x.astype(np.float32)
    if y.dtype.char == "d":
        y = y.astype(np.float32)
    return x, y


def logical_binary(name: str, symbol: str, ufunc: Callable[..., Any], a: Value, b: Value) -> Value:
    """Elementwise ``&`` and ``|``."""
    if (
        type(a) is ND is type(b)
        and a.dtype.char == b.dtype.char == "?"
        and a.shape == b.shape
        and a.size < Limits.capture
    ):
        return unwrap(ufunc(a, b))
    if _are_alike(a, b):
        return ufunc(make_logical(a), make_logical(b))
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary(name, symbol, a, b)
    if is_wide(a, b):
        from app.engine.capture import capture

        lazy = capture.logical(name, a, b)
        if lazy is not NotImplemented:
            return lazy
    x, y = align(as_array(make_logical(a)), as_array(make_logical(b)))
    return unwrap(np.asarray(ufunc(x, y)))


def _are_alike(a: Value, b: Value) -> bool:
    """Whether both are small arrays of one size, of doubles and truth values."""
    return (
        type(a) is ND
        and type(b) is ND
        and a.dtype.char in "d?"
        and b.dtype.char in "d?"
        and a.shape == b.shape
        and a.size < Limits.capture
    )


def logical_not(a: Value) -> Value:
    """Elementwise ``~``."""
    if type(a) is bool:
        return not a
    if type(a) is float:
        return not make_logical(a)
    if type(a) is ND and a.dtype.char == "?" and a.size < Limits.capture:
        return ~a
    if type(a) not in PLAIN:
        return operator_overloads.unary("not", "~", a)
    if is_large(a):
        from app.engine.capture import capture

        lazy = capture.logical_not(a)
        if lazy is not NotImplemented:
            return lazy
    return unwrap(np.logical_not(as_array(make_logical(a))))


EQ = Relation("eq", "==", np.equal, operator.eq, ordering=False)
NE = Relation("ne", "~=", np.not_equal, operator.ne, ordering=False)
LT = Relation("lt", "<", np.less, operator.lt)
LE = Relation("le", "<=", np.less_equal, operator.le)
GT = Relation("gt", ">", np.greater, operator.gt)
GE = Relation("ge", ">=", np.greater_equal, operator.ge)
