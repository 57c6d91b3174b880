"""What people are told of the loops of ``parfor``: how far each is, where it runs and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.interpreter.loops.parfor_run import Run

MOST_LOOPS = 200


@dataclass(eq=False, slots=True)
class LoopAccount:
    """The last run of one loop.

    Attributes:
        file: of the loop.
        line: where it begins.
        passes: how many it has.
        run: the run while it goes on.
        runs: how often it has begun.
    """

    file: str
    line: int
    passes: int = 0
    run: Run | None = None
    runs: int = 0
    _begun: float = 0.0
    _where: str = ""
    _done: int = 0
    _seconds: float = 0.0

    def begin(self, run: Run) -> None:
        """A run begins."""
        self.run, self.passes = run, run.range.count
        self._begun = monotonic()
        self.runs += 1

    def end(self) -> None:
        """The run has ended, or failed."""
        self._done, self._seconds, self._where, self.run = self.done, self.seconds, self.where, None

    @property
    def done(self) -> int:
        """Passes that are done."""
        return self._done if self.run is None else self.run.done

    @property
    def where(self) -> str:
        """Where they run, or ran, and why."""
        return self._where if self.run is None else self.run.where

    @property
    def seconds(self) -> float:
        """How long it has been running, or took."""
        return self._seconds if self.run is None else monotonic() - self._begun


def _tell_nobody(*, now: bool = False) -> None:
    """Nobody looks."""


class LoopAccounts:
    """The loops of a session that ran last, by file and line.

    Attributes:
        changed: called when one of them, or a worker, may have got on; with ``now=True`` where that
            is to be told at once.
    """

    def __init__(self) -> None:
        self.changed: Callable[..., None] = _tell_nobody
        self.loops: dict[tuple[str, int], LoopAccount] = {}

    def of(self, file: str, line: int) -> LoopAccount:
        """The account of the loop at a line; the loop that ran last stands last."""
        key = file, line
        made = self.loops.pop(key, None) or LoopAccount(file, line)
        self.loops[key] = made
        while len(self.loops) > MOST_LOOPS:
            del self.loops[next(iter(self.loops))]
        return made
