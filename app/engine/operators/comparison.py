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
from app.engine.values import Array, Value, as_array, char_codes, make_logical, unwrap


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A relational operator; ``ordering`` ones look at real parts only."""

    name: str
    symbol: str
    ufunc: np.ufunc
    scalar: Callable[[float, float], bool]
    ordering: bool = True


_NARROW = frozenset("bBhHiI")
"""Integer classes whose numbers are doubles, too."""


def relational(op: Relation, a: Value, b: Value) -> Value:
    """``a op b`` for any operands."""
    if type(a) is ND and type(b) is float and a.size < Limits.capture:
        if a.dtype.char == "d":
            return op.ufunc(a, b)
        if a.dtype.char in _NARROW and a.size > 1:
            return op.ufunc(a, b)
    ta, tb = type(a), type(b)
    if ta in ONE_NUMBER and tb in ONE_NUMBER:
        x, y = one_number(a), one_number(b)
        if x is not None and y is not None:
            return op.scalar(x, y)
    if type(a) is str and type(b) is str and a and b:
        few = _of_few_characters(op, a, b)
        return (
            unwrap(np.asarray(op.ufunc(*align(char_codes(a), char_codes(b)))))
            if few is None
            else few
        )
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


_FEW_CHARACTERS = 16
"""Characters that are compared one by one sooner than by operations of arrays."""


def _of_few_characters(op: Relation, a: str, b: str) -> Array | None:
    """``a op b`` of short texts of one length, or of a character and a text; None for others."""
    if len(a) == 1:
        tests = [op.scalar(ord(a), ord(y)) for y in b] if len(b) <= _FEW_CHARACTERS else None
    elif len(b) == 1:
        tests = [op.scalar(ord(x), ord(b)) for x in a] if len(a) <= _FEW_CHARACTERS else None
    elif len(a) == len(b) <= _FEW_CHARACTERS:
        tests = [op.scalar(ord(x), ord(y)) for x, y in zip(a, b, strict=True)]
    else:
        return None
    return None if tests is None else np.array([tests])


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
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary(name, symbol, a, b)
    if is_wide(a, b):
        from app.engine.capture import capture

        lazy = capture.logical(name, a, b)
        if lazy is not NotImplemented:
            return lazy
    x, y = align(as_array(make_logical(a)), as_array(make_logical(b)))
    return unwrap(np.asarray(ufunc(x, y)))


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
