"""States of initial value problems: arrays of the host's, or terms where the first one is resident.

What a step computes of states that are on the device stays there; how large its error is, one
number, is fetched.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import resident
from app.engine.capture.terms import Term, cat, where
from app.engine.values import Array, DeviceArray, Value, as_array, canonical, numel

State: TypeAlias = Any
"""A flat array, or a term that is a column."""
CAUSE = "needs-host-value: how large is the error of a step?"
TOLERANCES = frozenset(
    ("RelTol", "AbsTol", "InitialStep", "MaxStep", "Refine", "Stats", "Vectorized")
)
"""Options that say nothing of single components, and call nothing."""
JOINED = 16
"""Columns that are put together at once."""


def first_state(y0: Value, options: Mapping[str, Value], *, stays: bool) -> State:
    """The initial state; it ``stays`` on the device where a method and its options let it."""
    usual = stays and type(y0) is DeviceArray and set(options) <= TOLERANCES
    if usual and numel(options.get("AbsTol", 1.0)) == 1:
        found = resident(y0)
        if found is not None and found[0].dtype.is_float and found[0].size > 1:
            return found[0].cast(DType.F64).reshape((found[0].size, 1))
    state = np.asarray(as_array(y0)).ravel(order="F")
    return state.astype(np.complex128 if state.dtype.kind == "c" else np.float64)


def argument(y: State) -> Value:
    """A state as functions take it: a column."""
    return y.value if isinstance(y, Term) else canonical(y.reshape(-1, 1))


class LeavesReals(Exception):
    """A state on the device that is real has slopes that are not."""


def slope_of(value: Value, like: State) -> State:
    """What a function gave, as states are; of any size.

    Raises:
        LeavesReals: they are complex, which is the host's work.
    """
    if isinstance(like, Term) and numel(value) == like.size:
        found = resident(value)
        if found is None:
            raise LeavesReals
        return found[0].cast(DType.F64).reshape(like.shape)
    return np.array(as_array(value)).ravel(order="F")


def weighted(weights: Iterable[float], stages: Sequence[State]) -> State:
    """The sum of slopes, so much of each."""
    return reduce(operator.add, (float(w) * k for w, k in zip(weights, stages, strict=True)))


def largest_ratio(difference: State, threshold: Array, *states: State) -> float:
    """The largest component in relation to the states' or a threshold; infinite for NaN."""
    if isinstance(difference, Term):
        scale = reduce(lambda a, b: a.max(b), map(abs, states))
        ratio = abs(difference / scale.max(float(threshold[0])))
        found = where(ratio.isnan(), np.inf, ratio).amax()
        Session.runtime.evaluate([found.node, *(s.node for s in states)], CAUSE)
        return float(Session.runtime.gather(found.node, CAUSE).item())
    scale = reduce(np.maximum, (*map(np.abs, states), threshold))
    return float(np.max(np.abs(difference / scale), initial=0.0))


def settle(states: Sequence[State]) -> None:
    """Work out states that are on the device."""
    nodes = [s.node for s in states if isinstance(s, Term)]
    if nodes:
        Session.runtime.evaluate(nodes, CAUSE)


def table(states: Sequence[State]) -> Value:
    """States as the rows of a matrix."""
    if not isinstance(states[0], Term):
        return canonical(np.array(states))
    parts = list(states)
    while len(parts) > 1:
        parts = [cat(1, *parts[k : k + JOINED]) for k in range(0, len(parts), JOINED)]
        settle(parts)
    return parts[0].permute(1, 0).value
