"""A pass that knows nothing of the other passes, traced once for all of them.

What passes assign by elements, and what they reduce, is carried; everything else is made anew in
the pass. A branch on data computes both ways and chooses; a loop inside the pass is traced as a
loop of its own (`InnerTracer`), whose lanes end at different passes. A way that fails or needs the
host marks its lanes: where any lane takes it, nothing of what was computed holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.engine.capture.capture_session import Session
from app.engine.interpreter.compile.loop_bodies import BROKE
from app.engine.interpreter.compile.loop_forms import LoopForm
from app.engine.interpreter.loops.branches import Left, Outcome
from app.engine.interpreter.loops.iteration import Counter
from app.engine.interpreter.loops.loop_fusion import TracedLoop
from app.engine.interpreter.loops.places import Place, State, is_number, places_of, shown
from app.engine.interpreter.loops.tracer import Tracer
from app.engine.interpreter.tracing import FormChanged, Tracing
from app.engine.values import DeviceArray, Value
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.fusion.loops.loop_trace import LoopTrace
    from app.accel.runtime.lanes import LaneTrace
    from app.accel.runtime.runtime import Runtime
    from app.engine.interpreter.interpreter import Interpreter

_BROKE: Place = (("flag", "broke"), ())
_FAILED: Place = (("flag", "failed"), ())
_ENDLESS = -1


class _BranchTracer(Tracer):
    """A tracer whose ways all come to the same end: what differs is chosen, or marked.

    Attributes:
        flags: where the pass is the last one of a lane, and where it cannot be done here.
    """

    counts_on = keeps_unset = False

    def traced(self, state: State) -> Outcome:
        """One trace of the pass, on every way through it."""
        found = super().traced(state)
        if self.advance:
            raise Unsupported("random numbers are drawn in every pass")
        taken = {flag: found.values.pop(flag, None) for flag in (_BROKE, _FAILED)}
        self.flags: dict[Place, Node | None] = taken
        return found

    def node_after(self, way: Outcome, place: Place) -> Node:
        """The node at a place after one way; marks are those of ways that set them."""
        if place in (_BROKE, _FAILED) and place not in way.values:
            return self.runtime.scalar(False, DType.BOOL)
        return super().node_after(way, place)

    def _surviving_way(
        self, way: Outcome, condition: Node, answer: bool, failure: BaseException
    ) -> Outcome:
        if isinstance(failure, Left):
            raise failure
        apply = self.runtime.apply
        other = condition if answer else apply("not", (condition,))
        before = way.values.get(_FAILED)
        way.values[_FAILED] = other if before is None else apply("or", (other, before))
        return way


class LaneTracer(_BranchTracer):
    """One pass of a loop whose passes know nothing of each other.

    Args:
        outputs: the variables whose values come back.
        fresh: whether every pass sets them anew.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        runtime: Runtime,
        form: LoopForm,
        passes: tuple[float, int],
        values: tuple[Value, ...],
        outputs: tuple[str, ...],
        fresh: bool = False,
    ) -> None:
        first, count = passes
        super().__init__(interpreter, runtime, form, (first, 1.0, count), values, {})
        self._loops: dict[object, tuple[Value, ...]] = {}
        self._held: list[object] = []
        self._outputs, self._fresh = outputs, fresh

    trace: LaneTrace

    def new_trace(self) -> LaneTrace:
        """The trace of a pass for all passes."""
        from app.accel.runtime.lanes import LaneTrace

        return LaneTrace(self.left, self.first)

    def pass_(self) -> Outcome:
        """The outputs after the pass, in terms of what they are before it."""
        Tracing.lanes, start = self, self.stream.offset
        try:
            self._carry_outputs()
            found = self.traced(self.begun)
        except FormChanged as problem:
            raise Unsupported(str(problem)) from None
        finally:
            Tracing.lanes, self.stream.offset = None, start
        if self.trace.trips < self.left:
            raise Unsupported("a subscript leaves the array")
        return found

    def _carry_outputs(self) -> None:
        for name in () if self._fresh else self._outputs:
            place: Place = (("variable", name), ())
            if place not in self.kept.leaves:
                raise Unsupported(f"{name} holds no numbers")
            node = self.node(place, self.kept.leaves[place])
            self.carries[place] = self.trace.carry(node)

    @property
    def failed(self) -> Node | None:
        """The node that is true in passes that cannot be done here; None where there is none."""
        return self.flags[_FAILED]

    def _outcome(self, state: State) -> Outcome:
        after = places_of(state)
        for place, value in after.leaves.items():
            if place[0][0] != "variable" and not self.same(place, value):
                raise Unsupported(f"{shown(place)} is shared and changes")
        outputs: list[Place] = [(("variable", name), ()) for name in self._outputs]
        missing = [p for p in outputs if not is_number(after.leaves.get(p))]
        if missing:
            raise Unsupported(f"{shown(missing[0])} holds no numbers after it")
        return Outcome({p: self._result(p, after.leaves[p]) for p in outputs}, state)

    def after_loop(
        self, form: LoopForm, passes: Counter | None, values: tuple[Value, ...]
    ) -> tuple[Value, ...]:
        """The variables of a loop inside the pass when it has ended. Raises Unsupported."""
        held = passes or Counter(0.0, 1.0, _ENDLESS)
        given = (held.start, held.step, held.count)
        tracer = InnerTracer(self.interpreter, Session.runtime, form, given, values, {})
        leaves = {p: _identity(v) for p, v in tracer.kept.leaves.items()}
        key = form, given, frozenset(leaves.items()), frozenset(tracer.kept.form)
        if key not in self._loops:
            self._held.append(tracer)  # what the key identifies must not be freed
            self._loops[key] = tracer.ended(self.trace)
        return self._loops[key]


