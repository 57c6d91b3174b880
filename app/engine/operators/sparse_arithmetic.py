"""Arithmetic of sparse matrices, on SciPy's compressed columns."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from app.accel.numerics import superlu
from app.engine import stoppable
from app.engine.operators.expansion import align
from app.engine.values import (
    Array,
    DeviceArray,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    make_logical,
    numel,
    size_of,
    unwrap,
)
from app.engine.values import compressed_columns as cc
from app.engine.values.sparse_values import from_dense, sparse_value
from app.errors import MatlabError, agreement_error, concatenation_error, inner_error, size_error

Comparison = Callable[[Any, Any], Any]
_COMPARISONS: dict[str, Comparison] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "and": np.logical_and,
    "or": np.logical_or,
}


_OF_NUMBERS: dict[object, Comparison] = {
    np.equal: operator.eq,
    np.not_equal: operator.ne,
    np.less: operator.lt,
    np.less_equal: operator.le,
    np.greater: operator.gt,
    np.greater_equal: operator.ge,
    np.logical_and: lambda p, q: bool(p) and bool(q),
    np.logical_or: lambda p, q: bool(p) or bool(q),
}
"""The same of two numbers."""

_ORDERINGS = frozenset(("lt", "le", "gt", "ge"))
"""Comparisons that look at real parts only."""
SMALL = 40
"""Rows up to which a system is solved as a full one: the sparse solver takes longer to begin."""


def _matrix(v: Value) -> Any:
    return v if type(v) is SparseMatrix else as_array(v)


def _scipys(m: Any) -> Any:
    """An operand as SciPy's operators take it."""
    return m.matrix if type(m) is SparseMatrix else m


def _float(m: Any) -> Any:
    if m.dtype.char != "?":
        return m
    return m.astype(np.float64) if type(m) is np.ndarray else cc.as_doubles(m)


def _real_part(v: Value) -> Value:
    if type(v) is SparseMatrix:
        return cc.with_data(v, v.data.real) if v.dtype.kind == "c" else v
    if type(v) is complex or (type(v) is np.ndarray and v.dtype.kind == "c"):
        return unwrap(np.asarray(as_array(v).real))
    return v


def binary(name: str, a: Value, b: Value) -> Value:
    """An operator with at least one sparse side; NotImplemented for what is no number."""
    if type(a) is SparseMatrix and type(b) is SparseMatrix and a.shape == b.shape:
        merge = _MERGES.get(name)
        if merge is not None and cc.are_alike(a, b):
            return cc.merged(merge[0], a, b, merge[1])
    if name == "mtimes" and DeviceArray in (type(a), type(b)):
        from app.engine.operators import sparse_products

        found = sparse_products.product(a, b)
        if found is not NotImplemented:
            return found
    try:
        x, y = _matrix(a), _matrix(b)
    except MatlabError:
        return NotImplemented
    compare = _COMPARISONS.get(name)
    if compare is not None:
        if name in _ORDERINGS and "c" in (x.dtype.kind, y.dtype.kind):
            a, b = _real_part(a), _real_part(b)
            x, y = _matrix(a), _matrix(b)
        return _sparse_comparison(compare, a, b, x, y)
    operation = _OPERATIONS.get(name)
    return NotImplemented if operation is None else operation(a, b, _float(x), _float(y))


_MERGES: dict[str, tuple[cc.Routine, cc.DType | None]] = {
    "plus": (cc.ADD, None),
    "minus": (cc.SUBTRACT, None),
    "times": (cc.MULTIPLY, None),
    "ne": (cc.DIFFERS, cc.TRUTH),
    "lt": (cc.LESS, cc.TRUTH),
    "gt": (cc.GREATER, cc.TRUTH),
}
"""Operators on two matrices of doubles of one size, with the class of what they give."""


def _sparse_comparison(compare: Comparison, a: Value, b: Value, x: Any, y: Any) -> Value:
    """A comparison: only stored elements are looked at where two zeros compare as false."""
    of_numbers = _OF_NUMBERS[compare]
    if type(a) is SparseMatrix and type(b) is SparseMatrix and a.shape == b.shape:
        if not of_numbers(0.0, 0.0):
            return _of_two(compare, x, y)
        return from_dense(compare(a.dense(), b.dense()))
    left, right = _single(a), _single(b)
    if right is not None and type(a) is SparseMatrix and not of_numbers(0.0, right):
        return cc.with_data(x, compare(x.data, right))
    if left is not None and type(b) is SparseMatrix and not of_numbers(left, 0.0):
        return cc.with_data(y, compare(left, y.data))
    if type(right) is float:
        return from_dense(compare(as_array(a), right))
    p, q = align(as_array(a), as_array(b))
    return from_dense(np.asarray(compare(p, q)))


