"""Fully implicit equations ``f(t, y, y') = 0``: ode15i, and decic for where to begin."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.builtins.calculus.boundary_problems import column_function
from app.engine.builtins.calculus.ode_options import fields_of, refuse_unread
from app.engine.builtins.vectors import flat_doubles
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    Struct,
    Value,
    canonical,
    numel,
)
from app.errors import MatlabError

_FAMILY = "differential equations"
_ROOT = np.sqrt(6.0)
_NODES = np.array([(4 - _ROOT) / 10, (4 + _ROOT) / 10, 1.0])
_WEIGHTS = np.array(
    [
        [(88 - 7 * _ROOT) / 360, (296 - 169 * _ROOT) / 1800, (-2 + 3 * _ROOT) / 225],
        [(296 + 169 * _ROOT) / 1800, (88 + 7 * _ROOT) / 360, (-2 - 3 * _ROOT) / 225],
        [(16 - _ROOT) / 36, (16 + _ROOT) / 36, 1 / 9],
    ]
)
"""The nodes and weights of the Radau IIA method of order five."""
Residual = Callable[[float, Array, Array], Array]


def _jacobian(f: Callable[[Array], Array], x: Array) -> Array:
    base, columns = f(x), []
    for k in range(x.size):
        moved = x.copy()
        step = 1e-7 * max(1.0, abs(float(x[k])))
        moved[k] += step
        columns.append((f(moved) - base) / step)
    return np.array(columns).T


def _slopes(f: Residual, t: float, y: Array, yp: Array, h: float) -> Array | None:
    """The slopes at the nodes of one step, by Newton's method; None when it fails."""
    n = y.size
    k = np.tile(yp, (3, 1))
    dy = _jacobian(lambda v: f(t, v, yp), y)
    dp = _jacobian(lambda v: f(t, y, v), yp)
    whole = np.kron(h * _WEIGHTS, dy) + np.kron(np.eye(3), dp)
    for _ in range(12):
        points = y + h * _WEIGHTS @ k
        rest = np.concatenate(
            [f(t + h * c, p, q) for c, p, q in zip(_NODES, points, k, strict=True)]
        )
        try:
            change = np.linalg.solve(whole, -rest).reshape(3, n)
        except np.linalg.LinAlgError:
            return None
        k = k + change
        if not np.all(np.isfinite(k)):
            return None
        if np.max(np.abs(h * change)) < 1e-10 * max(1.0, float(np.abs(y).max())):
            return k
    return None


def _next_step(f: Residual, t: float, y: Array, yp: Array, h: float) -> tuple[Array, Array] | None:
    k = _slopes(f, t, y, yp, h)
    return None if k is None else (y + h * _WEIGHTS[2] @ k, k[2])


def march(
    f: Residual, times: Array, y: Array, yp: Array, rtol: float, atol: Array, longest: float
) -> tuple[list[float], list[Array], list[Array]]:
    """Steps of Radau's method, each checked against two of half the size."""
    t, end = float(times[0]), float(times[-1])
    sign = 1.0 if end > t else -1.0
    h = min(abs(end - t) / 100, longest)
    ts, ys, ps = [t], [y], [yp]
    while sign * (end - t) > 1e-14 * abs(end - times[0]):
        h = min(h, abs(end - t), longest)
        if h < 16 * np.spacing(abs(t)):
            break
        whole = _next_step(f, t, y, yp, sign * h)
        first = _next_step(f, t, y, yp, sign * h / 2) if whole is not None else None
        both = _next_step(f, t + sign * h / 2, *first, sign * h / 2) if first is not None else None
        if whole is None or both is None:
            h /= 4
            continue
        scale = atol + rtol * np.maximum(np.abs(y), np.abs(both[0]))
        error = float(np.max(np.abs(both[0] - whole[0]) / scale))
        if error <= 1:
            t, (y, yp) = t + sign * h, both
            ts, ys, ps = [*ts, t], [*ys, y], [*ps, yp]
        h *= min(4.0, max(0.2, 0.9 * max(error, 1e-10) ** -0.2))
    return ts, ys, ps


_UNREAD = ("Events", "OutputFcn", "OutputSel", "Stats", "NormControl", "Refine", "Mass")


