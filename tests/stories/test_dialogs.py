"""Dialogs of scripts: shown beside the window, answered, closed, stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QListWidget,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.dialog_state import Question
from app.engine.protocol import RunState
from app.ui.shell.main_window import MainWindow
from app.ui.shell.script_dialogs import ProgressDialog
from tests.support.window import output, run

Open = Callable[..., MainWindow]


def shown(window: MainWindow, qtbot: QtBot) -> QDialog:
    """The dialog that the running script waits for."""
    waiting = RunState.WAITING_INPUT
    qtbot.waitUntil(
        lambda: window.run_model.state == waiting and window.questions.dialog is not None,
    )
    dialog = window.questions.dialog
    assert dialog is not None
    assert dialog.isVisible()
    assert not dialog.isModal()
    return dialog


def press(dialog: QDialog, text: str) -> None:
    """Press a button by its text."""
    next(b for b in dialog.findChildren(QPushButton) if b.text().strip("&") == text).click()


def ended(window: MainWindow, qtbot: QtBot) -> str:
    """The last line of the output once the script has ended."""
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    assert window.questions.dialog is None
    return output(window).rstrip().splitlines()[-1]


def test_the_next_question_has_the_keyboard_while_it_is_on_its_way_back(
    open_window: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Behind a question no window has the keyboard for a moment: nobody is writing then.
    window = open_window("a = questdlg('One?'); b = questdlg('Two?'); disp(b)\n")
    window.commands.run("run.file")
    first = shown(window, qtbot)
    monkeypatch.setattr(QApplication, "focusWidget", lambda: None)
    press(first, "Yes")
    qtbot.waitUntil(lambda: window.questions.dialog not in {None, first})
    second = shown(window, qtbot)
    assert not second.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    monkeypatch.undo()
    press(second, "No")
    assert ended(window, qtbot) == "No"


def test_a_dialog_may_be_answered_before_the_state(open_window: Open, qtbot: QtBot) -> None:
    # A question and the state of waiting may reach the window one after the other.
    window = open_window("a = questdlg('One?'); disp(a)\n")
    window.bridge._handlers[protocol.QuestionAsked].append(
        lambda _: press(window.questions.dialog, "Yes")
    )
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: output(window).rstrip().endswith("Yes"))
    assert ended(window, qtbot) == "Yes"


def test_a_progress_takes_the_number_of_a_message(open_window: Open, qtbot: QtBot) -> None:
    # The message is gone and the progress there before the window hears of either.
    window = open_window(
        "h = msgbox('Ready', 'Hello'); drawnow; pause(0.1); delete(h);\n"
        "d = uiprogressdlg(figure, 'Title', 'Counting', 'Value', 0.3); input('');\n"
    )
    window.commands.run("run.file")
    dialogs = window.desktop.dialogs.shown
    qtbot.waitUntil(lambda: [d.windowTitle() for d in dialogs.values()] == ["Counting"])
    assert [type(d) for d in dialogs.values()] == [ProgressDialog]
    qtbot.waitUntil(lambda: window.command_window.input.asking)
    window.bridge.stop_run()
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)


def test_a_script_asks_by_dialogs(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(
        "a = questdlg('Save?', 'Save', 'Yes', 'No', 'No');\n"
        "b = inputdlg({'Name', 'Age'}, 'Who', 1, {'Ada', '36'});\n"
        "k = menu('Which?', 'left', 'right');\n"
        "fprintf('%s %s %s %d\\n', a, b{:}, k);\n"
    )
    window.commands.run("run.file")
    press(shown(window, qtbot), "Yes")
    qtbot.waitUntil(
        lambda: (
            window.questions.dialog is not None
            and bool(window.questions.dialog.findChildren(QLineEdit))
        )
    )
    texts = shown(window, qtbot)
    texts.findChildren(QLineEdit)[1].setText("37")
    press(texts, "OK")
    qtbot.waitUntil(
        lambda: (
            window.questions.dialog is not None
            and bool(window.questions.dialog.findChildren(QListWidget))
        )
    )
    choices = shown(window, qtbot)
    choices.findChildren(QListWidget)[0].setCurrentRow(1)
    press(choices, "OK")
    assert ended(window, qtbot) == "Yes Ada 37 2"


def test_a_script_uses_the_clipboard(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(
        "clipboard('copy', [1 2; 3 4]); a = clipboard('paste');\n"
        "clipboard('copy', \"Maß 温度\"); b = clipboard('paste'); fprintf('%s %s\\n', a, b);\n"
    )
    run(window, qtbot)
    assert output(window).splitlines()[-1] == "[1 2;3 4] Maß 温度"
    assert QApplication.clipboard().text() == "Maß 温度"


def test_a_script_copies_a_figure(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(
        "f = figure('Position', [10 10 400 300]); plot(1:3);\n"
        "copygraphics(f, 'Resolution', 96, 'BackgroundColor', 'r', 'ContentType', 'vector');\n"
        "fprintf('%s\\n', 'copied');\n"
    )
    run(window, qtbot)
    assert output(window).splitlines()[-1] == "copied"
    data = QApplication.clipboard().mimeData()
    assert "<svg" in bytes(data.data("image/svg+xml").data()).decode()
    picture = QApplication.clipboard().image()
    assert (picture.width(), picture.height()) == (400, 300)
    assert picture.pixelColor(2, 2) == QColor("red")


def test_a_script_that_nobody_trusts_gets_no_clipboard(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("t = clipboard('paste');\n", asking=True)
    QApplication.clipboard().setText("secret")
    run(window, qtbot)
    assert "'clipboard' is not allowed in a restricted run" in output(window)
    for kind in ("paste", "copy", "picture"):  # whatever the engine sends
        assert window.questions._of_clipboard(Question(kind, "", ("mine",))) == ()
    assert QApplication.clipboard().text() == "secret"


def test_a_closed_dialog_answers_nothing(open_window: Open, qtbot: QtBot) -> None:
    text = "a = questdlg('Save?');\nb = inputdlg('Name');\ndisp([isempty(a) size(b)])\n"
    window = open_window(text)
    window.commands.run("run.file")
    for _ in range(2):
        dialog = shown(window, qtbot)
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda dialog=dialog: window.questions.dialog is not dialog)
    assert ended(window, qtbot).split() == ["1", "0", "0"]


def test_stop_closes_the_dialog(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("a = questdlg('Save?');\n")
    window.commands.run("run.file")
    shown(window, qtbot)
    window.commands.run("run.stop")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    assert window.run_model.status == "interrupted"
    assert window.questions.dialog is None


def test_files_are_chosen(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window("[f, p] = uigetfile('*.m');\ndisp([p f])\n")
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _self: [str(tmp_path / "story.m")])
    window.commands.run("run.file")
    dialog = shown(window, qtbot)
    assert isinstance(dialog, QFileDialog)
    dialog.accepted.emit()
    dialog.close()
    assert ended(window, qtbot) == f"{tmp_path}/story.m"
