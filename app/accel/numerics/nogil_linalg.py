"""LAPACK for large matrices in calls during which the other threads go on.

SciPy's wrappers of some routines (``gesv``, ``getri``, ``potrf``, ``trtrs``, ``geev``, ``gees``,
``gehrd``) keep the interpreter to themselves until they are done: a window beside them would stand
still. Where NumPy has none of its own the routine itself is called, past the wrapper.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from app.accel.numerics.lapack import routine

Array = NDArray[Any]
Argument: TypeAlias = Array | int | bytes | None
Arguments: TypeAlias = tuple[Argument, ...]
LARGE = 200
"""Rows from which a routine takes long enough to be noticed."""
STRIP = 200_000_000
"""Operations of a solution by a triangle before the others get their turn."""


def check_matrices(*matrices: Array) -> None:
    """Raise LinAlgError unless matrices are square, of one size and finite.

    A routine that is told another size than the memory has writes beside it, and so do some whose
    iteration meets NaN.
    """
    n = matrices[0].shape[0] if matrices[0].ndim else 0
    if any(m.shape != (n, n) for m in matrices):
        raise np.linalg.LinAlgError("matrices must be square and of one size")
    if not all(np.isfinite(m).all() for m in matrices):
        raise np.linalg.LinAlgError("matrices must be finite")


def cholesky(a: Array, *, lower: bool = False) -> tuple[Array, int]:
    """Factor, zeros beside it, and LAPACK's word on it: the first minor that is not positive."""
    if a.shape[0] >= LARGE:
        try:
            return np.asfortranarray(np.linalg.cholesky(a, upper=not lower)), 0
        except np.linalg.LinAlgError:
            pass  # where it fails is what LAPACK itself tells
    factor, info = routine("potrf", a.dtype)(a, lower=lower, clean=True)
    return factor, int(info)


