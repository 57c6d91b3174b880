"""Events and listeners of handle objects."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any
from weakref import ref

from app.engine.arguments.call_context import CallContext
from app.engine.interpreter.objects.access import may_access
from app.engine.interpreter.objects.property_description import described_property
from app.engine.values import HandleObject, NativeObject, ObjectValue, Value
from app.engine.values.containers import no_member
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.objects.class_model import Event, Property
    from app.engine.interpreter.objects.instances import Objects


DESTROYED = "ObjectBeingDestroyed"
"""The event that every handle has."""


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
        self.recursive = False
        self.running = False

    def tell(self, ctx: CallContext, source: Value, told: Value, where: str) -> None:
        """Call the callback; its error is a warning, for the event has happened all the same.

        What it does itself calls it again only where it is ``Recursive``.
        """
        if not self.enabled or (self.running and not self.recursive):
            return
        outer, self.running = self.running, True
        try:
            ctx.call(self.callback, (source, told), 0)
        except MatlabError as problem:
            text = f"Error occurred while executing the listener callback for {where}:"
            ctx.warning("MATLAB:callback:error", f"{text}\n{problem.message}")
        finally:
            self.running = outer

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Properties."""
        read = {
            "Source": self.source,
            "EventName": self.event,
            "Callback": self.callback,
            "Enabled": self.enabled,
            "Recursive": self.recursive,
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
        elif name == "Recursive":
            self.recursive = bool(value)
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
        kept = [x for x in self.source.listeners if x is not self and x != ref(self)]
        self.source.listeners[:] = kept


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


def event_of(obj: HandleObject, name: str) -> Event | None:
    """The event ``name`` of an object; None for the one that every handle has."""
    found: Event | None = obj.class_info.all_events().get(name)
    if found is None and name != DESTROYED:
        text = f"Event '{name}' is not defined for class '{obj.class_info.name}'."
        raise MatlabError("MATLAB:class:InvalidEvent", text)
    return found


def event_listener(obj: HandleObject, event: str, callback: Value) -> Listener:
    """A listener to an event of an object, which does not know of it yet."""
    found = event_of(obj, event)
    if found is not None and not may_access(found.owner, found.listen_access):
        text = (
            f"Cannot listen to event '{event}' of class '{obj.class_info.name}': its ListenAccess"
        )
        raise MatlabError("MATLAB:class:ListenAccess", f"{text} does not allow it here.")
    return Listener(obj, event, callback)


_MOMENTS = {"PreGet": "Get", "PostGet": "Get", "PreSet": "Set", "PostSet": "Set"}


def property_listener(obj: HandleObject, name: str, moment: str, callback: Value) -> Listener:
    """A listener to ``PreGet``, ``PostGet``, ``PreSet`` or ``PostSet`` of a property."""
    kind, prop = obj.class_info.name, obj.class_info.find_property(name)
    if prop is None:
        text = f"The name '{name}' is not an accessible property for an instance of class '{kind}'."
        raise MatlabError("MATLAB:class:InvalidProperty", text)
    if moment not in _MOMENTS:
        text = f"'{moment}' is not an event of a property; the events are {', '.join(_MOMENTS)}."
        raise MatlabError("MATLAB:class:InvalidEvent", text)
    if not (prop.set_observable if _MOMENTS[moment] == "Set" else prop.get_observable):
        text = f"While adding a {moment} listener, property '{name}' in class '{kind}' is not "
        text += f"defined to be {_MOMENTS[moment]}Observable."
        raise MatlabError(f"MATLAB:class:non{_MOMENTS[moment]}Observable", text)
    return Listener(obj, f"{name}.{moment}", callback)


def notify(ctx: CallContext, obj: HandleObject, event: str, data: Value | None = None) -> None:
    """``notify(obj, event)``: all listeners are called, the last added first.

    Data of a class that derives from ``event.EventData`` learn of what they are told.
    """
    told = EventData(obj, event) if data is None else data
    if isinstance(told, HandleObject) and told.class_info.is_a(EventData.class_name):
        told.properties.update(Source=obj, EventName=event)
    where = f"event {event} defined for class {obj.class_info.name}"
    for listener in _listening(obj, event):
        listener.tell(ctx, obj, told, where)


def _listening(obj: HandleObject, event: str) -> list[Listener]:
    """Who listens to an event, the last added first; one that nobody keeps any more does not."""
    held = (x() if isinstance(x, ref) else x for x in reversed(obj.listeners))
    return [x for x in held if x is not None and x.event == event]


def property_event(objects: Objects, obj: ObjectValue, prop: Property, moment: str) -> None:
    """A property is read or set, or was: ``PreGet``, ``PostGet``, ``PreSet`` or ``PostSet``."""
    heard = isinstance(obj, HandleObject) and _listening(obj, f"{prop.name}.{moment}")
    if not heard:
        return
    source = described_property(obj, prop)
    told = EventData(source, moment, obj)
    where = f"the {obj.class_info.name} class {prop.name} property {moment} event"
    for listener in heard:
        listener.tell(objects.interpreter.context, source, told, where)


def delete(ctx: CallContext, obj: HandleObject) -> None:
    """``delete(obj)``: the class's method runs once, then the handle is invalid."""
    if not obj.valid or id(obj) in _ending:
        return
    _ending.add(id(obj))
    try:
        notify(ctx, obj, DESTROYED)
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
