"""The document view: rows, cells over one text, outputs in place, runs, edits."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QDateEdit, QSlider, QWidget
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.livecode.document import Control, LiveDocument
from app.engine.livecode.segments import segments
from app.engine.protocol import RunState
from app.engine.run_rows import RunRows
from app.ui.documents.controls import ControlStrip
from app.ui.documents.editor_faces import Face, is_live
from app.ui.documents.rows import CodeRow, TextRow
from app.ui.documents.runs import Phase
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.control_places import live_text
from app.ui.shell.main_window import MainWindow
from tests.support.documents import TEXT, open_document, silent_engine, styled
from tests.ui.recorded import deliver


def tell(window: MainWindow, *events: protocol.Event) -> None:
    for event in events:
        window.bridge.receive(event)
    deliver(window.bridge)


def finish(window: MainWindow, name: str, *events: protocol.Event, status: str = "ok") -> None:
    """A run that gave these events."""
    tell(window, protocol.RunStarted(name, 1), protocol.StateChanged(RunState.RUNNING))
    done = protocol.RunFinished(1, status, 1.0, RunRows({"dispatches": 2, "device_ms": 1.5}))
    tell(window, *events, done, protocol.StateChanged(RunState.IDLE))


def cell_of(face: Face, line: int) -> CodeRow:
    row = face.view.row_at(line)
    assert row is not None
    assert isinstance(row.widget, CodeRow)
    return row.widget


def test_a_live_script_opens_as_a_document(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    assert is_live(TEXT)
    assert not is_live("%% Title\nx = 1;")
    kinds = [(row.first, row.last, type(row.widget)) for row in face.view.rows]
    assert kinds == [(1, 2, TextRow), (3, 4, CodeRow), (6, 6, TextRow), (7, 7, CodeRow)]
    shown = cell_of(face, 3)
    assert [output.text for output, _ in shown.outputs.shown] == ["y = 16\n"]
    assert editor.text() == TEXT
    view = shown.cell.view
    assert [n for n in range(editor.lineCount()) if view.lineVisible(n)] == [2, 3]


def test_what_is_typed_in_a_cell_is_in_the_one_text(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    cell = cell_of(face, 7).cell
    face.view.editing.go_to(7)
    qtbot.waitUntil(cell.view.hasFocus)
    qtbot.keyClicks(cell.view, "a=2;")
    qtbot.keyClick(cell.view, Qt.Key.Key_Return)
    qtbot.keyClicks(cell.view, "b=3;")
    QApplication.processEvents()
    assert "a=2;\nb=3;z = 1;" in editor.text()
    assert (cell.first, cell.last) == (7, 8)
    face.view.read_text()
    assert cell_of(face, 8).cell is cell
    while editor.canUndo():
        window.commands.run("edit.undo")
    face.view.read_text()
    assert editor.text() == TEXT


def test_lines_of_cells_keep_their_ground_whatever_is_marked_there(
    window: MainWindow, qtbot: QtBot
) -> None:
    """Edited, saved, hot, zoomed and in the other theme: only a caret line differs."""
    editor, face = open_document(window, qtbot)
    view = cell_of(face, 3).cell.view
    ground = {view.grab().toImage().pixelColor(view.width() - 4, 8).name()}
    editor.setTargetRange(editor.positionFromLine(2), editor.positionFromLine(2))
    editor.replaceTarget(4, "q = ")
    editor.run_marks.show({}, {}, {3: 2, 4: 1})
    grounds = [view.grab().toImage().pixelColor(view.width() - 4, 8).name()]
    editor.setSavePoint()
    grounds.append(view.grab().toImage().pixelColor(view.width() - 4, 8).name())
    window.editors.set_zoom(3)
    window.editors.set_zoom(0)
    grounds.append(view.grab().toImage().pixelColor(view.width() - 4, 8).name())
    editor.undo()
    grounds.append(view.grab().toImage().pixelColor(view.width() - 4, 8).name())
    assert set(grounds) == ground


def test_the_borders_of_a_cell_hold(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    face.view.editing.go_to(7)
    cell = cell_of(face, 7).cell
    view = cell.view
    qtbot.waitUntil(view.hasFocus)
    view.setEmptySelection(cell.start)
    qtbot.keyClick(view, Qt.Key.Key_Backspace)
    view.setEmptySelection(cell.end)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert editor.text() == TEXT
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(view, "q")
    assert editor.text() == TEXT.replace("z = 1;", "q")


def test_sections_run_one_after_another(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    window.commands.run("run.file")
    assert [request.lines for request in silent_engine(window).runs] == [(1, 4)]
    assert silent_engine(window).runs[0].places
    name = face.runs.name
    finish(window, name, protocol.OutputText("y =\n\n    16\n\n", line=4))
    assert [request.lines for request in silent_engine(window).runs] == [(1, 4), (5, 8)]
    first, second = face.runs.sections
    assert (first.phase, second.phase) == (Phase.DONE, Phase.RUNNING)
    assert first.summary[:2] == ("2 kernels", "1.50 ms GPU")
    face.view.show_outputs()
    assert [output.line for output, _ in cell_of(face, 3).outputs.shown] == [4]
    error = protocol.ErrorRaised("a:b", "went wrong", (("f", name, 7, 1),))
    finish(window, name, error, status="error")
    assert (second.phase, face.runs.busy) == (Phase.FAILED, False)
    face.view.show_outputs()
    ((output, _),) = cell_of(face, 7).outputs.shown
    assert (output.kind, output.text, output.place) == ("error", "went wrong", 7)
    assert window.command_window.transcript.text().count("16") == 0
    editor.insertText(editor.positionFromLine(2), "w = 1;\n")
    assert first.stale
    assert not second.stale
    assert output.place == 8


def test_a_date_picker_is_one_however_its_name_is_written(window: MainWindow, qtbot: QtBot) -> None:
    code = 'd = datetime("2026-04-10");'
    line = f'{code} %[control:datePicker:1c4c]{{"position":[5,{len(code)}]}}\n'
    _, face = open_document(window, qtbot, line)
    (picker,) = cell_of(face, 1).findChildren(QDateEdit)
    assert picker.date().toString("yyyy-MM-dd") == "2026-04-10"


class Paintings(QObject):
    """Counts the paintings of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_where_a_section_stands_is_shown_without_painting_its_outputs(
    window: MainWindow, qtbot: QtBot
) -> None:
    _, face = open_document(window, qtbot)
    window.commands.run("run.file")
    finish(window, face.runs.name, protocol.OutputText("y =\n\n    16\n\n", line=4))
    qtbot.waitUntil(lambda: cell_of(face, 3).outputs.shown != [])
    output, margin = (
        Paintings(widget) for widget in (cell_of(face, 3).outputs, face.view.viewport())
    )
    painted = -1
    while painted != output.count:  # what came is painted late on a busy machine
        painted = output.count
        qtbot.wait(150)
    output.count = margin.count = 0
    face.runs.sections[0].phase = Phase.FAILED
    face.runs.phases_changed.emit()
    qtbot.waitUntil(lambda: margin.count > 0)
    assert output.count == 0


