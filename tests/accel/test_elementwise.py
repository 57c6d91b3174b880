"""Every elementwise op over special values and shapes: fused, in blocks, against one array per op."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS, Category
from app.accel.runtime.runtime import Runtime
from tests.accel.graphs import Graph, special

FLOATS = (DType.F64, DType.F32)
INTEGERS = tuple(d for d in DType if d.is_integer)
BITS = {"bitand", "bitor", "bitxor", "bitshift"}
NAMES = sorted(n for n, s in OPS.items() if s.category is Category.ELEMENTWISE and n != "select")
CASES = [(n, d) for n in NAMES if n not in BITS for d in FLOATS]
CASES += [(n, d) for n in NAMES if OPS[n].integers for d in INTEGERS]


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bit for bit but for the payload of NaN; complex by parts."""
    if a.dtype.kind == "c":
        return a.dtype == b.dtype and same(a.real, b.real) and same(a.imag, b.imag)
    equal = np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return equal and a.shape == b.shape and a.dtype == b.dtype


@pytest.mark.parametrize(("name", "dtype"), CASES, ids=lambda v: getattr(v, "value", v))
def test_special_values(host: Runtime, name: str, dtype: DType) -> None:
    g = Graph(host)
    values = special(dtype)
    operands = [g.leaf(values)]
    if OPS[name].arity == 2:
        operands.append(g.leaf(values.T))
    node = getattr(g, name)(*operands)
    expected = reference.evaluate([node], host.evaluation.leaf_value)[node]
    assert same(host.gather(node), expected)


@pytest.mark.parametrize("source", [d for d in DType if not d.is_complex], ids=lambda d: d.value)
@pytest.mark.parametrize("target", [d for d in DType if not d.is_complex], ids=lambda d: d.value)
def test_casts(host: Runtime, source: DType, target: DType) -> None:
    g = Graph(host)
    values = special(source)
    if target is DType.BOOL and source.is_float:
        values = values[~np.isnan(values)].reshape(-1, 1)
    node = host.apply("cast", (g.leaf(values),), (target,))
    expected = reference.evaluate([node], host.evaluation.leaf_value)[node]
    assert same(host.gather(node), expected)


def check(host: Runtime, node: object, expected: list[object]) -> None:
    got = host.gather(node).reshape(-1)  # type: ignore[arg-type]
    assert [str(v) for v in got.tolist()] == [str(v) for v in expected]


def test_rounding_is_away_from_zero(host: Runtime) -> None:
    g = Graph(host)
    x = g.leaf([0.5, -0.5, 2.5, -2.5, 0.49999999999999994])
    check(host, g.round(x), [1.0, -1.0, 3.0, -3.0, 0.0])
    check(host, host.apply("cast", (x,), (DType.I8,)), [1, -1, 3, -3, 0])


def test_integers_saturate(host: Runtime) -> None:
    g = Graph(host)
    x = g.leaf(np.array([100, -100, 127], np.int8))
    check(host, g.plus(x, x), [127, -128, 127])
    check(host, g.rdivide(x, g.leaf(np.array([8, 8, 0], np.int8))), [13, -13, 127])
    check(host, host.apply("cast", (g.leaf([300.0, -1.0, np.nan]),), (DType.U8,)), [255, 0, 0])


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_64_bit_integers_are_exact(host: Runtime, dtype: type) -> None:
    g, top = Graph(host), int(np.iinfo(dtype).max)
    x = g.leaf(np.array([top, top - 1, 2**53 + 1], dtype))
    check(host, g.plus(x, g.leaf(np.array([1], dtype))), [top, top, 2**53 + 2])
    check(host, g.minus(x, g.leaf(np.array([1], dtype))), [top - 1, top - 2, 2**53])


def test_remainders(host: Runtime) -> None:
    g = Graph(host)
    x = g.leaf([5.0, -5.0, 5.0, -1.0, 0.0])
    check(host, g.mod(x, g.leaf([3.0, 3.0, 0.0, 3.0, -3.0])), [2.0, 1.0, 5.0, 2.0, 0.0])
    check(host, g.rem(x, g.leaf([3.0, 3.0, 0.0, 3.0, 3.0])), [2.0, -2.0, np.nan, -1.0, 0.0])


def test_extremes_skip_nan(host: Runtime) -> None:
    g = Graph(host)
    x = g.leaf([np.nan, 1.0, np.nan])
    check(host, g.max(x, g.leaf([2.0, np.nan, np.nan])), [2.0, 1.0, np.nan])
    check(host, g.total(x, "amin"), [1.0])


