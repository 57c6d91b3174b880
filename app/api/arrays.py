"""Arrays of a session as Python sees them: not fetched from the device until they are read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike

from app.engine.values import Array, as_array
from app.engine.values import DeviceArray as LazyValue
from app.errors import UsageError


class DeviceArray(NDArrayOperatorsMixin):
    """A numeric array that may live on the device, or not be computed yet.

    It has NumPy's protocols, operators, methods and attributes: ``numpy.asarray(a)``, ``a + 1``,
    ``a.mean()``, ``a.T``, ``a.__dlpack__()`` and every function that takes arrays read it, and give
    NumPy arrays. Reading computes what is pending, fetches the data once, and keeps them.

    Attributes:
        value: the engine's own value; assigned back to a session without a copy or a fetch.
    """

    __slots__ = ("value",)

    def __init__(self, value: LazyValue) -> None:
        self.value = value

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size: two numbers or more. Known without computing anything."""
        return self.value.shape

    @property
    def ndim(self) -> int:
        """How many dimensions."""
        return len(self.value.shape)

    @property
    def size(self) -> int:
        """How many elements."""
        return self.value.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type; a function that left the real domain may still turn it complex."""
        return self.value.dtype

    @property
    def is_host(self) -> bool:
        """Whether the data are in host memory already: reading them costs nothing."""
        return self.value.known

    def numpy(self) -> Array:
        """The data in host memory, column-major; do not write to it: the session shares it."""
        return as_array(self.value)

    def tolist(self) -> Any:
        """Nested lists of Python numbers, row by row."""
        return self.numpy().tolist()

    def __array_ufunc__(
        self, function: np.ufunc, method: str, *inputs: object, **options: object
    ) -> object:
        given = (a.numpy() if isinstance(a, DeviceArray) else a for a in inputs)
        return getattr(function, method)(*given, **options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.numpy(), name)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        data = self.numpy()
        wanted = data.dtype if dtype is None else np.dtype(dtype)
        if wanted == data.dtype and not copy:
            return data
        if copy is False:
            raise ValueError(f"{data.dtype} cannot become {wanted} without a copy")
        return data.astype(wanted)

    def __dlpack__(self, *, stream: None = None, **options: Any) -> Any:
        """The data for another library, in host memory: wgpu lends no device pointers."""
        if stream is not None:
            raise UsageError("DeviceArray lends host memory: there is no stream to wait on")
        return self.numpy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The host, in DLPack's numbering."""
        return (1, 0)

    def __reduce__(self) -> str | tuple[object, ...]:
        """Pickled and copied as a NumPy array: another process has no such session."""
        return self.numpy().__reduce__()

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        return self.numpy()[key]

    def __float__(self) -> float:
        return float(self.numpy().item())

    def __int__(self) -> int:
        return int(self.numpy().item())

    def __complex__(self) -> complex:
        return complex(self.numpy().item())

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __repr__(self) -> str:
        size = "×".join(map(str, self.shape))
        return f"<DeviceArray {size} {self.value.class_name}>"
