"""Long calls of libraries that a stop can end: they are made in a thread beside.

NumPy's and SciPy's calls leave the interpreter to others but look at no wish to
stop. Whoever calls them here waits and looks up; after a stop the call goes on by itself, and what
it finds is dropped. Loops in Python over many elements look up themselves: `heeding`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial, wraps
from typing import Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from app.accel.numerics import nogil_equations, nogil_functions, nogil_linalg, nogil_pairs
from app.accel.numerics.nogil_linalg import Array
from app.accel.support import abandonable
from app.errors import Interrupted

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])
L = TypeVar("L", bound=threading.local)
LARGE_MATRIX = 40_000
"""Elements of a matrix from which its factors take long enough to be noticed."""
LARGE_SYSTEM = 2_500
"""The same of equations whose unknown is a matrix."""
MANY_ROOTS = 200
"""Coefficients of a polynomial from which its roots do."""
LARGE_SPARSE = 10_000
"""Elements that are not 0 of a sparse matrix from which its factors do."""
LARGE_ARRAY = 1 << 20
"""The same of sorts, transforms and other work that grows about as the array does."""
LOOK_EVERY = 4096
"""Items of a loop in Python between two looks."""


def nothing() -> None:
    """What there is to look at where no interpreter runs."""


class _Stop(threading.local):
    """What the interpreter that runs on this thread has hooked up.

    Attributes:
        poll: raises Interrupted where a stop is wanted.
        beside: whether this thread is one that another waits for.
    """

    poll: Callable[[], None] = staticmethod(nothing)
    beside: bool = False


Stop = _Stop()
_carried: list[threading.local] = []


def carried(hooks: L) -> L:
    """Hooks of a thread that hold in the threads beside it, too."""
    _carried.append(hooks)
    return hooks


class _Beside:
    """An action in a thread beside, which looks as the thread that waits does until it is left.

    Args:
        action: what is done there.
    """

    def __init__(self, action: Callable[[], object]) -> None:
        self._action = action
        self._hooks = [(local, dict(vars(local))) for local in _carried]
        self._left = False

    def __call__(self) -> object:
        """What the thread does."""
        for local, found in self._hooks:
            vars(local).update({name: self._until_left(hook) for name, hook in found.items()})
        Stop.poll, Stop.beside = self._check_left, True
        return self._action()

    def _check_left(self) -> None:
        if self._left:
            raise Interrupted

    def _until_left(self, hook: object) -> object:
        """A hook that whoever is left can call no more."""
        if not callable(hook):
            return hook

        def call(*args: object) -> object:
            self._check_left()
            return hook(*args)

        return call

    def leave(self) -> None:
        """Nobody waits any more."""
        self._left = True


def beside(action: Callable[[], T]) -> T:
    """The result of an action in a thread beside; Interrupted when somebody stops it."""
    if Stop.beside:
        return action()
    work = _Beside(action)
    try:
        return cast("T", abandonable.beside(work, Stop.poll))
    finally:
        work.leave()


def of_elements(size: int, action: Callable[[], T]) -> T:
    """The result of an action that writes so many elements; a stop ends its wait for many."""
    return beside(action) if size >= LARGE_ARRAY else action()


def on_free_cores(operations: float, action: Callable[[], T]) -> T:
    """The result of so many operations of linear algebra; Interrupted when somebody stops it."""
    return abandonable.on_free_cores(operations, action, beside)


def of_array(function: F, least: int = LARGE_ARRAY) -> F:
    """A function of arrays, which a stop ends where one of them has so many elements."""

    @wraps(function)
    def call(array: NDArray[np.generic], *args: object, **options: object) -> object:
        largest = array.size
        for a in args:
            if isinstance(a, np.ndarray) and a.size > largest:
                largest = a.size
        if largest < least:
            return function(array, *args, **options)
        return beside(partial(function, array, *args, **options))

    return cast("F", call)


def applied(function: Callable[..., T], array: NDArray[np.generic], **options: object) -> T:
    """What a function gives for an array; Interrupted when somebody stops it and it is large."""
    if array.size < LARGE_ARRAY:
        return function(array, **options)
    return beside(partial(function, array, **options))


def of_matrix(function: F) -> F:
    """A function of a matrix, which a stop ends where the matrix is large."""
    return of_array(function, LARGE_MATRIX)


def heeding(items: Iterable[T], every: int = LOOK_EVERY) -> Iterator[T]:
    """The items, for a loop in Python; Interrupted between them when somebody stops it."""
    for count, item in enumerate(items):
        if count % every == 0:
            Stop.poll()
        yield item


def eigvals(a: Array) -> Array:
    """Eigenvalues of a square matrix, or of each of a stack; real where all of them are."""
    if a.ndim != 2 or a.size < LARGE_MATRIX or not np.isfinite(a).all():
        return np.linalg.eigvals(a)
    values = beside(partial(nogil_linalg.eigenvalues, _floats(a)))
    return values if a.dtype.kind == "c" or values.imag.any() else values.real


def singular_values(a: Array) -> Array:
    """Singular values of a matrix, the largest first."""
    if a.size < LARGE_MATRIX:
        return np.linalg.svd(a, compute_uv=False)
    return beside(partial(nogil_linalg.singular_values, _floats(a)))


def sylvester(a: Array, b: Array, c: Array) -> Array:
    """The solution of ``a x + x b = c``."""
    solve = partial(nogil_linalg.sylvester, a, b, c)
    return beside(solve) if max(a.size, b.size) >= LARGE_MATRIX else solve()


class _Sparse(Protocol):
    """A sparse matrix, a value of ours or SciPy's."""

    @property
    def data(self) -> Array:
        """The numbers that it stores."""


