"""Random programs on the device: fused kernels against one array per operation on the host.

``RANDOM_PROGRAMS=10000`` runs so many; ``RANDOM_PROGRAMS=4000:6000`` a part of them.
"""

from __future__ import annotations

import os

import pytest

from app.accel.backends import reference
from app.accel.backends.wgpu import WgpuProvider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.errors import MatlabError
from tests.accel.richer_programs import RicherProgram
from tests.support.random_graphs import agree, wanted_of

SEEDS = range(*map(int, os.environ.get("RANDOM_PROGRAMS", "40").split(":")))


@pytest.mark.parametrize("seed", SEEDS)
def test_device_agrees_with_the_oracle(provider: WgpuProvider, seed: int) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True, calibration=False), provider)
    program = RicherProgram(runtime, seed)
    program.grow(12)
    wanted = wanted_of(program)
    try:
        expected = reference.evaluate(wanted, runtime.evaluation.leaf_value)
    except MatlabError:  # a complex value met a function of reals
        return
    runtime.evaluate(wanted)
    for node in wanted:
        assert agree(runtime.gather(node), expected[node]), node
