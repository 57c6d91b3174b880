"""Functions of matrices that products alone compute, on the device."""

from __future__ import annotations

import math

from app.accel.ir.dtypes import DType
from app.engine.capture.term_arrays import fetch_terms, resident
from app.engine.capture.terms import Made, Term, position
from app.engine.values import Value

NEAR, DEGREE = 0.75, 16
"""A matrix of this norm has the sum of so many terms as its exponential, to a double's rounding."""
MOST = 256.0
"""Norms beyond which the host sees to what overflows."""


def expm(args: tuple[Value, ...], nargout: int) -> Made:
    """The exponential of a resident square matrix: scaled, a Taylor polynomial of it, squared.

    Paterson and Stockmeyer's order of evaluation takes six products; the norm is looked at.
    """
    found = resident(*args) if len(args) == 1 and nargout < 2 else None
    if found is None or not found[0].dtype.is_float:
        return None
    x = found[0]
    if x.rank != 2 or x.shape[0] != x.shape[1] or x.size < 2:
        return None
    [norm] = fetch_terms(abs(x).sum(0).amax().cast(DType.F64), cause="needs-host-value: its norm")
    if not norm.item() < MOST:
        return None
    squarings = max(0, math.ceil(math.log2(max(norm.item(), NEAR) / NEAR)))
    y = _taylor(x * 0.5**squarings)
    for _ in range(squarings):
        y = y.matmul(y)
    return y


def _taylor(x: Term) -> Term:
    """The first terms of the exponential's series."""
    rows, columns = (position(x.shape, axis) for axis in (0, 1))
    powers = [rows.eq(columns).cast(x.dtype), x, x.matmul(x)]
    powers += [powers[2].matmul(x), powers[2].matmul(powers[2])]
    made = powers[4] * (1 / math.factorial(DEGREE))
    for first in range(DEGREE - 4, -1, -4):
        for k in range(3, -1, -1):
            made = made + powers[k] * (1 / math.factorial(first + k))
        if first:
            made = made.matmul(powers[4])
    return made
