"""What is known of a series' numbers before the window draws them."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.figures.figure_data import HostData
from app.engine.figures.series_data import uniform_data_of

GAP = np.r_[np.linspace(0, 1, 40_000), np.nan, 2]
BENT = np.r_[np.linspace(0, 1, 40_000), 5]


@pytest.mark.parametrize(
    ("values", "is_even"),
    [
        (np.arange(7), True),
        (np.linspace(-3, 5, 40_001), True),
        (np.linspace(0, 100, 40_001, dtype=np.float32), True),
        (np.linspace(1000, 1001, 40_001, dtype=np.float32), True),
        (BENT, False),
        (GAP, False),
        (np.array([3.0, 2.0, 1.0]), False),
        (np.array([0.0, np.inf]), False),
        (np.array([1.0]), False),
        (np.zeros(9), False),
        (np.arange(40_000).astype(np.int16) % 20_000, False),
    ],
)
def test_evenly_spaced_numbers_are_told(values: np.ndarray, is_even: bool) -> None:
    made = uniform_data_of(HostData(values))
    assert (made is not None) == is_even
    if made is not None:
        assert made.array is values


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_limits_leave_aside_what_is_no_number(kind: type) -> None:
    values = np.array([[np.nan, 3, -np.inf], [-2, np.inf, 0.5]], dtype=kind)
    assert HostData(values).limits() == (-2.0, 3.0)
    assert HostData(values).limits(positive=True) == (0.5, 3.0)
    assert HostData(values[:0]).limits() is None
    assert HostData(np.full(3, np.nan, dtype=kind)).limits() is None
    assert HostData(np.array([True, False])).limits() == (0.0, 1.0)
