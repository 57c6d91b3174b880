"""Distinct values within a tolerance: uniquetol."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import (
    FLOATS,
    MATRIX,
    NONEMPTY,
    NUMBERS,
    REAL,
    SCALAR,
    flag,
    takes,
    unless_text,
)
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
    object_array,
    text_of,
)
from app.errors import MatlabError


def _groups(rows: Array, bound: Array) -> tuple[Array, Array]:
    """First row of each group, and every row's group: a row joins the first group it is near."""
    order = np.lexsort(rows.T[::-1])
    codes = np.full(len(rows), -1)
    firsts: list[int] = []
    for place in order.tolist():
        if codes[place] >= 0:
            continue
        away = np.abs(rows - rows[place])
        near = ((away <= bound) | (rows == rows[place])).all(axis=1) & (codes < 0)
        near[place] = True
        codes[near] = len(firsts)
        firsts.append(place)
    return np.array(firsts, dtype=int), codes


def _chain(flat: Array, bound: float) -> tuple[Array, Array]:
    """The same for single values, by one pass over the sorted ones."""
    order = np.argsort(flat, kind="stable")
    codes = np.empty(flat.size, dtype=int)
    firsts: list[int] = []
    for place in order.tolist():
        x = flat[place]
        if not firsts or not (x == flat[firsts[-1]] or x - flat[firsts[-1]] <= bound):
            firsts.append(place)
        codes[place] = len(firsts) - 1
    return np.array(firsts, dtype=int), codes


@builtin(
    "uniquetol",
    category="sets",
    signatures=(
        "C = uniquetol(A)",
        "[C, ia, ic] = uniquetol(A, tol)",
        "C = uniquetol(..., 'ByRows', tf)",
        "C = uniquetol(..., 'DataScale', s)",
        "[C, ia, ic] = uniquetol(..., 'OutputAllIndices', tf)",
    ),
    cases=(
        "isequal(uniquetol([1 1+1e-14 2]), [1 2])",
        "isequal(uniquetol([1 1.2 3], 0.1, 'DataScale', 3), [1 3])",
    ),
    see=("unique",),
)
@takes(FLOATS & REAL, unless_text(FLOATS & REAL & SCALAR))
def uniquetol(a: Value, *args: Value) -> Value:
    """Distinct values (or rows) whose distance is more than ``tol * max(abs(A(:)))``."""
    x = as_array(a)
    tol = 1e-6 if x.dtype == np.float32 else 1e-12
    if args and not is_text_scalar(args[0]):
        tol, args = float_of(args[0]), args[1:]
    options = {text_of(k).lower(): v for k, v in zip(args[::2], args[1::2], strict=False)}
    for value in options.values():
        (NUMBERS & NONEMPTY)("uniquetol", 4, value)
    unknown = set(options) - {"byrows", "datascale", "outputallindices"}
    if unknown or len(args) % 2:
        raise MatlabError("MATLAB:uniquetol:UnknownOption", "Unknown option or missing value.")
    by_rows = flag(options, "byrows")
    if by_rows:
        MATRIX("uniquetol", 1, a)
    bound = tol * _scale(x, options.get("datascale"), by_rows)
    if by_rows:
        firsts, codes = _groups(x, bound) if x.size else (np.arange(len(x)), np.arange(len(x)))
        found = x[firsts]
    else:
        flat = x.ravel(order="F")
        firsts, codes = _chain(flat, float(np.max(bound, initial=0.0)))
        found = flat[firsts].reshape((1, -1) if x.shape[0] == 1 else (-1, 1))
        found = found.reshape(x.shape) if x.size == 0 else found
    return _kind(a, found), _indices(firsts, codes, options), _column(codes + 1.0)


def _kind(a: Value, found: Array) -> Value:
    if isinstance(a, SparseMatrix):
        from app.engine.values.sparse_values import from_dense

        return from_dense(found)
    return canonical(found)


def _scale(x: Array, given: Value | None, by_rows: bool) -> Array:
    if given is not None:
        scale = as_array(given)
        fits = scale.size in (1, x.shape[1] if by_rows else 1)
        if scale.dtype.kind == "c" or not fits or not (scale > 0).all():
            text = "DataScale must be a positive number, or one for each column with ByRows."
            raise MatlabError("MATLAB:uniquetol:InvalidDataScale", text)
        return scale.astype(np.float64).ravel()
    finite = np.where(np.isfinite(x), np.abs(x), 0)
    axis = 0 if by_rows else None
    return np.asarray(finite.max(axis=axis, initial=0.0))


def _column(x: Array) -> Value:
    return canonical(np.asarray(x, dtype=np.float64).reshape(-1, 1))


def _indices(firsts: Array, codes: Array, options: dict[str, Value]) -> Value:
    if not flag(options, "outputallindices"):
        return _column(firsts + 1.0)
    lists = [_column(np.flatnonzero(codes == k) + 1.0) for k in range(firsts.size)]
    return Cell(object_array(lists, (len(lists), 1)))
