"""Groups inside axes: ``hggroup``, and ``hgtransform``, which moves what is in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from app.engine.figures.figure_data import SeriesData
from app.engine.figures.fitting import fits
from app.engine.figures.objects import GraphicsObject
from app.engine.values import Array

GROUPS = frozenset(("hggroup", "hgtransform"))
Parts = dict[str, SeriesData | None]


def drawn_in(holder: GraphicsObject) -> Iterator[GraphicsObject]:
    """What axes show, in order: groups give way to what is in them, and data that do not fit are
    left out."""
    for child in holder.children:
        if child.kind.name not in GROUPS:
            if fits(child):
                yield child
        elif child["Visible"]:
            yield from drawn_in(child)


def transform_of(item: GraphicsObject) -> Array | None:
    """The matrix that moves an object, of all transforms that it is inside; None for none."""
    inside = [node["Matrix"] for node in item.ancestors() if node.kind.name == "hgtransform"]
    if not inside:
        return None
    found: Array = np.eye(4)
    for matrix in inside:  # from the inside to the outside
        found = matrix @ found
    return found


def moved_points(matrix: Array, points: Array) -> Array:
    """Points in rows of two or three coordinates, moved."""
    whole = np.zeros((len(points), 4))
    whole[:, : points.shape[1]], whole[:, 3] = points, 1.0
    found: Array = (whole @ matrix.T)[:, :3]
    return found if points.shape[1] > 2 or np.any(found[:, 2]) else found[:, :2]


def moved_data(item: GraphicsObject) -> Parts:
    """The coordinates of a series inside a transform."""
    from app.engine.figures.mark_geometry import Geometry

    matrix, geometry = transform_of(item), Geometry(item.owner.inputs.context)
    names = [name for name in ("XData", "YData", "ZData") if item.has(name) and item[name]]
    if matrix is None or len(names) < 2:
        return {}
    values = [item[name].value() for name in names]
    if item.kind.name == "surface":
        values = geometry.matrices(values)
    flat = len(names) == 2 and not matrix[2, [0, 1, 3]].any()
    found = {}
    for row, name in enumerate(("XData", "YData") if flat else ("XData", "YData", "ZData")):
        total: Any = float(matrix[row, 3])
        for column, value in enumerate(values):
            total = geometry("plus", geometry("times", value, float(matrix[row, column])), total)
        found[name] = total
    return {**geometry.named(**found)}
