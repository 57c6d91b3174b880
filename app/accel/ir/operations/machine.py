"""The small language in which elementary functions are written once.

A definition is a plain Python function ``f(m, x, ...)`` over a *machine* ``m``. Run on a `Host`
it computes NumPy arrays; run on a `Trace` it writes WGSL, on an `Assembly` LLVM assembly. All
machines come in single and double.

What to know when writing one:

* Sums are rounded where they are written: shaders compute ``a + b`` in a way that no compiler
  looks through (see `trace.prelude`). Mesa and NVIDIA would fold ``(a + b) - a`` to ``b``
  otherwise, and contract ``a * b + c`` as they like.
* ``m.product`` is a product that is rounded before it is used; a plain ``*`` serves elsewhere.
* ``m.fma`` may round once or twice.
* NaN, infinity and zero are made and tested by their bits: shader compilers assume finite maths,
  and NVIDIA flushes denormal singles to zero in arithmetic and comparisons.

Values are floats; unsigned integers as wide as them; signed ones likewise; 32-bit *numbers* for
exponents and quadrants; and booleans.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_T = TypeVar("_T")
Value: TypeAlias = Any
"""A number of a machine: an array on the host, a `trace.Term` in a shader."""


class Machine(ABC):
    """The operations a definition may use beside Python's own operators on values.

    What follows from them is a function over a machine, as definitions are: `float_parts`,
    `double_length`.

    Attributes:
        width: Bits of the working float: 32 or 64. Integers have the same width.
        mantissa: Stored mantissa bits.
        bias: Exponent bias.
        precision: Mantissa bits with the hidden one.
        fused: Whether `fma` rounds once.
    """

    def __init__(self, width: int, *, fused: bool = False) -> None:
        self.width, self.fused = width, fused
        self.mantissa = 23 if width == 32 else 52
        self.bias = 127 if width == 32 else 1023
        self.precision = self.mantissa + 1
        self.sign_bit = 1 << (width - 1)
        self.magnitude_bits = self.sign_bit - 1
        self.inf_bits = (2 * self.bias + 1) << self.mantissa
        self.nan_bits = self.inf_bits | 1 << (self.mantissa - 1)

    def pick(self, single: _T, double: _T) -> _T:
        """The constant for this precision."""
        return single if self.width == 32 else double

    def enter(self, name: str, returns: str, body: Callable[..., Value], *args: Value) -> Value:
        """Another elementary function: computed at once, unless a machine writes a call."""
        del name, returns
        return body(self, *args)

    @abstractmethod
    def constant(self, x: float) -> Value:
        """A float as a value."""

    @abstractmethod
    def integer(self, n: int) -> Value:
        """An unsigned integer as a value."""

    @abstractmethod
    def fma(self, a: Value, b: Value, c: Value) -> Value:
        """``a*b + c``, rounded once or twice."""

    @abstractmethod
    def product(self, a: Value, b: Value) -> Value:
        """``a * b``, rounded, opaque to compilers."""

    @abstractmethod
    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        """Elementwise choice between two values; both are computed."""

    @abstractmethod
    def when(
        self,
        condition: Value,
        then: Callable[..., tuple[Value, ...]],
        otherwise: Callable[..., tuple[Value, ...]],
        *args: Value,
    ) -> tuple[Value, ...]:
        """A branch: ``then(*args)`` where the condition holds, ``otherwise(*args)`` elsewhere."""

    @abstractmethod
    def loop(
        self,
        going: Callable[..., Value],
        body: Callable[..., tuple[Value, ...]],
        *state: Value,
    ) -> tuple[Value, ...]:
        """``while going(*state): state = body(*state)``, element by element."""

    @abstractmethod
    def bits(self, x: Value) -> Value:
        """The bits of a float as an unsigned integer."""

    @abstractmethod
    def from_bits(self, u: Value) -> Value:
        """The float with these bits."""

    @abstractmethod
    def signed(self, u: Value) -> Value:
        """An unsigned integer's bits read as signed."""

    @abstractmethod
    def unsigned(self, i: Value) -> Value:
        """A signed integer's bits read as unsigned."""

    @abstractmethod
    def number(self, u: Value) -> Value:
        """The low 32 bits of an unsigned integer as a number."""

    @abstractmethod
    def exponent_bits(self, n: Value) -> Value:
        """A number moved to where the exponent lies, as an unsigned integer."""

    @abstractmethod
    def exponent_of(self, u: Value) -> Value:
        """Sign and exponent of a float's bits as a number (arithmetic shift)."""

    @abstractmethod
    def real(self, i: Value) -> Value:
        """The float of an integer that it can hold exactly."""

    @abstractmethod
    def floor(self, x: Value) -> Value:
        """Round down."""

    @abstractmethod
    def trunc(self, x: Value) -> Value:
        """Round towards zero."""

    @abstractmethod
    def abs(self, x: Value) -> Value:
        """Clear the sign."""

    @abstractmethod
    def sqrt(self, x: Value) -> Value:
        """Square root of a number that is not negative."""

    @abstractmethod
    def lookup(self, name: str, words: Sequence[int], index: Value) -> list[Value]:
        """Four consecutive unsigned integers of a constant table, from an index on."""

    @property
    def nan(self) -> Value:
        """A quiet NaN."""
        return self.from_bits(self.integer(self.nan_bits))

    @property
    def inf(self) -> Value:
        """Infinity."""
        return self.from_bits(self.integer(self.inf_bits))
