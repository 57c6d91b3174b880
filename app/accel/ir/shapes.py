"""Column-major shape rules and the result type and shape of every op."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS, Category, Result
from app.errors import InternalError, inner_error, size_error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.ir.node import Attrs, Node, Shape


SCALAR = (1, 1)
REFLECTIONS = 32
"""Reflections of a block of QR factors."""


SHORT = 16
"""Extents up to which an axis is short: loops hold its places apart."""
MOST_READ_APART = 1 << 28
"""Elements of an array that is read at computed places: these are 32 bits, and larger arrays may
have to be read in windows."""


def normal(shape: Sequence[int]) -> Shape:
    """The shape with at least two extents and no trailing singletons beyond them."""
    extents = list(shape)
    while len(extents) > 2 and extents[-1] == 1:
        extents.pop()
    while len(extents) < 2:
        extents.append(1)
    return tuple(extents)


def count(shape: Sequence[int]) -> int:
    """Number of elements."""
    total = 1
    for extent in shape:
        total *= extent
    return total


def flat_strides(extents: Shape, skipped: Sequence[bool] = ()) -> Shape:
    """Column-major strides over the axes that are not skipped."""
    result, step = [], 1
    for k, extent in enumerate(extents):
        out = bool(skipped and skipped[k])
        result.append(0 if out else step)
        step *= 1 if out else extent
    return tuple(result)


def with_rank(shape: Shape, rank: int) -> Shape:
    """The shape with singletons appended up to `rank`: leading dimensions are aligned."""
    return shape + (1,) * (rank - len(shape))


def multiples(shape: Sequence[int]) -> Shape:
    """Column-major element distance per dimension."""
    result, step = [], 1
    for extent in shape:
        result.append(step)
        step *= extent
    return tuple(result)


def broadcast(a: Shape, b: Shape) -> Shape:
    """Implicit expansion of two shapes; leading dimensions correspond."""
    if b in {a, SCALAR}:
        return a
    if a == SCALAR:
        return b
    rank = max(len(a), len(b))
    extents = []
    for m, n in zip(with_rank(a, rank), with_rank(b, rank), strict=True):
        if m not in {n, 1} and n != 1:
            raise size_error()
        extents.append(n if m == 1 else m)
    return tuple(extents)


def reduced_shape(shape: Shape, axes: Sequence[int]) -> Shape:
    """The shape with the extents of `axes` set to 1."""
    return normal([1 if k in axes else extent for k, extent in enumerate(shape)])


def _matmul(inputs: tuple[Node, ...], attrs: Attrs) -> Shape:
    a, b = inputs[0].shape[:2], inputs[1].shape[:2]
    m, k = a[::-1] if attrs and attrs[0] else a
    k2, n = b[::-1] if attrs and attrs[1] else b
    if k != k2:
        raise inner_error()
    return (m, n)


def _cat(inputs: tuple[Node, ...], attrs: Attrs) -> Shape:
    axis = cast("int", attrs[0])
    rank = max(axis + 1, *(len(node.shape) for node in inputs))
    extents = list(with_rank(inputs[0].shape, rank))
    extents[axis] = sum(with_rank(node.shape, rank)[axis] for node in inputs)
    return normal(extents)


def _repmat(inputs: tuple[Node, ...], attrs: Attrs) -> Shape:
    reps = cast("tuple[int, ...]", attrs[0])
    shape = inputs[0].shape
    rank = max(len(reps), len(shape))
    return normal(
        [m * n for m, n in zip(with_rank(shape, rank), with_rank(reps, rank), strict=True)]
    )


def _permute(inputs: tuple[Node, ...], attrs: Attrs) -> Shape:
    order = cast("tuple[int, ...]", attrs[0])
    shape = with_rank(inputs[0].shape, len(order))
    return normal([shape[k] for k in order])


def _runs(inputs: tuple[Node, ...], attrs: Attrs) -> Shape:
    axis, counts = cast("int", attrs[0]), cast("tuple[int, ...]", attrs[1])
    extents = list(with_rank(inputs[0].shape, axis + 1))
    extents[axis] = sum(counts)
    return normal(extents)


def _shape_attribute(index: int) -> Callable[[tuple[Node, ...], Attrs], Shape]:
    return lambda _, attrs: cast("Shape", attrs[index])


_INDEX: dict[str, Callable[[tuple[Node, ...], Attrs], Shape]] = {
    "fill": _shape_attribute(0),
    "iota": _shape_attribute(1),
    "position": _shape_attribute(0),
    "slice": _shape_attribute(1),
    "runs": _runs,
    "permute": _permute,
    "reshape": _shape_attribute(0),
    "repmat": _repmat,
    "cat": _cat,
    "gather": _shape_attribute(0),
    "assign": lambda inputs, _: inputs[0].shape,
    "scatter": lambda inputs, _: inputs[0].shape,
    "compact": _shape_attribute(0),
    "compact_index": _shape_attribute(0),
    "histogram": _shape_attribute(0),
    "segment_sum": _shape_attribute(0),
    "segment_prod": _shape_attribute(0),
    "segment_max": _shape_attribute(0),
    "segment_min": _shape_attribute(0),
    "keyed_sum": _shape_attribute(0),
    "tally": _shape_attribute(0),
    "search": lambda inputs, _: inputs[0].shape,
    "loop": lambda inputs, _: inputs[0].shape,
    "pick": _shape_attribute(1),
    "diagonal": lambda inputs, _: (min(inputs[0].shape[:2]), 1),
    "matmul": _matmul,
    "random_uniform": _shape_attribute(1),
    "random_normal": _shape_attribute(1),
    "argmin": lambda inputs, attrs: reduced_shape(inputs[0].shape, (cast("int", attrs[0]),)),
    "argmax": lambda inputs, attrs: reduced_shape(inputs[0].shape, (cast("int", attrs[0]),)),
}


def _pages(inputs: tuple[Node, ...], attrs: Attrs) -> Shape:
    """Matrices as of `_matmul`, pages as of the first operand."""
    return normal([*_matmul(inputs, attrs), *inputs[0].shape[2:]])


def _first_few(inputs: tuple[Node, ...], attrs: Attrs) -> Shape:
    """As many along the axis as are wanted."""
    axis, count = cast("int", attrs[0]), cast("int", attrs[2])
    shape = inputs[0].shape
    return normal([*shape[:axis], count, *shape[axis + 1 :]])


_INDEX["pagemtimes"] = _pages
_INDEX["lu_order"] = lambda inputs, _: (inputs[0].shape[0], 1)
_INDEX["lu_solve"] = _INDEX["qr_apply"] = lambda inputs, _: inputs[2].shape
_INDEX["equations"] = lambda inputs, _: (inputs[0].shape[0], inputs[-1].shape[1] + 1)
_INDEX["least_squares"] = lambda _, attrs: (cast("int", attrs[0]), cast("int", attrs[1]) + 1)
_INDEX["correlate"] = lambda _, attrs: normal(cast("Shape", attrs[2:4]))
_INDEX["normal_product"] = lambda inputs, _: (inputs[0].shape[1], 1)
_INDEX["top"] = _INDEX["top_index"] = _first_few
_INDEX["qr_blocks"] = lambda inputs, _: (REFLECTIONS, min(inputs[0].shape))
for _name in (
    "cumsum",
    "cumprod",
    "cummin",
    "cummax",
    "sort",
    "sort_index",
    "fft",
    "irfft",
    "lu",
    "cholesky",
    "qr",
):
    _INDEX[_name] = lambda inputs, _: inputs[0].shape
for _name in ("sum", "prod", "amin", "amax", "any", "all", "nnz"):
    _INDEX[_name] = lambda inputs, attrs: reduced_shape(inputs[0].shape, cast("Any", attrs[0]))


def _result_dtype(result: Result, inputs: tuple[Node, ...], attrs: Attrs) -> DType:
    match result:
        case Result.SAME:
            return inputs[0].dtype
        case Result.LAST:
            return inputs[-1].dtype
        case Result.BOOL:
            return DType.BOOL
        case Result.REAL:
            return inputs[0].dtype.real
        case Result.COMPLEX:
            return inputs[0].dtype.complex
        case Result.F64:
            return DType.F64
        case Result.ATTR:
            return attrs[0] if attrs and isinstance(attrs[0], DType) else inputs[0].dtype


def infer(op: str, inputs: tuple[Node, ...], attrs: Attrs) -> tuple[DType, Shape]:
    """Element type and shape of an op's result; MatlabError where the shapes do not fit."""
    spec = OPS[op]
    same = Result.SAME
    dtype = inputs[0].dtype if spec.result is same else _result_dtype(spec.result, inputs, attrs)
    if spec.category is Category.ELEMENTWISE:
        return dtype, _elementwise(op, inputs)
    if spec.category is Category.CAST:
        return dtype, inputs[0].shape
    return dtype, _INDEX[op](inputs, attrs)


def _elementwise(op: str, inputs: tuple[Node, ...]) -> Shape:
    last = inputs[-1]
    shape = last.shape
    for node in inputs[:-1]:
        if node.shape != shape:
            shape = broadcast(node.shape, shape)
        if node.dtype is not last.dtype and not (op == "select" and node is inputs[0]):
            raise InternalError("capture", f"{op} of {inputs}: cast the operands to one type first")
    return shape
