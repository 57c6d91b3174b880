"""Arguments and results that are vectors, whichever way they lie."""

from __future__ import annotations

import numpy as np

from app.engine.operators.expansion import align
from app.engine.values import Array, SparseMatrix, Value, as_array, canonical, numel
from app.errors import MatlabError


def real_float(v: Value) -> Array:
    """A float or complex array of a number-like argument."""
    a = np.asarray(as_array(v))
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def vector(v: Value) -> Array:
    """The same as a flat vector."""
    return real_float(v).ravel(order="F")


def flat_doubles(v: Value) -> Array:
    """Numbers as a flat vector of doubles."""
    return as_array(v).astype(np.float64).ravel(order="F")


def matrix_of(v: Value) -> Array:
    """A full matrix of doubles."""
    return (v.dense() if isinstance(v, SparseMatrix) else as_array(v)).astype(np.float64)


def row(a: Array) -> Value:
    """A flat array as a row value."""
    return canonical(np.asarray(a).reshape(1, -1))


def column(a: Array) -> Value:
    """A flat array as a column value."""
    return canonical(np.asarray(a).reshape(-1, 1))


def is_given(v: Value | None) -> bool:
    """True unless an argument was left out or is ``[]``."""
    return v is not None and numel(v) > 0


def whole(v: Value) -> int:
    """The integer in a scalar argument."""
    number = as_array(v).flat[0]
    if number != np.floor(number.real):
        raise MatlabError("MATLAB:expectedInteger", f"Expected an integer, not {number:g}.")
    return int(number)


_EXACT = 2.0**53


def natural_pair(a: Value, b: Value) -> tuple[Array, Array] | None:
    """Whole doubles that are not negative, as aligned integers of 64 bits; None for all others.

    Raises MatlabError where their sizes do not fit.
    """
    x, y = _natural(a), _natural(b)
    return None if x is None or y is None else align(x, y)


def _natural(v: Value) -> Array | None:
    """An array with elements, or a number below 2^53."""
    if type(v) is float:
        return np.array([[int(v)]]) if 0.0 <= v < _EXACT and v.is_integer() else None
    if type(v) is not np.ndarray or v.dtype.char != "d" or not v.size:
        return None
    made: Array = v.astype(np.int64)
    # Numbers of two classes are compared in parts: of one class in half the time.
    exact = not np.count_nonzero(made.astype(np.float64) != v) and not np.count_nonzero(v < 0.0)
    return made if exact else None
