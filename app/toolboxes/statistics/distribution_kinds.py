"""The probability distributions by MATLAB's parameters, and SciPy's names for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from app.accel.numerics.scipy_extensions import special_function
from app.engine import stoppable
from app.engine.values import Array
from app.records import record
from app.toolboxes.statistics.distribution_formulas import formulas_of

_SLOW = 20_000
"""Elements of which SciPy's functions of distributions take long enough to be noticed."""

Named = tuple[tuple[Any, ...], dict[str, Any]]


@record
class Kind:
    """One family of distributions.

    Attributes:
        scipy: its name in ``scipy.stats``.
        words: what it is called in help texts.
        parameters: MATLAB's names of the parameters, in order.
        defaults: values of the last parameters that may be left out.
        translate: SciPy's arguments for MATLAB's parameters.
        discrete: True for distributions on whole numbers.
        point_at_zero: True where a first parameter of zero puts all weight on zero.
    """

    scipy: str
    words: str
    parameters: tuple[str, ...]
    defaults: tuple[float, ...]
    translate: Callable[..., Named]
    discrete: bool = False
    point_at_zero: bool = False

    def frozen(self, parameters: list[Array]) -> Any:
        """SciPy's distribution with these parameters."""
        from scipy import stats

        args, named = self.translate(*parameters)
        return getattr(stats, self.scipy)(*args, **named)

    def quantile(self, p: Array, parameters: list[Array]) -> Array:
        """The inverse of the distribution function at ``p``."""
        if self.scipy != "poisson":
            return np.asarray(self.value("ppf", parameters, p))
        mean = parameters[0]
        near = self.value("ppf", [np.where(mean > _LARGE_MEAN, 1.0, mean)], p)
        return np.where(mean > _LARGE_MEAN, _large_poisson(p, mean), near)

    def value(
        self, function: str, parameters: list[Array], *points: Array | float | list[float]
    ) -> Any:
        """A function of the distribution with these parameters, by SciPy's name for it."""
        args, named = self.translate(*parameters)
        large = max(map(np.size, (*points, *parameters)), default=0) >= _SLOW
        call = self._by_formulas(function, args, named, points)
        if call is None:
            from scipy import stats

            call = partial(getattr(getattr(stats, self.scipy), function), *points, *args, **named)
        return stoppable.beside(call) if large else call()

    def _by_formulas(
        self,
        function: str,
        shapes: tuple[Array, ...],
        named: dict[str, Array | float],
        points: tuple[Array | float | list[float], ...],
    ) -> Callable[[], object] | None:
        """The call where special functions are enough; None where SciPy's distributions are not
        to be had for less than their import."""
        found = formulas_of(self.scipy)
        if found is None or function not in _BY_FORMULAS:
            return None
        args = tuple(np.asarray(s) for s in shapes)
        loc, scale = (np.asarray(named.get(k, v)) for k, v in (("loc", 0.0), ("scale", 1.0)))
        if function == "stats":
            return partial(found.mean_and_variance, args, loc, scale)
        if function == "support":
            return partial(found.support, args, loc, scale)
        x = np.asarray(points[0])
        if self.discrete:
            return partial(found.discrete_value, function, x, args, loc)
        return partial(found.value, function, x, args, loc, scale)

    def at_zero_shape(
        self, function: str, upper: bool, x: Array, parameters: list[Array], found: Array
    ) -> Array:
        """``found`` with the values of the one-point distribution where the shape is zero."""
        if not self.point_at_zero:
            return found
        others = np.all([p > 0 for p in np.broadcast_arrays(*parameters)[1:]], axis=0)
        here = (parameters[0] == 0) & others & ~np.isnan(x)
        at_zero = {
            "pdf": np.where(x == 0, np.inf, 0.0),
            "cdf": np.where((x >= 0) == upper, 0.0, 1.0),
            "inv": np.where((x >= 0) & (x <= 1), 0.0, np.nan),
        }
        return np.where(here, at_zero[function], found)


_BY_FORMULAS = frozenset("pdf pmf cdf sf ppf stats support".split())
"""Functions of a distribution that formulas stand for."""

_LARGE_MEAN = 1e6
"""Beyond it SciPy searches for quantiles of Poisson numbers without an end."""


def _large_poisson(p: Array, mean: Array) -> Array:
    """Quantiles of Poisson numbers by the expansion around the normal distribution."""
    z = special_function("ndtri")(p)
    with np.errstate(invalid="ignore"):
        found = np.ceil(mean + z * np.sqrt(mean) + (z * z - 1) / 6 - 0.5)
    return np.where(np.isinf(z), np.where(z > 0, np.inf, 0.0), np.maximum(found, 0.0))


def _without_keywords(*shape: Any) -> Named:
    return shape, {}


NORM = Kind("norm", "normal", ("mu", "sigma"), (0, 1), lambda m, s: ((), {"loc": m, "scale": s}))
STANDARD = [np.asarray(0.0), np.asarray(1.0)]
"""The parameters of the standard normal distribution."""

