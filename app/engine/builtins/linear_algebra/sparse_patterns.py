"""Sparse matrices by their diagonals, at random, and functions of their nonzeros."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    FUNCTION,
    MATRIX,
    NUMBER,
    NUMBERS,
    POSITIVE,
    REAL,
    VECTOR,
    WHOLE,
    takes,
    within,
)
from app.engine.builtins.linear_algebra.sparse_spectra import (
    graded,
    of_values,
    outer_products,
    shifted,
)
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    numel,
    size_of,
)
from app.engine.values import compressed_columns as cc
from app.engine.values.random_stream import stream_of
from app.engine.values.sparse_values import from_dense
from app.errors import MatlabError

_FAMILY = "sparse matrices"
_F64 = np.dtype(np.float64)
_OFFSETS = NUMBERS & REAL & WHOLE


@builtin(
    "spdiags",
    category=_FAMILY,
    signatures=(
        "S = spdiags(B, d, m, n)",
        "[B, d] = spdiags(A)",
        "B = spdiags(A, d)",
        "S = spdiags(B, d, A)",
    ),
    cases=(
        "isequal(full(spdiags([1; 2], 0, 2, 2)), [1 0; 0 2])",
        "isequal(full(spdiags([1 2 3]', 1, 3, 3)), [0 2 0; 0 0 3; 0 0 0])",
    ),
    see=("diag", "sparse"),
)
@takes(NUMBERS)
def spdiags(b: Value, *args: Value) -> Value:
    """Sparse matrix from its diagonals, or diagonals of a matrix."""
    if len(args) < 2:
        return _diagonals(b, args)
    _OFFSETS("spdiags", 2, args[0])
    offsets = as_array(args[0]).ravel().astype(int)
    if len(args) == 2:
        shape = size_of(args[1])
    else:
        for place, count in enumerate(args[1:], 3):
            COUNT("spdiags", place, count)
        shape = (int_of(args[1]), int_of(args[2]))
    given = as_array(b)
    if given.shape[0] == 1 and offsets.size == 1:
        given = given.T
    if given.shape[1] < offsets.size:
        text = f"Each of the {offsets.size} diagonals needs a column of the first input."
        raise MatlabError("MATLAB:spdiags:InvalidSizeBFourInput", text)
    rows, columns, values = [], [], []
    for k, d in enumerate(offsets.tolist()):
        i = np.arange(max(0, -d), max(0, min(shape[0], shape[1] - d)))
        last = int(i[-1]) + (d if shape[0] >= shape[1] else 0) if i.size else 0
        if i.size and last >= given.shape[0]:
            text = f"Diagonal {d} ends with element {last + 1} of its column of the first input,"
            text += f" which has {given.shape[0]}."
            raise MatlabError("MATLAB:spdiags:InvalidSizeBFourInput", text)
        rows.append(i)
        columns.append(i + d)
        values.append(given[(i + d) if shape[0] >= shape[1] else i, k])
    i, j, numbers = (np.concatenate(parts) for parts in (rows, columns, values))
    if len(args) > 2 and max(i.size, *shape) < cc.MOST:
        return cc.from_triplets(i, j, numbers, (shape[0], shape[1]))
    from scipy import sparse

    made = sparse.coo_matrix((numbers, (i, j)), shape=shape).tocsc()
    if len(args) == 2:
        made = _with_diagonals(args[1], offsets, made)
    made.eliminate_zeros()
    return SparseMatrix.of(made)


def _with_diagonals(a: Value, offsets: Array, diagonals: Any) -> Any:
    from scipy import sparse

    base = (a.matrix if isinstance(a, SparseMatrix) else sparse.csc_matrix(as_array(a))).tocoo()
    kept = ~np.isin(base.col.astype(int) - base.row, offsets)
    rest = sparse.coo_matrix((base.data[kept], (base.row[kept], base.col[kept])), base.shape)
    return (rest + diagonals).tocsc()


def _diagonals(v: Value, args: tuple[Value, ...]) -> Value:
    MATRIX("spdiags", 1, v)
    a = v.matrix if isinstance(v, SparseMatrix) else as_array(v)
    rows, columns = a.shape
    if args:
        _OFFSETS("spdiags", 2, args[0])
        offsets = as_array(args[0]).ravel().astype(int).tolist()
    else:
        i, j = a.nonzero()
        offsets = np.unique(j.astype(int) - i).tolist()
    out = np.zeros((min(rows, columns), len(offsets)), dtype=np.result_type(a.dtype, float))
    for k, d in enumerate(offsets):
        values = a.diagonal(d)
        start = max(0, d) if rows >= columns else max(0, -d)
        out[start : start + values.size, k] = values
    return canonical(out), canonical(np.array(offsets, dtype=np.float64).reshape(-1, 1))


def _random(ctx: CallContext, name: str, kind: str, args: tuple[Value, ...]) -> SparseMatrix:
    from scipy import sparse

    draw = stream_of(ctx).draw
    if len(args) == 1:
        source = args[0] if isinstance(args[0], SparseMatrix) else from_dense(as_array(args[0]))
        made = source.matrix.astype(float)
        made.data = draw(kind, (1, made.nnz), _F64).ravel()
        return SparseMatrix.of(made)
    if len(args) < 3:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    for number, check in enumerate((COUNT, COUNT, NUMBER & within(0, 1))):
        check(name, number + 1, args[number])
    if len(args) > 3:
        (NUMBERS & VECTOR & within(0, 1))(name, 4, args[3])
        shape = (int_of(args[0]), int_of(args[1]))
        singular = graded(as_array(args[3]), min(shape))
        return of_values(stream_of(ctx), shape, singular, float_of(args[2]), symmetric=False)
    rows, columns = int_of(args[0]), int_of(args[1])
    wanted = round(float_of(args[2]) * rows * columns)
    places = _distinct(draw, rows * columns, wanted)
    values = draw(kind, (1, wanted), _F64).ravel()
    grid = (places % max(rows, 1), places // max(rows, 1))
    return SparseMatrix.of(sparse.coo_matrix((values, grid), shape=(rows, columns)).tocsc())


def _distinct(draw: Any, total: int, wanted: int) -> Array:
    """Distinct places in random order, without a table of all when few are wanted."""
    if 3 * wanted > total:
        return np.argsort(draw("uniform", (1, total), _F64).ravel())[:wanted]
    found = np.zeros(0, dtype=np.int64)
    while found.size < wanted:
        more = np.floor(draw("uniform", (1, 2 * wanted + 8), _F64).ravel() * total)
        both = np.concatenate([found, more.astype(np.int64)])
        found = both[np.sort(np.unique(both, return_index=True)[1])]
    return found[:wanted]


@builtin(
    "sprand",
    category=_FAMILY,
    signatures=("S = sprand(m, n, density)", "S = sprand(m, n, density, rc)", "S = sprand(S)"),
    cases=("nnz(sprand(10, 10, 0.1)) == 10",),
    see=("sprandn", "rand"),
)
def sprand(ctx: CallContext, *args: Value) -> Value:
    """Sparse matrix with uniform random elements."""
    return _random(ctx, "sprand", "uniform", args)


@builtin(
    "sprandn",
    category=_FAMILY,
    signatures=("S = sprandn(m, n, density)", "S = sprandn(m, n, density, rc)", "S = sprandn(S)"),
    cases=("nnz(sprandn(10, 10, 0.1)) == 10",),
    see=("sprand", "randn"),
)
def sprandn(ctx: CallContext, *args: Value) -> Value:
    """Sparse matrix with normal random elements."""
    return _random(ctx, "sprandn", "normal", args)


@builtin(
    "sprandsym",
    category=_FAMILY,
    signatures=(
        "S = sprandsym(n, density)",
        "S = sprandsym(n, density, rc)",
        "S = sprandsym(n, density, rc, kind)",
        "S = sprandsym(S)",
        "S = sprandsym(S, [], rc, 3)",
    ),
    cases=(
        "issymmetric(sprandsym(5, 0.5))",
        "S = sprandsym(9, 0.4, [1 2 3 4 5 6 7 8 9]); norm(eig(full(S)) - (1:9)') < 1e-12",
    ),
    see=("sprandn",),
)
def sprandsym(
    ctx: CallContext, n: Value, density: Value | None = None, rc: Value = None, kind: Value = None
) -> Value:
    """Symmetric sparse matrix with normal random elements, or of a condition or eigenvalues.

    ``rc`` is the reciprocal condition number or all eigenvalues. With ``kind`` the matrix is
    positive definite: 1 rotates a diagonal, 2 adds outer products, 3 keeps the places of ``S``.
    """
    from scipy import sparse

    draw = stream_of(ctx).draw
    kinds = 0 if kind is None else int_of(kind)
    if kinds not in (0, 1, 2, 3):
        raise MatlabError("MATLAB:sprandsym:InvalidKind", "The kind must be 1, 2 or 3.")
    if density is None or kinds == 3:
        source = n if isinstance(n, SparseMatrix) else from_dense(as_array(n))
        low = sparse.tril(source.matrix).tocsc().astype(float)
        low.data = draw("normal", (1, low.nnz), _F64).ravel()
    else:
        COUNT("sprandsym", 1, n)
        (NUMBER & within(0, 1))("sprandsym", 2, density)
        if rc is not None and kinds != 2:
            values = graded(as_array(rc), int_of(n))
            if kinds == 0 and numel(rc) == 1:
                values = values * np.sign(draw("uniform", (1, values.size), _F64).ravel() - 0.5)
            side = int_of(n)
            return of_values(
                stream_of(ctx), (side, side), values, float_of(density), symmetric=True
            )
        made = _random(ctx, "sprandsym", "normal", (n, n, density))
        low = sparse.tril(made.matrix).tocsc()
    both = (low + sparse.tril(low, -1).T).tocsc()
    if kinds == 2:
        both = outer_products(stream_of(ctx), int_of(n), float_of(density))
    return SparseMatrix.of(both) if kinds < 2 else shifted(both, float_of(rc))


@builtin(
    "spfun",
    category=_FAMILY,
    signatures=("B = spfun(f, S)",),
    cases=("isequal(full(spfun(@exp, sparse([0 1]))), [0 exp(1)])",),
    see=("spones",),
)
@takes(FUNCTION, NUMBERS)
def spfun(ctx: CallContext, f: Value, s: Value) -> Value:
    """Apply a function to the nonzeros only."""
    source = s if isinstance(s, SparseMatrix) else from_dense(as_array(s))
    made = source.matrix.copy()
    found = ctx.call(f, (canonical(made.data.reshape(-1, 1)),), 1)[0]
    made = made.astype(np.result_type(as_array(found)))
    made.data = as_array(found).ravel(order="F")
    return SparseMatrix.of(made)


@builtin(
    "spconvert",
    category=_FAMILY,
    signatures=("S = spconvert(D)",),
    cases=("isequal(full(spconvert([1 1 5; 2 2 6])), [5 0; 0 6])",),
    see=("sparse",),
)
@takes(NUMBERS)
def spconvert(d: Value) -> Value:
    """Sparse matrix from rows ``[i j value]`` or ``[i j re im]``."""
    from scipy import sparse

    if isinstance(d, SparseMatrix):
        return d
    a = as_array(d)
    if a.ndim != 2 or a.shape[1] not in (3, 4) or numel(d) == 0:
        raise MatlabError("MATLAB:spconvert:WrongArraySize", "D must have 3 or 4 columns.")
    values = a[:, 2] if a.shape[1] == 3 else a[:, 2] + 1j * a[:, 3]
    (REAL & WHOLE & POSITIVE)("spconvert", 1, canonical(a[:, :2]))
    i, j = (a[:, k].astype(int) - 1 for k in (0, 1))
    shape = (int(i.max()) + 1, int(j.max()) + 1)
    made = sparse.coo_matrix((values, (i, j)), shape=shape).tocsc()
    made.eliminate_zeros()
    return SparseMatrix.of(made)
