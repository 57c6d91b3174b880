"""What the device renderer is asked to draw: plain descriptions, no device objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.ui.plots.numbers import Exported

Rgba = tuple[float, float, float, float]
CLEAR: Rgba = (0.0, 0.0, 0.0, 0.0)

MARKER_SHAPES = {
    "o": 0, ".": 0, "+": 1, "x": 2, "*": 3, "square": 4, "diamond": 5, "^": 6, "v": 7, ">": 8,
    "<": 9, "_": 10, "|": 11, "pentagram": 12, "hexagram": 13,
}  # fmt: skip
"""Numbers of the marker shapes in the shader."""


@dataclass(frozen=True, slots=True)
class LineLayer:
    """A line through points.

    Attributes:
        x: abscissas: a device buffer or a range.
        y: ordinates in a device buffer.
        color: red, green, blue, alpha.
        width: pixels.
        dashes: lengths of dashes and gaps in pixels; empty for a solid line.
    """

    x: Exported
    y: Exported
    color: Rgba
    width: float
    dashes: tuple[float, ...] = ()


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
        mapped: 1 for faces in the colour of the value, 2 for rims, 3 for both.
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
    """

    values: Exported
    palette: NDArray[np.uint8]
    limits: tuple[float, float]
    columns: tuple[float, float]
    rows: tuple[float, float]
    scaled: bool = True
    alpha: float = 1.0
