"""Orthogonal factors with the longest column first, by LAPACK: ranks and solutions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.accel.numerics.lapack import routine as lapack

Array = NDArray[np.generic]

_EPS = {kind: np.finfo(kind).eps for kind in "fdFD"}
UNBLOCKED = 16
"""Reflections that LAPACK applies one by one, whatever room it is given."""


class PivotedFactors:
    """QR of A with the longest column first, for right sides b; of `rows` rows where A is the R of
    a longer matrix, and b in the basis of its Q.

    Attributes:
        upper: R on and above its diagonal.
        order: where the columns of R stood in A.
        tolerance: numbers on the diagonal below it count as zero in ``rank``.
    """

    def __init__(self, a: Array, b: Array, rows: int = 0) -> None:
        kind = a.dtype if a.dtype is b.dtype else np.result_type(a, b)
        self._b = b.astype(kind, copy=False)
        self._factors, order, self._scales, _, _ = lapack("geqp3", kind)(a.astype(kind, copy=False))
        self.order = order - 1
        self.upper = self._factors[: min(a.shape)]
        self.diagonal = np.abs(self.upper.diagonal())
        largest = self.diagonal[0] if self.diagonal.size else 0.0
        self.tolerance = max(rows, *a.shape) * _EPS[kind.char] * largest
        self.rank = int(np.count_nonzero(self.diagonal > self.tolerance))

    def solution(self, rank: int) -> Array:
        """The solution that only the first ``rank`` columns take part in."""
        kind = self._b.dtype
        x = np.zeros((self._factors.shape[1], self._b.shape[1]), dtype=kind)
        if rank:
            turned = _turned_back(self._factors, self._scales, self._b)
            first = self.upper[:rank, :rank]
            x[self.order[:rank]] = lapack("trtrs", kind)(first, turned[:rank])[0]
        return x


def _turned_back(factors: Array, scales: Array, b: Array) -> Array:
    """``Q' * b`` for the reflections that a factorisation has left below its diagonal."""
    name, trans = ("unmqr", "C") if factors.dtype.kind == "c" else ("ormqr", "T")
    apply = lapack(name, factors.dtype)
    reflections, room = factors[:, : scales.size], b.shape[1]
    if scales.size > UNBLOCKED:
        room = int(apply("L", trans, reflections, scales, b, -1)[1][0].real)
    return np.asarray(apply("L", trans, reflections, scales, b, room)[0])
