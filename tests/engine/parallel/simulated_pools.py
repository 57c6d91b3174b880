"""What a pool costs with 64 and 1,024 workers: stubs that answer at once, each with a pipe of its own.

``python -m tests.engine.parallel.simulated_pools [WORKERS ...]`` runs a parfor whose ranges are one
pass, several for every worker, and prints for each number of workers: how long the pool took to
start, a range from being queued to its answer, and bytes to and from a worker.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import NamedTuple

from app.engine.parallel.machines import Called, Machines, Settings
from app.engine.parallel.pool import Message, Pool, Task
from app.engine.parallel.value_encoding import pack, unpack

ROUNDS = 8
"""Ranges for every worker."""
HEAD = bytes(20_000)
"""What a loop tells a worker first: its text and its broadcast variables."""
PART = bytes(800)
"""What a range gives: a hundred numbers."""


class StubProcess:
    """A worker that is no process."""

    pid, device, problem = 0, "stub", ""

    def __init__(self) -> None:
        self.over = threading.Event()

    def poll(self) -> int | None:
        """None while it is there."""
        return 0 if self.over.is_set() else None

    def wait(self, timeout: float | None = None) -> int:
        """It ends at once."""
        self.over.set()
        return 0

    def kill(self) -> None:
        """It ends."""
        self.over.set()

    let_go = kill


class StubMachines:
    """Workers that answer at once, all in one thread."""

    name, are_here, bytes_per_s = "stubs", False, 1e9

    def __init__(self) -> None:
        self._ends: dict[Connection, int] = {}
        self._pipes: list[tuple[int, Connection]] = []
        self._over = threading.Event()
        self._answering: threading.Thread | None = None

    def start(self, number: int, settings: Settings) -> StubProcess:
        """A stub."""
        ours, theirs = Pipe()
        self._ends[theirs] = number
        self._pipes.append((number, ours))
        return StubProcess()

    def open(self, called: Called) -> None:
        """All stubs call."""
        self._answering = threading.Thread(target=self._answer, args=(called,), daemon=True)
        self._answering.start()

    def _answer(self, called: Called) -> None:
        for number, pipe in self._pipes:
            called(number, pipe)
        for end in self._ends:
            end.send_bytes(pack(("ready", 0)))
        while not self._over.is_set():
            try:
                for end in wait(list(self._ends), timeout=0.1):
                    message = unpack(end.recv_bytes())  # type: ignore[union-attr]
                    if message[0] == "task":
                        end.send_bytes(pack(("done", message[3], PART)))  # type: ignore[union-attr]
                    elif message[0] == "exit":
                        return
            except (EOFError, ConnectionError):  # the pool has closed its ends
                return

    def problem(self) -> str:
        """None."""
        return ""

    def close(self) -> None:
        """No stub is left."""
        self._over.set()
        if self._answering is not None:
            self._answering.join()
        for end in self._ends:
            end.close()


class Measured(NamedTuple):
    """Seconds to start and per range, of time and of this process; bytes for a range."""

    start: float
    each: float
    ours: float
    sent: float
    received: float

    def __str__(self) -> str:
        return (
            f"started in {self.start:.3f} s, {1e6 * self.each:.0f} µs a range ({1e6 * self.ours:.0f} "
            f"of this process), {self.sent:.0f} bytes to and {self.received:.0f} from a worker for each"
        )


def measured(workers: int, machines: Machines) -> Measured:
    """What a pool of so many workers costs."""
    begun = time.perf_counter()
    pool = Pool(workers, {}, machines)
    pool.wait_warm(lambda: None)
    start = time.perf_counter() - begun
    inbox: SimpleQueue[Message] = SimpleQueue()
    job = pool.job("parfor", (HEAD,), {})
    count = ROUNDS * workers
    begun, used = time.perf_counter(), time.process_time()
    pool.submit(*(Task(job, (k, k + 1), inbox) for k in range(count)))
    for _ in range(count):
        inbox.get(timeout=120)
    each = (time.perf_counter() - begun) / count
    ours = (time.process_time() - used) / count
    sent = sum(w.sent for w in pool.workers) / count
    received = sum(w.received for w in pool.workers) / count
    pool.close()
    return Measured(start, each, ours, sent, received)


def main(numbers: list[int], show: Callable[[str], object] = print) -> None:
    """Measure for so many workers each."""
    for workers in numbers:
        show(f"{workers} workers: {measured(workers, StubMachines())}")


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [2, 64, 1024])
