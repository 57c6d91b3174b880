"""Pieces of a ``parfor`` in machine code on threads of this process.

Every piece has a state of its own; sliced arrays are shared and written in place. A piece that is
left early has its pass finished by the interpreter on the calling thread, when all threads have
ended; the passes after it are the loop's again. A sliced array that a piece had to enlarge is its
own, and what the piece has assigned is put into the whole one afterwards.
"""

from __future__ import annotations

import ctypes
import threading
from collections import deque
from dataclasses import dataclass
from sys import getrefcount
from time import perf_counter
from typing import TYPE_CHECKING

from app.engine.interpreter.indexing.ownership import owns_data
from app.engine.jit import reporting
from app.engine.jit.program import LOOPS, OFFSET
from app.engine.jit.region import FIRST_EXIT
from app.engine.jit.resume import NEXT
from app.engine.jit.state import CAUSE, SOLE, as_elements
from app.engine.values import Array, DeviceArray, Value, host
from app.engine.values.random_stream import RandomStream, stream_of
from app.native import address_of

if TYPE_CHECKING:
    from app.engine.interpreter.loops.parfor_threads import Piece, Shares
    from app.engine.jit.driver import Driver
    from app.engine.jit.jit_types import Type
    from app.engine.jit.loop_version import Version

POLL_S = 0.02
_LEAVE = ctypes.CFUNCTYPE(ctypes.c_int32)(lambda: 1)
_ASK = ctypes.cast(_LEAVE, ctypes.c_void_p).value or 0


@dataclass(eq=False, slots=True)
class _Ended:
    """A piece that a thread has left.

    Attributes:
        piece: the piece.
        site: where machine code was left.
        words: its state.
        made: its variables.
    """

    piece: Piece
    site: int
    words: tuple[int, ...]
    made: list[Value]


def on_threads(
    version: Version, driver: Driver, values: tuple[Value, ...], parts: tuple[Value, ...]
) -> tuple[Value, ...] | None:
    """Do the passes that are left of a parfor; None where they had better stay on one thread."""
    shares = version.site.shares
    special = version.special
    if shares is None or special.assigned or special.places.made or version.code is None:
        return None
    places = version.places()
    if not all(name in places and places[name][0].array for name in shares.slices):
        return None
    stream = stream_of(version.interpreter.context)
    if version.compiled.random and stream.generator != "philox":
        return None
    fresh = list(values)
    for name, start in shares.starts.items():
        if name not in version.names:
            return None
        fresh[version.names[name]] = start
    if not version.suits((*fresh, *parts)):
        return None
    lent = {}
    for name in shares.slices:
        kind, _, position = places[name]
        lent[name] = _own_elements(values[position], kind, getrefcount(values[position]) <= SOLE)
    return _Team(version, driver, shares, stream, lent).go(list(values), fresh, parts)


def _own_elements(value: Value, kind: Type, sole: bool) -> Array:
    """The elements of a sliced array, which nobody else sees changed."""
    assert kind.kind is not None
    a = as_elements(value, kind.kind)
    is_ours = owns_data(a) and (sole if a is value else type(value) is not DeviceArray)
    return a if is_ours else a.copy(order="F")


