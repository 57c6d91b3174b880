"""erf, erfc, erfcx, erfinv, gamma and gammaln."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from typing import cast as typed

import numpy as np

from app.accel.ir.operations import coefficients as c
from app.accel.ir.operations.double_length import (
    fast_two_sum,
    long_constant,
    long_product,
    long_quotient,
    long_sum,
    two_product,
    two_sum,
)
from app.accel.ir.operations.exponential import exp_in_parts, exp_of_sum, normal_exp
from app.accel.ir.operations.float_parts import copysign, is_finite, is_nan, polynomial, scale
from app.accel.ir.operations.logarithm import log, long_log
from app.accel.ir.operations.spec import (
    POSITIVE,
    SPECIAL,
    Complex,
    Costs,
    Function,
    elementwise,
    within,
)
from app.accel.numerics.scipy_extensions import special_function

if TYPE_CHECKING:
    from app.accel.ir.host_functions import Array, HostFunction
    from app.accel.ir.operations.machine import Machine, Value


def _host(name: str) -> HostFunction:
    """SciPy's function, imported when it is called."""

    def host(a: Array) -> Array:
        return special_function(name)(a)

    return host


def _erfinv(a: Array) -> Array:
    """Inverse error function; NaN outside [-1, 1]."""
    return np.where(a == 0, a, special_function("erfinv")(a))


def _gamma(a: Array) -> Array:
    """Gamma function; Inf at zero and the negative integers, NaN at -Inf."""
    with np.errstate(all="ignore"):
        result = special_function("gamma")(a)
    pole = (a < 0) & np.isfinite(a) & (a == np.floor(a))
    return typed("Array", np.where(pole, a.dtype.type(np.inf), result).astype(a.dtype))


def _gammaln(a: Array) -> Array:
    """Logarithm of the gamma function for non-negative arguments; NaN below 0."""
    result = special_function("gammaln")(a)
    tiny = (a > 0) & (a < np.finfo(a.dtype).tiny)  # where SciPy's reflection overflows
    if tiny.any():
        result = np.where(tiny, -np.log(np.where(tiny, a, 1)), result)
    return typed("Array", np.where(a < 0, a.dtype.type(np.nan), result).astype(a.dtype))


TWO_OVER_SQRT_PI = 1.1283791670955126
ERF_TURN = 27 / 32
HALF = 0.5


def _scaled_erfc(m: Machine, x: Value) -> tuple[Value, Value]:
    """exp(x²) erfc(x) in double length for x >= 0.5: a polynomial in (x - 4) / (x + 4)."""
    t, coefficients = (x - 4.0) / (x + 4.0), m.pick(*c.ERFCX)
    first, missing = long_constant(m, c.ERFCX_FIRST)
    high, low = fast_two_sum(m, first, t * polynomial(m, t, coefficients[1:]))
    scaled = high, low + missing
    return long_quotient(m, scaled, fast_two_sum(m, 2.0 * x, m.constant(1.0)))


def _scaled_tail(m: Machine, size: Value) -> Value:
    """erfc(size) for size >= 0.5."""
    limit = m.pick(11.0, 28.0)
    x = m.select(size > limit, limit, size)
    p, e = two_product(m, x, x)
    high, low = _scaled_erfc(m, x)
    power, rest, n = exp_in_parts(m, -p, -e)
    return scale(m, m.fma(power, high, m.fma(power, low, rest * high)), n)


@elementwise(
    _host("erf"),
    values=within(-1.0, 1.0),
    complex=Complex.NONE,
    costs=Costs(15, host=(4.3, 3.8), machine=(0.5, 2.5)),
    function=Function(
        "erf",
        "Error function.",
        SPECIAL,
        examples=(
            "erf(0) == 0",
            "erf(Inf) == 1",
        ),
        see=(
            "erfc",
            "erfinv",
        ),
        scalar=math.erf,
    ),
)
def erf(m: Machine, x: Value) -> Value:
    """The error function: a polynomial near 0, and the logarithm of what it lacks to 1 beyond."""
    z = x * x
    near = m.fma(x, polynomial(m, z, m.pick(*c.ERF)), x)
    size = m.abs(x)
    beyond = m.select(size > 6.0, 6.0, size) - ERF_TURN
    lack = normal_exp(m, -polynomial(m, beyond, m.pick(*c.ERF_TAIL)))
    far = copysign(m, 1.0 - lack, x)
    return m.select(is_nan(m, x), x, m.select(size < ERF_TURN, near, far))


