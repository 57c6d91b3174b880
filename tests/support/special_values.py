"""Special values for every elementwise operation, and how far two answers are apart."""

from __future__ import annotations

from itertools import product

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS, Category, Complex, Result

FLOATS = (DType.F32, DType.F64)
INTEGERS = (DType.I8, DType.I16, DType.I32, DType.I64, DType.U8, DType.U16, DType.U32, DType.U64)
BITS = {"bitand", "bitor", "bitxor", "bitshift"}
LOGICAL = {"and", "or", "xor", "not"}
EITHER_ZERO = {"min", "max"}
"""Of 0 and -0 either is the smaller one."""
ULPS = {"gamma": 8, "gammaln": 4096, "erfinv": 8, "erfc": 16, "erfcx": 64}
"""Looser where SciPy is: ours are held against mpmath in tests/accel/functions."""


def grid(dtype: DType) -> np.ndarray:
    """Special values and some ordinary ones."""
    if dtype is DType.BOOL:
        return np.array([False, True])
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        some = [info.min, info.min + 1, -7, -2, -1, 0, 1, 2, 3, 5, 7, 100, info.max - 1, info.max]
        return np.array([v for v in some if info.min <= v <= info.max], dtype.numpy)
    info = np.finfo(dtype.real.numpy)
    some = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        0.25,
        1e-3,
        0.999,
        7.3,
        10.0,
        100.0,
        1234.5,
        1e6,
        info.max,
        info.tiny,
        np.pi,
        np.inf,
        np.nan,
    ]
    if dtype.real is DType.F64:
        some.append(2.0**31 - 0.5)
    real = np.array([*some, *(-v for v in some)], dtype.real.numpy)
    if not dtype.is_complex:
        return real
    values = np.array([0, 1, -1, 0.5, -2.5, 3, 1e-3, 100], dtype.real.numpy)
    return (values[:, None] + 1j * values[None, :]).ravel().astype(dtype.numpy)


def operands(op: str, dtype: DType) -> list[np.ndarray]:
    values = grid(dtype)
    if op == "select":
        return [np.tile([True, False], 40)[:, None], *(np.resize(values, (80, 1)) for _ in "ab")]
    arity = OPS[op].arity
    columns = np.array(list(product(values, repeat=arity)), dtype.numpy)
    return [np.asfortranarray(columns[:, [k]]) for k in range(arity)]


def cases() -> list[tuple[str, DType]]:
    found = []
    for op, spec in OPS.items():
        if spec.category is not Category.ELEMENTWISE:
            continue
        if op in LOGICAL:
            found.append((op, DType.BOOL))
            continue
        if op not in BITS:
            found += [(op, d) for d in FLOATS]
            if spec.complex is Complex.KERNELS and op != "power":
                found += [(op, DType.C64), (op, DType.C128)]
        if (spec.integers or spec.result is Result.BOOL) and op != "imag":
            found += [(op, d) for d in INTEGERS]
    return found


def ulps(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Distance in units of the last place; NaN agrees with NaN, 0 does not with -0."""
    kind = theirs.real.dtype
    with np.errstate(all="ignore"):
        scale = np.maximum(np.spacing(np.abs(theirs).astype(kind)), np.finfo(kind).tiny)
        distance = np.abs(ours - theirs) / np.where(np.isfinite(scale), scale, 1)
    equal = (ours == theirs) & ((theirs != 0) | (np.signbit(ours) == np.signbit(theirs)))
    same = equal | (np.isnan(ours) & np.isnan(theirs))
    distance = np.where(ours == theirs, np.inf, distance)
    return np.where(same, 0, np.where(np.isnan(distance), np.inf, distance))


def spread(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Distance of complex numbers in rounding units of their size; non-finite parts must match."""
    size = np.abs(theirs)
    size = np.where(size < np.finfo(size.dtype).max / 2, np.maximum(size, 1e-3), 1)
    unit = np.spacing(size.astype(theirs.real.dtype))
    worst = np.zeros(theirs.shape)
    for mine, other in ((ours.real, theirs.real), (ours.imag, theirs.imag)):
        with np.errstate(all="ignore"):
            apart = np.abs(mine - other) / unit
        same = (mine == other) | (np.isnan(mine) & np.isnan(other))
        worst = np.maximum(worst, np.where(same, 0, np.where(np.isnan(apart), np.inf, apart)))
    return worst


CASTS = list(product((*FLOATS, *INTEGERS, DType.BOOL), repeat=2))
TYPECASTS = [
    (a, b) for a, b in product((*FLOATS, *INTEGERS), repeat=2) if a.size == b.size and a is not b
]
