"""Elementary functions that are composed of others; see `operations` for the others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.accel.numerics.scipy_extensions import special_function
from app.engine.arguments.checks import NONZERO, NUMBERS, REAL, takes
from app.engine.builtins.maths import real_forms
from app.engine.declarations.device_support import Elementwise, Formula, of_resident
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import float_operands
from app.engine.operators.elementwise import (
    complex_outside,
    declare_map,
    float_array,
    map_float,
    safe_scalar,
)
from app.engine.operators.expansion import align
from app.engine.values import Array, Value, as_array, canonical
from app.errors import MatlabError

_EXP = "exponents and logarithms"
_TRIG = "trigonometry"
_ASIN = complex_outside(np.arcsin, lambda a: np.abs(a) > 1, conjugate=True)
_ACOS = complex_outside(np.arccos, lambda a: np.abs(a) > 1, conjugate=True)

declare_map(
    "sec",
    lambda a: 1 / np.cos(a),
    "Secant.",
    category=_TRIG,
    device=Formula(lambda x: 1 / x.cos()),
    cases=("sec(0) == 1",),
)
declare_map(
    "csc",
    lambda a: 1 / np.sin(a),
    "Cosecant.",
    category=_TRIG,
    device=Formula(lambda x: 1 / x.sin()),
    cases=("abs(csc(pi/2) - 1) < eps",),
)
declare_map(
    "cot",
    lambda a: 1 / np.tan(a),
    "Cotangent.",
    category=_TRIG,
    device=Formula(lambda x: 1 / x.tan()),
    cases=("abs(cot(pi/4) - 1) < 2*eps",),
)
declare_map(
    "sech",
    lambda a: 1 / np.cosh(a),
    "Hyperbolic secant.",
    category=_TRIG,
    device=Formula(lambda x: 1 / x.cosh()),
    cases=("sech(0) == 1",),
)
declare_map(
    "csch",
    lambda a: 1 / np.sinh(a),
    "Hyperbolic cosecant.",
    category=_TRIG,
    device=Formula(lambda x: 1 / x.sinh()),
    cases=("csch(Inf) == 0",),
)
declare_map(
    "coth",
    lambda a: 1 / np.tanh(a),
    "Hyperbolic cotangent.",
    category=_TRIG,
    device=Formula(lambda x: 1 / x.tanh()),
    cases=("coth(Inf) == 1",),
)
declare_map(
    "acot",
    lambda a: np.arctan(1 / a),
    "Inverse cotangent.",
    category=_TRIG,
    device=Formula(lambda x: (1 / x).atan()),
    cases=("abs(acot(1) - pi/4) < eps",),
)
declare_map(
    "asec",
    lambda a: _ACOS(1 / a),
    "Inverse secant.",
    category=_TRIG,
    device=Formula(lambda x: (1 / x).acos()),
    cases=("asec(1) == 0",),
)
declare_map(
    "acsc",
    lambda a: _ASIN(1 / a),
    "Inverse cosecant.",
    category=_TRIG,
    device=Formula(lambda x: (1 / x).asin()),
    cases=("abs(acsc(1) - pi/2) < eps",),
)


_TINIEST = {c: np.array(np.finfo(c).tiny) for c in "fd"}


def _gammaln(a: Array) -> Any:
    if a.dtype.kind == "c":
        raise MatlabError("MATLAB:gammaln:complexInput", "Input must be real.")
    found = special_function("gammaln")(a)
    low = a < _TINIEST[a.dtype.char]
    if not np.count_nonzero(low):
        return found
    found = np.where(a < 0, np.nan, found)  # SciPy's is of the magnitude there
    tiny = (a > 0) & low  # where SciPy's reflection overflows
    return np.where(tiny, -np.log(np.where(tiny, a, 1)), found)


declare_map(
    "gammaln",
    _gammaln,
    "Logarithm of the gamma function.",
    category="special functions",
    cases=("abs(gammaln(5) - log(24)) < 1e-14", "isequaln(gammaln([-0.5 -1 0]), [NaN NaN Inf])"),
    see=("gamma",),
)


@builtin(
    "log2",
    category=_EXP,
    signatures=("Y = log2(X)", "[F, E] = log2(X)"),
    device=Elementwise("log2"),
    scalar=safe_scalar(math.log2, complex_outside(np.log2, lambda a: a < 0)),
    cases=("log2(8) == 3",),
    see=("log", "pow2"),
)
def log2(x: Value, *, nargout: int = 1) -> Value:
    """Logarithm to the base 2; with two outputs, mantissa and exponent: X = F .* 2.^E."""
    if nargout > 1:
        mantissa, exponent = np.frexp(float_array("log2", x))
        return canonical(mantissa), canonical(exponent.astype(mantissa.dtype))
    return map_float("log2", complex_outside(np.log2, lambda a: a < 0), x)


@builtin(
    "pow2",
    words="",
    category=_EXP,
    signatures=("Y = pow2(E)", "Y = pow2(F, E)"),
    device=Formula(lambda f, e=None: 2.0**f if e is None else f * 2.0**e),
    cases=("pow2(3) == 8", "pow2(3, 2) == 12"),
    see=("log2",),
)
def pow2(f: Value, e: Value | None = None) -> Value:
    """Powers of two: 2.^E, or F .* 2.^E."""
    if e is None:
        return map_float("pow2", np.exp2, f)
    x, y = align(float_array("pow2", f), float_array("pow2", e))
    return canonical(x * np.exp2(y))


@builtin(
    "nthroot",
    category=_EXP,
    signatures=("Y = nthroot(X, N)",),
    device=of_resident(real_forms.nthroot),
    cases=("nthroot(-8, 3) == -2", "nthroot(16, 4) == 2"),
    see=("sqrt", "power"),
)
@takes(NUMBERS & REAL, NUMBERS & REAL & NONZERO)
def nthroot(x: Value, n: Value) -> Value:
    """Real n-th root; odd roots of negative numbers are negative."""
    a, k = align(*float_operands(as_array(x), as_array(n)))
    if a.dtype.kind == "c" or k.dtype.kind == "c":
        raise MatlabError("MATLAB:nthroot:ComplexInput", "Both X and N must be real.")
    odd = np.mod(k, 2) == 1
    if bool(np.any((a < 0) & ~odd)):
        text = "If X is negative, N must be an odd integer."
        raise MatlabError("MATLAB:nthroot:NegXNotOddIntegerN", text)
    root = np.sign(a) * np.power(np.abs(a), 1 / k)
    finite = np.isfinite(root) & (root != 0) & np.isfinite(k)
    corrected = root - (root**k - a) / (k * root ** (k - 1))
    return canonical(np.where(finite & np.isfinite(corrected), corrected, root))


def _real_only(name: str, function: Callable[[Array], Any], low: float, x: Value) -> Value:
    a = float_array(name, x)
    if a.dtype.kind == "c" or bool((a < low).any()):
        text = f"{name.capitalize()} produced complex result."
        raise MatlabError(f"MATLAB:{name}:complexResult", text)
    return canonical(np.asarray(function(a)))


@builtin(
    "realsqrt",
    category=_EXP,
    signatures=("Y = realsqrt(X)",),
    device=of_resident(real_forms.realsqrt),
    cases=("realsqrt(9) == 3",),
    see=("sqrt",),
)
def realsqrt(x: Value) -> Value:
    """Square root that refuses negative numbers."""
    return _real_only("realsqrt", np.sqrt, 0.0, x)


@builtin(
    "reallog",
    category=_EXP,
    signatures=("Y = reallog(X)",),
    device=of_resident(real_forms.reallog),
    cases=("reallog(1) == 0",),
    see=("log",),
)
def reallog(x: Value) -> Value:
    """Natural logarithm that refuses negative numbers."""
    return _real_only("reallog", np.log, 0.0, x)


def _two(name: str, function: Callable[[Array, Array], Any], a: Value, b: Value) -> Value:
    x, y = align(real_array(name, a), real_array(name, b))
    return canonical(np.asarray(function(*float_operands(x, y))))


def real_array(name: str, v: Value) -> Array:
    """A real float array; complex numbers are an error."""
    a = float_array(name, v)
    if a.dtype.kind == "c":
        raise MatlabError(f"MATLAB:{name}:complexArgument", "Inputs must be real.")
    return a


@builtin(
    "atan2d",
    category=_TRIG,
    signatures=("D = atan2d(Y, X)",),
    device=Formula(lambda y, x: y.atan2(x) * (180 / math.pi)),
    cases=("atan2d(1, 1) == 45",),
    see=("atan2",),
)
def atan2d(y: Value, x: Value) -> Value:
    """Four-quadrant inverse tangent in degrees."""
    return _two("atan2d", lambda p, q: np.rad2deg(np.arctan2(p, q)), y, x)
