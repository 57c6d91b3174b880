"""Random numbers: Philox4x32-10, the same bits on host and device.

The draw of element ``e = offset + index`` (64 bit) under a 64-bit ``key``:

* key words: ``k0`` low, ``k1`` high 32 bits of the key; counter words ``(b low, b high, 0, 0)``
  for block number b; ten rounds of Philox4x32 give words w0 w1 w2 w3.
* f32 uniform: b = e >> 2, word w[e & 3]; value ``((w >> 9) + 0.5) * 2**-23``, in (0, 1).
* f64 uniform: b = e >> 1, i = 2 * (e & 1); ``k = (w[i] << 32 | w[i+1]) >> 12``;
  value ``(k + 0.5) * 2**-52``, in (0, 1).
* normal: Box-Muller over the uniforms of the pair e - e % 2, e - e % 2 + 1 (u1, u2 by the rule
  for that type): ``r = sqrt(-2*log(u1))``; an even e gives ``r*cos(2*pi*u2)``, an odd one
  ``r*sin(2*pi*u2)``. `functions.normal` defines every rounding of it, so that all devices agree.

Offsets are multiples of four: whoever draws advances by the number of elements rounded up.
"""

from __future__ import annotations

from dataclasses import field
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.elementary.numpy_form import evaluate
from app.accel.ir.dtypes import DType
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = 0x9E3779B9, 0xBB67AE85
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


def blocks(key: int, first: int, count: int) -> NDArray[np.uint64]:
    """Philox words of `count` consecutive blocks: a (4, count) array of 32-bit values."""
    number = np.arange(count, dtype=np.uint64) + np.uint64(first)
    c0, c1 = number & _LOW, number >> _32
    c2 = np.zeros(count, np.uint64)
    c3 = np.zeros(count, np.uint64)
    k0, k1 = key & 0xFFFFFFFF, (key >> 32) & 0xFFFFFFFF
    for _ in range(10):
        p0, p1 = c0 * _M0, c2 * _M1
        c0, c1, c2, c3 = (
            (p1 >> _32) ^ c1 ^ np.uint64(k0),
            p1 & _LOW,
            (p0 >> _32) ^ c3 ^ np.uint64(k1),
            p0 & _LOW,
        )
        k0, k1 = (k0 + _W0) & 0xFFFFFFFF, (k1 + _W1) & 0xFFFFFFFF
    return np.stack((c0, c1, c2, c3))


@mutable_record
class _Native:
    """The compiled twin: loaded in the background once that pays.

    Attributes:
        drawn: numbers drawn so far, normal ones counted fourfold.
        draw: the compiled function, None until it is there.
    """

    drawn: int = 0
    draw: Callable[[str, int, int, int, DType], NDArray[Any]] | None = None
    started: bool = False
    lock: Lock = field(default_factory=Lock)

    def count(self, numbers: int) -> None:
        """Note that slow numbers were drawn; begin to load when they were many."""
        self.drawn += numbers
        if self.drawn >= PAYS and not self.started:
            with self.lock:
                begin, self.started = not self.started, True
            if begin:
                Thread(target=self.load, name="fuselab-compile-random").start()

    def load(self) -> None:
        """Compile, or take from the cache; who draws meanwhile gets the same numbers slowly."""
        from app.accel.codegen import philox_llvm

        philox_llvm.compile_all()
        self.draw = philox_llvm.draw


PAYS = 500_000
"""Numbers after which compiled functions are loaded: slow ones have taken as long as loading."""
native = _Native()


def uniform(key: int, start: int, count: int, dtype: DType) -> NDArray[Any]:
    """Uniform numbers in (0, 1) of elements start … start + count - 1."""
    if native.draw is not None:
        return native.draw("uniform", key, start, count, dtype)
    native.count(count)
    return _uniform(key, start, count, dtype)


def _uniform(key: int, start: int, count: int, dtype: DType) -> NDArray[Any]:
    per = 2 if dtype is DType.F64 else 4
    first, last = start // per, (start + count + per - 1) // per
    words = blocks(key, first, last - first)
    if dtype is DType.F64:
        high = (words[0::2] << _32 | words[1::2]) >> np.uint64(12)
        values: NDArray[Any] = (high.T.reshape(-1).astype(np.float64) + 0.5) * 2.0**-52
    else:
        values = ((words >> np.uint64(9)).T.reshape(-1).astype(np.float32) + np.float32(0.5)) * (
            np.float32(2.0**-23)
        )
    skip = start - first * per
    return values[skip : skip + count]


def normal(key: int, start: int, count: int, dtype: DType) -> NDArray[Any]:
    """Standard normal numbers of elements start … start + count - 1."""
    if native.draw is not None:
        return native.draw("normal", key, start, count, dtype)
    native.count(4 * count)
    return _normal(key, start, count, dtype)


def _normal(key: int, start: int, count: int, dtype: DType) -> NDArray[Any]:
    first = start - start % 2
    pairs = (start + count - first + 1) // 2
    u = _uniform(key, first, 2 * pairs, dtype)
    out = np.empty(2 * pairs, dtype.numpy)
    out[0::2], out[1::2] = evaluate("normal_pair", u[0::2], u[1::2])
    return out[start - first : start - first + count]


def draws_at(
    draw: Callable[..., NDArray[Any]], key: int, offset: int, index: NDArray[Any], dtype: DType
) -> NDArray[Any]:
    """Draws of single elements ``offset + index[...]`` in any order."""
    if not index.size:
        return np.empty(0, dtype.numpy)
    low = int(index.min())
    return draw(key, offset + low, int(index.max()) - low + 1, dtype)[index.astype(np.int64) - low]
