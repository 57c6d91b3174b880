"""Functions of moving windows, abrupt changes, and sums over dimensions of two arrays."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import HANDLE, NUMBERS, option_pairs, real_number, takes
from app.engine.arguments.dimensions import first_axis
from app.engine.builtins.statistics import middles, moving
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    make_logical,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "moving windows"


@builtin(
    "movfun",
    category=_FAMILY,
    signatures=(
        "M = movfun(fun, A, k)",
        "M = movfun(fun, A, [before after], dim)",
        "M = movfun(..., 'Endpoints', ends)",
    ),
    cases=(
        "isequal(movfun(@mean, [1 2 3], 3), [1.5 2 2.5])",
        "isequal(movfun(@max, [1 5 2 3], [1 0], 'Endpoints', 'discard'), [5 5 3])",
        "isequal(movfun(@sum, [1 2 4 8], 3, 'SamplePoints', [1 2 5 9]), [3 3 4 8])",
    ),
    see=("movmean", "nlfilter"),
)
def movfun(ctx: CallContext, function: Value, a: Value, k: Value, *args: Value) -> Value:
    """A function of the window around every element; at the ends windows are shorter.

    Endpoints: shrink, fill (NaN), discard, or a number beyond the ends. Dimension: a number.
    SamplePoints: where the samples are, for windows in their unit.
    """
    HANDLE("movfun", 1, function)
    NUMBERS("movfun", 2, a)
    NUMBERS("movfun", 3, k)
    data, rest = as_array(a), list(args)
    axis = (
        int(real_number(rest.pop(0))) - 1
        if rest and not is_text_scalar(rest[0])
        else (first_axis(data.shape))
    )
    options = option_pairs("movfun", rest, "Endpoints SamplePoints")
    moved = np.moveaxis(data, axis, 0)
    lines = moved.reshape(moved.shape[0], -1)
    if "samplepoints" in options:
        places = moving.read("movfun", data, k, tuple(rest)).parts()
        made = [_values_of_parts(ctx, function, line, places) for line in lines.T]
    else:
        ends = options.get("endpoints", "shrink")
        sizes = as_array(k).ravel().astype(int)
        n = int(sizes[0])
        before, after = (n // 2, (n - 1) // 2) if sizes.size == 1 else (n, int(sizes[1]))
        made = [_values_along_line(ctx, function, line, before, after, ends) for line in lines.T]
    found = np.stack(made, axis=1) if made else np.zeros(lines.shape)
    return canonical(np.moveaxis(found.reshape(-1, *moved.shape[1:]), 0, axis))


def _values_of_parts(
    ctx: CallContext, function: Value, line: Array, places: list[tuple[int, int]]
) -> Array:
    parts = (canonical(line[low:high].reshape(-1, 1)) for low, high in places)
    return np.array([as_array(ctx.call(function, (part,), 1)[0]).flat[0] for part in parts])


def _values_along_line(
    ctx: CallContext, function: Value, line: Array, before: int, after: int, ends: Value
) -> Array:
    size, word = line.size, text_of(ends).lower() if is_text_scalar(ends) else ""
    if word not in ("", "shrink", "fill", "discard"):
        message = "Endpoints must be shrink, fill, discard or a number."
        raise MatlabError("MATLAB:movfun:InvalidEndpoints", message)
    if not word:
        beyond = real_number(ends)
        line = np.concatenate([np.full(before, beyond), line, np.full(after, beyond)])
    found = []
    for k in range(size):
        low, high = (
            (k, k + before + after + 1)
            if not word
            else (max(k - before, 0), min(k + after + 1, size))
        )
        whole = not word or high - low == before + after + 1
        if word == "discard" and not whole:
            continue
        if word == "fill" and not whole:
            found.append(np.nan)
            continue
        found.append(_values_of_parts(ctx, function, line, [(low, high)])[0])
    return np.array(found)


@builtin(
    "ischange",
    category="data preparation",
    signatures=(
        "TF = ischange(A)",
        "[TF, S1, S2] = ischange(A, method)",
        "TF = ischange(..., 'MaxNumChanges', n, 'Threshold', t)",
    ),
    cases=("isequal(find(ischange([0 0 0 9 9 9])), 4)",),
    see=("isoutlier", "islocalmax"),
)
@takes(NUMBERS)
def ischange(a: Value, *args: Value) -> Value:
    """Where the mean, the variance or the line of a vector changes abruptly.

    Optimal partitioning (Jackson and others, 2005): every change has to lower the cost by more
    than the threshold (1), or the given number of changes is the best one.
    """
    rest = list(args)
    method = text_of(rest.pop(0)).lower() if len(rest) % 2 and is_text_scalar(rest[0]) else "mean"
    if method not in ("mean", "variance", "linear"):
        message = "The method must be mean, variance or linear."
        raise MatlabError("MATLAB:ischange:InvalidMethod", message)
    options, data = (
        option_pairs("ischange", rest, "MaxNumChanges Threshold"),
        as_array(a).astype(np.float64),
    )
    x = data.ravel()
    if method == "mean":
        spread = middles.median(np.abs(x - middles.median(x))) if x.size else 0.0
        x = x / (1.4826 * spread or x.std() or 1.0)
    cost = _costs(x, method)
    most = int(real_number(options["maxnumchanges"])) if "maxnumchanges" in options else None
    cuts = _partition(cost, real_number(options.get("threshold", 1.0)), most)
    flags = np.zeros(x.size, dtype=bool)
    flags[cuts] = True
    levels = np.zeros((2, x.size))
    for low, high in zip([0, *cuts], [*cuts, x.size], strict=True):
        part = data.ravel()[low:high]
        levels[0, low:high] = part.mean() if part.size else 0
        levels[1, low:high] = part.var(ddof=min(1, part.size - 1)) if part.size else 0
    return (
        make_logical(flags.reshape(data.shape)),
        *(canonical(v.reshape(data.shape)) for v in levels),
    )


def _costs(x: Array, method: str) -> Array:
    """The cost of every part from row to column (not included)."""
    n, k = x.size, np.arange(x.size, dtype=float)
    sums = [np.concatenate([[0.0], np.cumsum(v)]) for v in (x, x * x, k, k * k, k * x)]
    s, ss, t, tt, ts = (v[None, :] - v[:, None] for v in sums)
    count = np.maximum(np.arange(n + 1)[None, :] - np.arange(n + 1)[:, None], 1)
    left = ss - s**2 / count
    if method == "variance":
        left = count * np.log(np.maximum(left / count, 1e-300))
        left[count < 2] = 0.0
    if method == "linear":
        spread, slope = tt - t**2 / count, ts - t * s / count
        left = left - np.where(spread > 0, slope**2 / np.where(spread > 0, spread, 1), 0)
    return np.asarray(np.maximum(left, 0) if method != "variance" else left)


def _partition(cost: Array, threshold: float, most: int | None) -> list[int]:
    """The beginnings of the parts after the first that make the whole cheapest."""
    n = cost.shape[0] - 1
    if most is None:
        best, back = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=int)
        best[0] = -threshold
        for end in range(1, n + 1):
            totals = best[:end] + cost[:end, end] + threshold
            back[end] = int(np.argmin(totals))
            best[end] = totals[back[end]]
        cuts, at = [], n
        while at > 0 and back[at] > 0:
            at = int(back[at])
            cuts.append(at)
        return cuts[::-1]
    table, steps = cost[0].copy(), []
    for _ in range(min(most, max(n - 1, 0))):
        options = table[:, None] + np.where(np.triu(np.ones_like(cost), 1) > 0, cost, np.inf)
        options[0] = np.inf
        steps.append(options.argmin(axis=0))
        table = options.min(axis=0)
    cuts, at = [], n
    for step in reversed(steps):
        at = int(step[at])
        cuts.append(at)
    return sorted(set(cuts) - {0})
