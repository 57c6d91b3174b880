"""Nothing breaks silently: what escapes a slot, a thread or Qt becomes a report and one line."""

from __future__ import annotations

import faulthandler
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    Qt,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)

from app import crash, log, paths

# The offscreen platform says these whenever a window is shown or raised.
_KNOWN = {
    "This plugin does not support raise()",
    "This plugin does not support propagateSizeHints()",
}
_LEVELS = {
    QtMsgType.QtDebugMsg: 10,
    QtMsgType.QtInfoMsg: 20,
    QtMsgType.QtWarningMsg: 30,
    QtMsgType.QtCriticalMsg: 40,
    QtMsgType.QtFatalMsg: 50,
}


class ExceptionHook(QObject):
    """Installed for the life of the window; ``notify`` shows one line in it."""

    _caught = Signal(str)

    def __init__(self, parent: QObject, notify: Callable[[str, str], None]) -> None:
        super().__init__(parent)
        self._notify = notify
        self._file: TextIO | None = None
        self._caught.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._before = (sys.excepthook, threading.excepthook)

    def install(self) -> None:
        """From now on nothing escapes."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        listen_to_qt()
        self._file = paths.opened_to_append(paths.crash_dir() / "native.txt")
        faulthandler.enable(self._file)

    def remove(self) -> None:
        """Put everything back as it was."""
        sys.excepthook, threading.excepthook = self._before
        qInstallMessageHandler(None)
        faulthandler.disable()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _on_exception(
        self, _kind: type[BaseException], bug: BaseException, _trace: TracebackType | None
    ) -> None:
        self._caught.emit(crash.report(bug))

    def _on_thread_exception(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            self._caught.emit(crash.report(arguments.exc_value))

    def _show(self, text: str) -> None:
        self._notify(text, "error")


def listen_to_qt() -> None:
    """From now on Qt's messages go to our log instead of standard error."""
    qInstallMessageHandler(on_qt_message)


def on_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """Send a message of Qt to the log; the two known notices of the offscreen platform end here."""
    if text not in _KNOWN:
        log.topic("ui").log(_LEVELS.get(kind, 30), "Qt: %s", text)
