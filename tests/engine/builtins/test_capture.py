"""Large arrays go to the graph and come back with the host's numbers, classes and errors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.ir.node import Origin
from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions
from app.engine.capture import capture_session, lazy_limits
from app.engine.capture.capture_session import Session
from app.engine.declarations import registry
from app.engine.operators import operators
from app.engine.values import (
    EMPTY,
    Cell,
    DeviceArray,
    Value,
    as_array,
    class_of,
    is_complex,
    size_of,
)
from app.engine.values.random_stream import RandomStream
from app.errors import MatlabError

LIMIT = 16
SPECIAL = [
    np.nan,
    np.inf,
    -np.inf,
    0.0,
    -0.0,
    5e-324,
    1.8e308,
    0.5,
    1.5,
    2.5,
    -0.5,
    -1.5,
    -2.5,
    3.0,
]


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    """A host-only runtime that captures from ``LIMIT`` elements on."""
    made = Runtime(AccelOptions(device="cpu"))
    capture_session.activate(made, LIMIT)
    yield made
    capture_session.deactivate()
    made.close()


def on_host(name: str, *args: Value, nargout: int = 1) -> Value:
    """The host's answer."""
    kept, lazy_limits.Limits.capture = lazy_limits.Limits.capture, 1 << 30
    try:
        return call(name, *args, nargout=nargout)
    finally:
        lazy_limits.Limits.capture = kept


def call(name: str, *args: Value, nargout: int = 1) -> Value:
    found = registry.lookup(name)
    assert found is not None
    result = found.call(None, args, nargout)
    return result[0] if isinstance(result, tuple) and nargout == 1 else result


def special(dtype: str = "float64") -> Value:
    data = np.array([[*SPECIAL, 1.0, -1.0]])
    if dtype == "float64":
        return data
    if dtype == "bool":
        return data > 0
    if dtype.startswith(("int", "uint")):
        limits = np.iinfo(dtype)
        return np.clip(np.nan_to_num(data, posinf=127, neginf=-128), limits.min, limits.max).astype(
            dtype
        )
    return data.astype(dtype)


def agree(lazy: Value, host: Value) -> None:
    assert class_of(lazy) == class_of(host)
    assert size_of(lazy) == size_of(host)
    np.testing.assert_allclose(
        as_array(lazy), as_array(host), rtol=1e-6 if class_of(host) == "single" else 1e-14
    )


UNARY = [
    "sin",
    "cos",
    "tan",
    "exp",
    "sqrt",
    "log",
    "log2",
    "log10",
    "abs",
    "floor",
    "ceil",
    "round",
    "fix",
    "sign",
    "isnan",
    "isinf",
    "isfinite",
    "tanh",
    "atan",
    "asin",
    "acos",
    "real",
    "imag",
    "conj",
    "uminus",
    "not",
    "gamma",
    "erf",
    "expm1",
    "log1p",
    "sinh",
    "cosh",
    "atanh",
    "acosh",
    "asinh",
    "transpose",
]


@pytest.mark.parametrize("dtype", ["float64", "float32", "bool"])
@pytest.mark.parametrize("name", UNARY)
def test_unary_functions(runtime: Runtime, name: str, dtype: str) -> None:
    x = special(dtype)
    if name == "not" and dtype != "bool":
        x = np.nan_to_num(x)
    agree(call(name, x), on_host(name, x))


BINARY = [
    "plus",
    "minus",
    "times",
    "rdivide",
    "power",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "max",
    "min",
    "mod",
    "rem",
    "atan2",
    "hypot",
]


@pytest.mark.parametrize("second", ["scalar", "column", "same"])
@pytest.mark.parametrize("name", BINARY)
def test_binary_functions(runtime: Runtime, name: str, second: str) -> None:
    x = special()
    if name in ("power", "mod", "rem"):
        x = np.nan_to_num(np.abs(x), posinf=7, nan=2)
        x = np.minimum(x, 1e3)
    y = {"scalar": 2.5, "column": np.array([[1.5], [2.0]]), "same": x[:, ::-1].copy()}[second]
    agree(call(name, x, y), on_host(name, x, y))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32"])
@pytest.mark.parametrize("name", ["plus", "minus", "times", "rdivide", "max", "lt", "eq"])
@pytest.mark.parametrize("other", [2.0, 0.5, 300.0, None])
def test_integers(runtime: Runtime, name: str, dtype: str, other: float | None) -> None:
    x = special(dtype)
    y = x[:, ::-1].copy() if other is None else other
    agree(call(name, x, y), on_host(name, x, y))


REDUCTIONS = ["sum", "prod", "mean", "max", "min", "any", "all", "std", "var", "cumsum", "cumprod"]


