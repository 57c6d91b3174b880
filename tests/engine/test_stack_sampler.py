"""One thread looks at the stacks of all runs; what it sees belongs to the run that it sees."""

from __future__ import annotations

import threading
import time

from app.engine.session.stack_sampler import StackSampler


def sampler_threads() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == "fuselab-sampler"]


def test_runs_share_a_thread_that_ends_with_the_session() -> None:
    sampler = StackSampler()
    sampler.start()
    (thread,) = sampler_threads()
    for _ in range(50):
        sampler.stop()
        sampler.start()
    assert sampler_threads() == [thread]
    sampler.close()
    assert sampler_threads() == []
    assert sampler.stop() == ()
    sampler.start()
    assert len(sampler_threads()) == 1
    sampler.close()


def test_a_run_is_seen_and_the_time_between_runs_is_not() -> None:
    text = "import time\nuntil = time.monotonic() + 0.2\nwhile time.monotonic() < until: pass"
    code = compile(text, "f.m", "exec")
    sampler = StackSampler()
    try:
        begun = [time.perf_counter()]
        sampler.start()
        exec(code, {"__name__": "f"})  # it stands for a script
        first = dict(sampler.stop())
        ended = [time.perf_counter()]
        exec(code, {"__name__": "f"})
        begun.append(time.perf_counter())
        sampler.start()
        time.sleep(0.05)
        second = dict(sampler.stop())
        ended.append(time.perf_counter())
    finally:
        sampler.close()
    for seen, start, end in zip((first, second), begun, ended, strict=True):
        assert sum(seen.values()) <= (end - start) * 1000
    for _, start, _ in sampler.looks:
        assert any(a <= start <= b for a, b in zip(begun, ended, strict=True))
