"""Computing what is pending: the graph's order, its plan, and what is not planned."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import ref

import numpy as np

from app.accel.backends import reference
from app.accel.backends.recovery import Recipe
from app.accel.backends.residency import Record
from app.accel.fusion.loops import loop_roll
from app.accel.ir.node import Attrs, Node, Number, Origin, seal
from app.accel.ir.plan import Reason
from app.accel.ir.whole_ranges import stored_range
from app.accel.planner import cost, split_large
from app.accel.planner.known_walks import KnownWalk
from app.accel.planner.walk import Walk
from app.errors import DomainLeft, InternalError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.accel.ir.whole_ranges import Whole
    from app.accel.planner.planner import Planner
    from app.accel.planner.put_off import Assembly
    from app.accel.planner.schedule import CompiledPlan
    from app.accel.runtime.executor import Executor

Data: TypeAlias = tuple[Number, ...]

UNROLLED = 1024
"""Graphs remembered in which nothing repeats."""
UNPLANNED_MS = 0.5
"""Work of NumPy that planning, launching and fetching cost as much as."""


class Evaluation:
    """Stores the values of nodes: by plans, in pieces, as loops, or node by node.

    Attributes:
        executor: runs plans; what is stored is in its residency table.
        assembly: nodes that have been put together since the last evaluation.
    """

    def __init__(
        self,
        executor: Executor,
        planner: Planner,
        apply: Callable[..., Node],
        leaf: Callable[..., Node],
        locate: Callable[[], Origin],
    ) -> None:
        self.executor, self.planner = executor, planner
        self.recorder, self.residency = executor.recorder, executor.residency
        self._apply, self._leaf, self._locate = apply, leaf, locate
        self.assembly: Assembly | None = None
        self._evaluations = 0
        self._plan: CompiledPlan | None = None
        self._unrolled: set[object] = set()

    def record(self, node: Node) -> Record:
        """What is stored of a node that has been evaluated."""
        record = self.residency.record(node)
        if record is None and node.op == "param":
            record = Record(node.dtype, 1, reference.param(node).reshape(-1))
            self.residency.put(node, record)
        if record is None:
            raise InternalError("runtime", f"{node} has no value after evaluation")
        return record

    def evaluate(self, wanted: list[Node], origin: Origin, gathered: bool) -> None:
        """Compute and store the values of nodes, together; `gathered` ones are fetched at once."""
        if not wanted:
            return
        assembly, self.assembly = self.assembly, None
        numbers = () if assembly is None else assembly.numbers(wanted)
        if assembly is not None and self._again(assembly, numbers, wanted, origin, gathered):
            return
        walk, wanted = self._walk_below(wanted, origin)
        if walk.unfusable:
            self._on_reference(wanted)
        if walk.unfusable or not wanted:
            return
        known = None if assembly is None else KnownWalk.kept(walk, assembly, numbers)
        self.executor.sent.settle_done()
        plan = self._plan = self.planner.plan(walk, wanted, origin, gathered)
        if known is not None:
            known.plans[gathered] = ref(plan)
        made = self._run(plan, walk, wanted, origin, gathered)
        for _, node, record in made:
            record.whole = stored_range(node, self._stored_range)
            self.residency.put(node, record)
        for _, node, _ in made:
            seal(node)

    def _stored_range(self, leaf: Node) -> Whole | None:
        """Between what the whole numbers of a leaf are, if that was known when it was stored."""
        record = self.residency.record(leaf)
        return None if record is None else record.whole

    def _again(
        self,
        assembly: Assembly,
        numbers: tuple[int, ...],
        wanted: list[Node],
        origin: Origin,
        gathered: bool,
    ) -> bool:
        """Evaluate nodes by the plan that those in their places had; whether it can be used."""
        known = assembly.blueprint.walks.get(numbers)
        planned = None if known is None else known.plans.get(gathered)
        plan = None if planned is None else planned()
        if known is None or plan is None:
            return False
        whole = plan.needs_nodes
        walk = known.again(assembly, self.residency, whole)
        if walk is None or not self.planner.again(plan, origin):
            return False
        self._plan, order = plan, walk.order
        known.count(assembly, order, whole)
        made = self._run(plan, walk, wanted, origin, gathered)
        holders = assembly.holders()
        for number, node, record in made:
            kept: Node | None = node
            if node is known.order[number]:
                kept = assembly.stored(known.numbers[number], holders)
            if kept is not None:
                self.residency.put(kept, record)
                seal(kept)
        return True

    def _run(
        self, plan: CompiledPlan, walk: Walk, wanted: list[Node], origin: Origin, gathered: bool
    ) -> list[tuple[int, Node, Record]]:
        """Numbers, nodes and values that were made; none where `wanted` had to be computed
        otherwise."""
        found: list[tuple[int, Node, Record]] = []

        def describe(records: dict[int, Record]) -> None:
            """The records say how their values can be had again."""
            self._note_host_bytes()
            recipe: Recipe | None = None
            for number, record in records.items():
                record.least = plan.least.get(number, -math.inf)
                if record.host is None:
                    if recipe is None:
                        recipe = Recipe(plan.outlined(walk), walk.order)
                    record.recipe = recipe, number
                found.append((number, walk.order[number], record))

        try:
            self.executor.run(plan, walk.order, origin, gathered, describe)
        except DomainLeft:
            self.recorder.boundary(origin, Reason.DOMAIN_GUARD, "the exact answer is complex")
            self._on_reference(wanted)
            return []
        return found

    def _walk_below(self, wanted: list[Node], origin: Origin) -> tuple[Walk, list[Node]]:
        """The walk below what is left to plan, and that: some is computed apart at once."""
        walk = self._walk(wanted)
        if walk.empty and not walk.unfusable:
            self._evaluate_empty(walk.empty, wanted, origin)
            wanted = [node for node in wanted if node.op != "leaf"]
            walk = self._walk(wanted)
        if walk.oversized and not walk.unfusable and self._in_pieces(walk, origin):
            wanted = [node for node in wanted if node.op != "leaf"]
            walk = self._walk(wanted)
        while not walk.unfusable and self._evaluate_rolled(walk, wanted, origin):
            wanted = [node for node in wanted if node.op != "leaf"]
            walk = self._walk(wanted)
        return walk, wanted

    def _evaluate_empty(self, nodes: list[Node], wanted: list[Node], origin: Origin) -> None:
        """Compute what is empty, and what is made of that: kernels have at least one point.

        Nothing below an empty array is computed for it.
        """
        if any(node.op == "loop" for node in nodes):
            self._on_reference([node for node in wanted if node.op != "leaf"])
            return
        for node in nodes:
            if node.op == "leaf":
                continue
            if node.size:
                pending = [child for child in node.inputs if child.op not in {"leaf", "param"}]
                self.evaluate(pending, origin, False)
                self._on_reference([node])
            else:
                flat = np.empty(0, node.dtype.numpy)
                self.residency.put(node, Record(node.dtype, 0, flat, line=node.origin.line))
                seal(node)

    def _in_pieces(self, walk: Walk, origin: Origin) -> bool:
        """Compute what the device only takes in pieces; whether anything was."""

        def stored(*nodes: Node) -> None:
            self.evaluate([n for n in nodes if n.op not in {"leaf", "param"}], origin, False)

        def apply(op: str, inputs: tuple[Node, ...], attrs: Attrs, data: Data = ()) -> Node:
            if op != "slice":
                return self._apply(op, inputs, attrs, data, node.origin)
            stored(*inputs)  # or kernels would read slices where they lie, in what is too large
            part = self._apply(op, inputs, attrs, data, node.origin)
            stored(part)
            return part

        chosen = [node for node in walk.oversized if self.planner.placer.takes(node)]
        for node in chosen:
            stored(*node.inputs)
            whole = split_large.joined_node(node, walk.limit, apply)
            stored(whole)
            made = self.record(whole)
            self.residency.put(node, replace(made, pins=0, line=node.origin.line))
            seal(node)
        return bool(chosen)

    def _evaluate_rolled(self, walk: Walk, wanted: list[Node], origin: Origin) -> bool:
        """Compute what repeats itself in the graph as a loop; whether there was such a thing."""
        if len(walk.index) < loop_roll.FEWEST_NODES:
            return False
        key = tuple(walk.key)
        if key in self._unrolled:
            return False
        source = loop_roll.Source(walk.scalars, self.leaf_value, self._leaf)
        found = loop_roll.rolled_loop(list(walk.index), wanted, source)
        if found is None:
            if len(self._unrolled) >= UNROLLED:
                self._unrolled.clear()
            self._unrolled.add(key)
            return False
        self.evaluate(list(found.picks), origin, False)
        for node, pick in zip(found.ends, found.picks, strict=True):
            made = self.record(pick)
            self.residency.put(node, replace(made, pins=0, line=node.origin.line))
            seal(node)
        return True

    def _note_host_bytes(self) -> None:
        """Keep the peak of host memory held by values; of many it is sampled."""
        self._evaluations += 1
        if self._evaluations > 64 and self._evaluations % 16:
            return
        table = self.residency.table
        if len(table) > 512 and self._evaluations % 64:
            return
        held = sum(r.host.nbytes for r in table.values() if r.host is not None)
        self.recorder.counters.peak_host_bytes = max(self.recorder.counters.peak_host_bytes, held)

    def _on_reference(self, wanted: list[Node]) -> None:
        """Evaluate node by node on the host: what is made of empty arrays, and complex answers."""
        started = perf_counter()
        values = reference.evaluate(wanted, self.leaf_value)
        for node in wanted:
            flat = values[node].reshape(-1, order="F")
            self.residency.put(node, Record(node.dtype, node.size, flat, line=node.origin.line))
            seal(node)
        spent = (perf_counter() - started) * 1000
        self.recorder.counters.host_ms += spent
        self.recorder.line(self._locate()).host_ms += spent

    def leaf_value(self, node: Node) -> NDArray[Any]:
        """The value of a stored node on the host."""
        flat = self.executor.storage.host_buffer(self.record(node), self._locate(), "domain-guard")
        return flat.reshape(node.shape, order="F")

    def _walk(self, wanted: list[Node]) -> Walk:
        walk = Walk(self.residency, self._limit)
        walk.go(wanted)
        return walk

    @property
    def _limit(self) -> int:
        """Bytes that the device binds at once; 0 without one."""
        device = self.executor.device
        return device.info.max_binding_bytes if device is not None else 0

    def last_arrays(self) -> tuple[bool, dict[tuple[str, int], int]]:
        """Of the last evaluation: whether it was hardly worth planning, and its arrays.

        Per line of the script the elements of the largest array. This is judged by what the work
        would take NumPy on a usual machine, never by the clock: every run judges alike.
        """
        plan = self._plan
        if plan is None:
            return False, {}
        if plan.arrays is None:
            plan.arrays = self._arrays_of(plan)
        return plan.arrays

    def _arrays_of(self, plan: CompiledPlan) -> tuple[bool, dict[tuple[str, int], int]]:
        largest = dict[tuple[str, int], int]()
        speeds = cost.typical_host(self.executor.host.threads)
        work = 0.0
        for step in plan.steps:
            work += cost.numpy_ms(step.work, speeds) - speeds.launch_ms
            for place in step.places or (plan.origin,):
                key = place.file, place.line
                largest[key] = max(largest.get(key, 0), step.elements)
        return work < UNPLANNED_MS, largest
