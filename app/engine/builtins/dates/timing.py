"""Time: tic, toc, clock, cputime, now, pause, etime."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.node import toposort
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.arrays.native_arrays import no_conversion
from app.engine.declarations.registry import builtin
from app.engine.values import (
    DeviceArray,
    FunctionHandle,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "time"
_KEY = "tic"
_PAUSING = "pause"


def finish_device_work(ctx: CallContext) -> None:
    """Compute what is still lazy and wait for the device, so that measured times are true.

    What only another lazy variable needs stays inside its kernel, and what a kernel has worked
    out on its way to something else counts as done.
    """
    runtime = getattr(ctx, "runtime", None)
    if runtime is None:
        return
    workspace = ctx.workspace()
    held = [workspace.get(name) for name in workspace.names()]
    pending = [v.node for v in held if type(v) is DeviceArray and v.node.inputs]
    inner = set(toposort(operand for node in pending for operand in node.inputs))
    results = [node for node in pending if node not in inner and not node.demands]
    if results:
        runtime.evaluate(results, "needs-host-value: toc")
    runtime.synchronize()


@builtin(
    "tic",
    category=_FAMILY,
    signatures=("tic", "t = tic"),
    cases=("t = tic; toc(t) >= 0",),
    see=("toc", "timeit"),
)
def tic(ctx: CallContext, *, nargout: int = 0) -> Value:
    """Start the stopwatch; with an output, a stopwatch of its own."""
    started = time.perf_counter_ns()
    if nargout:
        return np.array([[started // 1000]], dtype=np.uint64)
    ctx.state[_KEY] = started
    return ()


@builtin(
    "toc",
    category=_FAMILY,
    signatures=("toc", "t = toc", "t = toc(timer)"),
    cases=("tic; toc < 60",),
    see=("tic",),
)
def toc(ctx: CallContext, timer: Value | None = None, *, nargout: int = 0) -> Value:
    """Seconds since tic; printed when there is no output."""
    finish_device_work(ctx)
    started = ctx.state.get(_KEY) if timer is None else int_of(timer) * 1000
    if started is None:
        text = (
            "You must call 'tic' without an output argument before calling 'toc' without an "
            "input argument."
        )
        raise MatlabError("MATLAB:toc:callTicFirstNoInputs", text)
    elapsed = (time.perf_counter_ns() - started) / 1e9
    if nargout:
        return elapsed
    ctx.write(f"Elapsed time is {elapsed:.6f} seconds.\n")
    return ()


@builtin(
    "clock", category=_FAMILY, signatures=("c = clock",), cases=("numel(clock) == 6",), see=("tic",)
)
def clock() -> Value:
    """Date and time as [year month day hour minute seconds]."""
    t = datetime.now().astimezone()
    return np.array([[t.year, t.month, t.day, t.hour, t.minute, t.second + t.microsecond / 1e6]])


@builtin(
    "time",
    category=_FAMILY,
    signatures=("t = time", "d = time(c)"),
    cases=("time > 1e9",),
    see=("now", "calendarDuration"),
)
def time_(c: Value = None) -> Value:
    """Seconds since 1970 (Octave's), or the time of day in a calendar duration."""
    if c is not None:
        raise no_conversion(c, "calendarDuration")
    return time.time()


@builtin(
    "cputime", category=_FAMILY, signatures=("t = cputime",), cases=("cputime >= 0",), see=("tic",)
)
def cputime() -> Value:
    """CPU seconds used so far."""
    return time.process_time()


@builtin(
    "etime",
    category=_FAMILY,
    signatures=("s = etime(t1, t0)",),
    cases=("etime([2020 1 1 0 0 5], [2020 1 1 0 0 0]) == 5",),
    see=("clock",),
)
def etime(end: Value, start: Value) -> Value:
    """Seconds between two clock vectors."""
    from app.engine.builtins.dates.date_text import numbers_of  # reads texts, which takes a while

    first, last = as_array(start).reshape(-1, 6), as_array(end).reshape(-1, 6)
    days = numbers_of(last[:, :3]) - numbers_of(first[:, :3])
    clock_time = (last[:, 3:] - first[:, 3:]) @ np.array([[3600.0], [60.0], [1.0]])
    return canonical(days.reshape(-1, 1) * 86400 + clock_time)


def _pausing(ctx: CallContext, wanted: str, nargout: int) -> Value:
    """Let scripts wait or not; the state before, where it is asked for."""
    before = "on" if ctx.state.get(_PAUSING, True) else "off"
    if wanted not in {"on", "off", "query"}:
        text = "Argument to pause must be a number of seconds, 'on', 'off' or 'query'."
        raise MatlabError("MATLAB:pause:InvalidInputArgument", text)
    if wanted != "query":
        ctx.state[_PAUSING] = wanted == "on"
    return before if nargout or wanted == "query" else ()


def _wait_for_key(ctx: Context) -> None:
    """Wait for a key, unless input has ended."""
    try:
        ctx.host.read_line("", any_key=True)
    except MatlabError as problem:
        if problem.identifier != "MATLAB:input:noInput":
            raise


@builtin(
    "pause",
    category=_FAMILY,
    signatures=("pause(seconds)", "pause", 'old = pause("on" | "off" | "query")'),
    cases=(
        "t = tic; pause(0.01); toc(t) >= 0.01",
        "pause('off'); t = tic; pause(5); old = pause('on'); toc(t) < 4 && strcmp(old, 'off')",
    ),
    see=("input",),
)
def pause(ctx: Context, seconds: Value | None = None, *, nargout: int = 0) -> Value:
    """Wait; figures are redrawn meanwhile. Without an argument, until a key is pressed.

    Where nobody can press a key, because input has ended, the script goes on. ``pause off`` makes
    all waits end at once until ``pause on``.
    """
    if seconds is not None and is_text_scalar(seconds):
        return _pausing(ctx, text_of(seconds), nargout)
    figures = ctx.state.get("figures")
    if figures is not None:
        figures.flush()
    if not ctx.state.get(_PAUSING, True):
        return ()
    if seconds is None:
        _wait_for_key(ctx)
        return ()
    end = time.monotonic() + max(0.0, float_of(seconds))
    while True:
        poll = getattr(getattr(ctx, "host", None), "poll", None)
        if poll is not None:
            poll()
        if figures is not None:
            figures.inputs.serve()
        timers = ctx.state.get("timers")
        due = None
        if timers is not None:
            timers.serve()
            due = timers.soonest()
        left = end - time.monotonic()
        if left <= 0:
            return ()
        time.sleep(min(left, 0.05, 0.05 if due is None else due))


@builtin(
    "timeit",
    category=_FAMILY,
    signatures=("t = timeit(f)",),
    cases=("timeit(@() 1) < 1",),
    see=("tic",),
)
def timeit(ctx: CallContext, function: Value, outputs: Value = 1.0) -> Value:
    """Typical seconds of one call of a function without inputs."""
    if not isinstance(function, FunctionHandle):
        raise MatlabError("MATLAB:timeit:isFunctionHandle", "Input must be a function handle.")
    nargout = int_of(outputs)
    runs: list[float] = []
    began = time.perf_counter()
    while len(runs) < 3 or (len(runs) < 25 and time.perf_counter() - began < 1.0):
        started = time.perf_counter()
        ctx.call(function, (), nargout)
        finish_device_work(ctx)
        runs.append(time.perf_counter() - started)
    return float(np.median(runs))
