"""Control-C while a script runs.

The handler of a signal runs only between two steps of Python; a compiled loop has none. So a small
thread waits on the pipe that receives signal numbers, and cancels from there.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from app.engine.session.session import Session

INTERRUPTED = 130
GRACE_S = 2.0
TAKEN_S = 0.1
"""How long the main thread waits until the watcher has seen a Control-C."""


@contextmanager
def cancelling_on_interrupt(session: Session) -> Iterator[None]:
    """Stop what runs on the first Control-C; the second one ends the process at once.

    A function that does not look up is broken off after a while, which is told; what stands in one
    call of a library ends with the process: nobody would ever read its variables.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    session.stop_watch.give_up = _exit_interrupted
    reading, writing = os.pipe()
    if sys.platform != "win32":  # there, who writes to a pipe need not be told
        os.set_blocking(writing, False)
    cancelled = threading.Event()

    def cancel() -> None:
        session.cancel(ahead=True)
        cancelled.set()

    watcher = threading.Thread(
        target=_watch,
        args=(reading, cancel),
        name="fuselab-interrupts",
        daemon=True,
    )
    watcher.start()
    previous_file = signal.set_wakeup_fd(writing)
    # Whoever is pressed before it raises.
    previous = signal.signal(signal.SIGINT, partial(_first, cancelled))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        signal.set_wakeup_fd(previous_file)
        os.close(writing)
        watcher.join()
        os.close(reading)


def _watch(reading: int, cancel: Callable[[], None]) -> None:
    pressed = 0
    ending = threading.Timer(GRACE_S, _exit_interrupted, ("ended at the second Control-C",))
    ending.daemon = True
    while data := os.read(reading, 64):
        pressed, before = pressed + data.count(signal.SIGINT), pressed
        cancel()
        if before < 2 <= pressed:  # now the main thread raises; in a long call it cannot
            ending.start()
    ending.cancel()


def _exit_interrupted(why: str = "interrupted in a call that does not come back") -> NoReturn:
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.write(f"fuselab: {why}\n")
        sys.stderr.flush()
    os._exit(INTERRUPTED)


def _first(cancelled: threading.Event, number: int, frame: FrameType | None) -> None:
    """The next Control-C raises; the thread goes on when what it does is cancelled."""
    cancelled.wait(TAKEN_S)  # the watcher may need a lock that this thread holds
    signal.signal(signal.SIGINT, signal.default_int_handler)
