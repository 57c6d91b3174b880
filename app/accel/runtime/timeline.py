"""What the executor notes for the timeline and the graph of groups."""

from __future__ import annotations

import time
from itertools import accumulate, cycle, repeat
from operator import truediv
from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel.support.telemetry import Event
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from app.accel.backends.residency import Record
    from app.accel.ir.node import Origin
    from app.accel.planner.schedule import PlannedStep
    from app.accel.support.telemetry import GroupRow, Recorder

    Sent: TypeAlias = tuple[PlannedStep, int, tuple[Origin, ...]]
    """A step on its way to the device, with the report row and the places that it runs for."""

_tuple = tuple.__new__


@mutable_record
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

    def took(self, times: Sequence[float | None], sent: float) -> tuple[list[float], list[float]]:
        """When steps are taken to have begun that ran in turn, with the end of the last, and the
        seconds they took: each after what was sent before it, for as long as was measured.

        Devices tell how long a kernel took, not when; one that tells not even that may have taken
        all the time until now.
        """
        begun = max(self.busy_until, sent)
        untold = None in times
        if untold:
            taken = [max(time.perf_counter() - begun, 0.0), *repeat(0.0, len(times) - 1)]
        else:
            taken = list(map(truediv, cast("Sequence[float]", times), repeat(1000.0)))
        starts = list(accumulate(taken, initial=begun))
        self.busy_until = starts[-1]
        if not untold and taken:
            self.measured_until = starts[-1]
        return starts, taken

    def ran(
        self, steps: Sequence[Sent], starts: Sequence[float], taken: Sequence[float], *, told: bool
    ) -> None:
        """Put steps on the track of the device; `told` are those whose times it has told."""
        detail: tuple[tuple[str, object], ...] = () if told else (("guessed", True),)
        labels = cycle([step.kernel.label for step, _, _ in steps])
        lines, rows = ([places[-1].line for *_, places in steps], [row for _, row, _ in steps])
        events = zip(
            repeat(self.track),
            labels,
            starts,
            taken,
            cycle(lines),
            cycle(rows),
            repeat(detail),
            strict=False,
        )
        self.recorder.emit_all(list(map(_tuple, repeat(Event), events)))  # thousands at once

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
