"""Kills with signal 9 on a cluster of this machine: workers, joined machines, the scheduler.

``python -m tests.engine.parallel.cluster_kills [COUNT [SEED]]`` kills so many. A parfor gives its answer all
the same when a worker or a machine is killed, and ends with an error or its answer when the scheduler is;
no process of a worker is left, and the cluster is whole again for the next one.
"""

from __future__ import annotations

import sys
import threading
import time
from random import Random

from app.errors import MatlabError
from tests.engine.parallel.clusters import ClusterOwner, LoopbackCluster
from tests.engine.parallel.kills import PARFOR, SHARED, is_whole, killed
from tests.engine.parallel.running import alive, wait_until

PLACES = 2


class Campaign:
    """A cluster of two machines with two places each, and a session with two workers there."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.cluster: LoopbackCluster
        self.owner: ClusterOwner
        self.build()

    def build(self) -> None:
        """A new cluster."""
        self.cluster = LoopbackCluster()
        for _ in range(2):
            self.cluster.join(PLACES)
        self.owner = self.cluster.owner(2)

    def end(self) -> None:
        """Nothing is left."""
        self.owner.close()
        self.cluster.close()

    def kill(self) -> str:
        """Kill something while a loop runs; gives what went wrong."""
        what = self.random.choice(("worker", "worker", "worker", "machine", "scheduler"))
        workers = [p for p in self.owner.processes() if alive(p)]
        machines = [h for h in self.cluster.hosts if alive(h.pid)]
        victim = {
            "worker": lambda: self.random.choice(workers),
            "machine": lambda: self.random.choice(machines).pid,
            "scheduler": lambda: self.cluster.scheduler.pid,
        }[what]()
        timer = threading.Timer(self.random.uniform(0.0, 0.25), killed, (victim,))
        timer.start()
        problem, begun = "", time.monotonic()
        try:
            self.owner.run("clear; s = 0;" + self.random.choice((PARFOR, SHARED)))
            if self.owner.value("ok") is not True:
                problem = f"{what}: another answer"
        except MatlabError as error:
            if what != "scheduler" or "No worker is left" not in error.message:
                problem = f"{what}: {error.identifier}: {error.message}"
        timer.join()
        if time.monotonic() - begun > 30:
            problem = problem or f"{what}: it took {time.monotonic() - begun:.0f} s"
        if what == "scheduler":
            if not wait_until(lambda: not any(map(alive, workers))):
                problem = problem or "scheduler: workers are left"
            self.end()
            self.build()
        elif what == "machine":
            if not wait_until(lambda: self.cluster.size() == PLACES, 30.0):
                problem = problem or "machine: the scheduler still counts on it"
            self.cluster.join(PLACES)
        if not wait_until(lambda: is_whole(self.owner), 20.0):
            problem = problem or f"{what}: the pool is not whole"
        return problem


def main() -> int:
    """Run the campaign; gives 1 where something went wrong."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    campaign = Campaign(Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1))
    wrong = 0
    for k in range(count):
        problem = campaign.kill()
        if problem:
            wrong += 1
            print(f"kill {k}: {problem}", flush=True)
        if k % 10 == 9:
            print(f"{k + 1} kills", flush=True)
    campaign.end()
    print(f"{count} kills, {wrong} with something wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
