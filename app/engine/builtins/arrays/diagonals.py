"""Parts of matrices by their diagonals: triu, tril, diag, blkdiag."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from app.engine.arguments.operation_rules import result_class, undefined_for_class
from app.engine.builtins.arrays import array_forms, structured_forms
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import cast
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.values import (
    DTYPE_OF_CLASS,
    EMPTY,
    Array,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    class_of,
    int_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "arrays"


def _triangle(name: str, function: Callable[..., Any], a: Value, k: Value) -> Value:
    if isinstance(a, SparseMatrix):
        from scipy import sparse

        return SparseMatrix.of(getattr(sparse, name)(a.matrix, int_of(k)).tocsc())
    if isinstance(a, Struct | StructArray):
        raise undefined_for_class(name, a)
    if type(a) is np.ndarray and a.ndim == 2 and type(k) is float and a.size <= _MASKED:
        return _masked(function, a, int(k))
    data = data_of(a)
    if data.ndim > 2:
        raise MatlabError(f"MATLAB:{name}:inputMustBe2D", "First input must be 2-D.")
    return rebuild(a, _hollow(function(data, int_of(k))))


_MASKED = 1 << 14
"""Up to so many elements the mask of a triangle is kept."""


def _masked(function: Callable[..., Any], a: Array, k: int) -> Value:
    """The triangle of a small matrix: what lies outside loses all its bits."""
    if a.dtype.kind == "c":
        mask = _mask(function, a.shape, k, "b").astype(np.bool_)
        return canonical(np.where(mask, a, a.dtype.type(0)))
    whole = _OF_BYTES[a.dtype.itemsize]
    return canonical((a.view(whole) & _mask(function, a.shape, k, whole)).view(a.dtype))


_OF_BYTES = {1: "b", 2: "h", 4: "i", 8: "q"}
"""Integers of so many bytes."""


@lru_cache(maxsize=16)
def _mask(function: Callable[..., Any], shape: tuple[int, ...], k: int, whole: str) -> Array:
    """All bits set in the part of a matrix that a function keeps, in column-major order."""
    return np.asfortranarray(function(np.full(shape, -1, whole), k))


def _hollow(data: Array) -> Array:
    """NumPy's zeros in an array of cell contents become ``[]``: no value is a Python int."""
    if data.dtype == object:
        for place, item in np.ndenumerate(data):
            if type(item) is int:
                data[place] = EMPTY
    return data


@builtin(
    "triu",
    words="",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=("U = triu(A)", "U = triu(A, k)"),
    device=term_form(array_forms.triu),
    cases=("isequal(triu([1 2; 3 4]), [1 2; 0 4])",),
    see=("tril", "diag"),
)
def triu(a: Value, k: Value = 0.0) -> Value:
    """Upper triangular part."""
    return _triangle("triu", np.triu, a, k)


@builtin(
    "tril",
    words="",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=("L = tril(A)", "L = tril(A, k)"),
    device=term_form(array_forms.tril),
    cases=("isequal(tril([1 2; 3 4]), [1 0; 3 4])",),
    see=("triu", "diag"),
)
def tril(a: Value, k: Value = 0.0) -> Value:
    """Lower triangular part."""
    return _triangle("tril", np.tril, a, k)


@builtin(
    "diag",
    words="",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=("d = diag(A)", "d = diag(A, k)", "D = diag(v)", "D = diag(v, k)"),
    device=term_form(structured_forms.diag),
    cases=(
        "isequal(diag([1 2; 3 4]), [1; 4])",
        "isequal(diag([1 2]), [1 0; 0 2])",
        "isequal(diag(5, 1), [0 5; 0 0])",
    ),
    see=("triu", "eye"),
)
def diag(a: Value, k: Value = 0.0) -> Value:
    """Diagonal of a matrix as a column, or a diagonal matrix from a vector."""
    if isinstance(a, Struct | StructArray):
        raise undefined_for_class("diag", a)
    data = data_of(a)
    offset = int_of(k)
    if data.ndim > 2:
        raise MatlabError("MATLAB:diag:inputMustBe2D", "First input must be 2-D.")
    if data.shape == (0, 0):
        return a
    if data.size == 0 and 1 not in data.shape:
        return rebuild(a, data.reshape(-1, order="F")[:0].reshape(0, 1))
    if 1 in data.shape:
        extent = data.size + abs(offset)
        made = np.zeros((extent, extent), data.dtype, order="F")
        first = offset * extent if offset > 0 else -offset
        made.reshape(-1, order="F")[first :: extent + 1][: data.size] = data.reshape(-1)
        return rebuild(a, _hollow(made))
    inside = -data.shape[0] < offset < data.shape[1]
    found = np.diagonal(data, offset) if inside else data[:0, 0]
    return rebuild(a, found.reshape(-1, 1).copy())


@builtin(
    "blkdiag",
    category=_FAMILY,
    signatures=("B = blkdiag(A1, A2, ...)",),
    device=of_resident(structured_forms.blkdiag),
    cases=("isequal(blkdiag(1, [2 3]), [1 0 0; 0 2 3])",),
    see=("diag",),
)
def blkdiag(*blocks: Value) -> Value:
    """Block diagonal matrix; sparse when one of the blocks is."""
    if any(isinstance(b, SparseMatrix) for b in blocks):
        from scipy import sparse

        parts = [b.matrix if isinstance(b, SparseMatrix) else as_array(b) for b in blocks]
        return SparseMatrix.of(sparse.block_diag(parts, format="csc"))
    arrays = [as_array(b) for b in blocks]
    dtype = DTYPE_OF_CLASS[result_class(["double", *map(class_of, blocks)])]
    if any(a.dtype.kind == "c" for a in arrays):
        dtype = np.result_type(dtype, np.complex64)
    out = np.zeros(
        (sum(a.shape[0] for a in arrays), sum(a.shape[1] for a in arrays)),
        dtype=dtype,
    )
    row = column = 0
    for a in arrays:
        out[row : row + a.shape[0], column : column + a.shape[1]] = cast(a, dtype)
        row, column = row + a.shape[0], column + a.shape[1]
    return unwrap(out)
