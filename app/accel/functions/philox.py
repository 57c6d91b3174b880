"""Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011) on the host: any block at any time.

A stream is named by a 64-bit key; its n-th number depends on nothing else than the key and n. The
counter counts *blocks* of 128 bits: four singles or two doubles. `offset` is a block number, and a
request of n numbers uses up `blocks(n, dtype)` of them. Kernels compute the same bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.functions.host import Host
from app.accel.functions.normal import normal_cos, normal_sin

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
_CHUNK = 1 << 16


def blocks(n: int, dtype: DTypeLike) -> int:
    """Counter blocks that n numbers use up."""
    each = 4 if np.dtype(dtype).itemsize == 4 else 2
    return -(-n // each)


def words(key: int, offset: int, count: int) -> NDArray[np.uint32]:
    """The random words of `count` blocks from block `offset`, as rows of four."""
    counter = np.arange(count, dtype=np.uint64) + np.uint64(offset)
    low, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    x = [counter & mask, counter >> low, np.zeros(count, np.uint64), np.zeros(count, np.uint64)]
    k = [key & 0xFFFFFFFF, key >> 32 & 0xFFFFFFFF]
    for _ in range(ROUNDS):
        a, b = x[0] * np.uint64(MULTIPLIERS[0]), x[2] * np.uint64(MULTIPLIERS[1])
        x = [(b >> low) ^ x[1] ^ np.uint64(k[0]), b & mask,
             (a >> low) ^ x[3] ^ np.uint64(k[1]), a & mask]  # fmt: skip
        k = [(k[i] + WEYL[i]) & 0xFFFFFFFF for i in (0, 1)]
    return np.stack(x, axis=1).astype(np.uint32)


def _uniform(w: NDArray[np.uint32], dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype.itemsize == 4:
        return ((w >> 9) | 0x3F800000).view(np.float32) - np.float32(1 - 2.0**-24)
    u = w[:, 0::2].astype(np.uint64) << np.uint64(20) | w[:, 1::2] >> np.uint32(12)
    return (u | np.uint64(0x3FF0000000000000)).view(np.float64) - (1 - 2.0**-53)


def _normal(w: NDArray[np.uint32], dtype: np.dtype[Any]) -> NDArray[Any]:
    host = Host(dtype.itemsize * 8)
    if dtype.itemsize == 4:
        u = ((w[:, 0::2] >> 8) + 1).astype(np.float32) * np.float32(2.0**-24)
        v = (w[:, 1::2] >> 8).astype(np.float32) * np.float32(2.0**-24)
    else:
        both = _uniform(w, dtype)
        u, v = both[:, :1].copy(), both[:, 1:].copy()
    with np.errstate(all="ignore"):
        pairs = normal_cos(host, u, v), normal_sin(host, u, v)
    return np.stack(pairs, axis=-1).reshape(len(w), -1)


def _fill(
    make: Any, key: int, offset: int, n: int, dtype: DTypeLike
) -> NDArray[Any]:
    kind = np.dtype(dtype)
    total, each = blocks(n, kind), 4 if kind.itemsize == 4 else 2
    out = np.empty(total * each, kind)
    for start in range(0, total, _CHUNK):
        count = min(_CHUNK, total - start)
        part = make(words(key, offset + start, count), kind)
        out[start * each : (start + count) * each] = part.ravel()
    return out[:n]


def uniform(key: int, offset: int, n: int, dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """n uniform numbers in (0, 1): multiples of 2^-24 or 2^-53, odd ones."""
    return _fill(_uniform, key, offset, n, dtype)


def normal(key: int, offset: int, n: int, dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """n standard normal numbers by Box and Muller."""
    return _fill(_normal, key, offset, n, dtype)
