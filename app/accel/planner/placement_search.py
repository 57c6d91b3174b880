"""Adds up what placements cost: work, transfers, compilations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.accel.planner import cost
from app.accel.planner.schedule import TRIAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.backends.residency import Record, Residency
    from app.accel.ir.node import Node
    from app.accel.ir.plan import Decision
    from app.accel.planner.placement import Placer
    from app.accel.planner.schedule import PlannedStep, Request

    Places = dict[int, tuple[bool, bool]]
    """Per node whether it is on the host and whether it is on the device."""

UNTRIED_SPEEDUP = 1.5
"""What a side that a kernel never ran on is thought cheaper by, once a trial costs at most a tenth
of what the runs so far have taken."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A placement.

    Attributes:
        total: its price, compilations included if they were to be.
        sides: per step whether it is on the device.
        prices: per step what it would take on either side at its turn.
    """

    total: float
    sides: list[bool]
    prices: list[tuple[float, float]]


class PlacementSearch:
    """Prices placements of the steps of a plan.

    Attributes:
        missing: per step the milliseconds of compiling that the device still needs for it.
    """

    def __init__(
        self,
        steps: Sequence[PlannedStep],
        request: Request,
        placer: Placer,
        residency: Residency,
        fixed: Sequence[Decision | None],
        uses: int,
    ) -> None:
        self.runs, self.uses = uses, max(uses, cost.EXPECTED_USES)
        self.steps, self.placer, self.fixed = steps, placer, fixed
        self.order, self.request = request.order, request
        self.missing = [
            0.0 if placer.ready(step, self.order) else placer.compiling(step.kernel)
            for step in steps
        ]
        self.at_start: Places = {}
        for number, node in enumerate(self.order):
            record: Record | None = residency.record(node) if node.op == "leaf" else None
            if record is not None:
                self.at_start[number] = (record.host is not None, record.device is not None)

    def best(self, *, compiled: bool) -> Outcome:
        """The cheapest of all-host, all-device and step by step.

        With `compiled` it is the cheapest one once every kernel is there.
        """
        choices: list[Callable[[], bool] | None] = [lambda: False, lambda: True, None]
        return min((self._run(choose, compiled) for choose in choices), key=lambda o: o.total)

    def _run(self, choose: Callable[[], bool] | None, compiled: bool) -> Outcome:
        """Without `choose` every step takes its cheaper side."""
        where = dict(self.at_start)
        total, sides, prices = 0.0, list[bool](), list[tuple[float, float]]()
        for k, (step, decision) in enumerate(zip(self.steps, self.fixed, strict=True)):
            compiling = 0.0 if compiled else self.missing[k]
            host, device = (self._step(step, s, dict(where)) for s in (False, True))
            if decision is not None:
                side = decision.device
            else:
                side = choose() if choose else device + compiling < host
            prices.append(
                (
                    self._step(step, False, dict(where), choosing=False),
                    self._step(step, True, dict(where), choosing=False),
                )
            )
            total += self._step(step, side, where) + side * compiling
            sides.append(side)
        if self.request.gathered:
            total += sum(self._fetch(node, where) for node in self.request.wanted)
        return Outcome(total, sides, prices)

    def _step(self, step: PlannedStep, device: bool, where: Places, choosing: bool = True) -> float:
        total = self.placer.run_ms(device, step.kernel, step.work)
        if choosing:
            total = self._chosen_by(device, step, total)
        for number in dict.fromkeys(step.inputs):
            host, there = where.get(number, (True, False))
            node = self.order[number]
            n_bytes = node.size * node.dtype.size
            if device and not there:
                again = self.uses / cost.EXPECTED_USES if node.op == "leaf" else 1.0
                total += cost.upload_ms(n_bytes, self.placer.device) / again
                where[number] = (host, True)
            elif not device and not host:
                total += cost.download_ms(n_bytes, self.placer.device)
                where[number] = (True, there)
        for number in step.outputs:
            where[number] = (not device, device)
        return total

    def _chosen_by(self, device: bool, step: PlannedStep, now: float) -> float:
        """The time by which sides are compared: of runs to come as well, and with some hope."""
        if not device:
            later = self.placer.later_ms(step.kernel, step.work, now)
            now = later + (now - later) / self.uses
        return now / UNTRIED_SPEEDUP if self._is_worth_trying(device, step) else now

    def _is_worth_trying(self, device: bool, step: PlannedStep) -> bool:
        """Whether a side that the kernel never ran on is worth a trial."""
        placer, kernel, amount = self.placer, step.kernel, step.work
        if self.runs < TRIAL or placer.tried(device, kernel, amount):
            return False
        return placer.tried(not device, kernel, amount)

    def _fetch(self, node: Node, where: Places) -> float:
        if where.get(self.request.index[node], (True, False))[0]:
            return 0.0
        return cost.download_ms(node.size * node.dtype.size, self.placer.device)
