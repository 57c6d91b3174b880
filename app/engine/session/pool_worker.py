"""A worker of a pool: a session in a process of its own, which does what the pool's owner says.

Started as ``python -m app.engine.session.pool_worker NUMBER``; the address of the pool, its key and
the settings come on standard input. Nothing of the window is imported. When its owner is gone, so
is the worker.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Client, Connection
from queue import SimpleQueue
from typing import TYPE_CHECKING, NoReturn

from app import blas, settings
from app.engine import protocol
from app.engine.parallel import parfor_passes
from app.engine.parallel.machines import Greeting
from app.engine.parallel.parallel import parallel_of
from app.engine.parallel.parfor_passes import Order
from app.engine.parallel.pool import ignore_interrupts
from app.engine.parallel.spmd_pool import Letter, run_member
from app.engine.parallel.travelled_files import TravelledFiles, files_of
from app.engine.parallel.value_encoding import Encoder, Named, Tree, given_to, pack, told_of, unpack
from app.engine.parallel.worker_calls import run_call
from app.engine.values import Value
from app.errors import Interrupted, MatlabError

if TYPE_CHECKING:
    from app.engine.session.session import Session


class PoolWorker:
    """One worker.

    Args:
        pipe: to the pool.
        session: does the work.
        number: of the worker, from 1.
    """

    def __init__(self, pipe: Connection, number: int) -> None:
        self.pipe, self.number = pipe, number
        self.session: Session
        self.inbox: SimpleQueue[Order | None] = SimpleQueue()
        self.mail: SimpleQueue[Letter] = SimpleQueue()
        self.job = self.task = self.cancelled = 0
        self._put_back: list[Order] = []
        self._sending = threading.Lock()

    @property
    def files(self) -> TravelledFiles:
        """What it has of its owner's files."""
        return files_of(self.session.interpreter)

    # --- what comes ---

    def listen(self) -> None:
        """Take in what the pool says, in a thread of its own; without it there is no worker."""
        heard: dict[str, Callable[..., None]] = {
            "exit": partial(os._exit, 0),
            "cancel": self._cancel,
            "mail": self._take_letter,
            "contents": self._take_contents,
            "task": self._take_order,
            "end": self._take_end,
        }
        while True:
            try:
                kind, *content = unpack(self.pipe.recv_bytes())
            except (OSError, EOFError):
                os._exit(0)
            except (ValueError, TypeError) as problem:
                _end(f"{problem}")
            if kind not in heard:
                _end(f"no message is called {kind!r}")
            try:
                given_to(heard[str(kind)], content)
            except (TypeError, AttributeError) as problem:
                _end(f"{kind}: {problem}")

    def _cancel(self, job: int) -> None:
        with self.session.stops.lock:
            self.cancelled = job
            if job == self.job:
                self.session.cancel(ahead=True)

    def _take_letter(self, *content: Tree) -> None:
        self.mail.put(given_to(Letter, content))

    def _take_contents(self, files: tuple[tuple[str, bytes], ...]) -> None:
        self.files.contents.update(files)

    def _take_order(self, *content: Tree) -> None:
        self.inbox.put(given_to(Order, content))

    def _take_end(self, job: int) -> None:
        del job  # whoever asks for its next task learns of it
        self.inbox.put(None)

    def next(self) -> Order | None:
        """The next task; None where a job has ended."""
        return self._put_back.pop() if self._put_back else self.inbox.get()

    def next_of(self, job: int) -> Order | None:
        """The next task of a job; None when it has ended or something else comes first."""
        order = self.next()
        if order is not None and order.job == job:
            self._begin_order(order)
            return order
        if order is not None:
            self._put_back.append(order)
        return None

    # --- what goes ---

    def tell(self, kind: str, *content: Tree) -> None:
        """Say something of the task at hand."""
        data = pack((kind, self.task, *content))
        with self._sending:
            try:
                self.pipe.send_bytes(data)
            except OSError:
                os._exit(0)

    def take(self, event: protocol.Event) -> None:
        """Events of the session: what is printed goes to the owner."""
        if isinstance(event, protocol.OutputText):
            self.tell("out", event.text, event.stream)

    def mail_to(self, number: int, *content: Tree) -> None:
        """Send something to another worker, by way of the owner."""
        self.tell("mail", number, *content)

    def send_data(self, queue: int, value: Value) -> None:
        """Send a value to a queue of the owner."""
        encoder = Encoder(share=False)
        tree = encoder.tree(value)
        self.tell("data", queue, tree, tuple(encoder.sources))

    # --- work ---

    def serve(self) -> None:
        """Do tasks until the process ends."""
        while True:
            order = self.next()
            if order is not None:
                self.do(order, _KINDS[order.kind])

    def do(self, order: Order, action: Callable[..., None]) -> None:
        """Do what a task asks for."""
        self._begin_order(order)
        self._begin(order.job)
        self._run_guarded(partial(given_to, partial(action, self, order.head), order.body))
        self._begin(0)

    def _begin_order(self, order: Order) -> None:
        """Say that a task is begun: whoever loses this worker from now on loses it over that."""
        self.task = order.number
        self.tell("begun")

    def _begin(self, job: int) -> None:
        """A job, or none, is at hand from now on; a stop of it may have come already."""
        stops = self.session.stops
        with stops.lock:
            self.job = job
            stops.want(ahead=0 < job == self.cancelled)

    def _run_guarded(self, action: Callable[[], None]) -> None:
        session = self.session
        try:
            with session.busy("worker", asked=True):
                session.interpreter.guarded(action)
        except MatlabError as problem:
            self.tell("failed", *told_of(problem, self.files.there))
        except (Interrupted, KeyboardInterrupt):
            self.tell("stopped")


def _end(why: str) -> NoReturn:
    """End the process: its owner does not keep to the protocol."""
    sys.stderr.write(f"fuselab: a worker ends; its pool sent an invalid message: {why[:200]}\n")
    sys.stderr.flush()
    os._exit(1)


def _run_block(worker: PoolWorker, head: bytes | None, index: int, own: Named) -> None:
    """Run an spmd block here."""
    run_member(parallel_of(worker.session.interpreter.context), worker, head, index, own)


_KINDS: dict[str, Callable[..., None]] = {
    "parfor": parfor_passes.run_ranges,
    "call": run_call,
    "spmd": _run_block,
}


def main() -> None:
    """Call the pool, open a session and serve."""
    blas.begin()
    ignore_interrupts()
    number = int(sys.argv[1])
    size = int.from_bytes(sys.stdin.buffer.read(4), "little")
    first = sys.stdin.buffer.read(size)
    if not size or len(first) < size:
        return  # whoever started us has gone
    greeting = given_to(Greeting, unpack(first))
    try:
        pipe = Client(greeting.address, authkey=greeting.key)
        pipe.send_bytes(pack((number,)))
    except (OSError, EOFError):
        return  # the pool was closed before we could call it
    worker = PoolWorker(pipe, number)
    chosen = settings.load()
    for name, value in greeting.settings:
        chosen.set(name, value, "pool")
    from app.engine.session.session import Session
    from app.engine.values import prepare_thread

    worker.session = Session(chosen, worker.take)
    parallel_of(worker.session.interpreter.context).worker = worker
    threading.Thread(target=worker.listen, name="fuselab-pool", daemon=True).start()
    prepare_thread()
    worker.tell("ready")
    worker.serve()


if __name__ == "__main__":
    main()
