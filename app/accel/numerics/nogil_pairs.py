"""Factors of Hermitian matrices and eigenvectors of pairs, while the other threads go on.

SciPy keeps the interpreter to itself for these; see `nogil_linalg`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.accel.numerics.nogil_linalg import (
    Argument,
    Array,
    call_routine,
    call_with_room,
    check_matrices,
)


def eigensystem(a: Array, b: Array | None = None) -> tuple[Array, Array, Array]:
    """Eigenvalues, left and right eigenvectors of a square matrix or of a pair.

    Vectors of a matrix have length 1; of those of a pair the sizes of the two parts of the largest
    element add up to 1. Values of a pair are infinite where ``b`` maps the vector to 0, NaN where
    both do. Values are complex, vectors of a real problem real where all its values are.
    Raises LinAlgError where the iteration does not converge.
    """
    check_matrices(a, *(() if b is None else (b,)))
    kind = np.result_type(a) if b is None else np.result_type(a, b)
    n, whole = a.shape[0], kind.kind == "c"
    across = max(n, 1)
    given: list[Argument] = [np.array(a, kind, order="F"), across]
    values = [np.empty(n, kind) for _ in ("a" if whole else "ri")]
    scale = np.ones(n, kind)
    if b is not None:
        given += [np.array(b, kind, order="F"), across]
    found: list[Argument] = [*values, *([] if b is None else [scale])]
    left, right = (np.empty((n, n), kind, order="F") for _ in "lr")
    rest = [np.empty(8 * n, left.real.dtype)] if whole else []
    name = "geev" if b is None else "ggev"

    def call(work: Array, room: int) -> int:
        vectors = (left, across, right, across, work, room, *rest)
        return call_routine(name, kind, b"V", b"V", n, *given, *found, *vectors)

    if n and call_with_room(call, kind):
        raise np.linalg.LinAlgError("the eigenvalues do not converge")
    tops = values[0] if whole else values[0] + 1j * values[1]
    if not whole and tops.imag.any():
        left, right = (_complex_vectors(tops.imag, v) for v in (left, right))
    return (tops if b is None else _quotients(tops, scale)), left, right


def _complex_vectors(imaginary: Array, packed: Array) -> Array:
    """Complex vectors whose two parts stand in columns that follow each other."""
    first = np.flatnonzero(imaginary > 0)
    vectors = packed.astype(np.result_type(packed, np.complex64))
    vectors[:, first] = packed[:, first] + 1j * packed[:, first + 1]
    vectors[:, first + 1] = vectors[:, first].conj()
    return vectors


def _quotients(tops: Array, scale: Array) -> Array:
    values = np.where(tops == 0, np.nan, np.inf).astype(tops.dtype)
    np.divide(tops, scale, out=values, where=scale != 0)
    return values


def definite_pair(a: Array, b: Array) -> tuple[Array, Array]:
    """Eigenvalues, rising, and vectors of Hermitian ``a`` against positive definite ``b``.

    Raises LinAlgError where ``b`` is not definite or the iteration does not converge.
    """
    check_matrices(a, b)
    kind, n = np.result_type(a, b), a.shape[0]
    across, whole = max(n, 1), np.result_type(a, b).kind == "c"
    vectors, other = (np.array(m, kind, order="F") for m in (a, b))
    values = np.empty(n, vectors.real.dtype)
    room, more = (2 * n + n * n if whole else 1 + 6 * n + 2 * n * n), 1 + 5 * n + 2 * n * n
    works: list[Argument] = [np.empty(room + 1, kind), room + 1]
    if whole:
        works += [np.empty(more, values.dtype), more]
    works += [np.empty(3 + 5 * n, np.intc), 3 + 5 * n]
    name = "hegvd" if whole else "sygvd"
    problem = (n, vectors, across, other, across, values)
    if call_routine(name, kind, 1, b"V", b"L", *problem, *works):
        raise np.linalg.LinAlgError("the pair is not definite")
    return values, vectors


def ldl(a: Array) -> tuple[Array, Array, NDArray[np.intp]]:
    """Factors of a Hermitian matrix, of which the lower triangle is read, and an order of its rows.

    ``a[order][:, order] = l d l*``; ``d`` has blocks of one and two rows.
    """
    check_matrices(a)
    packed, n = np.array(a, order="F"), a.shape[0]
    pivots = np.zeros(n, np.intc)
    name = "hetrf" if packed.dtype.kind == "c" else "sytrf"

    def call(work: Array, room: int) -> int:
        return call_routine(name, packed.dtype, b"L", n, packed, max(n, 1), pivots, work, room)

    call_with_room(call, packed.dtype)  # a pivot that is 0 leaves the factors right
    d, lower = np.diag(packed.diagonal().real.astype(packed.dtype)), np.tril(packed, -1)
    order, at = np.arange(n), 0
    while at < n:
        double = pivots[at] < 0
        last = at + 1 if double else at
        if double:
            d[last, at], d[at, last] = packed[last, at], packed[last, at].conj()
            lower[last, at] = 0
        exchanged = [last, abs(pivots[last]) - 1]
        lower[exchanged, :at] = lower[exchanged[::-1], :at]
        order[exchanged] = order[exchanged[::-1]]
        at = last + 1
    np.fill_diagonal(lower, 1)
    return lower, d, order
