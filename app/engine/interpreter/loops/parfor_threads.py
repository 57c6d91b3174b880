"""Blocks of a ``parfor`` on threads of this process: what machine code needs to divide them.

A loop that runs as machine code holds no lock of the interpreter. When it is entered for one block,
it may do the blocks that follow as well, on several threads; each piece begins its reductions as a
block does, so that the answer keeps its bits.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.engine.interpreter.indexing.index_assign import set_args
from app.engine.interpreter.loops.parfor_slices import offset_of, places_of, slice_of
from app.engine.values import Value

if TYPE_CHECKING:
    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.loops.parfor_run import Run

PIECES = 8
"""Pieces per thread of a loop without reductions: who is done early takes another one."""
LEAST_S = 0.0005
"""Work that is left for less time is not worth starting threads."""


@dataclass(eq=False, slots=True)
class Piece:
    """Consecutive passes that one thread does.

    Attributes:
        first: the first of them, counted from 0.
        end: the first one after them.
        at: passes before this one are done.
        parts: the reductions over those that are done.
    """

    first: int
    end: int
    at: int
    parts: tuple[Value, ...] = ()


class Divided(Protocol):
    """A loop in the program that may go on in machine code."""

    shares: Shares | None
    form: LoopForm

    def has_code(self) -> bool:
        """Whether machine code of it is there."""


class Shares:
    """The passes that are left of a parfor, for machine code to divide.

    Args:
        run: the run of the loop.
        threads: how many there may be.
        starts: what a block's reductions begin with.

    Attributes:
        pieces: what was divided; empty where machine code was not entered.
    """

    def __init__(self, run: Run, threads: int, starts: dict[str, Value]) -> None:
        self.threads, self.starts = threads, starts
        self._run, self._from = run, run.at
        self.pieces: list[Piece] = []

    @property
    def slices(self) -> tuple[str, ...]:
        """The sliced variables that passes assign."""
        return self._run.loop.slices

    def divide(self, at: int) -> list[Piece]:
        """Pieces of the passes that are left; ``at`` of this range are done."""
        run, first = self._run, self._from + at
        left = run.range.count - first
        size = run.block if self.starts else max(1, -(-left // (PIECES * self.threads)))
        while first < run.range.count:
            end = min(run.range.count, (first // size + 1) * size)
            self.pieces.append(Piece(first, end, first))
            first = end
        return self.pieces

    def local(self, number: int) -> int:
        """A pass counted from the first one of this range."""
        return number - self._from

    def begins_block(self, piece: Piece) -> bool:
        """Whether its reductions begin anew."""
        return piece.first % self._run.block == 0

    def merged(self, name: str, whole: Value, made: Value, piece: Piece) -> Value:
        """A sliced variable with what a piece has assigned to an array of its own."""
        run = self._run
        variable = run.loop.body.variables[name]
        shift = run.range.first + offset_of(variable, run.values)
        low, high, part = slice_of(variable, made, piece.first + shift, piece.at - 1 + shift)
        if high < low:
            return whole
        return set_args(whole, places_of(variable, low, high, part), part)


def threads_of(run: Run) -> int:
    """How many threads the passes that are left of a run may have; 1 where they stay on one."""
    interpreter = run.interpreter
    if interpreter.parfor_depth > 1 or interpreter.debugger.active or run.left_s < LEAST_S:
        return 1
    if any(v is None for v in run.starts.values()) or (run.continues and _subtracts(run)):
        return 1
    wanted = int(getattr(interpreter.settings, "host_threads", 0)) or _cores()
    return max(1, min(wanted, run.most))


def _cores() -> int:
    held = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    return len(held) or os.cpu_count() or 1


def _subtracts(run: Run) -> bool:
    """Whether a reduction of passes that go on from one another is no sum of parts."""
    variables = run.loop.body.variables
    return any(variables[name].operation == "-" for name in run.loop.reductions)