def test_tiny_arguments_keep_their_digits(host: Runtime) -> None:
    g = Graph(host)
    x = g.leaf([1e-17, -1e-17])
    check(host, g.log1p(x), [1e-17, -1e-17])
    check(host, g.expm1(x), [1e-17, -1e-17])


SHAPES = [
    ((0, 0), (0, 0)),
    ((1, 1), (1, 1)),
    ((1, 7), (1, 7)),
    ((7, 1), (7, 1)),
    ((3, 4, 2), (3, 4, 2)),
    ((7, 1), (1, 5)),
    ((3, 1, 4), (1, 5)),
    ((3, 4), (1, 1)),
    ((2, 3, 4), (2, 1, 4)),
    ((40000, 1), (1, 1)),
    ((300, 200), (300, 1)),
    ((300, 200), (1, 200)),
    ((0, 3), (1, 3)),
]


@pytest.mark.parametrize(("a", "b"), SHAPES, ids=str)
def test_shapes(host: Runtime, a: tuple[int, ...], b: tuple[int, ...]) -> None:
    g, rng = Graph(host), np.random.default_rng(0)
    x, y = g.leaf(rng.standard_normal(a)), g.leaf(rng.standard_normal(b))
    node = g.plus(g.times(x, y), g.sin(y))
    expected = reference.evaluate([node], host.evaluation.leaf_value)[node]
    assert same(host.gather(node), expected)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("sqrt", -4.0, 2j),
        ("log", -1.0, np.pi * 1j),
        ("asin", 2.0, np.arcsin(2 + 0j).conjugate()),
        ("power", -8.0, (-8 + 0j) ** 0.5),
        ("log1p", -2.0, np.pi * 1j),
        ("acosh", 0.5, 1.0471975512j),
        ("log2", -2.0, 1 + np.pi * 1j / np.log(2)),
        ("log10", -10.0, 1 + np.pi * 1j / np.log(10)),
    ],
)
def test_leaving_the_real_domain(host: Runtime, name: str, value: float, expected: complex) -> None:
    g = Graph(host)
    x = g.leaf([1.0, value])
    node = g.power(x, 0.5) if name == "power" else getattr(g, name)(x)
    twice = g.times(node, 2.0)
    got = host.gather(twice)
    assert got.dtype == np.complex128
    assert got[1, 0] == pytest.approx(2 * expected)
    assert any(b.reason.value == "domain-guard" for b in host.recorder.boundaries.values())


def test_staying_in_the_real_domain_stays_real(host: Runtime) -> None:
    g = Graph(host)
    assert host.gather(g.sqrt(g.leaf([4.0, 9.0]))).dtype == np.float64


def test_a_complex_value_flows_on(host: Runtime) -> None:
    g = Graph(host)
    root = g.sqrt(g.leaf([-4.0]))
    host.gather(root)
    assert host.gather(g.abs(g.plus(root, 1.0)))[0, 0] == pytest.approx(5**0.5)
    assert host.settled_dtype(root) is DType.C128


def test_places_may_lie_another_way_than_what_is_taken(host: Runtime) -> None:
    g = Graph(host)
    index = g.leaf(np.arange(9, -1, -1, dtype=np.int64).reshape(1, 10))
    back = g.plus(index, g.leaf(np.zeros((1, 10), np.int64)))
    found = host.gather(g.gather(g.leaf(np.arange(10.0)), back, attrs=((10, 1),)))
    np.testing.assert_array_equal(found, np.arange(9.0, -1.0, -1.0).reshape(-1, 1))


@pytest.mark.parametrize("size", [(1, 1), (3000, 1)], ids=str)
@pytest.mark.parametrize("op", ["real", "conj", "round"])
def test_what_gives_its_operand_keeps_it(op: str, size: tuple[int, int], host: Runtime) -> None:
    """The memory of an operand is used again; `real` of real numbers gave that very memory."""
    g = Graph(host)
    whole = op == "round"
    dtype = np.int32 if whole else np.float64
    x = g.leaf(np.arange(size[0], dtype=dtype).reshape(size, order="F"))
    same = host.apply(op, (g.times(x, 2.0 if not whole else 2),))
    y = g.plus(g.times(x, 3.0 if not whole else 3), same)
    for _ in range(4):
        y = g.plus(g.plus(y, 1.0 if not whole else 1), same)
    expected = np.arange(size[0]).reshape(size, order="F") * (3 + 5 * 2) + 4
    np.testing.assert_array_equal(host.gather(y), expected)
