"""Random programs: fused execution against one array per operation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.accel.backends import reference
from app.accel.backends.null import NullProvider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.errors import MatlabError
from tests.accel.richer_programs import RicherProgram
from tests.support.random_graphs import agree, wanted_of


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), steps=st.integers(2, 14), together=st.booleans())
def test_host_agrees_with_the_oracle(seed: int, steps: int, together: bool) -> None:
    runtime = Runtime(AccelOptions(device="cpu", verify=True, host_threads=2))
    program = RicherProgram(runtime, seed)
    program.grow(steps)
    wanted = wanted_of(program)
    try:
        expected = reference.evaluate(wanted, runtime.evaluation.leaf_value)
    except MatlabError:  # a complex value met a function of reals
        runtime.close()
        return
    if together:
        runtime.evaluate(wanted)
    for node in wanted:
        assert agree(runtime.gather(node), expected[node]), node
    runtime.close()


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), steps=st.integers(2, 25))
def test_every_dispatch_fits_its_buffers(seed: int, steps: int) -> None:
    """The counting device checks operand counts, types and the reach of every load."""
    runtime = Runtime(AccelOptions(device="gpu", verify=True), NullProvider())
    program = RicherProgram(runtime, seed)
    program.grow(steps)
    runtime.evaluate(wanted_of(program))
    assert runtime.recorder.counters.fallbacks == 0
    runtime.close()


@pytest.mark.parametrize("seed", range(10))
def test_results_do_not_depend_on_what_is_asked_together(seed: int) -> None:
    values = []
    for together in (True, False):
        runtime = Runtime(AccelOptions(device="cpu", verify=True))
        program = RicherProgram(runtime, seed)
        program.grow(12)
        wanted = wanted_of(program)
        if together:
            runtime.evaluate(wanted)
        values.append([runtime.gather(node) for node in wanted])
        runtime.close()
    for a, b in zip(*values, strict=True):
        assert agree(a, b)
