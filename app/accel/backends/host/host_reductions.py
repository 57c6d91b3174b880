"""Reductions on the host: block by block, then a tree that depends on the box alone."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.backends.host import host_blocks as bl
from app.accel.ir import host_functions as hf
from app.accel.numerics.complex_products import product_along, running_product
from app.accel.numerics.equal_extremes import first_of_equal, first_of_two

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.backends.host.host_blocks import Array, Block, Frame, Scratch
    from app.accel.backends.host.host_provider import HostPipeline, HostProvider
    from app.accel.ir.node import Shape
    from app.accel.ir.plan import KernelRequest, Reduce

SEGMENTS = 16
"""Parts of a walk along a reduced axis that are added up on their own."""
AWAY = -1
"""The place of distances from the mean among a thread's arrays."""
MANY = 4096
"""Numbers of a block whose mean is close to those of other blocks."""
GRAIN = 64
"""Parts of a single axis begin at its multiples: whole words of memory, whole blocks of numbers."""
FEW = 16
"""Results of a block that are better worked out one by one: NumPy's inner loop would be short."""


def run(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> None:
    """Run a reduction kernel."""
    kernel, extents = pipeline.request, frame.extents
    kept = tuple(1 if r else e for r, e in zip(kernel.reduced, extents, strict=True))
    size, kept_size = math.prod(extents), math.prod(kept)
    along = kernel.reduced[-1]
    limit = max(1, min(SEGMENTS, size // max(1, 4 * kept_size))) if along else SEGMENTS
    grain = GRAIN if len(extents) == 1 else 1
    parts = bl.segments(extents[-1], limit if size > pipeline.block else 1, grain)
    copies = len(parts) if along else 1
    totals = [[start(r, kept) for r in kernel.reductions] for _ in range(copies)]
    produce = host.producer(pipeline, frame, outputs)

    def task(k: int) -> None:
        scratch = host.scratch
        for block in host.going(bl.blocks(extents, pipeline.stretch, parts[k])):
            accumulate(
                kernel, totals[k if along else 0], produce(block, scratch), block, scratch, extents
            )

    host.spread(len(parts), task)
    for others in totals[1:]:
        for r, mine, other in zip(kernel.reductions, totals[0], others, strict=True):
            merge(r, mine, other)
    frame.results = [
        reduction_result(r, t) for r, t in zip(kernel.reductions, totals[0], strict=True)
    ]
    host.finish(pipeline, frame, kept, outputs)


def accumulate(
    kernel: KernelRequest,
    totals: list[Any],
    values: dict[int, Array],
    block: Block,
    scratch: Scratch,
    extents: Shape,
) -> None:
    """Take the values of a block into the accumulators."""
    axes = tuple(k for k, r in enumerate(kernel.reduced) if r)
    place = tuple(
        slice(0, 1) if r else slice(s, s + n)
        for r, s, n in zip(kernel.reduced, block.start, block.shape, strict=True)
    )
    sums: dict[int, Array] = {}
    for reduction, total in zip(kernel.reductions, totals, strict=True):
        # The order of sums follows the strides: always those of a block of its own.
        value = np.asfortranarray(np.broadcast_to(values[reduction.value], block.shape))
        if reduction.op == "moment":  # the sum that gives the mean has come before
            room = scratch.dense(AWAY, value.size, reduction.dtype)
            parts = any(block.shape[k] < extents[k] for k in axes)
            part = _moments(value, axes, sums[reduction.value], room, parts)
        else:
            part = partial(reduction, value, axes, block.start[axes[0]])
        if reduction.op == "sum":
            sums[reduction.value] = part[0]
        merge(reduction, [t[place] for t in total], part)


def start(reduction: Reduce, kept: Shape) -> list[Array]:
    """Accumulators before the first element."""
    dtype = accumulator(reduction)
    if reduction.op in {"argmin", "argmax"}:
        best = np.full(kept, np.nan, np.longdouble, order="F")
        return [best, np.ones(kept, np.float64, order="F")]
    if reduction.op == "moment":
        return [np.zeros(kept, order="F") for _ in range(4)]
    if reduction.op in {"min", "max"}:
        worst: Any = np.nan
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            worst = limits.max if reduction.op == "min" else limits.min
        elif dtype.kind == "b":
            worst = reduction.op == "min"
        return [np.full(kept, worst, dtype, order="F")]
    first = reduction.op in {"prod", "all"}
    return [np.full(kept, first, dtype, order="F")]


def accumulator(reduction: Reduce) -> np.dtype[Any]:
    """Integers are added up in double, everything else in its own type."""
    dtype = reduction.dtype
    if reduction.op in {"sum", "prod"} and dtype.is_integer:
        return np.dtype(np.float64)
    return dtype.numpy


def partial(reduction: Reduce, value: Array, axes: tuple[int, ...], first: int) -> list[Array]:
    """The reduction of one block."""
    match reduction.op:
        case "argmin" | "argmax":
            return _extreme_position(reduction.op, value, axes[0], first)
        case "any":
            return [np.any((value != 0) & (value == value), axis=axes, keepdims=True)]
        case "all":
            return [np.all(value != 0, axis=axes, keepdims=True)]
        case "nnz":
            return [np.count_nonzero(value, axis=axes, keepdims=True).astype(np.float64)]
        case _:
            return [_combined_values(reduction, value, axes)]


def _combined_values(reduction: Reduce, value: Array, axes: tuple[int, ...]) -> Array:
    ufunc, dtype = COMBINE[reduction.op], accumulator(reduction)
    if reduction.dtype.is_complex and reduction.op in {"min", "max"}:
        return np.expand_dims(hf.extreme_of_complex(ufunc, value, axes), axes)
    if reduction.dtype.is_complex and reduction.op == "prod":
        return product_along(value, axes)
    found = _combined_by(ufunc, value, axes, dtype)
    return first_of_equal(found, value, axes) if reduction.op in {"min", "max"} else found


def _combined_by(
    ufunc: np.ufunc, value: Array, axes: tuple[int, ...], dtype: np.dtype[Any]
) -> Array:
    kept = tuple(1 if k in axes else n for k, n in enumerate(value.shape))
    few = math.prod(kept)
    if few == 1 or few > FEW or axes[0] == 0 or few * FEW > value.size:
        return ufunc.reduce(value, axis=axes, dtype=dtype, keepdims=True)
    found = np.empty(kept, dtype, order="F")
    for place in np.ndindex(kept):
        one = tuple(slice(None) if k in axes else i for k, i in enumerate(place))
        found[place] = ufunc.reduce(value[one], axis=None, dtype=dtype)
    return found


COMBINE: dict[str, np.ufunc] = {
    "sum": np.add,
    "nnz": np.add,
    "prod": np.multiply,
    "min": np.fmin,
    "max": np.fmax,
    "any": np.logical_or,
    "all": np.logical_and,
}


def _extreme_position(op: str, value: Array, axis: int, first: int) -> list[Array]:
    exact = value.dtype.kind in "iu" and value.itemsize == 8
    wide = value.astype(np.longdouble if exact else np.float64)
    worst, best = (np.inf, np.argmin) if op == "argmin" else (-np.inf, np.argmax)
    nothing = np.isnan(wide)
    where = best(np.where(nothing, worst, wide), axis=axis, keepdims=True)
    # An infinity among NaNs is found by a second look: NaN must never win.
    only = np.where(nothing, 0, 1)
    where = np.where(
        np.take_along_axis(nothing, where, axis), np.argmax(only, axis=axis, keepdims=True), where
    )
    return [np.take_along_axis(wide, where, axis), where + (first + 1.0)]


def _moments(
    value: Array, axes: tuple[int, ...], total: Array, room: Array, parts: bool
) -> list[Array]:
    """Count, mean (in two words) and squares around it, of a block whose sum is known.

    Between means of few numbers there are distances, which what they were rounded by would change:
    where blocks are parts of what is reduced.
    """
    count = math.prod(value.shape[k] for k in axes)
    mean = total / value.dtype.type(count)
    away = room.reshape(value.shape, order="F")
    np.subtract(value, mean, out=away)
    rest = np.zeros(mean.shape)
    if parts and count < MANY:
        rest += np.add.reduce(away, axis=axes, keepdims=True)
        rest /= count
    squares = _squares(away, axes).astype(np.float64)
    return [
        np.full(mean.shape, float(count)),
        mean.astype(np.float64),
        rest,
        squares - count * rest * rest,
    ]


def _squares(away: Array, axes: tuple[int, ...]) -> Array:
    """The sum of squares over axes; `away` is overwritten."""
    if axes[0] != 0:  # column after column: in one walk
        places = list(range(away.ndim))
        kept = [k for k in places if k not in axes]
        return np.expand_dims(np.einsum(away, places, away, places, kept), axes)
    np.multiply(away, away, out=away)
    return _combined_by(np.add, away, axes, away.dtype)


def _merge_moments(mine: Sequence[Array], other: Sequence[Array]) -> None:
    """Chan, Golub and LeVeque: both means and the distance between them."""
    if not mine[0].any():
        for a, b in zip(mine, other, strict=True):
            a[...] = b
        return
    count = mine[0] + other[0]
    away = (other[1] - mine[1]) + (other[2] - mine[2])
    step = away * (other[0] / count)
    mean = mine[1] + step
    back = mean - mine[1]
    mine[3][...] += other[3] + away * mine[0] * step
    mine[2][...] += (mine[1] - (mean - back)) + (step - back)
    mine[1][...], mine[0][...] = mean, count


def merge(reduction: Reduce, mine: Sequence[Array], other: Sequence[Array]) -> None:
    """Take a part that lies further along into the accumulators."""
    if reduction.op == "moment":
        _merge_moments(mine, other)
    elif reduction.op in {"argmin", "argmax"}:
        less = other[0] < mine[0] if reduction.op == "argmin" else other[0] > mine[0]
        better = less | (np.isnan(mine[0]) & ~np.isnan(other[0]))
        mine[1][...] = np.where(better, other[1], mine[1])
        mine[0][...] = np.where(better, other[0], mine[0])
    else:
        mine[0][...] = pair(reduction)(mine[0], other[0])


def pair(reduction: Reduce) -> Callable[..., Array]:
    """What combines two results of a reduction."""
    if reduction.dtype.is_complex and reduction.op in {"min", "max"}:
        return hf.minimum if reduction.op == "min" else hf.maximum
    if reduction.op in {"min", "max"}:
        return functools.partial(first_of_two, COMBINE[reduction.op])
    if reduction.dtype.is_complex and reduction.op == "prod":
        return running_product
    return COMBINE[reduction.op]


def reduction_result(reduction: Reduce, total: Sequence[Array]) -> Array:
    """Results in the reduction's type."""
    result = total[-1]
    if result.dtype != reduction.dtype.numpy:
        return hf.cast(result, reduction.dtype)
    return result
