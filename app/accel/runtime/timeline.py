"""What the executor notes for the timeline and the graph of groups."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from app.accel.support.telemetry import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.accel.backends.residency import Record
    from app.accel.ir.node import Origin
    from app.accel.planner.schedule import PlannedStep
    from app.accel.support.telemetry import GroupRow, Recorder

    Sent: TypeAlias = tuple[PlannedStep, int, tuple[Origin, ...]]
    """A step on its way to the device, with the report row and the places that it runs for."""

_tuple = tuple.__new__


@dataclass(slots=True)
class Timeline:
    """Puts kernels on the Device track, and ties groups to those they read from.

    Attributes:
        busy_until: when what was read last is taken to have ended on the device.
        measured_until: the end of the last kernel whose time the device told.
        track: the track of the device.
    """

    recorder: Recorder
    busy_until: float = 0.0
    measured_until: float = 0.0
    track: str = "Device"

    def ran(self, work: Iterable[tuple[Sent, float | None]], sent: float) -> None:
        """Kernels ran, each after what was sent before it, for as long as was measured.

        Devices tell how long a kernel took, not when; without even that it may have taken all the
        time until now.
        """
        busy, track, events = self.busy_until, self.track, list[Event]()
        for (step, row, places), spent in work:
            start = max(busy, sent)
            label, line = step.kernel.label, places[-1].line
            if spent is not None:
                taken = spent / 1000
                busy = self.measured_until = start + taken
                events.append(_tuple(Event, (track, label, start, taken, line, row, ())))
            else:
                busy = max(time.perf_counter(), start)
                guessed = (("guessed", True),)
                events.append(Event(track, label, start, busy - start, line, row, guessed))
        self.busy_until = busy
        self.recorder.emit_all(events)

    def done_between(self, started: float, ended: float) -> float:
        """When the kernels before a download were done: what came before was no transfer."""
        return min(max(started, self.measured_until), ended)

    def waited(self, origin: Origin, started: float, ended: float) -> None:
        """The script stood still until the device was done."""
        spent = ended - started
        if origin.line:
            self.recorder.line(origin).waited_ms += spent * 1000
        self.recorder.emit(Event("Wait", "for the GPU", started, spent, origin.line))

    def connect(
        self, group: GroupRow | None, inputs: Iterable[int], known: Callable[[int], Record | None]
    ) -> None:
        """Note which groups made what a group reads, at its first execution."""
        if group is not None and group.sources is None:
            group.sources = tuple([r.source if r is not None else 0 for r in map(known, inputs)])


def device_track(device: str) -> str:
    """The track of the device that settings name: each card but the first has one of its own."""
    kind, _, number = device.partition(":")
    return f"Device {number}" if kind == "gpu" and number not in ("", "1") else "Device"