SPANNED = """%[text] # A
x = 0;
for k = 1:2
%%
%[text] # B
x = x + k
%%
end
%%
y = x
"""


def test_sections_that_a_statement_spans_run_at_once(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot, SPANNED)
    window.commands.run("run.file")
    first, second, third, last = face.runs.sections
    assert [s.phase for s in face.runs.sections] == [Phase.RUNNING] * 3 + [Phase.QUEUED]
    finish(window, face.runs.name, protocol.OutputText("x =\n\n    1\n\n", line=6))
    assert [(s.phase, bool(s.summary)) for s in (first, second, third)] == [
        (Phase.DONE, True),
        (Phase.DONE, False),
        (Phase.DONE, False),
    ]
    finish(window, face.runs.name)
    face.runs.toggle(second)
    assert [request.lines for request in silent_engine(window).runs] == [(1, 8), (9, 11), (1, 8)]
    face.runs.run([last])
    face.runs.toggle(third)
    assert silent_engine(window).stopped == 1
    assert last.phase is Phase.NEW
    finish(window, face.runs.name, status="interrupted")
    editor.setSelection(0, editor.length())
    editor.replaceSel(SPANNED.replace("for k = 1:2", "k = 3;").replace("end", ""))
    face.view.read_text()
    face.runs.run(face.runs.sections[1:2])
    assert silent_engine(window).runs[-1].lines == (4, 6)


