"""Matching rows with columns, ordering Schur forms, and older names of interpolants."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import (
    MATRIX,
    NONEMPTY,
    NUMBERS,
    REAL,
    SCALAR,
    SQUARE,
    real_number,
    takes,
    unknown_option,
)
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, text_of
from app.errors import MatlabError

_FAMILY = "linear algebra"


@builtin(
    "matchpairs",
    words="min max",
    category=_FAMILY,
    signatures=("M = matchpairs(Cost, costUnmatched)", "[M, uR, uC] = matchpairs(Cost, cU, goal)"),
    cases=(
        "isequal(matchpairs([4 1; 2 9], 100), [2 1; 1 2])",
        "[M, r] = matchpairs([1 9; 9 50], 5); isequal(M, [1 1]) && r == 2",
    ),
    see=("perms",),
)
@takes(NUMBERS & REAL & MATRIX & NONEMPTY, NUMBERS & REAL & SCALAR)
def matchpairs(cost: Value, unmatched: Value, goal: Value = "min") -> Value:
    """Pairs of rows and columns of the least cost; those left over cost something each."""
    from scipy.optimize import linear_sum_assignment

    sign = -1.0 if text_of(goal) == "max" else 1.0
    a, alone = sign * np.asarray(as_array(cost), dtype=float), sign * real_number(unmatched)
    rows, columns = a.shape
    whole = np.full((rows + columns, rows + columns), np.inf)
    whole[:rows, :columns] = a
    np.fill_diagonal(whole[:rows, columns:], alone)
    np.fill_diagonal(whole[rows:, :columns], alone)
    whole[rows:, columns:] = 0.0
    large = np.abs(whole[np.isfinite(whole)]).sum() * 4 + 1
    left, right = linear_sum_assignment(np.where(np.isfinite(whole), whole, large))
    kept = (left < rows) & (right < columns)
    pairs = np.column_stack([left[kept], right[kept]])
    pairs = pairs[np.argsort(pairs[:, 1], kind="stable")] + 1.0
    lone = [np.setdiff1d(np.arange(1.0, n + 1), pairs[:, k]) for k, n in enumerate(a.shape)]
    return canonical(pairs), *(canonical(v.reshape(-1, 1)) for v in lone)


CHOSEN_REGIONS: dict[str, Callable[[Array, Array], Array]] = {
    "lhp": lambda a, b: (a * np.conj(b)).real < 0,
    "rhp": lambda a, b: (a * np.conj(b)).real > 0,
    "udi": lambda a, b: np.abs(a) < np.abs(b),
    "udo": lambda a, b: np.abs(a) > np.abs(b),
}
"""Which eigenvalues ``a/b`` a word chooses: left and right half plane, in and out of the circle."""


def clusters_of(name: str, select: Value, count: int) -> Array:
    """Flags or numbers of clusters, one for each of ``count`` eigenvalues."""
    if is_text_scalar(select):
        raise unknown_option(name, select, " ".join(CHOSEN_REGIONS))
    flags = np.asarray(as_array(select)).ravel()
    if flags.size != count:
        raise MatlabError(f"MATLAB:{name}:InvalidSelect", "Give a flag for each eigenvalue.")
    return flags


@builtin(
    "ordschur",
    category=_FAMILY,
    signatures=(
        "[US, TS] = ordschur(U, T, select)",
        "[US, TS] = ordschur(U, T, keyword)",
        "[US, TS] = ordschur(U, T, clusters)",
    ),
    cases=(
        "[U, T] = schur([1 2; 3 4]); [V, S] = ordschur(U, T, 'rhp'); S(1) > 0 && "
        "norm(V*S*V' - [1 2; 3 4]) < 1e-12",
        "T = diag(1:4) + triu(ones(4), 1); [V, S] = ordschur(eye(4), T, [1 3 3 2]); "
        "norm(diag(S) - [2; 3; 4; 1]) < 1e-12 && norm(V*S*V' - T) < 1e-12",
    ),
    see=("schur",),
)
@takes(NUMBERS & SQUARE, NUMBERS & SQUARE)
def ordschur(u: Value, t: Value, select: Value) -> Value:
    """A Schur form with chosen eigenvalues first: flags, or lhp, rhp, udi, udo; numbers of clusters
    put the largest first."""
    from scipy.linalg import lapack

    q, s = (np.asarray(as_array(v)) for v in (u, t))
    values = _eigenvalues(s)
    if q.shape != s.shape:
        raise MatlabError("MATLAB:ordschur:InvalidSize", "U and T must have the same size.")
    region = CHOSEN_REGIONS.get(text_of(select).lower()) if is_text_scalar(select) else None
    flags = region(values, np.ones(len(s))) if region else clusters_of("ordschur", select, len(s))
    wide = np.result_type(q, s, np.float64)
    q, s = q.astype(wide), s.astype(wide)
    move = lapack.ztrsen if wide.kind == "c" else lapack.dtrsen
    for cluster in np.unique(flags)[1 if flags.dtype == bool else 0 :]:  # the last comes first
        chosen = flags == cluster
        if chosen.all():
            continue
        s, q = (np.asarray(part) for part in move(chosen.astype(np.int32), s, q, "N", 1)[:2])
        flags = np.concatenate([flags[chosen], flags[~chosen]])
    return canonical(q), canonical(s)


def _eigenvalues(t: Array) -> Array:
    """The eigenvalues of a Schur form in the order of its diagonal."""
    made, k = np.diag(t).astype(complex), 0
    while k < len(t) - 1:
        if t[k + 1, k] != 0:
            made[k : k + 2] = stoppable.eigvals(t[k : k + 2, k : k + 2])
            k += 1
        k += 1
    return made
