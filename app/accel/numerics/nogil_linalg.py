"""LAPACK for large matrices in calls during which the other threads go on.

SciPy's wrappers of some routines (``gesv``, ``getri``, ``potrf``, ``trtrs``, ``geev``, ``gees``,
``gehrd``) keep the interpreter to themselves until they are done: a window beside them would stand
still. Where NumPy has none of its own the routine itself is called, past the wrapper.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from app.accel.numerics.lapack import routine

Array = NDArray[Any]
LARGE = 200
"""Rows from which a routine takes long enough to be noticed."""
STRIP = 200_000_000
"""Operations of a solution by a triangle before the others get their turn."""


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
    t, n = np.array(a, order="F"), a.shape[0]
    u, whole, across = np.empty_like(t), t.dtype.kind == "c", max(n, 1)
    values = [np.empty(n, t.dtype)] if whole else [np.empty(n, t.dtype) for _ in "ri"]
    rest = [np.empty(n, t.real.dtype)] if whole else []
    flags, dimension = np.zeros(n, np.intc), np.zeros(1, np.intc)

    def call(work: Array, room: int) -> int:
        vectors = (*values, u, across, work, room, *rest, flags)
        return _call("gees", t.dtype, b"V", b"N", None, n, t, across, dimension, *vectors)

    if _with_room(call, t.dtype):
        raise np.linalg.LinAlgError("the eigenvalues do not converge")
    return t, u


def hessenberg(a: Array) -> tuple[Array, Array]:
    """Hessenberg factor and unitary one of a square matrix: ``a = p h p*``."""
    h, n = np.array(a, order="F"), a.shape[0]
    if n <= 2:
        return h, np.eye(n, dtype=h.dtype)
    tau = np.zeros(max(n - 1, 1), h.dtype)
    _with_room(lambda work, room: _call("gehrd", h.dtype, n, 1, n, h, n, tau, work, room), h.dtype)
    p = h.copy(order="F")
    name = "unghr" if h.dtype.kind == "c" else "orghr"
    _with_room(lambda work, room: _call(name, h.dtype, n, 1, n, p, n, tau, work, room), h.dtype)
    return np.triu(h, -1), p


def _with_room(call: Callable[[Array, int], int], kind: np.dtype[np.generic]) -> int:
    """LAPACK's word on a routine that says itself how much it needs for its work."""
    asked = np.zeros(1, kind)
    call(asked, -1)
    room = max(1, int(asked[0].real))
    return call(np.empty(room, kind), room)


def _call(name: str, kind: np.dtype[np.generic], *arguments: Array | int | bytes | None) -> int:
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
    capsule = routine(name, kind)._cpointer  # type: ignore[attr-defined]  # noqa: SLF001
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = get(capsule, None)
    return cast("Callable[..., None]", ctypes.CFUNCTYPE(None)(address))
