"""Special functions: gamma, beta, Bessel, elliptic, error and exponential integrals.

Values come from SciPy (Cephes, AMOS, Boost); argument order and conventions are MATLAB's.
"""

from __future__ import annotations

import numpy as np

from app import memory
from app.accel.numerics.scipy_extensions import special_function
from app.engine.arguments.checks import (
    FLOATS,
    NONNEGATIVE,
    NUMBER,
    NUMBERS,
    NUMERIC,
    POSITIVE,
    REAL,
    TEXT,
    WHOLE,
    common_shape,
    takes,
    within,
)
from app.engine.builtins.maths import special_forms
from app.engine.declarations.device_support import Formula
from app.engine.declarations.registry import builtin
from app.engine.operators.expansion import align
from app.engine.values import (
    Array,
    Value,
    as_array,
    bool_of,
    canonical,
    float_of,
    is_numeric_like,
    text_of,
    true_value,
)
from app.errors import MatlabError

_FAMILY = "special functions"


def _real(v: Value, name: str) -> Array:
    a = np.asarray(as_array(v))
    if np.iscomplexobj(a) or not is_numeric_like(v):
        raise MatlabError(f"MATLAB:{name}:InputReal", f"{name}: the inputs must be real numbers.")
    return a if a.dtype.kind == "f" else a.astype(np.float64)


def _result(value: Array, *sources: Array) -> Value:
    single = any(a.dtype in (np.float32, np.complex64) for a in sources)
    value = np.asarray(value)
    if single:
        value = value.astype(np.complex64 if value.dtype.kind == "c" else np.float32)
    return canonical(value)


def _elementwise(name: str, function: str, *values: Value) -> Value:
    arrays = [_real(v, name) for v in values]
    common_shape(name, *values)
    if len(arrays) == 2:
        arrays = list(align(arrays[0], arrays[1]))
    wide = [a.astype(np.float64) for a in arrays]
    return _result(special_function(function)(*wide), *arrays)


@builtin(
    "beta",
    category=_FAMILY,
    signatures=("B = beta(Z, W)",),
    device=Formula(special_forms.beta),
    cases=("abs(beta(2, 3) - 1/12) < 1e-15",),
    see=("gamma", "betaln", "betainc"),
)
def beta(z: Value, w: Value) -> Value:
    """Beta function, ``gamma(Z).*gamma(W)./gamma(Z+W)``."""
    return _elementwise("beta", "beta", z, w)


@builtin(
    "betaln",
    category=_FAMILY,
    signatures=("L = betaln(Z, W)",),
    device=Formula(special_forms.betaln),
    cases=("abs(betaln(2, 3) - log(1/12)) < 1e-14",),
    see=("beta", "gammaln"),
)
@takes(FLOATS & REAL, FLOATS & REAL)
def betaln(z: Value, w: Value) -> Value:
    """Natural logarithm of the beta function, without overflow."""
    return _elementwise("betaln", "betaln", z, w)


def _tail(v: Value | None, name: str) -> str:
    tail = "lower" if v is None else text_of(v).lower()
    if tail not in {"lower", "upper", "scaledlower", "scaledupper"}:
        raise MatlabError(f"MATLAB:{name}:InvalidTailArg", "TAIL must be 'lower' or 'upper'.")
    return tail


@builtin(
    "betainc",
    category=_FAMILY,
    signatures=("I = betainc(X, Z, W)", "I = betainc(X, Z, W, tail)"),
    cases=(
        "abs(betainc(0.5, 1, 1) - 0.5) < 1e-15",
        "abs(betainc(0.2, 1, 1, 'upper') - 0.8) < 1e-15",
    ),
    see=("beta", "betaincinv"),
)
@takes(NUMBERS & REAL & within(0, 1), NUMBERS & REAL & NONNEGATIVE, NUMBERS & REAL & NONNEGATIVE)
def betainc(x: Value, z: Value, w: Value, tail: Value | None = None) -> Value:
    """Regularised incomplete beta function; ``'upper'`` gives the complement."""
    common_shape("betainc", x, z, w)
    function = "betainc" if _tail(tail, "betainc") == "lower" else "betaincc"
    arrays = np.broadcast_arrays(*(_real(v, "betainc") for v in (z, w, x)))
    return _result(special_function(function)(*(a.astype(np.float64) for a in arrays)), *arrays)


