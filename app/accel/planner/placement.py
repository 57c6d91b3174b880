"""Chooses host or device for every step of a plan, by what the steps and their transfers cost."""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import TYPE_CHECKING

from app.accel.backends.host import host_cost
from app.accel.codegen import tiling
from app.accel.ir.plan import Decision, Reason, Template
from app.accel.planner import cost
from app.accel.planner.cost import Side
from app.accel.planner.dispatch_template import dispatch_template, maps_of, number_of
from app.accel.planner.placement_search import PlacementSearch
from app.accel.planner.schedule import UNPLACED, Rent
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from app.accel.backends.base import DeviceInfo, Provider
    from app.accel.backends.residency import Residency
    from app.accel.ir.node import Node
    from app.accel.ir.plan import KernelRequest
    from app.accel.planner.cost import Speeds
    from app.accel.planner.placement_search import Outcome
    from app.accel.planner.schedule import CompiledPlan, PlannedStep, Request

LEARNT = 32
"""Runs of a step after which only every eighth is learnt from."""
SETTLED = 3
"""Runs on the host after which its speed is known, machine code or not."""
FORMULAS = frozenset({Template.MAP, Template.REDUCE, Template.LOOP})
BESIDE = {"cpu": 1.0}
BESIDE_HARDWARE = 0.1
"""A kernel is compiled beside the script once what it will save is worth this share of compiling:
all of it where the compiler takes the processor that the host needs."""


def _too_large(step: PlannedStep, order: Sequence[Node], info: DeviceInfo) -> str:
    """Why an array of the step is too large for the device; empty where none is."""
    operands = [order[k] for k in (*step.inputs, *step.outputs)]
    sizes = [node.size * node.dtype.size for node in operands]
    if not tiling.too_large(sizes, info.max_binding_bytes):
        return ""
    numbers = [number_of(order, *place) for place in step.params]
    cutter = tiling.Cutter(
        step.kernel,
        step.extents,
        maps_of(step, order),
        tuple(node.size for node in operands),
        info.max_binding_bytes,
        tiling.passes(step.kernel, numbers),
    )
    if cutter.width():
        return ""
    return f"{max(sizes)} bytes are bound at once ({info.max_binding_bytes} at most)"


def _rounding_notice(step: PlannedStep, info: DeviceInfo) -> str:
    """What is to be said of a step whose doubles are computed in single precision."""
    if "fast-doubles" not in info.features:
        return ""
    wide = any(i.dtype in host_cost.WIDE for i in step.kernel.body)
    return "doubles in single precision (fast doubles)" if wide else ""


def _is_small(amount: cost.Work) -> bool:
    """Work that no launch is worth."""
    return amount.bytes < 256 * 1024 and amount.arithmetic + amount.doubles < 1e6


def _single(step: PlannedStep, order: Sequence[Node]) -> bool:
    """Whether a step computes a number from numbers, by formulas written out."""
    if step.kernel.template not in FORMULAS or math.prod(step.extents) != 1:
        return False
    return all(order[k].size == 1 for k in (*step.inputs, *step.outputs))


def _matters(decision: Decision, device: bool, spent: float) -> bool:
    """Whether a measured time speaks against a decision, or against what was said of it."""
    prices = decision.host_ms, decision.device_ms
    own, other = prices[::-1] if device else prices
    if own is None or other is None:
        return True
    return spent > other / 2 or not own / 2 < spent < 2 * own


