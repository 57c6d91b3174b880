"""Building graphs briefly."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.accel.ir.dtypes import DType, of_numpy
from app.accel.ir.node import Node
from app.accel.runtime.runtime import Runtime


class Graph:
    """Calls become nodes: ``g.sin(x)``, ``g.plus(x, 0.5)``; plain numbers become parameters."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    def leaf(self, array: Any) -> Node:
        """A leaf of at least two dimensions."""
        data = np.asarray(array)
        return self.runtime.leaf(np.asfortranarray(data.reshape(-1, 1) if data.ndim < 2 else data))

    def rand(self, *shape: int, dtype: DType = DType.F64) -> Node:
        """Uniform random numbers."""
        return self.runtime.apply("random_uniform", (), (dtype, shape), (7, 0))

    def __getattr__(self, op: str) -> Any:
        def build(*operands: Any, attrs: tuple[Any, ...] = (), data: tuple[Any, ...] = ()) -> Node:
            dtype = next(o.dtype for o in reversed(operands) if isinstance(o, Node))
            nodes = tuple(
                o if isinstance(o, Node) else self.runtime.scalar(o, dtype) for o in operands
            )
            return self.runtime.apply(op, nodes, attrs, data)

        return build

    def total(self, x: Node, op: str = "sum") -> Node:
        """A reduction over everything."""
        return self.runtime.apply(op, (x,), (tuple(range(len(x.shape))),))

    def mean(self, x: Node) -> Node:
        """The mean of everything."""
        return self.rdivide(self.total(x), float(x.size))  # type: ignore[no-any-return]


SPECIAL = np.array(
    [
        np.nan,
        np.inf,
        -np.inf,
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.5,
        -1.5,
        2.5,
        -2.5,
        1.0,
        -1.0,
        2.0,
        3.0,
        0.49999999999999994,
        1e-310,
        -1e-310,
        1e300,
        -1e300,
        1e-300,
        7.25,
        -7.25,
        100.0,
    ]
)


def special(dtype: DType) -> np.ndarray[Any, np.dtype[Any]]:
    """The special values of a type as a column."""
    if dtype.is_float:
        with np.errstate(all="ignore"):
            return SPECIAL.astype(dtype.numpy).reshape(-1, 1)
    if dtype is DType.BOOL:
        return np.array([[False], [True]])
    limits = np.iinfo(of_integer(dtype))
    values = [limits.min, limits.max, 0, 1, 2, 3, 7, limits.max // 2, limits.min // 2]
    return np.array(values, dtype.numpy).reshape(-1, 1)


def of_integer(dtype: DType) -> Any:
    """The NumPy integer type."""
    assert of_numpy(dtype.numpy) is dtype
    return dtype.numpy
