"""Regression beyond least squares: glmfit, glmval, ridge, robustfit, lasso."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    NONEMPTY,
    NUMBERS,
    REAL,
    one_of,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.vectors import column, row
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.statistics.distribution_kinds import NORM, STANDARD, T
from app.toolboxes.statistics.partitions import Partition, kfold_split

_FAMILY = "statistics"
_TINY = 1e-10
Map = Callable[[Array], Array]


def _real(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


def _normal(name: str) -> Map:
    def call(x: Array) -> Array:
        from scipy.stats import norm

        return np.asarray(getattr(norm, name)(x))

    return call


_LINKS: dict[str, tuple[Map, Map, Map]] = {
    "identity": (lambda m: m, lambda e: e, np.ones_like),
    "log": (np.log, np.exp, lambda m: 1 / m),
    "logit": (
        lambda m: np.log(m / (1 - m)),
        lambda e: 1 / (1 + np.exp(-e)),
        lambda m: 1 / (m * (1 - m)),
    ),
    "probit": (_normal("ppf"), _normal("cdf"), lambda m: 1 / _normal("pdf")(_normal("ppf")(m))),
    "comploglog": (
        lambda m: np.log(-np.log(1 - m)),
        lambda e: 1 - np.exp(-np.exp(e)),
        lambda m: -1 / ((1 - m) * np.log(1 - m)),
    ),
    "reciprocal": (lambda m: 1 / m, lambda e: 1 / e, lambda m: -1 / m**2),
}
"""Link, its inverse and its slope."""
_LAWS: dict[str, tuple[str, Map]] = {
    "normal": ("identity", np.ones_like),
    "binomial": ("logit", lambda m: m * (1 - m)),
    "poisson": ("log", lambda m: m),
    "gamma": ("reciprocal", lambda m: m**2),
    "inverse gaussian": ("reciprocal", lambda m: m**3),
}
"""Canonical link and variance."""


def _deviance(law: str, y: Array, m: Array, n: Array) -> float:
    with np.errstate(all="ignore"):
        parts = {
            "normal": (y - m) ** 2,
            "binomial": 2
            * n
            * (
                np.where(y > 0, y * np.log(y / m), 0)
                + np.where(y < 1, (1 - y) * np.log((1 - y) / (1 - m)), 0)
            ),
            "poisson": 2 * (np.where(y > 0, y * np.log(y / m), 0) - (y - m)),
            "gamma": 2 * (-np.log(y / m) + (y - m) / m),
            "inverse gaussian": (y - m) ** 2 / (m**2 * y),
        }[law]
    return float(np.sum(parts))


def _with_constant(x: Array, *, constant: bool) -> Array:
    x = x.reshape(-1, 1) if x.ndim == 2 and x.shape[0] == 1 and x.shape[1] > 1 else x
    return np.column_stack([np.ones(x.shape[0]), x]) if constant else x


def _link(name: str, given: Value, default: str) -> tuple[Map, Map, Map]:
    word = text_of(given).lower() if is_text_scalar(given) else default
    if word not in _LINKS:
        raise MatlabError(f"stats:{name}:BadLink", f"The link must be one of: {', '.join(_LINKS)}.")
    return _LINKS[word]


def law_of(name: str, given: Value) -> tuple[str, str]:
    """The distribution that is meant and its usual link."""
    law = text_of(given).lower()
    if law not in _LAWS:
        raise MatlabError(f"stats:{name}:BadDistribution", f"Known are: {', '.join(_LAWS)}.")
    return law, _LAWS[law][0]


@builtin(
    "glmfit",
    category=_FAMILY,
    least=2,
    signatures=(
        "[b, dev, stats] = glmfit(X, y, distr)",
        "b = glmfit(..., 'link', link, 'constant', 'off', 'weights', w)",
    ),
    cases=(
        "norm(glmfit((1:5)', 2*(1:5)' + 1, 'normal') - [1; 2]) < 1e-9",
        "b = glmfit([0; 0; 1; 1], [1; 1; 4; 4], 'poisson'); norm(b - [0; log(4)]) < 1e-6",
    ),
    see=("glmval", "regress", "fitlm"),
)
@takes(NUMBERS & REAL & NONEMPTY, NUMBERS & REAL & NONEMPTY)
def glmfit(
    x: Value, y: Value, distr: Value = "normal", *rest: Value
) -> tuple[Value, float, Struct]:
    """A generalized linear model: coefficients, deviance, statistics."""
    law, usual = law_of("glmfit", distr)
    options = option_pairs("glmfit", rest, "Constant Link Weights")
    link, back, slope = _link("glmfit", options.get("link", 0.0), usual)
    word = one_of("glmfit", "Constant", options.get("constant", "on"), "on off")
    table = _with_constant(_real(x), constant=word == "on")
    z, n = _response(law, _real(y), table.shape[0])
    w = _real(options["weights"]).ravel() if "weights" in options else np.ones(z.size)
    m = (
        (n * z + 0.5) / (n + 1)
        if law == "binomial"
        else np.maximum(z, 0.1)
        if (law != "normal")
        else z
    )
    b, weight = np.zeros(table.shape[1]), np.ones(z.size)
    for _ in range(100):
        rise = slope(m)
        work = link(m) + (z - m) * rise
        weight = np.sqrt(w * n / (rise**2 * _LAWS[law][1](m)))
        new = stoppable.lstsq(table * weight[:, None], work * weight, rcond=None)[0]
        done = np.all(np.abs(new - b) <= 1e-9 * np.maximum(np.abs(b), 1e-3))
        b, m = new, back(table @ new)
        m = np.clip(m, _TINY, 1 - _TINY) if law == "binomial" else m
        if done:
            break
    return column(b), _deviance(law, z, m, n), _statistics(law, table * weight[:, None], b, z, m, n)


def _response(law: str, y: Array, count: int) -> tuple[Array, Array]:
    """Outcomes, as shares of the trials for the binomial law, and the trials."""
    if law == "binomial" and y.ndim == 2 and y.shape[1] == 2:
        return y[:, 0] / y[:, 1], y[:, 1]
    flat = y.ravel(order="F")
    if flat.size != count:
        raise MatlabError("stats:glmfit:InputSizeMismatch", "X and y must have the same rows.")
    return flat, np.ones(count)


def _statistics(law: str, table: Array, b: Array, y: Array, m: Array, n: Array) -> Struct:
    freedom = max(y.size - b.size, 1)
    pearson = (y - m) * np.sqrt(n / _LAWS[law][1](m))
    scale = (
        float(np.sqrt(pearson @ pearson / freedom)) if law not in ("binomial", "poisson") else 1.0
    )
    spread = stoppable.pinv(table.T @ table) * scale**2
    error = np.sqrt(np.diag(spread))
    t = b / error
    kind, shapes = (NORM, STANDARD) if scale == 1.0 else (T, [np.asarray(freedom)])
    tails = kind.value("sf", shapes, np.abs(t))
    return Struct(
        {
            "beta": column(b),
            "dfe": float(freedom),
            "s": scale,
            "se": column(error),
            "coeffcorr": canonical(spread / np.outer(error, error)),
            "t": column(t),
            "p": column(2 * tails),
            "resid": column(y - m),
            "residp": column(pearson),
            "covb": canonical(spread),
        }
    )


@builtin(
    "glmval",
    category=_FAMILY,
    least=3,
    signatures=("yhat = glmval(b, X, link)", "yhat = glmval(b, X, link, 'constant', 'off')"),
    cases=("norm(glmval([1; 2], [0; 1], 'identity') - [1; 3]) < 1e-12",),
    see=("glmfit",),
)
def glmval(b: Value, x: Value, link: Value, *rest: Value) -> Value:
    """Predictions of a generalized linear model."""
    named = rest[1:] if rest and not is_text_scalar(rest[0]) else rest
    options = option_pairs("glmval", named, "Constant Size")
    word = one_of("glmval", "Constant", options.get("constant", "on"), "on off")
    table = _with_constant(_real(x), constant=word == "on")
    made = _link("glmval", link, "")[1](table @ _real(b).ravel())
    return column(made * real_number(options["size"]) if "size" in options else made)


@builtin(
    "ridge",
    category=_FAMILY,
    signatures=("b = ridge(y, X, k)", "b = ridge(y, X, k, 0)"),
    cases=("norm(ridge(2*(1:5)' + 1, (1:5)', 0, 0) - [1; 2]) < 1e-9",),
    see=("regress", "lasso"),
)
@takes(NUMBERS & REAL & NONEMPTY, NUMBERS & REAL & NONEMPTY, NUMBERS & REAL)
def ridge(y: Value, x: Value, k: Value, scaled: Value = 1.0) -> Value:
    """Ridge regression; with 0 last the coefficients are those of the data as they are."""
    table, z = _real(x), _real(y).ravel()
    centre, wide = table.mean(axis=0), table.std(axis=0, ddof=1)
    unit = (table - centre) / wide
    columns = []
    for shift in _real(k).ravel():
        b = stoppable.solve(unit.T @ unit + shift * np.eye(unit.shape[1]), unit.T @ (z - z.mean()))
        if not real_number(scaled):
            b = np.concatenate([[z.mean() - centre @ (b / wide)], b / wide])
        columns.append(b)
    return canonical(np.array(columns).T)


_ROBUST: dict[str, tuple[float, Map]] = {
    "bisquare": (4.685, lambda r: np.where(np.abs(r) < 1, (1 - r**2) ** 2, 0)),
    "huber": (1.345, lambda r: 1 / np.maximum(1, np.abs(r))),
    "cauchy": (2.385, lambda r: 1 / (1 + r**2)),
    "welsch": (2.985, lambda r: np.exp(-(r**2))),
    "fair": (1.400, lambda r: 1 / (1 + np.abs(r))),
    "logistic": (1.205, lambda r: np.tanh(r) / np.where(r == 0, 1, r) + (r == 0)),
    "talwar": (2.795, lambda r: (np.abs(r) < 1).astype(float)),
    "ols": (1.0, np.ones_like),
}


@builtin(
    "robustfit",
    category=_FAMILY,
    least=2,
    signatures=("[b, stats] = robustfit(X, y)", "b = robustfit(X, y, wfun, tune, const)"),
    cases=("b = robustfit((1:9)', [2*(1:8)'; 99]); norm(b - [0; 2]) < 1e-3",),
    see=("regress", "polyfit"),
)
@takes(NUMBERS & REAL & NONEMPTY, NUMBERS & REAL & NONEMPTY)
def robustfit(
    x: Value, y: Value, wfun: Value = "bisquare", tune: Value | None = None, const: Value = "on"
) -> Value:
    """Linear regression in which far points count little."""
    word = text_of(wfun).lower()
    if word not in _ROBUST:
        raise MatlabError("stats:robustfit:BadWeightFunction", f"Known are: {', '.join(_ROBUST)}.")
    factor, shape = _ROBUST[word]
    limit = real_number(tune) if tune is not None and as_array(tune).size else factor
    table = _with_constant(_real(x), constant=text_of(const) != "off")
    z = _real(y).ravel()
    q, _ = stoppable.qr(table)
    lever = np.sqrt(1 - np.minimum(0.9999, np.sum(q**2, axis=1)))
    b, w, s = stoppable.lstsq(table, z, rcond=None)[0], np.ones(z.size), 1.0
    least = 1e-6 * (float(z.std()) or 1.0)
    for _ in range(50):
        r = (z - table @ b) / lever
        far = np.sort(np.abs(r))[max(table.shape[1] - 1, 0) :]
        s = max(float(np.median(far)) / 0.6745, least)
        w = shape(r / (limit * s))
        root = np.sqrt(w)
        new = stoppable.lstsq(table * root[:, None], z * root, rcond=None)[0]
        done = np.all(np.abs(new - b) <= 1e-8 * np.maximum(np.abs(b), 1e-6))
        b = new
        if done:
            break
    spread = stoppable.pinv(table.T @ (table * w[:, None])) * s**2
    error = np.sqrt(np.diag(spread))
    return column(b), Struct(
        {
            "s": s,
            "se": column(error),
            "t": column(b / np.maximum(error, 1e-300)),
            "w": column(w),
            "resid": column(z - table @ b),
            "dfe": float(z.size - b.size),
            "covb": canonical(spread),
        }
    )


@builtin(
    "lasso",
    category=_FAMILY,
    least=2,
    signatures=(
        "[B, FitInfo] = lasso(X, y)",
        "[B, FitInfo] = lasso(X, y, 'Lambda', l, 'Alpha', a)",
        "[B, FitInfo] = lasso(X, y, 'CV', k, 'Weights', w)",
    ),
    cases=(
        "B = lasso([1 0; 2 1; 3 0; 4 1], [2; 4; 6; 8], 'Lambda', [0 9]); "
        "norm(B(:, 1) - [2; 0]) < 1e-6 && all(B(:, 2) == 0)",
        "X = [1 0; 2 1; 3 0; 4 1; 4 1]; y = [2; 5; 6; 9; 9]; w = [1 1 1 2]; l = {'Lambda', 0.3}; "
        "norm(lasso(X, y, l{:}) - lasso(X(1:4, :), y(1:4), l{:}, 'Weights', w)) < 1e-9",
    ),
    see=("ridge",),
)
@takes(NUMBERS & REAL & NONEMPTY, NUMBERS & REAL & NONEMPTY)
def lasso(ctx: CallContext, x: Value, y: Value, *rest: Value) -> Value:
    """Regression with a penalty on the sum of sizes, for a row of penalties.

    With ``'CV'`` (a number of folds or a cvpartition) ``MSE`` is that of observations left out,
    with its standard error ``SE`` and the places of the penalty with the least error and of the
    largest within one standard error of it.
    """
    options = option_pairs(
        "lasso",
        rest,
        "Alpha CV Intercept Lambda LambdaRatio NumLambda PredictorNames Standardize Weights",
    )
    table, z = _real(x), _real(y).ravel()
    w = _shares(options.get("weights"), z.size)
    alpha = real_number(options.get("alpha", 1.0))
    given = "lambda" in options
    penalties = np.sort(_real(options["lambda"]).ravel()) if given else np.zeros(0)
    way = _PenaltyPath(
        alpha,
        standardize=bool(real_number(options.get("standardize", 1.0))),
        intercept=bool(real_number(options.get("intercept", 1.0))),
    )
    if not given:
        least = math.log10(max(real_number(options.get("lambdaratio", 1e-4)), 1e-12))
        count = int(real_number(options.get("numlambda", 100.0)))
        penalties = way.largest(table, z, w) * np.logspace(least, 0, count)
    made, intercept = way.fit(table, z, w, penalties)
    facts: dict[str, Value] = {
        "Intercept": row(intercept),
        "Lambda": row(penalties),
        "Alpha": alpha,
        "DF": row(np.sum(made != 0, axis=0).astype(float)),
        "MSE": row(w @ (z[:, None] - intercept - table @ made) ** 2),
    }
    if "predictornames" in options:
        facts["PredictorNames"] = options["predictornames"]
    if "cv" in options:
        fold = _folds(ctx, options["cv"], z.size)
        facts |= _cross_validated(way, table, z, w, penalties, fold)
    return canonical(made), Struct(facts)


def _shares(given: Value | None, count: int) -> Array:
    """What each observation counts, one together."""
    w = np.ones(count) if given is None else _real(given).ravel()
    if w.size != count or (w < 0).any() or not w.any():
        text = "Weights must hold a number that is not negative for each observation."
        raise MatlabError("stats:lasso:InvalidObservationWeights", text)
    return np.asarray(w / w.sum())


def _folds(ctx: CallContext, given: Value, count: int) -> Array:
    """For every observation the fold that leaves it out."""
    split = given if isinstance(given, Partition) else kfold_split(ctx, count, real_number(given))
    if split.fold.size != count:
        text = "The partition must be one of as many observations as there are rows."
        raise MatlabError("stats:lasso:MisMatchedCVPartition", text)
    return split.fold


def _cross_validated(
    way: _PenaltyPath, table: Array, z: Array, w: Array, penalties: Array, fold: Array
) -> dict[str, Value]:
    """Errors of the observations that every fold leaves out, and the best penalties."""
    errors = []
    for k in range(1, int(fold.max()) + 1):
        out = fold == k
        made, intercept = way.fit(table[~out], z[~out], w[~out] / w[~out].sum(), penalties)
        left = (z[out, None] - intercept - table[out] @ made) ** 2
        errors.append(w[out] / w[out].sum() @ left)
    every = np.array(errors)
    mean, spread = every.mean(axis=0), every.std(axis=0, ddof=1) / math.sqrt(len(errors))
    best = int(np.argmin(mean))
    near = int(np.flatnonzero(mean <= mean[best] + spread[best]).max())
    return {
        "MSE": row(mean),
        "SE": row(spread),
        "LambdaMinMSE": float(penalties[best]),
        "Lambda1SE": float(penalties[near]),
        "IndexMinMSE": best + 1.0,
        "Index1SE": near + 1.0,
    }


@dataclass(frozen=True)
class _PenaltyPath:
    """How coefficients for a row of penalties are found."""

    alpha: float
    standardize: bool
    intercept: bool

    def _unit(self, table: Array, z: Array, w: Array) -> tuple[Array, Array, Array, float]:
        """The table centred and scaled, its centre and scale, and the middle of the answers."""
        middle = w @ table
        wide = np.sqrt(w @ (table - middle) ** 2) if self.standardize else np.ones(table.shape[1])
        wide, centre = np.where(wide > 0, wide, 1.0), middle * self.intercept
        return (table - centre) / wide, centre, wide, float(w @ z) * self.intercept

    def largest(self, table: Array, z: Array, w: Array) -> float:
        """The least penalty that leaves no coefficient; ``w`` is what each observation counts."""
        unit, _, _, middle = self._unit(table, z, w)
        return float(np.abs(unit.T @ (w * (z - middle))).max() / max(self.alpha, 1e-3))

    def fit(self, table: Array, z: Array, w: Array, penalties: Array) -> tuple[Array, Array]:
        """A column of coefficients and an intercept for every penalty."""
        unit, centre, wide, middle = self._unit(table, z, w)
        made, b = np.zeros((table.shape[1], penalties.size)), np.zeros(table.shape[1])
        gram, pull = unit.T @ (unit * w[:, None]), unit.T @ (w * (z - middle))
        for k in range(penalties.size)[::-1]:
            b = _coordinate_descent(gram, pull, b, penalties[k], self.alpha)
            made[:, k] = b / wide
        return made, middle - centre @ made


def _coordinate_descent(
    gram: Array, pull: Array, start: Array, penalty: float, alpha: float
) -> Array:
    """One coefficient after the other until none changes; ``pull`` is what b = 0 leaves."""
    b, left = start.tolist(), pull - gram @ start
    own = np.diag(gram).tolist()
    sizes = [max(s + penalty * (1 - alpha), 1e-300) for s in own]
    for _ in range(2000):
        change = 0.0
        for j, old in enumerate(b):
            toward = left.item(j) + own[j] * old
            new = math.copysign(max(abs(toward) - penalty * alpha, 0.0), toward) / sizes[j]
            if new != old:
                left -= gram[j] * (new - old)
                change = max(change, abs(new - old))
                b[j] = new
        if change < 1e-9:
            break
    return np.array(b)
