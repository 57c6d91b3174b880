"""parfeval and its futures: functions that workers call while the script goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from app.engine.arguments.checks import switch_of
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.parallel.feval_call import CALLS, Call
from app.engine.builtins.parallel.pools import PoolObject, properties_text
from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin, native_type
from app.engine.interpreter.error_conversion import as_matlab
from app.engine.interpreter.indexing.index_read import CommaList, of_elements
from app.engine.interpreter.objects.mexception import MException
from app.engine.parallel.parallel import parallel_of
from app.engine.parallel.pool import POLL_S
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    FunctionHandle,
    NativeObject,
    Value,
    float_of,
    int_of,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context
    from app.engine.values.display_format import DisplayFormat

_FAMILY = "parallel"
_KEY = "parallel.futures"
_EVENTS = ("Create", "Start", "Finish")
_SHOWN = (
    "ID",
    "Function",
    "CreateDateTime",
    "StartDateTime",
    "RunningDuration",
    "State",
    "Read",
    "Error",
)


@native_type
class FutureArray(NativeArray):
    """Futures: the numbers of calls, NaN where there is none yet."""

    class_name = "parallel.FevalFuture"
    superclasses = ("parallel.Future", "handle")
    is_handle = True
    travels = False
    shown_inline = False

    def like(self, data: Array) -> FutureArray:
        """Futures of other calls."""
        return FutureArray(data)

    def accept(self, v: Value) -> FutureArray:
        """Only futures can stand among futures."""
        if isinstance(v, FutureArray):
            return v
        text = "Only futures can be put into an array of futures."
        raise MatlabError("MATLAB:invalidConversion", text)

    def array_with(self, ctx: Context, args: tuple[Value, ...]) -> NativeObject:
        """An array that holds these futures at some places, with none at the others."""
        return FutureArray(np.zeros((0, 0))).paren_set(ctx, args, self)

    def texts(self) -> list[str | None]:
        """The numbers of the calls."""
        return [None if n != n else str(int(n)) for n in self.data.ravel(order="F").tolist()]

    def calls(self, ctx: Context) -> list[Call]:
        """The calls, in order."""
        known: dict[int, Call] = ctx.state.setdefault(_KEY, {})
        flat = self.data.ravel(order="F").tolist()
        if any(n != n for n in flat):
            text = "A future of the array stands for no call yet."
            raise MatlabError("parallel:fevalqueue:Unavailable", text)
        return [known[int(n)] for n in flat]

    def get_member(
        self, ctx: Context, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``f.State`` and the other properties; of an array a value per element.

        ``empty`` is the static method of the class: futures that there are none of.
        """
        if name == "empty":
            sizes = [int_of(a) for a in args or (0.0, 0.0)]
            return FutureArray(np.zeros((*sizes, sizes[0])[:2] if len(sizes) < 2 else sizes))
        return of_elements(CommaList(_property(call, name) for call in self.calls(ctx)), args)

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        return [
            *_SHOWN,
            "FinishDateTime",
            "NumOutputArguments",
            "InputArguments",
            "Diary",
            "Parent",
        ]

    def show(self, name: str, style: DisplayFormat) -> str:
        """What is known of a call as it was when somebody looked last; of several their numbers."""
        call = CALLS.get(int(np.nan_to_num(self.data.flat[0]))) if self.data.size == 1 else None
        if call is not None:
            shown = {n: _property(call, n) for n in _SHOWN}
            return properties_text("FevalFuture", shown, style)
        size = "x".join(map(str, self.data.shape))
        numbers = ", ".join(t or "none" for t in self.texts())
        return f"  {size} FevalFuture array with ID {numbers}\n"

    def methods(self) -> dict[str, Callable[..., Value]]:
        """What waits for futures, takes their outputs and follows them."""
        return {
            "isvalid": lambda ctx, args, n: unwrap(~np.isnan(args[0].data)),
            "wait": lambda ctx, args, n: _wait(ctx, *args),
            "cancel": lambda ctx, args, n: _cancel(ctx, args[0]),
            "fetchNext": lambda ctx, args, n: fetch_next(ctx, *args, nargout=n),
            "fetchOutputs": lambda ctx, args, n: fetch_outputs(ctx, *args, nargout=n),
            "afterEach": lambda ctx, args, n: after_each(ctx, *args),
            "afterAll": lambda ctx, args, n: after_all(ctx, *args),
        }