def _single(v: Value) -> Value | None:
    """The only element; None where there are others or none."""
    if type(v) is float:
        return v
    if type(v) is SparseMatrix:
        return _number(v) if v.shape == (1, 1) else None
    return as_array(v).flat[0] if numel(v) == 1 else None


def _number(v: SparseMatrix) -> Any:
    """The only element, as Python's number."""
    return v.data.item() if v.data.size else v.dtype.type(0).item()


def _of_two(compare: Comparison, x: SparseMatrix, y: SparseMatrix) -> Value:
    """A comparison of two matrices of one size that is false of two zeros."""
    if compare in _OF_PATTERNS:
        return cc.merged(_OF_PATTERNS[compare], cc.pattern(x), cc.pattern(y))
    return cc.merged(_ROUTINES[compare], *cc.alike(_float(x), _float(y)), cc.TRUTH)


_OF_PATTERNS: dict[object, cc.Routine] = {np.logical_and: cc.MULTIPLY, np.logical_or: cc.ADD}
"""What two matrices of truth values give, by the comparison of their elements."""

_ROUTINES: dict[object, cc.Routine] = {
    np.not_equal: cc.DIFFERS,
    np.less: cc.LESS,
    np.greater: cc.GREATER,
}


def _check(a: Value, b: Value) -> None:
    for m, n in zip(size_of(a), size_of(b), strict=False):
        if m != n and 1 not in (m, n):
            raise size_error()


def _both_sparse(a: Value, b: Value) -> bool:
    return type(a) is SparseMatrix and type(b) is SparseMatrix


def _sum(ufunc: np.ufunc, routine: cc.Routine) -> Callable[..., Value]:
    def add(a: Value, b: Value, x: Any, y: Any) -> Value:
        both = _both_sparse(a, b)
        if both and x.shape == y.shape:
            return cc.narrowed(cc.merged(routine, *cc.alike(x, y)))
        if type(a) is float or type(b) is float:
            left, right = _single(a), _single(b)
            if type(left) is float and type(right) is float:
                return float(ufunc(left, right))
        _check(a, b)
        dense = ufunc(as_array(a), as_array(b))
        return from_dense(dense) if both else canonical(dense)

    return add


def _times(a: Value, b: Value, x: Any, y: Any) -> Value:
    if type(b) is float and x.dtype.char == "d":
        return cc.with_data(x, x.data * b)
    if type(a) is float and y.dtype.char == "d":
        return cc.with_data(y, a * y.data)
    if _both_sparse(a, b) and x.shape == y.shape:
        return cc.narrowed(cc.merged(cc.MULTIPLY, *cc.alike(x, y)))
    _check(a, b)
    if numel(a) == 1 or numel(b) == 1:
        scalar, other = (_single(a), y) if numel(a) == 1 else (_single(b), x)
        stored = other if type(other) is SparseMatrix else from_dense(other)
        return cc.narrowed(cc.with_data(stored, stored.data * scalar))
    side, other = (x, y) if type(x) is SparseMatrix else (y, x)
    fits = all(n in {1, m} for n, m in zip(other.shape, side.shape, strict=False))
    if type(other) is np.ndarray and fits:
        return cc.narrowed(cc.with_data(side, side.data * _beside(side, other)))
    return sparse_value(side.matrix.multiply(_scipys(other)))


def _beside(side: SparseMatrix, other: Array) -> Array:
    """The numbers of a full matrix where a sparse one has some; rows and columns repeat."""
    if other.shape == side.shape:
        found: Array = other[side.indices, cc.columns_of(side)]
    elif other.shape[0] == 1:
        found = other[0, cc.columns_of(side)]
    else:
        found = other[side.indices, 0]
    return found


