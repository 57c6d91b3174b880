"""Builtins of one or two plain doubles called from loops, without the general dispatch.

Each gives None where it has no quick answer; the general function is called then.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.interpreter.file_table import write_text
from app.engine.values import Cell, Struct, StructArray, Value, numel, size_of
from app.engine.values.print_formats import render_scalars
from app.engine.values.random_stream import stream_of

Callee = Callable[..., Value]
_SMALL = 17.0
_PLAIN = frozenset((float, bool, complex, str, np.ndarray, Cell, Struct, StructArray))


def _mod(a: float, b: float) -> float | None:
    if b and a.is_integer() and b.is_integer():
        return a % b + 0.0
    return None


def _rem(a: float, b: float) -> float | None:
    if b and a.is_integer() and b.is_integer():
        r = abs(a) % abs(b)
        return -r if a < 0 and r else r
    return None


def _max(a: float, b: float) -> float | None:
    return a if a >= b else b if b > a else None


def _min(a: float, b: float) -> float | None:
    return a if a <= b else b if b < a else None


def _whole(function: Callable[[int, int], int], least: float) -> Callable[[float, float], Value]:
    """``function`` of two whole numbers that doubles hold exactly, none below ``least``."""

    def quick(a: float, b: float) -> float | None:
        if least <= a < _EXACT and least <= b < _EXACT and a.is_integer() and b.is_integer():
            return float(function(int(a), int(b)))
        return None

    return quick


_EXACT = 2.0**53


PAIRS: dict[str, Callable[[float, float], Value | None]] = {
    "mod": _mod,
    "rem": _rem,
    "max": _max,
    "min": _min,
    "gcd": _whole(math.gcd, -_EXACT),
    "bitand": _whole(operator.and_, 0.0),
    "bitor": _whole(operator.or_, 0.0),
    "bitxor": _whole(operator.xor, 0.0),
}
"""Functions of two doubles."""


def _isempty(x: Value) -> Value | None:
    return numel(x) == 0 if type(x) in _PLAIN else None


def _numel(x: Value) -> Value | None:
    return float(numel(x)) if type(x) in _PLAIN else None


def _length(x: Value) -> Value | None:
    if type(x) not in _PLAIN:
        return None
    shape = size_of(x)
    return 0.0 if 0 in shape else float(max(shape))


def _ischar(x: Value) -> Value | None:
    return type(x) is str if type(x) in _PLAIN else None


def _abs(x: Value) -> Value | None:
    try:
        return abs(x) if type(x) is float or type(x) is complex else None
    except OverflowError:
        return None


ANY: dict[str, Callable[[Value], Value | None]] = {
    "isempty": _isempty,
    "numel": _numel,
    "length": _length,
    "ischar": _ischar,
    "abs": _abs,
}
"""Functions of one value."""


def pair_entry(name: str, general: Callee) -> Callee:
    """``general`` with a quick way for two doubles."""
    quick = PAIRS[name]

    def entry(a: Any = None, b: Any = None, *rest: Value, nargout: int = 1) -> Value:
        if type(a) is float and type(b) is float and not rest and nargout < 2:
            made = quick(a, b)
            if made is not None:
                return made
        given = (a, b, *rest) if b is not None else () if a is None else (a,)
        return general(*given, nargout=nargout)

    return entry


def any_entry(name: str, general: Callee) -> Callee:
    """``general`` with a quick way for one plain value."""
    quick = ANY[name]

    def entry(*args: Value, nargout: int = 1) -> Value:
        if len(args) == 1:
            made = quick(args[0])
            if made is not None:
                return made
        return general(*args, nargout=nargout)

    return entry


DRAWS = {"rand": "uniform", "randn": "normal"}
"""Functions that draw random numbers, and of which kind."""


def draw_entry(context: Any, name: str, general: Callee) -> Callee:
    """``general`` with a quick way for one number and for small matrices."""
    kind = DRAWS[name]

    def entry(*args: Value, nargout: int = 1) -> Value:
        if not args:
            return stream_of(context).one(kind)
        rows, columns = args[0], args[-1]
        if (
            type(rows) is float
            and type(columns) is float
            and len(args) < 3
            and (1.0 < rows < _SMALL and 0.0 < columns < _SMALL)
            and rows.is_integer()
            and columns.is_integer()
        ):
            made = stream_of(context).few(kind, int(rows), int(columns))
            if made is not None:
                return made
        return general(*args, nargout=nargout)

    return entry


def sprintf_entry(general: Callee) -> Callee:
    """``sprintf`` with a quick way for scalars."""

    def entry(*args: Value, nargout: int = 1) -> Value:
        if len(args) > 1 and type(args[0]) is str:
            made = render_scalars(args[0], args[1:])
            if made is not None:
                return made
        return general(*args, nargout=nargout)

    return entry


def fprintf_entry(context: Any, general: Callee) -> Callee:
    """``fprintf`` with a quick way for scalars, to the command window or a file."""

    def entry(*args: Value, nargout: int = 1) -> Value:
        if nargout == 0 and len(args) > 1:
            first, second = args[0], args[1]
            if type(first) is str:
                made = render_scalars(first, args[1:])
                if made is not None:
                    context.write(made)
                    return None
            elif type(first) is float and type(second) is str and first.is_integer():
                made = render_scalars(second, args[2:])
                if made is not None:
                    write_text(context, int(first), made)
                    return None
        return general(*args, nargout=nargout)

    return entry


def quick_entry(context: Any, name: str, general: Callee) -> Callee | None:
    """``general`` with a quick way where the builtin has one."""
    if name in PAIRS:
        return pair_entry(name, general)
    if name in DRAWS:
        return draw_entry(context, name, general)
    if name in ANY:
        return any_entry(name, general)
    if name == "sprintf":
        return sprintf_entry(general)
    return fprintf_entry(context, general) if name == "fprintf" else None
