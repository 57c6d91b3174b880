"""Chooses host or device for every step of a plan, by what the steps and their transfers cost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.accel import cost, host_cost, windows
from app.accel.plan import Decision, MapValues, Reason
from app.accel.schedule import TRIAL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from app.accel.cost import Speeds
    from app.accel.fuse.build import Step
    from app.accel.fuse.view import Offset
    from app.accel.node import Node
    from app.accel.plan import KernelRequest
    from app.accel.providers.base import DeviceInfo, Provider
    from app.accel.residency import Record, Residency
    from app.accel.schedule import CompiledPlan, PlannedStep, Request

HOPE = 1.5
"""What a side that a kernel never ran on is thought cheaper by, once a trial costs at most a tenth
of what the runs so far have taken."""


def _too_large(step: Step, info: DeviceInfo) -> str:
    """Why an array of the step is too large for the device; empty where none is."""
    operands = (*step.inputs, *step.outputs)
    sizes = [node.size * node.dtype.size for node in operands]
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
        missing: why none could be opened.
        compiled: whether the host has machine code for a kernel.
        lost_ms: what the host has taken longer, so far, than kernels not compiled would have.
    """

    provider: Provider | None
    host: Speeds
    device: Speeds
    force: str = "auto"
    prepared: Mapping[str, object] = field(default_factory=dict)
    unopened: str = ""
    missing: str = ""
    lost_ms: float = 0.0
    compiled: Callable[[KernelRequest], bool] = lambda _: False
    correction: cost.Correction = field(default_factory=cost.Correction)

    def run_ms(self, device: bool, kernel: KernelRequest, amount: cost.Work) -> float:
        """Estimated time of a step's work, corrected by what runs have shown."""
        factor = self.correction.factor(device, kernel.template, cost.sized(kernel, amount))
        return self.plain_ms(device, amount, self.compiled(kernel)) * factor

    def later_ms(self, kernel: KernelRequest, amount: cost.Work, now: float) -> float:
        """What the host will take when it takes `now`: machine code replaces NumPy in time."""
        if self.correction.seen[False, cost.sized(kernel, amount)] >= SETTLED:
            return now
        later = cost.machine_ms(amount, self.host)
        return min(now, later * self.correction.factor(False, kernel.template))

    @property
    def affords(self) -> bool:
        """Whether compiling a kernel costs no more than not compiling has cost."""
        return self.lost_ms >= self.device.compile_ms

    def tried(self, device: bool, kernel: KernelRequest, amount: cost.Work) -> bool:
        """Whether the kernel has been measured on this side, at this size."""
        return (device, cost.sized(kernel, amount)) in self.correction.own

    def plain_ms(self, device: bool, amount: cost.Work, compiled: bool = False) -> float:
        """The same before correction; `compiled` where the host has machine code."""
        if device:
            return cost.device_ms(amount, self.device)
        if compiled:
            return cost.machine_ms(amount, self.host)
        return cost.host_ms(amount, self.host)

    def observe(self, step: PlannedStep, device: bool, measured: float) -> None:
        """Learn from a measured step."""
        if self.force != "auto" or step.row < 0:
            return
        if not device and step.dear:
            self.lost_ms += max(0.0, measured - (step.decision.device_ms or 0.0))
        launch = self.device.launch_ms if device else self.host.launch_ms
        expected = self.plain_ms(device, step.work, self.compiled(step.kernel))
        if expected > 4 * launch:  # a launch says nothing about the work
            spent = measured + launch if device else measured
            step.drifted |= self.correction.observe(
                device, step.kernel.template, expected, spent, cost.sized(step.kernel, step.work)
            )

    def takes(self, node: Node) -> bool:
        """Whether a large product or scan is worth cutting into pieces for the device."""
        if self.provider is None or self.force == "cpu" or not self.provider.supports(node.dtype):
            return False
        traffic = sum(n.size * n.dtype.size for n in (node, *node.inputs))
        products = node.size * node.inputs[0].size // node.shape[0] if node.op == "matmul" else 0
        scanned = 0 if products else host_cost.SCANNED * node.size
        amount = cost.Work(3 * traffic, node.size, 0, products, scanned)
        return self.force == "gpu" or self.plain_ms(True, amount) < self.plain_ms(False, amount)

    def place(
        self, steps: Sequence[Step], request: Request, residency: Residency, uses: int = 0
    ) -> list[Decision]:
        """A decision per step: the cheapest of all-host, all-device and step by step.

        Compiling is spread over as many uses as there have been, or over a few.
        """
        fixed = [self._fixed(step) for step in steps]
        if self.provider is None:
            return [decision for decision in fixed if decision is not None]
        costs = [cost.work(step) for step in steps]
        trial = _Trial(steps, costs, self, request, residency, uses)
        free = [decision is None for decision in fixed]
        candidates = [
            trial.run(lambda _: False, fixed),
            trial.run(lambda _: True, fixed),
            trial.run(None, fixed),
        ]
        _, best, prices = min(candidates, key=lambda outcome: outcome[0])
        for step, side in zip(steps, best, strict=True):
            if side and self.affords and step.kernel.key not in self.prepared:
                self.lost_ms -= self.device.compile_ms
        return [
            self._explain(best[k], step, costs[k], prices[k], residency) if free[k]
            else replace(fixed[k] or UNPLACED, host_ms=prices[k][0], device_ms=prices[k][1])
            for k, step in enumerate(steps)
        ]  # fmt: skip

    def _fixed(self, step: Step) -> Decision | None:
        """Placements that are not a matter of price."""
        if self.provider is None:
            amount = cost.work(step)
            host_ms = self.run_ms(False, step.kernel, amount)
            if self.force == "cpu":
                return Decision(False, Reason.FORCED, host_ms)
            return self._without(host_ms, amount)
        problem = _too_large(step, self.provider.info)
        if problem:
            return Decision(False, Reason.BUFFER_LIMIT, detail=problem)
        if not all(map(self.provider.supports, step.kernel.types)):
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
        return Decision(False, Reason.NO_DEVICE, host_ms, detail=self.unopened or self.missing)

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


