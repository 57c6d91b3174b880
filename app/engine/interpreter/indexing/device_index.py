"""Indexing of lazy arrays: single elements are fetched alone, the rest goes to the host for now."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.interpreter.indexing import parts
from app.engine.interpreter.indexing.subscripts import out_of_bounds, whole
from app.engine.interpreter.tracing import Tracing, follows_counter
from app.engine.values import DeviceArray, Value, canonical, host, numel


def read(x: DeviceArray, args: tuple[Value, ...], paren: Callable[..., Value]) -> Value:
    """``x(args)`` of a lazy array."""
    if not args:
        return x
    from app.engine.interpreter.indexing import index_capture as graph_indexing
    from app.engine.interpreter.indexing.captured_subscripts import are_few

    if Tracing.trace is not None:
        return graph_indexing.traced_read(x, args)
    if x.known and are_few(x.shape, args):
        return paren(host(x, "needs-host-value: indexing"), *args)
    position = _scalar_position(x, args)
    pending = _element_just_set(x, args) if position is not None else None
    if pending is not None:
        return pending
    if position is not None and not parts.worth_all(x):
        found = x.runtime.gather_elements(x.node, [position], "needs-host-value: subscript")
        return canonical(found.reshape(1, 1))
    captured = _captured_index(x, args) if position is None else None
    if captured is not None:
        return captured
    return paren(host(x, "needs-host-value: indexing"), *args)


def read_between(x: DeviceArray, *args: Value) -> Value | None:
    """``x(args)`` where ``a:b`` is the pair of its ends; None where that takes the general way."""
    from app.engine.interpreter.indexing import index_capture as graph_indexing
    from app.engine.interpreter.indexing.captured_subscripts import block_of

    block = None if Tracing.trace is not None or x.known else block_of(x.shape, args)
    return graph_indexing.part_of(x, block) if block is not None and block.size > 1 else None


def read_of_host(x: Value, args: tuple[Value, ...], paren: Callable[..., Value]) -> Value | None:
    """``x(args)`` of an array of the host where a lazy subscript belongs on the graph."""
    from app.engine.interpreter.indexing import index_capture as graph_indexing

    if follows_counter(args):
        return graph_indexing.traced_read(x, args)
    return graph_indexing.looked_up(x, args)


def _scalar_position(x: DeviceArray, args: tuple[Value, ...]) -> int | None:
    """The 0-based position of a scalar read; None when the subscripts are no scalars."""
    numbers = [a for a in args if type(a) is float]
    if not args or len(numbers) < len(args):
        return None
    if len(args) == 1:
        k = whole(numbers[0])
        if k > numel(x):
            raise out_of_bounds(numel(x))
        return k - 1
    position, stride, count = 0, 1, len(args)
    shape = (*x.shape, *(1,) * (count - len(x.shape)))
    if len(shape) > count:
        return None
    for p, sub in enumerate(numbers):
        k = whole(sub, p, count)
        if k > shape[p]:
            raise out_of_bounds(shape[p], p, count)
        position += (k - 1) * stride
        stride *= shape[p]
    return position


def _element_just_set(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """What was written to an element last, where that is not on the host: nothing waits for it."""
    value = x.node.inputs[1] if x.node.op == "assign" else None
    if value is None or value.size != 1 or value.op == "param":
        return None
    if value.op == "leaf" and x.runtime.state(value) != "device":
        return None
    from app.engine.interpreter.indexing.captured_subscripts import block_of, slice_node

    block = block_of(x.shape, args)
    if block is None or slice_node(x, block) is not value:
        return None
    return DeviceArray(value, x.runtime, x.guarded)


def _captured_index(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """The indexed array as a node of the graph, where the graph has an operation for it."""
    from app.engine.interpreter.indexing import index_capture as graph_indexing

    return graph_indexing.read(x, args)
