"""Every page of an N-D array as a matrix: products, transposes, inverses, solving, factors, norms;
and products over any dimensions.

A page is ``A(:, :, k, l, …)``; NumPy's linear algebra works on stacks, whose matrices come last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import NUMBERS, takes
from app.engine.arguments.dimensions import dimension
from app.engine.builtins.arrays import array_forms
from app.engine.builtins.linear_algebra import page_forms
from app.engine.builtins.linear_algebra.basics import inv
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.operators import mldivide
from app.engine.values import Array, Value, as_array, canonical, float_of, is_text_scalar, text_of
from app.errors import MOST_DIMENSIONS, MatlabError, agreement_error, too_many_dimensions

_FAMILY = "linear algebra"
_TURNS = ("none", "transpose", "ctranspose")


def stacked(a: Value, how: str = "none") -> Array:
    """Pages first (outermost dimension first), matrices last, transposed if asked for."""
    x = as_array(a)
    pages = x.transpose(*range(x.ndim - 1, 1, -1), 0, 1)
    if how == "none":
        return pages
    return pages.swapaxes(-1, -2).conj() if how == "ctranspose" else pages.swapaxes(-1, -2)


def unstacked(pages: Array) -> Value:
    """What :func:`stacked` took apart."""
    return canonical(pages.transpose(*range(pages.ndim - 1, -1, -1)).swapaxes(0, 1))


def _floating(name: str, a: Value) -> Array:
    x = stacked(a)
    if x.dtype.kind not in "fcb":
        message = f"Inputs of '{name}' must be single or double."
        raise MatlabError(f"MATLAB:{name}:inputType", message)
    return x.astype(np.float64) if x.dtype.kind == "b" else x


def _square(name: str, a: Value) -> Array:
    x = _floating(name, a)
    if x.shape[-1] != x.shape[-2]:
        raise MatlabError(f"MATLAB:{name}:squareMatrix", "Pages must be square matrices.")
    return x


@builtin(
    "pagemtimes",
    most=4,
    words="transpose ctranspose none",
    least=2,
    category=_FAMILY,
    signatures=("C = pagemtimes(A, B)", "C = pagemtimes(A, transpA, B, transpB)"),
    device=term_form(page_forms.pagemtimes),
    cases=("isequal(pagemtimes([1 2], [3; 4]), 11)",),
    see=("mtimes", "pagefun"),
)
def pagemtimes(a: Value, *args: Value) -> Value:
    """Matrix products of pages."""
    if len(args) == 3:
        first, b, second = text_of(args[0]), args[1], text_of(args[2])
    else:
        first, b, second = "none", args[0], "none"
    if first not in _TURNS or second not in _TURNS:
        message = "A transposition must be 'none', 'transpose' or 'ctranspose'."
        raise MatlabError("MATLAB:pagemtimes:transp", message)
    return unstacked(np.matmul(stacked(a, first), stacked(b, second)))


@builtin(
    "pagetranspose",
    category=_FAMILY,
    signatures=("B = pagetranspose(A)",),
    device=term_form(array_forms.pagetranspose),
    cases=("isequal(pagetranspose([1 2]), [1; 2])",),
    see=("transpose",),
)
def pagetranspose(a: Value) -> Value:
    """Transpose of every page."""
    return canonical(as_array(a).swapaxes(0, 1))


@builtin(
    "pagectranspose",
    category=_FAMILY,
    signatures=("B = pagectranspose(A)",),
    cases=("isequal(pagectranspose([1 2i]), [1; -2i])",),
    see=("pagetranspose", "ctranspose"),
)
def pagectranspose(a: Value) -> Value:
    """Conjugate transpose of every page."""
    return canonical(as_array(a).swapaxes(0, 1).conj())


def _work_on_pages(pages: Array, work: Any) -> Value:
    """Matrix by matrix: ill conditioned ones warn and give what ``work`` gives."""
    flat = pages.reshape(-1, *pages.shape[-2:])
    done = np.stack([as_array(work(canonical(m), k)) for k, m in enumerate(flat)])
    return unstacked(done.reshape(*pages.shape[:-2], *done.shape[1:]))


def _regular(pages: Array) -> bool:
    """Whether no page is singular or close to it."""
    with np.errstate(all="ignore"):
        ends = stoppable.svd(pages, compute_uv=False)
    return bool((ends[..., -1] > np.finfo(pages.dtype).eps * ends[..., 0]).all())


@builtin(
    "pageinv",
    category=_FAMILY,
    signatures=("Y = pageinv(X)",),
    cases=("isequal(pageinv(cat(3, 2, 4)), cat(3, 0.5, 0.25))",),
    see=("inv", "pagemldivide"),
)
def pageinv(x: Value) -> Value:
    """Inverse of every page."""
    pages = _square("pageinv", x)
    if not pages.size or _regular(pages):
        return unstacked(np.linalg.inv(pages))
    return _work_on_pages(pages, lambda m, k: inv(m))


def _solved_pages(name: str, a: Array, b: Array) -> Value:
    """``a \\ b`` of stacks, which broadcast."""
    if a.shape[-2] != b.shape[-2]:
        raise agreement_error(f"MATLAB:{name}:dimagree")
    if a.shape[-1] == a.shape[-2] and a.size and _regular(a):
        return unstacked(np.linalg.solve(a, b))
    pages = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = np.broadcast_to(a, (*pages, *a.shape[-2:]))
    right = np.broadcast_to(b, (*pages, *b.shape[-2:])).reshape(-1, *b.shape[-2:])
    return _work_on_pages(a, lambda m, k: mldivide(m, canonical(right[k])))


@builtin(
    "pagemldivide",
    category=_FAMILY,
    signatures=("X = pagemldivide(A, B)",),
    cases=("isequal(pagemldivide(cat(3, 2, 4), 8), cat(3, 4, 2))",),
    see=("mldivide", "pageinv"),
)
def pagemldivide(a: Value, b: Value) -> Value:
    """``A(:,:,k) \\ B(:,:,k)`` of every page; a single page goes with all."""
    name = "pagemldivide"
    return _solved_pages(name, _floating(name, a), _floating(name, b))


@builtin(
    "pagemrdivide",
    category=_FAMILY,
    signatures=("X = pagemrdivide(A, B)",),
    cases=("isequal(pagemrdivide(8, cat(3, 2, 4)), cat(3, 4, 2))",),
    see=("mrdivide", "pageinv"),
)
def pagemrdivide(a: Value, b: Value) -> Value:
    """``A(:,:,k) / B(:,:,k)`` of every page; a single page goes with all."""
    name = "pagemrdivide"
    x, y = (_floating(name, v).swapaxes(-1, -2) for v in (b, a))
    return pagetranspose(_solved_pages(name, x, y))


def _diagonals(
    name: str, options: tuple[Value, ...], values: Array, count: tuple[int, int], default: str
) -> Value:
    """Values as columns, or on the diagonals of pages."""
    words = [text_of(o).lower() for o in options if is_text_scalar(o)]
    known = {"vector", "matrix", "econ"}
    if set(words) - known:
        message = f"The form of the output of '{name}' must be 'vector' or 'matrix'."
        raise MatlabError(f"MATLAB:{name}:unknownOption", message)
    form = next((w for w in words if w != "econ"), default)
    if form == "vector":
        return unstacked(values[..., None])
    full = np.zeros((*values.shape[:-1], *count), dtype=values.dtype)
    k = np.arange(values.shape[-1])
    full[..., k, k] = values
    return unstacked(full)


@builtin(
    "pagesvd",
    most=2,
    words="econ vector matrix",
    category=_FAMILY,
    signatures=(
        "s = pagesvd(X)",
        "[U, S, V] = pagesvd(X)",
        "[...] = pagesvd(X, 'econ')",
        "[...] = pagesvd(..., 'vector')",
    ),
    cases=("isequal(pagesvd(cat(3, [3 0; 0 4], eye(2))), cat(3, [4; 3], [1; 1]))",),
    see=("svd", "pageeig"),
)
def pagesvd(x: Value, *options: Value, nargout: int = 1) -> Value:
    """Singular values and vectors of every page."""
    pages = _floating("pagesvd", x)
    if nargout < 2:
        values = stoppable.svd(pages, compute_uv=False)
        return _diagonals("pagesvd", options, values, pages.shape[-2:], "vector")
    economy = any(is_text_scalar(o) and text_of(o) == "econ" for o in options)
    u, s, vh = stoppable.svd(pages, full_matrices=not economy)
    middle = _diagonals("pagesvd", options, s, (u.shape[-1], vh.shape[-2]), "matrix")
    return unstacked(u), middle, unstacked(vh.swapaxes(-1, -2).conj())


@builtin(
    "pageeig",
    most=3,
    words="vector matrix",
    category=_FAMILY,
    signatures=("e = pageeig(X)", "[V, D] = pageeig(X)", "[...] = pageeig(..., 'vector')"),
    cases=("isequal(pageeig(cat(3, [2 0; 0 1], eye(2))), cat(3, [1; 2], [1; 1]))",),
    see=("eig", "pagesvd"),
)
def pageeig(x: Value, *options: Value, nargout: int = 1) -> Value:
    """Eigenvalues and eigenvectors of every page."""
    pages = _square("pageeig", x)
    symmetric = bool((pages == pages.swapaxes(-1, -2).conj()).all())
    if nargout < 2:
        values = stoppable.eigvalsh(pages) if symmetric else stoppable.eigvals(pages)
        return _diagonals("pageeig", options, values, pages.shape[-2:], "vector")
    values, vectors = stoppable.eigh(pages) if symmetric else stoppable.eig(pages)
    return unstacked(vectors), _diagonals("pageeig", options, values, pages.shape[-2:], "matrix")


@builtin(
    "pagenorm",
    category=_FAMILY,
    signatures=("n = pagenorm(X)", "n = pagenorm(X, p)"),
    cases=("isequal(pagenorm(cat(3, [3; 4], [0; 1])), cat(3, 5, 1))",),
    see=("norm", "vecnorm"),
)
def pagenorm(x: Value, p: Value = 2.0) -> Value:
    """Norm of every page: 1, 2, Inf or 'fro' of matrices, any order of vectors."""
    pages = _floating("pagenorm", x)
    order: Any = text_of(p).lower() if is_text_scalar(p) else float_of(p)
    order = {"fro": "fro", "inf": np.inf}.get(order, order)
    if 1 in pages.shape[-2:]:
        flat = pages.reshape(*pages.shape[:-2], -1)
        found = np.linalg.norm(flat, 2 if order == "fro" else order, axis=-1)
    elif order in (1.0, 2.0, np.inf, "fro"):
        found = np.linalg.norm(pages, order, axis=(-2, -1))
    else:
        message = "The order of a matrix norm must be 1, 2, Inf or 'fro'."
        raise MatlabError("MATLAB:pagenorm:unknownNorm", message)
    return unstacked(found[..., None, None])


@builtin(
    "tensorprod",
    category="linear algebra",
    signatures=(
        "C = tensorprod(A, B, dimA, dimB)",
        "C = tensorprod(A, B, dim)",
        "C = tensorprod(A, B, 'all')",
    ),
    cases=("tensorprod([1 2], [3; 4], 2, 1) == 11", "tensorprod([1 2], [3 4], 'all') == 11"),
    see=("mtimes", "kron", "pagemtimes"),
    device=of_resident(page_forms.tensorprod),
)
@takes(NUMBERS, NUMBERS)
def tensorprod(a: Value, b: Value, *dims: Value) -> Value:
    """Sums of products over dimensions of two arrays; without any, products of all pairs."""
    x, y = as_array(a), as_array(b)
    if dims and is_text_scalar(dims[0]):
        if x.shape != y.shape:
            message = "All dimensions are summed over, so both arrays must have the same size."
            raise MatlabError("MATLAB:tensorprod:InvalidDims", message)
        return canonical(np.asarray(np.sum(x * y)).reshape(1, 1))
    axes = [[dimension(np.asarray(d)) for d in as_array(v).ravel()] for v in dims[:2]]
    if any(axis >= MOST_DIMENSIONS for chosen in axes for axis in chosen):
        raise too_many_dimensions()
    axes = axes * 2 if len(axes) == 1 else axes
    first, second = axes or ([], [])
    x = x.reshape(x.shape + (1,) * (max(first, default=0) + 1 - x.ndim))
    y = y.reshape(y.shape + (1,) * (max(second, default=0) + 1 - y.ndim))
    if [x.shape[k] for k in first] != [y.shape[k] for k in second]:
        message = "The lengths of the dimensions that are summed over must be equal."
        raise MatlabError("MATLAB:tensorprod:InvalidDims", message)
    found = np.tensordot(x, y, (first, second))
    return canonical(found.reshape(found.shape + (1,) * (2 - found.ndim)))