def _product(a: Value, b: Value, x: Any, y: Any) -> Value:
    if x.shape == (1, 1) or y.shape == (1, 1):
        return _times(a, b, x, y)
    if x.shape[1] != y.shape[0]:
        raise inner_error()
    if type(a) is SparseMatrix and type(b) is SparseMatrix:
        return cc.narrowed(cc.product(*cc.alike(x, y)))
    if not x.dtype.char == y.dtype.char == "d":
        kind = np.result_type(x.dtype, y.dtype)
        x, y = cc.with_class(x, kind), cc.with_class(y, kind)
    if type(a) is not SparseMatrix:
        made = cc.vector_times(x, y) if x.shape[0] == 1 else cc.full_times(x, y)
    else:
        made = cc.times_vector(x, y) if y.shape[1] == 1 else cc.times_full(x, y)
    return canonical(made)


def _divide(a: Value, b: Value, x: Any, y: Any) -> Value:
    if type(b) is float and type(a) is SparseMatrix and x.dtype.char == "d":
        return cc.with_data(x, np.divide(x.data, b))
    if numel(b) == 1 and type(a) is SparseMatrix:
        return cc.narrowed(cc.with_data(x, x.data / as_array(b).flat[0]))
    p, q = align(as_array(a), as_array(b))
    return from_dense(p / q)


def _solve(a: Value, b: Value, x: Any, y: Any) -> Value:
    from app.engine.operators import banded_systems
    from app.engine.operators.linear_solves import Warnings, solve, warn_of_nan

    if numel(a) == 1:
        return _divide(b, a, y, x)
    if max(len(x.shape), len(y.shape)) > 2:
        raise MatlabError("MATLAB:ldivide:inputsMustBe2D", "Arguments must be 2-D.")
    if x.shape[0] != y.shape[0]:
        raise agreement_error()
    dense = as_array(b)
    if not isinstance(a, SparseMatrix) or x.shape[0] != x.shape[1]:
        return canonical(solve(as_array(a), dense))
    by_form = banded_systems.of_large_triangle(x, dense)
    if by_form is None and x.dtype == dense.dtype == np.float64:
        by_form = banded_systems.solution(x, dense)
    if by_form is not None:
        return from_dense(by_form) if isinstance(b, SparseMatrix) else unwrap(by_form)
    dtype = np.result_type(x.dtype, dense.dtype, np.float64)
    if x.shape[0] <= SMALL and np.isfinite(x.data).all():
        found = solve(as_array(a).astype(dtype), dense.astype(dtype))
        return from_dense(found) if isinstance(b, SparseMatrix) else canonical(found)
    if np.isnan(x.data).any():
        warn_of_nan()
        return canonical(np.full(dense.shape, np.nan, dtype))
    try:
        factors = stoppable.of_sparse(superlu.factors, cc.with_class(x, dtype))
        found = factors.solve(dense.astype(dtype))
    except RuntimeError:
        Warnings.issue("MATLAB:singularMatrix", "Matrix is singular to working precision.")
        found = np.full(dense.shape, np.inf)
    return from_dense(found) if isinstance(b, SparseMatrix) else canonical(found)


def _right_divide(a: Value, b: Value, x: Any, y: Any) -> Value:
    if numel(b) == 1:
        return _divide(a, b, x, y)
    left, right = (transpose(v) if isinstance(v, SparseMatrix) else as_array(v).T for v in (b, a))
    solved = _solve(left, right, _float(_matrix(left)), _float(_matrix(right)))
    if isinstance(solved, SparseMatrix):
        return transpose(solved)
    return canonical(as_array(solved).T)


def _power(a: Value, b: Value, x: Any, y: Any) -> Value:
    if (
        type(b) is float
        and b > 0
        and b.is_integer()
        and x.dtype == np.float64
        and type(a) is SparseMatrix
    ):
        return cc.with_data(x, x.data**b)
    if isinstance(a, SparseMatrix) and numel(b) == 1 and as_array(b).flat[0].real > 0:
        return sparse_value(x.matrix.power(as_array(b).flat[0]))
    p, q = align(as_array(a), as_array(b))
    return from_dense(np.power(p, q))


def _is_whole(number: Any) -> bool:
    """Whether a number of any class, complex or not, is a whole one."""
    return not number.imag and float(number.real).is_integer()


