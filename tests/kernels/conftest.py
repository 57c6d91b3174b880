"""One software adapter for all kernel tests; they are skipped where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.providers.wgpu import WgpuProvider, open_provider
from app.accel.runtime import AccelOptions, Runtime
from app.errors import Unsupported


@pytest.fixture(scope="session")
def provider() -> Iterator[WgpuProvider]:
    try:
        opened = open_provider()
    except Unsupported as problem:
        pytest.skip(str(problem))
    yield opened
    opened.close()


@pytest.fixture
def runtime(provider: WgpuProvider) -> Runtime:
    return Runtime(AccelOptions(device="gpu", verify=True), provider)
