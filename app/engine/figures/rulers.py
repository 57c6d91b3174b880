"""Handles of single rulers (``ax.XAxis``) and of places in layouts (``ax.Layout``): other names for
properties that the axes keep."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from app.engine.arguments.call_context import CallContext
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.tiles import place_in_tile, tile_of
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import NativeObject, Value, int_of

_NAMES = {
    "limits": "Lim",
    "limitsmode": "LimMode",
    "tickvalues": "Tick",
    "tickvaluesmode": "TickMode",
    "ticklabels": "TickLabel",
    "ticklabelsmode": "TickLabelMode",
    "tick": "Tick",
    "ticklabelformat": "TickFormat",
    "ticklabelrotation": "TickLabelRotation",
    "scale": "Scale",
    "direction": "Dir",
    "color": "Color",
    "minortick": "MinorTick",
    "exponent": "Exponent",
    "exponentmode": "ExponentMode",
    "visible": "Shown",
    "label": "Label",
    "ticklabel": "TickLabel",
    "limitmethod": "LimitMethod",
}
_SHARED = {
    "fontsize": "FontSize",
    "fontname": "FontName",
    "fontweight": "FontWeight",
    "fontangle": "FontAngle",
    "linewidth": "LineWidth",
    "tickdirection": "TickDir",
    "ticklength": "TickLength",
    "ticklabelinterpreter": "TickLabelInterpreter",
    "parent": "Parent",
}


class Alias(NativeObject):
    """A handle whose properties are those of another object under other names.

    Attributes:
        axes: the object.
    """

    is_handle = True

    def __init__(self, axes: GraphicsObject) -> None:
        self.axes = axes

    @abstractmethod
    def get(self, name: str) -> Value:
        """A property's value."""

    @abstractmethod
    def set(self, name: str, value: Value) -> None:
        """Assign a property."""

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``r.Name``."""
        value = self.get(name)
        if not args:
            return value
        return paren(value, *args, nargout=nargout)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``r.Name = value``."""
        self.set(name, value)
        return self

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``r(1)``."""
        return self

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """The last step of ``ax.YAxis(2).Limits = v``: the limits are already set."""
        return self

    def show(self, name: str, style: Any) -> str:
        """What a display shows."""
        return f"  {self.class_name.rpartition('.')[2]} of {self.axes!r}\n"


class Ruler(Alias):
    """One ruler of axes.

    Attributes:
        letter: which axis.
        side: which of two y axes.
    """

    class_name = "matlab.graphics.axis.decorator.NumericRuler"

    def __init__(self, axes: GraphicsObject, letter: str, side: str) -> None:
        super().__init__(axes)
        self.letter = letter
        self.side = side

    def _on_axes(self, action: Callable[[str], Value], name: str) -> Value:
        """Do something to the property of the axes that a name stands for, on the ruler's side."""
        lower = name.lower()
        if lower not in _NAMES and lower not in _SHARED:
            raise self.axes.unknown(name)
        before, self.axes.side = self.axes.side, self.side
        try:
            return action(_SHARED.get(lower) or f"{self.letter}{_NAMES[lower]}")
        finally:
            self.axes.side = before

    def get(self, name: str) -> Value:
        """A property's value."""
        return self._on_axes(self.axes.get, name)

    def set(self, name: str, value: Value) -> None:
        """Assign a property."""
        self._on_axes(lambda full: self.axes.set(full, value), name)


class RulerPair(Alias):
    """Both y rulers of two-sided axes: ``ax.YAxis(2)``."""

    class_name = Ruler.class_name

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """The left (1) or the right (2) one."""
        return Ruler(self.axes, "Y", ("left", "right")[int_of(args[0]) - 1])

    def get(self, name: str) -> Value:
        """The property of both rulers, as a list."""
        return tuple(Ruler(self.axes, "Y", side).get(name) for side in ("left", "right"))

    def set(self, name: str, value: Value) -> None:
        """Assign the property of both."""
        for side in ("left", "right"):
            Ruler(self.axes, "Y", side).set(name, value)


def ruler_of(axes: GraphicsObject, letter: str) -> Value:
    """``ax.XAxis``."""
    if letter == "Y" and axes.two_sided:
        return RulerPair(axes)
    return Ruler(axes, letter, axes.side)


class LayoutPlace(Alias):
    """Where an object is in its tiled layout: ``ax.Layout.Tile``."""

    class_name = "matlab.graphics.layout.TiledChartLayoutOptions"

    def get(self, name: str) -> Value:
        """The tile or the span."""
        return tile_of(self.axes, name)

    def set(self, name: str, value: Value) -> None:
        """Move into another tile."""
        place_in_tile(self.axes, name, value)


_BASE_LINE = {
    "visible": "ShowBaseLine",
    "basevalue": "BaseValue",
    "color": "BaseLineColor",
    "linestyle": "BaseLineStyle",
    "linewidth": "BaseLineWidth",
}


class BaseLine(Alias):
    """The line that stems and bars stand on: ``h.BaseLine``."""

    class_name = "matlab.graphics.axis.decorator.Baseline"

    def _full(self, name: str) -> str:
        if name.lower() not in _BASE_LINE:
            raise self.axes.unknown(name)
        return _BASE_LINE[name.lower()]

    def get(self, name: str) -> Value:
        """A property of the line."""
        return self.axes.get(self._full(name))

    def set(self, name: str, value: Value) -> None:
        """Another look, or none."""
        self.axes.set(self._full(name), value)


class LegendEntry(Alias):
    """``h.Annotation.LegendInformation.IconDisplayStyle``: whether a legend lists a series."""

    class_name = "matlab.graphics.eventdata.Annotation"

    def get(self, name: str) -> Value:
        """The style, or what holds it."""
        return self if name == "LegendInformation" else self.axes.get(name)

    def set(self, name: str, value: Value) -> None:
        """Another style; the last step of a longer assignment needs nothing more."""
        if not is_alias(value):
            self.axes.set(name, value)


def is_alias(value: Value) -> bool:
    """Whether a value only stands for properties that are kept elsewhere."""
    return isinstance(value, Alias)
