"""``A' * (A * v - b)``: the device's answers are the host's up to rounding, in one walk."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.codegen.algorithms import normal_product
from app.accel.ir import dtypes
from app.accel.planner import split_large
from app.accel.runtime.runtime import Runtime
from app.api import Session

TOLERANCE = {"f4": 3e-5, "f8": 1e-13}


@pytest.fixture(autouse=True)
def small_ones_are_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normal_product, "FEWEST_ELEMENTS", 1)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(device="gpu") as opened:
        yield opened


def matrix(shape: tuple[int, int], name: str) -> np.ndarray:
    return np.asfortranarray(np.random.default_rng(shape[0]).normal(size=shape).astype(name))


@pytest.mark.parametrize("taken", [False, True])
@pytest.mark.parametrize("name", TOLERANCE)
@pytest.mark.parametrize(
    "shape", [(1000, 128), (33, 200), (1, 129), (700, 512), (64, 1024), (77, 300)]
)
def test_both_products_are_one_walk(
    runtime: Runtime, shape: tuple[int, int], name: str, taken: bool
) -> None:
    a = matrix(shape, name)
    v, b = a[0].reshape(-1, 1) + 1, a[:, 1].reshape(-1, 1) * 3
    nodes = [runtime.leaf(np.asfortranarray(x)) for x in (a, v, b)]
    product = runtime.apply("matmul", (nodes[0], nodes[1]), (False, False))
    if taken:
        product = runtime.apply("minus", (product, nodes[2]))
    found = runtime.apply("matmul", (nodes[0], product), (True, False))
    walked = min(shape) > 1
    assert (found.op == "normal_product") is walked
    runtime.evaluate([found])
    if walked:
        assert runtime.recorder.counters.dispatches == 2
    assert runtime.recorder.counters.fallbacks == 0
    wide = a.astype(float)
    expected = wide.T @ (wide @ v - b * taken)
    close = np.abs(runtime.gather(found) - expected).max()
    assert close <= TOLERANCE[name] * np.abs(expected).max()


@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("columns", [128, 300, 512, 700, 1024])
def test_sums_of_a_lane_are_registers(columns: int, size: int) -> None:
    teams, rows = normal_product._block(columns, size)
    assert -(-columns // teams) * size <= 256
    assert 256 <= teams * rows <= 512
    assert rows * size >= 64  # of a column, neighbours in memory


def test_rows_behind_the_last_have_no_part(runtime: Runtime) -> None:
    a = matrix((45, 130), "f4")
    a[-1, 3] = np.inf
    v = np.ones((130, 1), "f4")
    v[3] = 0
    nodes = runtime.leaf(a), runtime.leaf(v)
    product = runtime.apply("matmul", nodes, (False, False))
    found = runtime.gather(runtime.apply("matmul", (nodes[0], product), (True, False)))
    with np.errstate(invalid="ignore"):
        assert np.array_equal(np.isnan(found), np.isnan(a.T @ (a @ v)))


DATA = "A = reshape(sin(1:51200), 256, 200); B = 2 * A; v = cos((1:200)'); b = sin((1:256)');"


@pytest.mark.parametrize(
    ("code", "walked"),
    [
        ("y = A' * (A * v);", True),
        ("w = A * v; y = A' * w;", True),
        ("s.A = A; y = s.A' * (s.A * v - b);", True),
        ("y = A' * (B * v);", False),
        ("y = A * (A' * b);", False),
        ("y = A' * (A * B');", False),
        ("y = A' * (b - A * v);", False),
    ],
)
def test_spellings_and_what_is_no_such_product(session: Session, code: str, walked: bool) -> None:
    session.eval(f"{DATA} disp(A(1) + B(1) + v(1) + b(1));")
    session.eval(f"{code} y = y + 0; disp(y(1));")
    assert session.report is not None
    ops = [op for group in session.report.groups for op in group["ops"]]
    assert ("normal_product" in ops) is walked
    assert session.report.counters["fallbacks"] == 0
    with Session(device="cpu") as host:
        host.eval(f"{DATA} {code}")
        assert np.allclose(session["y"], host["y"], rtol=1e-10, atol=1e-10)


def test_what_is_bound_in_bands_is_their_sum(runtime: Runtime) -> None:
    a, v = matrix((900, 130), "f8"), matrix((130, 1), "f8")
    nodes = runtime.leaf(a), runtime.leaf(v)
    product = runtime.apply("matmul", nodes, (False, False))
    node = runtime.apply("matmul", (nodes[0], product), (True, False))
    assert node.op == "normal_product"
    limit = 300_000
    assert split_large.too_large(node, limit)
    whole = split_large.joined_node(
        node, limit, lambda op, x, attrs, data=(): runtime.apply(op, x, attrs, data)
    )
    assert whole.op == "plus"
    assert np.allclose(runtime.gather(whole), a.T @ (a @ v))
    assert dtypes.of_numpy(a.dtype) is whole.dtype
