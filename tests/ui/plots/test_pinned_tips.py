"""Data tips that scripts put on points say what a click there says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from app.engine.figures.objects import GraphicsObject
from app.ui.plots.data_tip import nearest, sample_of
from app.ui.plots.figure_panel import FigurePanel
from tests.engine.figures.conftest import Plotter
from tests.ui.plots.desk import FIGURES

X, Y = np.array([[1.0, 2.0, 4.0]]), np.array([[3.0, 1.0, 7.0]])
CHARTS: dict[str, tuple[Callable[[Plotter], object], int]] = {
    "plot": (lambda m: m.plot(X, Y, nargout=1), 3),
    "scatter": (lambda m: m.scatter(X, Y, nargout=1), 3),
    "stem": (lambda m: m.stem(X, Y, nargout=1), 3),
    "stairs": (lambda m: m.stairs(X, Y, nargout=1), 3),
    "errorbar": (lambda m: m.errorbar(X, Y, np.ones((1, 3)), nargout=1), 3),
    "area": (lambda m: m.area(X, Y, nargout=1), 3),
    "bar": (lambda m: m.bar(X, Y, nargout=1), 3),
    "barh": (lambda m: m.barh(X, Y, nargout=1), 3),
    "histogram": (lambda m: m.histogram(np.array([[1.0, 2.0, 2.0, 3.0]]), 3.0, nargout=1), 3),
    "imagesc": (lambda m: m.imagesc(np.arange(6.0).reshape(2, 3), nargout=1), 6),
    "plot3": (lambda m: m.plot3(X, Y, Y + X, nargout=1), 3),
    "surf": (lambda m: m.surf(np.arange(9.0).reshape(3, 3) ** 2, nargout=1), 9),
}


@pytest.fixture
def canvas_of(qtbot: QtBot) -> Callable[[Plotter], FigurePanel]:
    panel = FigurePanel()
    qtbot.addWidget(panel)
    panel.resize(640, 480)
    panel.show()

    def shown(m: Plotter) -> FigurePanel:
        m.figures.flush()
        for event in m.events:
            if isinstance(event, FIGURES):
                panel.handle_event(event)
        m.events.clear()
        qtbot.waitUntil(lambda: not panel._waiting)
        return panel

    return shown


@pytest.mark.parametrize("kind", CHARTS)
def test_a_pinned_tip_says_what_a_click_says(
    m: Plotter, canvas_of: Callable[[Plotter], FigurePanel], kind: str
) -> None:
    draw, count = CHARTS[kind]
    chart = draw(m)
    assert isinstance(chart, GraphicsObject)
    for index in range(count):
        tip = m.datatip(chart, "DataIndex", index + 1.0, nargout=1)
        figure = canvas_of(m).current.figure
        (axes,) = figure.axes.values()
        (said,) = figure.pinned.said()
        (series,) = axes.model["children"]
        sample = sample_of(axes, series, index)
        assert sample is not None
        assert sample.text == said
        if axes.space is None:
            spot = axes.box.mapViewToScene(QPointF(sample.x, sample.y))
            found = nearest(axes, spot)
            assert found is not None
            assert found.text == said
        assert tip.get("DataIndex") == index + 1
        place = [tip.get(letter) for letter in ("XYZ" if axes.space else "XY")]
        again = m.datatip(chart, *place, nargout=1)
        assert again.get("DataIndex") == index + 1
        m.delete(tip)
        m.delete(again)
    assert canvas_of(m).current.figure.pinned.said() == []


def test_tips_follow_their_chart(m: Plotter, canvas_of: Callable[[Plotter], FigurePanel]) -> None:
    chart = m.plot(X, Y, nargout=1)
    assert isinstance(chart, GraphicsObject)
    tip = m.datatip(chart, 2.1, 1.0, nargout=1)
    pinned = canvas_of(m).current.figure.pinned
    assert pinned.said() == ["X  2\nY  1\n#2"]
    chart.set("YData", Y + 1)
    canvas_of(m)
    assert pinned.said() == ["X  2\nY  2\n#2"]
    assert isinstance(tip, GraphicsObject)
    tip.set("X", 3.9)
    canvas_of(m)
    assert pinned.said() == ["X  4\nY  8\n#3"]
    tip.set("Visible", "off")
    canvas_of(m)
    assert pinned.said() == []
    tip.set("Visible", "on")
    chart.set("Visible", "off")
    canvas_of(m)
    assert pinned.said() == []
    chart.set("Visible", "on")
    m.cla()
    canvas_of(m)
    assert pinned.said() == []
