"""State feedback and estimators: lqr, place, acker, kalman, and the matrices they need."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import MATRIX, NONEMPTY, NUMBERS, SQUARE, takes
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, text_of
from app.errors import MatlabError
from app.toolboxes.control.conversions import system, to_states
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.systems import StateSpace

_FAMILY = "control systems"


def real(v: Value) -> Array:
    """A real matrix."""
    return np.atleast_2d(np.asarray(as_array(v), dtype=np.float64))


def _pair(name: str, args: tuple[Value, ...]) -> tuple[StateSpace | None, list[Array]]:
    """A system and matrices, or the matrices A and B first."""
    if isinstance(args[0], Lti):
        s = to_states(args[0])
        return s, [s.a, s.b, *(real(v) for v in args[1:])]
    return None, [real(v) for v in args]


def check_fit(name: str, a: Array, b: Array) -> None:
    """Refuse A and B that do not belong together."""
    if a.shape[0] != a.shape[1] or b.shape[0] != a.shape[0]:
        text = "A must be square and B must have as many rows as A."
        raise MatlabError(f"Control:design:{name}1", text)


def riccati(
    name: str, matrices: tuple[Array, Array, Array, Array, Array], *, discrete: bool
) -> Array:
    """The stabilising solution of the Riccati equation of A, B, Q, R and N."""
    a, b, q, r, n = matrices
    check_fit(name, a, b)
    if q.shape != a.shape or r.shape != (b.shape[1],) * 2 or n.shape != b.shape:
        raise MatlabError(f"Control:design:{name}2", "The weights Q, R and N do not fit A and B.")
    if not a.size:
        raise MatlabError(f"Control:design:{name}7", "There are no states.")
    if not all(np.isfinite(m).all() for m in matrices):
        raise MatlabError(f"Control:design:{name}5", "The matrices must not hold NaN or Inf.")
    if not (_is_symmetric(q) and _is_symmetric(r)):
        raise MatlabError(f"Control:design:{name}6", "The weights Q and R must be symmetric.")
    if not discrete and stoppable.matrix_rank(r) < r.shape[0]:
        raise MatlabError(f"Control:design:{name}8", "The weight R must not be singular.")
    solve = stoppable.discrete_riccati if discrete else stoppable.continuous_riccati
    try:
        return solve(a, b, q, r, n)
    except np.linalg.LinAlgError:
        scale = _common_scale(q, r)
    try:  # weights of very different sizes are solved for as multiples of what lies between them
        return solve(a, b, q * scale, r * scale, n * scale) / scale
    except np.linalg.LinAlgError as problem:
        text = "The system cannot be stabilised with these weights."
        raise MatlabError(f"Control:design:{name}4", text) from problem


def _common_scale(q: Array, r: Array) -> float:
    """A power of two that brings the geometric mean of two norms near one."""
    sizes = np.linalg.norm(q, 1), np.linalg.norm(r, 1)
    return float(2.0 ** -np.round(np.log2(sizes).mean())) if min(sizes) > 0 else 1.0


def _is_symmetric(m: Array) -> bool:
    return bool(np.linalg.norm(m - m.T, 1) <= 100 * np.spacing(np.linalg.norm(m, 1)))


def _quadratic(name: str, args: tuple[Value, ...], *, discrete: bool) -> tuple[Value, Value, Value]:
    s, matrices = _pair(name, args)
    if len(matrices) < 4:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    a, b, q, r = matrices[:4]
    check_fit(name, a, b)
    n = matrices[4] if len(matrices) > 4 and matrices[4].size else np.zeros(b.shape)
    discrete = discrete or bool(s is not None and s.ts)
    if r.shape == (b.shape[1],) * 2 and np.any(stoppable.eigvalsh((r + r.T) / 2) <= 0):
        raise MatlabError(f"Control:design:{name}3", "The weight R must be positive definite.")
    x = riccati(name, (a, b, q, r, n), discrete=discrete)
    k = (
        stoppable.solve(r + b.T @ x @ b, b.T @ x @ a + n.T)
        if discrete
        else (stoppable.solve(r, b.T @ x + n.T))
    )
    return canonical(k), canonical(x), column(stoppable.eigvals(a - b @ k))


@builtin(
    "lqr",
    category=_FAMILY,
    least=3,
    signatures=(
        "[K, S, e] = lqr(A, B, Q, R)",
        "[K, S, e] = lqr(A, B, Q, R, N)",
        "[K, S, e] = lqr(sys, Q, R)",
    ),
    cases=("norm(lqr([0 1; 0 0], [0; 1], eye(2), 1) - [1 sqrt(3)]) < 1e-9",),
    see=("dlqr", "place", "care"),
)
def lqr(*args: Value) -> Value:
    """The state feedback ``u = -K x`` with the least integral of ``x'Qx + u'Ru + 2x'Nu``."""
    return _quadratic("lqr", args, discrete=False)


