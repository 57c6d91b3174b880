"""Where the heights of resident contours are written: the grid is searched where it is, and a few
numbers per level come down."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.figures.figure_data import ResidentData, SeriesData
from app.engine.figures.objects import GraphicsObject
from app.engine.values import EMPTY, int_of
from app.records import record


@record
class Place:
    """A point of a contour line.

    Attributes:
        level: the height.
        x: abscissa.
        y: ordinate.
        along: the way the line runs there, in data coordinates.
    """

    level: float
    x: float
    y: float
    along: tuple[float, float]


def places(item: GraphicsObject) -> list[Place]:
    """A place on every level of a contour plot."""
    known = item.values.get("Places")
    if known is None or known[0] != item.revision:
        found = [_place(item, level) for level in item["LevelList"]]
        known = item.revision, [place for place in found if place is not None]
        item.values["Places"] = known
    kept: list[Place] = known[1]
    return kept


def _place(item: GraphicsObject, level: float) -> Place | None:
    """The grid point nearest in height, moved onto the line along the slope."""
    z = item["ZData"]
    call, (rows, columns) = item.owner.inputs.context.call, z.shape[:2]
    far = call("abs", (call("minus", (z.value(), level))[0],))[0]
    found = call("min", (call("reshape", (far, EMPTY, 1.0))[0], np.zeros((0, 0)), 1.0), 2)[1]
    index = int_of(found) - 1
    row, column = min(max(index % rows, 1), rows - 2), min(max(index // rows, 1), columns - 2)
    if rows < 3 or columns < 3:
        return None
    cross = [
        (row, column),
        (row, column - 1),
        (row, column + 1),
        (row - 1, column),
        (row + 1, column),
    ]
    height, left, right, above, below = _elements(z, cross)
    x, y = (_elements(item[f"{letter}Data"], cross, axis) for axis, letter in enumerate(("X", "Y")))
    slope = np.array([(right - left) / (x[2] - x[1]), (below - above) / (y[4] - y[3])])
    steep = float(slope @ slope)
    if not np.isfinite(steep) or steep == 0:
        return None
    spot = np.array([x[0], y[0]]) + (level - height) / steep * slope
    return Place(level, float(spot[0]), float(spot[1]), (-float(slope[1]), float(slope[0])))


def _elements(data: SeriesData, cells: list[tuple[int, int]], axis: int = 0) -> Any:
    """Elements of a grid, or of the vector along one axis of it."""
    shape = data.shape
    if 1 in shape:
        numbers = [cell[1 - axis] for cell in cells]
    else:
        numbers = [row + column * shape[0] for row, column in cells]
    if isinstance(data, ResidentData):
        array = data.source.array
        return array.runtime.gather_elements(array.node, [n + data.offset for n in numbers], "axes")
    return data.host().reshape(-1, order="F")[numbers]
