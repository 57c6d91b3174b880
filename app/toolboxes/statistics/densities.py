"""Densities from samples, and random matrices: ksdensity, mvtpdf, mnrnd, wishrnd, lhsdesign."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    REAL,
    SQUARE,
    one_of,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.vectors import column, row
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
)
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError
from app.toolboxes.statistics.distribution_kinds import CHI2, NORM, STANDARD

_FAMILY = "statistics"


def _real(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


def _kernel(name: str, u: Array, what: str) -> Array:
    """Kernels and their integrals."""
    if name.startswith("n"):
        return np.asarray(NORM.value(what, STANDARD, u))
    if name.startswith("e"):  # Epanechnikov, of unit variance
        z = np.clip(u / np.sqrt(5), -1, 1)
        return np.asarray(
            0.75 * (1 - z**2) / np.sqrt(5) if what == "pdf" else 0.5 + 0.75 * (z - z**3 / 3)
        )
    from scipy.stats import triang, uniform

    wide = np.sqrt(3.0) if name.startswith("b") else np.sqrt(6.0)
    law = uniform(-wide, 2 * wide) if name.startswith("b") else triang(0.5, -wide, 2 * wide)
    return np.asarray(law.pdf(u) if what == "pdf" else law.cdf(u))


@builtin(
    "ksdensity",
    category=_FAMILY,
    least=1,
    signatures=(
        "[f, xi, bw] = ksdensity(x)",
        "f = ksdensity(x, points)",
        "f = ksdensity(..., name, value)",
    ),
    cases=(
        "[f, xi] = ksdensity([1 2 3 4]); numel(f) == 100 && abs(trapz(xi, f) - 1) < 0.01",
        "abs(ksdensity(0, 0, 'Bandwidth', 1) - 1/sqrt(2*pi)) < 1e-12",
    ),
    see=("histogram", "fitdist"),
)
@takes(NUMBERS & REAL & NONEMPTY)
def ksdensity(x: Value, *rest: Value) -> Value:
    """A smooth density of a sample at 100 points, or at given ones.

    Options: Bandwidth, Kernel (normal, box, triangle, epanechnikov), Function (pdf, cdf, survivor,
    icdf, cumhazard), Support ('unbounded', 'positive' or [low high]), NumPoints, Weights.
    """
    points = [] if not rest or is_text_scalar(rest[0]) else [_real(rest[0])]
    options = option_pairs(
        "ksdensity",
        rest[len(points) :],
        "Bandwidth Width Kernel Function Support NumPoints NPoints Weights",
    )
    data = _real(x).ravel(order="F")
    data = data[~np.isnan(data)]
    to, back, slope = _support(options.get("support", "unbounded"))
    inner = to(data)
    weights = _real(options["weights"]).ravel() if "weights" in options else np.ones(data.size)
    given = numel(options.get("bandwidth", EMPTY)) > 0
    bw = (
        _real(options["bandwidth"]).flat[0]
        if given
        else (real_number(options["width"]) if "width" in options else _bandwidth(inner))
    )
    count = int(real_number(options.get("numpoints", options.get("npoints", 100.0))))
    what = text_of(options.get("function", "pdf")).lower()
    at = (
        points[0]
        if points
        else back(np.linspace(inner.min() - 3 * bw, inner.max() + 3 * bw, count))
    )
    kernel = text_of(options.get("kernel", "normal")).lower()
    flat = at.ravel(order="F")
    if what == "icdf":
        grid = np.linspace(inner.min() - 4 * bw, inner.max() + 4 * bw, 2000)
        p = flat if points else np.linspace(0.01, 0.99, count)
        below = _kernel_estimate(kernel, "cdf", grid, inner, bw, weights)
        return _in_shape_of(back(np.interp(p, below, grid)), at), _in_shape_of(p, at), float(bw)
    found = _kernel_estimate(
        kernel, "pdf" if what == "pdf" else "cdf", to(flat), inner, bw, weights
    )
    if what == "pdf":
        found = found * slope(flat)
    elif what == "survivor":
        found = 1 - found
    elif what == "cumhazard":
        found = -np.log(1 - found)
    return (
        _in_shape_of(found, at if points else flat),
        _in_shape_of(flat, at if points else flat),
        float(bw),
    )


def _in_shape_of(values: Array, at: Array) -> Value:
    return canonical(values.reshape(at.shape, order="F")) if at.ndim > 1 else row(values)


def _bandwidth(x: Array) -> float:
    """Best for a normal distribution, with a robust deviation."""
    wide = float(np.median(np.abs(x - np.median(x)))) / 0.6745
    wide = wide or float(np.ptp(x)) or 1.0
    return float(wide * (4 / (3 * x.size)) ** 0.2)


def _kernel_estimate(
    kernel: str, what: str, at: Array, x: Array, bw: float, weights: Array
) -> Array:
    parts = _kernel(kernel, (at[:, None] - x[None, :]) / bw, what)
    total = parts @ (weights / weights.sum())
    return np.asarray(total / bw if what == "pdf" else total)


def _support(v: Value) -> Any:
    """To the whole line, back, and the slope of the first."""
    if is_text_scalar(v) and text_of(v).lower().startswith("u"):
        return (lambda x: x), (lambda y: y), np.ones_like
    if is_text_scalar(v):

        def slope(x: Array) -> Array:
            return np.where(x > 0, 1 / np.where(x > 0, x, 1), 0.0)

        return (lambda x: np.log(np.maximum(x, 1e-300))), np.exp, slope
    low, high = _real(v).ravel()[:2]

    def to(x: Array) -> Array:
        inside = np.clip(x, low + 1e-12 * (high - low), high - 1e-12 * (high - low))
        return np.asarray(np.log((inside - low) / (high - inside)))

    def steep(x: Array) -> Array:
        inside = (x > low) & (x < high)
        return np.where(inside, (high - low) / np.where(inside, (x - low) * (high - x), 1), 0.0)

    return to, (lambda y: low + (high - low) / (1 + np.exp(-y))), steep


@builtin(
    "mvtpdf",
    category=_FAMILY,
    signatures=("y = mvtpdf(X, C, df)",),
    cases=("abs(mvtpdf(0.5, 1, 4) - tpdf(0.5, 4)) < 1e-12",),
    see=("mvnpdf",),
)
@takes(NUMBERS & REAL & NONEMPTY, NUMBERS & REAL & SQUARE & NONEMPTY, NUMBERS & REAL & POSITIVE)
def mvtpdf(x: Value, c: Value, df: Value) -> Value:
    """The density of the multivariate t distribution, one value for each row."""
    from scipy.stats import multivariate_t

    scale = _real(c)
    wide = np.sqrt(np.diag(scale))
    points = np.atleast_2d(_real(x))
    found = multivariate_t(shape=scale / np.outer(wide, wide), df=real_number(df)).pdf(points)
    return column(np.atleast_1d(found))


@builtin(
    "mnrnd",
    category=_FAMILY,
    signatures=("r = mnrnd(n, p)", "r = mnrnd(n, p, m)"),
    cases=("sum(mnrnd(10, [0.2 0.3 0.5])) == 10", "isequal(size(mnrnd(5, [0.5 0.5], 3)), [3 2])"),
    see=("binornd",),
)
@takes(NUMBERS & REAL & NONEMPTY, NUMBERS & REAL & NONEMPTY, COUNT)
def mnrnd(ctx: CallContext, n: Value, p: Value, m: Value | None = None) -> Value:
    """Counts of outcomes in ``n`` draws with probabilities ``p``, one row each."""
    chances, count = np.atleast_2d(_real(p)), int(real_number(n))
    rows = int(real_number(m)) if m is not None else chances.shape[0]
    draws = stream_of(ctx).draw("uniform", (rows, count), np.dtype(np.float64))
    edges = np.cumsum(np.broadcast_to(chances, (rows, chances.shape[1])), axis=1)
    made = [
        np.bincount(np.minimum(np.searchsorted(e, d), e.size - 1), minlength=e.size)
        for e, d in zip(edges, draws, strict=True)
    ]
    return canonical(np.array(made, dtype=float).reshape(rows, -1))


def _wishart(ctx: CallContext, sigma: Array, df: float) -> Array:
    root, n = stoppable.cholesky(sigma), sigma.shape[0]
    stream = stream_of(ctx)
    lower = np.tril(stream.draw("normal", (n, n), np.dtype(np.float64)), -1)
    uniform = stream.draw("uniform", (1, n), np.dtype(np.float64)).ravel()
    np.fill_diagonal(lower, np.sqrt(CHI2.value("ppf", [df - np.arange(n)], uniform)))
    made = root @ lower
    return np.asarray(made @ made.T)


@builtin(
    "iwishrnd",
    category=_FAMILY,
    signatures=("W = iwishrnd(Tau, df)",),
    cases=("all(eig(iwishrnd(eye(2), 5)) > 0)",),
    see=("wishrnd",),
)
@takes(NUMBERS & REAL & SQUARE & NONEMPTY, NUMBERS & REAL & POSITIVE)
def iwishrnd(ctx: CallContext, tau: Value, df: Value) -> Value:
    """A random matrix with the inverse Wishart distribution."""
    inverse = stoppable.inv(_definite(tau))
    return canonical(stoppable.inv(_wishart(ctx, inverse, real_number(df))))


def _definite(v: Value) -> Array:
    a = _real(v)
    if not np.allclose(a, a.T) or np.any(stoppable.eigvalsh(a) <= 0):
        text = "The matrix must be symmetric and positive definite."
        raise MatlabError("stats:wishrnd:BadCovariance", text)
    return a


@builtin(
    "lhsdesign",
    category=_FAMILY,
    signatures=("X = lhsdesign(n, p)", "X = lhsdesign(n, p, 'Criterion', c, 'Iterations', k)"),
    cases=(
        "isequal(sort(ceil(5*lhsdesign(5, 2))), [1:5; 1:5]')",
        "rng(1); a = corr(lhsdesign(9, 2, 'Criterion', 'correlation', 'Iterations', 200)); "
        "abs(a(2)) < 0.05",
        "rng(1); min(pdist(lhsdesign(4, 2, 'Iterations', 200, 'Smooth', 'off'))) > 0.5",
    ),
    see=("rand",),
)
@takes(COUNT & POSITIVE, COUNT & POSITIVE)
def lhsdesign(ctx: CallContext, n: Value, p: Value, *options: Value) -> Value:
    """A Latin hypercube: in every column each of n equal intervals has one point."""
    chosen = option_pairs("lhsdesign", options, "Smooth Criterion Iterations")
    shape = (int(real_number(n)), int(real_number(p)))
    smooth = one_of("lhsdesign", "Smooth", chosen.get("smooth", "on"), "on off") == "on"
    criterion = one_of(
        "lhsdesign", "Criterion", chosen.get("criterion", "maximin"), "maximin correlation none"
    )
    count = 1 if criterion == "none" else int(real_number(chosen.get("iterations", 5.0)))
    quality = _correlation_freedom if criterion == "correlation" else _smallest_distance
    designs = []
    for _ in range(max(count, 1)):
        draws = stream_of(ctx).draw("uniform", shape, np.dtype(np.float64))
        order = np.argsort(stream_of(ctx).draw("uniform", shape, np.dtype(np.float64)), axis=0)
        designs.append((order + (draws if smooth else 0.5)) / shape[0])
    return canonical(max(designs, key=quality) if len(designs) > 1 else designs[0])


def _smallest_distance(points: Array) -> float:
    """The distance of the two points that are closest to each other."""
    from scipy.spatial.distance import pdist

    return float(pdist(points).min(initial=np.inf))


def _correlation_freedom(points: Array) -> float:
    """The smaller the correlations of columns, the larger."""
    if min(points.shape) < 2:
        return 0.0
    return -float(np.sum(np.tril(np.corrcoef(points, rowvar=False), -1) ** 2))
