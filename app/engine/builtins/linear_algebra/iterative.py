"""Iterative solvers of linear systems: pcg, gmres, bicg, bicgstab, cgs, qmr, minres and kin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    FunctionHandle,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
    numel,
    size_of,
)
from app.errors import MatlabError

_FAMILY = "sparse matrices"
Apply = Callable[[Array], Array]


@dataclass(slots=True)
class System:
    """A system of equations as the methods need it.

    Attributes:
        times: multiplies by the matrix.
        adjoint: multiplies by its conjugate transpose.
        divide: solves with the preconditioner.
        adjoint_divide: solves with its conjugate transpose.
        b: the right side.
        tol: the relative residual that is good enough.
        most: the most iterations.
        x: the guess, then the solution.
        history: norms of the residuals.
    """

    times: Apply
    adjoint: Apply
    divide: Apply
    adjoint_divide: Apply
    b: Array
    tol: float
    most: int
    x: Array
    history: list[float] = field(default_factory=list)

    def small(self, residual: Array) -> bool:
        """Note a residual; True when it is small enough."""
        self.history.append(float(np.linalg.norm(residual)))
        return self.history[-1] <= self.tol * float(np.linalg.norm(self.b))


def _operator(
    ctx: CallContext, name: str, a: Value, extra: tuple[Value, ...]
) -> tuple[Apply, Apply]:
    if isinstance(a, FunctionHandle) or is_text_scalar(a):
        target = a if isinstance(a, FunctionHandle) else str(a)

        def call(x: Array, *words: Value) -> Array:
            found = ctx.call(target, (canonical(x.reshape(-1, 1)), *words, *extra), 1)[0]
            return as_array(found).ravel(order="F")

        two = name in ("bicg", "qmr", "lsqr")
        return (
            lambda x: call(x, *(("notransp",) if two else ())),
            lambda x: call(x, *(("transp",) if two else ())),
        )
    if name != "lsqr" and (len(size_of(a)) != 2 or size_of(a)[0] != size_of(a)[1]):
        raise MatlabError(f"MATLAB:{name}:NonSquareMatrix", "Matrix must be square.")
    m = a.matrix if isinstance(a, SparseMatrix) else as_array(a)
    return lambda x: m @ x, lambda x: m.conj().T @ x


def _solver(
    ctx: CallContext, name: str, m: Value | None, extra: tuple[Value, ...]
) -> tuple[Apply, Apply]:
    if m is None or (not isinstance(m, FunctionHandle) and numel(m) == 0):
        return (lambda x: x), (lambda x: x)
    if isinstance(m, FunctionHandle) or is_text_scalar(m):
        return _operator(ctx, name, m, extra)
    from scipy.sparse import csc_array, linalg

    matrix = m.matrix if isinstance(m, SparseMatrix) else as_array(m)
    try:
        factors = stoppable.of_sparse(
            linalg.splu, csc_array(matrix).astype(np.result_type(matrix.dtype, float))
        )
    except RuntimeError:
        return (lambda x: x * np.nan), (lambda x: x * np.nan)  # flag 2: it cannot be solved with
    return factors.solve, lambda x: np.asarray(factors.solve(x, trans="H"))


def _number(v: Value | None, default: float) -> float:
    return default if v is None or numel(v) == 0 else float_of(v)


def _right_side(b: Array, single: bool) -> Array:
    """The right side as a float vector, single when any operand is."""
    dtype = np.result_type(b.dtype, np.float32 if single else np.float64)
    narrow = np.complex64 if dtype.kind == "c" else np.float32
    return b.ravel().astype(narrow if single else dtype)


def system(ctx: CallContext, name: str, a: Value, b: Value, args: tuple[Value, ...]) -> System:
    """Read ``(A, b, tol, maxit, M1, M2, x0, ...)``."""
    given: list[Any] = [*args, *[None] * 5]
    tol, most, m1, m2, x0 = given[:5]
    extra = args[5:]
    right = as_array(b)
    if right.ndim != 2 or right.shape[1] != 1:
        raise MatlabError(
            f"MATLAB:{name}:RSHsizeMatchCoeffMatrix", "Right hand side must be a column vector."
        )
    if not (isinstance(a, FunctionHandle) or is_text_scalar(a)) and size_of(a)[0] != right.size:
        text = f"Right hand side must be a column vector of length {size_of(a)[0]}."
        raise MatlabError(f"MATLAB:{name}:RSHsizeMatchCoeffMatrix", text)
    times, adjoint = _operator(ctx, name, a, extra)
    first, first_h = _solver(ctx, name, m1, extra)
    second, second_h = _solver(ctx, name, m2, extra)
    single = np.float32 in (right.dtype, getattr(a, "dtype", None), getattr(x0, "dtype", None))
    flat = _right_side(right, single)
    columns = size_of(a)[1] if name == "lsqr" and not isinstance(a, FunctionHandle) else flat.size
    guess = np.zeros(columns, dtype=flat.dtype)
    if x0 is not None and numel(x0):
        guess = as_array(x0).ravel(order="F").astype(np.result_type(as_array(x0), flat))
    return System(
        times,
        adjoint,
        lambda r: second(first(r)),
        lambda r: first_h(second_h(r)),
        flat,
        _number(tol, 1e-6),
        int(_number(most, min(flat.size, 20))),
        guess,
    )


def report(
    ctx: CallContext, name: str, s: System, flag: int, steps: float | Array, nargout: int
) -> Value:
    """The outputs ``[x, flag, relres, iter, resvec]``; a warning when nobody takes the flag."""
    size = float(np.linalg.norm(s.b)) or 1.0
    relative = float(np.linalg.norm(s.b - s.times(s.x))) / size
    if flag and nargout < 2:
        text = f"{name} stopped without reaching the desired tolerance {s.tol:g}."
        ctx.warning(f"MATLAB:{name}:tooManyIterations", text)
    resvec = canonical(np.array(s.history).reshape(-1, 1))
    count = canonical(np.atleast_2d(np.asarray(steps, dtype=float)))
    if s.b.dtype in (np.float32, np.complex64):
        s.x = s.x.astype(s.b.dtype)
    return canonical(s.x.reshape(-1, 1)), float(flag), relative, count, resvec


Method = Callable[[System], tuple[int, float]]


def _cg(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    z = s.divide(r)
    p, rho = z, np.vdot(r, z)
    for step in range(1, s.most + 1):
        q = s.times(p)
        curve = np.vdot(p, q)
        skew = abs(curve.imag) > 1e-8 * abs(curve)
        if curve == 0 or not np.isfinite(curve) or curve.real < 0 or skew:
            return 4, step - 1.0
        alpha = rho / curve
        s.x = s.x + alpha * p
        r = r - alpha * q
        if s.small(r):
            return 0, float(step)
        z = s.divide(r)
        rho, before = np.vdot(r, z), rho
        p = z + rho / before * p
    return 1, float(s.most)


def _bicg(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    shadow = r.conj().copy()
    p = q = np.zeros_like(r)
    before: Any = 1.0
    for step in range(1, s.most + 1):
        z, w = s.divide(r), s.adjoint_divide(shadow)
        rho = np.vdot(shadow, z)
        if rho == 0 or not np.isfinite(rho):
            return 4, step - 1.0
        beta = 0 if step == 1 else rho / before
        p, q = z + beta * p, w + np.conj(beta) * q
        t = s.times(p)
        alpha = rho / np.vdot(q, t)
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
    shadow, v, p = r.copy(), np.zeros_like(r), np.zeros_like(r)
    rho = alpha = omega = 1.0
    for step in range(1, s.most + 1):
        rho, before = np.vdot(shadow, r), rho
        if rho == 0 or omega == 0 or not np.isfinite(rho):
            return 4, step - 1.0
        p = r + rho / before * alpha / omega * (p - omega * v)
        y = s.divide(p)
        v = s.times(y)
        alpha = rho / np.vdot(shadow, v)
        half = r - alpha * v
        s.x = s.x + alpha * y
        if s.small(half):
            return 0, step - 0.5
        z = s.divide(half)
        t = s.times(z)
        omega = np.vdot(t, half) / np.vdot(t, t)
        s.x = s.x + omega * z
        r = half - omega * t
        if s.small(r):
            return 0, float(step)
    return 1, float(s.most)


def _cgs(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    shadow, p, q = r.copy(), np.zeros_like(r), np.zeros_like(r)
    rho: Any = 1.0
    for step in range(1, s.most + 1):
        rho, before = np.vdot(shadow, r), rho
        if rho == 0 or not np.isfinite(rho):
            return 4, step - 1.0
        beta = 0 if step == 1 else rho / before
        u = r + beta * q
        p = u + beta * (q + beta * p)
        v = s.times(s.divide(p))
        alpha = rho / np.vdot(shadow, v)
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
    shadow, w, y, d = r, r, r, np.zeros_like(r)
    v = u = s.times(s.divide(y))
    tau, theta, eta = float(np.linalg.norm(r)), 0.0, 0.0
    rho: Any = np.vdot(shadow, r)
    for step in range(1, s.most + 1):
        alpha = rho / np.vdot(shadow, v)
        if not np.isfinite(alpha) or alpha == 0:
            return 4, step - 1.0
        for half in (0.5, 0.0):
            w = w - alpha * u
            d = y + theta**2 * eta / alpha * d
            theta = float(np.linalg.norm(w)) / tau
            share = 1 / (1 + theta**2)
            tau, eta = tau * theta * np.sqrt(share), share * alpha
            s.x = s.x + eta * s.divide(d)
            if s.small(s.b - s.times(s.x)):
                return 0, float(step - (half > 0))
            if half:
                y = y - alpha * v
                u = s.times(s.divide(y))
        rho, before = np.vdot(shadow, w), rho
        y, old = w + rho / before * y, u
        u = s.times(s.divide(y))
        v = u + rho / before * (old + rho / before * v)
    return 1, float(s.most)


def _through_scipy(function: str) -> Method:
    """A method of SciPy's on the preconditioned system, its residuals noted."""

    def solve(s: System) -> tuple[int, float]:
        from scipy.sparse import linalg

        n = s.b.size
        if s.small(s.b - s.times(s.x)):
            return 0, 0.0
        a = linalg.LinearOperator((n, n), s.times, rmatvec=s.adjoint, dtype=s.b.dtype)
        options: dict[str, Any] = {"rtol": s.tol, "maxiter": s.most, "x0": s.x}
        if function == "minres":
            options["M"] = linalg.LinearOperator((n, n), s.divide, dtype=s.b.dtype)
        else:
            options["M2"] = linalg.LinearOperator(
                (n, n), lambda x: x, rmatvec=lambda x: x, dtype=s.b.dtype
            )
            options["M1"] = linalg.LinearOperator(
                (n, n), s.divide, rmatvec=s.adjoint_divide, dtype=s.b.dtype
            )
            options["atol"] = 0.0

        def note(x: Array) -> None:
            s.history.append(float(np.linalg.norm(s.b - s.times(x))))

        s.x, failed = getattr(linalg, function)(a, s.b, callback=note, **options)
        # SciPy does not look at what its last pass has reached.
        reached = not failed or s.history[-1] <= s.tol * float(np.linalg.norm(s.b))
        return int(not reached), float(len(s.history) - 1)

    return solve


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
        if not s.b.any():
            s.x = np.zeros_like(s.x)
            s.history.append(0.0)
            return report(ctx, name, s, 0, 0.0, nargout)
        if not np.isfinite(s.divide(s.b)).all():  # the preconditioner cannot be solved with
            s.history.append(float(np.linalg.norm(s.b)))
            return report(ctx, name, s, 2, 0.0, nargout)
        flag, steps = method(s)
        if not np.isfinite(s.x).all():
            flag, s.x = 4, np.zeros_like(s.b)
        return report(ctx, name, s, flag, steps, nargout)

    builtin(
        name,
        words="",
        category=_FAMILY,
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
declare_solver("qmr", _through_scipy("qmr"), "Quasi-minimal residuals.")
declare_solver("tfqmr", _tfqmr, "Quasi-minimal residuals without transposes.")
declare_solver("minres", _through_scipy("minres"), "Minimal residuals, for symmetric matrices.")
declare_solver("lsqr", _lsqr, "Least squares by Golub-Kahan bidiagonalisation.")


@builtin(
    "gmres",
    words="",
    category=_FAMILY,
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
    inner = int(_number(restart, 0.0)) or 0
    most = int(_number(args[1] if len(args) > 1 else None, min(n, 10)))
    length, rounds = (min(inner, n), most) if inner else (min(most, n), 1)
    if not s.b.any():
        s.x = np.zeros_like(s.x)
        s.history.append(0.0)
        return report(ctx, "gmres", s, 0, np.zeros((1, 2)), nargout)
    outer = steps = 0
    flag = 1
    if not np.isfinite(s.divide(s.b)).all():
        s.history.append(float(np.linalg.norm(s.b)))
        flag, rounds = 2, 0
    while flag and outer < rounds:
        outer += 1
        flag, steps = _cycle(s, length)
    outer = outer if steps else 0
    return report(ctx, "gmres", s, flag, np.array([[outer, steps]]), nargout)


def _cycle(s: System, length: int) -> tuple[int, int]:
    """One run of Arnoldi's process with Givens rotations; (flag, steps)."""
    r = s.divide(s.b - s.times(s.x))
    beta = float(np.linalg.norm(r))
    goal = s.tol * float(np.linalg.norm(s.divide(s.b)))
    if not s.history:
        s.history.append(beta)
    if beta <= goal:
        return 0, 0
    basis = [r / beta]
    h = np.zeros((length + 1, length), dtype=np.result_type(r, float))
    for k in range(length):
        w = s.divide(s.times(basis[k]))
        for j, v in enumerate(basis):
            h[j, k] = np.vdot(v, w)
            w = w - h[j, k] * v
        h[k + 1, k] = np.linalg.norm(w)
        y, residual = _hessenberg_minimum(h[: k + 2, : k + 1], beta)
        s.history.append(residual)
        if residual <= goal or h[k + 1, k] == 0 or k == length - 1:
            s.x = s.x + np.column_stack(basis) @ y
            return int(residual > goal), k + 1
        basis.append(w / h[k + 1, k])
    return 1, length


def _hessenberg_minimum(h: Array, beta: float) -> tuple[Array, float]:
    right = np.zeros(h.shape[0], dtype=h.dtype)
    right[0] = beta
    y = stoppable.lstsq(h, right, rcond=None)[0]
    return y, float(np.linalg.norm(right - h @ y))
