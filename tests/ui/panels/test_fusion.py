"""The Fusion panel in a window: what is chosen in one view lights up in all."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.ui.editor.marks import Indicator, Marker
from app.ui.panels.fusion import FusionPanel
from app.ui.panels.kernel_view import LIT
from app.ui.shell.main_window import MainWindow
from tests.ui.recorded import QUICKSTART, FakeEngine, deliver


def opened(window: MainWindow, qtbot: QtBot) -> FusionPanel:
    """The panel after a run, with group 2 chosen."""
    window.use_layout("gpu")
    window.commands.run("run.file")
    panel = window.panel("fusion")
    assert isinstance(panel, FusionPanel)
    qtbot.waitUntil(lambda: panel.currentWidget() is panel.content)
    panel.table.select(2)
    return panel


def tinted(window: MainWindow) -> list[int]:
    """The lines of the editor that are tinted."""
    editor = window.editors.current()
    assert editor is not None
    lines, line = [], editor.markerNext(0, 1 << Marker.CHOSEN)
    while line >= 0:
        lines.append(line + 1)
        line = editor.markerNext(line + 1, 1 << Marker.CHOSEN)
    return lines


def framed(window: MainWindow) -> list[str]:
    """The parts of lines of the editor that are framed, as far as they can be told apart."""
    editor = window.editors.current()
    assert editor is not None
    found, position = [], 0
    while position < editor.textLength():
        end = editor.indicatorEnd(Indicator.PART, position) or editor.textLength()
        if editor.indicatorValueAt(Indicator.PART, position):
            found.append(bytes(editor.textRange(position, end)).decode())
        position = max(end, position + 1)
    return found


def lit(panel: FusionPanel) -> list[str]:
    """The lines of the kernel that are lit."""
    source = panel.kernel.source
    numbers = [n for n in range(source.lineCount()) if source.markerGet(n) & 1 << LIT]
    return [source.line_text(n).strip() for n in numbers]


def press(panel: FusionPanel, qtbot: QtBot, place: QPoint) -> None:
    """Click into the graph."""
    qtbot.mouseClick(panel.graph, Qt.MouseButton.LeftButton, pos=place)


def test_an_operation_lights_up_its_kernel_line_and_its_script_line(
    window: MainWindow, qtbot: QtBot
) -> None:
    panel = opened(window, qtbot)
    assert tinted(window) == [6, 7]
    press(panel, qtbot, panel.graph.area_of(1).center().toPoint())
    assert lit(panel) == ["let v1 = v0 * x;  // line 6: mul"]
    assert tinted(window) == [6]
    assert framed(window) == ["sin(x) .* x"]
    assert "line 99" not in panel.kernel.source.text()
    press(panel, qtbot, QPoint(1, 1))
    assert lit(panel) == []
    assert tinted(window) == [6, 7]
    assert framed(window) == []


def test_a_kernel_line_and_the_caret_light_up_operations(window: MainWindow, qtbot: QtBot) -> None:
    panel = opened(window, qtbot)
    line = panel.kernel.shown.lines([0])[0]
    panel.kernel.source.line_clicked.emit(line)
    assert lit(panel) == ["let v0 = sin_f32(x);  // line 6: sin"]
    assert tinted(window) == [6]
    assert framed(window) == ["sin(x)"]
    editor = window.editors.current()
    assert editor is not None
    editor.go_to(6)
    qtbot.waitUntil(lambda: len(lit(panel)) == 3)
    assert tinted(window) == [6, 7]
    assert framed(window) == []


def test_a_part_of_a_line_lights_up_what_computes_it(window: MainWindow, qtbot: QtBot) -> None:
    panel = opened(window, qtbot)
    editor = window.editors.current()
    assert editor is not None
    first = editor.positionFromLine(5)
    editor.gotoPos(first + 12)  # behind the ``.`` of ``sin(x) .* x``
    qtbot.waitUntil(lambda: lit(panel) == ["let v1 = v0 * x;  // line 6: mul"])
    assert framed(window) == ["sin(x) .* x"]
    editor.setSel(first + 4, first + 15)
    qtbot.waitUntil(lambda: len(lit(panel)) == 2)
    assert panel.graph._marked == {0, 1}


def test_groups_open_and_close_and_lead_to_their_neighbours(
    window: MainWindow, qtbot: QtBot
) -> None:
    panel = opened(window, qtbot)
    rows = window.run_model.groups
    rows[2] = replace(rows[2], sources=(1,))
    panel.graph.show_group(rows, 2)
    assert ("group", "▸ k1 · random") in panel.graph.texts()
    other = next(i for i in panel.graph.scene.items if i.role == "group")
    corner = panel.graph._corner().toPoint()
    press(panel, qtbot, corner + other.area.topLeft().toPoint() + QPoint(6, 10))
    assert ("op", "random") in panel.graph.texts()
    panel.graph.toggle(1)
    panel.graph.toggle(2)
    assert [role for role, _ in panel.graph.texts()] == ["group", "group"]
    other = next(i for i in panel.graph.scene.items if i.group == 1)
    press(panel, qtbot, corner + other.area.center().toPoint())
    assert panel.table.selected().id == 1
    panel.grab()


def test_a_run_that_has_just_begun_leaves_what_is_shown_in_reach(
    window: MainWindow, qtbot: QtBot
) -> None:
    panel = opened(window, qtbot)
    engine = window.bridge._engine
    assert isinstance(engine, FakeEngine)
    engine.emit(protocol.StateChanged(protocol.RunState.RUNNING))
    engine.emit(protocol.RunStarted(str(QUICKSTART), 2))
    deliver(window.bridge)
    assert not window.run_model.groups
    editor = window.editors.current()
    assert editor is not None
    editor.go_to(13)
    qtbot.waitUntil(lambda: panel.table.selected().id == 4)
    panel.table.select(6)
    assert ("op", "neg") in panel.graph.texts()
    engine.emit(protocol.StateChanged(protocol.RunState.IDLE))
    deliver(window.bridge)
    qtbot.waitUntil(lambda: panel.currentWidget() is not panel.content)


def test_notes_move_with_their_lines_and_stay_there(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    editor = window.editors.current()
    assert editor is not None
    qtbot.waitUntil(lambda: editor.eOLAnnotationText(6).size() > 0)
    editor.insertText(0, "% one more line\n")
    assert editor.eOLAnnotationText(7).size() > 0
    panel = window.panel("fusion")
    assert isinstance(panel, FusionPanel)
    press(panel, qtbot, panel.graph.area_of(0).center().toPoint())
    assert tinted(window) == [7]  # where line 6 is now
    assert framed(window) == ["sin(x)"]
    editor.insertText(editor.positionFromLine(6), "z = 1; ")
    panel.choose((1,))
    assert (tinted(window), framed(window)) == ([], [])
    window.editors.new("")
    window.editors.tabs.setCurrentWidget(editor)
    assert editor.eOLAnnotationText(7).size() > 0
    assert editor.eOLAnnotationText(6).size() == 0
