"""Iterative solvers of linear systems: pcg, gmres, bicg, bicgstab, cgs, qmr, minres and kin."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.linear_algebra.iterative_systems import (
    RESIDENT,
    Apply,
    System,
    Vector,
    conjugate,
    dot,
    is_finite,
    is_zero,
    norm,
    number_or,
    report,
    system,
    zeros,
)
from app.engine.capture.terms import Term
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
)

_FAMILY = "sparse matrices"
_LEFT = HostOnly(
    "steps on the host; what is on the device stays there, its sums aside", lazy=True, stays=True
)
_FETCHED = HostOnly("iterates with SciPy on the host", lazy=True)


Method = Callable[[System], tuple[int, float]]


def _cg(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    z = s.divide(r)
    p, rho = z, dot(r, z)
    for step in range(1, s.most + 1):
        q = s.times(p)
        curve = dot(p, q)
        skew = abs(curve.imag) > 1e-8 * abs(curve)
        if curve == 0 or not np.isfinite(curve) or curve.real < 0 or skew:
            return 4, step - 1.0
        alpha = rho / curve
        s.x = s.x + alpha * p
        r = r - alpha * q
        if s.small(r):
            return 0, float(step)
        z = s.divide(r)
        rho, before = dot(r, z), rho
        p = z + rho / before * p
    return 1, float(s.most)


def _minres(s: System) -> tuple[int, float]:
    """Minimal residuals of a symmetric matrix.

    The products of the directions with the matrix are made orthonormal in the preconditioner's
    inner product: of a symmetric matrix each needs only the two before it.
    """
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    kept: list[tuple[Vector, Vector, Vector]] = []
    p = s.divide(r)
    for step in range(1, s.most + 1):
        q = s.times(p)
        size = norm(q)
        for direction, product, divided in kept:
            share = dot(divided, q)
            p, q = p - share * direction, q - share * product
        z = s.divide(q)
        square = dot(q, z).real
        if not (0.0 < square < math.inf and norm(q) > _NOTHING_LEFT * size):
            return 4, step - 1.0
        p, q, z = (v / math.sqrt(square) for v in (p, q, z))
        alpha = dot(z, r)
        s.x, r = s.x + alpha * p, r - alpha * q
        if s.small(r):
            return 0, float(step)
        kept = [(p, q, z), *kept[:1]]
        p = z
    return 1, float(s.most)


_NOTHING_LEFT = 1e-14
"""A direction of which no more is new lies among those before it but for rounding."""


def _bicg(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    shadow = conjugate(r)
    p = q = zeros(r)
    before: complex = 1.0
    for step in range(1, s.most + 1):
        z, w = s.divide(r), s.adjoint_divide(shadow)
        rho = dot(shadow, z)
        if rho == 0 or not np.isfinite(rho):
            return 4, step - 1.0
        beta = 0 if step == 1 else rho / before
        p, q = z + beta * p, w + np.conj(beta) * q
        t = s.times(p)
        alpha = rho / dot(q, t)
        s.x = s.x + alpha * p
        r, shadow = r - alpha * t, shadow - np.conj(alpha) * s.adjoint(q)
        before = rho
        if s.small(r):
            return 0, float(step)
    return 1, float(s.most)


def _bicgstab(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    shadow, v, p = r, zeros(r), zeros(r)
    rho: complex = 1.0
    alpha: complex = 1.0
    omega: complex = 1.0
    for step in range(1, s.most + 1):
        rho, before = dot(shadow, r), rho
        if rho == 0 or omega == 0 or not np.isfinite(rho):
            return 4, step - 1.0
        p = r + rho / before * alpha / omega * (p - omega * v)
        y = s.divide(p)
        v = s.times(y)
        alpha = rho / dot(shadow, v)
        half = r - alpha * v
        s.x = s.x + alpha * y
        if s.small(half):
            return 0, step - 0.5
        z = s.divide(half)
        t = s.times(z)
        omega = dot(t, half) / dot(t, t)
        s.x = s.x + omega * z
        r = half - omega * t
        if s.small(r):
            return 0, float(step)
    return 1, float(s.most)


def _cgs(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    shadow, p, q = r, zeros(r), zeros(r)
    rho: complex = 1.0
    for step in range(1, s.most + 1):
        rho, before = dot(shadow, r), rho
        if rho == 0 or not np.isfinite(rho):
            return 4, step - 1.0
        beta = 0 if step == 1 else rho / before
        u = r + beta * q
        p = u + beta * (q + beta * p)
        v = s.times(s.divide(p))
        alpha = rho / dot(shadow, v)
        q = u - alpha * v
        both = s.divide(u + q)
        s.x = s.x + alpha * both
        r = r - alpha * s.times(both)
        if s.small(r):
            return 0, float(step)
    return 1, float(s.most)


def _tfqmr(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    shadow, w, y, d = r, r, r, zeros(r)
    v = u = s.times(s.divide(y))
    tau, theta = norm(r), 0.0
    eta: complex = 0.0
    rho: complex = dot(shadow, r)
    for step in range(1, s.most + 1):
        alpha = rho / dot(shadow, v)
        if not np.isfinite(alpha) or alpha == 0:
            return 4, step - 1.0
        for half in (0.5, 0.0):
            w = w - alpha * u
            d = y + theta**2 * eta / alpha * d
            theta = norm(w) / tau
            share = 1 / (1 + theta**2)
            tau, eta = tau * theta * np.sqrt(share), share * alpha
            s.x = s.x + eta * s.divide(d)
            if s.small(s.b - s.times(s.x)):
                return 0, float(step - (half > 0))
            if half:
                y = y - alpha * v
                u = s.times(s.divide(y))
        rho, before = dot(shadow, w), rho
        y, old = w + rho / before * y, u
        u = s.times(s.divide(y))
        v = u + rho / before * (old + rho / before * v)
    return 1, float(s.most)


def _qmr(s: System) -> tuple[int, float]:
    """SciPy's quasi-minimal residuals on the preconditioned system, the residuals noted."""
    from scipy.sparse import linalg

    if s.small(s.b - s.times(s.x)):
        return 0, 0.0

    def operator(forth: Apply, back: Apply) -> linalg.LinearOperator:
        return linalg.LinearOperator((s.b.size,) * 2, forth, rmatvec=back, dtype=s.b.dtype)

    def note(x: Array) -> None:
        s.history.append(norm(s.b - s.times(x)))

    s.x, failed = linalg.qmr(
        operator(s.times, s.adjoint),
        s.b,
        s.x,
        rtol=s.tol,
        atol=0.0,
        maxiter=s.most,
        M1=operator(s.divide, s.adjoint_divide),
        M2=operator(lambda x: x, lambda x: x),
        callback=note,
    )
    # SciPy does not look at what its last pass has reached.
    reached = not failed or s.history[-1] <= s.tol * s.size
    return int(not reached), float(len(s.history) - 1)


