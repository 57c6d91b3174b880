"""Wavelets: dwt, idwt, wavedec, waverec, appcoef, detcoef, wrcoef, wfilters."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from app.engine.arguments.checks import COUNT, NONEMPTY, NUMBERS, POSITIVE, VECTOR, real_number
from app.engine.builtins.vectors import row, vector
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, size_of, text_of
from app.errors import MatlabError

_FAMILY = "signal processing"
Filters = tuple[Array, Array, Array, Array]
"""Low and high pass of the decomposition, low and high pass of the reconstruction."""


@cache
def daubechies(n: int, *, symmetric: bool = False) -> Array:
    """Daubechies' low pass of n vanishing moments, by spectral factorisation; its sum is one."""
    from math import comb

    inner = np.roots([comb(n - 1 + k, k) for k in range(n)][::-1])
    made = np.ones(1)
    for _ in range(n):
        made = np.convolve(made, [0.5, 0.5])
    roots = []
    for y in inner:  # y = (2 - z - 1/z)/4
        pair = np.roots([1, 4 * y - 2, 1])
        roots.append(pair[np.argmin(np.abs(pair))])
    if symmetric:
        roots = _least_asymmetric_roots(np.array(roots))
    low = np.real(np.poly(np.array(roots))) if len(roots) else np.ones(1)
    made = np.convolve(made, low)
    return np.asarray(made / made.sum())


def _least_asymmetric_roots(roots: Array) -> list[complex]:
    """Of each root or its inverse the choice with the straightest phase."""
    from itertools import product

    single = [r for r in roots if abs(r.imag) < 1e-9] + [r for r in roots if r.imag > 1e-9]
    best, least = list(roots), np.inf
    for flips in product((False, True), repeat=len(single)):
        chosen: list[complex] = []
        for r, flip in zip(single, flips, strict=True):
            s = 1 / np.conj(r) if flip else r
            chosen += [s] if abs(r.imag) < 1e-9 else [s, np.conj(s)]
        w = np.linspace(0.01, np.pi - 0.01, 64)
        phase = np.unwrap(np.angle(np.polyval(np.poly(np.array(chosen)), np.exp(1j * w))))
        bend = float(np.abs(phase - np.polyval(np.polyfit(w, phase, 1), w)).max())
        if bend < least - 1e-12:
            best, least = chosen, bend
    return best


def filters_of(name: str, wavelet: Value) -> Filters:
    """The four filters of a wavelet: haar, dbN, symN."""
    word = text_of(wavelet).lower() if is_text_scalar(wavelet) else ""
    match = re.fullmatch(r"(db|sym)(\d+)|haar", word)
    n = 1 if word == "haar" else int(match.group(2)) if match else 0
    if match is None or not 1 <= n <= 20:
        text = "The wavelet must be haar, db1 to db20, or sym2 to sym20."
        raise MatlabError(f"Wavelet:{name}:InvalidWavelet", text)
    low = daubechies(n, symmetric=word.startswith("sym") and n > 3) * np.sqrt(2)
    return _four(low)


def _four(low: Array) -> Filters:
    high = low[::-1].copy()
    high[1::2] *= -1
    return low[::-1], high[::-1], low, high


def extended(x: Array, count: int) -> Array:
    """The signal mirrored at both ends."""
    return (
        np.pad(x, count, mode="symmetric")
        if count <= x.size
        else extended(np.pad(x, x.size, mode="symmetric"), count - x.size)
    )


def split(x: Array, f: Filters) -> tuple[Array, Array]:
    """One level of the decomposition."""
    size = f[0].size
    wide = extended(x, size - 1)
    return tuple(np.convolve(wide, h, "valid")[1::2] for h in f[:2])  # type: ignore[return-value]


def merge(a: Array, d: Array, f: Filters, length: int) -> Array:
    """One level of the reconstruction."""
    made = np.zeros(0)
    for part, h in ((a, f[2]), (d, f[3])):
        up = np.zeros(2 * part.size - 1)
        up[::2] = part
        full = np.convolve(up, h)
        made = full if not made.size else made + full
    start = (made.size - length) / 2
    return made[int(np.floor(start)) : int(np.floor(start)) + length]


