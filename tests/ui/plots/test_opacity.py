"""Opacities that follow alpha data are seen, whatever carries them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from app.ui.plots.figure_export import picture
from tests.support.pictures import pixels
from tests.ui.plots.desk import Desk

QUIET = "close all; axes('Position', [0 0 1 1], 'Visible', 'off', 'XLim', [0 1], 'YLim', [0 1]); "
HALF = QUIET + "hold on; x = [0 0.5 1]; Z = zeros(3); A = [0 1 1; 0 1 1; 0 1 1]; "
PLOTS = {
    "surface from above": HALF + "surf(x, x, Z, 'FaceColor', 'b', 'EdgeColor', 'none', "
    "'AlphaData', A, 'FaceAlpha', 'flat')",
    "surface in space": HALF + "surf(x, x, Z, 'FaceColor', 'b', 'EdgeColor', 'none', "
    "'AlphaData', A, 'FaceAlpha', 'flat'); zlim([-1 1]); view(0, 89.9)",
    "surface on the device": HALF + "surf(x, x, gpuArray(Z), 'FaceColor', 'b', 'EdgeColor', "
    "'none', 'AlphaData', A, 'FaceAlpha', 'flat')",
    "two polygons": HALF + "patch('Vertices', [0 0; .5 0; 1 0; 0 1; .5 1; 1 1], 'Faces', "
    "[1 2 5 4; 2 3 6 5], 'FaceColor', 'b', 'EdgeColor', 'none', 'FaceVertexAlphaData', [0; 1], "
    "'FaceAlpha', 'flat')",
    "an image": HALF + "image([.25 .75], [.25 .75], cat(3, zeros(2), zeros(2), ones(2)), "
    "'AlphaData', [0 1; 0 1])",
    "an image by indices": HALF + "image([.25 .75], [.25 .75], cat(3, zeros(2), zeros(2), "
    "ones(2)), 'AlphaData', [1 64; 1 64], 'AlphaDataMapping', 'direct')",
    "markers": HALF + "scatter([.25 .75], [.5 .5], 40000, 'b', 's', 'filled', 'AlphaData', [0 1], "
    "'MarkerFaceAlpha', 'flat', 'MarkerEdgeColor', 'none')",
    "markers in space": HALF + "scatter3([.25 .75], [.5 .5], [0 0], 40000, 'b', 's', 'filled', "
    "'AlphaData', [0 1], 'MarkerFaceAlpha', 'flat', 'MarkerEdgeColor', 'none'); view(0, 89.9)",
}


def _shown(desk: Desk, code: str) -> NDArray[np.int16]:
    desk.run(code)
    assert desk.panel.current is not None
    return pixels(picture(desk.panel.current)).astype(np.int16)


def _blueness(rows: NDArray[np.int16]) -> tuple[float, float]:
    """The share of blue pixels in the left and in the right half."""
    blue = rows[..., 0] - rows[..., 2] > 100
    middle = rows.shape[1] // 2
    return float(blue[:, :middle].mean()), float(blue[:, middle:].mean())


@pytest.mark.parametrize("name", PLOTS)
def test_half_of_it_is_seen(desk: Desk, name: str) -> None:
    left, right = _blueness(_shown(desk, PLOTS[name]))
    assert left < 0.05
    assert right > 0.3


@pytest.mark.parametrize("name", [name for name in PLOTS if name != "an image"])
def test_an_alpha_map_turns_it_round(desk: Desk, name: str) -> None:
    left, right = _blueness(_shown(desk, PLOTS[name] + "; alphamap rampdown"))
    assert left > 0.3
    assert right < 0.05


def test_alpha_limits_cut_off(desk: Desk) -> None:
    code = PLOTS["surface from above"]
    assert _blueness(_shown(desk, code + "; alim([2 3])"))[1] < 0.05
    assert _blueness(_shown(desk, code + "; alim([-2 -1])"))[0] > 0.3


def test_lines_of_a_surface_are_as_faint_as_told(desk: Desk) -> None:
    dark = []
    for opacity in (1, 0):
        code = HALF + f"surf(x, x, Z, 'FaceColor', 'w', 'EdgeAlpha', {opacity})"
        dark.append(float((_shown(desk, code)[..., 1] < 200).mean()))
    assert dark[0] > 2 * dark[1]
