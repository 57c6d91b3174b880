"""Size arguments such as ``(m, n, 'single')`` or ``([m n], 'like', x)``, shared by creators."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from app import memory
from app.engine.values import (
    DTYPE_OF_CLASS,
    Array,
    Value,
    as_array,
    class_of,
    host,
    is_char,
    is_complex,
    is_string,
    numel,
    text_of,
    trim_shape,
)
from app.errors import MOST_DIMENSIONS, MatlabError, too_many_dimensions
from app.records import record


@record
class Request:
    """What to create.

    Attributes:
        shape: the size.
        class_name: the numeric class asked for; empty when none was named.
        like: the prototype after ``'like'``; None when there is none.
    """

    shape: tuple[int, ...]
    class_name: str = ""
    like: Value = None

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type, double unless another class was asked for."""
        name = class_of(self.like) if self.like is not None else self.class_name or "double"
        if name not in DTYPE_OF_CLASS:
            text = f"Invalid data type '{name}': must be a numeric class name."
            raise MatlabError("MATLAB:invalidInput", text)
        dtype = DTYPE_OF_CLASS[name]
        if self.like is not None and dtype.kind == "f" and is_complex(self.like):
            return np.dtype(np.complex64 if name == "single" else np.complex128)
        return dtype


def extent(v: Any) -> int:
    """One size number."""
    if type(v) is float and v.is_integer():
        return max(0, int(v)) if v <= memory.MOST_ELEMENTS else _too_large()
    number = complex(v)
    if number.real > memory.MOST_ELEMENTS:
        return _too_large()
    if math.isinf(number.real):
        return 0
    if number.imag or math.isnan(number.real) or number.real != math.floor(number.real):
        raise MatlabError("MATLAB:NonIntegerInput", "Size inputs must be integers.")
    return max(0, int(number.real))


def _too_large() -> int:
    raise MatlabError("MATLAB:array:SizeLimitExceeded", memory.TOO_LARGE)


def _checked_size(extents: Iterable[int]) -> tuple[int, ...]:
    """The size without ones at its end, where an array may have so many dimensions."""
    shape = trim_shape(tuple(extents))
    if len(shape) > MOST_DIMENSIONS:
        raise too_many_dimensions()
    return shape


def shape_of_vector(a: Array) -> tuple[int, ...]:
    """The size that one numeric argument names: n for n-by-n, or a size vector."""
    if a.size == 1:
        n = extent(a.flat[0].item())
        return (n, n)
    if a.ndim > 2 or 1 not in a.shape:
        text = "Size vector must be a row vector with integer elements."
        raise MatlabError("MATLAB:sizeVector", text)
    return _checked_size(extent(x) for x in a.ravel().tolist())


def _number(v: Value) -> Array:
    if is_char(v) or is_string(v):
        raise MatlabError("MATLAB:NonNumericInput", "Size inputs must be numeric.")
    return as_array(v)


def shape_of(args: tuple[Value, ...]) -> tuple[int, ...]:
    """The size that numeric arguments name."""
    if not args:
        return (1, 1)
    if len(args) == 1:
        v = host(args[0])
        if type(v) is float:
            n = extent(v)
            return (n, n)
        a = _number(v)
        return (0, 0) if a.size == 0 else shape_of_vector(a)
    return _checked_size(_single_extent(v) for v in args)


def _single_extent(v: Value) -> int:
    if type(v) is float:
        return extent(v)
    a = _number(v)
    if a.size != 1:
        raise MatlabError("MATLAB:sizeScalar", "Size inputs must be scalar.")
    return extent(a.flat[0].item())


def read(args: tuple[Value, ...]) -> Request:
    """Split creator arguments into size, class name and prototype."""
    for i, arg in enumerate(args):
        if is_char(arg) or is_string(arg):
            word = text_of(arg)
            if word.lower() == "like":
                if i + 1 >= len(args):
                    raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
                return Request(shape_of(args[:i]), like=args[i + 1])
            return Request(shape_of(args[:i]), word)
    return Request(shape_of(args))


def check_room(shape: tuple[int, ...], itemsize: int) -> None:
    """Refuse arrays that cannot fit into memory, with MATLAB's message."""
    total = itemsize * math.prod(shape)
    if total < memory.LARGE:
        return
    if memory.total() < total <= itemsize * memory.MOST_ELEMENTS:
        dims = "x".join(map(str, shape))
        text = (
            f"Requested {dims} ({total / 2**30:.1f}GB) array exceeds maximum array size "
            "preference. This might cause the program to become unresponsive."
        )
        raise MatlabError("MATLAB:array:SizeLimitExceeded", text)
    memory.require_array(shape, itemsize)


def read_size(size: Value | None) -> tuple[float, tuple[int, int] | None]:
    """Of ``fread`` and ``fscanf``: most elements, and rows and columns (-1 for any) of a matrix."""
    if size is None or numel(size) == 0:
        return math.inf, None
    numbers = as_array(size).ravel().tolist()
    if (
        is_complex(size)
        or len(numbers) > 2
        or not all(n == math.inf or (n >= 0 and n % 1 == 0) for n in numbers)
    ):
        raise _no_read_size()
    if len(numbers) == 1:
        return numbers[0], None
    rows, columns = numbers
    if math.isinf(rows):
        raise _no_read_size()
    if math.isinf(columns):
        return (columns if rows else 0.0), (int(rows), -1)
    return rows * columns, (int(rows), int(columns))


def _no_read_size() -> MatlabError:
    text = "Size must be n, Inf, [rows columns] or [rows Inf], with integers that are not negative."
    return MatlabError("MATLAB:FileIO:InvalidSize", text)
