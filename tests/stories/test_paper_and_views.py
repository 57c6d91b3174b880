"""Code on paper, two views on one text, files dropped on the window, recent files, git marks."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.plots.figure_export import place_on_page
from app.ui.shell.main_window import MainWindow
from app.ui.shell.panel_catalogue import FIGURES
from app.ui.support import dialog_folder
from tests.support.window import run

Open = Callable[..., MainWindow]
CONTROL = Qt.KeyboardModifier.ControlModifier
CODE = "%% Part\nfor k = 1:3\n    x = 'two < three'; % note\nend\n"


@pytest.mark.parametrize("ending", ["pdf", "html"])
def test_code_is_exported(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    window = open_window(CODE, layout="focus")
    target = tmp_path / f"code.{ending}"
    monkeypatch.setattr(dialog_folder, "ask_where", lambda *_args: target)
    window.commands.run("file.export")
    assert str(target) in window.status._notice.text()
    data = target.read_bytes()
    assert data.startswith(b"%PDF") if ending == "pdf" else b"two &lt; three" in data


def test_code_is_printed(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(CODE * 60, layout="focus")

    def choose(dialog: QPrintDialog) -> bool:
        printer = dialog.printer()
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(tmp_path / "paper.pdf"))
        return True

    monkeypatch.setattr(QPrintDialog, "exec", choose)
    window.commands.run("file.print")
    assert (tmp_path / "paper.pdf").read_bytes().count(b"/Type /Page\n") > 2


def test_the_figure_in_front_is_printed(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window("plot(1:3); title('on paper')\n", layout="focus")
    window.commands.run("file.print_figure")
    assert "no figure" in window.status._notice.text()
    run(window, qtbot)
    dock = window.docks.widget(FIGURES)
    qtbot.waitUntil(lambda: dock.front is not None)
    file = tmp_path / "figure.pdf"

    def choose(dialog: QPrintDialog) -> bool:
        printer = dialog.printer()
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(file))
        return True

    monkeypatch.setattr(QPrintDialog, "exec", choose)
    window.commands.run("file.print_figure")
    assert file.read_bytes().count(b"/Type /Page\n") == 1
    assert len(file.read_bytes()) > 5_000


@pytest.mark.parametrize(
    ("page", "size", "place"),
    [
        ((800, 1000), (400, 200), (2.0, 0.0, 300.0)),  # as on the screen
        ((900, 1000), (400, 200), (2.0, 50.0, 300.0)),
        ((800, 1000), (1600, 100), (0.5, 0.0, 475.0)),  # no larger than the page
        ((800, 1000), (100, 5000), (0.2, 390.0, 0.0)),
    ],
)
def test_a_figure_stands_in_the_middle_of_its_page(
    page: tuple[int, int], size: tuple[int, int], place: tuple[float, float, float]
) -> None:
    assert place_on_page(QSize(*page), QSize(*size), 192) == pytest.approx(place)


def test_two_views_scroll_apart_and_share_the_text(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("".join(f"x{n} = {n};\n" for n in range(300)), layout="focus")
    editor = window.editors.current()
    assert editor is not None
    QTest.keyClick(editor, Qt.Key.Key_Backslash, CONTROL)
    second = window.editors.split.second
    assert second is not None
    qtbot.waitUntil(second.isVisible)
    second.go_to(200)
    assert editor.caret_line == 1
    assert second.firstVisibleLine() > editor.firstVisibleLine()
    second.setFocus()
    qtbot.waitUntil(second.hasFocus)
    QTest.keyClicks(second, "q")
    assert editor.line_text(199) == "qx199 = 199;"
    window.grab()
    QTest.keyClick(second, Qt.Key.Key_Backslash, CONTROL)
    assert window.editors.split.second is None


def drop(window: MainWindow, *paths: Path) -> None:
    """Drop files on the window as the desktop does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(300, 300), actions, data, buttons, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(300, 300), actions, data, buttons, none))


def test_dropped_files_open_and_are_recent(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window("x = 1;\n", layout="classic")
    for name in ("one.m", "two.m"):
        (tmp_path / name).write_text(f"% {name}\n")
    (tmp_path / "folder").mkdir()
    drop(window, tmp_path / "one.m", tmp_path / "two.m")
    assert [e.name for e in window.editors.editors()] == ["story.m", "one.m", "two.m"]
    drop(window, tmp_path / "folder")
    assert window.current_folder == tmp_path / "folder"
    for _ in range(2):
        window.commands.run("file.close")
    window.commands.run("file.recent")
    palette = window.palettes.palette
    assert palette is not None
    QTest.keyClicks(palette.field, "one")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert [e.name for e in window.editors.editors()] == ["story.m", "one.m"]


@pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
def test_marks_of_git_follow_a_save(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    window = open_window("x = 1;\n", layout="classic", asking=True)
    files: Any = window.panel("files")
    story = str(tmp_path / "story.m")
    assert window.trust is not None
    qtbot.mouseClick(window.trust.trust_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: files.git.marks.get(story) == "?")
    git("add", "story.m")
    git("commit", "-q", "-m", "one")
    qtbot.waitUntil(lambda: story not in files.git.marks)
    editor = window.editors.current()
    assert editor is not None
    editor.setFocus()
    QTest.keyClicks(editor, "y")
    window.commands.run("file.save")
    qtbot.waitUntil(lambda: files.git.marks.get(story) == "M")
