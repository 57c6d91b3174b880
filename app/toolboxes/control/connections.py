"""Systems in series, in parallel and in loops."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import NUMBERS, SCALAR, real_number
from app.engine.declarations.registry import builtin, lookup
from app.engine.values import Value, as_array
from app.errors import MatlabError
from app.toolboxes.control.conversions import system
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.response_plots import arrays_of_model
from app.toolboxes.control.system_arithmetic import fed_back, plus, times

_FAMILY = "control systems"


def _of_arrays(name: str, args: tuple[Value, ...], nargout: int) -> Value | None:
    """``[num, den]`` or ``[A, B, C, D]`` of two systems given so, in the form from before there
    were models; None for models."""
    count = 4 if len(args) > 7 else 2
    if (
        nargout < 2
        or not arrays_of_model(args[:count]) == arrays_of_model(args[count:][:count]) > 0
    ):
        return None
    form, data = lookup("tf" if count == 2 else "ss"), lookup("tfdata" if count == 2 else "ssdata")
    joined = lookup(name)
    assert form is not None
    assert data is not None
    assert joined is not None
    one, other = (form.call(None, args[k : k + count]) for k in (0, count))
    made = joined.call(None, (one, other, *args[2 * count :]))
    return data.call(None, (made, "v") if count == 2 else (made,), nargout)


def _given(name: str, args: tuple[Value, ...], *rest: Value) -> tuple[Value, ...]:
    """Two systems and what follows them, with its defaults."""
    if len(args) > 2 + len(rest):
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    return *args, *rest[len(args) - 2 :]


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
    signatures=(
        "sys = series(sys1, sys2)",
        "sys = series(sys1, sys2, outputs1, inputs2)",
        "[num, den] = series(num1, den1, num2, den2)",
        "[A, B, C, D] = series(A1, B1, C1, D1, A2, B2, C2, D2)",
    ),
    cases=(
        "isequal(series(tf(1, [1 1]), tf(2, [1 2])), tf(2, [1 3 2]))",
        "[n, d] = series(1, [1 1], 2, [1 2]); isequal(n, [0 0 2]) && isequal(d, [1 3 2])",
    ),
    least=2,
    see=("parallel", "feedback"),
)
def series(*args: Value, nargout: int = 1) -> Value:
    """The second system after the first: ``sys2 * sys1``."""
    if (made := _of_arrays("series", args, nargout)) is not None:
        return made
    sys1, sys2, outputs, inputs = _given("series", args, None, None)
    a, b = system("series", sys1), system("series", sys2)
    if outputs is not None and inputs is not None:
        a = a.channel(_indices(outputs, a.io[0]), list(range(a.io[1])))
        b = b.channel(list(range(b.io[0])), _indices(inputs, b.io[1]))
    return times(b, a)


@builtin(
    "parallel",
    category=_FAMILY,
    signatures=(
        "sys = parallel(sys1, sys2)",
        "[num, den] = parallel(num1, den1, num2, den2)",
        "[A, B, C, D] = parallel(A1, B1, C1, D1, A2, B2, C2, D2)",
    ),
    least=2,
    cases=(
        "[n, d] = parallel(1, [1 1], 2, [1 2]); isequal(n, [0 3 4]) && isequal(d, [1 3 2])",
        "dcgain(parallel(tf(1, [1 1]), tf(1, [1 2]))) == 1.5",
    ),
    see=("series", "feedback"),
)
def parallel(*args: Value, nargout: int = 1) -> Value:
    """Both systems with the same input, their outputs added."""
    if (made := _of_arrays("parallel", args, nargout)) is not None:
        return made
    sys1, sys2 = _given("parallel", args)
    a, b = system("parallel", sys1), system("parallel", sys2)
    from app.toolboxes.control.system_arithmetic import common

    return plus(*common(a, b))


@builtin(
    "feedback",
    category=_FAMILY,
    signatures=(
        "sys = feedback(sys1, sys2)",
        "sys = feedback(sys1, sys2, sign)",
        "[num, den] = feedback(num1, den1, num2, den2, sign)",
        "[A, B, C, D] = feedback(A1, B1, C1, D1, A2, B2, C2, D2, sign)",
    ),
    least=2,
    cases=(
        "[n, d] = feedback(1, [1 0], [1 1], [1 3]); isequal(n, [0 1 3]) && isequal(d, [1 4 1])",
        "isequal(feedback(tf(1, [1 0]), 1), tf(1, [1 1]))",
        "isequal(feedback(tf(1, [1 0]), tf(2), 1), tf(1, [1 -2]))",
    ),
    see=("series", "parallel"),
)
def feedback(*args: Value, nargout: int = 1) -> Value:
    """``sys1`` with ``sys2`` in its feedback, negative unless sign is +1."""
    if (made := _of_arrays("feedback", args, nargout)) is not None:
        return made
    sys1, sys2, sign = _given("feedback", args, -1.0)
    (NUMBERS & SCALAR)("feedback", 3, sign)
    a, b = _loop(sys1, sys2)
    return fed_back(a, b, 1.0 if real_number(sign) > 0 else -1.0)


def _loop(sys1: Value, sys2: Value) -> tuple[Lti, Lti]:
    a, b = system("feedback", sys1), system("feedback", sys2)
    if b.io == (1, 1) and a.io != (1, 1) and a.io[0] == a.io[1]:
        b = times(b, system("feedback", np.eye(a.io[0])))
    return a, b
