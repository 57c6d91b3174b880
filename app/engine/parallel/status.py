"""What the window is told of parallel work: workers, what waits, how far every loop is."""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING

from app.engine.parallel.parallel import KEY
from app.engine.parallel_state import LoopState, ParallelState, WorkerState

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.parallel.pool import Pool, Worker

EVERY_S = 0.1


class ParallelStatus:
    """Tells what has changed, ten times a second at most.

    Args:
        interpreter: of the session.
        tell: takes the events.
    """

    def __init__(self, interpreter: Interpreter, tell: Callable[[ParallelState], None]) -> None:
        self._interpreter, self._tell = interpreter, tell
        interpreter.parfors.changed = self.look
        self._told = ParallelState()
        self._at = 0.0
        self._lock = threading.Lock()

    def look(self, *, now: bool = False) -> None:
        """Tell what has changed, if it is time to, or ``now``; from any thread."""
        with self._lock:
            if not now and monotonic() - self._at < EVERY_S:
                return
            self._at = monotonic()
            state = self._state()
            if state == self._told:
                return
            self._told = state
        self._tell(state)

    def _state(self) -> ParallelState:
        parallel = self._interpreter.context.state.get(KEY)
        pool: Pool | None = None if parallel is None else parallel.opening or parallel.pool
        loops = list(self._interpreter.parfors.loops.values())
        return ParallelState(
            () if pool is None else tuple(map(_worker, list(pool.workers))),
            0 if pool is None else pool.waiting,
            tuple(
                LoopState(
                    one.file,
                    one.line,
                    one.passes,
                    one.done,
                    one.run is not None,
                    one.where,
                    round(one.seconds, 3),
                    one.runs,
                )
                for one in loops
            ),
        )


def _worker(worker: Worker) -> WorkerState:
    task = worker.task
    state = "starting" if not worker.ready else "idle" if task is None else "busy"
    what = "" if task is None else task.what
    return WorkerState(
        worker.number,
        state,
        what,
        worker.done,
        worker.sent,
        worker.received,
        worker.device,
        worker.printed,
    )