@builtin(
    "betaincinv",
    category=_FAMILY,
    signatures=("X = betaincinv(P, Z, W)", "X = betaincinv(P, Z, W, tail)"),
    cases=("abs(betaincinv(0.5, 1, 1) - 0.5) < 1e-15",),
    see=("betainc",),
)
@takes(FLOATS & REAL & within(0, 1), FLOATS & REAL & NONNEGATIVE, FLOATS & REAL & NONNEGATIVE)
def betaincinv(p: Value, z: Value, w: Value, tail: Value | None = None) -> Value:
    """Inverse of the incomplete beta function."""
    common_shape("betaincinv", p, z, w)
    function = "betaincinv" if _tail(tail, "betaincinv") == "lower" else "betainccinv"
    arrays = np.broadcast_arrays(*(_real(v, "betaincinv") for v in (z, w, p)))
    return _result(special_function(function)(*(a.astype(np.float64) for a in arrays)), *arrays)


@builtin(
    "gammainc",
    category=_FAMILY,
    signatures=("P = gammainc(X, A)", "P = gammainc(X, A, tail)"),
    cases=(
        "abs(gammainc(1, 1) - (1 - exp(-1))) < 1e-15",
        "abs(gammainc(1, 1, 'upper') - exp(-1)) < 1e-15",
    ),
    see=("gamma", "gammaincinv"),
)
@takes(NUMBERS & REAL, NUMBERS & REAL & NONNEGATIVE)
def gammainc(x: Value, a: Value, tail: Value | None = None) -> Value:
    """Regularised incomplete gamma function; tails ``lower``, ``upper`` and their scaled forms."""
    which = _tail(tail, "gammainc")
    common_shape("gammainc", x, a)
    xs, shape = align(_real(x, "gammainc"), _real(a, "gammainc"))
    wide_x, wide_a = xs.astype(np.float64), shape.astype(np.float64)
    value = special_function("gammainc" if "lower" in which else "gammaincc")(wide_a, wide_x)
    if (wide_x < 0).any():
        value = _below_zero(value, wide_x, wide_a, "lower" in which)
    value = np.where(wide_a == 0, 1.0 if "lower" in which else 0.0, value)
    value = np.where(np.isinf(wide_a), 0.0 if "lower" in which else 1.0, value)
    if which.startswith("scaled"):
        value = _scaled_gamma(value, wide_x, wide_a, "lower" in which)
    return _result(value, xs, shape)


def _below_zero(value: Array, x: Array, a: Array, lower: bool) -> Array:
    """Negative X, by Kummer's function; complex unless ``A`` is whole."""
    factor = (
        np.exp(-x) * special_function("hyp1f1")(1.0, a + 1, x) / special_function("gamma")(a + 1)
    )
    found = np.power(x.astype(np.complex128), a) * factor
    found = np.where(a == np.floor(a), found.real, found)
    found = found if lower else 1 - found
    return np.where(x < 0, found, value)


def _scaled_gamma(value: Array, x: Array, a: Array, lower: bool) -> Array:
    if lower:
        usual = np.isfinite(a) & np.isfinite(x)
        scaled = special_function("hyp1f1")(
            1.0, np.where(usual, a, 1.0) + 1, np.where(usual, x, 0.0)
        )
    else:
        scaled = value * np.exp(special_function("gammaln")(a + 1) + x - a * np.log(x))
    scaled = np.where((a == 0) & np.isfinite(x), np.exp(x) if lower else 0.0, scaled)
    scaled = np.where(x == 0, 1.0 if lower else np.where(a > 0, np.inf, 0.0), scaled)
    scaled = np.where(np.isinf(a), 1.0 if lower else np.inf, scaled)
    return np.where(np.isinf(x), np.inf if lower else 0.0, scaled)


@builtin(
    "gammaincinv",
    category=_FAMILY,
    signatures=("X = gammaincinv(P, A)", "X = gammaincinv(P, A, tail)"),
    cases=("abs(gammaincinv(0.5, 1) - log(2)) < 1e-14",),
    see=("gammainc",),
)
@takes(NUMBERS & REAL & within(0, 1), NUMBERS & REAL & NONNEGATIVE)
def gammaincinv(p: Value, a: Value, tail: Value | None = None) -> Value:
    """Inverse of the incomplete gamma function."""
    name = "gammaincinv" if _tail(tail, "gammaincinv") == "lower" else "gammainccinv"
    ps, shape = align(_real(p, "gammaincinv"), _real(a, "gammaincinv"))
    return _result(
        special_function(name)(shape.astype(np.float64), ps.astype(np.float64)), ps, shape
    )


