"""One call of a function by a worker: what a future stands for."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from app.engine.parallel.parallel import Parallel, parallel_of
from app.engine.parallel.pool import Job, Message, Task, loss
from app.engine.parallel.value_encoding import Decoder, Encoder, Sources, Tree, failure, given_to
from app.engine.parallel.worker_calls import CallHead
from app.engine.values import FunctionHandle, Value, is_text_scalar, text_of
from app.engine.values.random_stream import RandomStream, stream_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_numbers = itertools.count(1)
CALLS: WeakValueDictionary[int, Call] = WeakValueDictionary()
"""All calls by their numbers, for who shows one; sessions hold theirs."""


class Call:
    """One call of a function by a worker.

    Attributes:
        number: its ID.
        state: queued, running, finished or failed.
        outputs: what it gave.
        error: why it gave nothing.
        diary: what it printed.
        read: whether fetchNext or fetchOutputs has given its outputs.
        after: functions that are called with it when it has ended.
        times: when it was created, has started and ended, by ``time.monotonic``.
        epoch: what the clock said more than that when it was created.
    """

    def __init__(
        self, ctx: Context, function: Value, args: tuple[Value, ...], nargout: int
    ) -> None:
        self.ctx, self.function, self.args, self.nargout = ctx, function, args, nargout
        self.number = next(_numbers)
        CALLS[self.number] = self
        self.state = "queued"
        self.outputs: tuple[Value, ...] = ()
        self.error: MatlabError | None = None
        self.diary = ""
        self.read = False
        self.after: list[Callable[[Call], None]] = []
        self.times = {"Create": time.monotonic()}
        self.epoch = time.time() - time.monotonic()
        self.inbox: SimpleQueue[Message] = SimpleQueue()
        self.job: Job | None = None
        self.task: Task | None = None

    @property
    def parallel(self) -> Parallel:
        """Where it is done."""
        return parallel_of(self.ctx)

    def start(self, only: int = 0) -> None:
        """Queue it for a worker."""
        pool = self.parallel.pool_or_start()
        encoder = Encoder(share=False)
        function = self.function
        if is_text_scalar(function):
            function = text_of(function)
        called = encoder.tree(function)
        given = tuple(map(encoder.tree, self.args))
        seed = _own_seed(stream_of(self.ctx))
        head = CallHead(tuple(encoder.sources), called, given, self.nargout, seed)
        self.job = self.parallel.job(pool, "call", head)
        name = function.text if isinstance(function, FunctionHandle) else str(function)
        self.task = Task(self.job, (), self.inbox, only=only, what=name)
        pool.submit(self.task)

    def look(self) -> bool:
        """Take in what has come; whether it has ended."""
        while self.state in ("queued", "running"):
            try:
                message = self.inbox.get_nowait()
            except Empty:
                break
            self._take(message)
        if self.state == "queued" and self.task is not None and self.task.worker:
            self.state = "running"
            self.times["Start"] = time.monotonic()
        return self.state in ("finished", "failed")

    def _take(self, message: Message) -> None:
        self.parallel.note(message)
        match message.kind:
            case "out":
                self.diary += str(message.content[0])
            case "data":
                given_to(self.parallel.take_data, message.content)
            case "done":
                self.finish(given_to(self._outputs, message.content))
            case "failed":
                self.finish((), given_to(failure, message.content))
            case "lost":
                text = "The worker that called the function has ended, and so has another one."
                self.finish((), loss(message, "parallel:fevalqueue:WorkerLost", text))
            case _:
                self.finish((), _cancelled())

    def _outputs(self, trees: tuple[Tree, ...], sources: Sources) -> tuple[Value, ...]:
        return tuple(map(Decoder(self.ctx.interpreter, sources).value, trees))

    def finish(self, outputs: tuple[Value, ...], error: MatlabError | None = None) -> None:
        """It has ended, with these outputs or this error."""
        self.outputs, self.error = outputs, error
        self.state = "finished" if error is None else "failed"
        self.times.setdefault("Start", self.times["Create"])
        self.times["Finish"] = time.monotonic()
        parallel, job = self.parallel, self.job
        if parallel.pool is not None and job is not None:
            parallel.pool.end(job)
        for action in self.after:
            action(self)

    def cancel(self) -> None:
        """Stop it: it has ended from now on, whenever its worker has stopped."""
        if self.look():
            return
        if self.parallel.pool is not None and self.job is not None:
            self.parallel.pool.cancel(self.job)
        self.finish((), _cancelled())


def _cancelled() -> MatlabError:
    text = "Execution of the future was cancelled."
    return MatlabError("parallel:fevalqueue:ExecutionCancelled", text)


def _own_seed(stream: RandomStream) -> int:
    held = stream.branch()
    seed = stream.pass_seed
    stream.rejoin(held)
    return seed
