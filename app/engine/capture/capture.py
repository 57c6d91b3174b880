"""Building graph nodes from MATLAB operations: class rules, casts, guards.

Everything here gives NotImplemented where the host must do the work. Class and size errors are
raised here, so they appear on the line that caused them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.ir.dtypes import DType, of_numpy
from app.accel.ir.node import MAX_POSITION
from app.engine.arguments.operation_rules import Rules, mixed_error
from app.engine.capture.capture_session import (
    BOOL,
    F32,
    F64,
    Session,
    cast,
    check_no_nan,
    lazy_of,
    leaves_domain,
    operand,
    spread_operand,
    traits,
)
from app.engine.values import DeviceArray, Value, size_of
from app.errors import inner_error

if TYPE_CHECKING:
    from app.engine.values.random_stream import RandomStream


# --- operands ---------------------------------------------------------------------------------


def complex_capture() -> ModuleType:
    """What is known of complex arrays; most programs have none."""
    from app.engine.capture import complex_capture as known

    return known


def _is_pending(a: Value, b: Value = None) -> bool:
    """Whether an operand is what a mask selects, not counted yet."""
    if type(a) is DeviceArray and a.pending is not None:
        return True
    return type(b) is DeviceArray and b.pending is not None


def _on_selections(make: Callable[..., Value], *operands: Value) -> Value:
    """An operation element by element of which an operand is a selection."""
    from app.engine.capture.selections import mapped

    return mapped(make, operands)


def _may_be_real(v: Value) -> bool:
    """Whether an operand is complex or real, which nobody has looked at."""
    return type(v) is DeviceArray and v.undecided is not None


def _with_undecided(name: str, a: Value, b: Value) -> Value:
    """An operator of which one operand may be real; NotImplemented where that has to be known."""
    if _may_be_real(a):
        return complex_capture().either(a, lambda known: binary(name, known, b))
    return complex_capture().either(b, lambda known: binary(name, a, known))


def convert(v: Value, dtype: np.dtype[Any]) -> Value:
    """Class conversion of a lazy array (or large array) to a real class."""
    if not Session.is_active:
        return NotImplemented
    target = of_numpy(dtype)
    if _is_pending(v) and target is not BOOL:
        return _on_selections(lambda whole: convert(whole, dtype), v)
    node = operand(v)
    if node is NotImplemented:
        return NotImplemented
    if target is BOOL and node.dtype.is_float:
        if _is_guarded(v):
            return NotImplemented
        check_no_nan(node)
    return lazy_of(cast(node, target), _is_guarded(v) and target.is_float)


def _is_guarded(v: Value) -> bool:
    return type(v) is DeviceArray and v.guarded


# --- binary operators -------------------------------------------------------------------------


def _float_type(x: DType, y: DType) -> DType:
    """The float type two non-integer operands meet in."""
    return F32 if x is F32 or y is F32 else F64


def _scalar(v: float, dtype: DType) -> Any:
    return Session.runtime.scalar(v, dtype)


def _pair(a: Value, b: Value) -> Any:
    """Both operands as nodes of one float type; None for integers, NotImplemented for complex."""
    if type(a) is float:
        y = spread_operand(b)
        if y is NotImplemented or y.dtype.is_integer:
            return y if y is NotImplemented else None
        dtype = y.dtype if y.dtype.is_float else F64
        return _scalar(a, dtype), cast(y, dtype)
    x = spread_operand(a)
    if x is NotImplemented:
        return x
    if type(b) is float:
        if x.dtype.is_integer:
            return None
        dtype = x.dtype if x.dtype.is_float else F64
        return cast(x, dtype), _scalar(b, dtype)
    y = spread_operand(b)
    if y is NotImplemented:
        return y
    if x.dtype.is_integer or y.dtype.is_integer:
        return None
    dtype = _float_type(x.dtype, y.dtype)
    return cast(x, dtype), cast(y, dtype)


def binary(name: str, a: Value, b: Value) -> Value:
    """An arithmetic operator."""
    runtime = Session.runtime
    if runtime is None:
        return NotImplemented
    if _is_pending(a, b):
        return _on_selections(partial(binary, name), a, b)
    if _may_be_real(a) != _may_be_real(b):
        made = _with_undecided(name, a, b)
        if made is not NotImplemented:
            return made
    pair = _pair(a, b)
    if pair is NotImplemented:
        return complex_capture().binary(name, a, b)
    if pair is None:
        return _integers(name, a, b)
    node = runtime.apply(name, pair)
    guarded = name == "power" and leaves_domain(name, node)
    guarded = guarded or _is_guarded(a) or _is_guarded(b)
    return DeviceArray(node, runtime, guarded)


def _is_whole_for(v: Value, dtype: DType) -> bool:
    """True for a float scalar that the integer type holds exactly."""
    if type(v) is not float or not v.is_integer():
        return False
    info = np.iinfo(str(dtype.numpy))
    return bool(info.min <= v <= info.max)


def _integers(name: str, a: Value, b: Value) -> Value:
    """Integers with integers of one class, logicals, or scalar floats."""
    x, y = _scalar_or_node(a), _scalar_or_node(b)
    if x is NotImplemented or y is NotImplemented:
        return NotImplemented
    dtype = x.dtype if not isinstance(x, float) and x.dtype.is_integer else y.dtype
    for v in (x, y):
        if isinstance(v, float):
            continue
        if v.dtype.is_integer and v.dtype is not dtype:
            raise mixed_error()
        if v.dtype.is_float and not _one_is_scalar(x, y) and not Rules.octave:
            raise mixed_error()
    if name == "power" or dtype.size == 8:
        return NotImplemented
    if name in ("min", "max"):  # what they are compared as: NaN is 0
        as_classed = (cast(_scalar(v, F64) if isinstance(v, float) else v, dtype) for v in (x, y))
        return lazy_of(Session.runtime.apply(name, tuple(as_classed)))
    native = name in ("plus", "minus", "times") and all(
        _is_whole_for(v, dtype) if isinstance(v, float) else not v.dtype.is_float for v in (x, y)
    )
    work = dtype if native else F64
    nodes = tuple(_scalar(v, work) if isinstance(v, float) else cast(v, work) for v in (x, y))
    return lazy_of(cast(Session.runtime.apply(name, nodes), dtype))


def _one_is_scalar(x: Any, y: Any) -> bool:
    return any(isinstance(v, float) or v.size == 1 for v in (x, y))


def _scalar_or_node(v: Value) -> Any:
    """A float scalar as it is, else its node."""
    return v if type(v) is float else operand(v)


def compare(name: str, a: Value, b: Value) -> Value:
    """A relational operator."""
    runtime = Session.runtime
    if runtime is None:
        return NotImplemented
    if _is_pending(a, b):
        return _on_selections(partial(compare, name), a, b)
    pair = _pair(a, b)
    if pair is NotImplemented:
        return complex_capture().compare(name, a, b)
    if pair is None:
        pair = _comparable_integers(a, b)
        if pair is NotImplemented:
            return NotImplemented
    return DeviceArray(runtime.apply(name, pair), runtime)


def _comparable_integers(a: Value, b: Value) -> Any:
    x, y = _scalar_or_node(a), _scalar_or_node(b)
    if x is NotImplemented or y is NotImplemented:
        return NotImplemented
    types = [v.dtype for v in (x, y) if not isinstance(v, float)]
    if len(types) == 2 and types[0] is types[1]:
        return x, y
    if any(t.size == 8 and t.is_integer for t in types):
        return NotImplemented
    whole = next(t for t in types if t.is_integer)
    scalar = x if isinstance(x, float) else y
    work = whole if len(types) == 1 and _is_whole_for(scalar, whole) else F64
    return tuple(_scalar(v, work) if isinstance(v, float) else cast(v, work) for v in (x, y))


def _truth(v: Value) -> Any:
    """The node of a logical operand; floats of the host stay there, where NaN is an error."""
    if type(v) is float:
        return NotImplemented if math.isnan(v) else _scalar(v != 0, BOOL)
    if type(v) is bool:
        return _scalar(v, BOOL)
    node = operand(v)
    if node is NotImplemented:
        return node
    if not node.dtype.is_float:
        return cast(node, BOOL)
    if type(v) is not DeviceArray or v.guarded or Session.runtime.state(node) in {"host", "both"}:
        return NotImplemented
    check_no_nan(node)
    return Session.runtime.apply("ne", (node, _scalar(0.0, node.dtype)))


def logical(name: str, a: Value, b: Value) -> Value:
    """``&`` and ``|``."""
    if not Session.is_active:
        return NotImplemented
    if _is_pending(a, b):
        return _on_selections(partial(logical, name), a, b)
    x, y = _truth(a), _truth(b)
    if x is NotImplemented or y is NotImplemented:
        return NotImplemented
    return lazy_of(Session.runtime.apply(name, (x, y)))


def logical_not(a: Value) -> Value:
    """``~``."""
    if not Session.is_active:
        return NotImplemented
    if _is_pending(a):
        return _on_selections(logical_not, a)
    x = _truth(a)
    return x if x is NotImplemented else lazy_of(Session.runtime.apply("not", (x,)))


def negate(a: Value) -> Value:
    """Unary minus."""
    return apply_unary("uminus", a)


def apply_unary(op: str, a: Value) -> Value:
    """A unary op that keeps the class (logical becomes double)."""
    if not Session.is_active:
        return NotImplemented
    if _is_pending(a):
        return _on_selections(partial(apply_unary, op), a)
    node = operand(a)
    if node is NotImplemented:
        return complex_capture().unary(op, a)
    if node.dtype is BOOL:
        node = cast(node, F64)
    return lazy_of(Session.runtime.apply(op, (node,)), _is_guarded(a))


# --- elementwise builtins ---------------------------------------------------------------------


def elementwise(op: str, args: tuple[Value, ...]) -> Value:
    """A declared elementwise function of one or two arrays."""
    runtime = Session.runtime
    known = traits(op) if Session.is_active else None
    if known is None or len(args) != known.arity:
        return NotImplemented
    if _is_pending(*args):
        return _on_selections(lambda *whole: elementwise(op, whole), *args)
    if len(args) == 2:
        return _elementwise_pair(op, args[0], args[1])
    a = args[0]
    if type(a) is DeviceArray and a.undecided is not None:
        if op == "real":
            return lazy_of(runtime.apply(op, (a.undecided.node,)))
        made = complex_capture().either(a, lambda known: elementwise(op, (known,)))
        if made is not NotImplemented:
            return made
    node = operand(a)
    if node is NotImplemented:
        return complex_capture().unary(op, a)
    dtype = node.dtype
    if dtype.is_integer:
        if known.whole:
            return a
        if not known.integers:
            return NotImplemented
    elif dtype is BOOL:
        node = cast(node, F64)
    node = runtime.apply(op, (node,))
    return DeviceArray(node, runtime, not known.real and (known.guarded or _is_guarded(a)))


def _elementwise_pair(op: str, a: Value, b: Value) -> Value:
    pair = _pair(a, b)
    if pair is None or pair is NotImplemented:
        return NotImplemented
    node = Session.runtime.apply(op, pair)
    fractional = op in ("mod", "rem") and not (
        type(b) is float and (b.is_integer() or math.isinf(b))
    )
    return lazy_of(_whole_quotients(node, *pair) if fractional else node)


def _whole_quotients(remainder: Any, x: Any, y: Any) -> Any:
    """Zero where a fractional divisor goes into the dividend but for rounding."""
    apply = Session.runtime.apply
    ratio = apply("rdivide", (x, y))
    whole = apply("round", (ratio,))
    away = apply("abs", (apply("minus", (ratio, whole)),))
    eps = _scalar(float(np.finfo(x.dtype.numpy).eps), x.dtype)
    near = apply("le", (away, apply("times", (eps, apply("abs", (ratio,))))))
    for test in (
        apply("isfinite", (ratio,)),
        apply("ne", (whole, _scalar(0.0, x.dtype))),
        apply("ne", (y, apply("floor", (y,)))),
    ):
        near = apply("and", (near, test))
    return apply("select", (near, _scalar(0.0, x.dtype), remainder))


def extreme_pair(op: str, a: Value, b: Value) -> Value:
    """Elementwise ``max(a, b)`` and ``min(a, b)``."""
    if not Session.is_active:
        return NotImplemented
    if _is_pending(a, b):
        return _on_selections(partial(extreme_pair, op), a, b)
    pair = _pair(a, b)
    if pair is NotImplemented:
        return NotImplemented
    if pair is None:
        return _integers(op, a, b)
    return lazy_of(Session.runtime.apply(op, pair), _is_guarded(a) or _is_guarded(b))


# --- creation ---------------------------------------------------------------------------------


def fill(number: float, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Value:
    """An array of one number."""
    if not Session.is_active or dtype.kind == "c" or 0 in shape:
        return NotImplemented
    scalar = _scalar(number, of_numpy(dtype))
    return lazy_of(Session.runtime.apply("fill", (scalar,), (shape,)))


def random(kind: str, stream: RandomStream, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Value:
    """Numbers of the Philox stream."""
    if not Session.is_active or math.prod(shape) >= MAX_POSITION:
        return NotImplemented
    data = (stream.key, stream.advance(math.prod(shape)))
    attrs = (of_numpy(dtype), shape, *Session.advance)
    return lazy_of(Session.runtime.apply(f"random_{kind}", (), attrs, data))


# --- matrices ---------------------------------------------------------------------------------


def matmul(a: Value, b: Value) -> Value:
    """The matrix product of two matrices."""
    left, right = size_of(a), size_of(b)
    if not Session.is_active or len(left) > 2 or len(right) > 2:
        return NotImplemented
    if left[1] != right[0]:
        raise inner_error()
    pair = _pair(a, b)
    if pair is NotImplemented:
        return complex_capture().matmul(a, b)
    if pair is None or 0 in (*left, *right):
        return NotImplemented
    node = Session.runtime.apply("matmul", pair, (False, False))
    return lazy_of(node, _is_guarded(a) or _is_guarded(b))


def transpose(a: Value) -> Value:
    """The transpose of a lazy matrix; host arrays are transposed as views."""
    if type(a) is not DeviceArray or len(a.shape) > 2:
        return NotImplemented
    return lazy_of(a.runtime.apply("permute", (a.node,), ((1, 0),)), a.guarded)
