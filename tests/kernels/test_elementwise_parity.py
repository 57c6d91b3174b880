"""Every elementwise op on the device gives what the host gives, special values included."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.base import Provider
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS, Category, Complex, Result
from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions

FLOATS = (DType.F32, DType.F64)
INTEGERS = (DType.I8, DType.I16, DType.I32, DType.I64, DType.U8, DType.U16, DType.U32, DType.U64)
BITS = {"bitand", "bitor", "bitxor", "bitshift"}
LOGICAL = {"and", "or", "xor", "not"}
EITHER_ZERO = {"min", "max"}
"""Of 0 and -0 either is the smaller one."""
ULPS = {"gamma": 8, "gammaln": 4096, "erfinv": 8, "erfc": 16, "erfcx": 64}
"""Looser where SciPy is: ours are held against mpmath in tests/accel/functions."""


def grid(dtype: DType) -> np.ndarray:
    """Special values and some ordinary ones."""
    if dtype is DType.BOOL:
        return np.array([False, True])
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        some = [info.min, info.min + 1, -7, -2, -1, 0, 1, 2, 3, 5, 7, 100, info.max - 1, info.max]
        return np.array([v for v in some if info.min <= v <= info.max], dtype.numpy)
    info = np.finfo(dtype.real.numpy)
    some = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        0.25,
        1e-3,
        0.999,
        7.3,
        10.0,
        100.0,
        1234.5,
        1e6,
        info.max,
        info.tiny,
        np.pi,
        np.inf,
        np.nan,
    ]
    real = np.array([*some, *(-v for v in some)], dtype.real.numpy)
    if not dtype.is_complex:
        return real
    values = np.array([0, 1, -1, 0.5, -2.5, 3, 1e-3, 100], dtype.real.numpy)
    return (values[:, None] + 1j * values[None, :]).ravel().astype(dtype.numpy)


def operands(op: str, dtype: DType) -> list[np.ndarray]:
    values = grid(dtype)
    if op == "select":
        return [np.tile([True, False], 40)[:, None], *(np.resize(values, (80, 1)) for _ in "ab")]
    arity = OPS[op].arity
    columns = np.array(list(product(values, repeat=arity)), dtype.numpy)
    return [np.asfortranarray(columns[:, [k]]) for k in range(arity)]


def cases() -> list[tuple[str, DType]]:
    found = []
    for op, spec in OPS.items():
        if spec.category is not Category.ELEMENTWISE:
            continue
        if op in LOGICAL:
            found.append((op, DType.BOOL))
            continue
        if op not in BITS:
            found += [(op, d) for d in FLOATS]
            if spec.complex is Complex.KERNELS and op != "power":
                found += [(op, DType.C64), (op, DType.C128)]
        if (spec.integers or spec.result is Result.BOOL) and op != "imag":
            found += [(op, d) for d in INTEGERS]
    return found


def ulps(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Distance in units of the last place; NaN agrees with NaN, 0 does not with -0."""
    kind = theirs.real.dtype
    with np.errstate(all="ignore"):
        scale = np.maximum(np.spacing(np.abs(theirs).astype(kind)), np.finfo(kind).tiny)
        distance = np.abs(ours - theirs) / np.where(np.isfinite(scale), scale, 1)
    equal = (ours == theirs) & ((theirs != 0) | (np.signbit(ours) == np.signbit(theirs)))
    same = equal | (np.isnan(ours) & np.isnan(theirs))
    distance = np.where(ours == theirs, np.inf, distance)
    return np.where(same, 0, np.where(np.isnan(distance), np.inf, distance))


def spread(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Distance of complex numbers in rounding units of their size; non-finite parts must match."""
    size = np.abs(theirs)
    size = np.where(size < np.finfo(size.dtype).max / 2, np.maximum(size, 1e-3), 1)
    unit = np.spacing(size.astype(theirs.real.dtype))
    worst = np.zeros(theirs.shape)
    for mine, other in ((ours.real, theirs.real), (ours.imag, theirs.imag)):
        with np.errstate(all="ignore"):
            apart = np.abs(mine - other) / unit
        same = (mine == other) | (np.isnan(mine) & np.isnan(other))
        worst = np.maximum(worst, np.where(same, 0, np.where(np.isnan(apart), np.inf, apart)))
    return worst


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


CASTS = list(product((*FLOATS, *INTEGERS, DType.BOOL), repeat=2))


@pytest.mark.parametrize(("source", "target"), CASTS, ids=lambda v: v.value)
def test_cast_agrees_with_host(runtime: Runtime, source: DType, target: DType) -> None:
    array = grid(source)[:, None]
    leaf = runtime.leaf(array)
    node = runtime.apply("cast", (leaf,), (target,))
    theirs = reference.evaluate([node], lambda _: array, complex_results=False)[node]
    ours = runtime.gather(node, "test").reshape(theirs.shape, order="F")
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


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
