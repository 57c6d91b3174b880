"""Autoregressive models and spectra: aryule, arburg, levinson, pyulear, pburg, pmtm."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from app.accel.numerics import nogil_linalg
from app.engine import stoppable
from app.engine.arguments.checks import (
    COUNT,
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    REAL,
    SCALAR,
    VECTOR,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.vectors import column, is_given, row, vector
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, text_of
from app.errors import MatlabError

_FAMILY = "signal processing"
_SIGNAL = NUMBERS & NONEMPTY & VECTOR
_MANY_TERMS = 400
"""Coefficients of a fraction from which its parts take long enough to be noticed."""
_LONG_WINDOW = 20_000
"""The same of the elements of a window."""


def durbin(r: Array, order: int) -> tuple[Array, float, Array]:
    """Levinson and Durbin's recursion: coefficients, error, reflections."""
    a, error = np.ones(1, dtype=r.dtype), np.real(r[0])
    turns = np.zeros(order, dtype=r.dtype)
    for k in range(order):
        turn = -(r[1 : k + 2][::-1] @ a) / error if error else 0.0
        turns[k] = turn
        padded = np.append(a, 0)
        a = padded + turn * padded[::-1].conj()
        error = error * (1 - abs(turn) ** 2)
    return a, float(error), turns


def _yule(x: Array, order: int) -> tuple[Array, float, Array]:
    r = np.array([np.vdot(x[: x.size - k], x[k:]) for k in range(order + 1)]) / x.size
    return durbin(r, order)


def _burg(x: Array, order: int) -> tuple[Array, float, Array]:
    forward, backward = x[1:].copy(), x[:-1].copy()
    a, error = np.ones(1, dtype=x.dtype), float(np.vdot(x, x).real) / x.size
    turns = np.zeros(order, dtype=x.dtype)
    for k in range(order):
        power = np.vdot(forward, forward).real + np.vdot(backward, backward).real
        turn = -2 * np.vdot(backward, forward) / power if power else 0.0
        turns[k] = turn
        forward, backward = (
            (forward + turn * backward)[1:],
            (backward + np.conj(turn) * forward)[:-1],
        )
        padded = np.append(a, 0)
        a = padded + turn * padded[::-1].conj()
        error *= 1 - abs(turn) ** 2
    return a, error, turns


_METHODS: dict[str, Callable[[Array, int], tuple[Array, float, Array]]] = {
    "yule": _yule,
    "burg": _burg,
}


def _order(name: str, x: Array, p: Value) -> int:
    order = int(real_number(p))
    if order >= x.size:
        text = "The order must be less than the number of samples."
        raise MatlabError(f"signal:{name}:InvalidOrder", text)
    return order


def declare_model(name: str, method: str, case: str) -> None:
    """Declare an estimate of an autoregressive model."""

    @takes(_SIGNAL, COUNT & POSITIVE, name=name)
    def call(x: Value, p: Value) -> Value:
        a, error, turns = _METHODS[method](vector(x), _order(name, vector(x), p))
        return row(a), error, column(turns)

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"[a, e, k] = {name}(x, p)",),
        cases=(case,),
        text="An autoregressive model of a signal: coefficients, error and reflections.",
        see=("lpc", "filter"),
    )(call)


declare_model("aryule", "yule", "a = aryule([1 0.5 0.25 0.125 0 0], 1); abs(a(2) + 0.5) < 0.01")
declare_model(
    "arburg", "burg", "a = arburg(sin(0.3*(1:50)), 2); norm(a - [1 -2*cos(0.3) 1]) < 0.01"
)


def declare_spectrum(name: str, method: str) -> None:
    """Declare the spectrum of an autoregressive model."""

    @takes(_SIGNAL, COUNT & POSITIVE, name=name)
    def call(x: Value, p: Value, nfft: Value | None = None, fs: Value | None = None) -> Value:
        a, error, _ = _METHODS[method](vector(x), _order(name, vector(x), p))
        count = int(real_number(nfft)) if is_given(nfft) else 256
        rate = real_number(fs) if is_given(fs) else 2 * np.pi
        whole = np.abs(np.fft.fft(a, count)) ** -2 * error / rate
        half = count // 2 + 1
        one = whole[:half].copy()
        one[1 : half - (count % 2 == 0)] *= 2
        return column(one), column(np.arange(half) * rate / count)

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"[pxx, f] = {name}(x, p, nfft, fs)",),
        cases=(f"[p, f] = {name}(sin(0.5*(1:64)), 2); [m, k] = max(p); abs(f(k) - 0.5) < 0.1",),
        text="The power spectral density by an autoregressive model.",
        see=("pwelch", "aryule"),
    )(call)


