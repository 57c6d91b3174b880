"""Some of the random loop programs of `campaign`; the command runs as many as wanted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.spellings.campaign import difference
from tests.spellings.random_programs import program

COUNT, PART = 120, 20


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu", kernel_cache=False))
    yield made
    made.close()


@pytest.mark.parametrize("first", range(0, COUNT, PART))
def test_a_loop_does_what_it_does_pass_by_pass(first: int, runtime: Runtime) -> None:
    for seed in range(first, first + PART):
        found = difference(seed, runtime)
        assert not found, f"{found}: {program(seed)}"


def test_memory_of_what_is_asked_for_later_is_not_taken_over(runtime: Runtime) -> None:
    # A value that one plan goes on with and does not store, and that a variable still holds.
    found = difference(5008885, runtime)
    assert not found
