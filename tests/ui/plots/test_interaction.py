"""What people do to figures, from the widgets to the script and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QSlider, QStyle, QStyleOptionButton

from app.engine.protocol import FigureInput, FigureUpdated, OutputText
from app.engine.values import as_array
from app.source import SourceText
from app.ui.plots.series_pieces import pieces_of
from app.ui.plots.style import current_style
from app.ui.support.theme import theme_hub
from tests.ui.plots.desk import Desk


class Person:
    """Somebody before the figures: what is done reaches the session, what it answers the panel."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.said: list[str] = []
        desk.panel.acted.connect(self._tell)

    def _tell(self, wish: FigureInput) -> None:
        self.desk.session.handle(wish)
        self.show()

    def show(self) -> None:
        """Deliver what the engine said."""
        events, self.desk.events[:] = list(self.desk.events), []
        self.said += [e.text for e in events if isinstance(e, OutputText)]
        for event in events:
            if type(event).__name__ in ("FigureUpdated", "FigureClosed"):
                self.desk.panel.handle_event(event)
        self.desk.qtbot.waitUntil(lambda: not self.desk.panel._waiting)

    def value(self, code: str) -> Any:
        """What an expression is now."""
        self.desk.session.run_source(SourceText("test", f"answer__ = {code};"))
        assert self.desk.session.last_status == "ok"
        return self.desk.session.value_of("answer__")

    @property
    def axes(self) -> Any:
        (found,) = self.desk.panel.current.figure.axes.values()
        return found

    def settle(self) -> None:
        """Let the panel tell what the mouse changed."""
        self.desk.panel._refresh_settled()


@pytest.fixture
def person(desk: Desk) -> Person:
    return Person(desk)


def test_xlim_is_what_is_seen(person: Person) -> None:
    person.desk.run("plot(1:10); a = gca;")
    person.axes.box.setRange(xRange=(2, 4), padding=0)
    person.settle()
    assert person.value("xlim")[0].tolist() == pytest.approx([2, 4])
    assert person.value("a.XLimMode") == "manual"
    person.desk.panel.tools.reset_view()
    person.settle()
    assert person.value("xlim").tolist() == [[1, 10]]
    assert person.value("a.XLimMode") == "auto"


def test_limits_of_linked_axes_are_told_too(person: Person) -> None:
    person.desk.run(
        "a = subplot(2,1,1); plot(1:10); b = subplot(2,1,2); plot(1:10); linkaxes([a b])"
    )
    first = next(iter(person.desk.panel.current.figure.axes.values()))
    first.box.setRange(xRange=(3, 5), padding=0)
    person.settle()
    assert person.value("xlim(b)")[0].tolist() == pytest.approx([3, 5])


def test_limits_of_the_script_replace_what_the_mouse_did(person: Person) -> None:
    person.desk.run("plot(1:10)")
    person.axes.box.setRange(xRange=(2, 4), padding=0)
    person.settle()
    person.desk.run("xlim([0 5])")
    person.settle()
    assert person.value("xlim").tolist() == [[0, 5]]


def test_a_closed_figure_is_gone_for_the_script(person: Person) -> None:
    person.desk.run("f = figure; set(f, 'DeleteFcn', @(h,e) disp('deleted'));")
    person.desk.panel.close_figure()
    assert person.value("ishandle(f)") is False
    assert person.value("isempty(get(0,'CurrentFigure'))") is True
    assert any("deleted" in text for text in person.said)


def test_a_figure_may_refuse_to_close(person: Person) -> None:
    person.desk.run("f = figure('CloseRequestFcn', @(h,e) disp('no')); plot(1:3)")
    person.desk.panel.close_figure()
    assert person.value("ishandle(f)") is True
    assert list(person.desk.panel.canvases) == [1], "shown again"
    person.desk.run("set(f, 'CloseRequestFcn', 'closereq'); close(f)")
    assert not person.desk.panel.canvases


def test_controls_run_their_callbacks(person: Person) -> None:
    person.desk.run("""
        n = 0; f = figure; h = plot(1:3);
        b = uicontrol('String','Go','Callback','n = n + 1;');
        s = uicontrol('Style','slider','Min',0,'Max',10,'Units','normalized', ...
                      'Position',[.1 .1 .5 .05],'Callback',@(c,e) set(h,'YData',[0 0 c.Value]));
        e = uicontrol('Style','edit','String','abc');
        p = uicontrol('Style','popupmenu','String',{'one','two'},'Value',2);
    """)
    widgets = list(person.desk.panel.current.controls.widgets.values())
    button, slider, edit, popup = (
        next(w for w in widgets if isinstance(w, kind))
        for kind in (QPushButton, QSlider, QLineEdit, QComboBox)
    )
    assert button.text() == "Go"
    assert (edit.text(), popup.currentText()) == ("abc", "two")
    button.click()
    button.click()
    assert person.value("n") == 2.0
    slider.setValue(500)
    assert person.value("h.YData(3)") == pytest.approx(5.0)
    edit.setText("xyz")
    edit.editingFinished.emit()
    assert person.value("get(e,'String')") == "xyz"
    assert person.value("s.Value") == pytest.approx(5.0)


