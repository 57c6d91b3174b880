"""``timer`` objects: functions that are called later, or again and again.

Callbacks run where MATLAB runs them: in ``pause``, ``drawnow`` and functions that wait, and when
no script runs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import receiver
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.declarations.registry import native_type
from app.engine.values import (
    EMPTY,
    Cell,
    FunctionHandle,
    NativeObject,
    Struct,
    Value,
    as_array,
    canonical,
    class_of,
    float_of,
    is_text_scalar,
    text_of,
)
from app.engine.values.containers import no_member
from app.errors import Interrupted, MatlabError

_KEY = "timers"
_MODES = ("singleShot", "fixedSpacing", "fixedDelay", "fixedRate")
_WORDS = {
    "ExecutionMode": _MODES,
    "BusyMode": ("drop", "error", "queue"),
    "ObjectVisibility": ("on", "off"),
}
_FIXED = ("AveragePeriod", "InstantPeriod", "Running", "TasksExecuted", "Type")
_CALLBACKS = ("TimerFcn", "StartFcn", "StopFcn", "ErrorFcn")


class Schedule:
    """The timers of one session."""

    def __init__(self, ctx: CallContext) -> None:
        self.ctx = ctx
        self.timers: list[Timer] = []
        self.made = 0
        self._busy = False

    def soonest(self) -> float | None:
        """Seconds until a timer is due; None when none runs."""
        due = [t.due for t in self.timers if t.running]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def serve(self) -> None:
        """Call what is due; nothing while a callback runs."""
        if self._busy:
            return
        self._busy = True
        try:
            now = time.monotonic()
            for timer in sorted((t for t in self.timers if t.running), key=lambda t: t.due):
                if timer.running and timer.due <= now:
                    timer.fire(self.ctx)
        finally:
            self._busy = False


def schedule_of(ctx: CallContext) -> Schedule:
    """The session's timers."""
    found = ctx.state.get(_KEY)
    if found is None:
        found = ctx.state[_KEY] = Schedule(ctx)
    return found


