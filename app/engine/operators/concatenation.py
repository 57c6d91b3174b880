"""Concatenation: class of the result, skipped empties, consistent sizes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

from app import memory
from app.engine import stoppable
from app.engine.arguments.operation_rules import Rules, result_class
from app.engine.capture.lazy_limits import Limits
from app.engine.operators import operator_overloads
from app.engine.operators.arithmetic import cast, is_large
from app.engine.values import (
    DTYPE_OF_CLASS,
    EMPTY,
    Array,
    Cell,
    CharArray,
    NativeObject,
    NoObjects,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    char_codes,
    char_value,
    class_of,
    codes_of_numbers,
    is_char,
    is_text_scalar,
    object_array,
    object_array_of,
    size_of,
)
from app.errors import (
    MOST_DIMENSIONS,
    MatlabError,
    concatenation_error,
    handles_in_array,
    too_many_dimensions,
)

_VANISHING = ((0, 0), (1, 0), (0, 1))
_OBJECTS = (ObjectValue, ObjectArray, NativeObject)
DOUBLES = frozenset((float, np.ndarray))
_STRUCTS = frozenset((Struct, StructArray))
_CELL_CONTENTS = _STRUCTS | {Cell, float, bool, complex, str, CharArray}
"""Types of operands that join to a cell whatever they are, with a cell among them."""


def concatenate(axis: int, args: Sequence[Value]) -> Value:
    """``cat(axis + 1, args…)``."""
    if not args:
        return EMPTY
    quick = _joined_plainly(axis, args)
    if quick is not None:
        return quick
    if any(isinstance(a, _OBJECTS) for a in args):
        return _objects(axis, args)
    if is_large(*args):
        from app.engine.capture import concatenate_capture

        lazy = concatenate_capture.concatenate(axis, args)
        if lazy is not NotImplemented:
            return lazy
    kinds = [class_of(a) for a in args]
    if "cell" in kinds and not ("string" in kinds and _hold_texts(args)):
        return _cells(axis, args)
    if "string" in kinds:
        return _strings(axis, args)
    if "struct" in kinds:
        return _structs(axis, args)
    if "function_handle" in kinds:
        if len(args) == 1:
            return args[0]
        raise handles_in_array()
    if any(type(a) is SparseMatrix for a in args):
        return _sparse(axis, args)
    return _numbers(axis, args, kinds)


@cache
def _of_sparse() -> Callable[[int, Sequence[Value]], Value]:
    from app.engine.operators.sparse_arithmetic import concatenate as of_sparse

    return of_sparse


def _sparse(axis: int, args: Sequence[Value]) -> Value:
    return _of_sparse()(axis, args)


_DOUBLE = np.dtype(np.float64)


def _joined_plainly(axis: int, args: Sequence[Value]) -> Value:
    """What is joined most: small doubles, cells, structs, sparse matrices; None for all else."""
    types = set(map(type, args))
    if types == {SparseMatrix}:
        return _sparse(axis, args)
    if types == {np.ndarray}:
        made = arrays_of_one_class(axis, args)  # type: ignore[arg-type]  # all were seen to be arrays
        return made if made is not None else _plain_doubles(axis, args)
    if types <= DOUBLES:
        return _plain_doubles(axis, args)
    if types == {str}:
        return _stacked_texts(axis, args)  # type: ignore[arg-type]  # all were seen to be texts
    if Cell in types and types <= _CELL_CONTENTS:
        return _cells(axis, args)
    return _structs(axis, args) if types <= _STRUCTS else None


def _stacked_texts(axis: int, texts: Sequence[str]) -> Value:
    """Texts of one length below each other; None of all else."""
    width, count = len(texts[0]), len(texts)
    length = width * count
    if axis or count < 2 or not 0 < length < memory.LARGE or {*map(len, texts)} != {width}:
        return None
    codes = char_codes("".join(texts)).reshape(count, width)
    return CharArray(np.asfortranarray(codes))


def _plain_doubles(axis: int, args: Sequence[Value]) -> Value:
    """The common case: small full matrices and scalars of class double; None for all else."""
    if axis > 1 or len(args) < 2:
        return None
    line = line_of(axis, args)
    if line is not None:
        return line
    parts, across = [], 0
    for a in args:
        part = np.array([[a]]) if type(a) is float else a
        if type(part) is not np.ndarray or part.dtype.char != "d" or part.ndim != 2:
            return None
        if part.shape == (0, 0):
            continue
        extent = part.shape[1 - axis]
        if not extent or (across and extent != across) or part.size >= Limits.capture:
            return None
        across = extent
        parts.append(part)
    if not parts:
        return None
    made = np.concatenate(parts, axis) if len(parts) > 1 else parts[0]
    return made if made.size != 1 else made.item()


def arrays_of_one_class(axis: int, arrays: Sequence[Array]) -> Value:
    """Few real doubles, integers or truth values in matrices that fit; None for all else."""
    kind = arrays[0].dtype
    if axis > 1 or len(arrays) < 2 or (kind is not _DOUBLE and kind.kind not in "iub"):
        return None
    across, size = arrays[0].shape[1 - axis], 0
    for a in arrays:
        if a.dtype is not kind or a.ndim != 2 or a.shape[1 - axis] != across or not a.size:
            return None
        size += a.size
    return np.concatenate(arrays, axis) if size < Limits.capture else None


def blocks_of_one_class(rows: Sequence[Sequence[Array | float]]) -> Array | None:
    """Matrices of one class beside and below each other, few elements; None for all else.

    Numbers are matrices of one element, among doubles.
    """
    kind = next((a.dtype for row in rows for a in row if not isinstance(a, float)), _DOUBLE)
    if kind is not _DOUBLE and kind.kind not in "iub":
        return None
    height = width = 0
    for row in rows:
        across = extent = 0
        for a in row:
            if isinstance(a, float):
                if kind is not _DOUBLE:
                    return None
                tall = wide = 1
            elif a.dtype is kind and a.ndim == 2 and a.size:
                tall, wide = a.shape
            else:
                return None
            if across not in (0, tall):
                return None
            across, extent = tall, extent + wide
        if width not in (0, extent):
            return None
        height, width = height + across, extent
    if height * width >= Limits.capture:
        return None
    return _filled(rows, np.empty((height, width), kind, order="F"))


def _filled(rows: Sequence[Sequence[Array | float]], made: Array) -> Array:
    """The matrix with blocks in it that fit."""
    top = 0
    for row in rows:
        left, bottom = 0, top + (1 if isinstance(row[0], float) else row[0].shape[0])
        for a in row:
            right = left + (1 if isinstance(a, float) else a.shape[1])
            made[top:bottom, left:right] = a
            left = right
        top = bottom
    return made


def line_of(axis: int, args: Sequence[Value]) -> Array | None:
    """Numbers and rows as a row, numbers and columns as a column; None for all else."""
    count = 0
    for a in args:
        if type(a) is float:
            count += 1
        elif type(a) is np.ndarray and a.ndim == 2 and a.dtype is _DOUBLE:
            if a.shape[1 - axis] != 1 and a.shape != (0, 0):
                return None
            count += a.shape[axis]
        else:
            return None
    if not 1 < count < Limits.capture:
        return None
    made = np.empty((1, count) if axis else (count, 1))
    flat, place = made.reshape(-1), 0
    for a in args:
        if type(a) is float:
            flat[place] = a
            place += 1
        elif type(a) is np.ndarray:
            following = place + a.size
            flat[place:following] = a.reshape(-1)
            place = following
    return made


def _numbers(axis: int, args: Sequence[Value], kinds: Sequence[str]) -> Value:
    if "char" in kinds:
        codes = [_codes(a) for a in args]
        if set(kinds) == {"char"}:
            codes = [c for c in codes if c.size] or codes
        return char_value(join(axis, codes))
    arrays = [as_array(a) for a in args]
    target = result_class(kinds)
    dtype = DTYPE_OF_CLASS[target]
    return canonical(join(axis, [cast(a, dtype) for a in arrays]))


"""Of an array of NumPy."""


def _codes(a: Value) -> Array:
    if type(a) is str or type(a) is CharArray:
        return char_codes(a)
    return codes_of_numbers(as_array(a))


def join(axis: int, arrays: Sequence[Array]) -> Array:
    """Concatenate arrays of one element type; 0x0 vanishes, 1x0 and 0x1 where they do not fit."""
    kept = [a for a in arrays if a.shape != (0, 0)] or arrays[:1]
    if axis < 2 and _are_lines(axis, kept):
        return np.concatenate(kept, axis)
    vanishing = axis < 2 and len(kept) > 1 and any(a.shape in _VANISHING for a in kept)
    if vanishing and not _fit(axis, kept):
        kept = [a for a in kept if a.shape not in _VANISHING] or [kept[0][:0, :0]]
    if len(kept) == 1:
        return kept[0]
    ndim = max(axis + 1, *(a.ndim for a in kept))
    if ndim > MOST_DIMENSIONS:
        raise too_many_dimensions()
    padded = [a.reshape(a.shape + (1,) * (ndim - a.ndim), order="F") for a in kept]
    _check(axis, padded)
    shape: list[int] = list(padded[0].shape)
    shape[axis] = sum(a.shape[axis] for a in padded)
    dtype = np.result_type(*(a.dtype for a in padded))
    shown = "x".join(map(str, shape))
    memory.require(math.prod(shape) * dtype.itemsize, f"joining arrays to {shown}")
    out = np.empty(tuple(shape), dtype=dtype, order="F")
    return stoppable.of_elements(out.size, partial(np.concatenate, padded, axis=axis, out=out))


def _are_lines(axis: int, arrays: Sequence[Array]) -> bool:
    """Whether few elements in rows are joined to a row, or in columns to a column."""
    kind, size = arrays[0].dtype, 0
    for a in arrays:
        if a.ndim != 2 or a.shape[1 - axis] != 1 or a.dtype is not kind or not a.size:
            return False
        size += a.size
    return size < memory.LARGE // 16 and len(arrays) > 1


def _fit(axis: int, arrays: Sequence[Array]) -> bool:
    """True for the same extents along all other dimensions."""
    ndim = max(a.ndim for a in arrays)
    others = {
        tuple(n for d, n in enumerate(a.shape + (1,) * (ndim - a.ndim)) if d != axis)
        for a in arrays
    }
    return len(others) == 1


def _check(axis: int, arrays: Sequence[Array]) -> None:
    first = arrays[0].shape
    for a in arrays[1:]:
        for d, (m, n) in enumerate(zip(first, a.shape, strict=True)):
            if m != n and d != axis:
                raise concatenation_error()


def _cells(axis: int, args: Sequence[Value]) -> Value:
    """Cells join; anything else becomes a 1x1 cell, except empty numbers, which vanish.

    In Octave empty text vanishes, too.
    """
    parts = []
    for a in args:
        if type(a) is Cell:
            parts.append(a.data)
        elif 0 not in size_of(a) or (is_char(a) and not Rules.octave):
            parts.append(object_array([a]))
    return Cell(join(axis, parts)) if parts else Cell.empty()


def _hold_texts(args: Sequence[Value]) -> bool:
    """Whether cells among the operands hold texts alone, which join to strings beside a string."""
    return all(is_text_scalar(x) for a in args if type(a) is Cell for x in a.items())


def _strings(axis: int, args: Sequence[Value]) -> Value:
    from app.engine.operators.string_operators import to_strings

    parts = [to_strings(a).data for a in args if size_of(a) != (0, 0) or type(a) is str]
    return StringArray(join(axis, parts)) if parts else StringArray.of((), (0, 0))


def _structs(axis: int, args: Sequence[Value]) -> Value:
    parts = [a for a in args if isinstance(a, Struct | StructArray)]
    if any(not isinstance(a, Struct | StructArray) and size_of(a) != (0, 0) for a in args):
        bad = next(a for a in args if not isinstance(a, Struct | StructArray))
        kind = class_of(bad)
        text = f"The following error occurred converting from {kind} to struct:\nConversion to "
        raise MatlabError("MATLAB:invalidConversion", f"{text}struct from {kind} is not possible.")
    if len(parts) == 1:
        return parts[0]
    parts = [p for p in parts if size_of(p) != (0, 0)] or parts[:1]
    names = list(parts[0].fields)
    for p in parts[1:]:
        if set(p.fields) != set(names):
            raise MatlabError(
                "MATLAB:catenate:structFieldBad",
                "Names of fields in structure arrays being concatenated do not match. "
                "Concatenation of structure arrays requires that these arrays have the same set "
                "of fields.",
            )
    fields = {n: join(axis, [_field(p, n) for p in parts]) for n in names}
    shape = next(iter(fields.values())).shape if names else _joined_shape(axis, parts)
    if shape == (1, 1):
        return Struct({n: f[0, 0] for n, f in fields.items()})
    return StructArray(fields, shape)


def _field(part: Struct | StructArray, name: str) -> Array:
    if isinstance(part, Struct):
        return object_array([part.fields[name]])
    return part.fields[name]


def _joined_shape(axis: int, parts: Sequence[Value]) -> tuple[int, ...]:
    """The shape of joined structs that have no fields."""
    return join(axis, [np.zeros(size_of(p), dtype=bool) for p in parts]).shape


def _objects(axis: int, args: Sequence[Value]) -> Value:
    name = ("vertcat", "horzcat")[axis] if axis < 2 else "cat"
    if len(args) == 1:
        return args[0]
    some = [a for a in args if type(a) is not NoObjects]
    if len(some) < len(args):
        return concatenate(axis, some) if some else args[0]
    result = operator_overloads.overload_result(name, *args)
    if result is not NotImplemented:
        return result
    return joined_objects(axis, args)


def joined_objects(axis: int, args: Sequence[Value]) -> Value:
    """Objects in one array, whatever methods their class has."""
    if any(type(a) is Cell for a in args):
        return _cells(axis, args)
    kept = [a for a in args if size_of(a) != (0, 0) or isinstance(a, _OBJECTS)]
    objects = [a for a in kept if isinstance(a, ObjectValue | ObjectArray)]
    if len(objects) == len(kept):
        if len(objects) == 1:
            return objects[0]
        data = [a.data if isinstance(a, ObjectArray) else object_array([a]) for a in objects]
        return object_array_of(join(axis, data), objects[0].class_info)
    raise operator_overloads.unsupported_operands("[]", *args)