def _lsqr(s: System) -> tuple[int, float]:
    from scipy.sparse import linalg

    shape = (s.b.size, s.x.size)
    a = linalg.LinearOperator(shape, s.times, rmatvec=s.adjoint, dtype=s.b.dtype)
    found = linalg.lsqr(a, s.b, atol=s.tol, btol=s.tol, iter_lim=s.most, x0=s.x)
    s.x = found[0]
    s.history.append(float(found[3]))
    return int(found[1] not in (0, 1, 2, 4, 5)), float(found[2])


def declare_solver(name: str, method: Method, summary: str) -> None:
    """Declare ``[x, flag, relres, iter, resvec] = name(A, b, tol, maxit, M1, M2, x0)``."""

    def call(ctx: CallContext, a: Value, b: Value, *args: Value, nargout: int = 1) -> Value:
        s = system(ctx, name, a, b, args)
        if is_zero(s.b):
            s.x = zeros(s.x)
            s.history.append(0.0)
            return report(ctx, name, s, 0, 0.0, nargout)
        if not is_finite(s.divide(s.b)):  # the preconditioner cannot be solved with
            s.history.append(s.size)
            return report(ctx, name, s, 2, 0.0, nargout)
        flag, steps = method(s)
        if not is_finite(s.x):
            flag, s.x = 4, zeros(s.b)
        return report(ctx, name, s, flag, steps, nargout)

    builtin(
        name,
        words="",
        category=_FAMILY,
        device=_LEFT if name in RESIDENT else _FETCHED,
        text=summary,
        see=("mldivide", "gmres"),
        signatures=(
            f"x = {name}(A, b)",
            f"[x, flag, relres, iter, resvec] = {name}(A, b, tol, maxit, M1, M2, x0)",
        ),
        cases=(f"norm({name}([4 1; 1 3], [1; 2]) - [1; 7]/11) < 1e-6",),
    )(call)


