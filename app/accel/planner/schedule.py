"""From wanted nodes to a compiled plan: partition, build, place, number.

A compiled plan refers to nodes by their number in the walk that made its key, so that it can run
again for any graph with the same key.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from app.accel.backends.recovery import outline
from app.accel.fusion.build import STEPS_BACK, Builder, Step, sets_alike
from app.accel.fusion.index_map import NeedsRoot
from app.accel.fusion.inflation import BOUND, inflation
from app.accel.fusion.partition import Partition
from app.accel.fusion.step_kinds import name_steps
from app.accel.ir import value_ranges
from app.accel.ir.node import NOWHERE, Origin
from app.accel.ir.ops import OPS, Category
from app.accel.ir.plan import Decision, Dispatch, KernelRequest, Reason
from app.accel.planner import cost
from app.errors import InternalError
from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from app.accel.backends.base import Pipeline
    from app.accel.backends.recovery import Outline
    from app.accel.backends.residency import Record, Residency
    from app.accel.fusion.build import Older
    from app.accel.fusion.partition import Group
    from app.accel.ir.loop_node import LoopBody
    from app.accel.ir.node import Node, Shape
    from app.accel.planner.explain_kernel import KernelGraph
    from app.accel.planner.prepared_plans import PreparedPlan
    from app.accel.planner.walk import Walk
    from app.accel.support.telemetry import GroupRow

    Term: TypeAlias = tuple[int, int, int]


@mutable_record
class PlannedStep:
    """A step with nodes replaced by numbers, its placement and its report row.

    Attributes:
        maps: per map: constant offset, terms (node, data item, factor), strides.
        params: per parameter (node, data item); item -1 is a one-element leaf's value, node -1
            means that the item is the value.
        inherits: number of the node whose memory the output may take over, or -1.
        shared: whether earlier steps read that node.
        older: the same for nodes that it differs from in the part that is set next, if the nodes
            beside them set the same part.
        sources: numbers of the nodes it is there for.
        places: the lines of the script that it works for now, all of one file.
        rows: its report row (``row``) for each of the places where it has run.
        shown: that row as it was made last, for the places and the decision of then.
        meant: per instruction the number of the node that it computes, and of the entry of that
            node if it is a loop; -1 where there is none.
        explained: what it is made of, by the places of those nodes: see `explain_kernel`.
        pipelines: prepared kernels by side (False host, True device).
        drifted: whether it took other times than it was placed for.
        dependents: what is made of the node whose memory it may take over and would be computed
            from it again, each with the number of its readers in the plan; None while nobody has
            asked.
        memo: what every run of it shares, where no map moves with the data; see `Dispatch`.
        runs: how often it was measured.
        elements: of its largest operand or result.
        awaited: the dispatch that its kernel is being compiled for; None where that is not so.
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
    sources: tuple[int, ...] = ()
    ops: tuple[str, ...] = ()
    places: tuple[Origin, ...] = ()
    row: int = -1
    rows: dict[tuple[Origin, ...], int] = field(default_factory=dict)
    shown: tuple[tuple[Origin, ...], Decision, GroupRow] | None = None
    inherits: int = -1
    shared: bool = False
    older: tuple[tuple[int, tuple[int, ...]], ...] = ()
    meant: tuple[tuple[int, int], ...] = ()
    explained: dict[Hashable, KernelGraph] = field(default_factory=dict)
    pipelines: dict[bool, Pipeline] = field(default_factory=dict)
    drifted: bool = False
    awaited: Dispatch | None = None
    memo: dict[str, Any] | None = None
    dependents: tuple[tuple[int, int], ...] | None = None
    runs: int = 0
    elements: int = 0

    def locate(self, order: Sequence[Node]) -> None:
        """Find the lines it works for now: the same work on other lines shares the plan."""
        places = [place for number in self.sources for place in _places(order[number])]
        files = [place.file for place in places]
        file = max(files, key=files.count, default="")
        self.places = tuple(sorted({place for place in places if place.file == file}))
        self.row = self.rows.get(self.places, -1)

    @property
    def touched(self) -> Iterator[int]:
        """Numbers of the nodes whose memory it reads, writes or takes over."""
        yield from (*self.inputs, *self.outputs, self.inherits)
        yield from (number for number, _ in (*self.params, *self.older))

    @property
    def copies(self) -> bool:
        """Whether memory of another value could save running it."""
        return self.inherits >= 0 or bool(self.older)


