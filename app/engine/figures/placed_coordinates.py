"""Coordinates that depend on the axes too: points of polar axes, curtains down to the floor."""

from __future__ import annotations

from functools import partial

from app.engine.figures import strokes
from app.engine.figures.derived_coordinates import (
    Parts,
    derived_parts,
    is_curtain,
    is_placed,
    kept_parts,
)
from app.engine.figures.limits import axis_limits
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.polar_axes import plane_points, radius_limits, turn_of


def placed_parts(item: GraphicsObject) -> Parts:
    """The coordinates that follow from a series in its axes; empty for most kinds."""
    if not is_placed(item):
        return derived_parts(item)
    if is_curtain(item):
        floor = axis_limits(item.parent, "Z")[0] if item.parent is not None else 0.0
        return kept_parts(item, (item.revision, floor), partial(strokes.curtains, floor=floor))
    assert item.parent is not None
    key = item.revision, radius_limits(item.parent), turn_of(item.parent)
    return kept_parts(item, key, _in_the_plane)


def _in_the_plane(item: GraphicsObject) -> Parts:
    """Where angles and radii are in the plane."""
    return {**plane_points(item.parent, item["ThetaData"], item["RData"])} if item.parent else {}
