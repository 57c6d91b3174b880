"""Objects of classes without ``classdef``: structs, named by the constructor in an ``@`` folder.

``class(s, 'Name', parent)`` makes a class of the fields of ``s`` and of the folder's functions.
Fields are private to those functions; the fields of parents lie in the same object, so that the
methods of a parent work on it as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.engine.interpreter.objects.access import calling_class
from app.engine.interpreter.objects.class_model import ClassInfo, Method, Property
from app.engine.values import (
    EMPTY,
    ObjectArray,
    ObjectValue,
    Struct,
    StructArray,
    Value,
    numel,
    object_array,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.objects.instances import Objects


def make(objects: Objects, fields: Value, name: str, parents: tuple[Value, ...]) -> Value:
    """``class(s, name, parent, ...)``: the object (or objects) with the fields of ``s``."""
    if calling_class() != name:
        text = "The CLASS function must be called from a class constructor."
        raise MatlabError("MATLAB:class:InvalidCallToClass", text)
    if not isinstance(fields, Struct | StructArray):
        raise MatlabError("MATLAB:class:InvalidArgument", "First argument must be a structure.")
    given = [p for p in parents if isinstance(p, ObjectValue)]
    info = _class(objects, name, tuple(fields.fields), given)
    inherited = {k: v for p in given for k, v in p.properties.items()}
    if isinstance(fields, Struct):
        return ObjectValue(info, {**fields.fields, **inherited})
    columns = {k: v.ravel(order="F") for k, v in fields.fields.items()}
    made = (
        ObjectValue(info, {**{k: v[at] for k, v in columns.items()}, **inherited})
        for at in range(numel(fields))
    )
    return ObjectArray(info, object_array(made, fields.shape))


def _class(
    objects: Objects, name: str, fields: tuple[str, ...], parents: list[ObjectValue]
) -> ClassInfo:
    info = class_of_folder(objects, name)
    info.bases = [p.class_info for p in parents]
    info.properties = {f: _field(info, f) for f in fields}
    for parent in parents:
        twice = info.properties.keys() & parent.properties.keys()
        if twice:
            text = f"Class '{name}' and its parent '{parent.class_info.name}' both have a field "
            raise MatlabError("MATLAB:class:DuplicateField", f"{text}'{min(twice)}'.")
        _as_member(info, parent.class_info)
    objects.note_methods(info)
    return info


def class_of_folder(objects: Objects, name: str) -> ClassInfo:
    """The class of the folder ``@name``, made from the files that are there now."""
    info = objects.classes.get(name)
    if info is None:
        info = ClassInfo(name, None, of_fields=True)
        objects.register(info)
        for method, file in objects.method_files(name).items():
            if method != info.short_name:
                info.methods[method] = Method(method, info, objects.file_function(file, info))
        objects.note_methods(info)
    return info


def _field(info: ClassInfo, name: str) -> Property:
    return Property(name, info, lambda: EMPTY, get_access="private", set_access="private")


def _as_member(info: ClassInfo, parent: ClassInfo) -> None:
    """``obj.Parent``: the part of an object that its parent made."""
    name = parent.short_name
    prop = _field(info, name)
    prop.dependent = True
    info.properties[name] = prop

    def part(x: ObjectValue) -> Value:
        own = {p.name for p in parent.all_properties()}
        return ObjectValue(parent, {k: v for k, v in x.properties.items() if k in own})

    def replaced(x: ObjectValue, value: Any, nargout: int = 1) -> Value:
        return ObjectValue(x.class_info, {**x.properties, **value.properties})

    info.getters[name] = part
    info.setters[name] = replaced


def rank(objects: Objects, others: list[str], *, above: bool) -> None:
    """``superiorto`` and ``inferiorto``: whose methods come first where both could be meant."""
    own = calling_class()
    if not own:
        text = "It is only called from the constructor of a class without classdef."
        raise MatlabError("MATLAB:class:InvalidCallToSuperiorTo", text)
    for other in others:
        higher, lower = (own, other) if above else (other, own)
        if objects.method_files(higher):
            class_of_folder(objects, higher).inferior |= {lower}
