"""Philox and its normal numbers as machine code: `philox` bit for bit, many times faster.

Importing this compiles (or loads) the functions; `philox` does so in the background once enough
numbers have been drawn to make it worth while. The normal numbers follow `functions.normal`
operation by operation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from app.accel.dtypes import DType
from app.accel.functions import coefficients as c

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_LOG32, _LOG64 = (tuple(map(t, k)) for t, k in zip((np.float32, np.float64), c.LOG, strict=True))
_SIN32, _SIN64 = (tuple(map(t, k)) for t, k in zip((np.float32, np.float64), c.SIN, strict=True))
_COS32, _COS64 = (tuple(map(t, k)) for t, k in zip((np.float32, np.float64), c.COS, strict=True))
_LN2_32, _REST32 = map(np.float32, c.LN2[0])
_LN2_64, _REST64 = map(np.float64, c.LN2[1])
_HALF_PI32, _HALF_PI64 = np.float32(c.HALF_PI[0][0]), np.float64(c.HALF_PI[1][0])

native = numba.njit(nogil=True, cache=True, inline="never")


@native
def _block(key: Any, number: Any) -> Any:
    """The four words of a block, each in a 64-bit integer."""
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    c0, c1 = number & low, number >> shift
    c2, c3 = np.uint64(0), np.uint64(0)
    k0, k1 = key & low, key >> shift
    for _ in range(10):
        p0, p1 = c0 * np.uint64(0xD2511F53), c2 * np.uint64(0xCD9E8D57)
        c0, c1, c2, c3 = (p1 >> shift) ^ c1 ^ k0, p1 & low, (p0 >> shift) ^ c3 ^ k1, p0 & low
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & low, (k1 + np.uint64(0xBB67AE85)) & low
    return c0, c1, c2, c3


@native
def _single(word: Any) -> Any:
    return (np.float32(word >> np.uint64(9)) + np.float32(0.5)) * np.float32(2.0**-23)


@native
def _double(high: Any, low: Any) -> Any:
    bits = (high << np.uint64(32) | low) >> np.uint64(12)
    return (np.float64(bits) + 0.5) * 2.0**-52


@native
def _horner(x: Any, coefficients: Any) -> Any:
    result = coefficients[len(coefficients) - 1]
    for k in range(len(coefficients) - 2, -1, -1):
        result = result * x + coefficients[k]
    return result


@native
def _pair32(u: Any, v: Any) -> Any:
    one, half = np.float32(1.0), np.float32(0.5)
    offset = np.int32(np.float32(u).view(np.int32) - np.int32(0x3F3504F3))
    n = np.float32(offset >> 23)
    z = np.int32((offset & np.int32(0x7FFFFF)) + np.int32(0x3F3504F3)).view(np.float32)
    f = z - one
    d = np.float32(2.0) + f
    y = np.float32(0.9852) - d * np.float32(0.2427)
    for _ in range(2):
        y = y + y * (one - d * y)
    s = f * y
    w = s * s
    tail = s * (w * _horner(w, _LOG32)) + n * _REST32
    x = np.float32(-2.0) * (n * _LN2_32 + (np.float32(2.0) * s + tail))
    y = np.int32(np.int32(0x5F375A86) - (np.float32(x).view(np.int32) >> 1)).view(np.float32)
    for _ in range(2):
        y = y + y * (half - (half * x) * (y * y))
    radius = x * y
    radius = radius + half * y * (x - radius * radius)
    if x == np.float32(0.0):
        radius = np.float32(0.0)
    t = np.float32(4.0) * v
    q = np.floor(t + half)
    r = (t - q) * _HALF_PI32
    z = r * r
    sine = r + r * z * _horner(z, _SIN32)
    cosine = one - (half * z - z * z * _horner(z, _COS32))
    return radius, np.int64(q), sine, cosine


@native
def _pair64(u: Any, v: Any) -> Any:
    offset = np.int64(np.float64(u).view(np.int64) - np.int64(0x3FE6A09E667F3BCD))
    n = np.float64(offset >> 52)
    z = np.int64((offset & np.int64(0xFFFFFFFFFFFFF)) + np.int64(0x3FE6A09E667F3BCD)).view(
        np.float64
    )
    f = z - 1.0
    d = 2.0 + f
    y = 0.9852 - d * 0.2427
    for _ in range(4):
        y = y + y * (1.0 - d * y)
    s = f * y
    w = s * s
    tail = s * (w * _horner(w, _LOG64)) + n * _REST64
    x = -2.0 * (n * _LN2_64 + (2.0 * s + tail))
    half_bits = np.float64(x).view(np.int64) >> 1
    y = np.int64(np.int64(0x5FE6EB50C7B537A9) - half_bits).view(np.float64)
    for _ in range(3):
        y = y + y * (0.5 - (0.5 * x) * (y * y))
    radius = x * y
    radius = radius + 0.5 * y * (x - radius * radius)
    if x == 0.0:
        radius = 0.0
    t = 4.0 * v
    q = np.floor(t + 0.5)
    r = (t - q) * _HALF_PI64
    z = r * r
    sine = r + r * z * _horner(z, _SIN64)
    cosine = 1.0 - (0.5 * z - z * z * _horner(z, _COS64))
    return radius, np.int64(q), sine, cosine


@native
def _turned(radius: Any, q: Any, sine: Any, cosine: Any) -> Any:
    """Both normal numbers of a pair: the angle's quadrant picks and signs its parts."""
    first, second = (cosine, sine) if (q & 1) == 0 else (sine, cosine)
    if ((q + 1) & 2) != 0:
        first = -first
    if (q & 2) != 0:
        second = -second
    return radius * first, radius * second


