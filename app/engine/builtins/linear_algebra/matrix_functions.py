"""Functions of matrices: expm, logm, sqrtm, null, orth, schur, rref and their kin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    ANY,
    COUNT,
    DIM,
    FINITE,
    NUMBER,
    NUMBERS,
    POSITIVE,
    STRUCT,
    element_count,
    one_of,
    real_number,
    takes,
    unknown_option,
    within,
)
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.linear_algebra import function_forms
from app.engine.builtins.linear_algebra.basics import LARGE_ON_CARDS, finite, on_card
from app.engine.builtins.linear_algebra.norms import matrix_norm, norm_order
from app.engine.capture import reduce_capture
from app.engine.declarations.device_support import of_resident, value_form
from app.engine.declarations.registry import builtin
from app.engine.operators import orthogonal_forms
from app.engine.operators.arithmetic import to_single
from app.engine.operators.factors import rank_limit
from app.engine.values import (
    EMPTY,
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    class_of,
    host,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError, agreement_error

_FAMILY = "linear algebra"


def _matrix(v: Value, name: str = "") -> Array:
    if class_of(v) not in {"double", "single", "logical", "char"} and not hasattr(v, "matrix"):
        raise undefined_for_class(name, v)
    a = np.asarray(as_array(v))
    if a.ndim != 2:
        raise MatlabError(f"MATLAB:{name}:inputMustBe2D", "Input must be 2-D.")
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _square(v: Value, name: str) -> Array:
    a = _matrix(v, name)
    if a.shape[0] != a.shape[1]:
        raise MatlabError(f"MATLAB:{name}:inputMustBeSquare", "Matrix must be square.")
    return a


def _linalg() -> Any:
    from scipy import linalg

    return linalg


@builtin(
    "expm",
    category=_FAMILY,
    signatures=("Y = expm(X)",),
    device=of_resident(function_forms.expm),
    cases=("norm(expm(zeros(2)) - eye(2)) == 0", "norm(expm([0 1; 0 0]) - [1 1; 0 1]) < 1e-15"),
    see=("logm", "sqrtm", "exp"),
)
def expm(x: Value) -> Value:
    """Matrix exponential by scaling, squaring and Pade approximation (Higham 2005)."""
    a = _square(x, "expm")
    return canonical(stoppable.exponential(a)) if a.size else EMPTY


@builtin(
    "logm",
    category=_FAMILY,
    signatures=("[L, exitflag] = logm(A)",),
    cases=("norm(logm(expm([1 2; 0 1])) - [1 2; 0 1]) < 1e-13",),
    see=("expm", "sqrtm"),
)
def logm(a: Value) -> Value:
    """Principal matrix logarithm by inverse scaling and squaring of the Schur form."""
    x = _square(a, "logm")
    if not np.isfinite(x).all():
        return canonical(np.log(x) if x.size == 1 else np.full(x.shape, np.nan)), 1.0
    found = stoppable.of_triangle(_linalg().logm, x.astype(np.result_type(x, np.float64)))
    return canonical(to_single(found) if x.dtype.char in "fF" else found), 0.0


@builtin(
    "sqrtm",
    category=_FAMILY,
    signatures=("[X, residual] = sqrtm(A)",),
    cases=("norm(sqrtm([4 0; 0 9]) - [2 0; 0 3]) < 1e-15",),
    see=("expm", "chol"),
)
def sqrtm(a: Value) -> Value:
    """Principal square root of a matrix, by the Schur method."""
    x = _square(a, "sqrtm")
    root = stoppable.of_triangle(_linalg().sqrtm, x)
    size = float(np.linalg.norm(x))
    return canonical(root), float(np.linalg.norm(x - root @ root)) / size if size else 0.0


@builtin(
    "null",
    words="r rational",
    category=_FAMILY,
    signatures=("Z = null(A)", "Z = null(A, tol)", "Z = null(A, 'r')"),
    cases=(
        "norm([1 1; 1 1] * null([1 1; 1 1])) < 1e-15",
        "isequal(size(null(eye(2))), [2 0])",
        "isequal(null(zeros(0, 2)), eye(2))",
    ),
    see=("orth", "rank"),
)
def null(a: Value, how: Value | None = None) -> Value:
    """Orthonormal basis of the null space; ``'r'`` gives a rational basis from ``rref``."""
    m = finite("svd", _matrix(a, "null"))
    if isinstance(how, str):
        return canonical(_rational_null(m))
    if m.size == 0:
        return np.eye(m.shape[1], dtype=m.dtype)
    _, s, v = stoppable.svd(m, full_matrices=m.shape[0] < m.shape[1])
    limit = rank_limit(m.shape, s) if how is None else real_number(how)
    kept = int(np.sum(s > limit))
    basis = v[kept:].conj().T
    return canonical(basis) if basis.size else np.zeros((m.shape[1], 0), dtype=m.dtype)


def _rational_null(m: Array) -> Array:
    reduced, pivots = _rref(m, None)
    free = [k for k in range(m.shape[1]) if k not in pivots]
    basis = np.zeros((m.shape[1], len(free)))
    for column, k in enumerate(free):
        basis[k, column] = 1.0
        basis[pivots, column] = -reduced[: len(pivots), k]
    return basis


@builtin(
    "orth",
    words="",
    category=_FAMILY,
    signatures=("Q = orth(A)", "Q = orth(A, tol)"),
    cases=("isequal(size(orth([1 1; 1 1])), [2 1])",),
    see=("null", "rank"),
)
@takes(FINITE)
def orth(a: Value, tol: Value | None = None) -> Value:
    """Orthonormal basis of the range of a matrix."""
    m = _matrix(a, "orth")
    if m.size == 0:
        return EMPTY
    u, s, _ = stoppable.svd(m, full_matrices=False)
    limit = rank_limit(m.shape, s) if tol is None else real_number(tol)
    return canonical(u[:, : int(np.sum(s > limit))])


@builtin(
    "pinv",
    words="",
    category=_FAMILY,
    signatures=("B = pinv(A)", "B = pinv(A, tol)"),
    device=LARGE_ON_CARDS,
    cases=(
        "norm(pinv([1 0; 0 2]) - [1 0; 0 0.5]) < 1e-15",
        "isequal(size(pinv(ones(2,3))), [3 2])",
    ),
    see=("inv", "lsqminnorm"),
)
def pinv(a: Value, tol: Value | None = None) -> Value:
    """Moore-Penrose pseudoinverse through the singular values."""
    limit = None if tol is None else real_number(tol)
    found = on_card(orthogonal_forms.pinv, (a, limit), 1)
    if found is not NotImplemented:
        return found
    m = finite("svd", _matrix(host(a), "pinv"))
    if m.size == 0:
        return np.zeros(m.shape[::-1])
    u, s, v = stoppable.svd(m, full_matrices=False)
    kept = s > (rank_limit(m.shape, s) if limit is None else limit)
    return canonical((v[kept].conj().T / s[kept]) @ u[:, kept].conj().T)


@builtin(
    "schur",
    words="real complex",
    category=_FAMILY,
    signatures=("T = schur(A)", "[U, T] = schur(A)", "[U, T] = schur(A, mode)"),
    cases=("norm(schur([1 2; 0 3]) - [1 2; 0 3]) < 1e-15",),
    see=("eig", "hess"),
)
def schur(a: Value, mode: Value = "real", *, nargout: int = 1) -> Value:
    """Schur decomposition, ``A = U*T*U'``; the real form has 2x2 blocks for complex pairs."""
    m = finite("schur", _square(a, "schur"))
    if text_of(mode).startswith("c"):
        m = m.astype(np.result_type(m, np.complex64))
    t, u = stoppable.schur(m)
    return (canonical(u), canonical(t)) if nargout > 1 else canonical(t)


