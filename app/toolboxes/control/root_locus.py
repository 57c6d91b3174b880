"""Roots in the plane: rlocus, pzmap, and the grids of constant damping."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.vectors import column, row
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical
from app.errors import MatlabError
from app.toolboxes.control.conversions import to_transfer
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.response_plots import curve, panel, set_titles, systems_and_rest
from app.toolboxes.control.system_properties import poles_of, zeros_of

_FAMILY = "control systems"
_GAINS, _WORK = (40, 400), 4e8
"""Fewest and most gains of a locus, and operations (the cube of its order for each) it may take."""


def loci(s: Lti, gains: Array) -> Array:
    """The closed loop's poles, one column for every gain, each row one branch."""
    from scipy.optimize import linear_sum_assignment

    t = to_transfer(s)
    num, den = t.num[0, 0], t.den[0, 0]
    columns: list[Array] = []
    for k in gains:
        roots = stoppable.roots(np.polyadd(den, k * num)).astype(complex)
        if columns and roots.size == columns[-1].size:
            far = np.abs(columns[-1][:, None] - roots[None, :])
            roots = roots[linear_sum_assignment(far)[1]]
        columns.append(roots)
    size = max(c.size for c in columns)
    return np.array([np.pad(c, (0, size - c.size), constant_values=np.inf) for c in columns]).T


def _gains(s: Lti) -> Array:
    """From nothing to where the branches have come near the zeros."""
    t = to_transfer(s)
    num, den = t.num[0, 0], t.den[0, 0]
    scale = max(float(np.abs(den).max() / np.abs(num[np.nonzero(num)]).max()), 1e-6)
    count = int(np.clip(_WORK / den.size**3, *_GAINS))
    return np.concatenate([[0.0], np.logspace(-4, 3, count) * scale])


@builtin(
    "rlocus",
    category=_FAMILY,
    least=1,
    signatures=(
        "rlocus(sys)",
        "rlocus(sys1, sys2, ...)",
        "[r, k] = rlocus(sys)",
        "r = rlocus(sys, k)",
        "r = rlocus(num, den, k)",
    ),
    cases=("isequal(rlocus(tf(1, [1 0]), [0 1 3]), [0 -1 -3])",),
    see=("pzmap", "margin"),
)
def rlocus(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The poles of the closed loop for growing gain; draws the branches without outputs."""
    systems, rest, styles = systems_and_rest("rlocus", args)
    if any(s.io != (1, 1) for s in systems):
        raise MatlabError("Control:analysis:rlocus1", "The loop needs one input and one output.")
    made = [
        (np.asarray(as_array(rest[0]), dtype=np.float64).ravel() if rest else _gains(s))
        for s in systems
    ]
    if nargout:
        return canonical(loci(systems[0], made[0])), row(made[0])
    panel(ctx, 1, 1, 0)
    for s, gains, style in zip(systems, made, styles, strict=True):
        for branch in loci(s, gains):
            curve(ctx, "plot", branch.real, branch.imag, style)
            ctx.call("hold", ("on",), 0)
        _marks(ctx, s)
    ctx.call("hold", ("off",), 0)
    set_titles(ctx, "Root Locus", "Real Axis (seconds^{-1})", "Imaginary Axis (seconds^{-1})")
    return ()


def _marks(ctx: CallContext, s: Lti) -> None:
    """Poles as crosses, zeros as circles."""
    for roots, style in ((poles_of(s), "bx"), (zeros_of(s), "bo")):
        if roots.size:
            curve(ctx, "plot", roots.real, np.imag(roots), style)
            ctx.call("hold", ("on",), 0)


def _map(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    systems, rest, _ = systems_and_rest("pzmap", args)
    if rest:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    if nargout:
        return column(poles_of(systems[0])), column(zeros_of(systems[0]))
    panel(ctx, 1, 1, 0)
    for s in systems:
        _marks(ctx, s)
    if systems[0].ts:
        around = np.exp(1j * np.linspace(0, 2 * np.pi, 200))
        curve(ctx, "plot", around.real, around.imag, ":")
    ctx.call("hold", ("off",), 0)
    set_titles(ctx, "Pole-Zero Map", "Real Axis", "Imaginary Axis")
    return ()


@builtin(
    "pzmap",
    category=_FAMILY,
    least=1,
    signatures=("pzmap(sys)", "[p, z] = pzmap(sys)"),
    cases=("[p, z] = pzmap(tf([1 3], [1 2])); p == -2 && z == -3",),
    see=("pole", "zero", "rlocus"),
)
def pzmap(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Poles and zeros; draws them in the plane without outputs."""
    return _map(ctx, args, nargout)


@builtin(
    "pzplot",
    category=_FAMILY,
    least=1,
    signatures=("pzplot(sys)",),
    cases=("pzplot(tf([1 3], [1 2])); numel(get(gca, 'Children')) == 2",),
    see=("pzmap",),
)
def pzplot(ctx: CallContext, *args: Value) -> Value:
    """Draw poles and zeros in the plane."""
    return _map(ctx, args, 0)


@builtin(
    "sgrid",
    category=_FAMILY,
    signatures=("sgrid", "sgrid(zeta, wn)"),
    cases=("pzmap(tf(1, [1 1 4])); sgrid; numel(get(gca, 'Children')) > 2",),
    see=("zgrid", "rlocus"),
)
def sgrid(ctx: CallContext, zeta: Value | None = None, wn: Value | None = None) -> Value:
    """Lines of constant damping and of constant natural frequency in the s plane."""
    ratios = np.arange(0.1, 1, 0.1) if zeta is None else np.asarray(as_array(zeta)).ravel()
    limits = as_array(ctx.call("axis", (), 1)[0]).ravel()
    far = float(np.abs(limits).max())
    circles = np.linspace(far / 5, far, 5) if wn is None else np.asarray(as_array(wn)).ravel()
    turn = np.linspace(np.pi / 2, 3 * np.pi / 2, 90)
    ctx.call("hold", ("on",), 0)
    for z in ratios:
        end = far * np.exp(1j * (np.pi - np.arccos(float(z))))
        curve(
            ctx, "plot", np.array([end.real, 0, end.real]), np.array([end.imag, 0, -end.imag]), "k:"
        )
    for w in circles:
        curve(ctx, "plot", w * np.cos(turn), w * np.sin(turn), "k:")
    return ()


@builtin(
    "zgrid",
    category=_FAMILY,
    signatures=("zgrid",),
    cases=("pzmap(tf(1, [1 0.5], 1)); zgrid; numel(get(gca, 'Children')) > 2",),
    see=("sgrid",),
)
def zgrid(ctx: CallContext) -> Value:
    """Lines of constant damping and of constant natural frequency in the z plane."""
    w = np.linspace(0, np.pi, 100)
    ctx.call("hold", ("on",), 0)
    for z in np.arange(0, 1, 0.1):
        spiral = np.exp(-w * z / np.sqrt(1 - z**2) + 1j * w)
        both = np.concatenate([spiral.conj()[::-1], spiral])
        curve(ctx, "plot", both.real, both.imag, "k:")
    for n in np.arange(0.1, 1.01, 0.1) * np.pi:
        angle = np.linspace(np.pi / 2, np.pi, 50)
        arc = np.exp(n * np.exp(1j * angle))
        curve(
            ctx, "plot", np.r_[arc.real, np.nan, arc.real], np.r_[arc.imag, np.nan, -arc.imag], "k:"
        )
    return ()
