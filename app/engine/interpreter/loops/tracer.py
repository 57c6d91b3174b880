"""A pass of a loop run on placeholders: what it makes of every place that passes change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast
from weakref import ref

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.engine.capture import capture_session
from app.engine.capture.complex_capture import node_of
from app.engine.capture.growing import Growing, GrowingArrays
from app.engine.interpreter.compile.loop_bodies import NEXT, pass_function
from app.engine.interpreter.compile.loop_forms import LoopForm
from app.engine.interpreter.loops.branches import (
    MOST_RUNS,
    Left,
    Outcome,
    TooManyWays,
    TracingRuntime,
    choose_value,
    explore,
    same_place,
)
from app.engine.interpreter.loops.maybe_set import Maybe, nodes_after, note_flags
from app.engine.interpreter.loops.pass_capture import tracing
from app.engine.interpreter.loops.places import (
    NUMBERS,
    Holders,
    Place,
    State,
    is_counted,
    is_number,
    places_of,
    rebuilt,
    shown,
)
from app.engine.interpreter.loops.scratch import Scratch
from app.engine.interpreter.tracing import (
    FormChanged,
    KeptValue,
    Varying,
    same_in_all_passes,
)
from app.engine.values import DeviceArray, Value, size_of, turned_complex
from app.engine.values.random_stream import stream_of
from app.engine.values.unset_value import UnsetValue
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.fusion.loops.loop_trace import LoopTrace
    from app.accel.ir.node import Shape
    from app.accel.runtime.runtime import Runtime
    from app.engine.interpreter.interpreter import Interpreter


def _is_leaf_of(lazy: Value, array: Value) -> bool:
    """Whether a lazy array stands for this array of the host."""
    if type(lazy) is not DeviceArray or type(array) is not np.ndarray:
        return False
    return bool(lazy.node is capture_session.known_leaf(array))


class Tracer:
    """One loop at one place of its passes, and the placeholders of what passes change.

    Attributes:
        counts_on: whether numbers that go on by as much in every pass follow the counter.
        keeps_unset: whether variables may be set in one of the branches only.
    """

    counts_on = keeps_unset = True

    def __init__(
        self,
        interpreter: Interpreter,
        runtime: Runtime,
        form: LoopForm,
        range_: tuple[float, float, int],
        values: tuple[Value, ...],
        cells: dict[str, object],
    ) -> None:
        self.interpreter, self.runtime, self.form = interpreter, runtime, form
        self.first, self.step, self.left = range_
        self.stream = stream_of(interpreter.context)
        # What refers to itself would keep the arrays of the loop until Python looks for cycles.
        trace = self.trace = self.new_trace()
        self.varying = Varying(trace)
        self.tracing = TracingRuntime(
            runtime, self.varying, lambda node: same_in_all_passes(node, trace)
        )
        self.cells = cells
        self.elsewhere: list[KeptValue] = []
        """Global and persistent variables of functions that passes call."""
        self.holders = Holders()
        self.begun = self.state_of(values)
        self.function = pass_function(form, cells)
        self.maybe: dict[Place, Maybe] = {}
        """Places that have numbers only once a pass has taken the branch that sets them."""
        self.unread: set[Place] = set()
        """Places that do not exist before the first pass; no pass may read them before."""
        self.carries: dict[Place, Node] = {}
        """Placeholders, by place."""
        self.initial: dict[Place, Node] = {}
        self.kept = places_of(self.begun)
        self.doubtful: set[Place] = set()
        """Places that may become complex: later passes must not take them for real."""
        self.drawn: set[int] = set()
        self.advance: tuple[int, ...] = ()
        self.inductive: dict[Place, tuple[float, float]] = {}
        """Whole numbers that go on by as much in every pass: their value and that step."""
        self.growing: dict[Place, Growing] = {}
        """Arrays that every pass makes longer."""
        self.scratch = Scratch()

    def new_trace(self) -> LoopTrace:
        """The trace that passes are written into."""
        return self.runtime.loop(self.left, self.first, self.step)

    def state_of(self, values: tuple[Value, ...]) -> State:
        """The roots of the loop's variables, with what they hold."""
        form, holders = self.form, Holders()
        for cell in (*self.cells.values(), *self.elsewhere):
            holders.add_cell(cell)
        named = zip(form.names, values, strict=True)
        own = [(n, v) for n, v in named if n not in form.shared and n != form.counter]
        state: State = {("variable", n): v for n, v in own}
        for value in state.values():
            holders.reach(value)
        state.update(holders.state())
        self.holders = holders
        return state

    def traced(self, state: State) -> Outcome:
        """One trace of the pass, on every way through it."""
        self.drawn, start = set(), self.stream.offset
        self.varying.known.clear()
        self.scratch.begin()
        runs = 0

        def run(decided: Mapping[Node, bool]) -> Outcome:
            nonlocal runs
            runs += 1
            if runs > MOST_RUNS:
                raise TooManyWays
            self.stream.offset = start
            growing = {self.carries[place]: known for place, known in self.growing.items()}
            self.tracing.begin(decided, GrowingArrays(growing))
            way, after = self._pass(state)
            found = self._outcome(after)
            if way != NEXT:
                self.leaves(way, found)
            self.drawn.add(self.stream.offset)
            return found

        try:
            found = explore(run, self._joined_ways, self._surviving_way)
        except TooManyWays:
            raise Unsupported("a pass has too many ways through its branches") from None
        if len(self.drawn) > 1:
            raise Unsupported("branches draw different amounts of random numbers")
        if self.drawn:
            amount = self.drawn.pop() - start
            self.advance = (amount,) if amount else ()
        return found

    def leaves(self, way: str, found: Outcome) -> None:
        """A way through the pass leaves the loop: by itself it ends the trace there."""
        raise Left(way, found)

    def _roots_with_placeholders(self, state: State, unset: UnsetValue) -> State:
        """The roots with placeholders at the places that passes change."""
        changes: dict[Place, Value] = {
            p: v for p, v in self.kept.leaves.items() if v is not None or state[p[0]] is None
        }
        for place, value in self.kept.leaves.items():
            if type(value) is DeviceArray:  # a lazy array that a pass cannot compute
                changes[place] = DeviceArray(value.node, self.tracing.as_runtime, value.guarded)
        for place, carry in self.carries.items():
            changes[place] = self._lazy(carry, place in self.doubtful)
        for place, (value, step) in self.inductive.items():
            changes[place] = self.following_counter(value, step)
        for root in self.scratch:
            changes[root, ()] = unset
        return {root: rebuilt(value, (root, ()), changes) for root, value in state.items()}

    def _lazy(self, node: Node, guarded: bool) -> DeviceArray:
        make = DeviceArray.growing if node in self.tracing.growing else DeviceArray
        return make(node, self.tracing.as_runtime, guarded or node.dtype.is_complex)

    def following_counter(self, value: float, step: float) -> DeviceArray:
        """``value + step * pass`` in terms of the counter."""
        scale = step / self.step
        apply, scalar = self.runtime.apply, self.runtime.scalar
        node = self.trace.counter
        if scale != 1.0:
            node = apply("times", (scalar(scale), node))
        offset = value - scale * self.first
        if offset:
            node = apply("plus", (node, scalar(offset)))
        return DeviceArray(node, self.tracing.as_runtime)

    def _pass(self, state: State) -> tuple[str, State]:
        """Run the pass on placeholders: how it ends, and the roots afterwards."""
        unset = UnsetValue()
        read = ref(unset)
        given = self._roots_with_placeholders(state, unset)
        del unset
        held = {root: made.properties for root, made in self.holders.objects.items()}
        contents = self.holders.state()
        names = [n for n in self.form.names if n not in self.form.shared]
        counter = DeviceArray(self.trace.counter, self.tracing.as_runtime)
        arguments = [counter if n == self.form.counter else given["variable", n] for n in names]
        del counter
        self.holders.put({root: given[root] for root in contents})
        given = {}
        try:
            with tracing(self.runtime, self.tracing, self.trace, self.stream, self.advance):
                way, *after = self.function(*arguments)
            arguments.clear()
            if read() is not None:  # a handle, a cell or the variable itself still has it
                raise Unsupported("what holds no numbers is kept from pass to pass")
            left: State = {
                ("variable", n): v
                for n, v in zip(self.form.names, after, strict=True)
                if n in names and n != self.form.counter
            }
            left.update(self.holders.state())
            return way, left
        finally:
            self.holders.put(contents)
            for root, made in self.holders.objects.items():
                made.properties = held[root]

    def _outcome(self, state: State) -> Outcome:
        """The places that have changed, as nodes."""
        after = places_of(state)
        values: dict[Place, Node] = {}
        for place, value in after.leaves.items():
            carry = self.carries.get(place)
            if carry is not None:
                begun = place in self.kept.leaves and self.same(place, value)
                values[place] = self.initial[place] if begun else self._result(place, value)
            elif place in self.inductive or not self.same(place, value):
                self._note_change(place, value, values)
        self.scratch.note(state, values)
        note_flags(self, values)
        gone = set(self.carries).difference(after.leaves, (m.flag for m in self.maybe.values()))
        if gone:
            raise FormChanged("a variable has another form after a pass")
        return Outcome(values, state)

    def _note_change(self, place: Place, value: Value, values: dict[Place, Node]) -> None:
        if is_counted(value):
            values[place] = self._result(place, value)
        elif place[0][1] in self.form.asked or not self.scratch.takes(
            place[0], (*self.carries, *self.inductive)
        ):
            raise Unsupported(f"{shown(place)} changes and holds no numbers")

    def same(self, place: Place, value: Value) -> bool:
        """Whether a leaf is what it was before the pass."""
        if place[0] in self.scratch:
            return bool(place[1]) or not is_counted(value)
        if place not in self.kept.leaves:
            return False
        before = self.kept.leaves[place]
        if value is before:
            return True
        if type(value) is not type(before):
            return _is_leaf_of(value, before) or _is_leaf_of(before, value)
        if type(value) is DeviceArray is type(before):
            return value.node is before.node
        return type(value) in (*NUMBERS, str) and (value == before and repr(value) == repr(before))

    def _result(self, place: Place, value: Value) -> Node:
        if value is None:
            raise Unsupported(f"{shown(place)} has no value")
        if type(value) is DeviceArray:
            if value.guarded and not value.node.dtype.is_complex:
                self.doubtful.add(place)
            held: Node = value.node
            return held
        return self.node(place, value)

    def node(self, place: Place, value: Value) -> Node:
        """The graph's node of a value."""
        if type(value) is bool:
            return self.runtime.scalar(value, DType.BOOL)
        if type(value) is float:
            return self.runtime.scalar(value)
        if not is_number(value) or 0 in size_of(value):
            raise FormChanged(f"{shown(place)} is not a numeric array")
        if type(value) is DeviceArray and value.guarded and not value.node.dtype.is_complex:
            self.doubtful.add(place)
        node: Node = capture_session.operand(value)
        if node is NotImplemented:
            node = node_of(value)
        if node is NotImplemented:
            raise Unsupported(f"{shown(place)} is not a numeric array")
        return node

    def _joined_ways(self, condition: Node, yes: Outcome, no: Outcome) -> Outcome:
        """What two ways leave behind, by choice."""
        apply, values = self.runtime.apply, {}
        for place in {**yes.values, **no.values}:
            pair = nodes_after(self, (yes, no), place)
            if place in self.growing and not same_place(*pair):
                raise Unsupported(f"{shown(place)} grows in one of the branches only")
            values[place] = choose_value(apply, self.trace.untouched, condition, *pair)
        if places_of(yes.state).form != places_of(no.state).form:
            raise Unsupported("a container has another form in one of the branches")
        if yes.stop is no.stop and yes.after == no.after:
            return Outcome(values, yes.state, yes.stop, yes.after, yes.failure or no.failure)
        stop = None
        for way, holds in ((yes, condition), (no, apply("not", (condition,)))):
            if way.stop is not None:
                part = apply("and", (holds, way.stop))
                stop = part if stop is None else apply("or", (stop, part))
        return Outcome(values, yes.state, stop, "", yes.failure or no.failure)

    def node_after(self, way: Outcome, place: Place) -> Node:
        """The node at a place after one way through the pass."""
        if place in way.values:
            return cast("Node", way.values[place])
        value = self.kept.leaves.get(place)
        if value is None:
            raise FormChanged(f"{shown(place)} is set in one of the branches only")
        return self.node(place, value)

    def _surviving_way(
        self, way: Outcome, condition: Node, answer: bool, failure: BaseException
    ) -> Outcome:
        """The only way that has a next pass; the other one begins where `condition` is `answer`."""
        apply = self.runtime.apply
        other = condition if answer else apply("not", (condition,))
        left = failure if isinstance(failure, Left) else None
        if left and left.outcome and way.stop is None and left.outcome.values == way.values:
            way.after = left.way
            way.stop = other
            return way
        way.after = ""
        if way.stop is not None:
            other = apply("or", (other, apply("and", (apply("not", (other,)), way.stop))))
        way.stop = other
        return way


