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
from types import FrameType

from app.engine.interpreter.frames import is_matlab, place_of
from app.engine.protocol import Stack

INTERVAL_S = 0.01
MOST_STACKS = 5000
MOST_LOOKS = 20_000


class StackSampler:
    """Watches the thread that calls ``start`` until ``stop``.

    Attributes:
        resting: True while the script stands still; that time does not count.
        looks: which innermost line was seen when: (stack, start, end), equal ones in a row joined.
    """

    def __init__(self) -> None:
        self.resting = False
        self.looks: list[tuple[Stack, float, float]] = []
        self._spent: dict[Stack, float] = {}
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin anew."""
        self.stop()
        self._spent, self.looks = {}, []
        self._end = threading.Event()
        watched = threading.get_ident()
        self._thread = threading.Thread(
            target=self._watch, args=(watched, self._end), name="fuselab-sampler", daemon=True
        )
        self._thread.start()

    def stop(self) -> tuple[tuple[Stack, float], ...]:
        """End, and tell the milliseconds of each stack."""
        thread, self._thread = self._thread, None
        if thread is None:
            return ()
        self._end.set()
        thread.join()
        return tuple((stack, seconds * 1e3) for stack, seconds in self._spent.items())

    def _watch(self, thread: int, end: threading.Event) -> None:
        before = time.perf_counter()
        while not end.wait(INTERVAL_S):
            now = time.perf_counter()
            if not self.resting:
                self._note_stack(stack_of(frames_of(thread)), before, now)
            before = now

    def _note_stack(self, stack: Stack, before: float, now: float) -> None:
        seconds = now - before
        if stack and len(self.looks) < MOST_LOOKS:
            if self.looks and self.looks[-1][0] == stack and self.looks[-1][2] == before:
                before = self.looks.pop()[1]
            self.looks.append((stack, before, now))
        if stack and (stack in self._spent or len(self._spent) < MOST_STACKS):
            self._spent[stack] = self._spent.get(stack, 0.0) + seconds


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
