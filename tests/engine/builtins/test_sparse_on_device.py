"""Products of sparse matrices with resident full ones stay on the device."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions
from tests.engine.builtins.device_parity import Parity

MADE = """
A = gallery('poisson', 8); G = A; G(3, :) = 1; G(:, 5) = 0; L = sparse(3, 64); L(2, 7) = 4;
"""
PRODUCTS = [
    f"{text}"
    for s in "AG"
    for text in (
        f"{s} * repmat(C(1:16), 4, 1)",
        f"{s}' * repmat(C(1:16), 4, 1)",
        f"repmat(C(1:16), 4, 1)' * {s}",
        f"{s} * repmat(M(:, 1:3), 8, 1)",
        f"repmat(M(:, 1:3), 8, 1)' * {s}",
        f"{s}.' * repmat(Z(:, 1:2), 8, 1)",
        f"{s} * repmat([S(1:4)'; C(1:12)], 4, 1)",
        f"sum({s} * repmat(M(:, 1:3), 8, 1), 2)",
    )
]
OTHERS = [
    "A * repmat(F(:, 1), 8, 1)",
    "A * repmat(K(:, 1), 8, 1)",
    "A * C",
    "L * repmat(C(1:16), 4, 1)",
    "A * 3 * repmat(C(1:16), 4, 1)",
    "A .* repmat(M(:, 1), 8, 1)",
    "A * complex(repmat(M(:, 1), 8, 1), 1)",
    "sparse(A > 0) * repmat(C(1:16), 4, 1)",
]


@pytest.fixture(scope="module")
def device() -> Iterator[Parity]:
    """The graph computed by an adapter, a software one included."""
    runtime = Runtime(AccelOptions(device="gpu", host_threads=1), open_provider())
    made = Parity(runtime)
    made.session.run(MADE)
    made.plain = dict(made.session.interpreter.base)
    yield made
    runtime.close()
    made.__dict__.clear()  # whoever still holds the fixture holds no device


@pytest.mark.parametrize("call", PRODUCTS)
def test_products_download_nothing(device: Parity, call: str) -> None:
    found = device.check_call("mtimes", call)
    assert found.problems == []
    assert found.dispatched


@pytest.mark.parametrize("call", OTHERS)
def test_other_classes_and_sizes_are_the_hosts(device: Parity, call: str) -> None:
    assert device.check_call("mtimes", call).problems == []


def test_a_matrix_is_sent_once(device: Parity) -> None:
    counters = device.runtime.recorder.counters
    made = []
    for call in ("A * repmat(C(1:16), 4, 1)", "A * repmat(M(:, 2), 8, 1)"):
        device.check_call("mtimes", call)
        before = counters.upload_bytes
        device.check_call("mtimes", call)
        made.append(counters.upload_bytes - before)
    assert np.max(made) < device.plain["A"].data.nbytes


@pytest.mark.parametrize(
    "call",
    [
        "pcg(A, repmat(C(1:16), 4, 1), 1e-13, 200)",
        "pcg(@(v) A * v, repmat(C(1:16), 4, 1), 1e-13, 200, @(r) r / 4)",
        "pcg(A, repmat(C(1:16), 4, 1), 1e-13, 200, [], [], repmat(M(:, 1), 8, 1))",
        "bicg(A + speye(64), repmat(C(1:16), 4, 1), 1e-13, 200)",
        "bicgstab(A + speye(64), repmat(C(1:16), 4, 1), 1e-13, 200)",
        "cgs(A + speye(64), repmat(C(1:16), 4, 1), 1e-13, 200)",
        "tfqmr(A + speye(64), repmat(C(1:16), 4, 1), 1e-13, 200)",
        "gmres(A + speye(64), repmat(C(1:16), 4, 1), [], 1e-13, 60)",
        "nthargout(2, @pcg, A, repmat(C(1:16), 4, 1), 1e-13, 2)",
        "nthargout(2, @pcg, A, repmat(Z(:, 1), 8, 1))",
        "pcg(A, repmat(C(1:16), 4, 1) * 0)",
    ],
)
def test_solvers_fetch_numbers_alone(device: Parity, call: str) -> None:
    counters = device.runtime.recorder.counters
    before = counters.downloads, counters.download_bytes
    found = device.check_call("pcg", call)
    assert found.problems == []
    last = 8 * 64  # the solution, which is compared
    downloads, fetched = counters.downloads - before[0], counters.download_bytes - before[1]
    assert fetched <= 8 * downloads + last
