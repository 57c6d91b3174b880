"""Concatenation on the graph."""

from __future__ import annotations

from collections.abc import Sequence

from app.accel.ir.dtypes import of_numpy
from app.accel.ir.node import Node
from app.engine.arguments.operation_rules import result_class
from app.engine.capture import complex_capture
from app.engine.capture.capture_session import Session, cast, lazy_of, operand, spread_operand
from app.engine.capture.growing import Growing
from app.engine.capture.lazy_limits import Limits
from app.engine.values import DTYPE_OF_CLASS, DeviceArray, Value, class_of, size_of
from app.errors import Unsupported


def concatenate(axis: int, args: Sequence[Value]) -> Value:
    """Join numeric arrays, at least one of them lazy."""
    if not Session.is_active or not any(type(a) is DeviceArray for a in args):
        return NotImplemented
    if Limits.growing is not None and type(args[0]) is DeviceArray:
        growing = Limits.growing.get(args[0].node)
        if growing is not None:
            return _grown_array(growing, axis, args)
    kept = [a for a in args if size_of(a) not in ((0, 0), (1, 0))]
    kinds = [class_of(a) for a in args]
    joinable = len(kept) == 1 or _joinable(axis, kept)  # one beside ``[]`` is what it is
    if any(k not in DTYPE_OF_CLASS for k in kinds) or not joinable:
        return NotImplemented
    dtype = of_numpy(DTYPE_OF_CLASS[result_class(kinds)])
    found = [_number(a) if type(a) is float else _node(a) for a in kept]
    nodes = [n for n in found if n is not None]
    if len(nodes) < len(kept):
        return NotImplemented
    if any(n.dtype.is_complex for n in nodes):
        if not dtype.is_float:
            return NotImplemented
        dtype = dtype.complex
    given = tuple(cast(n, dtype) for n in nodes)
    joined = Session.runtime.apply("cat", given, (axis,)) if len(given) > 1 else given[0]
    guarded = any(type(a) is DeviceArray and a.guarded for a in kept)
    return lazy_of(joined, guarded or dtype.is_complex)


def _grown_array(growing: Growing, axis: int, args: Sequence[Value]) -> Value:
    """``[m …]`` where ``m`` grows in every pass that is traced."""
    m = args[0]
    assert isinstance(m, DeviceArray)
    dtype = m.node.dtype
    nodes = [_number(a) if type(a) is float else operand(a) for a in args[1:]]
    if any(n is NotImplemented or n.dtype is not dtype for n in nodes):
        raise Unsupported("what is joined to an array that grows has another class")
    guarded = any(type(a) is DeviceArray and a.guarded for a in args)
    joined = growing.appended(Session.runtime, axis, m.node, nodes)
    return DeviceArray.growing(joined, Session.runtime, guarded)


def _node(a: Value) -> Node | None:
    """The node of an array, complex ones included; None for all else."""
    found = spread_operand(a)
    found = complex_capture.source(a) if found is NotImplemented else found
    return found if isinstance(found, Node) else None


def _number(a: float) -> Node:
    """A number between arrays: nothing to upload."""
    runtime = Session.runtime
    made: Node = runtime.apply("fill", (runtime.scalar(a),), ((1, 1),))
    return made


def _joinable(axis: int, kept: Sequence[Value]) -> bool:
    """True when the sizes agree; disagreement is reported by the host path."""
    if len(kept) < 2:
        return False
    rank = max(axis + 1, *(len(size_of(a)) for a in kept))
    padded = [(*size_of(a), *(1,) * (rank - len(size_of(a)))) for a in kept]
    first = padded[0]
    same = all(s[d] == first[d] for s in padded for d in range(rank) if d != axis)
    return same and all(0 not in s for s in padded)
