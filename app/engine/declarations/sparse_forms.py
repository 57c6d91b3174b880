"""What builtins mean for sparse matrices: computed on the stored elements.

A builtin called with a sparse first argument asks here before its own implementation, which would
work on the full matrix. A form answers NotImplemented for arguments that it does not know.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.values import (
    Array,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    is_numeric,
    numel,
)
from app.engine.values import compressed_columns as cc
from app.engine.values.sparse_values import sparse_value

Form = Callable[..., Value]


def _number(v: Value) -> float | None:
    return float(as_array(v).flat[0].real) if is_numeric(v) and numel(v) == 1 else None


def _axis(a: SparseMatrix, given: tuple[Value, ...]) -> int | None:
    """The axis that a reduction goes along; None when it is not one of the two."""
    if not given:
        return 1 if a.shape[0] == 1 else 0
    number = _number(given[0])
    return int(number) - 1 if len(given) == 1 and number in (1.0, 2.0) else None


# --- reductions -------------------------------------------------------------------------------


def _extreme(largest: bool) -> Form:
    sign = "max" if largest else "min"

    def extreme(a: SparseMatrix, *rest: Value, nargout: int) -> Value:
        if len(rest) == 1:
            return _pairwise(a, rest[0], largest=largest)
        axis = _axis(a, rest[1:]) if not rest or numel(rest[0]) == 0 else None
        if axis is None or 0 in a.shape or a.dtype.kind != "f" or np.isnan(a.data).any():
            return NotImplemented
        values = cc.line(cc.extremes(a, axis, np.maximum if largest else np.minimum), axis)
        if nargout < 2:
            return values
        source = a.dense() if cc.is_small(a) else a.matrix
        places = np.asarray(getattr(source, f"arg{sign}")(axis=axis)) + 1.0
        return values, canonical(places.reshape(values.shape))

    return extreme


def _pairwise(a: SparseMatrix, b: Value, *, largest: bool) -> Value:
    """The larger or smaller elements; NaN is neither, which SciPy does not know."""
    if isinstance(b, SparseMatrix) and b.shape == a.shape:
        if np.isnan(a.data).any() or np.isnan(b.data).any():
            return NotImplemented
        name = "maximum" if largest else "minimum"
        return sparse_value(getattr(a.matrix, name)(b.matrix))
    number, ufunc = _number(b), np.fmax if largest else np.fmin
    if number is None or not (number <= 0 if largest else number >= 0):
        return NotImplemented
    return cc.mapped(lambda x: ufunc(x, number), a)


def _truth_form(every: bool) -> Form:
    def truth(a: SparseMatrix, *rest: Value, nargout: int) -> Value:
        axis = _axis(a, rest)
        if axis is None or a.shape == (0, 0):
            return NotImplemented
        known = a.data == a.data  # NaN is not nonzero here
        m = cc.pattern(a if every or known.all() else cc.where(a, known))
        if axis:
            counts = np.bincount(m.indices, minlength=m.shape[0])
        else:
            counts = m.indptr[1:] - m.indptr[:-1]
        found = counts == a.shape[axis] if every else counts > 0
        return cc.line(found, axis)

    return truth


def _product(a: SparseMatrix, *rest: Value, nargout: int) -> Value:
    axis = _axis(a, rest)
    if axis is None or 0 in a.shape:
        return NotImplemented
    other = cc.transposed(a) if axis else a
    full = (other.indptr[1:] - other.indptr[:-1] == a.shape[axis]).nonzero()[0]
    found = np.zeros(a.shape[1 - axis], np.result_type(a.dtype, np.float64))
    for k in full:
        found[k] = np.multiply.reduce(
            other.data[other.indptr[k] : other.indptr[k + 1]].astype(found.dtype)
        )
    return cc.line(found, axis)


def _mean(a: SparseMatrix, *rest: Value, nargout: int) -> Value:
    axis = _axis(a, rest)
    if axis is None or 0 in a.shape:
        return NotImplemented
    if a.dtype == np.float64:
        return cc.line(cc.sums(a, axis) / a.shape[axis], axis)
    return cc.line(np.asarray(a.matrix.sum(axis=axis)).reshape(-1) / a.shape[axis], axis)


def _norm(a: SparseMatrix, *rest: Value, nargout: int) -> Value:
    if len(rest) != 1 or 1 in a.shape or 0 in a.shape:
        return NotImplemented
    axis = {1.0: 0, np.inf: 1}.get(_number(rest[0]) or 0.0)
    if axis is None:
        return NotImplemented
    sizes = cc.with_data(a, np.abs(a.data).astype(np.float64))
    return float(np.maximum.reduce(cc.sums(sizes, axis)))


def _trace(a: SparseMatrix, *, nargout: int) -> Value:
    return canonical(cc.diagonal(a, 0).sum()) if a.shape[0] == a.shape[1] else NotImplemented


# --- stored elements --------------------------------------------------------------------------


def _triplets(a: SparseMatrix) -> tuple[Array, Array, Array]:
    """Rows, columns and values of the nonzeros, column by column."""
    m = cc.with_data(a, a.data)
    return m.indices, cc.columns_of(m), m.data


def _nonzeros(a: SparseMatrix, *, nargout: int) -> Value:
    return canonical(_triplets(a)[2].reshape(-1, 1))


def _find(a: SparseMatrix, *rest: Value, nargout: int) -> Value:
    if len(rest) > 1:
        return NotImplemented
    rows, columns, values = _triplets(a)
    count = len(rows) if not rest else int(_number(rest[0]) or 0)
    shape = (1, -1) if a.shape[0] == 1 and a.shape[1] != 1 else (-1, 1)
    shape = (0, 0) if a.shape == (1, 1) and not len(rows) else shape
    if nargout < 2:
        linear = columns * float(a.shape[0]) + (rows + 1.0)
        return canonical(linear[:count].reshape(shape))
    found = (rows + 1.0, columns + 1.0, values)[:nargout]
    return tuple(canonical(x[:count].reshape(shape)) for x in found)


def _diag(a: SparseMatrix, *rest: Value, nargout: int) -> Value:
    if a.shape == (0, 0):
        return a
    k = int(_number(rest[0]) or 0) if rest else 0
    if 1 not in a.shape:
        return cc.line(cc.diagonal(a, k), 1)
    places, n = cc.linear_places(a), a.shape[0] * a.shape[1] + abs(k)
    return cc.from_triplets(places + max(0, -k), places + max(0, k), a.data, (n, n))


def _elementwise_form(function: Callable[[Array], Array]) -> Form:
    """An elementwise function that is zero at zero."""
    return lambda a, *, nargout: cc.mapped(function, a)


def _division_form(function: Callable[[Array, float], Array]) -> Form:
    """``mod`` and ``rem`` by a number that is not zero."""

    def divided(a: SparseMatrix, by: Value, *, nargout: int) -> Value:
        number = _number(by)
        if not number or not np.isfinite(number) or a.dtype.kind != "f":
            return NotImplemented
        # A remainder of 0 has no sign.
        return cc.with_data(a, function(a.data, number) + a.dtype.type(0))

    return divided


# --- places -----------------------------------------------------------------------------------


def _reshape(a: SparseMatrix, *sizes: Value, nargout: int) -> Value:
    given = [int(n) for s in sizes for n in as_array(s).reshape(-1)]
    total = a.shape[0] * a.shape[1]
    if len(sizes) == 2 and len(given) == 1 and given[0] > 0:  # the other one is left open
        given.insert(0 if numel(sizes[0]) == 0 else 1, total // given[0])
    elif any(numel(s) == 0 for s in sizes):
        return NotImplemented
    if len(given) != 2 or min(given) < 0 or given[0] * given[1] != total:
        return NotImplemented
    return cc.reshaped(a, (given[0], given[1]))


def _repeated_matrix(a: SparseMatrix, *sizes: Value, nargout: int) -> Value:
    given = [int(n) for s in sizes for n in as_array(s).reshape(-1)]
    given = given * 2 if len(given) == 1 else given
    if len(given) != 2 or min(given) < 1:
        return NotImplemented
    return cc.joined([cc.joined([a] * given[1], 1)] * given[0], 0)


def _flip_form(axis: int) -> Form:
    def flipped(a: SparseMatrix, *, nargout: int) -> Value:
        return _reordered(a, np.arange(a.shape[axis])[::-1], axis)

    return flipped


def _shifted_matrix(a: SparseMatrix, by: Value, *rest: Value, nargout: int) -> Value:
    axis = _axis(a, rest)
    if axis is None or _number(by) is None:
        return NotImplemented
    order = np.roll(np.arange(a.shape[axis]), int(_number(by) or 0))
    return _reordered(a, order, axis)


def _reordered(a: SparseMatrix, order: Array, axis: int) -> SparseMatrix:
    return cc.selected_rows(a, order) if axis == 0 else cc.selected_columns(a, order)


def _exclusive(a: SparseMatrix, b: Value, *, nargout: int) -> Value:
    if not isinstance(b, SparseMatrix) or b.shape != a.shape:
        return NotImplemented
    return cc.merged(cc.DIFFERS, cc.pattern(a), cc.pattern(b))


def _triangle_form(upper: bool) -> Form:
    def triangle(a: SparseMatrix, *rest: Value, nargout: int) -> Value:
        k = _number(rest[0]) if rest else 0.0
        if len(rest) > 1 or k is None or not k.is_integer():
            return NotImplemented
        m = cc.with_data(a, a.data)
        above = cc.columns_of(m) - m.indices
        return cc.where(m, above >= k if upper else above <= k)

    return triangle


def _symmetric(conjugated: bool) -> Form:
    def symmetric(a: SparseMatrix, *rest: Value, nargout: int) -> Value:
        if rest or np.isnan(a.data).any():
            return NotImplemented
        if a.shape[0] != a.shape[1]:
            return False
        m = cc.with_data(a, a.data)
        other = cc.transposed(m)
        numbers = other.data.conj() if conjugated else other.data
        pairs = (m.indptr, other.indptr), (m.indices, other.indices), (m.data, numbers)
        return all(np.count_nonzero(p != q) == 0 for p, q in pairs)

    return symmetric


FORMS: dict[str, Form] = {
    "max": _extreme(True),
    "min": _extreme(False),
    "any": _truth_form(False),
    "all": _truth_form(True),
    "prod": _product,
    "mean": _mean,
    "norm": _norm,
    "trace": _trace,
    "nonzeros": _nonzeros,
    "find": _find,
    "diag": _diag,
    "reshape": _reshape,
    "repmat": _repeated_matrix,
    "tril": _triangle_form(False),
    "triu": _triangle_form(True),
    "xor": _exclusive,
    "flipud": _flip_form(0),
    "fliplr": _flip_form(1),
    "circshift": _shifted_matrix,
    "issymmetric": _symmetric(False),
    "ishermitian": _symmetric(True),
    "real": _elementwise_form(np.real),
    "imag": _elementwise_form(np.imag),
    "conj": _elementwise_form(np.conj),
    "sign": _elementwise_form(np.sign),
    "isnan": _elementwise_form(np.isnan),
    "isinf": _elementwise_form(np.isinf),
    "isfinite": _elementwise_form(np.isfinite),
    "mod": _division_form(np.mod),
    "rem": _division_form(np.fmod),
}
