"""Control-C while a script runs.

The handler of a signal runs only between two steps of Python; a compiled loop has none. So a small
thread waits on the socket that receives signal numbers, and cancels from there.
"""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def cancelling(cancel: Callable[[], None]) -> Iterator[None]:
    """Call ``cancel`` on the first Control-C; the second one ends the process at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    watcher = threading.Thread(
        target=_watch, args=(reading, cancel), name="fuselab-interrupts", daemon=True
    )
    watcher.start()
    previous = signal.signal(signal.SIGINT, _first)
    previous_file = signal.set_wakeup_fd(writing.fileno())
    try:
        yield
    finally:
        signal.set_wakeup_fd(previous_file)
        signal.signal(signal.SIGINT, previous)
        writing.close()
        watcher.join()
        reading.close()


def _watch(reading: socket.socket, cancel: Callable[[], None]) -> None:
    while data := reading.recv(64):
        if signal.SIGINT in data:
            cancel()


def _first(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
