"""What is imported beside the window."""

from __future__ import annotations

import sys
import threading
from types import ModuleType

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.support import background_import
from app.ui.support.background_import import BackgroundImport


class Lazy(ModuleType):
    """A module whose types are made when somebody asks for them, as Qt's are."""

    def __init__(self) -> None:
        super().__init__("lazy")
        self.asked: list[tuple[str, bool]] = []

    def __getattr__(self, name: str) -> object:
        main = threading.current_thread() is threading.main_thread()
        self.asked.append((name, main))
        return name


def test_types_of_qt_are_made_by_the_windows_thread_before_another_imports(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lazy, names = Lazy(), ["QAction", "QTimer", "QWidget"]
    monkeypatch.setattr(background_import, "_unmade", iter([(lazy, name) for name in names]))
    monkeypatch.setattr(background_import, "SLICE_S", 0.0)
    parent = QObject()
    made = BackgroundImport(parent, "colorsys")
    made.begin()
    assert made.begun
    assert lazy.asked == [("QAction", True)], "a slice at a time"
    assert not made.is_ready(), "nothing is imported yet"
    with qtbot.waitSignal(made.done):
        pass
    assert lazy.asked == [(name, True) for name in names]
    assert made.is_ready()
    assert "colorsys" in sys.modules
    made.wait()


def test_what_is_stopped_before_it_is_imported_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(background_import, "_unmade", iter([(Lazy(), "a"), (Lazy(), "b")]))
    monkeypatch.setattr(background_import, "SLICE_S", 0.0)
    parent = QObject()
    made = BackgroundImport(parent, "colorsys")
    made.begin()
    made.wait()
    assert not made.begun
