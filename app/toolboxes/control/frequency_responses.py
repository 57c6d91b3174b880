"""Responses over frequency: bode, nyquist, nichols, sigma, margins, bandwidth."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import ANY, NUMBERS, SCALAR, VECTOR, real_number, takes
from app.engine.builtins.vectors import column, vector
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Cell, Value, as_array, canonical, is_cell, numel
from app.errors import MatlabError
from app.toolboxes.control.conversions import system, to_roots
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.response_plots import (
    arrays_of_model,
    check_channels,
    curve,
    panel,
    set_titles,
    systems_and_rest,
)
from app.toolboxes.control.system_properties import at_frequencies, poles_of, zeros_of

_FAMILY = "control systems"


def frequencies(s: Lti, wanted: Value | None) -> Array:
    """The frequencies asked for, or a range around all poles and zeros."""
    if wanted is not None and numel(wanted) and not is_cell(wanted):
        return np.asarray(as_array(wanted), dtype=np.float64).ravel(order="F")
    if isinstance(wanted, Cell):
        limits = [real_number(v) for v in wanted.items()]
        if len(limits) != 2 or not 0 < limits[0] < limits[1] < np.inf:
            text = "A range of frequencies is {wmin, wmax}, with 0 < wmin < wmax."
            raise MatlabError("Control:analysis:InvalidFrequencyRange", text)
        low, high = limits
        return np.logspace(np.log10(low), np.log10(high), 300)
    roots = np.concatenate([poles_of(s), zeros_of(s)]).astype(complex)
    if s.ts:
        with np.errstate(all="ignore"):
            roots = np.log(roots[np.abs(roots) > 1e-9]) / abs(s.ts)
    size = np.abs(roots)
    size = size[(size > 1e-8) & np.isfinite(size)]
    low, high = (size.min(), size.max()) if size.size else (1.0, 1.0)
    low, high = 10 ** (np.floor(np.log10(low)) - 1), 10 ** (np.ceil(np.log10(high)) + 1)
    if s.ts:
        high = np.pi / abs(s.ts)
        low = min(low, high / 1000)
    w = np.logspace(np.log10(low), np.log10(high), 400)
    extra = size[(size > low) & (size < high)]
    return np.unique(np.concatenate([w, extra]))


def phase(s: Lti, h: Array) -> Array:
    """The phase in degrees, unwrapped and begun where roots and gain say it begins."""
    angle = np.degrees(np.unwrap(np.angle(h), axis=2))
    if s.io != (1, 1) or s.ts:
        return angle
    z = to_roots(s)
    zeros, poles = np.asarray(z.z[0, 0]), np.asarray(z.p[0, 0])
    start = 180.0 * (z.k[0, 0] < 0) + 90.0 * (
        np.sum(np.abs(zeros) < 1e-10) - np.sum(np.abs(poles) < 1e-10)
    )
    start += 180.0 * np.sum(zeros.real > 1e-10) - 180.0 * np.sum(poles.real > 1e-10)
    return np.asarray(angle - 360 * np.round((angle[:, :, :1] - start) / 360))


def _by_frequency(args: tuple[Value, ...], *parts: Array) -> list[Value]:
    """Responses as outputs by inputs by frequencies; for arrays instead of a model a row for every
    frequency and a column for every channel."""
    if arrays_of_model(args):
        return [canonical(part.reshape(-1, part.shape[2]).T) for part in parts]
    return [canonical(part) for part in parts]


@builtin(
    "bode",
    category=_FAMILY,
    least=1,
    signatures=(
        "bode(sys)",
        "bode(sys1, sys2, ..., w)",
        "[mag, phase, w] = bode(sys)",
        "[mag, phase, w] = bode(sys, w)",
        "[mag, phase, w] = bode(num, den, w)",
        "[mag, phase, w] = bode(A, B, C, D, iu, w)",
    ),
    cases=(
        "[m, p] = bode(1, [1 1], [1 2 3]); isequal(size(m), [3 1]) && abs(p(1) + 45) < 1e-9",
        "[m, p] = bode(tf(1, [1 1]), 1); abs(m^2 - 0.5) < 1e-12 && abs(p + 45) < 1e-9",
    ),
    see=("nyquist", "margin", "freqresp"),
)
def bode(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Magnitude and phase (degrees) over frequency (radians per second); draws without outputs.

    Outputs are outputs by inputs by frequencies. A range is given as ``{low, high}``.
    """
    systems, rest, styles = systems_and_rest("bode", args)
    wanted = rest[0] if rest else None
    if nargout:
        s = systems[0]
        w = frequencies(s, wanted)
        h = at_frequencies(s, w)
        return *_by_frequency(args, np.abs(h), phase(s, h)), column(w)
    draw_bode(ctx, systems, styles, wanted, phases=True)
    return ()


