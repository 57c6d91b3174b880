"""The colon operator."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from app.accel.ir.dtypes import of_numpy
from app.engine.arguments.operation_rules import check_count, last_of, range_count
from app.engine.capture.capture_session import Session
from app.engine.operators import operator_overloads
from app.engine.values import (
    Array,
    DeviceArray,
    Value,
    as_array,
    char_value,
    class_of,
    float_of,
    is_char,
    numel,
    unwrap,
)
from app.errors import MatlabError

_TABLED = 1 << 10
_WHOLE = np.arange(float(_TABLED)).reshape(1, -1)
"""A row of the first whole numbers: copying some takes a third of what making them does."""


def few_whole_numbers(start: float, stop: float) -> Value | None:
    """``start:stop`` of few whole numbers from 0 on; None of all else."""
    if 0.0 <= start <= stop < _TABLED and start.is_integer():
        if stop < start + 1.0:
            return start + 0.0
        return _WHOLE[:, int(start) : int(stop) + 1].copy()
    return None


def double_range(start: float, step: float, stop: float) -> Array:
    """The row ``start:step:stop`` in double, computed from both ends as MATLAB does."""
    if step == 1.0 and start == (first := math.floor(start)) if math.isfinite(start) else False:
        return _unit_range(first, stop)
    if abs(stop - start) < _TABLED * abs(step) and not (start.is_integer() and step.is_integer()):
        signs = math.copysign(1.0, start), math.copysign(1.0, stop)  # of zeros, which are equal
        return _few_steps(start, step, stop, signs).copy()
    return _range(start, step, stop)


@lru_cache(maxsize=64)
def _few_steps(start: float, step: float, stop: float, _signs: tuple[float, float]) -> Array:
    """A range of few numbers; loops make the same ones again and again."""
    return _range(start, step, stop)


def _range(start: float, step: float, stop: float) -> Array:
    if math.isnan(start) or math.isnan(step) or math.isnan(stop):
        return np.array([[math.nan]])
    if math.isinf(step) and math.isfinite(start):
        ahead = stop >= start if step > 0 else stop <= start
        return np.array([[start]]) if ahead else np.zeros((1, 0))
    count = range_count(start, step, stop)
    if count == 0:
        return np.zeros((1, 0))
    if start.is_integer() and step.is_integer():
        last = start + step * (count - 1)
        if count > 1 and 0.0 <= start < _TABLED and 0.0 <= last < _TABLED:
            behind = int(last) + (1 if step > 0 else -1)
            return _WHOLE[:, int(start) : behind if behind >= 0 else None : int(step)].copy()
        return (start + step * np.arange(count)).reshape(1, -1)
    return _symmetric(start, step, stop, count)


def _unit_range(first: int, stop: float) -> Array:
    if math.isnan(stop):
        return np.array([[math.nan]])
    if stop < first:
        return np.zeros((1, 0))
    check_count(stop - first)
    return np.arange(float(first), math.floor(stop) + 1.0).reshape(1, -1)


def _symmetric(start: float, step: float, stop: float, count: int) -> Array:
    n = count - 1
    last = last_of(start, step, stop, n)
    half = n // 2
    out = np.empty((1, count))
    offsets = step * (_WHOLE[0, : half + 1] if half < _TABLED else np.arange(half + 1))
    out[0, : half + 1] = start + offsets
    out[0, n - half :] = (last - offsets)[::-1]
    if n % 2 == 0:
        out[0, half] = (start + last) / 2
    return out


def colon_of(start: Value, step: Value, stop: Value) -> Value:
    """``start:step:stop`` for any classes."""
    if is_char(start) and is_char(stop) and numel(start) == numel(stop) == 1:
        codes = colon_of(float_of(start), step, float_of(stop))
        return char_value(as_array(codes).astype(np.uint32))
    if type(start) is float and type(step) is float and type(stop) is float:
        return unwrap(double_range(start, step, stop))
    operands = (start, step, stop)
    if Session.progression is not None and any(type(v) is DeviceArray for v in operands):
        moving = Session.progression(start, step, stop)
        if moving is not None:
            return moving
    made = operator_overloads.overload_result("colon", *operands)
    if made is not NotImplemented:
        return made
    if any(numel(v) == 0 for v in operands):
        return np.zeros((1, 0))
    dtype = _range_class(operands)
    a, d, b = (_first_real(v) for v in operands)
    if dtype.kind in "iu":
        return _integer_range(a, d, b, dtype)
    if Session.is_active and dtype.char == "f":
        from app.engine.capture import progressions

        row = progressions.single_colon(float(a), float(d), float(b))
        if row is not NotImplemented:
            return row
    return unwrap(double_range(float(a), float(d), float(b)).astype(dtype))


def _first_real(v: Value) -> Any:
    a = as_array(v)
    return a.real.ravel(order="F")[0]


def _range_class(operands: tuple[Value, ...]) -> np.dtype[Any]:
    dtypes = {as_array(v).dtype for v in operands if class_of(v) != "double"}
    integers = [d for d in dtypes if d.kind in "iu"]
    if len(integers) > 1:
        text = "Colon operands must be all the same type, or mixed with real scalar doubles."
        raise MatlabError("MATLAB:colon:MixedNonDoubleOperands", text)
    if integers:
        return integers[0]
    return np.dtype(np.float32 if np.dtype(np.float32) in dtypes else np.float64)


def _integer_range(first: float, d: float, b: Any, dtype: np.dtype[Any]) -> Value:
    if not float(first).is_integer() or not float(d).is_integer():
        text = "Colon operands with integer class must be whole numbers."
        raise MatlabError("MATLAB:colon:nonIntegerOperand", text)
    a, step, stop = int(first), int(d), float(b)
    info = np.iinfo(dtype)
    if not info.min <= a <= info.max:
        text = f"The first colon operand, {a}, must be in the range of {dtype.name}."
        raise MatlabError("MATLAB:colon:operandsNotInRange", text)
    end = (
        math.floor(max(min(stop, info.max), info.min))
        if math.isfinite(stop)
        else (info.max if stop > 0 else info.min)
    )
    end = int(b) if isinstance(b, np.integer) else end
    if step == 0:
        return np.zeros((1, 0), dtype=dtype)
    check_count((end - a) // step)
    values = range(a, end + (1 if step > 0 else -1), step)
    if Session.is_active:
        from app.engine.capture import progressions

        row = progressions.whole_colon(a, step, len(values), of_numpy(dtype))
        if row is not NotImplemented:
            return row
    return np.fromiter(values, dtype=dtype, count=len(values)).reshape(1, -1)
