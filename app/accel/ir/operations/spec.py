"""What an operation is: one record, which everything else about it follows from.

An elementwise operation is declared in a module of this package. One that is composed of simpler
ones carries its definition in the language of `machine`, and its record is the decorator of that
definition (`elementwise`); one that every code generator spells in its own way has none
(`primitive`). The kernels for the host and for devices, guards, value ranges, costs, capture, the
function that programs call and generated tests all read the record.
"""

from __future__ import annotations

import math
from enum import Enum
from functools import cache, wraps
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack

import numpy as np

from app.errors import MatlabError
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.ir.host_functions import Array, HostFunction
    from app.accel.ir.node import Node
    from app.accel.ir.operations.machine import Machine, Value

Range: TypeAlias = tuple[float, float]
"""An interval that holds every number of an array, NaN aside."""
RangeRule: TypeAlias = "Callable[..., Range]"
"""The range of a node from the node and its operands' ranges."""

ANY: Range = (-math.inf, math.inf)
POSITIVE: Range = (0.0, math.inf)
UNSIGNED: Range = (math.ulp(0.0), math.inf)
"""Numbers from 0 on of which none is -0. A lower bound above 0 says that no sign bit is set: a
divisor may be +0 then, which makes no negative number of a positive one."""

TRIGONOMETRY = "trigonometry"
EXPONENTS = "exponents and logarithms"
SPECIAL = "special functions"


class Category(Enum):
    """What a planner must know about an op."""

    SOURCE = "source"
    ELEMENTWISE = "elementwise"
    CAST = "cast"
    REDUCTION = "reduction"
    SCAN = "scan"
    RANDOM = "random"
    INDEX = "index"
    MATMUL = "matmul"
    LOOP = "loop"
    ALGORITHM = "algorithm"

    __hash__ = object.__hash__


class Result(Enum):
    """How the result's dtype follows from the operands'."""

    SAME = "same"
    LAST = "last"
    BOOL = "bool"
    REAL = "real"
    COMPLEX = "complex"
    F64 = "f64"
    ATTR = "attr"


class Complex(Enum):
    """What becomes of complex operands: an error, the host's work, or kernels of their own."""

    NONE = "none"
    HOST = "host"
    KERNELS = "kernels"


@record
class Domain:
    """Where real operands have a real answer: the first one from `low` to `high`.

    Attributes:
        low, high: the bounds, both inside.
        whole: a whole second operand has a real answer everywhere, as of powers.
        conjugate: the branch cut above `high` is approached from below.
    """

    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    conjugate: bool = False

    def is_left(self, operands: Sequence[Array]) -> bool:
        """Whether some element of real arrays has a complex answer."""
        a = operands[0]
        if a.dtype.kind != "f":
            return False
        low, high, letter = self.low, self.high, a.dtype.char
        if low > -math.inf and self._is_beyond(np.less(a, _bound(low, letter)), operands):
            return True
        return high < math.inf and self._is_beyond(np.greater(a, _bound(high, letter)), operands)

    def _is_beyond(self, side: Array, operands: Sequence[Array]) -> bool:
        """Whether some element on one side of a bound has a complex answer."""
        if not np.count_nonzero(side):
            return False
        if not self.whole:
            return True
        b = operands[1]
        return bool((side & (b != np.floor(b)) & np.isfinite(b)).any())

    def holds(self, node: Node, operand: Range) -> bool:
        """Whether no first operand in a range can make the answer of a node complex."""
        inside = operand[0] >= self.low and operand[1] <= self.high
        return inside or (self.whole and node.attrs == (1,))

    def widened(self, a: Array) -> Array:
        """Real operands as the complex ones whose answers are meant."""
        wide = a.astype(np.result_type(a.dtype, np.complex64))
        return np.where(wide.real > self.high, wide.conj(), wide) if self.conjugate else wide


@cache
def _bound(x: float, letter: str) -> Array:
    """A bound of a domain as NumPy compares with it in half the time of a number."""
    return np.array(x, letter)


@record
class Costs:
    """What one element costs, as `python -m tests.benchmarks.operations NAME` measures it.

    Attributes:
        units: of arithmetic, an addition being 1: also what a kernel weighs that is compiled.
        host: nanoseconds of NumPy, in single and in double precision.
        machine: nanoseconds of machine code on the host, likewise.
        shader: units on a device where they are others; 0 where not.
    """

    units: int = 1
    host: tuple[float, float] = (1.0, 1.5)
    machine: tuple[float, float] = (0.05, 0.1)
    shader: int = 0


@record
class Function:
    """The function of float arrays that programs call.

    Attributes:
        name: what it is called.
        summary: what the help says.
        family: where help lists it.
        examples: expressions that are true: tests, and examples of the help.
        see: what else the help names.
        scalar: the C library's function of doubles, if there is one.
        signature: how help writes a call, if not as ``Y = name(X)``.
    """

    name: str
    summary: str
    family: str
    examples: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    scalar: Callable[..., float] | None = None
    signature: str = ""


