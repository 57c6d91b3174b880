"""Factors of pairs of matrices: gsvd, ordqz."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import (
    MATRIX,
    NUMBERS,
    SQUARE,
    real_number,
    takes,
    unknown_option,
)
from app.engine.builtins.linear_algebra.basics import finite
from app.engine.builtins.linear_algebra.matchings import CHOSEN_REGIONS, clusters_of
from app.engine.builtins.vectors import column, real_float
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, canonical, is_text_scalar, text_of
from app.errors import MatlabError

_FAMILY = "linear algebra"
_WELL_CONDITIONED = 0.7
"""Columns of orthonormal ones that are longer keep their angles when they are normalised."""


def _cosine_sine(top: Array, bottom: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Factors of orthonormal columns: ``top = U C W'``, ``bottom = V S W'``, c and s.

    The cosines ascend. Long columns are factored by QR, the short ones, whose angles are lost in
    the other block, by the singular values of their own (Van Loan, 1985).
    """
    m, size = top.shape
    v, s, wh = stoppable.svd(bottom, full_matrices=True)
    w = wh.conj().T
    s = np.concatenate([s, np.zeros(size - s.size)])
    order = np.arange(size)[::-1][: min(m, size)]  # the longest column of the upper part first
    u, r = np.linalg.qr(top @ w[:, order], mode="complete")
    long = int(np.sum(np.linalg.norm(r, axis=0) >= _WELL_CONDITIONED))
    c = np.diagonal(r).copy()
    if long < order.size:
        inner, short, turn = stoppable.svd(r[long:, long:], full_matrices=True)
        few = order[long:]
        c[long:] = short
        u[:, long:] = u[:, long:] @ inner
        w[:, few] = w[:, few] @ turn.conj().T
        kept = few[few < v.shape[1]]
        turned, left = np.linalg.qr(s[few][:, None] * turn.conj().T)
        v[:, kept] = (v[:, few] @ turned) * _signs(np.diagonal(left))
        s[few] = np.abs(np.diagonal(left))
    u[:, : order.size] *= _signs(c)
    cosines = np.zeros(size)
    cosines[order] = np.abs(c)
    u = np.column_stack([u[:, : order.size][:, ::-1], u[:, order.size :]])
    return u, v, w, cosines, s


def _signs(a: Array) -> Array:
    size = np.abs(a)
    return np.where(size == 0, 1, a / np.where(size == 0, 1, size))


def _placed(values: Array, rows: int, shift: int) -> Array:
    """A matrix with values on the diagonal that begins ``shift`` columns further right."""
    made = np.zeros((rows, values.size), dtype=values.dtype)
    count = min(rows, values.size - shift)
    made[np.arange(count), shift + np.arange(count)] = values[shift : shift + count]
    return made


@builtin(
    "gsvd",
    category=_FAMILY,
    words="econ",
    least=2,
    signatures=(
        "[U, V, X, C, S] = gsvd(A, B)",
        "[U, V, X, C, S] = gsvd(A, B, 0)",
        "[U, V, X, C, S] = gsvd(A, B, 'econ')",
        "sigma = gsvd(A, B)",
    ),
    cases=(
        "norm(gsvd(reshape(1:15, 5, 3), magic(3)) - [0; 0.3325; 5.0123]) < 1e-4",
        "A = reshape(1:15, 5, 3); B = magic(3); [U, V, X, C, S] = gsvd(A, B); "
        "norm(U*C*X' - A) + norm(V*S*X' - B) + norm(C'*C + S'*S - eye(3)) < 1e-12",
        "A = reshape(1:15, 3, 5); B = magic(5); [U, V, X, C, S] = gsvd(A, B, 'econ'); "
        "norm(U*C*X' - A) + norm(V*S*X' - B) < 1e-12 && isequal(size(C), [3 5])",
    ),
    see=("svd", "qz"),
)
@takes(NUMBERS & MATRIX, NUMBERS & MATRIX)
def gsvd(a: Value, b: Value, form: Value | None = None, *, nargout: int = 1) -> Value:
    """Factors of two matrices with as many columns: ``A = U*C*X'``, ``B = V*S*X'``.

    ``C'*C + S'*S`` is the identity; U and V are unitary, with the number of rows of A and B. C and
    S are diagonal, C ascending (on the diagonal ``max(0, q - m)`` of its m rows). Alone: the
    generalised singular values c/s, ascending, Inf where s is 0. ``'econ'`` or 0: no more columns
    of U and V than A has. From the cosine-sine factors of an orthonormal basis of ``[A; B]``.
    """
    x, y = (finite("gsvd", real_float(v)) for v in (a, b))
    if x.shape[1] != y.shape[1]:
        text = "Matrices must have the same number of columns."
        raise MatlabError("MATLAB:gsvd:MatrixColMismatch", text)
    if form is not None and not (
        text_of(form).lower() == "econ" if is_text_scalar(form) else real_number(form) == 0
    ):
        raise unknown_option("gsvd", form, "econ 0")
    wide = np.result_type(x, y)
    q, r = np.linalg.qr(np.concatenate([x, y]).astype(wide))
    m = x.shape[0]
    u, v, w, c, s = _cosine_sine(q[:m], q[m:])
    if nargout < 2:
        with np.errstate(divide="ignore"):
            return column(c / s)
    size = c.size
    real = wide.type(0).real.dtype
    cosines = _placed(c.astype(real), m, max(0, size - m))
    sines = _placed(s.astype(real), y.shape[0], 0)
    if form is not None:
        u, v, cosines, sines = u[:, :size], v[:, :size], cosines[:size], sines[:size]
    return tuple(canonical(p) for p in (u, v, r.conj().T @ w, cosines, sines))


