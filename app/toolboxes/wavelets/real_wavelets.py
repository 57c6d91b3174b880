"""Wavelets as functions of time, and the transform of before 2016 that integrates them.

wavefun, centfrq, scal2frq, morlet, mexihat, gauswavf, cgauwavf, cmorwavf, shanwavf; formulas after
Daubechies (1992) and Teolis (1998).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import COUNT, NUMBERS, POSITIVE, real_number, takes
from app.engine.arguments.checks import unknown_option as unknown
from app.engine.builtins.vectors import flat_doubles, real_float, row
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, canonical, is_text_scalar, text_of
from app.errors import MatlabError
from app.toolboxes.wavelets.wavelets import filters_of

_FAMILY = "signal processing"
Wave = Callable[[Array], Array]
"""A wavelet as a function of places."""
_KNOWN = "haar, dbN, symN, morl, mexh, gausN, cgauN, cmorFb-Fc or shanFb-Fc"


def _morlet(x: Array) -> Array:
    return np.asarray(np.exp(-(x**2) / 2) * np.cos(5 * x))


def _mexican_hat(x: Array) -> Array:
    return np.asarray(2 / (math.sqrt(3) * np.pi**0.25) * (1 - x**2) * np.exp(-(x**2) / 2))


def _gaussian(n: int) -> Wave:
    """The n-th derivative of exp(-x^2), of norm one; n from 1 to 8."""
    sign = (-1) ** n * (-1 if n % 4 in (2, 3) else 1)
    norm = math.sqrt(math.prod(range(1, 2 * n, 2)))  # of H_n(x) exp(-x^2), but for (pi/2)^(1/4)
    series = np.eye(n + 1)[n]

    def call(x: Array) -> Array:
        wave = np.polynomial.hermite.hermval(x, series) * np.exp(-(x**2))
        return np.asarray(sign * (2 / np.pi) ** 0.25 * wave / norm)

    return call


def _complex_gaussian(n: int) -> Wave:
    """The n-th derivative of exp(-ix) exp(-x^2), of norm one."""
    p = np.array([1.0 + 0j])
    for _ in range(n):
        turned = np.polymul([-2.0, -1j], p)
        p = np.polyadd(np.polyder(p), turned) if p.size > 1 else turned
    t = np.linspace(-8, 8, 8001)
    norm = math.sqrt(float(np.sum(np.abs(np.polyval(p, t) * np.exp(-(t**2))) ** 2) * 0.002))
    return lambda x: np.asarray(np.polyval(p, x) * np.exp(-1j * x - x**2) / norm)


def _complex_morlet(band: float, centre: float) -> Wave:
    return lambda x: np.asarray(
        np.exp(2j * np.pi * centre * x - x**2 / band) / math.sqrt(np.pi * band)
    )


def _shannon(band: float, centre: float) -> Wave:
    return lambda x: np.asarray(
        math.sqrt(band) * np.sinc(band * x) * np.exp(2j * np.pi * centre * x)
    )


def formula_of(word: str) -> tuple[Wave, float] | None:
    """The function that a wavelet's name means, and how far from 0 it reaches; None for others."""
    if word in ("morl", "mexh"):
        return (_morlet if word == "morl" else _mexican_hat), 8.0
    if match := re.fullmatch(r"(c?)gaus?([1-8])", word):
        return (_complex_gaussian if match[1] else _gaussian)(int(match[2])), 5.0
    if match := re.fullmatch(r"(cmor|shan)([\d.]+)-([\d.]+)", word):
        made = _complex_morlet if match[1] == "cmor" else _shannon
        return made(float(match[2]), float(match[3])), 8.0 if match[1] == "cmor" else 20.0
    return None


def _cascade(name: str, wavelet: str, levels: int) -> tuple[Array, Array, Array]:
    """Scaling function and wavelet of filters, by subdivision, and their places."""
    low, high = filters_of(name, wavelet)[2:]
    made = []
    for first in (low, high):
        part = first
        for _ in range(levels - 1):
            up = np.zeros(2 * part.size - 1)
            up[::2] = part
            part = np.convolve(up, low)
        count = (low.size - 1) * 2**levels + 1
        whole = np.zeros(count)
        whole[1 : part.size + 1] = part[: count - 1] * math.sqrt(2) ** levels
        made.append(whole)
    return made[0], made[1], np.linspace(0, low.size - 1, made[0].size)


