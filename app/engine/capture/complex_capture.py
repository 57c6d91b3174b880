"""Complex arrays on the graph: nodes of a complex type, seen as guarded lazy arrays.

A lazy array that is guarded may turn out complex; a complex node is one that probably is. Only what
is written here works on complex nodes, everything else gathers them. As on the host, a real factor
or divisor acts on both parts, so that infinite parts stay what they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.engine.arguments.dimensions import SCANS, along, inside
from app.engine.capture.capture_session import Session, cast, lazy_of, leaf, operand, traits
from app.engine.values import DeviceArray, Value, is_char, numel, size_of, turned_complex

_ARITHMETIC = frozenset(("plus", "minus", "times", "rdivide", "power"))
_ORDERS = frozenset(("lt", "le", "gt", "ge"))
_PLAIN = (False, False)


def is_complex_node(v: Value) -> TypeGuard[DeviceArray]:
    """Whether a lazy array has a complex node."""
    return type(v) is DeviceArray and bool(v.node.dtype.is_complex)


def _apply(op: str, *nodes: Node, attrs: tuple[object, ...] = ()) -> Node:
    made: Node = Session.runtime.apply(op, nodes, attrs)
    return made


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
    if turned_complex(v):
        return NotImplemented
    found = operand(v)
    if found is NotImplemented or found.dtype.is_integer:
        return NotImplemented
    return cast(found, DType.F64) if found.dtype is DType.BOOL else found


def _pair(a: Value, b: Value) -> Any:
    """Both operands in one precision, at least one of them complex."""
    if not Session.is_active:
        return NotImplemented
    x, y = node_of(a), node_of(b)
    if x is NotImplemented or y is NotImplemented:
        return NotImplemented
    if not (x.dtype.is_complex or y.dtype.is_complex):
        return NotImplemented
    single = DType.F32 in {x.dtype.real, y.dtype.real}
    width = DType.F32 if single else DType.F64
    return _width(x, width), _width(y, width)


def _width(node: Node, real: DType) -> Node:
    return cast(node, real.complex if node.dtype.is_complex else real)


def _as_complex(node: Node) -> Node:
    return cast(node, node.dtype.complex)


def binary(name: str, a: Value, b: Value) -> Value:
    """``+ - .* ./ .^`` where an operand is complex."""
    if name == "power" and type(b) is float and b in {2.0, 3.0}:
        square = binary("times", a, a)
        return square if b == 2.0 else binary("times", square, a)
    pair = _pair(a, b) if name in _ARITHMETIC else NotImplemented
    if pair is NotImplemented:
        return pair
    x, y = pair
    if name == "times" and not x.dtype.is_complex:
        x, y = y, x
    if name in {"times", "rdivide"} and x.dtype.is_complex and not y.dtype.is_complex:
        parts = (_apply(name, _apply(part, x), y) for part in ("real", "imag"))
        return lazy_of(_apply("complex", *parts), True)
    return lazy_of(_apply(name, _as_complex(x), _as_complex(y)), True)


def either(u: DeviceArray, form: Callable[[Value], Value]) -> Value:
    """`form` of what may be real: of the one or of the other, chosen where the data are.

    NotImplemented where the two are of different classes, or the host is asked as quickly.
    """
    if u.undecided is None or Session.runtime.device_info is None:
        return NotImplemented
    node, source, is_real = u.undecided
    whole, part = form(lazy_of(node, True)), form(lazy_of(_apply("real", node)))
    if not (type(whole) is DeviceArray and type(part) is DeviceArray):
        return NotImplemented
    if whole.dtype != part.dtype:
        return NotImplemented
    chosen = _apply("select", is_real.denied(source), whole.node, part.node)
    return lazy_of(chosen, whole.guarded)


def matmul(a: Value, b: Value) -> Value:
    """The matrix product where an operand is complex: products of the parts."""
    pair = _pair(a, b)
    if pair is NotImplemented or 0 in (*size_of(a), *size_of(b)):
        return NotImplemented
    x, y = (
        [_apply(part, node) for part in ("real", "imag")] if node.dtype.is_complex else [node]
        for node in pair
    )
    real, imag = _apply("matmul", x[0], y[0], attrs=_PLAIN), None
    if len(x) == len(y) == 2:
        real = _apply("minus", real, _apply("matmul", x[1], y[1], attrs=_PLAIN))
    for p, q in ((x[0], y[1:]), (y[0], x[1:])):
        for part in q:
            order = (p, part) if p is x[0] else (part, p)
            term = _apply("matmul", *order, attrs=_PLAIN)
            imag = term if imag is None else _apply("plus", imag, term)
    assert imag is not None, "one of them is complex"
    return lazy_of(_apply("complex", real, imag), True)


def inner_product(x: Node, y: Node, axes: tuple[int, ...]) -> Value:
    """The sum of ``conj(x) .* y`` along axes, part by part."""
    re, im, p, q = (_apply(part, _as_complex(node)) for node in (x, y) for part in ("real", "imag"))
    products = [_apply("times", *pair) for pair in ((re, p), (im, q), (re, q), (im, p))]
    parts = _apply("plus", *products[:2]), _apply("minus", *products[2:])
    return lazy_of(_apply("complex", *(_apply("sum", part, attrs=(axes,)) for part in parts)), True)


def compare(name: str, a: Value, b: Value) -> Value:
    """Relational operators: equality by both parts, order by the real one."""
    pair = _pair(a, b)
    if pair is NotImplemented:
        return pair
    if name in _ORDERS:
        return lazy_of(_apply(name, *(_apply("real", node) for node in pair)))
    return lazy_of(_apply(name, *map(_as_complex, pair)))


def unary(op: str, a: Value) -> Value:
    """A function of one complex array."""
    known = None if not Session.is_active else traits(op)
    if known is None or not known.complex_kernels:
        return NotImplemented
    if not is_complex_node(a) and not (type(a) is np.ndarray and a.dtype.kind == "c"):
        return NotImplemented
    made = _apply(op, node_of(a))
    return lazy_of(made, bool(made.dtype.is_complex))


def source(a: Value) -> Any:
    """The node of a complex array with elements."""
    if not Session.is_active or numel(a) == 0:
        return NotImplemented
    if not is_complex_node(a) and not (type(a) is np.ndarray and a.dtype.kind == "c"):
        return NotImplemented
    return node_of(a)


def extreme(name: str, args: tuple[Value, ...]) -> Value:
    """``max`` and ``min`` along dimensions: by magnitude, then by angle."""
    node = source(args[0])
    if node is NotImplemented or (len(args) > 1 and (is_char(args[1]) or numel(args[1]))):
        return NotImplemented
    how = along(node.shape, args[2:], None)
    axes = inside(how.axes, len(node.shape))
    if not axes or how.words or any(is_char(v) and v == "includenan" for v in args[2:]):
        return NotImplemented
    return lazy_of(_apply(f"a{name}", node, attrs=(axes,)), True)


def scan(name: str, args: tuple[Value, ...]) -> Value:
    """``cumsum`` and ``cumprod``."""
    node = source(args[0])
    if node is NotImplemented or name not in {"cumsum", "cumprod"}:
        return NotImplemented
    how = along(node.shape, args[1:], SCANS)
    if how.axes[0] >= len(node.shape) or how.omit_nan or len(how.axes) > 1:
        return NotImplemented
    return lazy_of(_apply(name, node, attrs=(how.axes[0], "reverse" in how.words)), True)


def total(op: str, args: tuple[Value, ...]) -> Value:
    """``sum``, ``prod`` and ``mean`` of a complex array."""
    node = source(args[0])
    if node is NotImplemented or op not in {"sum", "prod", "mean"}:
        return NotImplemented
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
