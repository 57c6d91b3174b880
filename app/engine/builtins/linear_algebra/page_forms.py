"""Products of pages on the graph."""

from __future__ import annotations

import math
from typing import Any

from app.engine.capture.capture_session import Session
from app.engine.capture.terms import Term, is_complex, terms
from app.engine.values import Value, is_text_scalar, text_of

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
