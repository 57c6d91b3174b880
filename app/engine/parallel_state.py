"""What the window is told of parallel work: the event, and the rows in it."""

from __future__ import annotations

from app.records import record


@record
class WorkerState:
    """A worker of a pool: ``state`` is starting, idle or busy; ``what`` it does, tasks ``done``,
    bytes ``sent`` to it and ``received`` from it, the ``device`` it computes on, the last lines
    that it has ``printed``."""

    number: int
    state: str
    what: str = ""
    done: int = 0
    sent: int = 0
    received: int = 0
    device: str = ""
    printed: str = ""


@record
class LoopState:
    """The last run of a ``parfor``: passes ``done`` of all, ``where`` they run and why, seconds so
    far, and how often the loop has begun."""

    file: str
    line: int
    passes: int
    done: int
    running: bool
    where: str = ""
    seconds: float = 0.0
    runs: int = 1


@record
class ParallelState:
    """Workers of the pool, tasks that wait for one, and the loops of the session, newest last."""

    workers: tuple[WorkerState, ...] = ()
    waiting: int = 0
    loops: tuple[LoopState, ...] = ()
