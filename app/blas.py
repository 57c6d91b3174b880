"""Threads of the linear algebra libraries: one, and for large work as many as cores are free.

OpenBLAS wakes all its threads for a matrix of a hundred rows, and whoever waits for them spins: on
busy cores a decomposition of 20 ms took seconds. So the libraries of NumPy and SciPy start with one
thread (`begin`, before they are loaded; `single_threaded` where a program loaded them), and large
work asks for more while it lasts (`spread`).
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Callable, Iterator
    from types import TracebackType

VARIABLE = "OPENBLAS_NUM_THREADS"
LARGE = 30e6
"""Operations from which more threads are faster."""
LARGE_ELEMENTS = int(LARGE ** (2 / 3))
"""Elements of a square matrix with so many operations."""
_SYMBOLS = {
    "numpy": ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_"),
    "scipy": ("scipy_openblas_{}_num_threads", "openblas_{}_num_threads"),
}
_LOADED_WITH = {"numpy": "numpy", "scipy": "scipy.linalg"}
"""The module that loads each library: what is not loaded is not loaded for its threads."""


class _State:
    """How the process began.

    Attributes:
        most: threads there may be: the cores, or what the user said.
        ours: True when `begin` set the variable.
        users: what the user had set it to; empty for nothing.
    """

    most: int = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    ours: bool = False
    users: str = ""


def begin() -> None:
    """Have the libraries start with one thread; a number that the user set is the most there are.

    What is set and is no number stays the libraries' business.
    """
    users = os.environ.get(VARIABLE, "")
    given = users or os.environ.get("OMP_NUM_THREADS", "")
    if given and not given.isdecimal():
        return
    if given:
        _State.most = min(_State.most, max(1, int(given)))
    _State.ours, _State.users = True, users
    os.environ[VARIABLE] = "1"


def environment_of_children() -> dict[str, str]:
    """The variables of this process as the user set them."""
    found = dict(os.environ)
    if _State.ours and found.get(VARIABLE) == "1":
        del found[VARIABLE]
        if _State.users:
            found[VARIABLE] = _State.users
    return found


class _Level:
    """How many threads the libraries have now, for all threads of the process.

    Attributes:
        before: the number of each library outside all that is counted below.
        limits: how many `single_threaded` there are now.
        spreads: how many `spread` there are now.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.before: dict[str, int] = {}
        self.limits = self.spreads = 0

    def enter_limit(self) -> None:
        with self.lock:
            if not self.limits and not self.spreads:
                self.before = _threads()
            self.limits += 1
            if not self.spreads:
                _set_threads(dict.fromkeys(self.before, 1))

    def leave_limit(self) -> None:
        with self.lock:
            self.limits -= 1
            self._settle()

    def enter_spread(self) -> int:
        """Use the cores that are free; how many there are."""
        with self.lock:
            if not self.limits and not self.spreads:
                self.before = _threads()
            most = _State.most
            if not _State.ours:
                most = min(most, max(self.before.values(), default=1))
            count = min(most, _free_cores()) if most > 1 else 1
            if count > 1:
                self.spreads += 1
                _set_threads(dict.fromkeys(self.before, count))
            return count

    def leave_spread(self) -> None:
        with self.lock:
            self.spreads -= 1
            self._settle()

    def _settle(self) -> None:
        if not self.spreads:
            _set_threads(dict.fromkeys(self.before, 1) if self.limits else self.before)


_level = _Level()


@contextmanager
def single_threaded() -> Iterator[None]:
    """Within it the libraries that are loaded have one thread; afterwards what they had before.

    For programs that loaded NumPy by themselves, where `begin` came too late.
    """
    _level.enter_limit()
    try:
        yield
    finally:
        _level.leave_limit()


class spread:  # noqa: N801 - used like a function
    """Within it, so many operations may use several threads: as many as cores are free."""

    __slots__ = ("threads", "work")

    def __init__(self, work: float) -> None:
        self.work = work
        self.threads = 1

    def __enter__(self) -> None:
        if self.work >= LARGE and _State.most > 1:
            self.threads = _level.enter_spread()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.threads > 1:
            _level.leave_spread()


def _free_cores() -> int:
    """The cores nobody else is using now, this thread's own included."""
    try:
        with open("/proc/loadavg", encoding="ascii") as load:  # noqa: PTH123 - pathlib is slow
            running = load.read().split()[3].partition("/")[0]
    except OSError:  # a system that does not tell
        return _State.most
    return max(1, _State.most - max(0, int(running) - 1))


def _threads() -> dict[str, int]:
    """How many threads each library has that is loaded."""
    found = {}
    for name, module in _LOADED_WITH.items():
        functions = _functions(name) if module in sys.modules else None
        if functions is not None:
            found[name] = functions[0]()
    return found


def _set_threads(counts: dict[str, int]) -> None:
    for name, count in counts.items():
        functions = _functions(name)
        if functions is not None:
            functions[1](count)


@cache
def address(routine: str) -> int:
    """Where CBLAS's routine for doubles and 64-bit sizes lies in NumPy's library; 0 without it."""
    return _address("numpy", (f"scipy_cblas_d{routine}64_", f"cblas_d{routine}64_"))


@cache
def lapack_address(routine: str) -> int:
    """Where LAPACK's routine for doubles and 32-bit sizes lies in SciPy's library; 0 without it."""
    return _address("scipy", (f"scipy_d{routine}_", f"d{routine}_"))


def _address(name: str, symbols: tuple[str, ...]) -> int:
    import ctypes

    found = _symbol(name, symbols)
    return 0 if found is None else ctypes.cast(found, ctypes.c_void_p).value or 0


@cache
def _functions(name: str) -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """What tells and what sets the threads of the library that NumPy or SciPy brings."""
    import ctypes
    import logging

    tells, sets = (
        _symbol(name, tuple(s.format(verb) for s in _SYMBOLS[name])) for verb in ("get", "set")
    )
    if tells is None or sets is None:
        logging.getLogger("fuselab.native").debug("%s brings no OpenBLAS of its own", name)
        return None
    tells.argtypes, tells.restype = (), ctypes.c_int
    sets.argtypes, sets.restype = (ctypes.c_int,), None
    return tells, sets


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
