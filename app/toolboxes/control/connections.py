"""Systems in series, in parallel and in loops."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import NUMBERS, SCALAR, real_number
from app.engine.declarations.registry import builtin
from app.engine.values import Value, as_array
from app.errors import MatlabError
from app.toolboxes.control.conversions import system
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.system_arithmetic import fed_back, plus, times

_FAMILY = "control systems"


def _indices(v: Value, count: int) -> list[int]:
    """Numbers of channels, from 0; each must be one of so many."""
    numbers = np.asarray(as_array(v)).ravel().tolist()
    if not all(k in range(1, count + 1) for k in numbers):
        text = f"Channels must be whole numbers from 1 to {count}."
        raise MatlabError("Control:combination:InvalidChannel", text)
    return [int(k) - 1 for k in numbers]


@builtin(
    "series",
    words="",
    category=_FAMILY,
    signatures=("sys = series(sys1, sys2)", "sys = series(sys1, sys2, outputs1, inputs2)"),
    cases=("isequal(series(tf(1, [1 1]), tf(2, [1 2])), tf(2, [1 3 2]))",),
    see=("parallel", "feedback"),
)
def series(
    sys1: Value, sys2: Value, outputs: Value | None = None, inputs: Value | None = None
) -> Value:
    """The second system after the first: ``sys2 * sys1``."""
    a, b = system("series", sys1), system("series", sys2)
    if outputs is not None and inputs is not None:
        a = a.channel(_indices(outputs, a.io[0]), list(range(a.io[1])))
        b = b.channel(list(range(b.io[0])), _indices(inputs, b.io[1]))
    return times(b, a)


@builtin(
    "parallel",
    category=_FAMILY,
    signatures=("sys = parallel(sys1, sys2)",),
    cases=("dcgain(parallel(tf(1, [1 1]), tf(1, [1 2]))) == 1.5",),
    see=("series", "feedback"),
)
def parallel(sys1: Value, sys2: Value) -> Value:
    """Both systems with the same input, their outputs added."""
    a, b = system("parallel", sys1), system("parallel", sys2)
    from app.toolboxes.control.system_arithmetic import common

    return plus(*common(a, b))


@builtin(
    "feedback",
    category=_FAMILY,
    signatures=("sys = feedback(sys1, sys2)", "sys = feedback(sys1, sys2, sign)"),
    cases=(
        "isequal(feedback(tf(1, [1 0]), 1), tf(1, [1 1]))",
        "isequal(feedback(tf(1, [1 0]), tf(2), 1), tf(1, [1 -2]))",
    ),
    see=("series", "parallel"),
)
def feedback(sys1: Value, sys2: Value, sign: Value = -1.0) -> Value:
    """``sys1`` with ``sys2`` in its feedback, negative unless sign is +1."""
    (NUMBERS & SCALAR)("feedback", 3, sign)
    a, b = _loop(sys1, sys2)
    return fed_back(a, b, 1.0 if real_number(sign) > 0 else -1.0)


def _loop(sys1: Value, sys2: Value) -> tuple[Lti, Lti]:
    a, b = system("feedback", sys1), system("feedback", sys2)
    if b.io == (1, 1) and a.io != (1, 1) and a.io[0] == a.io[1]:
        b = times(b, system("feedback", np.eye(a.io[0])))
    return a, b
