"""A pool of workers: processes with sessions of their own, on this machine or on others.

A thread listens to all workers. Tasks wait in one queue and go to whoever is idle; a worker that
dies is replaced and its task given to another one, once. What a task brings goes to the task's own
queue, which whoever waits for it reads.
"""

from __future__ import annotations

import atexit
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue

from app.engine.parallel.machines import Machines, Settings, WorkerProcess
from app.engine.parallel.value_encoding import Tree, given_to, pack, unpack
from app.errors import MatlabError
from app.log import topic

POLL_S = 0.02
"""How often whoever waits for workers looks whether it was stopped."""
MOST_TRIES = 2
"""Workers that may end while they do a task before it is given up."""
PRINTED = 2000
"""Characters that are kept of what a worker has printed."""
MOST_FAILURES = 3
"""Processes in a worker's place that may end, one after another, before they can work."""
START_S = 60.0
STOP_S = 2.0
"""How long a worker that is told to stop may go on before it is killed."""
EXIT_S = 1.0
_NO_MESSAGE = (ValueError, TypeError, AttributeError, EOFError, IndexError, AssertionError)
"""What reading bytes ends in that are none of a worker's messages."""
_LOG = topic("pool")


@dataclass(slots=True)
class Message:
    """What a worker said.

    Attributes:
        kind: ``out``, ``done``, ``failed``, ``stopped``, ``data`` or ``lost``.
        worker: number of the worker, from 1.
        task: the task it is about.
        content: the rest.
        at: when it came, by `perf_counter`.
    """

    kind: str
    worker: int
    task: Task
    content: tuple[Tree, ...] = ()
    at: float = field(default_factory=time.perf_counter)


@dataclass(eq=False, slots=True)
class Task:
    """A piece of work for one worker.

    Attributes:
        job: what it belongs to; a worker is told the head of a job once.
        body: what the worker is to do.
        inbox: takes what the worker says of it.
        only: the worker that must do it; 0 for any.
        what: names it to people.
        line: where the script asks for it; 0 where that is not known.
        begun: when a worker was given it, by `perf_counter`.
        tries: workers that were lost while they did it.
        missed: workers that were lost before they had begun it; they may have been gone already.
        sent: bytes that went to workers.
    """

    job: Job
    body: tuple[Tree, ...]
    inbox: SimpleQueue[Message]
    only: int = 0
    what: str = ""
    line: int = 0
    begun: float = 0.0
    tries: int = 0
    missed: int = 0
    worker: int = 0
    number: int = 0


@dataclass(eq=False, slots=True)
class Job:
    """What tasks have in common.

    Attributes:
        kind: ``parfor``, ``call`` or ``spmd``.
        head: what a worker is told before the first of its tasks.
        contents: files of code by their hash, which workers of other machines must have.
        cancelled: whether its tasks are dropped.
        number: it is known by.
    """

    kind: str
    head: bytes
    contents: dict[str, bytes] = field(default_factory=dict)
    cancelled: bool = False
    number: int = 0


@dataclass(eq=False)
class Worker:
    """One process.

    Attributes:
        number: from 1.
        process: the process.
        pipe: both ways; None before it has called.
        task: what it was given to do.
        has_begun: whether it has said that it does it.
        jobs: the jobs whose head it has.
        contents: hashes of the files of code that it has.
        ready: whether it has said that it can work.
        failures: how often a process in its place ended before it could work.
        gone: whether nobody starts it again.
        stop_by: when it is killed unless it has stopped.
        sent: bytes that went to it.
        received: bytes that came from it.
        done: tasks that it finished.
        printed: the last lines that it printed.
        unsent: what it is told when it calls.
    """

    number: int
    process: WorkerProcess
    pipe: Connection | None = None
    task: Task | None = None
    has_begun: bool = False
    jobs: set[int] = field(default_factory=set)
    contents: set[str] = field(default_factory=set)
    ready: bool = False
    failures: int = 0
    gone: bool = False
    stop_by: float = 0.0
    sent: int = 0
    received: int = 0
    done: int = 0
    printed: str = ""
    unsent: list[bytes] = field(default_factory=list)

    @property
    def device(self) -> str:
        """What it computes on, and where."""
        return self.process.device

    def send(self, *message: Tree) -> None:
        """Tell it something; one that is gone is noticed by the listener."""
        data = pack(message)
        self.sent += len(data)
        if self.pipe is None:
            self.unsent.append(data)
            return
        with suppress(OSError):
            self.pipe.send_bytes(data)

    def called(self, pipe: Connection) -> None:
        """It has called: what was to be told to it before goes there."""
        self.pipe = pipe
        with suppress(OSError):
            for data in self.unsent:
                pipe.send_bytes(data)
        self.unsent.clear()