def of_sparse(function: Callable[..., T], matrix: _Sparse, **options: object) -> T:
    """A function of a sparse matrix, such as SuperLU's factors."""
    find = partial(function, matrix, **options)
    return beside(find) if matrix.data.size >= LARGE_SPARSE else find()


def of_triangle(function: Callable[[Array], Array], a: Array) -> Array:
    """A function of a square matrix, found by way of its triangular factor where it is large."""
    find = partial(nogil_functions.of_triangle, function, a)
    return beside(find) if a.size >= LARGE_MATRIX else find()


def _floats(a: Array) -> Array:
    return a if a.dtype.char in "fdFD" else a.astype(np.float64)


roots = of_array(np.roots, MANY_ROOTS)
continuous_lyapunov = of_array(nogil_equations.continuous_lyapunov, LARGE_SYSTEM)
discrete_lyapunov = of_array(nogil_equations.discrete_lyapunov, LARGE_SYSTEM)
continuous_riccati = of_array(nogil_equations.continuous_riccati, LARGE_SYSTEM)
discrete_riccati = of_array(nogil_equations.discrete_riccati, LARGE_SYSTEM)
schur, hessenberg = of_matrix(nogil_linalg.schur), of_matrix(nogil_linalg.hessenberg)
exponential = of_matrix(nogil_functions.exponential)
qz = of_matrix(nogil_linalg.qz)
eigensystem, definite_pair = (
    of_matrix(nogil_pairs.eigensystem),
    of_matrix(nogil_pairs.definite_pair),
)
ldl = of_matrix(nogil_pairs.ldl)
cholesky, eig = of_matrix(np.linalg.cholesky), of_matrix(np.linalg.eig)
eigh, eigvalsh = of_matrix(np.linalg.eigh), of_matrix(np.linalg.eigvalsh)
lstsq, pinv = of_matrix(np.linalg.lstsq), of_matrix(np.linalg.pinv)
solve, inv, det = of_matrix(np.linalg.solve), of_matrix(np.linalg.inv), of_matrix(np.linalg.det)
matrix_rank = of_matrix(np.linalg.matrix_rank)
qr, svd = of_matrix(np.linalg.qr), of_matrix(np.linalg.svd)
