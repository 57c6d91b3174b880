"""``'ErrorHandler'``: what is called with a failed call's arguments in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.interpreter.try_blocks import attempted
from app.engine.values import Struct, Value
from app.errors import MatlabError

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
    made = attempted(ctx.interpreter, lambda: tuple(ctx.call(function, items, nargout)))
    if not isinstance(made, MatlabError):
        return made
    facts = Struct(
        {"message": made.message, "identifier": made.identifier, "index": position + 1.0}
    )
    return tuple(ctx.call(handler, (facts, *items), nargout))
