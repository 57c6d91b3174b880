"""What every benchmark takes on the software adapter: kernels, dispatches and bytes, exactly.

A number that rises is a regression that no clock need show; one that falls is written down here.
"""

from __future__ import annotations

from typing import Any

import pytest

from app import settings
from app.accel.backends.wgpu import adapters
from app.engine.operators import factorisation_forms
from app.engine.session.session import Session
from app.engine.values import DeviceArray
from app.source import SourceText
from tests.benchmarks.workloads import WORKLOADS
from tests.support.adapters import require_adapter

SIZES = {
    "image": 1,
    "ema": 4096,
    "monte_carlo": 4096,
    "small_groups": 20,
    "pages": 10,
    "covariance": 300,
    "power_iteration": 300,
    "least_squares": 512,
    "fft2": 64,
}
MATRICES = frozenset(
    (
        "matmul",
        "matmul_double",
        "columns",
        "moves",
        "solve",
        "cholesky",
        "qr",
        "convolution",
        "picked",
    )
)
COUNTS: dict[str, tuple[int, int, int, int]] = {
    "elementwise": (1, 1, 32768, 4),
    "elementwise_double": (1, 1, 32768, 8),
    "chain": (1, 1, 0, 4),
    "moments": (1, 1, 0, 4),
    "monte_carlo": (2, 2, 0, 4),
    "ema": (2, 2, 0, 4),
    "image": (2, 4, 0, 4),
    "matmul": (1, 1, 0, 4),
    "matmul_double": (1, 1, 0, 8),
    "cumsum": (1, 1, 0, 4),
    "columns": (3, 3, 0, 4),
    "small_groups": (3, 3, 0, 4),
    "sort": (1, 25, 0, 12),
    "select": (1, 1, 0, 4),
    "find": (2, 4, 0, 16),
    "histogram": (1, 3, 808, 800),
    "moves": (3, 3, 0, 4),
    "convolution": (2, 2, 900, 4),
    "picked": (4, 4, 0, 4),
    "solve": (9, 21, 1024, 13),
    "cholesky": (2, 7, 0, 8),
    "fft2": (2, 4, 0, 8),
    "pages": (1, 1, 0, 4),
    "covariance": (2, 3, 0, 4),
    "qr": (5, 77, 0, 6),
    "least_squares": (15, 101, 4096, 14),
    "power_iteration": (80, 100, 0, 4),
}
"""Groups, dispatches, bytes up, bytes down."""


def counts(name: str) -> tuple[int, int, int, int]:
    """One warm pass of a benchmark."""
    [work] = [work for work in WORKLOADS if work.name == name]
    session = Session(settings.load({"FUSELAB_DEVICE": "gpu"}), lambda event: None)

    def keep(value: Any, nargout: int = 0) -> None:
        if isinstance(value, DeviceArray):
            session.interpreter.runtime.evaluate([value.node])

    for command in ("keep", "wait_for"):
        session.interpreter.define_functions({command: keep})
    try:
        n = SIZES.get(name, 64 if name in MATRICES else 4096)
        for code in (f"n = {n}; {work.setup}", work.code):
            session.run_source(SourceText("bench.m", code))
            assert session.last_status == "ok"
        report = session.last_report["counters"]
    finally:
        session.close()
    return tuple(report[k] for k in ("groups", "dispatches", "upload_bytes", "download_bytes"))


@pytest.mark.parametrize("name", [work.name for work in WORKLOADS])
def test_what_a_benchmark_takes(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    require_adapter(any(a.type == "cpu" for a in adapters()))
    monkeypatch.setattr(factorisation_forms, "LEAST", 16)
    monkeypatch.setattr(factorisation_forms, "PROCESSORS", frozenset())
    assert counts(name) == COUNTS[name]
