"""From wanted nodes to a compiled plan: partition, build, place, number.

A compiled plan refers to nodes by their number in the walk that made its key, so that it can run
again for any graph with the same key.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel import cost, facts, host_cost, windows
from app.accel.fuse.build import Builder, Step
from app.accel.fuse.kinds import name_steps
from app.accel.fuse.partition import Partition
from app.accel.fuse.view import NeedsRoot
from app.accel.ops import OPS, Category
from app.accel.plan import Decision, KernelRequest, MapValues, Reason, Template
from app.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.accel.cost import Speeds
    from app.accel.fuse.view import Offset
    from app.accel.loops import LoopBody
    from app.accel.node import Node, Shape
    from app.accel.providers.base import DeviceInfo, Provider
    from app.accel.residency import Record, Residency

    Term: TypeAlias = tuple[int, int, int]


@dataclass(slots=True)
class PlannedStep:
    """A step with nodes replaced by numbers, its placement and its report row.

    Attributes:
        maps: per map: constant offset, terms (node, data item, factor), strides.
        params: per parameter (node, data item); item -1 is a one-element leaf's value, node -1
            means that the item is the value.
        inherits: number of the node whose memory the output may take over, or -1.
        pipelines: prepared kernels by side (False host, True device).
    """

    kernel: KernelRequest
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    extents: Shape
    maps: tuple[tuple[int, tuple[Term, ...], Shape], ...]
    params: tuple[tuple[int, int], ...]
    kind: str
    decision: Decision
    work: cost.Work
    lines: tuple[int, ...] = ()
    ops: tuple[str, ...] = ()
    row: int = -1
    inherits: int = -1
    pipelines: dict[bool, object] = field(default_factory=dict)


@dataclass(slots=True)
class CompiledPlan:
    """Steps in order, and the numbers of the nodes whose values they leave behind.

    `uses` counts how often it was asked for, `gain` is what a device not open yet would save.
    """

    steps: list[PlannedStep]
    wanted: tuple[int, ...]
    guarded: bool
    nonnegative: frozenset[int]
    uses: int = 0
    gain: float | None = None

    def due(self) -> bool:
        """Whether it has run so often that compiling for the device should be priced again."""
        reasons = {Reason.COST_MODEL_HOST, Reason.TOO_SMALL}
        return self.uses in REPRICED and any(s.decision.reason in reasons for s in self.steps)


REPRICED = frozenset(8**k for k in range(2, 7))


@dataclass(slots=True)
class Request:
    """One evaluation as the planner sees it.

    Attributes:
        order: every node below the wanted ones, operands first.
        index: number of each.
        wanted: nodes to compute.
        scalars: one-element leaves known on the host.
        gathered: whether the wanted values are needed on the host.
    """

    order: list[Node]
    index: dict[Node, int]
    wanted: list[Node]
    scalars: set[Node]
    gathered: bool


def ranges(request: Request, residency: Residency) -> dict[Node, facts.Range]:
    """Range facts of all nodes; empty when nothing in the graph has a guard."""
    if not any(OPS[node.op].domain or node.op == "loop" for node in request.order):
        return {}
    known: dict[Node, facts.Range] = {}
    for node in request.order:
        if node.op == "leaf":
            record = residency.record(node)
            known[node] = facts.leaf_range(node, bool(record and record.nonnegative))
        elif node.op == "param":
            known[node] = facts.leaf_range(node, nonnegative(node))
        else:
            known[node] = facts.transfer(node, [known[child] for child in node.inputs])
    return known


def nonnegative(node: Node) -> bool:
    """Whether a real parameter is at least 0 (NaN is not)."""
    value = node.data[0]
    return not isinstance(value, complex) and value >= 0


def build_steps(request: Request, known: dict[Node, facts.Range], bindings: int) -> list[Step]:
    """Partition and lower; nodes that cannot be inlined become roots until all fits."""
    extra: set[Node] = set()
    solo: set[Node] = set()
    pending = [node for node in request.order if node.op != "leaf"]
    leaves = {node for node in request.order if node.op == "leaf"}
    for _ in range(len(pending) + 2):
        partition = Partition(pending, request.wanted, solo)
        groups = partition.build(extra)
        readable = leaves | partition.roots
        builder = Builder(readable, request.scalars, read_once(request), known)
        try:
            steps = [step for group in groups for step in builder.build(group)]
        except NeedsRoot as need:
            if need.node in partition.roots:
                raise InternalError("planner", f"{need.node} cannot be built") from need
            extra.add(need.node)
            continue
        wide = next((s for s in steps if width(s) > bindings), None)
        if wide is None or not _narrow(wide, partition, solo, extra, bindings):
            name_steps(steps)
            return steps
    raise InternalError("planner", "partitioning does not settle")


def read_once(request: Request) -> set[Node]:
    """Nodes that one other node of the graph reads, once, and that nobody has asked for."""
    readers = Counter(child for node in request.order for child in node.inputs)
    asked = set(request.wanted)
    return {node for node, count in readers.items() if count == 1 and node not in asked}


def width(step: Step) -> int:
    """Storage bindings of a kernel: inputs, outputs, parameters, status."""
    kernel = step.kernel
    return len(kernel.inputs) + len(kernel.outputs) + 1 + int(kernel.guarded)


def _narrow(
    step: Step, partition: Partition, solo: set[Node], extra: set[Node], bindings: int
) -> bool:
    """Make a kernel with too many buffers narrower: roots apart, then a part of its cone."""
    members = partition.group_of[step.outputs[0]].roots
    if len(members) > 1 and not set(members) <= solo:
        solo.update(members)
        return True
    best: Node | None = None
    leaves: dict[Node, frozenset[Node]] = {}
    for node in partition.order:
        below: set[Node] = set()
        for child in node.inputs:
            stored = child.op == "leaf" or child in partition.roots
            below |= {child} if stored else leaves.get(child, frozenset())
        leaves[node] = frozenset(below)
        inside = node in step.nodes and node not in partition.roots
        if inside and 1 < len(below) <= bindings - 4 and (
            best is None or len(below) >= len(leaves[best])
        ):
            best = node
    if best is None or best in extra:
        return False
    extra.add(best)
    return True


def _too_large(step: Step, info: DeviceInfo) -> str:
    """Why an array of the step is too large for the device; empty where none is."""
    operands = (*step.inputs, *step.outputs)
    sizes = [node.size * node.dtype.size for node in operands]
    if windows.too_large(sizes, info.max_buffer_bytes):
        return f"{max(sizes)} bytes are more than a buffer holds ({info.max_buffer_bytes})"
    if not windows.too_large(sizes, info.max_binding_bytes):
        return ""
    numbers = [s.item if s.node is None else _number_of(s.node, s.item) for s in step.params]
    maps = tuple(MapValues(_offset(step, row.offset), row.strides) for row in step.maps)
    cutter = windows.Cutter(
        step.kernel, step.extents, maps, tuple(node.size for node in operands),
        info.max_binding_bytes, windows.passes(step.kernel, numbers),
    )  # fmt: skip
    if cutter.width():
        return ""
    return f"{max(sizes)} bytes are bound at once ({info.max_binding_bytes} at most)"


def _number_of(node: Node, item: int) -> complex | float:
    return node.data[item] if 0 <= item < len(node.data) else 0


def _offset(step: Step, offset: Offset) -> int:
    """Where a map begins, as things are now."""
    total = offset.constant
    for node, item, factor in offset.terms:
        home, first = step.homes.get(node, (node, 0))
        total += int(home.data[first + item].real) * factor
    return total


def _rounded(step: Step, info: DeviceInfo) -> str:
    """What is to be said of a step whose doubles are computed in single precision."""
    if "fast-doubles" not in info.features:
        return ""
    wide = any(i.dtype in host_cost.WIDE for i in step.kernel.body)
    return "doubles in single precision (fast doubles)" if wide else ""


def _small(amount: cost.Work) -> bool:
    """Work that no launch is worth."""
    return amount.bytes < 256 * 1024 and amount.arithmetic + amount.doubles < 1e6


@dataclass(slots=True)
class Placer:
    """Chooses host or device for every step of a plan.

    Attributes:
        force: auto, cpu or gpu.
        prepared: keys of the kernels that the device has compiled.
        unopened: why no device has been opened yet; empty when nothing is left to open.
    """

    provider: Provider | None
    host: Speeds
    device: Speeds
    force: str = "auto"
    prepared: Mapping[str, object] = field(default_factory=dict)
    unopened: str = ""
    correction: cost.Correction = field(default_factory=cost.Correction)

    def run_ms(self, device: bool, template: Template, amount: cost.Work) -> float:
        """Estimated time of a step's work, corrected by what runs have shown."""
        return self.plain_ms(device, amount) * self.correction.factor(device, template)

    def plain_ms(self, device: bool, amount: cost.Work) -> float:
        """The same before correction."""
        if device:
            return cost.device_ms(amount, self.device)
        return cost.host_ms(amount, self.host)

    def observe(self, step: PlannedStep, device: bool, measured: float) -> None:
        """Learn from a measured step."""
        if self.force != "auto" or step.row < 0:
            return
        launch = self.device.launch_ms if device else self.host.launch_ms
        expected = self.plain_ms(device, step.work)
        if expected > 4 * launch:  # a launch says nothing about the work
            spent = measured + launch if device else measured
            self.correction.observe(device, step.kernel.template, expected, spent)

    def place(
        self, steps: Sequence[Step], request: Request, residency: Residency, uses: int = 0
    ) -> list[Decision]:
        """A decision per step: the cheapest of all-host, all-device and step by step.

        Compiling is spread over as many uses as there have been, or over a few.
        """
        fixed = [self._fixed(step) for step in steps]
        if all(fixed):
            return [decision for decision in fixed if decision is not None]
        costs = [cost.work(step) for step in steps]
        trial = _Trial(steps, costs, self, request, residency, max(uses, cost.EXPECTED_USES))
        free = [decision is None for decision in fixed]
        candidates = [
            trial.run(lambda _: False, fixed),
            trial.run(lambda _: True, fixed),
            trial.run(None, fixed),
        ]
        _, best, prices = min(candidates, key=lambda outcome: outcome[0])
        return [
            self._explain(best[k], step, costs[k], prices[k], residency) if free[k]
            else fixed[k] or Decision(False, Reason.NO_DEVICE)
            for k, step in enumerate(steps)
        ]  # fmt: skip

    def _fixed(self, step: Step) -> Decision | None:
        """Placements that are not a matter of price."""
        if self.force == "cpu":
            return Decision(False, Reason.FORCED)
        if self.provider is None:
            amount = cost.work(step)
            return self._without(self.run_ms(False, step.kernel.template, amount), amount)
        problem = _too_large(step, self.provider.info)
        if problem:
            return Decision(False, Reason.BUFFER_LIMIT, detail=problem)
        for dtype in (*(i.dtype for i in step.kernel.body), *step.kernel.outputs,
                      *(i.dtype for i in step.kernel.epilogue)):  # fmt: skip
            if not self.provider.supports(dtype):
                return Decision(False, Reason.PRECISION)
        if self.force == "gpu":
            return Decision(True, Reason.FORCED, detail=_rounded(step, self.provider.info))
        return None

    def relabel(self, plan: CompiledPlan) -> None:
        """Say anew why steps are on the host: opening may have begun since they were placed."""
        for step in plan.steps if self.unopened else ():
            step.decision = self._without(step.decision.host_ms or 0.0, step.work)

    def _without(self, host_ms: float, amount: cost.Work) -> Decision:
        """The decision while no device is open."""
        if self.unopened and _small(amount):
            return Decision(False, Reason.TOO_SMALL, host_ms, detail=self.unopened)
        return Decision(False, Reason.NO_DEVICE, host_ms, detail=self.unopened)

    def _explain(
        self, device: bool, step: Step, amount: cost.Work, prices: tuple[float, float],
        residency: Residency,
    ) -> Decision:  # fmt: skip
        host_ms, device_ms = prices
        resident = any(
            (record := residency.record(node)) is not None and record.device is not None
            for node in step.inputs
        )
        if device:
            reason = Reason.RESIDENT if resident else Reason.COST_MODEL_DEVICE
        else:
            small = _small(amount)
            reason = Reason.TOO_SMALL if small else Reason.COST_MODEL_HOST
        fresh = step.kernel.key not in self.prepared
        detail = f"its kernel takes {self.device.compile_ms:.1f} ms to compile" if fresh else ""
        if device and self.provider is not None:
            detail = _rounded(step, self.provider.info) or detail
        return Decision(device, reason, host_ms, device_ms, detail)


