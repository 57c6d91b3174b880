"""Texts of axes in space: in their place, and none over another, however they are seen."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from typing import Any

import pytest
from PySide6.QtCore import QRectF
from pytestqt.qtbot import QtBot

from app.ui.plots.space_item import SpaceItem
from app.ui.plots.space_rulers import Placed, SpaceRulers
from app.ui.plots.style import PAPER
from tests.engine.figures.conftest import Plotter

AZIMUTHS = range(-180, 180, 40)
ELEVATIONS = (-50, 0, 3, 30, 88, 90)
SIZES = ((60, 45), (110, 70), (150, 120), (420, 320), (900, 200), (150, 600))


def axes(m: Plotter, heights: list[float], *, named: bool = True) -> dict[str, Any]:
    m.plot3([0.0, 1.0, 2.0], [-1000.0, 1000.0, 0.0], [0.0, 0.1, 0.1])
    m.zlim(heights)
    if named:
        for letter in "xyz":
            m.call(f"{letter}label", (f"Distance {letter}",), 0)
    return m.axes()


def rulers(item: SpaceItem, view: tuple[float, float], size: tuple[int, int]) -> SpaceRulers:
    item.resize(*size)
    item.view = view
    return item.rulers(item.projection())


def overlapping(texts: list[Placed]) -> list[tuple[QRectF, QRectF]]:
    return [(a.box, b.box) for a, b in combinations(texts, 2) if a.box.intersects(b.box)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("heights", [[0.0, 0.15], [-40000.0, 100000.0]])
def test_no_text_lies_over_another_or_leaves_the_axes(
    m: Plotter, qtbot: QtBot, heights: list[float], size: tuple[int, int]
) -> None:
    """Each was placed without knowing of the others, and of the figure's edge."""
    item = SpaceItem(axes(m, heights), PAPER)
    for view in product(AZIMUTHS, ELEVATIONS):
        for magnified in (1.0, 3.0):
            item.magnified = magnified
            texts = rulers(item, view, size).texts
            room = item.boundingRect()
            assert not overlapping(texts), (view, magnified)
            assert all(room.contains(text.box) for text in texts), (view, magnified)


@pytest.mark.parametrize("size", [(180, 140), (240, 180), (420, 320)])
def test_every_axis_keeps_its_name(m: Plotter, qtbot: QtBot, size: tuple[int, int]) -> None:
    """As long as there is room for three of them at all."""
    item = SpaceItem(axes(m, [0.0, 0.15]), PAPER)
    for view in product(AZIMUTHS, (-50, 0, 3, 30)):
        shown = [text.label._text for text in rulers(item, view, size).texts]
        assert sum(text.startswith("Distance") for text in shown) == 3, view


def test_dense_ticks_of_the_script_are_thinned_evenly(m: Plotter, qtbot: QtBot) -> None:
    model = axes(m, [0.0, 0.15], named=False)
    model |= {"XTickMode": "manual", "XTick": [k / 50 for k in range(101)]}
    item = SpaceItem(model, PAPER)
    seen = rulers(item, (0.0, 30.0), (420, 320))
    assert len(seen.places(0)) == 101
    numbers = [float(text.label._text) for text in seen.texts]
    across = [number for number in numbers if round(number * 50) == number * 50][:4]
    steps = {round(b - a, 6) for a, b in pairwise(across)}
    assert len(steps) == 1
