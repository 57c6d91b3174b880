"""Every widget a person can reach has a name that a screen reader can say."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPushButton,
    QTextBrowser,
    QToolButton,
    QWidget,
)
from pyside6_scintilla import ScintillaEdit
from pytestqt.qtbot import QtBot

from app.ui.editor.breakpoint_dialog import BreakpointDialog
from app.ui.shell.dialogs.configuration import Configuration, ConfigurationDialog
from app.ui.shell.dialogs.preferences import Preferences
from app.ui.shell.dialogs.shortcuts import ShortcutsPage
from app.ui.shell.main_window import MainWindow
from app.ui.support.contrast import contrast
from app.ui.support.theme import load_theme

KINDS = (
    QAbstractItemView,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPushButton,
    QTextBrowser,
    QToolButton,
    ScintillaEdit,
)
QTS_OWN = {"QTabBar", "QComboBoxListView", "QComboBoxPrivateContainer", "QToolBarExtension"}


def nameless(root: QWidget) -> list[str]:
    """The widgets below ``root`` that a person can use but that have no name."""
    found = []
    for widget in root.findChildren(QWidget):
        if not isinstance(widget, KINDS) or widget.objectName().startswith("qt_"):
            continue
        text = widget.text() if isinstance(widget, QPushButton | QToolButton | QCheckBox) else ""
        inner = isinstance(widget.parent(), QAbstractSpinBox | QComboBox | QLineEdit)
        if not (widget.accessibleName() or text or inner or _of_qt(widget)):
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found


def _of_qt(widget: QWidget) -> bool:
    """Parts that Qt makes inside its own widgets."""
    parent = widget.parent()
    names = {widget.metaObject().className()}
    names |= {parent.metaObject().className()} if parent is not None else set()
    return bool(names & QTS_OWN) or widget.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_every_widget_of_the_window_has_a_name(window: MainWindow) -> None:
    for panel in window.docks.specs:
        window.docks.show_panel(panel)
    assert nameless(window) == []


def test_every_panel_has_a_title_for_a_screen_reader(window: MainWindow) -> None:
    for name, spec in window.docks.specs.items():
        window.docks.show_panel(name)
        parent = window.panel(name).parent()
        assert isinstance(parent, QWidget)
        assert parent.accessibleName() == spec.title


def test_every_widget_of_the_dialogs_has_a_name(window: MainWindow) -> None:
    editor = window.editors.current()
    assert editor is not None
    keys = ShortcutsPage(window.commands, lambda _keys: None)
    dialogs = (
        Preferences(window, window.settings, ("Shortcuts", keys)),
        BreakpointDialog(editor, 3),
        ConfigurationDialog(window, "a.m", Configuration(), lambda _made: None),
    )
    for dialog in dialogs:
        assert nameless(dialog) == []
        dialog.deleteLater()


@pytest.mark.parametrize("layout", ["classic", "gpu", "debug"])
def test_the_keyboard_reaches_everything(window: MainWindow, qtbot: QtBot, layout: str) -> None:
    window.use_layout(layout)
    for command, place in (
        ("view.command", window.command_window.input),
        ("view.editor", window.editors.current()),
    ):
        window.commands.run(command)
        qtbot.waitUntil(lambda place=place: window.focusWidget() is place)
    reached: set[QWidget | None] = set()
    while window.focusWidget() not in reached and len(reached) < 200:
        reached.add(window.focusWidget())
        window.focusNextChild()
    names = {widget.accessibleName() for widget in reached if widget is not None}
    assert {"Editor", "Command"} <= names


def _contrast(one: str, other: str) -> float:
    return contrast(QColor(one), QColor(other))


@pytest.mark.parametrize("name", ["dark", "light"])
def test_words_are_told_from_their_ground(name: str) -> None:
    theme = load_theme(name)
    grounds = [theme[ground] for ground in ("chrome", "panel", "editor", "raised")]
    words = "text muted warning error good accent host device both transfer".split()
    weak = {w: min(_contrast(theme[w], ground) for ground in grounds) for w in words}
    assert {w: ratio for w, ratio in weak.items() if ratio < 4.45} == {}
    assert min(_contrast(theme[w], g) for w in ("faint", "lazy") for g in grounds) >= 3.0
    code = {kind: _contrast(colour, theme["editor"]) for kind, colour in theme.syntax.items()}
    assert {kind: ratio for kind, ratio in code.items() if ratio < 4.5} == {}
    assert _contrast(theme["text"], theme["selection"]) >= 4.5
    assert _contrast(theme["accent_text"], theme["accent"]) >= 4.5