def draw_bode(
    ctx: CallContext,
    systems: list[Lti],
    styles: list[Value | None],
    wanted: Value | None,
    *,
    phases: bool,
) -> None:
    """Panels of magnitude, and of phase where it is wanted."""
    check_channels(s.io for s in systems)
    made = [(w := frequencies(s, wanted), at_frequencies(s, w)) for s in systems]
    outputs, inputs = systems[0].io
    each = 2 if phases else 1
    with np.errstate(all="ignore"):
        curves = [
            (20 * np.log10(np.abs(h)), *([phase(s, h)] if phases else []))
            for s, (_, h) in zip(systems, made, strict=True)
        ]
    for i, j in np.ndindex(outputs, inputs):
        for row in range(each):
            panel(ctx, each * outputs, inputs, (each * i + row) * inputs + j)
            for both, style, (w, _) in zip(curves, styles, made, strict=True):
                curve(ctx, "semilogx", w, both[row][i, j], style)
                ctx.call("hold", ("on",), 0)
            ctx.call("hold", ("off",), 0)
            last = i == outputs - 1 and row == each - 1
            set_titles(
                ctx,
                "Bode Diagram" if not (i or j or row) else "",
                "Frequency (rad/s)" if last else "",
                "Phase (deg)" if row else "Magnitude (dB)",
            )


@builtin(
    "bodemag",
    category=_FAMILY,
    least=1,
    signatures=("bodemag(sys)", "bodemag(sys1, sys2, ..., w)"),
    cases=("bodemag(tf(1, [1 1])); strcmp(get(gca, 'XScale'), 'log')",),
    see=("bode",),
)
def bodemag(ctx: CallContext, *args: Value) -> Value:
    """Draw the magnitude over frequency."""
    systems, rest, styles = systems_and_rest("bodemag", args)
    draw_bode(ctx, systems, styles, rest[0] if rest else None, phases=False)
    return ()


