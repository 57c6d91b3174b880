"""What a person finds again: folds, floating panels, breakpoints, layouts; reset and screens."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.ui.shell.layouts import LAYOUTS
from app.ui.shell.session_store import SessionStore
from tests.ui.conftest import make_window

TEXT = "function r = f(x)\n    for k = 1:3\n        r = x;\n    end\nend\n\nfunction g\nend\n"


def test_everything_is_there_again(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "f.m"
    file.write_text(TEXT)
    first = make_window(qtbot, SessionStore(tmp_path))
    editor = first.open_file(file)
    assert editor is not None
    editor.colourise(0, -1)
    editor.foldLine(1, 0)
    assert not editor.foldExpanded(1)
    editor.gotoPos(3)
    first.docks.float_panel("workspace")
    first.docks._floating["workspace"].setGeometry(40, 50, 300, 200)
    first.breakpoints.loose = {
        "/gone/away.m": [{"line": 4, "condition": "", "hits": 0, "log": "", "on": True}]
    }
    first.store.save()
    first.store.detach()
    first.close()

    store = SessionStore(tmp_path)
    second = make_window(qtbot, store, store.state["layout"])
    store.restore(second)
    again = second.editors.current()
    assert again is not None
    qtbot.waitUntil(lambda: not again.foldExpanded(1))
    assert again.currentPos() == 3
    assert second.docks._floating["workspace"].geometry().getRect() == (40, 50, 300, 200)
    assert second.breakpoints.loose["/gone/away.m"][0]["line"] == 4
    second.commands.run("view.reset_layout")
    assert not second.docks._floating
    assert second.docks.area_of("workspace") == "right"
    second.store.detach()
    second.close()


def test_every_layout_keeps_the_editor_in_sight(qtbot: QtBot) -> None:
    window = make_window(qtbot, SessionStore(None))
    window.editors.new("x = 1;\n")
    window.resize(1280, 720)
    for name in LAYOUTS:
        window.use_layout(name)
        qtbot.waitUntil(window.docks.isVisible)
        window.docks._share_room()
        width = window.editors.width() / window.width()
        assert width >= 0.4, name
        for area in window.docks.areas.values():
            assert not area.isVisible() or area.height() >= 60, (name, area.name)
    for editor in window.editors.editors():
        editor.setSavePoint()
    window.close()


def test_a_panel_that_comes_out_has_room(qtbot: QtBot) -> None:
    window = make_window(qtbot, SessionStore(None))
    window.resize(1400, 900)
    window.use_layout("focus")
    window.docks.show_panel("figures")
    qtbot.waitUntil(window.docks.areas["right2"].isVisible)
    qtbot.wait(20)
    assert 0.25 <= window.docks.areas["right2"].width() / window.width() <= 0.4
    window.docks.show_panel("command")
    qtbot.wait(20)
    assert 0.2 <= window.docks.areas["bottom"].height() / window.height() <= 0.4
    window.use_layout("classic")
    width = window.docks.areas["left"].width()
    window.docks.hide_panel("files")
    window.docks.hide_panel("outline")
    window.docks.show_panel("files")
    qtbot.wait(20)
    assert abs(window.docks.areas["left"].width() - width) <= width // 2
    window.close()


def test_pictures_are_sharp_on_dense_screens() -> None:
    policy = QGuiApplication.highDpiScaleFactorRoundingPolicy()
    assert policy == Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
