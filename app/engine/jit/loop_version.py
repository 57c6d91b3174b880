"""A loop compiled for the types of its variables: request, build, run, leave."""

from __future__ import annotations

import ctypes
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.capture.lazy_limits import LONG, Limits, is_on_host
from app.engine.interpreter.loops.iteration import Counter, columns
from app.engine.interpreter.loops.loop_sizes import computes_few
from app.engine.jit import reporting
from app.engine.jit.builder import TOO_DEEP, Refused
from app.engine.jit.container_shapes import MOST_ELEMENTS, TooLarge
from app.engine.jit.facts import Facts
from app.engine.jit.interruption import question_of
from app.engine.jit.jit_loops import LOOP
from app.engine.jit.jit_statements import RETURNED as RETURN_SITE
from app.engine.jit.jit_statements import Exit, Path
from app.engine.jit.jit_types import Type, as_array_type, type_of
from app.engine.jit.machine_code import MachineCode
from app.engine.jit.policy import Policy
from app.engine.jit.program import LOOPS, OFFSET, WORDS_OF_LOOP, WRONG
from app.engine.jit.region import FIRST_EXIT, compile_loop
from app.engine.jit.resume import BROKE, NEXT, RETURNED, compile_rest
from app.engine.jit.specialisation import Specialised
from app.engine.jit.state import State
from app.engine.jit.threads import on_threads
from app.engine.values import DeviceArray, Value, host
from app.engine.values.random_stream import stream_of
from app.log import topic
from app.native import INSTANT, QUICK, VECTORS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.jit.driver import Driver
    from app.engine.jit.site import Site

Words = tuple[Any, ...]
Lists = dict[int, Value]
Left = tuple[Words, Lists]
"""What says how far loops inside have come where machine code was left."""

MOST_VERSIONS, MOST_MISSES = 6, 12
MOST_FETCHED = 1 << 22
"""Elements of an array that are fetched for a loop whose passes compute few."""
CHANGES = "what it does changes too often"
_LOG = topic("jit")


