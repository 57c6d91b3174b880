"""Size and shape: size, numel, ndims, length, reshape, permute, cat, repmat, flips and shifts."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from app import memory
from app.engine import stoppable
from app.engine.arguments.checks import (
    ANY,
    DIM,
    NONNEGATIVE,
    NUMBER,
    NUMBERS,
    SCALAR,
    VECTOR,
    WHOLE,
    optional,
    takes,
)
from app.engine.arguments.dimensions import dimension, dimension_list, first_axis
from app.engine.arguments.shape_rules import permutation, repetitions, reshape_target, squeezed_size
from app.engine.arguments.size_arguments import check_room
from app.engine.capture import selections, shape_capture
from app.engine.capture.lazy_limits import is_captured
from app.engine.declarations.device_support import METADATA, Custom, HostOnly, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators import shape_forms
from app.engine.operators.concatenation import concatenate, joined_objects
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.values import (
    DTYPE_OF_CLASS,
    Array,
    ObjectArray,
    ObjectValue,
    Value,
    as_array,
    class_of,
    int_of,
    is_char,
    size_of,
)
from app.engine.values import (
    numel as count_of,
)
from app.engine.values.containers import filled_objects
from app.errors import MOST_DIMENSIONS, MatlabError, too_many_dimensions

_FAMILY = "arrays"


@builtin(
    "size",
    category=_FAMILY,
    signatures=("sz = size(A)", "n = size(A, dim)", "[m, n, ...] = size(A)"),
    device=METADATA,
    cases=(
        "isequal(size(ones(2, 3)), [2 3])",
        "size(ones(2, 3), 2) == 3",
        "isequal(size(ones(2, 3, 4), [1 3]), [2 4])",
    ),
    see=("numel", "length"),
)
def size(a: Value, *dims: Value, nargout: int = 1) -> Value:
    """Size of an array, or of some dimensions."""
    shape = size_of(a)
    if dims:
        wanted = dims if len(dims) > 1 else [np.asarray(d) for d in as_array(dims[0]).ravel()]
        found = [_extent(shape, dimension(d)) for d in wanted]
        return tuple(found) if nargout > 1 else _row(found)
    if nargout <= 1:
        return _row([float(n) for n in shape])
    head = [float(n) for n in shape[: nargout - 1]]
    rest = math.prod(shape[nargout - 1 :])
    return (*head, *([1.0] * (nargout - 1 - len(head))), float(rest))


def _extent(shape: tuple[int, ...], axis: int) -> float:
    return float(shape[axis]) if axis < len(shape) else 1.0


def _row(numbers: list[float]) -> Value:
    return numbers[0] if len(numbers) == 1 else np.array([numbers])


@builtin(
    "numel",
    category=_FAMILY,
    signatures=("n = numel(A)",),
    device=METADATA,
    cases=("numel(ones(2, 3)) == 6",),
    see=("size", "length"),
)
def numel(a: Value, *index: Value) -> Value:
    """Number of elements, or of those an index takes."""
    if not index:
        selected = selections.count_of(a)
        return float(count_of(a)) if selected is None else selected
    shape = size_of(a)
    every = [type(v) is str and v == ":" for v in index]
    taken = [_extent(shape, k) if every[k] else float(count_of(v)) for k, v in enumerate(index)]
    return float(np.prod(taken))


@builtin(
    "length",
    category=_FAMILY,
    signatures=("n = length(A)",),
    device=METADATA,
    cases=("length(ones(2, 5)) == 5", "length([]) == 0"),
    see=("size", "numel"),
)
def length(a: Value) -> Value:
    """Largest dimension; 0 for empty arrays."""
    selected = selections.count_of(a)
    if selected is not None:
        return selected
    shape = size_of(a)
    return float(max(shape)) if 0 not in shape else 0.0


@builtin(
    "ndims",
    category=_FAMILY,
    signatures=("n = ndims(A)",),
    device=METADATA,
    cases=("ndims(5) == 2", "ndims(ones(2, 2, 2)) == 3"),
    see=("size",),
)
def ndims(a: Value) -> Value:
    """Number of dimensions, at least two."""
    return float(len(size_of(a)))


@builtin(
    "rows",
    category=_FAMILY,
    signatures=("n = rows(A)",),
    device=METADATA,
    cases=("rows(ones(2, 3)) == 2",),
    see=("size",),
)
def rows(a: Value) -> Value:
    """Number of rows (Octave's)."""
    return float(size_of(a)[0])


@builtin(
    "columns",
    category=_FAMILY,
    signatures=("n = columns(A)",),
    device=METADATA,
    cases=("columns(ones(2, 3)) == 3",),
    see=("size",),
)
def columns(a: Value) -> Value:
    """Number of columns (Octave's)."""
    return float(size_of(a)[1])


@builtin(
    "isempty",
    category=_FAMILY,
    signatures=("tf = isempty(A)",),
    device=METADATA,
    cases=("isempty([])", "~isempty(0)", "isempty('')"),
    see=("numel",),
)
def isempty(a: Value) -> Value:
    """True when some dimension is zero."""
    selected = selections.is_none(a)
    return count_of(a) == 0 if selected is None else selected


@builtin(
    "size_equal",
    category=_FAMILY,
    signatures=("tf = size_equal(A, B, ...)",),
    device=METADATA,
    cases=("size_equal([1 2], [3 4])",),
    see=("size",),
)
def size_equal(*values: Value) -> Value:
    """True when all arguments have one size (Octave's)."""
    return len({size_of(v) for v in values}) <= 1


# --- reshaping --------------------------------------------------------------------------------


@builtin(
    "reshape",
    category=_FAMILY,
    signatures=("B = reshape(A, m, n, ...)", "B = reshape(A, sz)", "B = reshape(A, [], n)"),
    device=Custom(lambda args, nargout: shape_capture.reshape(args)),
    cases=(
        "isequal(reshape(1:6, 2, 3), [1 3 5; 2 4 6])",
        "isequal(size(reshape(1:6, [], 2)), [3 2])",
    ),
    see=("permute", "squeeze"),
)
def reshape(a: Value, *args: Value) -> Value:
    """The same elements in column order with another size."""
    if not args:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    data = data_of(a)
    return rebuild(a, data.reshape(reshape_target(data.size, args), order="F"))


@builtin(
    "squeeze",
    category=_FAMILY,
    signatures=("B = squeeze(A)",),
    device=Custom(lambda args, nargout: shape_capture.squeeze(args)),
    cases=("isequal(size(squeeze(ones(2, 1, 3))), [2 3])",),
    see=("reshape",),
)
def squeeze(a: Value) -> Value:
    """Remove dimensions of size one."""
    shape = size_of(a)
    if len(shape) == 2:
        return a
    data = data_of(a)
    return rebuild(a, data.reshape(squeezed_size(shape), order="F"))


@builtin(
    "permute",
    category=_FAMILY,
    signatures=("B = permute(A, order)",),
    device=Custom(lambda args, nargout: shape_capture.permute(args)),
    cases=(
        "isequal(permute([1 2; 3 4], [2 1]), [1 3; 2 4])",
        "isequal(size(permute(ones(2, 3), [3 1 2])), [1 2 3])",
    ),
    see=("ipermute",),
)
def permute(a: Value, order: Value) -> Value:
    """Reorder dimensions."""
    data = data_of(a)
    dims = permutation(order, data.ndim)
    padded = data.reshape(data.shape + (1,) * (len(dims) - data.ndim), order="F")
    return rebuild(a, padded.transpose(dims))


@builtin(
    "ipermute",
    category=_FAMILY,
    signatures=("A = ipermute(B, order)",),
    device=term_form(shape_forms.ipermute),
    cases=("isequal(ipermute(permute([1 2], [3 1 2]), [3 1 2]), [1 2])",),
    see=("permute",),
)
def ipermute(b: Value, order: Value) -> Value:
    """Undo a permute."""
    inverse = np.argsort(permutation(order, len(size_of(b)))) + 1.0
    return permute(b, inverse.reshape(1, -1))


@builtin(
    "shiftdim",
    category=_FAMILY,
    signatures=("B = shiftdim(A)", "B = shiftdim(A, n)", "[B, n] = shiftdim(A)"),
    device=term_form(shape_forms.shiftdim),
    cases=("isequal(size(shiftdim(ones(1, 1, 3))), [3 1])",),
    see=("permute",),
)
@takes(ANY, NUMBER & WHOLE)
def shiftdim(a: Value, n: Value | None = None) -> Value:
    """Shift dimensions to the left by n, or off leading ones."""
    data = data_of(a)
    shift = int_of(n) if n is not None else first_axis(data.shape)
    if data.ndim - shift > MOST_DIMENSIONS:
        raise too_many_dimensions()
    if shift >= 0:
        order = np.roll(np.arange(data.ndim), -(shift % data.ndim))
        result = data.transpose(order)
    else:
        result = data.reshape((1,) * -shift + data.shape, order="F")
    return rebuild(a, result), float(shift)


@builtin(
    "cat",
    category=_FAMILY,
    signatures=("C = cat(dim, A, B, ...)",),
    device=HostOnly("", lazy=True),
    cases=("isequal(cat(1, 1, 2), [1; 2])", "size(cat(3, 1, 2), 3) == 2"),
    see=("horzcat", "vertcat"),
)
def cat(dim: Value, *args: Value) -> Value:
    """Join along a dimension."""
    if args and all(
        isinstance(a, ObjectValue | ObjectArray) and not a.class_info.native_base for a in args
    ):
        return joined_objects(dimension(dim), args)
    return concatenate(dimension(dim), args)


@builtin(
    "repmat",
    category=_FAMILY,
    signatures=("B = repmat(A, m, n, ...)", "B = repmat(A, sz)"),
    device=Custom(lambda args, nargout: shape_capture.repmat(args)),
    cases=(
        "isequal(repmat([1 2], 2, 2), [1 2 1 2; 1 2 1 2])",
        "strcmp(repmat('ab', 1, 2), 'abab')",
    ),
    see=("repelem",),
)
def repmat(a: Value, *args: Value) -> Value:
    """Tile copies of an array."""
    counts = repetitions(args)
    if type(a) is str and a and counts[0] == 1 and len(counts) == 2 and counts[1]:
        length = len(a) * counts[1]
        memory.require_text(length, f"a text of {length} characters")
        return a * counts[1]
    data = data_of(a)
    ndim = max(data.ndim, len(counts))
    padded = data.reshape(data.shape + (1,) * (ndim - data.ndim), order="F")
    counts += (1,) * (ndim - len(counts))
    sizes: tuple[int, ...] = padded.shape
    target = tuple(m * n for m, n in zip(sizes, counts, strict=True))
    if is_captured(math.prod(target)) and type(a) in (np.ndarray, float):
        from app.engine.capture import shape_capture

        lazy = shape_capture.spread_rows(data, target)
        if lazy is not NotImplemented:
            return lazy
    memory.require_array(target, padded.dtype.itemsize)
    if padded.dtype == object and padded.size == 1:
        return rebuild(a, filled_objects(target, padded.flat[0]))
    made = np.empty(target, padded.dtype, order="F")
    pairs = tuple(n for pair in zip(sizes, counts, strict=True) for n in pair)
    once = tuple(n for size in sizes for n in (size, 1))
    tiles, tile = made.reshape(pairs, order="F"), padded.reshape(once, order="F")
    stoppable.of_elements(made.size, partial(np.copyto, tiles, tile))
    return rebuild(a, made)


@builtin(
    "repelem",
    category=_FAMILY,
    signatures=("B = repelem(v, n)", "B = repelem(A, r1, r2, ...)"),
    device=term_form(shape_forms.repelem),
    cases=(
        "isequal(repelem([1 2], 2), [1 1 2 2])",
        "isequal(repelem([1 2], [1 2]), [1 2 2])",
        "isequal(repelem([1 2], 2, 1), [1 2; 1 2])",
    ),
    see=("repmat",),
)
def repelem(a: Value, *counts: Value) -> Value:
    """Repeat single elements."""
    data = data_of(a)
    if not counts:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if len(counts) == 1:
        if 1 not in data.shape or data.ndim > 2:
            text = "One replication factor needs a vector; give a factor for every dimension."
            raise MatlabError("MATLAB:repelem:multipleInputsNeeded", text)
        counts = (1.0, *counts) if data.shape[0] == 1 else counts
    data = data.reshape((*data.shape, *(1,) * (len(counts) - data.ndim)), order="F")
    repeats = [_repeats(n, data.shape[axis]) for axis, n in enumerate(counts)]
    target = (*(max(0, int(each.sum())) for each in repeats), *data.shape[len(counts) :])
    check_room(target, data.itemsize)
    if data.dtype == object and data.size == 1:
        return rebuild(a, filled_objects(target, data.flat[0]))
    for axis, each in enumerate(repeats):
        data = np.repeat(data, each, axis=axis)
    return rebuild(a, data)


def _repeats(counts: Value, extent: int) -> Array:
    numbers = as_array(counts).ravel().astype(np.int64)
    if numbers.size not in (1, extent):
        text = "Replication factors must be scalar or match the size of the dimension."
        raise MatlabError("MATLAB:repelem:mismatchedReplications", text)
    return np.broadcast_to(numbers, (extent,))


# --- flips, shifts, rotations -----------------------------------------------------------------


def _flipped_along(a: Value, axis: int) -> Value:
    data = data_of(a)
    return rebuild(a, np.flip(data, axis) if axis < data.ndim else data)


@builtin(
    "flip",
    category=_FAMILY,
    signatures=("B = flip(A)", "B = flip(A, dim)"),
    device=Custom(lambda args, nargout: shape_capture.flip(args)),
    cases=("isequal(flip([1 2 3]), [3 2 1])",),
    see=("fliplr", "flipud"),
)
def flip(a: Value, dim: Value | None = None) -> Value:
    """Reverse the order of elements along a dimension."""
    return _flipped_along(a, first_axis(size_of(a)) if dim is None else dimension(dim))


@builtin(
    "fliplr",
    category=_FAMILY,
    signatures=("B = fliplr(A)",),
    device=Custom(lambda args, nargout: shape_capture.fliplr(args)),
    cases=("isequal(fliplr([1 2 3]), [3 2 1])", "strcmp(fliplr('abc'), 'cba')"),
    see=("flipud", "flip"),
)
def fliplr(a: Value) -> Value:
    """Reverse the order of columns."""
    return _flipped_along(a, 1)


@builtin(
    "flipud",
    category=_FAMILY,
    signatures=("B = flipud(A)",),
    device=Custom(lambda args, nargout: shape_capture.flipud(args)),
    cases=("isequal(flipud([1; 2]), [2; 1])",),
    see=("fliplr", "flip"),
)
def flipud(a: Value) -> Value:
    """Reverse the order of rows."""
    return _flipped_along(a, 0)


@builtin(
    "rot90",
    category=_FAMILY,
    signatures=("B = rot90(A)", "B = rot90(A, k)"),
    device=term_form(shape_forms.rot90),
    cases=("isequal(rot90([1 2; 3 4]), [2 4; 1 3])",),
    see=("flip",),
)
@takes(ANY, NUMBER & WHOLE)
def rot90(a: Value, k: Value = 1.0) -> Value:
    """Rotate by k times 90 degrees counterclockwise."""
    return rebuild(a, np.rot90(data_of(a), int_of(k)))


@builtin(
    "circshift",
    category=_FAMILY,
    signatures=("B = circshift(A, k)", "B = circshift(A, k, dim)"),
    device=Custom(lambda args, nargout: shape_capture.circshift(args)),
    cases=(
        "isequal(circshift([1 2 3], 1), [3 1 2])",
        "isequal(circshift([1 2; 3 4], [0 1]), [2 1; 4 3])",
    ),
    see=("flip",),
)
@takes(ANY, NUMBERS & VECTOR, DIM)
def circshift(a: Value, k: Value, dim: Value | None = None) -> Value:
    """Shift elements around in a circle."""
    data = data_of(a)
    shifts = [_whole_shift(x) for x in as_array(k).ravel().tolist()]
    if dim is not None:
        axes: tuple[int, ...] = dimension_list(dim)
        if len(axes) != len(shifts):
            text = "There must be one shift for every dimension."
            raise MatlabError("MATLAB:circshift:InvalidShiftType", text)
    elif len(shifts) == 1:
        axes = (first_axis(data.shape),)
    else:
        axes = tuple(range(len(shifts)))
    for shift, axis in zip(shifts, axes, strict=False):
        if axis < data.ndim:
            data = np.roll(data, shift, axis)
    return rebuild(a, data)


def _whole_shift(x: complex) -> int:
    if x.imag or x.real != int(x.real):
        text = "Shift amounts must be whole numbers."
        raise MatlabError("MATLAB:circshift:InvalidShiftType", text)
    return int(x.real)


# --- triangles and diagonals ------------------------------------------------------------------


@builtin(
    "vec",
    category=_FAMILY,
    signatures=("v = vec(A)", "v = vec(A, dim)"),
    device=term_form(shape_forms.vec),
    cases=("isequal(vec([1 2]), [1; 2])",),
)
def vec(a: Value, dim: Value = 1.0) -> Value:
    """All elements as a column, or along another dimension (Octave's)."""
    shape = (1,) * dimension(dim) + (-1,)
    return rebuild(a, data_of(a).reshape(shape if len(shape) > 1 else (-1, 1), order="F"))


@builtin(
    "postpad",
    category=_FAMILY,
    signatures=("B = postpad(A, n)", "B = postpad(A, n, c)"),
    device=term_form(shape_forms.postpad),
    cases=("isequal(postpad([1 2], 3), [1 2 0])",),
    see=("prepad",),
)
@takes(ANY, NUMBER & WHOLE & NONNEGATIVE, optional(SCALAR), DIM)
def postpad(a: Value, n: Value, c: Value = 0.0, dim: Value | None = None) -> Value:
    """Extend or cut at the end to length n (Octave's)."""
    return _padded_array(a, n, c, dim, at_end=True)


@builtin(
    "prepad",
    category=_FAMILY,
    signatures=("B = prepad(A, n)", "B = prepad(A, n, c)"),
    device=term_form(shape_forms.prepad),
    cases=("isequal(prepad([1 2], 3), [0 1 2])",),
    see=("postpad",),
)
@takes(ANY, NUMBER & WHOLE & NONNEGATIVE, optional(SCALAR), DIM)
def prepad(a: Value, n: Value, c: Value = 0.0, dim: Value | None = None) -> Value:
    """Extend or cut at the front to length n (Octave's)."""
    return _padded_array(a, n, c, dim, at_end=False)


def _padded_array(a: Value, n: Value, c: Value, dim: Value | None, *, at_end: bool) -> Value:
    if class_of(a) not in DTYPE_OF_CLASS and not is_char(a):
        text = f"Arrays of class '{class_of(a)}' cannot be padded with numbers."
        raise MatlabError("MATLAB:invalidType", text)
    data = data_of(a)
    axis = first_axis(data.shape) if dim is None else dimension(dim)
    data = data.reshape(data.shape + (1,) * (axis + 1 - data.ndim), order="F")
    missing = int_of(n) - data.shape[axis]
    if missing <= 0:
        part = slice(None, missing or None) if at_end else slice(-missing, None)
        return rebuild(a, data[tuple(part if i == axis else slice(None) for i in range(data.ndim))])
    widths = [(0, 0)] * data.ndim
    widths[axis] = (0, missing) if at_end else (missing, 0)
    return rebuild(a, np.pad(data, widths, constant_values=as_array(c).flat[0]))
