"""How much more work a plan does than computing every value once.

Both sides are counted in the units of `recomputation`: arithmetic by `OpSpec.costs`, accesses to
memory by their bytes, per point of every kernel. The plan's side is what its instructions do. The
other side computes every element once and stores what the plan evaluates more than once: fusion
that saves a round trip through memory counts for the plan, recomputation against it. What both
sides cannot do without (products, sorts, the adding up of reductions) is left out.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from app.accel.fusion.index_map import VIEW_OPS
from app.accel.fusion.recomputation import BYTE_COST
from app.accel.ir import shapes
from app.accel.ir.ops import OPS
from app.accel.ir.plan import Template
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from app.accel.fusion.build import Step
    from app.accel.ir.node import Node
    from app.accel.ir.plan import Instr, Store

BOUND = 1.25
"""The work of a plan beside that of computing every value once: never more than this."""

_LOADS = frozenset({"load", "load_at"})


class Value(NamedTuple):
    """A value that kernels compute: a node, or a loop's stand-in with the number of its step."""

    node: Node
    step: int
    trips: int


@mutable_record
class Account:
    """What is counted.

    Attributes:
        done: the work of the plan.
        evaluations: how often elements of a value are computed.
        reads: per value and operand, the cost of reading one element that lies in memory, and the
            value that it is, if the plan computes it.
        moved: work that both sides do: stores, and what is loaded to be copied or reduced.
    """

    done: float = 0.0
    evaluations: dict[Value, int] = field(default_factory=lambda: defaultdict(int))
    reads: dict[Value, dict[int, tuple[int, Value | None]]] = field(default_factory=dict)
    moved: float = 0.0

    def add(self, steps: Iterable[Step]) -> None:
        """Count the steps of a plan."""
        for number, step in enumerate(steps):
            if step.kernel.template is not Template.ALGORITHM:
                self._step(number, step)

    def _step(self, number: int, step: Step) -> None:
        kernel = step.kernel
        instrs = _instructions(step)
        points = list(_points(step))
        meant = [self._value(number, step, k) for k in range(len(instrs))]
        used: set[int] = set()
        for k, instr in enumerate(instrs):
            value = meant[k]
            if value is not None:
                used.update(instr.args)
                self._count_evaluation(value, instrs, meant, k, points[k])
        for k, instr in enumerate(instrs):
            if instr.op in _LOADS:
                cost = _load_cost(step, instr) * points[k]
                self.done += cost
                self.moved += cost if k not in used else 0
        inside = kernel.loop.stores if kernel.loop is not None else ()
        for store in (*kernel.stores, *inside):
            cost = BYTE_COST * store.dtype.size * _points_of_store(step, store, points)
            self.done += cost
            self.moved += cost

    def _value(self, number: int, step: Step, k: int) -> Value | None:
        node = step.meant[k]
        if node is None or node.op in VIEW_OPS or node.op in {"param", "gather"}:
            return None
        own = node in step.homes
        inside = _is_inside(step, k)
        return Value(node, number if own else -1, step.trips if inside and own else 1)

    def _count_evaluation(
        self, value: Value, instrs: Sequence[Instr], meant: list[Value | None], k: int, points: int
    ) -> None:
        self.evaluations[value] += points
        self.done += points * OPS[value.node.op].costs.units
        operands = self.reads.setdefault(value, {})
        for place, arg in enumerate(instrs[k].args):
            source = instrs[arg]
            below = meant[arg]
            if source.op in _LOADS or below is not None:
                operands.setdefault(place, (BYTE_COST * source.dtype.size, below))

    def again(self) -> list[Node]:
        """Values that are computed more often than what is computed from them.

        Storing them is what saves the work.
        """
        above: dict[Value, float] = {}
        for value, operands in self.reads.items():
            for _, below in operands.values():
                if below is not None:
                    above[below] = max(above.get(below, 1.0), self._ratio(value))
        return [v.node for v in self.reads if v.step < 0 and self._ratio(v) > above.get(v, 1.0)]

    def _ratio(self, value: Value) -> float:
        return self.evaluations[value] / max(1, value.node.size * value.trips)

    def once(self) -> float:
        """The work of computing every value once."""
        total = self.moved
        for value, evaluations in self.evaluations.items():
            size = value.node.size * value.trips
            needed = min(evaluations, size)
            total += needed * OPS[value.node.op].costs.units
            for cost, below in self.reads.get(value, {}).values():
                if below is None or self._ratio(below) > 1.0:
                    total += needed * cost
            if evaluations > size:
                total += size * BYTE_COST * value.node.dtype.size
        return total


def inflation(steps: Sequence[Step]) -> tuple[float, Account]:
    """The work of a plan beside that of computing every value once, and how it was counted."""
    account = Account()
    account.add(steps)
    once = account.once()
    return (account.done / once if once else 1.0), account


def _instructions(step: Step) -> tuple[Instr, ...]:
    kernel = step.kernel
    inside = kernel.loop.steps if kernel.loop is not None else ()
    return (*kernel.body, *inside, *kernel.epilogue)


def _is_inside(step: Step, k: int) -> bool:
    """Whether an instruction runs in every pass of a loop."""
    loop, before = step.kernel.loop, len(step.kernel.body)
    return loop is not None and before <= k < before + len(loop.steps)


def _points(step: Step) -> Iterator[int]:
    """How often every instruction runs."""
    kernel, box = step.kernel, step.extents
    points = shapes.count(box)
    if kernel.template is Template.MATMUL:
        options = dict(kernel.attrs)
        m, n, inner = box
        split = options.get("split", 0)
        yield from (m * inner if k < split else inner * n for k in range(len(kernel.body)))
        yield from (m * n for _ in kernel.epilogue)
        return
    yield from (points for _ in kernel.body)
    if kernel.loop is not None:
        yield from (points * step.trips for _ in kernel.loop.steps)
    yield from (_epilogue_points(step) for _ in kernel.epilogue)


def _epilogue_points(step: Step) -> int:
    """Points of the epilogue."""
    kernel = step.kernel
    if kernel.template is not Template.REDUCE:
        return shapes.count(step.extents)
    kept = zip(step.extents, kernel.reduced, strict=True)
    return shapes.count([extent for extent, reduced in kept if not reduced])


def _points_of_store(step: Step, store: Store, points: Sequence[int]) -> int:
    return points[store.value] if store.value < len(points) else shapes.count(step.extents)


def _load_cost(step: Step, instr: Instr) -> int:
    binding = instr.attrs[0]
    single = binding < len(step.inputs) and step.inputs[binding].size == 1
    return 0 if single else BYTE_COST * instr.dtype.size
