"""Matrix multiplication, division and powers on the host."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from app.accel.numerics import nogil_linalg
from app.accel.numerics.lapack import routine as lapack
from app.engine import stoppable
from app.engine.capture.lazy_limits import Limits, is_captured
from app.engine.operators import operator_overloads
from app.engine.operators.arithmetic import (
    PLAIN,
    POWER,
    RDIVIDE,
    TIMES,
    arithmetic,
    complex_scalars,
    float_operands,
    is_large,
)
from app.engine.values import (
    Array,
    DeviceArray,
    Value,
    as_array,
    canonical,
    in_order,
    numel,
    unwrap,
)
from app.errors import MatlabError, agreement_error, inner_error

_FEW = 1 << 14
"""Elements of matrices whose products and solutions take no time worth stopping."""
_THREADED = 40_000
"""Elements from which LAPACK's solver of triangles is worth the threads that it always wakes."""


def multiply(a: Value, b: Value) -> Value:
    """``a * b``."""
    if _few_doubles(a) and _few_doubles(b):
        (rows, inner), (other, columns) = a.shape, b.shape
        if inner == other and rows * columns < Limits.capture:
            made = _by_columns(b).T.dot(_by_columns(a).T).T  # in column-major order
            return made.item() if rows * columns == 1 else made
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary("mtimes", "*", a, b)
    if numel(a) == 1 or numel(b) == 1:
        return arithmetic(TIMES, a, b)
    if is_large(a, b) or _is_wide_product(a, b):
        from app.engine.capture import capture

        lazy = capture.matmul(a, b)
        if lazy is not NotImplemented:
            return lazy
    return host_multiply(as_array(a), as_array(b))


def _is_wide_product(a: Value, b: Value) -> bool:
    """Whether the product of two small matrices, such as a column and a row, goes to the graph."""
    if type(a) is not np.ndarray or type(b) is not np.ndarray or a.ndim != 2 or b.ndim != 2:
        return False
    count = a.shape[0] * b.shape[1]
    return count >= Limits.capture and a.shape[1] == b.shape[0] and is_captured(count)


def _by_columns(a: Array) -> Array:
    """``a`` in column-major order, or the transpose of such an array that it is a view of."""
    return a if in_order(a) else np.asfortranarray(a)


def _few_doubles(a: Value) -> bool:
    """True for a small full matrix of class double."""
    few = min(Limits.capture, _FEW)
    return type(a) is np.ndarray and a.dtype.char == "d" and a.ndim == 2 and a.size < few


def host_multiply(x: Array, y: Array) -> Value:
    """The product of two arrays that are not scalars."""
    if x.ndim > 2 or y.ndim > 2:
        raise MatlabError(
            "MATLAB:mtimes:inputsMustBe2D",
            "Arguments must be 2-D, or at least one argument must be scalar. Use TIMES (.*) for "
            "elementwise multiplication, or use PAGEMTIMES to apply matrix multiplication to the "
            "pages of an N-D array.",
        )
    if x.shape[1] != y.shape[0]:
        raise inner_error()
    _refuse_integers("mtimes", "*", x, y)
    x, y = float_operands(x, y)
    return canonical(stoppable.on_free_cores(2.0 * x.size * y.shape[1], lambda: (y.T @ x.T).T))


def left_divide(a: Value, b: Value) -> Value:
    """``a \\ b``: solve ``a x = b``."""
    if _few_doubles(a) and _few_doubles(b) and 1 < a.shape[0] == a.shape[1] == b.shape[0]:
        return unwrap(solve(a, b))
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary("mldivide", "\\", a, b)
    if numel(a) == 1:
        return arithmetic(RDIVIDE, b, a)
    if is_large(a):
        from app.engine.operators import factorisation_forms

        found = factorisation_forms.left_divide(a, b)
        if found is not NotImplemented:
            return found
    x, y = as_array(a), as_array(b)
    _check_solve(x, y, x.shape[0] == y.shape[0])
    _refuse_integers("mldivide", "\\", x, y)
    return canonical(solve(*float_operands(x, y)))


def right_divide(a: Value, b: Value) -> Value:
    """``a / b``: solve ``x b = a``."""
    if _few_doubles(a) and _few_doubles(b) and 1 < b.shape[0] == b.shape[1] == a.shape[1]:
        return unwrap(np.asfortranarray(solve(b.T, a.T).T))
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary("mrdivide", "/", a, b)
    if numel(b) == 1:
        return arithmetic(RDIVIDE, a, b)
    x, y = as_array(a), as_array(b)
    _check_solve(x, y, x.shape[1] == y.shape[1])
    _refuse_integers("mrdivide", "/", x, y)
    x, y = float_operands(x, y)
    return canonical(solve(y.T, x.T).T)