@elementwise(
    _host("erfc"),
    values=within(0.0, 2.0),
    complex=Complex.NONE,
    costs=Costs(40, host=(5.6, 4.6), machine=(1.4, 4.1)),
    function=Function(
        "erfc",
        "Complementary error function.",
        SPECIAL,
        examples=("erfc(0) == 1",),
        see=("erf",),
        scalar=math.erfc,
    ),
)
def erfc(m: Machine, x: Value) -> Value:
    """The complementary error function."""
    z = x * x
    p = x * polynomial(m, z, m.pick(*c.ERF))
    s, e = fast_two_sum(m, m.constant(1.0), -x)
    near = s + (e - p)
    size = m.abs(x)
    tail = _scaled_tail(m, size)
    far = m.select(x < 0.0, 2.0 - tail, tail)
    return m.select(is_nan(m, x), x, m.select(size < HALF, near, far))


@elementwise(
    _host("erfcx"),
    values=lambda *_: POSITIVE,
    complex=Complex.NONE,
    costs=Costs(45, host=(8.5, 6.0), machine=(1.5, 7.0)),
    function=Function(
        "erfcx",
        "Scaled complementary error function, ``exp(X.^2).*erfc(X)``.",
        SPECIAL,
        examples=("abs(erfcx(30) - 0.0187958888614168) < 1e-15", "erfcx(-Inf) == Inf"),
        see=("erf", "erfc"),
    ),
)
def erfcx(m: Machine, x: Value) -> Value:
    """exp(x²) erfc(x): 1 / (sqrt(pi) x) of large numbers, infinite far below 0."""
    least, most = m.pick((-10.0, 2.0**20), (-28.0, 2.0**40))
    size = m.select(x < 0.5, 0.5, m.select(x > most, most, x))
    high, low = _scaled_erfc(m, size)
    beyond = m.select(x > most, 0.5 * TWO_OVER_SQRT_PI / x, high + low)
    bounded = m.select(x < least, least, m.select(x < 0.5, x, 0.5))
    near = exp_of_sum(m, *two_product(m, bounded, bounded)) * erfc(m, bounded)
    return m.select(is_nan(m, x), x, m.select(x < 0.5, near, beyond))


@elementwise(
    _erfinv,
    complex=Complex.NONE,
    costs=Costs(40, host=(8, 8), machine=(6.5, 25)),
    function=Function(
        "erfinv",
        "Inverse error function.",
        SPECIAL,
        examples=(
            "abs(erf(erfinv(0.5)) - 0.5) < 1e-15",
            "erfinv(1) == Inf",
        ),
        see=("erf",),
    ),
)
def erfinv(m: Machine, y: Value) -> Value:
    """The inverse error function: Winitzki's estimate, then Halley's steps on erfc."""
    size = m.abs(y)
    open_ = m.select(size < 1.0, size, 0.5)
    rest = 1.0 - open_
    w = log(m, rest * (1.0 + open_))
    t = 4.330746750799873 + 0.5 * w
    x = m.sqrt(m.sqrt(t * t - w * 6.802721088435374) - t)
    for _ in range(m.pick(2, 3)):
        f = m.select(open_ < 0.5, erf(m, x) - open_, rest - erfc(m, x))
        slope = TWO_OVER_SQRT_PI * exp_of_sum(m, -(x * x), 0.0)
        u = f / slope
        x = x - u / (1.0 + x * u)
    small = 0.8862269254527580 * size
    x = m.select(size < m.pick(1e-4, 1e-8), small, x)
    x = m.select(size == 1.0, m.inf, x)
    return m.select(size > 1.0, m.nan, m.select(is_nan(m, y), y, copysign(m, x, y)))