@record
class Rent:
    """What a plan pays in every run because arrays are not where they had better be.

    Attributes:
        ms: milliseconds a run.
        price: what it takes to move the arrays.
        arrays: their numbers.
    """

    ms: float = 0.0
    price: float = 0.0
    arrays: tuple[int, ...] = ()

    def paid(self, records: Sequence[Record | None]) -> float:
        """Pay for one more run; what has been missed of the arrays by all plans so far."""
        for one in records:
            if one is not None:
                one.missed_ms += self.ms / len(records)
        return sum(one.missed_ms for one in records if one is not None)


@dataclass(slots=True, weakref_slot=True)
class CompiledPlan:
    """Steps in order, and the numbers of the nodes whose values they leave behind.

    `uses` counts how often it was asked for, `priced` how often when it was placed, `gain` is what
    a device not open yet would save: at once, and in every later run. `origin` is the place that
    asked last, `epoch` that of the corrections it was priced with, `script` the one that used it
    last, `outline` what all recipes of its values have in common, `inflation` the work beside that
    of computing every value once, `rent` what it pays for arrays that are on the wrong side,
    `missed` what it has paid so far, and `bought` whether it moves arrays on account of that: if
    they are back there the next time, that was in vain; `sharing` the uses of parameters that it
    takes for equal, `prepared` what is kept for the next run of its steps; `arrays` whether it was
    hardly worth its while, and per line the elements of the largest array.
    """

    steps: list[PlannedStep]
    wanted: tuple[int, ...]
    guarded: bool
    least: dict[int, float]
    uses: int = 0
    priced: int = 0
    gain: tuple[float, float] | None = None
    origin: Origin = NOWHERE
    epoch: int = 0
    script: str = ""
    outline: Outline | None = None
    inflation: float = 1.0
    rent: Rent = field(default_factory=Rent)
    missed: float = 0.0
    bought: bool = False
    sharing: tuple[tuple[int, ...], ...] = ()
    prepared: PreparedPlan | None = None
    arrays: tuple[bool, dict[tuple[str, int], int]] | None = None

    @property
    def width(self) -> int:
        """Storage bindings of its widest kernel."""
        return max((width(step) for step in self.steps), default=0)

    @property
    def needs_nodes(self) -> bool:
        """Whether it is to be run with the graph's own nodes: memory of values may go to others,
        which depends on who holds them, or recipes are to be made."""
        unknown = self.outline is None
        return any(s.copies or (unknown and s.decision.device) for s in self.steps)

    def locate(self, order: Sequence[Node], origin: Origin) -> None:
        """The plan is wanted at another place of the script than before, or for the first time."""
        self.origin, self.outline, self.arrays = origin, None, None
        for step in self.steps:
            step.locate(order)

    def outlined(self, walk: Walk) -> Outline:
        """What all recipes of its values have in common; kept unless more is equal by chance."""
        entries = self.outline or outline(walk.order, walk.index)
        if walk.sharing == self.sharing:
            self.outline = entries
        return entries

    def due(self, epoch: int, ready: Callable[[KernelRequest, Dispatch], bool]) -> bool:
        """Whether it is to be priced again: prices are wrong, or there were many runs."""
        if self.uses in REPRICED and any(_may_change(s.decision) for s in self.steps):
            return True
        return self.is_mispriced(epoch, ready)

    def is_mispriced(self, epoch: int, ready: Callable[[KernelRequest, Dispatch], bool]) -> bool:
        """Whether runs took other times, or a kernel that it was waiting for is there."""
        if self.bought:
            return True
        if any(s.awaited is not None and ready(s.kernel, s.awaited) for s in self.steps):
            return True
        if epoch == self.epoch and not any(step.drifted for step in self.steps):
            return False
        return self._is_worth_pricing and any(s.decision.reason in PRICED for s in self.steps)

    @property
    def _is_worth_pricing(self) -> bool:
        """Whether its runs since it was priced took far longer than pricing it does: where other
        programs take the processor, times change in every run."""
        runs = self.uses - self.priced
        return PRICING * len(self.steps) <= runs * sum(s.decision.own_ms for s in self.steps)


UNPLACED = Decision(False, Reason.NO_DEVICE)
TRIAL = 32
REPRICED = frozenset(2**k for k in range(1, 20))
"""Uses after which a plan is priced again: compiling is worth more then, and so is a trial."""
PRICED = {Reason.COST_MODEL_HOST, Reason.TOO_SMALL, Reason.COST_MODEL_DEVICE, Reason.RESIDENT}
PRICING = 1.0
"""Milliseconds of work per step for which a plan is priced once more: that takes a twentieth."""
CLEARLY = 8.0
"""By what the host must be slower for a step on the device to stay there, however often it runs."""


