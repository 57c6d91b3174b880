"""Distributions whose values are a few special functions, without SciPy's package of all.

``scipy.stats`` takes a second to import, which is most of what a small program costs. The functions
are those that it evaluates, so that the values are the same. Everything here is standardised: at
``z``, the location taken off and divided by the scale, with the shapes behind it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.accel.numerics.scipy_extensions import has_special_function, special_function
from app.engine.values import Array
from app.records import record

Formula = Callable[..., Array]
Moments = Callable[..., tuple[Array | float, Array | float]]


def _positive(*shapes: Array) -> Array:
    return np.asarray(np.all([s > 0 for s in np.broadcast_arrays(*shapes)], axis=0))


def _zero(*shapes: Array) -> float:
    return 0.0


def _infinite(*shapes: Array) -> float:
    return np.inf


@record
class Formulas:
    """One family: what its functions are for numbers inside of the support.

    Attributes:
        pdf: the density, of a discrete one the probability.
        cdf: the distribution function.
        sf: what it lacks to 1.
        ppf: its inverse between 0 and 1.
        moments: mean and variance.
        low: where the support begins.
        high: where the support ends.
        makes_sense: which shapes there are.
        needs: special functions that not every release of the library has.
    """

    pdf: Formula
    cdf: Formula
    sf: Formula
    ppf: Formula
    moments: Moments
    low: Callable[..., Array | float] = _zero
    high: Callable[..., Array | float] = _infinite
    makes_sense: Callable[..., Array] = _positive
    needs: tuple[str, ...] = ()

    def value(
        self, function: str, x: Array, shapes: tuple[Array, ...], loc: Array, scale: Array
    ) -> Array:
        """``pdf``, ``cdf``, ``sf`` or ``ppf`` of the distribution; NaN where there is none."""
        sensible = self.makes_sense(*shapes) & (scale > 0)
        low, high = self.low(*shapes), self.high(*shapes)
        with np.errstate(all="ignore"):
            if function == "ppf":
                found = np.where((x > 0) & (x < 1), self.ppf(x, *shapes) * scale + loc, np.nan)
                found = np.where(x == 0, low * scale + loc, found)
                found = np.where(x == 1, high * scale + loc, found)
                return np.where(sensible & (loc == loc), found, np.nan)
            z = (x - loc) / scale
            if function == "pdf":
                inside = (low <= z) & (z <= high) & np.isfinite(z)
                found = np.where(inside, self.pdf(z, *shapes) / scale, 0.0)
            elif function == "cdf":
                inside = np.where((low < z) & (z < high), self.cdf(z, *shapes), 0.0)
                found = np.where(z >= high, 1.0, inside)
            else:
                inside = np.where((low < z) & (z < high), self.sf(z, *shapes), 0.0)
                found = np.where(z <= low, 1.0, inside)
            return np.where(sensible & ~np.isnan(z), found, np.nan)

    def discrete_value(
        self, function: str, x: Array, shapes: tuple[Array, ...], loc: Array
    ) -> Array:
        """``pmf``, ``cdf``, ``sf`` or ``ppf`` of a distribution on whole numbers."""
        sensible = self.makes_sense(*shapes)
        low, high = self.low(*shapes), self.high(*shapes)
        with np.errstate(all="ignore"):
            if function == "ppf":
                found = np.where((x > 0) & (x < 1), self.ppf(x, *shapes) + loc, np.nan)
                found = np.where(x == 0, low - 1 + loc, found)
                return np.where(sensible, np.where(x == 1, high + loc, found), np.nan)
            k = x - loc
            inside = (k >= low) & (k <= high)
            if function == "pmf":
                found = np.clip(self.pdf(k, *shapes), 0, 1)
                found = np.where(inside & (np.floor(k) == k), found, 0.0)
            elif function == "cdf":
                found = np.where(inside, np.clip(self.cdf(np.floor(k), *shapes), 0, 1), 0.0)
                found = np.where(k >= high, 1.0, found)
            else:
                found = np.where(inside, np.clip(self.sf(np.floor(k), *shapes), 0, 1), 0.0)
                found = np.where(k >= high, 0.0, np.where(k < low, 1.0, found))
            return np.where(sensible & ~np.isnan(k), found, np.nan)

    def support(self, shapes: tuple[Array, ...], loc: Array, scale: Array) -> tuple[Array, Array]:
        """Where the distribution begins and ends; NaN where there is none."""
        sensible = self.makes_sense(*shapes) & (scale > 0) & (loc == loc)
        ends = (np.where(sensible, e(*shapes) * scale + loc, np.nan) for e in (self.low, self.high))
        low, high = ends
        return low, high

    def mean_and_variance(
        self, shapes: tuple[Array, ...], loc: Array, scale: Array
    ) -> tuple[Array, Array]:
        """Mean and variance of the distribution; NaN where there is none."""
        sensible = self.makes_sense(*shapes) & (scale > 0) & (loc == loc)
        with np.errstate(all="ignore"):
            mean, variance = self.moments(*shapes)
            return (
                np.where(sensible, mean * scale + loc, np.nan),
                np.where(sensible, variance * scale * scale, np.nan),
            )


def _named(name: str, *order: int) -> Formula:
    """A special function, looked up at its first call, with its arguments in this order."""

    def call(*args: Array) -> Array:
        return special_function(name)(*(args[k] for k in order) if order else args)

    return call


_exp = np.exp
_log1p = _named("log1p")
_expm1 = _named("expm1")
_xlogy = _named("xlogy")
_xlog1py = _named("xlog1py")
_gammaln = _named("gammaln")
_ndtr = _named("ndtr")
_ndtri = _named("ndtri")


def _minus_infinite(*shapes: Array) -> float:
    return -np.inf


def _one(*shapes: Array) -> float:
    return 1.0


def _normal_density(z: Array) -> Array:
    made: Array = _exp(-(z**2) / 2.0) / np.sqrt(2 * np.pi)
    return made


def _lognormal_density(z: Array, s: Array) -> Array:
    logarithm = -(np.log(z) ** 2) / (2 * s**2) - np.log(s * z * np.sqrt(2 * np.pi))
    made: Array = _exp(np.where(z != 0, logarithm, -np.inf))
    return made


def _student_density(z: Array, nu: Array) -> Array:
    logarithm = np.log(special_function("poch")(0.5 * nu, 0.5)) - 0.5 * (np.log(nu) + np.log(np.pi))
    logarithm = logarithm - (nu + 1) / 2 * np.log1p(z * z / nu)
    return np.where(nu == np.inf, _normal_density(z), _exp(logarithm))


def _student_moments(nu: Array) -> tuple[Array, Array]:
    wide = np.where(nu == np.inf, 1.0, nu / (nu - 2.0))
    variance = np.where(nu > 2, wide, np.where(nu > 1, np.inf, np.nan))
    return np.where(nu > 1, 0.0, np.inf), variance


def _f_density(z: Array, n: Array, m: Array) -> Array:
    logarithm = m / 2 * np.log(m) + n / 2 * np.log(n) + _xlogy(n / 2 - 1, z)
    rest = (n + m) / 2 * np.log(m + n * z) + special_function("betaln")(n / 2, m / 2)
    made: Array = _exp(logarithm - rest)
    return made


def _f_moments(n: Array, m: Array) -> tuple[Array, Array]:
    mean = np.where(m > 2, m / (m - 2), np.inf)
    variance = 2 * m * m * (n + (m - 2)) / (n * (m - 2) ** 2 * (m - 4))
    return mean, np.where(m > 4, variance, np.inf)


def _beta_moments(a: Array, b: Array) -> tuple[Array, Array]:
    return a / (a + b), a * b / ((a + b) ** 2 * (a + b + 1))


def _weibull_moments(c: Array) -> tuple[Array, Array]:
    gamma = special_function("gamma")
    mean = gamma(1.0 + 1.0 / c)
    return mean, np.where(np.isinf(mean), np.inf, gamma(1.0 + 2.0 / c) - mean * mean)


def _lognormal_moments(s: Array) -> tuple[Array, Array]:
    p = _exp(s * s)
    return np.sqrt(p), p * (p - 1)


def _poisson_quantile(q: Array, mean: Array) -> Array:
    upper = np.ceil(special_function("pdtrik")(q, mean))
    lower = np.maximum(upper - 1, 0)
    return np.where(special_function("pdtr")(lower, mean) >= q, lower, upper)


def _geometric_cdf(k: Array, p: Array) -> Array:
    made: Array = -np.expm1(np.log1p(-p) * k)
    return made


def _geometric_quantile(q: Array, p: Array) -> Array:
    upper = np.ceil(np.log1p(-q) / np.log1p(-p))
    return np.where((_geometric_cdf(upper - 1, p) >= q) & (upper > 0), upper - 1, upper)


FORMULAS: dict[str, Formulas] = {
    "norm": Formulas(
        _normal_density,
        _ndtr,
        lambda z: _ndtr(-z),
        _ndtri,
        lambda: (0.0, 1.0),
        low=_minus_infinite,
    ),
    "uniform": Formulas(
        np.ones_like,
        lambda z: z,
        lambda z: 1.0 - z,
        lambda q: q,
        lambda: (0.5, 1.0 / 12),
        high=_one,
    ),
    "expon": Formulas(
        lambda z: _exp(-z),
        lambda z: -_expm1(-z),
        lambda z: _exp(-z),
        lambda q: -_log1p(-q),
        lambda: (1.0, 1.0),
    ),
    "gamma": Formulas(
        lambda z, a: _exp(_xlogy(a - 1.0, z) - z - _gammaln(a)),
        _named("gammainc", 1, 0),
        _named("gammaincc", 1, 0),
        _named("gammaincinv", 1, 0),
        lambda a: (a, a),
    ),
    "beta": Formulas(
        _named("_beta_pdf"),
        _named("betainc", 1, 2, 0),
        _named("betaincc", 1, 2, 0),
        _named("_beta_ppf"),
        _beta_moments,
        high=_one,
        needs=("_beta_pdf", "_beta_ppf"),
    ),
    "t": Formulas(
        _student_density,
        _named("stdtr", 1, 0),
        lambda z, nu: special_function("stdtr")(nu, -z),
        _named("stdtrit", 1, 0),
        _student_moments,
        low=_minus_infinite,
    ),
    "chi2": Formulas(
        lambda z, nu: _exp(
            _xlogy(nu / 2.0 - 1, z) - z / 2.0 - _gammaln(nu / 2.0) - (np.log(2) * nu) / 2.0
        ),
        _named("chdtr", 1, 0),
        _named("chdtrc", 1, 0),
        lambda q, nu: 2 * special_function("gammaincinv")(nu / 2, q),
        lambda nu: (nu, 2 * nu),
    ),
    "f": Formulas(
        _f_density,
        _named("fdtr", 1, 2, 0),
        _named("fdtrc", 1, 2, 0),
        _named("fdtri", 1, 2, 0),
        _f_moments,
    ),
    "lognorm": Formulas(
        _lognormal_density,
        lambda z, s: _ndtr(np.log(z) / s),
        lambda z, s: _ndtr(-(np.log(z) / s)),
        lambda q, s: _exp(s * _ndtri(q)),
        _lognormal_moments,
    ),
    "weibull_min": Formulas(
        lambda z, c: c * pow(z, c - 1) * _exp(-pow(z, c)),
        lambda z, c: -_expm1(-pow(z, c)),
        lambda z, c: _exp(-pow(z, c)),
        lambda q, c: pow(-_log1p(-q), 1.0 / c),
        _weibull_moments,
    ),
    "rayleigh": Formulas(
        lambda z: _exp(np.log(z) - 0.5 * z * z),
        lambda z: -_expm1(-0.5 * z**2),
        lambda z: _exp(-0.5 * z * z),
        lambda q: np.sqrt(-2 * _log1p(-q)),
        lambda: (np.sqrt(np.pi / 2), (4 - np.pi) / 2),
    ),
    "binom": Formulas(
        _named("_binom_pmf"),
        _named("_binom_cdf"),
        _named("_binom_sf"),
        _named("_binom_ppf"),
        lambda n, p: (n * p, n * p - n * np.square(p)),
        high=lambda n, p: n,
        makes_sense=lambda n, p: (n >= 0) & (np.floor(n) == n) & (p >= 0) & (p <= 1),
        needs=("_binom_pmf", "_binom_cdf", "_binom_sf", "_binom_ppf"),
    ),
    "poisson": Formulas(
        lambda k, m: _exp(_xlogy(k, m) - _gammaln(k + 1) - m),
        _named("pdtr"),
        _named("pdtrc"),
        _poisson_quantile,
        lambda m: (m, m),
        makes_sense=lambda m: m >= 0,
    ),
    "geom": Formulas(
        lambda k, p: np.power(1 - p, k - 1) * p,
        _geometric_cdf,
        lambda k, p: _exp(k * np.log1p(-p)),
        _geometric_quantile,
        lambda p: (1.0 / p, (1.0 - p) / p / p),
        low=lambda p: 1.0,
        makes_sense=lambda p: (p > 0) & (p <= 1),
    ),
}
"""By the names that ``scipy.stats`` has for them."""


def formulas_of(name: str) -> Formulas | None:
    """What there is for a distribution by SciPy's name; None where SciPy has to be asked."""
    found = FORMULAS.get(name)
    if found is None or not all(map(has_special_function, found.needs)):
        return None
    return found