def chosen_filters(name: str, rest: tuple[Value, ...]) -> Filters:
    """The filters of a wavelet that is named, or that stand for it."""
    words = [v for v in rest if not is_text_scalar(v)]
    if words and len(words) >= 2:
        low, high = (vector(v).real for v in words[:2])
        return low, high, low, high
    return filters_of(name, rest[0] if rest else "")


@builtin(
    "wfilters",
    category=_FAMILY,
    signatures=("[LoD, HiD, LoR, HiR] = wfilters(wavelet)", "[F1, F2] = wfilters(wavelet, type)"),
    cases=(
        "norm(wfilters('haar') - [1 1]/sqrt(2)) < 1e-12",
        "abs(sum(wfilters('db4')) - sqrt(2)) < 1e-9",
    ),
    see=("dwt",),
)
def wfilters(wavelet: Value, kind: Value = "") -> Value:
    """The filters of a wavelet: haar, dbN or symN."""
    made = tuple(row(f) for f in filters_of("wfilters", wavelet))
    pairs = {"d": (0, 1), "r": (2, 3), "l": (0, 2), "h": (1, 3)}
    return tuple(made[k] for k in pairs[text_of(kind)]) if text_of(kind) in pairs else made


@builtin(
    "dwt",
    category=_FAMILY,
    least=2,
    signatures=("[cA, cD] = dwt(x, wavelet)", "[cA, cD] = dwt(x, LoD, HiD)"),
    cases=(
        "[a, d] = dwt([1 3 5 5], 'haar'); norm(a - [4 10]/sqrt(2)) < 1e-12 && norm(d - "
        "[-2 0]/sqrt(2)) < 1e-12",
    ),
    see=("idwt", "wavedec"),
)
def dwt(x: Value, *rest: Value) -> Value:
    """One level of the wavelet transform, the ends mirrored: approximation and detail."""
    (NUMBERS & NONEMPTY & VECTOR)("dwt", 1, x)
    a, d = split(vector(x), chosen_filters("dwt", rest))
    return _vector_like(x, a), _vector_like(x, d)


def _vector_like(x: Value, a: Array) -> Value:
    upright = size_of(x)[1] == 1 and size_of(x)[0] > 1
    return canonical(a.reshape(-1, 1) if upright else a.reshape(1, -1))


@builtin(
    "idwt",
    category=_FAMILY,
    least=3,
    signatures=(
        "x = idwt(cA, cD, wavelet)",
        "x = idwt(cA, cD, wavelet, length)",
        "x = idwt(cA, cD, LoR, HiR)",
    ),
    cases=("[a, d] = dwt((1:9).^2, 'db3'); norm(idwt(a, d, 'db3', 9) - (1:9).^2) < 1e-9",),
    see=("dwt",),
)
def idwt(ca: Value, cd: Value, *rest: Value) -> Value:
    """The signal of an approximation and a detail."""
    f = chosen_filters("idwt", rest)
    a, d = (vector(v) if np.size(as_array(v)) else None for v in (ca, cd))
    some = a if a is not None else d
    if some is None:
        raise MatlabError("Wavelet:idwt:InvalidInput", "One of the two parts must be given.")
    zero = np.zeros(some.size)
    lengths = [v for v in rest if not is_text_scalar(v) and np.size(as_array(v)) == 1]
    length = int(real_number(lengths[-1])) if lengths else 2 * some.size - f[0].size + 2
    return _vector_like(
        ca if a is not None else cd,
        merge(zero if a is None else a, zero if d is None else d, f, length),
    )


@builtin(
    "wavedec",
    category=_FAMILY,
    signatures=("[c, l] = wavedec(x, n, wavelet)",),
    cases=(
        "[c, l] = wavedec(1:8, 2, 'haar'); isequal(l, [2 2 4 8]) && abs(norm(c) - "
        "norm(1:8)) < 1e-12",
    ),
    see=("waverec", "appcoef", "detcoef"),
)
def wavedec(x: Value, n: Value, *rest: Value) -> Value:
    """Several levels of the wavelet transform: coefficients and their lengths."""
    (NUMBERS & NONEMPTY & VECTOR)("wavedec", 1, x)
    (COUNT & POSITIVE)("wavedec", 2, n)
    a, f, lengths = vector(x), chosen_filters("wavedec", rest), [float(vector(x).size)]
    parts: list[Array] = []
    for _ in range(int(real_number(n))):
        a, d = split(a, f)
        parts.insert(0, d)
        lengths.insert(0, float(d.size))
    joined = np.concatenate([a, *parts])
    return _vector_like(x, joined), _vector_like(x, np.array([float(a.size), *lengths]))


