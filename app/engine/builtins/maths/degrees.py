"""Trigonometry in degrees and in multiples of pi, and the rarer inverses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.builtins.device import Formula
from app.engine.builtins.maps import declare_map, leaving
from app.engine.builtins.maths.elementary import declare_degrees, in_degrees, of_degrees, to_degrees
from app.engine.values import Array

_TRIG = "trigonometry"
_SIN, _COS = in_degrees(np.sin, 0.0), in_degrees(np.cos, 90.0)
_ASIN = leaving(np.arcsin, lambda a: np.abs(a) > 1, conjugate=True)
_ACOS = leaving(np.arccos, lambda a: np.abs(a) > 1, conjugate=True)
_ACOSH = leaving(np.arccosh, lambda a: a < 1)
_ATANH = leaving(np.arctanh, lambda a: np.abs(a) > 1)


def _of_pi(function: Callable[[Array], Any], shift: float) -> Callable[[Array], Any]:
    """The function of pi times its argument, exact at multiples of one half."""

    def mapped(a: Array) -> Any:
        if a.dtype.kind == "c":
            return function(a * np.pi)
        turn = np.mod(a, 2.0)
        found = function(turn * a.dtype.type(np.pi))
        whole = np.mod(turn + shift, 1.0) == 0
        half = np.mod(turn + shift, 1.0) == 0.5
        sign = np.where(np.mod(turn + shift, 2.0) == 0.5, 1.0, -1.0)
        return np.where(whole, 0.0, np.where(half, sign, found)).astype(a.dtype)

    return mapped


def _degrees(function: Callable[[Array], Any]) -> Callable[[Array], Any]:
    return lambda a: to_degrees(function(a))


declare_map("sinpi", _of_pi(np.sin, 0.0), "Sine of pi*X, exact for whole and half X.",
            category=_TRIG,
            device=Formula("angles.sinpi"), cases=("sinpi(1) == 0", "sinpi(0.5) == 1"))
declare_map("cospi", _of_pi(np.cos, 0.5), "Cosine of pi*X, exact for whole and half X.",
            category=_TRIG,
            device=Formula("angles.cospi"), cases=("cospi(0.5) == 0", "cospi(1) == -1"))
declare_degrees("secd", lambda a: 1 / _COS(a), "Secant of X in degrees.",
            of_degrees("secd"), "secd(0) == 1")
declare_degrees("cscd", lambda a: 1 / _SIN(a), "Cosecant of X in degrees.",
            of_degrees("cscd"), "cscd(90) == 1")
declare_degrees("cotd", lambda a: _COS(a) / _SIN(a), "Cotangent of X in degrees.",
            of_degrees("cotd"),
                "cotd(90) == 0")
declare_map("asecd", _degrees(lambda a: _ACOS(1 / a)), "Inverse secant in degrees.",
            category=_TRIG,
            device=Formula(lambda x: (1 / x).acos() * (180 / math.pi)), cases=("asecd(1) == 0",))
declare_map("acscd", _degrees(lambda a: _ASIN(1 / a)), "Inverse cosecant in degrees.",
            category=_TRIG, device=Formula(lambda x: (1 / x).asin() * (180 / math.pi)),
            cases=("abs(acscd(1) - 90) < 1e-13",))
declare_map("acotd", _degrees(lambda a: np.arctan(1 / a)), "Inverse cotangent in degrees.",
            category=_TRIG, device=Formula(lambda x: (1 / x).atan() * (180 / math.pi)),
            cases=("abs(acotd(1) - 45) < 1e-13",))
declare_map("asech", lambda a: _ACOSH(1 / a), "Inverse hyperbolic secant.", category=_TRIG,
            device=Formula(lambda x: (1 / x).acosh()), cases=("asech(1) == 0",))
declare_map("acsch", lambda a: np.arcsinh(1 / a), "Inverse hyperbolic cosecant.",
            category=_TRIG, device=Formula(lambda x: (1 / x).asinh()), cases=("acsch(Inf) == 0",))
declare_map("acoth", lambda a: _ATANH(1 / a), "Inverse hyperbolic cotangent.",
            category=_TRIG, device=Formula(lambda x: (1 / x).atanh()), cases=("acoth(Inf) == 0",))
