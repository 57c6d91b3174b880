"""Iterative solvers of linear systems: pcg, gmres, bicg, bicgstab, cgs, qmr, minres and kin."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import fetch_terms, resident
from app.engine.capture.terms import Term, constant_array
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.operators.sparse_arithmetic import binary, transpose
from app.engine.values import (
    Array,
    DeviceArray,
    FunctionHandle,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    float_of,
    host,
    is_text_scalar,
    numel,
    size_of,
)
from app.errors import MatlabError

_FAMILY = "sparse matrices"
Vector: TypeAlias = Any
"""A vector: an array of the host's, or a term (a column) where the right side is on the device; a
number that comes of two, too."""
Apply = Callable[[Vector], Vector]
INNER = "needs-host-value: how far is it from the solution?"
_RESIDENT = frozenset(("pcg", "bicg", "bicgstab", "cgs", "tfqmr", "minres", "gmres"))
_LEFT = HostOnly(
    "steps on the host; what is on the device stays there, its sums aside", lazy=True, stays=True
)
_FETCHED = HostOnly("iterates with SciPy on the host", lazy=True)
"""Methods whose vectors stay where the right side is."""


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
        size: the norm of the right side.
    """

    times: Apply
    adjoint: Apply
    divide: Apply
    adjoint_divide: Apply
    b: Vector
    tol: float
    most: int
    x: Vector
    history: list[float] = field(default_factory=list)
    size: float = field(init=False)

    def __post_init__(self) -> None:
        self.size = _norm(self.b)

    def small(self, residual: Vector) -> bool:
        """Note a residual; True when it is small enough."""
        self.history.append(_norm(residual, self.x))
        return self.history[-1] <= self.tol * self.size


def _dot(a: Vector, b: Vector) -> Vector:
    """The inner product, the first vector conjugated."""
    if isinstance(a, Term):
        inner = (a * b).sum()
        Session.runtime.evaluate([inner.node, a.node, b.node], INNER)
        return np.float64(Session.runtime.gather(inner.node, INNER).item())
    return np.vdot(a, b)


def _norm(a: Vector, *others: Vector) -> float:
    """The Euclidean norm; ``others`` are worked out with it."""
    if isinstance(a, Term):
        kept = [t.node for t in (a, *others)]
        squares = (a * a).sum()
        Session.runtime.evaluate([squares.node, *kept], INNER)
        return math.sqrt(Session.runtime.gather(squares.node, INNER).item())
    return float(np.linalg.norm(a))


def _is_zero(a: Vector) -> bool:
    return not _norm(a) if isinstance(a, Term) else not a.any()


def _is_finite(a: Vector) -> bool:
    if isinstance(a, Term):
        return bool(fetch_terms(a.isfinite().all(), cause=INNER)[0].item())
    return bool(np.isfinite(a).all())


def _conjugate(a: Vector) -> Vector:
    return a if isinstance(a, Term) else a.conj()


def _zeros(like: Vector) -> Vector:
    return constant_array(0.0, like.shape) if isinstance(like, Term) else np.zeros_like(like)


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


def _resident_system(
    ctx: CallContext, name: str, a: Value, b: Value, args: tuple[Value, ...]
) -> System | None:
    """A system whose right side is on the device, with a sparse matrix or a function, and functions
    for preconditioners; None for others."""
    tol, most, m1, m2, x0 = (*args, *[None] * 5)[:5]
    right = resident(b) if type(b) is DeviceArray and len(size_of(b)) == 2 else None
    fits = right is not None and right[0].dtype is DType.F64 and right[0].shape[1] == 1
    known = isinstance(a, FunctionHandle) or (type(a) is SparseMatrix and a.dtype.char == "d")
    if name not in _RESIDENT or right is None or not fits or not known:
        return None
    size = right[0].shape
    if type(a) is SparseMatrix and a.shape != (size[0], size[0]):
        return None
    divisors = [
        m for m in (m1, m2) if m is not None and (isinstance(m, FunctionHandle) or numel(m))
    ]
    if not all(isinstance(m, FunctionHandle) for m in divisors):
        return None
    guess = _zeros(right[0])
    if x0 is not None and numel(x0):
        begun = resident(x0)
        if begun is None or begun[0].shape != size or begun[0].dtype is not DType.F64:
            return None
        guess = begun[0]
    extra = args[5:]
    two = name == "bicg" and isinstance(a, FunctionHandle)
    times = _resident_product(ctx, a, (*(("notransp",) if two else ()), *extra))
    turned = transpose(a) if type(a) is SparseMatrix and name == "bicg" else a
    adjoint = _resident_product(ctx, turned, (*(("transp",) if two else ()), *extra))
    steps = [_resident_product(ctx, m, extra) for m in divisors]

    def divide(r: Vector) -> Vector:
        for step in steps:
            r = step(r)
        return r

    count = int(_number(most, min(size[0], 20)))
    return System(times, adjoint, divide, divide, right[0], _number(tol, 1e-6), count, guess)