def sampled(name: str, wavelet: Value, levels: int) -> tuple[Array | None, Array, Array]:
    """Scaling function (None without one), wavelet and places, 2^levels to a unit or in all."""
    word = text_of(wavelet).lower() if is_text_scalar(wavelet) else ""
    found = formula_of(word)
    if found is not None:
        formula, reach = found
        x = np.linspace(-reach, reach, 2**levels)
        return None, formula(x), x
    if not re.fullmatch(r"haar|(db|sym)\d+", word):
        raise MatlabError(f"Wavelet:{name}:InvalidWavelet", f"The wavelet must be {_KNOWN}.")
    return _cascade(name, word, levels)


@builtin(
    "wavefun",
    category=_FAMILY,
    least=1,
    signatures=("[phi, psi, x] = wavefun(wname, iter)", "[psi, x] = wavefun(wname, iter)"),
    cases=(
        "[p, psi, x] = wavefun('haar', 4); numel(x) == 17 && norm(psi([4 12]) - [1 -1]) < 1e-9",
        "[psi, x] = wavefun('mexh', 6); numel(psi) == 64 && x(1) == -8",
    ),
    see=("cwt", "centfrq", "wfilters"),
)
def wavefun(wavelet: Value, levels: Value = 8.0) -> Value:
    """A wavelet sampled, with its scaling function where it has one: haar, db and sym.

    Rows. Those of filters are found by subdivision, 2^iter samples a unit; the others have 2^iter
    samples in all.
    """
    (COUNT & POSITIVE)("wavefun", 2, levels)
    phi, psi, x = sampled("wavefun", wavelet, int(real_number(levels)))
    return (row(psi), row(x)) if phi is None else (row(phi), row(psi), row(x))


def centre_frequency(name: str, wavelet: Value, levels: int) -> tuple[float, Array, Array]:
    """The frequency of the largest peak of a wavelet's spectrum; the places and the wave of it."""
    _, psi, x = sampled(name, wavelet, levels)
    size = np.abs(np.fft.fft(psi - psi.mean()))
    k = int(np.argmax(size))
    k = min(k, psi.size - k) if not np.iscomplexobj(psi) else k
    k = psi.size - k if k > psi.size / 2 else k
    length = float(x[-1] - x[0])
    wave = np.cos(2 * np.pi * k / length * (x - x[int(np.argmax(np.abs(psi)))]))
    return k / length, x, wave * float(np.abs(psi).max())


@builtin(
    "centfrq",
    category=_FAMILY,
    least=1,
    signatures=("f = centfrq(wname)", "[f, x, wave] = centfrq(wname, iter)"),
    cases=(
        "abs(centfrq('db2') - 2/3) < 1e-12 && abs(centfrq('morl') - 0.8125) < 1e-12",
        "abs(centfrq('mexh') - 0.25) < 1e-12 && abs(centfrq('cmor1-1.5') - 1.5) < 0.05",
    ),
    see=("scal2frq", "wavefun"),
)
def centfrq(wavelet: Value, levels: Value = 8.0) -> Value:
    """The frequency of the cosine most like a wavelet, in cycles a unit."""
    (COUNT & POSITIVE)("centfrq", 2, levels)
    f, x, wave = centre_frequency("centfrq", wavelet, int(real_number(levels)))
    return f, row(x), row(wave)


@builtin(
    "scal2frq",
    category=_FAMILY,
    least=2,
    signatures=("f = scal2frq(scales, wname)", "f = scal2frq(scales, wname, period)"),
    cases=("norm(scal2frq([1 2 4], 'db2', 0.5) - [4/3 2/3 1/3]) < 1e-12",),
    see=("centfrq", "cwt"),
)
@takes(NUMBERS & POSITIVE)
def scal2frq(scales: Value, wavelet: Value, period: Value = 1.0) -> Value:
    """The frequencies that scales of a wavelet mean, for a sampling period (1)."""
    f = centre_frequency("scal2frq", wavelet, 8)[0]
    return canonical(f / (real_float(scales) * real_number(period)))


