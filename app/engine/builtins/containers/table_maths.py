"""Tables in arithmetic: ``T + 1``, ``T1 .* T2``, ``sin(T)``, ``sum(T)``, sets of rows, gaps filled.

What is done is done to every variable; results keep the names of variables and rows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import receiver
from app.engine.builtins.containers.table_class import Table
from app.engine.declarations.class_methods import add_methods
from app.engine.declarations.registry import lookup
from app.engine.values import (
    EMPTY,
    Value,
    as_array,
    canonical,
    is_numeric_like,
    is_text_scalar,
)
from app.errors import MatlabError

ARITHMETIC = (
    "plus",
    "minus",
    "times",
    "rdivide",
    "ldivide",
    "power",
    "mod",
    "rem",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "and",
    "or",
)
_UNARY = (
    "abs",
    "sqrt",
    "exp",
    "log",
    "log2",
    "log10",
    "log1p",
    "expm1",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "round",
    "floor",
    "ceil",
    "fix",
    "not",
    "uminus",
    "uplus",
    "cumsum",
    "cumprod",
    "sign",
    "isnan",
    "isfinite",
    "isinf",
)
_REDUCTIONS = (
    "sum",
    "mean",
    "median",
    "mode",
    "std",
    "var",
    "min",
    "max",
    "prod",
    "range",
    "any",
    "all",
)


def negated_variable(name: str, column: Value) -> Value:
    """``-T`` and ``~T`` of one variable."""
    form = lookup(name)
    assert form is not None
    return form.call(None, (column,))


def elementwise(name: str, args: tuple[Value, ...]) -> Value:
    """An operator of tables, or of a table and numbers (a scalar or a value per variable)."""
    form = lookup(name)
    tables = [a for a in args if isinstance(a, Table)]
    first = tables[0]
    if form is None or len(args) != 2:
        return NotImplemented
    if len(tables) == 2 and (
        set(first.names) != set(tables[1].names) or first.height != tables[1].height
    ):
        message = "Tables must have the same variables and the same number of rows."
        raise MatlabError("MATLAB:table:math:DifferentSizes", message)

    def operand(a: Value, name: str, k: int) -> Value:
        if isinstance(a, Table):
            return a.columns[name]
        x = as_array(a)
        wide = x.ndim == 2 and x.shape[1] == len(first.names) and x.size > 1
        return canonical(x[:, k : k + 1]) if wide else a

    columns = {
        n: form.call(None, tuple(operand(a, n, k) for a in args)) for k, n in enumerate(first.names)
    }
    return first.with_columns(columns)


def _operator(name: str) -> Callable[..., Value]:
    return lambda ctx, args, nargout: elementwise(name, args)


def _unary(name: str) -> Callable[..., Value]:
    def method(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        t, rest = receiver(args, Table), args[1:]
        made = {n: ctx.call(name, (c, *rest), 1)[0] for n, c in t.columns.items()}
        return t.with_columns(made)

    return method


def _reduction(name: str) -> Callable[..., Value]:
    """Down every variable, or along the rows with dimension 2, whose variable has the name."""

    def method(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        t, rest = receiver(args, Table), args[1:]
        numbers = [as_array(a) for a in rest if is_numeric_like(a) and np.size(as_array(a))]
        if numbers and int(numbers[-1].flat[0]) == 2:
            (found,) = ctx.call(name, (t.brace_get(ctx, (":", ":"), 1), *rest), 1)
            return Table({name: found}, t.height, t.row_names, t.times)
        words = [a for a in rest if is_text_scalar(a)]
        before = {"std": (0.0,), "var": (0.0,), "min": (EMPTY,), "max": (EMPTY,)}.get(name, ())
        made = {n: ctx.call(name, (c, *before, 1.0, *words), 1)[0] for n, c in t.columns.items()}
        return Table(made, 1)

    return method


add_methods(
    "table",
    {
        **{n: _unary(n) for n in _UNARY},
        **{n: _reduction(n) for n in _REDUCTIONS},
        **{n: _operator(n) for n in ARITHMETIC},
    },
)
