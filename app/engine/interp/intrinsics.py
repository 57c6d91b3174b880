"""Builtins of one or two plain doubles called from loops, without the general dispatch.

Each gives None where it has no quick answer; the general function is called then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.values import Cell, Struct, StructArray, Value, numel, size_of

Callee = Callable[..., Value]
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


PAIRS: dict[str, Callable[[float, float], Value | None]] = {
    "mod": _mod, "rem": _rem, "max": _max, "min": _min,
}  # fmt: skip
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


ANY: dict[str, Callable[[Value], Value | None]] = {
    "isempty": _isempty, "numel": _numel, "length": _length, "ischar": _ischar,
}  # fmt: skip
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


_templates: dict[str, tuple[str, str] | None] = {}


def _around_number(template: str) -> tuple[str, str] | None:
    """The text before and after the only conversion of a template, when that is a plain %d."""
    from app.engine.builtins.formatting import Conversion, parse

    parts = parse(template)
    places = [k for k, p in enumerate(parts) if isinstance(p, Conversion)]
    if len(places) != 1:
        return None
    found = parts[places[0]]
    plain = isinstance(found, Conversion) and found.kind in "di" and not found.flags
    if not plain or found.width is not None or found.precision is not None:  # type: ignore[union-attr]
        return None
    before, after = parts[: places[0]], parts[places[0] + 1 :]
    return "".join(map(str, before)), "".join(map(str, after))


def sprintf_entry(general: Callee) -> Callee:
    """``sprintf`` with a quick way for one whole number."""

    def entry(*args: Value, nargout: int = 1) -> Value:
        if len(args) == 2 and type(args[0]) is str and type(args[1]) is float:
            template, number = args
            if template not in _templates:
                _templates[template] = _around_number(template)
            around = _templates[template]
            if around is not None and number.is_integer():
                return f"{around[0]}{int(number)}{around[1]}"
        return general(*args, nargout=nargout)

    return entry
