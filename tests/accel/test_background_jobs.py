"""Jobs beside the script end before what they use is destroyed."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import CancelledError
from threading import Event

import pytest

from app.accel.backends.wgpu.background_compile import BackgroundCompiler

PATIENCE_S = 60


@pytest.mark.parametrize("ahead", [False, True])
def test_what_follows_the_last_job_is_done(ahead: bool) -> None:
    jobs, going_on, closed = BackgroundCompiler(), Event(), Event()
    if ahead:
        jobs.add("other", lambda: None)
    under_way = jobs.now("key", lambda: going_on.wait(PATIENCE_S) and None)
    jobs.close(closed.set)
    assert not closed.wait(0.01)
    going_on.set()
    assert closed.wait(PATIENCE_S)
    assert under_way.done()
    jobs.add("later", going_on.clear)
    assert going_on.is_set(), "nothing is begun after the end"


def test_failures_do_not_keep_who_waited() -> None:
    class Waiting:
        """A caller."""

    def fail() -> None:
        raise ValueError

    def wait_for(jobs: BackgroundCompiler) -> weakref.ref[Waiting]:
        caller = Waiting()
        with pytest.raises((ValueError, CancelledError)):
            jobs.now("key", fail).result(PATIENCE_S)
        return weakref.ref(caller)

    jobs = BackgroundCompiler()
    caller = wait_for(jobs)
    jobs.close(lambda: None)
    gc.collect()
    assert caller() is None
