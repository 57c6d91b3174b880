"""Rows of tables as sets: unique, ismember, union, intersect, setdiff, setxor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import receiver
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_operators import below
from app.engine.builtins.containers.table_order import keys_of
from app.engine.declarations.class_methods import add_methods
from app.engine.operators.concatenation import concatenate
from app.engine.values import Array, Value, canonical, is_text_scalar, text_of, unwrap
from app.errors import MatlabError


def _unique(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Rows that differ; in a timetable their times count, too."""
    t = receiver(args, Table)
    words = {text_of(w).lower() for w in args[1:] if is_text_scalar(w)}
    columns = [*([t.times] if t.times is not None else []), *t.columns.values()]
    keys = np.concatenate([keys_of(c) for c in columns], axis=1)
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    back = back.ravel()
    if "stable" in words:
        order = np.argsort(first, kind="stable")
        first, back = first[order], np.argsort(order)[back]
    if "last" in words:
        first = np.array([np.flatnonzero(back == k)[-1] for k in range(len(first))], dtype=int)
    places = [unwrap(x.astype(np.float64).reshape(-1, 1) + 1) for x in (first, back)]
    return (t.rows(first), *places)


def _row_keys(t: Any, names: list[str], other: Any = None) -> tuple[Array, Array]:
    """Rows of two tables as numbers that can be compared."""
    if not isinstance(other, Table) or set(names) - set(other.names):
        text = "Both inputs must be tables with the same variables."
        raise MatlabError("MATLAB:table:setmembership:TypesMismatch", text)
    both = [concatenate(0, [t.columns[n], other.columns[n]]) for n in names]
    keys = np.concatenate([keys_of(c) for c in both], axis=1)
    _, numbers = np.unique(keys, axis=0, return_inverse=True)
    numbers = numbers.ravel()
    return numbers[: t.height], numbers[t.height :]


def _members(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    t, other = receiver(args, Table), args[1]
    a, b = _row_keys(t, t.names, other)
    order = np.argsort(b, kind="stable")
    at = np.searchsorted(b[order], a)
    found = (at < b.size) & (b[order][np.minimum(at, b.size - 1)] == a) if b.size else a < 0
    places = np.where(found, order[np.minimum(at, max(b.size - 1, 0))] + 1.0, 0.0)
    return unwrap(found.reshape(-1, 1)), canonical(places.reshape(-1, 1))


def _set(name: str) -> Callable[..., Value]:
    def method(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        t, other = receiver(args, Table), args[1]
        a, b = _row_keys(t, t.names, other)
        if name in ("union", "setxor"):
            whole = below([t, other])
            both = np.concatenate([a, b])
            _, first = np.unique(both, return_index=True)
            kept = np.isin(both, a) ^ np.isin(both, b) if name == "setxor" else both >= 0
            return whole.rows(first[kept[first]])
        kept = np.isin(a, b) if name == "intersect" else ~np.isin(a, b)
        values, first = np.unique(a, return_index=True)
        chosen = first[kept[first]] if values.size else first
        return t.rows(chosen), canonical(chosen.reshape(-1, 1) + 1.0)

    return method


add_methods(
    "table",
    {
        "unique": _unique,
        "ismember": _members,
        **{n: _set(n) for n in ("union", "intersect", "setdiff", "setxor")},
    },
)
