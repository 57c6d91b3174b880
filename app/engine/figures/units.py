"""Units of places: pixels, points, parts of the parent."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import row_value
from app.engine.values import Value

Frame = tuple[float, float, float, float]
PIXELS = {"pixels": 1.0, "points": 4 / 3, "characters": 7.0, "inches": 96.0, "centimeters": 37.8}
"""Pixels per unit."""
SCREEN = (1920.0, 1080.0)
USUAL_PLACE = (0.13, 0.11, 0.775, 0.815)
"""The plot box in parts of the place with labels."""
_PLACES = ("Position", "InnerPosition", "OuterPosition")


def normalized_frame(item: GraphicsObject, name: str = "Position") -> Frame:
    """A place of an object in parts of its parent."""
    left, bottom, width, height = (
        inner_place(item) if name == "Position" and item.has("PositionMode") else item[name]
    )
    scale = PIXELS.get(item["Units"])
    if scale is None:
        return left, bottom, width, height
    across, up = pixels_inside(item.parent)
    return (scale * left / across, scale * bottom / up, scale * width / across, scale * height / up)


def inner_place(axes: GraphicsObject) -> Frame:
    """Where the plot box is, in the units of the axes: where the script put it, or the usual part
    of the place with labels, less what a colour bar beside it takes."""
    if axes["PositionMode"] == "inner":
        left, bottom, width, height = axes["Position"]
        return left, bottom, width, height
    left, bottom, width, height = axes["OuterPosition"]
    x, y, across, up = USUAL_PLACE
    bar = axes.parts.get("Colorbar")
    place = bar["Location"] if bar is not None and bar["Visible"] else ""
    if place in ("eastoutside", "westoutside"):
        x, across = x + (0.15 * across if place == "westoutside" else 0.0), 0.85 * across
    elif place in ("northoutside", "southoutside"):
        y, up = y + (0.15 * up if place == "southoutside" else 0.0), 0.85 * up
    return left + x * width, bottom + y * height, across * width, up * height


def get_position(axes: GraphicsObject) -> Value:
    """The Position that a script sees."""
    return row_value(inner_place(axes))


def pixels_of(figure: GraphicsObject) -> list[float]:
    """The Position of a figure in pixels, whatever its units."""
    scale, numbers = PIXELS.get(figure["Units"]), list(figure["Position"])
    if scale is None:
        return [part * whole for part, whole in zip(numbers, SCREEN * 2, strict=True)]
    return [scale * part for part in numbers]


def pixels_inside(item: GraphicsObject | None) -> tuple[float, float]:
    """The size of a figure or panel in pixels."""
    if item is None or item.kind.name == "root":
        return SCREEN
    if item.kind.name not in ("uipanel", "figure"):
        return pixels_inside(item.parent)
    if item.kind.name == "figure":
        width, height = pixels_of(item)[2:4]
        return width, height
    across, up = pixels_inside(item.parent)
    frame = normalized_frame(item)
    return frame[2] * across, frame[3] * up


def points_of(item: GraphicsObject) -> float:
    """The FontSize of an object in points, whatever its FontUnits."""
    size, units = float(item["FontSize"]), item["FontUnits"]
    if units == "normalized":
        axes = item.ancestor("axes") or item
        part = normalized_frame(axes)[3] if axes.has("Position") else 1.0
        return size * part * pixels_inside(axes.parent)[1] * 0.75
    return size * PIXELS.get(units, 4 / 3) * 0.75


def tight_inset(axes: GraphicsObject) -> Value:
    """The room that ticks, labels and title take around the plot box, in the units of the axes;
    estimated from the sizes of the letters."""
    line = 1.5 * float(axes["FontSize"])
    room = {
        name: 1.9 * float(part["FontSize"])
        for name, part in axes.parts.items()
        if part.has("String") and part["String"]
    }
    across, up = pixels_inside(axes.parent)
    pixels = (
        1.8 * line + room.get("YLabel", 0.0),
        1.4 * line + room.get("XLabel", 0.0),
        0.5 * line,
        0.4 * line + room.get("Title", 0.0) + room.get("Subtitle", 0.0),
    )
    whole, scale = (across, up, across, up), PIXELS.get(axes["Units"])
    return row_value(
        tuple(part / (scale or side) for part, side in zip(pixels, whole, strict=True))
    )


def set_units(item: GraphicsObject, value: Value) -> None:
    """Other units: the object stays where it is, its numbers change."""
    before, after = item["Units"], item.kind.properties["Units"][0].parse(value)
    item["Units"] = after
    across, up = pixels_inside(item.parent)
    whole = (across, up, across, up)
    for name in (name for name in _PLACES if item.has(name) and len(item[name]) == 4):
        pixels = _scaled_position(item[name], whole, PIXELS.get(before))
        item[name] = tuple(
            part / (PIXELS.get(after) or side) for part, side in zip(pixels, whole, strict=True)
        )


def set_font_units(item: GraphicsObject, value: Value) -> None:
    """Another unit of letters: they stay as large as they are, their number changes."""
    points = points_of(item)
    item["FontUnits"], item["FontSize"] = item.kind.properties["FontUnits"][0].parse(value), 1.0
    item["FontSize"] = points / points_of(item)


def _scaled_position(
    place: Sequence[float], whole: Sequence[float], scale: float | None
) -> list[float]:
    return [part * (scale or side) for part, side in zip(place, whole, strict=True)]
