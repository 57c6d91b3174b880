"""What a program holds on the device: nothing from before, and the same buffers in every run."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from app import settings
from app.accel.backends.base import ProviderStatistics
from app.engine.session.session import Session
from app.source import SourceText

DATA = """
X = single(reshape(mod((1:64000)' * 0.618, 1), 8000, 8));
y = single(mod((1:8000)' * 0.414, 1) > 0.5);
"""
PROGRAMS = {
    "for": "w = zeros(8, 1, 'single');\nfor k = 1:30\np = 1 ./ (1 + exp(-(X * w)));\n"
    "w = w - 0.001 * (X' * (p - y));\nend\nr = sum(w);",
    "while": "z = X(:, 1); step = inf;\nwhile step > 1e-5\nc = (z .^ 3 - y - 1) ./ (3 * z .^ 2 + 1);\n"
    "z = z - c; step = max(abs(c));\nend\nr = sum(z);",
    "break": "z = X;\nfor k = 1:40\nz = 0.5 * (z + X ./ (z + 1));\nif max(z(:)) < 0.5, break, end\n"
    "end\nr = sum(z(:));",
    "no loop": "m = mean(X); Z = (X - m) ./ sqrt(var(X) + 1); q = sort(Z);\n"
    "r = sum(q(4000, :)) + mean(exp(Z(:)));",
    "nested": "C = X(1:16, :);\nfor k = 1:4\nD = sum(X.^2, 2) + sum(C.^2, 2)' - 2 * X * C';\n"
    "[~, at] = min(D, [], 2);\nfor j = 1:8\nC(:, j) = accumarray(at, X(:, j), [16 1]) / 500;\nend\n"
    "end\nr = sum(C(:));",
}


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Python looks for no cycles: they would hold device memory until it does."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("spelling", ["script", "function"])
@pytest.mark.usefixtures("uncollected")
def test_a_program_that_runs_again_has_the_buffers_it_had(name: str, spelling: str) -> None:
    chosen = settings.load({"FUSELAB_DEVICE": "gpu", "FUSELAB_CAPTURE_THRESHOLD": "64"})
    text = PROGRAMS[name]
    if spelling == "function":
        text = f"r = work(X, y);\nfunction r = work(X, y)\n{text}\nend"
    session = Session(chosen, lambda _: None)
    held: list[ProviderStatistics] = []
    for k in range(9):
        session.run_source(SourceText("main.m", text if k else DATA))
        assert session.last_status == "ok", session.last_report["error"]
        if k:
            assert session.value_of("r") is not None
            session.evaluate("s = double(gather(r));")
        runtime = session.interpreter.runtime
        runtime.synchronize()
        if runtime.executor.device is not None:
            runtime.executor.storage.bury()
            held.append(runtime.executor.device.statistics())
    session.close()
    assert len(held) >= 8
    last = held[-1]
    for earlier in held[-3:-1]:
        assert earlier.live_bytes == last.live_bytes, "what one run leaves, the next one frees"
        assert earlier.allocations == last.allocations, "no run needs new buffers"
        assert earlier.extra["bind_groups"] == last.extra["bind_groups"]
