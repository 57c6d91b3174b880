"""Cell arrays: cell, num2cell, cell2mat, mat2cell, cellfun, cellslices, deal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np

from app.engine.arguments import size_arguments
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import STRUCT, takes
from app.engine.arguments.dimensions import dimension_list
from app.engine.capture.term_arrays import is_resident
from app.engine.capture.terms import Term
from app.engine.declarations.device_support import CONTAINER, SELF
from app.engine.declarations.registry import builtin
from app.engine.operators.concatenation import concatenate
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.values import (
    EMPTY,
    Cell,
    DeviceArray,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    class_of,
    host,
    int_of,
    is_numeric_like,
    numel,
    object_array,
    size_of,
    texts_of,
    unwrap,
)
from app.engine.values.containers import PIECE
from app.errors import MatlabError

_FAMILY = "cells"
LEAST_BLOCK = 4096
"""Elements of a block, on the average, that is cut on the device: a kernel where it is used."""


@builtin(
    "cell",
    category=_FAMILY,
    signatures=("C = cell(n)", "C = cell(m, n, ...)", "C = cell(sz)"),
    cases=("isequal(size(cell(2, 3)), [2 3])", "isempty(cell(0))"),
    see=("num2cell",),
)
def cell(*args: Value) -> Value:
    """Cell array of empty matrices."""
    if len(args) == 1 and isinstance(args[0], Cell):
        return args[0]
    shape = size_arguments.shape_of(args) if args else (0, 0)
    size_arguments.check_room(shape, np.dtype(object).itemsize)
    return Cell.empty(shape)


@builtin(
    "num2cell",
    category=_FAMILY,
    signatures=("C = num2cell(A)", "C = num2cell(A, dim)"),
    cases=(
        "isequal(num2cell([1 2]), {1, 2})",
        "isequal(num2cell([1 2; 3 4], 1), {[1; 3], [2; 4]})",
    ),
    see=("cell2mat", "mat2cell"),
    device=SELF,
)
def num2cell(a: Value, dims: Value | None = None) -> Value:
    """A cell for every element, or for every slice along dimensions."""
    if dims is not None and type(a) is DeviceArray:
        axes = dimension_list(host(dims))
        cuts = [[n] if k in axes else [1] * n for k, n in enumerate(a.shape)]
        return _blocks_there(a, cuts) or num2cell(host(a), dims)
    data = data_of(host(a))
    if dims is None:
        return Cell.of(_singles(a, data), data.shape)
    axes = dimension_list(dims)
    shape = tuple(1 if i in axes else n for i, n in enumerate(data.shape))
    out = np.empty(shape, dtype=object)
    for place in np.ndindex(*shape):
        picks = tuple(slice(None) if i in axes else slice(k, k + 1) for i, k in enumerate(place))
        out[place] = rebuild(a, data[picks])
    return Cell(out)


def _singles(like: Value, data: Any) -> Iterable[Value]:
    if data.dtype in (np.float64, np.bool_) and is_numeric_like(like):
        plain = data.ravel(order="F")
        if plain.size <= PIECE:
            return list(plain.tolist())
        pieces = (plain[k : k + PIECE].tolist() for k in range(0, plain.size, PIECE))
        return chain.from_iterable(pieces)
    flat = data.ravel(order="F")
    if flat.dtype.kind == "c":
        return (canonical(flat[i : i + 1].reshape(1, 1)) for i in range(flat.size))
    return (rebuild(like, flat[i : i + 1].reshape(1, 1)) for i in range(flat.size))


@builtin(
    "cell2mat",
    category=_FAMILY,
    signatures=("A = cell2mat(C)",),
    cases=("isequal(cell2mat({1 2; 3 4}), [1 2; 3 4])", "isequal(cell2mat({[1 2], 3}), [1 2 3])"),
    see=("num2cell", "mat2cell"),
    device=SELF,
)
def cell2mat(ctx: CallContext, c: Value) -> Value:
    """Join the contents of a cell array into one array; Octave joins cells, too."""
    if not isinstance(c, Cell):
        if numel(c) == 0:
            return EMPTY
        raise MatlabError("MATLAB:cell2mat:UnsupportedCellContent", "C must be a cell array.")
    if c.data.size == 0:
        return np.zeros(c.shape)
    if set(map(type, c.items())) == {float}:
        return unwrap(c.data.astype(np.float64))
    kinds = {class_of(x) for x in c.items()}
    if len(kinds) > 1:
        text = "All contents of the input cell array must be of the same data type."
        raise MatlabError("MATLAB:cell2mat:MixedDataTypes", text)
    octave = getattr(ctx.settings, "octave", False)
    if kinds & ({"function_handle"} if octave else {"function_handle", "cell"}):
        text = "Cannot support cell arrays containing cell arrays or objects."
        raise MatlabError("MATLAB:cell2mat:UnsupportedCellContent", text)
    if c.data.size == 1:
        return c.data.flat[0]
    data = c.data
    for axis in range(data.ndim - 1, -1, -1):
        data = _joined_along(data, axis)
    return data.flat[0]


def _joined_along(data: Any, axis: int) -> Any:
    """Cells joined along one axis of the cell array."""
    moved = np.moveaxis(data, axis, -1)
    out = np.empty(moved.shape[:-1], dtype=object)
    for place in np.ndindex(*moved.shape[:-1]):
        out[place] = concatenate(axis, list(moved[place]))
    return np.expand_dims(out, axis)


@builtin(
    "mat2cell",
    category=_FAMILY,
    signatures=("C = mat2cell(A, r)", "C = mat2cell(A, r, c, ...)"),
    cases=("isequal(mat2cell([1 2 3], 1, [1 2]), {1, [2 3]})",),
    see=("cell2mat",),
    device=SELF,
)
def mat2cell(a: Value, *parts: Value) -> Value:
    """Cut an array into blocks of given sizes."""
    size = size_of(a)
    cuts = [[int(n) for n in as_array(host(p)).ravel()] for p in parts]
    cuts += [[n] for n in size[len(cuts) :]]
    for axis, lengths in enumerate(cuts):
        extent = size[axis] if axis < len(size) else 1
        if sum(lengths) != extent:
            text = (
                f"Input arguments, D1 through D{len(cuts)}, must sum to each dimension of the "
                f"input matrix size, [{' '.join(map(str, size))}]."
            )
            raise MatlabError("MATLAB:mat2cell:VectorSumMismatch", text)
    there = _blocks_there(a, cuts) if type(a) is DeviceArray else None
    if there is not None:
        return there
    data = data_of(host(a))
    edges = [np.concatenate([[0], np.cumsum(lengths)]) for lengths in cuts]
    out = np.empty(tuple(len(lengths) for lengths in cuts), dtype=object)
    for place in np.ndindex(*out.shape):
        picks = tuple(slice(int(e[k]), int(e[k + 1])) for e, k in zip(edges, place, strict=True))
        out[place] = rebuild(a, data[picks[: data.ndim]])
    return Cell(out)


def _blocks_there(a: DeviceArray, cuts: list[list[int]]) -> Cell | None:
    """Blocks of an array that is on the device; None where they are small, or one is empty."""
    small = a.size < LEAST_BLOCK * math.prod(map(len, cuts)) or not all(map(all, cuts))
    if small or len(cuts) != len(a.shape) or not is_resident(a):
        return None
    edges = [np.concatenate([[0], np.cumsum(lengths)]) for lengths in cuts]
    out = np.empty(tuple(len(lengths) for lengths in cuts), dtype=object)
    for place in np.ndindex(*out.shape):
        part = Term(a.node, a.guarded)
        for axis, (k, lengths) in enumerate(zip(place, cuts, strict=True)):
            if len(lengths) > 1:
                part = part.part(axis, int(edges[axis][k]), lengths[k])
        out[place] = part.value
    return Cell(out)


@builtin(
    "deal",
    category=_FAMILY,
    signatures=("[a, b, ...] = deal(x)", "[a, b, ...] = deal(x, y, ...)"),
    device=CONTAINER,
    cases=("deal(5) == 5",),
)
def deal(*args: Value, nargout: int = 1) -> Value:
    """Give inputs to outputs, one input to all."""
    wanted = max(nargout, 1)
    if len(args) == 1:
        return args * wanted
    if len(args) != wanted:
        text = "The number of outputs should match the number of inputs."
        raise MatlabError("MATLAB:deal:narginNargoutMismatch", text)
    return args


@builtin(
    "cell2struct",
    category="structs",
    signatures=("S = cell2struct(C, fields)", "S = cell2struct(C, fields, dim)"),
    cases=("cell2struct({1; 2}, {'a'; 'b'}, 1).b == 2",),
    see=("struct2cell",),
)
def cell2struct(c: Value, fields: Value, dim: Value = 1.0) -> Value:
    """A struct array whose fields are slices of a cell array."""
    if not isinstance(c, Cell):
        text = "First argument must be a cell array."
        raise MatlabError("MATLAB:cell2struct:InvalidInput", text)
    names = [t.rstrip() for t in texts_of(fields)]
    axis = int_of(dim) - 1
    moved = c.data if axis == 0 else np.moveaxis(c.data, axis, 0)
    if moved.shape[0] != len(names):
        text = "Number of field names must match number of fields in new structure."
        raise MatlabError("MATLAB:cell2struct:FieldMismatch", text)
    rest = moved.shape[1:]
    shape = (*rest, 1) if len(rest) == 1 else rest
    if math.prod(shape) == 1:
        return Struct({n: moved[k].flat[0] for k, n in enumerate(names)})
    columns = {n: object_array(list(moved[k].ravel(order="F")), shape) for k, n in enumerate(names)}
    return StructArray(columns, shape)


@builtin(
    "struct2cell",
    category="structs",
    signatures=("C = struct2cell(S)",),
    cases=("isequal(struct2cell(struct('a', 1, 'b', 2)), {1; 2})",),
    see=("cell2struct",),
)
@takes(STRUCT)
def struct2cell(s: Struct | StructArray) -> Value:
    """Field values as a cell array, fields along the first dimension."""
    if isinstance(s, Struct):
        return Cell.of(s.fields.values(), (len(s.fields), 1))
    stacked = np.empty((len(s.fields), *s.shape), dtype=object)
    for k, column in enumerate(s.fields.values()):
        stacked[k] = column
    return Cell(stacked)
