"""Checks of a builtin's arguments, declared once per function with ``@takes``.

``@takes(NUMBERS, SCALAR & POSITIVE)`` under ``@builtin(...)`` checks the first two arguments; the
errors are those of ``validateattributes``: ``MATLAB:NAME:expectedPositive`` and its text.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from app.engine.values import (
    Array,
    FunctionHandle,
    Value,
    as_array,
    class_of,
    int_of,
    is_char,
    is_logical,
    is_numeric,
    is_numeric_like,
    is_struct,
    is_text_scalar,
    numel,
    size_of,
    text_of,
)
from app.errors import MatlabError
from app.records import record

_F = TypeVar("_F", bound=Callable[..., Any])
_Receiver = TypeVar("_Receiver")
Test = Callable[[Value], bool]


@record
class Check:
    """Requirements a value must meet, in order.

    Attributes:
        rules: (end of the identifier, words of the message, test) of each.
    """

    rules: tuple[tuple[str, str, Test], ...]

    def __and__(self, other: Check) -> Check:
        return Check(self.rules + other.rules)

    def __call__(self, name: str, number: int, value: Value) -> None:
        """Raise MATLAB's error when ``value``, input ``number`` of ``name``, does not do."""
        for code, words, test in self.rules:
            if not test(value):
                text = f"Expected input number {number} of {name} to be {words}."
                if code == "invalidType":
                    text += f" Instead its type was {class_of(value)}."
                raise MatlabError(f"MATLAB:{name}:{code}", text)


def _check(code: str, words: str, test: Test) -> Check:
    return Check(((code, words, test),))


def _test_of_all(test: Callable[[Array], Array], of_double: Callable[[float], bool]) -> Test:
    """A test of every element, and the same of a double, which most arguments are."""

    def holds(v: Value) -> bool:
        if type(v) is float:
            return of_double(v)
        found = test(as_array(v))
        return bool(np.count_nonzero(found) == found.size)

    return holds


def _is_real(v: Value) -> bool:
    if type(v) is float:
        return True
    a = as_array(v)
    return a.dtype.kind != "c" or not np.count_nonzero(a.imag)


def _is_vector(v: Value) -> bool:
    return len(size_of(v)) == 2 and (1 in size_of(v) or numel(v) == 0)


def within(low: float, high: float) -> Check:
    """Elements between two bounds, both included; NaN passes."""
    return _check(
        "notInRange",
        f"in the range [{low:g}, {high:g}]",
        _test_of_all(lambda a: ~((a < low) | (a > high)), lambda x: not (x < low or x > high)),
    )


ANY = Check(())
NUMERIC = _check("invalidType", "numeric", is_numeric)
NUMBERS = _check("invalidType", "numeric or logical", lambda v: is_numeric(v) or is_logical(v))
LIKE_NUMBERS = _check(
    "invalidType",
    "numeric, logical or char",
    lambda v: is_numeric(v) or is_logical(v) or is_char(v),
)
FLOATS = _check(
    "invalidType",
    "one of these types: double, single",
    lambda v: class_of(v) in ("double", "single"),
)
REAL = _check("expectedReal", "real", _is_real)
SCALAR = _check("expectedScalar", "a scalar", lambda v: numel(v) == 1)
VECTOR = _check("expectedVector", "a vector", _is_vector)
MATRIX = _check("expected2D", "two-dimensional", lambda v: len(size_of(v)) == 2)
SQUARE = _check(
    "square", "a square matrix", lambda v: len(size_of(v)) == 2 and size_of(v)[0] == size_of(v)[1]
)
NONEMPTY = _check("expectedNonempty", "nonempty", lambda v: numel(v) > 0)
WHOLE = _check(
    "expectedInteger",
    "integer-valued",
    _test_of_all(lambda a: a == np.round(a), lambda x: x.is_integer() or math.isinf(x)),
)
POSITIVE = _check(
    "expectedPositive", "positive", _test_of_all(lambda a: ~(a <= 0), lambda x: not x <= 0)
)
NONNEGATIVE = _check(
    "expectedNonnegative", "nonnegative", _test_of_all(lambda a: ~(a < 0), lambda x: not x < 0)
)
NONZERO = _check("expectedNonzero", "nonzero", _test_of_all(lambda a: a != 0, lambda x: x != 0))
FINITE = _check("expectedFinite", "finite", _test_of_all(np.isfinite, math.isfinite))
TEXT = _check("invalidType", "a character vector or string scalar", is_text_scalar)
FUNCTION = _check(
    "invalidType",
    "a function handle or name",
    lambda v: isinstance(v, FunctionHandle) or is_text_scalar(v),
)
HANDLE = _check("invalidType", "a function handle", lambda v: isinstance(v, FunctionHandle))
STRUCT = _check("invalidType", "a struct", is_struct)
NUMBER = NUMBERS & REAL & SCALAR
COUNT = NUMBER & WHOLE & NONNEGATIVE
BINARY = _check(
    "notBinary", "0 or 1", _test_of_all(lambda a: (a == 0) | (a == 1), lambda x: x in (0.0, 1.0))
)


