"""Runs compiled plans: moves data, batches dispatches, measures, falls back and says so."""

from __future__ import annotations

import time
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast
from weakref import ref

from app.accel.backends.base import Tell, nobody_told
from app.accel.backends.residency import DeviceStorage, Pinned, Record, Residency
from app.accel.ir.node import Origin
from app.accel.ir.plan import Dispatch, Reason
from app.accel.planner import buffer_reuse
from app.accel.planner.cost import Side
from app.accel.planner.dispatch_template import dispatch_template, maps_of
from app.accel.planner.prepared_plans import PreparedPlan
from app.accel.runtime.host_pipelines import HostPipelines
from app.accel.runtime.provider_counters import ProviderCounters
from app.accel.runtime.sent_work import SentWork, note_host_time
from app.accel.runtime.storage import Storage
from app.accel.runtime.tape import Execution
from app.accel.runtime.timeline import Timeline
from app.accel.support.telemetry import Recorder
from app.errors import DomainLeft, InternalError, OutOfDeviceMemory, Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from app.accel.backends.base import Buffer, Pipeline, Provider, Submission
    from app.accel.backends.host.host_provider import HostPipeline, HostProvider
    from app.accel.ir.node import Node
    from app.accel.ir.plan import MapValues
    from app.accel.planner.prepared_plans import Params
    from app.accel.planner.schedule import CompiledPlan, PlannedStep


PREPARED = 1024
"""Kernels that are found without asking the device for them."""
MOST_MADE = 256 << 20
"""Bytes that a plan makes on the device before it gives back what it will not read again."""


def no_cancel() -> None:
    """The default cancellation poll: never cancels."""


def no_records(records: dict[int, Record]) -> None:
    """Nothing is done with values that are under way."""
    del records


@mutable_record
class _Run:
    """The state of one plan execution.

    Attributes:
        gathered: the numbers of values that will be fetched, or of single numbers that may be; at
            once where they are `awaited`.
        again: device storage by number, which the values of the run before have left.
    """

    order: Sequence[Node]
    origin: Origin
    gathered: tuple[int, ...] = ()
    awaited: bool = False
    records: dict[int, Record] = field(default_factory=dict)
    pending: list[Dispatch] = field(default_factory=list)
    steps: list[PlannedStep] = field(default_factory=list)
    submissions: list[Submission] = field(default_factory=list)
    moved: list[tuple[Record, Record]] = field(default_factory=list)
    again: dict[int, DeviceStorage] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: CompiledPlan, order: Sequence[Node], origin: Origin, gathered: bool) -> _Run:
        """An execution whose values will be `gathered`, or are only to be stored."""
        wanted = plan.wanted if gathered else tuple([k for k in plan.wanted if order[k].size == 1])
        return cls(order, origin, wanted, gathered)


