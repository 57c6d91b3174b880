"""A module that is imported beside the window, which goes on answering meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from threading import Thread
from types import ModuleType

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QObject, QTimer, Signal

AT_ONCE_S = 0.02
"""What was imported before is there within this time."""
SLICE_S = 0.005
"""How long the window is kept from answering while types are made."""


def _names() -> Iterator[tuple[ModuleType, str]]:
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            yield module, name


_unmade = _names()
"""What of Qt nobody has asked for yet. Its types are made at the first question, and what Qt looks
up in the window's thread meanwhile may be torn apart: pyqtgraph, which asks for all of them, is
imported by another thread only when this one has made them."""


def _make_types() -> bool:
    """Make types for a moment; whether that was the last of them."""
    end = time.perf_counter() + SLICE_S
    for module, name in _unmade:
        getattr(module, name, None)
        if time.perf_counter() >= end:
            return False
    return True


class BackgroundImport(QObject):
    """Imports a module in a thread of its own, once.

    Signals:
        done: the module is there, or cannot be had; it is never waited for in the window's thread,
            since whoever imports what another thread is importing waits until that has ended.
    """

    done = Signal()

    def __init__(self, parent: QObject, module: str) -> None:
        super().__init__(parent)
        self._module = module
        self._types = QTimer(self)
        self._types.timeout.connect(self._continue)
        self._thread = Thread(target=self._import, name="fuselab-imports", daemon=True)

    def _import(self) -> None:
        try:
            import_module(self._module)
        finally:
            self.done.emit()

    @property
    def begun(self) -> bool:
        """Whether somebody has asked for it."""
        return self._types.isActive() or self._thread.ident is not None

    def begin(self) -> None:
        """Import it, if that was not begun before."""
        if not self.begun:
            self._types.start()
            self._continue()

    def _continue(self) -> None:
        if _make_types():
            self._types.stop()
            self._thread.start()

    def is_ready(self) -> bool:
        """Begin, and say whether the module is there already."""
        self.begin()
        if self._thread.ident is None:
            return False
        self._thread.join(AT_ONCE_S)
        return not self._thread.is_alive()

    def wait(self) -> None:
        """Wait until what was begun has ended, so that nothing runs behind the window's end."""
        self._types.stop()
        if self._thread.is_alive():
            self._thread.join()