def _property(call: Call, name: str) -> Value:
    call.look()
    known: dict[str, Callable[[], Value]] = {
        "ID": lambda: float(call.number),
        "State": lambda: "finished" if call.state == "failed" else call.state,
        "Function": lambda: call.function,
        "InputArguments": lambda: Cell.of(call.args),
        "OutputArguments": lambda: Cell.of(call.outputs),
        "NumOutputArguments": lambda: float(call.nargout),
        "Error": lambda: EMPTY if call.error is None else MException(call.error),
        "Diary": lambda: call.diary,
        "Read": lambda: call.read,
        "RunningDuration": lambda: _running(call),
        "Parent": FevalQueue,
        **{f"{event}DateTime": partial(_moment, call, event) for event in _EVENTS},
    }
    if name not in known:
        raise no_member("parallel.FevalFuture", name)
    return known[name]()


def _moment(call: Call, event: str) -> Value:
    """When a call was created, started or finished; NaT where it was not yet."""
    seconds = call.times.get(event, np.nan) + call.epoch
    told = (seconds, "ConvertFrom", "posixtime", "TimeZone", "local")
    return call.ctx.call("datetime", told, 1)[0]


def _running(call: Call) -> Value:
    """How long a call has been running, or took."""
    now = time.monotonic()
    spent = call.times.get("Finish", now) - call.times.get("Start", now)
    return call.ctx.call("duration", (0.0, 0.0, spent), 1)[0]


def _future_array(calls: Sequence[Call], shape: tuple[int, ...] = (1, 1)) -> FutureArray:
    numbers: Array = np.array([float(c.number) for c in calls])
    return FutureArray(numbers.reshape(shape, order="F"))


def _submit(args: tuple[Value, ...], name: str) -> tuple[Value, int, tuple[Value, ...]]:
    """Function, number of outputs and inputs of a call."""
    if args and isinstance(args[0], PoolObject):
        args = args[1:]
    if len(args) < 2 or not (isinstance(args[0], FunctionHandle) or is_text_scalar(args[0])):
        text = f"{name} takes a function, the number of its outputs and its inputs."
        raise MatlabError("parallel:fevalqueue:BadArguments", text)
    return args[0], int_of(args[1]), args[2:]


@builtin(
    "parfeval",
    category=_FAMILY,
    device=SESSION,
    signatures=("f = parfeval(fun, nargout, x1, ...)", "f = parfeval(pool, fun, nargout, x1, ...)"),
    cases=("ischar(func2str(@() parfeval(@sin, 1, 0)))",),
    see=("fetchOutputs", "fetchNext", "parfevalOnAll", "afterEach"),
    least=2,
)
def parfeval(ctx: Context, *args: Value) -> Value:
    """Have a worker call a function, and go on: the answer is a future.

    A pool is started where there is none. The call has random numbers of its own, which follow
    from ``rng``.
    """
    function, nargout, given = _submit(args, "parfeval")
    call = Call(ctx, function, given, nargout)
    call.start()
    ctx.state.setdefault(_KEY, {})[call.number] = call
    return _future_array([call])


@builtin(
    "parfevalOnAll",
    category=_FAMILY,
    device=SESSION,
    signatures=("f = parfevalOnAll(fun, nargout, x1, ...)",),
    cases=("ischar(func2str(@() parfevalOnAll(@rng, 0, 1)))",),
    see=("parfeval",),
    least=2,
)
def parfeval_on_all(ctx: Context, *args: Value) -> Value:
    """Have every worker call a function; fetchOutputs puts the outputs of all below each other."""
    function, nargout, given = _submit(args, "parfevalOnAll")
    calls = []
    for worker in range(parallel_of(ctx).pool_or_start().size):
        call = Call(ctx, function, given, nargout)
        call.start(only=worker + 1)
        ctx.state.setdefault(_KEY, {})[call.number] = call
        calls.append(call)
    return _future_array(calls, (len(calls), 1))


@builtin(
    "parallel.FevalFuture",
    category=_FAMILY,
    device=SESSION,
    signatures=("f = parallel.FevalFuture",),
    cases=("f(3) = parallel.FevalFuture; numel(f) == 3",),
    see=("parfeval",),
)
def feval_future() -> Value:
    """A place for a future, to make an array of them."""
    return FutureArray(np.full((1, 1), np.nan))


