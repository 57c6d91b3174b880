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

    # --- what the machines do differently ---------------------------------------------------

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

    # --- derived ---------------------------------------------------------------------------

    @property
    def nan(self) -> Value:
        """A quiet NaN."""
        return self.from_bits(self.integer(self.nan_bits))

    @property
    def inf(self) -> Value:
        """Infinity."""
        return self.from_bits(self.integer(self.inf_bits))

    def is_nan(self, x: Value) -> Value:
        """Whether x is NaN."""
        return (self.bits(x) & self.magnitude_bits) > self.inf_bits

    def is_inf(self, x: Value) -> Value:
        """Whether x is an infinity."""
        return (self.bits(x) & self.magnitude_bits) == self.inf_bits

    def is_finite(self, x: Value) -> Value:
        """Whether x is neither NaN nor infinite."""
        return (self.bits(x) & self.magnitude_bits) < self.inf_bits

    def is_negative(self, x: Value) -> Value:
        """Whether the sign bit of x is set."""
        return self.bits(x) >= self.sign_bit

    def copysign(self, magnitude: Value, sign: Value) -> Value:
        """The magnitude of one number with the sign of another."""
        bits = (self.bits(magnitude) & self.magnitude_bits) | (self.bits(sign) & self.sign_bit)
        return self.from_bits(bits)

    def power_of_two(self, k: Value) -> Value:
        """2^k for a number k within the range of normal floats."""
        return self.from_bits(self.exponent_bits(k + self.bias))

    def scale(self, x: Value, k: Value) -> Value:
        """x * 2^k, k at most twice the exponent range."""
        half = k >> 1
        return self.product(x, self.power_of_two(half)) * self.power_of_two(k - half)

    def polynomial(self, x: Value, coefficients: Sequence[float]) -> Value:
        """Horner's scheme, constant coefficient first."""
        result = self.constant(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            result = self.fma(result, x, self.constant(c))
        return result

    def nearest(self, x: Value, factor: float) -> tuple[Value, Value]:
        """The integer nearest to x * factor as a float and as a number (below 2^21).

        Adding 1.5 times 2^mantissa leaves the integer in the low bits.
        """
        magic = 1.5 * 2.0**self.mantissa
        if self.fused:
            shifted = self.fma(x, self.constant(factor), self.constant(magic))
        else:
            shifted = x * factor + magic
        low = self.bits(shifted) - self.pick(0x4B400000, 0x4338000000000000)
        return shifted - magic, self.number(low)

    def is_zero(self, x: Value) -> Value:
        """Whether x is a zero (and not a denormal number that arithmetic would flush)."""
        return (self.bits(x) & self.magnitude_bits) == 0

    # --- error-free transformations (Dekker 1971, Knuth) -------------------------------------

    def fast_two_sum(self, a: Value, b: Value) -> tuple[Value, Value]:
        """``a + b`` and its rounding error, for |a| >= |b|."""
        s = a + b
        return s, b - (s - a)

    def two_sum(self, a: Value, b: Value) -> tuple[Value, Value]:
        """``a + b`` and its rounding error."""
        s = a + b
        part = s - a
        return s, (a - (s - part)) + (b - part)

    def split(self, a: Value) -> tuple[Value, Value]:
        """A number as two whose mantissas have half the bits."""
        drop = (self.precision + 1) // 2
        keep = (1 << self.width) - (1 << drop)
        high = self.from_bits(self.bits(a) & keep)
        return high, a - high

    def two_product(self, a: Value, b: Value) -> tuple[Value, Value]:
        """``a * b`` and its rounding error. Every partial product is exact."""
        p = self.product(a, b)
        if self.fused:
            return p, self.fma(a, b, -p)
        ah, al = self.split(a)
        bh, bl = self.split(b)
        return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl

    def long_product(self, a: tuple[Value, Value], b: tuple[Value, Value]) -> tuple[Value, Value]:
        """The product of two double-length numbers."""
        high, low = self.two_product(a[0], b[0])
        return self.fast_two_sum(high, low + (a[0] * b[1] + a[1] * b[0]))

    def long_sum(self, a: tuple[Value, Value], b: tuple[Value, Value]) -> tuple[Value, Value]:
        """The sum of two double-length numbers."""
        high, low = self.two_sum(a[0], b[0])
        return self.fast_two_sum(high, low + (a[1] + b[1]))

    def quotient(self, a: tuple[Value, Value], b: tuple[Value, Value]) -> tuple[Value, Value]:
        """The quotient of two double-length numbers."""
        q = a[0] / b[0]
        p, e = self.two_product(q, b[0])
        return self.fast_two_sum(q, ((a[0] - p) - e + a[1] - q * b[1]) / b[0])

    def long_constant(self, parts: Sequence[Sequence[float]]) -> tuple[Value, Value]:
        """A constant given as ((high, low) for single, (high, low) for double)."""
        high, low = self.pick(*parts)
        return self.constant(high), self.constant(low)
