"""Distances between points, nearest neighbours, clusters and principal components."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.arrays.random_stream import stream_of
from app.engine.builtins.checks import MATRIX, NUMBERS, SCALAR, option_pairs, takes
from app.engine.builtins.device_support import HostOnly, composed
from app.engine.builtins.maths.arithmetic import is_large
from app.engine.builtins.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    host,
    is_text_scalar,
    size_of,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "statistics"
_METRICS = {
    "squaredeuclidean": "sqeuclidean",
    "seuclidean": "seuclidean",
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


def _metric(args: tuple[Value, ...]) -> tuple[str, dict[str, Any]]:
    word = text_of(args[0]).lower() if args and is_text_scalar(args[0]) else "euclidean"
    if word not in _METRICS:
        raise MatlabError("stats:pdist:UnrecognizedDistance", f"Unknown distance '{word}'.")
    extra = {"p": float(as_array(args[1]).flat[0])} if word == "minkowski" and len(args) > 1 else {}
    return _METRICS[word], extra


def _rows(v: Value) -> Array:
    return as_array(v).astype(np.float64)


@builtin(
    "pdist",
    category=_FAMILY,
    signatures=("D = pdist(X)", "D = pdist(X, distance)"),
    cases=("isequal(pdist([0 0; 3 4]), 5)",),
    see=("pdist2", "squareform"),
)
@takes(NUMBERS & MATRIX)
def pdist(x: Value, *args: Value) -> Value:
    """Distances between all pairs of rows, as a row."""
    from scipy.spatial import distance

    name, extra = _metric(args)
    return canonical(distance.pdist(_rows(x), name, **extra).reshape(1, -1))


@builtin(
    "pdist2",
    category=_FAMILY,
    signatures=("D = pdist2(X, Y)", "D = pdist2(X, Y, distance)"),
    device=composed("statistics.pdist2"),
    cases=("isequal(pdist2([0 0], [3 4; 0 1]), [5 1])",),
    see=("pdist", "knnsearch"),
)
@takes(NUMBERS & MATRIX, NUMBERS & MATRIX)
def pdist2(x: Value, y: Value, *args: Value) -> Value:
    """Distances between the rows of two matrices."""
    from scipy.spatial import distance

    a, b = _rows(x), _rows(y)
    if a.shape[1] != b.shape[1]:
        text = "X and Y must have the same number of columns."
        raise MatlabError("stats:pdist2:SizeMismatch", text)
    name, extra = _metric(args)
    return canonical(distance.cdist(a, b, name, **extra))


@builtin(
    "squareform",
    category=_FAMILY,
    signatures=("Z = squareform(D)", "D = squareform(Z)"),
    cases=("isequal(squareform(5), [0 5; 5 0])", "isequal(squareform([0 5; 5 0]), 5)"),
    see=("pdist",),
)
@takes(NUMBERS & MATRIX)
def squareform(d: Value) -> Value:
    """The square matrix of pdist's row, or the row of the matrix."""
    from scipy.spatial import distance

    a = _rows(d)
    vector = a.shape[0] == 1
    try:
        found = distance.squareform(a.ravel() if vector else a, checks=True)
    except ValueError:
        text = "The input must be a distance vector, or a symmetric matrix with a zero diagonal."
        raise MatlabError("stats:squareform:BadInput", text) from None
    return canonical(found if vector else found.reshape(1, -1))


@builtin(
    "knnsearch",
    category=_FAMILY,
    signatures=("[idx, D] = knnsearch(X, Y)", "idx = knnsearch(X, Y, 'K', k)"),
    cases=("knnsearch([0 0; 5 5], [4 4]) == 2",),
    see=("pdist2", "dsearchn"),
)
@takes(NUMBERS & MATRIX, NUMBERS & MATRIX)
def knnsearch(x: Value, y: Value, *args: Value) -> Value:
    """The k nearest rows of X for every row of Y."""
    from scipy.spatial import cKDTree

    options = option_pairs("knnsearch", args)
    if size_of(x)[1] != size_of(y)[1]:
        text = "X and Y must have the same number of columns."
        raise MatlabError("stats:pdist2:SizeMismatch", text)
    k = min(int(as_array(options.get("k", 1.0)).flat[0]), len(_rows(x)))
    away, index = cKDTree(_rows(x)).query(_rows(y), k=np.arange(1, k + 1))
    return canonical(index + 1.0), canonical(away)