@mutable_record
class Placer:
    """Chooses host or device for every step of a plan.

    Attributes:
        force: auto, cpu or gpu.
        unopened: why no device has been opened yet; empty when nothing is left to open.
        missing: why none could be opened.
        compiled: whether the host has machine code for a kernel.
        correction: what runs have shown, this one and earlier ones.
    """

    provider: Provider | None
    host: Speeds
    device: Speeds
    force: str = "auto"
    unopened: str = ""
    missing: str = ""
    compiled: Callable[[KernelRequest], bool] = lambda _: False
    correction: cost.Correction = field(default_factory=cost.Correction)

    @property
    def is_apart(self) -> bool:
        """Whether work may go to a device with a processor of its own, or has to: what a software
        adapter computes, it computes where the host does."""
        provider = self.provider
        return provider is not None and (self.force == "gpu" or provider.info.type != "cpu")

    def run_ms(self, device: bool, kernel: KernelRequest, amount: cost.Work) -> float:
        """Estimated time of a step's work, corrected by what runs have shown."""
        if device:
            return self._estimate(Side.DEVICE, kernel, amount)
        if self.compiled(kernel):
            return self._estimate(Side.CODE, kernel, amount)
        slow = self._estimate(Side.NUMPY, kernel, amount)
        if not cost.waits(amount, self.host):
            return slow
        return min(slow, self._estimate(Side.CODE, kernel, amount) + cost.compiled_ms(kernel))

    def _estimate(self, side: Side, kernel: KernelRequest, amount: cost.Work) -> float:
        return self.correction.estimate(side, kernel, amount, self.plain_ms(side, amount))

    def later_ms(self, kernel: KernelRequest, amount: cost.Work, now: float) -> float:
        """What the host will take when it takes `now`: machine code replaces NumPy in time."""
        known = self.correction.known(False, kernel, amount)
        if known is not None and known.runs >= SETTLED:
            return now
        later = cost.machine_ms(amount, self.host)
        return min(now, later * self.correction.factor(Side.CODE, kernel.template))

    def tried(self, device: bool, kernel: KernelRequest, amount: cost.Work) -> bool:
        """Whether the kernel has been measured on this side, at this size."""
        return self.correction.known(device, kernel, amount) is not None

    def plain_ms(self, side: Side, amount: cost.Work) -> float:
        """The same before correction."""
        if side is Side.DEVICE:
            return cost.device_ms(amount, self.device)
        price = cost.machine_ms if side is Side.CODE else cost.numpy_ms
        return price(amount, self.host)

    def ready(self, step: PlannedStep, order: Sequence[Node]) -> bool:
        """Whether the device has a step's kernel compiled."""
        return self.provider is not None and self.provider.ready(
            step.kernel, dispatch_template(step, order)
        )

    def compiling(self, kernel: KernelRequest) -> float:
        """How long the device's compiler will take."""
        return self.correction.compiling(kernel, self.device)

    def observe(self, step: PlannedStep, side: Side, measured: float) -> None:
        """Learn from a measured step; from later runs now and then."""
        step.runs += 1
        if step.runs > LEARNT and step.runs % 8:
            return
        device = side is Side.DEVICE
        launch = self.device.launch_ms if device else self.host.launch_ms
        expected = self.plain_ms(side, step.work)
        if max(expected, measured) > 4 * launch:  # a launch says nothing about the work
            spent = measured + launch if device else measured
            moved = self.correction.observe(side, step.kernel, step.work, expected, spent)
            step.drifted |= moved and _matters(step.decision, device, spent)

    def takes(self, node: Node) -> bool:
        """Whether a large product or scan is worth cutting into pieces for the device."""
        if self.provider is None or self.force == "cpu" or not self.provider.supports(node.dtype):
            return False
        traffic = sum(n.size * n.dtype.size for n in (node, *node.inputs))
        products = node.size * node.inputs[0].size // node.shape[0] if node.op == "matmul" else 0
        scanned = 0 if products else host_cost.SCANNED * node.size
        amount = cost.Work(3 * traffic, node.size, 0, products, scanned)
        return self.force == "gpu" or (
            self.plain_ms(Side.DEVICE, amount) < self.plain_ms(Side.NUMPY, amount)
        )

    def place(
        self, plan: CompiledPlan, request: Request, residency: Residency, repeats: int = 1
    ) -> None:
        """Decide for every step; what would be on the device if it were compiled is `awaited`.

        The plan is used `repeats` times at once, as far as one knows.
        """
        order, steps = request.order, plan.steps
        fixed = self._all_fixed(steps, order, residency, repeats)
        plan.rent, plan.bought = Rent(), False
        if self.provider is None:
            for step, decision in zip(steps, fixed, strict=True):
                step.decision = decision or UNPLACED
            return
        trial = PlacementSearch(
            steps, request, self, residency, fixed, plan.uses, plan.missed, repeats
        )
        now = settled = trial.best(settled=False)
        if None in fixed:
            settled = trial.best(settled=True)
        wanted = self._steps_to_compile(trial, now, settled)
        plan.rent = trial.rent(now, settled, plan.missed)
        plan.bought = any(trial.credit[number] for number in now.moved)
        plan.missed = 0.0 if plan.bought else plan.missed
        for number in now.moved:
            record = residency.record(order[number])
            if record is not None:
                record.missed_ms = 0.0
        for k, step in enumerate(steps):
            step.drifted, known = False, fixed[k]
            step.awaited = dispatch_template(step, order) if k in wanted else None
            if known is None:
                step.decision = self._explain(step, order, now, k, trial.missing[k], residency)
            else:
                host_ms, device_ms = now.prices[k]
                step.decision = replace(known, host_ms=host_ms, device_ms=device_ms)

    def _steps_to_compile(self, trial: PlacementSearch, now: Outcome, settled: Outcome) -> set[int]:
        """The steps whose kernels are worth compiling while the host computes."""
        wanted = {k for k, ms in enumerate(trial.missing) if ms and settled.sides[k]}
        wanted -= {k for k, side in enumerate(now.sides) if side}
        kind = self.provider.info.type if self.provider is not None else ""
        price = BESIDE.get(kind, BESIDE_HARDWARE) * sum(trial.missing[k] for k in wanted)
        return wanted if (now.total - settled.total) * trial.uses >= price else set()

    def _all_fixed(
        self,
        steps: Sequence[PlannedStep],
        order: Sequence[Node],
        residency: Residency,
        repeats: int,
    ) -> list[Decision | None]:
        """Placements that are not a matter of price."""
        records = ((k, residency.record(node)) for k, node in enumerate(order))
        away = {k for k, r in records if r is not None and r.host is None and r.device is not None}
        found: list[Decision | None] = []
        for step in steps:
            found.append(self._fixed_decision(step, order, away, repeats))
            if found[-1] is not None and found[-1].device:
                away.update(step.outputs)
        return found

    def _fixed_decision(
        self, step: PlannedStep, order: Sequence[Node], away: AbstractSet[int], repeats: int
    ) -> Decision | None:
        """A placement that is no matter of price; `away` are values that the host would fetch.

        What repeats is on one side, so that it need not be planned again.
        """
        if self.provider is None:
            host_ms = self.run_ms(False, step.kernel, step.work)
            if self.force == "cpu":
                return Decision(False, Reason.FORCED, host_ms)
            return self._decision_without_device(host_ms, step.work)
        problem = _too_large(step, order, self.provider.info)
        if problem:
            return Decision(False, Reason.BUFFER_LIMIT, detail=problem)
        if not all(map(self.provider.supports, step.kernel.types)):
            return Decision(False, Reason.PRECISION)
        small = self.provider.info.type == "cpu" and _single(step, order)  # nothing to share out
        if small and repeats == 1 and away.isdisjoint(step.inputs):
            return Decision(False, Reason.TOO_SMALL, detail="one number; the host is the device")
        if self.force == "gpu":
            return Decision(True, Reason.FORCED, detail=_rounding_notice(step, self.provider.info))
        return None

    def _decision_without_device(self, host_ms: float, amount: cost.Work) -> Decision:
        """The decision while no device is open."""
        if not self.unopened:
            return Decision(False, Reason.NO_DEVICE, host_ms, detail=self.missing)
        reason = Reason.TOO_SMALL if _is_small(amount) else Reason.COST_MODEL_HOST
        return Decision(False, reason, host_ms, detail=self.unopened)

    def _explain(
        self,
        step: PlannedStep,
        order: Sequence[Node],
        found: Outcome,
        k: int,
        missing: float,
        residency: Residency,
    ) -> Decision:
        device, (host_ms, device_ms) = found.sides[k], found.prices[k]
        records = [residency.record(order[number]) for number in step.inputs]
        resident = any(r is not None and r.device is not None for r in records)
        if device:
            reason = Reason.RESIDENT if resident else Reason.COST_MODEL_DEVICE
        else:
            reason = Reason.TOO_SMALL if _is_small(step.work) else Reason.COST_MODEL_HOST
        detail = f"its kernel takes about {missing:.0f} ms to compile" if missing else ""
        if step.awaited:
            detail += ", which goes on beside"
        if device and self.provider is not None:
            detail = _rounding_notice(step, self.provider.info) or detail
        return Decision(device, reason, host_ms, device_ms, detail)