def _identity(value: Value) -> object:
    """What tells a leaf from others while it is held."""
    if type(value) is DeviceArray:
        return value.node
    if type(value) in (float, bool, complex, str):
        return type(value), repr(value)
    return id(value)


class InnerTracer(_BranchTracer):
    """A loop inside a pass."""

    def new_trace(self) -> LoopTrace:
        """The trace of the loop; one without a last pass has no end that it knows."""
        count = self.left if self.left > 0 else 1 << 40
        return self.runtime.loop(count, self.first, self.step)

    def leaves(self, way: str, found: Outcome) -> None:
        """A way through the pass leaves the loop in some lanes."""
        if way != BROKE:
            raise Left(way, found)
        found.values[_BROKE] = self.runtime.scalar(True, DType.BOOL)

    def ended(self, lanes: LaneTrace) -> tuple[Value, ...]:
        """The variables afterwards, as placeholders of the trace of the pass."""
        from app.accel.runtime.lanes import InnerLoop

        loop = TracedLoop(self)
        try:
            loop.found = loop.settled()
        except FormChanged as problem:
            raise Unsupported(str(problem)) from None
        except Left as problem:
            raise Unsupported("a loop inside it is left by return") from problem
        if self.scratch:
            name = next(iter(self.scratch))[1]
            raise Unsupported(f"{name} changes in a loop inside it and holds no numbers")
        if self.trace.trips < self.left:
            raise Unsupported("a subscript leaves the array")
        broke, failed = self.flags[_BROKE], self.flags[_FAILED]
        if self.left < 0 and broke is None:
            raise Unsupported("a loop inside it has no end")
        places, traced = list(self.carries), self.trace.traced
        last = self.trace.carry(self.runtime.scalar(self.first))
        traced.carries = [*(self.carries[p] for p in places), last]
        traced.initial = [*(self.initial[p] for p in places), self.runtime.scalar(self.first)]
        traced.following = [*(loop.found.values[p] for p in places), self.trace.counter]
        traced.trips = self.left
        *made, counted = lanes.after(InnerLoop(traced, broke, failed))
        changes: dict[Place, Value] = {
            place: DeviceArray(node, self.runtime, place in self.doubtful)
            for place, node in zip(places, made, strict=True)
        }
        loop.done = self.left
        values = loop.rebuilt(changes)
        if broke is None:
            return values
        counter, names = self.form.counter, self.form.names
        after: Value = DeviceArray(counted, self.runtime)
        return tuple(after if n == counter else v for n, v in zip(names, values, strict=True))


class _InnerLoopDriver:
    """One run of a loop inside a traced pass: all its passes at once."""

    __slots__ = ("_done", "_form", "_source")

    def __init__(self, form: LoopForm, source: Counter | None) -> None:
        self._form, self._source, self._done = form, source, False

    def __iter__(self) -> Iterator[None]:
        return self

    def __next__(self) -> None:
        """None: go on with `run`."""
        if self._done:
            raise StopIteration

    def run(self, *values: Value) -> tuple[Value, ...]:
        """The variables after the loop, and that it was not left by return."""
        self._done = True
        lanes = Tracing.lanes
        assert lanes is not None
        return (*lanes.after_loop(self._form, self._source, values), None)


def loop_of_lanes(form: LoopForm, source: object, shares: bool) -> _InnerLoopDriver | None:
    """A loop inside a pass that is traced for all passes; None where its passes are unrolled."""
    lanes = Tracing.lanes
    if lanes is None or Tracing.trace is not lanes.trace or form.refusal or shares:
        return None
    if source is None:
        return _InnerLoopDriver(form, None)
    if type(source) is not Counter or source.count <= MOST_UNROLLED:
        return None
    return _InnerLoopDriver(form, source)


MOST_UNROLLED = 4
"""Passes of a loop inside a pass that are written out one by one."""