@pytest.mark.parametrize("dtype", ["float64", "float32", "bool", "int32"])
@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dim", [None, 1.0, 2.0, 3.0, "all"])
def test_reductions(runtime: Runtime, name: str, dtype: str, dim: Value) -> None:
    x = (np.arange(24.0).reshape(4, 6) % 5 - 1).astype(dtype)
    between: tuple[Value, ...] = (EMPTY,) if name in ("max", "min", "std", "var") else ()
    if dim == "all" and name.startswith("cum"):
        pytest.skip("cumulative functions take one dimension")
    args = () if dim is None else (*between, dim)
    agree(call(name, x, *args), on_host(name, x, *args))


def test_omitnan(runtime: Runtime) -> None:
    x = special()
    x = np.where(np.isinf(x) | (np.abs(x) > 1e300), 1.0, x)
    for name in ("sum", "mean", "max"):
        args = (x, EMPTY, "all", "omitnan") if name == "max" else (x, "omitnan")
        agree(call(name, *args), on_host(name, *args))


def test_extremes_with_positions(runtime: Runtime) -> None:
    x = special()
    for name in ("max", "min"):
        for lazy, host in zip(call(name, x, nargout=2), on_host(name, x, nargout=2), strict=True):
            agree(lazy, host)


def test_results_stay_lazy_and_scalars_too(runtime: Runtime) -> None:
    x = call("sum", operators.plus(special(), 1.0))
    assert type(x) is DeviceArray
    assert type(operators.times(x, 2.0)) is DeviceArray


def test_errors_are_raised_at_capture(runtime: Runtime) -> None:
    x = special()
    with pytest.raises(MatlabError, match="incompatible sizes"):
        operators.plus(x, np.ones((1, 3)))
    with pytest.raises(MatlabError, match="Incorrect dimensions for matrix multiplication"):
        operators.mtimes(x, x)
    with pytest.raises(MatlabError, match="Integers can only be combined"):
        operators.plus(special("int8"), special("int16"))
    with pytest.raises(MatlabError, match="not supported for operands"):
        operators.plus(x, Cell.empty())


def test_characters_multiply_what_is_captured(runtime: Runtime) -> None:
    x = np.arange(1.0, 201.0).reshape(4, 50)
    codes = np.array([[97.0, 98.0, 99.0, 100.0]])
    assert np.array_equal(
        as_array(operators.mtimes("abcd", operators.plus(x, 1.0))), codes @ (x + 1)
    )
    assert np.array_equal(as_array(operators.mtimes("abcd", x * (1 + 1j))), codes @ x * (1 + 1j))


def test_leaving_the_real_domain_gives_complex(runtime: Runtime) -> None:
    x = call("sqrt", np.linspace(-1, 1, 20).reshape(1, -1))
    assert class_of(x) == "double"
    assert is_complex(x)
    assert not call("isreal", x)
    y = call("sqrt", np.linspace(0, 1, 20).reshape(1, -1))
    assert not is_complex(y)


def test_shapes(runtime: Runtime) -> None:
    x = operators.plus(np.arange(24.0).reshape(4, 6), 0.0)
    assert type(x) is DeviceArray
    h = as_array(x)
    agree(operators.transpose(x), h.T)
    agree(call("reshape", x, 3.0, EMPTY), h.reshape((3, 8), order="F"))
    agree(call("permute", x, np.array([[2.0, 1.0]])), h.T)
    agree(call("repmat", x, 2.0, 1.0), np.tile(h, (2, 1)))
    agree(operators.horzcat(x, np.ones((4, 1))), np.hstack([h, np.ones((4, 1))]))
    agree(operators.mtimes(x, operators.transpose(x)), h @ h.T)
    agree(call("dot", x, x), np.sum(h * h, axis=0, keepdims=True))
    agree(call("norm", call("reshape", x, 1.0, EMPTY)), np.linalg.norm(h).reshape(1, 1).item())


def test_a_leaf_is_reused_while_its_array_lives(runtime: Runtime) -> None:
    a = np.ones((8, 8), order="F")
    assert capture_session.leaf(a) is capture_session.leaf(a)


def test_creation_and_random_numbers_match_the_host(runtime: Runtime) -> None:
    from app.engine.builtins.arrays.random import drawn

    agree(call("zeros", 3.0, 20.0), np.zeros((3, 20)))
    agree(call("ones", 3.0, 20.0, "int8"), np.ones((3, 20), dtype=np.int8))
    for kind in ("uniform", "normal"):
        for dtype in (np.dtype(np.float64), np.dtype(np.float32)):
            lazy = drawn(RandomStream(7), kind, (5, 9), dtype)
            assert type(lazy) is DeviceArray
            np.testing.assert_array_equal(as_array(lazy), RandomStream(7).draw(kind, (5, 9), dtype))


