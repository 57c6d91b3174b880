"""Faces with blended colours: the palette of the value at each pixel, and no gaps between them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage, QPainter

from app.ui.plots.host.blend import VertexColors, fill_blended
from app.ui.plots.host.brush import Brush
from app.ui.plots.series_arrays import Window
from app.ui.plots.style import PAPER

SIDE = 40
PALETTE = np.column_stack([np.arange(256), np.zeros(256), 255 - np.arange(256), np.full(256, 255)])
AXES = {"colormap": PALETTE.astype(np.uint8), "CLim": (0.0, 1.0)}


def pixels(
    values: NDArray[np.float64],
    polygons: list[list[int]],
    spots: NDArray[np.float64],
    *,
    alpha: float = 1.0,
    ratio: float = 1.0,
    shift: float = 0.0,
) -> NDArray[np.uint8]:
    """What a box of 40 by 40 shows: rows of premultiplied red, green, blue, alpha."""
    size = round(SIDE * ratio) + 2
    image = QImage(size, size, QImage.Format.Format_RGBA8888_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    painter = QPainter(image)
    painter.translate(shift, shift)
    brush = Brush(painter, Window(0, 1, 0, 1, SIDE, SIDE), PAPER, AXES)
    colors = VertexColors(brush, np.column_stack([values, np.full(len(values), alpha)]))
    for corners in polygons:
        fill_blended(colors, spots[corners], np.array(corners))
    painter.end()
    bits = np.frombuffer(image.constBits(), np.uint8).reshape(size, -1)[:, : 4 * size]
    return bits.reshape(size, size, 4).copy()


CORNERS = np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE], [SIDE / 2, SIDE / 3]])
FAN = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("shift", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("alpha", [1.0, 0.5])
def test_neighbours_leave_no_gap_and_do_not_overlap(
    ratio: float, shift: float, alpha: float
) -> None:
    values = np.array([[0.1], [0.9], [0.4], [0.6], [0.2]])
    shown = pixels(values, FAN, CORNERS, alpha=alpha, ratio=ratio, shift=shift)
    inner = shown[2 : round(SIDE * ratio) - 1, 2 : round(SIDE * ratio) - 1, 3]
    assert inner.min() == round(255 * alpha)
    overlapping = np.count_nonzero(inner > round(255 * alpha))
    assert overlapping <= 4 * SIDE * ratio  # at most the pixels whose middle is on an edge


def test_the_value_is_blended_not_the_colour() -> None:
    shown = pixels(np.array([[0.0], [1.0], [1.0], [0.0]]), [[0, 1, 2, 3]], CORNERS[:4])
    expected = np.arange(SIDE) * 256 // SIDE + 256 // SIDE // 2
    assert np.abs(shown[SIDE // 2, :SIDE, 0].astype(int) - expected).max() <= 1


def test_red_green_and_blue_are_blended_themselves() -> None:
    values = np.array([[1.0, 0, 0], [0, 0, 1], [0, 0, 1], [1, 0, 0]])
    row = pixels(values, [[0, 1, 2, 3]], CORNERS[:4])[SIDE // 2, :SIDE].astype(int)
    assert np.abs(row[:, 0] + row[:, 2] - 255).max() <= 1
    assert (np.diff(row[:, 0]) < 0).all()


@pytest.mark.parametrize("values", [[[np.nan], [0.5], [1.0]], [[np.nan] * 3, [0.5] * 3, [1.0] * 3]])
def test_missing_values_are_no_error(values: list[list[float]]) -> None:
    pixels(np.array(values), [[0, 1, 2]], CORNERS)


@pytest.mark.parametrize("reach", [1e6, 1e-3])
def test_huge_and_tiny_faces_are_painted(reach: float) -> None:
    spots = np.array([[-reach, -reach], [reach, -reach], [0.0, reach]]) + SIDE / 2
    shown = pixels(np.array([[0.0], [0.5], [1.0]]), [[0, 1, 2]], spots)
    assert (shown[2:38, 2:38, 3] == 255).all() or reach < 1


def test_a_face_without_area_paints_nothing() -> None:
    spots = np.array([[0.0, 0.0], [20.0, 20.0], [40.0, 40.0]])
    assert not pixels(np.array([[0.0], [0.5], [1.0]]), [[0, 1, 2]], spots).any()
