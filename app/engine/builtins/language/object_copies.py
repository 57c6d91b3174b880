"""What the classes of ours that are written in the language itself cannot do in it."""

from __future__ import annotations

from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.values import HandleObject, Value
from app.errors import MatlabError


@builtin(
    "matlab.internal.copyOf",
    category="objects",
    device=CONTAINER,
    signatures=("new = matlab.internal.copyOf(object)",),
    cases=(
        "writelines('classdef Cup < handle, properties, n = 1; "
        "end, end', 'Cup.m'); a = Cup; b = matlab.internal.copyOf(a); b.n = 2; "
        "a.n == 1",
    ),
    see=("isvalid",),
)
def copy_of(obj: Value) -> Value:
    """A new object of a handle class with the values of copyable properties; nothing is run."""
    if not isinstance(obj, HandleObject):
        text = "Only objects of handle classes are copied."
        raise MatlabError("MATLAB:class:InvalidArgument", text)
    made = object.__new__(type(obj))
    for owner in type(obj).__mro__:
        for slot in getattr(owner, "__slots__", ()):
            if slot not in {"__weakref__", "listeners"}:
                setattr(made, slot, getattr(obj, slot))
    made.properties, made.listeners = dict(obj.properties), []
    for prop in obj.class_info.all_properties():
        if prop.non_copyable and prop.name in made.properties:
            made.properties[prop.name] = prop.default()
    return made
