"""Work on its way to the device: what it is counted as, and how long it took once that is known."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel.planner.cost import Side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.backends.base import Pipeline, Provider, Submission
    from app.accel.ir.node import Origin
    from app.accel.planner.schedule import PlannedStep
    from app.accel.runtime.provider_counters import ProviderCounters
    from app.accel.runtime.timeline import Sent, Timeline
    from app.accel.support.telemetry import Recorder

    Observer: TypeAlias = Callable[[PlannedStep, Side, Sequence[float]], None]


@dataclass(slots=True)
class _Outstanding:
    """A submission whose device times have not been read: its steps, in turn, and when it went."""

    submission: Submission
    steps: Sequence[Sent]
    at: float


@dataclass(slots=True)
class SentWork:
    """What has been handed in and not been measured yet, oldest first."""

    recorder: Recorder
    provider_counters: ProviderCounters
    timeline: Timeline
    outstanding: list[_Outstanding] = field(default_factory=list)

    def add(
        self,
        steps: Sequence[Sent],
        submissions: Sequence[Submission],
        device: Provider,
        repetitions: int = 1,
    ) -> None:
        """Steps were handed in, in so many repetitions, as submissions that follow each other."""
        recorder, first, now = self.recorder, 0, time.perf_counter()
        recorder.counters.dispatches += sum([made.dispatches for made in submissions])
        self.provider_counters.sent(device)
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
            self.outstanding.append(_Outstanding(made, [*steps[turned:], *steps[:turned]], now))
            first += len(made.passes)

    def repeated(
        self, steps: Sequence[Sent], repetitions: int, kernels: Sequence[Pipeline]
    ) -> None:
        """Count the kernels of repetitions: they were there, or had been given up."""
        for (step, row, _), pipeline in zip(steps, kernels, strict=True):
            self.provider_counters.hit(step.kernel, pipeline, repetitions)
            self.provider_counters.launched(step.kernel, pipeline, row)

    def settle(self, device: Provider, observe: Observer, keep: int = 0) -> None:
        """Read device times of all work but so many submissions that went last; waits for it."""
        last = len(self.outstanding) - keep
        # Steps of one row are the same work, done for the same lines.
        alike: dict[tuple[int, str], tuple[Sent, list[float]]] = {}
        for sent in self.outstanding[:last]:
            steps = sent.steps
            times = device.timestamps(sent.submission)
            untold = None in times
            for k, one in enumerate(steps[: len(times)]):
                step, row, _ = one
                known = [] if untold else cast("tuple[float, ...]", times[k :: len(steps)])
                alike.setdefault((row, step.kernel.key), (one, []))[1].extend(known)
            self.timeline.ran(steps, times, sent.at)
        del self.outstanding[:last]
        for (step, row, places), spent_by in alike.values():
            if spent_by:
                observe(step, Side.DEVICE, spent_by)
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