SETTLED = 3
"""Runs on the host after which its speed is known, machine code or not."""
UNPLACED = Decision(False, Reason.NO_DEVICE)


class _Trial:
    """Adds up the price of a placement, transfers included."""

    def __init__(
        self, steps: Sequence[Step], costs: Sequence[cost.Work], placer: Placer,
        request: Request, residency: Residency, uses: int,
    ) -> None:  # fmt: skip
        self.runs, self.uses = uses, max(uses, cost.EXPECTED_USES)
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
            host, device = (self._step(step, amount, s, dict(where)) for s in (False, True))
            price = tuple(
                self._step(step, amount, s, dict(where), choosing=False) for s in (False, True)
            )
            compiling = self._compiling(step)
            if decision is not None:
                side = decision.device
            elif callable(choose):
                side = bool(choose(step))
            else:
                side = device + compiling < host
            total += self._step(step, amount, side, where) + side * compiling
            sides.append(side)
            prices.append((price[0], price[1]))
        if self.request.gathered:
            total += sum(self._fetch(node, where) for node in self.request.wanted)
        return total, sides, prices

    def _compiling(self, step: Step) -> float:
        """The share of a compilation that one use bears."""
        if step.kernel.key in self.placer.prepared or self.placer.affords:
            return 0.0
        return self.placer.device.compile_ms / self.uses

    def _chosen_by(self, device: bool, step: Step, amount: cost.Work, now: float) -> float:
        """The time by which sides are compared: of runs to come as well, and with some hope."""
        if not device:
            later = self.placer.later_ms(step.kernel, amount, now)
            now = later + (now - later) / self.uses
        return now / HOPE if self._hopeful(device, step, amount) else now

    def _step(
        self, step: Step, amount: cost.Work, device: bool,
        where: dict[Node, tuple[bool, bool]], choosing: bool = True,
    ) -> float:  # fmt: skip
        total = self.placer.run_ms(device, step.kernel, amount)
        if choosing:
            total = self._chosen_by(device, step, amount, total)
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

    def _hopeful(self, device: bool, step: Step, amount: cost.Work) -> bool:
        """Whether a side that the kernel never ran on is worth a trial."""
        placer, kernel = self.placer, step.kernel
        if self.runs < TRIAL or placer.tried(device, kernel, amount):
            return False
        if not placer.tried(not device, kernel, amount):
            return False
        compiling = device and kernel.key not in placer.prepared
        spent = self.runs * placer.run_ms(not device, kernel, amount)
        return not compiling or spent >= 10 * placer.device.compile_ms

    def _fetch(self, node: Node, where: dict[Node, tuple[bool, bool]]) -> float:
        if where.get(node, (True, False))[0]:
            return 0.0
        return cost.download_ms(node.size * node.dtype.size, self.placer.device)
