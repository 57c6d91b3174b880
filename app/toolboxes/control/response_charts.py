"""Charts of responses by their names as charts, and what is read off one: stepplot, rlocfind."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import unknown_option
from app.engine.builtins.vectors import column, vector
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Struct, Value, as_array, canonical, numel
from app.errors import MatlabError
from app.toolboxes.control.conversions import system, to_transfer
from app.toolboxes.control.root_locus import loci
from app.toolboxes.control.system_properties import poles_of

_FAMILY = "control systems"


def declare_chart(name: str, drawn: str, inputs: str, case: str) -> None:
    """Declare the chart that ``drawn`` makes when no output is taken."""

    def call(ctx: CallContext, *args: Value) -> None:
        for value in args:
            if isinstance(value, Struct):
                raise unknown_option(name, value)
        ctx.call(drawn, args, 0)

    builtin(
        name,
        category=_FAMILY,
        least=inputs.count(",") + 1,
        signatures=(f"{name}({inputs})", f"{name}({inputs}, ...)"),
        text=f"Draw what ``{drawn}`` draws when no output is taken. Options of plots are refused.",
        cases=(case,),
        see=(drawn,),
    )(call)


declare_chart(
    "stepplot",
    "step",
    "sys",
    "stepplot(tf(1, [1 1])); strcmp(get(get(gca, 'Title'), 'String'), 'Step Response')",
)
declare_chart(
    "impulseplot",
    "impulse",
    "sys",
    "impulseplot(tf(1, [1 1]), 3); y = get(findobj(gca, 'Type', 'line'), 'YData'); y(1) == 1",
)
declare_chart(
    "initialplot",
    "initial",
    "sys, x0",
    "initialplot(ss(-1, 1, 2, 0), 3); max(get(findobj(gca, 'Type', 'line'), 'YData')) == 6",
)
declare_chart(
    "lsimplot",
    "lsim",
    "sys, u, t",
    "lsimplot(tf(1, [1 1]), 0:3, 0:3); numel(get(findobj(gca, 'Type', 'line'), 'XData')) == 4",
)
declare_chart(
    "bodeplot", "bode", "sys", "bodeplot(tf(1, [1 1])); strcmp(get(gca, 'XScale'), 'log')"
)
declare_chart(
    "nyquistplot", "nyquist", "sys", "nyquistplot(tf(1, [1 1])); numel(get(gca, 'Children')) > 0"
)
declare_chart(
    "nicholsplot", "nichols", "sys", "nicholsplot(tf(1, [1 1])); numel(get(gca, 'Children')) > 0"
)
declare_chart(
    "sigmaplot", "sigma", "sys", "sigmaplot(tf(1, [1 1])); strcmp(get(gca, 'XScale'), 'log')"
)
declare_chart(
    "rlocusplot",
    "rlocus",
    "sys",
    "rlocusplot(tf(1, [1 2 0])); strcmp(get(get(gca, 'Title'), 'String'), 'Root Locus')",
)


@builtin(
    "rlocfind",
    category=_FAMILY,
    least=1,
    signatures=("[k, poles] = rlocfind(sys)", "[k, poles] = rlocfind(sys, p)"),
    cases=(
        "[k, r] = rlocfind(tf(1, [1 2 0]), -1 + 2i); abs(k - 5) < 1e-12 && "
        "norm(sort(imag(r)) - [-2; 2]) < 1e-9",
        "[k, r] = rlocfind(tf(1, [1 2 0]), [-1 -0.5]); norm(k - [1 0.75]) < 1e-12 && "
        "isequal(size(r), [2 2])",
    ),
    see=("rlocus",),
)
def rlocfind(ctx: CallContext, sys: Value, points: Value | None = None) -> Value:
    """The gain that brings a pole of the closed loop to a point of the root locus, and its poles.

    ``k = |1/G(p)|`` for each point ``p`` (a complex scalar or vector): a row; the poles have one
    column for each. Without points the user picks one in the drawn root locus.
    """
    s = system("rlocfind", sys)
    if s.io != (1, 1):
        raise MatlabError("Control:analysis:rlocus1", "The loop needs one input and one output.")
    if points is None:
        x, y = (vector(v).real for v in ctx.call("ginput", (1.0,), 2))
        wanted: Array = (x + 1j * y).astype(complex)
    else:
        wanted = vector(points).astype(complex)
    t = to_transfer(s)
    with np.errstate(all="ignore"):
        k = np.abs(np.polyval(t.den[0, 0], wanted) / np.polyval(t.num[0, 0], wanted))
    return canonical(k.reshape(1, -1)), canonical(loci(s, k))


@builtin(
    "phase",
    category=_FAMILY,
    signatures=("phi = phase(G)",),
    cases=(
        "norm(phase(exp(1i*(0:2:8))) - (0:2:8)) < 1e-12",
        "isequal(size(phase([1; 1i])), [2 1])",
    ),
    see=("angle", "unwrap", "bode"),
)
def phase(g: Value) -> Value:
    """The phase of a row or column of complex numbers in radians, unwrapped along it."""
    a = np.asarray(as_array(g))
    if a.ndim != 2 or (a.size and 1 not in a.shape):
        text = "The phase is that of a row or a column; use unwrap(angle(G)) for a matrix."
        raise MatlabError("Ident:utility:phase1", text)
    if not numel(g):
        return canonical(a.real)
    wide = a if a.dtype.kind in "fc" else a.astype(np.float64)
    return canonical(np.unwrap(np.angle(wide), axis=int(a.shape[0] == 1)))


def declare_order(name: str, key: str, case: str) -> None:
    """Declare poles put in an order: those that grow fastest first."""

    def call(p: Value) -> Value:
        values = vector(p)
        measure = values.real if key == "real part" else np.abs(values)
        order = np.lexsort((-np.imag(values), -measure))
        return column(values[order]), column(order + 1.0)

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"[s, order] = {name}(p)",),
        text=f"Poles by descending {key}, unstable ones first, and where each stood in p.",
        cases=(case,),
        see=("pole", "damp"),
    )(call)


declare_order("esort", "real part", "isequal(esort([-2; 1; -1+1i; -1-1i]), [1; -1+1i; -1-1i; -2])")
declare_order(
    "dsort", "magnitude", "[s, k] = dsort([0.1 -2 0.5]); isequal([s k], [-2 2; 0.5 3; 0.1 1])"
)


@builtin(
    "covar",
    category=_FAMILY,
    signatures=("[P, Q] = covar(sys, W)",),
    cases=(
        "abs(covar(tf(1, [1 1]), 2) - 1) < 1e-12",
        "abs(covar(tf([2 1], [1 0.2 0.5], 0.1), 5) - 30.3167) < 1e-4",
        "covar(tf([1 0], [1 1]), 1) == Inf",
    ),
    see=("lyap", "dlyap", "norm"),
)
def covar(sys: Value, intensity: Value) -> Value:
    """The stationary covariance of outputs and states of a stable system driven by white noise.

    W is the noise's intensity, ``E(w(t) w(s)') = W delta(t - s)``, or its covariance in discrete
    time. A continuous system with a direct way through has outputs of infinite variance. From the
    Lyapunov equation ``A Q + Q A' + B W B' = 0``, or ``A Q A' - Q + B W B' = 0``.
    """
    from scipy import linalg

    from app.toolboxes.control.conversions import to_states

    s = to_states(system("covar", sys))
    w = np.atleast_2d(np.asarray(as_array(intensity), dtype=float))
    w = w * np.eye(s.io[1]) if w.size == 1 else w
    if w.shape != (s.io[1], s.io[1]):
        text = "The noise intensity needs one row and one column for each input."
        raise MatlabError("Control:analysis:covar1", text)
    poles = poles_of(s)
    if np.any(np.abs(poles) >= 1 if s.ts else poles.real >= 0):
        raise MatlabError("Control:analysis:covar2", "The system must be stable.")
    driven = s.b @ w @ s.b.T
    solve = linalg.solve_discrete_lyapunov if s.ts else linalg.solve_continuous_lyapunov
    q = np.asarray(solve(s.a, driven if s.ts else -driven)) if s.order else np.zeros((0, 0))
    through = s.d @ w @ s.d.T
    p = s.c @ q @ s.c.T + (through if s.ts else np.where(through != 0, np.inf, 0.0))
    return canonical(p), canonical(q)
