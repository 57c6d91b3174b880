"""Every example that a builtin with a form for the device declares is true there, too.

All arrays are captured, those of one element included.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

import pytest

from app.accel.backends.wgpu import WgpuProvider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine import values
from app.engine.capture import capture_session
from app.engine.declarations import registry
from app.engine.declarations.device_support import HostOnly
from app.engine.interpreter.interpreter import Interpreter
from app.engine.jit.entry_points import NATIVE
from app.settings import Settings
from tests.engine.interpreter.running import Machine, Recorder
from tests.support.examples import parts

WITH_FORMS = [b for b in registry.load_all().values() if not isinstance(b.device, HostOnly)]


@pytest.fixture(scope="module")
def interpreter(
    provider: WgpuProvider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Interpreter]:
    """An interpreter that captures whatever it can, in a folder of its own."""
    runtime = Runtime(AccelOptions(device="gpu"), provider)
    capture_session.activate(runtime, 1)
    try:
        with contextlib.chdir(tmp_path_factory.mktemp("cases")):
            yield Interpreter(Settings(), runtime, Recorder(), NATIVE)
    finally:
        capture_session.deactivate()
        Machine()  # the latest interpreter is kept, with all its values
        gc.collect()


@pytest.mark.parametrize("name", [b.name for b in WITH_FORMS])
def test_examples_are_true_of_captured_arrays(interpreter: Interpreter, name: str) -> None:
    evaluate = interpreter.context.evaluate
    for case in registry.load_all()[name].cases:
        first, last = parts(case)
        if first:
            interpreter.guarded(lambda first=first: evaluate(f"clear; {first}", 0, "base"))
        (value,) = interpreter.guarded(lambda last=last: evaluate(last, 1, "base"))
        assert values.true_value(value), case
