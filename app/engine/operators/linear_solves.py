"""Solutions of systems of linear equations in host memory, and the warnings they give."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from app.accel.numerics import nogil_linalg
from app.accel.numerics.lapack import routine as lapack
from app.accel.numerics.pivoted_factors import PivotedFactors
from app.engine import stoppable
from app.engine.arguments.operation_rules import Rules
from app.engine.values import (
    Array,
)

if TYPE_CHECKING:
    from app.accel.ir.node import Node

_THREADED = 40_000
"""Elements from which LAPACK's solver of triangles is worth the threads that it always wakes."""


def silent(identifier: str, message: str) -> None:
    """Where warnings go before a session is there."""


def never(doubt: object, warn: Callable[[], object]) -> bool:
    """Nobody warns later before a session is there."""
    return False


FEW = 1 << 10
"""Elements of matrices that no second thread would help with, and that take no time to stop."""


class _Warnings(threading.local):
    """Where warnings of operators go that run on this thread.

    Attributes:
        issue: ``issue(identifier, message)``; the session plugs its own in.
        later: ``later(doubt, warn)`` of a lazy truth: `warn` will be called where it turns out to
            be true, before anybody sees a later warning. False where that would be too late.
    """

    issue: Callable[[str, str], None] = staticmethod(silent)
    later: Callable[[Node, Callable[[], object]], bool] = staticmethod(never)


Warnings = stoppable.carried(_Warnings())


def solve(a: Array, b: Array) -> Array:
    """The solution (square) or least-squares solution of ``a x = b``."""
    if a.size == 0 or b.size == 0:
        return np.zeros((a.shape[1], b.shape[1]), dtype=np.result_type(a, b))
    if a.size <= FEW and b.size <= FEW:
        return _solve(a, b)
    operations = a.size * (min(a.shape) + 2.0 * b.shape[1])
    return stoppable.on_free_cores(operations, partial(_solve, a, b))


def _solve(a: Array, b: Array) -> Array:
    if a.shape[0] != a.shape[1]:
        return least_squares(a, b)
    triangular = _triangular(a, b)
    return solve_square(a, b) if triangular is None else triangular


def solve_square(a: Array, b: Array) -> Array:
    """The solution by LU factors, with a warning where they are doubtful."""
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
    if Rules.octave and not 1.0 + _reciprocal_condition(lu, _one_norm(a)) > 1.0:
        Warnings.issue("Octave:singular-matrix", "matrix singular to machine precision")
        return _least_norm(a, b)
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
    return not _reciprocal_condition(lu, size) >= _EPS[lu.dtype.char]


def _reciprocal_condition(lu: Array, size: float) -> float:
    """About 1 / cond(A, 1) of the matrix with these factors and this 1-norm."""
    return float(lapack("gecon", lu.dtype)(lu, size)[0])


def _one_norm(a: Array) -> float:
    return float(np.abs(a).sum(axis=0).max())


_EPS = {c: float(np.finfo(c).eps) for c in "fdFD"}
STRIP = 64
"""Columns that are looked at together."""
ABOVE = np.triu(np.ones((STRIP, STRIP), np.bool_), 1)
EPS = _EPS["d"]
"""Of doubles."""


def warn_if_ill(a: Array, lu: Array) -> None:
    """MATLAB's warning for a nearly singular matrix, from its LU factors."""
    warn_if_doubtful(lu, _one_norm(a))


def warn_if_doubtful(lu: Array, size: float) -> None:
    """The same from the factors and the matrix's norm."""
    rcond = _reciprocal_condition(lu, size)
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
    lower = not _has_upper(a)
    if not lower and _has_upper(a.T):
        return None
    if a.size < _THREADED:
        way = slice(None, None, -1 if lower else 1)  # turned round it is an upper triangle
        return np.asarray(lapack("gesv", np.result_type(a, b))(a[way, way], b[way])[2])[way]
    from scipy import linalg

    solve = partial(linalg.solve_triangular, a, lower=lower, check_finite=False)
    return nogil_linalg.in_strips(solve, a.shape[0], b)


def _has_upper(a: Array) -> bool:
    """Whether a square matrix has a number above its diagonal; a full one is soon known."""
    for k in range(0, len(a), STRIP):
        after = k + STRIP
        square = a[k:after, k:after]
        above = ABOVE[: len(square), : len(square)]
        if a[:k, k:after].any() or np.logical_and(square, above).any():
            return True
    return False


def least_squares(a: Array, b: Array) -> Array:
    """A least-squares solution with at most rank(a) nonzeros per column, as MATLAB's QR gives.

    Octave's is, where there are many, that of least norm.
    """
    factors = PivotedFactors(a, b)
    if Rules.octave and factors.rank < a.shape[1] and np.isfinite(factors.upper).all():
        return _least_norm(a, b)
    if factors.rank < min(a.shape):
        text = f"Rank deficient, rank = {factors.rank}, tol = {float(factors.tolerance):13.6e}."
        Warnings.issue("MATLAB:rankDeficientMatrix", text)
    return factors.solution(factors.rank)


def _least_norm(a: Array, b: Array) -> Array:
    """Of the least-squares solutions that of least norm, as Octave's LAPACK call (gelsd) gives."""
    return np.asarray(np.linalg.lstsq(a, b, rcond=-1)[0])


def best_fit(a: Array, b: Array, rows: int = 0) -> tuple[Array, int, Array]:
    """The coefficients of columns that fit b best, their rank, and R with its columns in A's order.

    Columns that depend on each other within rounding all get their coefficient: powers of large
    numbers differ by many orders of magnitude and mean something all the same. ``rows`` says how
    many there are where `a` is the R of a longer matrix, and `b` in the basis of its Q.
    """
    factors = PivotedFactors(a, b, rows)
    upper = np.empty_like(factors.upper)
    upper[:, factors.order] = np.triu(factors.upper)
    return factors.solution(int(np.count_nonzero(factors.diagonal))), factors.rank, upper
