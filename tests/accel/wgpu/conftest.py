"""A device of its own for every test that breaks things."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.backends.wgpu import WgpuProvider, open_provider
from app.errors import Unsupported


@pytest.fixture
def own() -> Iterator[WgpuProvider]:
    try:
        opened = open_provider()
    except Unsupported as problem:
        pytest.skip(str(problem))
    yield opened
    opened.close()
