"""Systems of equations as iterative solvers read and report them."""

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

Vector: TypeAlias = Any
"""A vector: an array of the host's, or a term (a column) where the right side is on the device; a
number that comes of two, too."""
Apply = Callable[[Vector], Vector]
INNER = "needs-host-value: how far is it from the solution?"
RESIDENT = frozenset(("pcg", "bicg", "bicgstab", "cgs", "tfqmr", "minres", "gmres"))
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
        self.size = norm(self.b)

    def small(self, residual: Vector) -> bool:
        """Note a residual; True when it is small enough."""
        self.history.append(norm(residual, self.x))
        return self.history[-1] <= self.tol * self.size


def dot(a: Vector, b: Vector) -> Vector:
    """The inner product, the first vector conjugated."""
    if isinstance(a, Term):
        inner = (a * b).sum()
        Session.runtime.evaluate([inner.node, a.node, b.node], INNER)
        return np.float64(Session.runtime.gather(inner.node, INNER).item())
    return np.vdot(a, b)


def norm(a: Vector, *others: Vector) -> float:
    """The Euclidean norm; ``others`` are worked out with it."""
    if isinstance(a, Term):
        kept = [t.node for t in (a, *others)]
        squares = (a * a).sum()
        Session.runtime.evaluate([squares.node, *kept], INNER)
        return math.sqrt(Session.runtime.gather(squares.node, INNER).item())
    return float(np.linalg.norm(a))


def is_zero(a: Vector) -> bool:
    """Whether no element differs from zero."""
    return not norm(a) if isinstance(a, Term) else not a.any()


def is_finite(a: Vector) -> bool:
    """Whether all elements are finite."""
    if isinstance(a, Term):
        return bool(fetch_terms(a.isfinite().all(), cause=INNER)[0].item())
    return bool(np.isfinite(a).all())


def conjugate(a: Vector) -> Vector:
    """The complex conjugate; terms are real."""
    return a if isinstance(a, Term) else a.conj()


def zeros(like: Vector) -> Vector:
    """Zeros of the size, the class and the place of a vector."""
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


def number_or(v: Value | None, default: float) -> float:
    """An optional number; ``default`` where it is left out or empty."""
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
    if name not in RESIDENT or right is None or not fits or not known:
        return None
    size = right[0].shape
    if type(a) is SparseMatrix and a.shape != (size[0], size[0]):
        return None
    divisors = [
        m for m in (m1, m2) if m is not None and (isinstance(m, FunctionHandle) or numel(m))
    ]
    if not all(isinstance(m, FunctionHandle) for m in divisors):
        return None
    guess = zeros(right[0])
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

    count = int(number_or(most, min(size[0], 20)))
    return System(times, adjoint, divide, divide, right[0], number_or(tol, 1e-6), count, guess)


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
        number_or(tol, 1e-6),
        int(number_or(most, min(flat.size, 20))),
        guess,
    )


def report(
    ctx: CallContext, name: str, s: System, flag: int, steps: float | Array, nargout: int
) -> Value:
    """The outputs ``[x, flag, relres, iter, resvec]``; a warning when nobody takes the flag."""
    relative = norm(s.b - s.times(s.x)) / (s.size or 1.0)
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