declare_spectrum("pyulear", "yule")
declare_spectrum("pburg", "burg")


@builtin(
    "levinson",
    category=_FAMILY,
    signatures=("[a, e, k] = levinson(r, n)",),
    cases=("norm(levinson([1 0.5 0.25], 2) - [1 -0.5 0]) < 1e-12",),
    see=("aryule", "lpc"),
)
@takes(_SIGNAL)
def levinson(r: Value, n: Value | None = None) -> Value:
    """The autoregressive model with an autocorrelation."""
    v = vector(r)
    order = v.size - 1 if n is None else min(int(real_number(n)), v.size - 1)
    a, error, turns = durbin(v, order)
    return row(a), error, column(turns)


@builtin(
    "poly2rc",
    category=_FAMILY,
    signatures=("k = poly2rc(a)",),
    cases=("norm(poly2rc([1 0.6 0.2]) - [0.5; 0.2]) < 1e-12",),
    see=("rc2poly",),
)
@takes(_SIGNAL)
def poly2rc(a: Value) -> Value:
    """Reflection coefficients of a prediction filter."""
    p = vector(a) / vector(a)[0]
    made = np.zeros(p.size - 1, dtype=p.dtype)
    for k in range(p.size - 1, 0, -1):
        made[k - 1] = p[k]
        p = (p[:k] - p[k] * p[k:0:-1].conj()) / (1 - abs(p[k]) ** 2)
    return column(made)


@builtin(
    "rc2poly",
    category=_FAMILY,
    signatures=("a = rc2poly(k)",),
    cases=("norm(rc2poly([0.5; 0.2]) - [1 0.6 0.2]) < 1e-12",),
    see=("poly2rc",),
)
@takes(_SIGNAL)
def rc2poly(k: Value) -> Value:
    """A prediction filter from its reflection coefficients."""
    a = np.ones(1, dtype=vector(k).dtype)
    for turn in vector(k):
        padded = np.append(a, 0)
        a = padded + turn * padded[::-1].conj()
    return row(a)


@builtin(
    "dpss",
    category=_FAMILY,
    signatures=("[e, v] = dpss(n, nw)", "[e, v] = dpss(n, nw, k)"),
    cases=(
        "[e, v] = dpss(64, 2.5, 3); norm(e'*e - eye(3)) < 1e-10 && all(v > 0.97) && v(1) > v(2)",
        "isequal(size(dpss(16, 4)), [16 8])",
    ),
    see=("pmtm",),
)
@takes(NUMBERS & REAL & SCALAR, NUMBERS & REAL & SCALAR, NUMBERS & REAL & SCALAR)
def dpss_(n: Value, nw: Value, k: Value | None = None) -> Value:
    """Slepian sequences as columns, and how much of their energy is in the band."""
    size, half_width = int(real_number(n)), real_number(nw)
    count = int(real_number(k)) if is_given(k) else max(min(round(2 * half_width), size), 1)
    if not 0 < half_width < size / 2 or not 0 < count <= size:
        text = "NW must be below N/2, and K at most N."
        raise MatlabError("signal:dpss:InvalidBandwidth", text)
    found, ratios = _slepian(size, half_width, count)
    return canonical(found), column(ratios)


def _slepian(size: int, half_width: float, count: int) -> tuple[Array, Array]:
    """Slepian sequences as columns, and how much of their energy is within ``half_width/size``.

    They are the vectors of a tridiagonal matrix that has those of the band's (Slepian 1978).
    """
    places, band = np.arange(size), half_width / size
    diagonal = ((size - 1 - 2 * places) / 2) ** 2 * np.cos(2 * np.pi * band)
    beside = places[1:] * (size - places[1:]) / 2.0
    find = partial(nogil_linalg.largest_of_tridiagonal, diagonal, beside, count)
    made = (stoppable.beside(find) if size > _LONG_WINDOW else find())[1][:, ::-1]
    sums, edges = made.sum(axis=0), np.empty(count)
    for k, taper in enumerate(made.T):  # the sign of the mean, or of the first lobe
        edges[k] = taper[np.argmax(taper * taper > max(1e-7, 1.0 / size))]
    turned = np.where(np.arange(count) % 2 == 0, sums, edges) < 0
    made = np.asfortranarray(np.where(turned, -made, made))
    spectrum = np.abs(np.fft.rfft(made, 2 * size, axis=0)) ** 2
    products = np.fft.irfft(spectrum, 2 * size, axis=0)[:size]
    weights = 4 * band * np.sinc(2 * band * places)
    weights[0] = 2 * band
    return made, np.minimum(weights @ products, 1.0)


