"""Where panels go that an arrangement has no place for."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.shell.main_window import MainWindow


@pytest.mark.parametrize(
    ("layout", "area"),
    [("classic", "bottom"), ("debug", "bottom"), ("gpu", "middle"), ("focus", "middle")],
)
def test_a_panel_joins_others_before_it_takes_room_from_the_editor(
    window: MainWindow, qtbot: QtBot, layout: str, area: str
) -> None:
    window.use_layout("gpu", fresh=True)
    window.use_layout(layout, fresh=True)
    window.docks.show_panel("profile")
    assert window.docks.area_of("profile") == area


def test_a_panel_comes_back_to_where_it_was_moved(window: MainWindow, qtbot: QtBot) -> None:
    window.use_layout("classic", fresh=True)
    window.docks.move_panel("profile", "middle")
    assert window.docks.area_of("profile") == "middle"
    window.docks.hide_panel("profile")
    window.docks.show_panel("profile")
    assert window.docks.area_of("profile") == "middle"
    window.docks.move_panel("kernels", "right")
    window.docks.hide_panel("profile")
    window.docks.show_panel("profile")
    assert window.docks.area_of("profile") == "middle"


def test_areas_have_their_room_again_when_the_window_has(window: MainWindow, qtbot: QtBot) -> None:
    def sizes() -> list[list[int]]:
        return [window.docks.splitters[name].sizes() for name in ("root", "main", "top")]

    window.resize(1500, 950)
    qtbot.waitUntil(lambda: window.docks.width() == 1500)
    window.use_layout("classic", fresh=True)
    splitter = window.docks.splitters["top"]
    splitter.setSizes([300, sum(splitter.sizes()) - 300])
    splitter.splitterMoved.emit(300, 1)
    before = sizes()
    for small in ((1000, 700), (800, 500)):
        window.resize(*small)
        qtbot.waitUntil(lambda w=small[0]: window.docks.width() == w)
        root = sizes()[0]
        assert root[1] < before[0][1]
        assert root[0] > root[1]
    window.resize(1500, 950)
    qtbot.waitUntil(lambda: sizes() == before)
    window.resize(1580, 990)
    qtbot.waitUntil(lambda: sizes() != before)
    assert [sizes()[0][1], sizes()[1][2], sizes()[2][0]] == [
        before[0][1],
        before[1][2],
        before[2][0],
    ]


def test_a_floating_panel_stands_wholly_on_a_screen(window: MainWindow, qtbot: QtBot) -> None:
    room = window.screen().availableGeometry()
    docks = window.docks
    docks.float_panel("tests", room.bottomRight() - QPoint(30, 30))
    assert room.contains(docks._floating["tests"].geometry())
    kept = docks.save()
    kept["floating"]["tests"] = (room.right() + 500, room.bottom() + 500, 300, 200)
    docks.restore(kept)
    assert room.contains(docks._floating["tests"].geometry())
    docks.dock_panel("tests")


@pytest.mark.parametrize(("panel", "code"), [("workspace", "readtable("), ("tests", "")])
def test_files_dropped_on_a_panel_in_a_window_of_its_own_are_taken(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, panel: str, code: str
) -> None:
    """Only the main window took them."""
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,2\n")
    taken: list[str] = []
    monkeypatch.setattr(window, "run_code", taken.append)
    monkeypatch.setattr(window, "open_file", lambda path: taken.append(str(path)))
    window.docks.float_panel(panel, QPoint(100, 100))
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(table))])
    held = (Qt.DropAction.CopyAction, files, Qt.MouseButton.LeftButton)
    enter = QDragEnterEvent(QPoint(5, 5), *held, Qt.KeyboardModifier.NoModifier)
    enter.ignore()
    drop = QDropEvent(QPointF(5, 5), *held, Qt.KeyboardModifier.NoModifier)
    for event in (enter, drop):
        QApplication.sendEvent(window.docks._floating[panel], event)
        assert event.isAccepted()
    assert len(taken) == 1
    assert code in taken[0]
    assert str(table) in taken[0]
    window.docks.dock_panel(panel)
