"""Rules that the host and the graph share: sizes, classes and errors of operations."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence

from app.engine import stoppable
from app.engine.values import INTEGER_CLASSES, Value, class_of
from app.errors import MatlabError

EPS = 2.0**-52


class _Rules(threading.local):
    """Whose rules operators follow on this thread where MATLAB and Octave differ.

    Attributes:
        octave: True in Octave's dialect (integers combine with arrays of floats, empty text among
            cells vanishes); the interpreter that runs says it.
    """

    octave: bool = False


Rules = stoppable.carried(_Rules())


def mixed_error() -> MatlabError:
    """The error for integers with another integer class or with a float array."""
    text = "Integers can only be combined with integers of the same class, or scalar doubles."
    return MatlabError("MATLAB:mixedClasses", text)


def undefined_for_class(name: str, v: Value) -> MatlabError:
    """The error for a function that has no meaning for the class of a value."""
    text = f"Undefined function '{name}' for input arguments of type '{class_of(v)}'."
    return MatlabError("MATLAB:UndefinedFunction", text)


def result_class(kinds: Sequence[str]) -> str:
    """The numeric class of a concatenation: leftmost integer, single, double, logical."""
    for kind in kinds:
        if kind in INTEGER_CLASSES:
            return kind
    if "single" in kinds:
        return "single"
    return "logical" if all(k == "logical" for k in kinds) else "double"


def check_count(count: float) -> None:
    """Raise where a range would have more elements than any memory holds."""
    if count > 2.0**44:
        text = "Maximum variable size allowed by the program is exceeded."
        raise MatlabError("MATLAB:pmaxsize", text)


def range_count(start: float, step: float, stop: float) -> int:
    """The number of elements of ``start:step:stop``."""
    if step == 0 or (start != stop and (step > 0) == (stop < start)):
        return 0
    span = (stop - start) / step
    check_count(span)
    count = round(span)
    tolerance = 2.0 * EPS * max(abs(start), abs(stop))
    if math.copysign(1.0, step) * (start + count * step - stop) > tolerance:
        count -= 1
    return count + 1


def last_of(start: float, step: float, stop: float, n: int) -> float:
    """The last of the numbers 0 to n of a range: the end itself where that is meant."""
    tolerance = 2.0 * EPS * max(abs(start), abs(stop))
    last = start + n * step
    return stop if math.copysign(1.0, step) * (last - stop) > -tolerance else last
