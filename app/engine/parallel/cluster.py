"""Other machines as the place of a pool's workers: a Dask cluster, reached by its scheduler.

The scheduler knows which machines there are; each runs ``fuselab worker`` (`cluster_host`), which
starts the processes of workers on demand and passes their messages on. All that is said between a
pool and a worker goes over one connection of Dask's library, encrypted where the address says so.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Coroutine
from multiprocessing import Pipe
from typing import TYPE_CHECKING, TypeVar

from app import __version__, restricted
from app.engine.parallel.machines import Called, Settings
from app.engine.parallel.relay import Relay
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.parallel.relay import Comm

OPERATION = "fuselab_worker"
"""The question that a machine answers by starting a worker."""
SCHEMES = ("tcp://", "tls://")
CONNECT_S = 5.0
AWAY_S = 30.0
"""How long a scheduler that was not reached is not asked again."""
_LOG = logging.getLogger("fuselab.parallel")
_T = TypeVar("_T")
MISSING = "Other machines need the package 'distributed': pip install 'fuselab[cluster]'"


class Refusal(Exception):
    """A machine starts no worker, and says why."""


class _RemoteProcess:
    """A worker on another machine; it ends with its connection."""

    def __init__(self) -> None:
        self.pid, self.device, self.problem = 0, "", ""
        self.ended = threading.Event()
        self.relay: Relay | None = None

    def poll(self) -> int | None:
        """None while it is reached, or being started."""
        over = self.ended if self.relay is None else self.relay.ended
        return 0 if over.is_set() else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it is not reached any more."""
        over = self.ended if self.relay is None else self.relay.ended
        if not over.wait(timeout):
            raise subprocess.TimeoutExpired("worker", timeout or 0.0)
        return 0

    def kill(self) -> None:
        """Break its connection: its machine ends it then."""
        self.ended.set()
        if self.relay is not None:
            self.relay.close()

    def let_go(self) -> None:
        """It has been told to end, and breaks the connection itself."""


