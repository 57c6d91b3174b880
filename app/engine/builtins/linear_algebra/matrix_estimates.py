"""Condition estimates, generalised eigenproblems, equations and updates of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import (
    FLOATS,
    MATRIX,
    NUMBER,
    NUMBERS,
    POSITIVE,
    SQUARE,
    TEXT,
    WHOLE,
    takes,
)
from app.engine.builtins.maths import real_forms
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError, agreement_error

_FAMILY = "linear algebra"


def _float(v: Value) -> Array:
    a = as_array(v)
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


@builtin(
    "condest",
    category=_FAMILY,
    signatures=("[c, v] = condest(A)", "c = condest(A, t)"),
    cases=("abs(condest([1 0; 0 4]) - 4) < 1e-12",),
    see=("cond", "normest1"),
)
@takes(NUMBERS & MATRIX & SQUARE)
def condest(a: Value, t: Value = 2.0) -> Value:
    """Condition number in the 1-norm, and a vector that is nearly a null vector.

    ``t`` is how many columns MATLAB's estimator iterates on; here the norm is exact for any.
    """
    (NUMBER & WHOLE & POSITIVE)("condest", 2, t)
    if isinstance(a, SparseMatrix):
        return _sparse_condition(a.matrix.tocsc().astype(np.float64))
    x = _float(a)
    try:
        inverse = np.linalg.inv(x)
    except np.linalg.LinAlgError:
        return float("inf"), canonical(np.zeros((len(x), 1)))
    column = int(np.argmax(np.abs(inverse).sum(axis=0)))
    v = inverse[:, column : column + 1]
    size = float(np.linalg.norm(x, 1) * np.linalg.norm(inverse, 1))
    return size, canonical(v / np.abs(v).sum())


def _sparse_condition(m: Any) -> Value:
    """The same by solving with the factors: Higham and Tisseur's estimate of the inverse's norm."""
    from scipy.sparse import linalg

    try:
        factors = stoppable.of_sparse(linalg.splu, m)
    except RuntimeError:  # exactly singular
        return float("inf"), canonical(np.zeros((m.shape[0], 1)))
    inverse = linalg.LinearOperator(
        m.shape, matvec=factors.solve, rmatvec=lambda x: factors.solve(x, "T"), dtype=m.dtype
    )
    size, _, v = linalg.onenormest(inverse, compute_v=True, compute_w=True)
    v = v.reshape(-1, 1)
    return float(size * abs(m).sum(axis=0).max()), canonical(v / np.abs(v).sum())


@builtin(
    "normest1",
    category=_FAMILY,
    signatures=("[c, v, w, it] = normest1(A)", "c = normest1(A, t)", "c = normest1(A, t, X0)"),
    cases=("normest1([1 2; 3 4]) == 6",),
    see=("normest", "norm"),
)
@takes(NUMBERS & MATRIX & SQUARE)
def normest1(a: Value, t: Value = 2.0, x0: Value = EMPTY) -> Value:
    """1-norm of a matrix, with vectors ``w = A*v`` that attain it.

    ``t`` columns, beginning with those of ``X0``, are what MATLAB's estimator iterates on; here
    the norm is exact for any.
    """
    x = _float(a)
    if numel(t):
        (NUMBER & WHOLE & POSITIVE)("normest1", 2, t)
    if numel(x0) and as_array(x0).shape[0] != len(x):
        text = "X0 must have as many rows as A."
        raise MatlabError("MATLAB:normest1:WrongSize", text)
    column = int(np.argmax(np.abs(x).sum(axis=0)))
    v = np.zeros((x.shape[1], 1))
    v[column] = 1
    size = float(np.abs(x).sum(axis=0).max())
    return size, canonical(v), canonical(x @ v), np.array([[1.0, 1.0]])


@builtin(
    "condeig",
    category=_FAMILY,
    signatures=("c = condeig(A)", "[V, D, s] = condeig(A)"),
    cases=("norm(condeig([1 2; 2 1]) - [1; 1]) < 1e-12",),
    see=("eig", "cond"),
)
@takes(FLOATS & MATRIX & SQUARE)
def condeig(a: Value, *, nargout: int = 1) -> Value:
    """Condition numbers of eigenvalues."""
    x = _float(a)
    if not np.isfinite(x).all():
        raise MatlabError("MATLAB:condeig:Finite", "The matrix must be finite.")
    values, vectors = stoppable.eig(x)
    left = np.linalg.inv(vectors)
    numbers = np.linalg.norm(left, axis=1) * np.linalg.norm(vectors, axis=0)
    found = canonical(numbers.reshape(-1, 1))
    return (canonical(vectors), canonical(np.diag(values)), found) if nargout > 1 else found


@builtin(
    "polyeig",
    category=_FAMILY,
    signatures=("e = polyeig(A0, A1, ..., Ap)", "[X, e] = polyeig(A0, A1, ..., Ap)"),
    cases=("norm(sort(polyeig([1 2; 3 4], -eye(2))) - eig([1 2; 3 4])) < 1e-12",),
    see=("eig", "roots"),
)
@takes(NUMBERS & MATRIX & SQUARE, NUMBERS & MATRIX & SQUARE)
def polyeig(*matrices: Value, nargout: int = 1) -> Value:
    """Eigenvalues of ``(A0 + e*A1 + ... + e^p*Ap)*x = 0``."""
    parts = [_float(m) for m in matrices]
    if not parts or len({p.shape for p in parts}) > 1:
        raise MatlabError("MATLAB:polyeig:ncSquare", "The coefficients must match in size.")
    n, p = len(parts[0]), len(parts) - 1
    left, right = np.eye(n * p, dtype=parts[0].dtype), np.eye(n * p, dtype=parts[0].dtype)
    left[:n, :n] = parts[0]
    right[:, :] = np.diag(np.ones(n * (p - 1)), -n)
    right[:n] = -np.hstack(parts[1:])
    values, _, vectors = stoppable.eigensystem(left, right)
    found = canonical(values.reshape(-1, 1))
    x = vectors[:n] / np.linalg.norm(vectors[:n], axis=0)
    return (canonical(x), found) if nargout > 1 else found


@builtin(
    "sylvester",
    category=_FAMILY,
    signatures=("X = sylvester(A, B, C)",),
    cases=("sylvester(1, 2, 6) == 2",),
    see=("mldivide",),
)
@takes(NUMBERS & MATRIX & SQUARE, NUMBERS & MATRIX & SQUARE, NUMBERS & MATRIX)
def sylvester(a: Value, b: Value, c: Value) -> Value:
    """Solve ``A*X + X*B = C``."""
    if as_array(c).shape != (as_array(a).shape[0], as_array(b).shape[0]):
        raise agreement_error("MATLAB:sylvester:DimensionMismatch")
    return canonical(stoppable.sylvester(_float(a), _float(b), _float(c)))


@builtin(
    "ldl",
    words="lower upper vector",
    category=_FAMILY,
    signatures=(
        "[L, D] = ldl(A)",
        "[L, D, P] = ldl(A)",
        "[U, D, P] = ldl(A, 'upper')",
        "[L, D, p] = ldl(A, 'vector')",
    ),
    cases=(
        "norm(ldl([4 2; 2 3]) - [1 0; 0.5 1]) < 1e-15",
        "a = [1 5; 5 -2]; [u, d, p] = ldl(a, 'upper', 'vector'); norm(u'*d*u - a(p, p)) < 1e-14",
    ),
    see=("chol", "lu"),
)
@takes(NUMBERS & MATRIX & SQUARE, TEXT, TEXT)
def ldl(a: Value, *words: Value, nargout: int = 1) -> Value:
    """Block LDL' factors of a Hermitian matrix, ``P'*A*P = L*D*L'``, or ``U'*D*U``."""
    chosen = {text_of(word).lower() for word in words}
    matrix = _float(a)
    upper = "upper" in chosen
    factor, d, order = stoppable.ldl(matrix.conj().T if upper else matrix)
    if nargout < 3:
        factor = factor[np.argsort(order)]
    if upper:
        factor = factor.conj().T
    rows = order[None] + 1.0 if "vector" in chosen else np.eye(len(d))[:, order]
    return canonical(factor), canonical(d), canonical(rows)


@builtin(
    "cholupdate",
    words="+ -",
    category=_FAMILY,
    signatures=("[R1, p] = cholupdate(R, x, sign)",),
    cases=("norm(cholupdate(2, sqrt(5)) - 3) < 1e-14",),
    see=("chol",),
)
@takes(FLOATS & MATRIX & SQUARE, FLOATS)
def cholupdate(r: Value, x: Value, sign: Value = "+", *, nargout: int = 1) -> Value:
    """Cholesky factor after a change ``R'*R ± x*x'``."""
    upper, v = _float(r), _float(x).reshape(-1, 1)
    s = -1 if text_of(sign) == "-" else 1
    try:
        found = stoppable.cholesky(upper.conj().T @ upper + s * (v @ v.conj().T)).conj().T
    except np.linalg.LinAlgError:
        if nargout > 1:
            return canonical(upper), 1.0
        raise MatlabError(
            "MATLAB:cholupdate:NotPosDef", "The downdated matrix must be positive definite."
        ) from None
    return canonical(found), 0.0


@builtin(
    "ordeig",
    category=_FAMILY,
    signatures=("e = ordeig(T)", "e = ordeig(AA, BB)"),
    cases=("isequal(ordeig([3 1; 0 2]), [3; 2])",),
    see=("schur", "eig"),
)
@takes(FLOATS & MATRIX & SQUARE, FLOATS & MATRIX & SQUARE)
def ordeig(a: Value, b: Value | None = None) -> Value:
    """Eigenvalues of quasi-triangular matrices, in the order of the diagonal."""
    from scipy import linalg

    x = _float(a)
    y = np.eye(len(x)) if b is None else _float(b)
    found: list[Any] = []
    k = 0
    while k < len(x):
        size = 2 if k + 1 < len(x) and x[k + 1, k] != 0 else 1
        block = slice(k, k + size)
        found += sorted(linalg.eigvals(x[block, block], y[block, block]), key=lambda e: -e.imag)
        k += size
    return canonical(np.array(found).reshape(-1, 1))


@builtin(
    "realpow",
    category="exponents and logarithms",
    signatures=("Z = realpow(X, Y)",),
    device=of_resident(real_forms.realpow),
    cases=("realpow(2, 3) == 8",),
    see=("power", "realsqrt"),
)
@takes(NUMBERS, NUMBERS)
def realpow(x: Value, y: Value) -> Value:
    """Power that refuses complex results."""
    from app.engine.operators.operators import power

    found = power(x, y)
    if np.iscomplexobj(as_array(found)):
        raise MatlabError("MATLAB:realpow:complexResult", "Realpow produced complex result.")
    return found


@builtin(
    "cplxpair",
    category="arrays",
    signatures=("B = cplxpair(A)", "B = cplxpair(A, tol, dim)"),
    cases=("isequal(cplxpair([1 2+1i 2-1i]), [2-1i 2+1i 1])",),
    see=("sort",),
)
@takes(NUMBERS)
def cplxpair(a: Value, tol: Value | None = None, dim: Value | None = None) -> Value:
    """Sort into conjugate pairs (negative imaginary part first), real numbers last."""
    from app.engine.arguments.dimensions import dimension, first_axis

    x = _float(a)
    limit = float(100 * np.finfo(x.dtype).eps)
    if tol is not None and numel(tol) > 1:
        raise MatlabError("MATLAB:cplxpair:InvalidTol", "The tolerance must be a scalar.")
    if tol is not None and numel(tol):
        limit = float_of(tol)
    axis = first_axis(x.shape) if dim is None else dimension(dim)
    if not x.size or axis >= x.ndim:
        return canonical(x)
    return canonical(np.apply_along_axis(_conjugate_pairs, axis, x, limit))


def _conjugate_pairs(column: Array, limit: float) -> Array:
    real = np.abs(column.imag) <= limit * np.abs(column)
    left = sorted(column[~real], key=lambda z: (z.real, abs(z.imag)))
    pairs: list[Any] = []
    while left:
        z = left.pop(0)
        place = next((k for k, w in enumerate(left) if abs(w - np.conj(z)) <= limit * abs(z)), None)
        if place is None:
            text = "Complex numbers can't be paired."
            raise MatlabError("MATLAB:cplxpair:ComplexValuesPaired", text)
        w = left.pop(place)
        pairs += [complex(z.real, -abs(z.imag)), complex(w.real, abs(w.imag))]
    return np.array([*pairs, *np.sort(column[real].real)], dtype=column.dtype)


def _turn(name: str, degrees: Value, axis: int) -> Value:
    (NUMBERS)(name, 1, degrees)
    if numel(degrees) != 1 or is_text_scalar(degrees) or isinstance(degrees, SparseMatrix):
        raise MatlabError(f"MATLAB:{name}:expectedScalar", "The angle must be a scalar.")
    angle = np.deg2rad(float(_float(degrees).flat[0]))
    c, s = np.cos(angle), np.sin(angle)
    found = np.eye(3)
    i, j = ((1, 2), (2, 0), (0, 1))[axis]
    found[i, i] = found[j, j] = c
    found[i, j], found[j, i] = -s, s
    return canonical(found)


@builtin(
    "rotx",
    category="geometry",
    signatures=("R = rotx(degrees)",),
    cases=("norm(rotx(90) - [1 0 0; 0 0 -1; 0 1 0]) < 1e-15",),
    see=("roty", "rotz"),
)
def rotx(degrees: Value) -> Value:
    """Rotation about the x axis."""
    return _turn("rotx", degrees, 0)


@builtin(
    "roty",
    category="geometry",
    signatures=("R = roty(degrees)",),
    cases=("norm(roty(90) - [0 0 1; 0 1 0; -1 0 0]) < 1e-15",),
    see=("rotx", "rotz"),
)
def roty(degrees: Value) -> Value:
    """Rotation about the y axis."""
    return _turn("roty", degrees, 1)


@builtin(
    "rotz",
    category="geometry",
    signatures=("R = rotz(degrees)",),
    cases=("norm(rotz(90) - [0 -1 0; 1 0 0; 0 0 1]) < 1e-15",),
    see=("rotx", "roty"),
)
def rotz(degrees: Value) -> Value:
    """Rotation about the z axis."""
    return _turn("rotz", degrees, 2)