@builtin(
    "rsf2csf",
    category=_FAMILY,
    signatures=("[U, T] = rsf2csf(U, T)",),
    cases=("isequal(rsf2csf(eye(2), eye(2)), eye(2))",),
    see=("schur",),
)
def rsf2csf(u: Value, t: Value) -> Value:
    """Real Schur form to complex Schur form."""
    upper, basis = _linalg().rsf2csf(_square(t, "rsf2csf"), _square(u, "rsf2csf"))
    return canonical(basis), canonical(upper)


@builtin(
    "hess",
    category=_FAMILY,
    signatures=("H = hess(A)", "[P, H] = hess(A)"),
    cases=("abs(trace(hess(magic(4))) - 34) < 1e-12",),
    see=("schur", "eig"),
)
def hess(a: Value, *, nargout: int = 1) -> Value:
    """Hessenberg form, ``A = P*H*P'``."""
    h, p = stoppable.hessenberg(finite("hess", _square(a, "hess")))
    return (canonical(p), canonical(h)) if nargout > 1 else canonical(h)


@builtin(
    "balance",
    category=_FAMILY,
    signatures=("B = balance(A)", "[T, B] = balance(A)"),
    cases=("isequal(balance(eye(2)), eye(2))",),
    see=("eig",),
)
def balance(a: Value, *, nargout: int = 1) -> Value:
    """Diagonal scaling that improves eigenvalue accuracy, ``B = T\\A*T``."""
    b, t = _linalg().matrix_balance(finite("balance", _square(a, "balance")))
    return (canonical(t), canonical(b)) if nargout > 1 else canonical(b)


