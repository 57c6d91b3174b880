"""Properties with methods of their own, with listeners, or that keep the value they have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.engine.interpreter.objects import events, overloads
from app.engine.interpreter.objects.class_model import Property
from app.engine.values import (
    EMPTY,
    HandleObject,
    ObjectValue,
    Value,
    class_of,
)

if TYPE_CHECKING:
    from app.engine.interpreter.objects.instances import Objects

Callee = Callable[..., Value]


def read(objects: Objects, x: ObjectValue, prop: Property, getter: Callee | None) -> Value:
    """The value of a property; listeners are told before and after."""
    if prop.get_observable:
        events.property_event(objects, x, prop, "PreGet")
    value = x.properties.get(prop.name, EMPTY) if getter is None else getter(x)
    if prop.get_observable:
        events.property_event(objects, x, prop, "PostGet")
    return value


def assigned(
    objects: Objects, x: ObjectValue, prop: Property, setter: Callee | None, value: Value
) -> Value:
    """The object with a value for a property; listeners are told before and after.

    Nothing happens where ``AbortSet`` says so and the property has that value.
    """
    if prop.abort_set and _holds(objects, x, prop, value):
        return x
    if prop.set_observable:
        events.property_event(objects, x, prop, "PreSet")
    made = stored(x, prop, value) if setter is None else _given(x, setter, value)
    if prop.set_observable:
        events.property_event(objects, x, prop, "PostSet")
    return made


def stored(x: ObjectValue, prop: Property, value: Value) -> Value:
    """The object with a value in the place of a property; a handle is changed itself."""
    if isinstance(x, HandleObject):
        x.properties[prop.name] = value
        return x
    made = type(x)(x.class_info, {**x.properties, prop.name: value})
    return overloads.keep_member(x, made)


def _given(x: ObjectValue, setter: Callee, value: Value) -> Value:
    """The object after its set method."""
    if not isinstance(x, HandleObject):
        return setter(x, value, nargout=1)
    setter(x, value, nargout=0)
    return x


def _holds(objects: Objects, x: ObjectValue, prop: Property, value: Value) -> bool:
    """Whether a property has a value already, of the same class."""
    held = objects.get(x, prop)
    same = objects.interpreter.builtin("isequal")
    return class_of(held) == class_of(value) and same is not None and same(held, value) is True
