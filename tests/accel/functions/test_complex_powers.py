"""Powers of real numbers among complex ones, beside ``tests/oracle`` and the special values."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.numerics.complex_powers import complex_power
from tests.fuzz.ieee import Side
from tests.fuzz.numbers import outcome


def test_numbers_that_are_not_negative_have_real_powers() -> None:
    a = np.array([4, np.inf, 2.0**-1022, 1e300, 0, 0, -0.0])
    b = np.array([0.5, 0.5, 0.5, 0.7, 0, 0.5, 3])
    with np.errstate(all="ignore"):
        made = complex_power(a.astype(complex), b)
    assert (made.real == np.power(a, b)).all()
    assert (made.imag == 0).all()


def test_negative_numbers_are_turned_by_their_exponent() -> None:
    size = np.array([1e300, 8, 2.0**-1022])
    made = complex_power(-size.astype(complex), np.array(1 / 3))
    assert (abs(made.real / np.power(size, 1 / 3) - 0.5) < 1e-15).all()
    with np.errstate(all="ignore"):
        for given in (complex(-np.inf, 0), complex(0, np.inf), complex(3, np.inf)):
            found = complex_power(np.array(given), np.array(0.5))
            assert found == complex(np.inf, np.inf), given
    assert complex_power(np.array([complex(-4, -0.0)]), np.array([0.5]))[0].imag == -2
    assert complex_power(np.array([-2 + 0j]), np.array([3]))[0] == -8


@pytest.mark.parametrize(("device", "capture"), [("cpu", 10**9), ("cpu", 1), ("gpu", 1)])
@pytest.mark.parametrize("kind", ["double", "single"])
def test_a_negative_number_beside_it_changes_no_power(device: str, capture: int, kind: str) -> None:
    side = Side(device, capture)
    data = f"x = {kind}([-1 Inf 4 realmin('{kind}') 0 -Inf NaN]); z = complex(x, 0);"
    for spelling in ("r = x .^ 0.5;", "r = z .^ 0.5;", "s.a = x; r = power(s.a, 0.5);"):
        made = outcome(side, f"{data} {spelling}")[1].ravel()
        root = np.sqrt(np.finfo(kind).tiny)
        assert (made[1:5] == [np.inf, 2, root, 0]).all(), made
        assert made[5].imag == np.inf
        assert np.isnan(made[6].real)
        assert made[6].imag == 0
    side.close()


def test_what_is_infinite_or_none_has_powers_of_a_definition() -> None:
    infinite = complex(0, np.inf)
    with np.errstate(all="ignore"):
        assert complex_power(np.array([infinite]), np.array([1.0 + 0j])) == infinite
        assert np.isneginf(complex_power(np.array([infinite]), np.array([2.0])).real).all()
        assert (complex_power(np.zeros(1), np.array([complex(1, np.inf)])) == 0).all()
        assert np.isnan(complex_power(np.zeros(1), np.array([1j]))).all()
        assert (complex_power(np.array([0.5j, 2.0 + 0j]), np.array([np.inf, -np.inf])) == 0).all()
        largest = np.finfo(float).max
        assert np.isfinite(complex_power(np.array([complex(largest, largest)]), np.array([0.5])))


@pytest.mark.parametrize(("device", "capture"), [("cpu", 10**9), ("cpu", 1), ("gpu", 1)])
@pytest.mark.parametrize(("kind", "away"), [("single", "2^-20"), ("double", "2^-40")])
def test_a_base_whose_length_is_rounded_to_1_has_powers_of_its_own(
    device: str, capture: int, kind: str, away: str
) -> None:
    side = Side(device, capture)
    data = f"z = repmat(complex({kind}([1 1 1]), {kind}({away})), 1, 500); b = {kind}(0.5) / {kind}({away})^2;"
    exponents = f"p = repmat({kind}([-Inf 1 1]), 1, 500); p(2:3:end) = b; p(3:3:end) = -4 * b;"
    made = abs(outcome(side, f"{data} {exponents} r = z .^ p;")[1].ravel()[:3])
    side.close()
    assert np.allclose(made, np.exp([-np.inf, 0.25, -1]), rtol=1e-3 if kind == "single" else 1e-9)
