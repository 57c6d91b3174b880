"""Nearest neighbours: rangesearch, createns, and splits into training and test."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import (
    NONEMPTY,
    NONNEGATIVE,
    NUMBERS,
    REAL,
    SCALAR,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.property_objects import PropertyObject
from app.engine.builtins.vectors import row
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Array,
    Cell,
    Value,
    as_array,
    canonical,
    is_cell,
    is_string,
    is_text_scalar,
    object_array,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "statistics"
_NORMS = {"euclidean": 2.0, "cityblock": 1.0, "chebychev": np.inf}


def _real(v: Value) -> Array:
    return np.atleast_2d(np.asarray(as_array(v), dtype=float))


def _norm(name: str, options: dict[str, Value]) -> float:
    word = text_of(options.get("distance", "euclidean")).lower()
    if word not in _NORMS:
        text = f"The distance must be one of: {', '.join(_NORMS)}."
        raise MatlabError(f"stats:{name}:UnrecognizedDistance", text)
    return _NORMS[word]


@builtin(
    "rangesearch",
    category=_FAMILY,
    signatures=("[idx, d] = rangesearch(X, Y, r)", "idx = rangesearch(X, Y, r, 'Distance', d)"),
    cases=("isequal(rangesearch([0; 1; 5], 0.2, 2), {[1 2]})",),
    see=("knnsearch",),
)
@takes(NUMBERS & REAL & NONEMPTY, NUMBERS & REAL & NONEMPTY, NUMBERS & REAL & SCALAR & NONNEGATIVE)
def rangesearch(x: Value, y: Value, r: Value, *rest: Value) -> Value:
    """For each row of Y the rows of X within a distance, the nearest first."""
    from scipy.spatial import cKDTree

    points, queries = _real(x), _real(y)
    if points.shape[1] != queries.shape[1]:
        raise MatlabError("stats:rangesearch:SizeMismatch", "X and Y need the same columns.")
    p = _norm("rangesearch", option_pairs("rangesearch", rest, "Distance"))
    tree, reach = cKDTree(points), real_number(r) * (1 + 1e-14)
    places, far = [], []
    for k in stoppable.heeding(range(len(queries)), every=1):
        found = tree.query_ball_point(queries[k], reach, p=p)
        d = np.linalg.norm(points[found] - queries[k], ord=p, axis=1)
        order = np.lexsort((found, d))
        places.append(row(np.array(found, dtype=float)[order] + 1))
        far.append(row(d[order]))
    shape = (len(places), 1)
    return Cell(object_array(places, shape)), Cell(object_array(far, shape))


@native_type
class Searcher(PropertyObject):
    """Points to search among.

    Attributes:
        x: one point in each row.
    """

    class_name = "KDTreeSearcher"

    def __init__(self, x: Array, distance: str) -> None:
        self.x, self.distance = x, distance

    def properties(self) -> dict[str, Value]:
        """The points and the distance."""
        return {"X": canonical(self.x), "Distance": self.distance, "BucketSize": 50.0}

    def methods(self) -> dict[str, Callable[..., Value]]:
        """The searches."""

        def through(name: str) -> Callable[..., Value]:
            return lambda ctx, args, n: _first(
                ctx.call(
                    name, (canonical(self.x), *args[1:], "Distance", self.distance), max(n, 1)
                ),
                n,
            )

        return {"knnsearch": through("knnsearch"), "rangesearch": through("rangesearch")}


def _first(found: tuple[Value, ...], nargout: int) -> Value:
    return found if nargout > 1 else found[0]


@builtin(
    "createns",
    category=_FAMILY,
    signatures=("NS = createns(X)", "NS = createns(X, 'Distance', d)"),
    cases=("knnsearch(createns([0; 5; 9]), 6) == 2",),
    see=("knnsearch", "KDTreeSearcher"),
)
@takes(NUMBERS & REAL & NONEMPTY)
def createns(x: Value, *rest: Value) -> Value:
    """An object to search neighbours in."""
    options = option_pairs("createns", rest, "Distance")
    _norm("createns", options)
    return Searcher(_real(x), text_of(options.get("distance", "euclidean")))


@builtin(
    "KDTreeSearcher",
    category=_FAMILY,
    signatures=("NS = KDTreeSearcher(X)", "NS = KDTreeSearcher(X, 'Distance', d)"),
    cases=("knnsearch(KDTreeSearcher([0; 5; 9]), 8) == 3",),
    see=("createns",),
)
@takes(NUMBERS & REAL & NONEMPTY, name="KDTreeSearcher")
def kd_tree_searcher(x: Value, *rest: Value) -> Value:
    """An object to search neighbours in."""
    return createns(x, *rest)


def labels_of(v: Value) -> tuple[Array, Value]:
    """Classes as numbers from 0, and their names as a column of the same class."""
    if is_cell(v) or is_string(v) or is_text_scalar(v):
        names, place = np.unique(np.array(texts_of(v)), return_inverse=True)
        return place, Cell(object_array(names.tolist(), (names.size, 1)))
    from app.engine.builtins.arrays.categorical_class import Categorical

    data = v.data if isinstance(v, Categorical) else as_array(v)
    values, place = np.unique(data.ravel(order="F"), return_inverse=True)
    made = values.reshape(-1, 1)
    return place.ravel(), v.like(made) if isinstance(v, Categorical) else unwrap(made)
