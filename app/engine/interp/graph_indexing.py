"""Indexing of lazy arrays on the graph itself, where it has an operation for it."""

from __future__ import annotations

from app.engine.values import Value


def read(x: Value, args: tuple[Value, ...]) -> Value | None:
    """``x(args)`` as a lazy array; None when it has to be read on the host."""
    return None


def write(x: Value, args: tuple[Value, ...], v: Value) -> Value | None:
    """``x(args) = v`` as a lazy array; None when it has to be done on the host."""
    return None