def test_a_control_runs_all_that_a_statement_joins_to_its_section(
    window: MainWindow, qtbot: QtBot
) -> None:
    text = TEXT.replace("y = x^2 %[output:126e6871]", "if x > 2").replace("z = 1;", "z = 1; end")
    _, face = open_document(window, qtbot, text)
    strip = cell_of(face, 3).controls
    assert strip is not None
    slider = strip.faces[0].face.slider  # type: ignore[attr-defined]
    for value in (5, 10, 7):
        slider.setValue(value)
    finish(window, face.runs.name)
    assert [r.lines for r in silent_engine(window).runs] == [(1, 8)] * 2
    assert [s.phase for s in face.runs.sections] == [Phase.RUNNING] * 2


def test_a_slider_edits_the_literal_and_the_newest_value_wins(
    window: MainWindow, qtbot: QtBot
) -> None:
    editor, face = open_document(window, qtbot)
    strip = cell_of(face, 3).controls
    assert strip is not None
    slider = strip.faces[0].face.slider  # type: ignore[attr-defined]
    for value in (5, 10, 7):
        slider.setValue(value)
    assert 'x = 7; %[control:slider:7527]{"position":[5,6]}' in editor.text()
    assert len(silent_engine(window).runs) == 1
    finish(window, face.runs.name)
    assert [request.text.split("\n")[2][:6] for request in silent_engine(window).runs] == [
        "x = 5;",
        "x = 7;",
    ]
    finish(window, face.runs.name)
    assert not face.runs.busy
    assert silent_engine(window).stopped == 0


def test_a_slider_follows_from_wherever_it_is_pressed(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    strip = cell_of(face, 3).controls
    assert strip is not None
    slider = strip.faces[0].face.slider  # type: ignore[attr-defined]
    slider.resize(220, 24)
    spots = [QPoint(x, 12) for x in (170, 120, 210)]
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=spots[0])
    assert slider.isSliderDown()
    assert "x = 8;" in editor.text()
    for spot in spots[1:]:
        qtbot.mouseMove(slider, spot)
    assert strip.faces[0].face._value.text() == "10"  # type: ignore[attr-defined]
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=spots[2])
    assert not slider.isSliderDown()
    assert "x = 10;" in editor.text()
    editor.undo()
    assert editor.text() == TEXT


def test_controls_below_each_other_begin_below_each_other(qtbot: QtBot) -> None:
    strip = ControlStrip()
    qtbot.addWidget(strip)
    labels = ("f", "a long name", "mean")
    controls = tuple(
        (Control("slider", str(n), n + 1, 1, 2, {"label": label, "max": 9}), "4")
        for n, label in enumerate(labels)
    )
    strip.show_controls(controls)
    strip.resize(400, strip.heightForWidth(400))
    strip.show()
    starts = {face.face.mapTo(strip, QPoint()).x() for face in strip.faces}
    assert len(starts) == 1
    assert len({face.y() for face in strip.faces}) == 3


def dragged_slider(face: Face) -> QSlider:
    """The slider of the third line, held by its handle."""
    strip = cell_of(face, 3).controls
    assert strip is not None
    slider: QSlider = strip.faces[0].face.slider  # type: ignore[attr-defined]
    slider.setSliderDown(True)
    return slider


