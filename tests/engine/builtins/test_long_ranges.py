"""Long ranges are made where they are read, with the values the host gives, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions
from app.engine.capture import capture_session
from app.engine.capture.capture_session import Session
from app.engine.capture.lazy_limits import LONG
from app.engine.operators.operators import colon
from app.engine.values import DeviceArray, Value, as_array
from tests.engine.interpreter.running import Machine


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu"))
    capture_session.activate(made, 1024)
    yield made
    capture_session.deactivate()
    made.close()


def on_host(*ends: Value) -> Value:
    kept, Session.runtime = Session.runtime, None
    try:
        return colon(*ends)
    finally:
        Session.runtime = kept


def check(*ends: Value, lazy: bool = True) -> None:
    found, expected = colon(*ends), on_host(*ends)
    assert (type(found) is DeviceArray) == lazy
    values = as_array(found)
    assert (values.dtype, values.shape) == (as_array(expected).dtype, as_array(expected).shape)
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize(
    "ends",
    [
        (1.0, 2e5),
        (-3.0, 7.0, 7e5),
        (0.0, 1e-3, 100.0),
        (0.1, 0.1, 1e4),
        (1e4, -0.1, 0.05),
        (1.0, 0.5, 100000.25),
        (0.0, 1e-9, 1e-4),
        (1e16, 2.0, 1e16 + 2e5),
        (0.0, 1 / 3, 33333.0),
        (-50000.5, 50000.5),
        (1.0, 2.0**16),
        (1.0, 99999.99999999999),
    ],
)
def test_doubles(runtime: Runtime, ends: tuple[float, ...]) -> None:
    check(*ends)


def single(value: float) -> Value:
    return np.array([[value]], np.float32)


@pytest.mark.parametrize("ends", [(0.0, 1e-3, 100.0), (1.0, 1.0, 1e5), (1e8, 1.0, 1e8 + 1e5)])
def test_singles(runtime: Runtime, ends: tuple[float, ...]) -> None:
    check(*map(single, ends))


@pytest.mark.parametrize(
    ("name", "ends", "lazy"),
    [
        ("int32", (1, 1, 80000), True),
        ("int32", (80000, -1, 5), True),
        ("uint32", (4294867295, 1, 4294967295), True),
        ("int16", (-32768, 1, 32767), True),
        ("uint8", (0, 1, 255), False),
        ("int64", (1, 1, 70000), False),
    ],
)
def test_integers(runtime: Runtime, name: str, ends: tuple[int, ...], lazy: bool) -> None:
    first, step, last = ends
    check(np.array([[first]], name), float(step), np.array([[last]], name), lazy=lazy)


@pytest.mark.parametrize("ends", [(1.0, 1e3), (1.0, np.nan), (1.0, 0.0, 1e9), (5.0, 1.0)])
def test_others_are_arrays(runtime: Runtime, ends: tuple[float, ...]) -> None:
    check(*ends, lazy=False)


def test_random_steps(runtime: Runtime) -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        start, step = float(rng.uniform(-1e6, 1e6)), float(10.0 ** rng.uniform(-6, 3))
        step *= float(rng.choice([-1, 1]))
        check(start, step, start + step * float(LONG + rng.uniform(0, 9)))


def test_subscripts_are_not_computed(runtime: Runtime) -> None:
    before = set(runtime.recorder.groups)
    machine = Machine(runtime)
    machine.run("A = sqrt(1:300000)'; x = A(1:2:200001); A(2:2:200000) = 0; y = A(300000:-1:1);")
    whole = np.sqrt(np.arange(1.0, 300001.0)).reshape(-1, 1)
    workspace = machine.interpreter.workspace
    np.testing.assert_array_equal(as_array(workspace["x"]), whole[:200001:2])
    whole[1:200000:2] = 0
    np.testing.assert_array_equal(as_array(workspace["y"]), whole[::-1])
    fresh = [row for key, row in runtime.recorder.groups.items() if key not in before]
    assert fresh
    assert not any(row.ops == ("iota",) for row in fresh)
