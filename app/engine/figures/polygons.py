"""Polygons whose corners are on the device: their parts are gathered there.

Triangles and quadrilaterals become cells of a grid, two columns wide, with a gap behind each;
others the closed strokes around them, which are filled by the even-odd rule.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.figures.figure_data import ResidentData, SeriesData
from app.engine.figures.fitting import follows_alpha_data
from app.engine.figures.objects import GraphicsObject, is_polar
from app.engine.figures.strokes import geometry_of
from app.engine.figures.transform_groups import transform_of
from app.engine.values import EMPTY

if TYPE_CHECKING:
    from app.engine.figures.mark_geometry import Geometry
    from app.engine.values import Array, Value

Parts = dict[str, SeriesData | None]
MOST_FACES = 4096
"""Polygons of more than four corners are filled one by one: at most so many."""
FEW_FACES = 100
"""So few are filled one by one whatever their corners: their sides may cross."""


def is_resident(patch: GraphicsObject) -> bool:
    """Whether the corners of a patch are on the device, and stay where they are."""
    moved = transform_of(patch) is not None or (patch.parent is not None and is_polar(patch.parent))
    return (
        isinstance(patch["Vertices"], ResidentData) and not moved and not follows_alpha_data(patch)
    )


def outlines(patch: GraphicsObject) -> Parts:
    """What a patch with resident corners is drawn as; nothing if the host has to draw it."""
    geometry, faces = geometry_of(patch), patch["Faces"]
    wide = faces.shape[1] if len(faces.shape) == 2 else 0
    if not faces.size or wide < 3 or not _are_whole(geometry, faces):
        return {}
    columns = geometry.columns(patch["Vertices"].value())
    places = _places(geometry, faces)
    if patch["FaceColor"] == "none":
        return _strokes(geometry, columns, places)
    if (wide > 4 or faces.shape[0] <= FEW_FACES) and _can_fill(geometry, patch):
        return _strokes(geometry, columns, places)
    if wide > 4:
        return {}
    colors = _cell_colours(geometry, patch, places)
    if colors is None:
        return {}
    if len(columns) < 3:
        columns = [*columns, geometry("times", columns[0], 0.0)]
    made = {
        f"{letter}Face": _cells(geometry, column, places)
        for letter, column in zip("XYZ", columns, strict=True)
    }
    return {**geometry.named(**made, **colors)}


def _are_whole(geometry: Geometry, table: Any) -> bool:
    """Whether a table on the device has no gaps: at others the host has to look."""
    if not isinstance(table, ResidentData):
        return True
    there = geometry("double", geometry("isfinite", table.value()))
    return geometry.number("min", there) > 0


def _places(geometry: Geometry, faces: Any) -> list[Value]:
    """For every corner the numbers of vertices from 0, a column each; faces with fewer corners
    than others repeat their last one."""
    if isinstance(faces, ResidentData):
        return [geometry("minus", column, 1.0) for column in geometry.columns(faces.value())]
    whole = faces.copy()
    for k in range(1, whole.shape[1]):
        gone = np.isnan(whole[:, k])
        whole[gone, k] = whole[gone, k - 1]
    return [whole[:, k : k + 1] - 1 for k in range(whole.shape[1])]


def _strokes(geometry: Geometry, columns: list[Value], places: list[Value]) -> Parts:
    closed = [*places, places[0]]
    known = [place for place in closed if isinstance(place, np.ndarray)]
    made = {
        f"{letter}Stroke": _outline(geometry, column, np.hstack(known))
        if len(known) == len(closed)
        else geometry.strokes(*(geometry.chosen(column, at) for at in closed))
        for letter, column in zip("XYZ", columns, strict=False)
    }
    return {**geometry.named(**made)}


def _outline(geometry: Geometry, column: Value, corners: Array) -> Value:
    """One stroke for each row of known places, fetched at once however many corners there are."""
    gaps = np.zeros((corners.shape[0], corners.shape[1] + 1))
    gaps[:, -1] = math.nan
    points = geometry.chosen(column, np.hstack([corners, corners[:, :1]]))
    return geometry("reshape", geometry("transpose", geometry("plus", points, gaps)), EMPTY, 1.0)


def _grid(geometry: Geometry, corners: list[Value]) -> Value:
    """Cells with these corners, going around; a triangle has one in the middle of a side."""
    first, second, third, fourth = corners
    gap = geometry("times", first, math.nan)
    layers = [geometry("horzcat", *pair) for pair in ((first, fourth), (second, third), (gap, gap))]
    return geometry.between(*layers)


def _cells(geometry: Geometry, column: Value, places: list[Value]) -> Value:
    found = [geometry.chosen(column, place) for place in places]
    if len(found) == 3:
        middle = geometry("times", geometry("plus", found[1], found[2]), 0.5)
        return _grid(geometry, [*found[:2], middle, found[2]])
    last = found[2]
    if isinstance(places[2], np.ndarray) and (places[2] == places[3]).any():
        short = (places[2] == places[3]).astype(np.float64)
        part = geometry("times", geometry("minus", found[1], last), 0.5 * short)
        last = geometry("plus", last, part)
    return _grid(geometry, [*found[:2], last, found[3]])


def _cell_colours(
    geometry: Geometry, patch: GraphicsObject, places: list[Value]
) -> dict[str, Value] | None:
    """What gives cells their colours; nothing for one colour; None if it is none of these."""
    kept = patch["FaceVertexCData"]
    if isinstance(patch["FaceColor"], tuple):
        return {}
    if kept.shape[1:] != (1,):
        return None
    column = geometry.column(kept.value() if isinstance(kept, ResidentData) else kept)
    if kept.shape[0] == patch["Vertices"].shape[0] and kept.shape[0] != 1:
        return {"CFace": _cells(geometry, column, places)}
    if patch["FaceColor"] == "interp" or kept.shape[0] != patch["Faces"].shape[0]:
        return None
    return {"CFace": _grid(geometry, [column] * 4)}


def _can_fill(geometry: Geometry, patch: GraphicsObject) -> bool:
    """Whether the device fills polygons of many corners: few of them, without gaps, each in one
    colour that the host knows."""
    kept, faces = patch["FaceVertexCData"], patch["Faces"].shape[0]
    by_face = patch["FaceColor"] == "flat" and kept.shape == (faces, 1)
    known = by_face and not isinstance(kept, ResidentData)
    if faces > MOST_FACES or not (known or isinstance(patch["FaceColor"], tuple)):
        return False
    return _are_whole(geometry, patch["Vertices"])
