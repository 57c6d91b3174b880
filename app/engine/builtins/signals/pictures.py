"""What signal functions draw when nobody takes their outputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.vectors import column
from app.engine.values import Array, Value, canonical

CIRCLE = 2 * np.pi
_CYCLES = "Normalized Frequency (\\times\\pi rad/sample)"


def frequencies(f: Array, rate: float) -> tuple[Array, str]:
    """Frequencies and the words of their axis: cycles per unit of time, or shares of pi."""
    return (f / np.pi, _CYCLES) if rate == CIRCLE else (f, "Frequency (Hz)")


def draw(
    ctx: CallContext, x: Any, y: Any, words: tuple[str, str, str], how: str = "plot", *style: Value
) -> None:
    """A drawing function of two columns, with title, horizontal and vertical label."""
    ctx.call(how, (canonical(np.asarray(x)), canonical(np.asarray(y)), *style), 0)
    ctx.call("grid", ("on",), 0)
    for function, text in zip(("title", "xlabel", "ylabel"), words, strict=True):
        ctx.call(function, (text,), 0)


def decibels(power: Array) -> Array:
    """Ten times the decimal logarithm."""
    with np.errstate(divide="ignore"):
        return np.asarray(10 * np.log10(power))


def draw_density(ctx: CallContext, f: Array, p: Array, rate: float, title: str) -> None:
    """A power spectral density in decibels."""
    x, words = frequencies(f, rate)
    unit = "(dB/(rad/sample))" if rate == CIRCLE else "(dB/Hz)"
    draw(ctx, x.reshape(-1, 1), decibels(p), (title, words, f"Power/frequency {unit}"))


def draw_response(ctx: CallContext, f: Array, h: Array, rate: float) -> None:
    """Magnitude and phase of a frequency response, one above the other."""
    x, words = frequencies(f, rate)
    x, response = x.reshape(-1, 1), h.reshape(-1, 1)
    phase = np.degrees(np.unwrap(np.angle(response), axis=0))
    ctx.call("subplot", (2.0, 1.0, 1.0), 0)
    draw(ctx, x, decibels(np.abs(response) ** 2), ("Magnitude", words, "Magnitude (dB)"))
    ctx.call("subplot", (2.0, 1.0, 2.0), 0)
    draw(ctx, x, phase, ("Phase", words, "Phase (degrees)"))


def draw_power(
    ctx: CallContext, t: Array, f: Array, p: Array, rate: float, *, upright: bool
) -> None:
    """Power over time and frequency, which runs upwards or to the right."""
    shown, words = frequencies(f, rate)
    labels, sides = ["Samples" if rate == CIRCLE else "Time (s)", words], [t, shown]
    level = decibels(p)
    if not upright:
        labels, sides, level = labels[::-1], sides[::-1], level.T
    ctx.call("imagesc", (*map(column, sides), canonical(level)), 0)
    ctx.call("axis", ("xy",), 0)
    ctx.call("xlabel", (labels[0],), 0)
    ctx.call("ylabel", (labels[1],), 0)
    (bar,) = ctx.call("colorbar", (), 1)
    ctx.call("ylabel", (bar, "Power/frequency (dB)"), 0)
