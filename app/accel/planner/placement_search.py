"""Adds up what placements cost: work, transfers, compilations."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from app.accel.planner import cost
from app.accel.planner.schedule import TRIAL, Rent
from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.backends.residency import Record, Residency
    from app.accel.ir.node import Node
    from app.accel.ir.plan import Decision
    from app.accel.planner.placement import Placer
    from app.accel.planner.schedule import PlannedStep, Request

    Places = dict[int, tuple[bool, bool]]
    """Per node whether it is on the host and whether it is on the device."""

ON_HOST = (True, False)
UNTRIED_SPEEDUP = 1.5
"""What a side that a kernel never ran on is thought cheaper by, once a trial costs at most a
fiftieth of what the runs so far have taken."""
CLEARLY_AHEAD = 1.5
"""By what a software adapter must be ahead: it takes the processor from the host, whose own times
vary by as much."""
TRIAL_SHARE = 0.05
"""What of the time that the runs so far have taken may be spent on transfers for a trial."""
LOOP_TRIAL_SHARE = 0.2
"""What of a loop's time on the host compiling and the first passes on a device may take."""


@record
class Outcome:
    """A placement.

    Attributes:
        total: its price, compilations included if they were to be.
        once: what of it is not paid again: compilations, and transfers of what was there before.
        sides: per step whether it is on the device.
        prices: per step what it would take on either side at its turn.
        moved: numbers of the arrays, there before, that it brings to the other side.
    """

    total: float
    once: float
    sides: list[bool]
    prices: list[tuple[float, float]]
    moved: tuple[int, ...]


@mutable_record
class _Bill:
    """What one placement costs, and where it leaves everything."""

    where: Places
    once: float = 0.0
    moved: list[int] = field(default_factory=list)


