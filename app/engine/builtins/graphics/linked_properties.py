"""Properties that several objects share from now on: linkprop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import receiver
from app.engine.builtins.graphics.plotting_support import PLOT
from app.engine.declarations.registry import builtin, native_type
from app.engine.figures.objects import GraphicsObject, handles, items_of
from app.engine.figures.properties import lines_of, plain_text
from app.engine.values import Cell, NativeObject, Value
from app.errors import MatlabError


class Link(NativeObject):
    """What ``linkprop`` gives: objects whose properties follow each other.

    Attributes:
        targets: the objects.
        names: the properties.
    """

    class_name = "matlab.graphics.internal.LinkProp"
    is_handle = True

    def __init__(self, targets: list[GraphicsObject], names: list[str]) -> None:
        self.targets = targets
        self.names = names
        self._busy = False
        for target in targets:
            target.links.append(self)
        for name in names:
            self.follow(targets[0], name)

    def follow(self, source: GraphicsObject, name: str) -> None:
        """A property of one object was set: set it for the others."""
        full = source.full_name(name)
        if self._busy or full.lower() not in {own.lower() for own in self.names}:
            return
        self._busy = True
        try:
            for target in self.targets:
                if target is not source and target.alive:
                    target.set(full, source.get(full))
        finally:
            self._busy = False

    def tell(self, source: GraphicsObject, event: str) -> None:
        """Events are nothing to links."""

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``link.Targets``, ``link.PropertyNames``."""
        if name == "Targets":
            return handles([item for item in self.targets if item.alive])
        if name == "PropertyNames":
            return Cell.of(self.names, (1, len(self.names)))
        raise MatlabError(
            "MATLAB:noSuchMethodOrField", f"Unrecognized property {name} for class LinkProp."
        )

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Linking more, or no longer."""
        return {
            "addtarget": _add_target,
            "removetarget": _remove_target,
            "addprop": _add_property,
            "removeprop": _remove_property,
            "delete": _delete,
        }

    def show(self, name: str, style: Any) -> str:
        """What a display shows."""
        return f"  LinkProp of {', '.join(self.names)}\n"


native_type(Link)


def _add_target(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    link = receiver(args, Link)
    for item in items_of(args[1]):
        link.targets.append(item)
        item.links.append(link)
    for name in link.names:
        link.follow(link.targets[0], name)
    return None


def _remove_target(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    link = receiver(args, Link)
    for item in items_of(args[1]):
        link.targets.remove(item)
        item.links.remove(link)
    return None


def _add_property(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    link = receiver(args, Link)
    link.names.append(plain_text(args[1]))
    link.follow(link.targets[0], link.names[-1])
    return None


def _remove_property(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    link, gone = receiver(args, Link), plain_text(args[1]).lower()
    link.names = [name for name in link.names if name.lower() != gone]
    return None


def _delete(_ctx: CallContext, args: tuple[Value, ...], _nargout: int) -> Value:
    link = receiver(args, Link)
    for item in link.targets:
        if link in item.links:
            item.links.remove(link)
    link.targets = []
    return None


@builtin(
    "linkprop",
    category=PLOT,
    signatures=("link = linkprop(h,properties)",),
    cases=(
        "a = plot(1:3); hold on; b = plot(3:5); l = linkprop([a b], 'LineWidth'); "
        "a.LineWidth = 3; b.LineWidth == 3",
    ),
    see=("linkaxes",),
)
def linkprop(ctx: CallContext, targets: Value, names: Value) -> Value:
    """Give objects the same values of some properties from now on."""
    items = items_of(targets)
    wanted = [items[0].full_name(name) for name in lines_of(names)]
    return Link(items, wanted)
