"""The panel of figures: what it shows, its tools, and that nothing of a figure outlives it."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app.engine.protocol import FigureClosed, FigureInput
from app.engine.values import Cell
from app.errors import MatlabError
from app.ui.panels import figures
from app.ui.panels.figures import FigureDock
from app.ui.panels.panel import Context
from app.ui.plots import figure_export, series_item
from app.ui.plots.cost_badge import cost_of
from app.ui.plots.data_tip import series_at
from app.ui.plots.device.renderer import Frame
from app.ui.plots.figure_panel import FigurePanel
from app.ui.plots.host.brush import Brush
from app.ui.plots.host.lines import draw_constantline
from app.ui.plots.series_arrays import Window
from app.ui.plots.series_item import SeriesItem
from app.ui.plots.style import NIGHT, PAPER, Style
from app.ui.support import dialog_folder
from app.ui.support.contrast import contrast
from tests.engine.figures.conftest import Plotter
from tests.ui.plots.desk import FIGURES
from tests.ui.recorded import deliver


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[FigurePanel]:
    """A panel on the screen."""
    made = FigurePanel()
    qtbot.addWidget(made)
    made.resize(560, 460)
    made.show()
    yield made
    made.shut_down()
    made.close()


def _send(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.figures.flush()
    for event in m.events:
        if isinstance(event, FIGURES):
            panel.handle_event(event)
    m.events.clear()
    qtbot.waitUntil(lambda: not panel._waiting)


def test_a_low_panel_shows_names_instead_of_thumbnails(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    for number in range(1, 4):
        m.figure(number)
        m.plot([1, 2, number])
    _send(m, panel, qtbot)
    strip = panel._strip
    qtbot.waitUntil(lambda: not strip.item(0).icon().isNull())
    high = strip.height()
    panel.resize(300, 240)
    qtbot.waitUntil(panel.at_rest)
    assert strip.item(0).icon().isNull()
    assert strip.height() < high / 2
    assert panel.current.height() > 100
    for place in range(3):
        shown = strip.visualItemRect(strip.item(place))
        assert shown.height() >= strip.fontMetrics().height()
        assert shown.bottom() <= strip.viewport().height()
    panel.resize(560, 460)
    qtbot.waitUntil(lambda: not strip.item(2).icon().isNull())
    assert strip.height() == high


def test_names_below_small_figures_are_whole_above_the_scroll_bar(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    panel.resize(300, 460)
    for number in range(1, 6):
        m.figure(number)
        m.plot([1, 2])
    _send(m, panel, qtbot)
    strip = panel._strip
    qtbot.waitUntil(lambda: strip.horizontalScrollBar().isVisible() and panel.at_rest())
    lowest = max(strip.visualItemRect(strip.item(k)).bottom() for k in range(strip.count()))
    assert lowest < strip.viewport().height()


def test_a_figure_out_of_sight_waits_until_it_rests(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    m.plot([1, 5, 2])
    _send(m, panel, qtbot)
    panel.hide()
    shown = panel.canvases[1].figure.model
    for value in range(3):
        m.plot([1, value])
        m.figures.flush()
        for event in m.events:
            if isinstance(event, FIGURES):
                panel.handle_event(event)
        m.events.clear()
        QApplication.processEvents()
    assert panel.canvases[1].figure.model is shown
    qtbot.waitUntil(panel.at_rest)
    (axes,) = panel.canvases[1].figure.model["children"]
    assert np.asarray(axes["children"][0]["YData"]["array"]).ravel().tolist() == [1, 2]


def test_a_picture_of_an_older_state_is_no_picture_of_this_one(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture may arrive between a new state of a figure and its painting."""
    asked: list[object] = []
    item = series_item.DeviceItem()
    monkeypatch.setattr(series_item, "renderer_for", lambda _buffer: object())
    monkeypatch.setattr(series_item, "buffer_of", lambda series: series)
    monkeypatch.setattr(series_item, "layers_of", lambda *_: [])
    monkeypatch.setattr(item._request, "ask", lambda key, *_: asked.append(key))
    canvas = QImage(40, 30, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(canvas)
    brush = Brush(painter, Window(0, 1, 0, 1, 40, 30), PAPER, {}, {})
    frame = Frame(68, 58, 512, bytes(512 * 58), 1, 0.0, coarse=False)
    item.show_series([{"id": 1}], {}, PAPER)
    item.paint_box(brush)
    item.show_series([{"id": 2}], {}, PAPER)
    item._receive(asked[0], frame)
    item.paint_box(brush)
    assert len(asked) == 2
    item._receive(asked[1], frame)
    item.paint_box(brush)
    painter.end()
    assert len(asked) == 2


@pytest.mark.parametrize("style", [PAPER, NIGHT], ids=["light", "dark"])
@pytest.mark.parametrize("axis", ["x", "y"])
def test_the_label_of_a_line_across_is_readable_over_anything(style: Style, axis: str) -> None:
    looks = {"LineStyle": "-", "LineWidth": 0.5, "Color": "auto", "Alpha": 0.7}
    label = {
        "Label": "HHH",
        "FontSize": 10,
        "Interpreter": "none",
        "LabelOrientation": "horizontal",
    }
    sides = {"LabelHorizontalAlignment": "right", "LabelVerticalAlignment": "top"}
    series = {"InterceptAxis": axis, "Value": 0.5, **looks, **label, **sides}
    canvas = QImage(120, 80, QImage.Format.Format_RGB32)
    canvas.fill(style.ink)  # bars of the very colour of the text
    painter = QPainter(canvas)
    brush = Brush(painter, Window(0, 1, 0, 1, 120, 80), style, {}, {})
    draw_constantline(brush, series)
    painter.end()
    bits = np.frombuffer(canvas.constBits(), np.uint8).reshape(80, 120, 4)[:, :, 0].astype(int)
    assert np.abs(bits - style.ink.blue()).max() > 120


def _ink(picture: QImage) -> int:
    """Number of pixels unlike the corner."""
    bits = np.frombuffer(picture.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32)
    return int((bits != bits[0]).sum())


def test_a_figure_appears_and_changes(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.plot([1, 5, 2])
    _send(m, panel, qtbot)
    assert panel.current is not None
    before = panel.current.grab().toImage()
    m.title("a title in bold letters")
    m.legend("something")
    _send(m, panel, qtbot)
    assert len(panel.canvases) == 1
    assert panel.current.grab().toImage() != before


@pytest.mark.parametrize(
    ("call", "left"),
    [
        (("close", "all"), []),
        (("close", "all", "force"), []),
        (("close", 2), [1, 3]),
        (("close", "3"), [1, 2]),
        (("close", 7), [1, 2, 3]),
        (("close",), [1, 2]),
        (("clf",), [1]),
        (("clf", 3), [1]),
        (("gcf",), [1]),
        (("figure", 2), [2]),
    ],
)
@pytest.mark.parametrize("shown", [True, False])
def test_commands_reach_what_an_earlier_session_left(
    m: Plotter, context: Context, qtbot: QtBot, call: tuple[Any, ...], left: list[int], shown: bool
) -> None:
    dock = FigureDock(context)
    qtbot.addWidget(dock)
    for number in (1, 2, 3):
        m.figure(number)
    m.figures.flush()
    dock.recall([(event.number, event.figure) for event in m.events])
    if shown:
        dock._show_recalled()
    again = Plotter()
    again.figures.emit = context.bridge.receive
    getattr(again, call[0])(*call[1:])
    again.figures.flush()
    deliver(context.bridge)
    dock._show_recalled()
    assert sorted(dock.panel.canvases if dock.panel else ()) == left  # type: ignore[attr-defined]
    assert dock.currentIndex() == (1 if left else 0)
    dock.shut_down()


def test_several_figures_and_closing(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    for number in (2, 1, 3):
        m.figure(number)
        m.plot([1, number])
    _send(m, panel, qtbot)
    assert [panel._strip.item(k).text() for k in range(3)] == ["Figure 1", "Figure 2", "Figure 3"]
    panel.show_figure(2)
    assert panel.current_number == 2
    panel.handle_event(FigureClosed(2))
    assert sorted(panel.canvases) == [1, 3]
    with qtbot.waitSignal(panel.acted) as told:
        panel.close_figure()
    assert told.args == [FigureInput(3, "close")]
    panel.close_figure()
    assert panel.current is None
    assert panel._badge.text() == ""


def test_choosing_a_figure_brings_it_to_the_front(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    for number in (1, 2):
        m.figure(number)
        m.plot([1, number])
    _send(m, panel, qtbot)
    assert panel.current_number == 2
    m.figure(1)
    _send(m, panel, qtbot)
    assert panel.current_number == 1
    m.title("still the first")
    panel.show_figure(2)
    m.figures.flush()
    _send(m, panel, qtbot)
    assert panel.current_number == 2, "only the wish itself brings it forward"


def test_an_invisible_figure_is_not_shown(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.figure(5, "Visible", "off")
    m.plot([1, 2])
    _send(m, panel, qtbot)
    assert not panel.canvases
    m.set(5, "Visible", "on")
    _send(m, panel, qtbot)
    assert list(panel.canvases) == [5]


def test_zoom_and_reset(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.plot([1, 5, 2])
    _send(m, panel, qtbot)
    (axes,) = panel.current.figure.axes.values()
    home = axes.box.viewRange()
    axes.box.scaleBy((0.5, 0.5))
    assert axes.box.viewRange() != home
    panel.tools.reset_view()
    np.testing.assert_allclose(axes.box.viewRange(), home)


def test_a_zoom_survives_a_title_but_not_new_limits(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    m.plot([1, 5, 2])
    _send(m, panel, qtbot)
    (axes,) = panel.current.figure.axes.values()
    axes.box.setRange(xRange=(1, 2), yRange=(1, 2), padding=0)
    m.title("still zoomed")
    _send(m, panel, qtbot)
    np.testing.assert_allclose(axes.box.viewRange(), [[1, 2], [1, 2]])
    m.xlim([0, 9])
    _send(m, panel, qtbot)
    np.testing.assert_allclose(axes.box.viewRange()[0], [0, 9])


@pytest.mark.parametrize("width", range(150, 400, 25))
def test_axes_in_space_have_two_ticks_where_there_is_room_for_one_interval(
    m: Plotter, panel: FigurePanel, qtbot: QtBot, width: int
) -> None:
    """Ticks were thinned to the next larger step, and that may have one in the limits."""
    m.surf(np.ones((30, 30)))
    _send(m, panel, qtbot)
    (axes,) = panel.current.figure.axes.values()
    axes.space.resize(width, width)
    rulers = axes.space.rulers(axes.space.projection())
    counts = [len(rulers.places(axis)) for axis in range(2)]
    assert 1 not in counts
    assert width < 250 or 0 not in counts


def test_linked_axes_move_together(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    from app.engine.figures.objects import GraphicsArray

    both = []
    for place in (1, 2):
        both.append(m.subplot(2, 1, place, nargout=1))
        m.plot([1, 5, 2])
    m.linkaxes(GraphicsArray(both), "x")
    _send(m, panel, qtbot)
    first, second = panel.current.figure.axes.values()
    first.box.setRange(xRange=(1, 2), padding=0)
    np.testing.assert_allclose(second.box.viewRange()[0], [1, 2])


def test_boxes_of_rows_and_columns_stand_in_line(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    """Labels of different widths moved the boxes of linked axes apart."""
    m.subplot(2, 2, 1)
    m.plot([1, 2, 3], [1000, -1000, 5])
    m.title("higher")
    m.ylabel("wider")
    m.subplot(2, 2, 2)
    m.plot([1, 2, 3])
    m.subplot(2, 2, 3)
    m.plot([1, 2, 3], [1e-3, 2e-3, 5e-3])
    _send(m, panel, qtbot)
    first, second, third = panel.current.figure.axes.values()

    def boxes() -> list[QRectF]:
        return [axes.box.sceneBoundingRect() for axes in (first, second, third)]

    for _ in range(2):
        one, other, below = boxes()
        assert one.left() == below.left()
        assert one.right() == below.right()
        assert one.top() == other.top()
        assert one.bottom() == other.bottom()
        third.box.setRange(yRange=(123456.5, 123456.6), padding=0)
    m.clf()
    m.plot([1, 2, 3], [1000, -1000, 5])
    _send(m, panel, qtbot)
    (axes,) = panel.current.figure.axes.values()
    assert axes.shared == (0.0, 0.0, 0.0, 0.0)


def test_the_window_goes_on_while_drawing_is_imported(
    m: Plotter, context: Context, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever imports what another thread is importing waits for it: so the window does not."""
    text = "import threading\nwaits = threading.Event()\nwas_waited_for = not waits.wait(60)\n"
    (tmp_path / "slow_drawing.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(figures, "DRAWING", "slow_drawing")
    Thread(target=import_module, args=("slow_drawing",)).start()
    qtbot.waitUntil(lambda: hasattr(sys.modules.get("slow_drawing"), "waits"))
    dock = FigureDock(context)
    qtbot.addWidget(dock)
    for number in (1, 2):
        m.figure(number)
        m.plot([1, number])
    m.figures.flush()
    for event in [*m.events, FigureClosed(1)]:
        dock.handle_event(event)
    assert dock.panel is None
    assert not dock.at_rest()
    drawing = sys.modules["slow_drawing"]
    drawing.waits.set()
    qtbot.waitUntil(lambda: dock.panel is not None)
    assert not drawing.was_waited_for
    assert sorted(dock.panel.canvases) == [2]  # type: ignore[union-attr, attr-defined]
    dock.shut_down()


def test_a_data_tip_tells_the_point(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.plot([10, 20, 30], [1, 5, 2])
    _send(m, panel, qtbot)
    (axes,) = panel.current.figure.axes.values()
    tip = panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(20.1, 4.95)))
    assert tip is not None
    assert tip.sample.text == "X  20\nY  5\n#2"
    assert panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(11, 4))) is None


def test_a_data_tip_on_an_image(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.imagesc([[1, 2, 3], [4, 5, 6]])
    _send(m, panel, qtbot)
    (axes,) = panel.current.figure.axes.values()
    tip = panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(3.2, 1.9)))
    assert tip is not None
    assert tip.sample.text == "Row  2\nColumn  3\nValue  6"


def test_a_data_tip_tells_the_bar_that_is_clicked(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    def said(x: float, y: float) -> str:
        (axes,) = panel.current.figure.axes.values()
        tip = panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(x, y)))
        return "" if tip is None else tip.sample.text

    m.bar([1, 20, 3])
    _send(m, panel, qtbot)
    assert said(2.2, 1) == "X  2\nY  20\n#2"
    assert said(2, 15) == "X  2\nY  20\n#2"
    assert said(1, 15) == ""
    m.clf()
    m.bar(np.array([[1.0, 2.0], [3.0, 4.5]]), "stacked")
    _send(m, panel, qtbot)
    assert said(2, 2) == "X  2\nY  3\n#2"
    assert said(2, 5) == "X  2\nY  4.5\n#2"
    m.clf()
    m.bar(np.array([[1.0, 2.0], [3.0, 4.5]]))
    _send(m, panel, qtbot)
    assert said(0.85, 0.5) == "X  1\nY  1\n#1"
    assert said(2.15, 4) == "X  2\nY  4.5\n#2"
    m.clf()
    m.barh([1, 20, 3])
    _send(m, panel, qtbot)
    assert said(10, 2) == "X  2\nY  20\n#2"
    m.clf()
    m.histogram(np.array([1.0, 1.2, 2.5, 2.6, 2.7]), np.array([1.0, 2.0, 3.0]))
    _send(m, panel, qtbot)
    assert said(2.5, 1) == "Value  3\nBin  2 to 3"
    m.clf()
    m.bar([1, 100, 1000])
    m.set(m.gca(), "YScale", "log")
    _send(m, panel, qtbot)
    assert said(2, 1) == "X  2\nY  100\n#2"
    assert said(2, 2.5) == ""


def test_data_tips_say_what_rulers_say(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    def said(x: float, y: float) -> str:
        (axes,) = panel.current.figure.axes.values()
        tip = panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(x, y)))
        return "" if tip is None else tip.sample.text

    m.bar([1, 2, 3])
    m.set(m.gca(), "XTick", np.array([[1.0, 2.0, 3.0]]), "XTickLabel", Cell.of(["a", "b", "c"]))
    _send(m, panel, qtbot)
    assert said(2, 1) == "X  b\nY  2\n#2"
    m.clf()
    m.plot(np.array([739252.0, 739253.5]), np.array([1234567.0, 0.5]))
    m.datetick("x")
    _send(m, panel, qtbot)
    assert said(739253.5, 0.5) == "X  02-Jan-2024 12:00:00\nY  0.5\n#2"
    assert said(739252, 1234567) == "X  01-Jan-2024\nY  1234567\n#1"
    m.clf()
    m.plot([1, 2.5], [1, 2])
    m.xtickformat("%g hr")
    _send(m, panel, qtbot)
    assert said(2.5, 2) == "X  2.5 hr\nY  2\n#2"


def test_data_tips_are_seen_whole_and_taken_away_by_keys(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    for place in range(1, 10):
        m.subplot(3, 3, place)
        m.plot([0.123456789, 1], [0.123456789, 1])
    _send(m, panel, qtbot)
    canvas = panel.current
    for axes in canvas.figure.axes.values():
        for end in (0.123456789, 1.0):
            tip = panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(end, end)))
            assert tip is not None
            corner = tip._corner(tip._anchor(), tip.size())
            shown = tip.mapRectToScene(QRectF(corner, tip.size()))
            assert canvas.figure.rect().contains(shown)
    assert tip is not None
    assert tip.isVisible()
    assert tip.sample.text.startswith("X  1\nY  1")
    for style in (PAPER, NIGHT):
        canvas.set_style(style)
        assert contrast(tip.label()._color, style.canvas) > 7
    qtbot.keyClick(canvas, Qt.Key.Key_Delete)
    assert not tip.isVisible()


def test_a_data_tip_is_dragged_and_legends_are_clicked_all_the_same(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    m.plot([1, 2, 3], [1, 5, 2])
    m.legend("speed")
    _send(m, panel, qtbot)
    canvas = panel.current
    (axes,) = canvas.figure.axes.values()
    panel.tools._tip_button.click()

    def mouse(kind: QEvent.Type, x: float, y: float) -> None:
        spot = QPointF(canvas.mapFromScene(axes.box.mapViewToScene(QPointF(x, y))))
        held = Qt.MouseButton.LeftButton
        event = QMouseEvent(kind, spot, spot, held, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(canvas.viewport(), event)

    mouse(QEvent.Type.MouseButtonPress, 1, 1)
    mouse(QEvent.Type.MouseMove, 2, 5)
    ((tip,),) = panel.tools._tips.values()
    assert tip.sample.text == "speed\nX  2\nY  5\n#2"
    mouse(QEvent.Type.MouseButtonRelease, 2, 5)
    mouse(QEvent.Type.MouseMove, 3, 2)
    assert tip.sample.x == 2
    assert axes.legend is not None
    spot = canvas.mapFromScene(axes.legend.sceneBoundingRect().center())
    qtbot.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert axes.legend.hidden
    assert tip.isVisible()


def test_a_data_tip_belongs_to_the_axis_of_its_line(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    m.plot([1, 2, 3], [1, 5, 2])
    m.yyaxis("right")
    m.plot([1, 2, 3], [900, 100, 400])
    m.ytickformat("%g kg")
    _send(m, panel, qtbot)
    (axes,) = panel.current.figure.axes.values()
    assert axes.right_box is not None
    spot = axes.right_box.mapViewToScene(QPointF(3, 400))
    tip = panel.tools.add_tip(axes, spot)
    assert tip is not None
    assert tip.sample.text == "X  3\nY  400 kg\n#3"
    assert (tip.mapToScene(tip._anchor()) - spot).manhattanLength() < 1
    tip = panel.tools.add_tip(axes, axes.box.mapViewToScene(QPointF(2, 5)))
    assert tip is not None
    assert tip.sample.text == "X  2\nY  5\n#2"
    assert series_at(axes, spot) == axes.model["children"][1]["id"]


def test_a_click_with_shift_leaves_the_other_data_tips(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    m.plot([1, 2, 3], [1, 5, 2])
    _send(m, panel, qtbot)
    canvas = panel.current
    (axes,) = canvas.figure.axes.values()

    def click(x: float, y: float, held: Qt.KeyboardModifier) -> list[float]:
        spot = canvas.mapFromScene(axes.box.mapViewToScene(QPointF(x, y)))
        qtbot.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, held, spot)
        return [tip.sample.x for tip in panel.tools._tips.get(axes, []) if tip.isVisible()]

    plain, shift = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
    assert click(1, 1, plain) == [1]
    assert click(2, 5, shift) == [1, 2]
    assert click(3, 2, plain) == [3]
    panel.tools._tip_button.click()
    assert click(1, 1, shift) == [3, 1]
    assert click(2, 5, plain) == [2]


def test_an_error_while_painting_is_told_and_ends_nothing(
    m: Plotter, panel: FigurePanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What reaches Qt out of a paint method takes the process with it."""

    def fail(_item: object, _brush: object) -> None:
        raise ValueError("cannot be painted")

    monkeypatch.setattr(SeriesItem, "paint_box", fail)
    m.plot([1, 2, 3])
    with qtbot.captureExceptions() as told:
        _send(m, panel, qtbot)
        panel.grab()
        monkeypatch.undo()
    assert told
    assert {str(problem) for _kind, problem, _trace in told} == {"cannot be painted"}


def test_a_legend_entry_hides_its_series(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.plot([1, 2], [1, 2], [1, 2], [2, 1])
    m.legend("a", "b")
    _send(m, panel, qtbot)
    (axes,) = panel.current.figure.axes.values()
    assert len(axes.series_items) == 2
    legend = axes.legend
    legend._toggle(legend._origin(0) + QPointF(5, 5))
    assert len(axes.series_items) == 1


@pytest.mark.parametrize("ending", ["png", "jpg", "svg", "pdf"])
def test_export(m: Plotter, panel: FigurePanel, qtbot: QtBot, tmp_path: Path, ending: str) -> None:
    m.plot([1, 5, 2], "--o")
    m.title("x^2 \\alpha")
    _send(m, panel, qtbot)
    path = tmp_path / f"figure.{ending}"
    figure_export.save(panel.current, path, dpi=192)
    assert path.stat().st_size > 1000
    if ending == "png":
        picture = QImage(str(path))
        assert picture.width() == 2 * panel.current.viewport().width()
        assert _ink(picture) > 2000


def test_unknown_file_types_are_an_error(
    m: Plotter, panel: FigurePanel, qtbot: QtBot, tmp_path: Path
) -> None:
    m.plot([1, 2])
    _send(m, panel, qtbot)
    with pytest.raises(MatlabError, match="not a file type"):
        figure_export.save(panel.current, tmp_path / "figure.doc")


def test_copy_puts_a_picture_on_the_clipboard(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.plot([1, 2])
    _send(m, panel, qtbot)
    before = panel.current.figure.base
    panel.copy_figure()
    picture = QGuiApplication.clipboard().image()
    assert _ink(picture) > 500
    assert picture.pixelColor(0, 0) == PAPER.canvas
    assert panel.current.figure.base is before


def test_a_figure_that_cannot_be_saved_says_why(
    m: Plotter, panel: FigurePanel, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    m.plot([1, 2])
    _send(m, panel, qtbot)
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda *words: told.append(words[2]))
    for name in ("waves.gif", "nowhere/waves.png", "waves.svg"):
        monkeypatch.setattr(dialog_folder, "ask_where", lambda *_args, n=name: tmp_path / n)
        panel.tools.export()
    assert len(told) == 2
    assert "'.gif' is not a file type" in told[0]
    assert "No such file" in told[1]
    assert (tmp_path / "waves.svg").exists()


def test_floating_and_docking(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.plot([1, 2])
    _send(m, panel, qtbot)
    panel.float_figure()
    window = panel._floating[1]
    assert window.isVisible()
    assert panel._stack.currentWidget() is panel._away
    window.close()
    assert panel._stack.currentWidget() is panel.current
    assert not panel._floating


def test_a_figure_has_its_programs_size_in_a_window_of_its_own(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    m.figure("Position", [1.0, 1.0, 640.0, 330.0], nargout=0)
    m.plot([1, 2])
    _send(m, panel, qtbot)
    panel.float_figure()
    qtbot.waitUntil(lambda: panel._floating[1].canvas.height() == 330)
    assert panel._floating[1].canvas.width() == 640


def test_dark_colours_can_be_seen_at_night() -> None:
    dark = [(0.1, 0.1, 0.1), (0.2, 0.2, 0.2), (0.0, 0.0, 0.5), (0.5, 0.0, 0.0), (0.2, 0.0, 0.3)]
    for rgb in dark:
        color, given = NIGHT.series_color(rgb), QColor.fromRgbF(*rgb)
        assert 3.0 <= contrast(color, NIGHT.plot) < 3.6
        assert given.hue() < 0 or abs(color.hue() - given.hue()) <= 3
        assert PAPER.series_color(rgb) == given
    assert NIGHT.series_color((0.0, 0.0, 0.0)) == NIGHT.ink
    assert NIGHT.series_color((0.9, 0.5, 0.5)) == QColor.fromRgbF(0.9, 0.5, 0.5)


def test_a_figure_goes_where_its_program_says(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    figure = m.figure("WindowStyle", "normal", nargout=1)
    m.plot([1, 2])
    _send(m, panel, qtbot)
    assert list(panel._floating) == [1]
    panel.dock_figure(1)  # a person's choice stays
    m.title("again")
    _send(m, panel, qtbot)
    panel._refresh_settled()
    assert panel.docked() == [1]
    for style, floating in (("docked", []), ("normal", [1]), ("docked", [])):
        m.set(figure, "WindowStyle", style)
        _send(m, panel, qtbot)
        panel._refresh_settled()
        assert list(panel._floating) == floating


def test_controls_that_would_be_unreadable_go_into_a_window(
    m: Plotter, panel: FigurePanel, qtbot: QtBot
) -> None:
    m.figure("Position", [1.0, 1.0, 1900.0, 1100.0], nargout=0)
    m.plot([1, 2])
    _send(m, panel, qtbot)
    panel._refresh_settled()
    assert panel.docked() == [1]  # pictures are scaled
    m.uicontrol("String", "Compute", "Position", [1700.0, 30.0, 150.0, 40.0], nargout=0)
    _send(m, panel, qtbot)
    panel._refresh_settled()
    assert list(panel._floating) == [1]
    panel._floating[1].close()
    panel._refresh_settled()
    assert panel.docked() == [1]


@pytest.mark.parametrize("azimuth", [-37.5, 88.0])
@pytest.mark.parametrize("heights", [(0.0, 0.15), (-40.0, 1000.0)])
def test_labels_of_an_axis_in_space_do_not_overlap(
    m: Plotter, panel: FigurePanel, qtbot: QtBot, azimuth: float, heights: tuple[float, float]
) -> None:
    m.plot3([0.0, 1.0, 2.0], [-1.0, 1.0, 0.0], [0.0, 0.1, 0.1])
    axes = m.gca(nargout=1)

    m.zlim(list(heights))
    shapes = ([1.0, 1.0, 0.08], [1.0, 0.1, 1.0], [1.0, 1.0, 1.0], [0.02, 1.0, 1.0])
    for shape in shapes:
        m.set(axes, "PlotBoxAspectRatio", shape)
        _send(m, panel, qtbot)
        (item,) = panel.current.figure.axes.values()
        for elevation in (88.0, 60.0, 25.0, 0.0):
            item.space.view = azimuth, elevation
            projection = item.space.projection()
            for axis in range(3):
                spots = []
                for place in item.space.rulers(projection).places(axis):
                    point = np.zeros(3)
                    point[axis] = place
                    spots.append(projection.project(point)[:2])
                apart = np.abs(np.diff(np.array(spots).reshape(-1, 2), axis=0))
                close = (apart[:, 0] < 14) & (apart[:, 1] < 12)
                assert not close.any(), (shape, elevation, axis, apart)


def test_texts_beside_axes_have_room(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.plot([1, 2])
    m.set(m.gca(nargout=1), "Visible", "off")
    _send(m, panel, qtbot)
    (item,) = panel.current.figure.axes.values()
    bare = item.margins()
    m.text(-0.07, -0.05, "speed", "Units", "normalized")
    _send(m, panel, qtbot)
    left, above, right, below = item.margins()
    assert below > bare[3] + 20
    assert left > bare[0] + 20
    assert (above, right) == (bare[1], bare[2])
    m.text(2.1, 1.5, "beside", "Units", "data")
    _send(m, panel, qtbot)
    assert item.margins()[2] > right + 10


def test_the_badge_counts(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.plot(np.zeros((500, 2)))
    _send(m, panel, qtbot)
    cost = cost_of(panel.current.figure)
    assert (cost.points, cost.device_points, cost.moved_bytes) == (1000, 0, 0)
    assert "from main memory" in cost.text()


def test_a_figure_without_data_has_no_badge(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    m.text(0.5, 0.5, "words")
    _send(m, panel, qtbot)
    cost = cost_of(panel.current.figure)
    assert (cost.points, cost.text(), cost.tip()) == (0, "", "")


def test_data_is_let_go_with_its_figure(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> None:
    class Big(np.ndarray):
        """An array that can be watched."""

    data = np.zeros((1, 1000)).view(Big)
    watch = weakref.ref(data)
    m.call("plot", (np.asarray(data),), 0)
    _send(m, panel, qtbot)
    panel.current.grab()
    del data
    m.close("all")
    _send(m, panel, qtbot)
    qtbot.wait(1)
    gc.collect()
    assert watch() is None


KINDS = {
    "lines": lambda m: m.plot(np.random.default_rng(1).random((50, 3)), "-o"),
    "semilogy": lambda m: m.semilogy([1, 10, 1000]),
    "bars": lambda m: m.bar([[1, 2], [3, 4]]),
    "stacked": lambda m: m.bar([[1, 2], [3, 4]], "stacked"),
    "barh": lambda m: m.barh([3, 1, 2]),
    "histogram": lambda m: m.histogram(np.random.default_rng(1).random((1, 500))),
    "area": lambda m: m.area([[1, 2], [3, 1], [2, 2]]),
    "stairs": lambda m: m.stairs([1, 3, 2]),
    "stem": lambda m: m.stem([1, -3, 2]),
    "errorbar": lambda m: m.errorbar([1, 2, 3], [1, 3, 2], [0.5, 0.5, 0.5]),
    "scatter": lambda m: m.scatter([1, 2, 3], [3, 1, 2], [20, 90, 40], [1, 2, 3], "filled"),
    "pcolor": lambda m: m.pcolor(np.arange(12.0).reshape(3, 4)),
    "contour": lambda m: m.contour(np.add.outer(np.arange(9.0) ** 2, np.arange(9.0) ** 2)),
    "contourf": lambda m: m.contourf(np.add.outer(np.arange(9.0) ** 2, np.arange(9.0) ** 2)),
    "quiver": lambda m: m.quiver(
        [[1, 2], [1, 2]], [[1, 1], [2, 2]], [[1, 0], [0, 1]], [[0, 1], [1, 0]]
    ),
    "fill": lambda m: m.fill([0, 1, 1], [0, 0, 1], "r"),
    "pie": lambda m: m.pie([1, 2, 3]),
    "xline": lambda m: (m.plot([1, 2]), m.xline(1.5, "--r", "here")),
    "text": lambda m: (m.plot([1, 2]), m.text(1.5, 1.5, "\\pi r^2")),
    "rectangle": lambda m: (m.plot([1, 2]), m.rectangle("Position", [1, 1, 0.5, 0.5])),
    "annotation": lambda m: (m.plot([1, 2]), m.annotation("arrow", [0.2, 0.8], [0.2, 0.8])),
    "yyaxis": lambda m: (m.yyaxis("left"), m.plot([1, 2]), m.yyaxis("right"), m.plot([9, 5])),
    "rgb": lambda m: m.image(np.random.default_rng(1).random((5, 6, 3))),
    "colorbar": lambda m: (m.imagesc([[1, 2], [3, 4]]), m.colorbar("southoutside")),
    "axis off": lambda m: (m.imshow([[0, 1], [1, 0]]),),
    "empty": lambda m: m.plot(np.zeros((1, 0))),
    "nan": lambda m: m.plot([np.nan, np.nan]),
    "surf": lambda m: m.surf(m.peaks(20, nargout=1)),
    "mesh": lambda m: m.mesh(m.peaks(20, nargout=1)),
    "surfc": lambda m: m.surfc(m.peaks(20, nargout=1)),
    "waterfall": lambda m: m.waterfall(m.peaks(20, nargout=1)),
    "plot3": lambda m: m.plot3([1, 2, 3], [1, 3, 2], [2, 1, 3], "-o"),
    "scatter3": lambda m: m.scatter3([1, 2, 3], [1, 3, 2], [2, 1, 3], [9, 50, 90]),
    "contour3": lambda m: m.contour3(m.peaks(20, nargout=1)),
    "stem3": lambda m: m.stem3(m.peaks(5, nargout=1)),
    "quiver3": lambda m: m.quiver3([0, 0], [0, 0], [0, 0], [1, 0], [0, 1], [1, 1]),
    "ribbon": lambda m: m.ribbon(m.peaks(9, nargout=1)),
    "trisurf": lambda m: m.trisurf([[1, 2, 3]], [0, 1, 0], [0, 0, 1], [0, 1, 2]),
    "sphere": lambda m: m.sphere(12),
    "polarplot": lambda m: m.polarplot([0, 1, 2, 3], [1, 2, 1, 2]),
    "compass": lambda m: m.compass([1, 2], [2, 1]),
    "heatmap": lambda m: m.heatmap([[1, 2], [3, 4]]),
    "boxplot": lambda m: m.boxplot(np.random.default_rng(1).random((30, 2))),
    "histogram2": lambda m: m.histogram2(*np.random.default_rng(1).random((2, 1, 90))),
    "gscatter": lambda m: m.gscatter([1, 2, 3], [1, 2, 3], [1, 2, 1]),
    "plotyy": lambda m: m.plotyy([1, 2], [1, 2], [1, 2], [9, 5]),
    "equal": lambda m: (m.plot([0, 10], [0, 1]), m.axis("equal")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_plot_is_drawn(
    m: Plotter, panel: FigurePanel, qtbot: QtBot, kind: str
) -> None:
    blank = _blank_ink(m, panel, qtbot)
    KINDS[kind](m)
    _send(m, panel, qtbot)
    drawn = panel.current.grab().toImage()
    if kind in ("empty", "nan"):
        assert not drawn.isNull()
    else:
        assert drawn != blank
        assert _ink(drawn) > 300


def _blank_ink(m: Plotter, panel: FigurePanel, qtbot: QtBot) -> QImage:
    m.gca()
    _send(m, panel, qtbot)
    return panel.current.grab().toImage()
