"""The host machine: definitions evaluated on NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.ir.operations.machine import Machine, Value
from app.accel.ir.ops import DEFINITIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


class Host(Machine):
    """Values are NumPy arrays of at least one dimension; the caller silences floating warnings."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self.float = np.float32 if width == 32 else np.float64
        self.uint = np.uint32 if width == 32 else np.uint64
        self.int = np.int32 if width == 32 else np.int64

    def constant(self, x: float) -> Value:
        """A float as a value."""
        return self.float(x)

    def integer(self, n: int) -> Value:
        """An unsigned integer as a value."""
        return self.uint(n)

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        """``a*b + c``, rounded twice."""
        return a * b + c

    def product(self, a: Value, b: Value) -> Value:
        """``a * b``."""
        return a * b

    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        """Elementwise choice."""
        return np.where(condition, self._coerce(yes), self._coerce(no))

    def _coerce(self, x: Value) -> Value:
        return self.float(x) if isinstance(x, float) else x

    def when(
        self,
        condition: Value,
        then: Callable[..., tuple[Value, ...]],
        otherwise: Callable[..., tuple[Value, ...]],
        *args: Value,
    ) -> tuple[Value, ...]:
        """A branch; each side sees only its own elements."""
        if not np.any(condition):
            return otherwise(*args)
        if np.all(condition):
            return then(*args)
        arrays = np.broadcast_arrays(condition, *args)
        mask, rest = arrays[0], arrays[1:]
        yes = then(*(a[mask] for a in rest))
        no = otherwise(*(a[~mask] for a in rest))
        merged = []
        for y, n in zip(yes, no, strict=True):
            out = np.empty(mask.shape, np.result_type(y, n))
            out[mask], out[~mask] = y, n
            merged.append(out)
        return tuple(merged)

    def loop(
        self,
        going: Callable[..., Value],
        body: Callable[..., tuple[Value, ...]],
        *state: Value,
    ) -> tuple[Value, ...]:
        """A ``while`` whose elements stop one by one."""
        state = tuple(np.broadcast_arrays(*state))
        while np.any(mask := going(*state)):
            state = tuple(
                np.where(mask, new, old) for new, old in zip(body(*state), state, strict=True)
            )
        return state

    def bits(self, x: Value) -> Value:
        """The bits of a float."""
        return x.view(self.uint)

    def from_bits(self, u: Value) -> Value:
        """The float with these bits."""
        return u.view(self.float)

    def signed(self, u: Value) -> Value:
        """An unsigned integer's bits read as signed."""
        return u.view(self.int)

    def unsigned(self, i: Value) -> Value:
        """A signed integer's bits read as unsigned."""
        return i.view(self.uint)

    def number(self, u: Value) -> Value:
        """The low 32 bits as a number."""
        return u.astype(np.uint32).view(np.int32)

    def exponent_bits(self, n: Value) -> Value:
        """A number moved to the exponent."""
        return (n.astype(self.int) << self.mantissa).view(self.uint)

    def exponent_of(self, u: Value) -> Value:
        """Sign and exponent as a number."""
        return (u.view(self.int) >> self.mantissa).astype(np.int32)

    def real(self, i: Value) -> Value:
        """The float of an integer."""
        return i.astype(self.float)

    def floor(self, x: Value) -> Value:
        """Round down."""
        return np.floor(x)

    def trunc(self, x: Value) -> Value:
        """Round towards zero."""
        return np.trunc(x)

    def abs(self, x: Value) -> Value:
        """Clear the sign."""
        return np.abs(x)

    def sqrt(self, x: Value) -> Value:
        """Square root."""
        return np.sqrt(x)

    def lookup(self, name: str, words: Sequence[int], index: Value) -> list[Value]:
        """Four entries of a constant table."""
        del name
        table = np.asarray(words, self.uint)
        return [table[np.minimum(index + self.uint(k), len(words) - 1)] for k in range(4)]


def evaluate(name: str, *args: NDArray[Any]) -> Any:
    """Compute a function on the host; all arguments have one float dtype."""
    definition = DEFINITIONS[name]
    arrays = np.broadcast_arrays(*(np.atleast_1d(a) for a in args))
    host = Host(arrays[0].dtype.itemsize * 8)
    with np.errstate(all="ignore"):
        result = definition.body(host, *(np.array(a) for a in arrays))
    shape = np.broadcast_shapes(*(np.shape(a) for a in args))
    if definition.returns == "p":
        return tuple(part.reshape(shape) for part in result)
    return result.reshape(shape)
