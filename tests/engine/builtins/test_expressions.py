"""Patterns of regular expressions: which are matched without watching the clock."""

from __future__ import annotations

from math import inf

import pytest

from app.engine.builtins.text.stoppable_matching import retries


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        (r"\d+", (1, 1)),
        (r"(\d+)-", (1, 2)),
        (r"(?P<k>\w)=(?P<v>\w)", (1, 1)),
        (r"[)*]+x", (1, 2)),
        (r"a\*|b?", (4, 1)),
        (r"(.*)(.*)(.*)x", (1, 4)),
        (r"(a+)+", (inf, inf)),
        (r"(a|a)*b", (inf, inf)),
        (r"((a?){9}){9}", (inf, inf)),
        (r"(\w)\1", (inf, inf)),
        (r"(?<=a+)b", (inf, inf)),
    ],
)
def test_steps_of_a_search_are_bounded(pattern: str, most: tuple[float, float]) -> None:
    assert retries(pattern) == most