@mutable_record
class Executor:
    """Executes plans on the host and, while there is one, on the device.

    Attributes:
        storage: where the bytes are.
        poll: called between steps; raises Interrupted to cancel.
        tell: told what is waited for; raises Interrupted to cancel.
        current: the plan execution under way.
        hosted: the host's pipelines.
        sent: work whose device times have not been read yet.
        executions: the plans that are run, while somebody wants to know.
    """

    recorder: Recorder
    residency: Residency
    host: HostProvider
    device: Provider | None
    poll: Callable[[], None] = no_cancel
    tell: Tell = nobody_told
    current: _Run | None = None
    prepared: dict[str, Pipeline] = field(default_factory=dict)
    hosted: HostPipelines = field(init=False)
    provider_counters: ProviderCounters = field(init=False)
    timeline: Timeline = field(init=False)
    storage: Storage = field(init=False)
    sent: SentWork = field(init=False)
    executions: list[Execution] | None = None

    def __post_init__(self) -> None:
        self.hosted = HostPipelines(self.host)
        self.provider_counters = ProviderCounters(self.recorder)
        self.timeline = Timeline(self.recorder)
        self.sent = SentWork(self.recorder, self.provider_counters, self.timeline)
        self.recorder.catch_up = self.sent.catch_up
        self.storage = Storage(
            self.recorder,
            self.residency,
            self.timeline,
            self._flush_current,
            self.sent.done,
            self.device,
        )

    def attach(self, provider: Provider, budget: int) -> None:
        """Run on this device from now on, with at most `budget` live bytes; 0 for no limit."""
        self.device = self.storage.device = self.sent.device = provider
        self.storage.budget = budget
        provider.tell_waits(self.tell)
        self.provider_counters.begin(provider)

    def detach(self) -> Provider | None:
        """Forget the device and everything made for it; gives the device."""
        lost, self.device = self.device, None
        self.storage.device = self.sent.device = None
        self.storage.live_bytes = 0
        self.sent.outstanding.clear()
        self.prepared.clear()
        return lost

    def disregard_submissions(self) -> None:
        """Do not count what was submitted since the last plan ran."""
        if self.device is not None:
            self.provider_counters.submits = self.device.submitted

    # --- plans -------------------------------------------------------------------------------

    def run(
        self,
        plan: CompiledPlan,
        order: Sequence[Node],
        origin: Origin,
        gathered: bool = False,
        meanwhile: Callable[[dict[int, Record]], None] = no_records,
    ) -> dict[int, Record]:
        """Records of all nodes the plan stores. Raises DomainLeft when a guard was left.

        With `gathered` they will be fetched at once; single numbers are taken along in any case.
        `meanwhile` is given them when all is handed in, before a guard is asked for.
        """
        run = self.current = _Run.of(plan, order, origin, gathered)
        if plan.prepared is not None and plan.prepared.device is self.device:
            run.again = self.storage.left_behind(plan.prepared.latest)
        self.storage.bury()
        self.storage.made = 0
        if len(self.prepared) > PREPARED:
            self.prepared.clear()
        try:
            made = self._steps(plan, run, meanwhile)
        except BaseException:
            # Writing again what was written halfway gives the same: the memory goes back.
            for donor, successor in run.moved:
                donor.host, donor.device = successor.host, successor.device
            raise
        finally:
            self.current = None
        if self.executions is not None:
            self.executions.append(Execution(plan, order, [node.data for node in order]))
        return made

    def _steps(
        self, plan: CompiledPlan, run: _Run, meanwhile: Callable[[dict[int, Record]], None]
    ) -> dict[int, Record]:
        if not self._as_a_whole(plan, run):
            self._one_after_the_other(plan, run)
        meanwhile(run.records)
        if plan.guarded and self.device is not None:
            for submission in run.submissions:
                if any(self.device.status(submission)):
                    raise DomainLeft
        return run.records

    def _as_a_whole(self, plan: CompiledPlan, run: _Run) -> bool:
        """Hand in a plan that has run before; whether that could be done."""
        device = self.device
        if plan.uses < 1 or device is None:
            return False
        if plan.prepared is None or plan.prepared.device is not device:
            plan.prepared = PreparedPlan.of(plan, run.order, device)
        prepared = plan.prepared
        buffers = None if prepared is None else self._buffers_of_values(prepared, run)
        if prepared is None or buffers is None:
            return False
        started = time.perf_counter()
        launching = prepared.bound(run.order, buffers, partial(self._params, run))
        wanted = [buffers[k] for k in run.gathered if k in buffers]
        submission = launching.handed_in(self.prepared, wanted, awaited=run.awaited)
        if submission is None:
            return False
        self._book(plan, prepared, run)
        run.steps = list(prepared.steps)
        self._count_submission(run, submission, started)
        return True

    def _book(self, plan: CompiledPlan, prepared: PreparedPlan, run: _Run) -> None:
        """Count what a plan that was handed in as a whole is made of."""
        records, groups = run.records, self.recorder.groups
        for number, storage in run.again.items():
            self.storage.tell_of(storage, records[number])
        for step in plan.steps:
            row = groups.get(step.row)
            if row is not None and row.sources is None:
                self.timeline.connect(row, step.inputs, partial(self._known_record, run))
            if step.copies:
                records[step.outputs[0]] = records.pop(step.inherits)
                self.recorder.counters.groups -= 1  # planned, but there is nothing to do
                continue
            for number in step.outputs:
                records[number].source = step.row
        self.provider_counters.hits(prepared.steps, self.prepared)

    def _buffers_of_values(self, prepared: PreparedPlan, run: _Run) -> dict[int, Buffer] | None:
        """The buffers of a plan's values by number; None where one is not to be had at once."""
        self.poll()
        operands = [self._record(run, k) for k in prepared.leaves]
        fresh: list[Record] = []
        try:
            with Pinned(operands):
                buffers = {
                    k: self.storage.device_buffer(record, run.origin)
                    for k, record in zip(prepared.leaves, operands, strict=True)
                }
                for k in prepared.made:
                    buffers[k] = self._device_output(run, k, fresh)
        except Unsupported:  # step by step there may be room
            for record in fresh:
                record.device = None
            return None
        prepared.latest = [(k, ref(buffers[k])) for k in prepared.made]
        for k, donor in prepared.given.items():
            buffers[k] = buffers[donor]
        return buffers

    def _one_after_the_other(self, plan: CompiledPlan, run: _Run) -> None:
        groups, known = self.recorder.groups, partial(self._known_record, run)
        for place, step in enumerate(plan.steps):
            self.poll()
            if self.storage.made > MOST_MADE:
                self._flush(run)
                self.storage.made = 0
                buffer_reuse.drop_read(plan, place, run.order, run.records)
                self.storage.bury()
            self.timeline.connect(groups.get(step.row), step.inputs, known)
            if step.copies and buffer_reuse.try_donate(
                step, plan, run.order, run.records, self.residency, run.moved
            ):
                self.recorder.counters.groups -= 1  # planned, but there is nothing to do
                continue
            if not (step.decision.device and self.device and self._on_device(step, run)):
                self._flush(run)
                self._on_host(step, run)
            for number in step.outputs:
                run.records[number].source = step.row
        self._flush(run, run.gathered)

    def _record(self, run: _Run, number: int) -> Record:
        """The record of an operand: made by this plan, or a leaf's."""
        record = self._known_record(run, number)
        if record is None:
            raise InternalError("executor", f"no value for {run.order[number]}")
        if number not in run.records:
            self.residency.touch(record, run.origin.line)
        return record

    def _known_record(self, run: _Run, number: int) -> Record | None:
        return run.records.get(number) or self.residency.record(run.order[number])

    def _output(self, run: _Run, number: int) -> Record:
        record = run.records.get(number)
        if record is None:
            node = run.order[number]
            record = run.records[number] = Record(node.dtype, node.size, line=node.origin.line)
        return record

    def _bind(self, step: PlannedStep, run: _Run) -> tuple[tuple[MapValues, ...], Params]:
        """Run-time halves of maps and the parameters' values."""
        return maps_of(step, run.order), self._params(run, step)

    def _params(self, run: _Run, step: PlannedStep) -> Params:
        return tuple([self._parameter(run, number, item) for number, item in step.params])

    def _parameter(self, run: _Run, number: int, item: int) -> Any:
        if number < 0:
            return item
        if item >= 0:
            return run.order[number].data[item]
        return self.storage.host_buffer(self._record(run, number), run.origin, "scalar")[0].item()

    def pipeline_of(self, step: PlannedStep, order: Sequence[Node]) -> Pipeline:
        """The compiled kernel of a step on the device. Raises Unsupported."""
        return self.prepared.get(step.kernel.key) or self._pipeline(step, order)

    # --- host --------------------------------------------------------------------------------

    def _on_host(self, step: PlannedStep, run: _Run) -> None:
        inputs = [
            self.storage.host_buffer(self._record(run, k), run.origin, "fallback")
            for k in step.inputs
        ]
        started = time.perf_counter()
        outputs = []
        for number in step.outputs:
            record = self._output(run, number)
            if record.device is not None:
                record.host, record.device = self.storage.fetch(record, run.origin, "mixed"), None
            if record.host is None:
                record.host = self.host.memory.array(record.dtype.numpy, record.count)
            outputs.append(record.host)
        pipeline = step.pipelines.get(False)
        if pipeline is None:
            pipeline = step.pipelines[False] = self.hosted.of(step.kernel)
        maps, params = self._bind(step, run)
        dispatch = Dispatch(
            pipeline,
            tuple(map(_wrap, inputs)),
            tuple(map(_wrap, outputs)),
            step.extents,
            maps,
            params,
            step.row,
        )
        left = self.host.submit([dispatch]).left
        spent = note_host_time(self.recorder, step, run.origin, started)
        host = cast("HostPipeline", pipeline)
        refused = host.prospect.refused if host.prospect else ""
        if not self.provider_counters.ran(
            step.row, host.code, refused
        ):  # or it may have waited for the code
            self.sent.observe(step, Side.NUMPY if host.code is None else Side.CODE, [spent])
        if left[0]:
            raise DomainLeft

    # --- device ------------------------------------------------------------------------------

    def _on_device(self, step: PlannedStep, run: _Run) -> bool:
        """Queue the step; False (with the reason recorded) when the device cannot do it."""
        fresh: list[Record] = []
        try:
            pipeline = self._pipeline(step, run.order)
            operands = [self._record(run, k) for k in step.inputs]
            with Pinned(operands):
                inputs = [
                    r.device.buffer if r.device else self.storage.device_buffer(r, run.origin)
                    for r in operands
                ]
                outputs = [self._device_output(run, number, fresh) for number in step.outputs]
        except Unsupported as problem:
            for record in fresh:
                record.device = None
            self.fall_back(step, problem, run.origin)
            return False
        maps, params = self._bind(step, run)
        run.pending.append(
            Dispatch(
                pipeline,
                tuple(inputs),
                tuple(outputs),
                step.extents,
                maps,
                params,
                step.row,
                step.memo,
            )
        )
        run.steps.append(step)
        return True

    def _device_output(self, run: _Run, number: int, fresh: list[Record]) -> Any:
        """The buffer an output is written to; part of it may have been written before."""
        record = self._output(run, number)
        if record.host is not None:
            buffer = self.storage.device_buffer(record, run.origin)
            record.host = None
            return buffer
        storage = record.device
        if storage is None:
            storage = record.device = run.again.get(number) or self.storage.allocate(record)
            fresh.append(record)
        return storage.buffer

    def _pipeline(self, step: PlannedStep, order: Sequence[Node]) -> Pipeline:
        """The compiled kernel, counted as a hit or a miss."""
        assert self.device is not None
        known = self.prepared.get(step.kernel.key)
        if known is not None:
            self.provider_counters.hit(step.kernel, known)
            return known
        like = dispatch_template(step, order)
        known = self.prepared[step.kernel.key] = self.device.prepare(step.kernel, like)
        self.provider_counters.prepared(step.kernel, known, step.row)
        return known

    def _flush_current(self) -> None:
        if self.current is not None:
            self._flush(self.current)

    def _flush(self, run: _Run, wanted: Sequence[int] = ()) -> None:
        """Submit what is pending in one go."""
        if not run.pending or self.device is None:
            return
        started = time.perf_counter()
        made = [run.records[number].device for number in wanted if number in run.records]
        buffers = [m.buffer for m in made if m]
        try:
            submission = self.device.submit(run.pending, buffers, awaited=run.awaited)
        except Unsupported as problem:
            self._one_by_one(run, problem)
            return
        self._count_submission(run, submission, started)

    def _one_by_one(self, run: _Run, problem: Unsupported) -> None:
        """Some shader was refused at the last moment: find it; its step goes to the host."""
        pending, steps = run.pending, run.steps
        run.pending, run.steps = [], []
        if len(pending) > 1:
            for dispatch, step in zip(pending, steps, strict=True):
                run.pending, run.steps = [dispatch], [step]
                self._flush(run)
            return
        self.fall_back(steps[0], problem, run.origin)
        steps[0].decision = replace(steps[0].decision, device=False, detail=str(problem))
        self._on_host(steps[0], run)

    def _count_submission(self, run: _Run, submission: Submission, started: float) -> None:
        """Count what is on its way."""
        spent = time.perf_counter() - started
        assert self.device is not None
        sent = [(step, step.row, step.places or (run.origin,)) for step in run.steps]
        self.sent.add(sent, [submission])
        for step, row, _ in sent:
            self.provider_counters.launched(step.kernel, self.prepared[step.kernel.key], row)
        self.recorder.note("Planner", "submit", started, spent, run.origin.line, run.steps[0].row)
        run.submissions.append(submission)
        run.pending, run.steps = [], []
        self.sent.settle_done()

    def fall_back(self, step: PlannedStep, problem: Unsupported, origin: Origin) -> None:
        """Count and explain that a step runs on the host after all."""
        self.recorder.counters.fallbacks += 1
        memory = isinstance(problem, OutOfDeviceMemory)
        reason = Reason.OUT_OF_MEMORY if memory else Reason.UNSUPPORTED_OP
        place = step.places[0] if step.places else origin
        self.recorder.boundary(place, reason, str(problem))
        row = self.recorder.groups.get(step.row)
        if row is not None:
            row.provider, row.reason = "host", reason
            step.shown = None


def _wrap(array: NDArray[Any]) -> Any:
    from app.accel.backends.host.host_provider import HostBuffer
    from app.accel.ir.dtypes import of_numpy

    return HostBuffer(of_numpy(array.dtype), array.size, array)
