"""Index arithmetic: sub2ind, ind2sub."""

from __future__ import annotations

import math

import numpy as np

from app import memory
from app.engine.builtins.arrays import subscript_forms
from app.engine.declarations.device_support import term_form
from app.engine.declarations.registry import builtin
from app.engine.values import Value, as_array, unwrap
from app.errors import MatlabError

_FAMILY = "arrays"


@builtin(
    "sub2ind",
    least=2,
    category=_FAMILY,
    signatures=("k = sub2ind(sz, i1, i2, ...)",),
    cases=("sub2ind([3 4], 2, 3) == 8",),
    see=("ind2sub",),
    device=term_form(subscript_forms.sub2ind),
)
def sub2ind(size: Value, *subscripts: Value) -> Value:
    """Linear indices from subscripts."""
    extents = [int(n) for n in as_array(size).ravel()]
    count = len(subscripts)
    if count < len(extents):
        extents = [*extents[: count - 1], math.prod(extents[count - 1 :])]
    extents += [1] * (count - len(extents))
    arrays = [as_array(s).astype(np.float64) for s in subscripts]
    if len({a.shape for a in arrays}) > 1:
        text = "The subscript vectors must all be of the same size."
        raise MatlabError("MATLAB:sub2ind:SubscriptVectorSize", text)
    index = np.ones(arrays[0].shape)
    stride = 1
    for a, n in zip(arrays, extents, strict=True):
        least, most = np.minimum.reduce, np.maximum.reduce
        if a.size and (least(a, axis=None) < 1 or most(a, axis=None) > n):
            raise MatlabError("MATLAB:sub2ind:IndexOutOfRange", "Out of range subscript.")
        index = index + (a - 1) * stride
        stride *= n
    return unwrap(index)


@builtin(
    "ind2sub",
    category=_FAMILY,
    signatures=("[i1, i2, ...] = ind2sub(sz, k)",),
    cases=("ind2sub([3 4], 8) == 8",),
    see=("sub2ind",),
    device=term_form(subscript_forms.ind2sub),
)
def ind2sub(size: Value, index: Value, *, nargout: int = 1) -> Value:
    """Subscripts from linear indices."""
    extents = [int(n) for n in as_array(size).ravel()]
    k = as_array(index).astype(np.float64)
    if k.size and k.max() > math.prod(extents):
        raise MatlabError("MATLAB:ind2sub:IndexOutOfRange", "Index out of range.")
    wanted = max(nargout, 1)
    memory.require_array(extents, 0)
    extents = [*extents[: wanted - 1], math.prod(extents[wanted - 1 :])]
    extents += [1] * (wanted - len(extents))
    rest = k - 1
    found = []
    for n in extents[:-1]:
        found.append(unwrap(np.mod(rest, n) + 1))
        rest = np.floor(rest / n)
    found.append(unwrap(rest + 1))
    return tuple(found)