def test_the_letters_of_controls_stand_out_and_keep_their_size(person: Person) -> None:
    def seen() -> dict[str, tuple[float, float, int]]:
        """Lightness of letters and ground, and the height of the letters, by the texts."""
        controls = person.desk.panel.current.controls.widgets.values()
        found = {}
        for widget in controls:
            widget.ensurePolished()
            picture = widget.grab().toImage()
            shades = [
                picture.pixelColor(x, y).lightnessF()
                for x in range(3, picture.width() - 3)
                for y in range(3, picture.height() - 3)
            ]
            found[widget.text()] = (min(shades), max(shades), widget.font().pixelSize())
        return found

    for theme in ("dark", "light"):
        theme_hub().set_mode(theme)
        person.desk.run("""
            close all force; f = figure('Color', 'w'); place = [10 10 80 30];
            a = uicontrol('Style', 'edit', 'String', 'white', 'BackgroundColor', 'w');
            uicontrol('Style', 'text', 'String', 'black', 'BackgroundColor', 'k');
            uicontrol('Style', 'pushbutton', 'String', 'usual', 'ForegroundColor', 'k');
            uicontrol('String', 'shown', 'BackgroundColor', 'w', 'Enable', 'inactive');
            set(findobj(f, 'Type', 'uicontrol'), 'Units', 'normalized', 'Position', [0 0 .5 .5]);
        """)
        first = seen()
        assert all(high - low > 0.5 for low, high, _ in first.values()), (theme, first)
        person.desk.run("a.String = 'other';")
        assert {size for *_, size in seen().values()} == {size for *_, size in first.values()}


def test_the_letters_of_controls_shrink_with_their_figure(person: Person) -> None:
    """They were cut off in a panel smaller than the figure, but stay legible."""
    person.desk.run("""
        f = figure('Position', [1 1 800 600]); uicontrol('FontSize', 20); uicontrol('FontSize', 8);
    """)
    canvas = person.desk.panel.current
    large, small = canvas.controls.widgets.values()
    found = {}
    for part in (1.0, 0.75, 0.5, 0.1):
        canvas.resize(round(800 * part), round(600 * part))
        canvas.controls.place()
        for widget in (large, small):
            widget.ensurePolished()
        found[part] = large.font().pixelSize(), small.font().pixelSize()
    whole = found[1.0]
    assert found[0.75][0] == round(0.75 * whole[0])
    assert found[0.5][0] == round(0.5 * whole[0])
    assert found[0.1] == (9, min(9, whole[1]))


def test_words_fit_into_a_button_of_the_usual_size(person: Person) -> None:
    """60 by 20 pixels, and two thirds of that in a panel: the theme's padding took half of it."""
    person.desk.run("figure('Position', [1 1 800 600]); uicontrol('String', 'Compute');")
    canvas = person.desk.panel.current
    (button,) = canvas.controls.widgets.values()
    assert isinstance(button, QPushButton)
    for part in (1.0, 0.75):
        canvas.resize(round(800 * part), round(600 * part))
        canvas.controls.place()
        button.ensurePolished()
        option = QStyleOptionButton()
        button.initStyleOption(option)
        inside = button.style().subElementRect(
            QStyle.SubElement.SE_PushButtonContents, option, button
        )
        assert button.fontMetrics().horizontalAdvance("Compute") <= inside.width()


