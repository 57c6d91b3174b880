"""``makedist``, ``fitdist``, ``mle`` and the parameters of each family from data."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NONEMPTY, NUMBERS, REAL, option_pairs, real_number
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, numel
from app.errors import MatlabError
from app.toolboxes.statistics import distribution_kinds as kinds
from app.toolboxes.statistics.distribution_kinds import BY_NAME, Kind
from app.toolboxes.statistics.fitted_distributions import Distribution, kind_of, level_of

_FAMILY = "distributions"


@builtin(
    "makedist",
    category=_FAMILY,
    signatures=(
        "pd = makedist(name)",
        "pd = makedist(name, parameter, value, ...)",
        "pd = makedist(name, value, ...)",
    ),
    cases=(
        "pd = makedist('Normal', 'mu', 3, 'sigma', 2); cdf(pd, 3) == 0.5 && mean(pd) == 3",
        "abs(icdf(makedist('Exponential', 'mu', 2), 0.5) - 2*log(2)) < 1e-12",
        "pd = makedist('Gamma', 5, 0.5); mean(pd) == 2.5",
    ),
    see=("fitdist", "pdf", "cdf", "random"),
)
def makedist(name: Value, *args: Value) -> Value:
    """A distribution as an object: pdf, cdf, icdf, random, mean, std, var, truncate of it.

    Its parameters are its properties, such as ``pd.mu``.
    """
    title, kind = kind_of("makedist", name)
    defaults = {
        "n": 1.0,
        "p": 0.5,
        "r": 1.0,
        "nu": 5.0,
        "lambda": 1.0,
        "a": 1.0,
        "b": 1.0,
        "v1": 1.0,
        "v2": 1.0,
        "m": 1.0,
        "k": 1.0,
    }
    least = len(kind.parameters) - len(kind.defaults)
    values = {
        p: float(kind.defaults[k - least]) if k >= least else defaults.get(p, 1.0)
        for k, p in enumerate(kind.parameters)
    }
    spelled = {p.lower(): p for p in kind.parameters} | {"lower": "a", "upper": "b"}
    if args and not is_text_scalar(args[0]) and len(args) <= len(kind.parameters):
        values |= {p: real_number(v) for p, v in zip(kind.parameters, args, strict=False)}
        args = ()
    for given, value in option_pairs("makedist", args).items():
        if spelled.get(given) not in values:
            text = f"'{given}' is not a parameter of the {kind.words} distribution."
            raise MatlabError("stats:makedist:BadParamName", text)
        values[spelled[given]] = real_number(value)
    made = Distribution(title, kind, list(values.values()))
    if np.isnan(made.law.cdf(0.0)):
        text = f"These parameters make no {kind.words} distribution."
        raise MatlabError("stats:probdists:InvalidParameter", text)
    return made


def estimated(kind: Kind, x: Array, trials: float = 1.0) -> list[float]:
    """MATLAB's estimates of the parameters."""
    spread = min(x.size - 1, 1)  # of one value it is 0
    closed: dict[str, Callable[[], list[float]]] = {
        "norm": lambda: [x.mean(), x.std(ddof=spread)],
        "expon": lambda: [x.mean()],
        "poisson": lambda: [x.mean()],
        "uniform": lambda: [x.min(), x.max()],
        "rayleigh": lambda: [np.sqrt(np.mean(x**2) / 2)],
        "lognorm": lambda: [np.log(x).mean(), np.log(x).std(ddof=spread)],
        "binom": lambda: [trials, x.mean() / trials],
        "geom": lambda: [1 / (1 + x.mean())],
        "randint": lambda: [x.max()],
    }
    closed |= {
        "invgauss": lambda: [x.mean(), 1 / np.mean(1 / x - 1 / x.mean())],
        "halfnorm": lambda: [0.0, np.sqrt(np.mean(x**2))],
    }
    if kind.scipy in closed:
        return [float(v) for v in closed[kind.scipy]()]
    from scipy import stats

    if kind in _OF_SCIPY:
        fixed, arrange = _OF_SCIPY[kind]
        return [float(v) for v in arrange(*getattr(stats, kind.scipy).fit(x, **fixed))]
    law = getattr(stats, kind.scipy)
    fixed = {"floc": 0} if kind.scipy in ("gamma", "weibull_min", "genpareto", "chi2", "t") else {}
    if kind.scipy in ("beta", "f"):
        fixed = {"floc": 0, "fscale": 1}
    if kind.discrete:
        return _by_likelihood(kind, x)
    found = law.fit(x, **fixed)
    arranged = {
        "gamma": (0, 2),
        "weibull_min": (2, 0),
        "beta": (0, 1),
        "gumbel_l": (0, 1),
        "genextreme": (0, 2, 1),
        "genpareto": (0, 2, 1),
        "f": (0, 1),
    }
    values = [float(found[k]) for k in arranged.get(kind.scipy, (0,))]
    return [-values[0], *values[1:]] if kind.scipy == "genextreme" else values


