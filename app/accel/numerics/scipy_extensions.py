"""Single compiled libraries of SciPy, without the packages they belong to.

Importing ``scipy.linalg`` or ``scipy.signal`` takes a fifth to a half of a second of processor
time, far more than most programs that divide by a small matrix or filter a few numbers; one library
loads in milliseconds.

Whichever package comes first takes ``*`` of NumPy, and with it two packages for developers, which
cost as much as its own modules: they wait until something of them is asked for.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import LazyLoader, find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def _put_off(name: str) -> None:
    """Make a package of NumPy a module that is loaded when something of it is asked for."""
    full = f"numpy.{name}"
    found = None if full in sys.modules else find_spec(full)
    if found is None or found.loader is None:
        return
    found.loader = LazyLoader(found.loader)
    made = sys.modules[full] = module_from_spec(found)
    found.loader.exec_module(made)
    setattr(np, name, made)


for _name in ("f2py", "testing"):
    _put_off(_name)


@cache
def extension(name: str) -> ModuleType:
    """The library ``scipy.PACKAGE.NAME``, with its package where it cannot be loaded alone."""
    loaded = sys.modules.get(name)
    if loaded is not None:
        return loaded
    package = name.split(".")[1:-1]
    found = PathFinder.find_spec(name, [str(Path(folder, *package)) for folder in _folders()])
    if found is None or found.loader is None:
        return import_module(name)
    made = module_from_spec(found)
    found.loader.exec_module(made)
    sys.modules[name] = made  # its package takes it from here
    return made


def _folders() -> list[str]:
    """Where SciPy lies; imported itself where it tells the system of its libraries (Windows)."""
    if sys.platform == "win32":
        import_module("scipy")
    found = find_spec("scipy")
    return [] if found is None else list(found.submodule_search_locations or ())


@cache
def special_function(name: str) -> Callable[..., NDArray[np.float64]]:
    """The function ``scipy.special.NAME``, by the library of most of them where it is there."""
    return cast("Callable[..., NDArray[np.float64]]", _special(name))


@cache
def has_special_function(name: str) -> bool:
    """Whether the library has a function; those that begin with ``_`` come and go."""
    return _special(name) is not None


def _special(name: str) -> object:
    found = getattr(extension("scipy.special._special_ufuncs"), name, None)
    if isinstance(found, np.ufunc):
        return found
    from scipy import special

    if name.startswith("_"):
        return getattr(extension("scipy.special._ufuncs"), name, None)
    return getattr(special, name)
