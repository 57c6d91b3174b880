"""Moving about in code: definitions, outline, folds, find and replace, signatures, change marks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pyside6_scintilla import Scintilla
from pytestqt.qtbot import QtBot

from app.ui.editor import folding
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Indicator
from app.ui.editor.signature_tip import SignatureTip
from app.ui.shell.main_window import MainWindow
from tests.support.window import run
from tests.ui.keys import offered

Open = Callable[..., MainWindow]
CONTROL = Qt.KeyboardModifier.ControlModifier
TEXT = """%% Begin
r = inner(3) + outer(4);
%% Rest
q = sum([1 2 3]);
function y = inner(x)
    y = 2 * x;
end
"""


def focused(window: MainWindow, qtbot: QtBot) -> CodeEditor:
    """The editor in front with the keyboard."""
    editor = window.editors.current()
    assert editor is not None
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    return editor


def test_f4_goes_to_the_definition_here_elsewhere_or_in_the_help(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "outer.m").write_text("function y = outer(x)\ny = x;\nend\n")
    window = open_window(TEXT, layout="classic")
    editor = focused(window, qtbot)
    editor.gotoPos(TEXT.index("inner(3)"))
    QTest.keyClick(editor, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: editor.caret_line == 5)
    editor.gotoPos(TEXT.index("sum("))
    QTest.keyClick(editor, Qt.Key.Key_F4)
    help_panel: Any = window.panel("help")
    qtbot.waitUntil(lambda: help_panel.page.toPlainText().startswith("sum"))
    editor.gotoPos(TEXT.index("outer(4)"))
    QTest.keyClick(editor, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: window.windowTitle().startswith("outer.m"))


def test_functions_on_the_path_are_known(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "far_away.m").write_text("function y = far_away(x)\ny = x;\nend\n")
    text = "addpath('lib');\ny = far_away(4);\n"
    window = open_window(text, layout="classic")
    editor = focused(window, qtbot)

    def remarks() -> list[str]:
        return [remark.code for _, _, remark in window.language.remarks()]

    qtbot.waitUntil(lambda: "undefined-name" in remarks())
    run(window, qtbot)
    assert window.run_model.status == "ok"
    qtbot.waitUntil(lambda: "undefined-name" not in remarks())
    QTest.keyClick(editor, Qt.Key.Key_End, CONTROL)
    QTest.keyClicks(editor, "far_")
    qtbot.waitUntil(lambda: offered(editor) == ["far_away"])
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text() == f"{text}far_away"
    QTest.keyClick(editor, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: window.windowTitle().startswith("far_away.m"))


def test_the_outline_leads_to_functions_and_sections(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(TEXT, layout="classic")
    editor = focused(window, qtbot)
    panel: Any = window.panel("outline")
    assert [row.name.strip() for row in panel.model.rows][:2] == ["Begin", "Rest"]
    qtbot.waitUntil(
        lambda: [row.name.strip() for row in panel.model.rows] == ["Begin", "Rest", "inner"],
    )
    place = panel.table.visualRect(panel.model.index(2, 1)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert editor.caret_line == 5
    window.commands.run("view.fold_all")
    assert folding.folds(editor) == [4]
    window.commands.run("view.fold_all")
    assert folding.folds(editor) == []


def test_find_and_replace_with_groups(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("a1 = b1;\nb2 = a2;\n", layout="focus")
    editor = focused(window, qtbot)
    QTest.keyClick(editor, Qt.Key.Key_H, CONTROL)
    bar: Any = window.editors.find_bar
    qtbot.waitUntil(bar.isVisible)
    bar._options[2][0].setChecked(True)
    QTest.keyClicks(bar.field, r"([ab])(\d)")
    assert editor.indicatorValueAt(Indicator.FOUND, 0)
    bar.replacement.setText("$1_$2")
    bar.replace_all()
    assert editor.text() == "a_1 = b_1;\nb_2 = a_2;\n"
    editor.undo()
    assert editor.text() == "a1 = b1;\nb2 = a2;\n"
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert editor.hasFocus()


def test_changed_lines_have_marks_until_they_are_saved(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("a = 1;\nb = 2;\n", layout="focus")
    editor = focused(window, qtbot)
    outline = Scintilla.MarkerOutline
    assert not editor.markerGet(1) & 1 << outline.HistoryModified
    editor.go_to(2)
    QTest.keyClicks(editor, "c")
    assert editor.markerGet(1) & 1 << outline.HistoryModified
    assert not editor.markerGet(0) & 1 << outline.HistoryModified
    QTest.keyClick(editor, Qt.Key.Key_S, CONTROL)
    assert editor.markerGet(1) & 1 << outline.HistorySaved
    assert not editor.markerGet(1) & 1 << outline.HistoryModified
    assert editor.path is not None
    assert editor.path.read_text() == "a = 1;\ncb = 2;\n"


def test_the_call_tip_follows_the_argument(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("\n", layout="focus")
    editor = focused(window, qtbot)
    tip = editor.findChild(SignatureTip)
    assert isinstance(tip, SignatureTip)
    QTest.keyClicks(editor, "y = interp1(x")
    qtbot.waitUntil(lambda: tip.active and ">x</b>" in tip.label.text())
    QTest.keyClicks(editor, ", v")
    qtbot.waitUntil(lambda: ">v</b>" in tip.label.text())
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert not tip.active


def test_files_of_a_folder_are_looked_for_beside_the_window(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window("x = 1;\n")
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "far" / "away" / "deep.m").write_text("y = 1;\n")
    (tmp_path / "near.m").write_text("y = 1;\n")
    window.change_folder(tmp_path)
    window.commands.run("view.files")
    palette = window.palettes.palette
    assert palette is not None
    qtbot.keyClicks(palette.field, "eep")
    qtbot.waitUntil(lambda: [e.title for e in palette.entries][-1:] == ["far/away/deep.m"])
    assert palette.field.text() == "eep"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    editor = window.editors.current()
    assert editor is not None
    assert editor.name == "deep.m"
