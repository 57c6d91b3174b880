"""A small array language over nodes of the graph, in which device forms read like formulas.

A ``Term`` has Python's operators, the elementwise functions of the graph as methods, reductions
over axes from 0, and what moves elements. Operands of different float classes meet in single, as
MATLAB's do; Python numbers become parameters of the kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.engine.capture.capture_session import (
    BOOL,
    F32,
    F64,
    Session,
    cast,
    lazy_of,
    leaves_domain,
    operand,
    traits,
)
from app.engine.values import Array, DeviceArray, Value, numel, trim_shape

Number = float | bool
Made: TypeAlias = "Term | tuple[Term | Array | float, ...] | Array | float | bool | None"
"""What a device form gives; None where the host has to do the work."""
_TRUTHS = frozenset(("and", "or", "xor"))


class Term:
    """A node in a formula; ``guarded`` when its value may turn out complex."""

    __slots__ = ("guarded", "node")
    __array_ufunc__ = None  # numbers of NumPy leave operations with a term to it

    def __init__(self, node: Node, guarded: bool = False) -> None:
        self.node = node
        self.guarded = guarded

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.node.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The size."""
        return self.node.shape

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.node.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.node.shape)

    @property
    def value(self) -> DeviceArray:
        """The lazy array a builtin returns: without dimensions of one element behind the second."""
        return lazy_of(self.reshape(self.shape).node, self.guarded)

    def __getattr__(self, name: str) -> Callable[..., Term]:
        known = traits(name)
        match known and (known.category, known.arity):
            case ("elementwise", 1):
                return lambda: self._unary_operation(name)
            case ("elementwise", 2):
                return lambda other: _two(name, self, other)
            case ("reduction", _):
                return lambda *axes: self._operation_on(name, (axes or tuple(range(self.rank)),))
            case ("scan", _):
                return lambda axis, reverse=False: self._operation_on(name, (axis, reverse))
        raise AttributeError(name)

    def _operation_on(self, op: str, attrs: tuple[object, ...], data: tuple[int, ...] = ()) -> Term:
        return Term(Session.runtime.apply(op, (self.node,), attrs, data), self.guarded)

    def _unary_operation(self, op: str) -> Term:
        node = Session.runtime.apply(op, (self.number().node,))
        known = traits(op)
        return Term(node, known is not None and not known.real and (known.guarded or self.guarded))

    def root(self) -> Term:
        """The square root of what is never negative."""
        return Term(Session.runtime.apply("sqrt", (self.node,)), self.guarded)

    def number(self) -> Term:
        """Logical as double; all else as it is."""
        return self.cast(F64) if self.dtype is BOOL else self

    def floating(self) -> Term:
        """Logical and integers as double."""
        return self if self.dtype.is_float else self.cast(F64)

    def cast(self, dtype: DType) -> Term:
        """The elements in another type, by MATLAB's rounding and saturation."""
        return Term(cast(self.node, dtype), self.guarded and dtype.is_float)

    def mean(self, *axes: int) -> Term:
        """The mean over axes."""
        return self.sum(*axes) / float(math.prod(self.shape[a] for a in axes or range(self.rank)))

    def part(self, axis: int, start: int, count: int, step: int = 1) -> Term:
        """``count`` slices along an axis from ``start`` in steps."""
        shape = tuple(count if k == axis else n for k, n in enumerate(self.shape))
        steps = tuple(step if k == axis else 1 for k in range(self.rank))
        starts = tuple(start if k == axis else 0 for k in range(self.rank))
        return self._operation_on("slice", (steps, shape), starts).reshape(shape)

    def reshape(self, shape: Sequence[int]) -> Term:
        """The same elements with another size."""
        shape = trim_shape(tuple(shape))
        return self if shape == self.shape else self._operation_on("reshape", (shape,))

    def permute(self, *order: int) -> Term:
        """The dimensions in another order."""
        return self._operation_on("permute", (order,))

    def repmat(self, *counts: int) -> Term:
        """Copies along the dimensions."""
        return self._operation_on("repmat", (counts,)) if any(n != 1 for n in counts) else self

    def diagonal(self) -> Term:
        """The main diagonal as a column."""
        return self._operation_on("diagonal", ())

    def matmul(self, other: Term, left: bool = False, right: bool = False) -> Term:
        """The matrix product, operands transposed on demand."""
        a, b = _in_one_type(self, other)
        node = Session.runtime.apply("matmul", (a.node, b.node), (left, right))
        return Term(node, a.guarded or b.guarded)

    def __add__(self, other: Term | Number) -> Term:
        return _two("plus", self, other)

    def __radd__(self, other: Number) -> Term:
        return _two("plus", other, self)

    def __sub__(self, other: Term | Number) -> Term:
        return _two("minus", self, other)

    def __rsub__(self, other: Number) -> Term:
        return _two("minus", other, self)

    def __mul__(self, other: Term | Number) -> Term:
        return _two("times", self, other)

    def __rmul__(self, other: Number) -> Term:
        return _two("times", other, self)

    def __truediv__(self, other: Term | Number) -> Term:
        return _two("rdivide", self, other)

    def __rtruediv__(self, other: Number) -> Term:
        return _two("rdivide", other, self)

    def __pow__(self, other: Term | Number) -> Term:
        return _two("power", self, other)

    def __rpow__(self, other: Number) -> Term:
        return _two("power", other, self)

    def __neg__(self) -> Term:
        return self._unary_operation("uminus")

    def __abs__(self) -> Term:
        return self._unary_operation("abs")

    def __lt__(self, other: Term | Number) -> Term:
        return _two("lt", self, other)

    def __le__(self, other: Term | Number) -> Term:
        return _two("le", self, other)

    def __gt__(self, other: Term | Number) -> Term:
        return _two("gt", self, other)

    def __ge__(self, other: Term | Number) -> Term:
        return _two("ge", self, other)

    def __and__(self, other: Term) -> Term:
        return _two("and", self, other)

    def __or__(self, other: Term) -> Term:
        return _two("or", self, other)

    def __xor__(self, other: Term) -> Term:
        return _two("xor", self, other)

    def __invert__(self) -> Term:
        return Term(Session.runtime.apply("not", (self.node,)))


