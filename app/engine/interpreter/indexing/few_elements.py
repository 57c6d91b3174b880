"""A few elements of a large array on the device: written, appended and left out there.

The host does it at once, but for that the whole array would be fetched. Every such write on the
device copies the array, so that one that was written to again and again is fetched after all: a
loop that sets an element per pass, and is no kernel, goes on there.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.lazy_limits import LONG
from app.engine.capture.term_arrays import real_term_of
from app.engine.capture.terms import Term, cat, constant_array
from app.engine.interpreter.indexing.assign_capture import (
    MOST_WRITES,
    assigned,
    is_written_often,
    placed,
    with_write_count,
)
from app.engine.interpreter.indexing.captured_subscripts import block_of
from app.engine.interpreter.indexing.subscripts import is_colon
from app.engine.interpreter.tracing import Tracing
from app.engine.values import DeviceArray, Value

MOST_PLACES = 64


def stays(x: Value) -> bool:
    """Whether an array is large, on the device, and was not written to often."""
    if type(x) is not DeviceArray or x.size < LONG or Tracing.trace is not None:
        return False
    if x.pending is not None or x.node.op == "fill" or is_written_often(x):
        return False
    if x.runtime.open() is None:
        return False
    x.runtime.evaluate([x.node], "indexed-assignment")
    return x.runtime.state(x.node) in ("device", "both")


def write(x: DeviceArray, args: tuple[Value, ...], v: Value) -> Value | None:
    """``x(args) = v`` of a block, of places, or just behind the end of a vector."""
    if type(v) is bool:
        v = float(v)
    if type(v) is DeviceArray and not v.guarded and v.pending is None:
        pass
    elif type(v) is not float and not (isinstance(v, np.ndarray) and v.dtype.kind in "fiub"):
        return None
    if x.node.dtype is DType.BOOL and not (type(v) is float and v == v):
        return None  # NaN is an error
    block = block_of(x.shape, place_by_row(x.shape, args))
    if block is not None:
        return with_write_count(x, assigned(x, block, v))
    if len(args) == 1 and type(args[0]) is float:
        if type(v) is not float or not _is_vector(x) or args[0] != x.size + 1.0:
            return None
        return with_write_count(x, _with_appended(x, v))
    if x.node.dtype.is_complex:
        return None
    return with_write_count(x, placed(x, args, v))


def place_by_row(shape: tuple[int, ...], args: tuple[Value, ...]) -> tuple[Value, ...]:
    """One place of a matrix by its row and column."""
    if len(args) > 1 or len(shape) != 2 or 1 in shape or type(args[0]) is not float:
        return args
    place = args[0]
    if not (1 <= place <= shape[0] * shape[1] and place.is_integer()):
        return args
    column, row = divmod(int(place) - 1, shape[0])
    return row + 1.0, column + 1.0


def _is_vector(x: DeviceArray) -> bool:
    return len(x.shape) == 2 and 1 in x.shape


def _with_appended(x: DeviceArray, v: float) -> Value | None:
    held = real_term_of(x)
    if held is None or not held.dtype.is_float:
        return None
    return cat(0 if x.shape[1] == 1 else 1, held, constant_array(v, (1, 1), held.dtype)).value


def _known_places(sub: Value, extent: int) -> np.ndarray[tuple[int], np.dtype[np.int64]] | None:
    """Few places from 0 that the host knows; None for all else, and for wrong ones."""
    if type(sub) is float:
        sub = np.array([[sub]])
    if (
        type(sub) is not np.ndarray
        or sub.dtype.kind not in "fiu"
        or not 0 < sub.size <= MOST_PLACES
    ):
        return None
    flat = sub.reshape(-1, order="F")
    if (flat != np.floor(flat)).any() or flat.min() < 1 or flat.max() > extent:
        return None
    return flat.astype(np.int64) - 1


def without(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(args) = []`` of few elements of a vector, or few rows or columns of a matrix."""
    if len(args) == 1 and _is_vector(x):
        axis, sub = (0 if x.shape[1] == 1 else 1), args[0]
    elif len(args) == len(x.shape) == 2 and any(map(is_colon, args)):
        axis = 0 if is_colon(args[1]) else 1
        sub = args[axis]
    else:
        return None
    places, held = _known_places(sub, x.shape[axis]), real_term_of(x)
    if places is None or held is None:
        return None
    ends = sorted({-1, *places.tolist(), x.shape[axis]})
    kept = [(a + 1, b - a - 1) for a, b in pairwise(ends) if b - a > 1]
    if not 0 < len(kept) <= MOST_WRITES:
        return None
    parts: list[Term] = [held.part(axis, start, count) for start, count in kept]
    return with_write_count(x, (cat(axis, *parts) if len(parts) > 1 else parts[0]).value)
