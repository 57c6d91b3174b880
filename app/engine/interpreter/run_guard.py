"""What begins and ends with the code that a thread runs, whatever stop is raised meanwhile."""

from __future__ import annotations

from contextlib import suppress

from app.engine.interpreter import recursion_limit
from app.engine.interpreter.debugging import Debugger
from app.engine.interpreter.poll_ticker import Poller
from app.errors import Interrupted

PYTHON_DEPTH = 9000
"""Python frames allowed: 500 nested MATLAB functions and more always fit."""


class RunGuard:
    """One for each interpreter.

    Attributes:
        running: code runs, and what it needs is there.
    """

    def __init__(self, debugger: Debugger, poller: Poller) -> None:
        self.running = False
        self._debugger, self._poller = debugger, poller

    def begin(self) -> None:
        """Code runs on this thread from now on."""
        self.running = True
        recursion_limit.users.enter(self, PYTHON_DEPTH)
        self._poller.start()
        self._debugger.install()

    def end(self) -> None:
        """It no longer does. The exception of a stop may be raised anywhere: then once more."""
        while self.running:
            with suppress(Interrupted):
                self._debugger.remove()
                self._poller.stop()
                recursion_limit.users.leave(self)
                self.running = False