def _in_one_type(a: Term | Number, b: Term | Number) -> tuple[Term, Term]:
    """Both operands in one type."""
    if not isinstance(a, Term):
        other = b if isinstance(b, Term) else number(b)
        return number(a, other.number().dtype), other.number()
    if not isinstance(b, Term):
        return a.number(), number(b, a.number().dtype)
    if a.dtype is b.dtype and a.dtype is not BOOL:
        return a, b
    if a.dtype.is_integer and b.dtype.is_integer:
        return a, b.cast(a.dtype)
    dtype = F32 if a.dtype is F32 or b.dtype is F32 else F64
    return a.cast(dtype), b.cast(dtype)


def _two(op: str, a: Term | Number, b: Term | Number) -> Term:
    if op in _TRUTHS and isinstance(a, Term) and isinstance(b, Term):
        return Term(Session.runtime.apply(op, (a.node, b.node)))
    x, y = _in_one_type(a, b)
    node = Session.runtime.apply(op, (x.node, y.node))
    left = x.guarded or y.guarded or leaves_domain(op, node)
    return Term(node, left and node.dtype is not BOOL)


def number(value: Number, dtype: DType = F64) -> Term:
    """A number as a parameter of the kernel."""
    return Term(Session.runtime.scalar(float(value), dtype))


def where(mask: Term, a: Term | Number, b: Term | Number) -> Term:
    """``a`` where the mask is true, else ``b``."""
    x, y = _in_one_type(a, b)
    node = Session.runtime.apply("select", (mask.node, x.node, y.node))
    return Term(node, x.guarded or y.guarded)


def value_where(mask: Term, a: Term) -> Term:
    """``a`` where the mask is true, else NaN."""
    return where(mask, a, math.nan)


def clamp(x: Term, low: Term | Number, high: Term | Number) -> Term:
    """``x`` held within bounds; NaN stays."""
    held = where(x < low, low, x)
    return where(held > high, high, held)


def cat(axis: int, *parts: Term) -> Term:
    """Terms of one type joined along an axis."""
    node = Session.runtime.apply("cat", tuple(p.node for p in parts), (axis,))
    return Term(node, any(p.guarded for p in parts))


def position(shape: tuple[int, ...], axis: int) -> Term:
    """The coordinate along an axis, from 0, of every element of an array; double."""
    return Term(Session.runtime.apply("position", (), (shape, axis)))


def constant_array(value: Number, shape: tuple[int, ...], dtype: DType = F64) -> Term:
    """An array of one number."""
    return Term(Session.runtime.apply("fill", (number(value, dtype).node,), (shape,)))


def horner(x: Term, coefficients: Sequence[float]) -> Term:
    """A polynomial with the highest power first."""
    found: Term | float = coefficients[0]
    for c in coefficients[1:]:
        found = found * x + c
    return found if isinstance(found, Term) else x * 0.0 + found


def is_complex(x: Term) -> bool:
    """Whether a guarded value turned out complex: computes it, and looks at its guard."""
    return x.guarded and bool(Session.runtime.settled_dtype(x.node).is_complex)


def term(v: Value) -> Any:
    """A real numeric or logical value as a term; NotImplemented for all else."""
    if not Session.is_active:
        return NotImplemented
    if type(v) is float:
        return number(v)
    if type(v) is bool:
        return Term(Session.runtime.scalar(v, BOOL))
    if not isinstance(v, np.ndarray | DeviceArray) or numel(v) == 0:
        return NotImplemented
    node = operand(v)
    return node if node is NotImplemented else Term(node, type(v) is DeviceArray and v.guarded)


def terms(args: Sequence[Value], logical: bool = True) -> Any:
    """Real floats (and logical values) as terms of one float class; NotImplemented for all else."""
    found = [term(v) for v in args]
    if any(t is NotImplemented or t.dtype.is_integer for t in found):
        return NotImplemented
    if not logical and any(t.dtype is BOOL for t in found):
        return NotImplemented
    dtype = F32 if any(t.dtype is F32 for t in found) else F64
    return [t.cast(dtype) for t in found]


def values(found: Any) -> Value:
    """What a formula gave, as values; NotImplemented where it gave none."""
    if found is None:
        return NotImplemented
    if isinstance(found, tuple):
        return tuple(values(t) for t in found)
    return found.value if isinstance(found, Term) else found
