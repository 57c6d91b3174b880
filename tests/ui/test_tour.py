"""The tour of the first start, and the marks of git in the tree."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.ui.panels.files import FilesPanel
from app.ui.run_model import git_status
from app.ui.shell.main_window import MainWindow
from app.ui.shell.tour import Tour, steps


def test_the_tour_has_five_cards_inside_the_window(window: MainWindow, qtbot: QtBot) -> None:
    window.commands.run("help.tour")
    tour = window.findChild(Tour)
    assert isinstance(tour, Tour)
    for number in range(len(steps())):
        assert tour.number == number
        assert window.rect().contains(tour.geometry())
        assert window.focusWidget() is tour
        if number < 4:
            qtbot.mouseClick(tour.next_button, Qt.MouseButton.LeftButton)
    assert tour.next_button.text() == "Done"
    assert tour.isVisible()
    qtbot.mouseClick(tour.next_button, Qt.MouseButton.LeftButton)
    assert not tour.isVisible()
    assert window.focusWidget() is window.editors.current()


def test_the_answer_of_git_is_read() -> None:
    top = Path("/r")
    listing = " M a.m\0?? new dir/ä.m\0R  to.m\0from.m\0UU c.m\0A  d.m\0"
    marks = git_status.parse(listing, top)
    assert marks == {
        "/r/a.m": "M",
        "/r/new dir/ä.m": "?",
        "/r/to.m": "R",
        "/r/c.m": "U",
        "/r/d.m": "A",
    }
    assert git_status.folders_of(marks, top) == {"/r/new dir"}


@pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
def test_changed_files_are_marked_in_the_tree(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "a.m").write_text("x = 1;\n")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    files = window.panel("files")
    assert isinstance(files, FilesPanel)
    window.use_settings(Settings())
    assert window.trust is not None
    window.change_folder(tmp_path)
    window.trust.trust()
    qtbot.waitUntil(lambda: files.git.marks.get(str(tmp_path / "a.m")) == "?")
    assert git_status.marks_below(tmp_path / "gone") == ({}, "")
    files.grab()


@pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
@pytest.mark.parametrize("inside", ["", "deep/er"])
def test_nothing_of_a_repository_runs_before_it_is_trusted(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, inside: str
) -> None:
    top, proof = tmp_path / "evil", tmp_path / "proof"
    (top / "deep" / "er").mkdir(parents=True)
    (top / "a.m").write_text("x = 1;\n")
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    hostile = ["git", "-C", str(top), "config", "core.fsmonitor", f"touch {proof}; false"]
    subprocess.run(hostile, check=True)
    window.use_settings(Settings())
    window.change_folder(top / inside)
    assert window.trust is not None
    if inside:
        window.trust.trust()  # of the folder inside: the repository above it is another matter
    asked: list[object] = []
    files = window.panel("files")
    assert isinstance(files, FilesPanel)
    files.git._client.ask("other", lambda: None, asked.append)
    files.git._ask_for_marks()
    qtbot.waitUntil(lambda: bool(asked))
    qtbot.wait(300)
    assert not files.git.marks
    assert not proof.exists()
    assert git_status.marks_below(top)[0], "with trust there are marks"
    assert proof.exists()