def test_grounds_have_the_colours_that_scripts_say(person: Person) -> None:
    """Lines in black are light on a dark canvas; a black figure is black all the same."""
    for code in ("figure('Color', 'k'); axes('Color', 'k');", "polaraxes('Color', 'k');"):
        theme_hub().set_mode("dark")
        person.desk.run(f"close all; {code}")
        person.desk.panel.current.set_style(current_style())
        picture = person.desk.panel.current.grab().toImage()
        middle = picture.pixelColor(picture.width() // 2 + 9, picture.height() // 2 + 7)
        assert middle.lightnessF() < 0.1


def test_a_table_is_edited_and_selected(person: Person) -> None:
    person.desk.run("""
        seen = []; f = figure;
        t = uitable(f, 'Data', {1, 'a'; 2.5, 'b'}, 'ColumnName', {'n', 'name'}, 'RowName', []);
        t.ColumnEditable = [true false];
        t.CellEditCallback = @(o, e) assignin('base', 'was', e.PreviousData);
        t.CellSelectionCallback = @(o, e) assignin('base', 'seen', e.Indices);
    """)
    (table,) = person.desk.panel.current.controls.widgets.values()
    assert [table.item(1, c).text() for c in range(2)] == ["2.5000", "b"]
    assert table.horizontalHeaderItem(1).text() == "name"
    assert not table.verticalHeader().isVisibleTo(table)
    assert not table.item(0, 1).flags() & Qt.ItemFlag.ItemIsEditable
    table.item(1, 0).setText("7")
    assert person.value("t.Data{2,1}") == 7.0
    assert person.value("was") == 2.5
    table.setCurrentCell(0, 1)
    assert person.value("isequal(seen, [1 2])") is True
    person.desk.run("t.Data = magic(4); t.ColumnName = 'numbered';")
    assert (table.rowCount(), table.columnCount(), table.item(3, 3).text()) == (4, 4, "1")
    assert table.horizontalHeaderItem(3).text() == "4"
    table.item(0, 0).setText("0.5")
    assert person.value("t.Data(1)") == 0.5


def test_clicks_and_keys(person: Person) -> None:
    person.desk.run("""
        figure('KeyPressFcn', @(f,e) disp(['key ' e.Key])); h = plot(1:10,'LineWidth',2);
        set(h, 'ButtonDownFcn', @(o,e) disp(['hit ' o.Type])); xlim([1 10]); ylim([1 10]);
    """)
    canvas = person.desk.panel.current
    spot = canvas.mapFromScene(person.axes.box.mapViewToScene(QPoint(5, 5)))
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    QTest.keyClick(canvas, Qt.Key.Key_Left)
    person.show()
    assert "hit line\n" in person.said
    assert "key leftarrow\n" in person.said
    assert person.value("get(gca,'CurrentPoint')")[0, 0] == pytest.approx(5, abs=0.2)
    assert person.value("get(gco,'Type')") == "line"
    keys = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Delete
    for key, character in zip(keys, (28, 29, 30, 31, 127), strict=True):
        QTest.keyClick(canvas, key)
        person.show()
        assert person.value("double(get(gcf,'CurrentCharacter'))") == character


def _during(desk: Desk, *inputs: FigureInput) -> Callable[[], None]:
    """Something happens whenever a waiting script looks, one after the other."""
    waiting = list(inputs)

    def happen() -> None:
        shown = any(isinstance(event, FigureUpdated) for event in desk.events)
        if waiting and shown:
            desk.session.handle(waiting.pop(0))

    return happen


def test_ginput_takes_points_until_return(person: Person) -> None:
    person.desk.run("plot(1:10)")
    serial = next(iter(person.desk.panel.current.figure.axes))
    person.desk.session.on_poll = _during(
        person.desk,
        FigureInput(1, "press", serial, ((5.0, 5.0), serial, (2.0, 3.0), "normal")),
        FigureInput(1, "press", serial, ((9.0, 5.0), serial, (4.0, 5.0), "alt")),
        FigureInput(1, "key", 0, ("return", "\r", ())),
    )
    person.desk.run("[x, y, b] = ginput;")
    assert person.value("[x y b]").tolist() == [[2, 3, 1], [4, 5, 3]]


def test_uiwait_ends_with_the_figure(person: Person) -> None:
    person.desk.session.on_poll = _during(person.desk, FigureInput(1, "close"))
    person.desk.run("f = figure; uiwait(f); done = ishandle(f);")
    assert person.value("done") is False


def test_waitfor_a_property(person: Person) -> None:
    person.desk.run("f = figure; b = uicontrol('Callback', @(o,e) set(o,'Tag','pressed'));")
    (serial,) = person.desk.panel.current.controls.widgets
    press = FigureInput(1, "control", serial, ("Value", 1.0))
    person.desk.session.on_poll = _during(person.desk, press)
    person.desk.run("set(f,'Name','x'); waitfor(b,'Tag','pressed'); t = b.Tag;")
    assert person.value("t") == "pressed"


def test_a_failing_callback_says_so_and_the_session_lives(person: Person) -> None:
    person.desk.run("uicontrol('Callback', @(o,e) error('boom'));")
    (button,) = person.desk.panel.current.controls.widgets.values()
    button.click()
    assert any("boom" in text for text in person.said)
    assert person.value("1 + 1") == 2.0


@pytest.mark.parametrize("keep", ["", "gather"])
def test_points_are_brushed_into_a_variable(person: Person, keep: str) -> None:
    person.desk.run(f"y = mod((1:5000)'*7, 100); y = {keep}(y); plot(y, '.')")
    before = person.desk.session.acceleration.recorder.counters.download_bytes
    person.axes.box.brushing = True
    person.axes.box.showAxRect(QRectF(99.5, 20, 20, 30))
    found = person.desk.session.value_of("brushedData")
    x = np.arange(100, 120)
    y = x * 7 % 100
    kept = (y >= 20) & (y <= 50)
    assert found.tolist() == np.column_stack([x[kept], y[kept]]).tolist()
    moved = person.desk.session.acceleration.recorder.counters.download_bytes - before
    assert moved < 8000, "not all of the data"
    marks = person.desk.panel.current.figure.brush_marks
    assert marks.count() == kept.sum()
    person.desk.run("b = find(get(gca().Children, 'BrushData'));")
    brushed = as_array(person.desk.session.value_of("b"))
    assert brushed.ravel().tolist() == x[kept].tolist()
    person.axes.box.brushing = True
    person.axes.box.showAxRect(QRectF(110.25, 20, 0.5, 30))
    assert marks.count() == 0


@pytest.mark.parametrize("draw", ["plot", "semilogy", "scatter", "bar", "barh", "stem"])
def test_brushed_points_are_marked_where_they_are(person: Person, draw: str) -> None:
    person.desk.run(f"h = {draw}(1:4, [10 40 20 30]); axis([0 50 0 50]); h.BrushData = [0 1 0 1];")
    marks = person.desk.panel.current.figure.brush_marks
    (marked,) = marks._marked
    spots = sorted(marks._spots(marked))
    box = person.axes.box
    points = [(40, 2), (30, 4)] if draw == "barh" else [(2, 40), (4, 30)]
    where = [
        marks.mapFromScene(box.mapViewToScene(QPointF(x, np.log10(y) if draw == "semilogy" else y)))
        for x, y in points
    ]
    wanted = sorted([spot.x(), spot.y()] for spot in where)
    np.testing.assert_allclose(spots, wanted, atol=0.51)


def test_arrows_have_markers_at_their_tails(person: Person) -> None:
    person.desk.run("q = quiver([1 2], [1 2], [1 0], [0 1]); q.Marker = 's'; q.MarkerSize = 9;")
    (arrows,) = person.axes.model["children"]
    shown = pieces_of(arrows)
    assert [piece["kind"] for piece in shown] == ["quiver", "line"]
    assert (shown[1]["Marker"], shown[1]["LineStyle"]) == ("square", "none")
    assert person.value("q.MarkerSize") == 9


@pytest.mark.parametrize(
    "drawing",
    [
        "h = surf([1 2; 3 4], 'Marker', 'o')",
        "h = mesh([1 2], [1 2], [1 2; 3 4]); h.Marker = 'o'",
        "h = patch([1 2 2 1], [1 1 2 2], [1 2 3 4], 'Marker', 'o')",
        "h = trisurf([1 2 3; 1 3 4], [1 2 2 1], [1 1 2 2], [1 2 3 4], 'Marker', 'o')",
    ],
)
def test_corners_of_faces_have_markers(person: Person, drawing: str) -> None:
    person.desk.run(f"{drawing}; set(h, 'MarkerSize', 9, 'MarkerFaceColor', 'r');")
    (faces,) = person.axes.model["children"]
    shown = pieces_of(faces)
    assert [piece["kind"] for piece in shown] == [faces["kind"], "scatter"]
    points = [shown[1][f"{letter}Data"]["array"].tolist() for letter in "XY"]
    assert sorted(zip(*points, strict=True)) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert shown[1]["SizeData"]["array"].tolist() == [81]
    assert shown[1]["MarkerFaceColor"] == (1.0, 0.0, 0.0)


def test_markers_take_the_colours_of_their_corners(person: Person) -> None:
    person.desk.run("h = surf([1 2; 3 4], [5 6; 7 8], 'EdgeColor', 'interp', 'Marker', 'o');")
    (faces,) = person.axes.model["children"]
    marks = pieces_of(faces)[1]
    assert marks["MarkerEdgeColor"] == "flat"
    assert marks["CData"]["array"].ravel().tolist() == [5, 7, 6, 8]
    person.desk.run("h.EdgeColor = 'none';")
    (faces,) = person.axes.model["children"]
    assert pieces_of(faces)[1]["MarkerEdgeColor"] == "none"


@pytest.mark.parametrize("view", ["-80, 3", "-37.5, 30", "-80, 0", "10, 2"])
def test_names_of_axes_in_space_are_whole_in_small_figures(person: Person, view: str) -> None:
    """They were cut off at the lower edge when the box was seen from low down."""
    person.desk.panel.resize(330, 260)
    person.desk.run(f"surf(peaks(20)); xlabel('xg'); ylabel('yg'); view({view})")
    space = person.axes.space
    texts = space.rulers(space.projection()).texts
    assert {"xg", "yg"} <= {text.label._text for text in texts}
    assert all(space.boundingRect().contains(text.box) for text in texts)
