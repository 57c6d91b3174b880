"""Stops at random moments: none is lost, none reaches what comes later.

A session, the engine thread and the command line are asked for a run without end and told to stop,
from the moment it is asked for; then for short runs that are stopped as they begin, run or end.
Whatever came before, the run that follows is a whole one.

``python -m tests.faults.stop_campaign [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import queue
import random
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


WAYS = (SessionStops, WorkerStops, CommandLineStops)


def main(seconds: float, seed: int) -> int:
    """Go on for so long; 1 when something was found."""
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