@builtin(
    "qz",
    words="real complex",
    category=_FAMILY,
    signatures=("[AA, BB, Q, Z] = qz(A, B)",),
    cases=("isequal(size(qz(eye(2), eye(2))), [2 2])",),
    see=("eig", "schur"),
)
def qz(a: Value, b: Value, flag: Value = "complex") -> Value:
    """Generalised Schur decomposition, ``Q*A*Z = AA`` and ``Q*B*Z = BB``."""
    x, y = (finite("qz", _square(v, "qz")) for v in (a, b))
    if text_of(flag) != "real":
        x = x.astype(np.result_type(x, np.complex64))
    aa, bb, q, z = stoppable.qz(x, y)
    return canonical(aa), canonical(bb), canonical(q.conj().T), canonical(z)


@builtin(
    "cond",
    category=_FAMILY,
    signatures=("c = cond(A)", "c = cond(A, p)"),
    cases=("cond(eye(3)) == 1", "cond([1 0; 0 0]) == Inf"),
    see=("rcond", "norm"),
)
def cond(a: Value, p: Value = 2.0) -> Value:
    """Condition number for inversion in the 1, 2, Inf or Frobenius norm."""
    m = _matrix(a, "cond")
    if m.size == 0:
        return 0.0
    finite("svd", m)
    if not isinstance(p, str) and real_number(p) == 2:
        s = stoppable.singular_values(m)
        return float(s[0] / s[-1]) if s[-1] else float("inf")
    order = norm_order(p)
    square = _square(a, "cond")
    try:
        inverse = np.linalg.inv(square)
    except np.linalg.LinAlgError:
        return float("inf")
    return float(matrix_norm(square, order) * matrix_norm(inverse, order))


@builtin(
    "rcond",
    category=_FAMILY,
    signatures=("c = rcond(A)",),
    cases=("rcond(eye(3)) == 1", "rcond(zeros(2)) == 0"),
    see=("cond",),
)
def rcond(a: Value) -> Value:
    """Reciprocal condition estimate in the 1-norm, as LAPACK computes it."""
    m = _square(a, "rcond")
    if m.size == 0:
        return float("inf")
    if not np.all(np.isfinite(m)):
        return float("nan") if np.isnan(m).any() else 0.0
    getrf, gecon = _linalg().get_lapack_funcs(("getrf", "gecon"), (m,))
    lu, _, info = getrf(m)
    return 0.0 if info > 0 else float(gecon(lu, np.linalg.norm(m, 1))[0])


