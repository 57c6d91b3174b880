"""Who else holds a value: CPython's reference counts, calibrated at import.

A value may be changed in place when only the variable (or container) being assigned holds it. The
counts seen inside a helper depend on how the interpreter passes arguments, so they are measured.
"""

from __future__ import annotations

from sys import getrefcount

import numpy as np

from app.engine.values import Array


def _seen_in_helper(x: object, _i: object, _v: object) -> int:
    return getrefcount(x)


def _measure_helper() -> int:
    variable = np.zeros((2, 2))
    return _seen_in_helper(variable, 1.0, 1.0)


def _measure_local() -> int:
    variable = np.zeros((2, 2))
    return getrefcount(variable)


IN_HELPER = _measure_helper()
"""Count of a value that only the caller's variable holds, seen by the helper it is passed to."""

LOCAL = _measure_local()
"""Count of a value that only one local variable holds."""

_BASE = LOCAL + 1
"""Count of a buffer held by one view and one local variable."""


def owns_data(x: Array) -> bool:
    """True when the memory of the solely held array ``x`` belongs to it alone."""
    base = x.base
    if base is None:
        return x.flags.writeable
    return type(base) is np.ndarray and getrefcount(base) <= _BASE and x.flags.writeable
