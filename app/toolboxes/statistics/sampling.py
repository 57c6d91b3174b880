"""Random samples of data and of multivariate distributions."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBERS, option_pairs, takes
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.declarations.device_support import SELF
from app.engine.declarations.registry import builtin
from app.engine.interpreter.indexing.index_read import paren
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.values import (
    EMPTY,
    Array,
    DeviceArray,
    Value,
    as_array,
    canonical,
    float_of,
    host,
    int_of,
    is_text_scalar,
    numel,
    size_of,
)
from app.engine.values.random_stream import RandomStream, stream_of
from app.errors import MatlabError

_FAMILY = "random numbers"
_F64 = np.dtype(np.float64)
MOST_DIMENSIONS = 25
"""Of a normal distribution whose probabilities are summed up; more take hours."""


def chosen(stream: RandomStream, n: int, k: int, replace: bool, weights: Array | None) -> Array:
    """``k`` of ``n`` places, from 0."""
    if not replace and k > n:
        text = "K must be no larger than the number of elements when sampling without replacement."
        raise MatlabError("stats:randsample:SampleTooLarge", text)
    if replace:
        u = stream.draw("uniform", (1, k), _F64).ravel()
        if weights is None:
            return np.asarray(np.minimum(np.floor(u * n), n - 1).astype(int))
        edges = np.cumsum(weights) / np.sum(weights)
        return np.asarray(np.searchsorted(edges, u, side="right"))
    keys = stream.draw("uniform", (1, n), _F64).ravel()
    if weights is not None:
        keys = -np.log(keys) / weights
    return np.argsort(keys, kind="stable")[:k]


@builtin(
    "randsample",
    words="",
    category=_FAMILY,
    signatures=(
        "y = randsample(n, k)",
        "y = randsample(population, k)",
        "y = randsample(..., replacement, w)",
    ),
    cases=("isequal(sort(randsample(5, 5)), (1:5)')", "numel(randsample(3, 9, true)) == 9"),
    see=("randperm", "datasample"),
    device=SELF,
)
def randsample(
    ctx: CallContext,
    population: Value,
    k: Value,
    replacement: Value = False,
    w: Value | None = None,
) -> Value:
    """Random sample of 1:n or of the elements of a vector."""
    alone = numel(population) == 1 and not is_text_scalar(population)
    weights = None if w is None or numel(w) == 0 else as_array(host(w)).astype(float).ravel()
    replace = bool(as_array(host(replacement)).any()) or weights is not None
    total = int(float_of(host(population))) if alone else numel(population)
    places = chosen(stream_of(ctx), total, int_of(host(k)), replace, weights)
    if type(population) is DeviceArray and len(places):
        is_row = population.shape[0] == 1 < population.size
        wanted = (places + 1.0).reshape((1, -1) if is_row else (-1, 1))
        return paren(population, canonical(wanted))
    population = host(population)
    data = np.arange(1.0, total + 1).reshape(-1, 1) if alone else data_of(population)
    shape = (1, -1) if data.shape[0] == 1 and data.size > 1 else (-1, 1)
    return rebuild(0.0 if alone else population, data.ravel(order="F")[places].reshape(shape))


@builtin(
    "datasample",
    category=_FAMILY,
    signatures=(
        "[y, idx] = datasample(data, k)",
        "y = datasample(data, k, dim)",
        "y = datasample(..., 'Replace', tf, 'Weights', w)",
    ),
    cases=("all(ismember(datasample(1:3, 9), 1:3))",),
    see=("randsample",),
    device=SELF,
)
def datasample(ctx: CallContext, data: Value, k: Value, *args: Value) -> Value:
    """Random rows (or slices along a dimension), with replacement unless told otherwise."""
    size, args = size_of(data), tuple(map(host, args))
    axis = first_axis(size)
    if args and not is_text_scalar(args[0]):
        axis, args = dimension(args[0]), args[1:]
    size += (1,) * (axis + 1 - len(size))
    options = option_pairs("datasample", args, "Replace Weights")
    weights = as_array(options["weights"]).ravel() if "weights" in options else None
    replace = bool(as_array(options.get("replace", True)).any())
    places = chosen(stream_of(ctx), size[axis], int_of(host(k)), replace, weights)
    row = canonical((places + 1.0).reshape(1, -1))
    if type(data) is DeviceArray and len(places):
        return paren(data, *(row if a == axis else ":" for a in range(len(size)))), row
    data = host(data)
    x = data_of(data).reshape(size)
    return rebuild(data, np.take(x, places, axis=axis)), row


def _factor(sigma: Array) -> Array:
    """A matrix T with ``T' * T`` the covariance, which may be singular."""
    values, vectors = stoppable.eigh((sigma + sigma.T) / 2)
    if values.min(initial=0.0) < -1e-10 * max(values.max(initial=0.0), 1e-300):
        text = "SIGMA must be a symmetric positive semi-definite matrix."
        raise MatlabError("stats:mvnrnd:BadCovariance2DSymPos", text)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0))).T)


@builtin(
    "mvnrnd",
    category="distributions",
    signatures=("R = mvnrnd(mu, Sigma)", "R = mvnrnd(mu, Sigma, n)"),
    cases=("isequal(size(mvnrnd([0 0], eye(2), 5)), [5 2])",),
    see=("randn", "mvnpdf"),
)
@takes(NUMBERS, NUMBERS)
def mvnrnd(ctx: CallContext, mu: Value, sigma: Value, n: Value | None = None) -> Value:
    """Random rows of a multivariate normal distribution."""
    centre, spread = as_array(mu).astype(float), as_array(sigma).astype(float)
    if centre.shape[1] == 1 and centre.shape[0] == spread.shape[1] != 1:
        centre = centre.T
    spread = np.diag(spread[0]) if spread.shape[0] == 1 != spread.shape[1] else spread
    if centre.shape[1] != spread.shape[0] or spread.shape[0] != spread.shape[1]:
        text = "SIGMA must be a square matrix with as many columns as MU."
        raise MatlabError("stats:mvnrnd:InputSizeMismatch2DSigma", text)
    rows = centre.shape[0] if n is None else int_of(n)
    drawn = stream_of(ctx).draw("normal", (rows, spread.shape[0]), _F64)
    return canonical(drawn @ _factor(spread) + centre)


