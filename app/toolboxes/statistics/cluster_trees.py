"""Hierarchical clustering and classes of observations: linkage, cluster, confusionmat, grp2idx."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import (
    MATRIX,
    NONEMPTY,
    NUMBERS,
    TEXT,
    one_of,
    option_pairs,
    real_number,
    takes,
    unknown_option,
)
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Value,
    as_array,
    canonical,
    float_of,
    is_cell,
    is_string,
    numel,
    object_array,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "statistics"
_METHODS = ("single", "complete", "average", "weighted", "centroid", "median", "ward")


@builtin(
    "linkage",
    category=_FAMILY,
    signatures=(
        "Z = linkage(X)",
        "Z = linkage(X, method)",
        "Z = linkage(X, method, metric)",
        "Z = linkage(distances, method)",
    ),
    cases=("isequal(linkage([0; 1; 5]), [1 2 1; 3 4 4])",),
    see=("cluster", "pdist"),
)
@takes(NUMBERS & MATRIX & NONEMPTY, TEXT, TEXT)
def linkage(x: Value, method: Value = "single", metric: Value = "euclidean") -> Value:
    """The tree of a hierarchical clustering: which two are joined at what distance, row by row."""
    from scipy.cluster.hierarchy import linkage as joined

    way = text_of(method).lower()
    if way not in _METHODS:
        raise MatlabError("stats:linkage:BadMethod", f"Unknown linkage method '{way}'.")
    a = as_array(x).astype(np.float64)
    if a.shape[0] == 1:
        found = joined(a.ravel(), way)
    else:
        found = joined(a, way, text_of(metric).lower().removesuffix("distance"))
    table = found[:, :3]
    table[:, :2] = np.sort(table[:, :2], axis=1) + 1
    return canonical(table)


@builtin(
    "cluster",
    category=_FAMILY,
    signatures=(
        "T = cluster(Z, 'MaxClust', n)",
        "T = cluster(Z, 'Cutoff', c)",
        "T = cluster(Z, 'Cutoff', c, 'Criterion', 'distance')",
    ),
    cases=("numel(unique(cluster(linkage([0; 1; 5; 6]), 'MaxClust', 2))) == 2",),
    see=("linkage", "kmeans"),
)
@takes(NUMBERS & MATRIX)
def cluster(z: Value, *args: Value) -> Value:
    """The numbers of the clusters that observations belong to, from a tree of linkage."""
    from scipy.cluster.hierarchy import fcluster

    table = as_array(z).astype(np.float64)
    if table.shape[1] < 3:
        raise MatlabError("stats:cluster:BadTree", "The tree must have three columns.")
    most = np.arange(len(table))[:, None] + len(table) + 1
    named = table[:, :2]
    if np.any((named % 1 > 0) | (named < 1) | (named > most)):
        text = "Each row of the tree must name two observations or clusters of rows above it."
        raise MatlabError("stats:cluster:BadTree", text)
    options = option_pairs("cluster", args, "MaxClust Cutoff Criterion")
    counts = np.ones(2 * len(table) + 1)
    for k, (a, b) in enumerate(table[:, :2].astype(int) - 1):
        counts[len(table) + 1 + k] = counts[a] + counts[b]
    full = np.column_stack([table[:, :2] - 1, table[:, 2], counts[len(table) + 1 :]])
    if "maxclust" in options:
        limit, rule = real_number(options["maxclust"]), "maxclust"
        if limit < 1 or limit % 1:
            text = "MaxClust must be a positive whole number."
            raise MatlabError("stats:cluster:BadMaxClust", text)
    elif "cutoff" in options:
        limit = real_number(options["cutoff"])
        wish = options.get("criterion", "inconsistent")
        rule = one_of("cluster", "Criterion", wish, "inconsistent distance")
    else:
        raise MatlabError("stats:cluster:CutoffOrMaxclustRequired", "Give 'MaxClust' or 'Cutoff'.")
    return canonical(fcluster(full, limit, rule).astype(np.float64).reshape(-1, 1))


def _order_of_classes(options: tuple[Value, ...], present: set[str | float]) -> list[Any]:
    """The classes in the order that was asked for, those that it leaves out behind."""
    if not options:
        return sorted(present)
    word = text_of(options[0])
    if word.lower() != "order" or len(options) != 2:
        raise unknown_option("confusionmat", word, "Order")
    wanted = options[1]
    words = is_cell(wanted) or is_string(wanted)
    first = texts_of(wanted) if words else as_array(wanted).ravel(order="F").astype(float).tolist()
    return [*dict.fromkeys((*first, *sorted(present - set(first))))]


def classes_of(groups: Value) -> tuple[Array, list[Value]]:
    """The number of each observation's class (from 0, -1 for none), and the classes in order."""
    if is_cell(groups) or is_string(groups):
        words = np.array(texts_of(groups), dtype=object)
        kinds, codes = np.unique(words.astype(str), return_inverse=True)
        return codes.ravel(), [str(k) for k in kinds]
    a = as_array(groups).ravel(order="F")
    kinds = np.unique(a[~np.isnan(a)] if a.dtype.kind == "f" else a)
    codes = np.searchsorted(kinds, a)
    if a.dtype.kind == "f":
        codes = np.where(np.isnan(a), -1, codes)
    return codes, [canonical(np.array([[k]])) for k in kinds]


