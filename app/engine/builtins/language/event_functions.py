"""Functions about events of objects: addlistener, listener, notify, events."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ref

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.language.object_functions import class_called
from app.engine.declarations.device_support import NAMES
from app.engine.declarations.registry import builtin
from app.engine.interpreter.objects import events
from app.engine.interpreter.objects.access import may_access
from app.engine.interpreter.objects.property_description import PropertyDescription
from app.engine.values import (
    Cell,
    HandleObject,
    ObjectArray,
    ObjectValue,
    Value,
    text_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context


@builtin(
    "addlistener",
    category="objects",
    device=NAMES,
    cases=(
        "writelines('classdef Bell < handle, events, Rung, end, end', 'Bell.m'); "
        "b = Bell; l = addlistener(b, 'Rung', @(s, e) disp('ding')); "
        "strcmp(evalc('notify(b, ''Rung'')'), sprintf('ding\\n'))",
    ),
    see=("notify",),
    signatures=("l = addlistener(obj, event, f)", "l = addlistener(obj, property, 'PostSet', f)"),
)
def addlistener(obj: Value, event: Value, callback: Value, function: Value | None = None) -> Value:
    """Call a function whenever an object notifies of an event, as long as the object is there."""
    made = _listener("addlistener", obj, event, callback, function)
    made.source.listeners.append(made)
    return made


@builtin(
    "listener",
    category="objects",
    device=NAMES,
    cases=(
        "writelines('classdef Bell < handle, events, Rung, end, end', 'Bell.m'); "
        "b = Bell; l = listener(b, 'Rung', @(s, e) disp('ding')); "
        "t = evalc('notify(b, ''Rung'')'); clear l; notify(b, 'Rung'); "
        "strcmp(t, sprintf('ding\\n'))",
    ),
    see=("addlistener", "event.listener"),
    signatures=("l = listener(obj, event, f)", "l = listener(obj, property, 'PostSet', f)"),
)
def listener(obj: Value, event: Value, callback: Value, function: Value | None = None) -> Value:
    """Call a function at an event of an object as long as the listener itself is kept."""
    made = _listener("listener", obj, event, callback, function)
    made.source.listeners.append(ref(made))
    return made


@builtin(
    "event.listener",
    category="objects",
    device=NAMES,
    cases=(
        "writelines('classdef Bell < handle, events, Rung, end, end', 'Bell.m'); "
        "b = Bell; l = event.listener(b, 'Rung', @(s, e) disp('ding')); "
        "strcmp(evalc('notify(b, ''Rung'')'), sprintf('ding\\n'))",
    ),
    see=("listener", "event.proplistener"),
    signatures=("l = event.listener(obj, event, f)",),
)
def event_listener(obj: Value, event: Value, callback: Value) -> Value:
    """Call a function at an event of an object as long as the listener itself is kept."""
    return listener(obj, event, callback)


@builtin(
    "event.proplistener",
    category="objects",
    device=NAMES,
    cases=(
        "writelines('classdef Dial < handle, properties (SetObservable), At, end, end', 'Dial.m'); "
        "d = Dial; l = event.proplistener(d, findprop(d, 'At'), 'PostSet', @(s, e) disp('set')); "
        "strcmp(evalc('d.At = 1;'), sprintf('set\\n'))",
    ),
    see=("listener", "findprop"),
    signatures=("l = event.proplistener(obj, property, event, f)",),
)
def event_proplistener(obj: Value, prop: Value, event: Value, callback: Value) -> Value:
    """Call a function when a property is read or set as long as the listener itself is kept."""
    return listener(obj, prop, event, callback)


def _listener(
    name: str, obj: Value, event: Value, callback: Value, function: Value | None
) -> events.Listener:
    """A listener to an event, or with a fourth input to what happens to a property."""
    if not isinstance(obj, HandleObject):
        raise undefined_for_class(name, obj)
    if function is None:
        return events.event_listener(obj, text_of(event), callback)
    wanted = event.declared.name if isinstance(event, PropertyDescription) else event
    return events.property_listener(obj, text_of(wanted), text_of(callback), function)


@builtin(
    "events",
    category="objects",
    device=NAMES,
    cases=(
        "writelines('classdef Bell < handle, events, Rung, end, end', 'Bell.m'); "
        "isequal(events('Bell'), {'Rung'; 'ObjectBeingDestroyed'})",
    ),
    see=("notify", "methods"),
    signatures=("events(x)", "list = events(x)"),
)
def events_of(ctx: Context, x: Value, *, nargout: int = 0) -> Value:
    """The names of the events of an object or class that anybody may listen to."""
    info = x.class_info if isinstance(x, ObjectValue | ObjectArray) else class_called(ctx, x)
    found = [e.name for e in info.all_events().values() if not e.hidden]
    names = found + ([events.DESTROYED] if info.is_handle else [])
    if nargout:
        return Cell.of(names, (len(names), 1))
    ctx.write(f"\nEvents for class {info.name}:\n\n" + "".join(f"    {n}\n" for n in names) + "\n")
    return ()


@builtin(
    "notify",
    category="objects",
    signatures=("notify(obj, event)", "notify(obj, event, data)"),
    device=NAMES,
    cases=(
        "writelines('classdef Bell < handle, events, Rung, end, end', 'Bell.m'); "
        "b = Bell; l = addlistener(b, 'Rung', @(s, e) disp('ding')); "
        "strcmp(evalc('notify(b, ''Rung'')'), sprintf('ding\\n'))",
    ),
    see=("addlistener",),
)
def notify(ctx: CallContext, obj: Value, event: Value, data: Value | None = None) -> Value:
    """Tell the listeners of an object about an event."""
    name = text_of(event)
    if not isinstance(obj, HandleObject):
        raise undefined_for_class("notify", obj)
    found = events.event_of(obj, name)
    if found is None or not may_access(found.owner, found.notify_access):
        text = f"Cannot notify listeners of event '{name}' in class '{obj.class_info.name}'."
        raise MatlabError("MATLAB:class:NotifyAccess", text)
    events.notify(ctx, obj, name, data)
    return ()
