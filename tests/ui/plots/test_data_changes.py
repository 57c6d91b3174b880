"""A figure whose numbers change is painted as one that is drawn from nothing, and only once."""

from __future__ import annotations

import random
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject
from pytestqt.qtbot import QtBot

from app.engine.protocol import FigureUpdated
from app.source import SourceText
from app.ui.plots.axes_item import AxesItem
from app.ui.plots.canvas import FigureCanvas
from app.ui.plots.device.renderer_pool import is_drawing
from app.ui.plots.figure_export import picture
from app.ui.plots.series_arrays import Exported
from tests.ui.plots.desk import Desk

SET_UP = "t = single(linspace(0, 10, 40000)); close all force; "
STATES = (
    "plot(t, sin(1.1 * t))",
    "plot(t, sin(2.5 * t))",
    "plot(t, 5 * sin(t))",
    "plot(t, sin(t), 'r--')",
    "plot(t, sin(3 * t), 'LineWidth', 4)",
    "plot(t, sin(t) ./ (t > 4))",
    "plot(t(1:30000), sin(t(1:30000)))",
    "plot(double(t), sin(double(t)))",
    "plot(t, sin(t)); hold on; plot(t, cos(t)); hold off",
    "plot(t, sin(2 * t)); hold on; plot(t, cos(2 * t)); hold off",
    "plot(t, sin(t)); title('Sine')",
    "plot(t, sin(2 * t)); title('Sine')",
    "plot(t, sin(t)); legend('one')",
    "plot(t, sin(2 * t)); legend('one')",
    "plot(t, sin(t)); xlim([2 4])",
    "plot(t, sin(4 * t)); xlim([2 4])",
    "semilogy(t, 2 + sin(t))",
    "semilogy(t, 2 + sin(3 * t))",
    "stem(t(1:20000), sin(t(1:20000)))",
    "area(t, sin(t))",
    "area(t, sin(2 * t))",
    "scatter(t, sin(t), 9, sin(t))",
    "scatter(t, sin(2 * t), 9, cos(t))",
    "imagesc(sin(t(1:200)' * t(1:200)))",
    "imagesc(cos(t(1:200)' * t(1:200)))",
    "plot(sin(t)); axis off",
    "plot(sin(3 * t)); grid on",
    "subplot(1, 2, 1); plot(t, sin(t)); subplot(1, 2, 2); plot(t, cos(t))",
    "subplot(1, 2, 1); plot(t, sin(2 * t)); subplot(1, 2, 2); plot(t, cos(t))",
)


def shown(desk: Desk) -> bytes:
    """The picture of the figure in front."""
    assert desk.panel.current is not None
    image = picture(desk.panel.current)
    return bytes(image.constBits())


def test_a_changed_figure_looks_like_a_new_one(desk: Desk) -> None:
    fresh: dict[str, bytes] = {}
    for state in STATES:
        desk.run(SET_UP + state)
        fresh[state] = shown(desk)
    mixed = random.Random(7).sample(STATES, 8)
    for state in (*STATES, *mixed):
        desk.run("clf; " + state)
        assert shown(desk) == fresh[state], state


def test_axes_that_are_gone_leave_nothing_behind(desk: Desk) -> None:
    desk.run(SET_UP + "plot(t, sin(t))")
    alone = shown(desk)
    desk.run("subplot(2, 2, 1); plot(t, t); title('A'); subplot(2, 2, 4); plot(t, t.^2)")
    desk.run("clf; plot(t, sin(t))")
    assert shown(desk) == alone


def figure_of(desk: Desk, code: str) -> Exported:
    """The snapshot of the figure that a script draws."""
    desk.session.run_source(SourceText("test", code))
    *_, event = (e for e in desk.events if isinstance(e, FigureUpdated))
    desk.events.clear()
    return event.figure


class Paintings(QObject):
    """Counts the paintings of a widget."""

    def __init__(self, widget: QObject) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_other_numbers_are_painted_once_and_nothing_around_them_is_made_anew(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = FigureCanvas(figure_of(desk, SET_UP + STATES[0]))
    qtbot.addWidget(canvas)
    canvas.show()
    (item,) = next(iter(canvas.figure.axes.values())).device_items
    qtbot.waitUntil(lambda: item.frame is not None and not is_drawing())
    qtbot.wait(50)
    whole: list[Any] = []
    show_model = AxesItem.show_model
    monkeypatch.setattr(
        AxesItem, "show_model", lambda *args: (whole.append(args), show_model(*args))
    )
    paintings, before = Paintings(canvas.viewport()), item.frame
    canvas.show_model(figure_of(desk, STATES[1]))
    qtbot.waitUntil(lambda: item.frame is not before and not is_drawing())
    qtbot.wait(50)
    assert (paintings.count, whole) == (1, [])
    canvas.show_model(figure_of(desk, STATES[2]))  # other limits
    assert whole
    canvas.retire()


def test_an_array_that_is_plotted_again_is_looked_at_once(desk: Desk) -> None:
    desk.run(SET_UP + "y = sin(t) .* t; plot(y, t .* cos(t))")
    counts = [desk.run(f"plot(y, t .* cos({k} * t))")["downloads"] for k in (2, 3)]
    assert counts == [2, 2]  # the smallest and the largest of what is new
