"""Grouping by index: accumarray."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from app import memory
from app.accel.numerics.host_sort import sort_order
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.size_arguments import check_room
from app.engine.builtins.statistics import grouping_forms
from app.engine.declarations.device_support import term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import WIDE, saturate
from app.engine.values import (
    Array,
    Cell,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    is_numeric_like,
    is_text_scalar,
    numel,
    text_of,
    true_value,
)
from app.errors import MatlabError

_FAMILY = "arrays"


def _subscripts(ind: Value) -> Array:
    """Rows of 0-based subscripts."""
    if isinstance(ind, Cell):
        columns = [as_array(v).ravel(order="F") for v in ind.items()]
        if len({c.size for c in columns}) > 1:
            text = "All vectors of subscripts must have the same length."
            raise MatlabError("MATLAB:accumarray:cellSizeMismatch", text)
        places = np.column_stack(columns)
    else:
        places = as_array(ind)
        if places.ndim > 2:
            text = "First input SUBS must be a matrix of subscripts, one row each."
            raise MatlabError("MATLAB:accumarray:nonMatrixSubs", text)
    if not ((places >= 1) & (places == np.floor(places)) & (places < 2.0**48)).all():
        text = "First input SUBS must contain positive integer subscripts."
        raise MatlabError("MATLAB:accumarray:nonPosIntIndValues", text)
    return places.astype(np.int64) - 1


def _shape(places: Array, sz: Value | None, *, linear: bool) -> tuple[int, ...]:
    """The size of the result; with ``linear`` a column may count through an array of any size."""
    most = (
        tuple(int(n) + 1 for n in places.max(axis=0))
        if places.size
        else (0,) * max(places.shape[1], 1)
    )
    if sz is None or not numel(sz):
        return (*most, 1) if len(most) == 1 else most
    shape = tuple(int(n) for n in as_array(sz).ravel())
    if linear and len(most) == 1 < len(shape) and most[0] <= math.prod(shape):
        return shape
    wanted = (
        most if len(most) > 1 else (*most, 1) if shape[1:] == (1,) or len(shape) < 2 else (1, *most)
    )
    matrix = len(most) == 1 and 1 not in shape[:2] and len(shape) > 1
    if matrix or len(shape) != len(wanted) or any(map(operator.gt, wanted, shape)):
        text = "Third input SZ must be a full row vector that holds all of the subscripts."
        raise MatlabError("MATLAB:accumarray:invalidSize", text)
    return shape


def _linear(places: Array, shape: tuple[int, ...]) -> Array:
    if not places.size:
        return np.zeros(0, dtype=np.int64)
    if places.shape[1] == 1:
        return places[:, 0]
    if math.prod(shape) > np.iinfo(np.int64).max:
        raise MatlabError("MATLAB:array:SizeLimitExceeded", memory.TOO_LARGE)
    return np.asarray(np.ravel_multi_index(tuple(places.T), shape, order="F"))


@builtin(
    "accumarray",
    category=_FAMILY,
    signatures=(
        "A = accumarray(ind, data)",
        "A = accumarray(ind, data, sz, fun, fillval, issparse)",
    ),
    cases=(
        "isequal(accumarray([1; 2; 1], [10; 20; 30]), [40; 20])",
        "isequal(accumarray([1; 3], [5; 6], [], @max, -1), [5; -1; 6])",
        "isequal(accumarray({[1; 2], [2; 1]}, 1), [0 1; 1 0])",
        "isequal(accumarray([2 1], 1), [0; 1])",
    ),
    see=("histcounts", "sparse"),
    device=term_form(grouping_forms.accumarray),
)
def accumarray(
    ctx: CallContext,
    ind: Value,
    data: Value,
    sz: Value | None = None,
    fun: Value | None = None,
    fill: Value | None = None,
    issparse: Value = False,
) -> Value:
    """Sum (or apply a function to) values that have the same index."""
    places = _subscripts(ind)
    values = as_array(data).ravel(order="F")
    values = np.full(len(places), values[0]) if values.size == 1 else values
    if values.size != len(places):
        text = "Second input VAL must be a vector with one element for each row in SUBS."
        raise MatlabError("MATLAB:accumarray:badSizeValInputMatInd", text)
    shape = _shape(places, sz, linear=getattr(ctx.settings, "octave", False))
    sparse = true_value(issparse)
    if not sparse:
        check_room(shape, 8)
    linear = _linear(places, shape)
    filler = 0.0 if fill is None or not numel(fill) else as_array(fill).flat[0]
    plain = fun is None or not numel(fun)
    if sparse and plain and not filler and len(shape) == 2:
        from scipy.sparse import csc_matrix

        return SparseMatrix.of(csc_matrix((values, (linear % shape[0], linear // shape[0])), shape))
    if plain:
        out = _group_sums(linear, values, shape)
        missing = np.bincount(linear, minlength=out.size) == 0 if filler else None
        if missing is not None:
            out[missing] = filler
    else:
        found = _function_of_groups(ctx, fun, linear, values, shape, filler)
        if isinstance(found, Cell):
            return found
        out = found
    full = out.reshape(shape, order="F")
    if sparse:
        from app.engine.values.sparse_values import from_dense

        made: SparseMatrix = from_dense(full)
        return made
    return canonical(full)


def _group_sums(linear: Array, values: Array, shape: tuple[int, ...]) -> Array:
    total = math.prod(shape)
    if values.dtype.kind == "c":
        return _group_sums(linear, values.real, shape) + 1j * _group_sums(
            linear, values.imag, shape
        )
    if values.dtype in WIDE:
        wide = np.zeros(total, np.longdouble)
        np.add.at(wide, linear, values)
        return saturate(wide, values.dtype, whole=True)
    out = np.bincount(linear, weights=values.astype(np.float64), minlength=total)
    if values.dtype.kind in "iu":
        limits = np.iinfo(values.dtype)
        out = np.clip(out, limits.min, limits.max)
    return np.asarray(out.astype(np.float64 if values.dtype.kind == "b" else values.dtype))


def _function_of_groups(
    ctx: CallContext, fun: Value, linear: Array, values: Array, shape: tuple[int, ...], filler: Any
) -> Array | Cell:
    target = text_of(fun) if is_text_scalar(fun) else fun
    order = sort_order(linear, 0, descending=False)
    ordered = linear[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    places = ordered[starts]
    groups = np.split(values[order], starts[1:]) if places.size else []
    results = [ctx.call(target, (canonical(g.reshape(-1, 1)),), 1)[0] for g in groups]
    if results and not is_numeric_like(results[0]):
        cells = Cell.empty(shape)
        flat = cells.data.reshape(-1, order="F")
        for place, result in zip(places, results, strict=True):
            flat[place] = result.data.flat[0] if isinstance(result, Cell) else result
        return Cell(flat.reshape(shape, order="F"))
    if any(numel(r) != 1 for r in results):
        text = "The function must return a scalar (or a cell) for every group."
        raise MatlabError("MATLAB:accumarray:nonScalarFunction", text)
    arrays = [as_array(r).flat[0] for r in results]
    kind = np.result_type(*{a.dtype for a in arrays}) if arrays else values.dtype
    out = np.full(math.prod(shape), filler, dtype=kind)
    out[places] = arrays
    return out