@builtin(
    "linsolve",
    category=_FAMILY,
    signatures=("X = linsolve(A, B)", "[X, r] = linsolve(A, B, opts)"),
    cases=("isequal(linsolve([2 0; 0 4], [2; 4]), [1; 1])",),
    see=("mldivide",),
)
@takes(ANY, ANY, STRUCT)
def linsolve(
    ctx: CallContext, a: Value, b: Value, options: Value | None = None, *, nargout: int = 1
) -> Value:
    """Solve ``A*X = B``; options LT, UT, UHESS, SYM, POSDEF, RECT, TRANSA say what is known of A.

    The second output is the reciprocal condition number (the rank of a rectangular A); asking for
    it silences the warning of a singular matrix.
    """
    m, right = _matrix(a, "linsolve"), _matrix(b, "linsolve")
    flags = _linsolve_flags(options)
    m = m.conj().T if "TRANSA" in flags else m
    if m.shape[0] != right.shape[0]:
        raise agreement_error("MATLAB:linsolve:dimagree")
    if m.shape[0] != m.shape[1]:
        return canonical(stoppable.lstsq(m, right, rcond=None)[0]), float(np.linalg.matrix_rank(m))
    m = _triangle(m, flags)
    condition = ctx.call("rcond", (canonical(m),), 1)[0] if m.size else math.inf
    if nargout < 2:
        return ctx.call("mldivide", (canonical(m), b), 1)[0], condition
    if condition == 0:
        with np.errstate(all="ignore"):
            return canonical(_quietly_solved(m, right)), condition
    return canonical(np.linalg.solve(m, right)), condition


_LINSOLVE = ("LT", "UT", "UHESS", "SYM", "POSDEF", "RECT", "TRANSA")


def _linsolve_flags(options: Value | None) -> set[str]:
    """The names of what is true of the matrix."""
    fields = options.fields if isinstance(options, Struct) else {}
    for name in fields:
        if name not in _LINSOLVE:
            raise unknown_option("linsolve", name, " ".join(_LINSOLVE))
    return {k for k, v in fields.items() if numel(v) and bool(np.asarray(as_array(v)).all())}


def _triangle(m: Array, flags: set[str]) -> Array:
    """The part of a matrix that counts; the other way round where it was transposed."""
    if not flags & {"LT", "UT"}:
        return m
    lower = ("LT" in flags) != ("TRANSA" in flags)
    return np.tril(m) if lower else np.triu(m)


def _quietly_solved(m: Array, right: Array) -> Array:
    """The solution with a singular matrix: Inf and NaN where LAPACK divides by zero."""
    try:
        return np.asarray(np.linalg.solve(m, right))
    except np.linalg.LinAlgError:
        return np.full((m.shape[1], right.shape[1]), np.inf)


@builtin(
    "lsqminnorm",
    words="warn nowarn",
    category=_FAMILY,
    signatures=("X = lsqminnorm(A, B)", "X = lsqminnorm(A, B, tol, 'warn')"),
    cases=("norm(lsqminnorm([1 1], 2) - [1; 1]) < 1e-15",),
    see=("mldivide", "pinv"),
)
def lsqminnorm(ctx: CallContext, a: Value, b: Value, *args: Value) -> Value:
    """Least-squares solution of smallest norm; with 'warn' it says where A has not full rank."""
    rest = list(args)
    warns = bool(rest) and is_text_scalar(rest[-1])
    warns = warns and one_of("lsqminnorm", "rankWarn", rest.pop(), "warn nowarn") == "warn"
    if len(rest) > 1:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    m = _matrix(a, "lsqminnorm")
    cut = real_number(rest[0]) if rest else None
    x, _, rank, _ = _linalg().lstsq(m, _matrix(b, "lsqminnorm"), cond=cut)
    if warns and rank < min(m.shape):
        text = f"Rank deficient, rank = {rank}."
        ctx.warning("MATLAB:rankDeficientMatrix", text)
    return canonical(x)


