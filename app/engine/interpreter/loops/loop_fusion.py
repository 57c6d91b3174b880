"""Passes of a loop as kernels: one pass is traced with placeholders and becomes nodes of the graph.

What passes change is found by tracing: a place whose value is another one after a pass holds a
placeholder in the next trace, until no more places change. What asks for the data of a placeholder
ends the attempt with a reason, and the loop runs pass by pass as usual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.ir.plan import Reason
from app.accel.ir.shapes import with_rank
from app.engine.capture import capture_session
from app.engine.capture.capture_session import Session
from app.engine.capture.growing import Growing, Outgrown, joined_to, placeholder_below
from app.engine.capture.lazy_limits import LONG, Limits
from app.engine.interpreter.compile.loop_bodies import pass_code
from app.engine.interpreter.compile.loop_forms import LoopForm
from app.engine.interpreter.loops.branches import Left, MaybeComplex, Outcome
from app.engine.interpreter.loops.kept_traces import traces_of
from app.engine.interpreter.loops.loop_sizes import (
    LEAST_PASSES,
    computes_few,
    largest_size,
    others_of,
)
from app.engine.interpreter.loops.maybe_set import still_unset
from app.engine.interpreter.loops.places import (
    Place,
    Places,
    State,
    contents,
    holds_handles,
    holds_large,
    is_number,
    places_of,
    rebuilt,
    shown,
)
from app.engine.interpreter.loops.tracer import (
    Tracer,
    hold_carried,
    hold_made,
    hold_maybe,
    settle_guards,
    take_in,
)
from app.engine.interpreter.tracing import (
    LEAST_STATE,
    FormChanged,
    KeptElsewhere,
    SetInOneBranch,
    Tracing,
    affine,
)
from app.engine.values import DeviceArray, Struct, Value, size_of
from app.errors import FewElements, MatlabError, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.runtime.runtime import Runtime
    from app.engine.interpreter.interpreter import Interpreter

MOST_FAILURES = 3
"""A loop that could not be traced so often in a row is not tried again: it would pay each time."""
MOST_TRACES = 10
LEAST_APART = 32
"""Where the host is needed again after fewer passes, capturing them costs less than kernels do."""
LEAST_CAPTURED = 256
"""Operations of these passes whose capture costs more than kernels that are replayed."""
READ_AS_A_WHOLE = 16
"""Times the size from which arrays are captured: of such an array a loop reads all."""
MOST_KNOWN = 1 << 22
"""Passes of which the host finds out at once whether they are the last."""
_NUMBERS = (float, bool, complex)


class Advance:
    """What became of some passes.

    Attributes:
        values: the variables of the loop afterwards.
        passes: how many were done.
        left: how the loop was left then; empty where it goes on.
        trace: what later passes may be done with.
    """

    def __init__(
        self, values: tuple[Value, ...], passes: int, left: str, trace: TracedLoop
    ) -> None:
        self.values, self.passes, self.left, self.trace = values, passes, left, trace


def advance(
    interpreter: Interpreter,
    form: LoopForm,
    range_: tuple[float, float, int],
    values: tuple[Value, ...],
    cells: dict[str, Any],
    known: TracedLoop | None = None,
) -> Advance | None:
    """Do passes as kernels, at most as many as are left; None where none could be.

    It is asked for loops that are `worth_a_trace`. `range_` is the first value of the counter, its
    step and how many passes are left; `known` is a trace of earlier passes of this run of the loop.
    """
    runtime = Session.runtime
    assert runtime is not None
    others = others_of(interpreter, cells)
    if not (cells or _may_change_arrays(form, values, others)):
        _say(runtime, form, "a pass works on single numbers")
        return None
    _forget_failures_without_device(form, runtime)
    if form.refusal or form.failures >= MOST_FAILURES or computes_few(form, (*values, *others)):
        _say(runtime, form, form.refusal)
        return None
    if interpreter.debugger.active and interpreter.debugger.watches(pass_code(form)):
        _say(runtime, form, "it is being debugged", Reason.BREAKPOINT)
        return None
    try:
        made = known.resume(range_, values) if known is not None else None
        if made is None:
            made = _traced(lambda: Tracer(interpreter, runtime, form, range_, values, cells))
    except FormChanged as problem:
        form.again = not form.retried
        if form.retried:
            form.failures += 1
            _say(runtime, form, str(problem))
        return None
    except (Unsupported, Left) as problem:
        if form.in_machine_code and isinstance(problem, FewElements):
            form.few = max(form.few, largest_size((*values, *others)))
        else:
            form.failures += 1
        _say(runtime, form, str(problem), Reason.UNSUPPORTED_OP)
        return None
    except MatlabError:
        form.again = not form.retried
        return None  # the loop itself raises it, in the right pass
    form.failures = 0 if made.passes >= LEAST_PASSES else form.failures + 1
    return made


def _traced(new_tracer: Callable[[], Tracer]) -> Advance:
    """Do passes from a fresh trace; looks at what may be complex before them where it matters."""
    tracer = new_tracer()
    try:
        return TracedLoop(tracer).run()
    except MaybeComplex:
        if not settle_guards(tracer):
            raise
    return TracedLoop(new_tracer()).run()


def _forget_failures_without_device(form: LoopForm, runtime: Runtime) -> None:
    """What failed before a device was there says nothing of passes on it."""
    if (form.failures or form.few) and not form.met_device and runtime.device_info is not None:
        form.met_device, form.failures, form.few = True, 0, 0


def _may_change_arrays(
    form: LoopForm, values: tuple[Value, ...], others: tuple[Value, ...]
) -> bool:
    """Whether passes may work on arrays: what they assign holds one, or is an object or a cell
    that somebody else may change, or what they read is so large that it can hardly be read for
    single elements."""
    if any(holds_large(value, LEAST_STATE) for value in others):
        return True
    large = READ_AS_A_WHOLE * Limits.in_loops
    return any(
        holds_large(value, LEAST_STATE if name in form.targets else large) or holds_handles(value)
        for name, value in zip(form.names, values, strict=True)
    )


def _say(runtime: Any, form: LoopForm, reason: str, kind: Reason = Reason.NEEDS_HOST_VALUE) -> None:
    if reason:
        origin = runtime.locate()._replace(line=form.line)
        runtime.recorder.boundary(origin, kind, f"the loop runs pass by pass: {reason}")


class TracedLoop:
    """A loop whose passes are done as kernels from one trace, as long as that holds.

    Attributes:
        tracer: the placeholders, and what they stand for.
        found: what a pass makes of them.
        begun: offset in the random stream where the trace begins.
        done: passes that were done since.
    """

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.begun, self.done = tracer.stream.offset, 0
        tracer.tracing.kept = set()
        self.found: Outcome

    def run(self) -> Advance:
        """Trace until nothing new changes, then do the passes."""
        try:
            self.found = traces_of(self.tracer.form).found(self.tracer, self.settled)
            return self._advance(self.tracer.left, dict(self.tracer.initial))
        except BaseException:
            self.tracer.stream.offset = self.begun
            raise

    def resume(self, range_: tuple[float, float, int], values: tuple[Value, ...]) -> Advance | None:
        """More passes after some that the interpreter did; None where the trace does not hold."""
        tracer = self.tracer
        first, step, left = range_
        ahead = (first - tracer.first) / step
        if step != tracer.step or not ahead.is_integer():
            return None
        self.done = int(ahead)
        if tracer.stream.offset != self.begun + self._random_numbers_of(self.done):
            return None
        state = tracer.state_of(values)
        if state.keys() != self.found.state.keys():
            return None
        now = places_of(state)
        initial = self._initial(now) if now.form == places_of(self.found.state).form else None
        return None if initial is None else self._advance(left, initial)

    def _random_numbers_of(self, passes: int) -> int:
        """Random numbers that passes take."""
        return passes * sum(self.tracer.advance)

    def _initial(self, now: Places) -> dict[Place, Any] | None:
        """The values before the next pass; None where something is not as it was traced."""
        tracer, initial = self.tracer, {}
        for place, value in now.leaves.items():
            if place in tracer.inductive:
                begun, step = tracer.inductive[place]
                if type(value) is not float or value != begun + step * self.done:
                    return None
            elif place in tracer.carries:
                carry = tracer.carries[place]
                if not is_number(value) or 0 in size_of(value):
                    return None
                node, doubts = tracer.node(place, value), len(tracer.doubtful)
                same = (node.dtype, node.shape) == (carry.dtype, carry.shape)
                if not same or len(tracer.doubtful) > doubts:
                    return None
                initial[place] = node
            elif not tracer.same(place, value):
                return None
        return initial if initial.keys() == tracer.carries.keys() else None

    def settled(self) -> Outcome:
        """A trace in which every place that changes holds a placeholder."""
        start, state = self.tracer.stream.offset, self.tracer.begun
        for place, value in self.tracer.kept.leaves.items():
            if self._begins_carried(place, value):
                hold_carried(self.tracer, place)
        for _ in range(MOST_TRACES):
            self.tracer.stream.offset = start
            known = len(self.tracer.doubtful), self.tracer.advance, len(self.tracer.scratch)
            try:
                found = self._complete_trace(state)
            except Outgrown as problem:
                self._grow(problem)
                continue
            if self._needs_longer(found):
                continue
            fresh = self._unheld_changes(found)
            idle = [p for p, c in self.tracer.carries.items() if self._is_idle(p, c, found)]
            if any(p in self.tracer.unread and p not in self.tracer.maybe for p in idle):
                raise FormChanged("the first pass sets what the others leave as it is")
            steady = known == (
                len(self.tracer.doubtful),
                self.tracer.advance,
                len(self.tracer.scratch),
            )
            wrong = self._wrong_counters(found)
            for place in wrong:
                del self.tracer.inductive[place]
                hold_carried(self.tracer, place)
            if not (fresh or idle or wrong) and steady:
                self._check_forms(found)
                self._check_first(found, start)
                return found
            for place in idle:
                del self.tracer.carries[place]
            for place in fresh:
                self._carry_new(place, found)
            state = found.state if fresh or not steady else state
        raise Unsupported("its variables change from pass to pass in ever new ways")

    def _complete_trace(self, state: State) -> Outcome:
        """One trace, which takes in what functions keep elsewhere as soon as it is met."""
        start = self.tracer.stream.offset
        while True:
            try:
                return self.tracer.traced(state)
            except KeptElsewhere as problem:
                self.tracer.stream.offset = start
                take_in(self.tracer, problem.found, state)
            except SetInOneBranch as problem:
                self.tracer.stream.offset = start
                hold_maybe(self.tracer, cast("Place", problem.place), problem.node)

    def _begins_carried(self, place: Place, value: Value) -> bool:
        """Whether the text of the loop says that passes set a place that holds numbers."""
        (kind, name), way = place
        filled = (name, way) in self.tracer.form.filled
        if type(value) is float and value.is_integer() and not filled:
            return False  # it may count passes
        if kind != "variable" or type(value) not in (*_NUMBERS, np.ndarray, DeviceArray):
            return False
        if type(value) is np.ndarray and not value.size:
            return False  # nothing yet, and maybe filled in passes of the interpreter alone
        for target in self.tracer.form.targets.get(str(name), ()):
            if way[: len(target)] == target and (
                way == target or type(value) in (np.ndarray, DeviceArray)
            ):
                return True
        return False

    def _carry_new(self, place: Place, found: Outcome) -> None:
        """A placeholder for what a pass has changed, or made."""
        if place in self.tracer.carries:
            return
        value = self.tracer.kept.leaves.get(place)
        if value is not None and 0 not in getattr(value, "shape", ()):
            if not is_number(value):
                raise FormChanged(f"{shown(place)} holds no numbers before the first pass")
            step = self._counts_on(value, found.values[place])
            if step is None or type(value) is not float:
                hold_carried(self.tracer, place)
            else:
                self.tracer.inductive[place] = value, step
            return
        node = found.values[place]
        hold_made(self.tracer, place, node.dtype, node.shape)

    def _grow(self, problem: Outgrown) -> None:
        """Make room for what passes set behind the end of an array. Raises the problem."""
        tracer, below = self.tracer, placeholder_below(problem.node)
        place = next((p for p, c in tracer.carries.items() if c is below), None)
        if place is None or place not in tracer.kept.leaves:
            raise problem
        known = tracer.growing.get(place)
        if known is not None and known.axis != problem.axis:
            raise Unsupported(f"{shown(place)} grows along two dimensions")
        rate = problem.rate if known is None else known.rate
        self._make_room(place, problem.axis, problem.shape, rate)

    def _make_room(self, place: Place, axis: int, shape: tuple[int, ...], rate: int) -> None:
        tracer = self.tracer
        apply, node = tracer.runtime.apply, tracer.node(place, tracer.kept.leaves[place])
        begun = with_rank(node.shape, len(shape))
        if node.shape != begun:
            node = apply("reshape", (node,), (begun,))
        zero = capture_session.cast(tracer.runtime.scalar(0.0), node.dtype)
        room = apply("fill", (zero,), (shape,))
        whole = apply("assign", (room, node), ((1,) * len(shape),), (0,) * len(shape))
        tracer.carries[place] = tracer.trace.carry(whole)
        tracer.initial[place] = whole
        tracer.growing[place] = Growing(
            axis, begun, shape, rate, tracer.trace.trips, tracer.following_counter
        )

    def _needs_longer(self, found: Outcome) -> bool:
        """Whether more room, or another rate, is needed for what passes have made longer."""
        tracer, changed = self.tracer, False
        for place, carry in tracer.carries.items():
            node = found.values.get(place)
            known = tracer.growing.get(place)
            if node is None or (node is carry and known is None):
                continue
            if node is carry:
                raise Unsupported("a subscript leaves the array")
            if known is None:
                longer = joined_to(carry, node, tracer.trace.trips)
                if longer is not None and place in tracer.kept.leaves:
                    self._make_room(place, *longer)
                    return True
            elif placeholder_below(node) is not carry:
                raise Unsupported(f"{shown(place)} grows and is replaced")
            elif known.seen and not known.is_steady(node):
                rate = known.rate_of(node)
                if rate == known.rate:
                    raise Unsupported(f"how long {shown(place)} is follows no rule")
                length = known.begun[known.axis] + rate * tracer.trace.trips
                shape = (*known.shape[: known.axis], length, *known.shape[known.axis + 1 :])
                self._make_room(place, known.axis, shape, rate)
                changed = True
        return changed

    def _is_idle(self, place: Place, carry: Node, found: Outcome) -> bool:
        """Whether a pass leaves a place as it was, or sets it again to what it was at first."""
        after = found.values.get(place)
        return after is carry or (
            after is self.tracer.initial[place]
            and place in self.tracer.kept.leaves
            and place not in self.tracer.doubtful
        )

    def _unheld_changes(self, found: Outcome) -> list[Place]:
        """Places that a pass has changed and that hold no placeholder yet."""
        return [
            p
            for p in found.values
            if p not in self.tracer.carries and p not in self.tracer.inductive
        ]

    def _counts_on(self, value: Value, after: Any) -> float | None:
        """The step of a whole number that may go on by as much in every pass, like a counter."""
        tracer = self.tracer
        whole = tracer.counts_on and tracer.first.is_integer() and tracer.step.is_integer()
        if not whole or type(value) is not float:
            return None
        if after.op != "param" or after.dtype is not DType.F64:
            return None
        step = float(after.data[0]) - value
        small = value.is_integer() and step.is_integer() and abs(value) < 2.0**40 > abs(step)
        return step if small and step and (step / self.tracer.step).is_integer() else None

    def _wrong_counters(self, found: Outcome) -> list[Place]:
        """Numbers that were taken for counters and are none."""
        wrong = []
        for place, (value, step) in self.tracer.inductive.items():
            counted = (
                affine(found.values[place], self.tracer.trace) if place in found.values else None
            )
            scale = step / self.tracer.step
            if counted != (scale, value + step - scale * self.tracer.first):
                wrong.append(place)
        return wrong

    def _check_forms(self, found: Outcome) -> None:
        """Every variable must be after the pass what it is before."""
        for place, carry in self.tracer.carries.items():
            node = found.values[place]
            if (node.dtype, node.shape) != (carry.dtype, carry.shape):
                raise FormChanged(f"{shown(place)} changes class or size")

    def _check_first(self, found: Outcome, start: int) -> None:
        """The first pass, where some places do not exist yet, must do what the others do."""
        made = {p for p in self.tracer.unread if p in self.tracer.carries}
        if not made:
            return
        carries, self.tracer.carries = (
            self.tracer.carries,
            {p: c for p, c in self.tracer.carries.items() if p not in made},
        )
        self.tracer.stream.offset = start
        first = self.tracer.traced(self.tracer.begun)
        self.tracer.carries = carries
        if first.values != found.values or first.stop is not found.stop:
            raise FormChanged("the first pass does something else")

    def _advance(self, left: int, initial: dict[Place, Any]) -> Advance:
        """Do passes, and put the variables together."""
        tracer, trace = self.tracer, self.tracer.trace
        places = list(tracer.carries)
        carries = [tracer.carries[p] for p in places]
        following = [self.found.values[p] for p in places]
        if trace.points(following) < LEAST_STATE:
            raise Unsupported("a pass works on single numbers")
        begun = [initial[p] for p in places]
        kernels = tracer.runtime.passes(trace, carries, following, self._poll)
        # On the host, smaller arrays are worked on at once sooner than through plans of a pass.
        kernels.least = Limits.in_loops if kernels.remote else Session.threshold
        if tracer.form.in_machine_code and not kernels.remote:
            kernels.least = max(LONG, kernels.least)
        passes, nodes, way = self._passes(kernels, min(left, trace.trips - self.done), begun)
        if passes < 1:
            raise self.found.failure or Unsupported("it is left in the first pass")
        numbers = kernels.numbers(self.done, passes, begun)
        self.done += passes
        changes: dict[Place, Value] = {}
        for place, carry, node in zip(places, carries, nodes, strict=True):
            changes[place] = numbers.get(carry, NotImplemented)
            if changes[place] is NotImplemented:
                changes[place] = self._value(place, node)
        for place, (value, step) in tracer.inductive.items():
            changes[place] = value + step * self.done
        for place in still_unset(tracer, changes, nodes):
            changes[place] = tracer.maybe[place].before
        tracer.stream.offset = self.begun + self._random_numbers_of(self.done)
        values = self.rebuilt(changes)
        self._let_go()
        return Advance(values, passes, way, self)

    def _let_go(self) -> None:
        """Hold no value from before the passes."""
        tracer = self.tracer
        tracer.begun, tracer.initial = {}, {}
        tracer.tracing.views.clear()
        tracer.trace.traced.initial = []
        for place in tracer.carries:
            tracer.kept.leaves.pop(place, None)

    def _value(self, place: Place, node: Any) -> Value:
        growing = self.tracer.growing.get(place)
        if growing is not None:
            shape = growing.shape_after(self.done, self.found.values[place])
            steps = (1,) * len(shape)
            node = self.tracer.runtime.apply("slice", (node,), (steps, shape), (0,) * len(shape))
        if node.op == "param":
            number = node.data[0]
            if node.dtype in {DType.F64, DType.BOOL} and not isinstance(number, complex):
                return bool(number) if node.dtype is DType.BOOL else float(number)
        guarded = place in self.tracer.doubtful or bool(node.dtype.is_complex)
        return DeviceArray(node, self.tracer.runtime, guarded)

    def _passes(self, kernels: Any, most: int, begun: list[Node]) -> tuple[int, list[Node], str]:
        """How many passes were done, the values after them, and how the loop was left."""
        found, ended, unknown = self.found, False, self.tracer.scratch.unknown
        if unknown:
            most -= 1  # what holds no numbers is as the last pass leaves it
        known: int | None = most
        if found.stop is not None:
            most = min(most, MOST_KNOWN)
            known = kernels.end(found.stop, self.done, most, begun)
        if known is None:
            if unknown:
                raise Unsupported("its end depends on data")
            form = self.tracer.form
            done, nodes, ended = kernels.until(
                found.stop, self.done, most, begun, bool(found.after), min(form.ends, default=0)
            )
            if ended:
                form.ends = (*form.ends[-1:], done)
        else:
            ended = bool(found.after) and known < most
            if unknown and known < most:
                known, ended = known - 1, False  # the next pass may read what holds no numbers
            least = LEAST_APART
            if kernels.remote and (known * len(kernels.traced.variant())) >= LEAST_CAPTURED:
                least = 0
            if known < min(most, least) and not ended and found.needs_host:
                raise Unsupported(f"every few passes {found.failure}")
            done = known + ended
            if done >= MOST_KNOWN < most:
                raise Unsupported("it has no end")
            nodes = kernels.run(self.done, done, begun) if done > 0 else []
        if kernels.reason:
            runtime = self.tracer.runtime
            origin = runtime.locate()._replace(line=self.tracer.form.line)
            detail = f"the kernels of the loop run once a pass: {kernels.reason}"
            runtime.recorder.boundary(origin, Reason.UNSUPPORTED_OP, detail)
        return done, nodes, found.after if ended else ""

    def _poll(self) -> None:
        interpreter = self.tracer.interpreter
        if interpreter.stop_flag.on:
            interpreter.interrupted()

    def rebuilt(self, changes: dict[Place, Value]) -> tuple[Value, ...]:
        """The variables of the loop afterwards; objects and cells hold theirs."""
        tracer, form = self.tracer, self.tracer.form
        there = places_of(self.found.state).leaves
        every = {
            p: v for p, v in tracer.kept.leaves.items() if p in there and p[0] not in tracer.scratch
        }
        every.update(changes)
        state = {root: rebuilt(v, (root, ()), every) for root, v in self.found.state.items()}
        for root, cell in tracer.holders.cells.items():
            if state[root] is not contents(cell):
                cell.cell_contents = state[root]
        for root, made in tracer.holders.objects.items():
            held = state[root]
            assert type(held) is Struct
            made.properties.update(held.fields)
        values: list[Value] = []
        for name in form.names:
            if name == form.counter:
                values.append(tracer.first + tracer.step * (self.done - 1))
            elif name in form.shared:
                values.append(contents(tracer.cells[name]))
            else:
                root = ("variable", name)
                value = None if root in tracer.scratch.unknown else state[root]
                fetched = name in form.plain and Tracing.trace is None  # no trace knows of kinds
                if fetched and isinstance(value, DeviceArray):
                    value = value.gather()
                values.append(value)
        return tuple(values)
