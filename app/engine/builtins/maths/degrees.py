"""Trigonometry in degrees and in multiples of pi, and the rarer inverses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.checks import FLOATS, NUMERIC
from app.engine.builtins.maths import angle_forms
from app.engine.declarations.device_support import DeviceForm, Formula
from app.engine.declarations.registry import builtin
from app.engine.operators.elementwise import complex_outside, declare_map, map_float
from app.engine.values import Array, Value

_TRIG = "trigonometry"
_ASIN = complex_outside(np.arcsin, lambda a: np.abs(a) > 1, conjugate=True)
_ACOS = complex_outside(np.arccos, lambda a: np.abs(a) > 1, conjugate=True)
_ACOSH = complex_outside(np.arccosh, lambda a: a < 1)
_ATANH = complex_outside(np.arctanh, lambda a: np.abs(a) > 1)


def to_degrees(a: Any) -> Any:
    """Radians to degrees; parts of complex numbers are scaled one by one, infinite ones too."""
    found = np.array(a)
    if found.dtype.kind == "c":
        found.real *= 180 / np.pi
        found.imag *= 180 / np.pi
        return found
    return found * (180 / np.pi)


def _in_degrees(op: str) -> Formula:
    """The device form of an inverse function in degrees."""
    return Formula(lambda x: getattr(x, op)() * (180 / math.pi))


def declare_degrees(
    name: str, function: Callable[[Array], Any], summary: str, device: DeviceForm, *cases: str
) -> None:
    """Declare a function of an angle in degrees; text is no angle."""

    def call(x: Value) -> Value:
        NUMERIC(name, 1, x)
        return map_float(name, function, x)

    builtin(
        name,
        category=_TRIG,
        signatures=(f"Y = {name}(X)",),
        cases=cases,
        device=device,
        text=summary,
    )(call)


def in_degrees(function: Callable[[Array], Any], shift: float) -> Callable[[Array], Any]:
    """Sine (shift 0) or cosine (shift 90) of degrees, exact at multiples of 90."""

    def real(a: Array) -> Any:
        rest = np.fmod(a, 360.0)  # exact, whatever the size
        turns = rest - 360.0 * np.round(rest / 360.0)
        result = np.asarray(function(np.deg2rad(turns)))
        for at in (-180.0, -90.0, 0.0, 90.0, 180.0):
            exact = round(math.sin(math.radians(at + shift)))
            result = np.where(turns == at, exact, result)
        return result

    def mapped(a: Array) -> Any:
        if a.dtype.kind != "c":
            return real(a)
        y, sign = np.deg2rad(a.imag), -1 if shift else 1
        other = in_degrees(np.sin, 0.0) if shift else in_degrees(np.cos, 90.0)
        return real(a.real) * np.cosh(y) + sign * 1j * other(a.real) * np.sinh(y)

    return mapped


def _tan_degrees(a: Array) -> Any:
    sine, cosine = in_degrees(np.sin, 0.0)(a), in_degrees(np.cos, 90.0)(a)
    return sine / cosine


declare_degrees(
    "sind",
    in_degrees(np.sin, 0.0),
    "Sine of X in degrees.",
    Formula(angle_forms.sind, logical=False),
    "sind(180) == 0",
    "abs(sind(30) - 0.5) < eps",
    "abs(sind(1e22) - sind(mod(1e22, 360))) < 1e-12",
    "isequal(sind(single(2^40)), sind(mod(single(2^40), 360)))",
)
declare_degrees(
    "cosd",
    in_degrees(np.cos, 90.0),
    "Cosine of X in degrees.",
    Formula(angle_forms.cosd, logical=False),
    "cosd(90) == 0",
)
declare_degrees(
    "tand",
    _tan_degrees,
    "Tangent of X in degrees.",
    Formula(angle_forms.tand, logical=False),
    "tand(180) == 0",
    "tand(90) == Inf",
)
declare_map(
    "asind",
    lambda a: to_degrees(_ASIN(a)),
    "Inverse sine in degrees.",
    category=_TRIG,
    device=_in_degrees("asin"),
    cases=("abs(asind(1) - 90) < 1e-13",),
)
declare_map(
    "acosd",
    lambda a: to_degrees(_ACOS(a)),
    "Inverse cosine in degrees.",
    category=_TRIG,
    device=_in_degrees("acos"),
    cases=("acosd(1) == 0",),
)
declare_map(
    "atand",
    lambda a: to_degrees(np.arctan(a)),
    "Inverse tangent in degrees.",
    category=_TRIG,
    device=_in_degrees("atan"),
    cases=("abs(atand(1) - 45) < 1e-13",),
)


def _float_only(name: str, x: Value, factor: float) -> Value:
    FLOATS(name, 1, x)
    return map_float(name, lambda a: a * factor, x)


@builtin(
    "deg2rad",
    category=_TRIG,
    signatures=("R = deg2rad(D)",),
    device=Formula(lambda x: x * (math.pi / 180), logical=False),
    cases=("deg2rad(180) == pi",),
    see=("rad2deg",),
)
def deg2rad(x: Value) -> Value:
    """Degrees to radians."""
    return _float_only("deg2rad", x, math.pi / 180)


@builtin(
    "rad2deg",
    category=_TRIG,
    signatures=("D = rad2deg(R)",),
    device=Formula(lambda x: x * (180 / math.pi), logical=False),
    cases=("rad2deg(pi) == 180",),
    see=("deg2rad",),
)
def rad2deg(x: Value) -> Value:
    """Radians to degrees."""
    return _float_only("rad2deg", x, 180 / math.pi)


_SIN, _COS = in_degrees(np.sin, 0.0), in_degrees(np.cos, 90.0)


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


declare_map(
    "sinpi",
    _of_pi(np.sin, 0.0),
    "Sine of pi*X, exact for whole and half X.",
    category=_TRIG,
    device=Formula(angle_forms.sinpi),
    cases=("sinpi(1) == 0", "sinpi(0.5) == 1"),
)
declare_map(
    "cospi",
    _of_pi(np.cos, 0.5),
    "Cosine of pi*X, exact for whole and half X.",
    category=_TRIG,
    device=Formula(angle_forms.cospi),
    cases=("cospi(0.5) == 0", "cospi(1) == -1"),
)
declare_degrees(
    "secd",
    lambda a: 1 / _COS(a),
    "Secant of X in degrees.",
    Formula(angle_forms.secd, logical=False),
    "secd(0) == 1",
)
declare_degrees(
    "cscd",
    lambda a: 1 / _SIN(a),
    "Cosecant of X in degrees.",
    Formula(angle_forms.cscd, logical=False),
    "cscd(90) == 1",
)
declare_degrees(
    "cotd",
    lambda a: _COS(a) / _SIN(a),
    "Cotangent of X in degrees.",
    Formula(angle_forms.cotd, logical=False),
    "cotd(90) == 0",
)
declare_map(
    "asecd",
    _degrees(lambda a: _ACOS(1 / a)),
    "Inverse secant in degrees.",
    category=_TRIG,
    device=Formula(lambda x: (1 / x).acos() * (180 / math.pi)),
    cases=("asecd(1) == 0",),
)
declare_map(
    "acscd",
    _degrees(lambda a: _ASIN(1 / a)),
    "Inverse cosecant in degrees.",
    category=_TRIG,
    device=Formula(lambda x: (1 / x).asin() * (180 / math.pi)),
    cases=("abs(acscd(1) - 90) < 1e-13",),
)
declare_map(
    "acotd",
    _degrees(lambda a: np.arctan(1 / a)),
    "Inverse cotangent in degrees.",
    category=_TRIG,
    device=Formula(lambda x: (1 / x).atan() * (180 / math.pi)),
    cases=("abs(acotd(1) - 45) < 1e-13",),
)
declare_map(
    "asech",
    lambda a: _ACOSH(1 / a),
    "Inverse hyperbolic secant.",
    category=_TRIG,
    device=Formula(lambda x: (1 / x).acosh()),
    cases=("asech(1) == 0",),
)
declare_map(
    "acsch",
    lambda a: np.arcsinh(1 / a),
    "Inverse hyperbolic cosecant.",
    category=_TRIG,
    device=Formula(lambda x: (1 / x).asinh()),
    cases=("acsch(Inf) == 0",),
)
declare_map(
    "acoth",
    lambda a: _ATANH(1 / a),
    "Inverse hyperbolic cotangent.",
    category=_TRIG,
    device=Formula(lambda x: (1 / x).atanh()),
    cases=("acoth(Inf) == 0",),
)