def _whitened_equations(m: Array, right: Array, covariance: Array) -> tuple[Array, Array]:
    """Equations whose errors are independent; directions without an error are met exactly."""
    if covariance.shape != (m.shape[0],) * 2 or not np.allclose(covariance, covariance.conj().T):
        text = "The covariance must be a symmetric matrix with as many rows as A."
        raise MatlabError("MATLAB:lscov:InvalidCovMatrix", text)
    variances, directions = stoppable.eigh(covariance)
    floor = variances.max(initial=0.0) * len(variances) * np.finfo(float).eps
    if (variances < -floor).any():
        text = "The covariance must be positive semidefinite."
        raise MatlabError("MATLAB:lscov:NotPosSemiDef", text)
    scale = 1 / np.sqrt(np.maximum(variances, max(floor, 1e-300)))
    turned = (directions * scale).conj().T
    return turned @ m, turned @ right


@builtin(
    "lscov",
    category=_FAMILY,
    signatures=("[x, stdx, mse, S] = lscov(A, b)", "[x, stdx, mse, S] = lscov(A, b, w)"),
    cases=("norm(lscov([1 0; 0 1], [1; 2]) - [1; 2]) < 1e-15",),
    see=("mldivide",),
)
def lscov(a: Value, b: Value, w: Value | None = None, method: Value | None = None) -> Value:
    """Least squares with weights (a vector) or a covariance (a matrix)."""
    if method is not None and text_of(method) not in ("chol", "orth"):
        raise unknown_option("lscov", text_of(method), "chol orth")
    m, right = (finite("lscov", _matrix(v, "lscov")) for v in (a, b))
    if w is not None and numel(w):
        weight = _matrix(w, "lscov")
        if min(weight.shape) == 1:
            if weight.size != m.shape[0]:
                text = "The weights must have one element for each row of A."
                raise MatlabError("MATLAB:lscov:WeightSizeMismatch", text)
            root = np.sqrt(weight.reshape(-1, 1))
            m, right = m * root, right * root
        else:
            m, right = _whitened_equations(m, right, weight)
    x = stoppable.lstsq(m, right, rcond=None)[0]
    free = max(m.shape[0] - m.shape[1], 0)
    residual = np.sum(np.abs(right - m @ x) ** 2, axis=0, keepdims=True)
    mse = residual / free if free else np.zeros_like(residual)
    inner = stoppable.pinv(m.conj().T @ m)
    spread = np.sqrt(np.diag(inner).reshape(-1, 1) * mse)
    covariances = np.stack([inner * scale for scale in mse.ravel()], axis=-1)
    return canonical(x), canonical(spread), canonical(mse), canonical(covariances)


def _rref(m: Array, tol: float | None) -> tuple[Array, list[int]]:
    a = m.astype(np.result_type(m, np.float64)).copy()
    rows, columns = a.shape
    norm = float(np.abs(a).sum(axis=1).max()) if a.size else 0.0
    limit = max(a.shape, default=0) * np.finfo(float).eps * norm if tol is None else tol
    pivots: list[int] = []
    r = 0
    for c in range(columns):
        if r == rows:
            break
        k = r + int(np.argmax(np.abs(a[r:, c])))
        if abs(a[k, c]) <= limit:
            a[r:, c] = 0
            continue
        a[[r, k]] = a[[k, r]]
        a[r] /= a[r, c]
        others = np.arange(rows) != r
        a[others] -= np.outer(a[others, c], a[r])
        pivots.append(c)
        r += 1
    return a, pivots


@builtin(
    "rref",
    words="",
    category=_FAMILY,
    signatures=("R = rref(A)", "[R, p] = rref(A, tol)"),
    cases=("isequal(rref([1 2; 3 4]), eye(2))", "isequal(rref([1 2; 2 4]), [1 2; 0 0])"),
    see=("rank", "null"),
)
def rref(a: Value, tol: Value | None = None) -> Value:
    """Reduced row echelon form by Gauss-Jordan elimination with pivoting, and the pivot columns."""
    reduced, pivots = _rref(_matrix(a, "rref"), None if tol is None else real_number(tol))
    return canonical(reduced), canonical(np.array([pivots], dtype=np.float64) + 1.0)


