"""Pressing the keys of whole texts, and texts that people type."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.ui.editor.completion import Completer
from app.ui.editor.surface import Surface

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "resources" / "examples").glob("*.m"))
PROGRAMS = sorted((ROOT / "tests" / "conformance").rglob("*.m"))
KEYS = {"\n": Qt.Key.Key_Return, "\t": Qt.Key.Key_Tab, "\b": Qt.Key.Key_Backspace}


def type_keys(surface: Surface, text: str) -> None:
    """Press the keys of ``text``; ``\\b`` is Backspace."""
    for character in text:
        if character in KEYS:
            QTest.keyClick(surface, KEYS[character])
        else:  # QTest itself knows no key beyond ASCII
            press(surface, Qt.Key.Key_unknown, text=character)


def press(
    surface: Surface,
    key: Qt.Key,
    held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    text: str = "",
) -> None:
    """Press and release one key."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(surface, QKeyEvent(kind, key, held, text))


def sample(files: Iterable[Path], count: int, seed: int) -> list[str]:
    """Lines of code without their indentation, as somebody types them; ASCII, as keys are."""
    lines = {
        line.strip()
        for file in files
        for line in file.read_text(encoding="utf-8", errors="replace").split("\n")
        if 0 < len(line.strip()) < 100 and line.isascii()
    }
    return random.Random(seed).sample(sorted(lines), count)


def offered(surface: Surface) -> list[str]:
    """The completions that are shown now, from top to bottom."""
    assist = surface.findChild(Completer)
    return assist.popup.labels() if isinstance(assist, Completer) and assist.active else []