class Pool:
    """Workers and what waits for them.

    Args:
        size: how many workers.
        settings: what their sessions are told, by name.
        machines: where they live.

    Attributes:
        listeners: called now and then, and when a worker has said something, by another thread.
        idle_s: seconds without a task after which the pool ends itself.
    """

    def __init__(self, size: int, settings: Settings, machines: Machines) -> None:
        self._settings, self.machines = settings, machines
        self._lock = threading.RLock()
        self._waiting: deque[Task] = deque()
        self._numbers = 0
        self._closing = False
        self._closed = threading.Event()
        self.idle_s = float("inf")
        self._used = time.monotonic()
        self.listeners: list[Callable[[], None]] = []
        self._wake, self._woken = _pair()
        self.workers = [self._start(k + 1) for k in range(size)]
        machines.open(self._called)
        self._thread = threading.Thread(target=self._listen, name="fuselab-pool", daemon=True)
        self._thread.start()
        atexit.register(_close, weakref.ref(self))

    # --- workers ---

    def _start(self, number: int) -> Worker:
        return Worker(number, self.machines.start(number, self._settings))

    def _called(self, number: int, pipe: Connection) -> None:
        """A worker can be talked with."""
        with self._lock:
            self.workers[number - 1].called(pipe)
        self._poke()

    def _poke(self) -> None:
        with suppress(OSError):
            self._wake.send_bytes(b"x")

    @property
    def size(self) -> int:
        """How many workers there are."""
        return len(self.workers)

    @property
    def warm(self) -> bool:
        """Whether all workers can work."""
        return all(w.ready for w in self.workers)

    @property
    def closing(self) -> bool:
        """Whether it takes no more tasks."""
        return self._closing

    @property
    def waiting(self) -> int:
        """Tasks that no worker has yet."""
        return len(self._waiting)

    def hold(self) -> bool:
        """Whether there are workers still; where there are, the time without a task begins anew."""
        with self._lock:
            self._used = time.monotonic()
            return not self._closing

    def wait_warm(self, poll: Callable[[], None]) -> None:
        """Wait until all workers can work. Raises MatlabError where one cannot be started."""
        end = time.monotonic() + START_S
        while not self.warm:
            gone = next((w for w in self.workers if w.gone), None)
            if time.monotonic() > end or gone is not None:
                text = "A worker could not be started."
                if gone is not None and gone.process.problem:
                    text = f"A worker could not be started: {gone.process.problem}"
                raise MatlabError("parallel:cluster:WorkerFailed", text)
            poll()
            time.sleep(0.005)

    # --- tasks ---

    def job(self, kind: str, head: Sequence[Tree], contents: dict[str, bytes]) -> Job:
        """Something to do, whose tasks come by `submit`, and the files of code it needs."""
        with self._lock:
            self._numbers += 1
            return Job(kind, pack(head), contents, number=self._numbers)

    def submit(self, *tasks: Task) -> None:
        """Queue tasks; whoever could not be started before is given another chance."""
        with self._lock:
            for worker in [w for w in self.workers if w.gone and not self._closing]:
                made = self.workers[worker.number - 1] = self._start(worker.number)
                made.failures = MOST_FAILURES - 1
            for task in tasks:
                self._numbers += 1
                task.number = self._numbers
                self._waiting.append(task)
            self._dispatch()

    def end(self, job: Job) -> None:
        """Nothing more comes for a job: workers forget it."""
        with self._lock:
            for worker in self.workers:
                if job.number in worker.jobs:
                    worker.jobs.discard(job.number)
                    worker.send("end", job.number)

    def cancel(self, job: Job) -> None:
        """Drop the tasks of a job; workers that are at one stop."""
        with self._lock:
            job.cancelled = True
            for task in [t for t in self._waiting if t.job is job]:
                self._waiting.remove(task)
                task.inbox.put(Message("stopped", 0, task))
            for worker in self.workers:
                if worker.task is not None and worker.task.job is job:
                    worker.stop_by = time.monotonic() + STOP_S
                    worker.send("cancel", job.number)
        self._poke()

    def send(self, number: int, *message: Tree) -> None:
        """Tell a worker something beside its tasks."""
        with self._lock:
            self.workers[number - 1].send(*message)

    def _dispatch(self, *free: Worker) -> None:
        """Give tasks to idle workers, or to these alone; the lock is held."""
        for worker in free or self.workers:
            if worker.task is not None or not worker.ready:
                continue
            task = next((t for t in self._waiting if t.only in (0, worker.number)), None)
            if task is None:
                continue
            self._waiting.remove(task)
            worker.task, worker.has_begun = task, False
            task.worker, task.begun = worker.number, time.perf_counter()
            job = task.job
            head = None if job.number in worker.jobs else job.head
            worker.jobs.add(job.number)
            missing = job.contents.keys() - worker.contents
            if missing:
                worker.contents |= missing
                worker.send("contents", tuple((k, job.contents[k]) for k in sorted(missing)))
            worker.send("task", job.kind, job.number, task.number, head, task.body)

    # --- listening ---

    def _listen(self) -> None:
        while not self._closing:
            with self._lock:
                pipes = {w.pipe: w for w in self.workers if w.pipe is not None}
            for pipe in wait([*pipes, self._woken], timeout=0.5):
                if pipe is self._woken:
                    with suppress(OSError, EOFError):
                        self._woken.recv_bytes()
                        while self._woken.poll():  # many have called: all are looked at once
                            self._woken.recv_bytes()
                    continue
                worker = pipes[pipe]  # type: ignore[index]
                try:
                    data = pipe.recv_bytes()  # type: ignore[union-attr]
                except (OSError, EOFError):
                    self._replace_lost(worker)
                    continue
                worker.received += len(data)
                try:
                    with self._lock:
                        self._take(worker, unpack(data))
                except _NO_MESSAGE as problem:
                    _LOG.warning("a worker of the pool sent an invalid message: %r", problem)
                    worker.process.kill()
                    self._replace_lost(worker)
            self._look_after()
            for listener in self.listeners:
                listener()
            waiting = self._close_if_idle()
            if waiting is not None:
                self._end_workers(waiting)

    def _take(self, worker: Worker, message: tuple[Tree, ...]) -> None:
        kind, *content = message
        assert isinstance(kind, str)
        if kind == "ready":
            worker.ready = True
            self._dispatch(worker)
            return
        task = worker.task
        if task is None or task.number != content[0]:
            return  # of a task that was given up
        if kind == "begun":
            worker.has_begun = True
            return
        if kind == "mail":
            receiver = given_to(int, content[1:2])
            self.workers[receiver - 1].send("mail", *content[2:])
            return
        if kind in ("done", "failed", "stopped"):
            worker.task, worker.stop_by = None, 0.0
            worker.done += kind == "done"
        elif kind == "out":
            worker.printed = (worker.printed + given_to(str, content[1:2]))[-PRINTED:]
        task.inbox.put(Message(kind, worker.number, task, tuple(content[1:])))
        if worker.task is None:
            self._dispatch(worker)

    def _look_after(self) -> None:
        """Kill who was told to stop and has not; notice who died before it called."""
        now = time.monotonic()
        for worker in list(self.workers):
            if worker.stop_by and now > worker.stop_by:
                worker.process.kill()
            has_ended = worker.process.poll() is not None and not worker.gone
            if worker.pipe is None and has_ended and not self._closing:
                time.sleep(0.2)  # what cannot start does not start at once again
                self._replace_lost(worker)

    def _replace_lost(self, worker: Worker) -> None:
        """A worker has gone: another one takes its place, and its task goes on elsewhere."""
        if self._closing:
            return
        _reap(worker)
        held = worker.task
        if held is not None:
            held.tries += worker.has_begun
            held.missed += not worker.has_begun
        was_last_try = held is not None and self._is_given_up(held)
        why = self.machines.problem() if was_last_try else ""
        with self._lock:
            task, worker.task = worker.task, None
            self._replace(worker)
            for one in [t for t in self._waiting if t.only == worker.number]:
                if any(one.job.number in w.jobs for w in self.workers):
                    self._waiting.remove(one)  # what others have sent to it is lost
                    one.inbox.put(Message("lost", worker.number, one))
            if task is None:
                return
            if task.job.cancelled:
                task.inbox.put(Message("stopped", worker.number, task))
            elif was_last_try:
                task.inbox.put(Message("lost", worker.number, task, (why,)))
            else:
                self._waiting.appendleft(task)
                self._dispatch()

    def _is_given_up(self, task: Task) -> bool:
        """Whether no other worker is asked to do a task that workers were lost over."""
        return task.only > 0 or task.tries >= MOST_TRIES or task.missed >= MOST_TRIES + self.size

    def _replace(self, worker: Worker) -> None:
        """Start another process in a worker's place, unless too many in a row could not work.

        What only workers wait for that are gone is lost; the lock is held.
        """
        failures = 0 if worker.ready else worker.failures + 1
        if failures < MOST_FAILURES:
            made = self.workers[worker.number - 1] = self._start(worker.number)
            made.failures = failures
            return
        worker.pipe, worker.gone = None, True
        none_left = all(w.gone for w in self.workers)
        why = worker.process.problem if none_left else ""
        for task in [t for t in self._waiting if none_left or t.only == worker.number]:
            self._waiting.remove(task)
            task.inbox.put(Message("lost", worker.number, task, (why,)))

    # --- its end ---

    def close(self) -> None:
        """End all workers; none is left when this returns."""
        waiting = self._close_for_tasks()
        if waiting is None:
            self._closed.wait(STOP_S + EXIT_S)
        else:
            self._end_workers(waiting)

    def _close_for_tasks(self) -> list[Task] | None:
        """Take no more tasks: those that there were; None where somebody else has done it."""
        with self._lock:
            if self._closing:
                return None
            self._closing = True
            waiting = [*self._waiting, *(w.task for w in self.workers if w.task is not None)]
            self._waiting.clear()
            return waiting

    def _close_if_idle(self) -> list[Task] | None:
        """As `_close_for_tasks`, but only where no task came for so long that the pool may end."""
        with self._lock:
            if self._waiting or not self.warm or any(w.task is not None for w in self.workers):
                self._used = time.monotonic()
            return self._close_for_tasks() if time.monotonic() - self._used > self.idle_s else None

    def _end_workers(self, waiting: list[Task]) -> None:
        for worker in self.workers:
            if not worker.ready:
                worker.process.kill()  # it does not listen yet, and has nothing to lose
            worker.send("exit")
            worker.process.let_go()
        self._poke()
        end = time.monotonic() + EXIT_S
        for worker in self.workers:
            try:
                worker.process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.process.kill()
        if threading.current_thread() is not self._thread:
            self._thread.join(EXIT_S)
        for worker in self.workers:
            _reap(worker)
        for task in waiting:
            task.inbox.put(Message("stopped", 0, task))
        self.machines.close()
        self._wake.close()
        self._woken.close()
        self._closed.set()


def _reap(worker: Worker) -> None:
    """Make sure that a process has ended, and let go of what led to it."""
    if worker.process.poll() is None:
        worker.process.kill()
    worker.process.wait()
    worker.process.let_go()
    if worker.pipe is not None:
        worker.pipe.close()


def _pair() -> tuple[Connection, Connection]:
    from multiprocessing import Pipe

    return Pipe()


def ignore_interrupts() -> None:
    """Control-C is for the process that has the pool; it tells its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _close(pool: weakref.ref[Pool]) -> None:
    """End a pool that the program leaves open."""
    left = pool()
    if left is not None:
        left.close()


def loss(message: Message, identifier: str, text: str) -> MatlabError:
    """The error for a task that was lost: why there is no worker any more, else the given text."""
    why = given_to(str, message.content)
    if why:
        text, identifier = f"No worker is left: {why}", "parallel:cluster:WorkerFailed"
    return MatlabError(identifier, text)
