"""Properties that one object has beside those of its class."""

from __future__ import annotations

from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.interpreter.objects.class_model import Property
from app.engine.interpreter.objects.property_description import DynamicProperty
from app.engine.values import EMPTY, HandleObject, Value, text_of
from app.errors import MatlabError


@builtin(
    "addprop",
    category="objects",
    signatures=("p = addprop(obj, name)", "T = addprop(T, names, kinds)"),
    device=CONTAINER,
    cases=(
        "writelines('classdef Bag < dynamicprops, end', 'Bag.m'); b = Bag; "
        "addprop(b, 'k'); b.k = 3; b.k == 3",
        "writelines('classdef Bag < dynamicprops, end', 'Bag.m'); b = Bag; p = addprop(b, 'k'); "
        "b.k = 2; p.GetMethod = @(o) 10 * o.k; was = b.k; delete(p); was == 20 && ~isprop(b, 'k')",
        "T = addprop(table(1), 'Unit', 'table'); T.Properties.CustomProperties.Unit = 'm'; "
        "strcmp(T.Properties.CustomProperties.Unit, 'm')",
    ),
    see=("isprop", "findprop", "properties", "rmprop"),
)
def addprop(x: Value, name: Value, kinds: Value = None) -> Value:
    """Give an object of a class derived from ``dynamicprops`` a property of its own.

    A table gets properties of kind 'table' with one value, or 'variable' with one per variable.

    The output describes it: its attributes can be set (``p.Hidden = true``), ``p.GetMethod`` and
    ``p.SetMethod`` are functions that read and set it, and ``delete(p)`` takes it away again.
    """
    wanted = text_of(name)
    if not isinstance(x, HandleObject) or not x.class_info.is_a("dynamicprops"):
        text = "Undefined function 'addprop' for this class: it does not derive from dynamicprops."
        raise MatlabError("MATLAB:UndefinedFunction", text)
    info = x.class_info
    if not wanted.isidentifier() or info.find_property(wanted) is not None:
        text = f"Cannot add property '{wanted}': it exists already, or is not a valid name."
        raise MatlabError("MATLAB:class:PropertyInUse", text)
    x.class_info = info.with_property(Property(wanted, info, lambda: EMPTY, dynamic=True))
    x.properties[wanted] = EMPTY
    return DynamicProperty(x, wanted)
