"""The menu bar: letters are underlined while Alt is held, and Escape gives the keyboard back."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QMenu, QMenuBar, QStyleOptionMenuItem, QWidget

LOOK_MS = 100
"""How often it is looked whether Alt is still held: who has the keyboard may keep its release."""


class MenuBar(QMenuBar):
    """The menus of a window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._underlined = False
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self._look_at_alt)

    def letter_menu(self, title: str) -> QMenu:
        """A new menu that opens with Alt and the first letter of its title."""
        menu = self.addMenu(f"&{title}")
        menu.installEventFilter(self)
        return menu

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice Alt in the window, and Escape in a menu: Qt then keeps the keyboard in the bar,
        where what is typed next is lost."""
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Alt:
                self._underline(True)
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
                leave = QKeyEvent(event.type(), event.key(), Qt.KeyboardModifier.NoModifier)
                if isinstance(watched, QMenu):
                    QCoreApplication.postEvent(self, leave)
        return super().eventFilter(watched, event)

    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        """Say how a title is painted."""
        super().initStyleOption(option, action)
        if not self._underlined:
            option.text = option.text.replace("&", "")

    def _underline(self, on: bool) -> None:
        if on != self._underlined:
            self._underlined = on
            self.update()
        if on:
            self._look.start()
        else:
            self._look.stop()

    def _look_at_alt(self) -> None:
        held = QGuiApplication.queryKeyboardModifiers() & Qt.KeyboardModifier.AltModifier
        if not held and self.activeAction() is None:
            self._underline(False)
