"""Stops at random moments: none is lost, none reaches what comes later.

A session, the engine thread and the command line are asked for a run without end and told to stop,
from the moment it is asked for; then for short runs that are stopped as they begin, run or end.
Whatever came before, the run that follows is a whole one. Builtins called with large counts leave
the window alive meanwhile and end soon after a stop.

``python -m tests.faults.stop_campaign [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import queue
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.engine import protocol
from app.engine.session.session import Session
from app.engine.session.worker import EngineWorker
from app.settings import Settings
from app.source import SourceText
from tests.fuzz.calls import computing

PATIENCE_S = 20.0
ENDLESS = (
    "while true, end",
    "k = 0; while true, k = k + 1; end",
    "while true, x = rand(60) * rand(60); end",
    "f = @(t) t + 1; while true, y = cellfun(f, {1, 2, 3}); end",
    "while true, try, error('a:b', 'c'); catch, end, end",
    "pause(600)",
    "system('sleep 600');",
)
SHORT = ("x = 1;", "for k = 1:2e4, x = k; end", "x = sum(rand(1e5, 1) + 1);", "error('a:b', 'c')")
SMALL = "small = rand(3); words = {'a', 'bc'};"
LARGE = (
    *("1e7", "3e7", "1e8", "ones(1e7, 1)", "1:1e7", "int32(1:1e7)", "rand(3e3)", "rand(1e4, 1)"),
    *("rand(1e7, 1) > 0.5", "repmat('ab ', 1, 3e6)", "repmat({1}, 1e6, 1)", "[1e7 1]", "[1e8 1]"),
    *("[1 1e7]", 'repmat("a", 1e6, 1)', "sparse(1:1e6, 1:1e6, 1)", "complex(ones(1e6, 1), 1)"),
)
"""Counts and values of so many elements."""
STOP_S, HEEDED_S, FREEZE_S, LONGEST_S = 1.0, 2.0, 0.5, 60.0
"""When a large call is stopped, by when it has ended, and how long the window may stand still."""
OTHERS = (protocol.Refresh(), protocol.SetVariable("q", "rand(300) * 2"))


@contextmanager
def stopping(stop: Callable[[], None], after_s: float) -> Iterator[None]:
    """Something that is stopped once, so long after it began."""
    timer = threading.Timer(after_s, stop)
    timer.start()
    try:
        yield
    finally:
        timer.join()


class SessionStops:
    """A session as the command line and Python programs use it."""

    def __init__(self) -> None:
        self.session = Session(Settings(), lambda _event: None)
        self.session.acceleration.rest = self._rest  # type: ignore[method-assign]

    def _rest(self) -> None:
        """A measurement: it looks up all the time."""
        for _ in range(50):
            self.session.poll()
            time.sleep(1e-5)

    def _run(self, code: str) -> str:
        self.session.run_source(SourceText("<stops>", code))
        return self.session.last_status

    def findings(self, choose: random.Random) -> Iterator[str]:
        """What goes wrong in one round."""
        code, after = choose.choice(ENDLESS), choose.choice((0.0, choose.uniform(0, 0.05)))
        with stopping(lambda: self.session.cancel(ahead=True), after):
            status = self._run(code)
        if status != "interrupted":
            yield f"session, {after * 1e3:.2f} ms: {status}: {code}"
        self.session.stops.take_ahead()  # as whoever stops ahead does behind what was asked for
        code, after = choose.choice(SHORT), choose.uniform(0, 0.01)
        with stopping(self.session.cancel, after):
            self._run(code)
        if choose.random() < 0.3:
            self.session.cancel()
        if (status := self._run("x = 2;")) != "ok":
            yield f"session, the run after one stopped at {after * 1e3:.2f} ms: {status}: {code}"

    def close(self) -> None:
        """End the session."""
        self.session.close()


class WorkerStops:
    """The engine thread as the window uses it."""

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.engine = EngineWorker(Settings(), self._events.put)
        self.engine.start()

    def _status(self) -> str:
        until = time.monotonic() + PATIENCE_S
        while (left := until - time.monotonic()) > 0:
            try:
                event = self._events.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(event, protocol.RunFinished):
                return event.status
        return "never ended"

    def _run(self, code: str) -> str:
        self.engine.post(protocol.RunText(code, "<command>"))
        return self._status()

    def findings(self, choose: random.Random) -> Iterator[str]:
        """What goes wrong in one round."""
        if choose.random() < 0.5:
            self.engine.post(choose.choice(OTHERS))
        code, after = choose.choice(ENDLESS), choose.choice((0.0, choose.uniform(0, 0.05)))
        self.engine.post(protocol.RunText(code, "<command>"))
        time.sleep(after)
        self.engine.stop_run()
        if (status := self._status()) != "interrupted":
            yield f"worker, {after * 1e3:.2f} ms: {status}: {code}"
        code, after = choose.choice(SHORT), choose.uniform(0, 0.01)
        with stopping(self.engine.stop_run, after):
            self._run(code)
        if choose.random() < 0.3:
            self.engine.stop_run()
        if (status := self._run("x = 2;")) != "ok":
            yield f"worker, the run after one stopped at {after * 1e3:.2f} ms: {status}: {code}"

    def close(self) -> None:
        """End the thread."""
        self.engine.close()


class CommandLineStops:
    """Control-C at a program of its own."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()

    def findings(self, choose: random.Random) -> Iterator[str]:
        """What goes wrong in one round."""
        code, after = choose.choice(ENDLESS), choose.uniform(0.2, 1.5)
        script = Path(self._folder.name) / "endless.m"
        script.write_text(code, encoding="ascii")
        command = [sys.executable, "-m", "app", "run", str(script)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
            time.sleep(after)
            program.send_signal(signal.SIGINT)
            try:
                _, said = program.communicate(timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                program.kill()
                said = "never ended"
        early = program.returncode == -signal.SIGINT  # Python had hardly begun
        if not early and (program.returncode != 130 or "Traceback" in said):
            yield f"command line, {after:.3f} s: {program.returncode}: {code}: {said}"

    def close(self) -> None:
        """Remove what was written."""
        self._folder.cleanup()


class LargeCalls:
    """Builtins called with large counts, in the engine thread: the window goes on, a stop ends them.

    Times are the processor time of this process, as the machine may be busy with others.
    """

    def __init__(self, names: str = ".*") -> None:
        self._builtins = [b for b in computing() if re.fullmatch(names, b.name)]
        self._events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.engine = EngineWorker(Settings(memory_limit=3 << 30, device="cpu"), self._events.put)
        self.engine.start()
        self.engine.post(protocol.RunText(SMALL, "<command>"))

    def findings(self, choose: random.Random) -> Iterator[str]:
        """What goes wrong about one call."""
        builtin = choose.choice(self._builtins)
        most = min(builtin.max_args, max(builtin.min_args, 1) + 1, 4)
        inputs = [
            choose.choice(LARGE if choose.random() < 0.7 else ("1", "2", "'a'", "small", "words"))
            for _ in range(choose.randint(min(max(builtin.min_args, 1), most), most))
        ]
        code = f"r = {builtin.name}({', '.join(inputs)});"
        if any(self.problems(code)):  # the first call may have imported what it needs
            yield from self.problems(code)

    def problems(self, code: str) -> Iterator[str]:
        """What is wrong about how some code runs and is stopped."""
        while not self._events.empty():
            self._events.get()
        self.engine.post(protocol.RunText(code, "<command>"))
        began = last = time.process_time()
        gap, stopped = 0.0, False
        until = time.monotonic() + LONGEST_S
        while time.monotonic() < until:
            time.sleep(0.005)
            now = time.process_time()
            gap, last = max(gap, now - last), now
            if self._has_ended():
                break
            if now - began > STOP_S and not stopped:
                stopped, began = True, now
                self.engine.stop_run()
        else:
            yield f"does not end: {code}"
        if stopped and last - began > HEEDED_S:
            yield f"heeds a stop after {last - began:.1f} s: {code}"
        if gap > FREEZE_S:
            yield f"keeps the window waiting for {gap:.2f} s: {code}"
        self.engine.post(protocol.RunText("clear r", "<command>"))

    def _has_ended(self) -> bool:
        found = False
        while not self._events.empty():
            found |= isinstance(self._events.get(), protocol.RunFinished)
        return found

    def close(self) -> None:
        """End the thread."""
        self.engine.close()


WAYS = (SessionStops, WorkerStops, CommandLineStops, LargeCalls)


def main(seconds: float, seed: int) -> int:
    """Go on for so long; 1 when something was found."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in the background
    choose, found, rounds = random.Random(seed), 0, dict.fromkeys(WAYS, 0)
    for way in WAYS:
        end, tried = time.monotonic() + seconds / len(WAYS), way()
        while time.monotonic() < end:
            rounds[way] += 1
            for finding in tried.findings(choose):
                found += 1
                sys.stdout.write(f"{finding}\n")
                sys.stdout.flush()
        tried.close()
    counts = ", ".join(f"{count} of {way.__name__}" for way, count in rounds.items())
    sys.stdout.write(f"stops: {counts}, {found} findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], "60", "1"][:2] if len(sys.argv) < 3 else sys.argv[1:3]
    sys.exit(main(float(given[0]), int(given[1])))