_OF_SCIPY: dict[Kind, tuple[dict[str, float], Callable[..., list[float]]]] = {
    kinds.TLS: ({}, lambda nu, m, s: [m, s, nu]),
    kinds.LOGISTIC: ({}, lambda m, s: [m, s]),
    kinds.LOGLOGISTIC: ({"floc": 0}, lambda c, _, s: [np.log(s), 1 / c]),
    kinds.NAKAGAMI: ({"floc": 0}, lambda m, _, s: [m, s * s]),
    kinds.RICIAN: ({"floc": 0}, lambda b, _, s: [b * s, s]),
    kinds.BIRNBAUM_SAUNDERS: ({"floc": 0}, lambda c, _, s: [s, c]),
    kinds.BURR: ({"floc": 0}, lambda c, k, _, s: [s, c, k]),
}
"""What SciPy's fit holds, and MATLAB's parameters of what it finds."""


def _by_likelihood(kind: Kind, x: Array) -> list[float]:
    from scipy.optimize import minimize

    mean, var = x.mean(), x.var()
    p = min(max(mean / var, 1e-3), 0.999) if var else 0.5
    start = np.array([max(mean * p / (1 - p), 1e-2), p])
    found = minimize(lambda q: _unlikely(kind, q, x), start, method="Nelder-Mead")
    return [float(v) for v in found.x]


def _unlikely(kind: Kind, values: Array, x: Array) -> float:
    """The negative logarithm of the likelihood."""
    law = kind.frozen([np.asarray(v) for v in values])
    with np.errstate(all="ignore"):
        total = -float(np.sum(law.logpmf(x) if kind.discrete else law.logpdf(x)))
    return total if np.isfinite(total) else 1e300


def _covariance(kind: Kind, values: list[float], x: Array) -> Array:
    """The inverse of the curvature of the likelihood."""
    n, at = len(values), np.array(values)
    step = 1e-4 * np.maximum(np.abs(at), 1e-2)
    made = np.empty((n, n))
    for i, j in np.ndindex(n, n):

        def f(a: float, b: float, i: int = i, j: int = j) -> float:
            moved = at.copy()
            moved[i] += a * step[i]
            moved[j] += b * step[j]
            return _unlikely(kind, moved, x)

        made[i, j] = (f(1, 1) - f(1, -1) - f(-1, 1) + f(-1, -1)) / (4 * step[i] * step[j])
    return np.asarray(stoppable.pinv(made))


def _data(function: str, v: Value) -> Array:
    (NUMBERS & REAL & NONEMPTY)(function, 1, v)
    x = np.asarray(as_array(v), dtype=float).ravel(order="F")
    known = np.asarray(x[~np.isnan(x)])
    if not known.size:
        text = "The data must hold at least one number that is not NaN."
        raise MatlabError(f"MATLAB:{function}:expectedNonNaN", text)
    return known


def _repeated(x: Value, counts: Value | None) -> Value:
    """The values as often as their counts say."""
    if counts is None or not numel(counts):
        return x
    (NUMBERS & REAL)("fitdist", 1, x)
    values, often = as_array(x).ravel(order="F"), as_array(counts).ravel(order="F")
    if often.size != values.size or (often < 0).any() or (often != np.round(often)).any():
        text = "Frequency must have a whole number that is not negative for each element of X."
        raise MatlabError("stats:fitdist:InvalidFrequency", text)
    return canonical(np.repeat(values, often.astype(np.int64))[:, None])


@builtin(
    "fitdist",
    category=_FAMILY,
    signatures=(
        "pd = fitdist(x, name)",
        "pd = fitdist(x, 'Binomial', 'NTrials', n)",
        "pd = fitdist(x, name, 'Frequency', n)",
    ),
    cases=(
        "pd = fitdist([1; 2; 3; 4; 5], 'Normal'); pd.mu == 3 && abs(pd.var - 2.5) < 1e-12",
        "pd = fitdist([2; 4; 9], 'Exponential'); pd.mu == 5",
        "pd = fitdist([1; 2; NaN], 'Exponential', 'Frequency', [1; 3; 9]); pd.mu == 1.75",
    ),
    see=("makedist", "mle", "paramci"),
)
def fitdist(x: Value, name: Value, *args: Value) -> Value:
    """The distribution of a family that fits data best."""
    title, kind = kind_of("fitdist", name)
    options = option_pairs("fitdist", args, "NTrials Frequency")
    data = _data("fitdist", _repeated(x, options.get("frequency")))
    trials = real_number(options.get("ntrials", 1.0))
    values = estimated(kind, data, trials)
    return Distribution(title, kind, values, _covariance(kind, values, data))


