"""The machine code of one text: made in an instant at first, better once it has run for a while."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from app import native
from app.engine.jit.background_build import soon
from app.engine.jit.external import imports_of
from app.engine.jit.policy import Policy
from app.errors import InternalError
from app.log import topic

if TYPE_CHECKING:
    from collections.abc import Callable

SHORT = 100_000
"""Characters of a text that is code within ten milliseconds: while another thread made it, the
interpreter would hardly get further."""
_LOG = topic("jit")


class MachineCode:
    """Code that is made in the background, and made again when that pays.

    Most loops of most programs have ended before good code would have been made. Large arrays gain
    by vectors from the beginning and by nothing else; single numbers and small arrays gain little
    by anything: unrolling and vectors double or treble the time to compile.

    Attributes:
        function: ``run(state)``; None while there is none, or once it was given up.
        seconds: spent in it so far.
    """

    def __init__(
        self,
        text: str,
        wide: bool,
        made: Callable[[], None],
        level: int = native.QUICK,
    ) -> None:
        self.text = text
        self.function: Callable[[int], int] | None = None
        self.seconds = 0.0
        self._best = native.VECTORS if wide else native.THOROUGH
        self._level = level if wide else min(level, native.QUICK)
        self._made = made
        self._given_up = False
        self._running: Callable[[int], int] | None = None

    def begin(self, known: bool) -> None:
        """Have it made; at once when that takes no time, or it is on the disk and ``known`` to be
        wanted."""
        if Policy.eager:
            self._level = max(self._level, Policy.level)
            self.build()
            return
        quick = self._level == native.INSTANT and native.is_awake() and len(self.text) < SHORT
        if quick or (
            known
            and (native.is_kept(self.text, self._best) or native.is_kept(self.text, self._level))
        ):
            self.build()
        else:
            soon(self.build)

    def build(self) -> None:
        """Make it; a text that is not valid is a bug of ours, which the log has."""
        if not Policy.eager and native.is_kept(self.text, self._best):
            self._level = self._best
        try:
            library = native.compile_assembly(
                self.text, "run", level=self._level, imports=imports_of(self.text)
            )
        except InternalError as problem:
            _LOG.error("a loop could not be compiled", exc_info=problem)
            self.give_up()
            return
        if not self._given_up:
            self.function = library.function("run", ctypes.c_int64, ctypes.c_void_p)
            self._made()

    def run(self, state: int) -> int:
        """Run it on the state at an address: where it was left."""
        assert self.function is not None
        self._running = self.function
        return self._running(state)

    def is_outdated(self) -> bool:
        """Asked while it runs, and so has for a while: whether there is better code by now."""
        self.improve()
        return self.function is not self._running

    def ran(self, seconds: float) -> None:
        """It has run for so long."""
        self.seconds += seconds
        if self.seconds > Policy.better_s:
            self.improve()

    def improve(self) -> None:
        """Have better code made, if there can be any."""
        if self._level <= native.QUICK and not Policy.eager:
            self._level = self._best
            soon(self.build, hurry=False)

    def give_up(self) -> None:
        """It is never used again."""
        self._given_up, self.function = True, None