@builtin(
    "ordqz",
    category=_FAMILY,
    least=5,
    signatures=(
        "[AAS, BBS, QS, ZS] = ordqz(AA, BB, Q, Z, select)",
        "[AAS, BBS, QS, ZS] = ordqz(AA, BB, Q, Z, keyword)",
        "[AAS, BBS, QS, ZS] = ordqz(AA, BB, Q, Z, clusters)",
    ),
    cases=(
        "A = magic(4); B = diag(1:4); [S, T, Q, Z] = qz(A, B); "
        "[S, T, Q, Z] = ordqz(S, T, Q, Z, 'lhp'); e = real(diag(S)./diag(T)); "
        "issorted(e > 0) && any(e < 0) && norm(Q*A*Z - S) + norm(Q*B*Z - T) < 1e-12",
        "[S, T, Q, Z] = ordqz(diag(1:3), eye(3), eye(3), eye(3), [1 3 2]); "
        "norm(diag(S)./diag(T) - [2; 3; 1]) < 1e-12",
    ),
    see=("qz", "ordschur", "ordeig"),
)
@takes(NUMBERS & SQUARE, NUMBERS & SQUARE, NUMBERS & SQUARE, NUMBERS & SQUARE)
def ordqz(aa: Value, bb: Value, q: Value, z: Value, select: Value) -> Value:
    """A generalised Schur form with chosen eigenvalues first, ``Q*A*Z = AA`` kept.

    Flags choose, or the words lhp, rhp, udi, udo; numbers of clusters put the largest first.
    """
    from scipy.linalg import lapack

    s, t, left, right = (real_float(v) for v in (aa, bb, q, z))
    if not s.shape == t.shape == left.shape == right.shape:
        raise MatlabError("MATLAB:ordqz:SizeMismatch", "The four matrices must have the same size.")
    wide = np.result_type(s, t, left, right, np.float64)
    s, t, left, right = (m.astype(wide) for m in (s, t, left.conj().T, right))
    move = lapack.ztgsen if wide.kind == "c" else lapack.dtgsen

    def moved(flags: Array) -> tuple[Array, ...]:
        return tuple(move(flags.astype(np.int32), s, t, left, right, ijob=0))

    found = moved(np.zeros(len(s)))
    alpha, beta = (found[2], found[3]) if wide.kind == "c" else (found[2] + 1j * found[3], found[4])
    regions = CHOSEN_REGIONS.get(text_of(select).lower()) if is_text_scalar(select) else None
    flags = regions(alpha, beta) if regions else clusters_of("ordqz", select, len(s))
    at = 4 if wide.kind == "c" else 5
    for cluster in np.unique(flags)[1 if flags.dtype == bool else 0 :]:  # the last comes first
        chosen = flags == cluster
        if chosen.all():
            continue
        made = moved(chosen)
        if made[-1]:
            text = "The eigenvalues are too close to change places."
            raise MatlabError("MATLAB:ordqz:reorderingFailed", text)
        s, t, left, right = made[0], made[1], made[at], made[at + 1]
        flags = np.concatenate([flags[chosen], flags[~chosen]])
    return tuple(canonical(m) for m in (s, t, left.conj().T, right))
