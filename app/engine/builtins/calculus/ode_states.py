"""States of initial value problems: arrays of the host's, or terms where they are resident or long.

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
from app.engine.capture.term_arrays import is_resident, real_term_of
from app.engine.capture.terms import Term, cat, where
from app.engine.values import Array, DeviceArray, Value, as_array, canonical, numel

State: TypeAlias = Any
"""A flat array, or a term that is a column."""
CAUSE = "needs-host-value: how large is the error of a step?"
TOLERANCES = frozenset(
    ("RelTol", "AbsTol", "InitialStep", "MaxStep", "Refine", "Stats", "Vectorized")
)
"""Options that say nothing of single components, and call nothing."""
MANY = 1 << 16
"""Components of a state whose steps take the host longer than planning them."""
SPENT_MS = 1e-2
"""What the host takes for a component, in all steps of an ordinary problem."""
JOINED = 16
"""Columns that are put together at once."""


def first_state(y0: Value, options: Mapping[str, Value], *, stays: bool) -> State:
    """The initial state: a term where a method and its options let it stay what it is, and where it
    is resident or so long that a card is worth the way to it: each step is then a plan."""
    usual = stays and set(options) <= TOLERANCES and numel(options.get("AbsTol", 1.0)) == 1
    if usual and isinstance(y0, (DeviceArray, np.ndarray)) and Session.is_active:
        found = real_term_of(y0) if _is_worth_a_card(y0.size) or is_resident(y0) else None
        if found is not None and found.dtype.is_float and found.size > 1:
            return found.cast(DType.F64).reshape((found.size, 1))
    state = np.asarray(as_array(y0)).ravel(order="F")
    return state.astype(np.complex128 if state.dtype.kind == "c" else np.float64)


def _is_worth_a_card(size: int) -> bool:
    """Whether a graphics card has solved a problem of so many components before the host."""
    if size < MANY or Session.runtime.options.device != "auto":
        return False
    with Session.runtime.lock:
        return bool(Session.runtime.planner.has_card_for(size * SPENT_MS))


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
        found = real_term_of(value)
        if found is None:
            raise LeavesReals
        return found.cast(DType.F64).reshape(like.shape)
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
