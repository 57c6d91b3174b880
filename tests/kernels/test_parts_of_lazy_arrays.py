"""Short parts of what is not computed yet stay lazy where the device has what it is made of."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from app.accel.runtime.runtime import Runtime
from app.engine.capture import capture_session
from app.engine.interpreter.indexing import block_parts, index_read, parts
from app.engine.interpreter.indexing.subscripts import COLON
from app.engine.operators.operators import colon
from app.engine.values import DeviceArray, Value, as_array
from app.errors import MatlabError


@pytest.fixture
def captured(runtime: Runtime) -> Iterator[Runtime]:
    capture_session.activate(runtime, 1000)
    yield runtime
    capture_session.deactivate()


def test_parts_stay_where_the_data_are(captured: Runtime) -> None:
    leaf = captured.leaf(np.asfortranarray(np.random.default_rng(1).random((100, 40))))
    pending = DeviceArray(captured.apply("sort", (leaf,), (0, False)), captured)
    assert not parts.is_away(pending), "the host has the data"
    captured.gather(captured.apply("exp", (leaf,)))
    assert captured.state(leaf) == "both"
    assert parts.is_away(pending)
    assert not parts.is_away(DeviceArray(leaf, captured))


ENDS = (0.0, 1.0, 2.0, 3.5, 57.0, 60.0, 61.0, float("nan"), -1.0)
SUBSCRIPTS: list[Value] = [
    *itertools.product((0.0, 1.0, 2.0, 2.5, 59.0), ENDS),
    *(1.0, 60.0, COLON, np.array([[2.0, 1.0, 5.0]])),
]


def _outcome(value: Callable[[], Value]) -> object:
    """What is read, or the error."""
    try:
        found = as_array(value())
    except MatlabError as problem:
        return problem.identifier, problem.message
    return found.shape, found.dtype, found.tobytes()


@pytest.mark.parametrize("seed", range(8))
def test_blocks_by_their_ends_are_those_of_arrays_of_places(captured: Runtime, seed: int) -> None:
    leaf = captured.leaf(np.asfortranarray(np.random.default_rng(2).random((60, 60))))
    choose = random.Random(seed)
    for _ in range(40):
        node = captured.apply("exp", (captured.apply("uminus", (leaf,)),)) if seed % 2 else leaf
        subs = choose.choices(SUBSCRIPTS, k=2)
        places = [colon(*sub) if type(sub) is tuple else sub for sub in subs]
        there = _outcome(lambda: index_read.paren(DeviceArray(node, captured), *places))  # noqa: B023
        here = _outcome(lambda: block_parts.paren_block(DeviceArray(node, captured), *subs))  # noqa: B023
        assert here == there, subs
