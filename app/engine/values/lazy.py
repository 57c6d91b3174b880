"""Lazy arrays: nodes of the acceleration graph seen as MATLAB values."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np


class _Watch(threading.local):
    """Who hears that the value of a pending array was needed; each thread has its own.

    Attributes:
        forced: called after an evaluation; None for nobody.
        truth: gives the truth of a lazy array while a loop is traced; else None.
        runtime: who answers for the data of all lazy arrays while a loop is traced; else None.
    """

    forced: Callable[[], None] | None = None
    truth: Callable[[DeviceArray], bool] | None = None
    runtime: Any = None


Watch = _Watch()


class DeviceArray:
    """A real numeric or logical array whose data may not have been computed yet.

    Class and shape are known, the data is not. ``guarded`` is True when a function that
    can leave the real domain was applied, so that the gathered value may turn out complex.
    """

    __slots__ = ("__weakref__", "_value", "guarded", "node", "runtime", "shape")

    def __init__(self, node: Any, runtime: Any, guarded: bool = False) -> None:
        self.node = node
        self.runtime = runtime
        self.shape: tuple[int, ...] = node.shape
        self.guarded = guarded
        self._value: Any = None

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy element type."""
        return self.node.dtype.numpy  # type: ignore[no-any-return]

    @property
    def class_name(self) -> str:
        """The MATLAB class."""
        return self.node.dtype.label  # type: ignore[no-any-return]

    @property
    def size(self) -> int:
        """The number of elements."""
        count = 1
        for n in self.shape:
            count *= n
        return count

    @property
    def known(self) -> bool:
        """Whether the data have been gathered."""
        return self._value is not None

    def gather(self, cause: str = "needs-host-value") -> Any:
        """The value in host memory, canonical: complex only if the guard was left."""
        if self._value is None:
            pending = self.node.op != "leaf"
            self._value = self._gathered(cause)
            if pending and Watch.forced is not None:
                Watch.forced()
        return self._value

    def _gathered(self, cause: str) -> Any:
        from app.engine.values.types import canonical

        runtime = Watch.runtime or self.runtime
        return canonical(runtime.gather(self.node, cause))


def has_imaginary_part(v: DeviceArray) -> bool:
    """Whether any imaginary part is not zero: otherwise the value is real."""
    runtime, node = v.runtime, v.node
    part = runtime.apply("imag", (node,))
    other = runtime.apply("ne", (part, runtime.scalar(0.0, part.dtype)))
    found = runtime.apply("any", (other,), (tuple(range(len(node.shape))),))
    return bool(runtime.gather(found, "needs-host-value: is it complex?").item())
