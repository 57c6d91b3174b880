"""Lines that are thinned: singles give what doubles give, without a copy of all points."""

from __future__ import annotations

import numpy as np
import pytest

from app.ui.plots.decimate import CHUNK, Line, is_sorted
from app.ui.plots.series_arrays import Window, flat, flat_floats


@pytest.mark.parametrize("count", [0, 1, 7, 3_000, 300_001, 600_003])
@pytest.mark.parametrize("gaps", [False, True])
def test_singles_are_thinned_as_doubles_are(count: int, gaps: bool) -> None:
    across = np.sort(np.random.default_rng(1).random(count).astype(np.float32)) * 100
    up = np.sin(across * 3)
    if gaps:
        up[: count // 3] = np.nan
    for left, right in ((0.0, 100.0), (20.0, 30.0), (33.3, 33.4)):
        window = Window(left, right, -1, 1, 90, 300)
        x, y = Line(across, up).visible(window)
        as_x, as_y = Line(across.astype(float), up.astype(float)).visible(window)
        assert x.dtype == y.dtype == np.float64
        np.testing.assert_array_equal(x, as_x)
        np.testing.assert_array_equal(y, as_y)


@pytest.mark.parametrize("place", [1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 4])
@pytest.mark.parametrize("value", [-1.0, np.nan])
def test_a_fall_or_a_gap_is_seen_wherever_it_is(place: int, value: float) -> None:
    x = np.arange(2.0 * CHUNK + 5)
    assert is_sorted(x)
    x[place] = value
    assert not is_sorted(x)


def test_singles_are_not_copied() -> None:
    values = np.zeros((1, 9), dtype=np.float32)
    data = {"kind": "host", "array": values}
    assert np.shares_memory(flat_floats(data), values)
    assert flat(data).dtype == np.float64
    assert flat_floats({"kind": "host", "array": np.arange(3)}).dtype == np.float64
