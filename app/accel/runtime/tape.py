"""What the kernels of one unit of passes do, written down so that it can be done again.

A tape is made of the plans that computed a unit. It refers to values by numbers, says which of them
are the variables before and after the unit, and by how much maps and parameters move on.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.plan import Dispatch, MapValues, Template
from app.accel.ir.value_ranges import least_of_number
from app.errors import Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    from app.accel.backends.base import Changes, Pipeline
    from app.accel.backends.residency import DeviceStorage, Residency
    from app.accel.fusion.loops.pass_units import Unit
    from app.accel.ir.dtypes import DType
    from app.accel.ir.node import Node, Number, Origin
    from app.accel.ir.plan import Elements
    from app.accel.planner.schedule import CompiledPlan, PlannedStep
from app.accel.runtime.unit_layout import Layout, Pattern


@mutable_record
class Execution:
    """A plan that was run, for which nodes, and their data then."""

    plan: CompiledPlan
    order: Sequence[Node]
    data: list[tuple[Number, ...]]


@mutable_record
class Operation:
    """A step of a unit.

    Attributes:
        inputs, outputs: numbers of values.
        maps: of the recorded unit.
        params: of the recorded unit.
        moving: per map that moves, elements per unit.
        counting: per parameter that counts on, by how much per unit.
        placed: per parameter that the host knows before a pass: the pass, and its place there.
        drawn: per parameter that says where in the random stream numbers are: 0 for the key,
            1 for the offset.
        donor: a value whose memory the output may take over instead of running, where nobody else
            has it; -1 for none.
        places: the lines it works for.
    """

    step: PlannedStep
    pipeline: Pipeline
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    maps: tuple[MapValues, ...]
    params: tuple[Number, ...]
    moving: dict[int, int]
    counting: dict[int, int]
    placed: dict[int, tuple[int, int]]
    drawn: dict[int, int]
    donor: int
    places: tuple[Origin, ...]

    @property
    def touched(self) -> tuple[int, ...]:
        """Values that it reads and writes."""
        return (*self.inputs, *self.outputs)

    def varies(self) -> bool:
        """Whether other units may need other shaders: a move may change how a map is aligned."""
        written = {store.map for store in self.step.kernel.stores}
        return any(move % 4 or k in written for k, move in self.moving.items())

    def dispatch(
        self, unit: int, inputs: Sequence[Elements], outputs: Sequence[Elements]
    ) -> Dispatch:
        """The dispatch in a unit, counted from the recorded one, but for numbers of passes."""
        maps = self.maps
        if self.moving:
            maps = tuple(
                MapValues(values.offset + unit * self.moving.get(k, 0), values.strides)
                for k, values in enumerate(maps)
            )
        kernel = self.step
        return Dispatch(
            self.pipeline,
            tuple(inputs),
            tuple(outputs),
            kernel.extents,
            maps,
            self.params,
        )


@mutable_record
class Tape:
    """The operations of a unit.

    Attributes:
        passes: of a unit.
        rows: of the report, per operation.
        before, after: numbers of the variables' values; behind them, of values whose memory the
            next unit may take over.
        last: per value, the last operation that touches it.
        kept: per value, the last operation that touches it or may take over its memory.
        kinds: per value its type and elements.
        fixed: storage of values that all units read.
        signs: per number of a pass that is a parameter: the pass, its place, the lower bound that
            its sign gives.
        ways: as in `Unit`; in the passes of other units the same is decided.
        needs: per variable, the range fact of its value before a unit.
        least: the same after it.
        plans: the plans that are done with every unit.
        guarded: whether a unit may leave the real numbers: it has to be done again then.
        varying: operations that may need other shaders in other units.
        place: the first pass of the recorded unit.
        sources: per value in `fixed` its node.
        scalars: parameters that the host reads from nodes: operation, slot, node.
        given: what the parameters are that other runs have others for, and that no unit sets.
        variants: of units, which shaders they need.
        layouts: of units, by the storage that was there.
        sequences: what has been prepared for units, by script, layout, `given` and storage; later
            runs of the loop find it where these are the same.
    """

    passes: int
    place: int = 0
    operations: list[Operation] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    last: dict[int, int] = field(default_factory=dict)
    kept: dict[int, int] = field(default_factory=dict)
    kinds: dict[int, tuple[DType, int]] = field(default_factory=dict)
    fixed: dict[int, DeviceStorage] = field(default_factory=dict)
    signs: list[tuple[int, int, float]] = field(default_factory=list)
    ways: list[tuple[int, int, bool]] = field(default_factory=list)
    needs: list[float] = field(default_factory=list)
    least: list[float] = field(default_factory=list)
    plans: list[CompiledPlan] = field(default_factory=list)
    guarded: bool = False
    varying: list[Operation] = field(default_factory=list)
    sources: dict[int, Node] = field(default_factory=dict)
    scalars: list[tuple[Operation, int, Node]] = field(default_factory=list)
    given: tuple[str, ...] = ()
    variants: dict[int, Hashable] = field(default_factory=dict)
    layouts: dict[Pattern, Layout] = field(default_factory=dict)
    sequences: dict[Hashable, object] = field(default_factory=dict)

    @property
    def goes_on(self) -> bool:
        """Whether what is known of the variables after a unit is what the next one needs."""
        return all(a >= b for a, b in zip(self.least, self.needs, strict=True))

    @property
    def expected_ms(self) -> float:
        """What a unit takes on the device, as far as that was priced."""
        return sum(step.decision.own_ms for plan in self.plans for step in plan.steps)

    def unit_at(self, place: int) -> int | None:
        """The unit that begins with a pass, counted from the recorded one; None in between."""
        moves = any(op.moving or op.counting for op in self.operations)
        unit, rest = divmod(place - self.place, self.passes)
        return (unit if not rest else None) if moves else 1

    def is_alike(self, other: Tape) -> bool:
        """Whether two tapes hold for the same units."""
        return (self.signs, self.ways, self.needs) == (other.signs, other.ways, other.needs)

    def steady(self, rows: Sequence[Sequence[float]]) -> int:
        """Units of these passes for which the plans hold.

        Numbers keep the signs they had, and what follows from them is decided as it was.
        """
        count = len(rows) // self.passes
        for k, place, truth in self.ways:
            for unit in range(count):
                if bool(rows[unit * self.passes + k][place]) != truth:
                    count = unit
                    break
        for k, place, sign in self.signs:
            for unit in range(count):
                if least_of_number(rows[unit * self.passes + k][place]) != sign:
                    count = unit
                    break
        return count

    def changes(
        self, first: int, rows: Sequence[Sequence[float]], numbers: Sequence[int]
    ) -> Changes:
        """What is different in the units from `first` on, which do the passes of these rows.

        `numbers` are the operations that are dispatched.
        """
        found: Changes = {}
        count = len(rows) // self.passes
        units = np.arange(first, first + count, dtype=np.int64)
        for place, number in enumerate(numbers):
            operation = self.operations[number]
            for k, move in operation.moving.items():
                found[place, False, k] = operation.maps[k].offset + units * move
            for slot, step in operation.counting.items():
                found[place, True, slot] = _counted_words(
                    int(operation.params[slot].real), step, units
                )
            for slot, (k, column) in operation.placed.items():
                column_rows = rows[k :: self.passes]
                found[place, True, slot] = np.array([row[column] for row in column_rows[:count]])
        return found


def standing_draws(operations: Sequence[Operation]) -> list[str]:
    """What operations are told of the random stream that is the same in all units."""
    return [
        repr(operation.params[slot])
        for operation in operations
        for slot in operation.drawn
        if slot not in operation.counting
    ]


def _counted_words(begin: int, step: int, units: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Whole numbers that count on, as 64-bit words."""
    mask = (1 << 64) - 1
    return np.array([begin + int(unit) * step & mask for unit in units], np.uint64)


