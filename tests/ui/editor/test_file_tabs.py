"""The tabs of files: what their menu does."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox

from app.ui.editor.code_editor import CodeEditor
from app.ui.shell.editor_menu import tab_menu
from app.ui.shell.main_window import MainWindow


def three_files(window: MainWindow) -> list[CodeEditor]:
    for editor in window.editors.editors():
        editor.setSavePoint()
    window.commands.run("file.close_all")
    assert not window.editors.editors()
    made = [window.editors.new(f"{name} = 1;\n", f"{name}.m") for name in "abc"]
    for editor in made:
        editor.setSavePoint()
    return made


def choose(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text() == text).trigger()


def test_the_menu_of_a_tab_closes_this_or_the_others(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def names() -> list[str]:
        return [e.name for e in window.editors.editors()]

    three_files(window)
    shown: list[int] = []
    bar = window.editors.tabs.tabBar()
    window.editors.tab_menu_wanted.disconnect()
    window.editors.tab_menu_wanted.connect(lambda index, _place: shown.append(index))
    spot = bar.tabRect(1).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, bar.mapToGlobal(spot))
    QApplication.sendEvent(bar, event)
    assert shown == [1]
    choose(tab_menu(window.editors, 1), "Close to the Right")
    assert names() == ["a.m", "b.m"]
    choose(tab_menu(window.editors, 0), "Show Below")
    second = window.editors.split.second
    assert second is not None
    assert second.main.name == "a.m"
    choose(tab_menu(window.editors, 0), "Close")
    assert names() == ["b.m"]
    files = three_files(window)
    for editor in files[:2]:
        editor.insertText(0, "% ")
    asked: list[str] = []

    def answer(box: QMessageBox) -> int:
        asked.append(box.informativeText())
        return int(
            (QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Discard)[len(asked) - 1]
        )

    monkeypatch.setattr(QMessageBox, "exec", answer)
    choose(tab_menu(window.editors, 2), "Close Others")
    assert names() == ["a.m", "b.m", "c.m"]
    choose(tab_menu(window.editors, 2), "Close Others")
    assert names() == ["c.m"]
    assert asked == ["a.m\nb.m"] * 2
