"""Objects of classes in files: as structs of their class, their identity and their properties."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.engine.interpreter.objects import events
from app.engine.values import (
    Cell,
    HandleObject,
    ObjectArray,
    ObjectValue,
    Struct,
    Value,
    cell_items,
    object_array,
    size_of,
)

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context
    from app.engine.interpreter.objects.class_model import ClassInfo

Convert = Callable[[Value], Value | None]
ONE, MANY = "classdef object", "classdef array"
"""The marks of an object and of an array of them."""


@dataclass
class Identities:
    """Which handle objects of one file are the same.

    Every variable holds the objects it refers to, so that it can be read alone; where two
    variables hold the same one, its name says so.

    Attributes:
        names: names of the objects by ``id``, and the objects, which keeps them alive.
        written: names of those that the variable holds already.
        restored: objects that were read, by name.
    """

    names: dict[int, tuple[str, Value]] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    restored: dict[str, Value] = field(default_factory=dict)

    def name_of(self, v: HandleObject) -> str:
        """The name of an object, unique among all files."""
        return self.names.setdefault(id(v), (uuid.uuid4().hex, v))[0]


def packed_object(v: ObjectValue, identities: Identities, convert: Convert) -> Struct | None:
    """The struct of one object; ``saveobj`` runs. None where a property cannot be saved."""
    info = v.class_info
    fields: dict[str, Value] = {"class": info.name, "id": ""}
    if info.enumeration:
        return Struct({**fields, "member": v.properties["#name"]})
    if isinstance(v, HandleObject):
        fields["id"] = name = identities.name_of(v)
        if name in identities.written:
            return Struct(fields)
        identities.written.add(name)
    method = info.find_method("saveobj")
    shown = v if method is None or method.function is None else method.function(v, nargout=1)
    if not isinstance(shown, ObjectValue) or shown.class_info is not info:
        made = convert(shown)
        return None if made is None else Struct({**fields, "data": made})
    kept = {n: convert(x) for n, x in shown.properties.items() if not _is_transient(info, n)}
    if any(x is None for x in kept.values()):
        return None
    row = (1, len(kept))
    fields["names"] = Cell(object_array(list(kept), row))
    fields["values"] = Cell(object_array(list(kept.values()), row))
    return Struct(fields)


def _is_transient(info: ClassInfo, name: str) -> bool:
    prop = info.find_property(name)
    return prop is not None and prop.transient


def packed_array(v: ObjectArray, convert: Convert) -> Struct | None:
    """The struct of an array of objects."""
    items = [convert(x) for x in v.data.ravel(order="F")]
    if any(x is None for x in items):
        return None
    return Struct({"class": v.class_info.name, "items": Cell(object_array(items, v.shape))})


def restored_object(
    ctx: Context, saved: dict[str, Value], identities: Identities, convert: Convert
) -> Value:
    """The object of a struct; ``loadobj`` runs, the constructor where its class says so.

    Where its class is not found, the struct and a warning.
    """
    name, objects = str(saved["id"]), ctx.interpreter.objects
    if name and name in identities.restored:
        return identities.restored[name]
    info = objects.find_class(str(saved["class"]))
    if info is None:
        text = f"Class '{saved['class']}' is not on the search path: its object is a struct."
        ctx.warning("MATLAB:load:classNotFound", text)
        return Struct(saved)
    if "member" in saved:
        from app.engine.interpreter.objects import overloads

        return overloads.enumeration_member(objects, info, str(saved["member"]))
    method = info.find_method("loadobj")
    load = None if method is None else method.function
    made = objects.construct(info, ()) if info.construct_on_load else objects.blank(info)
    if name:
        identities.restored[name] = made
    if "data" in saved:
        found = convert(saved["data"])
        if isinstance(made, HandleObject):
            events.end(made)  # it only stood for the object in what was saved
        made = found if load is None else load(found, nargout=1)
    elif isinstance(made, ObjectValue):
        _fill(ctx, made, saved, convert)
        made = made if load is None else load(made, nargout=1)
    if name:
        identities.restored[name] = made
    return made


def _fill(ctx: Context, made: ObjectValue, saved: dict[str, Value], convert: Convert) -> None:
    """Give an object the properties that were saved and that its class still has."""
    info = made.class_info
    for name, value in zip(cell_items(saved["names"]), cell_items(saved["values"]), strict=True):
        kept = str(name)
        if kept.startswith("#") or info.find_property(kept) is not None:
            made.properties[kept] = convert(value)
        else:
            text = f"Class '{info.name}' has no property '{name}' any more; its value is left out."
            ctx.warning("MATLAB:load:propertyNotFound", text)


def restored_array(ctx: Context, saved: dict[str, Value], convert: Convert) -> Value:
    """The array of objects of a struct."""
    shape = size_of(saved["items"])
    made = [convert(x) for x in cell_items(saved["items"])]
    info = ctx.interpreter.objects.find_class(str(saved["class"]))
    if info is None:
        return Cell(object_array(made, shape))
    return ObjectArray(info, object_array(made, shape))
