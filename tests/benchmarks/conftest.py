"""The window that is measured."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.shell import application
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return application.make_application("dark")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    window = MainWindow(tmp_path, SessionStore(None))
    qtbot.addWidget(window)
    window.use_layout("gpu")
    window.show()
    yield window
    for editor in window.editors.editors():
        editor.setSavePoint()
    window.close()
