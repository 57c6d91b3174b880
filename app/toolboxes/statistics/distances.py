"""Distances between points, nearest neighbours, clusters and principal components."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    MATRIX,
    NUMBER,
    NUMBERS,
    POSITIVE,
    WHOLE,
    flag,
    one_of,
    option_pairs,
    real_number,
    takes,
)
from app.engine.capture.term_arrays import fetch_terms
from app.engine.capture.terms import Term
from app.engine.declarations.device_support import SELF, HostOnly, of_resident
from app.engine.declarations.registry import builtin
from app.engine.operators import orthogonal_forms
from app.engine.operators.arithmetic import is_large
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    FunctionHandle,
    Struct,
    Value,
    as_array,
    canonical,
    class_of,
    host,
    int_of,
    is_text_scalar,
    numel,
    object_array,
    size_of,
    text_of,
)
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError
from app.toolboxes.statistics import cluster_forms, neighbour_forms

_FAMILY = "statistics"
_F64 = np.dtype(np.float64)
_FEW = ("smallest", "largest")
_METRICS = {
    "squaredeuclidean": "sqeuclidean",
    "seuclidean": "seuclidean",
    "spearman": "spearman",
    "fasteuclidean": "euclidean",
    "fastsquaredeuclidean": "sqeuclidean",
    "sqeuclidean": "sqeuclidean",
    "mahalanobis": "mahalanobis",
    "cityblock": "cityblock",
    "minkowski": "minkowski",
    "chebychev": "chebyshev",
    "cosine": "cosine",
    "correlation": "correlation",
    "hamming": "hamming",
    "jaccard": "jaccard",
    "euclidean": "euclidean",
}


Metric = Callable[[Array, Array], Array]


def metric_of(ctx: CallContext, name: str, args: Sequence[Value]) -> Metric:
    """The distances of all rows of one matrix from all rows of another, by a word or a function.

    A parameter may follow: the exponent of minkowski, the scale of seuclidean, the covariance of
    mahalanobis. Without it the last two are those of the first matrix.
    """
    from scipy.spatial import distance

    if len(args) > 2:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    first = args[0] if args else "euclidean"
    if isinstance(first, FunctionHandle):
        return lambda a, b: _by_function(ctx, first, a, b)
    word = text_of(first).lower() if is_text_scalar(first) else ""
    fitting = [k for k in _METRICS if k == word] or [
        k for k in _METRICS if word and k[: len(word)] == word
    ]
    if len(fitting) != 1:
        raise MatlabError("stats:pdist:UnrecognizedDistance", f"Unknown distance '{word}'.")
    kind = _METRICS[fitting[0]]
    given = _rows(args[1]) if len(args) > 1 and numel(args[1]) else None
    if given is not None and kind not in ("minkowski", "seuclidean", "mahalanobis"):
        text = f"The distance '{word}' takes no parameter."
        raise MatlabError(f"stats:{name}:InvalidDistanceArg", text)

    def measure(a: Array, b: Array) -> Array:
        extra: dict[str, Any] = {}
        if kind == "minkowski":
            extra = {"p": 2.0 if given is None else float(given.flat[0])}
        elif kind == "seuclidean":
            spread = a.std(axis=0, ddof=1) if given is None else given.ravel()
            extra = {"V": spread**2}
        elif kind == "mahalanobis":
            extra = {"VI": stoppable.inv(np.atleast_2d(np.cov(a.T) if given is None else given))}
        elif kind == "spearman":
            a, b = (stats.rankdata(m, axis=1) for m in (a, b))
            return np.asarray(distance.cdist(a, b, "correlation"))
        measured = partial(distance.cdist, a, b, kind, **extra)
        large = len(a) * len(b) >= stoppable.LARGE_ARRAY
        return np.asarray(stoppable.beside(measured) if large else measured())

    if kind == "spearman":
        from scipy import stats
    return measure


def _by_function(ctx: CallContext, fun: Value, a: Array, b: Array) -> Array:
    """Distances by ``fun(row, rows)``, which gives a column."""
    lines = [
        np.asarray(as_array(ctx.call(fun, (canonical(row.reshape(1, -1)), canonical(b)), 1)[0]))
        for row in a
    ]
    return np.array([line.ravel() for line in lines]).reshape(len(a), len(b))


def _rows(v: Value) -> Array:
    return as_array(v).astype(np.float64)


def _far(distances: Array, *of: Value) -> Value:
    """Distances in single where one of the matrices is."""
    return canonical(distances.astype(np.float32 if "single" in map(class_of, of) else np.float64))


@builtin(
    "pdist",
    category=_FAMILY,
    signatures=("D = pdist(X)", "D = pdist(X, distance)"),
    device=of_resident(neighbour_forms.pdist),
    cases=("isequal(pdist([0 0; 3 4]), 5)",),
    see=("pdist2", "squareform"),
)
@takes(NUMBERS & MATRIX)
def pdist(ctx: CallContext, x: Value, *args: Value) -> Value:
    """Distances between all pairs of rows, as a row."""
    rows = _rows(x)
    square = metric_of(ctx, "pdist", args)(rows, rows)
    return _far(square[np.triu_indices(len(rows), 1)].reshape(1, -1), x)


@builtin(
    "pdist2",
    category=_FAMILY,
    signatures=(
        "D = pdist2(X, Y)",
        "D = pdist2(X, Y, distance, parameter)",
        "[D, I] = pdist2(X, Y, distance, 'Smallest', k)",
    ),
    device=of_resident(neighbour_forms.pdist2),
    cases=("isequal(pdist2([0 0], [3 4; 0 1]), [5 1])",),
    see=("pdist", "knnsearch"),
)
@takes(NUMBERS & MATRIX, NUMBERS & MATRIX)
def pdist2(ctx: CallContext, x: Value, y: Value, *args: Value) -> Value:
    """Distances between the rows of two matrices; 'Smallest' or 'Largest' keep k a column."""
    a, b = _rows(x), _rows(y)
    if a.shape[1] != b.shape[1]:
        text = "X and Y must have the same number of columns."
        raise MatlabError("stats:pdist2:SizeMismatch", text)
    rest, few, k = list(args), "", 0
    if len(rest) > 1 and is_text_scalar(rest[-2]) and text_of(rest[-2]).lower() in _FEW:
        k, few = int_of(rest.pop()), text_of(rest.pop()).lower()
    far = metric_of(ctx, "pdist2", rest)(a, b)
    if not few:
        return _far(far, x, y), EMPTY
    order = np.argsort(far if few == "smallest" else -far, axis=0, kind="stable")[:k]
    return _far(np.take_along_axis(far, order, axis=0), x, y), canonical(order + 1.0)


@builtin(
    "squareform",
    category=_FAMILY,
    signatures=("Z = squareform(D)", "D = squareform(Z)", "Z = squareform(D, 'tomatrix')"),
    device=of_resident(neighbour_forms.squareform),
    cases=(
        "isequal(squareform(5), [0 5; 5 0])",
        "isequal(squareform([0 5; 5 0]), 5)",
        "isequal({squareform(0), squareform(0, 'tovector')}, {[0 0; 0 0], zeros(1, 0)})",
    ),
    see=("pdist",),
)
@takes(NUMBERS & MATRIX)
def squareform(d: Value, direction: Value | None = None) -> Value:
    """The square matrix of pdist's row, or the row of the matrix; the word says which is meant."""
    from scipy.spatial import distance

    a = _rows(d)
    vector = a.shape[0] == 1
    if direction is not None:
        words = "tomatrix tovector"
        vector = one_of("squareform", "DIRECTION", direction, words) == "tomatrix"
    try:
        found = distance.squareform(a.ravel() if vector else a, checks=True)
    except ValueError:
        text = "The input must be a distance vector, or a symmetric matrix with a zero diagonal."
        raise MatlabError("stats:squareform:BadInput", text) from None
    return _far(found if vector else found.reshape(1, -1), d)


