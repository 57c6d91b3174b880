"""Stories drive the real window with the real engine thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import settings
from app.engine.protocol import RunState
from app.ui.shell import application
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore

Open = Callable[..., MainWindow]


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The application as the product makes it."""
    return application.make_application("dark")


@pytest.fixture
def open_window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens windows on a script, with the engine running; closes them in the end."""
    monkeypatch.chdir(tmp_path)  # the engine changes to it; this leads back
    windows: list[MainWindow] = []

    def open_one(
        text: str, *, device: str = "cpu", layout: str = "gpu", asking: bool = False
    ) -> MainWindow:
        loaded = settings.load()
        loaded.set("device", device)
        file = tmp_path / "story.m"
        file.write_text(text)
        window = MainWindow(tmp_path, SessionStore(None))
        windows.append(window)
        if asking:
            window.use_settings(loaded)
        qtbot.addWidget(window)
        window.use_layout(layout)
        window.open_file(file)
        window.show()
        window.activateWindow()  # nobody else does where there is no window manager
        window.bridge.start(application.engine_maker(loaded, ()))
        qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE, timeout=30_000)
        return window

    yield open_one
    for window in windows:
        for editor in window.editors.editors():
            editor.setSavePoint()
        window.close()