declare_solver("pcg", _cg, "Preconditioned conjugate gradients, for positive definite matrices.")
declare_solver("bicg", _bicg, "Biconjugate gradients.")
declare_solver("bicgstab", _bicgstab, "Biconjugate gradients, stabilised.")
declare_solver("cgs", _cgs, "Conjugate gradients squared.")
declare_solver("qmr", _qmr, "Quasi-minimal residuals.")
declare_solver("tfqmr", _tfqmr, "Quasi-minimal residuals without transposes.")
declare_solver("minres", _minres, "Minimal residuals, for symmetric matrices.")
declare_solver("lsqr", _lsqr, "Least squares by Golub-Kahan bidiagonalisation.")


@builtin(
    "gmres",
    words="",
    category=_FAMILY,
    device=_LEFT,
    signatures=(
        "x = gmres(A, b)",
        "[x, flag, relres, iter, resvec] = gmres(A, b, restart, tol, maxit, M1, M2, x0)",
    ),
    cases=("norm(gmres([4 1; 2 3], [1; 2]) - [1; 6]/10) < 1e-6",),
    see=("pcg", "bicgstab"),
)
def gmres(
    ctx: CallContext,
    a: Value,
    b: Value,
    restart: Value | None = None,
    *args: Value,
    nargout: int = 1,
) -> Value:
    """Generalised minimal residuals, restarted when asked for."""
    s = system(ctx, "gmres", a, b, args)
    n = s.b.size
    inner = int(number_or(restart, 0.0)) or 0
    most = int(number_or(args[1] if len(args) > 1 else None, min(n, 10)))
    length, rounds = (min(inner, n), most) if inner else (min(most, n), 1)
    if is_zero(s.b):
        s.x = zeros(s.x)
        s.history.append(0.0)
        return report(ctx, "gmres", s, 0, np.zeros((1, 2)), nargout)
    outer = steps = 0
    flag = 1
    if not is_finite(s.divide(s.b)):
        s.history.append(s.size)
        flag, rounds = 2, 0
    while flag and outer < rounds:
        outer += 1
        flag, steps = _cycle(s, length)
    outer = outer if steps else 0
    return report(ctx, "gmres", s, flag, np.array([[outer, steps]]), nargout)


def _cycle(s: System, length: int) -> tuple[int, int]:
    """One run of Arnoldi's process with Givens rotations; (flag, steps)."""
    r = s.divide(s.b - s.times(s.x))
    beta = norm(r)
    goal = s.tol * norm(s.divide(s.b))
    if not s.history:
        s.history.append(beta)
    if beta <= goal:
        return 0, 0
    basis = [r / beta]
    kind = np.float64 if isinstance(r, Term) else np.result_type(r, float)
    h = np.zeros((length + 1, length), dtype=kind)
    for k in range(length):
        w = s.divide(s.times(basis[k]))
        for j, v in enumerate(basis):
            h[j, k] = dot(v, w)
            w = w - h[j, k] * v
        h[k + 1, k] = norm(w)
        y, residual = _hessenberg_minimum(h[: k + 2, : k + 1], beta)
        s.history.append(residual)
        if residual <= goal or h[k + 1, k] == 0 or k == length - 1:
            s.x = s.x + _combined(basis, y)
            return int(residual > goal), k + 1
        basis.append(w / h[k + 1, k])
    return 1, length


def _combined(basis: list[Vector], shares: Array) -> Vector:
    """The sum of vectors, so much of each."""
    if isinstance(basis[0], Term):
        return sum(
            (v * float(y) for v, y in zip(basis[1:], shares[1:], strict=True)),
            basis[0] * float(shares[0]),
        )
    return np.column_stack(basis) @ shares


def _hessenberg_minimum(h: Array, beta: float) -> tuple[Array, float]:
    right = np.zeros(h.shape[0], dtype=h.dtype)
    right[0] = beta
    y = stoppable.lstsq(h, right, rcond=None)[0]
    return y, norm(right - h @ y)
