"""Solutions of differential equations as structs: what solvers record, deval and odextend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import STRUCT, real_number
from app.engine.builtins.vectors import flat_doubles
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    Struct,
    Value,
    as_array,
    canonical,
    is_struct,
    numel,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "differential equations"
Interpolant = Callable[[float], Array]

_DEGREE = 7
"""No solver's curve within a step is of a higher degree."""
_PLACES = (1 - np.cos(np.pi * np.arange(_DEGREE + 1) / _DEGREE)) / 2
"""Where a step's curve is sampled, from its begin, 0, to its end, 1."""


@dataclass(slots=True)
class Record:
    """What a solution has produced so far.

    Attributes:
        t: times of the points that are given back.
        y: the states there.
        event_t, event_y, event_i: times, states and numbers of events.
        whole: whether a struct is asked for: its points are the ends of all steps, whatever times
            were asked for, and ``samples`` holds each step's curve, components by places.
    """

    whole: bool
    t: list[float] = field(default_factory=list)
    y: list[Array] = field(default_factory=list)
    event_t: list[float] = field(default_factory=list)
    event_y: list[Array] = field(default_factory=list)
    event_i: list[float] = field(default_factory=list)
    samples: list[Array] = field(default_factory=list)

    def add(self, points: list[float], states: list[Array]) -> None:
        """Points within a step."""
        if not self.whole:
            self.t += points
            self.y += states

    def end_step(self, begin: float, end: float, last: Array, curve: Interpolant) -> None:
        """The end of a step, and the curve that led to it."""
        if self.whole:
            inner = [curve(begin + s * (end - begin)) for s in _PLACES[1:-1]]
            self.samples.append(np.array([self.y[-1], *inner, last]).T)
            self.t.append(end)
            self.y.append(last)

    def events(self) -> tuple[Value, Value, Value]:
        """Times, states (a row each) and numbers of the events."""
        if not self.event_t:
            return EMPTY, EMPTY, EMPTY
        return (
            canonical(np.array(self.event_t).reshape(-1, 1)),
            canonical(np.array(self.event_y)),
            canonical(np.array(self.event_i).reshape(-1, 1)),
        )

    def solution(self, solver: str, given: tuple[Value, ...], counts: Value) -> Struct:
        """The struct: a column of ``y`` for each step's end.

        Args:
            solver: its name.
            given: the function, the options and what else the function takes.
            counts: the field ``stats``.
        """
        function, options, *extra = given
        data = np.stack(self.samples, axis=2) if self.samples else np.zeros((0, 0))
        known: dict[str, Value] = {"odefun": function, "options": options}
        known["varargin"] = Cell(np.array([*extra, None], dtype=object)[:-1].reshape(1, -1))
        fields: dict[str, Value] = {
            "solver": solver,
            "extdata": Struct(known),
            "x": canonical(np.array([self.t])),
            "y": canonical(np.array(self.y).T),
        }
        if self.event_t:
            times, states, numbers = (as_array(v).T for v in self.events())
            fields |= {"xe": canonical(times), "ye": canonical(states), "ie": canonical(numbers)}
        return Struct(fields | {"stats": counts, "idata": Struct({"samples": canonical(data)})})


def _inside(fields: Mapping[str, Value], name: str) -> dict[str, Value]:
    """The fields of a struct in a field; none where there is no such struct."""
    held = fields.get(name)
    return held.fields if isinstance(held, Struct) else {}


def _by_samples(t: Array, samples: Array, points: Array) -> tuple[Array, Array]:
    """Values and slopes at points, of the curves of the steps."""
    from numpy.polynomial import chebyshev

    sign = 1.0 if t[-1] >= t[0] else -1.0
    step = np.clip(np.searchsorted(sign * t, sign * points) - 1, 0, t.size - 2)
    length = t[step + 1] - t[step]
    place = 2 * (points - t[step]) / length - 1
    base = chebyshev.chebvander(2 * _PLACES - 1, _DEGREE)
    parts = np.einsum("kp,nps->kns", np.linalg.inv(base), samples[:, :, step])
    values = np.einsum("sk,kns->ns", chebyshev.chebvander(place, _DEGREE), parts)
    rises = np.einsum(
        "sk,kns->ns", chebyshev.chebvander(place, _DEGREE - 1), chebyshev.chebder(parts)
    )
    return values, rises * 2 / length


def _by_cubics(solution: Mapping[str, Any], points: Array) -> tuple[Array, Array]:
    """Values and slopes of cubics through the points of a solution."""
    from scipy.interpolate import CubicHermiteSpline, CubicSpline

    t, y = flat_doubles(solution["x"]), np.asarray(as_array(solution["y"]))
    order = np.argsort(t)
    kept = order[np.concatenate([[True], np.diff(t[order]) > 0])]
    curve = (
        CubicHermiteSpline(t[kept], y[:, kept], as_array(solution["yp"])[:, kept], axis=1)
        if "yp" in solution
        else CubicSpline(t[kept], y[:, kept], axis=1)
    )
    return curve(points), curve(points, 1)