def run(driver: Driver, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Go on in machine code where it is ready: the variables afterwards, and how to go on."""
    begun = perf_counter()
    values = tuple([_settled(v) for v in values])
    found = _version_for(driver, values)
    if found is None:
        _note_miss(driver.site)
        return (*values, None)
    driver.site.misses = 0
    version, parts = found
    version.begun = begun
    after = version.run(driver, values, parts)
    version.spent += perf_counter() - begun
    return after


def _note_miss(site: Site) -> None:
    """There is no machine code for these values, and where some was given up maybe for good."""
    site.note_miss()
    if site.misses == MOST_MISSES and any(v.given_up for v in site.versions.values()):
        refuse(site, CHANGES)


def _version_for(driver: Driver, values: tuple[Any, ...]) -> tuple[Version, tuple[Any, ...]] | None:
    """The machine code for these values when it is ready; compiling begins otherwise.

    With it come the values of the variables that stand for parts of others.
    """
    site = driver.site
    if site.refusal:
        refuse(site, site.refusal)
        return None
    interpreter = site.unit.interpreter
    meanings = (interpreter.path.version,)
    early = driver.at == 0  # the first pass may give variables their fields and classes
    try:
        source = driver.source
        passes = MOST_ELEMENTS if source is None else source.count - driver.at
        special, parts = site.specialiser(meanings)(values, passes)
    except TooLarge:
        return None
    except Refused as problem:
        if not early:
            refuse(site, problem.reason, _line(site, problem))
        return None
    except Exception as problem:
        _note_failure(site, problem)
        return None
    entry = entry_types(special.facts, (*values, *parts))
    whole = (
        source is not None
        and source.start.is_integer()
        and source.step.is_integer()
        and (abs(source.start) + abs(source.step) * source.count < 2.0**53)
    )
    key = (id(special), tuple(entry.items()), whole, *meanings)
    version = site.versions.get(key)
    if version is None:
        if len(site.versions) >= MOST_VERSIONS:
            refuse(site, "the classes of its variables change again and again")
            return None
        site.note_runs()
        version = Version(site, special, entry, whole, _level(site, (*values, *parts)))
        site.versions[key] = version
        if version.refusal is None:
            site.pending = version
    if version.refusal and not early:
        refuse(site, *version.refusal)
    if version.given_up:
        return None
    if version.ready() and version.compiled.wide and _stays_on_graph(site, (*values, *parts)):
        tell(site, "the loop is not entered in machine code: its arrays are on the graph")
        return None
    return (version, parts) if version.ready() else None


def _level(site: Site, values: tuple[Value, ...]) -> int:
    """How well the first code is made: in an instant, unless much work is certain.

    Code that goes on for long is left for better code, but not by the threads of a parfor.
    """
    if any(isinstance(v, np.ndarray) and v.size >= Policy.large for v in values):
        return VECTORS
    return INSTANT if site.shares is None else QUICK


def _settled(v: Value) -> Value:
    """What may be complex as what it is, if it is a number or here: machine code is for either."""
    if type(v) is not DeviceArray or v.pending is not None or not v.guarded:
        return v
    if v.size == 1 or is_on_host(v):
        return host(v, "needs-host-value: a loop in machine code")
    return v


def _stays_on_graph(site: Site, values: tuple[Value, ...]) -> bool:
    """Whether kernels do the loop's work on large lazy arrays where they are.

    Work on a smaller one takes less time than to plan and start a kernel in every pass; so does
    work of few results on a large one, unless it is so large that to fetch it takes longer.
    """
    large = [v for v in values if type(v) is DeviceArray and v.size >= max(Limits.capture, LONG)]
    if not large or not computes_few(site.form, values):
        return bool(large)
    return any(v.size > MOST_FETCHED and not is_on_host(v) for v in large)


def entry_types(facts: Facts, values: tuple[Any, ...]) -> dict[str, Type]:
    """The types of the exposed variables that have a value."""
    made = {}
    for name, value in zip(facts.names, values, strict=True):
        if name in facts.exposed and value is not None:
            found = type_of(value)
            assert found is not None
            made[name] = as_array_type(found) if name in facts.arrays else found
    return made


def refuse(site: Site, reason: str, line: int = 0) -> None:
    """The loop stays in the interpreter; the report says why."""
    site.closed = True
    tell(site, f"the loop is not compiled: {reason}", line)


def tell(site: Site, text: str, line: int = 0) -> None:
    """Put something about the loop into the report."""
    reporting.report_refusal(site.unit, line or line_of(site), text)


def _note_failure(site: Site, problem: Exception) -> None:
    """A bug of ours, but for depth: the loop stays in the interpreter, the log has the details."""
    if isinstance(problem, RecursionError):
        refuse(site, TOO_DEEP)
        return
    _LOG.error("a loop could not be compiled", exc_info=problem)
    refuse(site, f"an internal error ({type(problem).__name__})")


def _line(site: Site, problem: Refused) -> int:
    """The line of what cannot be compiled, where it is in the loop itself."""
    span, whole = problem.span, site.node.span
    inside = span is not None and whole.start <= span.start <= whole.end
    return site.unit.source.line_of(span.start) if span is not None and inside else 0


def line_of(site: Site) -> int:
    """The line where a loop begins."""
    return site.unit.source.line_of(site.node.span.start)


class Version:
    """The machine code of a loop for certain types.

    Attributes:
        exits: how often it was left before the loop's end.
        passes: what it has done.
        refusal: why and in which line it cannot be compiled; None where it can.
        begun: when it was looked for last.
        spent: seconds from when it was looked for to when the interpreter goes on, with the rests
            of passes that were left.
        entered: whether it has been run.
        tried_without: whether the interpreter has done as many passes as it, to compare.
        given_up: whether it was left so often that it is not entered again.
    """

    def __init__(
        self,
        site: Site,
        special: Specialised,
        entry: dict[str, Type],
        whole: bool,
        level: int = QUICK,
    ) -> None:
        self.site = site
        self.special = special
        self.code: MachineCode | None = None
        self.state: State | None = None
        self.exits = 0
        self.passes = 0
        self.entered = self.tried_without = self.given_up = False
        self.begun = self.spent = 0.0
        self.line = line_of(site)
        self.whole = whole
        self.refusal: tuple[str, int] | None = None
        self._entry = entry
        try:
            self.compiled = compile_loop(site.unit.interpreter, site.unit, special, entry, whole)
        except Refused as problem:
            self.refusal = problem.reason, _line(site, problem)
        except Exception as problem:
            _note_failure(site, problem)
        else:
            self._begin(level)

    def _begin(self, level: int) -> None:
        wide = self.compiled.wide
        self.state = State(self.compiled, self.special.facts, fractional=not self.whole)
        self.code = MachineCode(self.compiled.text, wide, self.site.is_compiled, level)
        known = self.site.hinted()
        self.site.is_hot(not wide)
        self.code.begin(known)

    def ready(self) -> bool:
        """True when it can be entered: it is there, and nobody debugs what it was made of."""
        if self.code is None or self.code.function is None:
            return False
        return not any(map(self.interpreter.debugger.looks_at, self.special.files))

    @property
    def interpreter(self) -> Interpreter:
        """Who runs the loop."""
        return self.site.unit.interpreter

    @property
    def names(self) -> dict[str, int]:
        """The position of every variable."""
        assert self.state is not None
        return self.state.names

    def places(self) -> dict[str, tuple[Type, int, int]]:
        """Type, first word and position of the variables that its state holds."""
        assert self.state is not None
        return {name: (kind, at, k) for name, kind, at, k, _ in self.state.carried}

    def suits(self, values: tuple[Value, ...]) -> bool:
        """Whether values are of the types for which it was compiled."""
        return entry_types(self.special.facts, values) == self._entry

    # --- running ---

    def run(
        self, driver: Driver, values: tuple[Any, ...], parts: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """Run the loop from its present pass on."""
        assert self.state is not None
        assert self.code is not None
        shared = on_threads(self, driver, values, parts) if self.site.shares else None
        if shared is not None:
            return shared
        interpreter = self.interpreter
        question = question_of(interpreter)
        stream = stream_of(interpreter.context) if self.compiled.random else None
        if stream is not None and stream.generator != "philox":
            return (*values, None)
        header = [0, question.flag, question.address, 0, 0, 0, *self.counter(driver)]
        if stream is not None:
            key = stream.key
            header[3:5] = [key - (1 << 64) if key >> 63 else key, stream.offset]
        buffer, held = self.state.enter(header, values, parts)
        question.code, question.files = self.code, self.special.files
        started = perf_counter()
        site = self.code.run(ctypes.addressof(buffer))
        spent = perf_counter() - started
        question.code = None
        self.code.ran(spent)
        reporting.ran(self.site.unit, self.line, spent)
        words, made = self.state.leave(buffer, held, (*values, *parts))
        lists = self.lists(made)
        if parts or self.special.places.made:
            made = self.site.specialiser().restored(self.special, made)
        if stream is not None:
            stream.offset = words[OFFSET]
        if words[WRONG]:
            self.site.note_wrong_guess(self.compiled.guesses[words[WRONG] - 1])
        self.site.entered += 1
        if self.entered:  # things are looked up the first time
            self.site.note_entry(perf_counter() - self.begun - spent)
        self.entered = True
        return self._values_after_exit(site, driver, (words, lists), made, question)

    def lists(self, made: list[Value]) -> Lists:
        """The rows that loops inside go through, by their number."""
        return {number: made[self.names[name]] for number, name in self.compiled.listed.items()}

    def counter(self, driver: Driver) -> list[float]:
        """Passes done, first value, step and number of passes, as words of a state."""
        source = driver.source
        if source is None:
            return [0, 0, 0, 0]
        if self.whole:
            return [driver.at, int(source.start), int(source.step), source.count]
        return [driver.at, source.start, source.step, source.count]

    def _values_after_exit(
        self, site: int, driver: Driver, left: Left, made: list[Any], question: Any
    ) -> tuple[Any, ...]:
        """Go on after machine code was left."""
        words = left[0]
        problem, question.problem = question.problem, None
        if problem is not None:
            driver.finished = True
            return (*made, problem)
        self.passes += words[LOOPS] - driver.at
        if site < FIRST_EXIT:
            driver.finished = True
            driver.tried = False
            return (*made, RETURNED if site == RETURN_SITE else None)
        exit_ = self.exit_at(site)
        driver.at = words[LOOPS]
        if exit_.path == ():
            return (*made, None)
        return self._run_rest(exit_, driver, left, made)

    def _run_rest(
        self, exit_: Exit, driver: Driver, left: Left, made: list[Any]
    ) -> tuple[Any, ...]:
        """Run the rest of the pass in the interpreter."""
        rest = self.rest_after(exit_)
        *after, way = rest(self.others(exit_.path, *left), *made)
        driver.tried = False
        if way == NEXT:
            driver.at += 1
            self.passes += 1
            return (*after, None)
        driver.finished = True
        return (*after, None if way == BROKE else way)

    def rest_after(self, exit_: Exit) -> Callable[..., tuple[Value, ...]]:
        """The function that does the rest of a pass that was left there."""
        site = self.site
        rest = site.rests.get(exit_.path)
        if rest is None:
            rest = compile_rest(site.unit, site.node, exit_.path, site.form, site.names)
            site.rests[exit_.path] = rest
        return rest

    def others(self, path: Path, words: Words, lists: Lists) -> list[Iterable[Value]]:
        """The passes that loops inside still have to do, the outermost first."""
        made: list[Iterable[Value]] = []
        for k, step in enumerate(path):
            number = self.compiled.inner.get(path[:k])
            if step == LOOP and number is not None and k:
                made.append(self._passes_left(number, words, lists))
        return made

    def _passes_left(self, number: int, words: Words, lists: Lists) -> Iterable[Value]:
        at = LOOPS + WORDS_OF_LOOP * number
        k, start, step, count = words[at : at + WORDS_OF_LOOP]
        if number in lists:
            return islice(columns(lists[number]), k + 1, None)
        if number in self.compiled.whole:
            return Counter(float(start + step * (k + 1)), float(step), count - k - 1)
        return (start + j * step for j in range(k + 1, count))

    def exit_at(self, site: int) -> Exit:
        """Where code was left; left again and again, it is given up where it does not pay."""
        exit_ = self.compiled.exits[site - FIRST_EXIT]
        self.exits += 1
        if self.exits > Policy.exits and not Policy.eager and self._is_slower():
            if self.tried_without:
                self._give_up(exit_)
            else:
                self.tried_without = True
                self.site.trial = self.site.passes + self.passes, self.site.seconds + 2 * self.spent
        return exit_

    def _is_slower(self) -> bool:
        """Whether its passes take longer than the interpreter's, and not in the code itself."""
        assert self.code is not None
        site = self.site
        return (
            site.passes > 0
            and self.spent * site.passes > self.passes * site.seconds
            and self.code.seconds < self.spent / 2
        )

    def _give_up(self, exit_: Exit) -> None:
        """Enter this code no more: its first passes may be those that give variables their values,
        and other code does the others well. Without such the loop stays in the interpreter."""
        self.given_up = True
        others = [v for v in self.site.versions.values() if not v.given_up and v.passes]
        if not others:
            reason = exit_.reason or CHANGES
            line = self.site.unit.source.line_of(exit_.span.start) if exit_.span else 0
            refuse(self.site, reason, line)
