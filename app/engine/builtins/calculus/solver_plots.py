"""The plot functions of solvers (option PlotFcns): those of the library, and where each draws."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBERS, STRUCT, TEXT, takes
from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin
from app.engine.figures.model import figures_of
from app.engine.figures.objects import GraphicsObject
from app.engine.values import FunctionHandle, Struct, Value, as_array, float_of, numel, text_of

_TITLE = "Optimization Plot Function"
_FAMILY = "optimisation"


class SolverPlots:
    """Axes for the plot functions of one run, one below the other in a figure of their own."""

    def __init__(self, ctx: CallContext, functions: list[FunctionHandle]) -> None:
        self._ctx, self._functions = ctx, functions
        self._axes: list[Value] = []

    def notify(self, point: Value, facts: Struct, state: str) -> list[Value]:
        """Call every function with its axes current; what each gives back, which may ask for an
        end. Nothing is drawn any more once the figure is closed."""
        if not self._axes:
            self._open()
        given: list[Value] = []
        for function, axes in zip(self._functions, self._axes, strict=True):
            if isinstance(axes, GraphicsObject) and axes.alive:
                self._ctx.call("axes", (axes,), 0)
                given += self._ctx.call(function, (point, facts, state), 1)[:1]
        figures_of(self._ctx.state).draw_now()
        return given

    def _open(self) -> None:
        self._ctx.call("figure", ("Name", _TITLE, "NumberTitle", "off"), 1)
        count = len(self._functions)
        for k in range(count):
            (axes,) = self._ctx.call("subplot", (float(count), 1.0, float(k + 1)), 1)
            self._axes.append(axes)


def _follow(ctx: CallContext, x: float, y: float, state: str, heading: str, label: str) -> bool:
    """Add a point to the line of the current axes, which the first one makes."""
    if state == "done":
        return False
    (axes,) = ctx.call("gca", (), 1)
    (lines,) = ctx.call("findobj", (axes, "Type", "line", "Tag", label), 1)
    if numel(lines) == 0:
        style = ("kd", "MarkerFaceColor", np.array([[1.0, 0.0, 1.0]]), "Tag", label)
        ctx.call("plot", (x, y, *style), 0)
        ctx.call("xlabel", ("Iteration",), 0)
        ctx.call("ylabel", (label,), 0)
    else:
        for name, new in (("XData", x), ("YData", y)):
            old = as_array(ctx.call("get", (lines, name), 1)[0]).ravel()
            ctx.call("set", (lines, name, np.append(old, new).reshape(1, -1)), 0)
    ctx.call("title", (f"{heading}: {y:g}",), 0)
    return False


def _fact(facts: Struct, *names: str) -> float:
    """The first of these facts of a solver that there is; NaN without any."""
    held = facts.fields
    there = (held[n] for n in names if n in held and numel(held[n]))
    return next(map(float_of, there), float("nan"))


def _case(function: str, kind: str) -> str:
    """A minimum that is searched with a plot function draws what the function draws."""
    return (
        f"close all; o = optimset('PlotFcns', @{function}, 'MaxIter', 3, 'Display', 'off'); "
        f"fminsearch(@(x) sum(x.^2), [1 2], o); n = numel(findobj(gcf, 'Type', '{kind}')); "
        "close all; n == 1"
    )


@builtin(
    "optimplotfval",
    category=_FAMILY,
    device=SESSION,
    signatures=("stop = optimplotfval(x, optimValues, state)",),
    see=("optimset", "optimplotx", "optimplotfunccount"),
    cases=(_case("optimplotfval", "line"),),
)
@takes(NUMBERS, STRUCT, TEXT)
def optimplotfval(ctx: CallContext, x: Value, facts: Struct, state: Value) -> Value:
    """Draw the value of the objective against the iterations (a plot function, PlotFcns)."""
    at, value = _fact(facts, "iteration"), _fact(facts, "fval", "resnorm")
    return _follow(ctx, at, value, text_of(state), "Current Function Value", "Function value")


@builtin(
    "optimplotfunccount",
    category=_FAMILY,
    device=SESSION,
    signatures=("stop = optimplotfunccount(x, optimValues, state)",),
    see=("optimset", "optimplotfval"),
    cases=(_case("optimplotfunccount", "line"),),
)
@takes(NUMBERS, STRUCT, TEXT)
def optimplotfunccount(ctx: CallContext, x: Value, facts: Struct, state: Value) -> Value:
    """Draw how often the objective was evaluated until each iteration (a plot function)."""
    at, count = _fact(facts, "iteration"), _fact(facts, "funccount")
    return _follow(
        ctx, at, count, text_of(state), "Total Function Evaluations", "Function evaluations"
    )


@builtin(
    "optimplotstepsize",
    category=_FAMILY,
    device=SESSION,
    signatures=("stop = optimplotstepsize(x, optimValues, state)",),
    see=("optimoptions", "optimplotfval"),
    cases=(_case("optimplotstepsize", "line"),),
)
@takes(NUMBERS, STRUCT, TEXT)
def optimplotstepsize(ctx: CallContext, x: Value, facts: Struct, state: Value) -> Value:
    """Draw how far each iteration went (a plot function, PlotFcn)."""
    at, length = _fact(facts, "iteration"), _fact(facts, "stepsize")
    if np.isnan(length):  # nothing has moved yet
        return False
    return _follow(ctx, at, length, text_of(state), "Step Size", "Step size")


@builtin(
    "optimplotresnorm",
    category=_FAMILY,
    device=SESSION,
    signatures=("stop = optimplotresnorm(x, optimValues, state)",),
    see=("lsqnonlin", "optimplotfval"),
    cases=(
        "close all; o = optimoptions('lsqnonlin', 'PlotFcn', @optimplotresnorm, 'Display', 'off'); "
        "lsqnonlin(@(x) x - [1 2], [0 0], [], [], o); n = numel(findobj(gcf, 'Type', 'line')); "
        "close all; n == 1",
    ),
)
@takes(NUMBERS, STRUCT, TEXT)
def optimplotresnorm(ctx: CallContext, x: Value, facts: Struct, state: Value) -> Value:
    """Draw the squared norm of the residuals against the iterations (a plot function, PlotFcn)."""
    at, norm = _fact(facts, "iteration"), _fact(facts, "resnorm")
    return _follow(ctx, at, norm, text_of(state), "Norm of Residuals", "Norm of residuals")


@builtin(
    "optimplotx",
    category=_FAMILY,
    device=SESSION,
    signatures=("stop = optimplotx(x, optimValues, state)",),
    see=("optimset", "optimplotfval"),
    cases=(_case("optimplotx", "bar"),),
)
@takes(NUMBERS, STRUCT, TEXT)
def optimplotx(ctx: CallContext, x: Value, facts: Struct, state: Value) -> Value:
    """Draw the current point, a bar for every variable (a plot function, PlotFcns)."""
    if text_of(state) == "done":
        return False
    point = as_array(x).reshape(1, -1)
    places = np.arange(1.0, point.size + 1).reshape(1, -1)
    ctx.call("bar", (places, point, "w"), 0)
    ctx.call("title", ("Current Point",), 0)
    ctx.call("xlabel", (f"Number of variables: {point.size}",), 0)
    ctx.call("ylabel", ("Current point",), 0)
    return False
