"""One software adapter for all kernel tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.accel.backends.wgpu import WgpuProvider, open_provider
from app.accel.backends.wgpu.device import subgroup_lanes
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.support.machine_code import interpreted_loops


@pytest.fixture(scope="session")
def provider() -> Iterator[WgpuProvider]:
    opened = open_provider()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def graphics(provider: WgpuProvider) -> Iterator[WgpuProvider]:
    """The adapter taken for a graphics card: what such adapters do is used."""
    opened = open_provider()
    compiler = opened._compiler
    compiler.abilities = replace(
        compiler.abilities,
        workgroup_bytes=min(opened.info.workgroup_bytes, 1 << 15),
        subgroup_lanes=subgroup_lanes(opened.info),
    )
    compiler.tuning = replace(compiler.tuning, cpu=False)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def no_machine_code() -> Iterator[None]:
    """What is counted here does not depend on the clock."""
    with interpreted_loops():
        yield


@pytest.fixture
def runtime(provider: WgpuProvider) -> Runtime:
    return Runtime(AccelOptions(device="gpu", verify=True), provider)
