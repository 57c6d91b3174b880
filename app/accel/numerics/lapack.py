"""Routines of LAPACK as SciPy wraps them, without the rest of its linear algebra."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from app.accel.numerics.scipy_extensions import extension

_LIBRARY = "scipy.linalg._flapack"
_LETTERS = {"f": "s", "d": "d", "F": "c", "D": "z"}


@lru_cache(maxsize=64)
def routine(name: str, kind: np.dtype[np.generic]) -> Callable[..., Any]:
    """The wrapper of a routine, such as ``getrf``, for float32, float64 or their complex types."""
    return getattr(extension(_LIBRARY), _LETTERS[kind.char] + name)  # type: ignore[no-any-return]
