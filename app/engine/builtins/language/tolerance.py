"""Comparing an observed value with an expected one, as ``assert(observed, expected, tol)`` does."""

from __future__ import annotations

import numpy as np

from app.engine.values import (
    Cell,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    as_array,
    class_of,
    is_char,
    is_numeric_like,
    is_struct,
    numel,
    size_of,
)


def differs(observed: Value, expected: Value, tolerance: Value | None = None) -> str:
    """What is different, in words; empty when nothing is.

    A positive tolerance is absolute, a negative one relative; none compares classes, too.
    """
    if isinstance(expected, Cell) or isinstance(observed, Cell):
        return _cells(observed, expected, tolerance)
    if isinstance(expected, Struct | StructArray):
        return _structs(observed, expected, tolerance)
    if is_numeric_like(observed) and is_numeric_like(expected):
        return _numbers(observed, expected, tolerance)
    from app.engine.builtins.arrays.predicates import equal

    return "" if equal(observed, expected, nan_equal=True) else "values do not match"


def _cells(observed: Value, expected: Value, tolerance: Value | None) -> str:
    if not isinstance(observed, Cell) or not isinstance(expected, Cell):
        return f"class {class_of(observed)} is not {class_of(expected)}"
    if observed.shape != expected.shape:
        return f"size {observed.shape} is not {expected.shape}"
    for x, y in zip(observed.items(), expected.items(), strict=True):
        problem = differs(x, y, tolerance)
        if problem:
            return problem
    return ""


def _contents(s: Struct | StructArray, name: str) -> Value:
    """What a field holds; of a struct array, all of it as a cell."""
    return s.fields[name] if isinstance(s, Struct) else Cell(s.fields[name])


def _structs(observed: Value, expected: Value, tolerance: Value | None) -> str:
    if not is_struct(observed) or not is_struct(expected):
        return "fields do not match"
    if set(observed.fields) != set(expected.fields):
        return "fields do not match"
    if size_of(observed) != size_of(expected):
        return "sizes of the structs do not match"
    for name in expected.fields:
        pair = _contents(observed, name), _contents(expected, name)
        problem = differs(*pair, tolerance)
        if problem:
            return f"{name}: {problem}"
    return ""


def _numbers(observed: Value, expected: Value, tolerance: Value | None) -> str:
    if is_char(expected):
        if not is_char(observed):
            return f"class {class_of(observed)} is not char"
        same = size_of(observed) == size_of(expected) and np.array_equal(
            as_array(observed), as_array(expected)
        )
        return "" if same else "texts do not match"
    exact = tolerance is None
    tol = np.zeros((1, 1)) if tolerance is None or not numel(tolerance) else as_array(tolerance)
    if exact and class_of(observed) != class_of(expected):
        return f"class {class_of(observed)} is not {class_of(expected)}"
    if exact and isinstance(observed, SparseMatrix) != isinstance(expected, SparseMatrix):
        return "one is sparse, the other full"
    x, y = as_array(observed), as_array(expected)
    if x.shape != y.shape:
        return f"size {x.shape} is not {y.shape}"
    if x.dtype.kind in "biu" and y.dtype.kind in "biu" and not tol.any():
        return "" if (x == y).all() else "values do not match"
    x, y = np.asarray(x, dtype=complex), np.broadcast_to(np.asarray(y, dtype=complex), x.shape)
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    if same.all():
        return ""
    gap = np.abs(x - y)
    relative = np.broadcast_to(tol < 0, x.shape) if tol.shape in (x.shape, (1, 1)) else tol < 0
    bound = np.where(relative, np.abs(tol) * np.abs(y), np.abs(tol))
    worst = np.where(same, 0.0, gap)
    return "" if bool((same | (gap <= bound)).all()) else f"maximal difference {worst.max():g}"
