"""MATLAB's operators as functions: the interpreter calls these for everything but its own inlined
scalar arithmetic. Each takes and returns canonical values; scalar doubles come first."""

from __future__ import annotations

import numpy as np

from app.engine.capture.lazy_limits import LONG, Limits
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.operators import arithmetic as ar
from app.engine.operators import comparison as cm
from app.engine.operators import matrix_operators, operator_overloads
from app.engine.operators.arithmetic import PLAIN, SCALARS, arithmetic, is_large, is_wide
from app.engine.operators.concatenation import concatenate
from app.engine.operators.joined_text import joined_text
from app.engine.operators.ranges import colon_of, double_range, few_whole_numbers
from app.engine.values import (
    Array,
    Cell,
    CharArray,
    DeviceArray,
    ObjectArray,
    SparseMatrix,
    StringArray,
    StructArray,
    Value,
    as_array,
    canonical,
    char_codes,
    char_value,
    column_major,
    in_order,
    is_logical,
    unwrap,
)
from app.errors import MatlabError

_SELF = HostOnly("", lazy=True)  # operators capture by themselves


@builtin(
    "plus",
    category="operators",
    signatures=("C = plus(A, B)",),
    device=_SELF,
    cases=(
        "isequal(plus(1, [1 2]), [2 3])",
        "int8(100) + int8(100) == 127",
        "isequal([1 2] + [10; 20], [11 12; 21 22])",
    ),
    see=("minus", "sum"),
)
def plus(a: Value, b: Value) -> Value:
    """Add: A + B."""
    if type(a) is float and type(b) is float:
        return a + b
    return arithmetic(ar.PLUS, a, b)


@builtin(
    "minus",
    category="operators",
    signatures=("C = minus(A, B)",),
    device=_SELF,
    cases=("5 - 3 == 2", "uint8(3) - uint8(5) == 0"),
    see=("plus",),
)
def minus(a: Value, b: Value) -> Value:
    """Subtract: A - B."""
    if type(a) is float and type(b) is float:
        return a - b
    return arithmetic(ar.MINUS, a, b)


@builtin(
    "times",
    category="operators",
    signatures=("C = times(A, B)",),
    device=_SELF,
    cases=("isequal([1 2 3] .* [4 5 6], [4 10 18])",),
    see=("mtimes",),
)
def times(a: Value, b: Value) -> Value:
    """Multiply element by element: A .* B."""
    if type(a) is float and type(b) is float:
        return a * b
    return arithmetic(ar.TIMES, a, b)


@builtin(
    "rdivide",
    category="operators",
    signatures=("C = rdivide(A, B)",),
    device=_SELF,
    cases=("1 / 0 == Inf", "int32(7) ./ int32(2) == 4"),
    see=("ldivide",),
)
def rdivide(a: Value, b: Value) -> Value:
    """Divide element by element: A ./ B."""
    if type(a) is float and type(b) is float:
        return ar.scalar_divide(a, b)
    return arithmetic(ar.RDIVIDE, a, b)


@builtin(
    "ldivide",
    category="operators",
    signatures=("C = ldivide(A, B)",),
    device=_SELF,
    cases=("2 .\\ 6 == 3",),
    see=("rdivide",),
)
def ldivide(a: Value, b: Value) -> Value:
    """Divide B by A element by element: A .\\ B."""
    return rdivide(b, a)


@builtin(
    "power",
    category="operators",
    signatures=("C = power(A, B)",),
    device=_SELF,
    cases=("2 .^ 10 == 1024", "abs((-8) .^ (1/3) - (1 + sqrt(3)*1i)) < 1e-12"),
    see=("mpower",),
)
def power(a: Value, b: Value) -> Value:
    """Raise element by element: A .^ B; fractional powers of negative numbers are complex."""
    if type(a) is float and type(b) is float:
        return ar.scalar_power(a, b)
    if type(b) is float and type(a) is np.ndarray and a.dtype.char == "d" and not is_large(a):
        return a * a if b == 2.0 else ar.power_of_doubles(a, b)
    if (
        type(a) is float
        and a >= 0.0  # what is not has complex powers
        and type(b) is np.ndarray
        and b.dtype.char == "d"
        and not is_large(b)
    ):
        return np.power(a, b)
    if type(a) in PLAIN and type(b) in PLAIN and not is_wide(a, b):
        return ar.host_arithmetic(ar.POWER, as_array(a), as_array(b))
    return arithmetic(ar.POWER, a, b)