@builtin(
    "dlqr",
    category=_FAMILY,
    least=4,
    signatures=("[K, S, e] = dlqr(A, B, Q, R)", "[K, S, e] = dlqr(A, B, Q, R, N)"),
    cases=("K = dlqr(1, 1, 1, 1); abs(K - 0.6180339887) < 1e-9",),
    see=("lqr", "dare"),
)
def dlqr(*args: Value) -> Value:
    """The state feedback with the least sum of ``x'Qx + u'Ru + 2x'Nu`` in discrete time."""
    return _quadratic("dlqr", args, discrete=True)


@builtin(
    "lqe",
    category=_FAMILY,
    signatures=("[L, P, e] = lqe(A, G, C, Q, R)",),
    cases=("norm(lqe([0 1; 0 0], eye(2), [1 0], eye(2), 1) - [sqrt(3); 1]) < 1e-9",),
    see=("lqr", "kalman"),
)
def lqe(a: Value, g: Value, c: Value, q: Value, r: Value) -> Value:
    """The gain of the stationary Kalman filter in continuous time."""
    weight = real(g) @ real(q) @ real(g).T
    k, p, e = _quadratic(
        "lqe", (canonical(real(a).T), canonical(real(c).T), canonical(weight), r), discrete=False
    )
    return canonical(real(k).T), p, e


@builtin(
    "kalman",
    category=_FAMILY,
    least=3,
    signatures=("[kest, L, P] = kalman(sys, Qn, Rn)", "[kest, L, P] = kalman(sys, Qn, Rn, Nn)"),
    cases=("[k, L] = kalman(ss(-1, [1 1], 1, 0), 3, 1); abs(L - 1) < 1e-9",),
    see=("lqe", "lqr", "estim"),
)
def kalman(sys: Value, qn: Value, rn: Value, nn: Value | None = None) -> Value:
    """The stationary Kalman filter of a system; its last inputs are the process noise."""
    s = to_states(system("kalman", sys))
    q, r = real(qn), real(rn)
    known = s.io[1] - q.shape[0]
    if known < 0 or r.shape != (s.io[0],) * 2:
        text = "The covariances do not fit the noise inputs and the outputs of the system."
        raise MatlabError("Control:design:kalman1", text)
    g, h = s.b[:, known:], s.d[:, known:]
    if not s.a.size:
        text = "The system has no states to be estimated."
        raise MatlabError("Control:design:kalman2", text)
    n = np.zeros((q.shape[0], r.shape[0])) if nn is None else real(nn)
    noise, cross = r + h @ n + n.T @ h.T + h @ q @ h.T, g @ (q @ h.T + n)
    p = riccati("kalman", (s.a.T, s.c.T, g @ q @ g.T, noise, cross), discrete=bool(s.ts))
    gain_ = (
        (s.a @ p @ s.c.T + cross) @ stoppable.inv(s.c @ p @ s.c.T + noise)
        if s.ts
        else (p @ s.c.T + cross) @ stoppable.inv(noise)
    )
    return _estimator(s, gain_, known), canonical(gain_), canonical(p)


def _estimator(s: StateSpace, gain_: Array, known: int) -> StateSpace:
    b, d = s.b[:, :known], s.d[:, :known]
    outputs, n = s.io[0], s.order
    return StateSpace(
        s.a - gain_ @ s.c,
        np.hstack([b - gain_ @ d, gain_]),
        np.vstack([s.c, np.eye(n)]),
        np.block([[d, np.zeros((outputs, outputs))], [np.zeros((n, known + outputs))]]),
        s.ts,
    )


@builtin(
    "estim",
    category=_FAMILY,
    signatures=("est = estim(sys, L)",),
    cases=("abs(pole(estim(ss(-1, 1, 1, 0), 3)) + 4) < 1e-12",),
    see=("kalman", "place"),
)
def estim(sys: Value, gain_: Value) -> Value:
    """The estimator of outputs and states with a gain."""
    s = to_states(system("estim", sys))
    return _estimator(s, real(gain_), 0)


@builtin(
    "place",
    category=_FAMILY,
    signatures=("[K, prec] = place(A, B, p)",),
    cases=("norm(place([0 1; 0 0], [0; 1], [-1 -2]) - [2 3]) < 1e-9",),
    see=("acker", "lqr"),
)
@takes(NUMBERS & SQUARE, NUMBERS & MATRIX & NONEMPTY, NUMBERS)
def place(a: Value, b: Value, p: Value) -> Value:
    """The state feedback that gives ``A - B K`` the eigenvalues ``p``."""
    from scipy.signal import place_poles

    left, right, poles = real(a), real(b), np.asarray(as_array(p)).ravel()
    check_fit("place", left, right)
    if poles.size != left.shape[0]:
        raise MatlabError("Control:design:place1", "As many poles as states must be given.")
    counts = np.unique(np.round(poles, 12), return_counts=True)[1]
    if counts.max(initial=0) > stoppable.matrix_rank(right):
        text = "The multiplicity of a pole cannot exceed the rank of B."
        raise MatlabError("Control:design:place2", text)
    if right.shape[1] == 1:
        return canonical(_ackermann(left, right, poles)), 15.0
    return canonical(place_poles(left, right, poles).gain_matrix), 15.0