@builtin(
    "nyquist",
    category=_FAMILY,
    least=1,
    signatures=(
        "nyquist(sys)",
        "nyquist(sys1, sys2, ..., w)",
        "[re, im, w] = nyquist(sys, w)",
        "[re, im, w] = nyquist(num, den, w)",
    ),
    cases=("[r, i] = nyquist(tf(1, [1 1]), 1); abs(r - 0.5) < 1e-12 && abs(i + 0.5) < 1e-12",),
    see=("bode", "nichols"),
)
def nyquist(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Real and imaginary parts of the frequency response; draws the curve without outputs."""
    systems, rest, styles = systems_and_rest("nyquist", args)
    wanted = rest[0] if rest else None
    if nargout:
        w = frequencies(systems[0], wanted)
        h = at_frequencies(systems[0], w)
        return *_by_frequency(args, h.real, h.imag), column(w)
    panel(ctx, 1, 1, 0)
    for s, style in zip(systems, styles, strict=True):
        h = at_frequencies(s, frequencies(s, wanted))[0, 0]
        both = np.concatenate([h, [np.nan], h.conj()[::-1]])
        curve(ctx, "plot", both.real, both.imag, style)
        ctx.call("hold", ("on",), 0)
    ctx.call("plot", (-1.0, 0.0, "r+"), 0)
    ctx.call("hold", ("off",), 0)
    set_titles(ctx, "Nyquist Diagram", "Real Axis", "Imaginary Axis")
    return ()


@builtin(
    "nichols",
    category=_FAMILY,
    least=1,
    signatures=("nichols(sys)", "[mag, phase, w] = nichols(sys, w)"),
    cases=("[m, p] = nichols(tf(1, [1 1]), 1); abs(p + 45) < 1e-9",),
    see=("bode", "nyquist"),
)
def nichols(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Magnitude over phase; draws the curve without outputs."""
    systems, rest, styles = systems_and_rest("nichols", args)
    if nargout:
        return bode(ctx, *args, nargout=nargout)
    panel(ctx, 1, 1, 0)
    for s, style in zip(systems, styles, strict=True):
        h = at_frequencies(s, frequencies(s, rest[0] if rest else None))
        curve(ctx, "plot", phase(s, h)[0, 0], 20 * np.log10(np.abs(h[0, 0])), style)
        ctx.call("hold", ("on",), 0)
    ctx.call("hold", ("off",), 0)
    set_titles(ctx, "Nichols Chart", "Open-Loop Phase (deg)", "Open-Loop Gain (dB)")
    return ()


@builtin(
    "sigma",
    category=_FAMILY,
    least=1,
    signatures=("sigma(sys)", "[sv, w] = sigma(sys, w)"),
    cases=("abs(sigma(tf(1, [1 1]), 1) - sqrt(0.5)) < 1e-12",),
    see=("bode", "norm"),
)
def sigma(ctx: CallContext, sys: Value, w: Value | None = None, nargout: int = 0) -> Value:
    """Singular values of the frequency response, one row each; draws without outputs."""
    s = system("sigma", sys)
    points = frequencies(s, w)
    values = stoppable.svd(np.moveaxis(at_frequencies(s, points), 2, 0), compute_uv=False).T
    if nargout:
        return canonical(values), column(points)
    panel(ctx, 1, 1, 0)
    ctx.call("semilogx", (column(points), canonical(20 * np.log10(values).T)), 0)
    set_titles(ctx, "Singular Values", "Frequency (rad/s)", "Singular Values (dB)")
    return ()


GRID_DB = (-40.0, -20.0, -12.0, -6.0, -3.0, -1.0, 0.0, 0.25, 0.5, 1.0, 3.0, 6.0)
GRID_DEGREES = (-350.0, -330.0, -300.0, -240.0, -180.0, -120.0, -60.0, -30.0, -10.0)
"""Gains and phases of the closed loop that ``ngrid`` draws."""


@builtin(
    "ngrid",
    category=_FAMILY,
    signatures=("ngrid",),
    cases=("nichols(tf(1, [1 1 0])); ngrid; numel(findobj(gca, 'LineStyle', ':')) == 2",),
    see=("nichols",),
)
def ngrid(ctx: CallContext) -> None:
    """Draw the closed loop's lines of equal gain and of equal phase into a Nichols chart."""
    turns = np.deg2rad(np.linspace(-1.0, -359.0, 400))
    gains = 10 ** (np.linspace(-60.0, 60.0, 400) / 20)
    equal_gain = [10 ** (db / 20) * np.exp(1j * turns) for db in GRID_DB]
    equal_phase = [gains * np.exp(1j * np.deg2rad(degrees)) for degrees in GRID_DEGREES]
    axes = ctx.call("gca", (), 1)[0]
    left, right = as_array(ctx.call("xlim", (axes,), 1)[0]).ravel()
    low, high = as_array(ctx.call("ylim", (axes,), 1)[0]).ravel()
    first = np.floor(left / 360) + 1
    shifts = 360.0 * np.arange(first, max(np.ceil(right / 360), first) + 1)
    ctx.call("hold", (axes, "on"), 0)
    for family in (equal_gain, equal_phase):
        parts = [_open_loop(closed) for closed in family]
        across = np.concatenate([phases + shift for shift in shifts for phases, _ in parts])
        up = np.tile(np.concatenate([decibels for _, decibels in parts]), shifts.size)
        look = ("k:", "Color", np.full((1, 3), 0.5))
        ctx.call("plot", (axes, column(across), column(up), *look), 0)
    ctx.call("hold", (axes, "off"), 0)
    ctx.call("xlim", (axes, np.array([[shifts[0] - 360, shifts[-1]]])), 0)
    ctx.call("ylim", (axes, np.array([[low, high]])), 0)
    aside = ("FontSize", 8.0, "HorizontalAlignment", "right", "VerticalAlignment", "bottom")
    for gain_db, closed in zip(GRID_DB, equal_gain, strict=True):
        phases, decibels = _open_loop(closed)
        if low < decibels[0] < high:
            place = float(phases[0] + shifts[-1]), float(decibels[0])
            ctx.call("text", (axes, *place, f"{gain_db:g} dB", *aside), 0)


def _open_loop(closed: Array) -> tuple[Array, Array]:
    """Phases in -360..0 and decibels of the open loop to values of a closed one, and a gap."""
    loop = closed / (1 - closed)
    phases = np.rad2deg(np.unwrap(np.angle(loop)))
    phases -= 360 * np.ceil(phases.mean() / 360)
    return np.append(phases, np.nan), np.append(20 * np.log10(np.abs(loop)), np.nan)


@builtin(
    "getPeakGain",
    category=_FAMILY,
    signatures=("[gpeak, fpeak] = getPeakGain(sys, tol, fband)",),
    cases=(
        "[g, w] = getPeakGain(tf(1, [1 .2 1])); abs(g - 5.0252) < 1e-3 && abs(w - .98995) < 1e-3",
        "[g, w] = getPeakGain(tf(1, [1 .2 1]), .01, [2 5]); abs([w g] - [2 .3304]) < 1e-3",
    ),
    see=("norm", "sigma"),
)
@takes(ANY, NUMBERS & SCALAR, NUMBERS & VECTOR)
def get_peak_gain(sys: Value, tolerance: Value = 0.01, band: Value | None = None) -> Value:
    """The largest gain over frequency, of a band if one is given, and where it is.

    It is found more exactly than a relative ``tolerance`` asks for.
    """
    s = system("getPeakGain", sys)
    if band is None:
        return peak_gain(s)
    ends = vector(band)
    if ends.size != 2:
        text = f"A band has two ends, not {ends.size}."
        raise MatlabError("Control:analysis:getPeakGain3", text)
    low, high = (float(end) for end in ends)
    return peak_gain(s, (low, high))


def peak_gain(s: Lti, band: tuple[float, float] = (0.0, np.inf)) -> Value:
    """The largest singular value over frequency, and where it is."""
    from scipy.optimize import minimize_scalar

    inner = frequencies(s, None)
    ends = [end for end in band if np.isfinite(end)]
    w = np.unique([*inner[(inner > band[0]) & (inner < band[1])], *ends])

    def gain(at: Array) -> Array:
        h = np.moveaxis(at_frequencies(s, np.atleast_1d(at)), 2, 0)
        finite = np.where(np.isfinite(h), h, np.finfo(float).max ** 0.25)
        return stoppable.svd(finite, compute_uv=False)[:, 0]

    values = gain(w)
    k = int(np.argmax(values))
    low, high = w[max(k - 1, 0)], w[min(k + 1, w.size - 1)]
    found = minimize_scalar(
        lambda x: -float(gain(np.array([x]))[0]),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-10 * max(high, 1)},
    )
    if -found.fun > values[k]:
        return float(-found.fun), float(found.x)
    return float(values[k]), float(w[k])
