"""Lyapunov's and Riccati's equations."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import EMPTY, Value, canonical, numel
from app.errors import MatlabError, agreement_error
from app.toolboxes.control.design import check_fit, real, riccati

_FAMILY = "control systems"


@builtin(
    "lyap",
    category=_FAMILY,
    signatures=("X = lyap(A, Q)", "X = lyap(A, B, C)"),
    cases=("lyap(-1, 2) == 1", "norm(lyap(2, 3, 10) + 2) < 1e-12"),
    see=("dlyap", "care"),
)
def lyap(a: Value, q: Value, c: Value | None = None) -> Value:
    """The solution of ``A X + X A' + Q = 0``, or of ``A X + X B + C = 0``."""
    first = real(a)
    b, right = (first.T, -real(q)) if c is None else (real(q), -real(c))
    if right.shape != (first.shape[0], b.shape[0]):
        raise agreement_error("Control:foundation:lyap:DimensionMismatch")
    return canonical(stoppable.sylvester(first, b, right))


@builtin(
    "dlyap",
    category=_FAMILY,
    signatures=("X = dlyap(A, Q)",),
    cases=("abs(dlyap(0.5, 3) - 4) < 1e-12",),
    see=("lyap",),
)
def dlyap(a: Value, q: Value) -> Value:
    """The solution of ``A X A' - X + Q = 0``."""
    first, right = real(a), real(q)
    if right.shape != first.shape or first.shape[0] != first.shape[1]:
        raise agreement_error("Control:foundation:dlyap:DimensionMismatch")
    try:
        return canonical(stoppable.discrete_lyapunov(first, right))
    except np.linalg.LinAlgError as problem:
        text = "The solution of this Lyapunov equation does not exist or is not unique."
        raise MatlabError("Control:foundation:dlyap:NoUniqueSolution", text) from problem


def _riccati(
    name: str, args: tuple[Value, ...], *, discrete: bool
) -> tuple[Value, Value, Value, float]:
    """The solution, the closed loop's poles, the gain, and how much of the equation is left."""
    matrices = [real(v) if numel(v) else np.zeros((0, 0)) for v in args]
    a, b, q = matrices[:3]
    check_fit(name, a, b)
    r = matrices[3] if len(matrices) > 3 and matrices[3].size else np.eye(b.shape[1])
    n = matrices[4] if len(matrices) > 4 and matrices[4].size else np.zeros(b.shape)
    x = riccati(name, (a, b, q, r, n), discrete=discrete)
    k = (
        stoppable.solve(r + b.T @ x @ b, b.T @ x @ a + n.T)
        if discrete
        else (stoppable.solve(r, b.T @ x + n.T))
    )
    left = a.T @ x @ a - x if discrete else a.T @ x + x @ a
    residual = left - (a.T @ x @ b + n if discrete else x @ b + n) @ k + q
    share = float(np.linalg.norm(residual) / max(1.0, float(np.linalg.norm(x))))
    return canonical(x), column(stoppable.eigvals(a - b @ k)), canonical(k), share


def declare_riccati(
    name: str, summary: str, case: str, *, discrete: bool, gain_second: bool
) -> None:
    """Declare a solver of a Riccati equation."""

    def call(a: Value, b: Value, q: Value, r: Value = EMPTY, s: Value = EMPTY) -> Value:
        x, poles, k, residual = _riccati(name, (a, b, q, r, s), discrete=discrete)
        return (x, k, poles) if gain_second else (x, poles, k, residual)

    outputs = "[X, K, L]" if gain_second else "[X, L, G, report]"
    builtin(
        name,
        category=_FAMILY,
        signatures=(f"{outputs} = {name}(A, B, Q, R, S)",),
        text=summary,
        cases=(case,),
        see=("lqr", "lyap"),
    )(call)


declare_riccati(
    "care",
    "Solve the Riccati equation of continuous time.",
    "[x, l, g, r] = care([0 1; 0 0], [0; 1], eye(2)); abs(x(2) - 1) < 1e-9 && r < 1e-12",
    discrete=False,
    gain_second=False,
)
declare_riccati(
    "dare",
    "Solve the Riccati equation of discrete time.",
    "[x, l, g, r] = dare(1, 1, 1, 1); abs(x - (1 + sqrt(5))/2) < 1e-9 && r < 1e-12",
    discrete=True,
    gain_second=False,
)
declare_riccati(
    "icare",
    "Solve the Riccati equation of continuous time.",
    "abs(icare(0, 1, 4, 1) - 2) < 1e-9",
    discrete=False,
    gain_second=True,
)
declare_riccati(
    "idare",
    "Solve the Riccati equation of discrete time.",
    "abs(idare(1, 1, 1, 1) - (1 + sqrt(5))/2) < 1e-9",
    discrete=True,
    gain_second=True,
)
