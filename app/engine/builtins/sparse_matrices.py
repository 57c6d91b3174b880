"""Sparse matrices: sparse, full, speye, spdiags, sprand, spones, nzmax, eigs, svds."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.random_stream import stream_of
from app.engine.builtins.registry import builtin
from app.engine.builtins.sparse_arithmetic import from_dense
from app.engine.values import Array, SparseMatrix, Value, as_array, canonical, is_char, numel
from app.errors import MatlabError

_FAMILY = "sparse matrices"


@builtin("sparse", category=_FAMILY,
         signatures=("S = sparse(A)", "S = sparse(m, n)", "S = sparse(i, j, v)",
                     "S = sparse(i, j, v, m, n)"),
         cases=("isequal(full(sparse([1 2], [1 2], [5 6])), [5 0; 0 6])",
                "issparse(sparse(eye(3)))",
                "nnz(sparse(3, 3)) == 0"), see=("full", "speye", "nnz"))
def sparse(*args: Value) -> Value:
    """Sparse matrix from a full one, or from row and column indices and values (summed)."""
    from scipy import sparse as ss

    if len(args) == 1:
        return args[0] if isinstance(args[0], SparseMatrix) else from_dense(as_array(args[0]))
    if len(args) == 2:
        return SparseMatrix(ss.csc_matrix((_whole(args[0]), _whole(args[1]))))
    rows, columns = (as_array(v).ravel(order="F").astype(np.int64) - 1 for v in args[:2])
    values = as_array(args[2]).ravel(order="F")
    count = max(rows.size, columns.size, values.size)
    rows, columns, values = (np.broadcast_to(v, (count,)) for v in (rows, columns, values))
    if count and min(rows.min(), columns.min()) < 0:
        text = "Index into matrix must be positive."
        raise MatlabError("MATLAB:sparsfcn:nonPosIndex", text)
    shape = (_whole(args[3]), _whole(args[4])) if len(args) > 4 else (
        int(rows.max(initial=-1)) + 1, int(columns.max(initial=-1)) + 1)
    if count and (rows.max() >= shape[0] or columns.max() >= shape[1]):
        raise MatlabError("MATLAB:sparsfcn:indexOutOfRange", "Index exceeds matrix dimensions.")
    made = ss.coo_matrix((_numbers(values), (rows, columns)), shape=shape).tocsc()
    made.eliminate_zeros()
    return SparseMatrix(made)


def _numbers(a: Array) -> Array:
    return a if a.dtype.kind in "fcb" else a.astype(np.float64)


def _whole(v: Value) -> int:
    return int(as_array(v).flat[0])


@builtin("full", category=_FAMILY, signatures=("A = full(S)",),
         cases=("isequal(full(sparse([1 0; 0 2])), [1 0; 0 2])", "full(5) == 5"), see=("sparse",))
def full(s: Value) -> Value:
    """Full matrix from a sparse one."""
    return canonical(s.dense()) if isinstance(s, SparseMatrix) else s


@builtin("speye", category=_FAMILY, signatures=("S = speye(n)", "S = speye(m, n)"),
         cases=("isequal(full(speye(2)), eye(2))",), see=("eye", "sparse"))
def speye(*args: Value) -> Value:
    """Sparse identity matrix."""
    from scipy import sparse as ss

    from app.engine.builtins.sizes import shape_of

    shape = shape_of(args)
    return SparseMatrix(ss.eye(shape[0], shape[1], format="csc"))


@builtin("spalloc", category=_FAMILY, signatures=("S = spalloc(m, n, nz)",),
         cases=("nnz(spalloc(2, 2, 4)) == 0",), see=("sparse",))
def spalloc(m: Value, n: Value, nz: Value = 0.0) -> Value:
    """Empty sparse matrix (room is found as needed)."""
    return sparse(m, n)


@builtin("spones", category=_FAMILY, signatures=("R = spones(S)",),
         cases=("isequal(full(spones(sparse([5 0]))), [1 0])",), see=("sparse",))
def spones(s: Value) -> Value:
    """Ones where a sparse matrix is nonzero."""
    return from_dense((as_array(s) != 0).astype(np.float64))


@builtin("nzmax", category=_FAMILY, signatures=("n = nzmax(S)",), cases=("nzmax([1 0]) == 2",),
         see=("nnz",))
def nzmax(s: Value) -> Value:
    """Number of elements there is room for."""
    return float(s.matrix.nnz) if isinstance(s, SparseMatrix) else float(numel(s))


@builtin("spdiags", category=_FAMILY,
         signatures=("S = spdiags(B, d, m, n)", "[B, d] = spdiags(A)", "B = spdiags(A, d)"),
         cases=("isequal(full(spdiags([1; 2], 0, 2, 2)), [1 0; 0 2])",), see=("diag", "sparse"))
def spdiags(b: Value, *args: Value) -> Value:
    """Sparse matrix from its diagonals, or diagonals of a matrix."""
    if len(args) < 2:
        return _diagonals(as_array(b), args)
    offsets = as_array(args[0]).ravel().astype(int)
    if len(args) == 2:
        base = as_array(args[1]).copy()
        rows, columns = base.shape
    else:
        rows, columns = _whole(args[1]), _whole(args[2])
        base = np.zeros((rows, columns))
    columns_of_b = as_array(b)
    base = base.astype(np.result_type(base, columns_of_b))
    if columns_of_b.shape[0] == 1 and offsets.size == 1:
        columns_of_b = columns_of_b.T
    for k, d in enumerate(offsets.tolist()):
        for row in range(max(0, -d), min(rows, columns - d)):
            base[row, row + d] = columns_of_b[row + d if rows >= columns else row, k]
    return from_dense(base)


def _diagonals(a: Array, args: tuple[Value, ...]) -> Value:
    rows, columns = a.shape
    if args:
        offsets = as_array(args[0]).ravel().astype(int).tolist()
    else:
        offsets = [d for d in range(-rows + 1, columns) if np.diagonal(a, d).any()]
    out = np.zeros((min(rows, columns), len(offsets)))
    for k, d in enumerate(offsets):
        values = np.diagonal(a, d)
        start = max(0, d) if rows >= columns else max(0, -d)
        out[start : start + values.size, k] = values
    return canonical(out), canonical(np.array(offsets, dtype=np.float64).reshape(-1, 1))


def _random(ctx: Any, kind: str, args: tuple[Value, ...]) -> Value:
    if len(args) == 1:
        pattern = as_array(args[0]) != 0
    else:
        shape = (_whole(args[0]), _whole(args[1]))
        density = float(as_array(args[2]).flat[0])
        keys = stream_of(ctx).draw("uniform", shape, np.dtype(np.float64))
        wanted = round(density * keys.size)
        pattern = np.zeros(keys.size, dtype=bool)
        pattern[np.argsort(keys.ravel())[:wanted]] = True
        pattern = pattern.reshape(shape)
    values = stream_of(ctx).draw(kind, pattern.shape, np.dtype(np.float64))
    return from_dense(np.where(pattern, values, 0.0))


@builtin("sprand", category=_FAMILY, signatures=("S = sprand(m, n, density)", "S = sprand(S)"),
         cases=("nnz(sprand(10, 10, 0.1)) == 10",), see=("sprandn", "rand"))
def sprand(ctx: Any, *args: Value) -> Value:
    """Sparse matrix with uniform random elements."""
    return _random(ctx, "uniform", args)


@builtin("sprandn", category=_FAMILY, signatures=("S = sprandn(m, n, density)", "S = sprandn(S)"),
         cases=("nnz(sprandn(10, 10, 0.1)) == 10",), see=("sprand", "randn"))
def sprandn(ctx: Any, *args: Value) -> Value:
    """Sparse matrix with normal random elements."""
    return _random(ctx, "normal", args)


@builtin("eigs", category=_FAMILY, signatures=("d = eigs(A)", "[V, D] = eigs(A, k, sigma)"),
         cases=("abs(eigs(diag(1:10), 1) - 10) < 1e-10",), see=("eig", "svds"))
def eigs(a: Value, k: Value = 6.0, sigma: Value = "largestabs", *, nargout: int = 1) -> Value:
    """Some eigenvalues and eigenvectors."""
    x = as_array(a)
    symmetric = bool((x == x.conj().T).all())
    values, vectors = (np.linalg.eigh if symmetric else np.linalg.eig)(x)
    if is_char(sigma):
        word = str(sigma).lower()
        keys = {"largestabs": -np.abs(values), "lm": -np.abs(values), "smallestabs": np.abs(values),
                "sm": np.abs(values), "largestreal": -values.real, "la": -values.real,
                "lr": -values.real, "smallestreal": values.real, "sa": values.real,
                "sr": values.real}
        if word not in keys:
            text = f"Unknown choice {word!r} of eigenvalues."
            raise MatlabError("MATLAB:eigs:InvalidSigma", text)
        key = keys[word]
    else:
        key = np.abs(values - as_array(sigma).flat[0])
    order = np.argsort(key, kind="stable")[: min(_whole(k), values.size)]
    if nargout < 2:
        return canonical(values[order].reshape(-1, 1))
    return canonical(vectors[:, order]), canonical(np.diag(values[order])), 0.0


@builtin("svds", category=_FAMILY, signatures=("s = svds(A)", "[U, S, V] = svds(A, k)"),
         cases=("abs(svds(diag(1:10), 1) - 10) < 1e-10",), see=("svd", "eigs"))
def svds(a: Value, k: Value = 6.0, *, nargout: int = 1) -> Value:
    """The largest singular values and vectors."""
    u, s, vh = np.linalg.svd(as_array(a), full_matrices=False)
    n = min(_whole(k), s.size)
    if nargout < 2:
        return canonical(s[:n].reshape(-1, 1))
    return canonical(u[:, :n]), canonical(np.diag(s[:n])), canonical(vh[:n].conj().T)
