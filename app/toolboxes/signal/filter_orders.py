"""How long a filter must be, and prototypes: buttord and kin, buttap and kin, bilinear, lp2lp."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import COUNT, NONEMPTY, POSITIVE, real_number, unknown_option
from app.engine.builtins.vectors import column, row, vector
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, canonical, is_text_scalar, numel, size_of
from app.errors import MatlabError
from app.toolboxes.control.conversions import system
from app.toolboxes.signal.cut_coefficients import cut_silently

Fraction: TypeAlias = tuple[Array, Array]
"""Coefficients above and below the line."""
_FAMILY = "signal processing"


def declare_order(name: str, case: str) -> None:
    """Declare the least order of one kind of filter."""

    def call(wp: Value, ws: Value, rp: Value, rs: Value, s: Value = "") -> Value:
        from scipy import signal

        if not is_text_scalar(s):
            raise unknown_option(name, s, "s")
        ends = [vector(v).real for v in (wp, ws)]
        if s != "s" and any(np.any((e <= 0) | (e >= 1)) for e in ends):
            text = "The cutoff frequencies must be within the interval of (0,1)."
            raise MatlabError(f"signal:{name}:InvalidRange", text)
        if ends[0].size != ends[1].size or ends[0].size not in (1, 2):
            raise MatlabError(f"signal:{name}:InvalidRange", "Give one edge or two of each band.")
        pair = [e if e.size > 1 else float(e[0]) for e in ends]
        losses = [real_number(r) for r in (rp, rs)]
        if name != "ellipord":
            losses = [abs(r) for r in losses]
        n, w = getattr(signal, name)(*pair, *losses, analog=s == "s")
        w = np.atleast_1d(w)
        if name == "buttord":
            edges = [w, *ends] if s == "s" else [np.tan(np.pi * e / 2) for e in (w, *ends)]
            w = _exact_at_stop(n, *edges, rs=real_number(rs))
            w = w if s == "s" else 2 / np.pi * np.arctan(w)
        return float(n), row(w)

    text = "The least order of a filter and its edges: pass band, stop band, ripple, attenuation."
    builtin(
        name,
        words="s",
        category=_FAMILY,
        signatures=(f"[n, Wn] = {name}(Wp, Ws, Rp, Rs)", f"[n, Wn] = {name}(Wp, Ws, Rp, Rs, 's')"),
        text=text,
        cases=(case,),
        see=("butter", "cheby1", "ellip"),
    )(call)


def _exact_at_stop(n: int, wn: Array, wp: Array, ws: Array, *, rs: float) -> Array:
    """Analog edges of a Butterworth filter that reaches ``rs`` dB where its stop band begins.

    ``wn`` are edges of the same order and kind that hold the pass band. The prototype's frequency
    is the ratio to the edge, or for two edges ``(w^2 - p) / (w b)``, with their product p and
    difference b (Rabiner and Gold, 1975).
    """
    single = wp.size == 1
    direct = wp[0] < ws[0] if single else ws[0] < wp[0]
    width = float(wn[0]) if single else float(wn[1] - wn[0])
    middle = 0.0 if single else float(wn[0] * wn[1])
    ratios = np.abs((ws**2 - middle) / (ws * width))
    reached = (ratios if direct else 1 / ratios).min()
    scale = reached / (10 ** (0.1 * abs(rs)) - 1) ** (0.5 / n)
    width = width * scale if direct else width / scale
    if single:
        return np.array([width])
    return np.asarray(math.sqrt(width**2 / 4 + middle) + np.array([-0.5, 0.5]) * width)


declare_order("buttord", "[n, w] = buttord(0.08, 0.3, 3, 60); n == 5 && abs(w - 0.081038) < 1e-6")
declare_order("cheb1ord", "cheb1ord(0.2, 0.4, 1, 40) == 5")
declare_order("cheb2ord", "cheb2ord(0.2, 0.4, 1, 40) == 5")
declare_order("ellipord", "ellipord(0.2, 0.4, 1, 40) == 4")


def declare_prototype(name: str, inputs: str, case: str) -> None:
    """Declare one analog prototype."""

    def call(n: Value, *ripples: Value) -> Value:
        from scipy import signal

        (COUNT & POSITIVE)(name, 1, n)
        if len(ripples) != inputs.count(","):
            raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
        z, p, k = getattr(signal, name)(int(real_number(n)), *(real_number(r) for r in ripples))
        return column(np.asarray(z)), column(p), float(k)

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"[z, p, k] = {name}({inputs})",),
        cases=(case,),
        text="Zeros, poles and gain of an analog low pass with the edge at one.",
        see=("butter", "lp2lp"),
    )(call)


declare_prototype("buttap", "n", "[z, p, k] = buttap(2); isempty(z) && abs(prod(p) - 1) < 1e-12")
declare_prototype("cheb1ap", "n, Rp", "[z, p] = cheb1ap(3, 1); numel(p) == 3 && all(real(p) < 0)")
declare_prototype("cheb2ap", "n, Rs", "[z, p] = cheb2ap(4, 40); numel(z) == 4")
declare_prototype("ellipap", "n, Rp, Rs", "[z, p] = ellipap(4, 1, 40); numel(z) == 4")
declare_prototype("besselap", "n", "[z, p] = besselap(3); numel(p) == 3 && all(real(p) < 0)")


@builtin(
    "besself",
    category=_FAMILY,
    signatures=("[b, a] = besself(n, Wo)",),
    cases=("[b, a] = besself(3, 10); numel(a) == 4",),
    see=("butter", "besselap"),
)
def besself(n: Value, wo: Value) -> Value:
    """An analog Bessel filter, whose delay is nearly constant."""
    from scipy import signal

    (COUNT & POSITIVE)("besself", 1, n)
    b, a = signal.bessel(int(real_number(n)), real_number(wo), analog=True, norm="delay")
    return row(np.atleast_1d(b)), row(a)


@builtin(
    "bilinear",
    words="",
    category=_FAMILY,
    least=3,
    signatures=(
        "[bd, ad] = bilinear(b, a, fs)",
        "[bd, ad] = bilinear(b, a, fs, fp)",
        "[zd, pd, kd] = bilinear(z, p, k, fs)",
    ),
    cases=(
        "[b, a] = bilinear(1, [1 1], 0.5); norm(b - [0.5 0.5]) < 1e-12",
        "[b, a] = bilinear([1 -2], [1 3], 1); isequal(size(b), size(a)) && b(1) == 0",
    ),
    see=("c2d",),
)
def bilinear(*args: Value) -> Value:
    """A digital filter from an analog one: ``s = 2 fs (z - 1)/(z + 1)``."""
    from scipy import signal

    roots = len(args) > 3 and all(
        numel(a) == 0 or size_of(a)[1] <= 1 for a in args[:2] if not isinstance(a, float)
    )
    if roots and len(args) >= 4:
        rate = _prewarped_rate(args[3:])
        z, p, k = signal.bilinear_zpk(vector(args[0]), vector(args[1]), real_number(args[2]), rate)
        return column(z), column(p), float(np.real(k))
    NONEMPTY("bilinear", 1, args[0])
    NONEMPTY("bilinear", 2, args[1])
    if not vector(args[1]).any():
        text = "The denominator needs a coefficient that is not 0."
        raise MatlabError("signal:bilinear:InvalidRange", text)
    rate = _prewarped_rate(args[2:])
    if not vector(args[0]).any():  # SciPy loses the polynomial of the numerator
        a = signal.bilinear(np.ones(1), vector(args[1]), rate)[1]
        return row(np.zeros(a.size)), row(a)
    with cut_silently():
        b, a = signal.bilinear(vector(args[0]), vector(args[1]), rate)
    return row(np.pad(b, (max(a.size - b.size, 0), 0))), row(a)


def _prewarped_rate(rest: tuple[Value, ...]) -> float:
    rate = real_number(rest[0])
    if len(rest) < 2:
        return rate
    match = 2 * np.pi * real_number(rest[1])
    return float(match / np.tan(match / rate / 2) / 2)


def _band(b: Array, a: Array, over: Array, below: Array) -> Fraction:
    """Numerator and denominator after the variable became a fraction of two polynomials."""
    from scipy import signal

    order = max(b.size, a.size)
    made = []
    for coefficients in (b, a):
        padded = np.pad(coefficients, (order - coefficients.size, 0))
        found, power = padded[:1], np.ones(1)
        for c in padded[1:]:  # Horner's scheme, each step multiplied by what is below
            power = np.convolve(power, below)
            found = np.polyadd(np.convolve(found, over), c * power)
            stoppable.Stop.poll()
        made.append(found)
    with cut_silently():
        return cast("Fraction", signal.normalize(*made))


def band_pass(b: Array, a: Array, middle: float, width: float) -> Fraction:
    """A low pass whose variable became ``(s^2 + middle^2) / (width s)``."""
    return _band(b, a, np.array([1.0, 0.0, middle**2]), np.array([width, 0.0]))


def band_stop(b: Array, a: Array, middle: float, width: float) -> Fraction:
    """A low pass whose variable became ``width s / (s^2 + middle^2)``."""
    return _band(b, a, np.array([width, 0.0]), np.array([1.0, 0.0, middle**2]))


def low_pass(b: Array, a: Array, edge: float) -> Fraction:
    """A low pass with its edge elsewhere."""
    from scipy import signal

    with cut_silently():
        return cast("Fraction", signal.lp2lp(b, a, edge))


def high_pass(b: Array, a: Array, edge: float) -> Fraction:
    """A low pass turned into a high pass."""
    from scipy import signal

    with cut_silently():
        return cast("Fraction", signal.lp2hp(b, a, edge))


def declare_change(
    name: str, change: Callable[..., Fraction], inputs: str, words: str, case: str
) -> None:
    """Declare the change of a low pass into another filter."""

    def call(b: Value, a: Value, *edges: Value) -> Value:
        if len(edges) != inputs.count(",") - 1:
            raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
        found = change(vector(b), vector(a), *(real_number(e) for e in edges))
        return row(np.atleast_1d(found[0])), row(np.atleast_1d(found[1]))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"[bt, at] = {name}({inputs})",),
        cases=(case,),
        text=f"An analog low pass with the edge at one turned into a {words}.",
        see=("buttap", "bilinear"),
    )(call)


declare_change(
    "lp2lp",
    low_pass,
    "b, a, Wo",
    "low pass with another edge",
    "[b, a] = lp2lp(1, [1 1], 5); norm(b/a(1) - 5) < 1e-12",
)
declare_change(
    "lp2hp",
    high_pass,
    "b, a, Wo",
    "high pass",
    "[b, a] = lp2hp(1, [1 1], 5); abs(polyval(b, 1e9)/polyval(a, 1e9) - 1) < 1e-6",
)
declare_change(
    "lp2bp",
    band_pass,
    "b, a, Wo, Bw",
    "band pass",
    "[b, a] = lp2bp(1, [1 1], 5, 1); abs(polyval(b, 5i)/polyval(a, 5i) - 1) < 1e-12",
)
declare_change(
    "lp2bs",
    band_stop,
    "b, a, Wo, Bw",
    "band stop",
    "[b, a] = lp2bs(1, [1 1], 5, 1); abs(polyval(b, 5i)) < 1e-12",
)


@builtin(
    "zp2ss",
    category=_FAMILY,
    signatures=("[A, B, C, D] = zp2ss(z, p, k)",),
    cases=("[a, b, c, d] = zp2ss([], -2, 6); a == -2 && b*c == 6",),
    see=("ss2zp", "zp2tf"),
)
def zp2ss(z: Value, p: Value, k: Value) -> Value:
    """State space from zeros, poles and gain."""
    from scipy import signal

    with cut_silently():
        found: Any = signal.zpk2ss(vector(z), vector(p), real_number(k))
    return tuple(canonical(np.atleast_2d(np.real(m))) for m in found)


@builtin(
    "ss2zp",
    category=_FAMILY,
    signatures=("[z, p, k] = ss2zp(A, B, C, D)",),
    cases=("[z, p, k] = ss2zp(-2, 1, 6, 0); p == -2 && k == 6",),
    see=("zp2ss",),
)
def ss2zp(ctx: CallContext, a: Value, b: Value, c: Value, d: Value) -> Value:
    """Zeros, poles and gain from state space with one input."""
    from app.toolboxes.control.conversions import to_roots
    from app.toolboxes.control.system_models import ss

    s = to_roots(system("ss2zp", ss(ctx, a, b, c, d)))
    return column(s.z[0, 0]), column(s.p[0, 0]), canonical(s.k)
