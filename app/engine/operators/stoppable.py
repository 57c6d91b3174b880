"""Long calls of libraries that a stop can end: they are made in a thread beside.

NumPy's and SciPy's calls leave the interpreter to others but look at no wish to
stop. Whoever calls them here waits and looks up; after a stop the call goes on by itself, and what
it finds is dropped. Loops in Python over many elements look up themselves: `heeding`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from functools import partial, wraps
from typing import TypeVar, cast

import numpy as np

from app.engine.values import Array

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])
LOOK_S = 0.02
"""How often whoever waits looks up."""
LARGE_MATRIX = 40_000
"""Elements of a matrix from which its factors take long enough to be noticed."""
LARGE_ARRAY = 1 << 20
"""The same of sorts, transforms and other work that grows about as the array does."""
LOOK_EVERY = 4096
"""Items of a loop in Python between two looks."""


def nothing() -> None:
    """What there is to look at where no interpreter runs."""


class Stop:
    """What the interpreter that runs has hooked up; set by it.

    Attributes:
        poll: raises Interrupted where a stop is wanted.
    """

    poll: Callable[[], None] = staticmethod(nothing)


def beside(action: Callable[[], T]) -> T:
    """The result of an action in a thread beside; Interrupted when somebody stops it."""
    from concurrent.futures import Future, wait

    done: Future[T] = Future()
    context = copy_context()

    def work() -> None:
        try:
            done.set_result(context.run(action))
        except BaseException as problem:  # raised where it is waited for
            done.set_exception(problem)

    threading.Thread(target=work, name="fuselab-pool-library", daemon=True).start()
    while wait((done,), LOOK_S).not_done:
        Stop.poll()
    return done.result()


def of_array(function: F, least: int = LARGE_ARRAY) -> F:
    """A function of an array, which a stop ends where that has so many elements."""

    @wraps(function)
    def call(array: Array, *args: object, **options: object) -> object:
        if array.size < least:
            return function(array, *args, **options)
        return beside(partial(function, array, *args, **options))

    return cast("F", call)


def of_matrix(function: F) -> F:
    """A function of a matrix, which a stop ends where the matrix is large."""
    return of_array(function, LARGE_MATRIX)


def heeding(items: Iterable[T], every: int = LOOK_EVERY) -> Iterator[T]:
    """The items, for a loop in Python; Interrupted between them when somebody stops it."""
    for count, item in enumerate(items):
        if count % every == 0:
            Stop.poll()
        yield item


cholesky = of_matrix(np.linalg.cholesky)
eig, eigvals = of_matrix(np.linalg.eig), of_matrix(np.linalg.eigvals)
eigh, eigvalsh = of_matrix(np.linalg.eigh), of_matrix(np.linalg.eigvalsh)
lstsq, pinv = of_matrix(np.linalg.lstsq), of_matrix(np.linalg.pinv)
qr, svd = of_matrix(np.linalg.qr), of_matrix(np.linalg.svd)
