"""Objects of classes derived from a class of numbers: ``classdef Length < double``.

Such an object holds its numbers beside its properties. Subscripts and concatenation keep the class;
operators and builtin functions compute with the numbers and return numbers.
"""

from __future__ import annotations

from typing import Any

from app.engine.values import ObjectValue, Value, class_of, size_of
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
_KEEP_CLASS = frozenset(("reshape", "permute", "repmat", "transpose", "ctranspose", "squeeze"))


def is_derived(x: Value) -> bool:
    """True for an object that holds numbers and is no member of an enumeration."""
    return isinstance(x, ObjectValue) and VALUE in x.properties and not x.class_info.enumeration


def number(x: Value) -> Value:
    """The numbers of a derived object; anything else as it is."""
    return x.properties[VALUE] if is_derived(x) else x


def with_number(x: Any, v: Value) -> Value:
    """The object ``x`` with other numbers."""
    return type(x)(x.class_info, {**x.properties, VALUE: v})


def computes(name: str) -> bool:
    """Does the builtin ``name`` take the numbers of derived objects?"""
    return name not in _OF_OBJECTS


def compute(name: str, call: Any, args: tuple[Value, ...], nargout: int) -> Value:
    """A builtin on arguments some of which are derived objects."""
    made = call(*map(number, args), nargout=nargout)
    return with_number(args[0], made) if name in _KEEP_CLASS and is_derived(args[0]) else made


def display_text(x: Any, properties: Value) -> str:
    """What ``disp`` shows: the properties, then the numbers."""
    name, held = x.class_info.name, number(x)
    size = "" if size_of(x) == (1, 1) else "×".join(map(str, size_of(x))) + " "
    array = " array" if size else ""
    shown = f" with properties:\n\n{displays.disp(properties)}" if properties.fields else ":\n"
    return f"  {size}{name}{array}{shown}\n  {class_of(held)} data:\n{displays.disp(held)}"
