"""Complex numbers over denormal ones: one over these overflows, the quotient need not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from app.accel.ir.host_functions import rdivide
from app.accel.numerics.complex_quotients import complex_quotient


@pytest.mark.parametrize("kind", [np.complex128, np.complex64])
def test_quotients_by_denormal_numbers_are_finite_where_they_should_be(kind: type) -> None:
    least = np.finfo(kind).smallest_subnormal
    parts = np.array([0, 1, -3, 1000]) * least
    b = np.array([complex(p, q) for p in parts for q in parts if p or q], dtype=kind)
    for a in (b[:1], b, b[::-1]):
        made = rdivide(a, b)
        for x, y, z in zip(np.broadcast_to(a, b.shape), b, made, strict=True):
            p, q, r, s = (Fraction(float(v)) for v in (x.real, x.imag, y.real, y.imag))
            size = r * r + s * s
            wanted = complex(float((p * r + q * s) / size), float((q * r - p * s) / size))
            assert abs(complex(z) - wanted) <= 8 * np.finfo(kind).eps * abs(wanted)


def test_other_quotients_are_those_of_numpy() -> None:
    parts = [0.0, -0.0, 1.0, 1e308, 1e-308, np.inf, np.nan]
    z = np.array([complex(p, q) for p in parts for q in parts])
    a, b = z[:, None], z[None, :]
    with np.errstate(all="ignore"):
        wanted, made = np.divide(a, b), complex_quotient(a, b)
    normal = np.maximum(abs(b.real), abs(b.imag)) > 1e-307
    same = (made == wanted) | (np.isnan(made) & np.isnan(wanted))
    assert same[np.broadcast_to(normal | (b == 0), same.shape)].all()


def test_quotients_of_real_numbers_stay_real() -> None:
    made = complex_quotient(np.array([1.0, 0.0]), np.array([5e-324, 0.0]))
    assert made.dtype == float
    assert made[0] == np.inf
    assert np.isnan(made[1])