class _Trial:
    """Adds up the price of a placement, transfers included."""

    def __init__(
        self, steps: Sequence[Step], costs: Sequence[cost.Work], placer: Placer,
        request: Request, residency: Residency, uses: int,
    ) -> None:  # fmt: skip
        self.uses = uses
        self.steps, self.costs, self.placer = steps, costs, placer
        self.request = request
        self.at_start: dict[Node, tuple[bool, bool]] = {}
        for node in request.order:
            record: Record | None = residency.record(node) if node.op == "leaf" else None
            if record is not None:
                self.at_start[node] = (record.host is not None, record.device is not None)

    def run(
        self, choose: object, fixed: Sequence[Decision | None]
    ) -> tuple[float, list[bool], list[tuple[float, float]]]:
        """Total price, sides, and what each step would take on either side at its turn.

        Without `choose` every step takes its cheaper side.
        """
        where = dict(self.at_start)
        total, sides, prices = 0.0, list[bool](), list[tuple[float, float]]()
        for step, amount, decision in zip(self.steps, self.costs, fixed, strict=True):
            host = self._step(step, amount, False, dict(where))
            device = self._step(step, amount, True, dict(where))
            compiling = self._compiling(step)
            if decision is not None:
                side = decision.device
            elif callable(choose):
                side = bool(choose(step))
            else:
                side = device + compiling < host
            total += self._step(step, amount, side, where) + side * compiling
            sides.append(side)
            prices.append((host, device))
        if self.request.gathered:
            total += sum(self._fetch(node, where) for node in self.request.wanted)
        return total, sides, prices

    def _compiling(self, step: Step) -> float:
        """The share of a compilation that one use bears."""
        if step.kernel.key in self.placer.prepared:
            return 0.0
        return self.placer.device.compile_ms / self.uses

    def _step(
        self, step: Step, amount: cost.Work, device: bool,
        where: dict[Node, tuple[bool, bool]],
    ) -> float:  # fmt: skip
        total = self.placer.run_ms(device, step.kernel.template, amount)
        for node in dict.fromkeys(step.inputs):
            host, there = where.get(node, (True, False))
            n_bytes = node.size * node.dtype.size
            if device and not there:
                again = self.uses / cost.EXPECTED_USES if node.op == "leaf" else 1.0
                total += cost.upload_ms(n_bytes, self.placer.device) / again
                where[node] = (host, True)
            elif not device and not host:
                total += cost.download_ms(n_bytes, self.placer.device)
                where[node] = (True, there)
        for node in step.outputs:
            where[node] = (not device, device)
        return total

    def _fetch(self, node: Node, where: dict[Node, tuple[bool, bool]]) -> float:
        if where.get(node, (True, False))[0]:
            return 0.0
        return cost.download_ms(node.size * node.dtype.size, self.placer.device)


