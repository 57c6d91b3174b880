"""Kernel counts, results and verified plans of the written programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.null import NullProvider
from app.accel.ir.dtypes import DType
from app.accel.runtime.runtime import Runtime
from tests.accel.graphs import Graph
from tests.accel.written import WRITTEN


def nodes_of(program: Any, runtime: Runtime) -> list[Any]:
    found = program(Graph(runtime))
    return found if isinstance(found, list) else [found]


NAMED = [pytest.param(program, kinds, id=program.__name__) for program, kinds in WRITTEN.items()]


@pytest.mark.parametrize(("program", "expected"), NAMED)
def test_kernels(counting: Runtime, null: NullProvider, program: Any, expected: list[str]) -> None:
    counting.evaluate(nodes_of(program, counting))
    assert [row.kind for row in counting.recorder.groups.values()] == expected
    assert counting.recorder.counters.submits <= 1
    assert counting.recorder.counters.downloads == 0


@pytest.mark.parametrize("program", WRITTEN, ids=lambda p: p.__name__)
def test_results(host: Runtime, program: Any) -> None:
    nodes = nodes_of(program, host)
    expected = reference.evaluate(nodes, host.evaluation.leaf_value)
    host.evaluate(nodes)
    for node in nodes:
        tolerance = 1e-5 if node.dtype is DType.F32 else 1e-12
        np.testing.assert_allclose(host.gather(node), expected[node], rtol=tolerance)