@builtin(
    "knnsearch",
    category=_FAMILY,
    signatures=(
        "[idx, D] = knnsearch(X, Y)",
        "idx = knnsearch(X, Y, 'K', k, 'Distance', d, 'IncludeTies', tf)",
    ),
    device=of_resident(neighbour_forms.knnsearch),
    cases=("knnsearch([0 0; 5 5], [4 4]) == 2",),
    see=("pdist2", "dsearchn"),
)
@takes(NUMBERS & MATRIX, NUMBERS & MATRIX)
def knnsearch(ctx: CallContext, x: Value, y: Value, *args: Value) -> Value:
    """The k nearest rows of X for every row of Y, the nearest first, equals by their number.

    Options: K, Distance, P, Scale, Cov, IncludeTies (cells then); NSMethod, BucketSize and
    SortIndices change how the neighbours are looked for, not what is found.
    """
    known = "K IncludeTies Distance P Scale Cov NSMethod BucketSize SortIndices"
    options = option_pairs("knnsearch", args, known)
    if size_of(x)[1] != size_of(y)[1]:
        text = "X and Y must have the same number of columns."
        raise MatlabError("stats:pdist2:SizeMismatch", text)
    points, wanted = _rows(x), _rows(y)
    k = min(int_of(options.get("k", 1.0)), len(points))
    ties = flag(options, "includeties")
    one_of("knnsearch", "NSMethod", options.get("nsmethod", "exhaustive"), "kdtree exhaustive")
    (NUMBER & WHOLE & POSITIVE)("knnsearch", 3, options.get("bucketsize", 50.0))
    flag(options, "sortindices")
    parameter = [options[n] for n in ("p", "scale", "cov") if n in options]
    kind = options.get("distance", "euclidean")
    if not ties and not parameter and is_text_scalar(kind) and text_of(kind) == "euclidean":
        index, nearest = _nearest_by_tree(points, wanted, k)
        return canonical(index + 1.0), _far(nearest, x, y)
    far = metric_of(ctx, "knnsearch", (kind, *parameter))(points, wanted).T
    order = np.argsort(far, axis=1, kind="stable")
    if not ties:
        return canonical(order[:, :k] + 1.0), _far(np.take_along_axis(far, order[:, :k], 1), x, y)
    near, away = [], []
    for line, places in zip(far, order, strict=True):
        kept = places[: int((line <= line[places[k - 1]]).sum())] if k else places[:0]
        near.append(canonical((kept + 1.0).reshape(1, -1)))
        away.append(_far(line[kept].reshape(1, -1), x, y))
    shape = (len(near), 1)
    return Cell(object_array(near, shape)), Cell(object_array(away, shape))


