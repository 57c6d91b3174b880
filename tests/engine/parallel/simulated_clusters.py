"""What a pool on a Dask cluster costs with 64 and 1,024 workers: a real scheduler and joined machines.

``python -m tests.engine.parallel.simulated_clusters [WORKERS ...]`` starts Dask's scheduler and
machines with sixteen places each in processes of their own; only the workers are stubs, which
answer at once. A parfor's ranges, several for every worker, go over real connections. It prints
for each number of workers what `simulated_pools` prints, and what the scheduler's process spent.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from app.engine.parallel.cluster import Cluster
from tests.engine.parallel.clusters import LoopbackCluster
from tests.engine.parallel.running import wait_until
from tests.engine.parallel.simulated_pools import Measured, measured

PLACES = 16
"""Workers of one machine."""
_MACHINES = """
import asyncio, logging, sys
from distributed import Status, Worker
from app.engine.parallel.cluster import OPERATION
from app.engine.parallel.value_encoding import pack, unpack
from tests.engine.parallel.simulated_pools import PART

logging.getLogger("distributed").setLevel(logging.ERROR)

async def stub(comm, *, version, number, settings=()):
    await comm.write({"process": 0, "device": "stub"})
    await comm.write((True, pack(("ready", 0))))
    parts = []
    try:
        while True:
            is_last, part = await comm.read()
            parts.append(part)
            if is_last:
                message = unpack(b"".join(parts))
                parts.clear()
                if message[0] == "task":
                    await comm.write((True, pack(("done", message[3], PART))))
                elif message[0] == "exit":
                    break
    except OSError:
        pass
    comm.abort()
    return Status.dont_reply

async def main(address, places, count):
    made = [Worker(address, nthreads=places, memory_limit=0, dashboard=False) for _ in range(count)]
    await asyncio.gather(*made)
    for one in made:
        one.handlers[OPERATION] = stub
    print("ready", flush=True)
    await asyncio.gather(*(one.finished() for one in made))

asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:])))
"""


def spent(process: int) -> float:
    """Seconds of a processor that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def simulated(workers: int) -> tuple[Measured, float, float]:
    """Costs with so many workers; seconds of the scheduler to join them, and for the pool."""
    cluster = LoopbackCluster()
    machines = subprocess.Popen(
        [sys.executable, "-c", _MACHINES, cluster.address, str(PLACES), str(-(-workers // PLACES))],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert machines.stdout is not None
        machines.stdout.readline()
        assert wait_until(lambda: cluster.size() >= workers, 60.0)
        joined = spent(cluster.scheduler.pid)
        made = measured(workers, Cluster(cluster.address))
        return made, joined, spent(cluster.scheduler.pid) - joined
    finally:
        machines.kill()
        machines.wait()
        cluster.close()


def main(numbers: list[int], show: Callable[[str], object] = print) -> None:
    """Measure for so many workers each."""
    for workers in numbers:
        begun = time.perf_counter()
        made, joined, during = simulated(workers)
        show(
            f"{workers} workers: {made}; the scheduler's process spent {joined:.2f} s while machines "
            f"joined and {during:.2f} s then ({time.perf_counter() - begun:.0f} s in all)"
        )


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [64, 1024])