@builtin(
    "mtimes",
    category="operators",
    signatures=("C = mtimes(A, B)",),
    device=_SELF,
    cases=("isequal([1 2; 3 4] * [1; 1], [3; 7])",),
    see=("times",),
)
def mtimes(a: Value, b: Value) -> Value:
    """Matrix product: A * B."""
    if type(a) is float and type(b) is float:
        return a * b
    if type(a) in SCALARS or type(b) in SCALARS:
        other = b if type(a) in SCALARS else a
        if type(other) in PLAIN or type(other) is SparseMatrix:
            return arithmetic(ar.TIMES, a, b)
        return _product_with_scalar("mtimes", "*", ar.TIMES, a, b)
    return matrix_operators.multiply(a, b)


def _product_with_scalar(name: str, symbol: str, op: ar.Operator, a: Value, b: Value) -> Value:
    """A matrix operator with a scalar on one side: the class's own, or else elementwise."""
    result = operator_overloads.overload_result(name, a, b)
    if result is not NotImplemented:
        return result
    if not operator_overloads.are_numbers(a, b):
        raise operator_overloads.unsupported_operands(symbol, a, b)
    return arithmetic(op, a, b)


@builtin(
    "mrdivide",
    category="operators",
    signatures=("C = mrdivide(A, B)",),
    device=_SELF,
    cases=("[2 4] / 2 == [1 2]",),
    see=("mldivide",),
)
def mrdivide(a: Value, b: Value) -> Value:
    """Matrix right division: A / B solves X*B = A."""
    if type(b) in SCALARS:
        if type(a) is type(b) is float:
            return ar.scalar_divide(a, b)
        if type(a) in PLAIN or type(a) is SparseMatrix:
            return arithmetic(ar.RDIVIDE, a, b)
        return _product_with_scalar("mrdivide", "/", ar.RDIVIDE, a, b)
    return matrix_operators.right_divide(a, b)


@builtin(
    "mldivide",
    category="operators",
    signatures=("X = mldivide(A, B)",),
    device=_SELF,
    cases=("isequal([2 0; 0 4] \\ [2; 4], [1; 1])",),
    see=("mrdivide",),
)
def mldivide(a: Value, b: Value) -> Value:
    """Matrix left division: A \\ B solves A*X = B, in the least-squares sense if not square."""
    if type(a) is float:
        return ar.scalar_divide(b, a) if type(b) is float else arithmetic(ar.RDIVIDE, b, a)
    return matrix_operators.left_divide(a, b)


@builtin(
    "mpower",
    category="operators",
    signatures=("C = mpower(A, B)",),
    device=_SELF,
    cases=(
        "isequal([1 1; 0 1] ^ 3, [1 3; 0 1])",
        "x = zeros(0); isequal(x ^ 0.5, x ^ -1.5, 2 ^ x, x)",
    ),
    see=("power",),
)
def mpower(a: Value, b: Value) -> Value:
    """Matrix power: A ^ B."""
    if type(a) is float and type(b) is float:
        return ar.scalar_power(a, b)
    return matrix_operators.matrix_power(a, b)


@builtin(
    "eq",
    category="operators",
    signatures=("C = eq(A, B)",),
    device=_SELF,
    cases=("all('abc' == 'abc')", "\"a\" == 'a'"),
    see=("ne", "isequal"),
)
def eq(a: Value, b: Value) -> Value:
    """Equal: A == B."""
    if type(a) is float and type(b) is float:
        return a == b
    return cm.relational(cm.EQ, a, b)


@builtin(
    "ne",
    category="operators",
    signatures=("C = ne(A, B)",),
    device=_SELF,
    cases=("NaN ~= NaN",),
    see=("eq",),
)
def ne(a: Value, b: Value) -> Value:
    """Not equal: A ~= B."""
    if type(a) is float and type(b) is float:
        return a != b
    return cm.relational(cm.NE, a, b)


@builtin(
    "lt",
    category="operators",
    signatures=("C = lt(A, B)",),
    device=_SELF,
    cases=("1 < 2",),
    see=("gt",),
)
def lt(a: Value, b: Value) -> Value:
    """Less than: A < B."""
    if type(a) is float and type(b) is float:
        return a < b
    return cm.relational(cm.LT, a, b)


@builtin(
    "le",
    category="operators",
    signatures=("C = le(A, B)",),
    device=_SELF,
    cases=("2 <= 2",),
    see=("ge",),
)
def le(a: Value, b: Value) -> Value:
    """Less than or equal: A <= B."""
    if type(a) is float and type(b) is float:
        return a <= b
    return cm.relational(cm.LE, a, b)


