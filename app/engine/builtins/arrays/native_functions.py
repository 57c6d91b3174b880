"""Functions of arrays of our own classes: sets, missing elements, ends and spread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.values import Untyped as Value
from app.engine.values import as_array, canonical, make_logical, unwrap

if TYPE_CHECKING:
    from app.engine.builtins.arrays.native_arrays import NativeArray

_SETS = ("union", "intersect", "setdiff", "setxor")


def _set(name: str) -> Callable[..., Value]:
    """A function of two sets, done with the numbers behind them; the first decides the kind."""

    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        x = next(a for a in args if hasattr(a, "accept"))
        first, second = (x.accept(a) for a in args[:2])
        second = first.aligned(second)
        numbers = (canonical(first.data), canonical(second.data), *args[2:])
        found, *places = ctx.call(name, numbers, max(nargout, 1))
        return (second.like(as_array(found)), *places)

    return call


def _rmmissing(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    x: NativeArray = args[0]
    gone = x.is_missing()
    if 1 in x.shape:
        kept = x.data.ravel(order="F")[~gone.ravel(order="F")]
        shape = (1, -1) if x.shape[0] == 1 else (-1, 1)
        return x.like(kept.reshape(shape)), make_logical(gone)
    bad = gone.any(axis=1)
    return x.like(x.data[~bad]), make_logical(bad.reshape(-1, 1))


def _standardized_missing(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    x: NativeArray = args[0]
    (found,) = ctx.call("ismember", (x, args[1]), 1)
    return x.like(np.where(as_array(found), np.nan, x.data))


def _bounds(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    x, rest = args[0], args[1:]
    before = () if not rest else (np.zeros((0, 0)),)
    return tuple(ctx.call(name, (x, *before, *rest), 1)[0] for name in ("min", "max"))


def _range(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    low, high = _bounds(ctx, args, 2)
    return high.operate("minus", (high, low))


FUNCTIONS: dict[str, Callable[..., Value]] = {
    **{n: _set(n) for n in _SETS},
    "rmmissing": _rmmissing,
    "standardizeMissing": _standardized_missing,
    "bounds": _bounds,
    "range": _range,
    "isinf": lambda ctx, args, n: unwrap(np.isinf(args[0].data)),
}
