"""Events and listeners of handle objects."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from app.engine.arguments.call_context import CallContext
from app.engine.interpreter.objects.metaclass import property_facts
from app.engine.values import HandleObject, NativeObject, Struct, Value
from app.engine.values.containers import no_member
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.objects.class_model import Property
    from app.engine.interpreter.objects.instances import Objects


class Listener(NativeObject):
    """What ``addlistener`` returns."""

    class_name = "event.listener"
    is_handle = True
    travels = False

    def __init__(self, source: HandleObject, event: str, callback: Value) -> None:
        self.source = source
        self.event = event
        self.callback = callback
        self.enabled = True

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Properties."""
        read = {
            "Source": self.source,
            "EventName": self.event,
            "Callback": self.callback,
            "Enabled": self.enabled,
            "Recursive": False,
        }
        if name == "delete":
            self.remove()
            return None
        if name not in read:
            raise no_member(self.class_name, name)
        return read[name]

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``listener.Enabled = …``."""
        if name == "Enabled":
            self.enabled = bool(value)
        elif name == "Callback":
            self.callback = value
        else:
            raise no_member(self.class_name, name)
        return self

    def methods(self) -> dict[str, Any]:
        """Functions callable with a listener."""
        return {"delete": lambda ctx, args, nargout: self.remove()}

    def remove(self) -> None:
        """Stop listening."""
        if self in self.source.listeners:
            self.source.listeners.remove(self)


class EventData(NativeObject):
    """What a callback is told: source and name of the event."""

    class_name = "event.EventData"
    is_handle = True

    def __init__(self, source: Value, event: str, affected: Value = None) -> None:
        self.source = source
        self.event = event
        self.affected = source if affected is None else affected

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Properties."""
        read = {"Source": self.source, "EventName": self.event, "AffectedObject": self.affected}
        if name not in read:
            raise no_member(self.class_name, name)
        return read[name]


class Destructible(HandleObject):
    """A handle whose class has a ``delete`` method: it runs when nothing holds the object."""

    __slots__ = ("ctx",)

    def __init__(self, class_info: Any, ctx: CallContext) -> None:
        super().__init__(class_info, {})
        self.ctx = ctx

    def __del__(self) -> None:
        if sys.is_finalizing():
            return
        try:
            delete(self.ctx, self)
        except MatlabError as problem:
            self.ctx.warning("MATLAB:class:DestructorError", problem.message)


def add_listener(obj: HandleObject, event: str, callback: Value) -> Listener:
    """``addlistener(obj, event, callback)``."""
    if event not in obj.class_info.all_events() and event != "ObjectBeingDestroyed":
        text = f"Event '{event}' is not defined for class '{obj.class_info.name}'."
        raise MatlabError("MATLAB:class:InvalidEvent", text)
    made = Listener(obj, event, callback)
    obj.listeners.append(made)
    return made


def add_property_listener(obj: HandleObject, name: str, moment: str, callback: Value) -> Listener:
    """``addlistener(obj, 'Prop', 'PostSet', callback)``."""
    made = Listener(obj, f"{name}.{moment}", callback)
    obj.listeners.append(made)
    return made


def notify(ctx: CallContext, obj: HandleObject, event: str, data: Value | None = None) -> None:
    """``notify(obj, event)``: all listeners are called, the last added first.

    Data of a class that derives from ``event.EventData`` learn of what they are told.
    """
    told = EventData(obj, event) if data is None else data
    if isinstance(told, HandleObject) and told.class_info.is_a(EventData.class_name):
        told.properties.update(Source=obj, EventName=event)
    for listener in list(reversed(obj.listeners)):
        if listener.event == event and listener.enabled:
            ctx.call(listener.callback, (obj, told), 0)


def store(objects: Objects, obj: HandleObject, prop: Property, value: Value) -> None:
    """Give a property its value; whoever observes it is told before and after."""
    if prop.observable:
        property_set(objects, obj, prop, "PreSet")
    obj.properties[prop.name] = value
    if prop.observable:
        property_set(objects, obj, prop, "PostSet")


def property_set(objects: Objects, obj: HandleObject, prop: Property, moment: str) -> None:
    """A property that is observed gets or got a value: ``PreSet`` or ``PostSet``."""
    heard = [x for x in reversed(obj.listeners) if x.event == f"{prop.name}.{moment}" and x.enabled]
    if not heard:
        return
    source = Struct(property_facts(prop))
    told = EventData(source, moment, obj)
    for listener in heard:
        objects.interpreter.context.call(listener.callback, (source, told), 0)


def delete(ctx: CallContext, obj: HandleObject) -> None:
    """``delete(obj)``: the class's method runs once, then the handle is invalid."""
    if not obj.valid or id(obj) in _ending:
        return
    _ending.add(id(obj))
    try:
        notify(ctx, obj, "ObjectBeingDestroyed")
        method = obj.class_info.find_method("delete")
        if method is not None and method.function is not None:
            method.function(obj, nargout=0)
    finally:
        _ending.discard(id(obj))
    end(obj)


_ending: set[int] = set()
"""The objects whose ``delete`` is running: a call in it does nothing more."""


def end(obj: HandleObject) -> None:
    """What ``delete@handle(obj)`` does: the handle is invalid, without the class's method."""
    obj.valid = False
