"""Small graphs for the accelerator's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.backends.null import NullProvider
from app.accel.runtime.runtime import AccelOptions, Runtime


@pytest.fixture
def host() -> Iterator[Runtime]:
    """A runtime without a device, every stage verified."""
    runtime = Runtime(AccelOptions(verify=True))
    yield runtime
    runtime.close()


@pytest.fixture
def null() -> NullProvider:
    """A device that only counts."""
    return NullProvider()


@pytest.fixture
def counting(null: NullProvider) -> Iterator[Runtime]:
    """A runtime that sends everything to the counting device."""
    runtime = Runtime(AccelOptions(device="gpu", verify=True), null)
    yield runtime
    runtime.close()
