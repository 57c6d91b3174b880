"""What shape of matrix it is: bands, triangles, symmetry."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.checks import (
    ANY,
    FLOATS,
    MATRIX,
    NONNEGATIVE,
    NUMBER,
    NUMBERS,
    TEXT,
    WHOLE,
    real_number,
    takes,
)
from app.engine.builtins.arrays import array_forms
from app.engine.declarations.device_support import term_form
from app.engine.declarations.registry import builtin
from app.engine.values import (
    SparseMatrix,
    Value,
    as_array,
    is_logical,
    is_numeric,
    is_text_scalar,
    size_of,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "linear algebra"


def _structure(v: Value) -> Any:
    return v.matrix if isinstance(v, SparseMatrix) else np.asarray(as_array(v))


def _flat_numeric(v: Value) -> bool:
    return (is_numeric(v) or is_logical(v)) and len(size_of(v)) == 2


def _band(v: Value) -> tuple[int, int]:
    if not _flat_numeric(v):
        return 0, 0
    rows, columns = _structure(v).nonzero()
    if rows.size == 0:
        return 0, 0
    return max(0, int((rows - columns).max())), max(0, int((columns - rows).max()))


@builtin(
    "bandwidth",
    category=_FAMILY,
    signatures=("b = bandwidth(A, type)", "[lower, upper] = bandwidth(A)"),
    cases=("bandwidth([1 2; 0 1], 'upper') == 1",),
    see=("isbanded",),
)
@takes(NUMBERS & MATRIX, TEXT)
def bandwidth(a: Value, kind: Value | None = None) -> Value:
    """How far nonzeros lie below and above the diagonal."""
    low, high = _band(a)
    if kind is not None:
        if text_of(kind).lower() not in ("lower", "upper"):
            text = "TYPE must be 'lower' or 'upper'."
            raise MatlabError("MATLAB:bandwidth:invalidType", text)
        return float(low if text_of(kind) == "lower" else high)
    return float(low), float(high)


@builtin(
    "isbanded",
    category=_FAMILY,
    signatures=("tf = isbanded(A, lower, upper)",),
    device=term_form(array_forms.isbanded),
    cases=("isbanded(eye(3), 0, 0)",),
    see=("bandwidth", "isdiag"),
)
@takes(ANY, NUMBER & WHOLE & NONNEGATIVE, NUMBER & WHOLE & NONNEGATIVE)
def isbanded(a: Value, lower: Value, upper: Value) -> Value:
    """True when all nonzeros lie within the given band."""
    low, high = _band(a)
    return _flat_numeric(a) and low <= real_number(lower) and high <= real_number(upper)


@builtin(
    "isdiag",
    category=_FAMILY,
    signatures=("tf = isdiag(A)",),
    device=term_form(array_forms.isdiag),
    cases=("isdiag(eye(3))", "~isdiag([1 2; 0 1])"),
    see=("istril", "istriu"),
)
def isdiag(a: Value) -> Value:
    """True for a diagonal matrix."""
    return _flat_numeric(a) and _band(a) == (0, 0)


@builtin(
    "istril",
    category=_FAMILY,
    signatures=("tf = istril(A)",),
    device=term_form(array_forms.istril),
    cases=("istril([1 0; 2 1])", "~istril([1 2; 0 1])"),
    see=("istriu", "isdiag"),
)
def istril(a: Value) -> Value:
    """True for a lower triangular matrix."""
    return _flat_numeric(a) and _band(a)[1] == 0


@builtin(
    "istriu",
    category=_FAMILY,
    signatures=("tf = istriu(A)",),
    device=term_form(array_forms.istriu),
    cases=("istriu([1 2; 0 1])",),
    see=("istril", "isdiag"),
)
def istriu(a: Value) -> Value:
    """True for an upper triangular matrix."""
    return _flat_numeric(a) and _band(a)[0] == 0


def _is_mirrored(a: Value, skew: bool, tol: float, conjugate: bool) -> bool:
    if not _flat_numeric(a) or size_of(a)[0] != size_of(a)[1]:
        return False
    m = np.asarray(as_array(a))
    m = m.astype(np.float64) if m.dtype.kind == "b" else m
    other = m.conj().T if conjugate else m.T
    other = -other if skew else other
    if tol == 0:
        return bool(np.array_equal(m, other))
    return bool(np.abs(m - other).sum(axis=1).max() <= tol * np.abs(m).sum(axis=1).max())


def _mirror_arguments(name: str, options: tuple[Value, ...]) -> tuple[bool, float]:
    """Whether skew symmetry is meant, and the tolerance."""
    skew, tol = False, 0.0
    for option in options:
        if not is_text_scalar(option):
            (NUMBER & NONNEGATIVE)(name, 2, option)
            tol = real_number(option)
        elif text_of(option).lower() in ("skew", "nonskew"):
            skew = text_of(option).lower() == "skew"
        else:
            text = "The option must be 'skew' or 'nonskew'."
            raise MatlabError(f"MATLAB:{name}:inputType", text)
    return skew, tol


@builtin(
    "issymmetric",
    most=2,
    words="skew nonskew",
    category=_FAMILY,
    signatures=("tf = issymmetric(A)", "tf = issymmetric(A, 'skew')", "tf = issymmetric(A, tol)"),
    device=term_form(array_forms.issymmetric),
    cases=("issymmetric([1 2; 2 1])", "~issymmetric([1 2; 3 1])"),
    see=("ishermitian",),
)
def issymmetric(a: Value, *options: Value) -> Value:
    """True when A equals its transpose (or minus it, for ``'skew'``)."""
    return _is_mirrored(a, *_mirror_arguments("issymmetric", options), conjugate=False)


@builtin(
    "ishermitian",
    most=2,
    words="skew nonskew",
    category=_FAMILY,
    signatures=("tf = ishermitian(A)", "tf = ishermitian(A, 'skew')", "tf = ishermitian(A, tol)"),
    device=term_form(array_forms.issymmetric),
    cases=("ishermitian([1 1i; -1i 1])",),
    see=("issymmetric",),
)
def ishermitian(a: Value, *options: Value) -> Value:
    """True when A equals its conjugate transpose (or minus it, for ``'skew'``)."""
    return _is_mirrored(a, *_mirror_arguments("ishermitian", options), conjugate=True)


@builtin(
    "normest",
    category=_FAMILY,
    signatures=("n = normest(A)", "n = normest(A, tol)"),
    cases=("abs(normest(magic(3)) - 15) < 1e-5",),
    see=("norm",),
)
@takes(FLOATS & MATRIX, NUMBER)
def normest(a: Value, tol: Value = 1e-6) -> Value:
    """Estimate of the 2-norm by power iteration; works on sparse matrices."""
    m = _structure(a)
    x = np.abs(m).sum(axis=0)
    x = np.asarray(x, dtype=np.float64).reshape(-1, 1)
    size = float(np.linalg.norm(x))
    if size == 0:
        return 0.0
    x = x / size + 1e-3 * np.sin(np.arange(1.0, x.size + 1)).reshape(-1, 1)
    last = estimate = 0.0
    for _ in range(100):
        y = m @ x
        estimate = float(np.linalg.norm(y))
        x = m.conj().T @ y
        x = x / max(float(np.linalg.norm(x)), 1e-300)
        if abs(estimate - last) <= real_number(tol) * estimate:
            break
        last = estimate
    return estimate
