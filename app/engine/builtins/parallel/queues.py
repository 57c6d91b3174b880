"""Values on their way: queues from workers to the script, constants from the script to workers."""

from __future__ import annotations

import itertools
import os
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.parallel.pools import properties_text
from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin, native_type
from app.engine.interpreter.indexing.index_read import paren
from app.engine.parallel.parallel import parallel_of
from app.engine.parallel.pool import POLL_S
from app.engine.values import EMPTY, FunctionHandle, NativeObject, Value, as_array, float_of
from app.engine.values.containers import no_member
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context
    from app.engine.values.display_format import DisplayFormat

_FAMILY = "parallel"
_numbers = itertools.count(1)
_BUILT = "parallel.constants"


@native_type
class DataQueue(NativeObject):
    """A queue; copies of it in workers send to the one of the script.

    Attributes:
        number: it is known by.
        pollable: whether ``poll`` takes values out, or ``afterEach`` is called with them.
    """

    class_name = "parallel.pool.DataQueue"
    is_handle = True

    def __init__(self, number: int, *, pollable: bool) -> None:
        self.number, self.pollable = number, pollable
        self.class_name = f"parallel.pool.{'PollableDataQueue' if pollable else 'DataQueue'}"
        self.superclasses = ("parallel.pool.AbstractDataQueue", "handle")

    def get_member(
        self, ctx: Context, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``q.QueueLength``."""
        if name != "QueueLength":
            raise no_member(self.class_name, name)
        return float(len(_inbox(ctx, self)))

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        return ["QueueLength"]

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``send``, ``poll`` and ``afterEach``."""
        return {
            "send": lambda ctx, args, n: send(ctx, *args),
            "poll": lambda ctx, args, n: poll(ctx, *args, nargout=n),
            "afterEach": lambda ctx, args, n: _listen(ctx, *args, nargout=n),
        }


@native_type
class QueueListener(NativeObject):
    """What ``afterEach`` of a queue gives: ``delete`` ends the calls of its function."""

    class_name = "event.listener"
    is_handle = True
    travels = False

    def __init__(self, listeners: list[Value], function: Value) -> None:
        self._listeners, self._function = listeners, function

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``delete`` and ``isvalid``."""
        return {
            "delete": lambda ctx, args, n: self._remove(),
            "isvalid": lambda ctx, args, n: self._place() is not None,
        }

    def _place(self) -> int | None:
        """Where the function stands among those that are called."""
        places = (k for k, f in enumerate(self._listeners) if f is self._function)
        return next(places, None)

    def _remove(self) -> Value:
        place = self._place()
        if place is not None:
            del self._listeners[place]
        return ()


class _Queues:
    """The queues of a session: what has come, and who is called."""

    def __init__(self) -> None:
        self.held: dict[int, deque[Value]] = {}
        self.listeners: dict[int, list[Value]] = {}


def _queues(ctx: Context) -> _Queues:
    made: _Queues = ctx.state.setdefault("parallel.queues", _Queues())
    return made


def _inbox(ctx: Context, queue: DataQueue) -> deque[Value]:
    return _queues(ctx).held.setdefault(queue.number, deque())


def _new_queue(ctx: Context, *, pollable: bool) -> DataQueue:
    parallel = parallel_of(ctx)
    if parallel.receive is None:
        parallel.receive = lambda number, value: _receive_value(ctx, number, value)
    return DataQueue(next(_numbers), pollable=pollable)


def _receive_value(ctx: Context, number: int, value: Value) -> None:
    """A value is here: it is kept, or given to those who listen."""
    queues = _queues(ctx)
    listeners = queues.listeners.get(number)
    if not listeners:
        queues.held.setdefault(number, deque()).append(value)
    for listener in tuple(listeners or ()):
        ctx.call(listener, (value,), 0)


@builtin(
    "parallel.pool.DataQueue",
    category=_FAMILY,
    device=SESSION,
    signatures=("q = parallel.pool.DataQueue",),
    cases=("q = parallel.pool.DataQueue; send(q, 3); q.QueueLength == 1",),
    see=("send", "parallel.pool.PollableDataQueue"),
)
def data_queue(ctx: Context) -> Value:
    """A queue whose values are given to the functions of afterEach, while a parfor runs."""
    return _new_queue(ctx, pollable=False)


@builtin(
    "parallel.pool.PollableDataQueue",
    category=_FAMILY,
    device=SESSION,
    signatures=("q = parallel.pool.PollableDataQueue",),
    cases=("q = parallel.pool.PollableDataQueue; send(q, 3); poll(q) == 3",),
    see=("send", "poll", "parallel.pool.DataQueue"),
)
def pollable_data_queue(ctx: Context) -> Value:
    """A queue whose values the script takes out with poll."""
    return _new_queue(ctx, pollable=True)


@builtin(
    "send",
    category=_FAMILY,
    device=SESSION,
    signatures=("send(q, value)",),
    cases=("q = parallel.pool.PollableDataQueue; send(q, 'a'); strcmp(poll(q), 'a')",),
    see=("poll", "parallel.pool.DataQueue"),
)
def send(ctx: Context, queue: Value, value: Value) -> Value:
    """Send a value to a queue of the script, from wherever this runs."""
    if not isinstance(queue, DataQueue):
        raise MatlabError("parallel:queue:NotAQueue", "send takes a queue and a value.")
    worker = parallel_of(ctx).worker
    if worker is None:
        _receive_value(ctx, queue.number, value)
    else:
        worker.send_data(queue.number, value)
    return ()


@builtin(
    "poll",
    category=_FAMILY,
    device=SESSION,
    signatures=("[value, ok] = poll(q)", "[value, ok] = poll(q, seconds)"),
    cases=("q = parallel.pool.PollableDataQueue; isempty(poll(q))",),
    see=("send", "parallel.pool.PollableDataQueue"),
)
def poll(ctx: Context, queue: Value, seconds: Value = 0.0, *, nargout: int = 1) -> Value:
    """The oldest value of a queue, and whether there is one within some seconds."""
    if not isinstance(queue, DataQueue) or not queue.pollable:
        raise MatlabError("parallel:queue:NotPollable", "poll takes a PollableDataQueue.")
    inbox = _inbox(ctx, queue)
    end = time.monotonic() + float_of(seconds)
    _pump(ctx)
    while not inbox and time.monotonic() < end:
        ctx.host.poll()
        time.sleep(POLL_S / 4)
        _pump(ctx)
    found = bool(inbox)
    made = inbox.popleft() if found else EMPTY
    return (made, found) if nargout > 1 else made


def _pump(ctx: Context) -> None:
    """Take in what calls that are going on have sent."""
    for call in ctx.state.get("parallel.futures", {}).values():
        call.look()


def _listen(ctx: Context, queue: DataQueue, function: Value, *, nargout: int = 0) -> Value:
    queues = _queues(ctx)
    listeners = queues.listeners.setdefault(queue.number, [])
    listeners.append(function)
    held = queues.held.pop(queue.number, deque())
    for value in held:
        ctx.call(function, (value,), 0)
    return QueueListener(listeners, function) if nargout else ()


@builtin(
    "afterEach",
    category=_FAMILY,
    device=SESSION,
    signatures=("listener = afterEach(q, fun)", "g = afterEach(f, fun, nargout)"),
    cases=("q = parallel.pool.DataQueue; send(q, 1); afterEach(q, @(v) 0); q.QueueLength == 0",),
    see=("afterAll", "send", "parfeval"),
)
def after_each(ctx: Context, source: Value, *args: Value) -> Value:
    """Call a function with every value of a queue, or with the outputs of every call of futures.

    Functions of futures run when the script waits for or looks at one of them.
    """
    return _no_source("afterEach")


@builtin(
    "afterAll",
    category=_FAMILY,
    device=SESSION,
    signatures=("g = afterAll(f, fun, nargout)",),
    cases=("ischar(func2str(@afterAll))",),
    see=("afterEach", "parfeval"),
)
def after_all(ctx: Context, source: Value, *args: Value) -> Value:
    """Call a function with the outputs of all calls of futures, once all have ended."""
    return _no_source("afterAll")


def _no_source(name: str) -> Value:
    raise MatlabError("parallel:queue:BadArguments", f"{name} takes a queue or futures first.")


@native_type
class Constant(NativeObject):
    """A value that workers have for themselves.

    Attributes:
        key: it is known by.
        value: the value, or the function that makes it.
        made: whether ``value`` makes it.
    """

    class_name = "parallel.pool.Constant"
    is_handle = True

    def __init__(self, key: str, value: Value, *, made: bool) -> None:
        self.key, self.value, self.made = key, value, made

    def get_member(
        self, ctx: Context, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``c.Value``: made once in every process where a function makes it."""
        if name != "Value":
            raise no_member(self.class_name, name)
        value = self._value_in_process(ctx) if self.made else self.value
        return value if args is None else paren(value, *args)

    def _value_in_process(self, ctx: Context) -> Value:
        built: dict[str, Value] = ctx.state.setdefault(_BUILT, {})
        if self.key not in built:
            built[self.key] = ctx.call(self.value, (), 1)[0]
        return built[self.key]

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        return ["Value"]

    def set_member(self, ctx: Context, name: str, value: Value) -> NativeObject:
        """Nothing of it can be changed."""
        text = f"'{name}' of a {self.class_name} cannot be set: it is constant."
        raise MatlabError("MATLAB:class:SetProhibited", text)

    def show(self, name: str, style: DisplayFormat) -> str:
        """The value, or the function that makes it."""
        return properties_text("Constant", {"Value": self.value}, style)


@builtin(
    "parallel.pool.Constant",
    category=_FAMILY,
    device=SESSION,
    signatures=("c = parallel.pool.Constant(value)", "c = parallel.pool.Constant(fun)"),
    cases=("c = parallel.pool.Constant(@() 3); c.Value == 3",),
    see=("parallel.pool.DataQueue", "parfeval"),
)
def constant(ctx: Context, value: Value, cleanup: Value | None = None) -> Value:
    """A value for the workers; a function is called once in every process that reads ``Value``."""
    if cleanup is not None:
        text = "A cleanup function of a Constant is not supported: workers forget it as they end."
        raise MatlabError("parallel:constant:Cleanup", text)
    key = f"{os.getpid()}.{next(_numbers)}"
    return Constant(key, value, made=isinstance(value, FunctionHandle))


@builtin(
    "ticBytes",
    category=_FAMILY,
    device=SESSION,
    signatures=("ticBytes(pool)", "start = ticBytes(pool)"),
    cases=("ischar(func2str(@ticBytes))",),
    see=("tocBytes",),
)
def tic_bytes(ctx: Context, pool: Value = None, *, nargout: int = 0) -> Value:
    """Begin to count the bytes that go to and come from the workers."""
    parallel = parallel_of(ctx)
    parallel.marked = parallel.traffic()
    return canonical_bytes(parallel.marked) if nargout else ()


@builtin(
    "tocBytes",
    category=_FAMILY,
    device=SESSION,
    signatures=("bytes = tocBytes(pool)", "tocBytes(pool)"),
    cases=("ischar(func2str(@tocBytes))",),
    see=("ticBytes",),
)
def toc_bytes(ctx: Context, pool: Value = None, start: Value = None, *, nargout: int = 0) -> Value:
    """Bytes sent to and received from every worker since ticBytes, a row per worker.

    What went through shared memory is not copied to workers and not counted.
    """
    parallel = parallel_of(ctx)
    marked = parallel.marked if start is None else as_array(start)
    now = parallel.traffic()
    made = now - marked if now.shape == np.shape(marked) else now
    if nargout:
        return canonical_bytes(made)
    rows = "".join(f"{k + 1:10d}{row[0]:18.0f}{row[1]:22.0f}\n" for k, row in enumerate(made))
    ctx.write(f"    Worker    BytesSentToWorkers    BytesReceivedFromWorkers\n{rows}")
    return ()


def canonical_bytes(rows: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Value:
    """Counts as a matrix of two columns."""
    return np.asfortranarray(rows)
