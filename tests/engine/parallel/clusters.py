"""Clusters of this machine alone: a real scheduler and real joined machines, in processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from app.engine.parallel.cluster import Cluster
from tests.engine.parallel.running import Owner, alive, wait_until

_SCHEDULER = """
import asyncio, logging, sys
from distributed import Scheduler
logging.getLogger("distributed").setLevel(logging.ERROR)
async def main():
    async with Scheduler(host="127.0.0.1", port=0, protocol=sys.argv[1], dashboard=False) as made:
        print(made.address, flush=True)
        await made.finished()
asyncio.run(main())
"""


class ClusterOwner(Owner):
    """A session whose workers end when their machines have noticed that nobody is there."""

    def processes(self) -> list[int]:
        """Numbers of the workers' processes, which are known of those that have started."""
        return [p for p in super().processes() if p]

    def close(self) -> None:
        """End the session; its workers are gone soon."""
        held = self.processes()
        self.session.close()
        assert wait_until(lambda: not any(map(alive, held)))


class LoopbackCluster:
    """A scheduler on this machine.

    Args:
        scheme: ``tcp`` or ``tls``.
        variables: of the environment of all its processes.

    Attributes:
        address: of the scheduler.
        scheduler: its process.
        hosts: processes of ``fuselab worker``.
    """

    def __init__(self, scheme: str = "tcp", variables: dict[str, str] | None = None) -> None:
        self._environment = {**os.environ, **(variables or {})}
        self.scheduler = self._process("-c", _SCHEDULER, f"{scheme}://")
        assert self.scheduler.stdout is not None
        self.address = self.scheduler.stdout.readline().strip()
        self.hosts: list[subprocess.Popen[str]] = []

    def _process(self, *arguments: str, folder: Path | None = None) -> subprocess.Popen[str]:
        command = [sys.executable, *arguments]
        found = os.pathsep.join(filter(None, (str(Path.cwd()), os.environ.get("PYTHONPATH"))))
        environment = {**self._environment, "PYTHONPATH": found}
        return subprocess.Popen(
            command, env=environment, cwd=folder, stdout=subprocess.PIPE, text=True
        )

    def join(self, places: int, *command: str, folder: Path | None = None) -> None:
        """Have a machine with so many places join, and wait until it has."""
        before = self.size()
        given = command or ("-m", "app", "worker", self.address, "--jobs", str(places), "--quiet")
        given = (*given, "--device", "cpu") if not command else given
        self.hosts.append(self._process(*given, folder=folder))
        assert wait_until(lambda: self.size() == before + places, 90.0)

    def size(self) -> int:
        """How many workers its machines take."""
        cluster = Cluster(self.address)
        try:
            return cluster.size
        finally:
            cluster.close()

    def owner(self, workers: int) -> ClusterOwner:
        """A session with workers on the cluster."""
        made = ClusterOwner()
        made.parallel.always = True
        made.parallel.open(workers, Cluster(self.address))
        return made

    def close(self) -> None:
        """End all processes; none is left."""
        for process in (*self.hosts, self.scheduler):
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
            assert not alive(process.pid)
