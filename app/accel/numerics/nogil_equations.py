"""Lyapunov's and Riccati's equations of real matrices, while the other threads go on.

SciPy keeps the interpreter to itself for these; see `nogil_linalg`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from app.accel.numerics.lapack import routine
from app.accel.numerics.nogil_linalg import Array, call_routine, qz_with_values, sylvester

Wanted = Callable[[Array, Array], NDArray[np.bool_]]
"""Which quotients of two numbers, given as these, are wanted."""

DIRECT = 10
"""Rows below which a discrete equation of Lyapunov is solved as a system of all its unknowns."""


def continuous_lyapunov(a: Array, q: Array) -> Array:
    """The solution of ``a x + x a' + q = 0``."""
    return sylvester(a, a.T, -q)


def discrete_lyapunov(a: Array, q: Array) -> Array:
    """The solution of ``a x a' - x + q = 0``."""
    n = a.shape[0]
    if n < DIRECT:
        unknowns = np.eye(n * n) - np.kron(a, a)
        return np.asarray(np.linalg.solve(unknowns, q.ravel()).reshape(q.shape))
    right = np.linalg.inv(a.T + np.eye(n))
    moved = (a.T - np.eye(n)) @ right
    return continuous_lyapunov(moved.T, 2 * np.linalg.inv(a + np.eye(n)) @ q @ right)


def continuous_riccati(a: Array, b: Array, q: Array, r: Array, s: Array) -> Array:
    """The stabilising solution of ``a' x + x a - (x b + s) r^-1 (b' x + s') + q = 0``.

    Raises LinAlgError where there is none.
    """
    n, inputs = b.shape
    pencil = np.block([[a, np.zeros((n, n)), b], [-q, -a.T, -s], [s.T, b.T, r]])
    other = np.diag(np.repeat((1.0, 0.0), (2 * n, inputs)))
    return _of_stable_part(pencil, other, n, lambda top, bottom: (top.real < 0) & (bottom != 0))


def discrete_riccati(a: Array, b: Array, q: Array, r: Array, s: Array) -> Array:
    """The stabilising solution of ``a' x a - x - (a' x b + s) (r + b' x b)^-1 (…)' + q = 0``.

    Raises LinAlgError where there is none.
    """
    n, inputs = b.shape
    square, across, down = np.zeros((n, n)), np.zeros((n, inputs)), np.zeros((inputs, n))
    corner = np.zeros((inputs, inputs))
    pencil = np.block([[a, square, b], [-q, np.eye(n), -s], [s.T, down, r]])
    other = np.block([[np.eye(n), square, across], [square, a.T, across], [down, -b.T, corner]])
    return _of_stable_part(pencil, other, n, lambda top, bottom: abs(top) < abs(bottom))


def _of_stable_part(pencil: Array, other: Array, n: int, stable: Wanted) -> Array:
    """What the stable part of a pencil of ``2 n`` rows and those of its inputs says of ``n``."""
    scale = _symplectic_scale(abs(pencil) + abs(other), n)
    scaled = scale[:, None] / scale
    pencil, other = pencil * scaled, other * scaled
    basis = np.linalg.qr(pencil[:, 2 * n :], mode="complete")[0][:, pencil.shape[0] - 2 * n :].T
    part = _deflating(basis @ pencil[:, : 2 * n], basis @ other[:, : 2 * n], stable)
    if part.shape[1] != n:
        raise np.linalg.LinAlgError("no half of the eigenvalues is stable")
    top, bottom = part[:n], part[n:]
    if 1 / np.linalg.cond(top) < np.finfo(float).eps:
        raise np.linalg.LinAlgError("there is no finite solution")
    product = top.T @ bottom
    skew, size = (float(np.linalg.norm(m, 1)) for m in (product - product.T, product))
    if skew > max(1e-13, 0.1 * size):
        raise np.linalg.LinAlgError("eigenvalues are too close to the border of stability")
    x = np.linalg.solve(top.T, bottom.T).T * (scale[:n, None] * scale[:n])
    return np.asarray((x + x.T) / 2)


def _symplectic_scale(sizes: Array, n: int) -> Array:
    """Powers of two, the second ``n`` the inverses of the first, that bring sizes together."""
    np.fill_diagonal(sizes, 0)
    balanced = routine("gebal", sizes.dtype)(sizes, scale=1, permute=0)
    powers = np.log2(balanced[3])
    halves = np.round((powers[n : 2 * n] - powers[:n]) / 2)
    return np.asarray(2.0 ** np.concatenate((halves, -halves, powers[2 * n :])))


def _deflating(a: Array, b: Array, wanted: Wanted) -> Array:
    """Orthonormal columns that span the part of a pair whose eigenvalues are wanted."""
    (aa, bb, q, z), tops, bottoms = qz_with_values(a, b)
    n, across = a.shape[0], max(a.shape[0], 1)
    select = wanted(tops, bottoms).astype(np.intc)
    count = np.zeros(1, np.intc)
    values = [np.empty(n) for _ in "rib"]
    shares = [np.empty(2) for _ in "lrd"]
    room = 4 * n + 16
    given = (0, 1, 1, select, n, aa, across, bb, across, *values, q, across, z, across, count)
    work = (np.empty(room), room, np.empty(n + 6, np.intc), n + 6)
    if call_routine("tgsen", a.dtype, *given, *shares, *work):
        raise np.linalg.LinAlgError("the eigenvalues cannot be put in order")
    return z[:, : int(count[0])]
