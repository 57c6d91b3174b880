"""Indexing of sparse matrices for programs that have some: it is loaded with the first of them."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from app.engine.values import SparseMatrix, Value


@cache
def _loaded() -> ModuleType:
    from app.engine.interpreter.indexing import sparse

    return sparse


def read(x: SparseMatrix, args: tuple[Value, ...]) -> Value:
    """``x(args)``."""
    made: Value = _loaded().read(x, args)
    return made


def write(x: SparseMatrix, args: tuple[Value, ...], v: Value) -> Value:
    """``x`` after ``x(args) = v``."""
    made: Value = _loaded().write(x, args, v)
    return made


def remove_from(x: SparseMatrix, args: tuple[Value, ...]) -> Value:
    """``x`` after ``x(args) = []``."""
    made: Value = _loaded().remove_from(x, args)
    return made
