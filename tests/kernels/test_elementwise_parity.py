"""Every elementwise op on the device gives what the host gives, special values included."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.base import Provider
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS, Result
from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions
from tests.support.special_values import (
    CASTS,
    EITHER_ZERO,
    TYPECASTS,
    ULPS,
    cases,
    grid,
    operands,
    spread,
    ulps,
)


@pytest.mark.parametrize(("op", "dtype"), cases(), ids=lambda v: getattr(v, "value", v))
def test_op_agrees_with_host(runtime: Runtime, op: str, dtype: DType) -> None:
    arrays = operands(op, dtype)
    node = runtime.apply(op, tuple(runtime.leaf(a) for a in arrays))
    theirs = reference.evaluate([node], runtime.evaluation.leaf_value, complex_results=False)[node]
    runtime.evaluate([node], "test")
    assert runtime.recorder.counters.fallbacks == 0 or _left(op), list(runtime.recorder.boundaries)
    ours = runtime.gather(node, "test").reshape(theirs.shape, order="F")
    if ours.dtype.kind == "c" and theirs.dtype.kind == "f":
        pytest.skip("left the domain: redone on the host")
    assert ours.dtype == theirs.dtype
    if theirs.dtype.kind in "fc":
        measure, limit = (spread, 40) if theirs.dtype.kind == "c" else (ulps, ULPS.get(op, 4))
        if op in EITHER_ZERO:
            ours, theirs = ours + 0, theirs + 0
        distance = measure(ours, theirs)
        worst = np.argmax(distance)
        place = [a.ravel()[worst] for a in arrays]
        assert distance.max() <= limit, (place, ours.ravel()[worst], theirs.ravel()[worst])
    else:
        wrong = np.flatnonzero(ours.ravel() != theirs.ravel())
        assert not wrong.size, [
            ([a.ravel()[k] for a in arrays], ours.ravel()[k], theirs.ravel()[k]) for k in wrong[:4]
        ]


def _left(op: str) -> bool:
    return OPS[op].domain


@pytest.mark.parametrize(("source", "target"), CASTS, ids=lambda v: v.value)
def test_cast_agrees_with_host(runtime: Runtime, source: DType, target: DType) -> None:
    array = grid(source)[:, None]
    leaf = runtime.leaf(array)
    node = runtime.apply("cast", (leaf,), (target,))
    theirs = reference.evaluate([node], lambda _: array, complex_results=False)[node]
    ours = runtime.gather(node, "test").reshape(theirs.shape, order="F")
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(("source", "target"), TYPECASTS, ids=lambda v: v.value)
def test_the_same_bits_in_another_type(runtime: Runtime, source: DType, target: DType) -> None:
    array = grid(source)[:, None]
    ours = runtime.gather(runtime.apply("typecast", (runtime.leaf(array),), (target,)), "test")
    assert ours.dtype == target.numpy
    assert ours.tobytes() == array.tobytes()
    assert not runtime.recorder.counters.fallbacks


assert Result  # the table's rules are what gives the result types above


@pytest.mark.parametrize("shape", [(40, 50), (64, 32), (33, 20, 40), (17, 16, 18), (100, 3)])
def test_transposes_and_broadcasts(runtime: Runtime, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(4)
    x = np.asfortranarray(rng.random(shape))
    leaf = runtime.leaf(x)
    order = tuple(reversed(range(len(shape))))
    turned = runtime.apply("permute", (leaf,), (order,))
    y = np.asfortranarray(rng.random(tuple(reversed(shape))))
    column = np.asfortranarray(rng.random((shape[-1], 1)))
    total = runtime.apply("plus", (turned, runtime.leaf(y)))
    total = runtime.apply("times", (total, runtime.leaf(column)))
    runtime.evaluate([total], "test")
    assert runtime.recorder.counters.fallbacks == 0
    theirs = (np.transpose(x, order) + y) * column.reshape((-1,) + (1,) * (len(shape) - 1))
    ours = runtime.gather(total, "test").reshape(theirs.shape, order="F")
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", ["f4", "f8", "u1", "b1", "i2", "c16"])
@pytest.mark.parametrize("shape", [(33, 70), (64, 32, 3), (17, 5, 40)])
def test_transposes_through_workgroup_memory(
    graphics: Provider, shape: tuple[int, ...], name: str
) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), graphics)
    rng = np.random.default_rng(1)
    x = np.asfortranarray((rng.normal(size=shape) * 50).astype(name))
    order = tuple(reversed(range(len(shape))))
    leaf = runtime.leaf(x)
    turned = runtime.apply("permute", (leaf,), (order,))
    runtime.evaluate([turned])
    np.testing.assert_array_equal(runtime.gather(turned), np.transpose(x, order))
    if shape[0] == shape[-1] or name in {"u1", "b1", "i2"}:
        return
    other = np.asfortranarray(rng.normal(size=shape[::-1]).astype(name))
    sums = runtime.apply("plus", (turned, runtime.leaf(other)))
    np.testing.assert_array_equal(runtime.gather(sums), np.transpose(x, order) + other)