def _refuse_integers(name: str, sign: str, x: Array, y: Array) -> None:
    """Integers are multiplied and divided by scalars only."""
    if x.dtype.kind in "iu" or y.dtype.kind in "iu":
        text = f"{name.upper()} ({sign}) is not fully supported for integer classes. "
        text += "At least one argument must be scalar."
        raise MatlabError(f"MATLAB:{name}:integerNotSupported", text)


def _check_solve(x: Array, y: Array, agree: bool) -> None:
    if x.ndim > 2 or y.ndim > 2:
        raise MatlabError("MATLAB:ldivide:inputsMustBe2D", "Arguments must be 2-D.")
    if not agree:
        raise agreement_error()


def silent(identifier: str, message: str) -> None:
    """Where warnings go before a session is there."""


class _Warnings(threading.local):
    """Where warnings of operators go that run on this thread.

    Attributes:
        issue: ``issue(identifier, message)``; the session plugs its own in.
    """

    issue: Callable[[str, str], None] = staticmethod(silent)


Warnings = stoppable.carried(_Warnings())


def solve(a: Array, b: Array) -> Array:
    """The solution (square) or least-squares solution of ``a x = b``."""
    if a.size == 0 or b.size == 0:
        return np.zeros((a.shape[1], b.shape[1]), dtype=np.result_type(a, b))
    operations = a.size * (min(a.shape) + 2.0 * b.shape[1])
    return stoppable.on_free_cores(operations, partial(_solve, a, b))


def _solve(a: Array, b: Array) -> Array:
    if a.shape[0] != a.shape[1]:
        return least_squares(a, b)
    triangular = _triangular(a, b)
    return _solve_square(a, b) if triangular is None else triangular


def _solve_square(a: Array, b: Array) -> Array:
    kind = a.dtype if a.dtype is b.dtype else np.result_type(a, b)
    if a.shape[0] < nogil_linalg.LARGE:
        lu, pivots, found, info = lapack("gesv", kind)(a, b)
        if not info and not is_doubtful(lu, lapack("lange", kind)("1", a)):
            return np.asarray(found)
    else:  # the two halves of gesv
        lu, pivots, _ = lapack("getrf", kind)(a)
        found = lapack("getrs", kind)(lu, pivots, b)[0]
    diagonal = lu.diagonal()
    if not np.isfinite(lu).all():
        warn_of_nan()
        unknown = np.isnan(a).any()
        return np.full_like(found, np.nan) if unknown else lapack("getrs", kind)(lu, pivots, b)[0]
    if not diagonal.all():
        Warnings.issue("MATLAB:singularMatrix", "Matrix is singular to working precision.")
        return np.full((a.shape[1], b.shape[1]), np.inf, dtype=kind)
    warn_if_ill(a, lu)
    return np.asarray(found)


def warn_of_nan() -> None:
    """MATLAB's warning for a matrix whose factors are not all numbers."""
    text = "Matrix is singular, close to singular or badly scaled. Results may be inaccurate. "
    Warnings.issue("MATLAB:illConditionedMatrix", text + "RCOND = NaN.")


def is_doubtful(lu: Array, size: float) -> bool:
    """Whether factors of a matrix of this 1-norm are nearly singular, or not numbers."""
    return not lapack("gecon", lu.dtype)(lu, size)[0] >= _EPS[lu.dtype.char]


_EPS = {c: float(np.finfo(c).eps) for c in "fdFD"}


def warn_if_ill(a: Array, lu: Array) -> None:
    """MATLAB's warning for a nearly singular matrix, from its LU factors."""
    warn_if_doubtful(lu, np.abs(a).sum(axis=0).max())


def warn_if_doubtful(lu: Array, size: float) -> None:
    """The same from the factors and the matrix's norm."""
    rcond = float(lapack("gecon", lu.dtype)(lu, size)[0])
    if rcond < _EPS[lu.dtype.char]:
        text = (
            "Matrix is close to singular or badly scaled. Results may be inaccurate. "
            f"RCOND = {rcond:.6e}."
        )
        Warnings.issue("MATLAB:nearlySingularMatrix", text)


def _triangular(a: Array, b: Array) -> Array | None:
    """The solution when ``a`` is triangular with a nonzero diagonal."""
    if (a[-1, 0] and a[0, -1]) or not a.diagonal().all():
        return None
    if a.diagonal(1).any() and a.diagonal(-1).any():
        return None
    lower = not np.triu(a, 1).any()
    if not lower and np.tril(a, -1).any():
        return None
    if a.size < _THREADED:
        way = slice(None, None, -1 if lower else 1)  # turned round it is an upper triangle
        return np.asarray(lapack("gesv", np.result_type(a, b))(a[way, way], b[way])[2])[way]
    from scipy import linalg

    solve = partial(linalg.solve_triangular, a, lower=lower, check_finite=False)
    return nogil_linalg.in_strips(solve, a.shape[0], b)


