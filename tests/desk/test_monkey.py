"""Half a minute of a random user; ``python -m tests.desk.monkey`` goes on for ten minutes."""

from __future__ import annotations

from tests.desk.conftest import Start
from tests.desk.monkey import Monkey

SECONDS = 30.0
FREEZE_S = 5.0
"""A machine that tests are run on may be busy; the long form holds to half a second."""


def test_a_random_user_breaks_nothing(start: Start) -> None:
    assert Monkey(start(), 20_261_123, FREEZE_S).go(SECONDS) > 10
