"""A ticker that makes running loops look up now and then, at no cost while it sleeps."""

from __future__ import annotations

import threading

from app.engine.interpreter.compile.support import StopFlag

PERIOD_S = 0.04


class Poller:
    """Sets a flag every 40 ms while code runs, from a thread that lives as long as the run."""

    def __init__(self, flag: StopFlag) -> None:
        self._flag = flag
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to tick."""
        self._done.clear()
        self._thread = threading.Thread(target=self._tick, name="fuselab-poll", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop ticking; the thread is gone afterwards."""
        self._done.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._flag.on = False

    def _tick(self) -> None:
        while not self._done.wait(PERIOD_S):
            self._flag.set()
