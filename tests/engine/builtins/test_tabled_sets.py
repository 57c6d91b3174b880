"""Distinct values and members of many numbers: found by a table or by sorting, the same."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from app.accel.numerics.host_sort import TABLED, dense_range
from app.engine.builtins.arrays import sets
from app.engine.builtins.arrays.sets import intersect, ismember, setdiff, setxor, union
from app.engine.builtins.arrays.sorting import group_codes, row_codes
from app.engine.values import Value, as_array, canonical, class_of
from app.errors import MatlabError

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


def _set_of(kind: str, count: int, *, row: bool) -> Value:
    """Numbers of a class, some of them more than once."""
    if kind == "double":
        data = _DRAWN.integers(-5, count // 3 + 2, count).astype(float)
        data[_DRAWN.random(count) < 0.05] = np.nan
        data[_DRAWN.random(count) < 0.05] = -0.0
    else:
        data = _DRAWN.integers(0, 2 if kind == "bool" else 100, count).astype(kind)
    return canonical(np.asfortranarray(data.reshape((1, -1) if row else (-1, 1))))


@pytest.mark.parametrize("words", [(), ("stable",)], ids=["sorted", "stable"])
@pytest.mark.parametrize("combine", [union, intersect, setdiff, setxor])
def test_combinations_of_many_numbers_are_those_of_few(
    combine: Callable[..., Value], words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = ("double", "single", "bool", "int32", "uint8")
    sizes = (0, 1, 7, 50)
    for one, other, m, n in product(kinds, kinds, sizes, sizes):
        a, b = _set_of(one, m, row=m == 7), _set_of(other, n, row=n != 50)
        found = []
        for least in (0, 1 << 40):
            monkeypatch.setattr(sets, "TABLED", least)
            try:
                found.append(
                    [
                        (class_of(v), as_array(v).shape, as_array(v).tobytes())
                        for v in combine(a, b, *words)
                    ]
                )
            except MatlabError as error:
                found.append(str(error))
        if combine is setdiff and isinstance(found[0], list):  # it has two results
            found = [made[:2] for made in found]
        assert found[0] == found[1], (a, b)


@pytest.mark.parametrize("last", [False, True])
def test_groups_of_rows_are_those_of_a_comparison(last: bool) -> None:
    rows = np.floor(_DRAWN.random((200, 3)) * 3)
    rows[::17, 1] = np.nan
    found, codes = row_codes(rows, last=last)
    same = (rows[:, None, :] == rows[None]).all(axis=2) | np.eye(len(rows), dtype=bool)
    places = [np.flatnonzero(line)[-1 if last else 0] for line in same]
    assert np.array_equal(found[codes], places)
    kept = rows[found]
    assert np.array_equal(kept, kept[np.lexsort(kept.T[::-1])], equal_nan=True)


@pytest.mark.parametrize("other", [65535.5, 1.0, np.array([[7]], np.uint64)])
def test_small_integers_beside_large_ones_keep_digits(other: Value) -> None:
    """NumPy makes doubles of a list with numbers on both sides of 2^63."""
    numbers = np.array([[2**53 - 1, 2**63 + 1]], np.uint64)
    assert as_array(setdiff(numbers, other)[0]).tolist() == numbers.tolist()
    assert as_array(intersect(numbers, numbers)[0]).tolist() == numbers.tolist()
    assert as_array(union(numbers, numbers, "rows")[0]).tolist() == numbers.tolist()
    assert numbers.tolist()[0] == as_array(union(other, numbers)[0]).ravel().tolist()[-2:]
