"""Complex arrays on the graph: nodes of a complex type, seen as guarded lazy arrays.

A lazy array that is guarded may turn out complex; a complex node is one that probably is. Only what
is written here works on complex nodes, everything else gathers them. As on the host, a real factor
or divisor acts on both parts, so that infinite parts stay what they are.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.accel.dtypes import DType
from app.engine.builtins.capture import Session, cast, lazy_of, leaf, operand
from app.engine.builtins.dimensions import along, inside
from app.engine.values import DeviceArray, Value, numel

_ARITHMETIC = frozenset(("plus", "minus", "times", "rdivide"))
_ORDERS = frozenset(("lt", "le", "gt", "ge"))
_UNARY = frozenset(
    ("abs", "angle", "real", "imag", "conj", "uminus", "exp", "log", "sqrt", "floor", "ceil", "fix",
     "round", "isnan", "isinf", "isfinite")
)  # fmt: skip


def is_complex_node(v: Value) -> bool:
    """Whether a lazy array has a complex node."""
    return type(v) is DeviceArray and bool(v.node.dtype.is_complex)


def _apply(op: str, *nodes: Any, attrs: tuple[Any, ...] = ()) -> Any:
    return Session.runtime.apply(op, nodes, attrs)


def node_of(v: Value) -> Any:
    """The node of a float or complex operand; NotImplemented for integers and all else."""
    if type(v) is complex:
        return Session.runtime.scalar(v, DType.C128)
    if type(v) is float:
        return Session.runtime.scalar(v)
    if is_complex_node(v):
        return v.node
    if type(v) is np.ndarray and v.dtype.kind == "c":
        return leaf(v)
    if type(v) is DeviceArray and v.guarded:
        return NotImplemented
    found = operand(v)
    if found is NotImplemented or found.dtype.is_integer:
        return NotImplemented
    return cast(found, DType.F64) if found.dtype is DType.BOOL else found


def _pair(a: Value, b: Value) -> Any:
    """Both operands in one precision, at least one of them complex."""
    if Session.runtime is None:
        return NotImplemented
    x, y = node_of(a), node_of(b)
    if x is NotImplemented or y is NotImplemented:
        return NotImplemented
    if not (x.dtype.is_complex or y.dtype.is_complex):
        return NotImplemented
    single = DType.F32 in {x.dtype.real, y.dtype.real}
    width = DType.F32 if single else DType.F64
    return _width(x, width), _width(y, width)


def _width(node: Any, real: DType) -> Any:
    return cast(node, real.complex if node.dtype.is_complex else real)


def _promoted(node: Any) -> Any:
    return cast(node, node.dtype.complex)


def binary(name: str, a: Value, b: Value) -> Value:
    """``+ - .* ./`` where an operand is complex."""
    pair = _pair(a, b) if name in _ARITHMETIC else NotImplemented
    if pair is NotImplemented:
        return pair
    x, y = pair
    if name == "times" and not x.dtype.is_complex:
        x, y = y, x
    if name in {"times", "rdivide"} and x.dtype.is_complex and not y.dtype.is_complex:
        parts = (_apply(name, _apply(part, x), y) for part in ("real", "imag"))
        return lazy_of(_apply("complex", *parts), True)
    return lazy_of(_apply(name, _promoted(x), _promoted(y)), True)


def compare(name: str, a: Value, b: Value) -> Value:
    """Relational operators: equality by both parts, order by the real one."""
    pair = _pair(a, b)
    if pair is NotImplemented:
        return pair
    if name in _ORDERS:
        return lazy_of(_apply(name, *(_apply("real", node) for node in pair)))
    return lazy_of(_apply(name, *map(_promoted, pair)))


def unary(op: str, a: Value) -> Value:
    """A function of one complex array."""
    if Session.runtime is None or op not in _UNARY:
        return NotImplemented
    if not is_complex_node(a) and not (type(a) is np.ndarray and a.dtype.kind == "c"):
        return NotImplemented
    made = _apply(op, node_of(a))
    return lazy_of(made, bool(made.dtype.is_complex))


def total(op: str, args: tuple[Value, ...]) -> Value:
    """``sum``, ``prod`` and ``mean`` of a complex array."""
    a = args[0]
    if Session.runtime is None or numel(a) == 0 or op not in {"sum", "prod", "mean"}:
        return NotImplemented
    if not is_complex_node(a) and not (type(a) is np.ndarray and a.dtype.kind == "c"):
        return NotImplemented
    node = node_of(a)
    how = along(node.shape, args[1:])
    axes = inside(how.axes, len(node.shape))
    if not axes or how.words or how.omit_nan or how.out_type != "default":
        return NotImplemented
    found = _apply("prod" if op == "prod" else "sum", node, attrs=(axes,))
    if op == "mean":
        count = Session.runtime.scalar(
            float(math.prod(node.shape[i] for i in axes)), found.dtype.real
        )
        parts = (_apply("rdivide", _apply(part, found), count) for part in ("real", "imag"))
        found = _apply("complex", *parts)
    return lazy_of(found, True)
