"""Making, starting, stopping and finding timers."""

from __future__ import annotations

import time

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.dates.timer_class import Timer, schedule_of, set_all
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Cell,
    Value,
    as_array,
    float_of,
    is_numeric_like,
    object_array,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "time"


@builtin(
    "timer",
    category=_FAMILY,
    least=0,
    signatures=("t = timer", "t = timer(name, value, ...)"),
    cases=(
        "n = 0; t = timer('TimerFcn', 'n = n + 1;', 'Period', 0.01, 'TasksToExecute', 3, "
        "'ExecutionMode', 'fixedRate'); start(t); wait(t); delete(t); n == 3",
        "t = timer; strcmp(t.ExecutionMode, 'singleShot') && t.Period == 1",
    ),
    see=("start", "stop", "timerfind", "pause"),
)
def timer(ctx: CallContext, *args: Value) -> Value:
    """An object that calls a function later, or again and again.

    ``TimerFcn`` is a function of the timer and an event, a text, or a cell of a function and more
    inputs. ``ExecutionMode`` is singleShot, fixedSpacing, fixedDelay or fixedRate; ``Period``,
    ``StartDelay`` and ``TasksToExecute`` say when and how often; ``StartFcn``, ``StopFcn`` and
    ``ErrorFcn`` are called as well. Callbacks run in ``pause``, ``drawnow`` and ``wait``, and when
    no script runs.
    """
    schedule = schedule_of(ctx)
    schedule.made += 1
    made = Timer(schedule.made)
    set_all(ctx, (made, *args), 0)
    schedule.timers.append(made)
    return made


def declare_control(name: str, summary: str, case: str) -> None:
    """Declare a function that only timers understand."""

    def call(ctx: CallContext, t: Value) -> Value:
        timers = t.items() if isinstance(t, Cell) else [t]
        for one in timers:
            if not isinstance(one, Timer):
                raise undefined_for_class(name, t)
            one.methods()[name](ctx, (one,), 0)
        return ()

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"{name}(t)",),
        text=summary,
        cases=(case,),
        see=("timer",),
    )(call)


declare_control(
    "start",
    "Start a timer, or several as timerfind gives them.",
    "t = timer('TimerFcn', '1;', 'StartDelay', 9); start(t); r = t.Running; "
    "delete(t); strcmp(r, 'on')",
)
declare_control(
    "stop",
    "Stop a timer, or several as timerfind gives them.",
    "t = timer('TimerFcn', '1;', 'StartDelay', 9); start(t); stop(t); strcmp(t.Running, 'off')",
)


@builtin(
    "startat",
    category=_FAMILY,
    signatures=("startat(t, time)",),
    cases=("t = timer('TimerFcn', 'x = 5;'); startat(t, now + 0.01/86400); wait(t); x == 5",),
    see=("timer", "start"),
)
def startat(ctx: CallContext, t: Value, when: Value) -> Value:
    """Start a timer that fires at a date: a date number, a date vector, a datetime or a text."""
    if not isinstance(t, Timer):
        raise undefined_for_class("startat", t)
    number = when if is_numeric_like(when) else ctx.call("datenum", (when,), 1)[0]
    number = ctx.call("datenum", (number,), 1)[0] if as_array(number).size > 1 else number
    now = ctx.call("now", (), 1)[0]
    ahead = (float_of(number) - float_of(now)) * 86400
    if ahead < -1:
        text = "The time to start at must not be in the past."
        raise MatlabError("MATLAB:timer:startat:past", text)
    t.start(ctx)
    t.due = time.monotonic() + max(ahead, 0.0)
    return ()


def _matching_timers(ctx: CallContext, args: tuple[Value, ...], *, hidden: bool) -> Value:
    wanted = [(text_of(n), v) for n, v in zip(args[::2], args[1::2], strict=False)]
    from app.engine.builtins.arrays.predicates import equal

    found = [
        t
        for t in schedule_of(ctx).timers
        if (hidden or t.values["ObjectVisibility"] == "on")
        and all(equal(t.values[t.name_of(n)], v) for n, v in wanted)
    ]
    if not found:
        return EMPTY
    return found[0] if len(found) == 1 else Cell(object_array(found))


@builtin(
    "timerfind",
    category=_FAMILY,
    signatures=("t = timerfind", "t = timerfind(name, value)"),
    cases=(
        "t = timer('Tag', 'mine'); f = timerfind('Tag', 'mine'); delete(t); "
        "strcmp(f.Tag, 'mine') && isempty(timerfind('Tag', 'mine'))",
    ),
    see=("timer", "timerfindall"),
)
def timerfind(ctx: CallContext, *args: Value) -> Value:
    """The timers that exist, or those with given properties; a cell when there are several."""
    return _matching_timers(ctx, args, hidden=False)


@builtin(
    "timerfindall",
    category=_FAMILY,
    signatures=("t = timerfindall", "t = timerfindall(name, value)"),
    cases=(
        "t = timer('Tag', 'x', 'ObjectVisibility', 'off'); f = timerfindall('Tag', 'x'); "
        "delete(t); strcmp(f.Tag, 'x')",
    ),
    see=("timerfind",),
)
def timerfindall(ctx: CallContext, *args: Value) -> Value:
    """The timers that exist, hidden ones among them."""
    return _matching_timers(ctx, args, hidden=True)
