"""Which elements of an array of handles an index means."""

from __future__ import annotations

import numpy as np

from app.engine.interpreter.indexing.subscripts import is_colon
from app.engine.values import Value, as_array
from app.engine.values.containers import ObjectArrayData
from app.errors import MatlabError


def positions(index: Value, size: int, *, inside: bool = False) -> list[int]:
    """Positions from 0 that an index stands for."""
    if is_colon(index):
        return list(range(size))
    array = as_array(index)
    flat = array.reshape(-1, order="F")
    found = np.flatnonzero(flat) if array.dtype == np.bool_ else flat.astype(int) - 1
    if inside and any(not 0 <= place < size for place in found):
        raise MatlabError(
            "MATLAB:badsubscript",
            f"Index exceeds the number of array elements. Index must not exceed {size}.",
        )
    return [int(place) for place in found]


def without(data: ObjectArrayData, args: tuple[Value, ...]) -> ObjectArrayData:
    """What ``h(args) = []`` leaves of a list, or of the rows or columns of a table."""
    along = [k for k, a in enumerate(args) if not is_colon(a)]
    if len(args) > 2 or len(along) != 1 or (len(args) == 1 and 1 not in data.shape):
        text = "A null assignment can have only one non-colon index."
        raise MatlabError("MATLAB:subsdeldimmismatch", text)
    axis = along[0] if len(args) == 2 else int(data.shape[0] == 1)
    gone = positions(args[along[0]], data.shape[axis], inside=True)
    left: ObjectArrayData = np.delete(data, gone, axis)
    return left
