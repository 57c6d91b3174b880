"""Routines of LAPACK as SciPy wraps them, without the rest of its linear algebra.

Importing ``scipy.linalg`` takes a fifth of a second of processor time, far more than most programs
that divide by a small matrix; the wrappers themselves are one library that loads in milliseconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

_LIBRARY = "scipy.linalg._flapack"
_LETTERS = {"f": "s", "d": "d", "F": "c", "D": "z"}


@lru_cache(maxsize=64)
def routine(name: str, kind: np.dtype[np.generic]) -> Callable[..., Any]:
    """The wrapper of a routine, such as ``getrf``, for float32, float64 or their complex types."""
    return getattr(_library(), _LETTERS[kind.char] + name)  # type: ignore[no-any-return]


@cache
def _library() -> ModuleType:
    """SciPy's wrappers; as a part of ``scipy.linalg`` where they cannot be loaded alone."""
    import scipy

    loaded = sys.modules.get(_LIBRARY)
    if loaded is not None:
        return loaded
    found = PathFinder.find_spec(_LIBRARY, [str(Path(scipy.__path__[0], "linalg"))])
    if found is None or found.loader is None:
        from scipy.linalg import lapack

        return lapack  # type: ignore[no-any-return]
    made = module_from_spec(found)
    found.loader.exec_module(made)
    sys.modules[_LIBRARY] = made  # `scipy.linalg` takes it from here
    return made