@builtin(
    "psi",
    words="",
    category=_FAMILY,
    signatures=("Y = psi(X)", "Y = psi(k, X)"),
    cases=("abs(psi(1) + 0.577215664901533) < 1e-15", "abs(psi(1, 1) - pi^2/6) < 1e-14"),
    see=("gamma", "gammaln"),
)
def psi(k: Value, x: Value | None = None) -> Value:
    """Digamma function, or the polygamma function of order k."""
    if x is None:
        return _elementwise("psi", "psi", k)
    values = _real(x, "psi")
    order = int(float_of(k))
    return _result(special_function("polygamma")(order, values.astype(np.float64)), values)


@builtin(
    "erfcinv",
    category=_FAMILY,
    signatures=("X = erfcinv(Y)",),
    cases=("erfcinv(1) == 0", "abs(erfc(erfcinv(0.3)) - 0.3) < 1e-15"),
    see=("erfc", "erfinv"),
)
def erfcinv(y: Value) -> Value:
    """Inverse of the complementary error function."""
    return _elementwise("erfcinv", "erfcinv", y)


@builtin(
    "expint",
    category=_FAMILY,
    signatures=("Y = expint(X)",),
    cases=("abs(expint(1) - 0.219383934395520) < 1e-15", "expint(0) == Inf"),
    see=("gammainc",),
)
@takes(NUMERIC)
def expint(x: Value) -> Value:
    """Exponential integral E1; complex for negative real arguments."""
    a = np.asarray(as_array(x))
    wide = a.astype(np.complex128)
    value = special_function("exp1")(wide)
    negative = (wide.imag == 0) & (wide.real < 0)
    value = np.where(negative, -special_function("expi")(-wide.real) - 1j * np.pi, value)
    value = np.where(np.isposinf(wide.real), 0, np.where(wide == 0, np.inf, value))
    value = np.where(np.isnan(wide.real) & (wide.imag == 0), np.nan, value)
    return _result(value, a)


@builtin(
    "sinint",
    category=_FAMILY,
    signatures=("Y = sinint(X)",),
    cases=("abs(sinint(1) - 0.946083070367183) < 1e-15",),
    see=("cosint",),
)
@takes(NUMERIC)
def sinint(x: Value) -> Value:
    """Sine integral."""
    a = np.asarray(as_array(x))
    kind = np.complex128 if a.dtype.kind == "c" else np.float64
    return _result(special_function("sici")(a.astype(kind))[0], a)


@builtin(
    "cosint",
    category=_FAMILY,
    signatures=("Y = cosint(X)",),
    cases=("abs(cosint(1) - 0.337403922900968) < 1e-15",),
    see=("sinint",),
)
@takes(NUMERIC)
def cosint(x: Value) -> Value:
    """Cosine integral; complex for negative arguments."""
    a = np.asarray(as_array(x))
    wide = a.astype(np.complex128)
    value = special_function("sici")(wide)[1]
    side = np.where(np.signbit(wide.real), np.copysign(np.pi, wide.imag), 0) * 1j
    real = np.where(wide.imag == 0, special_function("sici")(np.abs(wide.real))[1] + side, value)
    value = np.where(np.isinf(wide.real), side, real)
    return _result(np.where(wide == 0, -np.inf + side, value), a)


def _bessel(name: str, function: str, scaled: str, nu: Value, z: Value, scale: Value) -> Value:
    order, argument = _real(nu, name), np.asarray(as_array(z))
    rows = order.shape[0] == 1 and argument.shape[1] == 1 and order.size > 1 and argument.size > 1
    order, argument = (order, argument) if rows else align(order, argument)
    chosen = special_function(scaled if bool_of(scale) else function)
    wide = order.astype(np.float64)
    even = function in {"jv", "iv"}  # of whole order they are real on the whole line
    real_domain = (argument.real >= 0) | (even & (order == np.floor(order)))
    hankel = function in {"hankel1", "hankel2"}
    if not hankel and np.all(real_domain & (argument.imag == 0)):
        return _result(chosen(wide, argument.real.astype(np.float64)), order, argument)
    value = np.asarray(chosen(wide, argument.astype(np.complex128)))
    if not hankel:
        value = np.where(argument == 0, chosen(wide, 0.0), value)
    return _result(value, order, argument)


@builtin(
    "besselj",
    words="",
    category=_FAMILY,
    signatures=("J = besselj(nu, Z)", "J = besselj(nu, Z, scale)"),
    cases=("abs(besselj(0, 1) - 0.765197686557967) < 1e-14", "besselj(0, 0) == 1"),
    see=("bessely", "besseli", "besselk", "besselh"),
)
def besselj(nu: Value, z: Value, scale: Value = False) -> Value:
    """Bessel function of the first kind; ``scale`` 1 multiplies by exp(-abs(imag(Z)))."""
    return _bessel("besselj", "jv", "jve", nu, z, scale)


