"""Complex arrays on the device have the host's numbers, special values included."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.runtime.runtime import Runtime
from app.engine.capture import capture_session
from tests.engine.builtins.complex_programs import BOTH, ONLY_SMOOTH, SMOOTH, SPECIAL, check
from tests.engine.interpreter.running import Machine


@pytest.fixture
def active(runtime: Runtime) -> Iterator[Runtime]:
    capture_session.activate(runtime, 64)
    yield runtime
    capture_session.deactivate()
    Machine()  # the latest interpreter is kept, with all its values


@pytest.mark.parametrize("start", [SMOOTH, SPECIAL], ids=["smooth", "special"])
@pytest.mark.parametrize("program", BOTH)
def test_device_agrees_with_host(active: Runtime, program: str, start: str) -> None:
    check(f"{start} {program}")


@pytest.mark.parametrize("program", ONLY_SMOOTH)
def test_longer_programs(active: Runtime, program: str) -> None:
    check(f"{SMOOTH} {program}")
