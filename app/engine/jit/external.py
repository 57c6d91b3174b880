"""Functions of other libraries that compiled code calls: NumPy's loops, BLAS and LAPACK.

The interpreter computes small arrays with the very same functions, so that a loop gives the same
digits before and after it has been compiled. They are linked by address, which is new in every
process, while the code that calls them is kept.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from app import blas

if TYPE_CHECKING:
    from app.engine.jit.builder import Builder

DOUBLE, LOGICAL, COMPLEX = 12, 0, 15
"""NumPy's numbers of element types."""
BLAS, LAPACK = "blas.", "lapack."
_LOOPS = {
    (DOUBLE, DOUBLE): "numpy.",
    (COMPLEX, COMPLEX): "numpy_complex.",
    (COMPLEX, DOUBLE): "numpy_real.",
}
_EXTERNAL = re.compile(r"@\"?((?:numpy|numpy_complex|numpy_real|blas|lapack)\.[\w.]+)\"?")
_FUNCTIONS, _DATA, _COUNT, _TYPES = 32, 40, 48, 64
"""Where a ufunc object keeps its loops, their data, how many there are and their types."""
_ARGUMENTS = 24


@cache
def _loop(name: str, kind: int, result: int) -> tuple[int, int]:
    """Address and data of the loop of a ufunc from one type to one; zeros where there is none."""
    ufunc = getattr(np, name)
    place = id(ufunc)
    count = ctypes.c_int.from_address(place + _COUNT).value
    width = ctypes.c_int.from_address(place + _ARGUMENTS).value
    if count != ufunc.ntypes or width != ufunc.nargs:  # laid out in another way than known
        return 0, 0
    types = ctypes.string_at(ctypes.c_void_p.from_address(place + _TYPES).value or 0, count * width)
    functions = ctypes.c_void_p.from_address(place + _FUNCTIONS).value or 0
    data = ctypes.c_void_p.from_address(place + _DATA).value or 0
    wanted = bytes([kind] * ufunc.nin + [result] * ufunc.nout)
    for k in range(count):
        if types[k * width : (k + 1) * width] == wanted:
            found = ctypes.c_void_p.from_address(functions + 8 * k).value or 0
            with_it = ctypes.c_void_p.from_address(data + 8 * k).value if data else 0
            return found, with_it or 0
    return 0, 0


def loop_of(name: str, kind: int = DOUBLE, result: int | None = None) -> tuple[str, str] | None:
    """Symbols of a ufunc's loop from a type to it or another, and of its data, if there is one."""
    types = kind, kind if result is None else result
    found, data = _loop(name, *types)
    if not found:
        return None
    symbol = f"{_LOOPS[types]}{name}"
    return symbol, f"{symbol}.data" if data else ""


def arguments(out: Builder, loop: tuple[str, str]) -> tuple[tuple[str, str], tuple[str, str]]:
    """A loop and its data as arguments of a helper."""
    name, data = loop
    out.declared[name] = f"declare void @{name}(ptr, ptr, ptr, ptr)"
    if data:
        out.declared[data] = f"@{data} = external global i8"
    return ("ptr", f"@{name}"), ("ptr", f"@{data}" if data else "null")


def has_blas(name: str) -> bool:
    """Whether BLAS has this routine here."""
    return bool(blas.address(name))


def has_lapack(name: str) -> bool:
    """Whether SciPy's LAPACK has this routine here."""
    return bool(blas.lapack_address(name))


def imports_of(assembly: str) -> dict[str, int]:
    """The addresses of the external symbols that a text declares."""
    made = {}
    for symbol in set(_EXTERNAL.findall(assembly)):
        if symbol.startswith(BLAS):
            made[symbol] = blas.address(symbol.removeprefix(BLAS))
        elif symbol.startswith(LAPACK):
            made[symbol] = blas.lapack_address(symbol.removeprefix(LAPACK))
        else:
            types = next(t for t, prefix in _LOOPS.items() if symbol.startswith(prefix))
            name, _, data = symbol.removeprefix(_LOOPS[types]).partition(".")
            made[symbol] = _loop(name, *types)[1 if data else 0]
    return made
