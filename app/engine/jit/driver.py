"""One run of a loop: chunks of passes for the interpreter; kernels and machine code between."""

from __future__ import annotations

import sys
from itertools import islice, repeat
from time import thread_time
from typing import TYPE_CHECKING, Any

from app.engine.capture.capture_session import Session
from app.engine.interpreter.compile.loop_bodies import RETURNED
from app.engine.interpreter.loops.iteration import Counter
from app.engine.interpreter.loops.loop_sizes import worth_a_trace
from app.engine.interpreter.tracing import ENDLESS
from app.engine.jit.policy import Policy
from app.native import is_awake

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from app.engine.interpreter.loops.loop_fusion import TracedLoop
    from app.engine.jit.site import Site
    from app.engine.values import Value

_CHUNK_S = 0.0005
_MOST_CHUNK = 1 << 40
UNMEASURED = 8
"""How often machine code is entered before it is known what a pass takes without."""


class Driver:
    """One run of a loop.

    Attributes:
        source: the passes of a ``for`` loop; None for ``while``.
        at: passes done.
        compiles: whether machine code is thought of.
        fuses: whether passes may be done as kernels next.
        trace: of the passes that were done as kernels last.
        shared: refers to the variables and functions that nested functions share.
        finished: True when nothing is left to do.
        spent: seconds of the processor that this run has taken in the interpreter: what other
            programs and waits take says nothing of what machine code would save.
        waits: whether passes may be done as kernels once it turns out that there is no machine
            code.
        misses_card: whether they may be so once a graphics card is there.
    """

    __slots__ = (
        "_given",
        "_loaded",
        "_since",
        "_size",
        "at",
        "compiles",
        "finished",
        "fuses",
        "misses_card",
        "shared",
        "site",
        "source",
        "spent",
        "trace",
        "tried",
        "waits",
    )

    def __init__(
        self,
        site: Site,
        source: Counter | None,
        compiles: bool,
        fuses: bool,
        shared: Callable[[], object] | None,
    ) -> None:
        self.site = site
        self.source = source
        self.compiles = compiles
        self.fuses = fuses
        self.shared = shared
        self.trace: TracedLoop | None = None
        self.at = 0
        self.finished = False
        self.tried = self.waits = self.misses_card = False
        self.spent = 0.0
        site.runs += not site.versions
        self._given = self._loaded = 0
        self._size = 1
        self._since = 0.0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __del__(self) -> None:
        """A run that ``break`` or ``return`` has ended within a chunk counts, too."""
        if self._given and self.site.chunks and len(sys.modules) == self._loaded:
            self.site.seconds += max(0.0, thread_time() - self._since)

    def __next__(self) -> Any:
        """The next chunk of passes for the interpreter; None to go on in machine code."""
        if self._given:
            self._account()
        if self.finished or (self.source is not None and self.at >= self.source.count):
            raise StopIteration
        if self.waits and self.site.closed:
            self.waits, self.fuses, self.site.form.failures = False, True, 0
        if self.misses_card and not _may_get_card():
            self.misses_card, self.fuses = False, True
        compiles = self.compiles and not self.tried and not self.site.form.again
        if self.fuses or (compiles and self._worthwhile()):
            return None
        self.tried = False
        return self._chunk()

    def _account(self) -> None:
        """A chunk has been run; one that loaded modules says nothing of those to come."""
        site = self.site
        elapsed = thread_time() - self._since
        usual = len(sys.modules) == self._loaded
        if site.chunks and usual:
            site.seconds += elapsed
            site.passes += self._given
        self.spent += elapsed
        site.chunks += usual
        if usual or not site.pass_seconds:
            site.pass_seconds = elapsed / self._given
        self.at += self._given
        wanted = _CHUNK_S / max(site.pass_seconds, 1e-9)
        self._size = int(min(max(1.0, wanted), 64.0 * self._given))
        self._given = 0

    def _worthwhile(self) -> bool:
        """True when the rest of the loop should run in machine code, or be compiled for it."""
        site = self.site
        if site.closed or (site.pending is not None and not site.pending.ready()):
            return False
        if Policy.eager:
            return self.at >= Policy.passes
        if site.skips or site.on_trial():
            site.skips -= site.skips > 0
            return False
        if self.source is None:  # what has gone on for so long may well go on for as long again
            left = max(self.spent, site.run_s) if site.versions else site.seconds
        else:
            left = (self.source.count - self.at) * site.pass_seconds
        if not site.pass_seconds and site.entered < UNMEASURED and site.hinted():
            return self.source is None or self.source.count >= site.short
        if site.chunks < 2:
            return False
        if site.versions:
            if self.source is not None and site.passes:  # one chunk may have been interrupted
                left = min(left, (self.source.count - self.at) * site.seconds / site.passes)
            return site.is_worth_entering(left)
        share = Policy.inner if site.outer is not None and site.outer.may_compile() else 1.0
        if not is_awake():
            share *= Policy.first
        return site.seconds > Policy.spent_s * share or left > Policy.left_s * share

    def _chunk(self) -> Iterable[Value]:
        if self.site.form.again:
            self.site.form.again, self.fuses, size = False, True, 1
        else:
            short = self.misses_card or (self.compiles and not self.site.closed)
            size = self._size if short else _MOST_CHUNK
        self._since, self._given, self._loaded = thread_time(), size, len(sys.modules)
        if self.source is None:
            return repeat(None, size)
        left = self.source.count - self.at
        self._given = min(size, left)
        if self.at == 0 and self._given == left:
            return self.source
        return islice(passes_from(self.source, self.at), self._given)

    def run(self, *values: Value) -> tuple[Value, ...]:
        """Go on in machine code: the variables afterwards, and how to go on."""
        if self.fuses:
            return self._values_after_kernels(values)
        from app.engine.jit.loop_version import run

        self.tried = True
        return run(self, values)

    def _values_after_kernels(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """The variables after passes that were done as kernels, if any were."""
        self.fuses = False
        source, form = self.source, self.site.form
        if source is None:
            passes = 0.0, 1.0, ENDLESS
        else:
            passes = source.start + self.at * source.step, source.step, source.count - self.at
        interpreter = self.site.unit.interpreter
        form.retried = bool(self.at)
        form.in_machine_code = self.compiles and not self.site.closed
        cells, made = self._cells(), None
        if worth_a_trace(interpreter, form, passes[2], values, cells):
            from app.engine.interpreter.loops.loop_fusion import advance

            made = advance(interpreter, form, passes, values, cells, self.trace)
        if made is None:
            self.waits, self.misses_card = form.in_machine_code, _may_get_card()
            return (*values, None)
        self.at += made.passes
        self.trace = made.trace
        self.finished = bool(made.left)
        # The pass that the kernels left is the interpreter's; more may come after it.
        form.again = made.passes < passes[2] and not self.finished
        return (*made.values, RETURNED if made.left == RETURNED else None)

    def _cells(self) -> dict[str, Any]:
        """The cells of the variables and functions that nested functions share."""
        if self.shared is None:
            return {}
        shared: Any = self.shared
        return dict(zip(shared.__code__.co_freevars, shared.__closure__, strict=True))


def _may_get_card() -> bool:
    """Whether the loop may go on on a graphics card that is not there yet."""
    return Session.runtime is not None and Session.runtime.may_get_card


def passes_from(source: Counter, at: int) -> Iterator[float]:
    """The counter's values from pass ``at`` on, exactly as without interruption."""
    start, step = source.start, source.step
    if start.is_integer() and step.is_integer():
        return iter(Counter(start + step * at, step, source.count - at))
    return (start + k * step for k in range(at, source.count))
