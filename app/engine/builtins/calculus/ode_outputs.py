"""What solvers of initial value problems tell: OutputFcn with OutputSel, Stats, odeplot."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import NUMBERS, takes
from app.engine.declarations.registry import builtin
from app.engine.figures.model import figures_of
from app.engine.values import (
    EMPTY,
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    numel,
    text_of,
    true_value,
)
from app.errors import MatlabError


class Watcher:
    """Calls an output function with the points of every step.

    Attributes:
        steps: steps accepted so far.
        stopped: whether the function asked for an end.
    """

    def __init__(self, ctx: CallContext, options: dict[str, Value]) -> None:
        given = options.get("OutputFcn")
        self.ctx, self.steps, self.stopped = ctx, 0, False
        self.function: Any = None
        if given is not None:
            self.function = given_function(ctx, given)
        chosen = options.get("OutputSel")
        self.chosen = slice(None) if chosen is None else as_array(chosen).ravel().astype(int) - 1

    def begin(self, times: Array, state: Array) -> None:
        """Before the first step."""
        if self.function is not None:
            first = canonical(state[self.chosen].reshape(-1, 1))
            self.ctx.call(self.function, (canonical(times.reshape(-1, 1)), first, "init"), 0)

    def step(self, times: list[float], states: list[Array]) -> bool:
        """After a step; True when the function asks to stop."""
        self.steps += 1
        if self.function is not None and times:
            rows = canonical(np.array(states).T[self.chosen])
            status = self.ctx.call(self.function, (canonical(np.array([times])), rows, ""), 1)
            self.stopped = bool(status) and status[0] is not None and true_value(status[0])
        return self.stopped

    def end(self) -> None:
        """After the last step."""
        if self.function is not None:
            self.ctx.call(self.function, (EMPTY, EMPTY, "done"), 0)


def report(ctx: CallContext, options: dict[str, Value], counts: tuple[int, int, int]) -> Struct:
    """Steps, failed attempts and evaluations, printed when ``Stats`` is on."""
    if str(options.get("Stats", "off")).lower() == "on":
        words = ("successful steps", "failed attempts", "function evaluations")
        ctx.write("".join(f"{n} {w}\n" for n, w in zip(counts, words, strict=True)))
    return Struct(dict(zip(("nsteps", "nfailed", "nfevals"), map(float, counts), strict=True)))


@builtin(
    "odeplot",
    category="differential equations",
    signatures=("status = odeplot(t, y, flag)",),
    see=("ode45", "odeset"),
    cases=(
        "close all; o = odeset('OutputFcn', @odeplot); "
        "[t, y] = ode45(@(t, y) -y, [0 1], 1, o); h = findobj(gca, 'Type', 'line'); "
        "ok = isequal(get(h, 'YData'), y'); close all; ok",
    ),
)
@takes(NUMBERS, NUMBERS)
def odeplot(ctx: CallContext, t: Value, y: Value, flag: Value = "") -> Value:
    """Draw the components of a solution over time while it is computed (an OutputFcn)."""
    word = text_of(flag) if numel(flag) else ""
    if word == "init":
        start = float_of(t)
        parts = [part for v in as_array(y).ravel() for part in (start, float(v), "-o")]
        ctx.call("plot", tuple(parts), 0)
    elif word != "done":
        drawn = figures_of(ctx.state).gca().children[-numel(y) // max(numel(t), 1) :]
        if not numel(t) or numel(y) % numel(t) or len(drawn) < numel(y) // numel(t):
            text = "The solution needs a column for every time, and a line for every component."
            raise MatlabError("MATLAB:odeplot:InvalidSizes", text)
        for line, row in zip(drawn, as_array(y).reshape(-1, numel(t)), strict=True):
            for name, new in (("XData", as_array(t).ravel()), ("YData", row)):
                old = as_array(ctx.call("get", (line, name), 1)[0]).ravel()
                ctx.call("set", (line, name, np.concatenate([old, new]).reshape(1, -1)), 0)
    return 0.0