def _nearest_by_tree(points: Array, wanted: Array, k: int) -> tuple[Array, Array]:
    from scipy.spatial import cKDTree

    away, index = cKDTree(points).query(wanted, k=np.arange(1, k + 1))
    order = np.lexsort((index, away), axis=1)
    return np.take_along_axis(index, order, axis=1), np.take_along_axis(away, order, axis=1)


@builtin(
    "kmeans",
    category=_FAMILY,
    signatures=(
        "[idx, C, sumd, D] = kmeans(X, k)",
        "idx = kmeans(X, k, 'Replicates', r)",
        "idx = kmeans(X, k, 'Start', C0, 'Distance', d)",
    ),
    cases=(
        "numel(unique(kmeans([0; 0.1; 9; 9.1], 2))) == 2",
        "isequal(kmeans([0; 0.1; 9; 9.1], 2, 'Start', [9; 1]), [2; 2; 1; 1])",
        "kmeans([0; 1; 5; 90], 2, 'Start', [0; 90], 'Distance', 'cityblock')' * [1; 1; 1; 1] == 5",
        "isequaln(kmeans([0; NaN; 9; 1], 2, 'Start', [0; 9]), [1; NaN; 2; 1])",
        "isequal(kmeans([0; 1; 9], [], 'Start', [0; 9]), [1; 1; 2])",
        "t = evalc(\"kmeans([0; 1; 9], 2, 'Start', [0; 9], 'Display', 'final');\"); "
        "contains(t, 'Best total sum of distances = 0.5')",
    ),
    see=("pdist2",),
    device=SELF,
)
@takes(NUMBERS & MATRIX, NUMBERS)
def kmeans(ctx: CallContext, x: Value, k: Value, *args: Value) -> Value:
    """Clusters by Lloyd's iteration, from k-means++ or other starts: rows of X, or given points."""
    k, args = host(k), tuple(map(host, args))
    known = "Distance Start Replicates MaxIter EmptyAction Display OnlinePhase Options"
    options = option_pairs("kmeans", args, known)
    count = int_of(k) if numel(k) else len(as_array(options.get("start", EMPTY)))
    settings = options.get("options")
    if settings is not None:
        options = _of_settings("kmeans", settings, ("MaxIter", "Display")) | options
    one_of("kmeans", "OnlinePhase", options.get("onlinephase", "off"), "off")
    shown = one_of("kmeans", "Display", options.get("display", "off"), "off final iter")
    kind = one_of("kmeans", "Distance", options.get("distance", "sqeuclidean"), _MEANS)
    most = int_of(options.get("maxiter", 100.0))
    empty = one_of(
        "kmeans", "EmptyAction", options.get("emptyaction", "singleton"), "singleton drop error"
    )
    starts: Iterable[Array] | None = None
    points = cluster_forms.points(x) if kind == "sqeuclidean" and shown == "off" else None
    if points is not None and 1 <= count <= points.shape[0]:
        starts = list(_starts(ctx, points, count, options))
        found = cluster_forms.best(points, starts, most)
        if found is not None:
            return found.values()
    rows = _rows(host(x))
    kept = np.asarray(~np.isnan(rows).any(axis=1))
    data = rows[kept]
    if not 1 <= count <= len(data):
        text = "X must have at least as many rows as there are clusters."
        raise MatlabError("stats:kmeans:TooManyClusters", text)
    starts = starts or _starts(ctx, data, count, options)
    return _clusters(ctx, rows, kept, starts, (kind, most, empty, shown))