@builtin(
    "ode15i",
    category=_FAMILY,
    signatures=(
        "[t, y] = ode15i(odefun, tspan, y0, yp0)",
        "[t, y] = ode15i(odefun, tspan, y0, yp0, options)",
        "sol = ode15i(...)",
    ),
    cases=(
        "[t, y] = ode15i(@(t, y, p) p + y, [0 1], 1, -1); abs(y(end) - exp(-1)) < 1e-4",
        "f = @(t, y, p) [p(1) - y(2); y(1)^2 + y(2)^2 - 1]; "
        "[t, y] = ode15i(f, [0 1], [0; 1], [1; 0]); "
        "abs(y(end, 1) - sin(1)) < 1e-3",
    ),
    see=("decic", "ode15s"),
)
def ode15i(
    ctx: CallContext,
    odefun: Value,
    tspan: Value,
    y0: Value,
    yp0: Value,
    options: Value = EMPTY,
    *extra: Value,
    nargout: int = 1,
) -> Value:
    """Solve ``f(t, y, y') = 0`` from values and slopes that fit each other; see ``decic``."""
    from scipy.interpolate import CubicHermiteSpline

    times, y, yp = flat_doubles(tspan), flat_doubles(y0), flat_doubles(yp0)
    f = column_function(ctx, odefun, extra)
    if times.size < 2 or y.size != yp.size or f(float(times[0]), y, yp).size != y.size:
        text = "The equations, the values and the slopes must be as many as each other."
        raise MatlabError("MATLAB:ode15i:SizeIC", text)
    chosen = fields_of("ode15i", options)
    refuse_unread("ode15i", chosen, _UNREAD)
    longest = real_number(chosen.get("MaxStep", abs(float(times[-1] - times[0])) / 10))
    ts, ys, ps = march(
        f,
        times,
        y,
        yp,
        real_number(chosen.get("RelTol", 1e-3)),
        flat_doubles(chosen.get("AbsTol", 1e-6)),
        longest,
    )
    if abs(ts[-1] - times[-1]) > 1e-9 * abs(times[-1] - times[0]):
        ctx.warning("MATLAB:ode15i:IntegrationTolNotMet", f"Failure at t={ts[-1]:e}.")
    states = np.array(ys)
    if times.size > 2:
        kept = times[np.abs(times - times[0]) <= abs(ts[-1] - times[0])]
        turn = 1 if ts[-1] > ts[0] else -1
        states = CubicHermiteSpline(ts[::turn], states[::turn], np.array(ps)[::turn])(kept)
        ts = kept.tolist()
    if nargout <= 1:
        return Struct(
            {"solver": "ode15i", "x": canonical(np.array([ts])), "y": canonical(states.T)}
        )
    return canonical(np.array(ts).reshape(-1, 1)), canonical(states)


@builtin(
    "decic",
    words="",
    category=_FAMILY,
    signatures=(
        "[y0new, yp0new] = decic(odefun, t0, y0, fixed_y0, yp0, fixed_yp0)",
        "[y0new, yp0new, resnrm] = decic(odefun, t0, y0, fixed_y0, yp0, fixed_yp0, options)",
    ),
    cases=("[y, p] = decic(@(t, y, p) p + 2*y, 0, 3, 1, 0, 0); y == 3 && abs(p + 6) < 1e-8",),
    see=("ode15i",),
)
def decic(
    ctx: CallContext,
    odefun: Value,
    t0: Value,
    y0: Value,
    fixed_y0: Value,
    yp0: Value,
    fixed_yp0: Value,
    options: Value = EMPTY,
    *extra: Value,
) -> Value:
    """Values and slopes near a guess that satisfy ``f(t0, y, y') = 0``; some are held fixed.

    ``RelTol`` of the options (1e-3) says how small the last step of the search is.
    """
    f, t = column_function(ctx, odefun, extra), real_number(t0)
    near = real_number(fields_of("decic", options).get("RelTol", 1e-3))
    y, yp = flat_doubles(y0), flat_doubles(yp0)
    n = y.size
    held = np.concatenate(
        [
            flat_doubles(v) != 0 if numel(v) else np.zeros(n, dtype=bool)
            for v in (fixed_y0, fixed_yp0)
        ]
    )
    if held.size != 2 * n or yp.size != n or held.sum() > n:
        text = "At most as many components as equations may be fixed."
        raise MatlabError("MATLAB:decic:TooManyFixed", text)
    free = np.flatnonzero(~held)
    x = np.concatenate([y, yp])

    def rest(part: Array) -> Array:
        whole = x.copy()
        whole[free] = part
        return f(t, whole[:n], whole[n:])

    for _ in range(20):
        value = rest(x[free])
        if np.linalg.norm(value) < 1e-12 * max(1.0, float(np.abs(x).max())):
            break
        step = stoppable.lstsq(_jacobian(rest, x[free]), value, rcond=None)[0]
        x[free] -= step
        if np.linalg.norm(step) < 1e-2 * near * np.linalg.norm(x):
            break
    left = float(np.linalg.norm(rest(x[free])))
    if not left < 1e-3:
        raise MatlabError("MATLAB:decic:ConvergenceFailure", "No consistent values were found.")
    return canonical(x[:n].reshape(-1, 1)), canonical(x[n:].reshape(-1, 1)), left
