"""Sixty seconds of a random user; ``python -m tests.desk.monkey`` goes on for ten minutes."""

from __future__ import annotations

from tests.desk.conftest import Start
from tests.desk.monkey import Monkey

SECONDS = 60.0


def test_a_random_user_breaks_nothing(start: Start) -> None:
    assert Monkey(start(), 20_261_123).go(SECONDS) > 20
