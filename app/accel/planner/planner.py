"""From wanted values to plans: the cache of plans, and when a device is worth opening."""

from __future__ import annotations

import logging
import os
from time import perf_counter
from typing import TYPE_CHECKING

from app.accel.backends.device_opening import EAGER_MS, WAIT_MS, Opening
from app.accel.ir.node import NOWHERE
from app.accel.ir.plan import Reason
from app.accel.planner import calibration, cost, history, plan_cache, verify
from app.accel.planner.cost import Side
from app.accel.planner.dispatch_template import dispatch_template
from app.accel.planner.group_rows import GroupRows
from app.accel.planner.placement import Placer
from app.accel.planner.plan_cache import KnownPlans, PlanCache
from app.accel.planner.schedule import CompiledPlan, PlannedStep, Request, compile_plan
from app.accel.support.telemetry import Event
from app.errors import FuselabError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.backends.base import Provider
    from app.accel.fusion.loops.traced import Traced
    from app.accel.ir.node import Node, Origin
    from app.accel.ir.plan import Dispatch, KernelRequest
    from app.accel.planner.cost import Speeds
    from app.accel.planner.execution import Execution
    from app.accel.planner.walk import Walk
    from app.accel.support.options import AccelOptions

FEW = 4
"""Runs of a step, of those measured together, that are learnt from."""
ENDLESS = 1 << 20
"""Passes of a loop that ends otherwise: it is left, or its condition turns."""
LIKELY_PASSES = 64
"""Passes that a loop without a known end is thought to have."""
DOUBT = 2.0
"""By what the host may be faster than a look at a loop's operations says."""
NODE_COMPILE_MS = 5.0
"""What compiling a loop's kernels takes, per operation of its body."""


