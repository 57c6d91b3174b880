"""Nearest neighbours: rangesearch, createns, fitcknn, and splits into training and test."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    NONEMPTY,
    NONNEGATIVE,
    NUMBERS,
    REAL,
    SCALAR,
    option_pairs,
    real_number,
    receiver,
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


@native_type
class NearestClassifier(PropertyObject):
    """Observations with classes; the nearest vote.

    Attributes:
        x: the observations.
        place: the class of each by number.
        names: the classes.
        count: how many neighbours vote.
    """

    class_name = "ClassificationKNN"

    def __init__(self, x: Array, place: Array, names: Value, count: int, norm: float) -> None:
        self.x, self.place, self.names, self.count, self.norm = x, place, names, count, norm
        self.centre, self.scale = np.zeros(x.shape[1]), np.ones(x.shape[1])

    def properties(self) -> dict[str, Value]:
        """Data and settings."""
        return {
            "X": canonical(self.x),
            "ClassNames": self.names,
            "NumNeighbors": float(self.count),
            "NumObservations": float(len(self.x)),
        }

    def votes(self, queries: Array) -> Array:
        """The share of each class among the nearest."""
        from scipy.spatial import cKDTree

        tree = cKDTree((self.x - self.centre) / self.scale)
        _, near = tree.query((queries - self.centre) / self.scale, self.count, p=self.norm)
        near = near.reshape(len(queries), -1)
        kinds = int(self.place.max()) + 1
        return np.array([np.bincount(self.place[n], minlength=kinds) for n in near]) / self.count

    def methods(self) -> dict[str, Callable[..., Value]]:
        """What the classifier does."""
        return {"predict": _predict, "resubLoss": _loss, "loss": _loss}


def _names_at(names: Value, place: Array) -> Value:
    from app.engine.interpreter.indexing.index_read import paren

    return paren(names, canonical(place.reshape(-1, 1).astype(float) + 1), ":")


def _predict(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    model = receiver(args, NearestClassifier)
    votes = model.votes(_real(args[1]))
    return _names_at(model.names, votes.argmax(axis=1)), canonical(votes), canonical(1 - votes)


def _loss(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    model = receiver(args, NearestClassifier)
    x, place = (model.x, model.place) if len(args) < 3 else (_real(args[1]), labels_of(args[2])[0])
    return float(np.mean(model.votes(x).argmax(axis=1) != place))


@builtin(
    "fitcknn",
    category=_FAMILY,
    signatures=("mdl = fitcknn(X, y)", "mdl = fitcknn(X, y, 'NumNeighbors', k, 'Distance', d)"),
    cases=("m = fitcknn([0; 1; 9; 8], {'a'; 'a'; 'b'; 'b'}); isequal(predict(m, 7), {'b'})",),
    see=("predict", "knnsearch"),
)
@takes(NUMBERS & REAL & NONEMPTY)
def fitcknn(x: Value, y: Value, *rest: Value) -> Value:
    """A classifier by the nearest neighbours."""
    options, points = option_pairs("fitcknn", rest, "NumNeighbors Distance Standardize"), _real(x)
    place, names = labels_of(y)
    if place.size != points.shape[0]:
        raise MatlabError("stats:fitcknn:InputSizeMismatch", "X and y need the same rows.")
    count = int(real_number(options.get("numneighbors", 1.0)))
    made = NearestClassifier(
        points, place, names, min(count, place.size), _norm("fitcknn", options)
    )
    if options.get("standardize") in (True, 1.0):
        made.centre, made.scale = points.mean(axis=0), points.std(axis=0, ddof=1)
    return made


def declare_loss(name: str, signature: str, summary: str, case: str) -> None:
    """Declare a measure of a classifier's errors."""

    def call(ctx: CallContext, mdl: Value, *args: Value) -> Value:
        from app.engine.arguments.operation_rules import undefined_for_class

        if not isinstance(mdl, NearestClassifier):
            raise undefined_for_class(name, mdl)
        return _loss(ctx, (mdl, *args), 1)

    builtin(
        name,
        category=_FAMILY,
        signatures=(signature,),
        text=summary,
        cases=(case,),
        see=("fitcknn",),
    )(call)


declare_loss(
    "resubLoss",
    "L = resubLoss(mdl)",
    "The share of training data that is told wrongly.",
    "resubLoss(fitcknn([0; 1; 9], [1; 1; 2])) == 0",
)
declare_loss(
    "loss",
    "L = loss(mdl, X, y)",
    "The share of data that a classifier tells wrongly.",
    "loss(fitcknn([0; 1; 9], [1; 1; 2]), [2; 8], [1; 1]) == 0.5",
)
