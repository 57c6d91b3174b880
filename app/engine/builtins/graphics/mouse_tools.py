"""The mouse tools of figures: functions such as ``zoom``, and the objects some of them give.

The figure panel offers every tool at any time, so nothing is switched; a tool's object keeps what a
script says of it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBER, POSITIVE, option_pairs, real_number, receiver
from app.engine.builtins.graphics.plotting_support import PLOT, figures
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import builtin, native_type
from app.engine.figures.objects import GraphicsObject
from app.engine.values import (
    EMPTY,
    NativeObject,
    Struct,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError

_SHARED: dict[str, Value] = {"Enable": "off", "UseLegacyExplorationModes": False}
_CALLBACKS = ("ButtonDownFilter", "ActionPreCallback", "ActionPostCallback", "UpdateFcn")
_TOOLS: dict[str, dict[str, Value]] = {
    "zoom": {"Motion": "both", "Direction": "in", "RightClickAction": "InverseZoom"},
    "pan": {"Motion": "both"},
    "rotate3d": {"RotateStyle": "orbit"},
    "datacursormode": {"SnapToDataVertex": "on", "DisplayStyle": "datatip"},
    "brush": {"Color": "r"},
}
"""What a script may say of each tool, with what holds before."""


@native_type
class MouseTool(PropertyObject):
    """A tool of a figure, as ``zoom`` and its kin give it; a handle.

    Attributes:
        figure: the figure that it is a tool of.
        fields: its properties.
    """

    is_handle = True
    superclasses = ("handle",)

    def __init__(self, name: str, figure: GraphicsObject) -> None:
        self.class_name = f"matlab.graphics.interaction.internal.{name}"
        self.figure = figure
        callbacks = dict.fromkeys(_CALLBACKS[: 3 if name != "datacursormode" else 0], EMPTY)
        self.fields: dict[str, Value] = {**callbacks, **_SHARED, **_TOOLS[name]}
        if name == "datacursormode":
            self.fields["UpdateFcn"] = EMPTY

    def properties(self) -> dict[str, Value]:
        """All properties by name."""
        return {**self.fields, "FigureHandle": self.figure}

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``tool.name = value``; no tool calls functions."""
        if name not in self.fields:
            raise no_member(self.class_name, name)
        if name in _CALLBACKS and numel(value):
            text = f"'{name}' is not supported: the tools of figures call no functions."
            raise MatlabError("MATLAB:hg:UnsupportedCallback", text)
        self.fields[name] = value
        return self

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``get`` and ``set``."""
        return {"get": _get, "set": _set}


def _get(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    tool = receiver(args, MouseTool)
    known = tool.properties()
    if len(args) < 2:
        return Struct(known)
    return known[_property_named(tool, text_of(args[1]))]


def _set(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    tool = receiver(args, MouseTool)
    for word, value in option_pairs("set", args[1:]).items():
        tool.set_member(ctx, _property_named(tool, word), value)
    return ()


def _property_named(tool: MouseTool, word: str) -> str:
    """The property that a word names in any case."""
    for name in tool.properties():
        if name.lower() == word.lower():
            return name
    raise no_member(tool.class_name, word)


def _zoom(ctx: CallContext, how: Value) -> None:
    """``zoom(factor)`` about the middle of the axes; ``zoom out`` shows everything again."""
    axes = figures(ctx).gca()
    for name in ("XLim", "YLim"):
        if is_text_scalar(how):
            if text_of(how).lower() == "out":
                axes.set(f"{name}Mode", "auto")
            continue
        (NUMBER & POSITIVE)("zoom", 1, how)
        low, high = as_array(axes.get(name)).ravel().tolist()
        middle, half = (low + high) / 2, (high - low) / 2 / real_number(how)
        axes.set(name, canonical(np.array([[middle - half, middle + half]])))


def declare_tool(name: str) -> None:
    """A function that turns a mouse tool of figures on or off, and gives its object."""
    has_object = name in _TOOLS

    @builtin(
        name,
        category=PLOT,
        see=("figure",),
        signatures=(f"{name} on", f"{name} off", f"h = {name}(f)"),
        cases=(
            f"h = {name}; h.Enable = 'on'; strcmp(get(h, 'Enable'), 'on')"
            if has_object
            else f"figure; {name} off; isgraphics(gcf)",
        ),
        text=f"The mouse tool {name}; figures offer it at any time.",
    )
    def switch(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
        figure = figures(ctx).gcf()
        if args and isinstance(args[0], GraphicsObject):
            figure = args[0].ancestor("figure") or figure
            args = args[1:]
        if name == "zoom" and args:
            _zoom(ctx, args[0])
        if not nargout:
            return None
        return MouseTool(name, figure) if has_object else figure


declare_tool("zoom")
declare_tool("pan")
declare_tool("rotate3d")
declare_tool("datacursormode")
declare_tool("brush")
declare_tool("cameramenu")
declare_tool("cameratoolbar")
declare_tool("plotedit")
declare_tool("axtoolbar")
declare_tool("disableDefaultInteractivity")
declare_tool("enableDefaultInteractivity")