def compile_plan(
    request: Request, residency: Residency, placer: Placer, bindings: int, uses: int = 0
) -> CompiledPlan:
    """Everything that is done once per key."""
    known = ranges(request, residency)
    steps = build_steps(request, known, bindings)
    decisions = placer.place(steps, request, residency, uses)
    index = request.index
    planned = [
        _number(step, decision, index) for step, decision in zip(steps, decisions, strict=True)
    ]
    sure = frozenset(
        index[node] for node in request.order if known.get(node, facts.ANY)[0] >= 0
    )
    guarded = any(step.kernel.guarded for step in steps)
    return CompiledPlan(planned, tuple(index[n] for n in request.wanted), guarded, sure)


def _term(step: Step, index: dict[Node, int], term: tuple[Node, int, int]) -> Term:
    node, item, factor = term
    home, first = step.homes.get(node, (node, 0))
    return index[home], first + item, factor


def _lines(node: Node) -> tuple[int, ...]:
    """The lines of the script that a node stands for: for a loop, those of its body."""
    own = (node.origin.line,) if node.origin.line else ()
    return own + cast("LoopBody", node.attrs[0]).lines if node.op == "loop" else own


def _ops(node: Node) -> tuple[str, ...]:
    """The ops that a node stands for: for a loop, those of its body."""
    if node.op != "loop":
        return (node.op,)
    return tuple(entry.op for entry in cast("LoopBody", node.attrs[0]).entries)


def _number(step: Step, decision: Decision, index: dict[Node, int]) -> PlannedStep:
    maps = tuple(
        (row.offset.constant, tuple(_term(step, index, term) for term in row.offset.terms),
         row.strides)
        for row in step.maps
    )  # fmt: skip
    computed = sorted((n for n in step.nodes if n in index), key=index.__getitem__)
    work = [n for n in computed if OPS[n.op].category is not Category.SOURCE]
    return PlannedStep(
        step.kernel, tuple(index[n] for n in step.inputs), tuple(index[n] for n in step.outputs),
        step.extents, maps,
        tuple((index[s.node] if s.node else -1, s.item) for s in step.params), step.kind,
        decision, cost.work(step),
        tuple(sorted({line for n in work for line in _lines(n)})),
        tuple(op for n in work for op in _ops(n)),
        inherits=-1 if step.inherits is None else index[step.inherits],
    )  # fmt: skip
