"""One computation in many spellings takes one set of kernels, and gives the same bits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import Runtime
from tests.spellings.measuring import device_options, measure, same_bits
from tests.spellings.parts import PARTS, parts
from tests.spellings.programs import COMPUTATIONS, Computation
from tests.spellings.rewriting import SPELLINGS, loop_of, plain

PENDING: dict[str, frozenset[str]] = {}
"""Spellings by computation that do not yet take what the plain one takes."""


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    provider = open_provider()
    made = Runtime(device_options(), provider)
    yield made
    made.close()


@pytest.mark.parametrize(("computation", "part"), parts(COMPUTATIONS))
def test_every_spelling_takes_what_the_plain_one_takes(
    computation: Computation, part: int, runtime: Runtime, tmp_path: Path
) -> None:
    loop = loop_of(computation)
    base = measure(loop, plain(loop), tmp_path, runtime)
    different = set()
    for name, spell in islice(SPELLINGS.items(), part, None, PARTS):
        folder = tmp_path / name
        folder.mkdir()
        found = measure(loop, spell(loop), folder, runtime)
        wrong = same_bits(base.answers, found.answers)
        if name not in PENDING.get(computation.name, ()):
            assert not wrong, f"{name} gives other values of {wrong}"
        if wrong or found.plan != base.plan:
            different.add(name)
    assert different <= PENDING.get(computation.name, frozenset())
