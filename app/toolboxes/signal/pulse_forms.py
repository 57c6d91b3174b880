"""Single pulses and angles brought into one turn, as formulas."""

from __future__ import annotations

import math

from app.engine.capture.terms import Term, where


def rectangle(t: Term, w: Term | float = 1.0) -> Term:
    """One within half a width of zero."""
    half = w * 0.5
    return where((t >= -half) & (t < half), 1.0, 0.0).cast(t.dtype)


def triangle(t: Term, w: Term | float = 1.0) -> Term:
    """Falling to zero at half a width."""
    height = 1 - abs(t) * 2.0 / w
    return where(height < 0.0, 0.0, height)


def step(t: Term) -> Term:
    """Zero, a half and one."""
    return where(t.isnan(), t, (t.sign() + 1.0) * 0.5)


def impulse(t: Term) -> Term:
    """Infinity at zero."""
    return where(t.isnan(), t, where(t.eq(0.0), math.inf, 0.0))


def _positive(t: Term, turn: float) -> Term:
    found = t.mod(turn)
    return where(found.eq(0.0) & (t > 0.0), turn, found)


def _centred_angle(t: Term, turn: float) -> Term:
    return where(abs(t) <= turn / 2, t, _positive(t + turn / 2, turn) - turn / 2)


def degrees_from_zero(t: Term) -> Term:
    """From 0 to 360."""
    return _positive(t, 360.0)


def degrees_around_zero(t: Term) -> Term:
    """From -180 to 180."""
    return _centred_angle(t, 360.0)


def radians_from_zero(t: Term) -> Term:
    """From 0 to a turn."""
    return _positive(t, 2 * math.pi)


def radians_around_zero(t: Term) -> Term:
    """Half a turn to both sides."""
    return _centred_angle(t, 2 * math.pi)
