"""Incomplete factorisations: ilu and ichol."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import FLOATS, MATRIX, NUMBERS, REAL, SCALAR, SQUARE, takes
from app.engine.declarations.registry import builtin
from app.engine.values import Array, SparseMatrix, Struct, Value, float_of, text_of
from app.errors import MatlabError

_FAMILY = "sparse matrices"


def _options(name: str, given: Value | None, defaults: dict[str, Any]) -> dict[str, Any]:
    """The options struct over the defaults, by lower-case names."""
    found = dict(defaults)
    if given is None:
        return found
    if not isinstance(given, Struct):
        raise MatlabError(f"MATLAB:{name}:OptsNotStruct", "The options must be a struct.")
    for name_given, value in given.fields.items():
        key = name_given.lower()
        if key not in found:
            raise MatlabError(f"MATLAB:{name}:UnknownOption", f"Unknown option '{key}'.")
        text = isinstance(found[key], str)
        if not text:
            (NUMBERS & REAL & SCALAR)(name, 2, value)
        found[key] = text_of(value).lower() if text else float_of(value)
    return found


def _choice(name: str, options: dict[str, Any], key: str, known: tuple[str, ...]) -> str:
    if options[key] not in known:
        text = f"Option '{key}' must be one of: {', '.join(known)}."
        raise MatlabError(f"MATLAB:{name}:InvalidOption", text)
    return str(options[key])


def _need_sparse(name: str, a: Value) -> Any:
    if not isinstance(a, SparseMatrix):
        raise MatlabError(f"MATLAB:{name}:NotSparse", "The matrix must be sparse.")
    return a.matrix.astype(np.result_type(a.matrix.dtype, np.float64))


Row = dict[int, Any]


def _rows(matrix: Any) -> list[Row]:
    """The rows of a sparse matrix as dictionaries of column and value."""
    m = matrix.tocsr()
    ends = zip(m.indptr[:-1], m.indptr[1:], strict=True)
    columns, values = m.indices.tolist(), m.data.tolist()
    return [dict(zip(columns[p:q], values[p:q], strict=True)) for p, q in ends]


def _matrix(rows: list[Row]) -> Any:
    from scipy import sparse

    n = len(rows)
    sizes = np.cumsum([0, *map(len, rows)])
    columns = [c for row in rows for c in sorted(row)]
    values = [row[c] for row in rows for c in sorted(row)]
    return sparse.csr_array((np.array(values), columns, sizes), shape=(n, n)).tocsc()


def _eliminated_rows(
    rows: list[Row], keep: Callable[[int, int, Any], bool], milu: str
) -> list[Row]:
    """Gaussian elimination row by row; what ``keep(row, column, value)`` refuses is dropped."""
    extra = [0.0] * len(rows)
    done: list[Row] = []
    for i, source in enumerate(rows):
        row = dict(source)
        lost: Any = 0.0
        todo = [k for k in row if k < i]
        heapq.heapify(todo)
        while todo:
            k = heapq.heappop(todo)
            value = row[k]
            if not keep(i, k, value):
                lost, extra[k] = lost + value, extra[k] + value
                del row[k]
                continue
            row[k] = factor = value / done[k][k]
            for j, u in done[k].items():
                if j > k:
                    if j not in row and j < i:
                        heapq.heappush(todo, j)
                    row[j] = row.get(j, 0.0) - factor * u
        for j in [j for j in row if j >= i and j != i and not keep(i, j, row[j])]:
            value = row.pop(j)
            lost, extra[j] = lost + value, extra[j] + value
        row[i] = row.get(i, 0.0) + (lost if milu == "row" else extra[i] if milu == "col" else 0.0)
        if row[i] == 0:
            raise MatlabError("MATLAB:ilu:zeroPivot", "Encountered a pivot equal to 0.")
        done.append(row)
    return done


@builtin(
    "ilu",
    category=_FAMILY,
    signatures=(
        "[L, U] = ilu(A)",
        "[L, U] = ilu(A, options)",
        "[L, U, P] = ilu(A, options)",
        "W = ilu(A)",
    ),
    cases=("isequal(full(ilu(sparse([2 1; 4 5]))), [2 1; 2 3])",),
    see=("ichol", "lu"),
)
@takes(FLOATS & MATRIX & SQUARE)
def ilu(a: Value, options: Value | None = None, *, nargout: int = 1) -> Value:
    """Incomplete LU factors: type ``nofill`` (default), ``crout`` or ``ilutp``, by ``droptol``."""
    chosen = _options(
        "ilu",
        options,
        {"type": "nofill", "droptol": 0.0, "milu": "off", "udiag": 0.0, "thresh": 1.0},
    )
    kind = _choice("ilu", chosen, "type", ("nofill", "crout", "ilutp"))
    milu = _choice("ilu", chosen, "milu", ("off", "row", "col"))
    if chosen["droptol"] < 0 or not 0 <= chosen["thresh"] <= 1:
        raise MatlabError("MATLAB:ilu:InvalidOption", "droptol and thresh must be in range.")
    x = _need_sparse("ilu", a)
    order = np.arange(x.shape[0])
    if kind == "ilutp":
        order = _pivots(x)
        x = x.tocsr()[order].tocsc()
    if kind != "nofill" and not chosen["droptol"] and milu == "off":
        return _outputs(_complete(x), order, nargout)
    drop = chosen["droptol"] * np.sqrt(np.asarray(abs(x).power(2).sum(axis=0)).ravel())
    rows = _rows(x)

    def keep(i: int, j: int, value: Any) -> bool:
        return j in rows[i] if kind == "nofill" else bool(abs(value) >= drop[j] and value)

    return _outputs(_matrix(_eliminated_rows(rows, keep, milu)), order, nargout)


def _complete(x: Any) -> Any:
    """Both factors in one matrix when nothing is dropped, without pivoting."""
    from scipy import sparse
    from scipy.sparse import linalg

    try:
        found = stoppable.of_sparse(
            linalg.splu,
            x,
            permc_spec="NATURAL",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError:
        raise MatlabError("MATLAB:ilu:zeroPivot", "Encountered a pivot equal to 0.") from None
    return (sparse.tril(found.L, -1) + found.U).tocsc()


def _pivots(x: Any) -> Array:
    """The order of rows that partial pivoting chooses."""
    from scipy.sparse import linalg

    try:
        found = stoppable.of_sparse(linalg.splu, x, permc_spec="NATURAL")
    except RuntimeError:
        raise MatlabError("MATLAB:ilu:zeroPivot", "Encountered a pivot equal to 0.") from None
    return np.asarray(np.argsort(found.perm_r))


def _outputs(lu: Any, order: Array, nargout: int) -> Value:
    from scipy import sparse

    if nargout < 2:
        return SparseMatrix.of(lu)
    lower = (sparse.tril(lu, -1) + sparse.eye_array(lu.shape[0])).tocsc()
    upper = sparse.triu(lu).tocsc()
    if nargout > 2:
        turned = sparse.eye_array(lu.shape[0], format="csr")[order].tocsc()
        return SparseMatrix.of(lower), SparseMatrix.of(upper), SparseMatrix.of(turned)
    return SparseMatrix.of(lower.tocsr()[np.argsort(order)].tocsc()), SparseMatrix.of(upper)


@builtin(
    "ichol",
    category=_FAMILY,
    signatures=("L = ichol(A)", "L = ichol(A, options)"),
    cases=("norm(full(ichol(sparse([4 2; 2 5]))) - [2 0; 1 2]) < 1e-15",),
    see=("ilu", "chol"),
)
@takes(FLOATS & MATRIX & SQUARE)
def ichol(a: Value, options: Value | None = None) -> Value:
    """Incomplete Cholesky factor: type ``nofill`` (default) or ``ict`` with ``droptol``."""
    from scipy import sparse

    chosen = _options(
        "ichol",
        options,
        {"type": "nofill", "droptol": 0.0, "michol": "off", "diagcomp": 0.0, "shape": "lower"},
    )
    kind = _choice("ichol", chosen, "type", ("nofill", "ict"))
    modified = _choice("ichol", chosen, "michol", ("off", "on")) == "on"
    upper = _choice("ichol", chosen, "shape", ("lower", "upper")) == "upper"
    x = _need_sparse("ichol", a)
    low = (sparse.triu(x).conj().T if upper else sparse.tril(x)).tocsc()
    low = low + sparse.diags_array(chosen["diagcomp"] * low.diagonal())
    sums = abs(low).sum(axis=0) + abs(sparse.tril(low, -1)).sum(axis=1).ravel()
    drop = chosen["droptol"] * np.asarray(sums).ravel()
    columns = _cholesky_columns(_rows(low.T), kind == "nofill", drop, modified)
    found = _matrix(columns).T.tocsc()
    return SparseMatrix.of(found.conj().T.tocsc() if upper else found)


def _cholesky_columns(columns: list[Row], fixed: bool, drop: Array, modified: bool) -> list[Row]:
    """Incomplete factorisation column by column, each subtracted from those on its right."""
    for k, column in enumerate(columns):
        pivot = complex(column.get(k, 0.0))
        if pivot.real <= 0 or abs(pivot.imag) > 0:
            raise MatlabError("MATLAB:ichol:Breakdown", "Encountered nonpositive pivot.")
        for i in [i for i in column if i > k and not fixed and abs(column[i]) < drop[k]]:
            value = column.pop(i)
            if modified:
                columns[i][i] = columns[i].get(i, 0.0) + value
                pivot += value
        root = math.sqrt(pivot.real)
        for i in column:
            column[i] = root if i == k else column[i] / root
        below = [(i, v) for i, v in column.items() if i > k]
        for j, w in below:
            right = columns[j]
            for i, v in below:
                if i < j:
                    continue
                change = v * np.conj(w)
                if not fixed or i in right:
                    right[i] = right.get(i, 0.0) - change
                elif modified:
                    right[j] -= change
                    columns[i][i] -= change
    return columns