@builtin(
    "kmeans",
    category=_FAMILY,
    signatures=("[idx, C, sumd, D] = kmeans(X, k)", "idx = kmeans(X, k, 'Replicates', r)"),
    cases=("numel(unique(kmeans([0; 0.1; 9; 9.1], 2))) == 2",),
    see=("pdist2",),
)
@takes(NUMBERS & MATRIX, NUMBERS & SCALAR)
def kmeans(ctx: Any, x: Value, k: Value, *args: Value) -> Value:
    """Clusters by Lloyd's iteration from k-means++ starts."""
    from scipy.cluster.vq import kmeans2
    from scipy.spatial import distance

    data, count = _rows(x), int(as_array(k).flat[0])
    if not 1 <= count <= len(data):
        text = "X must have at least as many rows as there are clusters."
        raise MatlabError("stats:kmeans:TooManyClusters", text)
    options = {text_of(n).lower(): v for n, v in zip(args[::2], args[1::2], strict=False)}
    best: tuple[float, Array, Array] | None = None
    for _ in range(int(as_array(options.get("replicates", 1.0)).flat[0])):
        u = stream_of(ctx).draw("uniform", (1, 1), np.dtype(np.float64))
        centres, labels = kmeans2(data, count, iter=100, minit="++", seed=int(u[0, 0] * 2**31))
        total = float(((data - centres[labels]) ** 2).sum())
        best = (total, centres, labels) if best is None or total < best[0] else best
    if best is None:
        raise MatlabError("stats:kmeans:BadReplicates", "Replicates must be positive.")
    _, centres, labels = best
    away = distance.cdist(data, centres, "sqeuclidean")
    sums = [away[labels == j, j].sum() for j in range(count)]
    return (
        canonical(labels.reshape(-1, 1) + 1.0),
        canonical(centres),
        canonical(np.array(sums).reshape(-1, 1)),
        canonical(away),
    )


@builtin(
    "pca",
    category=_FAMILY,
    signatures=("coeff = pca(X)", "[coeff, score, latent, tsquared, explained, mu] = pca(X)"),
    device=HostOnly("LAPACK's, but tall matrices are factored on graphics cards", lazy=True),
    cases=("norm(abs(pca([0 0; 1 1; 2 2])) - sqrt([.5; .5])) < 1e-12",),
    see=("cov", "svd"),
)
@takes(NUMBERS & MATRIX)
def pca(x: Value, *args: Value) -> Value:
    """Principal components of rows of observations."""
    from app.engine.builtins.device_forms import orthogonal

    found = orthogonal.spread(x) if is_large(x) else NotImplemented
    if found is NotImplemented:
        given = as_array(host(x))
        data = given if given.dtype == np.float32 else given.astype(np.float64)
        mean = data.mean(axis=0, keepdims=True)
        rows = away = data - mean
    else:
        rows, away, mean = found
    _, s, vh = np.linalg.svd(away, full_matrices=False)
    count, columns = rows.shape
    free, least = max(count - 1, 1), s[0] * 45 * np.finfo(s.dtype).eps
    kept = min(free, s.size)
    if count <= columns or s[-1] <= least:
        kept = min(kept, int((s > least).sum()))
    coeff = vh[:kept].T
    coeff = coeff * np.sign(coeff[np.argmax(np.abs(coeff), axis=0), np.arange(kept)])
    latent = s[:kept] ** 2 / free
    if found is NotImplemented:
        score = rows @ coeff
        distance = canonical((score**2 / latent).sum(axis=1).reshape(-1, 1))
        score = canonical(score)
    else:
        score, distance = orthogonal.scores(rows, coeff, latent)
    shares = 100 * latent / latent.sum()
    return (
        canonical(coeff),
        score,
        canonical(latent.reshape(-1, 1)),
        distance,
        canonical(shares.reshape(-1, 1)),
        canonical(mean),
    )