@builtin(
    "grp2idx",
    category=_FAMILY,
    signatures=("[g, names, levels] = grp2idx(s)",),
    cases=("isequal(grp2idx([5; 3; 5]), [2; 1; 2])",),
    see=("findgroups", "unique"),
)
def grp2idx(groups: Value) -> Value:
    """Numbers of groups: of numbers in their order, of texts as they first appear."""
    codes, kinds = classes_of(groups)
    if is_cell(groups) or is_string(groups):
        _, first = np.unique(codes, return_index=True)
        order = np.argsort(first)
        codes, kinds = np.argsort(order)[codes], [kinds[k] for k in order]
    names = [k if isinstance(k, str) else f"{float_of(k):g}" for k in kinds]
    numbers = np.where(codes < 0, np.nan, codes + 1.0).reshape(-1, 1)
    shape = (len(kinds), 1)
    levels = (
        Cell(object_array(kinds, shape))
        if is_cell(groups)
        else canonical(np.array([as_array(k).flat[0] for k in kinds]).reshape(-1, 1))
        if not is_string(groups)
        else Cell(object_array(kinds, shape))
    )
    return canonical(numbers), Cell(object_array(names, shape)), levels


@builtin(
    "confusionmat",
    category=_FAMILY,
    signatures=("[C, order] = confusionmat(known, found)", "confusionmat(..., 'Order', order)"),
    cases=(
        "isequal(confusionmat([1 1 2], [1 2 2]), [1 1; 0 1])",
        "isequal(confusionmat([1 1 2], [1 2 2], 'Order', [2 1]), [1 0; 1 1])",
    ),
    see=("grp2idx", "unique"),
)
def confusionmat(known: Value, found: Value, *options: Value) -> Value:
    """How often each class (rows) was taken for each class (columns)."""
    if numel(known) != numel(found):
        text = "The two lists of classes must have the same length."
        raise MatlabError("stats:confusionmat:InputSizeMismatch", text)
    (a, first), (b, second) = classes_of(known), classes_of(found)
    keys = [k if isinstance(k, str) else float_of(k) for k in first + second]
    if len({type(k) for k in keys}) > 1:
        text = "Both lists must hold numbers, or both texts."
        raise MatlabError("stats:confusionmat:GTypeMismatch", text)
    every = _order_of_classes(options, set(keys))
    at = np.array([every.index(k) for k in keys])
    p, q = at[: len(first)][a], at[len(first) :][b]
    kept = (a >= 0) & (b >= 0)
    table = np.zeros((len(every), len(every)))
    np.add.at(table, (p[kept], q[kept]), 1)
    words = bool(every) and isinstance(every[0], str)
    order: Value = (
        Cell(object_array(every, (len(every), 1)))
        if words
        else canonical(np.array(every, dtype=np.float64).reshape(-1, 1))
    )
    return canonical(table), order