class Cluster:
    """The machines that have joined a scheduler.

    Args:
        address: of the scheduler, such as ``tcp://host:8786``.

    Attributes:
        name: the address.
        places: how many workers each machine takes, by its address.

    Raises:
        MatlabError: the scheduler is not reached, or the package for it is not installed.
    """

    are_here = False
    bytes_per_s = 1e8

    def __init__(self, address: str) -> None:
        restricted.refuse("starting a pool of workers")
        try:
            import distributed
        except ModuleNotFoundError:
            raise MatlabError("parallel:cluster:NotInstalled", MISSING) from None
        del distributed
        self.name = address
        self._opened, self._closed = threading.Event(), False
        self._called: Called
        self._used: Counter[str] = Counter()
        self._relays: list[Relay] = []
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="fuselab-cluster", daemon=True
        )
        self._thread.start()
        self.places: dict[str, int] = {}
        self._away, self._away_until = Refusal(), 0.0
        try:
            self.look()
        except Refusal as refusal:
            self.close()
            text = f"There is no cluster at {address}: {refusal}"
            raise MatlabError("parallel:cluster:NoScheduler", text) from None

    def look(self) -> None:
        """Ask the scheduler which machines there are now. Raises Refusal."""
        if time.monotonic() < self._away_until:
            raise self._away
        try:
            known = self._run(self._asked(self.name, {"op": "identity"}))
        except Refusal as refusal:
            self._away, self._away_until = refusal, time.monotonic() + AWAY_S
            raise
        workers = known.get("workers") if isinstance(known, dict) else None
        if workers is None:
            raise Refusal("what answers there is not a scheduler.")
        self.places = {a: int(w["nthreads"]) for a, w in workers.items()}

    def _run(self, action: Coroutine[None, None, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(action, self._loop).result()

    async def _asked(self, address: str, question: dict[str, object]) -> object:
        comm = await _connected(address)
        try:
            await comm.write(question)
            return await asyncio.wait_for(comm.read(), CONNECT_S)
        except (OSError, TimeoutError) as problem:
            raise Refusal(f"it does not answer ({problem}).") from None
        finally:
            comm.abort()

    # --- workers ---

    def start(self, number: int, settings: Settings) -> _RemoteProcess:
        """Have a machine with a free place start a worker; it is connected to by a thread."""
        made = _RemoteProcess()
        threading.Thread(
            target=self._connect, args=(made, number, settings), name="fuselab-cluster", daemon=True
        ).start()
        return made

    def _connect(self, made: _RemoteProcess, number: int, settings: Settings) -> None:
        try:
            if self._opened.is_set():  # in the place of a worker that was lost
                self.look()
            host, comm, answer = self._placed(number, settings)
        except Refusal as refusal:
            made.problem = str(refusal)
            made.ended.set()
            return
        made.pid, made.device = int(answer["process"]), str(answer["device"])
        ours, theirs = Pipe()
        self._opened.wait()
        relay = Relay(theirs, comm, self._loop)
        made.relay = relay
        with self._lock:
            self._relays.append(relay)
        if self._closed or made.ended.is_set():
            relay.close()
        threading.Thread(
            target=self._free_when_ended, args=(relay, host), name="fuselab-cluster", daemon=True
        ).start()
        self._called(number, ours)

    def _free_when_ended(self, relay: Relay, host: str) -> None:
        relay.ended.wait()
        with self._lock:
            self._used[host] -= 1
            self._relays.remove(relay)

    def _placed(self, number: int, settings: Settings) -> tuple[str, Comm, dict[str, int | str]]:
        """A worker on the machine that has the largest part of its places free."""
        problem = f"No machine has joined the cluster at {self.name}."
        tried: set[str] = set()
        while True:
            with self._lock:
                left = {a: n - self._used[a] for a, n in self.places.items() if a not in tried}
                host = max(left, key=lambda a: left[a], default="")
                if not host:
                    raise Refusal(problem)
                self._used[host] += 1
            try:
                return host, *self._run(_begun(host, number, settings))
            except Refusal as refusal:
                problem = str(refusal)
                tried.add(host)
                with self._lock:
                    self._used[host] -= 1

    @property
    def size(self) -> int:
        """How many workers all machines take."""
        return sum(self.places.values())

    def open(self, called: Called) -> None:
        """From now on workers that have started are told of."""
        self._called = called
        self._opened.set()

    def problem(self) -> str:
        """That the scheduler has gone, where it has."""
        try:
            self.look()
        except Refusal as refusal:
            return str(refusal)
        return ""

    def close(self) -> None:
        """Break all connections."""
        self._closed = True
        self._opened.set()
        with self._lock:
            relays = list(self._relays)
        for relay in relays:
            relay.close()
        end = time.monotonic() + 1.0
        while self._relays and time.monotonic() < end:
            time.sleep(0.005)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(1.0)
        if not self._thread.is_alive():
            self._loop.close()


async def _connected(address: str) -> Comm:
    from distributed.comm import connect
    from distributed.security import Security

    try:
        arguments = Security().get_connection_args("client")
        comm: Comm = await connect(address, timeout=CONNECT_S, **arguments)
    except (OSError, TypeError, ValueError, RuntimeError) as problem:
        raise Refusal(f"{address} is not reached ({problem}).") from None
    return comm


async def _begun(host: str, number: int, settings: Settings) -> tuple[Comm, dict[str, int | str]]:
    """The connection to a new worker, and what its machine says of it."""
    question = {"op": OPERATION, "version": __version__, "number": number}
    comm = await _connected(host)
    try:
        await comm.write({**question, "settings": tuple(settings.items())})
        answer = await asyncio.wait_for(comm.read(), CONNECT_S)
    except (OSError, TimeoutError) as problem:
        comm.abort()
        raise Refusal(f"{host} does not answer ({problem}).") from None
    if isinstance(answer, dict) and "process" in answer:
        return comm, answer
    comm.abort()
    if isinstance(answer, dict) and "refused" in answer:
        raise Refusal(f"{host}: {answer['refused']}")
    text = f"{host} is not a Fuselab worker; start 'fuselab worker' there, not 'dask worker'."
    raise Refusal(text)