def _matrix_power(a: Value, b: Value, x: Any, y: Any) -> Value:
    if numel(a) == 1 and numel(b) == 1:
        return _power(a, b, x, y)
    if not isinstance(a, SparseMatrix) or numel(b) != 1 or not _is_whole(as_array(b).flat[0]):
        text = "A sparse matrix is raised to one whole number; full(A)^p takes others."
        raise MatlabError("MATLAB:sparse:mpower", text)
    if x.shape[0] != x.shape[1]:
        raise MatlabError("MATLAB:square", "Matrix must be square.")
    exponent = int(as_array(b).flat[0].real)
    if exponent < 0:
        places = np.arange(x.shape[0])
        one = cc.from_triplets(places, places, np.ones(x.shape[0]), x.shape)
        x = _matrix(_solve(a, one, _float(x), one))
    if exponent:
        return cc.narrowed(cc.power(x, abs(exponent)))
    return sparse_value(x.matrix ** abs(exponent))


def _kron(a: Value, b: Value, x: Any, y: Any) -> Value:
    (first, second) = (_triplets(v, m) for v, m in ((a, x), (b, y)))
    shape = x.shape[0] * y.shape[0], x.shape[1] * y.shape[1]
    if max(first[2].size * second[2].size, *shape) >= cc.MOST:
        from scipy import sparse

        return sparse_value(sparse.kron(_scipys(x), _scipys(y), format="csc"))
    rows, columns = (
        (p[:, None] * n + q).reshape(-1)
        for p, n, q in zip(first[:2], y.shape, second[:2], strict=True)
    )
    values = np.outer(first[2], second[2]).reshape(-1)
    return cc.from_triplets(rows, columns, values, shape)


def _triplets(v: Value, m: Any) -> tuple[Array, Array, Array]:
    """Rows and columns, from 0, and values of the stored elements."""
    stored = m if type(v) is SparseMatrix else from_dense(as_array(v))
    return stored.indices.astype(np.int64), cc.columns_of(stored).astype(np.int64), stored.data


_OPERATIONS: dict[str, Callable[..., Value]] = {
    "plus": _sum(np.add, cc.ADD),
    "minus": _sum(np.subtract, cc.SUBTRACT),
    "times": _times,
    "mtimes": _product,
    "rdivide": _divide,
    "mldivide": _solve,
    "mrdivide": _right_divide,
    "power": _power,
    "mpower": _matrix_power,
    "kron": _kron,
}


def unary(name: str, a: SparseMatrix) -> Value:
    """A unary operator."""
    if name == "uminus":
        numbers = _float(a)
        return cc.with_data(numbers, -numbers.data)
    if name == "uplus":
        return a
    if name == "transpose":
        return transpose(a)
    if name == "ctranspose":
        return conjugate_transpose(a)
    return from_dense(~as_array(make_logical(a))) if name == "not" else NotImplemented


def transpose(a: SparseMatrix) -> SparseMatrix:
    """The transpose, without conjugation."""
    return cc.transposed(a)


def conjugate_transpose(a: SparseMatrix) -> SparseMatrix:
    """The transpose of the conjugate numbers."""
    made = transpose(a)
    return made if made.dtype.kind != "c" else cc.with_data(made, made.data.conj())


def sparse_sum(a: SparseMatrix, axes: tuple[int, ...]) -> Value:
    """The sum along dimensions, sparse."""
    m = _float(a)
    if len(axes) > 1:
        return from_dense(np.array([[m.matrix.sum()]]))
    return cc.narrowed(cc.line(cc.sums(m, axes[0]), axes[0])) if axes[0] < 2 else a


_NOTHING = frozenset(((0, 0), (1, 0)))
"""Sizes that joining leaves out."""


def concatenate(axis: int, args: Sequence[Value]) -> Value:
    """Join matrices, at least one of them sparse."""
    if axis > 1:
        text = "Sparse matrices have two dimensions: join them along the first or the second."
        raise MatlabError("MATLAB:catenate:sparseDimension", text)
    parts = [a for a in args if size_of(a) not in _NOTHING]
    if not parts:
        heights = [size_of(a)[0] for a in args]
        return cc.zeros(sum(heights) if axis == 0 else max(heights), 0, np.dtype(np.float64))
    blocks = [p if type(p) is SparseMatrix else from_dense(as_array(p)) for p in parts]
    across = blocks[0].shape[1 - axis]
    if any(b.shape[1 - axis] != across for b in blocks):
        raise concatenation_error()
    if (
        all(cc.are_alike(b, blocks[0]) for b in blocks)
        and sum(b.data.size for b in blocks) < cc.MOST
    ):
        return cc.joined(blocks, axis)
    from scipy import sparse

    join = sparse.vstack if axis == 0 else sparse.hstack
    return SparseMatrix.of(join([b.matrix for b in blocks], format="csc"))
