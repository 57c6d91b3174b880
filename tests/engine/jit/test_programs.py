"""Random loop programs run in the interpreter and in machine code with the same outcome.

``python -m tests.engine.jit.sweep`` runs 5,000 of them, some in Octave, too.
"""

from __future__ import annotations

import pytest

from tests.campaigns import long_form
from tests.engine.jit.comparing import compare
from tests.engine.jit.programs import Writer

COUNT = 60


@pytest.mark.parametrize("first", long_form(range(0, COUNT, 6), 3))
def test_random_programs_agree(first: int) -> None:
    for seed in range(first, first + 6):
        compare(Writer(seed).program(), passes=seed % 3)
