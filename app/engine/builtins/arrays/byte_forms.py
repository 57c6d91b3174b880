"""The same bytes of resident vectors read as numbers of another class."""

from __future__ import annotations

from app.accel.ir.dtypes import DType, of_numpy
from app.engine.capture.term_arrays import apply_operation, resident
from app.engine.capture.terms import Made, Term, number, position
from app.engine.values import DTYPE_OF_CLASS, Value

_SIGNED = {1: DType.I8, 2: DType.I16, 4: DType.I32, 8: DType.I64}
_UNSIGNED = {1: DType.U8, 2: DType.U16, 4: DType.U32, 8: DType.U64}


def typecast(args: tuple[Value, ...], nargout: int) -> Made:
    """``typecast(X, class)``."""
    found, name = resident(args[0]), args[1]
    known = DTYPE_OF_CLASS.get(name) if type(name) is str else None
    if found is None or known is None or nargout > 1 or max(found[0].shape) != found[0].size:
        return None
    x, target = found[0], of_numpy(known)
    x = x.cast(DType.U8) if x.dtype is DType.BOOL else x
    upright = x.shape[1] == 1 and x.size > 1
    size, wanted = x.dtype.size, target.size
    if x.size * size % wanted or DType.BOOL is target:
        return None
    x = x.reshape((x.size, 1))
    if size > wanted:
        x = _bytes_apart(x, size // wanted, target)
    elif size < wanted:
        x = _bytes_joined(x, wanted // size, target)
    made = _same_bits(x, target)
    return made if upright else made.reshape((1, made.size))


def _same_bits(x: Term, dtype: DType) -> Term:
    """Elements as others of the same size."""
    return x if x.dtype is dtype else apply_operation("typecast", x, attrs=(dtype,))


def _bytes_apart(x: Term, pieces: int, target: DType) -> Term:
    """A column of numbers as that of their pieces, the lowest first."""
    width = 8 * target.size
    line = _same_bits(x, _SIGNED[x.dtype.size]).reshape((1, x.size)).repmat(pieces, 1)
    by = (position((pieces, 1), 0) * -float(width)).cast(line.dtype)
    mask = number(float(2**width - 1), line.dtype)
    return line.bitshift(by).bitand(mask).cast(_UNSIGNED[target.size]).reshape((x.size * pieces, 1))


def _bytes_joined(x: Term, pieces: int, target: DType) -> Term:
    """A column of numbers as that of so many after one another together, the lowest first."""
    wide = _UNSIGNED[target.size]
    bits = _same_bits(x, _UNSIGNED[x.dtype.size]).cast(wide)
    made = bits.part(0, 0, x.size // pieces, pieces)
    for k in range(1, pieces):
        part = bits.part(0, k, x.size // pieces, pieces)
        made = made.bitor(part.bitshift(number(8.0 * x.dtype.size * k, wide)))
    return made
