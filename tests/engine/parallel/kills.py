"""Processes killed with signal 9 at random moments: answers, pools and what is left of them.

``python -m tests.engine.parallel.kills [COUNT [SEED]]`` kills so many: a worker at a parfor, at
futures or at spmd, or the owner of a pool. A parfor and futures give the answer all the same, spmd
gives it or the error that names the lost worker; the pool has all its workers again, and nothing is
left of an owner that was killed: no process, no shared memory.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from random import Random

from app.errors import MatlabError
from tests.engine.parallel.running import Owner, alive, segments, wait_until

WORKERS = 2
PARFOR = """parfor i = 1:200, t = 0; for k = 1:20, t = t + sum(rand(1, 200) < 2)*i; end
y(i) = t; c{i} = sprintf('%d', i); s = s + i; end
ok = isequal(y, 4000*(1:200)) && s == 20100 && strcmp(c{200}, '200');"""
SHARED = """x = ones(1000, 400); parfor i = 1:200, y(i) = sum(x(:, i)*i); pause(0.0005); end
ok = isequal(y, 1000*(1:200));"""
FUTURES = """for k = 1:6, f(k) = parfeval(@(v) sum(ones(1, 1e6)*v), 1, k); end
ok = isequal(fetchOutputs(f), 1e6*(1:6)');"""
SPMD = "spmd, a = spmdPlus(spmdIndex); pause(0.05); b = spmdPlus(a); end; ok = b{1} == 6;"
LOST = "parallel:lang:spmd:WorkerLost"


def killed(process: int) -> None:
    """Kill a process; one that has ended already stays as it is."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def worker_killed(owner: Owner, random: Random) -> str:
    """Kill a worker while it works; gives what went wrong."""
    kind = random.choice(("parfor", "parfor", "shared", "futures", "spmd"))
    text = {"parfor": PARFOR, "shared": SHARED, "futures": FUTURES, "spmd": SPMD}[kind]
    victim = random.choice([p for p in owner.processes() if alive(p)])
    timer = threading.Timer(random.uniform(0.0, 0.25), killed, (victim,))
    timer.start()
    problem = ""
    try:
        owner.run("clear; s = 0;" + text)
        if owner.value("ok") is not True:
            problem = f"{kind}: another answer"
    except MatlabError as error:
        if kind != "spmd" or error.identifier != LOST:
            problem = f"{kind}: {error.identifier}: {error.message}"
    timer.join()
    if not wait_until(lambda: victim not in owner.processes() or not alive(victim)):
        problem = problem or f"{kind}: the worker is still there"
    if not wait_until(lambda: is_whole(owner)):
        problem = problem or f"{kind}: the pool is not whole"
    return problem


def is_whole(owner: Owner) -> bool:
    """Whether a loop gives its answer and all workers are there.

    A worker that is killed again and again before it can work is started when there is work.
    """
    owner.run("clear; parfor i = 1:4, y(i) = i; end; ok = isequal(y, 1:4);")
    return owner.value("ok") is True and sum(map(alive, owner.processes())) == WORKERS


_OWNER = """
import sys
from tests.engine.parallel.running import Owner
owner = Owner(2)
print(*owner.processes(), flush=True)
owner.run('x = ones(1000, 400); while true, parfor i = 1:200, y(i) = sum(x(:, i)*i); end, end')
"""


def owner_killed(random: Random) -> str:
    """Kill a process that has a pool; gives what went wrong."""
    before = segments()
    made = subprocess.Popen([sys.executable, "-c", _OWNER], stdout=subprocess.PIPE, text=True)
    assert made.stdout is not None
    workers = [int(word) for word in made.stdout.readline().split()]
    time.sleep(random.uniform(0.0, 0.3))
    made.kill()
    made.wait()
    made.stdout.close()
    if len(workers) != WORKERS:
        return "owner: no pool"
    if not wait_until(lambda: not any(map(alive, workers))):
        return f"owner: workers are left: {workers}"
    if not wait_until(lambda: segments() <= before):
        return f"owner: shared memory is left: {segments() - before}"
    return ""


def main() -> int:
    """Run the campaign; gives 1 where something went wrong."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    random = Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    owner, wrong = Owner(WORKERS), 0
    for k in range(count):
        problem = owner_killed(random) if random.random() < 0.15 else worker_killed(owner, random)
        if problem:
            wrong += 1
            print(f"kill {k}: {problem}", flush=True)
        if k % 20 == 19:
            print(f"{k + 1} kills", flush=True)
    owner.close()
    print(f"{count} kills, {wrong} with something wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