def element_count(n: int) -> Check:
    """Exactly ``n`` elements."""
    words = f"an array with number of elements equal to {n}"
    return _check("incorrectNumel", words, lambda v: numel(v) == n)


def optional(check: Check) -> Check:
    """The same requirements of a value that may also be ``[]``."""
    rules = tuple((c, w, cast(Test, functools.partial(_empty_or, t))) for c, w, t in check.rules)
    return Check(rules)


def unless_text(check: Check) -> Check:
    """The same requirements of a value that may also be an option word, or ``[]``."""
    rules = tuple((c, w, cast(Test, functools.partial(_text_or, t))) for c, w, t in check.rules)
    return Check(rules)


def _empty_or(test: Test, v: Value) -> bool:
    return numel(v) == 0 or test(v)


def _text_or(test: Test, v: Value) -> bool:
    return is_text_scalar(v) or numel(v) == 0 or test(v)


DIM = unless_text(NUMBERS & REAL & SCALAR & WHOLE & POSITIVE)
DIMS = unless_text(NUMBERS & REAL & VECTOR & WHOLE & POSITIVE)
FLAG = optional(NUMBERS & SCALAR & BINARY)


def takes(*checks: Check, name: str = "") -> Callable[[_F], _F]:
    """Check the arguments of the decorated builtin, one check for each, before it runs.

    ``name`` is the builtin's, where the Python function is called otherwise.
    """

    def guard(function: _F) -> _F:
        skip = int(next(iter(inspect.signature(function).parameters), "") == "ctx")
        called = name or function.__name__.strip("_")

        @functools.wraps(function)
        def checked(*args: Any, **options: Any) -> Any:
            for number, (check, value) in enumerate(zip(checks, args[skip:], strict=False), 1):
                if value is not None:
                    check(called, number, value)
            return function(*args, **options)

        return cast(_F, checked)

    return guard


def enough(values: Sequence[Value], least: int) -> None:
    """MATLAB's error when there are fewer values than ``least``."""
    if len(values) < least:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")


class WrongReceiver(MatlabError):
    """A method was called with a value of another class where its object is expected.

    What calls builtins tells of the function and the class instead, or of too many inputs.
    """


def receiver(args: Sequence[Value], kind: type[_Receiver]) -> _Receiver:
    """The object that a method of its class was called with, which is the first argument."""
    if args and isinstance(args[0], kind):
        return args[0]
    text = "A method needs an object of its class as the first argument."
    raise WrongReceiver("MATLAB:class:InvalidReceiver", text)


UNPAIRED = "Options must come in pairs of name and value."
"""The message for an option without a value."""


def option_pairs(name: str, args: Sequence[Value], known: str | None = None) -> dict[str, Value]:
    """Option words in lower case and their values.

    ``known`` names the options there are, with blanks between; beginnings that fit one of them
    stand for it, and others are refused. Without it the caller refuses what it does not know.
    """
    if len(args) % 2 or not all(is_text_scalar(k) for k in args[::2]):
        stray = next((text_of(k) for k in args if is_text_scalar(k)), "")
        if stray and known is not None and not _fitting(stray, known):
            raise unknown_option(name, stray, known)
        raise MatlabError(f"MATLAB:{name}:ArgNameValueMismatch", UNPAIRED)
    pairs = zip(map(text_of, args[::2]), args[1::2], strict=True)
    return {k.lower() if known is None else _option(name, k, known): v for k, v in pairs}


