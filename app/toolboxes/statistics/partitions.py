"""Splits into training and test: cvpartition."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, option_pairs, real_number, unknown_option
from app.engine.builtins.property_objects import PropertyObject
from app.engine.builtins.vectors import row
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Array,
    Value,
    as_array,
    is_cell,
    is_string,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError
from app.toolboxes.statistics.neighbours import labels_of

_FAMILY = "statistics"


@native_type
class Partition(PropertyObject):
    """A split of observations.

    Attributes:
        fold: for each observation the test set that it is in, from 1; 0 for none.
    """

    class_name = "cvpartition"

    def __init__(self, kind: str, fold: Array) -> None:
        self.kind, self.fold = kind, fold

    def properties(self) -> dict[str, Value]:
        """Sizes."""
        sets = int(self.fold.max(initial=0))
        sizes = np.bincount(self.fold, minlength=sets + 1)[1:].astype(float)
        return {
            "Type": self.kind,
            "NumObservations": float(self.fold.size),
            "NumTestSets": float(sets),
            "TestSize": row(sizes),
            "TrainSize": row(self.fold.size - sizes),
        }

    def methods(self) -> dict[str, Callable[..., Value]]:
        """The two sides of the split."""

        def side(*, test: bool) -> Callable[..., Value]:
            def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
                sets = max(int(self.fold.max(initial=0)), 1)
                which = np.ones(1)
                if len(args) > 1 and is_text_scalar(args[1]):
                    if text_of(args[1]).lower() != "all":
                        raise unknown_option("cvpartition", text_of(args[1]), "all")
                    which = np.arange(1.0, sets + 1)
                elif len(args) > 1:
                    which = as_array(args[1]).ravel()
                if which.size and not (1 <= which.min() <= which.max() <= sets):
                    text = f"The number of a set must be from 1 to {sets}."
                    raise MatlabError("stats:cvpartition:BadSet", text)
                return unwrap((self.fold[:, None] == which[None, :]) == test)

            return call

        return {"test": side(test=True), "training": side(test=False)}


@builtin(
    "cvpartition",
    category=_FAMILY,
    least=2,
    signatures=(
        "c = cvpartition(n, 'KFold', k)",
        "c = cvpartition(n, 'HoldOut', p)",
        "c = cvpartition(group, 'KFold', k)",
        "c = cvpartition(n, 'LeaveOut')",
        "c = cvpartition('CustomPartition', testSets)",
    ),
    cases=(
        "c = cvpartition(10, 'KFold', 5); c.NumTestSets == 5 && sum(test(c, 1)) == 2",
        "c = cvpartition(10, 'HoldOut', 0.3); sum(training(c)) == 7",
        "t = logical([1 0; 0 1; 0 0]); isequal(test(cvpartition('CustomPartition', t), 'all'), t)",
        'c = cvpartition([1 1 2 2], "KFold", 2); isequal(test(c, "all"), ~training(c, "all"))',
        "c = cvpartition('CustomPartition', [2 1 2]); isequal(test(c, 2), logical([1; 0; 1]))",
    ),
    see=("randperm",),
)
def cvpartition(
    ctx: CallContext, what: Value, kind: Value, size: Value | None = None, *rest: Value
) -> Value:
    """A random split into training and test; groups are spread evenly."""
    if is_text_scalar(what) and text_of(what).lower() == "custompartition":
        return Partition("custom", _given_sets(kind))
    single = not (is_cell(what) or is_string(what)) and as_array(what).size == 1
    group = np.zeros(int(real_number(what)), dtype=int) if single else labels_of(what)[0]
    if size is not None and is_text_scalar(size):
        size, rest = None, (size, *rest)
    options = option_pairs("cvpartition", rest, "Stratify")
    if not flag(options, "stratify", True):
        group = np.zeros(group.size, dtype=int)
    word, n = text_of(kind).lower(), group.size
    if word == "kfold":
        return kfold_split(ctx, n, real_number(10.0 if size is None else size), group)
    order, fold = _random_order(ctx, n, group), np.zeros(n, dtype=int)
    if word == "leaveout":
        fold = np.arange(1, n + 1)
    elif word == "holdout":
        share = real_number(0.5 if size is None else size)
        if not 0 < share < n:
            text = "The part held out is a share below 1 or a number of observations below all."
            raise MatlabError("stats:cvpartition:BadHoldOut", text)
        count = round(share * n) if share < 1 else int(share)
        fold[order[np.linspace(0, n, count, endpoint=False).astype(int)]] = 1
    elif word != "resubstitution":
        raise MatlabError("stats:cvpartition:UnknownType", "Use KFold, HoldOut or LeaveOut.")
    return Partition(word, fold)


def _given_sets(sets: Value) -> Array:
    """The test set of every observation: given by number, or by one column of flags for each."""
    a = as_array(sets)
    if a.dtype.kind != "b":
        numbers = a.astype(int).ravel(order="F")
        if numbers.min(initial=1) < 1 or np.any(numbers != a.ravel(order="F")):
            text = "The numbers of test sets must be whole, from 1."
            raise MatlabError("stats:cvpartition:BadTestSets", text)
        return numbers
    flags = a.reshape(-1, 1) if 1 in a.shape else a
    if np.any(flags.sum(axis=1) > 1):
        text = "An observation can be in one test set only."
        raise MatlabError("stats:cvpartition:BadTestSets", text)
    return np.asarray(flags @ np.arange(1, flags.shape[1] + 1))


def kfold_split(
    ctx: CallContext, count: int, folds: float, group: Array | None = None
) -> Partition:
    """A random split of ``count`` observations into test sets; groups are spread evenly."""
    fold = np.zeros(count, dtype=int)
    fold[_random_order(ctx, count, group)] = np.arange(count) % int(folds) + 1
    return Partition("kfold", fold)


def _random_order(ctx: CallContext, count: int, group: Array | None) -> Array:
    """The observations in random order, those of a group behind one another."""
    order = np.argsort(stream_of(ctx).draw("uniform", (count, 1), np.dtype(np.float64)).ravel())
    return order if group is None else order[np.argsort(group[order], kind="stable")]


def declare_side(name: str, summary: str) -> None:
    """Declare one side of a split."""

    def call(ctx: CallContext, c: Value, k: Value = 1.0) -> Value:
        from app.engine.arguments.operation_rules import undefined_for_class

        if not isinstance(c, Partition):
            raise undefined_for_class(name, c)
        return c.methods()[name](ctx, (c, k), 1)

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"tf = {name}(c, k)",),
        text=summary,
        cases=(f"c = cvpartition(8, 'KFold', 4); any(sum({name}(c, 2)) == [2 6])",),
        see=("cvpartition",),
    )(call)


declare_side("test", "The observations of a split to test with.")
declare_side("training", "The observations of a split to train with.")
