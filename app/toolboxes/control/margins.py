"""How far a loop is from the edge of stability: margin, allmargin; bandwidths."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical
from app.errors import MatlabError
from app.toolboxes.control.conversions import system
from app.toolboxes.control.frequency_responses import draw_bode, frequencies, phase
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.response_plots import set_titles, with_model
from app.toolboxes.control.system_properties import at_frequencies, dcgain

_FAMILY = "control systems"


def margins(w: Array, h: Array, angle: Array) -> tuple[float, float, float, float]:
    """Gain margin, phase margin, and the frequencies where each is read."""
    size = np.abs(h)
    gains = [(1 / np.exp(np.interp(x, w, np.log(size))), x) for x in _crossings(w, _to_180(angle))]
    phases = [(np.interp(x, w, angle) + 180, x) for x in _crossings(w, np.log(size))]
    gm, wg = min(gains, key=lambda g: abs(np.log(g[0])), default=(np.inf, np.nan))
    wrapped = [(float((p + 180) % 360 - 180), x) for p, x in phases]
    pm, wp = min(wrapped, key=lambda p: abs(p[0]), default=(np.inf, np.nan))
    return float(gm), float(pm), float(wg), float(wp)


def _to_180(angle: Array) -> Array:
    """How far the phase is from the nearest odd multiple of 180 degrees."""
    away: Array = np.mod(angle, 360.0) - 180.0
    return away


def _crossings(w: Array, y: Array) -> list[float]:
    """Where values change sign without a jump, between samples by straight lines."""
    change = (np.sign(y[:-1]) != np.sign(y[1:])) & (np.abs(y[:-1] - y[1:]) < 180)
    found = []
    for k in np.flatnonzero(change & np.isfinite(y[:-1]) & np.isfinite(y[1:])):
        share = y[k] / (y[k] - y[k + 1]) if y[k] != y[k + 1] else 0.0
        found.append(float(np.exp(np.log(w[k]) + share * (np.log(w[k + 1]) - np.log(w[k])))))
    return found


@builtin(
    "margin",
    category=_FAMILY,
    least=1,
    signatures=(
        "margin(sys)",
        "[Gm, Pm, Wcg, Wcp] = margin(sys)",
        "[Gm, Pm, Wcg, Wcp] = margin(mag, phase, w)",
    ),
    cases=(
        "[g, p, wg, wp] = margin(tf(1, [1 3 3 1])); abs(g - 8) + abs(wg^2 - 3) < 1e-3",
        "[g, p] = margin(tf(4, [1 2 0])); isinf(g) && abs(p - 51.83) < 0.01",
    ),
    see=("bode", "allmargin"),
)
def margin(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Gain margin (a factor) and phase margin (degrees); draws the Bode diagram without outputs."""
    if len(args) >= 3:
        mag, angle, w = (np.asarray(as_array(a), dtype=np.float64).ravel() for a in args[:3])
        if not len(mag) == len(angle) == len(w):
            text = "margin needs magnitude, phase and frequency of the same points."
            raise MatlabError("Control:analysis:margin2", text)
        return margins(w, mag.astype(complex), angle)
    model, *rest = with_model(args)
    if rest:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    s = one_loop("margin", model)
    found = _margins_of(s)
    if nargout:
        return found
    draw_bode(ctx, [s], [None], None, phases=True)
    ctx.call("subplot", (2.0, 1.0, 1.0), 0)
    gm = 20 * np.log10(found[0]) if found[0] > 0 else -np.inf
    set_titles(
        ctx,
        f"Gm = {gm:.3g} dB (at {found[2]:.3g} rad/s), Pm = {found[1]:.3g} deg "
        f"(at {found[3]:.3g} rad/s)",
        "",
        "",
    )
    return ()


def one_loop(function: str, model: Value) -> Lti:
    """A model with one input and one output; an error for others."""
    s = system(function, model)
    if s.io != (1, 1):
        text = f"{function} is for one input and one output; choose them with sys(i, j)."
        raise MatlabError(f"Control:analysis:{function}1", text)
    return s


def _margins_of(s: Lti) -> tuple[float, float, float, float]:
    w = frequencies(s, None)
    top = w.max() if s.ts else w.max() * 100
    fine = np.unique(np.concatenate([w, np.logspace(np.log10(w.min()), np.log10(top), 40000)]))
    h = at_frequencies(s, fine)
    return margins(fine, h[0, 0], phase(s, h)[0, 0])


def bandwidth_of(s: Lti, drop: float) -> float:
    """The first frequency at which the gain is ``drop`` dB below the one for constants."""
    w = np.logspace(-6, 6, 60000) if not s.ts else np.linspace(1e-6, np.pi / abs(s.ts), 60000)
    level = float(np.abs(as_array(dcgain(s))).flat[0]) * 10 ** (drop / 20)
    below = np.flatnonzero(np.abs(at_frequencies(s, w)[0, 0]) < level)
    if not below.size:
        return float("inf")
    from scipy.optimize import brentq

    k = int(below[0])
    return (
        float(
            brentq(
                lambda x: abs(at_frequencies(s, np.array([x]))[0, 0, 0]) - level,
                w[max(k - 1, 0)],
                w[k],
            )
        )
        if k
        else float("nan")
    )


@builtin(
    "allmargin",
    category=_FAMILY,
    signatures=("S = allmargin(sys)",),
    cases=("abs(allmargin(tf(1, [1 3 3 1])).GainMargin - 8) < 1e-4",),
    see=("margin",),
)
def allmargin(sys: Value) -> Value:
    """All crossings and margins of a loop, and whether the closed loop is stable."""
    from app.engine.values import Struct
    from app.toolboxes.control.system_arithmetic import fed_back
    from app.toolboxes.control.system_properties import stable

    s = one_loop("allmargin", sys)
    w = np.logspace(-5, 5, 60000) if not s.ts else np.linspace(1e-6, np.pi / abs(s.ts), 60000)
    h = at_frequencies(s, w)
    angle, size = phase(s, h)[0, 0], np.abs(h[0, 0])
    turned, level = np.array(_crossings(w, _to_180(angle))), np.array(_crossings(w, np.log(size)))
    reserve = np.mod(np.interp(level, w, angle) + 360, 360) - 180 if level.size else level
    return Struct(
        {
            "GainMargin": _row(1 / np.exp(np.interp(turned, w, np.log(size)))),
            "GMFrequency": _row(turned),
            "PhaseMargin": _row(reserve),
            "PMFrequency": _row(level),
            "Stable": stable(fed_back(s, system("allmargin", 1.0), -1.0)),
        }
    )


def _row(a: Array) -> Value:
    return canonical(np.asarray(a, dtype=np.float64).reshape(1, -1))
