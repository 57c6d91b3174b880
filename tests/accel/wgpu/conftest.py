"""A device of its own for every test that breaks things."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.backends.wgpu import WgpuProvider, open_provider


@pytest.fixture
def own() -> Iterator[WgpuProvider]:
    opened = open_provider()
    yield opened
    opened.close()
