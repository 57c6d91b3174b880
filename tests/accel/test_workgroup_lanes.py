"""No shader asks for more invocations of a workgroup than the adapter has."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.accel.backends.null import NullProvider
from app.accel.codegen.generate import generate
from app.accel.codegen.wgsl.layout import Abilities
from app.accel.codegen.wgsl.program import Variant
from app.accel.codegen.wgsl.tuning import Tuning
from app.accel.runtime.runtime import AccelOptions, Runtime


@pytest.mark.parametrize("lanes", [256, 512, 1024])
def test_workgroups_fit_the_adapter(lanes: int) -> None:
    null = NullProvider()
    runtime = Runtime(AccelOptions(device="gpu"), null)
    sorts = [np.zeros((length, 80), np.float32, order="F") for length in (3000, 6000)]
    square = runtime.leaf(np.eye(900, dtype=np.float32))
    found = [
        *(runtime.apply("sort", (runtime.leaf(x),), (0, False)) for x in sorts),
        *(runtime.apply(name, (square,)) for name in ("lu", "lu_order")),
    ]
    runtime.evaluate(found)
    able = Abilities(True, True, workgroup_bytes=1 << 16, workgroup_lanes=lanes)
    sizes = {
        int(size)
        for kernel in null.kernels
        for program in generate(kernel, Variant(), able, Tuning())
        for size in re.findall(r"@workgroup_size\((\d+)", program.source)
    }
    runtime.close()
    assert sizes
    assert max(sizes) == lanes