@builtin(
    "acker",
    category=_FAMILY,
    signatures=("K = acker(A, B, p)",),
    cases=("norm(acker([0 1; 0 0], [0; 1], [-1 -1]) - [1 2]) < 1e-12",),
    see=("place",),
)
@takes(NUMBERS & SQUARE, NUMBERS & MATRIX & NONEMPTY, NUMBERS)
def acker(a: Value, b: Value, p: Value) -> Value:
    """The state feedback of a single input by Ackermann's formula."""
    left, right = real(a), real(b)
    check_fit("acker", left, right)
    return canonical(_ackermann(left, right, np.asarray(as_array(p)).ravel()))


def _ackermann(a: Array, b: Array, poles: Array) -> Array:
    n = a.shape[0]
    reach = reachable(a, b)
    if b.shape[1] != 1 or stoppable.matrix_rank(reach) < n:
        text = "The pair (A, B) must be controllable with one input."
        raise MatlabError("Control:design:acker1", text)
    value = np.zeros((n, n))
    for c in np.atleast_1d(np.real(np.poly(poles))):
        value = value @ a + c * np.eye(n)
    return stoppable.solve(reach.T, np.eye(n)[:, -1:]).T @ value


def reachable(a: Array, b: Array) -> Array:
    """``[B AB A^2 B ...]``."""
    parts = [b]
    for _ in range(a.shape[0] - 1):
        parts.append(a @ parts[-1])
    return np.hstack(parts)


@builtin(
    "ctrb",
    category=_FAMILY,
    signatures=("Co = ctrb(A, B)", "Co = ctrb(sys)"),
    cases=("isequal(ctrb([0 1; 2 3], [0; 1]), [0 1; 1 3])",),
    see=("obsv", "gram"),
)
def ctrb(a: Value, b: Value | None = None) -> Value:
    """The controllability matrix."""
    left, right = _matrices("ctrb", a, b, "b")
    return canonical(reachable(left, right))


@builtin(
    "obsv",
    category=_FAMILY,
    signatures=("Ob = obsv(A, C)", "Ob = obsv(sys)"),
    cases=("isequal(obsv([0 1; 2 3], [1 0]), eye(2))",),
    see=("ctrb", "gram"),
)
def obsv(a: Value, c: Value | None = None) -> Value:
    """The observability matrix."""
    left, right = _matrices("obsv", a, c, "c")
    if right.shape[1] != left.shape[0]:
        raise MatlabError("Control:design:obsv1", "C must have as many columns as A.")
    return canonical(reachable(left.T, right.T).T)


def _matrices(name: str, a: Value, other: Value | None, which: str) -> tuple[Array, Array]:
    if isinstance(a, Lti):
        s = to_states(a)
        return s.a, getattr(s, which)
    if other is None:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    left, right = real(a), real(other)
    if which == "b":
        check_fit(name, left, right)
    elif left.shape[0] != left.shape[1]:
        raise MatlabError(f"Control:design:{name}1", "A must be square.")
    return left, right


@builtin(
    "gram",
    category=_FAMILY,
    signatures=("W = gram(sys, 'c')", "W = gram(sys, 'o')"),
    cases=("gram(ss(-1, 2, 1, 0), 'c') == 2",),
    see=("ctrb", "obsv", "balreal"),
)
def gram(sys: Value, kind: Value) -> Value:
    """The controllability (``'c'``) or observability (``'o'``) gramian of a stable system."""
    s, letter = to_states(system("gram", sys)), text_of(kind)[:1]
    if letter not in "co" or not letter:
        raise MatlabError("Control:analysis:gram1", "The kind must be 'c' or 'o'.")
    return canonical(gramian(s, letter))


def gramian(s: StateSpace, letter: str) -> Array:
    """One of the two gramians."""
    from app.toolboxes.control.system_properties import stable

    if not stable(s):
        raise MatlabError("Control:analysis:gram2", "The gramian exists for stable systems only.")
    a, q = (s.a, s.b @ s.b.T) if letter == "c" else (s.a.T, s.c.T @ s.c)
    return (stoppable.discrete_lyapunov if s.ts else stoppable.continuous_lyapunov)(a, q)


@builtin(
    "reg",
    category=_FAMILY,
    signatures=("rsys = reg(sys, K, L)",),
    cases=("abs(pole(reg(ss(1, 1, 1, 0), 2, 3)) + 4) < 1e-12",),
    see=("estim", "lqr", "kalman"),
)
def reg(sys: Value, k: Value, gain_: Value) -> Value:
    """The regulator of a state feedback and an estimator, for positive feedback."""
    s, feedback_, estimator = to_states(system("reg", sys)), real(k), real(gain_)
    a = s.a - s.b @ feedback_ - estimator @ s.c + estimator @ s.d @ feedback_
    return StateSpace(a, estimator, -feedback_, np.zeros((feedback_.shape[0], s.io[0])), s.ts)
