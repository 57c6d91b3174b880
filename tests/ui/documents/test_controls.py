"""Controls of documents: what they are, how they are configured and removed."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.engine.livecode.appendix import Data
from app.engine.livecode.document import Control, LiveDocument
from app.ui.documents.control_dialog import ControlDialog
from app.ui.documents.control_edits import Place, _default_data
from app.ui.documents.controls import FACES, ControlFace, ControlStrip
from app.ui.documents.rows import CodeRow
from app.ui.editor.code_editor import CodeEditor
from app.ui.shell import main_window
from app.ui.shell.editor_menu import editor_menu
from app.ui.shell.main_window import MainWindow
from tests.support.documents import open_document

LITERALS = {
    "slider": "4",
    "rangeslider": "[2 5]",
    "spinner": "2.5",
    "editfield": '"text"',
    "dropdown": '"red"',
    "checkbox": "true",
    "button": "1",
    "statebutton": "false",
    "colorpicker": "[0.2 0.4 0.8]",
    "datepicker": "datetime(2024,3,5)",
    "filebrowser": '"data.csv"',
}
DATA: Data = {
    "defaultValue": '"red"',
    "itemLabels": ["Warm", "green", "A = B"],
    "items": ['"red"', '"green"', '"x = y"'],
    "label": "Colour",
    "run": "SomethingNew",
}


def kept(qtbot: QtBot, dialog_kind: str, data: Data, act: object = None) -> Data:
    """What a dialog keeps after ``act`` on it."""
    found: list[Data] = []
    dialog = ControlDialog(None, dialog_kind, data, found.append)  # type: ignore[arg-type]
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    if callable(act):
        act(dialog)
    dialog.accept()
    return found[0] if found else {}


@pytest.mark.parametrize("kind", sorted(FACES))
def test_a_dialog_keeps_what_nobody_changed(qtbot: QtBot, kind: str) -> None:
    data = {**DATA, "min": 0.5} if kind == "slider" else DATA
    assert kept(qtbot, kind, data) == data
    fresh = _default_data(kind, LITERALS[kind], "x")
    assert kept(qtbot, kind, fresh) == fresh


def test_labels_of_a_list_stay_with_their_items(qtbot: QtBot) -> None:
    def act(dialog: ControlDialog) -> None:
        assert dialog.items is not None
        shown = ['Warm = "red"', '"green"', 'A = B = "x = y"']
        assert dialog.items.toPlainText().split("\n") == shown
        dialog.items.setPlainText('"green"\nWarm = "red"\nTwo = 2\n"p = q"')
        dialog.items.document().setModified(True)

    made = kept(qtbot, "dropdown", DATA, act)
    assert made["items"] == ['"green"', '"red"', "2", '"p = q"']
    assert made["itemLabels"] == ["green", "Warm", "Two", "p = q"]
    assert made["run"] == "SomethingNew"


@pytest.mark.parametrize(
    ("field", "text"), [("min", "abc"), ("min", "100"), ("step", "0"), ("step", "-1")]
)
def test_limits_that_mean_nothing_are_refused(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, field: str, text: str
) -> None:
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda *words: told.append(words[2]))
    data = {"label": "f", "max": 100, "min": 0, "step": 1}
    assert not kept(qtbot, "slider", data, lambda d: d.numbers[field].setText(text))
    assert told[0].startswith(field.capitalize())
    assert kept(qtbot, "slider", data, lambda d: d.numbers["step"].setText("0.5"))["step"] == 0.5


@pytest.mark.parametrize("kind", sorted(FACES))
def test_every_control_has_the_menu_of_controls(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    control = Control(kind, "0001", 1, 5, 6, _default_data(kind, LITERALS[kind], "x"))
    face = ControlFace(control, LITERALS[kind])
    qtbot.addWidget(face)
    face.show()
    asked: list[ControlFace] = []
    monkeypatch.setattr(ControlFace, "contextMenuEvent", lambda face, _event: asked.append(face))
    for part in (face.face, *face.face.findChildren(QWidget)):
        if part.window() is not face.window():
            continue
        asked.clear()
        spot = part.rect().center()
        reason = QContextMenuEvent.Reason.Keyboard
        event = QContextMenuEvent(reason, spot, part.mapToGlobal(spot))
        QApplication.sendEvent(part, event)
        assert asked == [face], part


def test_a_control_is_configured_and_removed_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    window.commands.run("document.remove_control")  # the caret is on the title
    assert "control:slider" in editor.text()
    face.view.editing.go_to(3, editor.positionFromLine(2))
    window.commands.run("document.configure_control")
    (dialog,) = face.view.findChildren(ControlDialog)
    dialog.label.setText("Name")
    dialog.accept()
    assert '"label":"Name"' in editor.text()
    row = face.view.row_at(3)
    assert row is not None
    assert isinstance(row.widget, CodeRow)
    assert isinstance(row.widget.controls, ControlStrip)
    row.widget.controls.faces[0].face.slider.setFocus()  # type: ignore[attr-defined]
    control = face.view.editing.controls.in_use()
    assert control is not None
    assert control.id == "7527"
    window.commands.run("document.remove_control")
    assert "control:slider" not in editor.text()
    assert "x = 4;" in editor.text()


@pytest.mark.parametrize("kind", sorted(set(FACES) - {"button"}))
def test_an_inserted_control_is_one_of_the_format(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    literal = LITERALS[kind]
    editor, face = open_document(window, qtbot, f"%[text] # T\nab = {literal};\n")
    monkeypatch.setattr(ControlDialog, "open", lambda dialog: dialog.deleteLater())
    controls = face.view.editing.controls
    place = Place(2, 6, 6 + len(literal), literal)
    assert kind in dict(controls.kinds_for(place))
    controls.insert(kind, place)
    document = LiveDocument(editor.text())
    assert not document.problems
    (control,) = document.code_blocks[0].controls
    assert (control.kind, control.first, control.last) == (kind, place.first, place.last)
    assert "defaultValue" in control.data
    assert control.data["label"] == "ab"
    editor.undo()
    assert editor.text() == f"%[text] # T\nab = {literal};\n"


@pytest.mark.parametrize(
    ("literal", "limits"),
    [
        ("4", (0, 10, 1)),
        ("0", (0, 100, 1)),
        ("-70", (-140, 140, 1)),
        ("0.3", (0, 0.6, 0.01)),
        ("2.0", (0, 4, 0.1)),
        ("-1e-3", (-0.002, 0.002, 1e-5)),
    ],
)
def test_limits_of_a_new_slider_suit_its_value(
    literal: str, limits: tuple[float, float, float]
) -> None:
    data = _default_data("slider", literal, "x")
    assert (data["min"], data["max"], data["step"]) == limits


def test_a_second_control_has_its_place_at_once(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, face = open_document(window, qtbot, "%[text] # T\na = 4;\nb = 7;\n")
    monkeypatch.setattr(ControlDialog, "open", lambda dialog: dialog.deleteLater())
    heights = []
    for line in (2, 3):
        face.view.editing.controls.insert("slider", Place(line, 5, 6, "4"))
        row = face.view.row_at(2)
        assert row is not None
        assert isinstance(row.widget, CodeRow)
        assert row.widget.controls is not None
        heights.append(row.widget.controls.height())
    assert heights[0] == heights[1] > 10


def test_a_cell_has_the_menu_of_its_place(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, face = open_document(window, qtbot, "%[text] # T\na = 4;\nb = 7;\n")
    face.view.editing.go_to(2)
    cell = face.view.focused_cell()
    assert cell is not None
    view = cell.view
    at = view.positionFromLine(2) + 4
    seen: list[tuple[str, list[str]]] = []

    def menu(window: MainWindow, about: CodeEditor) -> Mock:
        offered = editor_menu(window, about).actions()
        seen.append((view.line_text(view.caret_line - 1), [act.text() for act in offered]))
        return Mock()

    monkeypatch.setattr(main_window, "editor_menu", menu)
    view.menu_wanted.emit(QPoint(view.pointXFromPosition(at), view.pointYFromPosition(at) + 4))
    ((line, offered),) = seen
    assert line == "b = 7;"
    assert "Insert Control…" in offered
    assert {"Paste", "Run Section"} < set(offered)
