"""What ``for`` iterates over: ranges without an array, columns of anything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any

import numpy as np

from app.engine.arguments.operation_rules import range_count
from app.engine.interpreter.indexing.index_read import paren
from app.engine.interpreter.indexing.subscripts import COLON
from app.engine.interpreter.objects.derived import is_derived, number, with_number
from app.engine.operators.operators import colon
from app.engine.values import (
    Cell,
    DeviceArray,
    FunctionHandle,
    Struct,
    StructArray,
    Value,
    host,
    numel,
    size_of,
)
from app.errors import MatlabError, Unsupported

_EXACT = 2.0**53
_LEAST_SPACED = 4
"""Numbers of a row that is looked at to see whether they are those of a range."""
_FEW_SPACED = 32
"""Numbers of such a row that are looked at one by one."""
_EMPTY_ROW = np.zeros((1, 0))


class Counter:
    """The passes of a numeric range: iterable any number of times, without an array."""

    __slots__ = ("count", "start", "step")

    def __init__(self, start: float, step: float, count: int) -> None:
        self.start = start
        self.step = step
        self.count = count

    def __iter__(self) -> Iterator[float]:
        start, step, count = self.start, self.step, self.count
        if start.is_integer() and step.is_integer() and abs(start + step * count) < _EXACT:
            first, jump = int(start), int(step)
            return map(float, range(first, first + jump * count, jump))
        return (start + k * step for k in range(count))


MOST_UNROLLED = 32
"""Passes of a loop inside a pass that is traced; longer loops are traced by themselves."""


def inner_passes(passes: Iterable[Value]) -> Iterable[Value]:
    """The passes of a loop inside a traced pass. Raises Unsupported where they are too many."""
    if isinstance(passes, Counter) and passes.count > MOST_UNROLLED:
        raise Unsupported("a loop inside it has many passes")
    return passes


class Columns:
    """The passes over the columns of a value."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __iter__(self) -> Iterator[Value]:
        return _columns(self.value)

    def between(self, first: int, after: int) -> Iterator[Value]:
        """The columns of an array from number ``first``, from 0, to before ``after``."""
        assert isinstance(self.value, np.ndarray)
        return _columns(self.value[:, first:after])


def count_up(start: Value, stop: Value) -> Iterable[Value]:
    """``start:stop``."""
    if type(start) is float and type(stop) is float and isfinite(start) and isfinite(stop):
        if start.is_integer():
            return Counter(start, 1.0, max(0, int((stop - start) // 1) + 1))
        return Counter(start, 1.0, range_count(start, 1.0, stop))
    return _general_range(start, None, stop)


def count(start: Value, step: Value, stop: Value) -> Iterable[Value]:
    """``start:step:stop``."""
    if (
        type(start) is float
        and type(stop) is float
        and type(step) is float
        and (step and isfinite(start) and isfinite(stop) and isfinite(step))
    ):
        return Counter(start, step, range_count(start, step, stop))
    return _general_range(start, step, stop)


_ENDS = (float("inf"), -float("inf"))
_ENDLESS = 1 << 52


def _general_range(start: Value, step: Value | None, stop: Value) -> Iterable[Value]:
    """A range of another class, or one that is not finite."""
    by = 1.0 if step is None else step
    if (
        type(start) is float
        and type(by) is float
        and type(stop) is float
        and (by and isfinite(start) and isfinite(by))
        and (stop in _ENDS and (stop > 0) == (by > 0))
    ):
        return Counter(start, by, _ENDLESS)
    return columns(colon(start, stop) if step is None else colon(start, step, stop))


def columns(value: Value) -> Iterable[Value]:
    """``for x = value``."""
    if is_derived(value):
        return (with_number(value, x) for x in Columns(number(value)))
    value = host(value, "needs-host-value: for") if type(value) is DeviceArray else value
    return _evenly_spaced(value) or Columns(value)


def _evenly_spaced(value: Value) -> Counter | None:
    """The passes over a row of doubles that are as far apart as those of a range."""
    if type(value) is not np.ndarray or value.dtype.char != "d" or value.ndim != 2:
        return None
    rows, count = value.shape
    if rows != 1 or count < _LEAST_SPACED:
        return None
    row = value[0]
    first = row.item(0)
    step = row.item(1) - first
    if not step or row.item(2) != first + step * 2 or row.item(-1) != first + step * (count - 1):
        return None
    if count <= _FEW_SPACED:
        numbers = row.tolist()
        if 0.0 not in numbers:  # which may be a negative zero
            same = [first + step * k for k in range(count)] == numbers
            return Counter(first, step, count) if same else None
    spaced = first + step * np.arange(count)
    return Counter(first, step, count) if spaced.tobytes() == row.tobytes() else None


def pairs(value: Value) -> list[tuple[Value, str]]:
    """Octave's ``for [value, key] = struct``."""
    if not isinstance(value, Struct):
        raise MatlabError("Octave:forKeys", "A loop over keys needs a scalar struct.")
    return [(v, k) for k, v in value.fields.items()]


def before_loop(passes: Iterable[Value]) -> Value:
    """What the loop variable is when there is no pass at all."""
    if isinstance(passes, Counter):
        return _EMPTY_ROW if passes.count == 0 else passes.start
    if isinstance(passes, Columns):
        value = passes.value
        if type(value) in {float, bool, complex, Struct, FunctionHandle} or numel(value):
            return 0.0
        return value
    return 0.0


def _columns(value: Value) -> Iterator[Value]:
    if type(value) in {float, bool, complex, Struct, FunctionHandle}:
        return iter((value,))
    if type(value) is str:
        return iter(value)
    if type(value) is np.ndarray and value.ndim == 2 and value.size:
        if value.shape[0] == 1 and value.dtype.char in "d?":
            return iter(value[0].tolist())
        if value.dtype.char in "d?fbBhHiIlLqQ":
            return (value[:, k : k + 1].copy(order="F") for k in range(value.shape[1]))
    if type(value) is Cell and value.data.shape[0] == 1 and value.data.ndim == 2:
        return (_one_cell(v) for v in value.data[0])
    return _generic(value)


def _one_cell(value: Value) -> Cell:
    data = np.empty((1, 1), dtype=object)
    data[0, 0] = value
    return Cell(data)


def _generic(value: Any) -> Iterator[Value]:
    """Columns of a matrix; arrays with more dimensions are seen as a matrix."""
    shape = size_of(value)
    row = len(shape) == 2 and shape[0] == 1
    if row and (isinstance(value, StructArray) or hasattr(value, "class_info")):
        for k in range(numel(value)):
            yield paren(value, float(k + 1))
        return
    if shape[0] == 0 and len(shape) == 2 and shape[1] == 0:
        return
    total = 1
    for extent in shape[1:]:
        total *= extent
    if shape[0] == 0:
        return
    for k in range(total):
        yield paren(value, COLON, float(k + 1))