def _resident_product(ctx: CallContext, a: Value, extra: tuple[Value, ...]) -> Apply:
    """Multiplies columns that are on the device by a sparse matrix, or calls a function."""

    def apply(x: Vector) -> Vector:
        if type(a) is SparseMatrix:
            made = binary("mtimes", a, x.value)
        else:
            made = ctx.call(a, (x.value, *extra), 1)[0]
        found = resident(made)
        if found is None or found[0].size != x.size:
            text = "The function must give a real column of the size that it takes."
            raise MatlabError("MATLAB:iterative:functionResult", text)
        return found[0].cast(DType.F64).reshape(x.shape)

    return apply


def system(ctx: CallContext, name: str, a: Value, b: Value, args: tuple[Value, ...]) -> System:
    """Read ``(A, b, tol, maxit, M1, M2, x0, ...)``."""
    there = _resident_system(ctx, name, a, b, args)
    if there is not None:
        return there
    a, b, args = host(a), host(b), tuple(map(host, args))
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
    relative = _norm(s.b - s.times(s.x)) / (s.size or 1.0)
    if flag and nargout < 2:
        text = f"{name} stopped without reaching the desired tolerance {s.tol:g}."
        ctx.warning(f"MATLAB:{name}:tooManyIterations", text)
    resvec = canonical(np.array(s.history).reshape(-1, 1))
    count = canonical(np.atleast_2d(np.asarray(steps, dtype=float)))
    if isinstance(s.x, Term):
        return s.x.value, float(flag), relative, count, resvec
    if s.b.dtype in (np.float32, np.complex64):
        s.x = s.x.astype(s.b.dtype)
    return canonical(s.x.reshape(-1, 1)), float(flag), relative, count, resvec


Method = Callable[[System], tuple[int, float]]


