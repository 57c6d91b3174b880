"""Some eigenvalues and singular values of large matrices: eigs and svds."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    MATRIX,
    flag,
    one_of,
    option_pairs,
    real_number,
    takes,
    unknown_option,
)
from app.engine.builtins.linear_algebra.basics import finite
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    FunctionHandle,
    SparseMatrix,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    is_numeric,
    is_text_scalar,
    numel,
    size_of,
    text_of,
)
from app.errors import MatlabError

_OF_ITERATIONS = (
    "Tolerance MaxIterations SubspaceDimension StartVector FailureTreatment Display "
    "IsFunctionSymmetric"
)
_FAMILY = "sparse matrices"
_DENSE = 500
_ARPACK = {
    "largestabs": ("LM", "LM"),
    "largestreal": ("LA", "LR"),
    "smallestreal": ("SA", "SR"),
    "bothendsreal": ("BE", ""),
    "largestimag": ("", "LI"),
}
_WORDS = {
    "lm": "largestabs",
    "sm": "smallestabs",
    "la": "largestreal",
    "lr": "largestreal",
    "sa": "smallestreal",
    "sr": "smallestreal",
    "be": "bothendsreal",
    "li": "largestimag",
    "si": "smallestimag",
}


_SIDES = ("largest", "smallest", "smallestnz", "l", "s")


def _order(values: Array, sigma: str | complex, k: int) -> Array:
    """Places of the k eigenvalues asked for, the most wanted first."""
    if not isinstance(sigma, str):
        return np.argsort(np.abs(values - sigma), kind="stable")[:k]
    if sigma == "bothendsreal":
        rising = np.argsort(values.real, kind="stable")
        low, high = k // 2, k - k // 2
        return np.concatenate([rising[:low], rising[rising.size - high :]])
    keys = {
        "largestabs": -np.abs(values),
        "smallestabs": np.abs(values),
        "largestreal": -values.real,
        "smallestreal": values.real,
        "largestimag": -np.abs(values.imag),
        "smallestimag": np.abs(values.imag),
    }
    return np.argsort(keys[sigma], kind="stable")[:k]


def _target(a: Any, v: Value) -> str | complex:
    if not is_text_scalar(v):
        return complex(as_array(v).flat[0])
    word = text_of(v).lower()
    symmetric = a.dtype.kind != "c" and _are_equal(a, a.T)
    symmetric_only = word in ("la", "sa", "be", "bothends")
    if not symmetric if symmetric_only else symmetric and word in ("li", "si"):
        text = f"The choice '{word}' does not suit this matrix."
        raise MatlabError("MATLAB:eigs:InvalidSigma", text)
    word = _WORDS.get(word, word)
    if word not in _WORDS.values():
        raise MatlabError("MATLAB:eigs:InvalidSigma", f"Unknown choice '{word}' of eigenvalues.")
    return word


def _spectrum(a: Any, b: Array | None, k: int, sigma: str | complex) -> tuple[Array, Array]:
    hermitian = _are_equal(a, a.conj().T)
    if a.shape[0] > _DENSE and k < a.shape[0] // 10:
        found = (
            _arpack_eigenvalues(a, k, sigma, hermitian=hermitian)
            if b is None
            else _arpack_pair(a, b, k, sigma, hermitian=hermitian)
        )
        if found is not None:
            return found
    a = as_array(SparseMatrix.of(a)) if hasattr(a, "tocsc") else a
    if hermitian:
        return stoppable.eigh(a) if b is None else stoppable.definite_pair(a, b)
    return stoppable.eigensystem(a, b)[::2]


def _are_equal(a: Any, b: object) -> bool:
    return (a != b).nnz == 0 if hasattr(a, "tocsc") else bool((a == b).all())


def _arpack_eigenvalues(
    a: Any, k: int, sigma: str | complex, *, hermitian: bool
) -> tuple[Array, Array] | None:
    """Eigenvalues by ARPACK; those near a number by solving with the shifted matrix."""
    from scipy.sparse import linalg

    solve = linalg.eigsh if hermitian else linalg.eigs
    near = 0.0 if sigma == "smallestabs" else None if isinstance(sigma, str) else sigma
    which = "LM" if near is not None else _ARPACK.get(str(sigma), ("", ""))[not hermitian]
    if not which or (near is not None and not hasattr(a, "tocsc")):
        return None
    if near is None:
        return solve(a, k, which=which)  # type: ignore[no-any-return]
    shift = complex(near).real if hermitian or complex(near).imag == 0 else near
    try:
        return solve(a, k, sigma=shift, which=which)  # type: ignore[no-any-return]
    except RuntimeError:  # exactly singular: a shift next to it
        return solve(a, k, sigma=shift + 1e-10 * abs(a).max(), which=which)  # type: ignore[no-any-return]


def _arpack_pair(
    a: Any, b: Array, k: int, sigma: str | complex, *, hermitian: bool
) -> tuple[Array, Array] | None:
    """Eigenvalues of a sparse matrix and another one, near a number or the largest; of the matrix
    that solves with what is factored, so that the other one may be singular near a number."""
    from scipy.sparse import csc_array, linalg

    by_parts = isinstance(sigma, str) and sigma not in ("smallestabs", "largestabs")
    if hermitian or by_parts or not hasattr(a, "tocsc"):
        return None
    other = csc_array(b)
    near = 0.0 if sigma == "smallestabs" else None if isinstance(sigma, str) else sigma
    if isinstance(near, complex) and near.imag == 0:
        near = near.real
    try:
        factored = linalg.splu(other if near is None else (a - near * other).tocsc())
    except RuntimeError:  # exactly singular
        return None
    right = a if near is None else other
    kind = np.result_type(a.dtype, b.dtype, float if near is None else type(near))
    inverse = linalg.LinearOperator(
        a.shape, lambda x: factored.solve((right @ x).astype(kind, copy=False)), dtype=kind
    )
    values, vectors = linalg.eigs(inverse, k, which="LM")
    return (values if near is None else near + 1 / values), vectors


def _matrix_of_function(ctx: CallContext, f: Value, n: int, sigma: str | complex) -> Array:
    """The matrix of a function handle; for sigma 0 the function solves with it."""
    columns = [
        as_array(ctx.call(f, (canonical(e.reshape(-1, 1)),), 1)[0]).ravel(order="F")
        for e in np.eye(n)
    ]
    found = np.column_stack(columns)
    if isinstance(sigma, str) and sigma != "smallestabs":
        return found
    return np.linalg.inv(found) + (0 if isinstance(sigma, str) else sigma) * np.eye(n)


@builtin(
    "eigs",
    category=_FAMILY,
    signatures=(
        "d = eigs(A)",
        "[V, D, flag] = eigs(A, k, sigma, opts)",
        "d = eigs(A, B, k, sigma)",
        "d = eigs(fun, n, k, sigma)",
    ),
    cases=(
        "abs(eigs(diag(1:10), 1) - 10) < 1e-10",
        "abs(eigs(diag(1:10), 1, 'smallestabs') - 1) < 1e-10",
        "norm(eigs(diag(1:10), 2, 'SR') - [1; 2]) < 1e-10",
    ),
    see=("eig", "svds"),
)
def eigs(ctx: CallContext, a: Value, *args: Value, nargout: int = 1) -> Value:
    """Some eigenvalues and eigenvectors, the largest in magnitude unless asked otherwise.

    The answers are exact to rounding, so that tolerances and limits of iterations change nothing.
    """
    rest = [v for v in args if not isinstance(v, Struct)]
    function = isinstance(a, FunctionHandle)
    order = int_of(rest.pop(0)) if function and rest else size_of(a)[0]
    x: Any = a.matrix if isinstance(a, SparseMatrix) else None if function else as_array(a)
    x = np.eye(order) if x is None else x.astype(np.result_type(x.dtype, float))
    b = None
    if rest and not is_text_scalar(rest[0]) and (numel(rest[0]) != 1 or order == 1 < len(rest)):
        given = as_array(rest.pop(0))
        b = given if given.size else None
    count = rest[0] if rest else min(6.0, float(order))
    if x.ndim != 2 or x.shape[0] != x.shape[1]:
        raise MatlabError("MATLAB:eigs:NonSquareMatrix", "The matrix must be square.")
    if not is_numeric(count) or numel(count) != 1 or float_of(count) < 1:
        raise MatlabError("MATLAB:eigs:InvalidK", "K must be a positive integer.")
    if float_of(count) > order:
        text = f"K must not exceed the order {order} of the matrix."
        raise MatlabError("MATLAB:eigs:InvalidK", text)
    _check_iterations(option_pairs("eigs", rest[2:], _OF_ITERATIONS))
    sigma = _target(x, rest[1] if len(rest) > 1 else "largestabs")
    if function:
        x = _matrix_of_function(ctx, a, order, sigma)
    k = min(int_of(count), order)
    finite("eigs", x.data if isinstance(a, SparseMatrix) else x)
    values, vectors = _spectrum(x, b, k, sigma)
    places = _order(values, sigma, k)
    if nargout < 2:
        return canonical(values[places].reshape(-1, 1))
    return canonical(vectors[:, places]), canonical(np.diag(values[places])), 0.0


def _check_iterations(options: dict[str, Value]) -> None:
    """Refuse what no iteration could be told."""
    for name in ("tolerance", "maxiterations", "subspacedimension"):
        if name in options and not real_number(options[name]) > 0:
            raise MatlabError(f"MATLAB:eigs:Invalid{name}", f"'{name}' must be a positive number.")
    for name in ("display", "isfunctionsymmetric"):
        flag(options, name)
    one_of(
        "eigs", "FailureTreatment", options.get("failuretreatment", "drop"), "replacenan keep drop"
    )
    start = options.get("startvector", 1.0)
    if is_text_scalar(start) or not is_numeric(start):
        raise MatlabError("MATLAB:eigs:InvalidStartVector", "'StartVector' must be numeric.")


def _singular(a: Value, n: int, sigma: Value) -> tuple[Array, Array, Array]:
    """Singular values, falling, with their vectors; the ``n`` largest of a large sparse matrix."""
    largest = is_text_scalar(sigma) and text_of(sigma).lower() == "largest"
    if isinstance(a, SparseMatrix) and largest and min(a.shape) > _DENSE and n < min(a.shape):
        from scipy.sparse import linalg

        u, s, vh = linalg.svds(a.matrix.astype(np.result_type(a.matrix.dtype, float)), n)
        return u[:, ::-1], s[::-1], vh[::-1]
    dense = a.dense() if isinstance(a, SparseMatrix) else as_array(a)
    return stoppable.svd(dense, full_matrices=False)


@builtin(
    "svds",
    category=_FAMILY,
    signatures=("s = svds(A)", "[U, S, V, flag] = svds(A, k, sigma)"),
    cases=(
        "abs(svds(diag(1:10), 1) - 10) < 1e-10",
        "abs(svds(diag(1:10), 1, 'smallest') - 1) < 1e-10",
        "norm(svds(diag(0:9), 2, 'smallestnz') - [2; 1]) < 1e-10",
    ),
    see=("svd", "eigs"),
)
@takes(MATRIX)
def svds(
    a: Value, k: Value = 6.0, sigma: Value = "largest", options: Value = None, nargout: int = 1
) -> Value:
    """The largest (or smallest, or nearest to sigma) singular values and vectors.

    A struct of ``options`` may set how an iteration goes; the values do not depend on it.
    """
    if options is not None and not isinstance(options, Struct):
        raise unknown_option("svds", text_of(options) if is_text_scalar(options) else "options")
    if is_text_scalar(sigma) and text_of(sigma).lower() not in _SIDES:
        raise unknown_option("svds", text_of(sigma), " ".join(_SIDES))
    n = min(int_of(k), *size_of(a))
    u, s, vh = _singular(a, n, sigma)
    if is_text_scalar(sigma):
        word = text_of(sigma).lower()
        rank = s.size
        if word == "smallestnz":
            rank = int((s > max(size_of(a)) * np.spacing(s.max(initial=0.0))).sum())
        small = word.startswith("s")
        places = np.arange(max(rank - n, 0), rank) if small else np.arange(n)
    else:
        places = np.sort(np.argsort(np.abs(s - float_of(sigma)), kind="stable")[:n])
    if nargout < 2:
        return canonical(s[places].reshape(-1, 1))
    return (
        canonical(u[:, places]),
        canonical(np.diag(s[places])),
        canonical(vh[places].conj().T),
        0.0,
    )
