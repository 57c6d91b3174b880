"""Small parts of lazy arrays that the script needs now: only they are computed and fetched."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from app.engine.capture.lazy_limits import Limits, leaves_below
from app.engine.interpreter.indexing.subscripts import resolve
from app.engine.values import DeviceArray, Value, canonical, trim_shape

if TYPE_CHECKING:
    from app.engine.interpreter.indexing.captured_subscripts import Block

_FETCHES: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
_BYTES_PER_FETCH = 600_000
"""A fetch takes about as long as so many bytes of a long one."""
_LEAST = 8
_NEAR = 4096
"""Places so near to each other are fetched with what lies between them."""


def worth_all(x: DeviceArray) -> bool:
    """Whether parts have been fetched so often that fetching everything is no dearer."""
    if x.known or x.size < Limits.capture or x.runtime.where(x) in {"host", "both"}:
        return True
    fetches = _FETCHES[x.node] = _FETCHES.get(x.node, 0) + 1
    return bool(fetches > _LEAST + x.size * x.node.dtype.size // _BYTES_PER_FETCH)


def is_away(x: DeviceArray) -> bool:
    """Whether an array is on the device alone, or is to be made of one that the device has, too:
    its parts stay there."""
    if x.size < Limits.capture or x.runtime.device_info is None:
        return False
    for leaf in leaves_below(x.node):
        state = x.runtime.state(leaf)
        if state == "device" or (state == "both" and leaf is not x.node):
            return not worth_all(x)
    return False


def fetched_block(x: DeviceArray, block: Block) -> Value | None:
    """The elements of a block; None where everything had better be fetched."""
    if worth_all(x) or not block.size:
        return None
    first = _contiguous(x.shape, block)
    shape = trim_shape(block.shape)
    cause = "needs-host-value: indexing"
    if first is not None and x.node.op == "leaf":
        places = np.arange(first, first + block.size)
        found = x.runtime.gather_elements(x.node, places, cause)
        return canonical(found.reshape(shape, order="F"))
    part = x.runtime.apply("slice", (x.node,), (block.steps, block.shape), block.start)
    return canonical(x.runtime.gather(part, cause).reshape(shape, order="F"))


def fetched_places(x: DeviceArray, args: tuple[Value, ...]) -> Value | None:
    """``x(rows, columns)`` of few places that the host knows; None where all are fetched."""
    known = all(type(sub) is not DeviceArray for sub in args)
    if not known or len(args) != len(x.shape) or worth_all(x):
        return None
    places = np.zeros((1,) * len(args), np.int64)
    for axis, (sub, extent) in enumerate(zip(args, x.shape, strict=True)):
        along, count = resolve(sub, extent, axis, len(args))
        numbers = np.arange(extent)[along].reshape((count,) + (1,) * (len(args) - 1))
        places = places + np.moveaxis(numbers, 0, axis) * math.prod(x.shape[:axis])
    if not places.size:
        return np.zeros(trim_shape(places.shape), x.dtype)
    flat, cause = places.reshape(-1, order="F"), "needs-host-value: indexing"
    if np.ptp(flat) < _NEAR:
        found = x.runtime.gather_elements(x.node, flat, cause)
    else:
        index = x.runtime.leaf(np.asfortranarray(flat.reshape(-1, 1)))
        found = x.runtime.gather(x.runtime.apply("gather", (x.node, index), (index.shape,)), cause)
    return canonical(found.reshape(trim_shape(places.shape), order="F"))


def _contiguous(shape: tuple[int, ...], block: Block) -> int | None:
    """The 0-based number of the first element of a block without gaps."""
    first, stride, gap = 0, 1, False
    for extent, start, step, count in zip(
        shape, block.start, block.steps, block.shape + (1,) * len(shape), strict=False
    ):
        if count > 1 and (step != 1 or gap):
            return None
        gap = gap or count != extent
        first += start * stride
        stride *= extent
    return first
