"""Stories drive the real window with the real engine thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop
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
        window = opened(tmp_path, text, device, layout, asking=asking)
        windows.append(window)
        qtbot.addWidget(window)
        return window

    yield open_one
    for window in windows:
        close(window)


def opened(
    folder: Path, text: str, device: str = "cpu", layout: str = "gpu", *, asking: bool = False
) -> MainWindow:
    """A window on a script in a folder, with its engine idle."""
    loaded = settings.load()
    loaded.set("device", device)
    file = folder / "story.m"
    file.write_text(text)
    window = MainWindow(folder, SessionStore(None))
    if asking:
        window.use_settings(loaded)
    window.use_layout(layout)
    window.open_file(file)
    window.show()
    window.activateWindow()  # nobody else does where there is no window manager
    window.bridge.start(application.engine_maker(loaded, ()))
    until(lambda: window.run_model.state == RunState.IDLE)
    return window


def until(reached: Callable[[], bool], seconds: float = 60.0) -> None:
    """Let the window work until something is reached; for fixtures that outlive a test."""
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 10)


def close(window: MainWindow) -> None:
    """Close a window without a question."""
    for editor in window.editors.editors():
        editor.setSavePoint()
    window.close()
