"""Bits of integers and of whole doubles, quotients of integers, numbers rounded to decimals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture import elementwise
from app.engine.capture.term_arrays import holds, resident
from app.engine.capture.terms import Term, number, term, where
from app.engine.values import Value

Args = tuple[Value, ...]
_ROUNDED = {"fix": "fix", "floor": "floor", "ceil": "ceil", "round": "round"}


def _narrow(dtype: DType) -> bool:
    return dtype.is_integer and dtype.size < 8


def _pair(args: Args) -> Any:
    """Two operands of one integer class, one of which may be a whole double."""
    found = [term(v) for v in args[:2]]
    if any(t is NotImplemented for t in found):
        return NotImplemented
    kinds = {t.dtype for t in found if t.dtype.is_integer}
    if len(kinds) != 1 or not _narrow(dtype := kinds.pop()):
        return NotImplemented
    for k, t in enumerate(found):
        if not t.dtype.is_integer:
            value, limits = args[k], np.iinfo(dtype.numpy)
            if type(value) is not float or value % 1 or not limits.min <= value <= limits.max:
                return NotImplemented
            found[k] = number(value, dtype)
    sizes = {t.shape for t in found if t.size > 1}
    return found if len(sizes) < 2 else NotImplemented


def _whole_doubles(args: Args) -> list[Term] | None:
    """Resident doubles that are whole and not negative; None for all else."""
    found = resident(*args)
    if found is None or any(x.dtype is not DType.F64 for x in found):
        return None
    wrong = [((x < 0.0) | (x >= 2.0**_BITS) | x.floor().ne(x)).any() for x in found]
    together = wrong[0] | wrong[-1]
    return None if holds(together, "needs-host-value: are these whole numbers?") else found


def _pair_of_doubles(args: Args) -> list[Term] | None:
    found = _whole_doubles(args)
    fits = found is not None and len({x.shape for x in found if x.size > 1}) < 2
    return [x.cast(DType.U64) for x in found] if found is not None and fits else None


def _bitwise(op: str) -> Callable[[Args, int], Any]:
    def form(args: Args, nargout: int) -> Any:
        if len(args) != 2:
            return NotImplemented
        found = _pair(args)
        if found is not NotImplemented:
            return getattr(found[0], op)(found[1])
        found = _pair_of_doubles(args)
        return None if found is None else getattr(found[0], op)(found[1]).cast(DType.F64)

    return form


bitand, bitor, bitxor = (_bitwise(op) for op in ("bitand", "bitor", "bitxor"))


def _unsigned_term(args: Args) -> Any:
    x = term(args[0])
    fits = x is not NotImplemented and x.dtype.label in ("uint8", "uint16", "uint32")
    return x if fits else NotImplemented


def bitcmp(args: Args, nargout: int) -> Any:
    """All bits turned over."""
    x = term(args[0])
    if x is NotImplemented or len(args) > 1 or not _narrow(x.dtype):
        return NotImplemented
    ones = -1.0 if x.dtype.kind == "i" else float(np.iinfo(x.dtype.numpy).max)
    return x.bitxor(number(ones, x.dtype))


def _bit(args: Args) -> Any:
    """An array of integers and the mask of one bit of it."""
    x, n = term(args[0]), args[1]
    if x is NotImplemented or not _narrow(x.dtype):
        return NotImplemented
    if type(n) is not float or n % 1 or not 1 <= n <= 8 * x.dtype.size:
        return NotImplemented
    mask = 2.0 ** (n - 1)
    return x, number(mask if mask <= np.iinfo(x.dtype.numpy).max else -mask, x.dtype)


def _bit_of_doubles(args: Args) -> tuple[Term, Term, float] | None:
    """Resident whole doubles, whether a bit of them is set (1 or 0), and what it counts."""
    n = args[1]
    if type(n) is not float or n % 1 or not 1 <= n <= _BITS:
        return None
    found, weight = _whole_doubles(args[:1]), 2.0 ** (n - 1)
    return None if found is None else (found[0], (found[0] / weight).floor().mod(2.0), weight)


def bitget(args: Args, nargout: int) -> Any:
    """Whether a bit is set."""
    if len(args) == 2 and (doubles := _bit_of_doubles(args)) is not None:
        return doubles[1]
    found = _bit(args)
    if found is NotImplemented or len(args) > 2:
        return found
    x, mask = found
    return x.bitand(mask).ne(0.0).cast(x.dtype)


def bitset(args: Args, nargout: int) -> Any:
    """A bit set or cleared."""
    if len(args) > 3 or (len(args) > 2 and type(args[2]) is not float):
        return NotImplemented
    if (doubles := _bit_of_doubles(args)) is not None:
        whole, there, weight = doubles
        return (
            whole + (1.0 - there) * weight if len(args) < 3 or args[2] else whole - there * weight
        )
    found = _bit(args)
    if found is NotImplemented:
        return NotImplemented
    x, mask = found
    on: Term = x.bitor(mask)
    return on if len(args) < 3 or args[2] else on.bitxor(mask)


def bitshift(args: Args, nargout: int) -> Any:
    """Bits of numbers shifted by a scalar; those of signed integers to the right only."""
    x, k = term(args[0]), args[1]
    if x is NotImplemented or len(args) > 2 or type(k) is not float or k % 1:
        return NotImplemented
    if x.dtype is DType.F64 and abs(k) < _BITS:
        doubles = _whole_doubles(args[:1])
        if doubles is None:
            return NotImplemented
        shifted = (doubles[0] * 2.0**k).floor()
        return where(shifted >= _MOST, shifted.mod(_MOST), shifted)
    if not _narrow(x.dtype) or (k > 0 and _unsigned_term(args) is NotImplemented):
        return NotImplemented
    if not 0 <= abs(k) < 8 * x.dtype.size:
        return NotImplemented
    if k >= 0:
        kept = number(float(2 ** int(8 * x.dtype.size - k) - 1), x.dtype)
        return (x.bitand(kept).cast(DType.F64) * 2.0**k).cast(x.dtype)
    return (x.cast(DType.F64) * 2.0**k).floor().cast(x.dtype)


_BITS = 53
"""Of a double that is a whole number."""
_MOST = 2.0**64
"""What doubles that stand for numbers of uint64 stay below."""


def idivide(args: Args, nargout: int) -> Any:
    """Quotients rounded to whole numbers."""
    found, how = _pair(args), args[2] if len(args) > 2 else "fix"
    if found is NotImplemented or how not in _ROUNDED:
        return NotImplemented
    if type(args[1]) is float and args[1] == 0.0:  # its sign is that of the quotient
        return NotImplemented
    a, b = (t.cast(DType.F64) for t in found)
    quotient: Term = getattr(a / b, str(how))()
    return quotient.cast(found[0].dtype)


MOST_DIGITS = 30
"""Powers of ten up to here are numbers in single, too."""


def round_(args: Args, nargout: int) -> Value:
    """The nearest whole numbers, or numbers of so many decimals; halves away from zero."""
    if len(args) == 1:
        return elementwise("round", args) if nargout < 2 else NotImplemented
    x, digits = term(args[0]), args[1]
    if x is NotImplemented or len(args) > 2 or nargout > 1 or type(digits) is not float:
        return NotImplemented
    if x.guarded or not x.dtype.is_float or digits % 1 or abs(digits) > MOST_DIGITS:
        return NotImplemented
    scale = 10.0 ** abs(digits)
    if digits < 0:
        return ((x / scale).round() * scale).value
    large = x * scale
    return where(large.isfinite(), large.round() / scale, x).value
