"""Where a run spends its time: the script's call stack, looked at a hundred times a second.

A small thread reads which MATLAB lines the engine thread is in; nothing is added to the code that
runs, so that every run can be watched. Each look counts for the time since the one before it, also
when that was long because a library call held the interpreter.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from app.engine.interpreter.frames import is_matlab, place_of
from app.engine.protocol import Stack

INTERVAL_S = 0.01
MOST_STACKS = 5000
MOST_LOOKS = 20_000


class _Watch:
    """One run that is watched.

    Attributes:
        thread: the one it runs in.
        end: set when it has ended; nothing is noted any more.
        looks: see `StackSampler`.
        spent: seconds of each stack.
    """

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self.end = threading.Event()
        self.looks: list[tuple[Stack, float, float]] = []
        self.spent: dict[Stack, float] = {}
        self._lock = threading.Lock()

    def note_stack(self, stack: Stack, before: float, now: float) -> None:
        """It stood there for a while."""
        with self._lock:
            if not stack or self.end.is_set():
                return
            seconds, looks = now - before, self.looks
            if len(looks) < MOST_LOOKS:
                if looks and looks[-1][0] == stack and looks[-1][2] == before:
                    before = looks.pop()[1]
                looks.append((stack, before, now))
            if stack in self.spent or len(self.spent) < MOST_STACKS:
                self.spent[stack] = self.spent.get(stack, 0.0) + seconds

    def finish(self) -> None:
        """The run has ended."""
        with self._lock:
            self.end.set()


class StackSampler:
    """Watches the thread that calls ``start`` until ``stop``.

    One thread looks for all runs: beginning and ending one would cost a short run more than itself.

    Attributes:
        rested_s: seconds that scripts have stood still, in all; that time does not count.
    """

    def __init__(self) -> None:
        self.rested_s = 0.0
        self._resting = False
        self._watch = _Watch(0)
        self._watch.finish()
        self._wanted = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def looks(self) -> list[tuple[Stack, float, float]]:
        """Which innermost line was seen when: (stack, start, end), equal ones in a row joined."""
        return self._watch.looks

    @contextmanager
    def rest(self) -> Iterator[None]:
        """The script stands still inside of this."""
        self._resting, since = True, time.perf_counter()
        try:
            yield
        finally:
            self._resting = False
            self.rested_s += time.perf_counter() - since

    def start(self) -> None:
        """Begin anew."""
        self.stop()
        self._watch = _Watch(threading.get_ident())
        if self._thread is None or not self._thread.is_alive():
            self._closed = False
            self._thread = threading.Thread(target=self._serve, name="fuselab-sampler", daemon=True)
            self._thread.start()
        self._wanted.set()

    def stop(self) -> tuple[tuple[Stack, float], ...]:
        """End, and tell the milliseconds of each stack."""
        watch = self._watch
        if watch.end.is_set():
            return ()
        watch.finish()
        return tuple((stack, seconds * 1e3) for stack, seconds in watch.spent.items())

    def close(self) -> None:
        """End the thread."""
        self.stop()
        thread, self._thread = self._thread, None
        if thread is not None:
            self._closed = True
            self._wanted.set()
            thread.join()

    def _serve(self) -> None:
        while not self._closed:
            self._wanted.wait()
            self._wanted.clear()
            watch, before = self._watch, time.perf_counter()
            while not watch.end.wait(INTERVAL_S):
                now = time.perf_counter()
                if not self._resting:
                    watch.note_stack(stack_of(frames_of(watch.thread)), before, now)
                before = now


def frames_of(thread: int) -> list[FrameType]:
    """The Python frames of another thread, innermost first.

    Frame objects are made as they are asked for. Making one may begin a collection, and finalizers
    let the other thread go on: CPython 3.11 then fills in an object for a frame that has gone. So
    nothing is collected meanwhile.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        frame, found = sys._current_frames().get(thread), []  # noqa: SLF001 - the only way to the frames of a thread
        while frame is not None:
            found.append(frame)
            frame = frame.f_back
        return found
    finally:
        if collecting:
            gc.enable()


def stack_of(frames: list[FrameType]) -> Stack:
    """The MATLAB calls among Python frames: name, file, line; outermost first."""
    return tuple((*place_of(f), f.f_lineno) for f in reversed(frames) if is_matlab(f))
