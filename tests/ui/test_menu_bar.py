"""Menus with the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QStyleOptionMenuItem
from pytestqt.qtbot import QtBot

from app.ui.shell.main_window import MainWindow
from app.ui.shell.menu_bar import MenuBar

ALT = Qt.KeyboardModifier.AltModifier


def bar_of(window: MainWindow) -> MenuBar:
    bar = window.menuBar()
    assert isinstance(bar, MenuBar)
    return bar


def shown_title(bar: MenuBar) -> str:
    option = QStyleOptionMenuItem()
    bar.initStyleOption(option, bar.actions()[0])
    return option.text


def test_letters_are_underlined_while_alt_is_held(window: MainWindow, qtbot: QtBot) -> None:
    bar = bar_of(window)
    assert shown_title(bar) == "File"
    held = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Alt, ALT)
    QCoreApplication.sendEvent(window, held)
    assert shown_title(bar) == "&File"
    QTest.keyClick(window, Qt.Key.Key_A)  # no key is held behind it, whatever was before
    qtbot.waitUntil(lambda: shown_title(bar) == "File")


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard", extend=True)
def test_escape_in_a_menu_leaves_the_bar_too(window: MainWindow, qtbot: QtBot) -> None:
    """Qt would stay in the bar, where letters open menus and all others are lost."""
    bar = bar_of(window)
    for action in bar.actions()[:2]:
        bar.setActiveAction(action)
        menu = action.menu()
        assert isinstance(menu, QMenu)
        qtbot.waitUntil(menu.isVisible)
        QTest.keyClick(menu, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: bar.activeAction() is None)
        assert not menu.isVisible()
        assert not bar.hasFocus()


def test_every_menu_fits_a_small_screen(window: MainWindow) -> None:
    """One that does not is broken into columns, and covers the bar."""
    bar = bar_of(window)
    menus = [action.menu() for action in bar.actions()]
    heights = {m.title(): m.sizeHint().height() for m in menus if isinstance(m, QMenu)}
    assert max(heights.values()) < 720 - bar.height(), heights
    assert len({title[1] for title in heights}) == len(heights), "letters"