@builtin(
    "gt",
    category="operators",
    signatures=("C = gt(A, B)",),
    device=_SELF,
    cases=("3 > 2",),
    see=("lt",),
)
def gt(a: Value, b: Value) -> Value:
    """Greater than: A > B."""
    if type(a) is float and type(b) is float:
        return a > b
    return cm.relational(cm.GT, a, b)


@builtin(
    "ge",
    category="operators",
    signatures=("C = ge(A, B)",),
    device=_SELF,
    cases=("3 >= 3",),
    see=("le",),
)
def ge(a: Value, b: Value) -> Value:
    """Greater than or equal: A >= B."""
    if type(a) is float and type(b) is float:
        return a >= b
    return cm.relational(cm.GE, a, b)


@builtin(
    "and",
    category="operators",
    signatures=("C = and(A, B)", "C = and(A, B, C, ...)"),
    device=_SELF,
    cases=("isequal([1 0] & [1 1], [true false])",),
    see=("or", "not"),
)
def and_(a: Value, b: Value, *more: Value) -> Value:
    """Logical AND of elements: A & B."""
    result = cm.logical_binary("and", "&", np.logical_and, a, b)
    for c in more:
        result = cm.logical_binary("and", "&", np.logical_and, result, c)
    return result


@builtin(
    "or",
    category="operators",
    signatures=("C = or(A, B)", "C = or(A, B, C, ...)"),
    device=_SELF,
    cases=("isequal([1 0] | [0 0], [true false])",),
    see=("and", "xor"),
)
def or_(a: Value, b: Value, *more: Value) -> Value:
    """Logical OR of elements: A | B."""
    result = cm.logical_binary("or", "|", np.logical_or, a, b)
    for c in more:
        result = cm.logical_binary("or", "|", np.logical_or, result, c)
    return result


@builtin(
    "not",
    category="operators",
    signatures=("B = not(A)",),
    device=_SELF,
    cases=("isequal(~[1 0], [false true])",),
    see=("and",),
)
def not_(a: Value) -> Value:
    """Logical NOT of elements: ~A."""
    return cm.logical_not(a)


@builtin(
    "uminus",
    category="operators",
    signatures=("B = uminus(A)",),
    device=_SELF,
    cases=("-int8(-128) == 127",),
    see=("minus",),
)
def uminus(a: Value) -> Value:
    """Change sign: -A."""
    if type(a) is float or type(a) is complex:
        return -a
    if type(a) not in PLAIN:
        return operator_overloads.unary("uminus", "-", a)
    if is_large(a):
        from app.engine.capture import capture

        lazy = capture.negate(a)
        if lazy is not NotImplemented:
            return lazy
    x = as_array(a)
    if x.dtype.kind in "iu":
        return canonical(ar.cast(-x.astype(np.longdouble), x.dtype))
    return unwrap(-(x.astype(np.float64) if x.dtype.kind == "b" else x))


@builtin(
    "uplus",
    category="operators",
    signatures=("B = uplus(A)",),
    device=_SELF,
    cases=("+'a' == 97",),
    see=("uminus",),
)
def uplus(a: Value) -> Value:
    """Unary plus: +A; text and logicals become double."""
    if is_logical(a):
        return plus(a, 0.0)
    if type(a) not in PLAIN:
        return operator_overloads.unary("uplus", "+", a)
    return plus(a, 0.0) if type(a) in (bool, str, CharArray) else a


@builtin(
    "ctranspose",
    category="operators",
    signatures=("B = ctranspose(A)",),
    device=_SELF,
    cases=("isequal([1+2i 3]', [1-2i; 3])",),
    see=("transpose",),
)
def ctranspose(a: Value) -> Value:
    """Complex conjugate transpose: A'."""
    if type(a) is float:
        return a
    if type(a) is complex:
        return a.conjugate()
    if type(a) is np.ndarray:
        if a.dtype.kind == "c":
            return _transposed_matrix(a).conj()
        if a.ndim == 2 and a.size < Limits.capture and a.flags.f_contiguous:
            return a.T
    if type(a) is DeviceArray and a.guarded:
        node = a.runtime.apply("conj", (a.node,))
        return transpose(DeviceArray(node, a.runtime, True))
    if type(a) is SparseMatrix:
        return operator_overloads.unary("ctranspose", "'", a)
    if type(a) is not np.ndarray:
        result = operator_overloads.overload_result("ctranspose", a)
        if result is not NotImplemented:
            return result
    return transpose(a)


