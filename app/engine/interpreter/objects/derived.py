"""Objects of classes derived from a class of numbers: ``classdef Length < double``.

Such an object holds its numbers beside its properties. Subscripts and concatenation keep the class;
operators and builtin functions compute with the numbers and return numbers. So do members of an
enumeration that derives from a class of numbers, and arrays of them, in mathematics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from app.engine.declarations import registry
from app.engine.values import (
    ObjectArray,
    ObjectValue,
    Struct,
    Value,
    canonical,
    class_of,
    size_of,
)
from app.engine.values import display as displays

VALUE = "#value"
_OF_OBJECTS = frozenset(
    (
        "class",
        "isa",
        "isobject",
        "disp",
        "display",
        "properties",
        "methods",
        "ismethod",
        "isprop",
        "metaclass",
        "builtin",
        "feval",
        "cellfun",
        "arrayfun",
        "deal",
        "struct",
        "save",
        "whos",
        "subsref",
        "subsasgn",
        "horzcat",
        "vertcat",
        "cat",
        "isvalid",
        "num2cell",
    )
)
_OF_NUMBERS = frozenset(
    (
        "bits",
        "complex numbers",
        "elementary maths",
        "exponents and logarithms",
        "histograms",
        "moving windows",
        "number theory",
        "operators",
        "reductions",
        "rounding",
        "sets",
        "sorting and searching",
        "text output",
        "trigonometry",
    )
)
"""The categories of functions that compute with the numbers of members of enumerations."""
_ALSO_OF_NUMBERS = frozenset(
    "accumarray dec2bin dec2hex int2str isfloat isinteger islogical isnumeric linspace mat2str "
    "num2str ones sub2ind zeros".split()
)
_CHOOSE_MEMBERS = frozenset(("sort", "max", "min", "unique", "setdiff", "intersect"))
"""Functions whose first output is some of what they are given."""
_KEEP_CLASS = frozenset(("reshape", "permute", "repmat", "transpose", "ctranspose", "squeeze"))


def is_derived(x: Value) -> TypeGuard[ObjectValue]:
    """True for an object that holds numbers and is no member of an enumeration."""
    return isinstance(x, ObjectValue) and VALUE in x.properties and not x.class_info.enumeration


def number(x: Value) -> Value:
    """The numbers of a derived object; anything else as it is."""
    return x.properties[VALUE] if is_derived(x) else x


def with_number(x: Any, v: Value) -> Value:
    """The object ``x`` with other numbers."""
    return type(x)(x.class_info, {**x.properties, VALUE: v})


def base_value(base: str, args: tuple[Value, ...]) -> Value:
    """What an object derived from the class of numbers ``base`` holds: its first argument there."""
    value = args[0] if args else 0.0
    convert = registry.lookup(base)
    return value if convert is None or class_of(value) == base else convert.call(None, (value,))


def has_number(x: Value) -> bool:
    """True for members, and arrays of members, of an enumeration that derives from numbers."""
    if isinstance(x, ObjectValue):
        return VALUE in x.properties
    return isinstance(x, ObjectArray) and all(VALUE in e.properties for e in x.data.flat)


def member_numbers(x: Value) -> Value:
    """The numbers of members of an enumeration; anything else as it is."""
    if isinstance(x, ObjectValue) and has_number(x):
        return x.properties[VALUE]
    numbers = x.to_double if isinstance(x, ObjectArray) else None
    return x if numbers is None else canonical(np.asarray(numbers()))


def takes_numbers(name: str, args: tuple[Value, ...]) -> bool:
    """Does the builtin ``name`` take the numbers of the objects among ``args``?"""
    if any(map(is_derived, args)):
        return True
    found = registry.lookup(name)
    if found is None or name in _OF_OBJECTS or not any(map(has_number, args)):
        return False
    return name in _ALSO_OF_NUMBERS or found.category in _OF_NUMBERS


def _computed_with_members(
    name: str, call: Callable[..., Value], args: tuple[Value, ...], nargout: int
) -> Value:
    """A builtin on members of enumerations: those it chooses stay members."""
    made = call(*map(member_numbers, args), nargout=nargout)
    first = args[0]
    if name not in _CHOOSE_MEMBERS or not isinstance(first, ObjectArray):
        return made
    chosen = made[0] if isinstance(made, tuple) else made
    known = {np.asarray(member_numbers(e)).item(): e for e in first.data.flat}
    rows = np.asarray(chosen)
    data = np.empty(rows.shape, dtype=object)
    for place in np.ndindex(rows.shape):
        data[place] = known[rows[place].item()]
    picked = data.flat[0] if data.size == 1 else ObjectArray(first.class_info, data)
    return (picked, *made[1:]) if isinstance(made, tuple) else picked


def computes(name: str) -> bool:
    """Does the builtin ``name`` take the numbers of derived objects?"""
    return name not in _OF_OBJECTS


def compute(name: str, call: Callable[..., Value], args: tuple[Value, ...], nargout: int) -> Value:
    """A builtin on arguments some of which are derived objects, or members of enumerations."""
    if not any(map(is_derived, args)):
        return _computed_with_members(name, call, args, nargout)
    made = call(*map(number, args), nargout=nargout)
    return with_number(args[0], made) if name in _KEEP_CLASS and is_derived(args[0]) else made


def display_text(x: Any, properties: Struct) -> str:
    """What ``disp`` shows: the properties, then the numbers."""
    name, held = x.class_info.name, number(x)
    size = "" if size_of(x) == (1, 1) else "×".join(map(str, size_of(x))) + " "
    array = " array" if size else ""
    shown = f" with properties:\n\n{displays.disp(properties)}" if properties.fields else ":\n"
    return f"  {size}{name}{array}{shown}\n  {class_of(held)} data:\n{displays.disp(held)}"