@native_type
class FevalQueue(NativeObject):
    """The calls of a pool that have not ended: ``pool.FevalQueue``."""

    class_name = "parallel.FevalQueue"
    is_handle = True
    travels = False

    def get_member(
        self, ctx: Context, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``q.QueuedFutures`` and ``q.RunningFutures``."""
        states = {"QueuedFutures": "queued", "RunningFutures": "running"}
        if name not in states:
            raise no_member(self.class_name, name)
        calls = _calls_in(ctx, states[name])
        made = _future_array(calls, (len(calls), min(1, len(calls))))
        return made if args is None else made.paren_get(ctx, args)

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        return ["QueuedFutures", "RunningFutures"]

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``cancelAll``."""
        return {"cancelAll": lambda ctx, args, n: _cancel_all(ctx)}

    def show(self, name: str, style: object) -> str:
        """Its class."""
        return "  FevalQueue: the calls of a pool that have not ended\n"


@builtin(
    "parallel.FevalQueue",
    category=_FAMILY,
    device=SESSION,
    signatures=("q = parallel.FevalQueue",),
    cases=("isempty(parallel.FevalQueue().RunningFutures)",),
    see=("parfeval", "cancelAll"),
)
def feval_queue() -> Value:
    """The calls of the session's pool that have not ended, as ``pool.FevalQueue`` gives them."""
    return FevalQueue()


def _calls_in(ctx: Context, *states: str) -> list[Call]:
    """The calls of the session that are in one of some states."""
    known: dict[int, Call] = ctx.state.get(_KEY, {})
    return [c for c in known.values() if not c.look() and c.state in states]


def _cancel_all(ctx: Context) -> Value:
    for call in _calls_in(ctx, "queued", "running"):
        call.cancel()
    return ()


@builtin(
    "cancelAll",
    category=_FAMILY,
    device=SESSION,
    signatures=("cancelAll(pool.FevalQueue)",),
    cases=("ischar(func2str(@cancelAll))",),
    see=("cancel", "parfeval"),
)
def cancel_all(ctx: Context, queue: Value) -> Value:
    """Stop all calls of a pool, those that run and those that wait."""
    text = "cancelAll takes the FevalQueue of a pool."
    raise MatlabError("parallel:fevalqueue:BadArguments", text)


def _futures(ctx: Context, given: Value, name: str) -> list[Call]:
    if not isinstance(given, FutureArray):
        text = f"{name} takes futures as its first input."
        raise MatlabError("parallel:fevalqueue:BadArguments", text)
    return given.calls(ctx)


def _wait_until(ctx: Context, ended: Callable[[], bool], seconds: float = np.inf) -> bool:
    """Wait for something that the workers do; whether it came in time."""
    end = time.monotonic() + seconds
    while not ended():
        if time.monotonic() >= end:
            return False
        ctx.host.poll()
        time.sleep(min(POLL_S, 0.002))
    return True


@builtin(
    "fetchOutputs",
    category=_FAMILY,
    device=SESSION,
    signatures=("[y1, ...] = fetchOutputs(f)", "[y1, ...] = fetchOutputs(f, 'UniformOutput', tf)"),
    cases=("ischar(func2str(@fetchOutputs))",),
    see=("parfeval", "fetchNext"),
)
def fetch_outputs(ctx: Context, futures: Value, *options: Value, nargout: int = 1) -> Value:
    """Wait for calls and give their outputs, those of several below each other.

    The error of a call is raised. With ``'UniformOutput', false`` the outputs come in cells.
    """
    calls = _futures(ctx, futures, "fetchOutputs")
    uniform = True
    if options:
        if len(options) != 2 or text_of(options[0]).lower() != "uniformoutput":
            text = "The option of fetchOutputs is 'UniformOutput'."
            raise MatlabError("parallel:fevalqueue:BadArguments", text)
        uniform = switch_of("UniformOutput", options[1])
    _wait_until(ctx, lambda: all(c.look() for c in calls))
    for call in calls:
        call.read = True
        if call.error is not None:
            raise call.error
        if len(call.outputs) < nargout and call.nargout < nargout:
            text = "The calls were asked for fewer outputs than are fetched."
            raise MatlabError("parallel:fevalqueue:TooFewOutputs", text)
    made = []
    for k in range(max(nargout, 1) if calls[0].nargout else 0):
        items = [c.outputs[k] for c in calls]
        made.append(ctx.call("vertcat", tuple(items))[0] if uniform else _cell(items))
    return tuple(made)


def _cell(items: list[Value]) -> Value:
    return Cell.of(items, (len(items), 1))


@builtin(
    "fetchNext",
    category=_FAMILY,
    device=SESSION,
    signatures=("[k, y1, ...] = fetchNext(f)", "[k, y1, ...] = fetchNext(f, seconds)"),
    cases=("ischar(func2str(@fetchNext))",),
    see=("parfeval", "fetchOutputs"),
)
def fetch_next(ctx: Context, futures: Value, seconds: Value = np.inf, *, nargout: int = 1) -> Value:
    """Wait for the next call that ends and has not been fetched: its index and its outputs.

    The index is ``[]`` where none has ended in time. The error of the call is raised.
    """
    calls = _futures(ctx, futures, "fetchNext")
    left = [c for c in calls if not c.read]
    if not left:
        text = "All outputs of these futures have been read."
        raise MatlabError("parallel:fevalqueue:AllRead", text)
    limit = float_of(seconds)
    if not _wait_until(ctx, lambda: any(c.look() for c in left), limit):
        return (EMPTY,) * max(1, nargout)
    call = next(c for c in left if c.look())
    call.read = True
    if call.error is not None:
        raise call.error
    return (float(calls.index(call) + 1), *call.outputs[: max(0, nargout - 1)])


def _wait(ctx: Context, futures: Value, *options: Value) -> Value:
    calls = _futures(ctx, futures, "wait")
    rest = list(options)
    state = text_of(rest.pop(0)) if rest and is_text_scalar(rest[0]) else "finished"
    if state not in ("finished", "running"):
        text = "wait waits for the state 'finished' or 'running'."
        raise MatlabError("parallel:fevalqueue:BadState", text)
    seconds = float_of(rest[0]) if rest else np.inf

    def reached(call: Call) -> bool:
        return call.look() or (state == "running" and call.state == "running")

    return _wait_until(ctx, lambda: all(reached(c) for c in calls), seconds)


def _cancel(ctx: Context, futures: Value) -> Value:
    for call in _futures(ctx, futures, "cancel"):
        call.cancel()
    return ()


@builtin(
    "cancel",
    category=_FAMILY,
    device=SESSION,
    signatures=("cancel(f)",),
    cases=("ischar(func2str(@cancel))",),
    see=("parfeval",),
)
def cancel(ctx: Context, futures: Value) -> Value:
    """Stop calls that workers are at, and those that wait."""
    return _cancel(ctx, futures)


def after_each(ctx: Context, futures: Value, function: Value, nargout: Value = 0.0) -> Value:
    """Call a function with the outputs of each call, as soon as it is known that it has ended."""
    calls = _futures(ctx, futures, "afterEach")
    made = [_following(ctx, [call], function, int_of(nargout)) for call in calls]
    return _future_array(made, (1, len(made)))


def after_all(ctx: Context, futures: Value, function: Value, nargout: Value = 0.0) -> Value:
    """Call a function with the outputs of all calls, below each other, once all have ended."""
    calls = _futures(ctx, futures, "afterAll")
    return _future_array([_following(ctx, calls, function, int_of(nargout))])


def _following(ctx: Context, calls: list[Call], function: Value, nargout: int) -> _Following:
    """A call in this process, made when some others have ended."""
    made = _Following(ctx, calls, function, nargout)
    ctx.state.setdefault(_KEY, {})[made.number] = made
    for call in calls:
        call.after.append(made.follow)
    made.look()
    return made


class _Following(Call):
    """What afterEach and afterAll make: it runs here, after what it waits for."""

    def __init__(self, ctx: Context, calls: list[Call], function: Value, nargout: int) -> None:
        super().__init__(ctx, function, (), nargout)
        self.calls = calls
        self._busy = False

    def look(self) -> bool:
        """Run it if what it waits for has ended; whether it has run."""
        if self.state == "queued" and not self._busy:
            self._busy = True
            try:
                if all(c.look() for c in self.calls):
                    self._run()
            finally:
                self._busy = False
        return self.state in ("finished", "failed")

    def follow(self, call: Call) -> None:
        """One of the calls that it waits for has ended."""
        self.look()

    def _run(self) -> None:
        error = next((c.error for c in self.calls if c.error is not None), None)
        if error is not None:
            self.finish((), error)
            return
        outputs = [c.outputs for c in self.calls]
        if len(outputs) == 1:
            given = outputs[0]
        else:
            columns = zip(*outputs, strict=True)
            given = tuple(self.ctx.call("vertcat", column)[0] for column in columns)
        try:
            self.finish(self.ctx.call(self.function, given, self.nargout))
        except MatlabError as problem:
            self.finish((), as_matlab(problem))