@builtin(
    "mvncdf",
    category="distributions",
    words="",
    signatures=(
        "p = mvncdf(X)",
        "p = mvncdf(X, mu, Sigma)",
        "p = mvncdf(xl, xu, mu, Sigma)",
    ),
    cases=(
        "abs(mvncdf([0 0]) - 0.25) < 1e-9",
        "abs(mvncdf([0 0], [0 0], [1 0.5; 0.5 1]) - 1/3) < 1e-6",
        "abs(mvncdf([-1 -1], [1 1], [0 0], eye(2)) - 0.682689492137086^2) < 1e-6",
    ),
    see=("mvnpdf", "mvnrnd", "normcdf"),
)
@takes(NUMBERS)
def mvncdf(x: Value, *args: Value) -> Value:
    """The chance that a multivariate normal vector is below the rows of X, or between two.

    Genz's quasi-random integration, as SciPy has it; its draws are the same in every call.
    """
    from scipy.stats import multivariate_normal

    rows = np.atleast_2d(as_array(x).astype(float))
    upper = np.atleast_2d(as_array(args[0]).astype(float)) if len(args) > 2 else rows
    lower = rows if len(args) > 2 else None
    mu, sigma = args[-2:] if len(args) > 1 else ((*args, EMPTY)[0], EMPTY)
    width = upper.shape[1]
    if width > MOST_DIMENSIONS:
        text = f"Number of dimensions must be less than or equal to {MOST_DIMENSIONS}."
        raise MatlabError("stats:mvncdf:DimensionTooLarge", text)
    centre = as_array(mu).astype(float).ravel() if numel(mu) else np.zeros(width)
    spread = as_array(sigma).astype(float) if numel(sigma) else np.eye(width)
    if centre.size not in (1, width) or spread.shape != (width, width):
        text = "MU and SIGMA must fit the columns of X."
        raise MatlabError("stats:mvncdf:InputSizeMismatch", text)
    made = multivariate_normal(np.broadcast_to(centre, (width,)), spread, seed=0)
    ends = [None] * len(upper) if lower is None else list(lower)
    found = [float(made.cdf(high, lower_limit=low)) for high, low in zip(upper, ends, strict=True)]
    return canonical(np.array(found).reshape(-1, 1))


@builtin(
    "mvnpdf",
    category="distributions",
    signatures=("y = mvnpdf(X)", "y = mvnpdf(X, mu, Sigma)"),
    cases=(
        "abs(mvnpdf([0 0]) - 1/(2*pi)) < 1e-15",
        "p = mvnpdf([1; 2], [0; 1], cat(3, 1, 4)); "
        "norm(p - normpdf([1; 2], [0; 1], [1; 2])) < 1e-15",
    ),
    see=("mvnrnd", "normpdf"),
)
@takes(NUMBERS, NUMBERS, NUMBERS)
def mvnpdf(x: Value, mu: Value | None = None, sigma: Value | None = None) -> Value:
    """Density of a multivariate normal distribution at rows of X."""
    rows = as_array(x).astype(float)
    d = rows.shape[1]
    centre = as_array(0.0 if mu is None or not numel(mu) else mu)
    away = rows - (centre if centre.shape[1] == d else centre.reshape(1, -1))
    spread = np.eye(d) if sigma is None or not numel(sigma) else as_array(sigma).astype(float)
    pages = spread.reshape(*spread.shape[:2], -1).transpose(2, 0, 1)
    if spread.shape[0] == 1 != d:
        pages = pages[:, 0, :, None] * np.eye(d)
    try:
        low = stoppable.cholesky(pages)
    except np.linalg.LinAlgError:
        text = "SIGMA must be symmetric and positive definite."
        raise MatlabError("stats:mvnpdf:BadMatrixSigma", text) from None
    scaled = (
        stoppable.solve(low[0], away.T).T
        if len(pages) == 1
        else stoppable.solve(low, away[..., None])[..., 0]
    )
    size = np.log(np.diagonal(low, axis1=1, axis2=2)).sum(axis=1)
    log = -0.5 * (scaled**2).sum(axis=1) - size - d / 2 * np.log(2 * np.pi)
    return canonical(np.exp(log).reshape(-1, 1))


@builtin(
    "wishrnd",
    words="",
    category="distributions",
    signatures=("W = wishrnd(Sigma, df)", "[W, D] = wishrnd(Sigma, df, D)"),
    cases=("isequal(size(wishrnd(eye(3), 5)), [3 3])",),
    see=("mvnrnd",),
)
@takes(NUMBERS, NUMBERS)
def wishrnd(ctx: CallContext, sigma: Value, df: Value, factor: Value | None = None) -> Value:
    """A random matrix of the Wishart distribution: the scatter of DF normal rows.

    D is the Cholesky factor of Sigma; giving it saves computing it again.
    """
    d = _factor(as_array(sigma).astype(float)) if factor is None else as_array(factor)
    n = int_of(df)
    drawn = stream_of(ctx).draw("normal", (n, d.shape[0]), _F64) @ d
    return canonical(drawn.T @ drawn), canonical(d)