@builtin(
    "pmtm",
    category=_FAMILY,
    signatures=("[pxx, f] = pmtm(x, nw, nfft, fs)", "pxx = pmtm(x, m, ..., 'Tapers', 'sine')"),
    cases=(
        "[p, f] = pmtm(sin(0.5*(1:64))); [m, k] = max(p); abs(f(k) - 0.5) < 0.15",
        "[p, f] = pmtm(sin(0.5*(1:64)), 3, 'Tapers', 'sine'); [m, k] = max(p); abs(f(k)-.5) < .1",
    ),
    see=("pwelch", "periodogram", "dpss"),
)
@takes(_SIGNAL)
def pmtm(x: Value, *args: Value) -> Value:
    """The power spectral density by several tapers (Thomson), weighted as they serve; with sine
    tapers, of which m says how many (7), each alike."""
    v = vector(x).real
    words = next((k for k, a in enumerate(args) if is_text_scalar(a)), len(args))
    kind = text_of(option_pairs("pmtm", args[words:], "Tapers").get("tapers", "slepian")).lower()
    if kind not in ("slepian", "sine") or words > 3:
        raise MatlabError("signal:pmtm:Tapers", "The tapers must be 'slepian' or 'sine'.")
    nw, nfft, fs = (*args[:words], None, None, None)[:3]
    count = (
        int(real_number(nfft)) if is_given(nfft) else max(256, 1 << int(np.ceil(np.log2(v.size))))
    )
    rate = real_number(fs) if is_given(fs) else 2 * np.pi
    if kind == "sine":
        orders = np.arange(1, int(real_number(nw) if is_given(nw) else 7) + 1)[:, None]
        tapers = np.sin(np.pi * orders * np.arange(1, v.size + 1) / (v.size + 1))
        tapers *= np.sqrt(2 / (v.size + 1))
        made = np.mean(np.abs(np.fft.rfft(tapers * v, count, axis=1)) ** 2, axis=0)
    else:
        made = _thomson(v, real_number(nw) if is_given(nw) else 4.0, count)
    made = made / rate
    made[1 : made.size - (count % 2 == 0)] *= 2
    return column(made), column(np.arange(made.size) * rate / count)


def _thomson(v: Array, half_width: float, count: int) -> Array:
    """The power by Slepian tapers, each weighted by how little leaks into it."""
    tapers, ratios = _slepian(v.size, half_width, max(int(2 * half_width) - 1, 1))
    power = np.abs(np.fft.rfft(tapers.T * v, count, axis=1)) ** 2
    level = float(v @ v) / v.size
    made: Array = power[:2].mean(axis=0)
    for _ in range(50):
        weight = made / (np.outer(ratios, made) + np.outer(1 - ratios, np.full(made.size, level)))
        part = weight**2 * ratios[:, None]
        new = np.sum(part * power, axis=0) / np.sum(part, axis=0)
        if np.max(np.abs(new - made)) < 1e-10 * max(float(new.max()), 1e-300):
            break
        made = new
    return made


@builtin(
    "residuez",
    words="",
    category=_FAMILY,
    signatures=("[r, p, k] = residuez(b, a)", "[b, a] = residuez(r, p, k)"),
    cases=("[r, p, k] = residuez(1, [1 -0.5]); r == 1 && p == 0.5 && isempty(k)",),
    see=("residue",),
)
@takes(NUMBERS & NONEMPTY, NUMBERS & NONEMPTY)
def residuez(b: Value, a: Value, k: Value | None = None) -> Value:
    """Partial fractions in powers of ``1/z``, or the fraction of given parts."""
    from scipy import signal

    if k is not None:
        rest = vector(k) if np.size(as_array(k)) else np.zeros(0)
        top, low = signal.invresz(vector(b), vector(a), rest)
        return row(np.real_if_close(top)), row(np.real_if_close(low))
    top, low = vector(b), vector(a)
    find = partial(signal.residuez, top, low)
    r, p, rest = stoppable.beside(find) if top.size + low.size > _MANY_TERMS else find()
    direct = row(rest) if rest.size else canonical(np.zeros((0, 0)))
    return column(np.real_if_close(r)), column(np.real_if_close(p)), direct
