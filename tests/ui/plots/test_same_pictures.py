"""A script's figure looks the same whether its data is on the device or in main memory."""

from __future__ import annotations

import numpy as np
import pytest

from app.ui.plots.cost_badge import cost_of
from app.ui.plots.figure_export import picture
from tests.support.pictures import pixels
from tests.ui.plots.desk import Desk

WAVE = "y = sin((1:1500)'/100)*2; y = keep(y);"
THREE = "A = abs([sin((1:1500)'/100) cos((1:1500)'/70) ones(1500,1)]); A = keep(A);"
HILLS = "Z = keep(peaks(40)*1);"
PLOTS = {
    "stairs": WAVE + "stairs(y)",
    "dashed stairs": WAVE + "stairs(y, '--', 'LineWidth', 2); xlim([20 40])",
    "stems": WAVE + "stem(y, 'filled'); xlim([100 160])",
    "many stems": WAVE + "stem(y, 'Marker', 'none')",
    "area": WAVE + "area(abs(y), 'FaceAlpha', 0.5)",
    "stacked areas": THREE + "area(A)",
    "bars": WAVE + "bar(y); xlim([100 130])",
    "many bars": WAVE + "bar(y)",
    "lying bars": WAVE + "barh(y, 'FaceColor', [.9 .3 .2], 'LineWidth', 1); ylim([100 115])",
    "grouped bars": THREE + "bar(A); xlim([10 20])",
    "stacked bars": THREE + "bar(A, 'stacked'); xlim([10 20])",
    "error bars": WAVE + "errorbar(y, keep(y/5), '-o'); xlim([100 130])",
    "errors both ways": WAVE + "e = keep(y/5); errorbar(y, y, e, e, e, e, '.'); "
    "axis([1 1.3 1 1.3])",
    "arrows": "[X,Y] = meshgrid(-2:.1:2); quiver(X, Y, keep(sin(X)), keep(cos(Y)))",
    "arrows with markers": "[X,Y] = meshgrid(-2:.1:2); "
    "q = quiver(X, Y, keep(sin(X)), keep(cos(Y))); q.Marker = 'o'; q.MarkerSize = 2;",
    "line in space": "t = (1:3000)'/100; plot3(keep(sin(t)), keep(cos(t)), keep(t*1))",
    "markers in space": "x = keep(rand(2000,1)*1); y = keep(x.^2); scatter3(x, y, x, 25, 'filled')",
    "coloured markers in space": "x = keep(rand(2000,1)*1); scatter3(x, x, x, 25, x)",
    "markers of many sizes": "x = keep(rand(1500,1)*1); scatter(x, x.^2, keep(x*40), 'filled')",
    "sizes and colours": "x = keep(rand(1500,1)*1); scatter(x, x.^2, keep(x*40), keep(x*9))",
    "some markers": WAVE + "plot(y, '-o', 'MarkerIndices', 1:100:1500)",
    "spiral": "t = keep((1:1500)'/100); polarplot(t, keep(t*2), '--')",
    "image with holes": HILLS + "imagesc(Z, 'AlphaData', keep(abs(Z) > 1))",
    "image that fades": HILLS + "h = imagesc(Z); h.AlphaData = repmat(linspace(0,1,40), 40, 1);",
    "contours": HILLS + "contour(Z, 8)",
    "filled contours": HILLS + "contourf(Z)",
    "contours in space": HILLS + "contour3(Z, 20)",
    "checkerboard": HILLS + "pcolor(Z)",
    "smooth checkerboard": HILLS + "pcolor(Z); shading interp",
    "faint checkerboard": HILLS + "pcolor(Z, 'FaceAlpha', 0.3, 'EdgeAlpha', 0.5)",
    "brown surface from above": HILLS + "surf(Z, 'FaceColor', [.5 .3 .2]); view(2)",
    "surface with faint lines": HILLS + "surf(Z, 'EdgeAlpha', 0.2)",
    "mesh from above": HILLS + "mesh(Z); view(2)",
    "coloured surface": HILLS + "surf(1:40, 1:40, Z, keep(Z.^2))",
    "surface over contours": HILLS + "surfc(Z)",
}


@pytest.mark.parametrize("name", PLOTS)
def test_same_picture_from_the_device_and_from_memory(desk: Desk, name: str) -> None:
    shown, drawn = [], []
    for keep in ("(", "gather("):
        desk.run("close all; clear; rng(1); " + PLOTS[name].replace("keep(", keep))
        assert desk.panel.current is not None
        shown.append(pixels(picture(desk.panel.current)))
        drawn.append(cost_of(desk.panel.current.figure).device_points)
    assert drawn[0] > 1000, "drawn from the device"
    assert drawn[1] <= drawn[0]
    difference = np.abs(shown[0] - shown[1]).max(axis=2)
    assert (difference > 100).mean() < 0.012
    assert (difference > 40).mean() < 0.08
    assert (np.abs(shown[0] - shown[0][0, 0]).max(axis=2) > 100).mean() > 0.005, (
        "something is drawn"
    )