def _cg(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    z = s.divide(r)
    p, rho = z, _dot(r, z)
    for step in range(1, s.most + 1):
        q = s.times(p)
        curve = _dot(p, q)
        skew = abs(curve.imag) > 1e-8 * abs(curve)
        if curve == 0 or not np.isfinite(curve) or curve.real < 0 or skew:
            return 4, step - 1.0
        alpha = rho / curve
        s.x = s.x + alpha * p
        r = r - alpha * q
        if s.small(r):
            return 0, float(step)
        z = s.divide(r)
        rho, before = _dot(r, z), rho
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
        size = _norm(q)
        for direction, product, divided in kept:
            share = _dot(divided, q)
            p, q = p - share * direction, q - share * product
        z = s.divide(q)
        square = _dot(q, z).real
        if not (0.0 < square < math.inf and _norm(q) > _NOTHING_LEFT * size):
            return 4, step - 1.0
        p, q, z = (v / math.sqrt(square) for v in (p, q, z))
        alpha = _dot(z, r)
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
    shadow = _conjugate(r)
    p = q = _zeros(r)
    before: complex = 1.0
    for step in range(1, s.most + 1):
        z, w = s.divide(r), s.adjoint_divide(shadow)
        rho = _dot(shadow, z)
        if rho == 0 or not np.isfinite(rho):
            return 4, step - 1.0
        beta = 0 if step == 1 else rho / before
        p, q = z + beta * p, w + np.conj(beta) * q
        t = s.times(p)
        alpha = rho / _dot(q, t)
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
    shadow, v, p = r, _zeros(r), _zeros(r)
    rho: complex = 1.0
    alpha: complex = 1.0
    omega: complex = 1.0
    for step in range(1, s.most + 1):
        rho, before = _dot(shadow, r), rho
        if rho == 0 or omega == 0 or not np.isfinite(rho):
            return 4, step - 1.0
        p = r + rho / before * alpha / omega * (p - omega * v)
        y = s.divide(p)
        v = s.times(y)
        alpha = rho / _dot(shadow, v)
        half = r - alpha * v
        s.x = s.x + alpha * y
        if s.small(half):
            return 0, step - 0.5
        z = s.divide(half)
        t = s.times(z)
        omega = _dot(t, half) / _dot(t, t)
        s.x = s.x + omega * z
        r = half - omega * t
        if s.small(r):
            return 0, float(step)
    return 1, float(s.most)


def _cgs(s: System) -> tuple[int, float]:
    r = s.b - s.times(s.x)
    if s.small(r):
        return 0, 0.0
    shadow, p, q = r, _zeros(r), _zeros(r)
    rho: complex = 1.0
    for step in range(1, s.most + 1):
        rho, before = _dot(shadow, r), rho
        if rho == 0 or not np.isfinite(rho):
            return 4, step - 1.0
        beta = 0 if step == 1 else rho / before
        u = r + beta * q
        p = u + beta * (q + beta * p)
        v = s.times(s.divide(p))
        alpha = rho / _dot(shadow, v)
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
    shadow, w, y, d = r, r, r, _zeros(r)
    v = u = s.times(s.divide(y))
    tau, theta = _norm(r), 0.0
    eta: complex = 0.0
    rho: complex = _dot(shadow, r)
    for step in range(1, s.most + 1):
        alpha = rho / _dot(shadow, v)
        if not np.isfinite(alpha) or alpha == 0:
            return 4, step - 1.0
        for half in (0.5, 0.0):
            w = w - alpha * u
            d = y + theta**2 * eta / alpha * d
            theta = _norm(w) / tau
            share = 1 / (1 + theta**2)
            tau, eta = tau * theta * np.sqrt(share), share * alpha
            s.x = s.x + eta * s.divide(d)
            if s.small(s.b - s.times(s.x)):
                return 0, float(step - (half > 0))
            if half:
                y = y - alpha * v
                u = s.times(s.divide(y))
        rho, before = _dot(shadow, w), rho
        y, old = w + rho / before * y, u
        u = s.times(s.divide(y))
        v = u + rho / before * (old + rho / before * v)
    return 1, float(s.most)


def _qmr(s: System) -> tuple[int, float]:
    """SciPy's quasi-minimal residuals on the preconditioned system, the residuals noted."""
    from scipy.sparse import linalg

    if s.small(s.b - s.times(s.x)):
        return 0, 0.0

    def operator(forth: Apply, back: Apply) -> Any:
        return linalg.LinearOperator((s.b.size,) * 2, forth, rmatvec=back, dtype=s.b.dtype)

    def note(x: Array) -> None:
        s.history.append(_norm(s.b - s.times(x)))

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
        if _is_zero(s.b):
            s.x = _zeros(s.x)
            s.history.append(0.0)
            return report(ctx, name, s, 0, 0.0, nargout)
        if not _is_finite(s.divide(s.b)):  # the preconditioner cannot be solved with
            s.history.append(s.size)
            return report(ctx, name, s, 2, 0.0, nargout)
        flag, steps = method(s)
        if not _is_finite(s.x):
            flag, s.x = 4, _zeros(s.b)
        return report(ctx, name, s, flag, steps, nargout)

    builtin(
        name,
        words="",
        category=_FAMILY,
        device=_LEFT if name in _RESIDENT else _FETCHED,
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
    inner = int(_number(restart, 0.0)) or 0
    most = int(_number(args[1] if len(args) > 1 else None, min(n, 10)))
    length, rounds = (min(inner, n), most) if inner else (min(most, n), 1)
    if _is_zero(s.b):
        s.x = _zeros(s.x)
        s.history.append(0.0)
        return report(ctx, "gmres", s, 0, np.zeros((1, 2)), nargout)
    outer = steps = 0
    flag = 1
    if not _is_finite(s.divide(s.b)):
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
    beta = _norm(r)
    goal = s.tol * _norm(s.divide(s.b))
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
            h[j, k] = _dot(v, w)
            w = w - h[j, k] * v
        h[k + 1, k] = _norm(w)
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
    return y, _norm(right - h @ y)
