"""Products of pages, and of arrays over some of their dimensions, on the graph."""

from __future__ import annotations

import math
from typing import Any

from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import resident
from app.engine.capture.terms import Made, Term, is_complex, terms
from app.engine.values import Value, as_array, is_text_scalar, numel, text_of

HOW = {"none": False, "transpose": True, "ctranspose": True}


def pagemtimes(args: tuple[Value, ...], nargout: int) -> Any:
    """``pagemtimes(A, B)`` and with transposed operands, of real floats.

    Both have as many pages, or the second has one.
    """
    words = [text_of(a).lower() for a in args if is_text_scalar(a)]
    found = terms([a for a in args if not is_text_scalar(a)], logical=False)
    if found is NotImplemented or len(found) != 2 or len(words) not in (0, 2):
        return NotImplemented
    a, b = found
    ways = [HOW.get(word) for word in words or ("none", "none")]
    fits = b.shape[2:] in {(), a.shape[2:]} and None not in ways
    fits = fits and not (is_complex(a) or is_complex(b))
    turned = tuple(bool(way) for way in ways)
    if not fits or a.shape[:2][not turned[0]] != b.shape[:2][turned[1]]:
        return NotImplemented
    if a.rank == 2:
        return a.matmul(b, *turned)
    pages = math.prod(a.shape[2:])
    first = a.reshape((*a.shape[:2], pages))
    second = b if b.rank == 2 else b.reshape((*b.shape[:2], pages))
    node = Session.runtime.apply("pagemtimes", (first.node, second.node), (*turned, b.rank == 2))
    return Term(node).reshape((*node.shape[:2], *a.shape[2:]))


def tensorprod(args: tuple[Value, ...], nargout: int) -> Made:
    """``tensorprod(A, B, dimA, dimB)`` of real floats: one matrix product."""
    found = resident(*args[:2])
    dims = args[2:]
    if found is None or nargout > 1 or not all(x.dtype.is_float for x in found):
        return None
    if not 0 < len(dims) < 3 or is_text_scalar(dims[0]) or not all(map(numel, dims)):
        return None
    a, b = found
    first, second = ([int(d) - 1 for d in as_array(v).ravel()] for v in (dims[0], dims[-1]))
    known = all(0 <= k < x.rank for x, axes in ((a, first), (b, second)) for k in axes)
    if not known or [a.shape[k] for k in first] != [b.shape[k] for k in second]:
        return None
    if len(set(first)) < len(first) or len(set(second)) < len(second):
        return None
    kept = [[k for k in range(x.rank) if k not in axes] for x, axes in ((a, first), (b, second))]
    summed = math.prod(a.shape[k] for k in first)
    left = a.permute(*kept[0], *first).reshape((a.size // summed, summed))
    right = b.permute(*second, *kept[1]).reshape((summed, b.size // summed))
    shape = (*(a.shape[k] for k in kept[0]), *(b.shape[k] for k in kept[1]))
    return left.matmul(right).reshape((*shape, 1, 1)[: max(len(shape), 2)])