@builtin(
    "bessely",
    words="",
    category=_FAMILY,
    signatures=("Y = bessely(nu, Z)", "Y = bessely(nu, Z, scale)"),
    cases=("abs(bessely(0, 1) - 0.0882569642156769) < 1e-14",),
    see=("besselj",),
)
def bessely(nu: Value, z: Value, scale: Value = False) -> Value:
    """Bessel function of the second kind."""
    return _bessel("bessely", "yv", "yve", nu, z, scale)


@builtin(
    "besseli",
    words="",
    category=_FAMILY,
    signatures=("I = besseli(nu, Z)", "I = besseli(nu, Z, scale)"),
    cases=("abs(besseli(0, 1) - 1.26606587775201) < 1e-14",),
    see=("besselk",),
)
def besseli(nu: Value, z: Value, scale: Value = False) -> Value:
    """Modified Bessel function of the first kind."""
    return _bessel("besseli", "iv", "ive", nu, z, scale)


@builtin(
    "besselk",
    words="",
    category=_FAMILY,
    signatures=("K = besselk(nu, Z)", "K = besselk(nu, Z, scale)"),
    cases=("abs(besselk(0, 1) - 0.421024438240708) < 1e-14",),
    see=("besseli",),
)
def besselk(nu: Value, z: Value, scale: Value = False) -> Value:
    """Modified Bessel function of the second kind."""
    return _bessel("besselk", "kv", "kve", nu, z, scale)


@builtin(
    "besselh",
    words="",
    category=_FAMILY,
    signatures=("H = besselh(nu, Z)", "H = besselh(nu, K, Z)", "H = besselh(nu, K, Z, scale)"),
    cases=("abs(besselh(0, 1) - (besselj(0, 1) + 1i*bessely(0, 1))) < 1e-14",),
    see=("besselj",),
)
def besselh(nu: Value, k: Value, z: Value | None = None, scale: Value = False) -> Value:
    """Bessel function of the third kind (Hankel function), kind K 1 or 2."""
    kind = 1 if z is None else int(float_of(k))
    within(1, 2)("besselh", 2, float(kind))
    name = f"hankel{kind}"
    return _bessel("besselh", name, f"{name}e", nu, k if z is None else z, scale)


@builtin(
    "airy",
    words="",
    category=_FAMILY,
    signatures=("W = airy(Z)", "W = airy(k, Z)", "W = airy(k, Z, scale)"),
    cases=(
        "abs(airy(0) - 0.355028053887817) < 1e-15",
        "abs(airy(0, 2, 1) - airy(0, 2)*exp(2/3*2^1.5)) < 1e-14",
        "isequal([airy([Inf -Inf]) airy(2, [Inf -Inf]) airy(3, Inf)], [0 0 Inf 0 Inf])",
    ),
    see=("besselj",),
)
@takes(NUMBERS)
def airy(k: Value, z: Value | None = None, scale: Value = 0.0) -> Value:
    """Airy functions: k = 0 Ai, 1 its derivative, 2 Bi, 3 its derivative.

    With a scale of 1 the growth is divided out: Ai times ``exp(2/3*Z^(3/2))``, Bi times
    ``exp(-abs(real(2/3*Z^(3/2))))``.
    """
    which = 0 if z is None else int(float_of(k))
    within(0, 3)("airy", 1, float(which))
    a = np.asarray(as_array(k if z is None else z))
    a = a if a.dtype.kind in "fc" else a.astype(np.float64)
    if not true_value(scale):
        made = special_function("airy")(a)[which]
        if not np.iscomplexobj(a):  # SciPy's are NaN there; the slopes at -Inf have no limit
            made = np.where(np.isposinf(a), 0.0 if which < 2 else np.inf, made)
            made = np.where(np.isneginf(a) & (which in (0, 2)), 0.0, made)
        return _result(made, a)
    made = special_function("airye")(a.astype(np.complex128))[which]
    real = not np.iscomplexobj(a) and (which > 1 or not (a < 0).any())
    return _result(made.real if real else made, a)


@builtin(
    "ellipke",
    category=_FAMILY,
    signatures=("[K, E] = ellipke(m)",),
    cases=("abs(ellipke(0) - pi/2) < 1e-15", "ellipke(1) == Inf"),
    see=("ellipj",),
)
@takes(NUMBERS & REAL, NUMBER & POSITIVE)
def ellipke(m: Value, tol: Value | None = None) -> Value:
    """Complete elliptic integrals of the first and second kind, for m up to 1."""
    a = _real(m, "ellipke")
    if np.any(a > 1):
        raise MatlabError("MATLAB:ellipke:MOutOfRange", "M must be in the range M <= 1.")
    wide = a.astype(np.float64)
    return _result(special_function("ellipk")(wide), a), _result(
        special_function("ellipe")(wide), a
    )


