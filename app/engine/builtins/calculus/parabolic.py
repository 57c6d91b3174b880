"""``pdepe``: parabolic equations in one dimension, by the method of lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import real_number
from app.engine.builtins.calculus.ode_options import fields_of
from app.engine.builtins.vectors import flat_doubles
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    FunctionHandle,
    Value,
    as_array,
    canonical,
    int_of,
    numel,
)
from app.errors import MatlabError

_FAMILY = "differential equations"


@dataclass(slots=True)
class Lines:
    """The equations at the points of a mesh.

    Attributes:
        ctx: for calling.
        m: 0, 1 or 2 for plane, cylindrical and spherical symmetry.
        x: the mesh.
        pde: gives c, f and s from x, t, u and the slope of u.
        ends: gives p and q at both ends.
        count: number of unknown functions.
        fixed: rows for the two ends, whether each unknown there follows from p alone.
    """

    ctx: CallContext
    m: int
    x: Array
    pde: FunctionHandle
    ends: FunctionHandle
    count: int
    fixed: Array

    def terms(self, x: float, t: float, u: Array, slope: Array) -> list[Array]:
        """c, f and s at one point."""
        given = (float(x), float(t), *(canonical(v.reshape(-1, 1)) for v in (u, slope)))
        made = [flat_doubles(v) for v in self.ctx.call(self.pde, given, 3)]
        if any(v.size != self.count for v in made):
            text = "The terms c, f and s must have one element for each equation."
            raise MatlabError("MATLAB:pdepe:UnexpectedOutputPDEFUN", text)
        return made

    def boundary(self, t: float, u: Array) -> list[Array]:
        """p and q at the left end, p and q at the right end."""
        given = (
            float(self.x[0]),
            canonical(u[:, :1]),
            float(self.x[-1]),
            canonical(u[:, -1:]),
            float(t),
        )
        return [flat_doubles(v) for v in self.ctx.call(self.ends, given, 4)]

    def settled(self, t: float, u: Array) -> Array:
        """``u`` with the unknowns at the ends that conditions fix, by Newton's method."""
        if not self.fixed.any():
            return u
        made = u.copy()
        for _ in range(8):
            worst = 0.0
            base = self.boundary(t, made)
            for side, (column, p) in enumerate(((0, base[0]), (-1, base[2]))):
                for k in np.flatnonzero(self.fixed[side]):
                    step = 1e-7 * max(1.0, abs(made[k, column]))
                    moved = made.copy()
                    moved[k, column] += step
                    rise = (self.boundary(t, moved)[2 * side][k] - p[k]) / step
                    change = -p[k] / rise if rise else 0.0
                    made[k, column] += change
                    worst = max(worst, abs(change) / max(1.0, abs(made[k, column])))
            if worst < 1e-9:
                break
        return made

    def slopes(self, t: float, flat: Array) -> Array:
        """How fast every unknown changes."""
        x, m = self.x, self.m
        u = self.settled(t, flat.reshape(self.x.size, self.count).T)
        middle = (x[:-1] + x[1:]) / 2
        rise = np.diff(u, axis=1) / np.diff(x)
        half = [
            self.terms(p, t, (u[:, k] + u[:, k + 1]) / 2, rise[:, k]) for k, p in enumerate(middle)
        ]
        flow = middle**m * np.array([h[1] for h in half]).T
        p0, q0, p1, q1 = self.boundary(t, u)
        with np.errstate(all="ignore"):
            left = np.where(q0 != 0, -p0 / np.where(q0 != 0, q0, 1), 0.0) * x[0] ** m
            right = np.where(q1 != 0, -p1 / np.where(q1 != 0, q1, 1), 0.0) * x[-1] ** m
        if m and x[0] == 0:
            left = np.zeros(self.count)
        edges = np.concatenate([x[:1], middle, x[-1:]])
        volume = np.diff(edges ** (m + 1)) / (m + 1)
        flows = np.column_stack([left, flow, right])
        made = np.zeros_like(u)
        for k in range(x.size):
            near = (
                rise[:, min(k, x.size - 2)]
                if k in (0, x.size - 1)
                else ((u[:, k + 1] - u[:, k - 1]) / (x[k + 1] - x[k - 1]))
            )
            at = x[k] if x[k] or not m else 1e-8 * (x[-1] - x[0])
            c, _, s = self.terms(at, t, u[:, k], near)
            if np.any(c == 0):
                text = "Elliptic equations (c = 0) are not supported: c must be positive."
                raise MatlabError("MATLAB:pdepe:EllipticEquation", text)
            made[:, k] = ((flows[:, k + 1] - flows[:, k]) / volume[k] + s) / c
        made[self.fixed[0], 0] = 0.0
        made[self.fixed[1], -1] = 0.0
        return np.asarray(made.T.ravel())


