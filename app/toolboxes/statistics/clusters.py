"""Groups in data: dbscan, kmedoids, silhouette, crossvalind, randsrc."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    MATRIX,
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    REAL,
    SCALAR,
    one_of,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.statistics import column_forms
from app.engine.builtins.vectors import column
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, text_of
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError
from app.toolboxes.statistics.neighbours import labels_of

_FAMILY = "statistics"
_TABLE = NUMBERS & REAL & NONEMPTY & MATRIX
_NAMES = {
    "euclidean": "euclidean",
    "sqeuclidean": "sqeuclidean",
    "cityblock": "cityblock",
    "chebychev": "chebyshev",
    "cosine": "cosine",
    "correlation": "correlation",
}


def _real(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


def _metric(name: str, given: Value) -> str:
    word = text_of(given).lower() if is_text_scalar(given) else ""
    if word not in _NAMES:
        text = f"The distance must be one of: {', '.join(_NAMES)}."
        raise MatlabError(f"stats:{name}:UnrecognizedDistance", text)
    return _NAMES[word]


def _pairwise_distances(a: Array, b: Array, metric: str) -> Array:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(a, b, metric))


@builtin(
    "dbscan",
    category=_FAMILY,
    signatures=("idx = dbscan(X, epsilon, minpts)", "[idx, core] = dbscan(..., 'Distance', d)"),
    cases=("isequal(dbscan([0; 0.1; 0.2; 5; 5.1; 9], 0.3, 2), [1; 1; 1; 2; 2; -1])",),
    see=("kmeans",),
)
@takes(_TABLE, NUMBERS & REAL & SCALAR & POSITIVE, COUNT & POSITIVE)
def dbscan(x: Value, epsilon: Value, minpts: Value, *rest: Value) -> Value:
    """Groups of points that are dense; -1 for those in none."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    options = option_pairs("dbscan", rest, "Distance")
    points = _real(x)
    near = _pairwise_distances(
        points, points, _metric("dbscan", options.get("distance", "euclidean"))
    ) <= (real_number(epsilon))
    core = near.sum(axis=1) >= real_number(minpts)
    labels = np.full(len(points), -1)
    if core.any():
        parts = connected_components(csr_matrix(near[np.ix_(core, core)]), directed=False)[1]
        labels[core] = parts
        for k in np.flatnonzero(~core & near[:, core].any(axis=1)):
            labels[k] = labels[core][near[k, core].argmax()]
    order = {old: new + 1 for new, old in enumerate(dict.fromkeys(labels[labels >= 0].tolist()))}
    found = np.array([order.get(k, -1) for k in labels.tolist()], dtype=float)
    return column(found), canonical(core.reshape(-1, 1))


@builtin(
    "kmedoids",
    category=_FAMILY,
    signatures=("[idx, C, sumd, D] = kmedoids(X, k)", "idx = kmedoids(X, k, 'Distance', d)"),
    cases=("[i, c] = kmedoids([1; 2; 3; 11; 12; 13], 2); isequal(sort(c), [2; 12])",),
    see=("kmeans",),
)
@takes(_TABLE, COUNT & POSITIVE)
def kmedoids(ctx: CallContext, x: Value, k: Value, *rest: Value) -> Value:
    """Groups around points of the data, by exchanging them while that helps."""
    options = option_pairs("kmedoids", rest, "Distance")
    points, count = _real(x), int(real_number(k))
    if count > len(points):
        raise MatlabError("stats:kmedoids:TooManyClusters", "X must have more rows than clusters.")
    far = _pairwise_distances(
        points, points, _metric("kmedoids", options.get("distance", "sqEuclidean"))
    )
    chosen = [int(far.sum(axis=1).argmin())]
    while len(chosen) < count:
        gain = np.maximum(far[:, chosen].min(axis=1)[:, None] - far, 0).sum(axis=0)
        gain[chosen] = -1
        chosen.append(int(gain.argmax()))
    cost = far[:, chosen].min(axis=1).sum()
    better = True
    while better:
        better = False
        for slot in range(count):
            others = [c for n, c in enumerate(chosen) if n != slot]
            held = far[:, others].min(axis=1) if others else np.full(len(points), np.inf)
            totals = np.minimum(held[:, None], far).sum(axis=0)
            best = int(totals.argmin())
            if totals[best] < cost - 1e-12:
                chosen[slot], cost, better = best, totals[best], True
    place = far[:, chosen].argmin(axis=1)
    sums = np.array([far[place == c, chosen[c]].sum() for c in range(count)])
    return column(place + 1.0), canonical(points[chosen]), column(sums), canonical(far[:, chosen])