UNIF = Kind("uniform", "uniform", ("a", "b"), (0, 1), lambda a, b: ((), {"loc": a, "scale": b - a}))
EXP = Kind("expon", "exponential", ("mu",), (1,), lambda m: ((), {"scale": m}))
GAM = Kind(
    "gamma",
    "gamma",
    ("a", "b"),
    (1,),
    lambda a, b: ((a,), {"scale": b}),
    point_at_zero=True,
)
BETA = Kind("beta", "beta", ("a", "b"), (), _without_keywords)
T = Kind("t", "Student's t", ("nu",), (), _without_keywords)
CHI2 = Kind("chi2", "chi-square", ("nu",), (), _without_keywords, point_at_zero=True)
F = Kind("f", "F", ("v1", "v2"), (), _without_keywords)
LOGN = Kind(
    "lognorm", "lognormal", ("mu", "sigma"), (0, 1), lambda m, s: ((s,), {"scale": np.exp(m)})
)
WBL = Kind("weibull_min", "Weibull", ("a", "b"), (1, 1), lambda a, b: ((b,), {"scale": a}))
RAYL = Kind("rayleigh", "Rayleigh", ("b",), (1,), lambda b: ((), {"scale": b}))
EV = Kind(
    "gumbel_l", "extreme value", ("mu", "sigma"), (0, 1), lambda m, s: ((), {"loc": m, "scale": s})
)
GEV = Kind(
    "genextreme",
    "generalized extreme value",
    ("k", "sigma", "mu"),
    (0, 1, 0),
    lambda k, s, m: ((-k,), {"loc": m, "scale": s}),
)
GP = Kind(
    "genpareto",
    "generalized Pareto",
    ("k", "sigma", "theta"),
    (0, 1, 0),
    lambda k, s, t: ((k,), {"loc": t, "scale": s}),
)
BINO = Kind("binom", "binomial", ("n", "p"), (), _without_keywords, discrete=True)
POISS = Kind("poisson", "Poisson", ("lambda",), (), _without_keywords, discrete=True)
GEO = Kind("geom", "geometric", ("p",), (), lambda p: ((p,), {"loc": -1}), discrete=True)
NBIN = Kind("nbinom", "negative binomial", ("r", "p"), (), _without_keywords, discrete=True)
HYGE = Kind("hypergeom", "hypergeometric", ("m", "k", "n"), (), _without_keywords, discrete=True)
NCF = Kind("ncf", "noncentral F", ("nu1", "nu2", "delta"), (), _without_keywords)
NCT = Kind("nct", "noncentral t", ("nu", "delta"), (), _without_keywords)
NCX2 = Kind("ncx2", "noncentral chi-square", ("nu", "delta"), (), _without_keywords)
UNID = Kind("randint", "discrete uniform", ("n",), (), lambda n: ((1, n + 1), {}), discrete=True)
TLS = Kind(
    "t",
    "t location-scale",
    ("mu", "sigma", "nu"),
    (0, 1, 5),
    lambda m, s, nu: ((nu,), {"loc": m, "scale": s}),
)
LOGISTIC = Kind(
    "logistic", "logistic", ("mu", "sigma"), (0, 1), lambda m, s: ((), {"loc": m, "scale": s})
)
LOGLOGISTIC = Kind(
    "fisk",
    "log-logistic",
    ("mu", "sigma"),
    (0, 1),
    lambda m, s: ((1 / s,), {"scale": np.exp(m)}),
)
NAKAGAMI = Kind(
    "nakagami",
    "Nakagami",
    ("mu", "omega"),
    (1, 1),
    lambda m, w: ((m,), {"scale": np.sqrt(w)}),
)
RICIAN = Kind(
    "rice", "Rician", ("s", "sigma"), (1, 1), lambda s, sigma: ((s / sigma,), {"scale": sigma})
)
INVERSE_GAUSSIAN = Kind(
    "invgauss",
    "inverse Gaussian",
    ("mu", "lambda"),
    (1, 1),
    lambda m, k: ((m / k,), {"scale": k}),
)
BIRNBAUM_SAUNDERS = Kind(
    "fatiguelife",
    "Birnbaum-Saunders",
    ("beta", "gamma"),
    (1, 1),
    lambda b, c: ((c,), {"scale": b}),
)
BURR = Kind(
    "burr12", "Burr", ("alpha", "c", "k"), (1, 1, 1), lambda a, c, k: ((c, k), {"scale": a})
)
HALF_NORMAL = Kind(
    "halfnorm", "half-normal", ("mu", "sigma"), (0, 1), lambda m, s: ((), {"loc": m, "scale": s})
)
BY_NAME = {
    "tlocationscale": TLS,
    "logistic": LOGISTIC,
    "loglogistic": LOGLOGISTIC,
    "nakagami": NAKAGAMI,
    "rician": RICIAN,
    "inversegaussian": INVERSE_GAUSSIAN,
    "birnbaumsaunders": BIRNBAUM_SAUNDERS,
    "burr": BURR,
    "half normal": HALF_NORMAL,
    "halfnormal": HALF_NORMAL,
    "normal": NORM,
    "norm": NORM,
    "uniform": UNIF,
    "unif": UNIF,
    "exponential": EXP,
    "exp": EXP,
    "gamma": GAM,
    "gam": GAM,
    "beta": BETA,
    "t": T,
    "chisquare": CHI2,
    "chi2": CHI2,
    "f": F,
    "lognormal": LOGN,
    "logn": LOGN,
    "weibull": WBL,
    "wbl": WBL,
    "rayleigh": RAYL,
    "rayl": RAYL,
    "extreme value": EV,
    "ev": EV,
    "gev": GEV,
    "generalized extreme value": GEV,
    "gp": GP,
    "generalized pareto": GP,
    "binomial": BINO,
    "bino": BINO,
    "poisson": POISS,
    "poiss": POISS,
    "geometric": GEO,
    "geo": GEO,
    "negative binomial": NBIN,
    "nbin": NBIN,
    "hypergeometric": HYGE,
    "hyge": HYGE,
    "discrete uniform": UNID,
    "unid": UNID,
}