def in_strips(solve: Callable[[Array], Array], n: int, right: Array) -> Array:
    """``solve(right)`` for ``n`` unknowns, some columns at a time."""
    width = max(1, STRIP // max(n * n, 1))
    if right.shape[1] <= width:
        return solve(right)
    starts = range(0, right.shape[1], width)
    return np.hstack([solve(right[:, start : start + width]) for start in starts])


def schur(a: Array) -> tuple[Array, Array]:
    """Triangular factor and unitary one of a square matrix: ``a = u t u*``.

    The factor of a real matrix has blocks of two rows where eigenvalues are complex.
    Raises LinAlgError where the iteration does not converge.
    """
    check_matrices(a)
    t, n = np.array(a, order="F"), a.shape[0]
    u, whole, across = np.empty_like(t), t.dtype.kind == "c", max(n, 1)
    values = [np.empty(n, t.dtype)] if whole else [np.empty(n, t.dtype) for _ in "ri"]
    rest = [np.empty(n, t.real.dtype)] if whole else []
    flags, dimension = np.zeros(n, np.intc), np.zeros(1, np.intc)

    def call(work: Array, room: int) -> int:
        vectors = (*values, u, across, work, room, *rest, flags)
        return call_routine("gees", t.dtype, b"V", b"N", None, n, t, across, dimension, *vectors)

    if call_with_room(call, t.dtype):
        raise np.linalg.LinAlgError("the eigenvalues do not converge")
    return t, u


def eigenvalues(a: Array) -> Array:
    """Eigenvalues of a square matrix, complex.

    NumPy keeps the interpreter while it computes fewer than 501 of them.
    Raises LinAlgError where the iteration does not converge.
    """
    check_matrices(a)
    t, n = np.array(a, order="F"), a.shape[0]
    whole, none = t.dtype.kind == "c", np.empty(1, t.dtype)
    values = [np.empty(n, t.dtype) for _ in ("r" if whole else "ri")]
    rest = [np.empty(2 * n, t.real.dtype)] if whole else []

    def call(work: Array, room: int) -> int:
        unasked: Arguments = (none, 1, none, 1)
        return call_routine(
            "geev", t.dtype, b"N", b"N", n, t, n, *values, *unasked, work, room, *rest
        )

    if call_with_room(call, t.dtype):
        raise np.linalg.LinAlgError("the eigenvalues do not converge")
    return values[0] if whole else values[0] + 1j * values[1]


def singular_values(a: Array) -> Array:
    """Singular values of a matrix, the largest first; as `eigenvalues` in all else."""
    if a.ndim != 2 or not np.isfinite(a).all():
        raise np.linalg.LinAlgError("matrices must be finite")
    t, (rows, columns) = np.array(a, order="F"), a.shape
    least, none = min(rows, columns), np.empty(1, t.dtype)
    values, places = np.empty(least, t.real.dtype), np.empty(8 * least, np.intc)
    rest = [np.empty(7 * least, t.real.dtype)] if t.dtype.kind == "c" else []

    def call(work: Array, room: int) -> int:
        unasked: Arguments = (none, 1, none, 1)
        made = (values, *unasked, work, room, *rest, places)
        return call_routine("gesdd", t.dtype, b"N", rows, columns, t, rows, *made)

    if call_with_room(call, t.dtype):
        raise np.linalg.LinAlgError("the singular values do not converge")
    return values


def largest_of_tridiagonal(diagonal: Array, beside: Array, count: int) -> tuple[Array, Array]:
    """The largest eigenvalues, rising, and the vectors of a real symmetric tridiagonal matrix.

    Raises LinAlgError where the iteration does not converge.
    """
    kind, n = np.dtype(np.float64), diagonal.size
    found, blocks, values = np.zeros(1, np.intc), np.zeros(1, np.intc), np.empty(n)
    places, ends = np.empty(n, np.intc), np.empty(n, np.intc)
    unused, exact = np.zeros(1), np.zeros(1)
    first: Arguments = (b"I", b"B", n, unused, unused, n - count + 1, n, exact, diagonal, beside)
    work, room = np.empty(5 * n), np.empty(3 * n, np.intc)
    made = (found, blocks, values, places, ends, work, room)
    vectors, failed = np.empty((n, count), order="F"), np.empty(count, np.intc)
    second: Arguments = (n, diagonal, beside, count, values, places, ends, vectors, n)
    if (
        call_routine("stebz", kind, *first, *made)
        or found[0] != count
        or call_routine("stein", kind, *second, work, room, failed)
    ):
        raise np.linalg.LinAlgError("the eigenvalues do not converge")
    order = np.argsort(values[:count], kind="stable")
    return values[:count][order], vectors[:, order]


def sylvester(a: Array, b: Array, c: Array) -> Array:
    """The solution of ``a x + x b = c``."""
    if c.shape != (a.shape[0], b.shape[0]):
        raise np.linalg.LinAlgError("shape mismatch of the sides of an equation")
    kind = np.result_type(a, b, c)
    (r, u), (s, v) = schur(a.astype(kind)), schur(b.astype(kind))
    x = np.asfortranarray(u.conj().T @ c.astype(kind) @ v)
    scale = np.zeros(1, x.real.dtype)
    (m, n), (down, across) = x.shape, np.maximum(x.shape, 1).tolist()
    call_routine("trsyl", x.dtype, b"N", b"N", 1, m, n, r, down, s, across, x, down, scale)
    return np.asarray(scale[0] * (u @ x @ v.conj().T))


def qz(a: Array, b: Array) -> tuple[Array, Array, Array, Array]:
    """Triangular factors of two square matrices and unitary ones: ``a = q aa z*, b = q bb z*``.

    The factors of real matrices have blocks of two rows where eigenvalues are complex.
    Raises LinAlgError where the iteration does not converge.
    """
    return qz_with_values(a, b)[0]


def qz_with_values(a: Array, b: Array) -> tuple[tuple[Array, Array, Array, Array], Array, Array]:
    """`qz` and the eigenvalues of the pair, as complex numbers and what these are divided by."""
    check_matrices(a, b)
    kind, n = np.result_type(a, b), a.shape[0]
    across = max(n, 1)
    aa, bb = (np.array(m, kind, order="F") for m in (a, b))
    q, z = np.empty_like(aa), np.empty_like(aa)
    whole, dimension, flags = kind.kind == "c", np.zeros(1, np.intc), np.zeros(n, np.intc)
    values = [np.empty(n, kind) for _ in ("ab" if whole else "rib")]
    rest = [np.empty(8 * n, aa.real.dtype)] if whole else []

    def call(work: Array, room: int) -> int:
        given = (b"V", b"V", b"N", None, n, aa, across, bb, across, dimension)
        vectors = (*values, q, across, z, across, work, room, *rest, flags)
        return call_routine("gges", kind, *given, *vectors)

    if call_with_room(call, kind):
        raise np.linalg.LinAlgError("the eigenvalues do not converge")
    tops = values[0] if whole else values[0] + 1j * values[1]
    return (aa, bb, q, z), tops, values[-1]


def hessenberg(a: Array) -> tuple[Array, Array]:
    """Hessenberg factor and unitary one of a square matrix: ``a = p h p*``."""
    check_matrices(a)
    h, n = np.array(a, order="F"), a.shape[0]
    if n <= 2:
        return h, np.eye(n, dtype=h.dtype)
    tau = np.zeros(max(n - 1, 1), h.dtype)
    call_with_room(
        lambda work, room: call_routine("gehrd", h.dtype, n, 1, n, h, n, tau, work, room), h.dtype
    )
    p = h.copy(order="F")
    name = "unghr" if h.dtype.kind == "c" else "orghr"
    call_with_room(
        lambda work, room: call_routine(name, h.dtype, n, 1, n, p, n, tau, work, room), h.dtype
    )
    return np.triu(h, -1), p


def call_with_room(call: Callable[[Array, int], int], kind: np.dtype[np.generic]) -> int:
    """LAPACK's word on a routine that says itself how much it needs for its work."""
    asked = np.zeros(1, kind)
    call(asked, -1)
    room = max(1, int(asked[0].real))
    return call(np.empty(room, kind), room)


def call_routine(name: str, kind: np.dtype[np.generic], *arguments: Argument) -> int:
    """Call a routine whose last argument is its word on the result, and give that word."""
    said = ctypes.c_int(0)
    pointers: list[object] = []
    letters = 0
    for item in arguments:
        if isinstance(item, bytes):
            letters += 1
            pointers.append(ctypes.c_char_p(item))
        elif isinstance(item, int):
            pointers.append(ctypes.byref(ctypes.c_int(item)))
        elif item is None:
            pointers.append(None)
        else:
            pointers.append(ctypes.c_void_p(item.ctypes.data))
    lengths = [ctypes.c_size_t(1)] * letters  # Fortran has the lengths of texts behind all else
    _entry(name, kind)(*pointers, ctypes.byref(said), *lengths)
    return said.value


@cache
def _entry(name: str, kind: np.dtype[np.generic]) -> Callable[..., None]:
    """The routine that SciPy's wrapper calls; the interpreter goes on while it runs."""
    capsule = routine(name, kind)._cpointer  # type: ignore[attr-defined]  # noqa: SLF001 - SciPy's documented way to LAPACK
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = get(capsule, None)
    return cast("Callable[..., None]", ctypes.CFUNCTYPE(None)(address))
