"""A window around the recorded engine; nothing a test made may outlive it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.panels.panel import Context
from app.ui.run_model.run_model import RunModel
from app.ui.shell import application
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore
from app.ui.support.bridge import Bridge
from app.ui.support.theme import theme_hub
from tests.ui import recorded


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The application as the product makes it."""
    return application.make_application("dark")


@pytest.fixture(autouse=True)
def same_theme(qapp: QApplication) -> Iterator[None]:
    """Every test begins with the theme the application was made with."""
    del qapp
    before = theme_hub().mode
    yield
    if theme_hub().mode != before:
        theme_hub().set_mode(before)


@pytest.fixture(autouse=True)
def no_leaked_windows(qapp: QApplication) -> Iterator[None]:
    """Every top-level widget a test shows is gone when it ends."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [type(w).__name__ for w in qapp.topLevelWidgets() if w.isVisible()]
    if left:
        pytest.fail(f"windows still open: {', '.join(left)}")


def make_window(qtbot: QtBot, store: SessionStore, layout: str = "classic") -> MainWindow:
    """A window with a layout, shown, without an engine."""
    window = MainWindow(recorded.QUICKSTART.parent, store)
    qtbot.addWidget(window)
    window.use_layout(layout)
    window.show()
    window.activateWindow()
    return window


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """The window with the quickstart open and the recorded engine behind it."""
    window = make_window(qtbot, SessionStore(None))
    window.open_file(recorded.QUICKSTART)
    window.bridge.start(recorded.FakeEngine)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    yield window
    for editor in window.editors.editors():
        editor.setSavePoint()
    window.close()


@pytest.fixture
def opened() -> list[tuple[str, int]]:
    """The places a panel asked to show."""
    return []


@pytest.fixture
def context(qtbot: QtBot, opened: list[tuple[str, int]]) -> Iterator[Context]:
    """What a panel needs, with an engine that plays the recorded run."""
    bridge = Bridge()
    run_model = RunModel(bridge)
    ran: list[str] = []
    notices: list[str] = []
    context = Context(
        run_model,
        bridge,
        lambda file, line: opened.append((file, line)),
        ran.append,
        notices.append,
        lambda _folder: True,
    )
    bridge.start(recorded.FakeEngine)
    yield context
    bridge.close()


@pytest.fixture
def replay(context: Context) -> Callable[[], None]:
    """Play the recorded run into the context's account."""

    def play() -> None:
        for event in recorded.events():
            context.bridge.receive(event)
        recorded.deliver(context.bridge)

    return play
