"""Images cut into classes by levels: multithresh, imquantize."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.checks import (
    NONEMPTY,
    NUMBER,
    NUMBERS,
    POSITIVE,
    WHOLE,
    takes,
)
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, int_of, numel
from app.errors import MatlabError

_FAMILY = "images"
_MOST_LEVELS = 255


@builtin(
    "multithresh",
    category=_FAMILY,
    signatures=("t = multithresh(A)", "[t, metric] = multithresh(A, n)"),
    cases=("t = multithresh([0 0 0.5 0.5 1 1], 2); t(1) < 0.5 && t(2) >= 0.5",),
    see=("graythresh", "imquantize"),
)
@takes(NUMBERS & NONEMPTY, NUMBER & WHOLE & POSITIVE)
def multithresh(a: Value, n: Value = 1.0) -> Value:
    """Levels that separate n+1 classes best (N. Otsu, 1979), searched exactly."""
    image, count = as_array(a), int_of(n)
    if not 1 <= count <= _MOST_LEVELS:
        text = f"The number of thresholds must be from 1 to {_MOST_LEVELS}."
        raise MatlabError("images:multithresh:invalidNumberOfThresholds", text)
    low, high = float(image.min()), float(image.max())
    scaled = np.rint((image.astype(float) - low) / ((high - low) or 1) * 255).astype(int)
    p = np.bincount(scaled.ravel(), minlength=256) / image.size
    cuts, between = _best_cuts(p, count)
    levels = low + (np.array(cuts) / 255) * (high - low)
    whole_variance = (p * (np.arange(256) - (p * np.arange(256)).sum()) ** 2).sum()
    kind = image.dtype if image.dtype.kind in "iuf" else np.dtype(float)
    found = np.rint(levels) if kind.kind in "iu" else levels
    return canonical(found.astype(kind).reshape(1, -1)), float(between / (whole_variance or 1))


def _best_cuts(p: Array, count: int) -> tuple[list[int], float]:
    """Cuts of a histogram that make its parts' means differ most, by dynamic programming."""
    weight, moment = (np.concatenate([[0], np.cumsum(v)]) for v in (p, p * np.arange(p.size)))
    w, m = weight[None, :] - weight[:, None], moment[None, :] - moment[:, None]
    gain: Any = np.where(w > 0, m**2 / np.where(w > 0, w, 1), 0)
    gain = np.where(np.triu(np.ones_like(gain), 1) > 0, gain, -np.inf)
    best, back = gain[0], []
    for _ in range(count):
        table = best[:, None] + gain
        back.append(table.argmax(axis=0))
        best = table.max(axis=0)
    at, cuts = p.size, []
    for choice in reversed(back):
        at = int(choice[at])
        cuts.append(at - 1)
    return cuts[::-1], float(best[p.size] - moment[-1] ** 2)


@builtin(
    "imquantize",
    category=_FAMILY,
    signatures=("Q = imquantize(A, levels)", "[Q, k] = imquantize(A, levels, values)"),
    cases=("isequal(imquantize([1 2 3], [1.5 2.5]), [1 2 3])",),
    see=("multithresh", "discretize"),
)
@takes(NUMBERS, NUMBERS & NONEMPTY, NUMBERS)
def imquantize(a: Value, levels: Value, values: Value | None = None) -> Value:
    """The class every pixel falls into between levels, or the class's value."""
    edges = as_array(levels).ravel()
    if (np.diff(edges.astype(float)) < 0).any():
        message = "The levels must be in increasing order."
        raise MatlabError("images:imquantize:levelsMustBeIncreasing", message)
    k = np.searchsorted(edges, as_array(a), side="left")
    if values is None:
        return canonical(k + 1.0), canonical(k + 1.0)
    if numel(values) != edges.size + 1:
        message = "There must be one value more than levels."
        raise MatlabError("images:imquantize:incorrectNumValues", message)
    return canonical(as_array(values).ravel()[k]), canonical(k + 1.0)