def _clusters(
    ctx: CallContext,
    rows: Array,
    kept: Array,
    starts: Iterable[Array],
    chosen: tuple[str, int, str, str],
) -> Value:
    """The results of ``kmeans`` for the rows that are `kept`; what is `chosen` are the distance,
    the most rounds, what becomes of empty clusters, and what is shown."""
    from scipy.spatial import distance

    data, (kind, most, empty, shown) = rows[kept], chosen
    best: tuple[float, Array, Array] | None = None
    for number, start in enumerate(starts, 1):
        centres, labels, away, totals = _lloyd(data, start, kind, most, empty)
        total = float(away[np.arange(len(data)), labels].sum())
        if shown != "off":
            ctx.write(_progress(number, totals, each=shown == "iter"))
        best = (total, centres, labels) if best is None or total < best[0] else best
    if best is None:
        raise MatlabError("stats:kmeans:BadReplicates", "Replicates must be positive.")
    total, centres, labels = best
    if shown != "off":
        ctx.write(f"Best total sum of distances = {total:g}\n")
    away = distance.cdist(data, centres, kind)
    sums = [away[labels == j, j].sum() for j in range(len(centres))]
    numbers, distances = np.full((len(rows), 1), np.nan), np.full((len(rows), len(centres)), np.nan)
    numbers[kept, 0], distances[kept] = labels + 1.0, away
    return (
        canonical(numbers),
        canonical(centres),
        canonical(np.array(sums).reshape(-1, 1)),
        canonical(distances),
    )


def _progress(number: int, totals: list[float], *, each: bool) -> str:
    """What is printed of a replicate: the sum of distances after all or after each iteration."""
    lines = [f"{k:6}\t{1:6}\t{total:12g}\n" for k, total in enumerate(totals, 1) if each]
    end = (
        f"Replicate {number}, {len(totals)} iterations, total sum of distances = {totals[-1]:g}.\n"
    )
    return "".join(["  iter\t phase\t         sum\n"] * each + lines) + end


def _of_settings(name: str, settings: Value, known: tuple[str, ...]) -> dict[str, Value]:
    """The options of a function in a struct of ``statset``; others that are set are refused."""
    if not isinstance(settings, Struct):
        raise MatlabError(f"stats:{name}:BadOptions", "Options must be a struct of statset.")
    given = {k: v for k, v in settings.fields.items() if numel(v) and v is not False}
    for field in given.keys() - set(known):
        text = f"{name} does not use the field '{field}' of Options."
        raise MatlabError(f"stats:{name}:UnknownOption", text)
    return {k.lower(): v for k, v in given.items()}


_MEANS = "sqeuclidean cityblock cosine correlation"


def _starts(
    ctx: CallContext, data: Array | Term, count: int, options: dict[str, Value]
) -> Iterator[Array]:
    """First centres for every replicate: given points, rows of the data, or random points."""
    given = options.get("start", "plus")
    times = int_of(options.get("replicates", 1.0))
    draw = stream_of(ctx).draw
    if not is_text_scalar(given):
        points = as_array(given).astype(np.float64)
        if points.shape[:2] != (count, data.shape[1]):
            text = "The start must have a row for each cluster and a column for each variable."
            raise MatlabError("stats:kmeans:StartBadSize", text)
        pages = points.reshape(*points.shape[:2], -1)
        yield from (pages[:, :, k].copy() for k in range(pages.shape[2]))
        return
    word = one_of("kmeans", "Start", given, "plus sample uniform")
    if isinstance(data, Term) and word != "uniform":
        drawn = (float(draw("uniform", (1, 1), _F64)[0, 0]) for _ in repeat(None))
        yield from cluster_forms.starts(data, count, times, word == "plus", drawn)
        return
    if isinstance(data, Term):
        data = fetch_terms(data, cause="needs-host-value: the range of the points")[0]
    low, high = data.min(axis=0), data.max(axis=0)
    for _ in range(times):
        if word == "uniform":
            yield low + (high - low) * draw("uniform", (count, data.shape[1]), _F64)
            continue
        rows = [int(draw("uniform", (1, 1), _F64)[0, 0] * len(data))]
        while len(rows) < count:
            near = ((data[:, None] - data[rows]) ** 2).sum(axis=2).min(axis=1)
            weights = near if word == "plus" else (near > 0) + 0.0
            weights = weights if weights.any() else ~np.isin(np.arange(len(data)), rows) + 0.0
            place = draw("uniform", (1, 1), _F64)[0, 0] * weights.sum()
            rows.append(int(np.searchsorted(np.cumsum(weights), place, side="right")))
        yield data[rows].copy()


