"""Strokes and curtains that follow from series in space: made where the data is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.engine.figures.figure_data import SeriesData
from app.engine.figures.objects import GraphicsObject
from app.engine.values import as_array

if TYPE_CHECKING:
    from app.engine.figures.mark_geometry import Geometry
    from app.engine.values import Value

Parts = dict[str, SeriesData | None]
HEAD = 0.33
"""Length and width of an arrow's head in parts of the arrow."""
GOLDEN = 0.6180339887
"""A turn that never comes back to where it was."""


def geometry_of(item: GraphicsObject) -> Geometry:
    """Makes geometry in the session that a series belongs to."""
    from app.engine.figures.mark_geometry import Geometry

    return Geometry(item.owner.inputs.context)


def _columns(geometry: Geometry, item: GraphicsObject, names: str, kind: str) -> list[Value]:
    return [geometry.column(item[f"{letter}{kind}"].value()) for letter in names]


def _strokes(geometry: Geometry, **values: Value) -> Parts:
    return {f"{letter}Stroke": part for letter, part in geometry.named(**values).items()}


def stems(item: GraphicsObject) -> Parts:
    """Stems in space, from their base to their heads."""
    geometry = geometry_of(item)
    x, y, z = _columns(geometry, item, "XYZ", "Data")
    floor = geometry("plus", geometry("times", z, 0.0), float(item["BaseValue"]))
    return _strokes(
        geometry, X=geometry.strokes(x, x), Y=geometry.strokes(y, y), Z=geometry.strokes(floor, z)
    )


def arrows(item: GraphicsObject) -> Parts:
    """Arrows in space with their heads, no longer than the space between points."""
    geometry = geometry_of(item)
    feet, ways = _columns(geometry, item, "XYZ", "Data"), _columns(geometry, item, "UVW", "Data")
    factor = _factor(geometry, item, feet, ways)
    ways = [geometry("times", way, factor) for way in ways]
    u, v, _w = ways
    aside = [geometry("times", v, HEAD * HEAD), geometry("times", u, -HEAD * HEAD), None]
    return _strokes(
        geometry,
        **{
            letter: _arrow(geometry, foot, way, side)
            for letter, foot, way, side in zip("XYZ", feet, ways, aside, strict=True)
        },
    )


def _arrow(geometry: Geometry, foot: Value, way: Value, aside: Value | None) -> Value:
    """One coordinate of arrows: foot and tip, then the head from side to side."""
    tip = geometry("plus", foot, way)
    back = geometry("minus", tip, geometry("times", way, HEAD))
    sides = back, back
    if aside is not None:
        sides = geometry("minus", back, aside), geometry("plus", back, aside)
    return geometry.strokes(foot, tip, None, sides[0], tip, sides[1])


def _factor(
    geometry: Geometry, item: GraphicsObject, feet: list[Value], ways: list[Value]
) -> float:
    """What arrows are stretched by."""
    if not item["AutoScale"]:
        return 1.0
    squares = [geometry("times", way, way) for way in ways]
    total = geometry("plus", geometry("plus", squares[0], squares[1]), squares[2])
    longest = math.sqrt(geometry.number("max", total)) or 1.0
    ends = [item[f"{letter}Data"].limits() or (0.0, 0.0) for letter in "XYZ"]
    reach = max(high - low for low, high in ends) / max(item["XData"].size ** 0.5, 1)
    return float(item["AutoScaleFactor"]) * (reach or 1.0) / longest


def curtains(item: GraphicsObject, floor: float) -> Parts:
    """The rows of a surface, each with a curtain down to ``floor``."""
    geometry = geometry_of(item)
    x, y, z = geometry.matrices([item[f"{letter}Data"].value() for letter in "XYZ"])
    blank = geometry("times", z, 0.0)
    colors = z if item["CData"] is None else item["CData"].value()
    found = geometry.named(
        XCurtain=geometry.between(x, x, x),
        YCurtain=geometry.between(y, y, y),
        ZCurtain=geometry.between(
            geometry("plus", blank, floor), z, geometry("times", z, math.nan)
        ),
        CCurtain=geometry.between(colors, colors, colors),
    )
    return {**found}


def jittered_markers(item: GraphicsObject) -> Parts:
    """Markers moved aside, most of all where many lie close together."""
    geometry = geometry_of(item)
    found: Parts = {}
    for letter, other in (("X", "Y"), ("Y", "X")):
        if item[f"{letter}Jitter"] != "none":
            place, along = (item[f"{name}Data"] for name in (letter, other))
            width = item[f"{letter}JitterWidth"]
            moved = _jittered_places(geometry, place, along, item[f"{letter}Jitter"], width)
            found[f"{letter}Data"], found[f"{other}Data"] = geometry.data(moved, along.value())
    return found


def _jittered_places(
    geometry: Geometry, place: SeriesData, along: SeriesData, way: str, width: float
) -> Value:
    """Places with a part of the width added: a number that never repeats, times the density."""
    count = along.size
    turn = geometry("mod", geometry("times", geometry("colon", 1.0, float(count)), GOLDEN), 1.0)
    turn = geometry("minus", geometry.column(turn), 0.5)
    where = geometry.column(place.value())
    if way == "density":
        turn = geometry("times", turn, _density(geometry, where, along))
    return geometry("plus", where, geometry("times", turn, width))


def _density(geometry: Geometry, where: Value, along: SeriesData) -> Value:
    """How many values lie near each, among those at the same place; 1 where it is fullest."""
    low, high = along.limits() or (0.0, 1.0)
    places = geometry.distinct(where)
    bins = max(5, round((along.size / max(len(places), 1)) ** 0.5))
    step = (high - low) / bins or 1.0
    part = geometry("rdivide", geometry("minus", geometry.column(along.value()), low), step)
    cell = geometry("max", geometry("min", geometry("floor", part), bins - 1.0), 0.0)
    for edge in places[1:].tolist():  # every place has bins of its own
        beyond = geometry("double", geometry("ge", where, edge))
        cell = geometry("plus", cell, geometry("times", beyond, float(bins)))
    edges = np.arange(len(places) * bins + 1.0)[None, :] - 0.5
    counts = as_array(geometry("histcounts", cell, edges)).astype(np.float64)
    counts = counts.reshape(len(places), bins)
    shares = counts / np.maximum(counts.max(axis=1, keepdims=True), 1)
    return geometry.chosen(shares.reshape(-1, 1), cell)
