"""A machine of a cluster: joins the scheduler and starts workers for the pools that ask.

``fuselab worker ADDRESS`` runs it; what starts Dask's own workers (a batch system, for one) loads
it into them: ``dask worker ADDRESS --preload fuselab.engine.parallel.cluster_host``. A worker is a
process of its own, which ends when the pool's connection does.
"""

from __future__ import annotations

import asyncio
import os
import socket
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from distributed import Status, Worker

from app import __version__
from app.engine.parallel.cluster import CONNECT_S, OPERATION
from app.engine.parallel.machines import Settings, ThisMachine, WorkerProcess
from app.engine.parallel.parallel import of_worker
from app.engine.parallel.relay import Relay
from app.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.engine.parallel.relay import Comm

LOOK_S = 0.05


class Host:
    """The places for workers of one machine.

    Args:
        places: how many there are.
        device: where workers compute; with ``auto`` each has one of the machine's cards.
    """

    def __init__(self, places: int, device: str = "auto") -> None:
        self._free = list(range(1, places + 1))
        self._chosen: Settings = {} if device == "auto" else {"device": device}
        self._cores = max(1, (os.cpu_count() or 1) // places)
        self._cards = 0 if device == "cpu" else _card_count()

    async def worker(
        self,
        comm: Comm,
        *,
        version: str = "",
        number: int = 0,
        settings: Sequence[tuple[str, bool | float | str]] = (),
    ) -> Status:
        """Start a worker for whoever asks, and pass messages on until one of both ends."""
        refused = "all places are taken." if not self._free else ""
        if version != __version__:
            refused = (
                f"Fuselab {__version__} runs there and {version} here: they must be the same. "
                "Update one of them, and start 'fuselab worker' again."
            )
        if refused:
            await comm.write({"refused": refused})
            return Status.dont_reply
        place = self._free.pop(0)
        try:
            await self._served(comm, number, place, dict(settings))
        finally:
            self._free.append(place)
            self._free.sort()
        return Status.dont_reply

    async def _served(self, comm: Comm, number: int, place: int, settings: Settings) -> None:
        of_place = {**of_worker(place, self._cores, self._cards), **self._chosen}
        machine = ThisMachine(lambda _: of_place)
        loop = asyncio.get_running_loop()
        relays: list[Relay] = []
        process = machine.start(number, settings)

        def called(_: int, pipe: Connection) -> None:
            relays.append(Relay(pipe, comm, loop))

        try:
            device = f"{socket.gethostname()}, {process.device}"
            await comm.write({"process": process.pid, "device": device})
            machine.open(called)
            while not _is_over(process, relays):
                await asyncio.sleep(LOOK_S)
        finally:
            process.kill()
            process.wait(CONNECT_S)
            process.let_go()
            for relay in relays:
                relay.close()
            comm.abort()
            machine.close()


def _is_over(process: WorkerProcess, relays: list[Relay]) -> bool:
    """Whether the connection has ended, or the process without ever having called."""
    return relays[0].ended.is_set() if relays else process.poll() is not None


def _card_count() -> int:
    from app.accel.runtime import devices

    return devices.card_count()


def dask_setup(worker: Worker, device: str = "auto") -> None:
    """Let a worker of Dask start workers of ours; Dask calls it where this module is loaded."""
    worker.handlers[OPERATION] = Host(worker.state.nthreads, device).worker


def join(address: str, places: int, device: str) -> None:
    """Serve pools until the scheduler has gone. Raises UsageError where it is not reached."""
    asyncio.run(_join(address, places, device))


async def _join(address: str, places: int, device: str) -> None:
    try:
        worker = Worker(address, nthreads=places, memory_limit=0, death_timeout=CONNECT_S)
        async with worker:
            dask_setup(worker, device)
            await worker.finished()
    except (OSError, RuntimeError, TimeoutError, ValueError) as problem:
        raise UsageError(f"no scheduler was reached at {address}: {problem}") from None
