"""Cubic curves through points, without the half second that importing SciPy's takes.

The same numbers as ``scipy.interpolate``'s ``CubicSpline`` and ``PchipInterpolator`` give.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.accel.numerics.lapack import routine as lapack

if TYPE_CHECKING:
    from app.accel.numerics.nogil_linalg import Array


@dataclass(frozen=True, slots=True, eq=False)
class CubicPieces:
    """A curve of cubic polynomials, real or complex, with further dimensions side by side.

    Attributes:
        c: coefficients by power (the highest first), piece and further dimensions.
        x: where the pieces begin and the last one ends.
    """

    c: Array
    x: Array

    def __call__(self, at: Array) -> Array:
        """The values there; the end pieces go on beyond the ends."""
        at = np.asarray(at, dtype=np.float64)
        piece = np.clip(np.searchsorted(self.x, at, side="right") - 1, 0, self.x.size - 2)
        wide = (..., *(None,) * (self.c.ndim - 2))
        offset = (at - self.x[piece])[wide]
        value, power = self.c[-1][piece] + 0.0 * offset, offset
        for row in self.c[-2::-1]:
            value = value + row[piece] * power
            power = power * offset
        return np.asarray(value)


def from_slopes(x: Array, y: Array, slopes: Array) -> CubicPieces:
    """The pieces that have these values and slopes at their ends."""
    width = np.diff(x).reshape(-1, *(1,) * (y.ndim - 1))
    rise = np.diff(y, axis=0) / width
    bend = (slopes[:-1] + slopes[1:] - 2 * rise) / width
    parts = bend / width, (rise - slopes[:-1]) / width - bend, slopes[:-1], y[:-1]
    return CubicPieces(np.stack(parts), x)


def cubic_spline(x: Array, y: Array, ends: tuple[Array, Array] | None = None) -> CubicPieces:
    """The curve with continuous curvature: its end slopes, or "not a knot" at the second points."""
    y = y.astype(np.complex128 if y.dtype.kind == "c" else np.float64)
    n = x.size
    width = np.diff(x)
    wide = width.reshape(-1, *(1,) * (y.ndim - 1))
    rise = np.diff(y, axis=0) / wide
    if ends is None and n == 2:
        ends = rise[0], rise[0]
    if ends is None and n == 3:
        return from_slopes(x, y, _slopes_of_parabola(width, wide, rise, y))
    below, main, above = np.empty(n - 1), np.empty(n), np.empty(n - 1)
    right = np.empty_like(y)
    main[1:-1] = 2 * (width[:-1] + width[1:])
    above[1:], below[:-1] = width[:-1], width[1:]
    right[1:-1] = 3 * (wide[1:] * rise[:-1] + wide[:-1] * rise[1:])
    if ends is None:
        first, last = x[2] - x[0], x[-1] - x[-3]
        main[0], above[0] = width[1], first
        right[0] = ((wide[0] + 2 * first) * wide[1] * rise[0] + wide[0] ** 2 * rise[1]) / first
        main[-1], below[-1] = width[-2], last
        right[-1] = wide[-1] ** 2 * rise[-2] + (2 * last + wide[-1]) * wide[-2] * rise[-1]
        right[-1] /= last
    else:
        main[0] = main[-1] = 1.0
        above[0] = below[-1] = 0.0
        right[0], right[-1] = ends
    flat = right.reshape(n, -1)
    found = lapack("gtsv", flat.dtype)(below, main, above, flat)[3]
    return from_slopes(x, y, np.asarray(found).reshape(y.shape))


def _slopes_of_parabola(width: Array, wide: Array, rise: Array, y: Array) -> Array:
    """The slopes at three points."""
    system = np.array([[1.0, 1.0, 0.0], [width[1], 2 * (width[0] + width[1]), width[0]], [0, 1, 1]])
    right = np.empty_like(y)
    right[0], right[2] = 2 * rise[0], 2 * rise[1]
    right[1] = 3 * (wide[0] * rise[1] + wide[1] * rise[0])
    return np.linalg.solve(system, right.reshape(3, -1)).reshape(y.shape)


def pchip(x: Array, y: Array) -> CubicPieces:
    """The curve that rises and falls where its points do (Fritsch and Butland's slopes)."""
    if y.dtype.kind == "c":
        return CubicPieces(pchip(x, y.real).c + 1j * pchip(x, y.imag).c, x)
    y = y.astype(np.float64)
    width = np.diff(x).reshape(-1, *(1,) * (y.ndim - 1))
    rise = np.diff(y, axis=0) / width
    if x.size == 2:
        return from_slopes(x, y, np.concatenate([rise, rise]))
    signs = np.sign(rise)
    turns = (signs[1:] != signs[:-1]) | (rise[1:] == 0) | (rise[:-1] == 0)
    first, second = 2 * width[1:] + width[:-1], width[1:] + 2 * width[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (first / rise[:-1] + second / rise[1:]) / (first + second)
    slopes = np.zeros_like(y)
    slopes[1:-1][~turns] = 1.0 / mean[~turns]
    slopes[0] = _end_slope(width[0], width[1], rise[0], rise[1])
    slopes[-1] = _end_slope(width[-1], width[-2], rise[-1], rise[-2])
    return from_slopes(x, y, slopes)


def _end_slope(near: Array, next_: Array, rise: Array, onward: Array) -> Array:
    """The slope at an end, by three points, unless the curve would turn there."""
    slope = ((2 * near + next_) * rise - near * onward) / (near + next_)
    turns = np.sign(slope) != np.sign(rise)
    steep = (np.sign(rise) != np.sign(onward)) & (np.abs(slope) > 3.0 * np.abs(rise))
    return np.where(turns, 0.0, np.where(steep & ~turns, 3.0 * rise, slope))