@builtin(
    "transpose",
    category="operators",
    signatures=("B = transpose(A)",),
    device=_SELF,
    cases=("isequal([1 2; 3 4].', [1 3; 2 4])", "isequal('ab'.', ['a'; 'b'])"),
    see=("ctranspose", "permute"),
)
def transpose(a: Value) -> Value:
    """Transpose without conjugation, A.' as an operator."""
    kind = type(a)
    if kind is float or kind is bool or kind is complex:
        return a
    if is_large(a):
        from app.engine.capture import capture

        lazy = capture.transpose(a)
        if lazy is not NotImplemented:
            return lazy
        a = as_array(a)
    if type(a) is DeviceArray:
        a = as_array(a)
    if type(a) is np.ndarray:
        return _transposed_matrix(a)
    if type(a) is str or type(a) is CharArray:
        return char_value(_transposed_matrix(char_codes(a)))
    return _transpose_container(a)


def _transpose_container(a: Value) -> Value:
    if isinstance(a, Cell | StringArray):
        return type(a)(_transposed_matrix(a.data))
    if isinstance(a, StructArray):
        fields = {k: _transposed_matrix(v) for k, v in a.fields.items()}
        return StructArray(fields, (a.shape[1], a.shape[0]))
    if isinstance(a, ObjectArray):
        result = operator_overloads.overload_result("transpose", a)
        if result is NotImplemented:
            result = ObjectArray(a.class_info, _transposed_matrix(a.data))
        return result
    if getattr(a, "shape", None) == (1, 1):
        result = operator_overloads.overload_result("transpose", a)
        return a if result is NotImplemented else result
    return operator_overloads.unary("transpose", ".'", a)


def _transposed_matrix(x: Array) -> Array:
    if x.ndim > 2:
        raise MatlabError(
            "MATLAB:transpose:NDArray",
            "TRANSPOSE does not support N-D arrays. Use PAGETRANSPOSE/PAGECTRANSPOSE to "
            "transpose pages or PERMUTE to reorder dimensions of N-D arrays.",
        )
    return (x if in_order(x) else column_major(x)).T


@builtin(
    "horzcat",
    category="operators",
    signatures=("C = horzcat(A, ...)",),
    device=_SELF,
    cases=("isequal([1, [2 3]], [1 2 3])", "strcmp(['ab', 'cd'], 'abcd')"),
    see=("vertcat", "cat"),
)
def horzcat(*args: Value) -> Value:
    """Join side by side: [A, B, …]."""
    kinds = {type(a) for a in args}
    if kinds == {float}:
        return unwrap(np.array([args]))
    if kinds == {str}:
        return joined_text(args)  # type: ignore[arg-type]  # all were seen to be texts
    if kinds == {str, CharArray}:
        texts = [a for a in args if type(a) is str]
        if any(texts) and all(a.shape == (1, 0) for a in args if type(a) is CharArray):
            return joined_text(texts)
    return concatenate(1, args)


@builtin(
    "vertcat",
    category="operators",
    signatures=("C = vertcat(A, ...)",),
    device=_SELF,
    cases=("isequal([1; 2], [1 2]')",),
    see=("horzcat",),
)
def vertcat(*args: Value) -> Value:
    """Stack on top of each other: [A; B; …]."""
    if {type(a) for a in args} == {float}:
        return unwrap(np.array([args]).T)
    return concatenate(0, args)


@builtin(
    "colon",
    category="operators",
    signatures=("r = colon(start, stop)", "r = colon(start, step, stop)"),
    device=_SELF,
    cases=("isequal(1:3, [1 2 3])", "numel(0:0.1:1) == 11", "isempty(3:1)"),
    see=("linspace",),
)
def colon(start: Value, second: Value, third: Value | None = None) -> Value:
    """A row of regularly spaced numbers: start:step:stop."""
    if third is None and type(start) is float and type(second) is float:
        row = few_whole_numbers(start, second)
        if row is not None:
            return row
    step, stop = (1.0, second) if third is None else (second, third)
    if type(start) is float and type(step) is float and type(stop) is float:
        if abs(stop - start) >= (LONG - 1) * abs(step):
            from app.engine.capture import progressions

            row = progressions.colon(start, step, stop)
            if row is not NotImplemented:
                return row
        return unwrap(double_range(start, step, stop))
    return colon_of(start, step, stop)