@native_type
class Timer(NativeObject):
    """One timer; a handle.

    Attributes:
        values: its properties.
        running: whether it is started.
        due: when it is to be called next, by the clock of ``time.monotonic``.
        valid: False once it is deleted.
    """

    class_name = "timer"
    superclasses = ("handle",)
    is_handle = True
    travels = False

    def __init__(self, number: int) -> None:
        self.values: dict[str, Value] = {
            "AveragePeriod": np.nan,
            "BusyMode": "drop",
            "ErrorFcn": "",
            "ExecutionMode": "singleShot",
            "InstantPeriod": np.nan,
            "Name": f"timer-{number}",
            "ObjectVisibility": "on",
            "Period": 1.0,
            "Running": "off",
            "StartDelay": 0.0,
            "StartFcn": "",
            "StopFcn": "",
            "Tag": "",
            "TasksExecuted": 0.0,
            "TasksToExecute": np.inf,
            "TimerFcn": "",
            "Type": "timer",
            "UserData": EMPTY,
        }
        self.due = 0.0
        self.valid = True
        self._called: list[float] = []

    @property
    def running(self) -> bool:
        """Whether it is started."""
        return bool(self.values["Running"] == "on")

    # --- properties ---

    def name_of(self, given: str) -> str:
        """The property that a name, in any case, means."""
        found = next((n for n in self.values if n.lower() == given.lower()), None)
        if found is None:
            raise no_member("timer", given)
        return found

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``t.Period``, and functions in dot form."""
        if name in self.methods():
            return self.methods()[name](ctx, (self, *(args or ())), nargout)
        found = self.values[self.name_of(name)]
        if args:
            from app.engine.interpreter.indexing.index_read import paren

            return paren(found, *args)
        return found

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``t.Period = …``, checked."""
        name = self.name_of(name)
        if name in _FIXED:
            raise MatlabError("MATLAB:timer:readonly", f"'{name}' is a read-only property.")
        if name in _WORDS:
            value = self._word(name, value)
        if name in ("Period", "StartDelay", "TasksToExecute"):
            value = self._number(name, value)
        if (
            name == "TimerFcn"
            and not isinstance(value, FunctionHandle | Cell)
            and (not is_text_scalar(value))
        ):
            raise MatlabError(
                "MATLAB:timer:incorrectFcn", "A callback must be a function, a text or a cell."
            )
        self.values[name] = value
        return self

    def _word(self, name: str, value: Value) -> str:
        given = text_of(value).lower() if is_text_scalar(value) else ""
        found = [w for w in _WORDS[name] if given and w.lower().startswith(given)]
        if not found:
            text = f"{name} must be one of: {', '.join(_WORDS[name])}."
            raise MatlabError("MATLAB:timer:badEnum", text)
        return found[0]

    def _number(self, name: str, value: Value) -> float:
        if self.running and name != "TasksToExecute":
            text = f"Cannot set '{name}' while the timer is running."
            raise MatlabError("MATLAB:timer:running", text)
        number = (
            float_of(value) if class_of(value) != "char" and (as_array(value).size == 1) else np.nan
        )
        least = {"Period": 0.001, "StartDelay": 0.0, "TasksToExecute": 1.0}[name]
        if not number >= least:
            raise MatlabError("MATLAB:timer:outOfRange", f"{name} must be {least:g} or more.")
        return number

    # --- running ---

    def start(self, ctx: CallContext) -> None:
        """Begin; the first call comes after the delay."""
        if not self.valid:
            raise MatlabError("MATLAB:timer:invalid", "The timer has been deleted.")
        if self.running:
            text = "Cannot start timer because it is already running."
            raise MatlabError("MATLAB:timer:start:alreadystarted", text)
        if self.values["TimerFcn"] == "":
            text = "The timer has no TimerFcn to call."
            raise MatlabError("MATLAB:timer:start:noTimerFcn", text)
        self.values |= {
            "Running": "on",
            "TasksExecuted": 0.0,
            "AveragePeriod": np.nan,
            "InstantPeriod": np.nan,
        }
        self._called = []
        self.call(ctx, "StartFcn")
        self.due = time.monotonic() + float_of(self.values["StartDelay"])

    def stop(self, ctx: CallContext) -> None:
        """End, if it runs."""
        if self.running:
            self.values["Running"] = "off"
            self.call(ctx, "StopFcn")

    def fire(self, ctx: CallContext) -> None:
        """Call the function once, and find out when to call it next."""
        started, planned = time.monotonic(), self.due
        self._called.append(started)
        self.values["TasksExecuted"] = float(len(self._called))
        gaps = np.diff(self._called)
        if gaps.size:
            self.values |= {"InstantPeriod": float(gaps[-1]), "AveragePeriod": float(gaps.mean())}
        fine = self.call(ctx, "TimerFcn")
        mode, period = self.values["ExecutionMode"], float_of(self.values["Period"])
        once = mode == "singleShot" or len(self._called) >= float_of(self.values["TasksToExecute"])
        if not fine or once:
            self.stop(ctx)
            return
        base: float = (
            planned
            if mode == "fixedRate"
            else (time.monotonic() if mode == "fixedSpacing" else started)
        )
        self.due = (
            max(base + period, time.monotonic())
            if mode != "fixedRate"
            else (base + period * max(1, np.ceil((time.monotonic() - base) / period)))
        )

    def call(self, ctx: CallContext, name: str) -> bool:
        """Run one of the callbacks; False when it failed."""
        callback = self.values[name]
        extra: tuple[Value, ...] = ()
        if isinstance(callback, Cell):
            callback, *rest = callback.items()
            extra = tuple(rest)
        event = Struct({"Type": name, "Data": Struct({"time": _clock()})})
        try:
            if isinstance(callback, FunctionHandle):
                ctx.call(callback, (self, event, *extra), 0)
            elif extra:
                ctx.call(text_of(callback), (self, event, *extra), 0)
            elif callback != "":
                ctx.evaluate(text_of(callback), 0, "base")
        except Interrupted:  # what was stopped does not begin again
            self.values["Running"] = "off"
            raise
        except MatlabError as problem:
            text = f"Error while evaluating {name} for timer '{self.values['Name']}'"
            ctx.write_error(f"{text}\n\n{problem.message}\n\n")
            if name == "TimerFcn":
                self.call(ctx, "ErrorFcn")
            return False
        return True

    def methods(self) -> dict[str, Callable[..., Value]]:
        """start, stop, wait, delete, isvalid, get and set."""
        return _METHODS

    def members(self) -> list[str]:
        """The properties."""
        return list(self.values)

    def show(self, name: str, style: Any) -> str:
        """Settings and callbacks."""
        v = self.values
        lines = ["  Timer Object: " + text_of(v["Name"]), "", "  Timer Settings"]
        lines += [
            f"    {n:>14}: {v[n] if isinstance(v[n], str) else f'{v[n]:g}'}"
            for n in ("ExecutionMode", "Period", "BusyMode", "Running")
        ]
        lines += ["", "  Callbacks"]
        lines += [f"    {n:>14}: {_callback_text(v[n])}" for n in _CALLBACKS]
        return "\n".join(lines) + "\n"