class Planner:
    """Plans evaluations; opens the device when one is worth it.

    Attributes:
        placer: chooses host or device.
        opening: the device, once it is open.
        rows: what the report says of groups.
        plans: those of this process.
        origin: the place in the script that needs a value.
        script: the script that runs.
        missed_ms: what a device that is not open would have saved so far.
        unmeasured: whether speeds are still to be measured, when nothing else runs.
        repeats: how often what is planned now is used at once: in the passes of a loop.
    """

    def __init__(
        self, options: AccelOptions, execution: Execution, opener: Callable[[str], Provider]
    ) -> None:
        self.options, self.execution = options, execution
        self.recorder, self.residency = execution.recorder, execution.residency
        named = options.device not in {"auto", "cpu"}
        speeds = cost.typical_host(execution.host.threads)
        self.placer = Placer(None, speeds, speeds, "gpu" if named else options.device)
        self.placer.compiled = execution.hosted.compiled
        self.opening = Opening(options.device, self._calibrate, opener)
        self.rows = GroupRows(self.recorder, self.residency, self.opening)
        self.plans = KnownPlans()
        self._measured: Speeds | None = None
        self._expected: Speeds | None = None
        self._remembered, self._recalled = False, ""
        self._gains: dict[str, float] = {}
        self._gain_ms = 0.0
        self.kept = PlanCache()
        self.origin = NOWHERE
        self.missed_ms = 0.0
        self.script = ""
        self.unmeasured = False
        self.repeats = 1
        self._hoped: list[tuple[KernelRequest, Dispatch]] = []

    def _calibrate(self, provider: Provider) -> None:
        """Runs in the opening thread.

        A card begins to compile what has been planned meanwhile. Nothing is measured here: a
        script may wait for the device, or compute beside us, and then the numbers would be wrong
        for good.
        """
        if provider.info.type != "cpu":
            for kernel, like in list(self._hoped):
                if all(map(provider.supports, kernel.types)):
                    provider.anticipate(kernel, like)
        if not self.options.calibration:
            return
        self._measured = calibration.load(provider.info.fingerprint)
        if self.placer.force != "auto":
            return
        self.unmeasured = not all(map(calibration.complete, (provider, self.execution.host)))
        info = provider.info
        opened = calibration.Opened(self.opening.open_ms, info.fingerprint, info.type)
        calibration.remember_opening(self.options.device, opened)

    def observe(self, step: PlannedStep, side: Side, times: Sequence[float]) -> None:
        """Learn from runs of a step, but not while opening a device slows everything down."""
        if not self.opening.under_way:
            for spent in times[:FEW]:
                self.placer.observe(step, side, spent)
        if side is Side.DEVICE and self.script and step.decision.host_ms is not None:
            self._gain_ms += step.decision.host_ms * len(times) - sum(times)
            self._gains[self.script] = self._gain_ms

    def observe_compilation(self, kernel: KernelRequest, spent: float) -> None:
        """Learn how long compilations take."""
        self.placer.correction.has_compiled(kernel, spent)

    def begin(self, script: str) -> None:
        """A script begins: a device by which it gained enough the last time is opened at once."""
        self.script, self._gain_ms = script, 0.0
        if script and self.options.kernel_cache:
            self.kept.expect(script)
        if self.execution.device is not None:
            self.execution.device.expect(script)
        elif script:
            self.remember()
            if self._gains.get(script, 0.0) >= self.opening.cost_ms:
                self.opening.begin()

    def end(self) -> None:
        """Nothing comes any more: an opening under way is given up, unless it is the first one.

        That tells what there is here, for all runs to come.
        """
        if self._remembered and self._expected is None:
            self.opening.finish()
        else:
            self.opening.abandon()
        self._keep()

    def _keep(self) -> None:
        """Leave plans, and what was learnt, to later runs."""
        if self.options.kernel_cache:
            for script in {plan.script for plan in self.plans.values() if plan.script}:
                plans = ((key, p) for key, p in self.plans.items() if p.script == script)
                plan_cache.keep(script, plans)
        placer, device = self.placer, self.execution.device
        if not self.options.calibration or not placer.correction.own:
            return
        host = calibration.name_of(self.execution.host)
        history.keep(placer.correction, False, host, placer.host, {})
        if device is not None:
            name = calibration.name_of(device)
            history.keep(placer.correction, True, name, placer.device, self._gains)

    def measure(self) -> None:
        """Measure what no run has measured yet; to be called when nothing else runs.

        That is also the time to open a graphics card for the runs to come.
        """
        device = self.execution.device
        if device is None and self.opening.eager and self.missed_ms >= EAGER_MS:
            self.opening.begin()
        if not self.unmeasured or device is None:
            return
        self.placer.device = calibration.speeds_of(device)
        self.placer.host = calibration.speeds_of(self.execution.host)
        self.execution.disregard_submissions()
        self.unmeasured = not all(map(calibration.complete, (device, self.execution.host)))
        self.placer.correction.epoch += 1  # plans are priced again

    def remember(self) -> None:
        """What earlier runs know of opening, and of the speeds behind it."""
        if not self.options.calibration or self._remembered:
            return
        self._remembered, placer, host = True, self.placer, self.execution.host
        placer.host = calibration.known_host(host) or placer.host
        history.recall(placer.correction, False, calibration.name_of(host), placer.host)
        known = calibration.opening_of(self.options.device)
        if known is None or placer.force != "auto":
            return
        # A time measured on a busy machine must not keep the device shut for ever.
        self.opening.cost_ms = min(known.ms, 1.5 * WAIT_MS)
        self.opening.expect(known.fingerprint.partition("|")[0], known.kind)
        self._expected = calibration.load(known.fingerprint) or cost.typical_of(known.kind)
        self._recalled, self._gains = known.fingerprint, history.read(known.fingerprint).scripts
        history.recall(placer.correction, True, known.fingerprint, self._expected)

    def open_for(self, gain_ms: float) -> None:
        """Open the device if what it would save now is worth it."""
        if self.execution.device is None and not self.opening.done:
            provider = self.opening.wanted(gain_ms)
            if provider is not None:
                self.adopt(provider)

    @property
    def may_get_card(self) -> bool:
        """Whether no device is there yet and a graphics card may come."""
        return self.execution.device is None and self.opening.may_give_card

    def has_card_for(self, host_ms: float) -> bool:
        """Whether a graphics card is open, or is opened for work that takes the host so long."""
        self.remember()
        if self.opening.may_give_card:
            self.open_for(host_ms)
        device = self.execution.device
        return device is not None and device.info.type != "cpu"

    def open_for_loop(self, body: Traced) -> None:
        """Open a graphics card before passes that take the host long: they are placed together, and
        those that have begun as chains of operations stay so."""
        if self.execution.device is not None or not self.opening.may_give_card:
            return
        self.remember()
        nodes = body.variant()
        passes = body.trips if body.trips < ENDLESS else LIKELY_PASSES
        host_ms = passes * cost.pass_ms(nodes, self.placer.host)
        self.has_card_for(host_ms / DOUBT - NODE_COMPILE_MS * len(nodes))

    def adopt(self, provider: Provider) -> None:
        """From now on plans may use this device."""
        budget = self.options.memory_budget or default_budget(provider)
        self.execution.attach(provider, budget)
        self._hoped.clear()
        if self.script:
            provider.expect(self.script)
        self.placer.provider, self.placer.unopened = provider, ""
        self.placer.device = self._measured or cost.typical(provider.info)
        self._recall(calibration.name_of(provider))

    def _recall(self, name: str) -> None:
        """What earlier runs know of the device that has been opened."""
        if name == self._recalled or not self.options.calibration:
            return
        history.forget_device(self.placer.correction)
        history.recall(self.placer.correction, True, name, self.placer.device)
        self._recalled = name

    def lose(self) -> Provider | None:
        """The device is gone: forget everything made for it; the device opened anew, if it can."""
        old = self.execution.detach()
        self.placer.provider = None
        self.plans.clear()
        if old is not None:
            try:
                old.close()
            except (FuselabError, RuntimeError, OSError):
                logging.getLogger("fuselab.gpu").info("closing a lost device", exc_info=True)
        fresh = self.opening.again()
        if fresh is not None:
            self.adopt(fresh)
        return fresh

    def plan(self, walk: Walk, wanted: list[Node], origin: Origin, gathered: bool) -> CompiledPlan:
        """The plan of an evaluation, from the cache if it was planned before."""
        self.origin = origin
        structure = (
            tuple(walk.key),
            tuple(walk.index[node] for node in wanted),
            tuple(walk.again),
            gathered,
        )
        plan, uses = self.plans.find(structure, walk), 0
        self.recorder.counters.plans += 1
        if self.recorder.counters.plans == 1:
            self._tell_missing()
        if plan is not None:
            self.recorder.counters.plan_cache_hits += 1
            plan.uses = uses = plan.uses + 1
            settled, dear = self._opened_for(plan), self._pays(plan, walk)
            if not (settled or dear or plan.due(self.placer.correction.epoch, self._ready)):
                self.rows.reused(plan, walk, origin)
                plan.script = self.script
                return plan
        started = perf_counter()
        nodes = list(dict.fromkeys([*wanted, *(walk.order[k] for k in walk.again)]))
        request = Request(walk.order, walk.index, nodes, walk.scalars, gathered)
        if plan is None or plan.width > self._bindings():
            plan = self._new_plan(request, (structure, walk.sharing))
            plan.sharing = walk.sharing
        plan.uses, plan.script = uses, self.script
        self._place(plan, request)
        if self.options.verify:
            verify.graph(wanted)
            verify.plan(plan, [k for k, node in enumerate(walk.order) if node.op == "leaf"])
        plan.locate(walk.order, origin)
        chosen = self.placer.force == "auto" and self.execution.device is not None
        for step in plan.steps:  # placed anew where there was no choice, it is the same group
            if chosen or step.row not in self.recorder.groups:
                self.rows.add(plan, step, walk, origin)
        self.recorder.counters.groups += len(plan.steps)
        counters = self.recorder.counters
        counters.work_inflation = max(counters.work_inflation, plan.inflation)
        self.plans.keep(structure, plan)
        self.recorder.emit(Event("Planner", "plan", started, perf_counter() - started, origin.line))
        return plan

    def again(self, plan: CompiledPlan, origin: Origin) -> bool:
        """Whether a plan is used as it is, by what is known of it; then it is counted."""
        ready = self.execution.device is not None or self.opening.done
        if not ready or plan.rent.ms or plan.origin != origin:
            return False
        plan.uses += 1
        due = plan.due(self.placer.correction.epoch, self._ready)
        if due or not self.rows.shown_again(plan):
            plan.uses -= 1
            return False
        self.origin = origin
        counters = self.recorder.counters
        counters.plans += 1
        if counters.plans == 1:
            self._tell_missing()
        counters.plan_cache_hits += 1
        self.rows.count(plan)
        plan.script = self.script
        return True

    def _pays(self, plan: CompiledPlan, walk: Walk) -> bool:
        """A plan runs once more; whether it has paid for the transfers that it could do with."""
        rent = plan.rent
        if not rent.ms:
            return False
        records = [self.residency.record(walk.order[number]) for number in rent.arrays]
        plan.missed += rent.ms
        return max(plan.missed, rent.paid(records)) >= rent.price

    def _bindings(self) -> int:
        """Storage bindings that a kernel may have."""
        device = self.execution.device
        return device.info.max_storage_bindings if device else 1 << 30

    def is_mispriced(self, plan: CompiledPlan) -> bool:
        """Whether a plan is to be placed anew, however often it has been used."""
        return plan.is_mispriced(self.placer.correction.epoch, self._ready)

    def _new_plan(self, request: Request, key: object) -> CompiledPlan:
        """A plan without placements; made twice where its price is reason to open the device."""
        self.remember()
        if self.opening.forced:
            self._opened_for(None)
        while True:
            bindings = self._bindings()
            plan = self.kept.get(key, bindings) or compile_plan(
                request, self.residency, bindings, self.execution.poll
            )
            plan.gain = plan.gain or self._savings_of_device(plan, request)
            if not self._opened_for(plan) or plan.width <= self._bindings():
                self.recorder.counters.plan_cache_hits += self.kept.gave(plan)
                return plan

    def _place(self, plan: CompiledPlan, request: Request) -> None:
        """Decide where a plan runs; what would run on the device is compiled meanwhile."""
        plan.epoch, plan.priced = self.placer.correction.epoch, plan.uses
        self.placer.place(plan, request, self.residency, self.repeats)
        if any(not step.decision.device for step in plan.steps):
            plan.prepared = None
        device = self.execution.device
        if device is None and self.opening.under_way and plan.gain is not None and plan.gain[1] > 0:
            order = request.order
            self._hoped += [(step.kernel, dispatch_template(step, order)) for step in plan.steps]
        if device is not None:
            self._begin_compiling(plan, request, device)

    def _begin_compiling(self, plan: CompiledPlan, request: Request, device: Provider) -> None:
        """Have a plan's kernels compiled beside each other, not each when its step is reached."""
        fresh: dict[str, tuple[KernelRequest, Dispatch]] = {}
        for step in plan.steps:
            if step.awaited is not None:
                device.anticipate(step.kernel, step.awaited)
            elif step.decision.device and step.kernel.key not in fresh:
                like = dispatch_template(step, request.order)
                if not device.ready(step.kernel, like):
                    fresh[step.kernel.key] = step.kernel, like
        if len(fresh) > 1:
            for kernel, like in fresh.values():
                device.anticipate(kernel, like)

    def _ready(self, kernel: KernelRequest, like: Dispatch) -> bool:
        device = self.execution.device
        return device is not None and device.ready(kernel, like)

    def _opened_for(self, plan: CompiledPlan | None) -> bool:
        """Open the device if this plan is worth it; whether it has been opened just now."""
        if self.execution.device is not None or self.opening.done:
            return False
        now, later = (0.0, 0.0) if plan is None or plan.gain is None else plan.gain
        self.missed_ms += max(0.0, later)
        if plan is not None:
            plan.missed += max(0.0, later)
        provider = self.opening.wanted(now, self.missed_ms)
        settled = self.opening.done
        self.placer.unopened = "" if settled else self._why_unopened()
        if provider is not None:
            self.adopt(provider)
        else:
            self.placer.missing = self.opening.problem
            self._tell_missing()
        return settled

    def _tell_missing(self) -> None:
        """Record, once in every run, that the device that was asked for is not there."""
        if self.opening.failed:
            self.recorder.boundary(self.origin, Reason.NO_DEVICE, self.opening.problem)

    def _savings_of_device(self, plan: CompiledPlan, request: Request) -> tuple[float, float]:
        """What a device would save a plan now and later, as far as one can know.

        Now the kernels must be compiled as well, and arrays uploaded.
        """
        placer, speeds = self.placer, self._expected
        host = sum(placer.run_ms(False, step.kernel, step.work) for step in plan.steps)
        if speeds is None:
            return host, host
        device = speeds.download_ms + sum(
            placer.correction.estimate(
                Side.DEVICE, step.kernel, step.work, cost.device_ms(step.work, speeds)
            )
            for step in plan.steps
        )
        read = {number for step in plan.steps for number in step.inputs}
        leaves = (request.order[number] for number in read if request.order[number].op == "leaf")
        moving = sum(cost.upload_ms(leaf.size * leaf.dtype.size, speeds) for leaf in leaves)
        kernels = {step.kernel.key: step.kernel for step in plan.steps}.values()
        compiling = sum(placer.correction.compiling(kernel, speeds) for kernel in kernels)
        return host - device - compiling - moving, host - device

    def _why_unopened(self) -> str:
        if self.opening.under_way:
            return "the device is still opening"
        what, price = self.opening.what, self.opening.cost_ms
        return f"no work so far was worth opening {what} (about {price:.0f} ms)"


def default_budget(device: Provider | None) -> int:
    """A software adapter shares our memory: a quarter of it; hardware says itself when it ends."""
    if device is None or device.info.type != "cpu":
        return 0
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
