"""Subscripts and linear indices of resident arrays; fetched is only whether all are valid."""

from __future__ import annotations

import math
from typing import Any

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import Session
from app.engine.capture.terms import Term, is_complex, terms
from app.engine.values import DeviceArray, Value, as_array, numel

Args = tuple[Value, ...]


def _extents(size: Value, count: int) -> list[int] | None:
    """As many extents as there are subscripts: the last takes what is beyond."""
    if type(size) is DeviceArray or numel(size) < 2:
        return None
    extents = [int(n) for n in as_array(size).ravel()]
    if count < len(extents):
        extents = [*extents[: count - 1], math.prod(extents[count - 1 :])]
    return extents + [1] * (count - len(extents))


def _any_true(wrong: Term) -> bool:
    cause = "needs-host-value: are all subscripts valid?"
    return bool(Session.runtime.gather(wrong.any().node, cause).item())


def sub2ind(args: Args, nargout: int) -> Any:
    """``k = sub2ind(sz, i1, i2, …)``."""
    found = terms(args[1:], logical=False)
    extents = _extents(args[0], len(args) - 1)
    if found is NotImplemented or extents is None or nargout > 1:
        return NotImplemented
    if len({x.shape for x in found}) > 1 or any(map(is_complex, found)):
        return NotImplemented
    places = [x.cast(DType.F64) for x in found]
    wrong = [(x < 1.0) | (x > float(n)) for x, n in zip(places, extents, strict=True)]
    for other in wrong[1:]:
        wrong[0] = wrong[0] | other
    if _any_true(wrong[0]):
        return NotImplemented
    index, stride = places[0], extents[0]
    for x, n in zip(places[1:], extents[1:], strict=True):
        index = index + (x - 1.0) * float(stride)
        stride *= n
    return index


def ind2sub(args: Args, nargout: int) -> Any:
    """``[i1, i2, …] = ind2sub(sz, k)``."""
    wanted = max(nargout, 1)
    found = terms(args[1:], logical=False)
    extents = _extents(args[0], wanted)
    if found is NotImplemented or extents is None or len(found) != 1 or is_complex(found[0]):
        return NotImplemented
    places = found[0].cast(DType.F64)
    if _any_true((places < 1.0) | (places > float(math.prod(extents))) | places.floor().ne(places)):
        return NotImplemented
    rest = places - 1.0
    made: list[Term] = []
    for n in extents[:-1]:
        above = (rest / float(n)).floor()
        made.append(rest - above * float(n) + 1.0)
        rest = above
    made.append(rest + 1.0)
    return tuple(made) if nargout > 1 else made[0]
