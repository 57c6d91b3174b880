"""Long windows of signal processing, computed where they are used."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from app.engine.capture.capture_session import Session
from app.engine.capture.terms import Term, horner, position, where


def long_window(name: str, n: int, *options: float | str) -> Any:
    """The window as a lazy column; NotImplemented without a graph."""
    build = _WINDOWS.get(name)
    if not Session.is_active or build is None:
        return NotImplemented
    return build(position((n, 1), 0), n, *options).value


def _cosines(*coefficients: float) -> Callable[..., Term]:
    """A sum of cosines with alternating coefficients."""

    def window(k: Term, n: int, flag: str = "symmetric") -> Term:
        angle = k * (2 * math.pi / (n if flag == "periodic" else n - 1))
        found: Term = (angle * 0.0) + coefficients[0]
        for order, c in enumerate(coefficients[1:], 1):
            found = found + (angle * float(order)).cos() * ((-1) ** order * c)
        return found

    return window


def _hanning(k: Term, n: int, flag: str = "symmetric") -> Term:
    if flag == "periodic":
        return (1 - (k * (2 * math.pi / n)).cos()) * 0.5
    return (1 - ((k + 1.0) * (2 * math.pi / (n + 1))).cos()) * 0.5


def _triangle(k: Term, n: int, flag: str = "symmetric") -> Term:
    return 1 - abs(k * 2.0 + (2.0 - n - 1)) / float(n + n % 2)


def _bartlett(k: Term, n: int, flag: str = "symmetric") -> Term:
    half = (n - 1) / 2
    return where(k <= half, k / half, 2.0 - k / half)


def _gauss(k: Term, n: int, alpha: float = 2.5) -> Term:
    half = (n - 1) / 2
    away = (k - half) / half * alpha
    return (away * away * -0.5).exp()


def _span(n: int, flag: str) -> float:
    return float(n - 1 if flag != "periodic" else n)


def _bohman(k: Term, n: int, flag: str = "symmetric") -> Term:
    away = abs(k * (2 / _span(n, flag)) - 1.0)
    inner = (1 - away) * (away * math.pi).cos() + (away * math.pi).sin() / math.pi
    return where(away < 1.0, inner, 0.0)


def _barthann(k: Term, n: int, flag: str = "symmetric") -> Term:
    away = abs(k / _span(n, flag) - 0.5)
    return 0.62 - away * 0.48 + (away * (2 * math.pi)).cos() * 0.38


def _parzen(k: Term, n: int, flag: str = "symmetric") -> Term:
    length = n + (flag == "periodic")
    place = abs(k - (length - 1) / 2)
    share = place / (length / 2)
    inner = horner(share, (6.0, -6.0, 0.0, 1.0))
    rest = 1 - share
    return where(place <= (length - 1) / 4, inner, rest * rest * rest * 2.0)


def _tukey(k: Term, n: int, share: float = 0.5) -> Term:
    if share <= 0:
        return k * 0.0 + 1.0
    place = k / float(n - 1)
    edge = place.min(1 - place)
    taper = (1 + (edge * (2 * math.pi / share) - math.pi).cos()) * 0.5
    return where(edge < share / 2, taper, 1.0)


_WINDOWS: dict[str, Callable[..., Term]] = {
    "hann": _cosines(0.5, 0.5),
    "hamming": _cosines(0.54, 0.46),
    "blackman": _cosines(0.42, 0.5, 0.08),
    "blackmanharris": _cosines(0.35875, 0.48829, 0.14128, 0.01168),
    "nuttallwin": _cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411),
    "flattopwin": _cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
    "hanning": _hanning,
    "triang": _triangle,
    "bartlett": _bartlett,
    "gausswin": _gauss,
    "bohmanwin": _bohman,
    "barthannwin": _barthann,
    "parzenwin": _parzen,
    "tukeywin": _tukey,
    "rectwin": lambda k, n, flag="symmetric": k * 0.0 + 1.0,
}