def test_values_that_no_run_sees_are_not_written(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    slider, texts = dragged_slider(face), [editor.text()]
    editor.modified.connect(lambda *_what: texts.append(editor.text()))
    for value in (5, 6, 7, 8):
        slider.setValue(value)
    assert "x = 5;" in editor.text()
    finish(window, face.runs.name)
    assert "x = 8;" in editor.text()
    assert not any("x = 6;" in text or "x = 7;" in text for text in texts)
    assert [run.text for run in silent_engine(window).runs][-1] == editor.text()
    assert len(silent_engine(window).runs) == 2
    slider.setValue(9)
    slider.setSliderDown(False)  # the hand lets go while a section runs
    assert "x = 9;" in editor.text()
    finish(window, face.runs.name)
    finish(window, face.runs.name)
    assert not face.runs.busy
    editor.undo()
    assert editor.text() == TEXT


def test_a_value_that_waits_is_written_when_the_run_is_stopped(
    window: MainWindow, qtbot: QtBot
) -> None:
    editor, face = open_document(window, qtbot)
    slider = dragged_slider(face)
    slider.setValue(5)
    slider.setValue(6)
    face.runs.toggle(face.runs.sections[0])
    finish(window, face.runs.name, status="interrupted")
    assert not face.runs.busy
    assert "x = 6;" in editor.text()


def test_the_newest_value_runs_though_an_older_one_failed(window: MainWindow, qtbot: QtBot) -> None:
    _, face = open_document(window, qtbot)
    slider = dragged_slider(face)
    slider.setValue(5)
    slider.setValue(6)
    error = protocol.ErrorRaised("", "no such thing", (("", face.runs.name, 3, 1),))
    finish(window, face.runs.name, error, status="error")
    assert face.runs.busy
    assert "x = 6;" in silent_engine(window).runs[-1].text
    finish(window, face.runs.name)
    assert face.runs.sections[0].phase is Phase.DONE


def test_a_literal_that_changes_paints_no_covered_text(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    qtbot.wait(200)
    covered, text = Paintings(editor.viewport()), Paintings(face.view.rows[0].widget)
    cell = Paintings(cell_of(face, 3).cell.view.viewport())
    dragged_slider(face).setValue(5)
    qtbot.wait(60)
    assert cell.count == 1  # in its own colours at once
    assert (covered.count, text.count) == (0, 0)
    window.documents.hide(editor)
    qtbot.waitUntil(lambda: covered.count > 0)


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_value_chosen_while_a_command_runs_is_run_after_it(
    window: MainWindow, qtbot: QtBot, by_hand: bool
) -> None:
    _, face = open_document(window, qtbot)
    tell(window, protocol.RunStarted("<command>", 1), protocol.StateChanged(RunState.RUNNING))
    slider = dragged_slider(face) if by_hand else cell_of(face, 3).controls.faces[0].face.slider
    for value in (5, 6, 7):
        slider.setValue(value)
    assert not silent_engine(window).runs
    assert face.runs.waits_for_engine
    done = protocol.RunFinished(1, "ok", 1.0, RunRows({}))
    tell(window, done, protocol.StateChanged(RunState.IDLE))
    qtbot.waitUntil(lambda: len(silent_engine(window).runs) == 1)
    assert "x = 7;" in silent_engine(window).runs[0].text
    slider.setValue(8)
    finish(window, face.runs.name)
    assert ["x = 8;" in run.text for run in silent_engine(window).runs] == [False, True]
    finish(window, face.runs.name)
    assert len(silent_engine(window).runs) == 2
    assert not face.runs.busy


def test_a_slow_run_is_dropped_for_a_newer_value(window: MainWindow, qtbot: QtBot) -> None:
    _, face = open_document(window, qtbot)
    section = face.runs.sections[0]
    face.runs.update(lambda: [section])
    face.runs._began -= 10
    face.runs.update(lambda: [section])
    face.runs.update(lambda: [section])
    assert silent_engine(window).stopped == 1
    finish(window, face.runs.name, status="interrupted")
    assert section.phase is Phase.RUNNING
    assert len(silent_engine(window).runs) == 2


def test_a_document_is_written_from_nothing(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot, "")
    window.documents.show(editor)
    window.commands.run("document.text")
    cell = face.view.focused_cell()
    assert cell is not None
    qtbot.keyClicks(cell.view, "# Hello")
    qtbot.keyClick(cell.view, Qt.Key.Key_Return)
    qtbot.keyClicks(cell.view, "Some text.")
    window.commands.run("document.code")
    cell = face.view.focused_cell()
    assert cell is not None
    qtbot.keyClicks(cell.view, "x = 1")
    window.commands.run("document.section")
    cell = face.view.focused_cell()
    assert cell is not None
    qtbot.keyClicks(cell.view, "y = 2")
    assert editor.text() == "%[text] # Hello\n%[text] Some text.\nx = 1\n%%\ny = 2"
    kinds = [(row.is_code, row.first, row.last) for row in face.view.rows]
    assert kinds == [(False, 1, 2), (True, 3, 3), (True, 5, 5)]


def test_what_is_typed_on_a_page_is_written_where_one_sees_it(
    window: MainWindow, qtbot: QtBot
) -> None:
    editor, face = open_document(window, qtbot, "")
    window.documents.show(editor)
    face.view.setFocus()
    qtbot.keyClicks(face.view, "X")
    cell = face.view.focused_cell()
    assert cell is not None
    qtbot.keyClicks(cell.view, " = 1")
    qtbot.keyClick(cell.view, Qt.Key.Key_Return)
    qtbot.keyClicks(cell.view, "y")
    assert editor.text() == "X = 1\ny"


def test_text_is_edited_and_deleted_from_its_menu(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot, "%[text] # Head\nx = 1;\n%[text] Words\ny = 2;")
    window.documents.show(editor)

    def choose(text: str, row: int) -> None:
        widget = face.view.rows[row].widget
        assert isinstance(widget, TextRow)
        actions = {action.text(): action for action in widget.menu_at(QPoint(5, 5)).actions()}
        assert [*filter(None, actions)] == ["Edit", "Delete", "Copy", "Select All"]
        actions[text].trigger()

    choose("Edit", 2)
    qtbot.waitUntil(lambda: face.view.rows[2].editing)
    face.view.editing.finish(face.view.rows[2])
    choose("Delete", 0)
    qtbot.waitUntil(lambda: editor.text() == "x = 1;\n%[text] Words\ny = 2;")
    window.commands.run("edit.undo")
    assert editor.text().startswith("%[text] # Head")


def test_keys_on_a_page_do_not_reach_the_text_below_it(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot, "%[text] # Head\n%[text] Words\nx = 1;")
    window.documents.show(editor)
    face.view.editing.select(face.view.rows[0])
    for key in (Qt.Key.Key_Backspace, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Right):
        qtbot.keyClick(face.view, key)
        qtbot.keyClick(face.view, key, Qt.KeyboardModifier.ShiftModifier)
        qtbot.keyClick(face.view, key, Qt.KeyboardModifier.ControlModifier)
    assert editor.text() == "%[text] # Head\n%[text] Words\nx = 1;"
    face.view.setFocus()
    face.view.editing.select(face.view.rows[0])
    qtbot.keyClicks(face.view, "!")
    assert editor.text() == "%[text] # Head\n%[text] Words!\nx = 1;"


def test_a_page_that_opens_behind_another_file_takes_no_keyboard(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "page.m").write_text("%[text] # Title\nx = 1;\n")
    page = window.editors.open(tmp_path / "page.m")
    assert page is not None
    front = window.editors.new("y = 2;\n")
    front.setFocus()
    qtbot.waitUntil(lambda: page.covered)
    assert window.focusWidget() is front


def test_five_hundred_sections_open_quickly_and_few_have_widgets(
    window: MainWindow, qtbot: QtBot
) -> None:
    text = "\n".join(
        f"%%\n%[text] ## Section {n}\n%[text] Words of it, **bold** too.\nx{n} = {n};\ny = x{n}^2\n"
        for n in range(500)
    )
    editor = window.editors.new(text)
    face = window.documents.of(editor) or window.documents.show(editor)
    assert len(face.view.rows) == 1000
    assert sum(row.widget is not None for row in face.view.rows) < 60
    bar = face.view.verticalScrollBar()
    for part in (0.5, 1.0, 0.25):
        bar.setValue(round(bar.maximum() * part))
        assert sum(row.widget is not None for row in face.view.rows) < 60
    editor.setSavePoint()


def test_outputs_are_stored_on_request_and_nothing_else_changes(
    window: MainWindow, qtbot: QtBot
) -> None:
    editor, face = open_document(window, qtbot)
    window.commands.run("document.store")
    assert editor.text() == TEXT
    window.commands.run("run.file")
    name = face.runs.name
    finish(window, name, protocol.OutputText("y =\n\n    16\n\nprinted\n", line=4))
    finish(window, name)
    window.commands.run("document.store")
    document = LiveDocument(editor.text())
    assert not document.problems
    (block, _) = document.code_blocks
    assert block.outputs[0].id == "126e6871"
    assert [output.data["dataType"] for output in block.outputs] == ["textualVariable", "text"]
    assert not face.runs.sections[0].stale
    stored = editor.text()
    window.commands.run("document.store")
    assert editor.text() == stored
    window.commands.run("document.clear")
    assert "%[output" not in editor.text()
    assert not face.runs.outputs
    while editor.canUndo():
        editor.undo()
    assert editor.text() == TEXT


def test_a_control_is_inserted_configured_and_removed(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    controls = face.view.editing.controls
    face.view.editing.go_to(7, editor.positionFromLine(6) + 4)
    qtbot.waitUntil(lambda: face.view.focused_cell() is not None)
    place = controls.literal_at_caret()
    assert place is not None
    assert (place.line, place.first, place.last, place.literal) == (7, 5, 6, "1")
    assert "slider" in dict(controls.kinds_for(place))
    controls.insert("checkbox", place)
    control = LiveDocument(editor.text()).code_blocks[1].controls[0]
    assert (control.first, control.last, control.data["label"]) == (5, 6, "z")
    assert controls.literal_at_caret() is None
    strip = cell_of(face, 7).controls
    assert isinstance(strip, ControlStrip)
    strip.faces[0].face.click()  # type: ignore[attr-defined]
    assert "z = false; %[control:checkbox:" in editor.text() or "z = true;" in editor.text()
    controls.remove(control)
    assert "checkbox" not in editor.text()
    assert not LiveDocument(editor.text()).problems


def test_a_search_shows_what_it_finds_and_nothing_that_is_not_seen(
    window: MainWindow, qtbot: QtBot
) -> None:
    editor, face = open_document(window, qtbot)
    text = face.view.rows[0].widget
    assert isinstance(text, TextRow)
    styled(editor)
    window.commands.run("edit.find")
    bar = window.editors.find_bar
    bar.field.setText("words")
    bar.find_next()
    (found,) = text.extraSelections()
    assert found.cursor.selectedText() == "words"
    assert editor.caret_line == 2
    for hidden in ("%[text", "control", "position", "defaultValue"):
        bar.field.setText(hidden)
        bar.find_next()
        assert not bar._starts
        assert bar.replace_all() == 0
    bar.field.setText("x ")
    bar.replacement.setText("velo ")
    assert bar.replace_all() == 2  # one in the text, one in the code
    assert "textualVariable" in editor.text()
    assert not LiveDocument(live_text(editor)).problems


def test_controls_run_nothing_before_the_folder_is_trusted(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "far.m"
    file.write_text(TEXT)
    editor = window.open_file(file)
    assert editor is not None
    face = window.documents.show(editor)
    strip = cell_of(face, 3).controls
    assert isinstance(strip, ControlStrip)
    strip.faces[0].face.slider.setValue(9)  # type: ignore[attr-defined]
    assert "x = 9;" in editor.text()
    assert not silent_engine(window).runs
    assert "trusted" in window.status._notice.text()


def check_cells(face: Face, editor: CodeEditor) -> None:
    """Every cell shows the lines of its row and no others."""
    for row in face.view.rows:
        if isinstance(row.widget, CodeRow) and row.first <= row.last:
            view = row.widget.cell.view
            assert (row.widget.cell.first, row.widget.cell.last) == (row.first, row.last)
            shown = [n + 1 for n in range(editor.lineCount()) if view.lineVisible(n)]
            assert shown == list(range(row.first, row.last + 1))


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_done_rows_and_text_agree(window: MainWindow, qtbot: QtBot, seed: int) -> None:
    editor, face = open_document(window, qtbot)
    page, chosen = face.view, random.Random(seed)
    keys = (Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Escape)
    more = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
    acts: tuple[Callable[[], object], ...] = (
        lambda: page.editing.insert(chosen.choice(("text", "code", "section"))),
        lambda: page.editing.go_to(chosen.randint(1, editor.lineCount())),
        lambda: page.editing.edit(chosen.choice(page.rows)),
        editor.undo,
        editor.redo,
        page.read_text,
        lambda: page.current is None or page.editing.delete(page.current),
    )
    for _ in range(60):
        cell = page.focused_cell()
        if cell is None or chosen.random() < 0.5:
            chosen.choice(acts)()
        else:
            qtbot.keyClicks(cell.view, chosen.choice(("a", "x=1;", "# ", "%% ", "(")))
            qtbot.keyClick(cell.view, chosen.choice(keys + more))
        QApplication.processEvents()
        check_cells(face, editor)
    page.read_text()
    caret = page.focused_cell()
    line = caret.view.caret_line if caret is not None else 0
    wanted = [(s.first, s.last) for s in segments(LiveDocument(editor.text()), line)]
    assert [(row.first, row.last) for row in page.rows] == wanted
    while editor.canUndo():
        editor.undo()
    assert editor.text() == TEXT
