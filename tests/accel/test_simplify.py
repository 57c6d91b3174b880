"""Every simplification is exact: bit for bit over the special values, with and without it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.fusion.simplify import RULES
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node, make
from app.accel.ir.shapes import infer
from app.accel.runtime.runtime import Runtime
from tests.accel.graphs import Graph, special

F64, F32, I8 = DType.F64, DType.F32, DType.I8


class Plain(Graph):
    """Builds nodes without any rule."""

    def __getattr__(self, op: str):  # type: ignore[no-untyped-def]
        def build(*operands, attrs=(), data=()):  # type: ignore[no-untyped-def]
            dtype = next(o.dtype for o in reversed(operands) if isinstance(o, Node))
            nodes = tuple(
                o if isinstance(o, Node) else self.runtime.scalar(o, dtype) for o in operands
            )
            return make(op, nodes, attrs, *infer(op, nodes, attrs), data)

        return build


def cases() -> list[tuple[str, Callable[[Graph, Node], Node], type]]:
    f, matrix = np.float64, np.ndarray
    return [
        ("square", lambda g, x: g.power(x, 2.0), f),
        ("cube", lambda g, x: g.power(x, 3.0), f),
        ("negate twice", lambda g, x: g.uminus(g.uminus(x)), f),
        ("negate twice int8", lambda g, x: g.uminus(g.uminus(x)), np.int8),
        ("not twice", lambda g, x: getattr(g, "not")(getattr(g, "not")(x)), np.bool_),
        ("not equal", lambda g, x: getattr(g, "not")(g.eq(x, g.uminus(x))), f),
        ("not not equal", lambda g, x: getattr(g, "not")(g.ne(x, g.abs(x))), f),
        ("not less", lambda g, x: getattr(g, "not")(g.lt(x, 1.0)), f),
        ("abs of minus", lambda g, x: g.abs(g.uminus(x)), f),
        ("abs of minus int8", lambda g, x: g.abs(g.uminus(x)), np.int8),
        ("floor of round", lambda g, x: g.floor(g.round(x)), f),
        ("round of int", lambda g, x: g.round(x), np.int8),
        ("single and back", lambda g, x: g.cast(g.cast(x, attrs=(F32,)), attrs=(F64,)), f),
        ("double and back", lambda g, x: g.cast(g.cast(x, attrs=(F64,)), attrs=(F32,)), np.float32),
        ("int8 and back", lambda g, x: g.cast(g.cast(x, attrs=(I8,)), attrs=(F64,)), f),
        ("through single", lambda g, x: g.cast(g.cast(x, attrs=(F32,)), attrs=(I8,)), np.int8),
        ("choice", lambda g, x: g.select(g.gt(x, 0.0), x, x), f),
        ("turned twice", lambda g, x: _turn(g, _turn(g, x)), matrix),
        (
            "reshape",
            lambda g, x: g.reshape(g.reshape(x, attrs=((12, 1),)), attrs=((2, 6),)),
            matrix,
        ),
        ("diagonal", lambda g, x: g.diagonal(g.matmul(x, _turn(g, x))), matrix),
        (
            "column times row",
            lambda g, x: g.matmul(
                g.reshape(x, attrs=((x.size, 1),)), g.reshape(x, attrs=((1, x.size),))
            ),
            matrix,
        ),
        ("extreme of turned", lambda g, x: g.amax(_turn(g, x), attrs=((0,),)), matrix),
        ("place in turned", lambda g, x: g.argmin(_turn(g, x), attrs=(1,)), matrix),
        ("running extreme of turned", lambda g, x: g.cummax(_turn(g, x), attrs=(1,)), matrix),
        (
            "extreme of pages in another order",
            lambda g, x: g.amax(
                g.permute(g.reshape(x, attrs=((2, 3, 2),)), attrs=((2, 1, 0),)), attrs=((1,),)
            ),
            matrix,
        ),
        (
            "sum of pages turned",
            lambda g, x: g.sum(
                g.permute(g.reshape(x, attrs=((2, 3, 2),)), attrs=((2, 0, 1),)), attrs=((0, 2),)
            ),
            matrix,
        ),
        (
            "row times column",
            lambda g, x: g.matmul(
                g.reshape(x, attrs=((1, x.size),)), g.reshape(x, attrs=((x.size, 1),))
            ),
            matrix,
        ),
        ("diagonal flags", lambda g, x: g.diagonal(g.matmul(x, x, attrs=(True, False))), matrix),
    ]


def _turn(g: Graph, x: Node) -> Node:
    return g.permute(x, attrs=((1, 0),))  # type: ignore[no-any-return]


@pytest.mark.parametrize(("name", "program", "kind"), cases(), ids=lambda v: str(v)[:20])
def test_exact(
    host: Runtime, name: str, program: Callable[[Graph, Node], Node], kind: type
) -> None:
    if kind is np.ndarray:
        data = np.arange(12.0).reshape(3, 4)
    else:
        data = special({np.float64: F64, np.float32: F32, np.int8: I8}.get(kind, DType.BOOL))
    g = Graph(host)
    x = g.leaf(data)
    ruled, plain = program(g, x), program(Plain(host), x)
    values = reference.evaluate([ruled, plain], host.evaluation.leaf_value, complex_results=False)
    if name == "cube":
        np.testing.assert_allclose(values[ruled], values[plain], rtol=1e-15)
    else:
        np.testing.assert_array_equal(values[ruled], values[plain])
        assert values[ruled].dtype == values[plain].dtype


def test_every_rule_fires_somewhere(host: Runtime) -> None:
    g = Graph(host)
    x = g.leaf(np.ones((3, 3)))
    assert g.uminus(g.uminus(x)) is x
    assert _turn(g, _turn(g, x)) is x
    assert g.floor(g.ceil(x)).op == "ceil"
    assert g.diagonal(g.matmul(x, x)).op == "sum"
    assert g.power(x, 2.0).op == "times"
    assert getattr(g, "not")(g.eq(x, 1.0)).op == "ne"
    assert g.select(g.gt(x, 0.0), x, x) is x
    assert g.abs(g.uminus(x)).inputs == (x,)
    assert g.slice(x, attrs=((1, 1), (3, 3)), data=(0, 0)) is x
    assert g.slice(x, attrs=((-1, 1), (3, 3)), data=(2, 0)) is not x
    assert g.slice(x, attrs=((1, 1), (3, 1)), data=(0, 1)) is not x
    assert set(RULES) >= {"power", "cast", "reshape", "permute"}
