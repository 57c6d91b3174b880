"""Who claims a key where the keyboard is: one action, one shortcut, or the widget itself."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.shell.main_window import MainWindow

INSIDE, ITSELF = Qt.ShortcutContext.WidgetWithChildrenShortcut, Qt.ShortcutContext.WidgetShortcut
TEXT_KEYS = {"Ctrl+Z", "Ctrl+Y", "Ctrl+E"}
"""What fields keep for their own text; the last only where Qt's platform gives it a meaning."""


@dataclass(frozen=True)
class Claim:
    """An action or a shortcut that waits for keys."""

    keys: str
    name: str
    owner: QWidget
    context: Qt.ShortcutContext

    def applies(self, focus: QWidget) -> bool:
        """Whether it hears them while ``focus`` has the keyboard."""
        if self.context is ITSELF:
            return self.owner is focus
        if self.context is INSIDE:
            return self.owner is focus or self.owner.isAncestorOf(focus)
        return self.owner.window() is focus.window()


def claims(window: QWidget) -> list[Claim]:
    """All of a window that are switched on."""
    found = [
        Claim(keys.toString(), f"{action.text()} {id(action)}", owner, action.shortcutContext())
        for owner in (window, *window.findChildren(QWidget))
        for action in owner.actions()
        for keys in action.shortcuts()
        if action.isEnabled()
    ]
    for shortcut in window.findChildren(QShortcut):
        owner, name = shortcut.parent(), f"shortcut {id(shortcut)}"
        assert isinstance(owner, QWidget)
        waited = QShortcut.keys(shortcut)
        found += [Claim(keys.toString(), name, owner, shortcut.context()) for keys in waited]
    return found


def clashes(window: QWidget, focuses: list[QWidget]) -> list[tuple[str, str, list[str]]]:
    """Focus, keys and names of what would wait for the same keys: Qt then gives them to nobody."""
    known, found = claims(window), []
    for focus in focuses:
        names: dict[str, set[str]] = defaultdict(set)
        for claim in known:
            if claim.applies(focus):
                names[claim.keys].add(claim.name)
        where = f"{type(focus).__name__} {focus.accessibleName()}"
        found += [(where, keys, sorted(who)) for keys, who in names.items() if len(who) > 1]
    return found


def takes(focus: QWidget, keys: QKeySequence) -> bool:
    """Whether a widget wants keys for itself, before any shortcut hears of them."""
    chord = keys[0]
    event = QKeyEvent(QEvent.Type.ShortcutOverride, chord.key(), chord.keyboardModifiers())
    event.ignore()
    QApplication.sendEvent(focus, event)
    return event.isAccepted()


@pytest.fixture
def focuses(window: MainWindow) -> list[QWidget]:
    """Every widget that can have the keyboard, in all panels; all commands are switched on."""
    for name in window.docks.specs:
        window.docks.show_panel(name)
    for action in window.commands.actions.values():
        action.setEnabled(True)
    window.editors.find_bar.open(replace=True)
    seen = {(type(w).__name__, w.accessibleName()): w for w in window.findChildren(QWidget)}
    here = (w for w in seen.values() if w.window() is window)  # a list that drops down is not
    return [w for w in here if w.focusPolicy() != Qt.FocusPolicy.NoFocus]


def test_each_key_has_one_claim(window: MainWindow, focuses: list[QWidget]) -> None:
    assert len(focuses) > 40
    for keymap in ("matlab", "vscode", "fuselab"):
        window.commands.use_keymap(keymap)
        assert clashes(window, focuses) == [], keymap
    second = QShortcut(QKeySequence("Ctrl+S"), window.docks)
    second.setContext(INSIDE)
    found = clashes(window, focuses)
    assert {keys for _, keys, _ in found} == {"Ctrl+S"}, "a second claim is found"
    assert len(found) > 40

    # Widgets keep nothing for themselves but the keys of their text.
    wanted = {
        keys.toString(): keys for a in window.commands.actions.values() for keys in a.shortcuts()
    }
    assert len(wanted) > 50
    kinds = {type(w).__name__: w for w in focuses}
    kept = {name: {t for t, k in wanted.items() if takes(w, k)} for name, w in kinds.items()}
    assert {"Ctrl+Z", "Ctrl+Y"} <= kept["QLineEdit"]
    assert not {name: keys - TEXT_KEYS for name, keys in kept.items() if keys - TEXT_KEYS}