@builtin(
    "ellipj",
    words="",
    category=_FAMILY,
    signatures=("[sn, cn, dn] = ellipj(u, m)",),
    cases=("abs(ellipj(0.5, 0) - sin(0.5)) < 1e-15",),
    see=("ellipke",),
)
def ellipj(u: Value, m: Value, tol: Value | None = None) -> Value:
    """Jacobi's elliptic functions sn, cn and dn."""
    x, parameter = align(_real(u, "ellipj"), _real(m, "ellipj"))
    sn, cn, dn, _ = special_function("ellipj")(x.astype(np.float64), parameter.astype(np.float64))
    return _result(sn, x), _result(cn, x), _result(dn, x)


@builtin(
    "legendre",
    category=_FAMILY,
    signatures=("P = legendre(n, X)", "P = legendre(n, X, normalization)"),
    cases=(
        "max(abs(legendre(1, [0 0.5]) - [0 0.5; -1 -sqrt(0.75)])) < 1e-15",
        "isequal(size(legendre(3, [0 0.1 0.2])), [4 3])",
    ),
    see=("ellipke",),
)
@takes(NUMBER & WHOLE & NONNEGATIVE, NUMBERS & REAL & within(-1, 1), TEXT)
def legendre(n: Value, x: Value, normalization: Value = "unnorm") -> Value:
    """Associated Legendre functions of degree n and orders 0..n (first dimension).

    Normalisations: ``unnorm`` (with the Condon-Shortley phase), ``sch`` (Schmidt), ``norm``.
    """
    degree = int(float_of(n))
    points = _real(x, "legendre")
    kind = text_of(normalization).lower()
    if kind not in ("unnorm", "sch", "norm"):
        text = "NORMALIZATION must be 'unnorm', 'sch' or 'norm'."
        raise MatlabError("MATLAB:legendre:InvalidNormalize", text)
    memory.require_array((degree + 1, max(points.size, 1)), 8)
    flat = points.astype(np.float64).ravel(order="F")
    rows = [_legendre_row(degree, order, flat, kind) for order in range(degree + 1)]
    vector = points.size in points.shape
    shape = (points.size,) if vector else points.shape
    return canonical(np.array(rows).reshape((degree + 1, *shape), order="F"))


def _legendre_scaled(degree: int, order: int, x: Array) -> Array:
    """The recurrence upwards from the diagonal on numbers scaled by powers of two."""
    from math import lgamma, log

    with np.errstate(divide="ignore"):
        base = 0.5 * order * np.log1p(-x * x) if order else np.zeros_like(x)
    shift = lgamma(2 * order + 1) - order * log(2) - lgamma(order + 1)
    before, row = np.zeros_like(x), np.full_like(x, (-1.0) ** order)
    scale = base + shift
    for k in range(order + 1, degree + 1):
        before, row = row, ((2 * k - 1) * x * row - (k + order - 1) * before) / (k - order)
        large = np.abs(row) > 1e200
        row, before = np.where(large, row * 1e-200, row), np.where(large, before * 1e-200, before)
        scale = np.where(large, scale + 200 * log(10), scale)
    with np.errstate(over="ignore"):
        return np.asarray(np.sign(row) * np.exp(np.log(np.maximum(np.abs(row), 1e-320)) + scale))


def _legendre_row(degree: int, order: int, x: Array, kind: str) -> Array:
    from math import factorial, sqrt

    row: Array = special_function("lpmv")(order, degree, x)
    if not np.isfinite(row).all() or degree > 140:
        row = _legendre_scaled(degree, order, x)
    ratio = factorial(degree - order) / factorial(degree + order)
    if kind == "sch":
        row = row * ((-1) ** order * sqrt(2 * ratio)) if order else row
    if kind == "norm":
        row = row * ((-1) ** order * sqrt((degree + 0.5) * ratio))
    return np.asarray(row)


@builtin(
    "zeta",
    category=_FAMILY,
    signatures=("Y = zeta(X)",),
    cases=("abs(zeta(2) - pi^2/6) < 1e-14",),
    see=("gamma",),
)
def zeta(x: Value) -> Value:
    """Riemann's zeta function."""
    return _elementwise("zeta", "zeta", x)
