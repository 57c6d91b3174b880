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
from app.ui.support.theme import load_theme, theme, theme_hub

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


ROWS = ("chrome", "panel", "editor", "raised", "sunken", "hover", "accent_soft")
"""What words stand on: surfaces, the row under the pointer, and chosen rows."""
WORDS = (
    "text muted faint lazy heat warning error good accent host device both transfer pause".split()
)
CODE = ("editor", "caret_line", "error_soft", "pause_soft", "device_soft", "selection")
"""What code stands on: lines marked by the caret, an error, a pause, a group; what is selected."""
OTHERS = (
    ("error", "error_soft"),
    ("warning", "pause_soft"),
    ("muted", "transfer_soft"),
    ("transfer", "transfer_soft"),
    ("device", "device_soft"),
    ("host", "host_soft"),
    ("text", "selection"),
    ("accent_text", "accent"),
)


@pytest.mark.parametrize("name", ["dark", "light"])
def test_words_are_told_from_their_ground(name: str) -> None:
    theme = load_theme(name)
    pairs = {(word, ground) for word in WORDS for ground in ROWS} | set(OTHERS)
    ratios = {pair: _contrast(theme[pair[0]], theme[pair[1]]) for pair in pairs}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5} == {}
    code = {
        (kind, ground): _contrast(colour, theme[ground])
        for kind, colour in theme.syntax.items()
        for ground in CODE
    }
    assert {pair: ratio for pair, ratio in code.items() if ratio < 4.5} == {}
    order = [_contrast(theme[word], theme["panel"]) for word in ("text", "muted", "faint")]
    assert order == sorted(order, reverse=True)  # less important is quieter


@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_button_that_clears_a_field_is_a_thin_cross(qtbot: QtBot, name: str) -> None:
    theme_hub().set_mode(name)
    field = QLineEdit("words")
    field.setClearButtonEnabled(True)
    field.resize(200, 30)
    qtbot.addWidget(field)
    with qtbot.waitExposed(field):
        field.show()
    button = field.findChild(QToolButton)
    assert button is not None
    qtbot.waitUntil(button.isVisible)
    qtbot.wait(200)  # it fades in
    picture, place = field.grab().toImage(), button.geometry()
    spots = [(x, y) for x in range(place.left(), place.right()) for y in range(30)]
    seen = {picture.pixelColor(x, y).name() for x, y in spots}
    ground = theme()["sunken"]
    assert max(_contrast(colour, ground) for colour in seen) >= 3.0
    assert (
        sum(_contrast(picture.pixelColor(x, y).name(), ground) > 2 for x, y in spots) < 120
    )  # no disc