@native
def _uniform32(key: Any, first: Any, out: Any) -> None:
    for k in range(len(out) // 4):
        a, b, c2, d = _block(key, first + np.uint64(k))
        out[4 * k], out[4 * k + 1] = _single(a), _single(b)
        out[4 * k + 2], out[4 * k + 3] = _single(c2), _single(d)


@native
def _uniform64(key: Any, first: Any, out: Any) -> None:
    for k in range(len(out) // 2):
        a, b, c2, d = _block(key, first + np.uint64(k))
        out[2 * k], out[2 * k + 1] = _double(a, b), _double(c2, d)


@native
def _normal32(key: Any, first: Any, out: Any) -> None:
    for k in range(len(out) // 4):
        a, b, c2, d = _block(key, first + np.uint64(k))
        radius, q, sine, cosine = _pair32(_single(a), _single(b))
        out[4 * k], out[4 * k + 1] = _turned(radius, q, sine, cosine)
        radius, q, sine, cosine = _pair32(_single(c2), _single(d))
        out[4 * k + 2], out[4 * k + 3] = _turned(radius, q, sine, cosine)


@native
def _normal64(key: Any, first: Any, out: Any) -> None:
    for k in range(len(out) // 2):
        a, b, c2, d = _block(key, first + np.uint64(k))
        radius, q, sine, cosine = _pair64(_double(a, b), _double(c2, d))
        out[2 * k], out[2 * k + 1] = _turned(radius, q, sine, cosine)


_FILLS: dict[tuple[str, DType], Callable[..., None]] = {
    ("uniform", DType.F32): _uniform32, ("uniform", DType.F64): _uniform64,
    ("normal", DType.F32): _normal32, ("normal", DType.F64): _normal64,
}  # fmt: skip


def draw(kind: str, key: int, start: int, count: int, dtype: DType) -> NDArray[Any]:
    """Numbers of elements start … start + count - 1."""
    per = 2 if dtype is DType.F64 else 4
    first = start // per
    whole = (start + count + per - 1) // per - first
    out = np.empty(whole * per, dtype.numpy)
    _FILLS[kind, dtype](np.uint64(key), np.uint64(first), out)
    skip = start - first * per
    return out[skip : skip + count]


def compile_all() -> None:
    """Compile (or load from the cache) every function."""
    for kind, dtype in _FILLS:
        draw(kind, 1, 0, 8, dtype)
