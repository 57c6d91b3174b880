"""Functions that move or repeat elements, as formulas."""

from __future__ import annotations

import math
from collections.abc import Callable

from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.capture.terms import Made, Term, cat, constant_array, term
from app.engine.values import DeviceArray, Value, as_array
from app.errors import MOST_DIMENSIONS

Args = tuple[Value, ...]


def lazy_term(args: Args) -> Term | None:
    """The first argument when it is lazy; host arrays are moved faster where they are."""
    x = args[0]
    if type(x) is not DeviceArray:
        return None
    if x.node.dtype.is_complex:
        return Term(x.node, True)
    found = term(x)
    return found if isinstance(found, Term) else None


def whole_number(v: Value) -> int | None:
    """A count or an axis; None for what is none."""
    return int(v) if type(v) is float and v == math.floor(v) and abs(v) < 1e9 else None


def flipped(x: Term, axis: int) -> Term:
    """The elements in reverse order along an axis."""
    return x.part(axis, x.shape[axis] - 1, x.shape[axis], -1)


def rot90(args: Args, nargout: int) -> Made:
    """Turns of a matrix."""
    x, k = lazy_term(args), whole_number(args[1] if len(args) > 1 else 1.0)
    if x is None or k is None or x.rank > 2:
        return None
    turned = {0: x, 1: None, 2: flipped(flipped(x, 0), 1), 3: None}[k % 4]
    if turned is not None:
        return turned
    return flipped(x.permute(1, 0), 0 if k % 4 == 1 else 1)


def filled_slices(x: Term, axis: int, count: int, value: float = 0.0) -> Term:
    """So many slices of one number, as they fit ``x`` along an axis."""
    shape = tuple(count if k == axis else n for k, n in enumerate(x.shape))
    return constant_array(value, shape, x.dtype)


def matrix_power(a: DeviceArray, b: float) -> Value:
    """A small whole power of a square matrix, by squaring."""
    x = term(a)
    if not isinstance(x, Term) or x.guarded or x.rank > 2 or b not in range(2, 65):
        return NotImplemented
    if x.shape[0] != x.shape[1] or x.dtype.is_integer:
        return NotImplemented
    square, found, rest = x.number(), None, int(b)
    while rest:
        if rest % 2:
            found = square if found is None else found.matmul(square)
        rest //= 2
        square = square.matmul(square) if rest else square
    return found.value if found is not None else NotImplemented


def ipermute(args: Args, nargout: int) -> Made:
    """The inverse of a permutation of the dimensions."""
    x = lazy_term(args)
    order = [int(k) - 1 for k in as_array(args[1]).ravel()]
    if x is None or sorted(order) != list(range(x.rank)):
        return None
    return x.permute(*(order.index(k) for k in range(x.rank)))


def shiftdim(args: Args, nargout: int) -> Made:
    """Dimensions moved to the left by a number, or off leading ones."""
    x = lazy_term(args)
    if x is None or nargout > 1:
        return None
    shift = first_axis(x.shape) if len(args) < 2 else whole_number(args[1])
    if shift is None or x.rank - shift > MOST_DIMENSIONS:
        return None
    if shift < 0:
        return x.reshape((1,) * -shift + x.shape)
    return x.permute(*((k + shift) % x.rank for k in range(x.rank))).reshape(
        tuple(x.shape[(k + shift) % x.rank] for k in range(x.rank))
    )


def vec(args: Args, nargout: int) -> Made:
    """All elements as a column."""
    x = lazy_term(args)
    return None if x is None or len(args) > 1 else x.reshape((x.size, 1))


def _padding_form(at_end: bool) -> Callable[[Args, int], Made]:
    def form(args: Args, nargout: int) -> Made:
        x, n = lazy_term(args), whole_number(args[1])
        beyond = args[2] if len(args) > 2 else 0.0
        if x is None or n is None or n < 1 or type(beyond) is not float or not x.dtype.is_float:
            return None
        axis = dimension(args[3]) if len(args) > 3 else first_axis(x.shape)
        if axis >= x.rank:
            return None
        more = n - x.shape[axis]
        if more <= 0:
            return x.part(axis, 0 if at_end else -more, n)
        border = filled_slices(x, axis, more, beyond)
        return cat(axis, x, border) if at_end else cat(axis, border, x)

    return form


postpad, prepad = _padding_form(True), _padding_form(False)


def repelem(args: Args, nargout: int) -> Made:
    """Elements repeated by scalar factors."""
    x, counts = lazy_term(args), [whole_number(v) or 0 for v in args[1:]]
    if x is None or not counts or min(counts) < 1:
        return None
    if len(counts) == 1:
        if x.rank > 2 or 1 not in x.shape:
            return None
        counts = [1, counts[0]] if x.shape[0] == 1 else counts
    for axis, n in enumerate(counts):
        shape = (*x.shape, *(1,) * (axis + 1 - x.rank))
        split = x.reshape((*shape[:axis], 1, *shape[axis:]))
        copies = (
            split.repmat(*(n if k == axis else 1 for k in range(len(split.shape))))
            if (len(split.shape) > axis)
            else split
        )
        x = copies.reshape((*shape[:axis], shape[axis] * n, *shape[axis + 1 :]))
    return x