@builtin(
    "deval",
    words="",
    category=_FAMILY,
    signatures=("y = deval(sol, x)", "y = deval(sol, x, indices)", "[y, yp] = deval(sol, x)"),
    cases=(
        "abs(deval(struct('x', [0 1], 'y', [0 1]), 0.5) - 0.5) < 1e-15",
        "s = ode113(@(t, y) y, [0 5], 1, odeset('RelTol', 1e-9, 'AbsTol', 1e-12)); "
        "[y, p] = deval(s, 0:.1:5); norm([y; p]./exp(0:.1:5) - 1) < 1e-6",
    ),
    see=("ode45", "odextend"),
)
def deval(sol: Value, x: Value, indices: Value | None = None) -> tuple[Value, Value]:
    """The solution of a solver, and its slope, at points inside its interval: by the solver's own
    curve within each step where the solution has it, else by cubics."""
    first, second = (sol, x) if is_struct(sol) else (x, sol)
    STRUCT("deval", 1, first)
    assert is_struct(first)
    if not {"x", "y"} <= set(first.fields):
        raise MatlabError("MATLAB:deval:SolNotFromDiffEqSolver", "The solution lacks x or y.")
    t, points = flat_doubles(first.fields["x"]), flat_doubles(second)
    if np.any(points < t.min()) or np.any(points > t.max()):
        text = (
            f"Attempting to evaluate the solution outside the interval "
            f"[{t[0]:e}, {t[-1]:e}] where it is defined."
        )
        raise MatlabError("MATLAB:deval:SolOutsideInterval", text)
    samples = as_array(_inside(first.fields, "idata").get("samples", EMPTY))
    if samples.size:
        y = as_array(first.fields["y"])
        whole = samples.reshape(y.shape[0], _DEGREE + 1, t.size - 1, order="F")
        values, rises = _by_samples(t, whole, points)
    else:
        values, rises = _by_cubics(first.fields, points)
    rows = slice(None) if indices is None else flat_doubles(indices).astype(int) - 1
    return canonical(values[rows]), canonical(rises[rows])


@builtin(
    "odextend",
    words="",
    category=_FAMILY,
    least=3,
    signatures=(
        "sol = odextend(sol, odefun, tfinal)",
        "sol = odextend(sol, [], tfinal, y0)",
        "sol = odextend(sol, odefun, tfinal, y0, options, ...)",
    ),
    cases=(
        "s = odextend(ode45(@(t, y) -y, [0 1], 1, odeset('RelTol', 1e-8)), [], 2); "
        "norm(deval(s, [.5 1.5]) - exp([-.5 -1.5])) < 1e-7 && s.x(end) == 2",
    ),
    see=("ode45", "deval", "odeset"),
)
def odextend(
    ctx: CallContext,
    sol: Value,
    odefun: Value,
    tfinal: Value,
    y0: Value = EMPTY,
    options: Value = EMPTY,
    *extra: Value,
) -> Value:
    """A solution continued to another time, with the function, options and further inputs that it
    was made with where no others are given, from its last state unless ``y0`` is another."""
    STRUCT("odextend", 1, sol)
    assert isinstance(sol, Struct)
    known = _inside(sol.fields, "extdata")
    if not known or not _inside(sol.fields, "idata"):
        text = "Only solutions of the ode solvers but ode15i can be continued."
        raise MatlabError("MATLAB:odextend:SolNotFromOdeSolver", text)
    t, y = as_array(sol.fields["x"]), as_array(sol.fields["y"])
    start = as_array(y0).reshape(-1, 1, order="F") if numel(y0) else y[:, -1:]
    if start.size != y.shape[0]:
        text = f"y0 must have {y.shape[0]} elements, one for each component of the solution."
        raise MatlabError("MATLAB:odextend:InvalidY0", text)
    span = canonical(np.array([[t.flat[-1], real_number(tfinal)]]))
    further = extra or tuple(_items(known["varargin"]))
    given = (
        odefun if numel(odefun) else known["odefun"],
        options if numel(options) else known["options"],
    )
    solver = text_of(sol.fields["solver"])
    made = ctx.call(solver, (given[0], span, canonical(start), given[1], *further), 1)[0]
    assert isinstance(made, Struct)
    return _joined(sol, made, jump=bool((start != y[:, -1:]).any()))


def _items(held: Value) -> list[Value]:
    return list(held.items()) if isinstance(held, Cell) else []


def _joined(first: Struct, second: Struct, jump: bool) -> Struct:
    """Two solutions as one; where the second begins with another state both points are kept."""
    fields = dict(second.fields)
    begin = 0 if jump else 1
    for name in ("x", "y"):
        parts = as_array(first.fields[name]), as_array(second.fields[name])[:, begin:]
        fields[name] = canonical(np.hstack(parts))
    samples = [as_array(_inside(s.fields, "idata")["samples"]) for s in (first, second)]
    n = as_array(first.fields["y"]).shape[0]
    steps = [v.reshape(n, _DEGREE + 1, -1, order="F") for v in samples]
    if jump:
        steps.insert(1, np.repeat(as_array(second.fields["y"])[:, :1], _DEGREE + 1)[:, None])
        steps[1] = steps[1].reshape(n, _DEGREE + 1, 1)
    fields["idata"] = Struct({"samples": canonical(np.concatenate(steps, axis=2))})
    for name in ("xe", "ye", "ie"):
        found = [as_array(s.fields[name]) for s in (first, second) if name in s.fields]
        fields |= {name: canonical(np.hstack(found))} if found else {}
    counts = [_inside(s.fields, "stats") for s in (first, second)]
    total = {k: real_number(counts[0][k]) + real_number(v) for k, v in counts[1].items()}
    fields["stats"] = Struct(dict(total))
    return Struct(fields)