def _lloyd(
    data: Array, centres: Array, kind: str, most: int, empty: str
) -> tuple[Array, Array, Array, list[float]]:
    """Centres, the cluster of every row, and all distances, once no row changes its cluster.

    Last come the sums of distances after each iteration.
    """
    from scipy.spatial import distance

    rows = data - data.mean(axis=1, keepdims=True) if kind == "correlation" else data
    if kind in ("cosine", "correlation"):
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    away = distance.cdist(data, centres, kind)
    labels = away.argmin(axis=1)
    totals = [float(away[np.arange(len(data)), labels].sum())]
    for _ in range(most):
        for j in range(len(centres)):
            members = rows[labels == j]
            if len(members):
                centres[j] = (np.median if kind == "cityblock" else np.mean)(members, axis=0)
            elif empty == "error":
                text = f"Cluster {j + 1} has lost all its members."
                raise MatlabError("stats:kmeans:EmptyCluster", text)
            elif empty == "singleton":
                farthest = away[np.arange(len(data)), labels].argmax()
                centres[j], labels[farthest] = rows[farthest], j
            else:
                centres[j] = np.nan
        away = distance.cdist(data, centres, kind)
        away[np.isnan(away)] = np.inf
        found = away.argmin(axis=1)
        totals.append(float(away[np.arange(len(data)), found].sum()))
        if np.array_equal(found, labels):
            break
        labels = found
    return centres, labels, away, totals[1:] or totals


@builtin(
    "pca",
    category=_FAMILY,
    signatures=("coeff = pca(X)", "[coeff, score, latent, tsquared, explained, mu] = pca(X)"),
    device=HostOnly("LAPACK's, but tall matrices are factored on cards", lazy=True, cards=True),
    cases=("norm(abs(pca([0 0; 1 1; 2 2])) - sqrt([.5; .5])) < 1e-12",),
    see=("cov", "svd"),
)
@takes(NUMBERS & MATRIX)
def pca(x: Value, *args: Value) -> Value:
    """Principal components of rows of observations."""
    options = option_pairs("pca", args, "Algorithm Centered NumComponents")
    one_of("pca", "Algorithm", options.get("algorithm", "svd"), "svd eig")
    centred = flag(options, "centered", True)
    columns = size_of(x)[1]
    given = options.get("numcomponents", float(columns))
    wanted = real_number(given) if numel(given) == 1 else 0.0
    if wanted % 1 or not 0 < wanted <= columns:
        text = f"NumComponents must be a positive whole number of at most {columns}, the columns."
        raise MatlabError("stats:pca:WrongNumComponents", text)
    found = orthogonal_forms.spread(x) if is_large(x) and centred else None
    if found is None:
        given = as_array(host(x))
        data = given if given.dtype == np.float32 else given.astype(np.float64)
        mean = data.mean(axis=0, keepdims=True) * centred
        rows = away = data - mean
    else:
        rows, away, mean = found
    _, s, vh = stoppable.svd(away, full_matrices=False)
    count, columns = rows.shape
    free, least = max(count - centred, 1), s[0] * 45 * np.finfo(s.dtype).eps
    kept = min(free, s.size)
    if count <= columns or s[-1] <= least:
        kept = min(kept, int((s > least).sum()))
    coeff = vh[:kept].T
    coeff = coeff * np.sign(coeff[np.argmax(np.abs(coeff), axis=0), np.arange(kept)])
    latent = s[:kept] ** 2 / free
    if found is None:
        score = rows @ coeff
        distance = canonical((score**2 / latent).sum(axis=1).reshape(-1, 1))
        score = canonical(score)
    else:
        score, distance = orthogonal_forms.scores(rows, coeff, latent)
    shares = 100 * latent / latent.sum()
    if wanted < kept:
        first = slice(int(wanted))
        coeff, score = coeff[:, first], canonical(as_array(host(score))[:, first])
    return (
        canonical(coeff),
        score,
        canonical(latent.reshape(-1, 1)),
        distance,
        canonical(shares.reshape(-1, 1)),
        canonical(mean),
    )
