"""The window of the tests of documents."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore
from tests.support.documents import SilentEngine
from tests.ui.conftest import make_window


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = make_window(qtbot, SessionStore(None), "focus")
    window.bridge.start(SilentEngine)  # type: ignore[arg-type]
    yield window
    for editor in window.editors.editors():
        editor.setSavePoint()
    window.close()
