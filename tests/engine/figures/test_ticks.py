from __future__ import annotations

import pytest

from app.engine.figures import ticks

LIMITS = [
    ((1, 10), (1, 10)),
    ((0, 6.28), (0, 7)),
    ((-1, 1), (-1, 1)),
    ((1, 1024), (0, 1200)),
    ((1, 100), (0, 100)),
    ((1, 12), (0, 12)),
    ((1, 20), (0, 20)),
    ((0.001, 0.0023), (0.001, 0.0024)),
    ((-3, 250), (-50, 250)),
    ((5, 5), (4, 6)),
    ((0, 1e9), (0, 1e9)),
]


@pytest.mark.parametrize(("data", "expected"), LIMITS)
def test_limits_are_aligned_with_ticks(
    data: tuple[float, float], expected: tuple[float, float]
) -> None:
    assert ticks.linear_limits(*data) == expected


@pytest.mark.parametrize("data", [data for data, _limits in LIMITS])
def test_never_more_than_eleven_ticks(data: tuple[float, float]) -> None:
    limits = ticks.linear_limits(*data)
    found = ticks.linear_ticks(limits)
    assert 2 <= len(found) <= 11
    assert found[0] == pytest.approx(limits[0])
    assert found[-1] == pytest.approx(limits[1])


def test_log_limits_are_decades() -> None:
    assert ticks.log_limits(2, 900) == (1, 1000)
    assert ticks.log_limits(1, 1000) == (1, 1000)
    assert ticks.log_limits(5, 5) == (1, 10)
    assert ticks.log_ticks((1, 1000)) == [1, 10, 100, 1000]


def test_many_decades_are_thinned() -> None:
    assert ticks.log_ticks((1e-12, 1e12), 6) == [1e-12, 1e-8, 1e-4, 1, 1e4, 1e8, 1e12]


def test_nothing_gives_the_unit_interval() -> None:
    assert ticks.auto_limits([]) == (0, 1)
    assert ticks.auto_limits([None, (2.0, 3.0)]) == (2, 3)


def test_labels_are_short() -> None:
    assert [ticks.tick_label(x) for x in (0.1 + 0.2, 1e10, 5.0)] == ["0.3", "1e10", "5"]
