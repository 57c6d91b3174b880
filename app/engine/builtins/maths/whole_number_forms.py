"""Divisors and primes of whole numbers on the device."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import elements_at, fetch_terms, repeated, resident
from app.engine.capture.terms import Made, Term, constant_array, where
from app.engine.values import Array, Value

Args = tuple[Value, ...]
GOLDEN = (1 + math.sqrt(5)) / 2
BEYOND = 2.0**64
MOST_LISTED = 10_000_000
"""Up to this number primes are looked up in a list."""


def gcd(args: Args, nargout: int) -> Made:
    """``gcd(a, b)`` of resident arrays of one size, or of one and a number."""
    found = _operands(args) if nargout < 2 else None
    if found is None:
        return None
    x, y, kind = found
    divisor = _greatest_divisor(x, y)
    return None if divisor is None else divisor.cast(kind)


def lcm(args: Args, nargout: int) -> Made:
    """``lcm(a, b)`` of the same."""
    found = _operands(args) if nargout < 2 else None
    if found is None:
        return None
    x, y, kind = found
    divisor = _greatest_divisor(x, y)
    if divisor is None:
        return None
    work = kind if kind.is_float else DType.F64
    return ((x / divisor.max(1.0)).cast(work) * y.cast(work)).cast(kind)


def _operands(args: Args) -> tuple[Term, Term, DType] | None:
    """Their magnitudes as doubles, and the class of the answer."""
    found = resident(*args) if len(args) == 2 else None
    if found is None or any(t.dtype.is_integer and t.dtype.size == 8 for t in found):
        return None
    if len({t.shape for t in found if t.size > 1}) > 1:
        return None
    a, b = (t.dtype for t in found)
    kind = a if a.is_integer or b is DType.BOOL else b
    x, y = (abs(t.cast(DType.F64)) for t in found)
    return x, y, DType.F64 if kind is DType.BOOL else kind


def _greatest_divisor(x: Term, y: Term) -> Term | None:
    """Euclid's algorithm for as many steps as the numbers may take, which is looked at."""
    most = _largest(x.min(y), (_is_whole(x) & _is_whole(y)).all())
    if most is None or most >= BEYOND:
        return None
    steps = math.ceil(math.log(most + 1, GOLDEN)) + 2

    def step(a: Term, b: Term) -> tuple[Term, Term]:
        ends = b.eq(0.0)
        return where(ends, a, b), where(ends, 0.0, a.rem(b))

    zeros = constant_array(0.0, max(x, y, key=lambda t: t.size).shape)
    return repeated(steps, (x + zeros, y + zeros), step)[0]


def _is_whole(x: Term) -> Term:
    return x.floor().eq(x) & (x < math.inf)


def _largest(x: Term, fits: Term) -> float | None:
    """The largest number, fetched; None unless all fit."""
    [found] = fetch_terms(
        where(fits, x.amax(), math.nan), cause="needs-host-value: are these whole numbers?"
    )
    most = float(found.item())
    return None if math.isnan(most) else most


def isprime(listed: Callable[[int], Array]) -> Callable[[Args, int], Made]:
    """The form of ``isprime`` for numbers that are not too large, looked up among those `listed`,
    which gives the primes up to a number."""

    def form(args: Args, nargout: int) -> Made:
        found = resident(args[0]) if len(args) == 1 and nargout < 2 else None
        if found is None or (found[0].dtype.is_integer and found[0].dtype.size == 8):
            return None
        x = found[0].cast(DType.F64)
        most = _largest(x, (_is_whole(x) & (x >= 0.0)).all())
        if most is None or most > MOST_LISTED:
            return None
        table = np.zeros((int(most) + 1, 1), bool)
        table[listed(int(most))] = True
        return elements_at(Term(Session.runtime.leaf(table)), x)

    return form
