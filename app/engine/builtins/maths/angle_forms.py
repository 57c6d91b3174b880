"""Trigonometry in degrees and in multiples of pi: exact where the answer is."""

from __future__ import annotations

import math

from app.engine.capture.terms import Term, where


def _within_half_turn(x: Term) -> Term:
    """Degrees within half a turn."""
    rest = x.rem(360.0)  # exact, whatever the size
    return rest - (rest / 360.0).round() * 360.0


def sind(x: Term) -> Term:
    """Sine of degrees."""
    turn = _within_half_turn(x)
    found = where(abs(turn).eq(180.0), 0.0, (turn * (math.pi / 180)).sin())
    return where(abs(turn).eq(90.0), turn.sign(), found)


def cosd(x: Term) -> Term:
    """Cosine of degrees."""
    turn = _within_half_turn(x)
    found = where(abs(turn).eq(90.0), 0.0, (turn * (math.pi / 180)).cos())
    return where(abs(turn).eq(180.0), -1.0, found)


def tand(x: Term) -> Term:
    """Tangent of degrees."""
    return sind(x) / cosd(x)


def cotd(x: Term) -> Term:
    """Cotangent of degrees."""
    return cosd(x) / sind(x)


def secd(x: Term) -> Term:
    """Secant of degrees."""
    return 1 / cosd(x)


def cscd(x: Term) -> Term:
    """Cosecant of degrees."""
    return 1 / sind(x)


def _exact(turn: Term, found: Term, shift: float) -> Term:
    """``found`` with its exact values at multiples of one half."""
    at = turn + shift
    found = where(at.mod(1.0).eq(0.5), where(at.mod(2.0).eq(0.5), 1.0, -1.0), found)
    return where(at.mod(1.0).eq(0.0), 0.0, found)


def sinpi(x: Term) -> Term:
    """Sine of multiples of pi."""
    turn = x.mod(2.0)
    return _exact(turn, (turn * math.pi).sin(), 0.0)


def cospi(x: Term) -> Term:
    """Cosine of multiples of pi."""
    turn = x.mod(2.0)
    return _exact(turn, (turn * math.pi).cos(), 0.5)