class _Team:
    """The threads of one run."""

    def __init__(
        self,
        version: Version,
        driver: Driver,
        shares: Shares,
        stream: RandomStream,
        lent: dict[str, Array],
    ) -> None:
        self.version, self.driver, self.shares, self.stream = version, driver, shares, stream
        self.lent = lent
        self.whole: dict[str, Value] = dict(lent)
        self.places = version.places()
        self.problem: BaseException | None = None
        self._stop = ctypes.c_int64(0)
        self._ended: dict[int, _Ended] = {}
        self._waiting: deque[Piece] = deque()

    def go(
        self, values: list[Value], fresh: list[Value], parts: tuple[Value, ...]
    ) -> tuple[Value, ...]:
        """The variables afterwards, and how to go on."""
        for given in (values, fresh):
            given[:] = [host(v, CAUSE) if type(v) is DeviceArray else v for v in given]
            for name, array in self.lent.items():
                given[self.places[name][2]] = array
        pieces = self.shares.divide(self.driver.at)
        self._waiting.extend(pieces)
        started = perf_counter()
        self._run_threads(min(self.shares.threads, len(pieces)), values, fresh, parts)
        reporting.ran(self.version.site.unit, self.version.line, perf_counter() - started)
        ended = [self._ended[p.first] for p in pieces if p.first in self._ended]
        for one in ended:
            self._merge(one)
        for one in ended:
            self._finish(one)
        made = ended[-1].made if ended else [*values, *parts]
        for name, whole in self.whole.items():
            made[self.places[name][2]] = whole
        self.driver.finished, self.driver.tried = True, False
        return (*made[: len(values)], self.problem)

    # --- threads ---

    def _run_threads(
        self, count: int, values: list[Value], fresh: list[Value], parts: tuple[Value, ...]
    ) -> None:
        """Run machine code on ``count`` threads until no piece waits; a stop is heeded."""
        threads = [
            threading.Thread(
                target=self._work, args=(values, fresh, parts), name="fuselab-parfor", daemon=True
            )
            for _ in range(count)
        ]
        for thread in threads:
            thread.start()
        while any(t.is_alive() for t in threads):
            next(t for t in [*threads, threads[0]] if t.is_alive() or t is threads[0]).join(POLL_S)
            try:
                if self.problem is None:
                    self.version.interpreter.interrupted()
            except BaseException as problem:  # raised again by who entered machine code
                self._give_up(problem)

    def _give_up(self, problem: BaseException) -> None:
        self.problem = problem
        self._stop.value = 1
        self._waiting.clear()

    def _work(self, values: list[Value], fresh: list[Value], parts: tuple[Value, ...]) -> None:
        while True:
            try:
                piece = self._waiting.popleft()
            except IndexError:
                return
            given = fresh if self.shares.begins_block(piece) else values
            try:
                self._ended[piece.first] = self._ended_piece(piece, given, parts)
            except BaseException as problem:  # raised again by the thread that waits
                self._give_up(problem)
                return

    def _ended_piece(self, piece: Piece, given: list[Value], parts: tuple[Value, ...]) -> _Ended:
        version, local = self.version, self.shares.local
        assert version.code is not None
        assert version.code.function is not None
        assert version.state is not None
        key = self.stream.key
        start = version.counter(self.driver)[1:3]
        header: list[float] = [
            0,
            ctypes.addressof(self._stop),
            _ASK,
            key - (1 << 64) if key >> 63 else key,
            0,
        ]
        header += [0, local(piece.first), *start, local(piece.end)]
        buffer, held = version.state.enter(header, tuple(given), parts, self.lent)
        started = perf_counter()
        site = version.code.function(ctypes.addressof(buffer))
        version.code.ran(perf_counter() - started)
        words, made = version.state.leave(buffer, held, (*given, *parts))
        piece.at = piece.end if site < FIRST_EXIT else piece.first
        return _Ended(piece, site, words, made)

    # --- afterwards ---

    def _merge(self, one: _Ended) -> None:
        """Take in what a piece has made."""
        piece = one.piece
        done = one.site < FIRST_EXIT
        reached = (
            piece.end if done else piece.first + one.words[LOOPS] - self.shares.local(piece.first)
        )
        piece.at = reached
        piece.parts = self._parts(one.made)
        for name, array in self.lent.items():
            at, position = self.places[name][1:]
            if one.words[at + 1] == address_of(array):
                continue
            piece.at = min(piece.end, reached + (not done))  # also what a pass did that it has left
            self.whole[name] = self.shares.merged(name, self.whole[name], one.made[position], piece)
            piece.at = reached

    def _parts(self, made: list[Value]) -> tuple[Value, ...]:
        return tuple(made[self.version.names[n]] for n in self.shares.starts)

    def _finish(self, one: _Ended) -> None:
        """Have the interpreter finish the pass in which machine code was left."""
        if one.site < FIRST_EXIT or self.problem is not None:
            return
        version = self.version
        exit_ = version.exit_at(one.site)
        if exit_.path == ():
            return
        for name, whole in self.whole.items():
            one.made[self.places[name][2]] = whole
        if version.compiled.random:
            self.stream.offset = one.words[OFFSET]
        made = one.made[: len(version.site.names)]
        rest = version.rest_after(exit_)
        *after, way = rest(version.others(exit_.path, one.words, version.lists(one.made)), *made)
        one.made[: len(after)] = after
        for name in self.whole:
            self.whole[name] = after[self.places[name][2]]
        if way != NEXT:
            self.problem = way if isinstance(way, BaseException) else None
            return
        one.piece.at += 1
        one.piece.parts = self._parts(one.made)