def test_moves_of_elements(runtime: Runtime) -> None:
    x = operators.plus(np.arange(24.0).reshape(4, 6) ** 2, 0.0)
    h = as_array(x)
    for name, args in [
        ("diff", ()),
        ("diff", (2.0,)),
        ("diff", (1.0, 2.0)),
        ("flip", ()),
        ("fliplr", ()),
        ("flipud", ()),
        ("circshift", (1.0,)),
        ("circshift", (-2.0, 2.0)),
        ("circshift", (np.array([[1.0, 2.0]]),)),
        ("diag", ()),
        ("vecnorm", ()),
        ("cov", ()),
        ("vecnorm", (2.0, 2.0)),
    ]:
        lazy = call(name, x, *args)
        assert type(lazy) is DeviceArray, name
        agree(lazy, on_host(name, h, *args))


def test_small_arrays_spread_over_large_ones(runtime: Runtime) -> None:
    row = np.array([[1.0, 2.0, 3.0]])
    agree(call("repmat", row, 10.0, 2.0), np.tile(row, (10, 2)))
    x, y = call("meshgrid", row, np.arange(9.0).reshape(1, -1), nargout=2)
    hx, hy = np.meshgrid(row, np.arange(9.0))
    assert type(x) is DeviceArray
    agree(x, hx)
    agree(y, hy)


def test_small_arrays_needed_again_and_again_are_computed_at_once(runtime: Runtime) -> None:
    x = operators.plus(special(), 0.0)
    large = operators.plus(np.zeros((1, 1 << 19)), 1.0)
    for k in range(30):
        as_array(operators.times(x, float(k)))
    assert type(operators.times(x, 2.0)) is np.ndarray
    assert type(operators.times(large, 2.0)) is DeviceArray
    total = call("sum", large)
    assert type(total) is DeviceArray
    assert type(operators.times(total, 2.0)) is DeviceArray, "pending scalars stay on the graph"
    capture_session.begin_run()
    assert type(operators.times(x, 2.0)) is DeviceArray


def test_what_one_line_has_shown_holds_for_that_line(runtime: Runtime) -> None:
    line = 7
    runtime.locate = lambda: Origin("script.m", line)
    x, column = special(), np.linspace(0, 1, 600).reshape(-1, 1)
    for k in range(lazy_limits.HASTY):
        as_array(operators.times(x, float(k)))
    assert type(operators.times(x, 2.0)) is np.ndarray
    spread = operators.times(column, column.T)
    assert type(spread) is DeviceArray, "the result is large, its operands are not"
    said = [row for row in runtime.recorder.boundaries.values() if row.line == line]
    assert any("computed at once on this line" in row.detail for row in said)
    line = 8
    assert type(operators.times(x, 2.0)) is DeviceArray
    line = 7
    for _ in range(lazy_limits.USES):
        found = operators.times(x, 2.0)
    assert type(found) is DeviceArray, "the line is tried again"


def test_extremes_of_what_may_be_complex(runtime: Runtime) -> None:
    for low in (-1.0, 0.5):
        x = np.linspace(low, 1, 20).reshape(1, -1)
        lazy, host = call("sqrt", x), on_host("sqrt", x)
        agree(call("max", lazy), on_host("max", host))
        agree(call("min", lazy), on_host("min", host))
        agree(call("mean", lazy), on_host("mean", host))
        agree(call("lt", lazy, 0.5), on_host("lt", host, 0.5))


def test_views_that_run_backwards_or_in_steps(runtime: Runtime) -> None:
    x = np.arange(64.0).reshape(1, -1)
    agree(operators.plus(x[:, ::-1], 1.0), x[:, ::-1] + 1)
    agree(operators.plus(x.reshape(8, 8)[::2, ::-1], 1.0), x.reshape(8, 8)[::2, ::-1] + 1)


@pytest.mark.parametrize("order", ["C", "F"])
def test_leaves_let_go_of_arrays_nobody_holds(runtime: Runtime, order: str) -> None:
    first = np.ones((8, 8), order=order)  # type: ignore[call-overload]
    second = np.ones((8, 9), order=order)  # type: ignore[call-overload]
    key = id(first)
    capture_session.leaf(first)
    assert key in Session.leaves
    capture_session.leaf(second)
    assert key in Session.leaves, "it is still in use"
    del first
    capture_session.leaf(np.ones((9, 9)))
    assert key not in Session.leaves


def test_a_count_below_0_leaves_a_stream_where_it_is() -> None:
    stream = RandomStream(7, "philox")
    before = stream.advance(8)
    assert stream.advance(-(1 << 63)) == before + 8
    assert stream.advance(4) == before + 8
