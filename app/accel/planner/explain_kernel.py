"""What a kernel is made of, for people: its operations as a graph, without places and parameters.

The id of an operation is the number of its value in the kernel (``v7`` or ``e7`` in its source).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

from app.accel.ir.node import NOWHERE
from app.accel.ir.plan import Template
from app.accel.support.telemetry import OperationRow

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from app.accel.ir.loop_node import LoopBody
    from app.accel.ir.node import Node, Origin, Shape
    from app.accel.ir.plan import Instr
    from app.accel.planner.schedule import PlannedStep

MACHINERY = frozenset({"param", "position", "axis", "counter", "advance"})


class KernelGraph(NamedTuple):
    """The operations of a kernel, and per output the id of the one that it stores."""

    operations: tuple[OperationRow, ...]
    stored: tuple[int | None, ...]


def explain_kernel(step: PlannedStep, order: Sequence[Node]) -> KernelGraph:
    """The operations of a step whose nodes are numbered as in `order`."""
    places = _places(step, order)
    found = step.explained.get(places)
    if found is None:
        algorithm = step.kernel.template is Template.ALGORITHM
        found = _algorithm(step, order) if algorithm else _Knife(step, order).cut()
        step.explained[places] = found
    return found


def _places(step: PlannedStep, order: Sequence[Node]) -> tuple[Hashable, ...]:
    """Where in the text its operations are: all that differs from one use of a step to another."""
    numbers = {place for place, _ in step.meant if place >= 0} or step.outputs
    nodes = [order[number] for number in numbers]
    bodies = [cast("LoopBody", node.attrs[0]).origins for node in nodes if node.op == "loop"]
    return (*(node.origin for node in nodes), *bodies)


def _algorithm(step: PlannedStep, order: Sequence[Node]) -> KernelGraph:
    args = tuple(-1 - k for k in range(len(step.inputs)))
    rows = tuple(
        OperationRow(k, node.op, node.dtype.label, node.shape, args, *_place(node.origin))
        for k, node in enumerate(order[number] for number in step.outputs)
    )
    return KernelGraph(rows, tuple(range(len(rows))))


class _Knife:
    """Takes one kernel apart; `ids` says what each value is seen as, None for machinery."""

    def __init__(self, step: PlannedStep, order: Sequence[Node]) -> None:
        self.step, self.order, self.kernel = step, order, step.kernel
        self.loop = step.kernel.loop
        self.rows: list[OperationRow] = []
        self.ids: list[int | None] = []

    def cut(self) -> KernelGraph:
        """The rows."""
        passes = self.loop.steps if self.loop else ()
        inside = range(len(self.kernel.body), len(self.kernel.body) + len(passes))
        for number, instr in enumerate((*self.kernel.body, *passes, *self.kernel.epilogue)):
            self.ids.append(self._id_of_value(number, instr, carried=number in inside))
        stored: list[int | None] = [None] * len(self.kernel.outputs)
        for store in (*self.kernel.stores, *(self.loop.stores if self.loop else ())):
            stored[store.binding] = self.ids[store.value]
        for total in self.loop.totals if self.loop else ():
            self.ids.append(None)
            number = len(self.ids) - 1
            stored[total.binding] = self._row(number, total.reduce.op, [total.reduce.value])
        rows = (
            row if row.back is None else replace(row, back=self.ids[row.back]) for row in self.rows
        )
        return KernelGraph(tuple(rows), tuple(stored))

    def _id_of_value(self, number: int, instr: Instr, *, carried: bool) -> int | None:
        """The id of an instruction's value."""
        op = self._node_computed_by(number)[0] or instr.op
        if instr.op == "load":
            return -1 - instr.attrs[0]
        if instr.op in MACHINERY:
            return self._row(number, op, []) if op == "fill" else None
        if instr.op == "carry":
            return self._carry(number, instr.attrs[0], carried=carried)
        if instr.op == "result":
            return self._row(number, op, *self._reduction_operands(instr.attrs[0]))
        inputs = [-1 - instr.attrs[0]] if instr.op == "load_at" else []
        machinery = not inputs and all(self.ids[a] is None for a in instr.args)
        if machinery and not self._node_computed_by(number)[0]:
            return None
        return self._row(number, op, list(instr.args), inputs)

    def _carry(self, number: int, k: int, *, carried: bool) -> int | None:
        """What a pass finds of the pass before; after the loop, what the last pass left."""
        assert self.loop is not None
        if not carried:
            return self.ids[self.loop.following[k]]
        back = self.loop.following[k]
        self._row(number, "carry", [self.loop.initial[k]])
        self.rows[-1] = replace(self.rows[-1], back=back, shape=self._node_computed_by(back)[1])
        return number

    def _reduction_operands(self, k: int) -> tuple[list[int], list[int]]:
        """The operands of a reduction, a scan or a product: values, and inputs."""
        reduce = self.kernel.reductions[k]
        if reduce.op != "matmul":
            return [reduce.value], []
        attrs = dict(self.kernel.attrs)
        if "value_a" in attrs:
            return [attrs["value_a"], attrs["value_b"]], []
        return [], [-1, -2]

    def _row(self, number: int, op: str, values: list[int], inputs: Sequence[int] = ()) -> int:
        _, shape, origin = self._node_computed_by(number)
        seen = [self.ids[value] for value in values]
        args = (*inputs, *(k for k in seen if k is not None))
        row = OperationRow(number, op, self._type(number), shape, args, *_place(origin))
        self.rows.append(row)
        return number

    def _type(self, number: int) -> str:
        kernel, passes = self.kernel, self.loop.steps if self.loop else ()
        instrs = (*kernel.body, *passes, *kernel.epilogue)
        if number < len(instrs):
            return instrs[number].dtype.label
        assert self.loop is not None
        return self.loop.totals[number - len(instrs)].reduce.dtype.label

    def _node_computed_by(self, number: int) -> tuple[str, Shape, Origin]:
        """Op, shape and place of the node that an instruction computes."""
        place, entry = self.step.meant[number] if number < len(self.step.meant) else (-1, -1)
        if place < 0:
            return "", (), NOWHERE
        node = self.order[place]
        if entry < 0:
            return node.op, node.shape, node.origin
        body = cast("LoopBody", node.attrs[0])
        origin = body.origins[entry] if body.origins else NOWHERE
        return body.entries[entry].op, body.entries[entry].shape, origin


def _place(origin: Origin) -> tuple[int, tuple[int, int]]:
    """Line and columns of an expression."""
    return origin.line, (origin.start, origin.end)
