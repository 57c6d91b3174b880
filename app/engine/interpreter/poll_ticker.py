"""A ticker that makes running loops look up now and then, at no cost while it sleeps.

One thread serves every session of the process. It is started by the first run and sleeps while
nothing runs, so that a run costs neither the start of a thread nor the wait for its end.
"""

from __future__ import annotations

import threading
from time import sleep

from app.engine.interpreter.support import StopFlag

PERIOD_S = 0.04


class Poller:
    """Sets a flag every 40 ms from ``start`` to ``stop``."""

    def __init__(self, flag: StopFlag) -> None:
        self._flag = flag

    def start(self) -> None:
        """Begin to tick."""
        _ticker.serve(self._flag)

    def stop(self) -> None:
        """Stop ticking: the flag is not set afterwards."""
        _ticker.leave(self._flag)
        self._flag.on = False


class _Ticker:
    """The flags of what runs now, and the thread that sets them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flags: list[StopFlag] = []
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None

    def serve(self, flag: StopFlag) -> None:
        """Set ``flag`` from now on."""
        with self._lock:
            self._flags.append(flag)
            if self._thread is None or not self._thread.is_alive():  # or it stayed behind a fork
                self._thread = threading.Thread(target=self._tick, name="fuselab-poll", daemon=True)
                self._thread.start()
        if not self._wanted.is_set():  # else nobody sleeps for it
            self._wanted.set()

    def leave(self, flag: StopFlag) -> None:
        """Set ``flag`` no more; one that has left already changes nothing."""
        with self._lock:
            self._flags = [other for other in self._flags if other is not flag]

    def _tick(self) -> None:
        while True:
            sleep(PERIOD_S)
            with self._lock:
                for flag in self._flags:
                    flag.set()
                if not self._flags:
                    self._wanted.clear()
            self._wanted.wait()


_ticker = _Ticker()
