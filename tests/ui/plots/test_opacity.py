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


QUADS = "patch('Vertices', [0 0; .5 0; 1 0; 0 1; .5 1; 1 1], 'Faces', [1 2 5 4; 2 3 6 5], "
TOLD = {
    "lines of a surface": "surf(x, x, Z, 'FaceColor', 'none', 'EdgeColor', 'b', 'EdgeAlpha', {})",
    "lines of a surface in space": "surf(x, x, Z, 'FaceAlpha', 0, 'EdgeColor', 'b', "
    "'EdgeAlpha', {}); view(3)",
    "lines of a resident surface": "surf(x, x, gpuArray(Z), 'FaceColor', 'none', 'EdgeColor', 'b', "
    "'EdgeAlpha', {})",
    "the line of an area": "area([0 1], [.5 .5], 'FaceAlpha', 0, 'EdgeColor', 'b', 'LineWidth', 20, "
    "'EdgeAlpha', {})",
    "lines of polygons": QUADS + "'FaceColor', 'none', 'EdgeColor', 'b', 'LineWidth', 20, "
    "'EdgeAlpha', {})",
    "lines of polygons in space": QUADS + "'FaceColor', 'none', 'EdgeColor', 'b', 'LineWidth', 20, "
    "'EdgeAlpha', {}); view(3)",
    "lines of polygons by their data": QUADS + "'FaceColor', 'none', 'EdgeColor', 'b', "
    "'LineWidth', 20, 'EdgeAlpha', 'flat', 'AlphaDataMapping', 'none', "
    "'FaceVertexAlphaData', [{0}; {0}])",
    "bands": "contourf(x, x, [0 1 0; 1 2 1; 0 1 0] + gather(Z), 'LineColor', 'none', "
    "'FaceAlpha', {}); colormap([0 0 1; 0 0 1])",
    "resident bands": "contourf(x, x, gpuArray([0 1 0; 1 2 1; 0 1 0]), 'LineColor', 'none', "
    "'FaceAlpha', {}); colormap([0 0 1; 0 0 1])",
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_drawn_is_as_faint_as_told(desk: Desk, name: str) -> None:
    def blueness(code: str) -> float:
        rows = _shown(desk, HALF + code)
        return float((rows[..., 0] - rows[..., 2]).mean())

    ground = blueness("view(3)" if "view(3)" in TOLD[name] else "")
    seen, half, none = (blueness(TOLD[name].format(k)) - ground for k in (1, 0.5, 0))
    assert abs(none) < 0.05
    assert seen > 0.4
    assert 0.2 * seen < half < 0.8 * seen