def _callback_text(callback: Value) -> str:
    if isinstance(callback, FunctionHandle):
        return callback.text if callback.text.startswith("@") else f"@{callback.text}"
    return "1×n cell array" if isinstance(callback, Cell) else f"'{text_of(callback)}'"


def _clock() -> Value:
    moment = time.time()
    now = time.localtime(moment)
    seconds = now.tm_sec + moment % 1
    return canonical(np.array([[*now[:5], seconds]], dtype=np.float64))


def _wait(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    timer = receiver(args, Timer)
    if (
        timer.running
        and timer.values["ExecutionMode"] != "singleShot"
        and math.isinf(float_of(timer.values["TasksToExecute"]))
    ):
        text = "Cannot wait for a timer whose TasksToExecute is infinite."
        raise MatlabError("MATLAB:timer:wait:infinite", text)
    _serve_while(ctx, lambda: bool(timer.running))
    return ()


def _serve_while(ctx: CallContext, holds: Callable[[], bool]) -> None:
    """Let timers fire as long as something holds and one of them runs."""
    schedule = schedule_of(ctx)
    while holds() and schedule.soonest() is not None:
        poll = getattr(getattr(ctx, "host", None), "poll", None)
        if poll is not None:
            poll()
        schedule.serve()
        time.sleep(min(schedule.soonest() or 0.0, 0.02))


def _wait_for(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """``waitfor(t)``: until the timer is deleted, or no timer runs that could do that."""
    timer = receiver(args, Timer)
    if len(args) > 1:
        text = "waitfor of a timer waits for its deletion only; wait(t) waits until it stops."
        raise MatlabError("MATLAB:timer:waitfor", text)
    _serve_while(ctx, lambda: bool(timer.valid))
    return ()


def _delete(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    for timer in args:
        if not isinstance(timer, Timer):
            raise undefined_for_class("delete", timer)
        timer.stop(ctx)
        timer.valid = False
        schedule = schedule_of(ctx)
        schedule.timers = [t for t in schedule.timers if t is not timer]
    return ()


def _get(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    timer = receiver(args, Timer)
    if len(args) > 1:
        return timer.values[timer.name_of(text_of(args[1]))]
    return Struct(dict(timer.values))


def set_all(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """``set(t, name, value, …)``."""
    if len(args) % 2 == 0:
        raise MatlabError("MATLAB:timer:invalidPairs", "Properties need a name and a value each.")
    timer = receiver(args, Timer)
    for name, value in zip(args[1::2], args[2::2], strict=True):
        timer.set_member(ctx, text_of(name), value)
    return ()


_METHODS: dict[str, Callable[..., Value]] = {
    "start": lambda ctx, args, n: args[0].start(ctx) or (),
    "stop": lambda ctx, args, n: args[0].stop(ctx) or (),
    "isvalid": lambda ctx, args, n: args[0].valid,
    "wait": _wait,
    "waitfor": _wait_for,
    "delete": _delete,
    "get": _get,
    "set": set_all,
}
