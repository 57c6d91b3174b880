"""A loop in the program: when it is compiled, and the switch between interpreter and machine code.

The interpreter runs a loop in chunks of passes and asks its `Driver` for the next chunk;
between two chunks the driver may have the loop go on in machine code. A chunk costs nothing per
pass, so that loops which are never compiled run as fast as ever.
"""

from __future__ import annotations

from itertools import repeat
from math import inf
from typing import TYPE_CHECKING, Any

from app.engine.capture.capture_session import Session
from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.loops.iteration import Columns, Counter, inner_passes
from app.engine.interpreter.loops.loop_sizes import begins_small
from app.engine.jit.background_build import digest_of, remember, was_hot
from app.engine.jit.column_loops import column_driver
from app.engine.jit.driver import Driver
from app.engine.jit.policy import Policy
from app.engine.language import ast
from app.engine.language.walk import walk_body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.loops.parfor_threads import Shares
    from app.engine.interpreter.unit import Unit
    from app.engine.jit.loop_version import Version
    from app.engine.jit.specialisation import Specialiser
    from app.engine.values import Value
    from app.source import Span

_ENDLESS = repeat(None)
FORGOTTEN = 0.97
MOST_SKIPS = 64
"""Times that nobody looks for machine code after it was not there again and again."""


class Site:
    """One loop of one compiled text.

    Attributes:
        node: the loop.
        names: its variables, in the order in which they come and go.
        refusal: why it is never compiled; empty when it may be.
        form: what the tracing of its passes needs.
        closed: True when it runs in the interpreter for good.
        versions: compiled code by the types met at entry.
        pending: the newest of them, which may still be in the making.
        seconds: spent in the interpreter so far, but for the first chunk: what a pass calls is
            looked up and imported there.
        chunks: how many the interpreter has run.
        passes: how many passes took those seconds.
        trial: the passes and seconds up to which the interpreter goes on, to be compared with code
            that seems to be slower.
        outer: the loop around it.
        short: loops of fewer passes are only looked at now and then.
        scalar: True when it was compiled and works on single numbers.
        rests: code for the rest of a pass, by the place where machine code was left.
        over_columns: the loop in the form in which it counts through the columns of a row, or of
            another matrix.
        runs: how often it was begun before there was machine code.
        run_s: how long such a run took.
        entry_s: how long it has taken lately to enter and leave machine code.
        entered: how often machine code was.
        misses: how often in a row there was none for the values of the variables.
        skips: how often nobody is to look for it again.
        shares: what a parfor lets machine code do on several threads; None for other loops.
    """

    def __init__(
        self,
        unit: Unit,
        node: ast.For | ast.While,
        names: tuple[str, ...],
        refusal: str,
        form: LoopForm,
    ) -> None:
        self.unit = unit
        self.node = node
        self.names = names
        self.refusal = refusal
        self.form = form
        self.versions: dict[Any, Version] = {}
        self.pending: Version | None = None
        self.seconds = 0.0
        self.pass_seconds = 0.0
        self.chunks = self.passes = 0
        self.trial = 0, 0.0
        self.runs = 0
        self.run_s = 0.0
        self.entry_s = inf
        self.entries = self.entered = self.misses = self.skips = 0
        self._specialiser: Specialiser | None = None
        self._meanings: tuple[int, ...] = ()
        self.rests: dict[Any, Any] = {}
        self.over_columns: dict[bool, Site] = {}
        self.shares: Shares | None = None
        self.closed = not getattr(unit.interpreter.settings, "compile_loops", True)
        self.outer: Site | None = None
        self._digest = ""
        self.scalar = False
        self._skipped = 0
        self._hinted: bool | None = None
        inside = [n for n in walk_body(node.body) if isinstance(n, ast.For | ast.While)]
        self.short = 2 if inside else 12
        for loop in inside:
            held = unit.loops.get(loop.span)
            if held is not None and held.outer is None:
                held.outer = self
        unit.loops[node.span] = self

    def __call__(
        self,
        source: Any,
        values: tuple[Value, ...],
        shared: Callable[[], object] | None = None,
    ) -> Iterable[Any]:
        """The loop begins with these values of its variables: its chunks.

        `shared` has the cells that nested functions share.
        """
        if source is not None and type(source) is not Counter:
            return self._over_columns(source, shared)
        if Limits.pure:
            from app.engine.interpreter.loops.lane_tracer import loop_of_lanes

            inside = loop_of_lanes(self.form, source, shared is not None)
            if inside is not None:
                return inside
            return (_ENDLESS,) if source is None else (inner_passes(source),)
        compiles = self.compiles(source)
        fuses = self.fuses(source) and (
            shared is not None or not begins_small(self.unit.interpreter, self.form, source, values)
        )
        if not compiles and not fuses:
            return (_ENDLESS,) if source is None else (source,)
        self.entries += compiles
        return Driver(self, source, compiles, fuses, shared)

    def _over_columns(
        self, source: Iterable[Any], shared: Callable[[], object] | None
    ) -> Iterable[Any]:
        """The chunks of a loop over something else than a range."""
        if Limits.pure:
            return (inner_passes(source),)
        if type(source) is Columns:
            driver = column_driver(self, source, shared)
            if driver is not None:
                return driver
        return (source,)

    def rewritten(self, node: ast.For, names: tuple[str, ...]) -> Site:
        """The loop in other words, with more variables."""
        made = Site(self.unit, node, names, self.refusal, self.form.rewritten(node, names))
        self.unit.loops[node.span] = self
        return made

    def fuses(self, source: Counter | None) -> bool:
        """Whether passes may be done as kernels in this run of the loop."""
        return Session.is_active and (source is None or source.count > 3)

    def compiles(self, source: Counter | None) -> bool:
        """Whether machine code is thought of in this run of the loop."""
        if self.closed or (source is not None and self._too_short(source.count)):
            return False
        return not self.unit.interpreter.debugger.looks_at(self.unit.source.name)

    def note_runs(self) -> None:
        """Before there is machine code: how long a run takes without."""
        if not self.versions:
            self.run_s = self.seconds / max(1, self.runs)

    def may_compile(self) -> bool:
        """Whether it has been begun in a way that machine code may come of."""
        return not self.closed and bool(self.entries or self.over_columns)

    def note_entry(self, seconds: float) -> None:
        """Entering and leaving machine code took so long."""
        if seconds < self.entry_s:
            self.entry_s = seconds
        else:
            self.entry_s += (min(seconds, 2 * self.entry_s) - self.entry_s) / 2

    def note_wrong_guess(self, span: Span) -> None:
        """What its code took for a vector, or for whole, was none: the next code knows."""
        self.unit.wrong_guesses.add(span)
        self.versions.clear()
        self.pending = None

    def is_worth_entering(self, left: float) -> bool:
        """Whether so many seconds of the interpreter are worth to enter machine code.

        What entering takes is forgotten slowly where it is not done: it may have been interrupted.
        """
        known = 0.0 if self.entry_s == inf else self.entry_s
        if left > max(Policy.entry_s, known):
            return True
        self.entry_s *= FORGOTTEN
        return False

    def note_miss(self) -> None:
        """There was no machine code for these values: it is looked for less and less often."""
        self.skips = min(1 << self.misses, MOST_SKIPS) - 1
        self.misses = min(self.misses + 1, 16)

    def on_trial(self) -> bool:
        """Whether the interpreter is being compared with the machine code."""
        passes, seconds = self.trial
        return self.passes < passes and self.seconds < seconds

    def digest(self) -> str:
        """What the loop is known by from run to run."""
        if not self._digest:
            span = self.node.span
            self._digest = digest_of(self.unit.source.text[span.start : span.end])
        return self._digest

    def specialiser(self, meanings: tuple[int, ...] = ()) -> Specialiser:
        """Finds how the loop is compiled for the values of its variables.

        ``meanings`` changes when names may mean other functions than before.
        """
        if self._specialiser is None or (meanings and meanings != self._meanings):
            self._meanings = meanings
            from app.engine.jit.specialisation import Specialiser

            self._specialiser = Specialiser(self.unit, self.node, self.names)
        return self._specialiser

    def has_code(self) -> bool:
        """True when machine code of it is there."""
        return not self.closed and any(v.ready() for v in self.versions.values())

    def hinted(self) -> bool:
        """True when an earlier run found it worth compiling."""
        if self._hinted is None:
            self._hinted = was_hot(self.digest())
        return self._hinted

    def is_hot(self, scalar: bool) -> None:
        """It is being compiled, and may work on single numbers only."""
        self.scalar = scalar

    def is_compiled(self) -> None:
        """Its code is on the disk; if it works on single numbers the next run begins with it."""
        if self.scalar:
            remember(self.digest())

    def _too_short(self, count: int) -> bool:
        """True for few passes, unless they take their time; every 16th such loop is timed."""
        if count >= self.short or count * self.pass_seconds > Policy.entry_s or Policy.eager:
            return count == 0
        self._skipped += 1
        return self._skipped % 16 != 0
