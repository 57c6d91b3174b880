"""A module that is imported beside the window, which goes on answering meanwhile."""

from __future__ import annotations

from importlib import import_module
from threading import Thread

from PySide6.QtCore import QObject, Signal

AT_ONCE_S = 0.02
"""What was imported before is there within this time."""


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
        self._thread = Thread(target=self._import, name="fuselab-imports", daemon=True)

    def _import(self) -> None:
        try:
            import_module(self._module)
        finally:
            self.done.emit()

    @property
    def begun(self) -> bool:
        """Whether somebody has asked for it."""
        return self._thread.ident is not None

    def begin(self) -> None:
        """Import it, if that was not begun before."""
        if not self.begun:
            self._thread.start()

    def is_ready(self) -> bool:
        """Begin, and say whether the module is there already."""
        self.begin()
        self._thread.join(AT_ONCE_S)
        return not self._thread.is_alive()

    def wait(self) -> None:
        """Wait until what was begun has ended, so that nothing runs behind the window's end."""
        if self._thread.is_alive():
            self._thread.join()
