"""Work on its way to the device: what it is counted as, and how long it took once that is known."""

from __future__ import annotations

import time
from dataclasses import field
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel.planner.cost import Side
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.backends.base import Pipeline, Provider, Submission
    from app.accel.ir.node import Origin
    from app.accel.planner.schedule import PlannedStep
    from app.accel.runtime.provider_counters import ProviderCounters
    from app.accel.runtime.timeline import Sent, Timeline
    from app.accel.support.telemetry import Recorder

    Observer: TypeAlias = Callable[[PlannedStep, Side, Sequence[float]], None]


def no_observer(step: PlannedStep, side: Side, times: Sequence[float]) -> None:
    """The default observer of measured times: none."""
    del step, side, times


@mutable_record
class _Outstanding:
    """A submission whose device times have not been booked: its steps, in turn, when it went, and
    for which account; then the times, when each step began and the seconds it took."""

    submission: Submission
    steps: Sequence[Sent]
    at: float
    account: int
    times: Sequence[float | None] | None = None
    starts: Sequence[float] = ()
    taken: Sequence[float] = ()


@mutable_record
class SentWork:
    """What has been handed in and whose times are not booked yet, oldest first.

    A script that waits for a value goes on at once: when its work was done is noted, and booked
    while the device does the next work, where something is planned, or where somebody looks at the
    account. What nobody has looked at before the account of another run begins is only learnt from.

    Attributes:
        observe: told the measured times of every step, on either side.
    """

    recorder: Recorder
    provider_counters: ProviderCounters
    timeline: Timeline
    device: Provider | None = None
    observe: Observer = no_observer
    outstanding: list[_Outstanding] = field(default_factory=list)

    def add(
        self,
        steps: Sequence[Sent],
        submissions: Sequence[Submission],
        repetitions: int = 1,
    ) -> None:
        """Steps were handed in, in so many repetitions, as submissions that follow each other."""
        recorder, first, now = self.recorder, 0, time.perf_counter()
        recorder.counters.dispatches += sum([made.dispatches for made in submissions])
        self._count_submits()
        rows = [recorder.groups.get(number) for _, number, _ in steps]
        for row in rows:
            if row is not None:
                row.executions += repetitions
        passes = list(chain.from_iterable([made.passes for made in submissions]))
        for k, row in enumerate(rows):
            if row is not None:
                row.dispatches += sum(passes[k :: len(rows)])
        for made in submissions:
            turned = first % len(steps)
            in_turn = [*steps[turned:], *steps[:turned]]
            self.outstanding.append(_Outstanding(made, in_turn, now, recorder.account))
            first += len(made.passes)

    def repeated(
        self, steps: Sequence[Sent], repetitions: int, kernels: Sequence[Pipeline]
    ) -> None:
        """Count the kernels of repetitions: they were there, or had been given up."""
        for (step, row, _), pipeline in zip(steps, kernels, strict=True):
            self.provider_counters.hit(step.kernel, pipeline, repetitions)
            self.provider_counters.launched(step.kernel, pipeline, row)

    def done(self) -> None:
        """Note when all work was done, because something has waited for the device."""
        self._count_submits()
        for sent in self.outstanding:
            self._read(sent)

    def settle(self, keep: int = 0) -> None:
        """Book the times of all work but so many submissions that went last; waits for it."""
        self._count_submits()
        last = len(self.outstanding) - keep
        for sent in self.outstanding[:last]:
            self._read(sent)
        self._book(last)

    @property
    def all_done(self) -> bool:
        """Whether all work is known to be done."""
        return not self.outstanding or self.outstanding[-1].times is not None

    def catch_up(self) -> None:
        """Book what is known to be done for the account that is open: somebody looks at it."""
        if self.outstanding and self.outstanding[-1].account == self.recorder.account:
            self.settle_done()

    def settle_done(self) -> None:
        """Book the times of work that is known to be done."""
        last = 0
        for sent in self.outstanding:
            if sent.times is None:
                break
            last += 1
        if last:
            self._book(last)

    def _count_submits(self) -> None:
        if self.device is not None:
            self.provider_counters.sent(self.device)

    def _read(self, sent: _Outstanding) -> None:
        if sent.times is None and self.device is not None:
            times = sent.times = self.device.timestamps(sent.submission)
            sent.starts, sent.taken = self.timeline.took(times, sent.at)

    def _book(self, count: int) -> None:
        """Book the times of the oldest submissions, which have been read."""
        # Steps of one row are the same work, done for the same lines.
        alike: dict[tuple[int, str, int], tuple[Sent, list[float]]] = {}
        booked, self.outstanding[:count] = self.outstanding[:count], []
        account = self.recorder.account
        for sent in booked:
            steps, times = sent.steps, sent.times or ()
            told = None not in times
            for k, one in enumerate(steps[: len(times)]):
                step, row, _ = one
                known = cast("tuple[float, ...]", times[k :: len(steps)]) if told else ()
                alike.setdefault((row, step.kernel.key, sent.account), (one, []))[1].extend(known)
            if sent.account == account:
                self.timeline.ran(steps, sent.starts, sent.taken, told=told)
        for (_, _, booked_in), ((step, row, places), spent_by) in alike.items():
            if spent_by:
                self.observe(step, Side.DEVICE, spent_by)
                if booked_in == account:
                    note_device_times(self.recorder, step, spent_by, row, places)


def note_device_times(
    recorder: Recorder,
    step: PlannedStep,
    times: Sequence[float],
    number: int,
    places: tuple[Origin, ...],
) -> None:
    """Add the device times of a step's runs to its group, its kernel and its lines."""
    row, spent = recorder.groups.get(number), sum(times)
    counters = recorder.counters
    counters.device_ms = (counters.device_ms or 0.0) + spent
    if row is not None:
        row.measured_ms = (row.measured_ms or 0.0) + spent
    kernel = recorder.kernels.get(step.kernel.key)
    if kernel is not None:
        kernel.device_ms = (kernel.device_ms or 0.0) + spent
    for place in places:
        entry = recorder.line(place)
        entry.count += len(times)
        entry.device_ms += spent / len(places)


def note_host_time(recorder: Recorder, step: PlannedStep, origin: Origin, started: float) -> float:
    """Add the time that the host has taken for a step to its group and its lines, in ms."""
    spent = (time.perf_counter() - started) * 1000
    recorder.counters.host_ms += spent
    row = recorder.groups.get(step.row)
    if row is not None:
        row.executions += 1
        row.measured_ms = (row.measured_ms or 0.0) + spent
    for place in step.places or (origin,):
        entry = recorder.line(place)
        entry.count += 1
        entry.host_ms += spent / max(1, len(step.places))
    if origin.line and step.places and origin not in step.places:
        recorder.line(origin).waited_ms += spent
    if recorder.subscribers:
        line = step.places[0].line if step.places else 0
        recorder.note("Host", step.kernel.label, started, spent / 1000, line, step.row)
    return spent