class PlacementSearch:
    """Prices placements of the steps of a plan.

    What a transfer costs is less by what was missed already because the array is where it is: like
    whoever rents, the plan buys once that has cost as much as buying.

    Attributes:
        missing: per step the milliseconds of compiling that the device still needs for it.
        times: per step what it takes on the host and on the device, transfers left out.
        compared: per step and side the time by which sides are compared, as far as it was asked
            for; with and without `settled`.
        transfers: per array that is on one side alone, what it takes to move it to the other.
        credit: what of that has been missed already.
        repeats: how often the plan is used at once; what is paid once is shared out among them.
    """

    def __init__(
        self,
        steps: Sequence[PlannedStep],
        request: Request,
        placer: Placer,
        residency: Residency,
        fixed: Sequence[Decision | None],
        uses: int,
        missed: float,
        repeats: int = 1,
    ) -> None:
        self.runs, self.repeats = uses, repeats
        self.uses = max(uses, cost.EXPECTED_USES, repeats)
        self.steps, self.placer, self.fixed = steps, placer, fixed
        self.order, self.request = request.order, request
        self.missing = [
            0.0 if placer.ready(step, self.order) else placer.compiling(step.kernel)
            for step in steps
        ]
        self.times = [
            tuple(placer.run_ms(side, step.kernel, step.work) for side in (False, True))
            for step in steps
        ]
        self.compared: dict[tuple[int, bool, bool], float] = {}
        self.at_start: Places = {}
        self.transfers: dict[int, float] = {}
        already: dict[int, float] = {}
        for number, node in enumerate(self.order):
            record: Record | None = residency.record(node) if node.op == "leaf" else None
            if record is not None:
                self.at_start[number] = (record.host is not None, record.device is not None)
                already[number] = record.missed_ms
                if record.device is None:
                    self.transfers[number] = self._upload_ms(node)
                elif record.host is None:  # and perhaps it has to go back
                    self.transfers[number] = self._download_ms(node) + self._upload_ms(node)
        whole = sum(self.transfers.values())
        missed = max(missed, self._trial_ms())
        self.credit = {
            number: min(price, max(already[number], missed * price / whole))
            for number, price in self.transfers.items()
        }
        self.resident = any(there for _, there in self.at_start.values())

    def _trial_ms(self) -> float:
        """What transfers may cost for a trial of the device."""
        if not any(self._is_worth_trying(True, step) for step in self.steps):
            return 0.0
        return TRIAL_SHARE * self.runs * sum(host for host, _ in self.times)

    def best(self, *, settled: bool) -> Outcome:
        """The cheapest of all-host, all-device and, unless it is repeated at once, step by step.

        With `settled` it is the cheapest one once every kernel is there, and every array on the
        side that reads it.
        """
        if None not in self.fixed:
            return self._run(None, settled)
        host, device = self._run(lambda: False, settled), self._run(lambda: True, settled)
        if self.repeats == 1:
            return min(host, device, self._run(None, settled), key=lambda o: o.total)
        # Passes between which arrays go back and forth are on no tape.
        return device if device.total < host.total or self._pays_trial(device) else host

    def _pays_trial(self, device: Outcome) -> bool:
        """Whether a loop takes the host so long that the device, which has never done it, costs
        little beside: what is thought of its speed may be wrong by a hundred."""
        placer, steps = self.placer, self.steps
        if not placer.is_apart or all(placer.tried(True, s.kernel, s.work) for s in steps):
            return False
        whole = self.repeats * sum(host for host, _ in self.times)
        price = self.repeats * device.once + sum(there for _, there in self.times)
        return price <= LOOP_TRIAL_SHARE * whole

    def rent(self, now: Outcome, settled: Outcome, missed: float) -> Rent:
        """What a placement costs in every run beside the one with every array where it is read."""
        moved = tuple(number for number in settled.moved if number not in now.moved)
        gain = now.total - now.once - settled.total
        if not moved or gain <= 0:
            return Rent()
        price = sum(self.transfers[number] for number in moved)
        return Rent(gain, max(price, 2 * missed if missed >= price else 0.0), moved)

    def _run(self, choose: Callable[[], bool] | None, settled: bool) -> Outcome:
        """Without `choose` every step takes its cheaper side."""
        bill = _Bill(dict(self.at_start))
        total, sides, prices = 0.0, list[bool](), list[tuple[float, float]]()
        for k, decision in enumerate(self.fixed):
            compiling = 0.0 if settled else self.missing[k] / self.repeats
            if decision is not None:
                side = decision.device
            elif choose:
                side = choose()
            else:
                host, device = (self._step(k, s, bill.where, settled) for s in (False, True))
                side = device + compiling < host
            prices.append((self._price(k, False, bill.where), self._price(k, True, bill.where)))
            total += self._step(k, side, bill.where, settled) + side * compiling
            self._take(k, side, bill, settled)
            bill.once += side * compiling
            sides.append(side)
        if self.request.gathered:
            total += sum(self._fetch(node, bill.where) for node in self.request.wanted)
        elif self.resident and not settled:
            total += sum(self._return(node, bill.where) for node in self.request.wanted)
        return Outcome(total, bill.once, sides, prices, tuple(bill.moved))

    def _price(self, k: int, device: bool, where: Places) -> float:
        """What a step would take on a side at its turn, transfers included."""
        return self.times[k][device] + self._operands(k, device, where, False)

    def _step(self, k: int, device: bool, where: Places, settled: bool) -> float:
        """The price by which sides are compared."""
        key = k, device, settled
        own = self.compared.get(key)
        if own is None:
            own = self.compared[key] = self._chosen_by(k, device, settled)
        return own + self._operands(k, device, where, settled)

    def _take(self, k: int, device: bool, bill: _Bill, settled: bool) -> None:
        """Note where a step on this side leaves its operands and results."""
        for number in self._missing_operands(k, device, bill.where):
            if number in self.transfers:
                bill.moved.append(number)
                bill.once += self._transfer(number, device, settled)
            bill.where[number] = (True, True)
        for number in self.steps[k].outputs:
            bill.where[number] = (not device, device)

    def _missing_operands(self, k: int, device: bool, where: Places) -> list[int]:
        """The operands of a step that are not on a side."""
        operands = dict.fromkeys(self.steps[k].inputs)
        return [number for number in operands if not where.get(number, ON_HOST)[device]]

    def _operands(self, k: int, device: bool, where: Places, settled: bool) -> float:
        """What it takes to bring a step's operands to a side."""
        missing = self._missing_operands(k, device, where)
        return sum([self._transfer(number, device, settled) for number in missing])

    def _transfer(self, number: int, device: bool, settled: bool) -> float:
        """What it takes to bring an array to a side."""
        known = number in self.transfers  # else an earlier step makes it
        if known and settled:
            return 0.0
        node = self.order[number]
        price = self._upload_ms(node) if device else self._download_ms(node)
        return max(0.0, price - self.credit[number]) / self.repeats if known else price

    def _chosen_by(self, k: int, device: bool, settled: bool) -> float:
        """The time by which sides are compared: of runs to come as well, and with some hope.

        Where the device is ahead of all that the host may come to, the run at hand counts as it is.
        """
        placer, step, now = self.placer, self.steps[k], self.times[k][device]
        if not device:
            later = placer.later_ms(step.kernel, step.work, now)
            if settled or self.times[k][True] >= later:
                now = later + (now - later) / self.uses
        elif not placer.is_apart:
            now *= CLEARLY_AHEAD
        return now / UNTRIED_SPEEDUP if self._is_worth_trying(device, step) else now

    def _is_worth_trying(self, device: bool, step: PlannedStep) -> bool:
        """Whether a side that the kernel never ran on is worth a trial.

        The host is tried only where something of the kind has been measured: NumPy may take a
        hundred times as long as anybody thinks.
        """
        placer, kernel, amount = self.placer, step.kernel, step.work
        if self.runs < TRIAL or placer.tried(device, kernel, amount):
            return False
        if device and not placer.is_apart:
            return False
        return placer.tried(not device, kernel, amount) and (
            device or placer.correction.has_run(kernel.template)
        )

    def _upload_ms(self, node: Node) -> float:
        return cost.upload_ms(node.size * node.dtype.size, self.placer.device)

    def _download_ms(self, node: Node) -> float:
        return cost.download_ms(node.size * node.dtype.size, self.placer.device)

    def _fetch(self, node: Node, where: Places) -> float:
        """What it takes to have a result on the host."""
        host, _ = where.get(self.request.index[node], ON_HOST)
        return 0.0 if host else self._download_ms(node)

    def _return(self, node: Node, where: Places) -> float:
        """A result that stays beside what lies on the device: what brings it back there."""
        host, there = where.get(self.request.index[node], ON_HOST)
        return self._upload_ms(node) if host and not there else 0.0