@record
class OpSpec:
    """What an op is.

    Attributes:
        name: the op's name.
        arity: number of operands; -1 for any.
        category: planner's class of the op.
        result: dtype rule.
        host: NumPy meaning on arrays that already have one dtype (None where the category's
            evaluator does it).
        text: how the op reads in plans, with {0} {1} {2} for the operands.
        domain: where real operands have a real answer; None where they have one everywhere.
        costs: what an element costs.
        values: the range of the result from the operands' ranges; None where nothing is known.
        complex: what becomes of complex operands.
        complex_host: NumPy meaning on complex arrays where it is another one.
        integers: whether integer operands are taken as they are.
        whole: whether the result of whole numbers is the operand itself.
        c_name: the function of the C library (or of LLVM) for one double; empty where none is.
        function: the function programs call that is this op and nothing else.
    """

    name: str
    arity: int
    category: Category
    result: Result
    host: HostFunction | None
    text: str
    domain: Domain | None = None
    costs: Costs = Costs()
    values: RangeRule | None = None
    complex: Complex = Complex.HOST
    complex_host: HostFunction | None = None
    integers: bool = False
    whole: bool = False
    c_name: str = ""
    function: Function | None = None

    def complex_refusal(self) -> MatlabError:
        """What says that complex numbers have no answer."""
        if self.name in {"mod", "rem"}:
            which, text = "argMustBeReal", "Arguments must be real."
        elif self.arity == 1:
            which, text = "complexInput", "Input must be real."
        else:
            which, text = "complexArgument", "Inputs must be real."
        return MatlabError(f"MATLAB:{self.name}:{which}", text)

    def complex_answers(self, operands: Sequence[Array]) -> Array:
        """Answers to real operands of which some leave the domain.

        What has a real answer, NaN too, has that one, without an imaginary part.
        """
        assert self.domain is not None
        assert self.host is not None
        found = (self.complex_host or self.host)(*map(self.domain.widened, operands))
        if len(operands) == 1:
            (a,) = operands
            inside = ~((a < self.domain.low) | (a > self.domain.high))
            found[inside] = self.host(a[inside])
        return found


OPS: dict[str, OpSpec] = {}


def within(low: float, high: float) -> RangeRule:
    """The rule of an op whose results lie between two numbers."""
    return lambda *_: (low, high)


@record
class Definition:
    """One elementary function.

    Attributes:
        name: its name; code generators append precision and lanes.
        arity: number of float arguments.
        body: the definition, a function of a machine and the arguments.
        returns: kind of the result: ``f``, ``b``, or ``p`` for a pair of floats.
        strict: evaluated with every product rounded, so that all devices agree to the bit.
    """

    name: str
    arity: int
    body: Callable[..., Value]
    returns: str
    strict: bool


DEFINITIONS: dict[str, Definition] = {}
"""What is defined in the language of `machine`: operations, and what they have in common."""


def elementary(
    *, returns: str = "f", strict: bool = False
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register a definition. Called within another one, it is a call of a function in kernels."""

    def register(body: Callable[..., Value]) -> Callable[..., Value]:
        name = body.__name__.rstrip("_")
        arity = body.__code__.co_argcount - 1
        DEFINITIONS[name] = Definition(name, arity, body, returns, strict)

        @wraps(body)
        def call(m: Machine, *args: Value) -> Value:
            return m.enter(name, returns, body, *args)

        return call

    return register


class Known(TypedDict, total=False):
    """What an elementwise op says of itself beside name, arity and host meaning: see `OpSpec`."""

    result: Result
    text: str
    domain: Domain
    costs: Costs
    values: RangeRule
    complex: Complex
    complex_host: HostFunction
    integers: bool
    whole: bool
    c_name: str
    function: Function


def primitive(name: str, arity: int, host: HostFunction, **known: Unpack[Known]) -> None:
    """Declare an elementwise op that code generators spell themselves."""
    known.setdefault("text", f"{name}({', '.join(f'{{{i}}}' for i in range(arity))})")
    known.setdefault("result", Result.SAME)
    OPS[name] = OpSpec(name, arity, Category.ELEMENTWISE, host=host, **known)


def elementwise(
    host: HostFunction, **known: Unpack[Known]
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Declare an elementwise op by its definition, which this decorates."""

    def register(body: Callable[..., Value]) -> Callable[..., Value]:
        name = body.__name__.rstrip("_")
        returns = "b" if known.get("result") is Result.BOOL else "f"
        primitive(name, body.__code__.co_argcount - 1, host, **known)
        return elementary(returns=returns)(body)

    return register
