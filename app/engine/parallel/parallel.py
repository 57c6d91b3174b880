"""What a session has for parallel work: its pool, and what is told of it."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app import restricted
from app.accel.support import abandonable
from app.engine.parallel import travelled_code, travelled_files
from app.engine.parallel.machines import Machines, Settings, ThisMachine
from app.engine.parallel.parfor_pool import ParforPool
from app.engine.parallel.pool import Job, Message, Pool
from app.engine.parallel.value_encoding import Decoder, Sources, Tree
from app.engine.values import Array, Value
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.loops.parfor_account import LoopAccounts
    from app.engine.parallel.spmd_pool import Member

KEY = "parallel"
MOST_WORKERS = 12
"""Of a pool whose size nobody has named."""
LANE = "Worker"
"""How the tracks of workers begin in the timeline."""
_ENDS = frozenset(("done", "failed", "stopped", "lost"))
_HANDED_ON = ("octave", "capture_threshold", "memory_limit", "compile_loops", "fast_maths")


class DataSender(Protocol):
    """How a worker sends to queues of its owner.

    Attributes:
        number: of the worker, from 1.
    """

    number: int

    def send_data(self, queue: int, value: Value) -> None:
        """Send a value to a queue of the owner."""


class Parallel:
    """The parallel side of a session.

    Attributes:
        always: whether every parfor goes to the pool, whatever it costs.
        opening: a pool that somebody waits for until its workers can work.
        asked_for: whether somebody has asked for the pool, rather than a parfor.
        may_start: whether a parfor may start a pool by itself.
        worker: how a worker of another session's pool talks with its owner; None in others.
        member: this worker's part in the spmd block that it runs.
        receive: takes what workers send to queues, with the number of the queue.
        shared_bytes: bytes that went through shared memory.
        marked: the traffic when ticBytes was called.
        spmd_enabled: whether the pool runs spmd blocks.
        profile: what the pool was asked for by: Processes, Threads or an address.
        attached: files that parpool was given for the workers.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self._pool: Pool | None = None
        self.opening: Pool | None = None
        self.spmd_enabled, self.profile = True, "Processes"
        self.attached: tuple[str, ...] = ()
        self.always = False
        self.asked_for = False
        self.may_start = True
        self.worker: DataSender | None = None
        self.member: Member | None = None
        self.receive: Callable[[int, Value], None] | None = None
        self.shared_bytes = 0
        self.marked = np.zeros((0, 2))
        self._starting: threading.Thread | None = None
        self._unwanted = threading.Event()
        self._lock = threading.Lock()

    @property
    def default_size(self) -> int:
        """Workers of a pool whose size nobody has named: one per core; with several cards a worker
        is given one of them."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return min(MOST_WORKERS, cores or 1)

    # --- the pool ---

    @property
    def pool(self) -> Pool | None:
        """The pool; None where there is none, or where it has ended for idleness."""
        return None if self._pool is None or self._pool.closing else self._pool

    def open(self, size: int, machines: Machines | None = None, profile: str = "") -> Pool:
        """Start a pool, here unless told where, and wait until its workers can work.

        The profile is what it was asked for by, where that is another name than its machines'.
        """
        self.close()
        poll = self.interpreter.host.poll
        made = self.opening = self._new_pool(size, poll, machines)
        self.profile = profile or made.machines.name
        try:
            made.wait_warm(poll)
        except BaseException:
            made.close()
            raise
        finally:
            self.opening = None
        self._pool, self.asked_for = made, True
        self.interpreter.parfors.changed(now=True)
        return made

    def _new_pool(
        self, size: int, poll: Callable[[], None], machines: Machines | None = None
    ) -> Pool:
        settings = self.interpreter.settings
        told = {n: getattr(settings, n) for n in _HANDED_ON if hasattr(settings, n)}
        if machines is None:
            cores, cards = max(1, self.default_size // size), self._cards(poll)
            machines = ThisMachine(lambda number: of_worker(number, cores, cards))
        made = Pool(size, told, machines)
        made.listeners.append(partial(_look_at_pool, made, weakref.ref(self.interpreter.parfors)))
        return made

    def _cards(self, poll: Callable[[], None]) -> int:
        """Cards that workers may compute on; 0 where everything is computed on the host.

        What the poll raises ends the search.
        """
        from app.accel.runtime import devices

        given = str(getattr(self.interpreter.settings, "device", "auto"))
        if given == "cpu" or restricted.is_on():
            return 0
        return abandonable.beside(devices.card_count, poll)

    def start_beside(self) -> None:
        """Start a pool while this process goes on; `ready` gives it when it is warm."""
        with self._lock:
            if self.pool is not None or self._starting is not None:
                return

            self._starting = threading.Thread(
                target=self._start, name="fuselab-pool-start", daemon=True
            )
            self._starting.start()

    def _start(self) -> None:
        """Start a pool, unless nobody wants it any more before it is warm."""
        made: Pool | None = None
        try:
            made = self._new_pool(self.default_size, self._check_wanted)
            made.wait_warm(self._check_wanted)
        except (MatlabError, OSError, RuntimeError):
            self.may_start = self._unwanted.is_set()
            if made is not None:
                made.close()
            return
        self._pool = made

    def _check_wanted(self) -> None:
        if self._unwanted.is_set():
            raise MatlabError("parallel:cluster:PoolClosed", "The pool was closed.")

    def ready(self, *, wait: bool = False) -> Pool | None:
        """The pool, if it is warm; with ``wait`` one that is being started is waited for."""
        if self._starting is not None and (wait or not self._starting.is_alive()):
            self._starting.join()
            self._starting = None
        pool = self._pool
        return pool if pool is not None and pool.hold() else None

    def close(self) -> None:
        """End the workers, also those of a pool that is being started; none is left."""
        self._unwanted.set()
        self.ready(wait=True)
        self._unwanted.clear()
        pool, self._pool = self._pool, None
        self.spmd_enabled, self.attached, self.asked_for = True, (), False
        self.profile = "Processes"
        if pool is not None:
            pool.close()
            self.interpreter.parfors.changed(now=True)

    @property
    def is_worker(self) -> bool:
        """Whether this session is a worker of another one's pool."""
        return self.worker is not None

    @property
    def is_busy(self) -> bool:
        """Whether a worker has something to do."""
        pool = self.pool
        return pool is not None and (pool.waiting > 0 or any(w.task for w in pool.workers))

    def pool_or_start(self) -> Pool:
        """The pool; one is started, and waited for, where there is none."""
        if self.is_worker:
            text = "A worker cannot have a pool of its own."
            raise MatlabError("parallel:cluster:NestedPool", text)
        pool = self.ready(wait=True)
        return self.open(self.default_size) if pool is None else pool

    def traffic(self) -> Array:
        """Bytes sent to and received from every worker, a row each."""
        pool = self.pool
        workers = [] if pool is None else pool.workers
        return np.array([[float(w.sent), float(w.received)] for w in workers]).reshape(-1, 2)

    def job(self, pool: Pool, kind: str, head: Sequence[Tree]) -> Job:
        """Something for workers to do, in the surroundings of this session."""
        here = pool.machines.are_here
        found = travelled_code.surroundings(self.interpreter)
        folders, contents = ((), {}) if here else travelled_files.listed(found, self.attached)
        return pool.job(kind, ((*found, folders), *head), contents)

    # --- what a parfor asks ---

    def range_of(self, given: Value) -> int:
        """Passes that parforOptions wants in one range; 0 for no wish."""
        return int(getattr(given, "range_size", 0))

    def print(self, text: str, stream: str) -> None:
        """Print what a worker printed."""
        if stream == "out":
            self.interpreter.context.write(text)
        else:
            self.interpreter.host.write_error(text, stream)

    def note(self, message: Message) -> None:
        """Show in the timeline what a worker has done, on a track of its own."""
        runtime, task = self.interpreter.runtime, message.task
        if runtime is None or message.kind not in _ENDS:
            return
        device = self._devices.get(message.worker, "")
        detail = (("device", device),) if device else ()
        track = f"{LANE} {message.worker}"
        runtime.recorder.note(
            track, task.what, task.begun, message.at - task.begun, task.line, 0, detail
        )

    @property
    def _devices(self) -> dict[int, str]:
        """What the workers compute on."""
        pool = self.pool
        return {} if pool is None else {w.number: w.device for w in pool.workers}

    def take_data(self, queue: int, tree: Tree, sources: Sources) -> None:
        """A worker has sent something to a queue."""
        if self.receive is not None:
            self.receive(queue, Decoder(self.interpreter, sources).value(tree))


def parallel_of(ctx: Context) -> Parallel:
    """The parallel side of a session, made when it is first asked for."""
    made: Parallel | None = ctx.state.get(KEY)
    if made is None:
        made = ctx.state[KEY] = Parallel(ctx.interpreter)
        ctx.interpreter.elsewhere = ParforPool(made)
    return made


def _look_at_pool(pool: Pool, accounts: weakref.ref[LoopAccounts]) -> None:
    """Tell what a pool does; one whose session is gone, which its thread must not keep, ends."""
    told = accounts()
    if told is None:
        pool.idle_s = 0.0
    else:
        told.changed()


def of_worker(number: int, cores: int, cards: int) -> Settings:
    """Settings of one worker: its share of the cores, its card."""
    device = f"gpu:{(number - 1) % cards + 1}" if cards > 1 else "auto" if cards else "cpu"
    return {"host_threads": cores, "device": device}
