"""A loop in the program: when it is compiled, and the switch between interpreter and machine code.

The interpreter runs a loop in chunks of passes and asks its :class:`Driver` for the next chunk;
between two chunks the driver may have the loop go on in machine code. A chunk costs nothing per
pass, so that loops which are never compiled run as fast as ever.
"""

from __future__ import annotations

from itertools import islice, repeat
from time import perf_counter
from typing import TYPE_CHECKING, Any

from app.engine.capture import capture
from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.compile.analysis import walk
from app.engine.interpreter.compile.loop_bodies import RETURNED
from app.engine.interpreter.loops.iteration import Counter, inner_passes
from app.engine.interpreter.loops.lane_tracer import loop_of_lanes
from app.engine.interpreter.loops.loop_fusion import TracedLoop, advance
from app.engine.interpreter.loops.tracing import ENDLESS
from app.engine.jit.background_build import digest_of, remember, was_hot
from app.engine.jit.policy import Policy
from app.engine.language import ast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from app.engine.interpreter.compile.loop_bodies import LoopForm
    from app.engine.interpreter.compile.unit import Unit
    from app.engine.interpreter.loops.parfor_threads import Shares
    from app.engine.jit.loop_version import Version
    from app.engine.jit.specialisation import Specialiser

_ENDLESS = repeat(None)
_CHUNK_S = 0.0005
_MOST_CHUNK = 1 << 40


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
        outer: the loop around it.
        short: loops of fewer passes are only looked at now and then.
        scalar: True when it was compiled and works on single numbers.
        rests: code for the rest of a pass, by the place where machine code was left.
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
        self.chunks = 0
        self.entries = 0
        self._specialiser: Specialiser | None = None
        self.rests: dict[Any, Any] = {}
        self.shares: Shares | None = None
        self.closed = not getattr(unit.interpreter.settings, "compile_loops", True)
        self.outer: Site | None = None
        self._digest = ""
        self.scalar = False
        self._skipped = 0
        self._hinted: bool | None = None
        inside = [n for n in walk(node.body) if isinstance(n, ast.For | ast.While)]
        self.short = 2 if inside else 12
        for loop in inside:
            held = unit.loops.get(loop.span)
            if held is not None and held.outer is None:
                held.outer = self
        unit.loops[node.span] = self

    def __call__(
        self, source: Any = None, shared: Callable[[], object] | None = None
    ) -> Iterable[Any]:
        """The loop begins: its chunks. `shared` has the cells that nested functions share."""
        if source is not None and type(source) is not Counter:
            return (inner_passes(source) if Limits.pure else source,)
        if Limits.pure:
            inside = loop_of_lanes(self.form, source, shared is not None)
            if inside is not None:
                return inside
            return (_ENDLESS,) if source is None else (inner_passes(source),)
        compiles = self._compiles(source)
        fuses = capture.Session.runtime is not None and (source is None or source.count > 3)
        if not compiles and not fuses:
            return (_ENDLESS,) if source is None else (source,)
        self.entries += compiles
        return Driver(self, source, compiles, fuses, shared)

    def _compiles(self, source: Any) -> bool:
        """Whether machine code is thought of in this run of the loop."""
        if self.closed or (source is not None and self._too_short(source.count)):
            return False
        return not self.unit.interpreter.debugger.active

    def digest(self) -> str:
        """What the loop is known by from run to run."""
        if not self._digest:
            span = self.node.span
            self._digest = digest_of(self.unit.source.text[span.start : span.end])
        return self._digest

    def specialiser(self) -> Specialiser:
        """Finds how the loop is compiled for the values of its variables."""
        if self._specialiser is None:
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
    """

    __slots__ = (
        "_given",
        "_since",
        "_size",
        "at",
        "compiles",
        "finished",
        "fuses",
        "shared",
        "site",
        "source",
        "trace",
        "tried",
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
        self.tried = False
        self._given = 0
        self._size = 1
        self._since = 0.0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        """The next chunk of passes for the interpreter; None to go on in machine code."""
        if self._given:
            self._account()
        if self.finished or (self.source is not None and self.at >= self.source.count):
            raise StopIteration
        compiles = self.compiles and not self.tried and not self.site.form.again
        if self.fuses or (compiles and self._worthwhile()):
            return None
        self.tried = False
        return self._chunk()

    def _account(self) -> None:
        """A chunk has been run."""
        site = self.site
        elapsed = perf_counter() - self._since
        site.seconds += elapsed if site.chunks else 0.0
        site.chunks += 1
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
        if self.source is None:
            left = site.seconds  # what has gone on for so long may well go on for as long again
        else:
            left = (self.source.count - self.at) * site.pass_seconds
        if not site.pass_seconds and site.hinted():
            return self.source is None or self.source.count >= site.short
        if site.chunks < 2:
            return False
        if site.versions:
            return left > Policy.entry_s
        share = 1.0 if site.outer is None or site.outer.closed else Policy.inner
        return site.seconds > Policy.spent_s * share or left > Policy.left_s * share

    def _chunk(self) -> Iterable[Any]:
        if self.site.form.again:
            self.site.form.again, self.fuses, size = False, True, 1
        else:
            size = self._size if self.compiles and not self.site.closed else _MOST_CHUNK
        self._since, self._given = perf_counter(), size
        if self.source is None:
            return repeat(None, size)
        left = self.source.count - self.at
        self._given = min(size, left)
        if self.at == 0 and self._given == left:
            return self.source
        return islice(passes_from(self.source, self.at), self._given)

    def run(self, *values: Any) -> tuple[Any, ...]:
        """Go on in machine code: the variables afterwards, and how to go on."""
        from app.engine.jit.loop_version import run

        if self.fuses:
            return self._fused(values)
        self.tried = True
        return run(self, values)

    def _fused(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The variables after passes that were done as kernels, if any were."""
        self.fuses = False
        source, form = self.source, self.site.form
        if source is None:
            passes = 0.0, 1.0, ENDLESS
        else:
            passes = source.start + self.at * source.step, source.step, source.count - self.at
        interpreter = self.site.unit.interpreter
        form.retried = bool(self.at)
        made = advance(interpreter, form, passes, values, self._cells(), self.trace)
        if made is None:
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


def passes_from(source: Counter, at: int) -> Iterator[float]:
    """The counter's values from pass ``at`` on, exactly as without interruption."""
    start, step = source.start, source.step
    if start.is_integer() and step.is_integer():
        return iter(Counter(start + step * at, step, source.count - at))
    return (start + k * step for k in range(at, source.count))
