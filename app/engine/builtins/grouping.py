"""Grouping by index: accumarray."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.engine.builtins.registry import builtin
from app.engine.values import Array, Cell, Value, as_array, is_numeric_like, numel, unwrap
from app.errors import MatlabError

_FAMILY = "arrays"


@builtin("accumarray", category=_FAMILY,
         signatures=("A = accumarray(ind, data)", "A = accumarray(ind, data, sz, fun, fillval)"),
         cases=("isequal(accumarray([1; 2; 1], [10; 20; 30]), [40; 20])",),
         see=("histcounts", "sparse"))  # fmt: skip
def accumarray(ctx: Any, ind: Value, data: Value, sz: Value | None = None,
               fun: Value | None = None, fill: Value = 0.0,
               as_sparse: Value = False) -> Value:  # fmt: skip
    """Sum (or apply a function to) values that have the same index."""
    subscripts = as_array(ind) if not isinstance(ind, Cell) else np.stack(
        [as_array(c).ravel(order="F") for c in ind.items()], axis=1)
    places = subscripts.astype(np.int64)
    if (places != subscripts).any():
        raise MatlabError("MATLAB:accumarray:nonPosIntIndValues",
                          "First input SUBS must contain positive integer subscripts.")
    if places.shape[0] == 1:
        places = places.T
    if not places.size:
        extent = (0, 1) if sz is None or not numel(sz) else tuple(
            int(n) for n in as_array(sz).ravel())
        return np.zeros(extent)
    values = as_array(data).ravel(order="F")
    values = np.full(len(places), values[0]) if values.size == 1 else values
    if places.min() < 1:
        raise MatlabError("MATLAB:accumarray:nonPosIntIndValues",
                          "First input SUBS must contain positive integer subscripts.")  # fmt: skip
    shape = tuple(int(n) for n in places.max(axis=0)) if sz is None or not numel(sz) else (
        tuple(int(n) for n in as_array(sz).ravel()))  # fmt: skip
    shape = (*shape, 1) if len(shape) == 1 else shape
    columns = [places[:, i] - 1 for i in range(places.shape[1])]
    columns += [np.zeros(len(places), dtype=np.int64)] * (len(shape) - len(columns))
    linear = np.ravel_multi_index(columns, shape, order="F")
    if fun is None or not numel(fun):
        summed = np.bincount(linear, weights=values.real, minlength=math.prod(shape))
        return unwrap(summed.reshape(shape, order="F"))
    return _accumulated(ctx, fun, linear, values, shape, float(as_array(fill).flat[0]))


def _accumulated(ctx: Any, fun: Value, linear: Array, values: Array, shape: tuple[int, ...],
                 fill: float) -> Value:  # fmt: skip
    order = np.argsort(linear, kind="stable")
    places, starts = np.unique(linear[order], return_index=True)
    out = np.full(math.prod(shape), fill)
    groups = np.split(values[order], starts[1:])
    results = [ctx.call(fun, (unwrap(g.reshape(-1, 1)),), 1)[0] for g in groups]
    if results and not is_numeric_like(results[0]):
        cells = Cell.empty(shape)
        flat = cells.data.reshape(-1, order="F")
        for place, result in zip(places, results, strict=True):
            flat[place] = result.data.flat[0] if isinstance(result, Cell) else result
        return Cell(flat.reshape(shape, order="F"))
    out[places] = [as_array(r).flat[0] for r in results]
    return unwrap(out.reshape(shape, order="F"))
