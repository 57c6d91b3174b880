"""Windows: hann, hamming, kaiser and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
)
from app.engine.builtins.vectors import whole
from app.engine.capture.lazy_limits import LONG
from app.engine.declarations.device_support import SELF
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.signal import window_forms

Window = Callable[[int, str], Array]


def cosine_window(coefficients: tuple[float, ...]) -> Window:
    """A window that is a sum of cosines with these alternating coefficients."""

    def window(n: int, flag: str) -> Array:
        span = n if flag == "periodic" else max(n - 1, 1)
        angle = 2 * np.pi * np.arange(n) / span
        terms = [(-1) ** k * c * np.cos(k * angle) for k, c in enumerate(coefficients)]
        return np.ones(1) if n == 1 else np.sum(terms, axis=0)

    return window


def long_window(name: str, n: int, *options: float | str) -> Value:
    """A long window on the graph; NotImplemented for what is made at once."""
    if n < LONG:
        return NotImplemented
    return window_forms.long_window(name, n, *options)


_IN_OCTAVE = {"hanning": ("hann", cosine_window((0.5, 0.5)))}
"""Windows that Octave has under another window's name."""


_SAMPLINGS, _CLASSES = ("symmetric", "periodic"), ("double", "single")


def declare_window(
    name: str, summary: str, window: Window, case: str, *, sampled: bool = True
) -> None:
    """Declare one window function: ``w = name(n, flag, type)`` gives a column.

    Without ``sampled`` the window has no periodic form, and the flag is refused.
    """
    choices = (_SAMPLINGS if sampled else ()) + _CLASSES

    def compute(ctx: CallContext, n: Value, *options: Value) -> Value:
        COUNT(name, 1, n)
        words = [text_of(o).lower() if is_text_scalar(o) else "" for o in options]
        kinds = [word in _CLASSES for word in words]
        if not set(words) <= set(choices) or kinds != sorted(set(kinds)):
            listed = ", ".join(f"'{c}'" for c in choices)
            text = f"Options of {name} are one each, in this order, of {listed}."
            raise MatlabError(f"signal:{name}:InvalidEnum", text)
        flag = "periodic" if "periodic" in words else "symmetric"
        octave = name in _IN_OCTAVE and getattr(ctx.settings, "octave", False)
        meant, made = _IN_OCTAVE[name] if octave else (name, window)
        single = "single" in words
        lazy = NotImplemented if single else long_window(meant, whole(n), flag)
        if lazy is not NotImplemented:
            return lazy
        column = made(whole(n), flag).reshape(-1, 1)
        return canonical(column.astype(np.float32) if single else column)

    forms = ("n", "n, flag", "n, flag, type") if sampled else ("n", "n, type")
    signatures = tuple(f"w = {name}({form})" for form in forms)
    flags = "The flag is ``'symmetric'`` (default) or ``'periodic'``; the" if sampled else "The"
    text = f"{summary}\n\n{flags} type is ``'double'`` (default) or ``'single'``."
    builtin(
        name,
        category="windows",
        signatures=signatures,
        cases=(case,),
        text=text,
        device=SELF,
        see=("fft", "pwelch"),
    )(compute)


def _triangle(n: int, flag: str) -> Array:
    k = np.arange(1, n + 1)
    return 1 - np.abs(2 * k - n - 1) / (n + n % 2)


def _hanning(n: int, flag: str) -> Array:
    if flag == "periodic":
        return 0.5 * (1 - np.cos(2 * np.pi * np.arange(n) / n))
    k = np.arange(1, n + 1)
    return 0.5 * (1 - np.cos(2 * np.pi * k / (n + 1)))


declare_window(
    "hann", "Hann window.", cosine_window((0.5, 0.5)), "norm(hann(5) - [0; .5; 1; .5; 0]) < 1e-15"
)
declare_window(
    "hanning",
    "Hann window without its zero ends.",
    _hanning,
    "norm(hanning(3) - [.5; 1; .5]) < 1e-15",
)
declare_window(
    "hamming",
    "Hamming window.",
    cosine_window((0.54, 0.46)),
    "norm(hamming(3) - [.08; 1; .08]) < 1e-15",
)
declare_window(
    "blackman",
    "Blackman window.",
    cosine_window((0.42, 0.5, 0.08)),
    "norm(blackman(3) - [0; 1; 0]) < 1e-15",
)
declare_window(
    "blackmanharris",
    "Four-term Blackman-Harris window.",
    cosine_window((0.35875, 0.48829, 0.14128, 0.01168)),
    "norm(blackmanharris(3) - [6e-5; 1; 6e-5]) < 1e-12",
)
declare_window(
    "flattopwin",
    "Flat top window.",
    cosine_window((0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)),
    "abs(max(flattopwin(9)) - 1) < 1e-8",
)
declare_window(
    "rectwin",
    "Rectangular window.",
    lambda n, flag: np.ones(n),
    "isequal(rectwin(2), [1; 1])",
    sampled=False,
)
declare_window(
    "triang",
    "Triangular window.",
    _triangle,
    "norm(triang(3) - [.5; 1; .5]) < 1e-15",
    sampled=False,
)
declare_window(
    "bartlett",
    "Bartlett window: a triangle with zero ends.",
    lambda n, flag: np.bartlett(n),
    "norm(bartlett(3) - [0; 1; 0]) < 1e-15",
    sampled=False,
)


@builtin(
    "kaiser",
    category="windows",
    signatures=("w = kaiser(n)", "w = kaiser(n, beta)"),
    cases=("norm(kaiser(3, 0) - [1; 1; 1]) < 1e-15",),
    see=("hamming",),
)
def kaiser(n: Value, beta: Value = 0.5) -> Value:
    """Kaiser window with shape parameter beta."""
    return canonical(np.kaiser(whole(n), float(np.asarray(as_array(beta)).flat[0])).reshape(-1, 1))


@builtin(
    "gausswin",
    words="",
    category="windows",
    device=SELF,
    signatures=("w = gausswin(n)", "w = gausswin(n, alpha)"),
    cases=("max(gausswin(3)) == 1",),
    see=("hamming",),
)
def gausswin(n: Value, alpha: Value = 2.5) -> Value:
    """Gaussian window with width factor alpha."""
    count = whole(n)
    lazy = long_window("gausswin", count, float(np.asarray(as_array(alpha)).flat[0]))
    if lazy is not NotImplemented:
        return lazy
    half = (count - 1) / 2
    k = (np.arange(count) - half) / max(half, 1e-300)
    factor: Any = float(np.asarray(as_array(alpha)).flat[0])
    return canonical(np.exp(-0.5 * (factor * k) ** 2).reshape(-1, 1))
