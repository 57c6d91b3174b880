"""Numbers as nodes; those used last stay alive, so that the passes of a loop share them."""

from __future__ import annotations

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node, Number, make

MOST = 256
_used: dict[tuple[type, Number, DType], Node] = {}


def parameter(value: Number, dtype: DType) -> Node:
    """The 1x1 node of a number."""
    key = type(value), value, dtype
    known = _used.get(key)
    if known is None:
        known = make("param", (), (), dtype, (1, 1), (value,))
        if value:  # zeros have a sign that the key does not see
            if len(_used) >= MOST:
                _used.clear()
            _used[key] = known
    return known