@builtin(
    "silhouette",
    category=_FAMILY,
    signatures=("s = silhouette(X, idx)", "[s, h] = silhouette(X, idx, distance)"),
    cases=("s = silhouette([0; 1; 10; 11], [1; 1; 2; 2]); all(s > 0.9)",),
    see=("kmeans",),
)
@takes(_TABLE)
def silhouette(
    ctx: CallContext, x: Value, idx: Value, distance: Value = "sqEuclidean", nargout: int = 1
) -> Value:
    """How much nearer each point is to its own group than to the next; draws without outputs."""
    points, place = _real(x), labels_of(idx)[0]
    if place.size != len(points):
        raise MatlabError(
            "stats:silhouette:InputSizeMismatch", "There must be a group for each row."
        )
    far = _pairwise_distances(points, points, _metric("silhouette", distance))
    groups = np.unique(place)
    means = np.array([far[:, place == g].sum(axis=1) for g in groups]).T
    sizes = np.array([np.sum(place == g) for g in groups], dtype=float)
    own = np.searchsorted(groups, place)
    rows = np.arange(len(points))
    with np.errstate(all="ignore"):
        inner = means[rows, own] / (sizes[own] - 1)
        outer = means / sizes
        outer[rows, own] = np.inf
        other = outer.min(axis=1)
        made = (other - inner) / np.maximum(inner, other)
    made = np.where(sizes[own] == 1, 0.0, made)
    if nargout:
        return column(made), canonical(np.zeros((0, 0)))
    ctx.call(
        "barh", (column(np.concatenate([np.sort(made[own == g]) for g in range(len(groups))])),), 0
    )
    return ()


@builtin(
    "crossvalind",
    category=_FAMILY,
    signatures=(
        "idx = crossvalind('Kfold', n, k)",
        "[train, test] = crossvalind('HoldOut', n, p)",
        "[train, test] = crossvalind('LeaveMOut', n, m)",
        "[train, test] = crossvalind('Resubstitution', n, [p q])",
        "[...] = crossvalind(..., 'Classes', labels, 'Min', m)",
    ),
    cases=(
        "isequal(accumarray(crossvalind('Kfold', 10, 5), 1), 2*ones(5, 1))",
        "g = [1 1 1 1 2 2]'; [t, s] = crossvalind('HoldOut', g, .5); sum(s(g == 1)) == 2",
        "[t, s] = crossvalind('HoldOut', 6, .5, 'Classes', [1 1 1 1 2 2]); sum(s(5:6)) == 1",
        "[t, s] = crossvalind('LeaveMOut', 5, 2); sum(s) == 2 && isequal(t, ~s)",
    ),
    see=("cvpartition",),
)
def crossvalind(
    ctx: CallContext, method: Value, what: Value, size: Value | None = None, *options: Value
) -> Value:
    """A random split: numbers of folds, or flags for training and test.

    Labels instead of a number of observations, or those of 'Classes', are split class by class.
    """
    if size is not None and is_text_scalar(size):
        size, options = None, (size, *options)
    given = option_pairs("crossvalind", options, "Classes Min")
    single = not is_text_scalar(what) and np.size(as_array(what)) == 1
    labels = given.get("classes", None if single else what)
    n = int(real_number(what)) if single else labels_of(what)[0].size
    group = np.zeros(n, int) if labels is None else labels_of(labels)[0].ravel()
    if group.size != n:
        raise MatlabError("bioinfo:crossvalind:BadClasses", "There must be a label for each one.")
    least = int(real_number(given.get("min", 1.0)))
    if least > np.bincount(group).max(initial=0):
        raise MatlabError("bioinfo:crossvalind:BadMin", "No class has so many observations.")
    draws = stream_of(ctx).draw("uniform", (n, 1), np.dtype(np.float64)).ravel()
    order = np.lexsort((draws, group))  # at random, class after class
    word = one_of("crossvalind", "Method", method, "kfold holdout leavemout resubstitution")
    if word == "kfold":
        fold = np.empty(n)
        fold[order] = np.arange(n) % int(real_number(5.0 if size is None else size)) + 1
        return column(fold)
    parts = as_array({"holdout": 0.5, "leavemout": 1.0}.get(word, 1.0) if size is None else size)
    flat = parts.astype(np.float64).ravel()
    if word == "leavemout":
        chosen = [np.argsort(draws)[: int(flat[0])]]
    else:
        classes = [order[group[order] == k] for k in np.unique(group)]
        chosen = [rows[: max(round(flat[0] * rows.size), least)] for rows in classes]
    test = np.zeros(n, dtype=bool)
    test[np.concatenate(chosen)] = True
    train = ~test
    if word == "resubstitution":
        rest = flat[-1] if flat.size > 1 else flat[0]
        train = np.zeros(n, dtype=bool)
        train[np.argsort(-draws)[: round(rest * n)]] = True
    return canonical(train.reshape(-1, 1)), canonical(test.reshape(-1, 1))


