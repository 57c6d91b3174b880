"""Which part of a sliced variable some passes of a ``parfor`` may have assigned."""

from __future__ import annotations

import numpy as np

from app.engine.interpreter.indexing.index_read import paren
from app.engine.interpreter.indexing.subscripts import COLON
from app.engine.language import ast
from app.engine.language.parfor_variables import Variable
from app.engine.values import Value, host, int_of, numel, size_of


def slice_of(variable: Variable, value: Value, first: int, last: int) -> tuple[int, int, Value]:
    """What passes whose sliced subscripts go from ``first`` to ``last`` may have assigned.

    Gives the first and last subscript that there is, and the part; the last is before the first
    where the variable does not reach so far.
    """
    last = min(last, extent_of(variable, value))
    if last < first:
        return first, last, None
    subscripts: list[Value] = [COLON] * variable.count
    subscripts[variable.position] = _span(first, last)
    return first, last, paren(value, *subscripts)


def extent_of(variable: Variable, value: Value) -> int:
    """The last sliced subscript that there is."""
    if variable.count == 1:
        return numel(value)
    size = size_of(value)
    if variable.position < variable.count - 1:
        return size[variable.position] if variable.position < len(size) else 1
    return int(np.prod(size[variable.position :]))


def _span(first: int, last: int) -> Value:
    if first == last:
        return float(first)
    return np.arange(first, last + 1, dtype=np.float64).reshape(1, -1)


def places_of(variable: Variable, first: int, last: int, part: Value) -> tuple[Value, ...]:
    """The subscripts that a part of a sliced variable is assigned to."""
    if variable.count == 1:
        return (_span(first, last),)
    size = list(size_of(part))
    while len(size) < variable.count:
        size.append(1)
    whole = [*size[: variable.count - 1], int(np.prod(size[variable.count - 1 :]))]
    places = [_span(1, n) for n in whole]
    places[variable.position] = _span(first, last)
    return tuple(places)


def offset_of(variable: Variable, values: dict[str, Value]) -> int:
    """What is added to the counter in the sliced subscript."""
    return _constant(variable.offset, values)


def _constant(node: ast.Expr | None, values: dict[str, Value]) -> int:
    match node:
        case None:
            return 0
        case ast.Number(value=number):
            return int(number)
        case ast.Unary(operand=operand):
            return -_constant(operand, values)
        case ast.Name(id=name):
            return int_of(host(values[name]))
        case _:
            return 0
