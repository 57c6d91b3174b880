"""Traces of loops that run again: put together anew, without running a pass on placeholders.

What a pass makes of a loop's variables follows from its text and from their description, as with
straight lines (`straight_lines`): classes, sizes, pending operations, where values are, and what
single numbers, texts and small arrays hold. What is remembered of a trace are its placeholders, and
how the nodes between them are made. What is put together is a trace like any other one: kernels,
tapes, placement and reports know nothing of it.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias
from weakref import ref

from app.accel.ir.node import make, toposort
from app.engine.capture.lazy_limits import Limits
from app.engine.declarations import registry
from app.engine.interpreter.compile.analysis import names_of_function
from app.engine.interpreter.compile.loop_forms import mentioned_names
from app.engine.interpreter.descriptions import (
    ATTEMPTS,
    HELD,
    describe,
    is_constant,
    links_of,
    put_last,
    step_of,
)
from app.engine.interpreter.loops.branches import Left, Outcome
from app.engine.interpreter.loops.places import rebuilt
from app.engine.interpreter.loops.trace_questions import Questions
from app.engine.interpreter.loops.tracer import hold_carried, hold_made
from app.engine.interpreter.tracing import FormChanged
from app.engine.interpreter.watched import Watched
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.errors import MatlabError, Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Sequence

    from app.accel.backends.base import DeviceInfo
    from app.accel.ir.dtypes import DType
    from app.accel.ir.node import Node, Shape
    from app.accel.planner.put_off import Step
    from app.accel.runtime.runtime import Runtime
    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.loops.places import Place, State
    from app.engine.interpreter.loops.tracer import Tracer

    Described: TypeAlias = tuple[Hashable, list[Node]]

_OF_LOOPS = frozenset({"loop", "pick", "carry", "counter"})
"""Nodes of a loop inside the pass: they are not made by their description alone."""


@mutable_record
class KeptTrace:
    """What was found in a trace.

    Nodes have numbers: those below the variables, constants, the counter, the placeholders, numbers
    of the host, and what is made of them.

    Attributes:
        runtime: where it was traced.
        device: what that computed on.
        links: the functions that names in the loop meant.
        questions: what was asked of data.
        constants: arrays that were made on the host: tables, short rows.
        held: those of them that are too small for it to matter that they stay.
        carries: the places that hold placeholders.
        made: class and size of those that do not exist before the first pass.
        inductive, doubtful: as in `Tracer`.
        trips: passes that it holds for.
        parameters: the numbers.
        steps: how nodes are made.
        values: what is at each place after a pass, by number.
        stop: the number of the condition that there is no next pass; -1 for none.
        after, left: how the loop is left then, by a whole pass or before it; empty for neither.
        refusal: why that pass is the interpreter's; empty where it is not.
        error: identifier of the error that it has where it is the interpreter's because of one.
        operations: those that were captured.
        read: which of the nodes below the variables are in it.
        begun: where in the random stream the trace began.
        advance: as in `Tracer`.
        known: what has been found out of its body (`traced.Alike`).
    """

    runtime: Runtime
    device: DeviceInfo | None
    links: dict[str, object]
    questions: Questions
    constants: Sequence[ref[Node]]
    held: Sequence[Node]
    carries: Sequence[Place]
    made: dict[Place, tuple[DType, Shape]]
    inductive: dict[Place, tuple[float, float]]
    doubtful: frozenset[Place]
    trips: int
    parameters: Sequence[Node]
    steps: Sequence[Step]
    values: dict[Place, int]
    stop: int
    after: str
    left: str
    refusal: str
    error: str
    operations: int
    read: Sequence[int]
    begun: int
    advance: tuple[int, ...]
    known: dict[Hashable, object] = field(default_factory=dict)

    def serves(self, tracer: Tracer, given: Sequence[Node]) -> bool:
        """Whether this is what a trace would find again; `given` as in `put_together`."""
        there = all(constant() is not None for constant in self.constants)
        return there and _is_alike(self, tracer) and self.questions.are_answered_alike(given)

    def put_together(self, tracer: Tracer, given: Sequence[Node]) -> Outcome:
        """What a pass makes of every place; `given` are the nodes below the variables."""
        counters = self.runtime.recorder.counters
        captured = counters.captured_ops + self.operations
        nodes = [*given, *(c for constant in self.constants if (c := constant()) is not None)]
        nodes.append(tracer.trace.counter)
        for place in self.carries:
            kind = self.made.get(place)
            nodes.append(
                hold_carried(tracer, place) if kind is None else hold_made(tracer, place, *kind)
            )
        nodes += self.parameters
        node_of, stream = nodes.__getitem__, tracer.stream
        for op, operands, attrs, dtype, shape, known, owner, origin in self.steps:
            data = known
            if op.startswith("random_"):
                data = stream.key, stream.offset + int(known[1].real) - self.begun
            node = make(op, tuple(map(node_of, operands)), attrs, dtype, shape, data, origin, owner)
            node.demands = 0  # the loop runs again; that is no second reader
            nodes.append(node)
        tracer.inductive.update(self.inductive)
        tracer.doubtful.update(self.doubtful)
        tracer.advance = self.advance
        stream.offset += sum(self.advance)
        order = [*map(node_of, self.read), *nodes[len(given) :]]
        tracer.trace.put_together(self.trips, order, self.known)
        counters.captured_ops = captured
        values = {place: nodes[number] for place, number in self.values.items()}
        stop = nodes[self.stop] if self.stop >= 0 else None
        return Outcome(values, _state_without(tracer, values), stop, self.after, self._failure())

    def _failure(self) -> BaseException | None:
        if self.left:
            return Left(self.left)
        if self.error:
            return MatlabError(self.error, self.refusal)
        return Unsupported(self.refusal) if self.refusal else None


def _is_alike(known: KeptTrace | Changing, tracer: Tracer) -> bool:
    """Whether names mean the same functions on the same device as then."""
    names, runtime = tracer.form.unit.namespace, tracer.runtime
    if runtime is not known.runtime or runtime.device_info is not known.device:
        return False
    return all(names.get(key) is link for key, link in known.links.items())


def _state_without(tracer: Tracer, changed: dict[Place, Node]) -> State:
    """The variables without what passes change, of which nothing is to be held."""
    nothing = dict.fromkeys(changed)
    return {root: rebuilt(value, (root, ()), nothing) for root, value in tracer.begun.items()}


@mutable_record
class Changing:
    """A trace that ended because a variable has another form after the first pass.

    Attributes:
        runtime, device, links: as in `KeptTrace`.
        text: which variable, in words.
        operations: those that were captured.
    """

    runtime: Runtime
    device: DeviceInfo | None
    links: dict[str, object]
    text: str
    operations: int

    def serves(self, tracer: Tracer) -> bool:
        """Whether this is how a trace would end again."""
        return _is_alike(self, tracer)


@mutable_record
class KeptTraces:
    """What is known of the traces of a loop.

    Attributes:
        functions: the names in it, and in local functions that it calls, that mean others.
        texts: whether there are texts in these, which may be names of functions, too.
        traces: what was found, by the description of the variables before.
        changing: what ended otherwise, likewise.
        seen: descriptions for which it is remembered when they come again.
        attempts: traces that left nothing to be remembered.
    """

    functions: Sequence[str]
    texts: bool
    traces: dict[Hashable, KeptTrace] = field(default_factory=dict)
    changing: dict[Hashable, Changing] = field(default_factory=dict)
    seen: dict[Hashable, None] = field(default_factory=dict)
    attempts: int = 0

    def found(self, tracer: Tracer, settled: Callable[[], Outcome]) -> Outcome:
        """What a pass makes of every place: from an earlier run, else what `settled` finds."""
        described = _described(tracer) if self.attempts < ATTEMPTS else None
        if described is None:
            return settled()
        before, given = described
        known = self.traces.get(before)
        if known is not None and known.serves(tracer, given):
            return known.put_together(tracer, given)
        ended = self.changing.get(before)
        if ended is not None and ended.serves(tracer):
            tracer.runtime.recorder.counters.captured_ops += ended.operations
            raise FormChanged(ended.text)
        if before not in self.seen:
            put_last(self.seen, before, None)
            return settled()
        watched = Watched.of(tracer.form.unit, tracer.runtime.recorder)
        begun = tracer.stream.offset
        try:
            found = settled()
        except FormChanged as problem:
            self._note_change(tracer, before, str(problem), watched)
            raise
        tracing = tracer.tracing
        changed = watched.has_changed(tracing.looks, tracing.said)
        kept = None if changed else self._kept(tracer, found, given, begun)
        if kept is None:
            self.attempts += 1
        else:
            kept.operations = watched.captured()
            put_last(self.traces, before, kept)
        return found

    def _note_change(self, tracer: Tracer, before: Hashable, text: str, watched: Watched) -> None:
        """A variable changes its form; remembered where every trace would find that."""
        links = self._links(tracer)
        if links is not None and not watched.has_changed():
            runtime = tracer.runtime
            known = Changing(runtime, runtime.device_info, links, text, watched.captured())
            put_last(self.changing, before, known)

    def _links(self, tracer: Tracer) -> dict[str, object] | None:
        """The functions that names mean; None where a trace may find something else again."""
        if tracer.growing or tracer.scratch or tracer.elsewhere or tracer.maybe:
            return None
        named = self.texts or any(type(value) is str for value in tracer.kept.leaves.values())
        return links_of(tracer.form.unit, self.functions, calling=not named)

    def _kept(
        self, tracer: Tracer, found: Outcome, given: Sequence[Node], begun: int
    ) -> KeptTrace | None:
        """What to remember of a trace that began at a place of the random stream.

        None where another one might find something else.
        """
        failure, links = found.failure, self._links(tracer)
        questions = Questions.of(tracer.tracing.asked, given)
        if links is None or questions is None:
            return None
        if not (failure is None or isinstance(failure, Left | Unsupported | MatlabError)):
            return None
        numbers = {node: k for k, node in enumerate(given)}
        own = [tracer.trace.counter, *tracer.carries.values()]
        roots = [*found.values.values(), *([] if found.stop is None else [found.stop])]
        below = dict.fromkeys(toposort(roots))
        nodes = [n for n in below if n not in numbers and n not in own]
        constants = [node for node in nodes if node.op == "leaf"]
        parameters = [node for node in nodes if node.op == "param"]
        steps: list[Step] = []
        for node in (*constants, *own, *parameters):
            numbers[node] = len(numbers)
        for node in nodes:
            if node in numbers:
                continue
            step = None if node.op in _OF_LOOPS else step_of(node, numbers, drawing=True)
            if step is None:
                return None
            numbers[node] = len(numbers)
            steps.append(step)
        if not all(is_constant(leaf) for leaf in constants):
            return None
        return KeptTrace(
            tracer.runtime,
            tracer.runtime.device_info,
            links,
            questions,
            list(map(ref, constants)),
            [leaf for leaf in constants if leaf.size <= HELD],
            list(tracer.carries),
            {p: (c.dtype, c.shape) for p, c in tracer.carries.items() if p in tracer.unread},
            dict(tracer.inductive),
            frozenset(tracer.doubtful),
            tracer.trace.trips,
            parameters,
            steps,
            {place: numbers[node] for place, node in found.values.items()},
            -1 if found.stop is None else numbers[found.stop],
            found.after,
            failure.way if isinstance(failure, Left) else "",
            str(failure) if isinstance(failure, Unsupported | MatlabError) else "",
            failure.identifier if isinstance(failure, MatlabError) else "",
            0,
            [k for k, node in enumerate(given) if node in below],
            begun,
            tracer.advance,
        )


def traces_of(form: LoopForm) -> KeptTraces:
    """What is known of the traces of a loop."""
    if form.traces is None:
        form.traces = KeptTraces(*_named_by(form))
    return form.traces


def _named_by(form: LoopForm) -> tuple[list[str], bool]:
    """The functions that a loop names, and those that local functions name for it, which stay what
    they are; and whether there are texts in them."""
    unit, found, texts = form.unit, set[str](), False
    pending: list[tuple[tuple[ast.Node, ...], Collection[str]]] = [((form.node,), form.names)]
    local = set[str]()
    while pending:
        nodes, variables = pending.pop()
        texts = texts or any(isinstance(node, ast.Char | ast.String) for node in walk_body(nodes))
        for name in mentioned_names(nodes).difference(variables):
            if name not in unit.local or name not in unit.nodes:
                found.add(name)
            elif name not in local:
                local.add(name)
                function = unit.nodes[name]
                own = names_of_function(function).assigned
                defaults = [p.default for p in function.inputs if p.default is not None]
                pending.append(((*function.arguments, *defaults, *function.body), own))
    return sorted(found), texts


def _described(tracer: Tracer) -> Described | None:
    """All that a trace may look at of the variables, and the nodes below them.

    None where that is too much: objects and handles have functions, others may share variables.
    """
    form, interpreter = tracer.form, tracer.interpreter
    if tracer.cells or form.nested or form.globals or form.persistent or interpreter.globals:
        return None
    if tracer.holders.objects or tracer.holders.cells or Limits.pure or interpreter.debugger.active:
        return None
    there = tracer.kept
    if any(isinstance(kind, tuple) and kind[0] == "object" for kind in there.form.values()):
        return None
    passes = repr((tracer.first, tracer.step, tracer.left))
    found: list[Hashable] = [passes, Limits.capture, Limits.in_loops, tracer.stream.generator]
    found += [tuple(there.leaves), tuple(there.form.items())]
    numbers: dict[Node, int] = {}
    for (root, way), value in there.leaves.items():
        if describe(value, numbers, found):
            continue
        name = str(root[1])
        if value is not None or way or registry.lookup(name) is not None:
            return None
        found.append(None)
    return tuple(found), list(numbers)
