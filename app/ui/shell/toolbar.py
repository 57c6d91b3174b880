"""The tool bar: run, find a command, choose a layout, switch the theme."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from app.ui.shell.actions import Commands
from app.ui.shell.layouts import LAYOUT_TITLES
from app.ui.support.icons import icon
from app.ui.support.theme import theme_hub

WIDE, LEAST = 300, 34
"""Widths of the search button."""
_FILE = ("file.new", "file.open", "file.save")
_TRAVEL = ("edit.back", "edit.forward")
_RUN = ("run.section", "run.advance")
_DEBUG = ("debug.continue", "debug.step", "debug.step_in", "debug.step_out")


class ToolBar(QToolBar):
    """Made of the same commands as the menus."""

    def __init__(self, commands: Commands, use_layout: Callable[[str], None]) -> None:
        super().__init__("Tools")
        self.setObjectName("ToolBar")
        self.setMovable(False)
        self.setIconSize(QSize(16, 16))
        self.commands = commands
        self._debug_actions = [commands.actions[name] for name in _DEBUG]
        self._build(use_layout)

    def _build(self, use_layout: Callable[[str], None]) -> None:
        actions = self.commands.actions
        for name in _FILE:
            self.addAction(actions[name])
        self.addSeparator()
        for name in _TRAVEL:
            self.addAction(actions[name])
        self.addSeparator()
        self.run_button = self._run_button()
        self.addWidget(self.run_button)
        for name in _RUN:
            self.addAction(actions[name])
        self.addAction(actions["debug.pause"])
        self.addAction(actions["run.stop"])
        self.addSeparator()
        for action in self._debug_actions:
            self.addAction(action)
        self.addWidget(_stretch())
        self.search = self._search_button()
        self.addWidget(self.search)
        self.addWidget(_stretch())
        self.layout_switch = LayoutSwitch(use_layout)
        self.addWidget(self.layout_switch)
        self.addAction(actions["view.theme"])

    def _run_button(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("Primary")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.commands.actions["run.file"].setIconText("Run")
        button.setDefaultAction(self.commands.actions["run.file"])
        self._primary = button
        self.commands.actions["run.file"].changed.connect(self._tint_primary)
        theme_hub().changed.connect(self._tint_primary)
        self._tint_primary()
        return button

    def _tint_primary(self) -> None:
        """On the coloured button the icon has the colour of its text."""
        self._primary.setIcon(icon("run", "accent_text"))

    def _search_button(self) -> SearchButton:
        button = SearchButton("Search or run a command      Ctrl+Shift+P")
        button.setObjectName("CommandSearch")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self.commands.run("view.palette"))
        return button

    def show_debugging(self, on: bool) -> None:
        """Show the debugger's buttons while a script is paused."""
        for action in self._debug_actions:
            action.setVisible(on)


class SearchButton(QPushButton):
    """Says as much as there is room for; the buttons beside it come first."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self._words = words
        # Unlike other buttons it may be narrower than its words.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """What it takes in a wide window."""
        return QSize(WIDE, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Room for the first letters and an ellipsis."""
        return QSize(LEAST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the words rather than cut them."""
        super().resizeEvent(event)
        elide = Qt.TextElideMode.ElideRight
        self.setText(self.fontMetrics().elidedText(self._words, elide, self.width() - 20))


class LayoutSwitch(QFrame):
    """One small button per layout; the one in use is raised."""

    def __init__(self, use: Callable[[str], None]) -> None:
        super().__init__()
        self.setObjectName("LayoutSwitch")
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(2)
        for name, title in LAYOUT_TITLES.items():
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setToolTip(f"{title} layout")
            button.clicked.connect(lambda _=False, name=name: use(name))
            self._group.addButton(button)
            self._buttons[name] = button
            row.addWidget(button)

    def show_layout(self, name: str) -> None:
        """Mark the layout in use."""
        if name in self._buttons:
            self._buttons[name].setChecked(True)


def _stretch() -> QWidget:
    widget = QWidget()
    widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    widget.setMinimumWidth(0)
    return widget
