"""``x(a:b, c:d)`` read and written without making the subscripts.

A subscript that is written ``a:b`` comes as the pair of its ends.
"""

from __future__ import annotations

from sys import getrefcount

from app.engine.interpreter.indexing import device_index
from app.engine.interpreter.indexing.index_assign import set_general
from app.engine.interpreter.indexing.index_read import COMPLEX, ndarray, paren2
from app.engine.interpreter.indexing.ownership import IN_HELPER, owns_data
from app.engine.interpreter.indexing.store_numbers import number_in
from app.engine.interpreter.indexing.subscripts import COLON
from app.engine.operators.operators import colon
from app.engine.values import Array, DeviceArray, Value

_ALL = slice(None)


def paren_block(x: Value, i: Value, j: Value) -> Value:
    """``x(i, j)`` where one of the subscripts at least is written as ``a:b``."""
    if type(x) is ndarray and x.ndim == 2 and x.dtype.kind != COMPLEX:
        rows = _slice_of(i, x.shape[0])
        columns = None if rows is None else _slice_of(j, x.shape[1])
        if columns is not None:
            made: Array = x[rows, columns].copy(order="F")
            if made.size > 1:
                return made
    elif type(x) is DeviceArray:
        part = device_index.read_between(x, i, j)
        if part is not None:
            return part
    return paren2(x, _subscript(i), _subscript(j))


def set_block(x: Value, i: Value, j: Value, v: Value) -> Value:
    """``x(i, j) = v`` where one of the subscripts at least is written as ``a:b``."""
    own = getrefcount(x) <= IN_HELPER
    if own and type(x) is ndarray and x.ndim == 2 and x.size:
        rows, columns = _slice_of(i, x.shape[0]), _slice_of(j, x.shape[1])
        if rows is not None and columns is not None and _stored(x, (rows, columns), v):
            return x
    return set_general(x, (_subscript(i), _subscript(j)), v, own)


def _slice_of(sub: Value, extent: int) -> slice | None:
    """The slice that a colon, a place or a pair of ends means; None outside of the array."""
    if type(sub) is tuple:
        start, stop = sub
        if type(start) is float and type(stop) is float and 1.0 <= start <= stop < extent + 1:
            first = int(start)
            if first == start:
                return slice(first - 1, int(stop))
    elif type(sub) is float:
        if 1.0 <= sub <= extent:
            last = int(sub)
            if last == sub:
                return slice(last - 1, last)
    elif sub is COLON:
        return _ALL
    return None


def _stored(x: Array, place: tuple[slice, slice], v: Value) -> bool:
    """Whether a number, or an array of just this size and class, could be stored."""
    if not (x.base is None or owns_data(x)):
        return False
    if type(v) is ndarray and v.size != 1:
        target = x[place]
        if v.dtype is not x.dtype or v.shape != target.shape:
            return False
        target[...] = v
        return True
    number = number_in(x, v)
    if number is None:
        return False
    x[place] = number
    return True


def _subscript(sub: Value) -> Value:
    return colon(*sub) if type(sub) is tuple else sub
