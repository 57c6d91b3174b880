"""Filters as cascades of second-order sections and as state spaces, and back."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import FINITE, MATRIX, NONEMPTY, NUMBERS, real_number, takes
from app.engine.builtins.vectors import column, real_float, row, vector
from app.engine.declarations.registry import builtin
from app.engine.values import EMPTY, Array, Value, canonical, is_text_scalar, size_of, text_of
from app.errors import MatlabError
from app.toolboxes.signal.cut_coefficients import cut_silently

_FAMILY = "signal processing"
_FILTER = NUMBERS & NONEMPTY & FINITE


def _cascade(
    name: str,
    zeros: Array,
    poles: Array,
    gain: float,
    nargout: int,
    order: Value = "up",
    scale: Value = "none",
) -> Value:
    """Sections, those with poles near the unit circle last (``up``) or first (``down``).

    The gain is in the first one unless it is asked for.
    """
    from scipy import signal

    size = max(zeros.size, poles.size)
    grown = [np.concatenate([v, np.zeros(size - v.size)]) for v in (zeros, poles)]
    order = one_of(name, order, "up", "down")
    if one_of(name, scale, "none", "inf", "two") != "none":
        text = f"{name} scales no sections: leave the scale out, or set it to 'none'."
        raise MatlabError(f"signal:{name}:unsupportedScale", text)
    sos = signal.zpk2sos(*grown, 1.0)
    for _ in range(zeros.size, poles.size):  # a zero fewer is one sample later
        place = next(i for i in range(len(sos)) if sos[i, 2] == 0)
        sos[place, :3] = np.roll(sos[place, :3], 1)
    sos = sos[::-1].copy() if order == "down" else sos
    if nargout > 1:
        return canonical(sos), float(gain)
    sos[0, :3] *= gain
    return canonical(sos)


def one_of(name: str, word: Value, *words: str) -> str:
    """One of these words, whatever its case."""
    found = text_of(word).lower() if is_text_scalar(word) else ""
    if found not in words:
        raise MatlabError(f"signal:{name}:invalidOption", f"Give {name} one of {', '.join(words)}.")
    return found


def sections(name: str, sos: Value) -> Array:
    """A checked matrix of sections."""
    if size_of(sos)[1] != 6:
        text = "The matrix of sections must have 6 columns."
        raise MatlabError(f"signal:{name}:invalidDimensions", text)
    return real_float(sos)


def is_cascade(b: Value) -> bool:
    """Whether what stands first is a matrix of sections: a single row may be a numerator."""
    rows, columns = size_of(b)[:2]
    return columns == 6 and rows > 1


def filter_of(b: Value, a: Value | None, *rest: Value | None) -> tuple[Array, Array, list[Value]]:
    """Numerator, denominator and what was given behind ``b, a`` (1 without it) or ``sos``."""
    if not is_cascade(b):
        more = [v for v in rest if v is not None]
        return vector(b), vector(1.0 if a is None else a), more
    num, den = _multiplied(real_float(b))
    return num, den, [v for v in (a, *rest) if v is not None]


def _multiplied(sos: Array) -> tuple[Array, Array]:
    num, den = np.ones(1), np.ones(1)
    for section in sos:
        num, den = np.convolve(num, section[:3]), np.convolve(den, section[3:])
    return num, den


@builtin(
    "tf2sos",
    category=_FAMILY,
    signatures=("sos = tf2sos(b, a)", "[sos, g] = tf2sos(b, a, order, scale)"),
    cases=("isequal(tf2sos([1 2 1], [1 0 0]), [1 2 1 1 0 0])",),
    see=("sos2tf", "sosfilt"),
)
@takes(_FILTER, _FILTER)
def tf2sos(
    b: Value, a: Value, order: Value = "up", scale: Value = "none", *, nargout: int = 1
) -> Value:
    """Second-order sections of a digital filter."""
    num, den = vector(b), vector(a)
    size = max(num.size, den.size)
    num, den = (np.concatenate([v, np.zeros(size - v.size)]) for v in (num, den))
    first = next((float(np.real(v / den[0])) for v in num if v), 0.0)
    roots = stoppable.roots(num), stoppable.roots(den)
    return _cascade("tf2sos", *roots, first, nargout, order, scale)


@builtin(
    "zp2sos",
    category=_FAMILY,
    signatures=("sos = zp2sos(z, p, k)", "[sos, g] = zp2sos(z, p, k, order, scale)"),
    cases=(
        "isequal(zp2sos([-1; -1], [0; 0], 1), [1 2 1 1 0 0])",
        "[z, p, k] = butter(4, .3); s = zp2sos(z, p, 1); "
        "isequal(flipud(s), zp2sos(z, p, 1, 'down', 'none'))",
    ),
    see=("tf2sos", "sosfilt"),
)
@takes(NUMBERS & FINITE, NUMBERS & FINITE, NUMBERS & FINITE)
def zp2sos(
    z: Value,
    p: Value = EMPTY,
    k: Value = 1.0,
    order: Value = "up",
    scale: Value = "none",
    *,
    nargout: int = 1,
) -> Value:
    """Second-order sections of a filter given by zeros, poles and gain."""
    return _cascade("zp2sos", vector(z), vector(p), real_number(k), nargout, order, scale)


@builtin(
    "sos2tf",
    category=_FAMILY,
    signatures=("[b, a] = sos2tf(sos)", "[b, a] = sos2tf(sos, g)"),
    cases=("isequal(sos2tf([1 2 1 1 0 0]), [1 2 1])",),
    see=("tf2sos",),
)
@takes(_FILTER & MATRIX, NUMBERS)
def sos2tf(sos: Value, g: Value = 1.0) -> Value:
    """Coefficients of a cascade of second-order sections."""
    num, den = _multiplied(sections("sos2tf", sos))
    num = np.prod(vector(g)) * num
    return tuple(row(v[:-1] if v.size > 3 and v[-1] == 0 else v) for v in (num, den))


@builtin(
    "sos2zp",
    category=_FAMILY,
    signatures=("[z, p, k] = sos2zp(sos)", "[z, p, k] = sos2zp(sos, g)"),
    cases=("isequal(sos2zp([1 -1 0 1 0 0]), [1; 0])",),
    see=("zp2sos",),
)
@takes(_FILTER & MATRIX, NUMBERS)
def sos2zp(sos: Value, g: Value = 1.0) -> Value:
    """Zeros, poles and gain of a cascade of second-order sections."""
    rows = sections("sos2zp", sos)
    zeros, poles = (
        np.concatenate([stoppable.roots(r[part]) for r in rows])
        for part in (slice(0, 3), slice(3, 6))
    )
    gains = [next((v / r[3] for v in r[:3] if v), 0.0) for r in rows]
    return column(zeros), column(poles), float(np.prod(gains) * np.prod(vector(g)))


@builtin(
    "tf2ss",
    category=_FAMILY,
    signatures=("[A, B, C, D] = tf2ss(b, a)",),
    cases=("isequal(tf2ss(1, [1 2 3]), [-2 -3; 1 0])",),
    see=("ss2tf", "tf2zp"),
)
@takes(_FILTER, _FILTER)
def tf2ss(b: Value, a: Value) -> Value:
    """State space of a transfer function (controller canonical form)."""
    from scipy import signal

    with cut_silently():
        found = signal.tf2ss(np.atleast_2d(real_float(b)), vector(a))
    return tuple(canonical(np.atleast_2d(v)) if np.size(v) else EMPTY for v in found)


@builtin(
    "ss2tf",
    category=_FAMILY,
    signatures=("[b, a] = ss2tf(A, B, C, D)", "[b, a] = ss2tf(A, B, C, D, input)"),
    cases=("norm(ss2tf([-2 -3; 1 0], [1; 0], [0 1], 0) - [0 0 1]) < 1e-14",),
    see=("tf2ss",),
)
def ss2tf(a: Value, b: Value, c: Value, d: Value, source: Value = 1.0) -> Value:
    """Transfer function of a state space, from one of its inputs."""
    from scipy import signal

    parts = (real_float(v) for v in (a, b, c, d))
    num, den = signal.ss2tf(*parts, input=int(real_number(source)) - 1)
    return canonical(num), row(den)
