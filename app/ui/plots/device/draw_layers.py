"""What the device renderer is asked to draw: plain descriptions, no device objects."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.ui.plots.host.lighting import Lighting
from app.ui.plots.host.projection import Projection
from app.ui.plots.series_arrays import Exported

Rgba = tuple[float, float, float, float]
CLEAR: Rgba = (0.0, 0.0, 0.0, 0.0)
COLORED, INTERPOLATED, EDGES, EDGES_BY_VALUE, FACES, BANDS, ROWS = 1, 2, 4, 8, 16, 32, 64
"""Bits of a surface's style: faces take the colour of their value, blended between corners; edges
are drawn, in the colour of their value; faces are painted at all; values take the colour of the
highest level below them; only the far row and the two ends of rows have edges."""

MARKER_SHAPES = {
    "o": 0,
    ".": 0,
    "+": 1,
    "x": 2,
    "*": 3,
    "square": 4,
    "diamond": 5,
    "^": 6,
    "v": 7,
    ">": 8,
    "<": 9,
    "_": 10,
    "|": 11,
    "pentagram": 12,
    "hexagram": 13,
}
"""Numbers of the marker shapes in the shader."""


@dataclass(frozen=True, slots=True, eq=False)
class LineLayer:
    """A line through points.

    Attributes:
        x: abscissas: a device buffer or a range.
        y: ordinates in a device buffer.
        color: red, green, blue, alpha.
        width: pixels.
        dashes: lengths of dashes and gaps in pixels; empty for a solid line.
        stepped: whether it goes in steps from point to point.
        z: the third coordinate of points in space; None for 0.
        projection: how points in space are seen, in pixels; None in a plane.
    """

    x: Exported
    y: Exported
    color: Rgba
    width: float
    dashes: tuple[float, ...] = ()
    stepped: bool = False
    z: Exported | None = None
    projection: Projection | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MarkerLayer:
    """Markers at points.

    Attributes:
        x: abscissas: a device buffer or a range.
        y: ordinates in a device buffer.
        face: colour inside.
        edge: colour of the rim.
        shape: a number of ``MARKER_SHAPES``.
        radius: pixels.
        edge_width: pixels.
        values: numbers in a device buffer that give every marker its own colour; or None.
        palette: rows of red, green, blue, 255 for them.
        limits: what the ends of the palette stand for.
        sizes: areas in square points in a device buffer, ``radius`` being that of area one; or
            None.
        mapped: 1 for faces in the colour of the value, 2 for rims, 3 for both.
        z: the third coordinate of points in space; None for 0.
        projection: how points in space are seen, in pixels; None in a plane.
    """

    x: Exported
    y: Exported
    face: Rgba
    edge: Rgba
    shape: int
    radius: float
    edge_width: float
    values: Exported | None = None
    palette: NDArray[np.uint8] | None = None
    limits: tuple[float, float] = (0.0, 1.0)
    mapped: int = 0
    sizes: Exported | None = None
    z: Exported | None = None
    projection: Projection | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PairLayer:
    """Points joined with their partners: stems, error bars, arrows, bars, areas.

    Attributes:
        kind: stem, errorbar, arrow, bar or area.
        x: abscissas: a device buffer or a range.
        y: ordinates in a device buffer.
        color: of strokes or faces.
        width: of strokes, or of a bar's rim, in pixels.
        base: where those without partners stand, in data coordinates.
        floors: ordinates of the partners; None for the base line.
        foot_x: abscissas of the partners; None for the points' own.
        edge: colour of a bar's rim.
        half: half the width of bars, in data coordinates.
        shift: from a point to the middle of its bar, in data coordinates.
        reach: half the length of caps, in pixels; the size of heads in parts of their arrows.
        ratio: pixels of the picture per logical pixel.
        swap: whether x runs up and y across (bars that lie).
    """

    kind: str
    x: Exported
    y: Exported
    color: Rgba
    width: float
    base: float = 0.0
    floors: Exported | None = None
    foot_x: Exported | None = None
    edge: Rgba = CLEAR
    half: float = 0.0
    shift: float = 0.0
    reach: float = 0.0
    ratio: float = 1.0
    swap: bool = False


@dataclass(frozen=True, slots=True)
class RuleLayer:
    """A line right across the picture.

    Attributes:
        place: in data coordinates.
        color: red, green, blue, alpha.
        width: pixels.
        upright: whether it runs up and down.
    """

    place: float
    color: Rgba
    width: float
    upright: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ImageLayer:
    """A colour-mapped or true-colour image.

    Attributes:
        values: numbers in a device buffer, column-major.
        palette: rows of red, green, blue, 255.
        limits: what the ends of the palette stand for.
        columns: coordinates of the centres of the first and the last column.
        rows: coordinates of the centres of the first and the last row.
        scaled: False when values are row numbers of the palette.
        alpha: opacity.
        alphas: an opacity per element, on the host or the device; or None.
        alpha_map: what these are multiplied by, and then added.
    """

    values: Exported
    palette: NDArray[np.uint8]
    limits: tuple[float, float]
    columns: tuple[float, float]
    rows: tuple[float, float]
    scaled: bool = True
    alpha: float = 1.0
    alphas: Exported | None = None
    alpha_map: tuple[float, float] = (1.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceLayer:
    """A surface over a grid, in space or seen from above.

    Attributes:
        x: column coordinates: on the host as a vector, or a matrix on the device.
        y: row coordinates, likewise.
        z: heights in a device buffer, column-major.
        projection: how it is seen, in pixels of the picture.
        palette: rows of red, green, blue, 255.
        limits: what the ends of the palette stand for.
        style: bits, ``FACES`` and its neighbours.
        face: colour of faces without a value's colour.
        edge: colour of edges.
        edge_width: pixels.
        alpha: opacity of the faces.
        values: what gives the colours, in a device buffer; None for the heights.
        levels: faces take the colour of the highest of these below them; empty for their own.
        lighting: the lights on it; None for its own colours.
        whole: whether all cells are drawn, however many there are.
    """

    x: Exported
    y: Exported
    z: Exported
    projection: Projection
    palette: NDArray[np.uint8]
    limits: tuple[float, float]
    style: int
    face: Rgba
    edge: Rgba
    edge_width: float
    alpha: float = 1.0
    values: Exported | None = None
    levels: tuple[float, ...] = ()
    lighting: Lighting | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ContourLayer:
    """Lines of equal height over a grid, in space or seen from above.

    Attributes:
        x: column coordinates: on the host as a vector, or a matrix on the device.
        y: row coordinates, likewise.
        z: heights in a device buffer, column-major.
        projection: how it is seen, in pixels of the picture.
        palette: rows of red, green, blue, 255.
        limits: what the ends of the palette stand for.
        levels: the heights.
        color: of all lines; None for the palette's.
        width: pixels.
        floor: the height they are drawn at; None for their own.
    """

    x: Exported
    y: Exported
    z: Exported
    projection: Projection
    palette: NDArray[np.uint8]
    limits: tuple[float, float]
    levels: tuple[float, ...]
    color: Rgba | None
    width: float
    floor: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PolygonLayer:
    """Filled polygons of equally many corners, one over the other; even-odd.

    Attributes:
        x: abscissas in a device buffer: of each the corners, the first one again, and a gap.
        y: ordinates, likewise.
        z: the third coordinates; None for 0.
        projection: how they are seen, in pixels of the picture.
        faces: how many there are.
        colors: one, or one for each.
    """

    x: Exported
    y: Exported
    z: Exported | None
    projection: Projection
    faces: int
    colors: tuple[Rgba, ...]


def stride_of(layer: SurfaceLayer | ContourLayer, most: int) -> int:
    """Which rows and columns are drawn: every n-th of grids with more than ``most``, but all of
    what is no grid."""
    if isinstance(layer, SurfaceLayer) and layer.whole:
        return 1
    return max(1, math.ceil(int(max(layer.z["shape"][:2])) / most))


def cells_of(layer: SurfaceLayer | ContourLayer, most: int) -> int:
    """The number of cells that are drawn."""
    rows, columns = map(int, layer.z["shape"][:2])
    stride = stride_of(layer, most)
    return ((rows - 2) // stride + 1) * ((columns - 2) // stride + 1)
