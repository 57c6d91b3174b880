"""The passes of a ``parfor`` as one kernel: traced once, computed for many passes at once.

What a pass joins to a reduction comes back as a column and is joined block by block in order, as
everywhere else, so that the answer has the same bits. Passes come in ranges: the first one pays
for what is compiled, the second one shows whether kernels are faster than what ran before.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from app.accel.ir.node import Node, Shape
from app.accel.ir.shapes import with_rank
from app.engine.capture.capture_session import Session
from app.engine.interpreter.indexing.index_assign import set_args
from app.engine.interpreter.loops.parfor_place import record_kernel, record_no_kernel
from app.engine.interpreter.loops.parfor_slices import extent_of, offset_of
from app.engine.interpreter.loops.places import is_number
from app.engine.interpreter.tracing import Tracing
from app.engine.values import Array, Value, canonical, numel
from app.errors import MatlabError, Unsupported

if TYPE_CHECKING:
    from app.accel.runtime.lanes import LaneTrace
    from app.accel.runtime.runtime import Runtime
    from app.engine.interpreter.loops.lane_tracer import LaneTracer
    from app.engine.interpreter.loops.parfor_run import Run

LEAST_PASSES = 256
LEAST_S = 0.1
"""Work that is left for less time, on all threads, is not worth making a kernel."""
RANGES = 8
"""Ranges in which the passes are computed at least."""
RANGE_S = 0.15
"""Seconds of a range, so that a stop is followed at once."""
RANGE_BYTES = 1 << 26
"""Bytes of what the passes of a range make and carry."""
MOST_SHARE = 1.0
"""Of the time of a pass by itself that one of a kernel may take."""
MOST_FAILURES = 3
"""Runs in a row without a kernel after which none is tried: each would pay for a trace."""
_JOINS = {"+": ("plus", -0.0), "-": ("plus", -0.0), ".*": ("times", 1.0)}
_JOINS |= {"x * …": ("times", 1.0), "… * x": ("times", 1.0)}
_EXTREMES = {f"{n}{order}": n for n in ("min", "max") for order in ("(x, …)", "(…, x)")}
_ORDERED = {"plus": np.add, "times": np.multiply}


class KernelPasses:
    """The passes of one run as kernels, as far as they can be.

    Args:
        run: the run; its passes done are counted there.

    Attributes:
        done: passes that kernels have done.
        refusal: why the passes left are no kernel; empty where nobody knows of a reason.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.done, self.refusal = 0, ""
        self._seconds = 0.0
        self._tracer: LaneTracer | None = None
        self._slices: tuple[Value, ...] = ()
        self._writes: dict[str, list[Node]] = {}
        self._joined: dict[str, Node] = {}

    def advance(self, slices: tuple[Value, ...]) -> tuple[Value, ...]:
        """Do the passes that are left where that pays; gives the sliced variables then."""
        run, loop = self._run, self._run.loop
        if not self._pays(slices):
            return slices
        before, self._slices = run.at, slices
        try:
            self._trace(slices)
            self._ranges()
            loop.kernel_failures, loop.kernel_s = 0, self._seconds / self.done
        except (Unsupported, MatlabError) as problem:
            self.refusal, loop.kernel_s = str(problem), None
            loop.kernel_failures += 1
        if self.done:
            record_kernel(loop, before, self.done)
        if self.refusal:
            record_no_kernel(loop, self.refusal)
        return self._slices

    def _pays(self, slices: tuple[Value, ...]) -> bool:
        run, form, loop = self._run, self._run.form, self._run.loop
        left = run.range.count - run.at
        if self.refusal or loop.kernel_failures >= MOST_FAILURES or form is None or form.refusal:
            return False
        if not Session.is_active or left < LEAST_PASSES or run.range.dtype is not None:
            return False
        elsewhere = run.interpreter.elsewhere
        if run.interpreter.parfor_depth > 1 or (elsewhere is not None and elsewhere.always):
            return False
        known = not run.at and None not in (loop.kernel_s, loop.pass_s) and all(map(numel, slices))
        if Tracing.trace is not None or run.interpreter.debugger.active:
            return False
        return (known or run.is_timed) and run.left_s > LEAST_S * run.threads

    # --- the trace ---

    def _trace(self, slices: tuple[Value, ...]) -> None:
        """Trace a pass, and take apart what it makes of the outputs."""
        from app.engine.interpreter.loops.lane_tracer import LaneTracer

        run, form = self._run, self._run.form
        assert form is not None
        loop, starts = run.loop, run.starts
        for name, start in starts.items():
            if type(start) is not float or type(run.joined[name]) is not float:
                raise Unsupported(f"{name} is not a real number")
        held = dict(zip(loop.slices, slices, strict=True))
        given = {**run.values, **starts, **{n: _grown_variable(run, n, v) for n, v in held.items()}}
        grown = [n for n, v in held.items() if given[n] is not v]
        values = tuple(given.get(name) for name in form.names)
        outputs = tuple(n for n in loop.outputs if n in form.names)
        passes = float(run.range.first), run.range.count
        runtime = Session.runtime
        tracer = LaneTracer(run.interpreter, runtime, form, passes, values, outputs)
        found = tracer.pass_()
        self._tracer = tracer
        for name in outputs:
            place = (("variable", name), ())
            node, carry = found.values[place], tracer.carries[place]
            if name in loop.slices:
                self._writes[name] = _writes(name, node, carry, tracer.trace)
            else:
                self._joined[name] = self._reduction_part(name, node, carry, tracer.trace)
        made = [w.inputs[1] for writes in self._writes.values() for w in writes]
        made += self._joined.values()
        for name in grown:
            place = (("variable", name), ())
            carry, before = tracer.carries[place], tracer.node(place, tracer.kept.leaves[place])
            if any(
                _reads(node, (carry, before), tracer.trace)
                for node in (*made, *self._joined.values())
            ):
                raise Unsupported(f"{name} grows, and not in every pass")

    def _reduction_part(self, name: str, node: Node, carry: Node, trace: LaneTrace) -> Node:
        """What a pass joins to a reduction, as a node."""
        operation = self._run.loop.body.variables[name].operation
        op, neutral = _JOINS.get(operation, (_EXTREMES.get(operation), self._run.joined[name]))
        if op is None or (operation in _EXTREMES and self._run.values.get(op) is not None):
            raise Unsupported(f"{name} is a reduction by '{operation}'")
        if not isinstance(neutral, int | float | complex):
            raise Unsupported(f"{name} begins with no single number")
        runtime: Runtime = Session.runtime
        apply, scalar = runtime.apply, runtime.scalar

        def part(node: Node) -> Node:
            if node is carry:
                return scalar(neutral)
            if node.op == "select":
                return apply("select", (node.inputs[0], part(node.inputs[1]), part(node.inputs[2])))
            if node.op == op and carry in node.inputs:
                (value,) = [n for n in node.inputs if n is not carry] or (carry,)
                if not _reads(value, (carry,), trace):
                    return value
            raise Unsupported(f"{name} is joined to more than once in a pass")

        return part(node)

    # --- ranges ---

    def _ranges(self) -> None:
        """Compute range after range; what is done is kept where a later one cannot be."""
        run, single_s = self._run, self._run.pass_s / self._run.threads
        most = max(LEAST_PASSES, RANGE_BYTES // (8 * self._width()))
        size = min(most, (run.range.count - run.at) // RANGES)
        while run.at < run.range.count:
            self._poll()
            begun, first = perf_counter(), not self.done
            count = min(_blocks(run, size), run.range.count - run.at)
            self._slices = self._range(self._slices, count)
            spent = perf_counter() - begun
            self._seconds += spent
            self.done += count
            run.at += count
            run.interpreter.parfors.changed()
            if not first:  # that one has compiled
                if spent > MOST_SHARE * single_s * count:
                    raise Unsupported("it was slower than passes one by one")
                size = min(most, max(size, int(RANGE_S * count / max(spent, 1e-9))))

    def _width(self) -> int:
        """Numbers that a pass makes, and that loops inside it carry."""
        tracer = self._tracer
        assert tracer is not None
        made = sum(w.inputs[1].size for writes in self._writes.values() for w in writes)
        inner = {loop for loop, _ in tracer.trace.loops.values()}
        carried = sum(node.size for loop in inner for node in loop.traced.carries)
        return max(1, made + len(self._joined) + carried)

    def _poll(self) -> None:
        interpreter = self._run.interpreter
        if interpreter.stop_flag.on:
            interpreter.interrupted()

    def _range(self, slices: tuple[Value, ...], count: int) -> tuple[Value, ...]:
        """Compute the next passes; the outputs change only when all of them could be done."""
        from app.accel.runtime.lanes import Lanes

        run, tracer = self._run, self._tracer
        assert tracer is not None
        runtime = Session.runtime
        lanes = Lanes(tracer.trace, runtime, self._poll, run.at, count)
        found = {
            name: [lanes.columns(write.inputs[1]) for write in writes]
            for name, writes in self._writes.items()
        }
        parts = {name: lanes.columns(node)[0] for name, node in self._joined.items()}
        failed = [] if tracer.failed is None else list(lanes.columns(tracer.failed))
        failed += lanes.failed
        wanted = [n for columns in found.values() for column in columns for n in column]
        runtime.evaluate([*wanted, *parts.values(), *failed], "fused", "passes of a parfor")
        if any(runtime.gather(node).any() for node in failed):
            raise Unsupported("the data need something that only single passes can do")
        held = dict(zip(run.loop.slices, slices, strict=True))
        made = {
            name: [
                _block_of(write, column, count)
                for write, column in zip(writes, found[name], strict=True)
            ]
            for name, writes in self._writes.items()
        }
        joined = {name: _numbers(node, count) for name, node in parts.items()}
        for name, writes in self._writes.items():
            for write, part in zip(writes, made[name], strict=True):
                held[name] = set_args(held[name], _subscripts(write, run.at, count), part)
        self._join(joined, count)
        return tuple(held[name] for name in run.loop.slices)

    def _join(self, joined: dict[str, Array], count: int) -> None:
        """Join what passes made to the reductions, block by block."""
        run = self._run
        folded = {name: self._folded_blocks(name, part, count) for name, part in joined.items()}
        for k in range(-(-count // run.block)):
            if folded:
                run.join(tuple(folded[n][k] if n in folded else None for n in run.joined))

    def _folded_blocks(self, name: str, part: Array, count: int) -> list[float]:
        """What each block begins with, joined with what its passes made, in order."""
        run = self._run
        operation = run.loop.body.variables[name].operation
        blocks = -(-count // run.block)
        if operation in _EXTREMES:
            order = np.fmin if _EXTREMES[operation] == "min" else np.fmax
            whole = np.full(blocks * run.block, np.nan)
            whole[:count] = part
            return [float(v) for v in order.reduce(whole.reshape(blocks, run.block), axis=1)]
        op, neutral = _JOINS[operation]
        whole = np.full(blocks * run.block, neutral)
        whole[:count] = part
        rows = np.concatenate([np.full((blocks, 1), neutral), whole.reshape(blocks, -1)], 1)
        return [float(v) for v in _ORDERED[op].accumulate(rows, axis=1)[:, -1]]


def _blocks(run: Run, passes: int) -> int:
    """About so many passes, in whole blocks."""
    return max(1, max(passes, LEAST_PASSES // 2) // run.block) * run.block


def _reads(node: Node, wanted: tuple[Node, ...], trace: LaneTrace) -> bool:
    """Whether a value is made of one of these."""
    pending, seen = [node], set()
    while pending:
        n = pending.pop()
        if n in wanted:
            return True
        if n not in seen:
            seen.add(n)
            pending += n.inputs
            pending += trace.parts.get(n, ())[:1]
            if n in trace.loops:
                traced = trace.loops[n][0].traced
                pending += [*traced.initial, *traced.following]
    return False


def _writes(name: str, node: Node, carry: Node, trace: LaneTrace) -> list[Node]:
    """The assignments to a sliced variable in one pass, the first one first."""
    return list(_assignments_by_place(name, node, carry, trace).values())


_Assigned: TypeAlias = tuple[object, ...]


def _assignments_by_place(
    name: str, node: Node, carry: Node, trace: LaneTrace
) -> dict[_Assigned, Node]:
    """The assignments by place; where ways through the pass part, a value is chosen."""
    apply = Session.runtime.apply
    if node is carry:
        return {}
    if node.op == "select":
        ways = [_assignments_by_place(name, way, carry, trace) for way in node.inputs[1:]]
        made = {}
        for place in {**ways[0], **ways[1]}:
            given = [way.get(place) for way in ways]
            if any(one is None and way for one, way in zip(given, ways, strict=True)):
                raise Unsupported(f"{name} is assigned to at other places in each branch")
            (some,) = [one for one in given if one is not None][:1]
            before = trace.untouched(some) if None in given else some
            values = [before if one is None else one.inputs[1] for one in given]
            value = apply("select", (node.inputs[0], *values))
            made[place] = apply("assign", (carry, value), some.attrs, some.data)
        return made
    moves = _steps(node)[1] if node.op == "assign" and len(node.attrs) > 1 else ()
    if sum(map(bool, moves)) != 1:
        raise Unsupported(f"{name} is assigned in a way that is not a block of it")
    found = _assignments_by_place(name, node.inputs[0], carry, trace)
    place = (node.attrs, node.data, node.inputs[1].shape)
    found.pop(place, None)
    found[place] = node
    return found


def _grown_variable(run: Run, name: str, value: Value) -> Value:
    """A sliced variable with room for all passes, where one of them has given it a form."""
    variable = run.loop.body.variables[name]
    last = run.range.first + run.range.count - 1 + offset_of(variable, run.values)
    if not is_number(value) or not numel(value) or extent_of(variable, value) >= last:
        return value
    place: list[Value] = [1.0] * variable.count
    place[variable.position] = float(last)
    return set_args(value, tuple(place), 0.0)


def _steps(write: Node) -> tuple[Shape, Shape]:
    """Per axis how far apart the elements of an assignment are, and how far it moves per pass."""
    return cast("tuple[Shape, Shape]", write.attrs)


def _numbers(node: Node, count: int) -> Array:
    """A column on the host, a number per pass. Raises Unsupported where it left the reals."""
    data = Session.runtime.gather(node)
    if np.iscomplexobj(data) and not node.dtype.is_complex:
        raise Unsupported("a value leaves the real numbers")
    return np.broadcast_to(data.ravel(), (count,)) if data.size == 1 else data.ravel()


def _block_of(write: Node, column: tuple[Node, ...], count: int) -> Value:
    """What passes assign, in the shape of the block of all of them."""
    steps, moves = _steps(write)
    extents = with_rank(write.inputs[1].shape, len(steps))
    shape = tuple(count if move else n for n, move in zip(extents, moves, strict=True))
    numbers = [_numbers(node, count) for node in column]
    made = np.empty(shape, dtype=numbers[0].dtype, order="F")
    for index, part in zip(np.ndindex(*extents[::-1]), numbers, strict=True):
        at = tuple(slice(None) if m else k for k, m in zip(index[::-1], moves, strict=True))
        made[at] = part
    return canonical(made)


def _subscripts(write: Node, at: int, count: int) -> tuple[Value, ...]:
    """The subscripts of that block."""
    steps, moves = _steps(write)
    extents = with_rank(write.inputs[1].shape, len(steps))
    starts = cast("tuple[int, ...]", write.data)
    made: list[Value] = []
    for start, step, move, n in zip(starts, steps, moves, extents, strict=True):
        places = start + 1 + (move * np.arange(at, at + count) if move else step * np.arange(n))
        row = places.astype(np.float64).reshape(1, -1)
        made.append(canonical(row))
    return tuple(made)
