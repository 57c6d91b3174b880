"""Functions that act on handles and arrays of handles, whoever else declares their names."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from math import prod

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.dimensions import dimension
from app.engine.arguments.moved_positions import MOVERS, moved_positions
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.figures.listeners import add_listener
from app.engine.figures.objects import (
    GraphicsArray,
    GraphicsObject,
    handles,
    handles_of_all,
    items_of,
)
from app.engine.values import Value, as_array, canonical, numel, object_array, size_of
from app.errors import concatenation_error

_SETS = ("unique", "ismember", "setdiff", "intersect", "union", "setxor")


def _joined(axis: int, args: tuple[Value, ...]) -> Value:
    """The handles of several values in one array; what has none vanishes."""
    items, parts = iter(handles_of_all(args)), []
    for arg in args:
        shape = (*size_of(arg), *(1,) * (axis + 1 - len(size_of(arg))))
        if part := list(islice(items, prod(shape))):
            parts.append(object_array(part, shape))
    if not parts:
        return args[0]
    ends = {part.shape[:axis] + part.shape[axis + 1 :] for part in parts}
    if len(ends) > 1:
        raise concatenation_error()
    made = np.concatenate(parts, axis)
    return handles(list(made.ravel(order="F")), made.shape)


def _cat(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    return _joined(dimension(args[0]), args[1:])


def _mover(name: str) -> Callable[..., Value]:
    """A function that only moves handles."""

    def moved(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        items = items_of(args[0])
        places = moved_positions(ctx, name, size_of(args[0]), args[1:])
        return handles([items[k] for k in places.ravel(order="F")], places.shape)

    return moved


def _set(name: str) -> Callable[..., Value]:
    """A function of sets of handles: which are the same is told by their numbers."""

    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        of_two = name not in ("unique", "ismember")
        if of_two and not all(_is_handle(a) or numel(a) == 0 for a in args[:2]):
            raise undefined_for_class(name, args[0])
        plain = tuple(_double(ctx, (a,), 1) if _is_handle(a) else a for a in args)
        found, *places = ctx.call(name, plain, max(nargout, 1))
        if name == "ismember":
            return (found, *places)
        of = {item.to_double(): item for item in handles_of_all(tuple(filter(_is_handle, args)))}
        numbers = as_array(found)
        return (handles([of[n] for n in numbers.ravel(order="F")], numbers.shape), *places)

    return call


def _is_handle(value: Value) -> bool:
    return isinstance(value, GraphicsObject | GraphicsArray)


def _isvalid(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    alive = [item.alive for item in items_of(args[0])]
    return canonical(np.array(alive).reshape(size_of(args[0]), order="F"))


def _delete(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    for item in items_of(args[0]):
        item.owner.delete(item)
    return None


def _double(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    numbers = [item.to_double() for item in items_of(args[0])]
    return canonical(np.array(numbers).reshape(size_of(args[0]), order="F"))


def _isequal(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    first = args[0]
    if not isinstance(first, GraphicsObject | GraphicsArray):
        return False
    return all(first.equals(other) for other in args[1:])


HANDLE_METHODS: dict[str, Callable[..., Value]] = {
    "horzcat": lambda ctx, args, n: _joined(1, args),
    "vertcat": lambda ctx, args, n: _joined(0, args),
    "cat": _cat,
    "isvalid": _isvalid,
    "delete": _delete,
    "double": _double,
    "isequal": _isequal,
    "addlistener": add_listener,
    **{name: _mover(name) for name in MOVERS},
    **{name: _set(name) for name in _SETS},
}
"""Functions that act on handles, whoever else declares their names."""
