"""Matrix multiplication, division and powers on the host."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeGuard

import numpy as np

from app.engine import stoppable
from app.engine.capture.lazy_limits import Limits, gives_little, is_captured
from app.engine.operators import operator_overloads
from app.engine.operators.arithmetic import (
    PLAIN,
    POWER,
    RDIVIDE,
    TIMES,
    arithmetic,
    complex_scalars,
    float_operands,
    is_large,
)
from app.engine.operators.complex_elements import join_complex
from app.engine.operators.linear_solves import solve
from app.engine.values import (
    Array,
    DeviceArray,
    Value,
    as_array,
    canonical,
    in_order,
    numel,
    size_of,
)
from app.engine.values.lazy import computed_together
from app.errors import MatlabError, agreement_error, inner_error

_FEW = 1 << 14
"""Elements of matrices whose products and solutions take no time worth stopping."""


def multiply(a: Value, b: Value) -> Value:
    """``a * b``."""
    if _few_numbers(a) and _few_numbers(b):
        (rows, inner), (other, columns) = a.shape, b.shape
        if inner == other and rows * columns < Limits.capture:
            left = a if a.flags.f_contiguous else _by_columns(a)
            right = b if b.flags.f_contiguous else _by_columns(b)
            made = matrix_product(right.T, left.T).T  # in column-major order
            if made.dtype.char == "D":
                return canonical(made)
            return made.item() if rows * columns == 1 else made
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary("mtimes", "*", a, b)
    if numel(a) == 1 or numel(b) == 1:
        return arithmetic(TIMES, a, b)
    if _is_wide_product(a, b) or (is_large(a, b) and not _gives_little(a, b)):
        from app.engine.capture import capture

        lazy = capture.matmul(a, b)
        if lazy is not NotImplemented:
            return lazy
    return host_multiply(as_array(a), as_array(b))


def matrix_product(x: Array, y: Array) -> Array:
    """The product of matrices; a real one meets both parts of a complex one: Inf stays so."""
    if x.dtype is y.dtype or (x.dtype.kind == "c") is (y.dtype.kind == "c"):
        made: Array = x.dot(y)
        return made
    if x.dtype.kind == "c":
        return join_complex(x.real.dot(y), x.imag.dot(y))
    return join_complex(x.dot(y.real), x.dot(y.imag))


def _is_wide_product(a: Value, b: Value) -> bool:
    """Whether the product of two small matrices, such as a column and a row, goes to the graph."""
    if type(a) is not np.ndarray or type(b) is not np.ndarray or a.ndim != 2 or b.ndim != 2:
        return False
    count = a.shape[0] * b.shape[1]
    return count >= Limits.capture and a.shape[1] == b.shape[0] and is_captured(count)


def _gives_little(a: Value, b: Value) -> bool:
    """Whether the product of modest matrices is so small that it is computed at once."""
    rows, columns = size_of(a)[0], size_of(b)[1]
    return gives_little(rows * columns, (a, b))


def _by_columns(a: Array) -> Array:
    """``a`` in column-major order, or the transpose of such an array that it is a view of."""
    return a if in_order(a) else np.asfortranarray(a)


def _few_doubles(a: Value) -> TypeGuard[Array]:
    """True for a small full matrix of real numbers of class double."""
    return _few_numbers(a) and a.dtype.char == "d"


def _few_numbers(a: Value) -> TypeGuard[Array]:
    """True for a small full matrix of class double, real or complex."""
    return (
        type(a) is np.ndarray
        and a.dtype.char in "dD"
        and a.ndim == 2
        and a.size < _FEW
        and a.size < Limits.capture
    )


def host_multiply(x: Array, y: Array) -> Value:
    """The product of two arrays that are not scalars."""
    if x.ndim > 2 or y.ndim > 2:
        raise MatlabError(
            "MATLAB:mtimes:inputsMustBe2D",
            "Arguments must be 2-D, or at least one argument must be scalar. Use TIMES (.*) for "
            "elementwise multiplication, or use PAGEMTIMES to apply matrix multiplication to the "
            "pages of an N-D array.",
        )
    if x.shape[1] != y.shape[0]:
        raise inner_error()
    _refuse_integers("mtimes", "*", x, y)
    x, y = float_operands(x, y)
    operations = 2.0 * x.size * y.shape[1]
    return canonical(stoppable.on_free_cores(operations, lambda: matrix_product(y.T, x.T).T))


def left_divide(a: Value, b: Value) -> Value:
    """``a \\ b``: solve ``a x = b``."""
    if _few_numbers(a) and _few_numbers(b) and 1 < a.shape[0] == b.shape[0]:
        return canonical(solve(a, b))
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary("mldivide", "\\", a, b)
    if numel(a) == 1:
        return arithmetic(RDIVIDE, b, a)
    if is_large(a, b):
        found = _lazy_left_divide(a, b)
        if found is not NotImplemented:
            return found
    computed_together((a, b), "needs-host-value")
    x, y = as_array(a), as_array(b)
    _check_solve(x, y, x.shape[0] == y.shape[0])
    _refuse_integers("mldivide", "\\", x, y)
    return canonical(solve(*float_operands(x, y)))


def _lazy_left_divide(a: Value, b: Value) -> Value:
    """``a \\ b`` of a large or lazy matrix on the graph; few programs have one."""
    from app.engine.operators import factorisation_forms, orthogonal_forms

    rows, columns = size_of(a)[:2]
    if size_of(b)[0] != rows:
        return NotImplemented
    return (orthogonal_forms.least_squares if rows > columns else factorisation_forms.left_divide)(
        a, b
    )


def right_divide(a: Value, b: Value) -> Value:
    """``a / b``: solve ``x b = a``."""
    if _few_numbers(a) and _few_numbers(b) and 1 < b.shape[0] == b.shape[1] == a.shape[1]:
        return canonical(solve(b.T, a.T).T)
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary("mrdivide", "/", a, b)
    if numel(b) == 1:
        return arithmetic(RDIVIDE, a, b)
    if is_large(a, b) and size_of(a)[1:] == size_of(b)[1:]:
        from app.engine.operators import factorisation_forms

        found = factorisation_forms.right_divide(a, b)
        if found is not NotImplemented:
            return found
    computed_together((a, b), "needs-host-value")
    x, y = as_array(a), as_array(b)
    _check_solve(x, y, x.shape[1] == y.shape[1])
    _refuse_integers("mrdivide", "/", x, y)
    x, y = float_operands(x, y)
    return canonical(solve(y.T, x.T).T)


def _refuse_integers(name: str, sign: str, x: Array, y: Array) -> None:
    """Integers are multiplied and divided by scalars only."""
    if x.dtype.kind in "iu" or y.dtype.kind in "iu":
        text = f"{name.upper()} ({sign}) is not fully supported for integer classes. "
        text += "At least one argument must be scalar."
        raise MatlabError(f"MATLAB:{name}:integerNotSupported", text)


def _check_solve(x: Array, y: Array, agree: bool) -> None:
    if x.ndim > 2 or y.ndim > 2:
        raise MatlabError("MATLAB:ldivide:inputsMustBe2D", "Arguments must be 2-D.")
    if not agree:
        raise agreement_error()


def matrix_power(a: Value, b: Value) -> Value:
    """``a ^ b``."""
    if type(b) is float and b in _SQUARINGS and _few_doubles(a) and a.shape[0] == a.shape[1]:
        return _repeatedly_squared(a, _SQUARINGS[b])
    if type(a) is complex:
        quick = complex_scalars(POWER, a, b)
        if quick is not None:
            return quick
    if type(a) is DeviceArray and type(b) is float and a.size > 1:
        from app.engine.operators import shape_forms

        lazy = shape_forms.matrix_power(a, b)
        if lazy is not NotImplemented:
            return lazy
    if type(a) not in PLAIN or type(b) not in PLAIN:
        return operator_overloads.binary("mpower", "^", a, b)
    if numel(a) == 1 and numel(b) == 1:
        return arithmetic(POWER, a, b)
    x, y = as_array(a), as_array(b)
    if x.ndim > 2 or y.ndim > 2 or (y.size == 1) == (x.size == 1) or not _square(x, y):
        raise MatlabError(
            "MATLAB:square",
            "Incorrect dimensions for raising a matrix to a power. Check that the matrix is square "
            "and the power is a scalar. To operate on each element of the matrix individually, "
            "use POWER (.^) for elementwise power.",
        )
    _refuse_integers("mpower", "^", x, y)
    x, y = float_operands(x, y)
    if not x.size or not y.size:
        return canonical(np.zeros((0, 0), np.result_type(x, y)))
    if y.size == 1:
        work = partial(_to_power, x, y.flat[0])
        return canonical(stoppable.on_free_cores(2.0 * float(x.size) ** 1.5, work))
    values, vectors = stoppable.eig(y)
    scale = np.power(x.flat[0] + 0j, values)
    return canonical(clean(vectors @ np.diag(scale) @ np.linalg.inv(vectors)))


_SQUARINGS = {2.0: 1, 4.0: 2, 8.0: 3}
"""The exponents for which squaring is all there is to do."""


def _repeatedly_squared(x: Array, times: int) -> Array:
    for _ in range(times):
        x = x.dot(x)
    return x


def _square(x: Array, y: Array) -> bool:
    base = x if y.size == 1 else y
    return bool(base.shape[0] == base.shape[1])


def _to_power(x: Array, exponent: Any) -> Array:
    if np.isreal(exponent) and float(exponent.real).is_integer():
        n = int(exponent.real)
        base = x if n >= 0 else _inverse(x)
        return base if abs(n) == 1 else np.linalg.matrix_power(base, abs(n))
    from scipy import linalg

    if not np.isfinite(x).all():
        text = "Input to EIG must not contain NaN or Inf."
        raise MatlabError("MATLAB:eig:matrixWithNaNInf", text)
    if np.iscomplexobj(exponent) or not np.isfinite(exponent):
        values, vectors = stoppable.eig(x)
        return clean(vectors @ np.diag(values**exponent) @ _inverse(vectors))
    power = partial(linalg.fractional_matrix_power, t=float(exponent.real))
    return clean(stoppable.of_triangle(power, x))


def _inverse(x: Array) -> Array:
    return solve(x, np.eye(len(x), dtype=x.dtype))


def clean(x: Array) -> Array:
    """``x`` without an imaginary part that is only rounding."""
    if x.dtype.kind != "c":
        return x
    rounding = 10 * np.finfo(x.dtype).eps * np.abs(x).max(initial=0.0)
    return x.real if np.abs(x.imag).max(initial=0.0) <= rounding else x
