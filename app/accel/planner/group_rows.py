"""Rows of groups in the report: one for every step of a plan in every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.planner.explain_kernel import explain_kernel
from app.accel.support.telemetry import ArrayRow, GroupRow

if TYPE_CHECKING:
    from app.accel.backends.device_opening import Opening
    from app.accel.backends.residency import Residency
    from app.accel.ir.node import Origin
    from app.accel.ir.plan import Decision
    from app.accel.planner.schedule import CompiledPlan, PlannedStep
    from app.accel.planner.walk import Walk
    from app.accel.support.telemetry import Recorder


class GroupRows:
    """Writes what plans do into the report.

    Args:
        recorder: the report.
        residency: where arrays are.
        opening: the device that steps may run on.
    """

    def __init__(self, recorder: Recorder, residency: Residency, opening: Opening) -> None:
        self.recorder, self.residency, self.opening = recorder, residency, opening

    def add(self, plan: CompiledPlan, step: PlannedStep, walk: Walk, origin: Origin) -> None:
        """A row for a step, which notes its number."""
        decision, made_of = step.decision, explain_kernel(step, walk.order)
        step.row = step.rows[step.places] = self.recorder.group(
            step.kernel.key,
            GroupRow(
                0,
                step.kind,
                self._provider_name(decision),
                decision.reason,
                step.ops,
                tuple(place.line for place in step.places),
                self._arrays(step.inputs, walk),
                self._arrays(step.outputs, walk),
                decision.host_ms,
                decision.device_ms,
                step.work.bytes,
                step.kernel.key if decision.device else None,
                detail=decision.detail,
                file=step.places[0].file if step.places else origin.file,
                operations=made_of.operations,
                stored=made_of.stored,
                units=step.work.units,
                work_inflation=plan.inflation,
            ),
        )
        row = self.recorder.groups.get(step.row)
        step.shown = None if row is None else (step.places, decision, row)

    def reused(self, plan: CompiledPlan, walk: Walk, origin: Origin) -> None:
        """A plan is used as it is."""
        if plan.origin != origin:
            plan.locate(walk.order, origin)
        self.count(plan)
        if not self.shown_again(plan):
            groups = self.recorder.groups
            for step in plan.steps:
                if step.row not in groups:
                    self.add(plan, step, walk, origin)

    def count(self, plan: CompiledPlan) -> None:
        """Count the groups of a plan."""
        counters = self.recorder.counters
        counters.groups += len(plan.steps)
        counters.work_inflation = max(counters.work_inflation, plan.inflation)

    def shown_again(self, plan: CompiledPlan) -> bool:
        """Whether rows of the report stand for all steps; a run after a reset has its own."""
        groups, again = self.recorder.groups, dict[int, int]()
        shown = True
        for step in plan.steps:
            if step.row not in groups and not self._shown_again(step, again):
                shown = False
        return shown

    def _shown_again(self, step: PlannedStep, again: dict[int, int]) -> bool:
        """Whether a step's row of an earlier run stands for it in this one, too.

        `again` are the rows of earlier runs for which that has been found out, with their numbers.
        """
        if step.shown is None:
            return False
        places, decision, row = step.shown
        if places is not step.places or decision is not step.decision:
            return False
        number = again.get(id(row))
        if number is None:
            number = again[id(row)] = self.recorder.again(step.kernel.key, row)
        step.row = step.rows[places] = number
        return True

    def _provider_name(self, decision: Decision) -> str:
        """Who runs a step, as reports say it."""
        device = self.opening.provider
        return device.info.provider if decision.device and device is not None else "host"

    def _arrays(self, numbers: tuple[int, ...], walk: Walk) -> tuple[ArrayRow, ...]:
        rows = []
        for number in numbers:
            node = walk.order[number]
            record = self.residency.record(node) if node.op == "leaf" else None
            resident = record is not None and record.device is not None
            rows.append(ArrayRow(node.shape, node.dtype.label, resident))
        return tuple(rows)
