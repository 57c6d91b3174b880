"""Runtimes whose host kernels are machine code, and loops that never become it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.jit.policy import Policy
from app.engine.jit.site import Site


def compiling_runtime(threads: int = 2) -> Runtime:
    """A runtime whose host compiles at once and waits for it."""
    made = Runtime(AccelOptions(device="cpu", verify=True, host_threads=threads))
    compiler = made.executor.host.compiler
    compiler.hot_ms = compiler.wait_ms = -1.0
    return made


@contextmanager
def interpreted_loops() -> Iterator[None]:
    """No loop becomes machine code because it has taken long.

    The clock decides that, so that a busy machine would count other kernels, dispatches and bytes.
    """
    with (
        patch.object(Site, "hinted", lambda _: False),
        patch.multiple(Policy, spent_s=1e9, left_s=1e9),
    ):
        yield
