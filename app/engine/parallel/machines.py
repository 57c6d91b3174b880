"""Where the workers of a pool live: what a pool asks of machines, and this machine.

A pool knows nothing of how a worker is started or reached: `Machines` starts one and calls the
pool when it can be talked with. Other machines are in `cluster`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import NamedTuple, Protocol

from app import blas, helpers, restricted
from app.engine.parallel.value_encoding import given_to, pack, unpack
from app.temporary_folders import OwnedFolder

MODULE = "app.engine.session.pool_worker"
END_S = 1.0
Settings = dict[str, bool | float | str]
Called = Callable[[int, Connection], None]
"""Takes the number of a worker that can be talked with, and the pipe that leads to it."""


class Greeting(NamedTuple):
    """What a worker is told as it starts: where the pool can be called, the key, its settings."""

    address: str | tuple[str, int]
    key: bytes
    settings: tuple[tuple[str, bool | float | str], ...]


class WorkerProcess(Protocol):
    """The process of one worker.

    Attributes:
        pid: its number on its machine; 0 where it is not known.
        device: what it computes on, and where.
        problem: why it could not be started.
    """

    pid: int
    device: str
    problem: str

    def poll(self) -> int | None:
        """None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises subprocess.TimeoutExpired."""

    def kill(self) -> None:
        """End it at once."""

    def let_go(self) -> None:
        """Nobody will tell it anything more."""


class Machines(Protocol):
    """Where workers live.

    Attributes:
        name: what a pool of them is asked for by.
        are_here: whether workers see the memory and the files of this process.
        bytes_per_s: what goes to workers in a second.
    """

    name: str
    are_here: bool
    bytes_per_s: float

    def start(self, number: int, settings: Settings) -> WorkerProcess:
        """Start the process of a worker."""

    def open(self, called: Called) -> None:
        """From now on workers that have started are told of."""

    def problem(self) -> str:
        """Why no worker could be started now; empty where one could."""

    def close(self) -> None:
        """No worker is started any more; all have ended."""


class _LocalProcess:
    """A process of this machine; its standard input stays open as long as we are there."""

    problem = ""

    def __init__(self, process: subprocess.Popen[bytes], device: str) -> None:
        self._process, self.pid, self.device = process, process.pid, device
        self.poll, self.wait, self.kill = process.poll, process.wait, process.kill

    def tell(self, data: bytes) -> None:
        """Write to its standard input; one that is gone is noticed elsewhere."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def let_go(self) -> None:
        """Its standard input ends."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()


class ThisMachine:
    """Workers that are processes of this machine.

    Args:
        of_worker: settings of each worker on top of those of all.

    Raises:
        MatlabError: no process may be started.
    """

    name = "Processes"
    are_here = True
    bytes_per_s = 1.5e9

    def __init__(self, of_worker: Callable[[int], Settings]) -> None:
        restricted.refuse("starting a pool of workers")
        self._of_worker = of_worker
        self._key = os.urandom(16)
        self._folder = OwnedFolder("pool")
        family = "AF_PIPE" if sys.platform == "win32" else "AF_UNIX"
        address = None if family == "AF_PIPE" else str(Path(self._folder.name) / "pool")
        self._closing = False
        self._door = Listener(address, family, backlog=64, authkey=self._key)
        self._thread: threading.Thread | None = None

    def start(self, number: int, settings: Settings) -> WorkerProcess:
        """Start a process, which calls at the door."""
        environment = helpers.python_environment()
        environment.setdefault("FUSELAB_HOME", os.environ.get("FUSELAB_HOME", ""))
        if not environment["FUSELAB_HOME"]:
            del environment["FUSELAB_HOME"]
        told = {**settings, **self._of_worker(number)}
        environment[blas.VARIABLE] = str(told.get("host_threads", 1))
        process = subprocess.Popen(  # noqa: S603 - ourselves
            helpers.module_command(MODULE, str(number)),
            stdin=subprocess.PIPE,
            env=environment,
            start_new_session=sys.platform != "win32",
        )
        made = _LocalProcess(process, str(told.get("device", "")))
        first = pack(Greeting(self._door.address, self._key, tuple(told.items())))
        made.tell(len(first).to_bytes(4, "little") + first)
        return made

    def open(self, called: Called) -> None:
        """Take the workers in as they call, until `close` calls."""
        self._thread = threading.Thread(
            target=self._welcome, args=(called,), name="fuselab-pool-door", daemon=True
        )
        self._thread.start()

    def _welcome(self, called: Called) -> None:
        while True:
            try:
                pipe = self._door.accept()
                number = given_to(int, unpack(pipe.recv_bytes()))
                if self._closing:
                    return
                if number > 0:
                    called(number, pipe)
            except (OSError, EOFError, ValueError, TypeError, IndexError, AuthenticationError):
                continue  # nobody of ours

    def problem(self) -> str:
        """None is known."""
        return ""

    def close(self) -> None:
        """Nobody is taken in any more."""
        self._closing = True
        with suppress(OSError, EOFError):  # whoever waits at the door gets a last caller
            with Client(self._door.address, authkey=self._key) as last:
                last.send_bytes(pack((0,)))
            if self._thread is not None:
                self._thread.join(END_S)
        self._door.close()
        self._folder.cleanup()
