"""Smaller and nicer forms of a system: minreal, balreal, modred, canon, ss2ss."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import real_number
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, text_of
from app.errors import MatlabError
from app.toolboxes.control.conversions import like, system, to_roots, to_states
from app.toolboxes.control.design import gramian, reachable, real
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.systems import StateSpace, ZeroPoleGain

_FAMILY = "control systems"


@builtin(
    "minreal",
    words="",
    category=_FAMILY,
    signatures=("sysr = minreal(sys)", "sysr = minreal(sys, tol)"),
    cases=(
        "isequal(minreal(tf([1 1], [1 3 2])), tf(1, [1 2]))",
        "order(minreal(ss([-1 0; 0 -2], [1; 0], [1 1], 0))) == 1",
    ),
    see=("balreal", "modred"),
)
def minreal(sys: Value, tol: Value = 1.4901161193847656e-08) -> Value:
    """The system without poles that zeros cancel, or states that do not matter."""
    s, limit = system("minreal", sys), real_number(tol)
    if isinstance(s, StateSpace):
        return minimal(s, limit)
    z = to_roots(s)
    made = ZeroPoleGain(z.z.copy(), z.p.copy(), z.k, s.ts, s.delay)
    for k in np.ndindex(z.z.shape):
        made.z[k], made.p[k] = _without_common_roots(list(z.z[k]), list(z.p[k]), limit)
    return like(s, made)


def _without_common_roots(
    zeros: list[complex], poles: list[complex], limit: float
) -> tuple[Array, Array]:
    kept = []
    for z in zeros:
        near = [p for p in poles if abs(p - z) < max(limit, limit**0.5 * 0.1) * max(1.0, abs(z))]
        if near:
            poles.remove(min(near, key=lambda p: abs(p - z)))
        else:
            kept.append(z)
    return np.array(kept), np.array(poles)


def minimal(s: StateSpace, limit: float) -> StateSpace:
    """The controllable and observable part, by orthogonal bases."""
    a, b, c = s.a, s.b, s.c
    for _ in range(2):
        u, size, _ = stoppable.svd(reachable(a, b)) if a.size else (a, np.zeros(0), a)
        rank = int(np.sum(size > limit * max(size.max(initial=0), 1e-300)))
        t = u[:, :rank]
        a, b, c = (t.T @ a @ t).T, (c @ t).T, (t.T @ b).T
    return StateSpace(a, b, c, s.d, s.ts, s.delay)


@builtin(
    "balreal",
    category=_FAMILY,
    signatures=("[sysb, g, T, Ti] = balreal(sys)",),
    cases=("[b, g] = balreal(ss(-1, 2, 3, 0)); abs(g - 3) < 1e-12",),
    see=("gram", "modred"),
)
def balreal(sys: Value) -> Value:
    """The state-space form whose two gramians are equal and diagonal, and that diagonal."""
    s = to_states(system("balreal", sys))
    made, g, t = _balanced_realization(s)
    return made, column(g), canonical(t), canonical(stoppable.inv(t))


def _balanced_realization(s: StateSpace) -> tuple[StateSpace, Array, Array]:
    reach = stoppable.cholesky(gramian(s, "c") + 0.0)
    u, g, _ = stoppable.svd(reach.T @ gramian(s, "o") @ reach)
    g = np.sqrt(g)
    inverse = reach @ u / np.sqrt(g)
    t = stoppable.inv(inverse)
    return StateSpace(t @ s.a @ inverse, t @ s.b, s.c @ inverse, s.d, s.ts), g, t


@builtin(
    "hsvd",
    category=_FAMILY,
    signatures=("g = hsvd(sys)",),
    cases=("abs(hsvd(ss(-1, 2, 3, 0)) - 3) < 1e-12",),
    see=("balreal",),
)
def hsvd(sys: Value) -> Value:
    """Hankel singular values of a stable system."""
    s = to_states(system("hsvd", sys))
    product = gramian(s, "c") @ gramian(s, "o")
    return column(np.sort(np.sqrt(np.abs(stoppable.eigvals(product))))[::-1])


@builtin(
    "modred",
    words="matchdc truncate mdc del",
    category=_FAMILY,
    signatures=("rsys = modred(sys, elim)", "rsys = modred(sys, elim, method)"),
    cases=("dcgain(modred(ss([-1 0; 0 -50], [1; 1], [1 1], 0), 2)) == 1.02",),
    see=("balreal", "minreal"),
)
def modred(sys: Value, elim: Value, method: Value = "MatchDC") -> Value:
    """The system without some states.

    They are settled at once (``'MatchDC'``) or left out (``'Truncate'``).
    """
    s = to_states(system("modred", sys))
    gone = np.asarray(as_array(elim)).ravel()
    gone = np.flatnonzero(gone) if gone.dtype == bool else gone.astype(int) - 1
    if not np.isin(gone, np.arange(s.order)).all():
        text = f"The states to take out must be numbers from 1 to {s.order}."
        raise MatlabError("Control:transformation:modred", text)
    kept = np.setdiff1d(np.arange(s.order), gone)
    if text_of(method).lower().startswith("t"):
        at = np.ix_(kept, kept)
        return StateSpace(s.a[at], s.b[kept], s.c[:, kept], s.d, s.ts)
    inner = (np.eye(gone.size) if s.ts else 0) - s.a[np.ix_(gone, gone)]
    cross = s.a[np.ix_(kept, gone)] @ stoppable.inv(inner)
    out = s.c[:, gone] @ stoppable.inv(inner)
    low = s.a[np.ix_(gone, kept)]
    return StateSpace(
        s.a[np.ix_(kept, kept)] + cross @ low,
        s.b[kept] + cross @ s.b[gone],
        s.c[:, kept] + out @ low,
        s.d + out @ s.b[gone],
        s.ts,
    )


@builtin(
    "ss2ss",
    category=_FAMILY,
    signatures=("sysT = ss2ss(sys, T)",),
    cases=("isequal(ss2ss(ss(-1, 2, 3, 0), 2), ss(-1, 4, 1.5, 0))",),
    see=("canon", "ss"),
)
def ss2ss(sys: Value, t: Value) -> Value:
    """The system with the states ``T x``."""
    s, change = to_states(system("ss2ss", sys)), real(t)
    inverse = stoppable.inv(change)
    return StateSpace(change @ s.a @ inverse, change @ s.b, s.c @ inverse, s.d, s.ts)


@builtin(
    "canon",
    category=_FAMILY,
    signatures=("csys = canon(sys, 'modal')", "csys = canon(sys, 'companion')"),
    cases=(
        "s = canon(ss(tf(1, [1 3 2])), 'modal'); norm(sort(diag(s.A)) - [-2; -1]) < 1e-12",
        "s = canon(tf(1, [1 3 2]), 'companion'); norm(s.A - [0 -2; 1 -3]) < 1e-12",
    ),
    see=("ss2ss", "ss"),
)
def canon(sys: Value, kind: Value = "modal") -> Value:
    """State space with the modes on the diagonal, or in companion form."""
    s = to_states(system("canon", sys))
    word = text_of(kind).lower()
    if word.startswith("c"):
        basis = reachable(s.a, s.b[:, :1])
        return _in_basis(s, basis)
    if not word.startswith("m"):
        text = "The form must be modal or companion."
        raise MatlabError("Control:transformation:canon1", text)
    from scipy.linalg import cdf2rdf

    values, vectors = stoppable.eig(s.a)
    if np.iscomplexobj(values):
        _, vectors = cdf2rdf(values, vectors)
    return _in_basis(s, vectors)


def _in_basis(s: StateSpace, basis: Array) -> Lti:
    if stoppable.matrix_rank(basis) < s.order:
        text = "The system has no such form: its states cannot be separated."
        raise MatlabError("Control:transformation:canon2", text)
    inverse = stoppable.inv(basis)
    return StateSpace(inverse @ s.a @ basis, inverse @ s.b, s.c @ basis, s.d, s.ts)
