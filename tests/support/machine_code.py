"""Runtimes whose host kernels are machine code."""

from __future__ import annotations

from app.accel.runtime.runtime import AccelOptions, Runtime


def compiling_runtime(threads: int = 2) -> Runtime:
    """A runtime whose host compiles at once and waits for it."""
    made = Runtime(AccelOptions(device="cpu", verify=True, host_threads=threads))
    compiler = made.executor.host.compiler
    compiler.hot_ms = compiler.wait_ms = -1.0
    return made