def hold_carried(tracer: Tracer, place: Place) -> Node:
    """Put a placeholder at a place that passes change."""
    return _hold(tracer, place, tracer.node(place, tracer.kept.leaves[place]))


def hold_made(tracer: Tracer, place: Place, dtype: DType, shape: Shape) -> Node:
    """Put a placeholder at a place that does not exist before the first pass."""
    zero = capture_session.cast(tracer.runtime.scalar(0.0), dtype)
    tracer.unread.add(place)
    if shape == zero.shape:  # a number that the host may know in every pass
        return _hold(tracer, place, zero)
    return _hold(tracer, place, tracer.runtime.apply("fill", (zero,), (shape,)))


def _hold(tracer: Tracer, place: Place, initial: Node) -> Node:
    tracer.carries[place] = made = tracer.trace.carry(initial)
    tracer.initial[place] = initial
    return made


def hold_maybe(tracer: Tracer, place: Place, node: Node) -> None:
    """Put a placeholder at a place that a branch sets to such a node."""
    hold_made(tracer, place, node.dtype, node.shape)
    flag = ("is set", place), ()
    _hold(tracer, flag, tracer.runtime.scalar(False, DType.BOOL))
    tracer.maybe[place] = Maybe(tracer.carries[place], flag, tracer.kept.leaves[place])


def settle_guards(tracer: Tracer) -> bool:
    """Find out which values before the loop are real after all; whether any is."""
    doubts = [v for v in tracer.kept.leaves.values() if type(v) is DeviceArray and v.guarded]
    settled = [v for v in doubts if not turned_complex(v)]
    return bool(settled)


def take_in(tracer: Tracer, found: KeptValue, state: State) -> None:
    """Let passes change a global or persistent variable, which becomes part of `state`."""
    kept = tracer.tracing.kept
    if kept is None or found.name in tracer.form.globals | tracer.form.persistent:
        raise Unsupported(f"'{found.name}' is used by a function, too")
    kept.add(found.key)
    tracer.elsewhere.append(found)
    tracer.holders.add_cell(found)
    fresh = {r: v for r, v in tracer.holders.state().items() if r not in tracer.begun}
    tracer.begun.update(fresh)
    state.update(fresh)
    tracer.kept = places_of(tracer.begun)