@mutable_record
class TapeWriter:
    """Writes the tape of a unit that has been computed.

    Attributes:
        unit: its graph.
        before: the variables' values before it.
        residency: where values are.
        pipeline: gives the compiled kernel of a step.
        scalar: gives the value of a number that all units read.
    """

    unit: Unit
    before: Sequence[Node]
    outer: set[Node]
    residency: Residency
    pipeline: Callable[[PlannedStep, Sequence[Node]], Pipeline]
    scalar: Callable[[Node], Number]
    tape: Tape
    numbers: dict[Node, int] = field(default_factory=dict)
    made: set[Node] = field(default_factory=set)

    def write(self, executions: Sequence[Execution]) -> Tape:
        """The tape. Raises Unsupported where the next unit would not do the same."""
        tape, unit = self.tape, self.unit
        self._check_apart()
        tape.before = [self._number(node) for node in self.before]
        for execution in executions:
            self._add(execution)
        if not tape.operations:
            raise Unsupported("a pass computes nothing")
        for node in unit.following:
            if node not in self.made and node not in self.before:
                raise Unsupported("a variable is something else after a pass")
        tape.after = [self._number(node) for node in unit.following]
        self._check_forms()
        self._pass_on()
        for k, operation in enumerate(tape.operations):
            tape.kept[operation.donor] = k
            for number in operation.touched:
                tape.last[number] = tape.kept[number] = k
        tape.ways, placed = unit.ways, unit.placeholders.items()
        tape.signs = [(*place, least_of_number(node.data[0].real)) for node, place in placed]
        tape.varying = [operation for operation in tape.operations if operation.varies()]
        scalars = [repr(operation.params[slot]) for operation, slot, _ in tape.scalars]
        tape.given = (*scalars, *standing_draws(tape.operations))
        return tape

    def _check_apart(self) -> None:
        """Variables that begin as one value, or as what all passes read, part in later units."""
        after: dict[Node, Node] = {}
        for old, new in zip(self.before, self.unit.following, strict=True):
            if old in self.outer or after.setdefault(old, new) is not new:
                raise Unsupported("variables that are equal before a pass are not after it")

    def _pass_on(self) -> None:
        """Copies at the beginning may take over memory that the unit before leaves behind.

        A variable that is copied for a part of it to be set was made in the same way at the end of
        that unit: what it was made from differs from it in that part alone.
        """
        tape = self.tape
        copies = [k for k in range(len(tape.operations) - 1) if self._is_copy(k)]
        made = {tape.operations[k].outputs[0]: k for k in copies}
        for k in copies:
            operation = tape.operations[k]
            source = operation.inputs[0]
            if operation.donor >= 0 or source not in tape.before:
                continue
            last = made.get(tape.after[tape.before.index(source)], k)
            left = tape.operations[last].inputs[0]
            if (
                last > k
                and left not in (*tape.after, *tape.before)
                and self._set_same_part(k, last)
            ):
                operation.donor = -2 - len(tape.kinds)
                tape.kinds[operation.donor] = tape.kinds[left]
                tape.before.append(operation.donor)
                tape.after.append(left)

    def _is_copy(self, k: int) -> bool:
        """Whether an operation copies a value of which the next one sets a part."""
        operation, following = self.tape.operations[k : k + 2]
        body = operation.step.kernel.body
        plain = len(operation.inputs) == len(body) == 1 and body[0].op == "load"
        return plain and operation.outputs == following.outputs

    def _set_same_part(self, k: int, j: int) -> bool:
        """Whether what is set after two copies is the same part."""
        a, b = self.tape.operations[k + 1], self.tape.operations[j + 1]
        same = a.step.kernel == b.step.kernel and a.step.extents == b.step.extents
        return same and a.maps == b.maps and not a.moving and not b.moving

    def _number(self, node: Node) -> int:
        found = self.numbers.get(node)
        if found is None:
            found = self.numbers[node] = len(self.numbers)
            self.tape.kinds[found] = node.dtype, node.size
        return found

    def _check_forms(self) -> None:
        """The next unit begins as this one did."""
        for old, new in zip(self.before, self.unit.following, strict=True):
            records = [self.residency.record(node) for node in (old, new)]
            facts = {r and (r.where, not self.unit.ways and r.least, r.is_complex) for r in records}
            same = (old.dtype, old.shape) == (new.dtype, new.shape)
            if not same or len(facts) > 1 or any(r is None or r.host is not None for r in records):
                raise Unsupported("a variable lies elsewhere after a pass")
            before, after = [r.least if r else -math.inf for r in records]
            self.tape.needs.append(before)
            self.tape.least.append(after)

    def _add(self, execution: Execution) -> None:
        plan, order = execution.plan, execution.order
        for node, data in zip(order, execution.data, strict=True):
            constant = node.op == "param" or node in self.unit.moves or not data
            if not constant:
                raise Unsupported(f"{node.op} may move on")
        if not {order[k] for k in plan.wanted} <= set(self.unit.following):
            raise Unsupported("a value is kept for passes to come")
        self.tape.plans.append(plan)
        self.tape.guarded |= plan.guarded
        for step in plan.steps:
            self._add_step(step, execution)

    def _add_step(self, step: PlannedStep, execution: Execution) -> None:
        order = execution.order
        if not step.decision.device:
            raise Unsupported("a part of a pass is done by the host")
        moving: dict[int, int] = {}
        maps: list[MapValues] = []
        for k, (constant, terms, strides) in enumerate(step.maps):
            offset, move = constant, 0
            for number, item, factor in terms:
                offset += int(execution.data[number][item].real) * factor
                move += self._move(order[number], item) * factor
            maps.append(MapValues(offset, strides))
            if move:
                moving[k] = move
        operation = Operation(
            step,
            self.pipeline(step, order),
            tuple([self._operand(order[k]) for k in step.inputs]),
            tuple([self._number(order[k]) for k in step.outputs]),
            tuple(maps),
            (),
            moving,
            {},
            {},
            {},
            self._donor(step, execution),
            step.places or (execution.plan.origin,),
        )
        self._add_parameters(operation, execution)
        fixed = step.kernel.template in {Template.ALGORITHM, Template.LOOP}
        if fixed and (moving or operation.counting or operation.placed):
            raise Unsupported(f"{step.kind} with numbers that change from pass to pass")
        self.made.update(order[k] for k in step.outputs)
        self.tape.operations.append(operation)
        self.tape.rows.append(step.row)

    def _move(self, node: Node, item: int) -> int:
        by = self.unit.moves.get(node)
        return int(by[item].real) if by else 0

    def _operand(self, node: Node) -> int:
        number = self._number(node)
        if node in self.made or node in self.before or number in self.tape.fixed:
            return number
        record = self.residency.record(node)
        if node not in self.outer or record is None or record.device is None:
            raise Unsupported("a pass reads what is made for it alone")
        self.tape.fixed[number], self.tape.sources[number] = record.device, node
        return number

    def _add_parameters(self, operation: Operation, execution: Execution) -> None:
        params: list[Number] = []
        for slot, (number, item) in enumerate(operation.step.params):
            node = execution.order[number] if number >= 0 else None
            if node is None:
                params.append(item)
            elif item < 0:
                if node not in self.outer:
                    raise Unsupported("a number that passes change lies on the host")
                params.append(self.scalar(node))
                self.tape.scalars.append((operation, slot, node))
            else:
                params.append(execution.data[number][item])
                if node in self.unit.placeholders:
                    operation.placed[slot] = self.unit.placeholders[node]
                elif self._move(node, item):
                    operation.counting[slot] = self._move(node, item)
                if node.op.startswith("random"):
                    operation.drawn[slot] = item
        operation.params = tuple(params)

    def _donor(self, step: PlannedStep, execution: Execution) -> int:
        """A value whose memory holds what the step copies, and that no later step reads."""
        order, data, output = execution.order, execution.data, step.outputs[0]
        if step.inherits >= 0:
            return self._number(order[step.inherits])
        for older, alike in step.older:
            there = (data[k] == data[output] for k in alike)
            moves = (self._moves(order[k]) == self._moves(order[output]) for k in alike)
            if all(there) and all(moves):
                return self._number(order[older])
        return -1

    def _moves(self, node: Node) -> tuple[Number, ...]:
        by = self.unit.moves.get(node, ())
        return by if any(by) else ()