def _may_change(decision: Decision) -> bool:
    """Whether many runs may be a reason to do a step on the other side."""
    if decision.reason not in PRICED:
        return False
    if not decision.device or decision.host_ms is None or decision.device_ms is None:
        return True
    return decision.host_ms < CLEARLY * decision.device_ms


@mutable_record
class Request:
    """One evaluation as the planner sees it.

    Attributes:
        order: every node below the wanted ones, operands first; a parameter once for every use.
        index: number of each node: where it is first.
        wanted: nodes to compute.
        scalars: one-element leaves known on the host.
        gathered: whether the wanted values are needed on the host.
    """

    order: list[Node]
    index: dict[Node, int]
    wanted: list[Node]
    scalars: set[Node]
    gathered: bool


def ranges(request: Request, residency: Residency) -> dict[Node, value_ranges.Range]:
    """Range facts of all nodes: of use for guards here, and in the plans that read the values."""
    known: dict[Node, value_ranges.Range] = {}
    for node in request.order:
        if node.op == "leaf":
            record = residency.record(node)
            known[node] = value_ranges.leaf_range(node, record.least if record else -math.inf)
        elif node.op == "param":
            known[node] = value_ranges.leaf_range(node, value_ranges.least_of_number(node.data[0]))
        else:
            known[node] = value_ranges.transfer(node, [known[child] for child in node.inputs])
    return known


def build_steps(
    request: Request,
    known: dict[Node, value_ranges.Range],
    bindings: int,
    poll: Callable[[], None],
) -> tuple[list[Step], float]:
    """Partition and lower, and how much more work that is than to compute every value once.

    Nodes that cannot be inlined, or had better not be, become roots until all fits; roots that
    another root of their kernel cannot compute in passing get a kernel of their own.
    """
    extra: set[Node] = set()
    solo: set[Node] = set()
    pending = [node for node in request.index if node.op != "leaf"]
    leaves = {node for node in request.index if node.op == "leaf"}
    for _ in range(2 * len(pending) + 2):
        partition = Partition(pending, request.wanted, bindings - 2, poll, solo)
        groups = partition.build(extra)
        readable = leaves | partition.roots
        builder = Builder(readable, request.scalars, read_once(request), known)
        steps, needed = _steps_of(groups, builder, poll)
        if not needed.isdisjoint(solo):
            raise InternalError("planner", f"{needed & solo} cannot be built")
        if needed:
            solo |= needed & partition.roots
            extra |= needed
            continue
        wide = [step for step in steps if width(step) > bindings]
        narrowed = [_narrow(step, partition, solo, extra, bindings) for step in wide]
        if any(narrowed):
            continue
        work, account = inflation(steps)
        again = set(account.again()) & set(pending) if work > BOUND else set()
        again -= extra & solo
        if not again:
            name_steps(steps)
            _keep_older(steps, request)
            _write_over_read(steps, request)
            return steps, work
        solo |= again & partition.roots
        extra |= again
    raise InternalError("planner", "partitioning does not settle")


def _steps_of(
    groups: list[Group], builder: Builder, poll: Callable[[], None]
) -> tuple[list[Step], set[Node]]:
    """The steps of all groups that can be built, and what has to be stored for the others."""
    steps: list[Step] = []
    needed: set[Node] = set()
    for group in groups:
        poll()
        built = False
        while not built:
            try:
                steps += builder.build(group)
                built = True
            except NeedsRoot as need:
                built = need.node in needed  # it is of this group, and needs one of its own
                needed.add(need.node)
                builder.readable.add(need.node)
    return steps, needed


def _keep_older(steps: list[Step], request: Request) -> None:
    """Memory is taken over only from values that no later step reads and nobody asks for."""
    needed = set(request.wanted)
    copies = [step for step in steps if step.copies]
    for step in reversed(steps):
        if step.copies:
            copies.pop()
            found = [*step.older, *_older_siblings(step.outputs[0], copies)]
            step.older = tuple((node, alike) for node, alike in found if node not in needed)
        needed.update(step.inputs)


def _write_over_read(steps: list[Step], request: Request) -> None:
    """A part may also be set in the memory of what others have read before.

    Only if this plan makes it: a run that is cut short leaves leaves as they were.
    """
    asked = set(request.wanted)
    last = {node: place for place, step in enumerate(steps) for node in step.inputs}
    for place, step in enumerate(steps):
        base = step.outputs[0].inputs[0] if step.copies else None
        if base is None or step.inherits is not None or base.op == "leaf" or base in asked:
            continue
        if last.get(base) == place:
            step.inherits, step.shared = base, True


