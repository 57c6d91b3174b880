"""One plot after another in one figure: whatever stood there before, the next one is shown.

A figure's items live on while its model changes beneath them; every pair of neighbours here is one
such change, with legends, colour bars, second axes, space and polar axes coming and going.
"""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.ui.plots.canvas import FigureCanvas
from tests.ui.plots.desk import Desk

EXAMPLES = sorted((Path(__file__).parents[3] / "resources" / "examples").glob("*.m"))
NUMBER = re.compile(r"\b\d+(\.\d+)?(e\d+)?\b")
STEPS = (
    "plot(1:10);",
    "plot(1:10); legend('a');",
    "plot(rand(9, 3)); legend('a', 'b', 'c', 'Location', 'eastoutside');",
    "plot(1:3); hold on; plot(3:-1:1); hold off; legend;",
    "imagesc(rand(5));",
    "imagesc(rand(5)); colorbar;",
    "imagesc(rand(4, 9)); axis image; colorbar('southoutside');",
    "colorbar off;",
    "colorbar('westoutside');",
    "legend off;",
    "legend('Location', 'southoutside');",
    "clf;",
    "cla;",
    "cla reset;",
    "hold on;",
    "hold off;",
    "subplot(2, 2, 1); plot(rand(1, 5)); legend('s');",
    "subplot(2, 2, 4); surf(peaks(9)); colorbar;",
    "subplot(2, 1, 2); bar([3 1 2]); legend({'x'});",
    "tiledlayout(2, 1); nexttile; plot(1:4); nexttile; imagesc(magic(4)); colorbar;",
    "surf(peaks(12)); colorbar; legend('surface');",
    "mesh(peaks(8));",
    "contour(peaks(15)); colorbar;",
    "polarplot(linspace(0, 6, 30), 1:30); legend('spiral');",
    "yyaxis left; plot(1:5); yyaxis right; plot(5:-1:1); legend('l', 'r');",
    "scatter(1:20, rand(1, 20), 30, 1:20, 'filled'); colorbar;",
    "histogram(randn(1, 99)); title('counts'); xlabel('x');",
    "semilogy([1 10 1000]); legend('steep', 'Location', 'best');",
    "pie([1 2 3]); legend('a', 'b', 'c');",
    "heatmap(magic(3));",
    "boxplot(rand(9, 3));",
    "errorbar(1:4, 1:4, ones(1, 4)); legend('e');",
    "plot3(1:9, sin(1:9), cos(1:9)); legend('p'); view(2);",
    "title('a title'); subtitle('below'); ylabel('y');",
    "axis off;",
    "axis equal;",
    "set(gca, 'XScale', 'log');",
    "figure(2); plot(1:3); legend('two');",
    "figure(1);",
    "close(2);",
    "close all;",
)


def shown(desk: Desk) -> list[FigureCanvas]:
    """The figures after whatever is still to be arranged, each drawn once more by its widget."""
    canvases = list(desk.panel.canvases.values())
    for canvas in canvases:
        canvas.grab()
    return canvases


def agree(canvas: FigureCanvas) -> None:
    """Every part that the window shows belongs to the model, and every part of the model is shown."""
    for axes in canvas.figure.axes.values():
        assert (axes.legend is not None) == (axes.model["legend"] is not None)
        assert (axes.color_scale is not None) == (axes.model["colorbar"] is not None)
        assert (axes.right_box is not None) == bool(axes.model["two_sided"])


@pytest.mark.parametrize("seed", range(4))
def test_any_sequence_of_plots_is_shown(qtbot: QtBot, seed: int) -> None:
    chosen = random.Random(seed)
    desk = Desk(qtbot, "cpu")
    try:
        for _ in range(60):
            desk.run(f"try, {chosen.choice(STEPS)} catch problem, end")
            for canvas in shown(desk):
                agree(canvas)
    finally:
        desk.close()


def smaller(number: re.Match[str]) -> str:
    """Large sizes make the same pictures slowly."""
    return number[0] if float(number[0]) < 1000 else str(20 + int(float(number[0]) / 1e4))


def round_of_all_pairs(names: list[Path]) -> list[Path]:
    """A walk that goes from each of them to each other one exactly once (Hierholzer)."""
    left = {name: [other for other in names if other != name] for name in names}
    stack, walk = [names[0]], []
    while stack:
        if left[stack[-1]]:
            stack.append(left[stack[-1]].pop())
        else:
            walk.append(stack.pop())
    return walk[::-1]


def test_examples_are_shown_one_after_another(qtbot: QtBot) -> None:
    show(qtbot, random.Random(5).sample(EXAMPLES, len(EXAMPLES)))


@pytest.mark.campaign
def test_each_example_is_shown_after_each_other_one(qtbot: QtBot) -> None:
    walk = round_of_all_pairs(EXAMPLES)
    assert len(set(pairwise(walk))) == len(EXAMPLES) * (len(EXAMPLES) - 1)
    show(qtbot, walk)


def show(qtbot: QtBot, walk: list[Path]) -> None:
    """Run examples in one session; after each the window shows what the model has."""
    desk = Desk(qtbot, "cpu")
    try:
        for example in walk:
            desk.run(NUMBER.sub(smaller, example.read_text()))
            for canvas in shown(desk):
                agree(canvas)
    finally:
        desk.close()