def pieces(c: Value, lengths: Value) -> tuple[list[Array], list[int]]:
    """The approximation and the details, the coarsest first, and the lengths."""
    flat, sizes = vector(c), [int(n) for n in vector(lengths).real]
    if len(sizes) < 3 or sum(sizes[:-1]) != flat.size:
        raise MatlabError(
            "Wavelet:wavedec:InvalidSizes", "The lengths do not fit the coefficients."
        )
    return np.split(flat, np.cumsum(sizes[:-1])[:-1]), sizes


def rebuilt(parts: list[Array], sizes: list[int], f: Filters, levels: int | None = None) -> Array:
    """The signal of all levels, or the approximation after some."""
    a = parts[0]
    count = len(parts) - 1 if levels is None else levels
    for k in range(count):
        a = merge(a, parts[k + 1], f, sizes[k + 2])
    return a


@builtin(
    "waverec",
    category=_FAMILY,
    signatures=("x = waverec(c, l, wavelet)",),
    cases=(
        "[c, l] = wavedec((1:20).^1.5, 3, 'db2'); norm(waverec(c, l, 'db2') - (1:20).^1.5) < 1e-9",
    ),
    see=("wavedec",),
)
def waverec(c: Value, lengths: Value, *rest: Value) -> Value:
    """The signal of several levels."""
    return _vector_like(c, rebuilt(*pieces(c, lengths), chosen_filters("waverec", rest)))


@builtin(
    "appcoef",
    category=_FAMILY,
    signatures=("a = appcoef(c, l, wavelet)", "a = appcoef(c, l, wavelet, n)"),
    cases=("[c, l] = wavedec(1:8, 2, 'haar'); norm(appcoef(c, l, 'haar') - [5 13]) < 1e-12",),
    see=("wavedec", "detcoef"),
)
def appcoef(c: Value, lengths: Value, wavelet: Value, n: Value | None = None) -> Value:
    """The approximation of a level, the coarsest unless said."""
    parts, sizes = pieces(c, lengths)
    most = len(parts) - 1
    level = most if n is None else int(real_number(n))
    return _vector_like(c, rebuilt(parts, sizes, filters_of("appcoef", wavelet), most - level))


@builtin(
    "detcoef",
    category=_FAMILY,
    signatures=("d = detcoef(c, l)", "d = detcoef(c, l, n)"),
    cases=(
        "[c, l] = wavedec([1 3 5 5], 1, 'haar'); norm(detcoef(c, l, 1) - [-2 0]/sqrt(2)) < 1e-12",
    ),
    see=("wavedec", "appcoef"),
)
def detcoef(c: Value, lengths: Value, n: Value | None = None) -> Value:
    """The detail of a level, the coarsest unless said."""
    parts, _ = pieces(c, lengths)
    level = len(parts) - 1 if n is None else int(real_number(n))
    if not 1 <= level < len(parts):
        raise MatlabError("Wavelet:detcoef:InvalidLevel", "There is no such level.")
    return _vector_like(c, parts[len(parts) - level])


@builtin(
    "wrcoef",
    category=_FAMILY,
    signatures=("x = wrcoef(type, c, l, wavelet)", "x = wrcoef(type, c, l, wavelet, n)"),
    cases=(
        "[c, l] = wavedec((1:16).^2, 2, 'db2'); x = wrcoef('a', c, l, 'db2') + "
        "wrcoef('d', c, l, 'db2', 1) "
        "+ wrcoef('d', c, l, 'db2', 2); norm(x - (1:16).^2) < 1e-8",
    ),
    see=("wavedec",),
)
def wrcoef(kind: Value, c: Value, lengths: Value, wavelet: Value, n: Value | None = None) -> Value:
    """The share of one level in the signal: its approximation (a) or its detail (d)."""
    parts, sizes = pieces(c, lengths)
    most, f = len(parts) - 1, filters_of("wrcoef", wavelet)
    level = most if n is None else int(real_number(n))
    if text_of(kind) == "a":
        kept = parts[:1] + [p if k < most - level else p * 0 for k, p in enumerate(parts[1:])]
    else:
        kept = [p if k == most - level + 1 else p * 0 for k, p in enumerate(parts)]
    return _vector_like(c, rebuilt(kept, sizes, f))
