"""A part of the campaign of mutated programs for every run of the tests."""

from __future__ import annotations

import random

from tests.fuzz import programs


def test_mutated_texts_are_parsed_and_linted() -> None:
    texts = programs.corpus()
    said = [programs.read(programs.mutation(texts, random.Random(seed))) for seed in range(50)]
    assert not [what for what in said if what.startswith("exception")]


def test_texts_of_more_blanks_than_memory_are_an_error_of_memory() -> None:
    runs = programs.Runs()
    assert runs("x = blanks(1e13);") == ""
    assert "MATLAB:array:SizeLimitExceeded" in [getattr(e, "identifier", "") for e in runs.events]
