"""Rules of the functions that change shapes: what their size arguments name."""

from __future__ import annotations

import math

from app.engine.arguments import size_arguments
from app.engine.arguments.checks import NUMBERS, REAL
from app.engine.values import Value, as_array, is_char, trim_shape
from app.engine.values import numel as count_of
from app.errors import MatlabError


def reshape_target(total: int, args: tuple[Value, ...]) -> tuple[int, ...]:
    """The size that ``reshape`` arguments name, one ``[]`` filled in."""
    if len(args) == 1:
        a = as_array(args[0])
        if a.size < 2:
            text = "Size vector must have at least two elements."
            raise MatlabError("MATLAB:getReshapeDims:sizeVector", text)
        extents = [size_arguments.extent(x) for x in a.ravel().tolist()]
    else:
        extents = [
            size_arguments.extent(as_array(v).flat[0].item()) if count_of(v) else -1 for v in args
        ]
    if extents.count(-1) > 1:
        text = "Only one of the sizes can be left open as []."
        raise MatlabError("MATLAB:getReshapeDims:unknownDim", text)
    if -1 in extents:
        known = -math.prod(extents)
        if known <= 0 or total % known:
            text = (
                f"Product of known dimensions, {max(known, 0)}, not divisible into total number "
                f"of elements, {total}."
            )
            raise MatlabError("MATLAB:getReshapeDims:notDivisible", text)
        extents[extents.index(-1)] = total // known
    if math.prod(extents) != total:
        text = (
            "Number of elements must not change. Use [] as one of the size inputs to "
            "automatically calculate the appropriate size for that dimension."
        )
        raise MatlabError("MATLAB:getReshapeDims:notSameNumel", text)
    return trim_shape(tuple(extents))


def squeezed_size(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The size without ones."""
    if len(shape) == 2:
        return shape
    kept = [n for n in shape if n != 1]
    return tuple(kept + [1] * (2 - len(kept)))


def permutation(order: Value, ndim: int) -> tuple[int, ...]:
    """A checked 0-based dimension order."""
    (NUMBERS & REAL)("permute", 2, order)
    given = as_array(order).ravel().tolist()
    if any(d < 1 or d % 1 for d in given):
        raise MatlabError("MATLAB:permute:badIndex", "ORDER contains an invalid permutation index.")
    dims = [int(d) - 1 for d in given]
    if len(dims) < ndim:
        text = "ORDER must have at least N elements for an N-D array."
        raise MatlabError("MATLAB:permute:tooFewIndices", text)
    if len(set(dims)) < len(dims):
        text = "ORDER cannot contain repeated permutation indices."
        raise MatlabError("MATLAB:permute:repeatedIndex", text)
    if sorted(dims) != list(range(len(dims))):
        text = "ORDER contains an invalid permutation index."
        raise MatlabError("MATLAB:permute:badIndex", text)
    return tuple(dims)


def repetitions(args: tuple[Value, ...]) -> tuple[int, ...]:
    """How often ``repmat`` repeats along each dimension."""
    if len(args) == 2 and type(args[0]) is type(args[1]) is float:
        return size_arguments.extent(args[0]), size_arguments.extent(args[1])
    if not args:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if len(args) == 1 and not count_of(args[0]):
        raise MatlabError("MATLAB:repmat:expectedNonempty", "Size arguments must not be empty.")
    if any(is_char(v) for v in args):
        raise MatlabError("MATLAB:NonNumericInput", "Replication factors must be numeric.")
    rows = [as_array(v) for v in args if count_of(v)]
    numbers = [x for a in rows for x in a.reshape(-1, order="F").tolist()]
    counts = tuple(size_arguments.extent(x) for x in numbers)
    return counts * 2 if len(counts) == 1 else counts
