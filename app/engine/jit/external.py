"""Functions of other libraries that compiled code calls: NumPy's loops and BLAS.

The interpreter computes small arrays with the very same functions, so that a loop gives the same
digits before and after it has been compiled. They are linked by address, which is new in every
process, while the code that calls them is kept.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache

import numpy as np

from app import blas

DOUBLE, LOGICAL = 12, 0
"""NumPy's numbers of element types."""
LOOP = "numpy."
BLAS = "blas."
_EXTERNAL = re.compile(r"@\"?((?:numpy|blas)\.[\w.]+)\"?")
_FUNCTIONS, _DATA, _COUNT, _TYPES = 32, 40, 48, 64
"""Where a ufunc object keeps its loops, their data, how many there are and their types."""
_ARGUMENTS = 24


@cache
def _loop(name: str) -> tuple[int, int]:
    """Address and data of the loop of a ufunc over doubles; zeros where there is none."""
    ufunc = getattr(np, name)
    place = id(ufunc)
    count = ctypes.c_int.from_address(place + _COUNT).value
    width = ctypes.c_int.from_address(place + _ARGUMENTS).value
    if count != ufunc.ntypes or width != ufunc.nargs:  # laid out in another way than known
        return 0, 0
    types = ctypes.string_at(ctypes.c_void_p.from_address(place + _TYPES).value or 0, count * width)
    functions = ctypes.c_void_p.from_address(place + _FUNCTIONS).value or 0
    data = ctypes.c_void_p.from_address(place + _DATA).value or 0
    for k in range(count):
        if set(types[k * width : (k + 1) * width]) == {DOUBLE}:
            found = ctypes.c_void_p.from_address(functions + 8 * k).value or 0
            with_it = ctypes.c_void_p.from_address(data + 8 * k).value if data else 0
            return found, with_it or 0
    return 0, 0


def loop_of(name: str) -> tuple[str, str] | None:
    """Symbols of a ufunc's loop over doubles and of its data; None where it has none."""
    found, data = _loop(name)
    if not found:
        return None
    return f"{LOOP}{name}", f"{LOOP}{name}.data" if data else ""


def has_blas(name: str) -> bool:
    """Whether BLAS has this routine here."""
    return bool(blas.address(name))


def imports_of(assembly: str) -> dict[str, int]:
    """The addresses of the external symbols that a text declares."""
    made = {}
    for symbol in set(_EXTERNAL.findall(assembly)):
        if symbol.startswith(BLAS):
            made[symbol] = blas.address(symbol.removeprefix(BLAS))
        else:
            name, _, data = symbol.removeprefix(LOOP).partition(".")
            made[symbol] = _loop(name)[1 if data else 0]
    return made
