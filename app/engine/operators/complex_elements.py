"""Products and quotients of complex arrays and numbers, and arrays from their two parts."""

from __future__ import annotations

import numpy as np

from app.accel.numerics.complex_quotients import complex_quotient
from app.engine.values import Array

F32 = np.dtype(np.float32)
F64 = np.dtype(np.float64)


def complex_divide(x: Array, y: Array) -> Array:
    """``x./y``; complex by real divides both parts, so that Inf stays what it is."""
    if _is_complex(x) and not _is_complex(y):
        return _with_real(np.divide, x, y)
    return np.asarray(complex_quotient(x, y))


def _is_complex(x: Array | complex) -> bool:
    if type(x) is np.ndarray:
        return x.dtype.kind == "c"
    return isinstance(x, _COMPLEX)


def complex_multiply(x: Array, y: Array) -> Array:
    """``x.*y`` from separately rounded parts, so that ``z.*conj(z)`` is real and Inf no NaN."""
    first, second = _is_complex(x), _is_complex(y)
    if not first and not second:
        return np.asarray(np.multiply(x, y))
    if first != second:
        if second:
            x, y = y, x
        return _with_real(np.multiply, x, y)
    few = isinstance(x, np.ndarray) and isinstance(y, np.ndarray) and 1 < x.size <= FEW
    if few and x.shape == y.shape and x.dtype.char == y.dtype.char == "D":
        return _few_products(x, y)
    a, b, c, d = x.real, x.imag, y.real, y.imag
    return np.asarray(join_complex(a * c - b * d, a * d + b * c))


def _with_real(op: np.ufunc, x: Array, y: Array | float) -> Array:
    """An operation of both parts of complex numbers with real ones."""
    if type(x) is np.ndarray and isinstance(y, _REAL) and x.flags.f_contiguous:
        # The parts lie side by side: as many real numbers, twice.
        parts = x.T.view(F32 if x.dtype.char == "F" else F64)
        return op(parts, y).view(x.dtype).T  # type: ignore[no-any-return]
    return np.asarray(join_complex(op(x.real, y), op(x.imag, y)))


_REAL = (float, bool)
_COMPLEX = (complex, np.complexfloating)
FEW = 16
"""Numbers that are handled one by one sooner than by operations of arrays."""


def _few_products(x: Array, y: Array) -> Array:
    """Python rounds both parts alone, too."""
    pairs = zip(x.ravel(order="F").tolist(), y.ravel(order="F").tolist(), strict=True)
    return np.array([p * q for p, q in pairs]).reshape(x.shape, order="F")


def join_complex(real: Array, imag: Array) -> Array:
    """An array from its parts without arithmetic."""
    single = real.dtype == F32
    result = np.empty(real.shape, dtype=np.complex64 if single else np.complex128, order="F")
    result.real = real
    result.imag = imag
    return result
