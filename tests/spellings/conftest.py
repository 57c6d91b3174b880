"""What several tests of spellings begin with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.runtime.runtime import Runtime
from tests.spellings.measuring import device_options


@pytest.fixture
def device() -> Iterator[Runtime]:
    """A runtime that computes on the device."""
    made = Runtime(device_options())
    made.open()
    yield made
    made.close()
