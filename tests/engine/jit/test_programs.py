"""Random loop programs run in the interpreter and in machine code with the same outcome."""

from __future__ import annotations

import pytest

from tests.engine.jit.comparing import compare
from tests.engine.jit.programs import Writer

FAST, ALL = 60, 5000


@pytest.mark.parametrize("seed", range(0, FAST, 6))
def test_random_programs_agree(seed: int) -> None:
    for k in range(seed, seed + 6):
        compare(Writer(k).program(), passes=k % 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FAST, ALL, 95))
def test_many_random_programs_agree(seed: int) -> None:
    for k in range(seed, min(seed + 95, ALL)):
        compare(Writer(k).program(), passes=k % 3)
