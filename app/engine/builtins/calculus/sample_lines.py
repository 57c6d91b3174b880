"""Ascending lines of resident sample points, among which places are found by bisection."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import (
    clamp_nan_low,
    column,
    count_before,
    elements_at,
    holds,
    real_term_of,
)
from app.engine.capture.terms import Term, position, where
from app.engine.values import Array, DeviceArray, Value, as_array

STEPS = frozenset(("nearest", "previous", "next"))


class Line(NamedTuple):
    """An ascending line of grid points.

    Attributes:
        size: how many points.
        points: the points, a column; None for the numbers from 1.
    """

    size: int
    points: Term | None = None

    def point(self, k: Term) -> Term:
        """The points of numbers from 0."""
        return k + 1.0 if self.points is None else elements_at(self.points, k)

    def column(self) -> Term:
        """The points as a column of doubles."""
        points = self.points
        return position((self.size, 1), 0) + 1.0 if points is None else points.cast(DType.F64)

    def ends(self) -> tuple[Term | float, Term | float]:
        """The first and the last point."""
        if self.points is None:
            return 1.0, float(self.size)
        return self.points.part(0, 0, 1), self.points.part(0, self.size - 1, 1)

    def interval(self, q: Term) -> Term:
        """The number from 0 of the interval of each q; the end ones go on."""
        found = q.floor() if self.points is None else count_before(q, self.points, True)
        return clamp_nan_low(found - 1.0, 0.0, self.size - 2.0)

    def outside(self, q: Term) -> Term:
        """Where q is beyond the line, or not a number."""
        low, high = self.ends()
        return (q < low) | (q > high) | q.isnan()

    def step(self, q: Term, method: str) -> Term:
        """The number from 0 of the point that a step method chooses."""
        k = self.interval(q)
        left, right = self.point(k), self.point(k + 1.0)
        if method == "nearest":
            return where(q - left < right - q, k, k + 1.0)
        if method == "next":
            return where(q <= left, k, k + 1.0)
        return where(q >= self.ends()[1], self.size - 1.0, k)


def ascends(x: Value) -> bool:
    """Whether a vector is strictly ascending."""
    if type(x) is not DeviceArray:
        return bool((np.diff(as_array(x).ravel()) > 0).all())
    points = column(Term(x.node))
    after, before = points.part(0, 1, points.size - 1), points.part(0, 0, points.size - 1)
    return holds((after > before).all(), "do the sample points ascend?")


def real(v: Value) -> Term | None:
    """A real float or logical array as a term."""
    x = real_term_of(v)
    return None if x is None or x.dtype.is_integer else x.number()


def leaf_column(a: Array) -> Term:
    """Numbers of the host as a column of doubles."""
    return Term(Session.runtime.leaf(np.asfortranarray(a, np.float64).reshape(-1, 1)))