def _stirling(m: Machine, x: Value) -> tuple[Value, Value]:
    """log gamma(x) in double length, x >= 10."""
    r = 1.0 / x
    series = r * polynomial(m, r * r, m.pick(*c.STIRLING))
    logarithm = long_log(m, x)
    factor = two_sum(m, x, m.constant(-0.5))
    main = long_sum(m, long_product(m, factor, logarithm), (-x, m.constant(0.0)))
    half = long_constant(m, c.LN_SQRT_2PI)
    return long_sum(m, main, long_sum(m, half, (series, m.constant(0.0))))


def _shift_down(m: Machine, x: Value) -> tuple[Value, Value, Value]:
    """t in [1.5, 2.5] and the product (x-1)(x-2)...t in double length, for x >= 1.5."""

    def step(t: Value, high: Value, low: Value) -> tuple[Value, Value, Value]:
        t = t - 1.0
        high, low = long_product(m, (high, low), (t, 0.0 * t))
        return t, high, low

    one = 0.0 * x + 1.0
    t, high, low = m.loop(lambda t, *_: t > 2.5, step, x, one, 0.0 * x)
    return t, high, low


def _shift_up(m: Machine, x: Value) -> tuple[Value, Value, Value, Value]:
    """t in [1.5, 2.5] in double length and the product x (x+1)...(t-1), for x < 1.5."""

    def step(t: Value, rest: Value, high: Value, low: Value) -> tuple[Value, Value, Value, Value]:
        high, low = long_product(m, (high, low), (t, rest))
        t, e = two_sum(m, t, m.constant(1.0))
        t, rest = fast_two_sum(m, t, e + rest)
        return t, rest, high, low

    one = 0.0 * x + 1.0
    t, rest, high, low = m.loop(lambda t, *_: t < 1.5, step, x, 0.0 * x, one, 0.0 * x)
    return t, rest, high, low


def _gamma_small(m: Machine, x: Value) -> Value:
    down, high, low = _shift_down(m, m.select(x < 1.5, 2.0, x))
    up, rest, high2, low2 = _shift_up(m, m.select(x < 1.5, x, 2.0))
    t = m.select(x < 1.5, up, down) - 2.0
    t = t + m.select(x < 1.5, rest, 0.0)
    coefficients = m.pick(*c.GAMMA)
    value = fast_two_sum(m, m.constant(1.0), t * polynomial(m, t, coefficients[1:]))
    product = long_product(m, value, (high, low))
    quotient = long_quotient(m, value, (high2, low2))
    return m.select(x < 1.5, quotient[0] + quotient[1], product[0] + product[1])


def sine_of_pi(m: Machine, x: Value) -> tuple[Value, Value]:
    """|sin(pi x)| as a sum of two, x >= 0."""
    from app.accel.ir.operations.trigonometric import cosine_parts, sine_tail

    y = x - m.floor(x)
    y = m.select(y > 0.5, 1.0 - y, y)
    upper = y > 0.25
    y = m.select(upper, 0.5 - y, y)
    r = long_product(m, (y, m.constant(0.0)), long_constant(m, c.PI_PARTS))
    s = fast_two_sum(m, r[0], sine_tail(m, *r))
    k = cosine_parts(m, *r)
    return m.select(upper, k[0], s[0]), m.select(upper, k[1], s[1])


def _gamma_large(m: Machine, x: Value) -> Value:
    """Stirling's series; the reflection formula for negative x."""
    size = m.abs(x)
    limit = m.pick(60.0, 200.0)
    high, low = _stirling(m, m.select(size > limit, limit, size))
    positive = exp_of_sum(m, high, low)
    s = sine_of_pi(m, m.select(size > limit, limit + 0.5, size))
    denominator = long_product(m, s, (size, m.constant(0.0)))
    fraction, rest = long_quotient(m, long_constant(m, c.PI_PARTS), denominator)
    # Split the exponential: its whole would underflow before the quotient is multiplied in.
    half = exp_of_sum(m, -0.5 * high, -0.5 * low)
    negative = ((fraction + rest) * half) * half
    floor = m.floor(size)
    even = m.floor(0.5 * floor) == 0.5 * floor
    return m.select(x > 0.0, positive, m.select(even, -negative, negative))