@builtin(
    "mle",
    category=_FAMILY,
    signatures=("phat = mle(x)", "[phat, pci] = mle(x, 'distribution', name)"),
    cases=(
        "norm(mle([1 2 3 4 5]) - [3 sqrt(2)]) < 1e-12",
        "mle([2 4 9], 'distribution', 'exp') == 5",
    ),
    see=("fitdist",),
)
def mle(x: Value, *args: Value) -> Value:
    """The parameters with the largest likelihood, and their confidence bounds."""
    options = option_pairs("mle", args, "Distribution NTrials Alpha")
    title, kind = kind_of("mle", options.get("distribution", "normal"))
    data = _data("mle", x)
    values = estimated(kind, data, real_number(options.get("ntrials", 1.0)))
    if kind.scipy in ("norm", "lognorm"):
        values[1] *= float(np.sqrt((data.size - 1) / data.size))
    made = Distribution(title, kind, values, _covariance(kind, values, data))
    bounds = made.bounds(real_number(options.get("alpha", 0.05)))
    shown = slice(1, None) if kind.scipy == "binom" else slice(None)
    return canonical(np.array([values])[:, shown]), canonical(bounds[:, shown])


@builtin(
    "paramci",
    category=_FAMILY,
    signatures=("ci = paramci(pd)", "ci = paramci(pd, 'Alpha', a)"),
    cases=("c = paramci(fitdist((1:9)', 'Normal')); c(1) < 5 && c(2) > 5",),
    see=("fitdist",),
)
def paramci(pd: Value, *options: Value) -> Value:
    """Confidence bounds of the parameters of a fitted distribution."""
    if not isinstance(pd, Distribution):
        raise undefined_for_class("paramci", pd)
    return canonical(pd.bounds(level_of(options)))


def declare_estimate(name: str, family: str, case: str) -> None:
    """Declare the estimator of one family."""
    kind = BY_NAME[family]

    def call(x: Value, alpha: Value = 0.05, *, nargout: int = 1) -> Value:
        data = _data(name, x)
        values = estimated(kind, data)
        made = Distribution(name, kind, values, _covariance(kind, values, data))
        bounds = (
            _normal_bounds(data, real_number(alpha))
            if family == "norm"
            else (made.bounds(real_number(alpha)))
        )
        if family in ("norm", "unif"):
            return (*values, canonical(bounds[:, :1]), canonical(bounds[:, 1:]))
        return canonical(np.array([values])), canonical(bounds)

    two = family in ("norm", "unif")
    outputs = f"[{', '.join(kind.parameters)}, ci1, ci2]" if two else "[parameters, ci]"
    builtin(
        name,
        words="",
        category=_FAMILY,
        signatures=(f"{outputs} = {name}(x, alpha)",),
        cases=(case,),
        text=f"Parameters of the {kind.words} distribution from data, and their bounds.",
        see=("fitdist", "mle"),
    )(call)


def _normal_bounds(x: Array, alpha: float) -> Array:
    n, freedom = x.size, [np.asarray(x.size - 1)]
    reach = kinds.T.value("ppf", freedom, 1 - alpha / 2) * x.std(ddof=1) / np.sqrt(n)
    spread = x.std(ddof=1) * np.sqrt(
        (n - 1) / kinds.CHI2.value("ppf", freedom, [1 - alpha / 2, alpha / 2])
    )
    return np.column_stack([[x.mean() - reach, x.mean() + reach], spread])


declare_estimate("normfit", "norm", "[m, s] = normfit([1 2 3]); m == 2 && s == 1")
declare_estimate("unifit", "unif", "[a, b] = unifit([1 5 3]); a == 1 && b == 5")
declare_estimate("expfit", "exp", "expfit([1 2 3]) == 2")
declare_estimate("poissfit", "poiss", "poissfit([1 2 3]) == 2")
declare_estimate("raylfit", "rayl", "abs(raylfit([2 2]) - sqrt(2)) < 1e-12")
declare_estimate("lognfit", "logn", "norm(lognfit(exp([1 2 3])) - [2 1]) < 1e-12")
declare_estimate("gamfit", "gam", "p = gamfit([1 2 3 4 5]); abs(prod(p) - 3) < 1e-6")
declare_estimate("wblfit", "wbl", "p = wblfit(1:9); abs(p(2) - 2.0187) < 1e-3")
declare_estimate("betafit", "beta", "p = betafit([0.2 0.4 0.5 0.6 0.8]); abs(p(1) - p(2)) < 1e-3")
declare_estimate("evfit", "ev", "numel(evfit(1:9)) == 2")
declare_estimate("gevfit", "gev", "numel(gevfit((1:20).^1.5)) == 3")
declare_estimate("gpfit", "gp", "numel(gpfit((1:20).^1.5)) == 3")
declare_estimate("geofit", "geo", "geofit([1 2 3]) == 1/3")


@builtin(
    "truncate",
    words="",
    category=_FAMILY,
    signatures=("t = truncate(pd, low, high)",),
    cases=("cdf(truncate(makedist('Normal'), 0, Inf), 0) == 0",),
    see=("makedist",),
)
def truncate(ctx: CallContext, pd: Value, low: Value, high: Value) -> Value:
    """A distribution without what lies outside an interval."""
    if not isinstance(pd, Distribution):
        raise undefined_for_class("truncate", pd)
    return pd.methods()["truncate"](ctx, (pd, low, high), 1)
