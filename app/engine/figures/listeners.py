"""Functions that are called when a graphics object changes or goes: ``addlistener``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.engine.arguments.call_context import CallContext
from app.engine.figures.figure_input import event_of
from app.engine.figures.objects import GraphicsObject, items_of
from app.engine.figures.properties import lines_of, plain_text
from app.engine.values import NativeObject, Value
from app.errors import MatlabError

_MOMENTS = ("postset", "preset")


class Listener(NativeObject):
    """What ``addlistener`` gives for graphics objects.

    Attributes:
        sources: the objects.
        names: lower-case names of properties, or of the event.
        moment: ``PostSet``, ``PreSet``, or the event.
        callback: what is called.
        enabled: whether it is.
    """

    class_name = "event.listener"
    is_handle = True
    travels = False

    def __init__(
        self, sources: list[GraphicsObject], names: list[str], moment: str, callback: Value
    ) -> None:
        self.sources = sources
        self.names = [name.lower() for name in names]
        self.moment = moment
        self.callback = callback
        self.enabled = True
        for source in sources:
            source.links.append(self)

    def follow(self, source: GraphicsObject, name: str) -> None:
        """A property of an object was set."""
        full = source.full_name(name)
        if self.moment.lower() in _MOMENTS and full.lower() in self.names:
            self._call(source, event_of(self.moment, source, AffectedObject=source))

    def tell(self, source: GraphicsObject, event: str) -> None:
        """Something happened to an object."""
        if event.lower() in self.names:
            self._call(source, event_of(event, source))

    def _call(self, source: GraphicsObject, detail: Value) -> None:
        context = source.owner.inputs.context
        if not self.enabled or context is None:
            return
        self.enabled = False  # what it sets itself does not call it again
        try:
            context.call(self.callback, (source, detail), 0)
        finally:
            self.enabled = True

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``listener.Enabled`` …."""
        known = {
            "Enabled": self.enabled,
            "Callback": self.callback,
            "Source": self.sources[0],
            "EventName": self.moment,
        }
        if name not in known:
            raise MatlabError(
                "MATLAB:noSuchMethodOrField", f"Unrecognized property {name} for class listener."
            )
        return known[name]

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``listener.Enabled = …``, ``listener.Callback = …``."""
        if name == "Enabled":
            self.enabled = plain_text(value) == "on" if isinstance(value, str) else bool(value)
        elif name == "Callback":
            self.callback = value
        return self

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``delete`` ends it."""
        return {"delete": _delete, "isvalid": _is_valid}

    def show(self, name: str, style: Any) -> str:
        """What a display shows."""
        return f"  listener of {self.moment}\n"


def _delete(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    listener = args[0]
    assert isinstance(listener, Listener)
    for source in listener.sources:
        if listener in source.links:
            source.links.remove(listener)
    return None


def _is_valid(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    listener = args[0]
    assert isinstance(listener, Listener)
    return any(listener in source.links for source in listener.sources)


def add_listener(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    """``addlistener(h, event, f)``, ``addlistener(h, property, 'PostSet', f)``."""
    items = items_of(args[0])
    if len(args) == 3:
        return Listener(items, [plain_text(args[1])], plain_text(args[1]), args[2])
    names = [items[0].full_name(name) for name in lines_of(args[1])]
    return Listener(items, names, plain_text(args[2]), args[3])


def tell(item: GraphicsObject, event: str) -> None:
    """Call who listens for an event of an object."""
    for link in list(item.links):
        if isinstance(link, Listener):
            link.tell(item, event)
