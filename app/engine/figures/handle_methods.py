"""Functions that act on handles and arrays of handles, whoever else declares their names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.figures.listeners import add_listener
from app.engine.figures.objects import (
    GraphicsArray,
    GraphicsObject,
    handles,
    handles_of_all,
    items_of,
)
from app.engine.values import Value, canonical, size_of


def _row(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    items = handles_of_all(args)
    return handles(items, (1, len(items)))


def _column(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    return handles(handles_of_all(args))


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


def _transposed_handles(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    rows, columns = size_of(args[0])[:2]
    items = items_of(args[0])
    turned = [items[row + rows * column] for row in range(rows) for column in range(columns)]
    return handles(turned, (columns, rows))


HANDLE_METHODS: dict[str, Callable[..., Value]] = {
    "horzcat": _row,
    "vertcat": _column,
    "isvalid": _isvalid,
    "delete": _delete,
    "double": _double,
    "isequal": _isequal,
    "addlistener": add_listener,
    "transpose": _transposed_handles,
    "ctranspose": _transposed_handles,
}
"""Functions that act on handles, whoever else declares their names."""