def _residual_reach(rest: Array, lever: Array, free: int, alpha: float) -> Array:
    """Half the width of the interval of each residual, by the error variance without it.

    After Chatterjee and Hadi, Influential Observations, High Leverage Points, and Outliers in
    Linear Regression, 1986. ``lever`` is the diagonal of the hat matrix; a case that decides its
    own fit has an interval without end.
    """
    from scipy import stats

    kept = np.maximum(1 - lever, 0)
    alone = kept <= np.sqrt(np.finfo(float).eps)
    others, kept = max(free - 1, 1), np.where(alone, 1.0, kept)
    total = float(rest @ rest)
    variance = np.maximum(total - rest**2 / kept, 0) if free > 1 else np.full(rest.shape, total)
    width = stats.t.ppf(1 - alpha / 2, others) * np.sqrt(variance / others * kept)
    return np.where(alone, np.inf, width)


@builtin(
    "regress",
    category=_FAMILY,
    signatures=("b = regress(y, X)", "[b, bint, r, rint, stats] = regress(y, X, alpha)"),
    cases=(
        "norm(regress([1; 2; 3], [1 0; 1 1; 1 2]) - [1; 1]) < 1e-12",
        "[~, ~, ~, rint] = regress([1 2.1 2.9 4.2 9 6.1]', [ones(6, 1) (1:6)']); "
        "isequal(rint(:, 1) > 0, [0; 0; 0; 0; 1; 0])",
    ),
    see=("mldivide", "polyfit"),
)
@takes(NUMBERS, NUMBERS, NUMBERS)
def regress(y: Value, x: Value, alpha: Value = 0.05, *, nargout: int = 1) -> Value:
    """Linear regression with confidence bounds, residuals, and R², F, p and error variance."""
    from scipy import stats

    right, m = as_array(y).astype(np.float64).ravel(), as_array(x).astype(np.float64)
    if m.shape[0] != right.size:
        text = "The number of rows of X must be the number of values of y."
        raise MatlabError("stats:regress:InvalidData", text)
    known = ~(np.isnan(right) | np.isnan(m).any(axis=1))
    a, b = m[known], right[known]
    beta = stoppable.lstsq(a, b, rcond=None)[0]
    if nargout < 2:
        return canonical(beta.reshape(-1, 1))
    rest = b - a @ beta
    free = max(b.size - a.shape[1], 0)
    spread = float(rest @ rest) / free if free else np.nan
    reach = stats.t.ppf(1 - float_of(alpha) / 2, free) if free else np.nan
    inverse = stoppable.pinv(a.T @ a)
    half = reach * np.sqrt(spread * np.diag(inverse))
    lever = np.einsum("ij,jk,ik->i", a, inverse, a)
    width = _residual_reach(rest, lever, free, float_of(alpha))
    residuals, limits = np.full((right.size, 1), np.nan), np.full((right.size, 2), np.nan)
    residuals[known, 0] = rest
    limits[known] = np.column_stack([rest - width, rest + width])
    total = float(((b - b.mean()) ** 2).sum())
    share = 1 - float(rest @ rest) / total if total else np.nan
    count = max(a.shape[1] - 1, 1)
    f = share / (1 - share) * free / count if free and share < 1 else np.nan
    p = float(stats.f.sf(f, count, free)) if free else np.nan
    return (
        canonical(beta.reshape(-1, 1)),
        canonical(np.column_stack([beta - half, beta + half])),
        canonical(residuals),
        canonical(limits),
        canonical(np.array([[share, f, p, spread]])),
    )
