"""Distinct values and members of many numbers: found by a table or by sorting, the same."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.numerics.host_sort import TABLED, dense_range
from app.engine.builtins.arrays.sets import ismember
from app.engine.builtins.arrays.sorting import group_codes

_DRAWN = np.random.default_rng(3)
NUMBERS = {
    "whole": np.floor(_DRAWN.random(3 * TABLED) * 40) - 7,
    "a fraction": np.append(np.floor(_DRAWN.random(3 * TABLED) * 40), 2.5),
    "NaN": np.append(np.floor(_DRAWN.random(3 * TABLED) * 40), [np.nan, np.nan]),
    "zeros of both signs": np.append(np.zeros(2 * TABLED), -0.0),
    "int8": _DRAWN.integers(-128, 128, 3 * TABLED).astype(np.int8),
    "uint64": _DRAWN.integers(2**63, 2**63 + 9, 3 * TABLED, dtype=np.uint64),
    "logical": _DRAWN.random(3 * TABLED) > 0.5,
}


@pytest.mark.parametrize("x", NUMBERS.values(), ids=NUMBERS.keys())
def test_groups_are_those_of_a_sort(x: np.ndarray) -> None:
    values, first, codes = np.unique(x, return_index=True, return_inverse=True, equal_nan=False)
    found, groups = group_codes(x)
    assert np.array_equal(x[found], values, equal_nan=x.dtype.kind == "f")
    assert np.array_equal(found, first)
    assert np.array_equal(groups, codes)


@pytest.mark.parametrize("x", NUMBERS.values(), ids=NUMBERS.keys())
def test_members_are_those_of_a_comparison(x: np.ndarray) -> None:
    chosen = np.array([[5.0, 1.0, 5.0, -3.0, 7.0]])
    inside, index = ismember(x.reshape(1, -1), chosen, nargout=2)
    equal = x.reshape(-1, 1) == chosen
    assert np.array_equal(inside[0], equal.any(axis=1))
    assert np.array_equal(index[0], np.where(equal.any(axis=1), equal.argmax(axis=1) + 1, 0))


def test_tables_are_no_larger_than_worth_it() -> None:
    assert dense_range(np.array([0.0, 9.0]), TABLED) == (0.0, 10)
    assert dense_range(np.array([0.0, float(TABLED)]), TABLED) is None
    assert dense_range(np.array([0.0, np.nan]), TABLED) is None
    assert dense_range(np.array([0.0, 1.0]), TABLED - 1) is None
