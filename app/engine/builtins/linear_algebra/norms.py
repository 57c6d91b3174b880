"""Norms of vectors, matrices and lines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.engine.arguments.checks import unknown_option
from app.engine.arguments.dimensions import is_plain_vector
from app.engine.builtins.linear_algebra.basics import matrix
from app.engine.capture import reduce_capture
from app.engine.declarations.device_support import value_form
from app.engine.declarations.registry import builtin
from app.engine.operators import factors
from app.engine.values import (
    Array,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "linear algebra"

_LINES = {"rows": 1, "columns": 0, "cols": 0}
"""Words of Octave for norms of lines, and the axis they run along."""


def _norms_of_lines(a: Value, p: Value, axis: int) -> Value:
    """The vector norms of all rows or columns."""
    x = matrix("norm", a.dense() if isinstance(a, SparseMatrix) else a)
    order: Any = text_of(p).lower() if is_text_scalar(p) else float_of(p)
    lines = x if axis else x.T
    found = np.array([_vector_norm(line, order) if line.size else 0.0 for line in lines])
    return canonical(found.reshape(-1, 1) if axis else found.reshape(1, -1))


@builtin(
    "norm",
    scalar=abs,
    category=_FAMILY,
    signatures=("n = norm(A)", "n = norm(A, p)", "n = norm(A, 'fro')"),
    device=value_form(reduce_capture.vector_norm),
    cases=(
        "norm([3 4]) == 5",
        "norm([1 -2], 1) == 3",
        "norm([1 -2], Inf) == 2",
        "abs(norm([1 2; 3 4]) - 5.4649857) < 1e-6",
        "abs(norm([1 2; 3 4], 'fro') - sqrt(30)) < 1e-14",
        "isequal(norm([3; -4], 2, 'rows'), [3; 4]) && isequal(norm([3 -4], 'columns'), [3 4])",
    ),
    see=("vecnorm", "cond"),
)
def norm(a: Value, p: Value = 2.0, lines: Value = "") -> Value:
    """Norm of a vector or matrix; with "rows" or "columns" (Octave's) of each of them."""
    if type(p) is float and type(lines) is str and not lines:
        quick = _quick_norm(a, p)
        if quick is not None:
            return quick
    if is_text_scalar(p) and text_of(p) in _LINES:
        p, lines = 2.0, p
    elif not is_text_scalar(p) and as_array(p).size == 0:
        p = 2.0  # as in Octave
    if is_text_scalar(lines) and text_of(lines) in _LINES:
        return _norms_of_lines(a, p, _LINES[text_of(lines)])
    if not is_text_scalar(lines) or text_of(lines):
        raise unknown_option("norm", lines, "rows columns")
    order = norm_order(p)
    if isinstance(a, SparseMatrix):
        if order == "fro" and np.isfinite(a.data).all():
            return float(np.linalg.norm(a.data))
        a = a.dense()
    x = matrix("norm", a)
    if x.size == 0:
        return 0.0
    if 1 in x.shape or order == "fro":
        return canonical(np.array([[_vector_norm(x.ravel(), order)]]))
    if not np.isfinite(x).all():
        return math.nan if np.isnan(x).any() else math.inf
    return canonical(np.array([[matrix_norm(x, order)]]))


def matrix_norm(x: Array, order: Any) -> Any:
    """The norm of a matrix of finite numbers: of order 1, 2, Inf or ``fro``."""
    if order not in _ORDERS:
        text = "The only matrix norms available are 1, 2, inf, and 'fro'."
        raise MatlabError("MATLAB:norm:unknownNorm", text)
    if order == 2.0:
        return factors.singular_values(x)[0]
    return np.linalg.norm(x, np.inf if order == "inf" else order)


def _quick_norm(a: Value, p: float) -> Value | None:
    """The norm of a plain vector or small matrix; None for others, and near the limits."""
    if p == 2.0:
        return _two_norm(a)
    if p not in {1.0, math.inf} or type(a) is not np.ndarray or a.dtype.char != "d" or a.ndim > 2:
        return None
    if not factors.is_small(a) or not factors.all_finite(a):
        return None
    sizes = np.abs(a)
    if 1 in a.shape:
        return float((np.add if p == 1.0 else np.maximum).reduce(sizes, axis=None))
    return float(np.maximum.reduce(np.add.reduce(sizes, axis=0 if p == 1.0 else 1)))


def _two_norm(a: Value) -> Value | None:
    """The norm of a plain vector or small matrix; None for others, and near the limits."""
    if not is_plain_vector(a):
        if type(a) is not np.ndarray or a.ndim > 2 or a.dtype.char != "d":
            return None
        plain = factors.is_small(a) and factors.all_finite(a)
        return factors.singular_values(a).item(0) if plain else None
    flat = a.ravel()
    squares = flat.dot(flat)
    return math.sqrt(squares) if 1e-280 < squares < 1e280 else None


_ORDERS = (1.0, 2.0, np.inf, "inf", "fro")


def norm_order(p: Value) -> Any:
    """The order of a norm: a number, ``fro`` or ``inf``."""
    order = text_of(p).lower() if is_text_scalar(p) else float_of(p)
    if isinstance(order, str) and order not in ("fro", "inf"):
        raise MatlabError(
            "MATLAB:norm:unknownNorm", "The only matrix norms available are 1, 2, Inf, and 'fro'."
        )
    return order


def _vector_norm(x: Array, order: Any) -> Any:
    if order in ("fro", 2.0):
        size = np.abs(x)
        largest = size.max()
        if not np.isfinite(largest) or 1e-140 < largest < 1e140 or largest == 0:
            return np.linalg.norm(x)
        return largest * np.linalg.norm(x / largest)
    if order in ("inf", np.inf):
        return np.abs(x).max()
    if order == -np.inf:
        return np.abs(x).min()
    return np.sum(np.abs(x) ** order) ** (1 / order if order else np.inf)
