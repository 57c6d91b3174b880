"""Values of the functions that ``fplot`` and its kin draw, on a grid of points."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.figures.properties import plain_text
from app.engine.values import Array, FunctionHandle, Value, as_array, text_of, texts_of
from app.errors import MatlabError

_WARNING = (
    "Function fails on array inputs. For better performance, use element-wise operators to "
    "vectorize it."
)


def function_of(ctx: CallContext, value: Value, least: str = "x") -> FunctionHandle:
    """A function given as a handle, by name, or as an expression of its variables.

    Equations are functions that are zero where they hold. ``least`` are the variables of an
    expression that has none.
    """
    if isinstance(value, FunctionHandle):
        return value
    text = plain_text(value)
    if text.startswith("@") or (text.isidentifier() and ctx.resolve(text) is not None):
        return ctx.parse_handle(text)
    text = re.sub(r"^([^=]+)={1,2}([^=]+)$", r"(\1)-(\2)", text)
    names = texts_of(ctx.call("symvar", (text,), 1)[0]) or list(least)
    body = text_of(ctx.call("vectorize", (text,), 1)[0])
    return ctx.parse_handle(f"@({','.join(names)}) {body}")


def function_values(ctx: CallContext, function: Value, *grids: Array) -> Array:
    """The function on all points at once; point by point, with a warning, when that fails."""
    shape = grids[0].shape
    try:
        return np.broadcast_to(as_array(ctx.call(function, grids)[0]), shape)
    except (MatlabError, ValueError) as problem:
        if isinstance(problem, MatlabError) and problem.identifier in _NOT_BY_SHAPE:
            raise
    found = [
        _value_at_point(ctx, function, point)
        for point in zip(*(g.ravel() for g in grids), strict=True)
    ]
    ctx.warning("MATLAB:fplot:NotVectorized", _WARNING)
    return np.array(found).reshape(shape)


_NOT_BY_SHAPE = frozenset(("MATLAB:UndefinedFunction", "MATLAB:minrhs", "MATLAB:TooManyInputs"))


def _value_at_point(ctx: CallContext, function: Value, point: tuple[Any, ...]) -> Any:
    return as_array(ctx.call(function, tuple(float(v) for v in point))[0]).flat[0]