def _fitting(word: str, known: str) -> list[str]:
    """The known options that ``word`` names or begins."""
    options, word = known.lower().split(), word.lower()
    return [word] if word in options else [o for o in options if word and o.startswith(word)]


def _option(name: str, word: str, known: str) -> str:
    fitting = _fitting(word, known)
    if len(fitting) != 1:
        raise unknown_option(name, word, known)
    return fitting[0]


def split_pairs(args: Sequence[Value], names: Sequence[str]) -> tuple[list[Value], list[Value]]:
    """Pairs of name and value: those of the ``names`` (lower case), and the others."""
    first = len(args) % 2
    chosen: list[Value] = []
    others: list[Value] = list(args[:first])
    for k in range(first, len(args), 2):
        word = text_of(args[k]).lower() if is_text_scalar(args[k]) else ""
        (chosen if word in names else others).extend(args[k : k + 2])
    return chosen, others


def one_of(name: str, option: str, value: Value, known: str) -> str:
    """The word that an option's value is or begins, of the ``known`` ones (lower case)."""
    word = text_of(value).lower() if is_text_scalar(value) else ""
    fitting = _fitting(word, known)
    if len(fitting) != 1:
        text = f"{option} must be one of: {', '.join(known.split())}."
        raise MatlabError(f"MATLAB:{name}:invalid{option}", text)
    return fitting[0]


def switch_of(name: str, value: Value) -> bool:
    """The value of an option that is true or false: a logical, or a real number."""
    if type(value) is bool:
        return value
    a = None if is_char(value) or not is_numeric_like(value) else as_array(value)
    if a is None or a.size != 1 or a.dtype.kind == "c" or np.isnan(a).any():
        raise MatlabError("MATLAB:expectedLogical", f"The value of '{name}' must be true or false.")
    return bool(a.item())


def flag(options: Mapping[str, Value], name: str, default: bool = False) -> bool:
    """An option of ``option_pairs`` that is true or false."""
    return switch_of(name, options[name]) if name in options else default


def unknown_option(name: str, word: Value, known: str = "") -> MatlabError:
    """The error for an option that a builtin does not have; ``known`` names those it has."""
    shown = f"'{text_of(word)}'" if is_text_scalar(word) else f"A value of class {class_of(word)}"
    text = f"{shown} is not an option of {name}."
    if known:
        text += f" Its options are: {', '.join(known.split())}."
    return MatlabError(f"MATLAB:{name}:unknownOption", text)


def real_number(v: Value) -> float:
    """The first element of an argument as a real number; an empty one is the user's mistake, and
    so is a word."""
    if is_text_scalar(v) and numel(v) > 1:
        text = f"Expected a number, not the text '{text_of(v)}'."
        raise MatlabError("MATLAB:expectedNumeric", text)
    a = np.asarray(as_array(v))
    if a.size == 0:
        raise MatlabError("MATLAB:expectedNonempty", "Expected input to be nonempty.")
    return float(a.real.flat[0])


def common_shape(name: str, *values: Value) -> tuple[int, ...]:
    """The size all non-scalar arguments share; MATLAB's error when they differ."""
    shapes = {size_of(v) for v in values if numel(v) != 1}
    if len(shapes) > 1:
        raise MatlabError(
            f"MATLAB:{name}:InputSizeMismatch", "Non-scalar arguments must match in size."
        )
    return shapes.pop() if shapes else (1, 1)


def subject_of(where: tuple[Value, ...]) -> tuple[str, str]:
    """What messages are about: the function, as Octave names it, and the argument."""
    names = [v for v in where if is_text_scalar(v)]
    prefix = f"{text_of(names[0])}: " if names and text_of(names[0]) else ""
    subject = text_of(names[1]) if len(names) > 1 and text_of(names[1]) else "input"
    numbers = [v for v in where if not is_text_scalar(v)]
    if numbers and numel(numbers[0]):
        subject = f"input number {int_of(numbers[0])}" + (
            f", {subject}," if subject != "input" else ""
        )
    return prefix, subject
