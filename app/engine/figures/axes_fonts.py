"""Fonts of what belongs to axes: titles, labels, legend and colour bar follow their axes.

A part takes its size from its axes, times a multiplier, until it is given one of its own; family,
slant and weight follow for as long as the part has those of its axes.
"""

from __future__ import annotations

from collections.abc import Callable

from app.engine.figures.objects import GraphicsObject
from app.engine.figures.units import points_of
from app.engine.values import Value

_LABELS = ("XLabel", "YLabel", "ZLabel")
_TITLES = ("Title", "Subtitle")
_BESIDE = 0.9
"""The size of letters in a legend and at a colour bar, as a part of those of the axes."""


def part_font_size(axes: GraphicsObject, name: str) -> float:
    """The size, in points, of the letters of a part of axes that was given none of its own."""
    kind = name.partition("@")[0]  # the label of a second y axis is called YLabel@right
    if kind in _LABELS:
        return points_of(axes) * float(axes["LabelFontSizeMultiplier"])
    if kind in _TITLES:
        return points_of(axes) * float(axes["TitleFontSizeMultiplier"])
    return points_of(axes) * _BESIDE


def inherit_font(axes: GraphicsObject, name: str, part: GraphicsObject) -> None:
    """Give a new part of axes the font of its axes."""
    part.values["FontSize"] = part_font_size(axes, name)
    part.values.update({font: axes[font] for font in ("FontName", "FontAngle")})
    if name in _TITLES:
        part.values["FontWeight"] = axes[f"{name}FontWeight"]
    else:
        part.values["FontWeight"] = axes["FontWeight"]


def _set_size(property_name: str) -> Callable[[GraphicsObject, Value], None]:
    def set_size(axes: GraphicsObject, value: Value) -> None:
        axes[property_name] = axes.parsed(property_name, value)
        if property_name == "FontSize":
            axes["FontSizeMode"] = "manual"
        for name, part in axes.parts.items():
            if part["FontSizeMode"] == "auto":
                part["FontSize"] = part_font_size(axes, name)

    return set_size


def _set_face(property_name: str) -> Callable[[GraphicsObject, Value], None]:
    def set_face(axes: GraphicsObject, value: Value) -> None:
        before, after = axes[property_name], axes.parsed(property_name, value)
        axes[property_name] = after
        for name, part in axes.parts.items():
            titled = property_name == "FontWeight" and name in _TITLES
            if part[property_name] == before and not titled:
                part[property_name] = after

    return set_face


def _set_title_weight(title: str) -> Callable[[GraphicsObject, Value], None]:
    def set_weight(axes: GraphicsObject, value: Value) -> None:
        axes[f"{title}FontWeight"] = axes.parsed(f"{title}FontWeight", value)
        if title in axes.parts:
            axes.parts[title]["FontWeight"] = axes[f"{title}FontWeight"]

    return set_weight


SETTERS = {
    **{
        ("axes", name.lower()): _set_size(name)
        for name in ("FontSize", "LabelFontSizeMultiplier", "TitleFontSizeMultiplier")
    },
    **{("axes", n.lower()): _set_face(n) for n in ("FontName", "FontAngle", "FontWeight")},
    **{("axes", f"{n.lower()}fontweight"): _set_title_weight(n) for n in _TITLES},
}
"""Assignments to axes that their parts follow."""
