"""Sessions with a pool whose every parfor goes to the workers."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app import settings
from app.engine import protocol
from app.engine.parallel.parallel import Parallel, parallel_of
from app.engine.session.session import Session
from app.errors import MatlabError
from app.source import SourceText


class Owner:
    """A session that has a pool.

    Attributes:
        text: what was printed.
        errors: what went wrong.
    """

    def __init__(self, workers: int = 0, device: str = "cpu") -> None:
        chosen = settings.load()
        chosen.set("device", device)
        self.text = ""
        self.errors: list[protocol.ErrorRaised] = []
        self.session = Session(chosen, self._take)
        self.parallel: Parallel = parallel_of(self.session.interpreter.context)
        self.parallel.may_start = False
        if workers:
            self.parallel.always = True
            self.parallel.open(workers)

    def _take(self, event: protocol.Event) -> None:
        if isinstance(event, protocol.OutputText):
            self.text += event.text
        elif isinstance(event, protocol.ErrorRaised):
            self.errors.append(event)

    def run(self, text: str) -> None:
        """Run a text; its error is raised."""
        self.session.run_source(SourceText("<test>", text))
        if self.session.last_status == "error":
            error = self.session.interpreter.last_error
            raise error if error is not None else MatlabError("", "failed")

    def value(self, name: str) -> object:
        """A variable."""
        return self.session.value_of(name)

    def processes(self) -> list[int]:
        """Numbers of the workers' processes."""
        pool = self.parallel.pool
        return [] if pool is None else [w.process.pid for w in pool.workers]

    def close(self) -> None:
        """End the session; its workers must be gone."""
        held = self.processes()
        self.session.close()
        assert not any(map(alive, held))


def alive(number: int) -> bool:
    """Whether a process exists that has not ended."""
    try:
        os.kill(number, 0)
        state = Path(f"/proc/{number}/stat")
        return not state.is_file() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):  # it ended as it was looked at
        return False


def segments() -> set[str]:
    """Segments of shared memory that are this process's or nobody's; locks are none.

    Those that another process has are its own affair: tests run beside each other.
    """
    folder = Path("/dev/shm")
    names = {p.name for p in folder.iterdir()} if folder.is_dir() else set()
    used = set()
    for maps in Path("/proc").glob("[0-9]*/maps"):
        if maps.parent.name != str(os.getpid()):
            with suppress(OSError):  # it has ended, or is another person's
                used |= {line.rpartition("/")[2] for line in maps.read_text().splitlines()}
    return {name for name in names - used if not name.startswith("sem.")}


def wait_until(condition: Callable[[], object], seconds: float = 60.0) -> bool:
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


@contextmanager
def once_at_work(owner: Owner, action: Callable[[], object]) -> Iterator[None]:
    """While what is in it runs, ``action`` is done once all workers have begun a task."""
    over = threading.Event()

    def act() -> None:
        while not over.wait(0.005):
            pool = owner.parallel.pool
            if pool is not None and all(w.task and w.has_begun for w in pool.workers):
                action()
                return

    thread = threading.Thread(target=act)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def stop_at_work(owner: Owner) -> float:
    """Stop a loop whose passes take ten minutes; seconds from the wish to the end."""
    asked: list[float] = []

    def stop() -> None:
        asked.append(time.monotonic())
        owner.session.cancel()

    with once_at_work(owner, stop):
        owner.session.run_source(SourceText("<test>", "parfor i = 1:8, pause(600); end"))
    assert owner.session.last_status == "interrupted"
    return time.monotonic() - asked[0]
