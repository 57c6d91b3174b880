"""Short parts of what is not computed yet stay lazy where the device has what it is made of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.runtime.runtime import Runtime
from app.engine.capture import capture_session
from app.engine.interpreter.indexing import parts
from app.engine.values import DeviceArray


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
