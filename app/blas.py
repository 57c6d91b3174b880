"""Threads of the linear algebra libraries: one, and for large work as many as cores are free.

OpenBLAS wakes all its threads for a matrix of a hundred rows, and whoever waits for them spins: on
busy cores a decomposition of 20 ms took seconds. So the libraries of NumPy and SciPy start with one
thread (`begin`, before they are loaded), and large work asks for more while it lasts (`spread`).
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Callable
    from types import TracebackType

VARIABLE = "OPENBLAS_NUM_THREADS"
LARGE = 30e6
"""Operations from which more threads are faster."""
LARGE_ELEMENTS = int(LARGE ** (2 / 3))
"""Elements of a square matrix with so many operations."""
_SETTERS = {
    "numpy": ("scipy_openblas_set_num_threads64_", "openblas_set_num_threads64_"),
    "scipy": ("scipy_openblas_set_num_threads", "openblas_set_num_threads"),
}


class _State:
    """How the process began.

    Attributes:
        most: threads there may be: the cores, or what the user said.
        ours: True when `begin` set the variable, not the user.
    """

    most: int = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    ours: bool = False


def begin() -> None:
    """Have the libraries start with one thread, unless the user set a number."""
    given = os.environ.get(VARIABLE, "")
    if given.isdecimal():
        _State.most = min(_State.most, max(1, int(given)))
    elif not given:
        os.environ[VARIABLE] = "1"
        _State.ours = True


def environment_of_children() -> dict[str, str]:
    """The variables of this process as the user set them."""
    found = dict(os.environ)
    if _State.ours and found.get(VARIABLE) == "1":
        del found[VARIABLE]
    return found


class spread:  # noqa: N801 - used like a function
    """Within it, so many operations may use several threads: as many as cores are free."""

    __slots__ = ("threads", "work")

    def __init__(self, work: float) -> None:
        self.work = work
        self.threads = 1

    def __enter__(self) -> None:
        if self.work >= LARGE and _State.most > 1:
            self.threads = min(_State.most, _free_cores())
            if self.threads > 1:
                _set_threads(self.threads)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.threads > 1:
            _set_threads(1)


def _free_cores() -> int:
    """The cores nobody else is using now, this thread's own included."""
    try:
        with open("/proc/loadavg", encoding="ascii") as load:  # noqa: PTH123 - pathlib is slow
            running = load.read().split()[3].partition("/")[0]
    except OSError:  # a system that does not tell
        return _State.most
    return max(1, _State.most - max(0, int(running) - 1))


def _set_threads(count: int) -> None:
    for name in _SETTERS:
        setter = _setter(name)
        if setter is not None:
            setter(count)


@cache
def address(routine: str) -> int:
    """Where CBLAS's routine for doubles and 64-bit sizes lies in NumPy's library; 0 without it."""
    import ctypes

    found = _symbol("numpy", (f"scipy_cblas_d{routine}64_", f"cblas_d{routine}64_"))
    return 0 if found is None else ctypes.cast(found, ctypes.c_void_p).value or 0


@cache
def _setter(name: str) -> Callable[[int], None] | None:
    """The function that sets the number of threads of the library that NumPy or SciPy brings."""
    import ctypes
    import logging

    function = _symbol(name, _SETTERS[name])
    if function is None:
        logging.getLogger("fuselab.native").debug("%s brings no OpenBLAS of its own", name)
        return None
    function.argtypes, function.restype = (ctypes.c_int,), None
    return function


def _symbol(name: str, symbols: tuple[str, ...]) -> ctypes._NamedFuncPointer | None:
    """The first of these functions in the OpenBLAS that NumPy or SciPy brings."""
    import ctypes
    from importlib.util import find_spec
    from pathlib import Path

    found = find_spec(name)
    if found is None or not found.submodule_search_locations:
        return None
    home = Path(found.submodule_search_locations[0])
    for folder in (home.parent / f"{name}.libs", home / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            library = ctypes.CDLL(str(path))
            for symbol in symbols:
                function = getattr(library, symbol, None)
                if function is not None:
                    return function  # type: ignore[no-any-return]
    return None