def _older_siblings(node: Node, copies: list[Step]) -> Iterator[Older]:
    """Values made before from the same base, in which the same part was set."""
    for earlier in copies[-1 : -STEPS_BACK - 1 : -1]:
        other = earlier.outputs[0]
        if other.inputs[0] is node.inputs[0] and sets_alike(other, node):
            yield other, (other,)


def read_once(request: Request) -> set[Node]:
    """Nodes that one other node of the graph reads, once, and that nobody has asked for."""
    readers = Counter(child for node in request.order for child in node.inputs)
    asked = set(request.wanted)
    return {node for node, count in readers.items() if count == 1 and node not in asked}


def width(step: Step | PlannedStep) -> int:
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
    known, inside = len(extra), set(step.nodes)
    order = [node for node in partition.order if node in inside]
    while (best := _largest_cone(order, partition.roots | extra, bindings)) is not None:
        extra.add(best)
    return len(extra) > known


def _largest_cone(order: list[Node], stored: AbstractSet[Node], bindings: int) -> Node | None:
    """The node that reads as many arrays as can be bound; None where everything can."""
    reads: dict[Node, frozenset[Node]] = {}
    best: Node | None = None
    for node in order:
        below: set[Node] = set()
        for child in node.inputs:
            known = child.op == "leaf" or child in stored
            below |= {child} if known else reads.get(child, frozenset())
        reads[node] = frozenset(below)
        fits = node not in stored and 1 < len(below) <= bindings - 4
        if fits and (best is None or len(below) >= len(reads[best])):
            best = node
    return best if any(len(below) > bindings - 3 for below in reads.values()) else None


def compile_plan(
    request: Request, residency: Residency, bindings: int, poll: Callable[[], None]
) -> CompiledPlan:
    """Everything that is done once per key; the steps are still to be placed.

    `poll` raises what ends it early: large graphs take long.
    """
    known = ranges(request, residency)
    index = request.index
    steps, work = build_steps(request, known, bindings, poll)
    planned = [_number(step, index) for step in steps]
    least = {
        index[node]: value_ranges.least_known(known[node][0])
        for node in request.order
        if known[node][0] >= 0
    }
    guarded = any(step.kernel.guarded for step in planned)
    wanted = tuple(index[n] for n in request.wanted)
    return CompiledPlan(planned, wanted, guarded, least, inflation=work)


def _term(step: Step, index: dict[Node, int], term: tuple[Node, int, int]) -> Term:
    node, item, factor = term
    home, first = step.homes.get(node, (node, 0))
    return index[home], first + item, factor


def _places(node: Node) -> list[Origin]:
    """The lines of the script that a node stands for: for a loop, those of its body."""
    body = cast("LoopBody", node.attrs[0]).origins if node.op == "loop" else ()
    return [Origin(place.file, place.line) for place in (node.origin, *body) if place.line]


def _node_number(step: Step, node: Node | None, index: dict[Node, int]) -> tuple[int, int]:
    """The number of a node; of a loop's stand-in the loop's and that of the entry."""
    if node is None or node in index:
        return (-1 if node is None else index[node]), -1
    home = step.homes.get(node, (node, 0))[0]
    if home not in index or node.op == "counter":
        return -1, -1
    return index[home], int(node.data[0].real)


def _ops(node: Node) -> tuple[str, ...]:
    """The ops that a node stands for: for a loop, those of its body."""
    if node.op != "loop":
        return (node.op,)
    return tuple(entry.op for entry in cast("LoopBody", node.attrs[0]).entries)


def _number(step: Step, index: dict[Node, int]) -> PlannedStep:
    maps = tuple(
        (
            row.offset.constant,
            tuple(_term(step, index, term) for term in row.offset.terms),
            row.strides,
        )
        for row in step.maps
    )
    computed = sorted((n for n in step.nodes if n in index), key=index.__getitem__)
    work = [n for n in computed if OPS[n.op].category is not Category.SOURCE] or computed
    work = work or [n for n in step.outputs if n in index]
    return PlannedStep(
        step.kernel,
        tuple(index[n] for n in step.inputs),
        tuple(index[n] for n in step.outputs),
        step.extents,
        maps,
        tuple((index[s.node] if s.node else -1, s.item) for s in step.params),
        step.kind,
        UNPLACED,
        cost.work(step),
        tuple(index[n] for n in work),
        tuple(op for n in work for op in _ops(n)),
        inherits=-1 if step.inherits is None else index[step.inherits],
        shared=step.shared,
        older=tuple((index[n], tuple(index[a] for a in alike)) for n, alike in step.older),
        meant=tuple(_node_number(step, node, index) for node in step.meant),
        memo=None if any(terms for _, terms, _ in maps) else {},
        elements=max(node.size for node in (*step.inputs, *step.outputs)),
    )
