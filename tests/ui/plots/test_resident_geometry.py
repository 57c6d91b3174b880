"""Charts that draw more than their numbers as they are: their geometry is made on the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.ui.plots.cost_badge import cost_of
from app.ui.plots.device import points
from app.ui.plots.figure_export import picture
from tests.support.pictures import pixels
from tests.ui.plots.desk import Desk

HILLS = "Z = peaks(44); Z = keep(Z + 0);"
CLOUD = "rng(1); x = rand(1500,1); x = keep(x + 0); y = keep(x.^2 + 0);"
NET = (
    "[X,Y] = meshgrid(1:35, 1:31); x = keep(X(:) + 0); y = keep(Y(:) + 0); "
    "i = reshape((1:30)' + 31*(0:33), [], 1); Q = [i i+1 i+32 i+31]; T = [i i+1 i+32];"
)
RING = "t = keep((0:1499)'/1500*2*pi);"
PLOTS = {
    "waterfall": "Z = peaks(160); Z = keep(Z(1:20:end,:) + 0); waterfall(Z)",
    "curtained mesh": HILLS + "meshz(Z)",
    "stems in space": CLOUD + "stem3(x(1:1200), y(1:1200), y(1:1200)*2, 'filled')",
    "stems of a grid": HILLS + "stem3(Z)",
    "arrows in space": "[X,Y,Z] = meshgrid(1:11); U = keep(X + 0); quiver3(X, Y, Z, U, -U, U)",
    "towers": HILLS + "bar3(Z)",
    "lying towers": HILLS + "bar3h(Z)",
    "ribbons": HILLS + "ribbon(Z)",
    "pattern": "A = keep(double(mod((1:80)' * (1:80), 7) == 0)); spy(A)",
    "heat map": "A = keep(peaks(40) + 0); heatmap(A)",
    "swarm": CLOUD + "swarmchart(x > 0.4, keep(y + 0))",
    "stacked axes": CLOUD + "stackedplot([x y x + y])",
    "slices": "[X,Y,Z] = meshgrid(1:12); V = keep(X.*Y + Z); slice(V, [2 6], [2 5 9], [4 5 9])",
    "complex line": "t = (1:1500)'/200; z = keep(cos(t) + 1i*sin(3*t)); plot(z)",
    "grown line": "t = (1:1500)'/200; h = animatedline(keep(t+0), keep(sin(t))); "
    "addpoints(h, keep(t+8), keep(cos(t)))",
    "pairs of columns": CLOUD + "plotmatrix([x y])",
    "groups": CLOUD + "x = keep(repmat(x, 8, 1)); g = repmat([1;2;3], 4000, 1); "
    "gscatter(x, x + 0, g)",
    "least squares": CLOUD + "scatter(x, y, 5); lsline",
    "triangles in space": NET + "trisurf(T, x, y, sin(x/5))",
    "edges of triangles": NET + "trimesh(T, x, y, sin(x/5))",
    "triangles with resident corners": NET + "T = keep(T + 0); trisurf(T, x, y, sin(x/5), x)",
    "blended quadrilaterals": NET + "patch('Faces', Q, 'Vertices', [x y], 'FaceVertexCData', "
    "x + y, 'FaceColor', 'interp', 'EdgeColor', 'none')",
    "triangles among quadrilaterals": NET + "j = i; j(1:2:end) = NaN; Q = [i i+1 i+32 j+31]; "
    "patch('Faces', Q, 'Vertices', [x y x], 'FaceColor', 'g')",
    "a colour for each face": NET + "h = patch('Faces', Q, 'FaceColor', 'flat', "
    "'FaceVertexCData', (1:1020)'); h.Vertices = [x y];",
    "even-odd polygon": RING + "fill(cos(t) + cos(5*t), sin(t) + sin(5*t), 'r', 'FaceAlpha', 0.6)",
    "polygon in space": RING + "fill3(cos(t), sin(t), cos(3*t), 'g', 'EdgeColor', 'none')",
    "polygons over each other": RING + "X = cos(t) + (1:4)*0.7; Y = sin(t) + (1:4)*0.2; "
    "patch(X, Y, (1:4)')",
    "polygons of one colour": RING + "patch(cos(t)/3 + (1:3), sin(t) + (1:3)*0.2, 'm')",
    "band": RING + "patch([t; flipud(t)], [sin(t); sin(flipud(t))/3], 'b', 'EdgeAlpha', 0.3)",
    "feathers": "t = (1:1500)'/200; feather(keep(cos(t)), keep(sin(t)))",
    "comet": "t = (1:1500)'/200; comet(keep(cos(t)), keep(sin(t)))",
}


@pytest.mark.parametrize("name", PLOTS)
def test_geometry_is_made_where_the_data_is(qtbot: QtBot, desk: Desk, name: str) -> None:
    counters = desk.run(PLOTS[name].replace("keep(", "("))
    assert counters["plot_download_bytes"] == 0
    assert counters["download_bytes"] <= 1024, "limits are a few numbers"
    cost = cost_of(desk.panel.current.figure)
    assert cost.device_points > 1000
    assert cost.moved_bytes == 0
    there = pixels(picture(desk.panel.current))
    host = Desk(qtbot, "cpu")
    try:
        host.run(PLOTS[name].replace("keep(", "gather("))
        assert cost_of(host.panel.current.figure).device_points == 0
        _assert_alike(there, pixels(picture(host.panel.current)))
    finally:
        host.close()


def _assert_alike(there: Any, here: Any) -> None:
    difference = np.abs(there - here).max(axis=2)
    assert (difference > 100).mean() < 0.02
    assert (np.abs(there - there[0, 0]).max(axis=2) > 100).mean() > 0.005, "something is drawn"


@pytest.mark.parametrize(
    "code",
    [
        "scatter(x, y, 20, y*3, 'filled')",
        "scatter(x, y, 5 + y*30)",
        "scatter3(x, y, x, 20, y*3, 'filled')",
    ],
)
def test_very_many_coloured_markers_are_drawn_one_per_pixel(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    desk.run("rng(2); x = rand(3000,1)*1; y = x.^2; " + code)
    each = pixels(picture(desk.panel.current))
    monkeypatch.setattr(points, "PILED", 1000)
    desk.run("close all; " + code)
    difference = np.abs(each - pixels(picture(desk.panel.current))).max(axis=2)
    assert (difference > 100).mean() < 0.01
    assert difference.any(), "markers are in the middle of pixels"


def test_what_lines_and_arrows_were_followed_with_is_on_the_badge(desk: Desk) -> None:
    counters = desk.run("t = (1:1200)'/99; compass(sin(t(:)), cos(t))")
    assert cost_of(desk.panel.current.figure).moved_bytes == counters["plot_download_bytes"] > 0
    counters = desk.run(
        "close all; [X,Y] = meshgrid(1:40); U = X + 0; streamline(U, Y, U, U/2, 3, 4)"
    )
    assert cost_of(desk.panel.current.figure).moved_bytes > 40 * 40 * 8