@elementwise(
    _gamma,
    complex=Complex.NONE,
    costs=Costs(60, host=(9.5, 9), machine=(2.5, 5.5)),
    function=Function(
        "gamma",
        "Gamma function.",
        SPECIAL,
        examples=(
            "gamma(5) == 24",
            "gamma(0) == Inf",
        ),
        see=(
            "gammaln",
            "factorial",
        ),
    ),
)
def gamma(m: Machine, x: Value) -> Value:
    """The gamma function; infinite at 0 and at the negative integers."""
    (result,) = m.when(
        m.abs(x) <= m.pick(10.0, 20.0),
        lambda y: (_gamma_small(m, m.select(y == 0.0, 1.0, y)),),
        lambda y: (_gamma_large(m, y),),
        m.select(is_finite(m, x), x, 1.0),
    )
    pole = (m.floor(x) == x) & (x <= 0.0)
    near_zero = m.abs(x) * m.pick(3.4028235e38, 1.7976931348623157e308) < 1.0
    result = m.select(pole, m.inf, result)
    result = m.select(near_zero, copysign(m, m.inf, x), result)
    result = m.select(x > m.pick(40.0, 172.0), m.inf, result)
    return m.select(is_nan(m, x) | (x == -m.inf), m.nan, result)


def _times_polynomial(m: Machine, t: Value, coefficients: tuple[float, ...]) -> Value:
    """t times a polynomial whose constant is its largest part."""
    s, e = two_sum(m, m.constant(coefficients[0]), t * polynomial(m, t, coefficients[1:]))
    return m.fma(t, s, t * e)


def _gammaln_small(m: Machine, x: Value) -> Value:
    """For 0 < x < 10."""
    low = x < 0.7
    first = (low & (x < 0.45)) | (~low & (x < 1.45))
    t1 = m.select(low, x, x - 1.0)
    near1 = _times_polynomial(m, t1, m.pick(*c.GAMMALN_1))
    down, high, rest = _shift_down(m, m.select(x > 2.5, x, 2.0))
    t2 = m.select(low, x - 1.0, m.select(x > 2.5, down, x) - 2.0)
    near2 = _times_polynomial(m, t2, m.pick(*c.GAMMALN_2))
    near = m.select(first, near1, near2)
    a = long_log(m, m.select(low, x, m.select(x > 2.5, high, 1.0)))
    correction = m.select(x > 2.5, rest / high, 0.0)
    main = m.select(low, -a[0], a[0])
    return main + (near + (m.select(low, -a[1], a[1]) + correction))


@elementwise(
    _gammaln,
    complex=Complex.NONE,
    costs=Costs(60, host=(13, 13), machine=(2.4, 15)),
)
def gammaln(m: Machine, x: Value) -> Value:
    """The logarithm of gamma for x >= 0; NaN below."""
    regular = (x > 0.0) & is_finite(m, x)
    (result,) = m.when(
        x < 10.0,
        lambda y: (_gammaln_small(m, y),),
        lambda y: (_gammaln_large(m, y),),
        m.select(regular, x, 1.0),
    )
    result = m.select(x == 0.0, m.inf, m.select(x < 0.0, m.nan, result))
    return m.select(is_nan(m, x) | (m.bits(x) == m.inf_bits), x, result)


def _gammaln_large(m: Machine, x: Value) -> Value:
    huge = x > m.pick(2.0**60, 2.0**500)
    high, low = _stirling(m, m.select(huge, 10.0, x))
    return m.select(huge, x * (log(m, x) - 1.0), high + low)
