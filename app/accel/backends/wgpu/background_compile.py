"""Shaders compiled beside the script: those of earlier runs, and those the planner would use.

The host goes on meanwhile. Who needs one that is being compiled, or comes next, waits for it; one
that stands further behind in the queue is taken out of it.
"""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import takewhile
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

NAME = "fuselab-compile-shaders"
THREADS = max(1, min(4, (os.cpu_count() or 1) // 4))


class BackgroundCompiler:
    """Jobs by key, and the threads that do them."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._jobs: dict[Hashable, Future[None]] = {}
        self._closed = False

    def add(self, key: Hashable, job: Callable[[], None]) -> None:
        """Do something soon, once for each key."""
        if self._closed or key in self._jobs:
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(THREADS, NAME)
        self._jobs[key] = self._pool.submit(job)

    def now(self, key: Hashable, job: Callable[[], None]) -> Future[None]:
        """The job of this key, under way or next in the queue; else this one, begun at once."""
        known = self._jobs.get(key)
        if known is not None and not known.done():
            ahead = takewhile(lambda other: other is not known, self._jobs.values())
            if sum(not other.done() for other in ahead) < THREADS or not known.cancel():
                return known
        started: Future[None] = Future()
        self._jobs[key] = started
        Thread(target=_run_job, args=(started, job), name=NAME, daemon=True).start()
        return started

    def forget(self, key: Hashable) -> None:
        """What a job made is there no more: it may be done once more."""
        known = self._jobs.get(key)
        if known is not None and known.done():
            del self._jobs[key]

    def wait(self) -> None:
        """Wait for all jobs."""
        wait(list(self._jobs.values()))

    def close(self, then: Callable[[], None]) -> None:
        """No more jobs; `then` is done after the last one that runs, without waiting for it."""
        self._closed = True
        running = [job for job in self._jobs.values() if not job.cancel() and not job.done()]
        self._jobs.clear()  # one that failed keeps the calls that waited for it
        if self._pool is not None:
            self._pool.shutdown(wait=False)
        if running:
            Thread(target=_run_after, args=(running, then), name=NAME, daemon=True).start()
        else:
            then()


def _run_job(future: Future[None], job: Callable[[], None]) -> None:
    future.set_running_or_notify_cancel()
    try:
        job()
    except BaseException as problem:
        future.set_exception(problem)
    else:
        future.set_result(None)


def _run_after(jobs: list[Future[None]], then: Callable[[], None]) -> None:
    wait(jobs)
    then()
