"""The random stream of a session: counter-based Philox, or the Mersenne twister on request."""

from __future__ import annotations

import math
import time
from typing import Any, TypeAlias

import numpy as np

from app.engine.values import Array
from app.errors import MatlabError

_AHEAD = 4096
_KEY = "random"
_F64 = np.dtype(np.float64)
_FEW = 64
_ENDLESS = 2.0**63
"""More elements than any stream has drawn."""
PASS_BITS = 32
"""A pass of a parfor may draw two to this power numbers before it meets the next pass's."""
PASSES = 1 << 31
"""Passes that have numbers of their own."""
_NOTHING: tuple[int, Array] = (0, np.zeros(0))


Held: TypeAlias = "tuple[int, int, int, np.random.RandomState | None]"
"""Seed, seed of the passes, offset and twister of a stream that stands still."""


class RandomStream:
    """Draws for rand, randn and randi; one per session.

    Philox draws are a function of key and offset only, so a large draw may be computed on the
    device or on the host with the same bits; small draws are served from a block made ahead.

    Attributes:
        generator: ``philox`` or ``twister``.
        seed: the seed it was started with.
        offset: elements drawn so far, a multiple of four.
        pass_seed: the seed of the passes of the parfor that runs.
    """

    def __init__(self, seed: int = 0, generator: str = "philox") -> None:
        self.pass_seed = seed
        self.restart(seed, generator)

    def restart(self, seed: int, generator: str) -> None:
        """Begin anew from ``seed``."""
        self.generator = generator
        self.seed = seed
        self.offset = 0
        self._ahead: dict[tuple[str, Any], tuple[int, Array]] = {}
        self._reach = _AHEAD
        self._twister: np.random.RandomState | None = None
        if generator == "twister":
            self._twister = np.random.RandomState(seed or 5489)

    @property
    def key(self) -> int:
        """The 64-bit Philox key."""
        return (self.seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D) & 0xFFFFFFFFFFFFFFFF

    def state(self) -> Array:
        """What ``rng`` keeps in the State field: where the stream has got to."""
        if self._twister is None:
            return np.array([[float(self.offset)]])
        held: Any = self._twister.get_state(legacy=True)
        self._twister.set_state((held[0], held[1], held[2], 0, 0.0))
        return np.append(held[1], np.uint32(held[2])).reshape(-1, 1)

    def resume(self, state: Array) -> None:
        """Go on where a stream of this generator had got to."""
        if self._twister is None:
            if state.size != 1 or not (0 <= state.flat[0] < _ENDLESS):
                text = "The State of philox is one number, which is not negative."
                raise MatlabError("MATLAB:rng:badSettings", text)
            self.offset = int(state.flat[0])
            return
        if state.size != 625:
            text = "The State of a twister has 625 elements."
            raise MatlabError("MATLAB:rng:badSettings", text)
        numbers = np.asarray(state).ravel(order="F").astype(np.uint32)
        self._twister.set_state(("MT19937", numbers[:-1], int(numbers[-1]), 0, 0.0))

    def branch(self) -> Held:
        """Begin the streams of a parfor's passes; gives what `rejoin` goes on with.

        They are Philox streams under a key of their own, which follows from where the stream is.
        """
        if self._twister is None:
            mixed = self.key ^ (self.advance(4) * 0xBF58476D1CE4E5B9)
        else:
            mixed = int(self._twister.randint(0, 1 << 62, dtype=np.int64))
        mixed = (mixed ^ (mixed >> 31)) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        held = self.seed, self.pass_seed, self.offset, self._twister
        self.restart(mixed ^ (mixed >> 29), "philox")
        self.pass_seed = self.seed
        return held

    def rejoin(self, held: Held) -> None:
        """Go on where `branch` was called."""
        self.restart(held[0], "philox")
        _, self.pass_seed, self.offset, self._twister = held
        self.generator = "philox" if self._twister is None else "twister"

    def enter_pass(self, number: int) -> None:
        """The numbers of one pass of a parfor begin, whatever the passes before have drawn."""
        if self.seed != self.pass_seed or self._twister is not None:
            self.restart(self.pass_seed, "philox")
        self.offset = (number & (PASSES - 1)) << PASS_BITS
        self._reach = _FEW

    def advance(self, count: int) -> int:
        """Reserve ``count`` elements, none where it is below 0; gives the offset of the first."""
        first = self.offset
        self.offset = first + (max(count, 0) + 3) // 4 * 4
        return first

    def draw(self, kind: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """``uniform`` or ``normal`` numbers on the host, in column-major order."""
        count = math.prod(shape)
        if self._twister is not None:
            make = (
                self._twister.random_sample
                if kind == "uniform"
                else (self._twister.standard_normal)
            )
            return np.asarray(make(count)).astype(dtype).reshape(shape, order="F")
        return self._take(kind, count, dtype).reshape(shape, order="F")

    def one(self, kind: str) -> float:
        """One number: those of a loop come from a block made ahead."""
        start, block = self._ahead.get((kind, _F64), _NOTHING)
        place = self.offset - start
        if self._twister is None and 0 <= place < block.size:
            self.offset += 4
            return block.item(place)  # type: ignore[no-any-return]
        return float(self.draw(kind, (1, 1), _F64)[0, 0])

    def few(self, kind: str, rows: int, columns: int) -> Array | None:
        """A small matrix out of the block made ahead; None where it does not reach."""
        start, block = self._ahead.get((kind, _F64), _NOTHING)
        place, count = self.offset - start, rows * columns
        if self._twister is not None or not 0 <= place <= block.size - count:
            return None
        self.advance(count)
        return block[place : place + count].reshape((rows, columns), order="F")

    def _take(self, kind: str, count: int, dtype: np.dtype[Any]) -> Array:
        first = self.advance(count)
        if count > self._reach // 4:
            return _philox(kind, self.key, first, count, dtype)
        start, block = self._ahead.get((kind, dtype), (-_AHEAD, np.zeros(0)))
        if not start <= first <= start + block.size - count:
            start, block = first, _philox(kind, self.key, first, self._reach, dtype)
            self._reach = min(_AHEAD, 4 * self._reach)
            self._ahead[kind, dtype] = (start, block)
        return block[first - start : first - start + count]


def _philox(kind: str, key: int, first: int, count: int, dtype: np.dtype[Any]) -> Array:
    from app.accel.codegen import philox
    from app.accel.ir.dtypes import of_numpy

    make = philox.uniform if kind == "uniform" else philox.normal
    return make(key, first, count, of_numpy(dtype))


def stream_of(ctx: Any) -> RandomStream:
    """The session's stream, begun with the seed of the settings."""
    stream = ctx.state.get(_KEY)
    if stream is None:
        stream = ctx.state[_KEY] = RandomStream(int(getattr(ctx.settings, "seed", 0)))
    return stream  # type: ignore[no-any-return]


def shuffle_seed() -> int:
    """A seed from the clock."""
    return time.time_ns() & 0x7FFFFFFF