@builtin(
    "randsrc",
    category="random numbers",
    least=0,
    signatures=(
        "r = randsrc(m, n)",
        "r = randsrc(m, n, alphabet)",
        "r = randsrc(m, n, [alphabet; prob])",
    ),
    cases=("all(ismember(randsrc(3, 4, [2 5]), [2 5]), 'all')",),
    see=("randi",),
)
def randsrc(
    ctx: CallContext, m: Value = 1.0, n: Value | None = None, alphabet: Value | None = None
) -> Value:
    """Random elements of an alphabet, of -1 and 1 unless said."""
    for k, v in enumerate((m, m if n is None else n), 1):
        COUNT("randsrc", k, v)
    shape = (int(real_number(m)), int(real_number(m if n is None else n)))
    table = np.array([[-1.0, 1.0]]) if alphabet is None else np.atleast_2d(_real(alphabet))
    chances = table[1] if table.shape[0] > 1 else np.full(table.shape[1], 1 / table.shape[1])
    draws = stream_of(ctx).draw("uniform", shape, np.dtype(np.float64))
    place = np.searchsorted(np.cumsum(chances), draws, side="right")
    return canonical(table[0][np.minimum(place, table.shape[1] - 1)])


def declare_column_scale(name: str, case: str, *, rows: bool) -> None:
    """Declare normc or normr."""

    def call(m: Value) -> Value:
        (NUMBERS & MATRIX)(name, 1, m)
        a = np.asarray(as_array(m))
        size = np.linalg.norm(a, axis=1 if rows else 0, keepdims=True)
        return canonical(a / np.where(size > 0, size, 1))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"N = {name}(M)",),
        device=of_resident(column_forms.unit_length(1 if rows else 0)),
        cases=(case,),
        see=("norm",),
        text=f"The {'rows' if rows else 'columns'} of a matrix scaled to length one.",
    )(call)


declare_column_scale("normc", "norm(normc([3; 4]) - [0.6; 0.8]) < 1e-15", rows=False)
declare_column_scale("normr", "norm(normr([3 4]) - [0.6 0.8]) < 1e-15", rows=True)


@builtin(
    "lagmatrix",
    category=_FAMILY,
    signatures=("Y = lagmatrix(X, lags)",),
    device=of_resident(column_forms.lagmatrix),
    cases=("isequaln(lagmatrix([1; 2; 3], [1 -1]), [NaN 2; 1 3; 2 NaN])",),
    see=("circshift",),
)
@takes(_TABLE, NUMBERS & REAL & NONEMPTY)
def lagmatrix(x: Value, lags: Value) -> Value:
    """Columns moved down by lags; NaN where nothing is known."""
    a = _real(x)
    a = a.T if a.shape[0] == 1 else a
    parts = []
    for lag in _real(lags).ravel().astype(int).tolist():
        part = np.full(a.shape, np.nan)
        if abs(lag) < len(a):
            part[max(lag, 0) : len(a) + min(lag, 0)] = a[max(-lag, 0) : len(a) - max(lag, 0)]
        parts.append(part)
    return canonical(np.hstack(parts))


@builtin(
    "hpfilter",
    category=_FAMILY,
    signatures=("[trend, cyclical] = hpfilter(y)", "[trend, cyclical] = hpfilter(y, lambda)"),
    cases=("norm(hpfilter((1:9)', 1600) - (1:9)') < 1e-8",),
    see=("detrend",),
)
@takes(_TABLE, NUMBERS & REAL)
def hpfilter(y: Value, smoothing: Value = 1600.0) -> Value:
    """The trend of a series and what is left (Hodrick and Prescott)."""
    from scipy.sparse import diags, eye
    from scipy.sparse.linalg import spsolve

    a = _real(y)
    n = len(a)
    if n < 3:
        raise MatlabError("econ:hpfilter:InsufficientData", "There must be three observations.")
    bend = diags([1.0, -2.0, 1.0], [0, 1, 2], shape=(n - 2, n))
    trend = spsolve((eye(n) + real_number(smoothing) * bend.T @ bend).tocsc(), a).reshape(a.shape)
    return canonical(trend), canonical(a - trend)
