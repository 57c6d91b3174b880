"""Which spellings of a computation are always tried, and which in campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from _pytest.mark.structures import ParameterSet

from tests.spellings.programs import Computation

PARTS = 5
"""Of the spellings of a computation one part is always tried, each part with some computation."""


def parts(computations: Sequence[Computation]) -> list[ParameterSet]:
    """Computations with parts of the spellings, all but one part of each for campaigns."""
    pairs = product(enumerate(computations), range(PARTS))
    return [
        pytest.param(
            computation,
            part,
            id=f"{computation}-{part}",
            marks=() if number % PARTS == part else pytest.mark.campaign,
        )
        for (number, computation), part in pairs
    ]
