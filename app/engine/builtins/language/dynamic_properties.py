"""Properties that one object has beside those of its class."""

from __future__ import annotations

from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.interpreter.objects.class_model import Property
from app.engine.values import EMPTY, HandleObject, Struct, Value, text_of
from app.errors import MatlabError


@builtin(
    "addprop",
    category="objects",
    signatures=("p = addprop(obj, name)", "T = addprop(T, names, kinds)"),
    device=CONTAINER,
    cases=(
        "writelines('classdef Bag < dynamicprops, end', 'Bag.m'); b = Bag; "
        "addprop(b, 'k'); b.k = 3; b.k == 3",
        "T = addprop(table(1), 'Unit', 'table'); T.Properties.CustomProperties.Unit = 'm'; "
        "strcmp(T.Properties.CustomProperties.Unit, 'm')",
    ),
    see=("isprop", "properties", "rmprop"),
)
def addprop(x: Value, name: Value, kinds: Value = None) -> Value:
    """Give an object of a class derived from ``dynamicprops`` a property of its own.

    A table gets properties of kind 'table' with one value, or 'variable' with one per variable.

    The output says which; its attributes cannot be changed.
    """
    wanted = text_of(name)
    if not isinstance(x, HandleObject) or not x.class_info.is_a("dynamicprops"):
        text = "Undefined function 'addprop' for this class: it does not derive from dynamicprops."
        raise MatlabError("MATLAB:UndefinedFunction", text)
    info = x.class_info
    if not wanted.isidentifier() or info.find_property(wanted) is not None:
        text = f"Cannot add property '{wanted}': it exists already, or is no valid name."
        raise MatlabError("MATLAB:class:PropertyInUse", text)
    own = Property(wanted, info, lambda: EMPTY)
    x.class_info = info.with_property(own)
    x.properties[wanted] = EMPTY
    return Struct({"Name": wanted, "DefiningClass": info.name})
