"""``'ErrorHandler'``: what is called with a failed call's arguments in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.values import Struct, Value

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context


def call_or_handle(
    ctx: Context,
    function: Value,
    items: tuple[Value, ...],
    nargout: int,
    handler: Value | None,
    position: int,
) -> tuple[Value, ...]:
    """The outputs of a call, or those of a handler of errors, which is told what went wrong."""
    if handler is None:
        return tuple(ctx.call(function, items, nargout))
    try:
        return tuple(ctx.call(function, items, nargout))
    except Exception as problem:
        error = ctx.interpreter.failure(problem)
        facts = Struct(
            {"message": error.message, "identifier": error.identifier, "index": position + 1.0}
        )
        return tuple(ctx.call(handler, (facts, *items), nargout))