@builtin(
    "pdepe",
    category=_FAMILY,
    signatures=(
        "sol = pdepe(m, pdefun, icfun, bcfun, xmesh, tspan)",
        "sol = pdepe(m, pdefun, icfun, bcfun, xmesh, tspan, options)",
    ),
    cases=(
        "sol = pdepe(0, @(x,t,u,g) deal(1, g, 0), @(x) sin(pi*x), "
        "@(a,u,b,v,t) deal(u, 0, v, 0), linspace(0,1,21), [0 0.05 0.1]); "
        "abs(sol(3, 11) - exp(-pi^2*0.1)) < 4e-3",
    ),
    see=("ode15s", "bvp4c"),
)
def pdepe(
    ctx: CallContext,
    m: Value,
    pdefun: Value,
    icfun: Value,
    bcfun: Value,
    xmesh: Value,
    tspan: Value,
    options: Value | None = None,
    *extra: Value,
) -> Value:
    """Solve ``c u_t = x^-m (x^m f)_x + s`` for times and points: times by points by unknowns.

    ``[c, f, s] = pdefun(x, t, u, dudx)``, ``u0 = icfun(x)``, and at the ends ``p + q f = 0`` with
    ``[pl, ql, pr, qr] = bcfun(xl, ul, xr, ur, t)``. Every c must be positive.
    """
    x, times = flat_doubles(xmesh), flat_doubles(tspan)
    kind = int(real_number(m))
    if kind not in (0, 1, 2) or x.size < 3 or np.any(np.diff(x) <= 0) or (kind and x[0] < 0):
        text = "m must be 0, 1 or 2, and the mesh must have three growing points or more."
        raise MatlabError("MATLAB:pdepe:InvalidMesh", text)
    if times.size < 3 or np.any(np.diff(times) <= 0):
        text = "tspan must have three growing times or more."
        raise MatlabError("MATLAB:pdepe:InvalidTSPAN", text)
    start = given_function(ctx, icfun)
    u0 = np.array([flat_doubles(ctx.call(start, (float(p), *extra), 1)[0]) for p in x])
    count = u0.shape[1]
    lines = Lines(
        ctx,
        kind,
        x,
        given_function(ctx, pdefun),
        given_function(ctx, bcfun),
        count,
        np.zeros((2, count), dtype=bool),
    )
    ends = lines.boundary(float(times[0]), u0.T)
    lines.fixed = np.array([ends[1] == 0, ends[3] == 0])
    if kind and x[0] == 0:
        lines.fixed[0] = False
    found = _solution_at(lines, u0, times, options)
    made = np.empty((times.size, x.size, count))
    for k, t in enumerate(times):
        made[k] = lines.settled(float(t), found[:, k].reshape(x.size, count).T).T
    return canonical(made[:, :, 0] if count == 1 else made)


def _solution_at(lines: Lines, u0: Array, times: Array, options: Value | None) -> Array:
    from scipy.integrate import solve_ivp
    from scipy.sparse import diags, kron

    chosen = fields_of("pdepe", options)
    tight = [
        real_number(chosen[n]) if n in chosen and numel(chosen[n]) else d
        for n, d in (("RelTol", 1e-3), ("AbsTol", 1e-6))
    ]
    band = diags([1.0, 1.0, 1.0], [-1, 0, 1], shape=(lines.x.size,) * 2)
    pattern = kron(band, np.ones((lines.count, lines.count)))
    found = solve_ivp(
        lines.slopes,
        (times[0], times[-1]),
        u0.ravel(),
        method="BDF",
        t_eval=times,
        rtol=max(tight[0] / 10, 1e-12),
        atol=tight[1] / 10,
        jac_sparsity=pattern,
    )
    if not found.success:
        text = f"The integration over time has failed: {found.message}"
        raise MatlabError("MATLAB:pdepe:TimeIntegrationFailed", text)
    return np.asarray(found.y)


@builtin(
    "pdeval",
    category=_FAMILY,
    signatures=("[uout, duoutdx] = pdeval(m, x, ui, xout)",),
    cases=("abs(pdeval(0, 0:2, [0 1 4], 1.5) - 2.25) < 0.3",),
    see=("pdepe",),
)
def pdeval(m: Value, x: Value, ui: Value, xout: Value) -> Value:
    """A solution of pdepe and its slope between the points of the mesh.

    Between neighbours the solution is linear in x, or in what fits the symmetry: log x for
    cylinders (m = 1), 1/x for spheres (m = 2), x^2 for both where the mesh begins at 0.
    """
    points = np.asarray(as_array(xout), dtype=np.float64)
    mesh, u, power = flat_doubles(x), flat_doubles(ui), int_of(m)
    if mesh.size < 2 or u.size != mesh.size:
        text = "UI must have one value for each of the at least two points of the mesh X."
        raise MatlabError("MATLAB:pdeval:InvalidUI", text)
    if points.size and (points.min() < mesh[0] or points.max() > mesh[-1]):
        raise MatlabError("MATLAB:pdeval:XOUTOutOfRange", "XOUT must lie within the mesh X.")
    left = np.clip(np.searchsorted(mesh, points, side="right") - 1, 0, mesh.size - 2)
    low, high, rise = mesh[left], mesh[left + 1], u[left + 1] - u[left]
    if power and mesh[0] == 0:
        share = (points**2 - low**2) / (high**2 - low**2)
        slope = 2 * points / (high**2 - low**2)
    elif power == 1:
        share, slope = np.log(points / low) / np.log(high / low), 1 / (points * np.log(high / low))
    elif power == 2:
        share = high / (high - low) * (1 - low / points)
        slope = high / (high - low) * low / points**2
    else:
        share, slope = (points - low) / (high - low), 1 / (high - low)
    return canonical(u[left] + rise * share), canonical(rise * slope)