@builtin(
    "subspace",
    category=_FAMILY,
    signatures=("theta = subspace(A, B)",),
    cases=("subspace([1; 0], [1; 0]) < 1e-15",),
    see=("orth",),
)
def subspace(a: Value, b: Value) -> Value:
    """Angle between two subspaces, in radians."""
    angles = _linalg().subspace_angles(_matrix(a, "subspace"), _matrix(b, "subspace"))
    return float(np.max(angles, initial=0.0))


@builtin(
    "vecnorm",
    category=_FAMILY,
    device=value_form(reduce_capture.column_norms),
    signatures=("N = vecnorm(A)", "N = vecnorm(A, p)", "N = vecnorm(A, p, dim)"),
    cases=("isequal(vecnorm([3 0; 4 1]), [5 1])", "isequal(vecnorm([3 4], 2, 2), 5)"),
    see=("norm",),
)
@takes(NUMBERS, NUMBER & POSITIVE, DIM)
def vecnorm(a: Value, p: Value = 2.0, dim: Value | None = None) -> Value:
    """Norm of every column, or of the vectors along a dimension."""
    m = np.asarray(as_array(a))
    first = next((k for k, n in enumerate(m.shape) if n != 1), 0)
    axis = first if dim is None else int(real_number(dim)) - 1
    order = np.inf if isinstance(p, str) else real_number(p)
    size = np.abs(m)
    if np.isinf(order):
        return canonical(size.max(axis=axis, keepdims=True))
    if order == 2:
        return canonical(np.sqrt(np.sum(size**2, axis=axis, keepdims=True)))
    return canonical(np.sum(size**order, axis=axis, keepdims=True) ** (1 / order))


@builtin(
    "givens",
    category=_FAMILY,
    signatures=("G = givens(x, y)", "[c, s] = givens(x, y)"),
    cases=("norm(givens(1, 1) - [1 1; -1 1]/sqrt(2)) < 1e-15",),
    see=("planerot",),
)
def givens(x: Value, y: Value, *, nargout: int = 1) -> Value:
    """Rotation that makes the second component of ``[x; y]`` zero."""
    p, q = real_number(x), real_number(y)
    r = float(np.hypot(p, q))
    c, s = (p / r, q / r) if r else (1.0, 0.0)
    return (c, s) if nargout > 1 else np.array([[c, s], [-s, c]])


@builtin(
    "planerot",
    category=_FAMILY,
    signatures=("[G, y] = planerot(x)",),
    cases=("norm(planerot([3; 4])*[3; 4] - [5; 0]) < 1e-14",),
    see=("givens",),
)
@takes(element_count(2))
def planerot(x: Value) -> Value:
    """Rotation that makes the second component of a vector zero, and the rotated vector."""
    v = _matrix(x, "planerot").reshape(-1, 1)
    g = np.asarray(as_array(givens(float(v[0, 0]), float(v[1, 0]))))
    return canonical(g), canonical(g @ v)


@builtin(
    "housh",
    category=_FAMILY,
    signatures=("[v, beta, z] = housh(x, j, z)",),
    cases=("numel(housh([3; 4], 1, 0)) == 2",),
    see=("qr",),
)
def housh(x: Value, j: Value, z: Value) -> Value:
    """Householder reflection that keeps only element j of a vector."""
    (COUNT & within(1, max(numel(x), 1)))("housh", 2, j)
    v = _matrix(x, "housh").copy()
    column, k = v.reshape(-1), int(real_number(j)) - 1
    largest = float(np.abs(column).max(initial=0.0))
    if largest <= real_number(z):
        return canonical(v), 0.0, True
    alpha = float(np.linalg.norm(column))
    head = column[k]
    beta = 1.0 / (alpha * (alpha + abs(head)))
    column[k] = head + (np.sign(head) or 1.0) * alpha
    return canonical(column.reshape(v.shape)), float(beta), False