def least_squares(a: Array, b: Array) -> Array:
    """A least-squares solution with at most rank(a) nonzeros per column, as MATLAB's QR gives."""
    kind = np.result_type(a, b)
    a, b = a.astype(kind, copy=False), b.astype(kind, copy=False)
    factors, order, scales, _, _ = lapack("geqp3", kind)(a)
    order = order - 1
    r = factors[: min(a.shape)]
    diagonal = np.abs(r.diagonal())
    tolerance = max(a.shape) * np.finfo(r.dtype).eps * (diagonal[0] if diagonal.size else 0.0)
    rank = int(np.count_nonzero(diagonal > tolerance))
    if rank < min(a.shape):
        text = f"Rank deficient, rank = {rank}, tol = {float(tolerance):13.6e}."
        Warnings.issue("MATLAB:rankDeficientMatrix", text)
    x = np.zeros((a.shape[1], b.shape[1]), dtype=kind)
    if rank:
        turned = _turned_back(factors, scales, b)
        x[order[:rank]] = lapack("trtrs", kind)(r[:rank, :rank], turned[:rank])[0]
    return x


def _turned_back(factors: Array, scales: Array, b: Array) -> Array:
    """``Q' * b`` for the reflections that a factorisation has left below its diagonal."""
    name, trans = ("unmqr", "C") if factors.dtype.kind == "c" else ("ormqr", "T")
    apply = lapack(name, factors.dtype)
    room = apply("L", trans, factors[:, : scales.size], scales, b, -1)[1]
    return np.asarray(apply("L", trans, factors[:, : scales.size], scales, b, int(room[0].real))[0])


def matrix_power(a: Value, b: Value) -> Value:
    """``a ^ b``."""
    if type(b) is float and b in _SQUARINGS and _few_doubles(a) and a.shape[0] == a.shape[1]:
        return _squared(a, _SQUARINGS[b])
    if type(a) is complex:
        quick = complex_scalars("power", a, b)
        if quick is not None:
            return quick
    if type(a) is DeviceArray and type(b) is float and a.size > 1:
        from app.engine.operators import shape_forms

        lazy = shape_forms.matrix_power(a, b)
        if lazy is not NotImplemented:
            return lazy
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary("mpower", "^", a, b)
    if numel(a) == 1 and numel(b) == 1:
        return arithmetic(POWER, a, b)
    x, y = as_array(a), as_array(b)
    if x.ndim > 2 or y.ndim > 2 or (y.size == 1) == (x.size == 1) or not _square(x, y):
        raise MatlabError(
            "MATLAB:square",
            "Incorrect dimensions for raising a matrix to a power. Check that the matrix is square "
            "and the power is a scalar. To operate on each element of the matrix individually, "
            "use POWER (.^) for elementwise power.",
        )
    _refuse_integers("mpower", "^", x, y)
    x, y = float_operands(x, y)
    if y.size == 1:
        work = partial(_to_power, x, y.flat[0])
        return canonical(stoppable.on_free_cores(2.0 * float(x.size) ** 1.5, work))
    values, vectors = stoppable.eig(y)
    scale = np.power(x.flat[0] + 0j, values)
    return canonical(clean(vectors @ np.diag(scale) @ np.linalg.inv(vectors)))


_SQUARINGS = {2.0: 1, 4.0: 2, 8.0: 3}
"""The exponents for which squaring is all there is to do."""


def _squared(x: Array, times: int) -> Array:
    for _ in range(times):
        x = x.dot(x)
    return x


def _square(x: Array, y: Array) -> bool:
    base = x if y.size == 1 else y
    return bool(base.shape[0] == base.shape[1])


def _to_power(x: Array, exponent: Any) -> Array:
    if np.isreal(exponent) and float(exponent.real).is_integer():
        n = int(exponent.real)
        base = x if n >= 0 else _inverse(x)
        return base if abs(n) == 1 else np.linalg.matrix_power(base, abs(n))
    from scipy import linalg

    if not np.isfinite(x).all():
        text = "Input to EIG must not contain NaN or Inf."
        raise MatlabError("MATLAB:eig:matrixWithNaNInf", text)
    return clean(np.asarray(linalg.fractional_matrix_power(x, exponent)))


def _inverse(x: Array) -> Array:
    return solve(x, np.eye(len(x), dtype=x.dtype))


def clean(x: Array) -> Array:
    """``x`` without an imaginary part that is only rounding."""
    if x.dtype.kind == "c" and np.abs(x.imag).max() <= 10 * np.finfo(x.dtype).eps * np.abs(x).max():
        return x.real
    return x