def old_transform(ctx: CallContext, x: Value, rest: Sequence[Value], nargout: int) -> Value:
    """``cwt(x, scales, wname)``: a row of coefficients for every scale.

    The wavelet is integrated, stretched by the scale, and the convolution differentiated.
    """
    signal, scales = real_float(x).ravel(), flat_doubles(rest[0])
    if not scales.size or not (scales > 0).all():
        raise MatlabError("Wavelet:cwt:InvalidScales", "Scales must be positive.")
    words, period, draws = list(rest[2:]), None, not nargout
    if words and not is_text_scalar(words[0]):
        period = real_number(words.pop(0))
    for word in words:
        if not is_text_scalar(word) or text_of(word).lower() not in ("plot", "abs", "scal"):
            raise unknown("cwt", word, "plot")
        draws = True
    _, psi, places = sampled("cwt", rest[1], 10)
    step = float(places[1] - places[0])
    integral = (psi.conj() if np.iscomplexobj(psi) else psi).cumsum() * step
    made = []
    for a in scales:
        j = np.floor(np.arange(math.floor(a * (places[-1] - places[0])) + 1) / (a * step) + 1e-9)
        part = integral[np.minimum(j.astype(int), integral.size - 1)][::-1]
        part = np.repeat(part, 2) if part.size == 1 else part
        full = -math.sqrt(a) * np.diff(np.convolve(signal, part))
        start = (full.size - signal.size) // 2
        made.append(full[start : start + signal.size])
    coefficients = canonical(np.array(made))
    if draws:
        ctx.call("imagesc", (row(np.arange(1.0, signal.size + 1)), row(scales), np.abs(made)), 0)
        ctx.call("axis", ("xy",), 0)
        ctx.call("xlabel", ("time (or space) b",), 0)
        ctx.call("ylabel", ("scales a",), 0)
    if not nargout:
        return ()
    frequency = centre_frequency("cwt", rest[1], 8)[0]
    return coefficients, row(frequency / (scales * (period or 1.0)))


def declare_formula(name: str, inputs: str, made: Callable[..., Wave], case: str) -> None:
    """Declare a wavelet sampled at n places between two ends; parameters follow."""

    def call(low: Value, high: Value, n: Value, *parameters: Value) -> Value:
        (COUNT & POSITIVE)(name, 3, n)
        given = [real_number(p) for p in parameters]
        if len(given) != inputs.count(",") - 2:
            raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
        x = np.linspace(real_number(low), real_number(high), int(real_number(n)))
        return row(made(*given)(x)), row(x)

    builtin(
        name,
        category=_FAMILY,
        least=3,
        signatures=(f"[psi, x] = {name}({inputs})",),
        text="A wavelet at n evenly spaced places from lb to ub, and the places: rows.",
        cases=(case,),
        see=("wavefun", "cwt"),
    )(call)


def _numbered(
    made: Callable[[int], Wave],
) -> Callable[[float], Wave]:
    """The wavelet of the number p, from 1 to 8."""

    def call(p: float) -> Wave:
        if p not in range(1, 9):
            raise MatlabError("Wavelet:FunctionArgVal:Invalid_ArgVal", "P must be 1 to 8.")
        return made(int(p))

    return call


declare_formula(
    "morlet", "lb, ub, n", lambda: _morlet, "p = morlet(-4, 4, 9); p(5) == 1 && p(1) == p(9)"
)
declare_formula(
    "mexihat",
    "lb, ub, n",
    lambda: _mexican_hat,
    "[p, x] = mexihat(-1, 1, 3); p(1) == 0 && abs(p(2) - 0.8673) < 1e-4 && x(2) == 0",
)
declare_formula(
    "gauswavf",
    "lb, ub, n, p",
    _numbered(_gaussian),
    "norm(gauswavf(-1, 1, 3, 1) - [1 0 -1]*2*exp(-1)*(2/pi)^(1/4)) < 1e-12",
)
declare_formula(
    "cgauwavf",
    "lb, ub, n, p",
    _numbered(_complex_gaussian),
    "[p, x] = cgauwavf(-5, 5, 1001, 2); abs(sum(abs(p).^2)*0.01 - 1) < 1e-6",
)
declare_formula(
    "cmorwavf",
    "lb, ub, n, fb, fc",
    _complex_morlet,
    "p = cmorwavf(-1, 1, 3, 1.5, 1); abs(p(2) - 1/sqrt(1.5*pi)) < 1e-12",
)
declare_formula(
    "shanwavf", "lb, ub, n, fb, fc", _shannon, "p = shanwavf(-1, 1, 3, 1, 1.5); p(2) == 1"
)
