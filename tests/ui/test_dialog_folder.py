"""The dialog that asks under which name to save."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from app.ui.plots.figure_export import FILTERS
from app.ui.shell.main_window import MainWindow
from app.ui.support.dialog_folder import DialogFolder, ask_where


def answering(monkeypatch: pytest.MonkeyPatch, kind: str, name: str) -> None:
    """Choose a kind in the dialog, type a name, and accept it."""

    def answer(dialog: QFileDialog) -> int:
        if kind:
            dialog.selectNameFilter(kind)
            dialog.filterSelected.emit(kind)
        dialog.selectFile(name)
        return int(QFileDialog.DialogCode.Accepted)

    monkeypatch.setattr(QFileDialog, "exec", answer)


@pytest.mark.parametrize(
    ("kind", "name", "wanted"),
    [
        ("", "waves", "waves.png"),
        ("SVG drawing (*.svg)", "waves", "waves.svg"),
        ("PDF document (*.pdf)", "waves.jpg", "waves.jpg"),
        ("", "waves.gif", "waves.gif"),
    ],
)
def test_a_name_without_an_ending_gets_that_of_its_kind(
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    name: str,
    wanted: str,
) -> None:
    answering(monkeypatch, kind, name)
    found = ask_where(window, "Save", str(tmp_path / "figure1.png"), FILTERS)
    assert found == tmp_path / wanted
    monkeypatch.setattr(QFileDialog, "exec", lambda _dialog: 0)
    assert ask_where(window, "Save", str(tmp_path / "figure1.png"), FILTERS) is None


def test_a_script_is_saved_as_a_script(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.change_folder(tmp_path)
    assert DialogFolder.path == tmp_path
    editor = window.editors.new("x = 1;\n")
    answering(monkeypatch, "", "waves")
    window.commands.run("file.save")
    assert editor.path == tmp_path / "waves.m"
