"""Linear algebra: inv, det, rank, trace, kron, dot, eig, svd, qr, lu, chol."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np

from app.accel.numerics import nogil_linalg
from app.accel.numerics.lapack import routine as lapack
from app.engine import stoppable
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.arrays import array_forms
from app.engine.builtins.linear_algebra.sparse_factors import sparse_chol, sparse_lu
from app.engine.capture import reduce_capture, terms
from app.engine.declarations.device_support import HostOnly, term_form, value_form
from app.engine.declarations.registry import builtin
from app.engine.operators import (
    factorisation_forms,
    factors,
    operator_overloads,
    orthogonal_forms,
)
from app.engine.operators.arithmetic import float_operands, is_large
from app.engine.operators.elementwise import float_array
from app.engine.operators.linear_solves import Warnings, is_doubtful, warn_if_ill, warn_of_nan
from app.engine.values import (
    Array,
    DeviceArray,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    float_of,
    host,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "linear algebra"


_TINY = 1e-300
"""Above it and below its inverse a number has an inverse that is no less exact."""
T = TypeVar("T")
LARGE_ON_CARDS = HostOnly(
    "LAPACK's, but for real matrices on cards, large or computed there", lazy=True, cards=True
)


def on_card(form: Callable[..., Any], args: tuple[Value, ...], nargout: int) -> Any:
    """The answer of a graphics card for a large matrix; NotImplemented elsewhere."""
    if not is_large(args[0]):
        return NotImplemented
    return terms.values(form(args, nargout))


def matrix(name: str, v: Value, *, square: bool = False) -> Array:
    """``v`` as a finite float matrix."""
    a = float_array(name, v)
    if a.ndim > 2:
        raise MatlabError(f"MATLAB:{name}:inputMustBe2D", "Input must be 2-D.")
    if square and a.shape[0] != a.shape[1]:
        raise MatlabError("MATLAB:square", "Matrix must be square.")
    return a


def finite(name: str, a: Array) -> Array:
    """``a``, an error where it has elements that are not finite."""
    if not factors.all_finite(a):
        text = f"Input to {name.upper()} must not contain NaN or Inf."
        raise MatlabError(f"MATLAB:{name}:matrixWithNaNInf", text)
    return a


@builtin(
    "inv",
    category=_FAMILY,
    signatures=("X = inv(A)",),
    device=LARGE_ON_CARDS,
    cases=("norm(inv([1 2; 3 4]) - [-2 1; 1.5 -0.5]) < 1e-14", "inv(4) == 0.25", "inv(-Inf) == 0"),
    see=("mldivide", "pinv", "det"),
)
def inv(a: Value) -> Value:
    """Inverse of a square matrix."""
    if type(a) is float and (_TINY < abs(a) < 1 / _TINY or math.isinf(a)):
        return 1.0 / a
    found = on_card(factorisation_forms.inv, (a,), 1)
    if found is not NotImplemented:
        return found
    x = matrix("inv", a, square=True)
    return unwrap(x) if x.size == 0 else _of_matrix(_inverse, x)


def _of_matrix(work: Callable[[Array], T], x: Array) -> T:
    """What is found of a matrix, on the cores that are free; a stop ends it."""
    return stoppable.on_free_cores(float(x.size) ** 1.5, partial(work, x))


def _inverse(x: Array) -> Value:
    lu, pivots, info = lapack("getrf", x.dtype)(x)
    if info > 0 or is_doubtful(lu, lapack("lange", x.dtype)("1", x)):
        if not np.isfinite(lu).all():
            warn_of_nan()
            if np.isnan(x).any():
                return canonical(np.full(x.shape, np.nan, dtype=x.dtype))
        elif info > 0:
            Warnings.issue("MATLAB:singularMatrix", "Matrix is singular to working precision.")
            return canonical(np.full(x.shape, np.inf, dtype=x.dtype))
        else:
            warn_if_ill(x, lu)
    large = x.shape[0] >= nogil_linalg.LARGE
    rest = (np.eye(x.shape[0], dtype=x.dtype),) if large else ()
    return canonical(lapack("getrs" if large else "getri", lu.dtype)(lu, pivots, *rest)[0])


@builtin(
    "inverse",
    category=_FAMILY,
    signatures=("X = inverse(A)",),
    cases=("inverse(4) == 0.25",),
    see=("inv",),
)
def inverse(a: Value) -> Value:
    """Inverse of a square matrix (Octave's)."""
    return inv(a)


@builtin(
    "det",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=("d = det(A)",),
    device=LARGE_ON_CARDS,
    cases=("abs(det([1 2; 3 4]) + 2) < 1e-14", "det([]) == 1"),
    see=("inv", "lu"),
)
def det(a: Value) -> Value:
    """Determinant."""
    found = on_card(factorisation_forms.det, (a,), 1)
    if found is not NotImplemented:
        return found if type(found) is DeviceArray else canonical(np.asarray(found))
    x = matrix("det", a, square=True)
    return canonical(np.array([[_of_matrix(factors.determinant, x)]])) if x.size else 1.0


@builtin(
    "trace",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=("t = trace(A)",),
    device=term_form(array_forms.trace),
    cases=("trace([1 2; 3 4]) == 5",),
    see=("diag",),
)
def trace(a: Value) -> Value:
    """Sum of the diagonal."""
    x = matrix("trace", a)
    if x.shape[0] != x.shape[1]:
        raise MatlabError("MATLAB:trace:square", "Matrix must be square.")
    total = x.trace()
    return total.item() if x.dtype.char == "d" else canonical(np.array([[total]]))


@builtin(
    "rank",
    words="",
    category=_FAMILY,
    signatures=("r = rank(A)", "r = rank(A, tol)"),
    cases=("rank([1 2; 2 4]) == 1", "rank(eye(3)) == 3"),
    see=("svd", "null"),
)
def rank(a: Value, tol: Value | None = None) -> Value:
    """Number of singular values above a tolerance."""
    x = finite("svd", matrix("rank", a))
    if x.size == 0:
        return 0.0
    s = factors.singular_values(x)
    bound = max(x.shape) * np.spacing(s.max()) if tol is None else float_of(tol)
    return float(np.count_nonzero(s > bound))


# --- products ---------------------------------------------------------------------------------


@builtin(
    "dot",
    category=_FAMILY,
    signatures=("c = dot(a, b)", "c = dot(A, B, dim)"),
    device=value_form(reduce_capture.inner_product),
    cases=(
        "dot([1 2 3], [4 5 6]) == 32",
        "isequal(dot([1 2; 3 4], [1 2; 3 4]), [10 20])",
        "isequal(dot([1 2 3], [1 2 3], 1), [1 4 9])",
        "isequal(dot(int8([1 2]), int8([1 2]), 1), [1 4])",
    ),
    see=("cross", "mtimes"),
)
def dot(a: Value, b: Value, dim: Value | None = None) -> Value:
    """Scalar product along a dimension."""
    if type(a) is float and type(b) is float and dim is None:
        return a * b
    x, y = as_array(a), as_array(b)
    if x.dtype.kind in "iub" or y.dtype.kind in "iub":
        return _integer_dot(a, b, dim)
    x, y = float_operands(x, y)
    is_vectors = x.ndim == y.ndim == 2 and 1 in x.shape and 1 in y.shape
    if is_vectors and x.size == y.size and (dim is None or x.shape != y.shape):
        made = np.vdot(x.reshape(-1), y.reshape(-1))
        return made.item() if made.dtype.char == "d" else canonical(made.reshape(1, 1))
    if x.shape != y.shape:
        raise MatlabError("MATLAB:dot:InputSizeMismatch", "A and B must be same size.")
    axis = first_axis(x.shape) if dim is None else dimension(dim)
    return canonical(np.sum(_times_conjugate(x, y), axis=axis, keepdims=True))


def _times_conjugate(x: Array, y: Array) -> Array:
    """``conj(x) .* y``; NumPy's own product leaves a rounding residue in what must be zero."""
    if x.dtype.kind != "c" or y.dtype.kind != "c":
        return np.asarray(x.conj() * y)
    made = np.empty(x.shape, dtype=np.result_type(x, y))
    made.real = x.real * y.real + x.imag * y.imag
    made.imag = x.real * y.imag - x.imag * y.real
    return made


def _integer_dot(a: Value, b: Value, dim: Value | None) -> Value:
    """Element products and sums with the rules of integer arithmetic."""
    from app.engine.builtins.statistics.reductions import sum_
    from app.engine.operators.operators import times

    x, y = as_array(a), as_array(b)
    is_vectors = 1 in x.shape and 1 in y.shape and x.size == y.size
    if is_vectors and (dim is None or x.shape != y.shape):
        return sum_(times(x.reshape(-1, 1), y.reshape(-1, 1)))
    return sum_(times(a, b), *(() if dim is None else (dim,)))


@builtin(
    "kron",
    words="",
    category=_FAMILY,
    signatures=("K = kron(A, B)",),
    device=term_form(array_forms.kron),
    cases=("isequal(kron([1 2], [1; 1]), [1 2; 1 2])",),
    see=("mtimes",),
)
def kron(a: Value, b: Value, *more: Value) -> Value:
    """Kronecker product."""
    if type(a) is float and type(b) is float and not more:
        return a * b
    if isinstance(a, SparseMatrix) or isinstance(b, SparseMatrix):
        return operator_overloads.binary("kron", "kron", a, b)
    x, y = float_operands(as_array(a), as_array(b))
    if x.ndim > 2 or y.ndim > 2:
        raise MatlabError("MATLAB:kron:inputMustBe2D", "Inputs must be 2-D.")
    for c in more:
        x, y = _kron(x, y), as_array(c)
    return canonical(_kron(x, y))


def _kron(x: Array, y: Array) -> Array:
    """All products of an element of one matrix and one of the other, in blocks."""
    (m, n), (rows, columns) = x.shape, y.shape
    blocks = x.T[:, None, :, None] * y.T[None, :, None, :]
    return np.asarray(blocks.reshape(n * columns, m * rows).T)


# --- factorisations ---------------------------------------------------------------------------


def _pivot_threshold(given: list[Value]) -> float:
    """The threshold of ``lu(S, thresh)``; of a pair the one for matrices without symmetry."""
    if not given:
        return 1.0
    values = np.asarray(as_array(given[0]))
    good = values.size in (1, 2) and values.dtype.kind in "fiub"
    if len(given) > 1 or not good or not ((values >= 0) & (values <= 1)).all():
        text = "A pivot threshold must be one or two numbers between 0 and 1."
        raise MatlabError("MATLAB:lu:InvalidThreshold", text)
    return float(values.flat[0])


@builtin(
    "lu",
    most=3,
    words="vector matrix",
    category=_FAMILY,
    signatures=(
        "[L, U] = lu(A)",
        "[L, U, P] = lu(A)",
        "Y = lu(A)",
        "[L, U, p] = lu(A, 'vector')",
        "[L, U, P] = lu(A, 'matrix')",
        "[L, U, P, Q] = lu(S)",
        "[L, U, P, Q, D] = lu(S)",
        "[...] = lu(S, thresh)",
    ),
    device=LARGE_ON_CARDS,
    cases=(
        "norm(lu(eye(2)) - eye(2)) == 0",
        "S = sparse([1 200; 3 4]); [L, U, P, Q, D] = lu(S); norm(P*(D\\S)*Q - L*U, 1) < 1e-12",
    ),
    see=("qr", "chol", "det"),
)
def lu(a: Value, *options: Value, nargout: int = 1) -> Value:
    """Triangular factors of a matrix."""
    found = on_card(factorisation_forms.lu, (a, *options), nargout)
    if found is not NotImplemented:
        return found
    vector = any(is_text_scalar(o) and text_of(o).lower() == "vector" for o in options)
    thresholds = [o for o in options if not is_text_scalar(o)]
    if isinstance(a, SparseMatrix):
        return sparse_lu(a, nargout, vector=vector, threshold=_pivot_threshold(thresholds))
    if thresholds or nargout > 3:
        text = "Pivot thresholds and more than three factors are for sparse matrices."
        raise MatlabError("MATLAB:lu:SparseOnly", text)
    x = matrix("lu", host(a))
    if not factors.all_finite(x) and np.isnan(x).any():
        # LAPACK takes a pivot that is not a number for zero.
        unknown, k = np.full(x.shape, np.nan, x.dtype), min(x.shape)
        if nargout < 2:
            return canonical(unknown)
        lower, upper = np.tril(unknown[:, :k], -1) + np.eye(x.shape[0], k), np.triu(unknown[:k])
        order = list(range(x.shape[0]))
    elif nargout < 2:
        return canonical(_of_matrix(factors.packed_lower_upper, x))
    else:
        order, lower, upper = _of_matrix(factors.lower_upper, x)
    if nargout == 2:
        back = np.empty_like(lower)
        back[order] = lower
        return canonical(back), canonical(upper)
    swaps = np.array([order]) + 1.0 if vector else factors.permutation(order)
    return canonical(lower), canonical(upper), canonical(swaps)


@builtin(
    "qr",
    most=3,
    words="econ vector matrix",
    category=_FAMILY,
    signatures=("[Q, R] = qr(A)", "[Q, R] = qr(A, 0)", "[Q, R, P] = qr(A)", "R = qr(A)"),
    device=LARGE_ON_CARDS,
    cases=("norm(abs(qr([3; 4])) - [5; 0]) < 1e-14",),
    see=("lu", "svd"),
)
def qr(a: Value, *options: Value, nargout: int = 1) -> Value:
    """Orthogonal-triangular factors."""
    found = on_card(orthogonal_forms.qr, (a, *options), nargout)
    if found is not NotImplemented:
        return found
    x = matrix("qr", host(a) if not isinstance(a, SparseMatrix) else a.dense())
    words = [text_of(o).lower() for o in options if is_text_scalar(o)]
    economy = len(words) < len(options) or "econ" in words
    if factors.is_small(x) and nargout < 3:
        if nargout < 2:
            return canonical(factors.triangular(x)[: min(x.shape) if economy else None])
        q, r = factors.orthogonal_triangular(x, economy=economy)
        return canonical(q), canonical(r)
    from scipy import linalg

    mode = "economic" if economy else "full"
    decompose = stoppable.of_matrix(linalg.qr)
    if nargout < 2:
        (r,) = decompose(x, mode="r", check_finite=False)
        return canonical(r[: min(x.shape) if economy else x.shape[0]])
    if nargout == 2:
        q, r = decompose(x, mode=mode, check_finite=False)
        return canonical(q), canonical(r)
    q, r, order = decompose(x, mode=mode, pivoting=True, check_finite=False)
    vector = "vector" in words or (economy and "matrix" not in words)
    p = (order + 1.0).reshape(1, -1) if vector else np.eye(x.shape[1])[:, order]
    return canonical(q), canonical(r), canonical(p)


@builtin(
    "chol",
    most=3,
    words="lower upper vector matrix",
    category=_FAMILY,
    signatures=(
        "R = chol(A)",
        "L = chol(A, 'lower')",
        "[R, flag] = chol(A)",
        "[R, flag, P] = chol(S)",
        "[R, flag, p] = chol(S, 'vector')",
    ),
    device=LARGE_ON_CARDS,
    cases=("isequal(chol([4 0; 0 9]), [2 0; 0 3])",),
    see=("lu", "eig"),
)
def chol(a: Value, *options: Value, nargout: int = 1) -> Value:
    """Cholesky factor of a symmetric positive definite matrix."""
    found = on_card(factorisation_forms.chol, (a, *options), nargout)
    if found is not NotImplemented:
        return found
    words = {text_of(o).lower() for o in options}
    lower = "lower" in words
    if isinstance(a, SparseMatrix):
        return sparse_chol(a, nargout, lower=lower, vector="vector" in words)
    x = matrix("chol", host(a), square=True)
    factor, info = _of_matrix(partial(nogil_linalg.cholesky, lower=lower), x)
    if info == 0:
        return canonical(factor), 0.0
    if nargout < 2:
        raise MatlabError("MATLAB:posdef", "Matrix must be positive definite.")
    k = info - 1
    return canonical(nogil_linalg.cholesky(x[:k, :k], lower=lower)[0] if k else x[:0, :0]), float(
        info
    )


@builtin(
    "eig",
    most=4,
    words="vector matrix balance nobalance chol qz",
    category=_FAMILY,
    signatures=("e = eig(A)", "[V, D] = eig(A)", "e = eig(A, B)", "[V, D, W] = eig(A)"),
    cases=("norm(eig([2 0; 0 1]) - [1; 2]) < 1e-14",),
    see=("svd", "schur"),
)
def eig(a: Value, *options: Value, nargout: int = 1) -> Value:
    """Eigenvalues and eigenvectors."""
    x = finite("eig", matrix("eig", a, square=True))
    words = [text_of(o).lower() for o in options if is_text_scalar(o)]
    others = [o for o in options if not is_text_scalar(o)]
    if x.size == 0:
        return np.zeros((0, 1 if nargout < 2 else 0)), np.zeros((0, 0))
    b = finite("eig", matrix("eig", others[0], square=True)) if others else None
    symmetric = factors.is_hermitian(x) and (b is None or _definite(b))
    if nargout < 2 and b is None:
        values = factors.symmetric_eigenvalues(x) if symmetric else factors.eigenvalues(x)
        left = vectors = x
    elif b is None and (symmetric or nargout < 3):
        values, vectors = stoppable.eigh(x) if symmetric else map(_complex, stoppable.eig(x))
        left = vectors
    else:
        values, left, vectors = _pairs(x, b, definite=symmetric)
    column = values.reshape(-1, 1)
    if nargout < 2:
        return canonical(np.diag(values) if "matrix" in words else column)
    shown = column if "vector" in words else np.diag(values)
    return canonical(vectors), canonical(shown), canonical(left)


def _pairs(x: Array, b: Array | None, *, definite: bool) -> tuple[Array, Array, Array]:
    """Eigenvalues, left and right eigenvectors of a matrix, or of a pair of them."""
    if definite and b is not None:
        values, vectors = stoppable.definite_pair(x, b)
        return values, vectors, vectors
    if definite:
        values, vectors = stoppable.eigh(x)
        return values, vectors, vectors
    return stoppable.eigensystem(x, b)


def _complex(a: Array) -> Array:
    return a.astype(np.result_type(a, np.complex64))


def _definite(b: Array) -> bool:
    """Whether ``b`` is symmetric positive definite."""
    if not factors.is_hermitian(b):
        return False
    try:
        stoppable.cholesky(b)
    except np.linalg.LinAlgError:
        return False
    return True


@builtin(
    "svd",
    most=2,
    words="econ vector matrix",
    category=_FAMILY,
    signatures=(
        "s = svd(A)",
        "[U, S, V] = svd(A)",
        "[U, S, V] = svd(A, 'econ')",
        "[U, S, V] = svd(..., 'vector')",
    ),
    device=LARGE_ON_CARDS,
    cases=("norm(svd([3 0; 0 4]) - [4; 3]) < 1e-14",),
    see=("eig", "rank", "pinv"),
)
def svd(a: Value, *options: Value, nargout: int = 1) -> Value:
    """Singular value decomposition."""
    found = on_card(orthogonal_forms.svd, (a, *options), nargout)
    if found is not NotImplemented:
        return found
    x = finite("svd", matrix("svd", host(a)))
    words = [text_of(o).lower() for o in options if is_text_scalar(o)]
    if nargout < 2:
        s = factors.singular_values(x) if x.size else np.zeros(0)
        return canonical(factors.on_diagonal(s, x.shape) if "matrix" in words else s.reshape(-1, 1))
    numbers = len(words) < len(options)
    economy = "econ" in words or (numbers and x.shape[0] > x.shape[1])
    u, s, vh = stoppable.svd(x, full_matrices=not economy)
    box = (u.shape[1], vh.shape[0])
    shown = s.reshape(-1, 1) if "vector" in words else factors.on_diagonal(s, box)
    return canonical(u), canonical(shown), canonical(vh.conj().T)
