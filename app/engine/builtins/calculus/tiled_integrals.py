"""Integrals over regions of the plane, tile by tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.values import Array

_MOST = 10000
"""Tiles after which a result is given as it is."""


class Tiled:
    """The integral of ``f(x, y)`` for x in [a, b] and y between functions of x.

    Adaptive products of Gauss-Kronrod rules: all tiles of one size are evaluated in one call, and
    those that are not exact enough are quartered. Singularities at the edges are weakened.

    Attributes:
        total: the integral.
        error: a bound of its error.
        settled: False when the tiles were used up before the tolerances were met.
    """

    def __init__(
        self,
        f: Callable[[Array, Array], Array],
        a: float,
        b: float,
        low: Callable[[float], float],
        high: Callable[[float], float],
        rule: tuple[Array, Array, Array],
    ) -> None:
        self.f, self.a, self.b = f, a, b
        self.low, self.high = low, high
        self.nodes, self.kronrod, self.gauss = rule
        self.total: Any = 0.0
        self.error = 0.0
        self.settled = True

    def run(self, abs_tol: float, rel_tol: float) -> Tiled:
        """Refine until the tolerances are met."""
        u, v = (g.ravel() for g in np.meshgrid([-0.5, 0.5], [-0.5, 0.5]))
        half, spent = 0.5, 0
        done, done_error = self.total, 0.0
        while u.size:
            spent += u.size
            fine, errors = self._tiles(u, v, half)
            self.total, self.error = done + fine.sum(), done_error + float(errors.sum())
            limit = max(abs_tol, rel_tol * abs(self.total))
            self.settled = self.error <= limit or not np.isfinite(self.total)
            bad = errors > limit * half * half
            if self.settled or spent + 4 * bad.sum() > _MOST:
                break
            done, done_error = done + fine[~bad].sum(), done_error + float(errors[~bad].sum())
            half /= 2
            u, v = (
                np.concatenate([c[bad] + s * half for s in signs])
                for c, signs in ((u, (-1, 1, -1, 1)), (v, (-1, -1, 1, 1)))
            )
        return self

    def _tiles(self, u: Array, v: Array, half: float) -> tuple[Array, Array]:
        """The integrals over tiles around (u, v), and how exact they are."""
        across = u[:, None] + half * self.nodes
        up = (v[:, None] + half * self.nodes)[:, None, :]
        x, dx = _smooth_ends(across, self.a, self.b)
        places, at = np.unique(x, return_inverse=True)
        low, high = (
            np.array([side(float(p)) for p in places])[at].reshape(*x.shape, 1)
            for side in (self.low, self.high)
        )
        y, dy = _smooth_ends(up, low, high)
        columns = y.reshape(-1, y.shape[-1])
        points = np.broadcast_to(x.reshape(-1, 1), columns.shape)
        values = self.f(points, columns).reshape(y.shape) * dy * dx[:, :, None]
        fine, coarse = (
            np.einsum("nij,i,j->n", values, w, w) * half * half for w in (self.kronrod, self.gauss)
        )
        return fine, np.abs(fine - coarse)


def _smooth_ends(t: Array, low: Any, high: Any) -> tuple[Array, Array]:
    """[-1, 1] mapped onto an interval with a slope of 0 at both ends, and the slope."""
    quarter = (high - low) / 4
    return quarter * t * (3 - t * t) + (high + low) / 2, 3 * quarter * (1 - t * t)
