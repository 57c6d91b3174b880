"""The account of the current session as the window knows it, built from engine events.

Panels read it and listen to its signals; a recorded event stream builds the same model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.accel.planner.crossover import Crossover
from app.engine import protocol
from app.engine.parallel_state import ParallelState
from app.engine.run_rows import (
    BoundaryRow,
    Calibration,
    DeviceRow,
    GroupRow,
    KernelRow,
    LineRow,
    ResidencyRow,
    RunRows,
    TransferRow,
)
from app.engine.run_state import COMMAND, RunState
from app.ui.run_model.buffer_lifetimes import Lifetimes, SpanRow
from app.ui.run_model.findings import Finding, findings
from app.ui.support.bridge import Bridge
from app.ui.support.pace import Pace
from app.ui.support.refresh_scheduler import RefreshScheduler

MAX_TRANSFERS = 20_000
MAX_SPANS = 1_000_000
LEAST_NOTED = 0.001
WINDOW_TRACK = "UI"
"""The track of the timeline for what the window did while a script ran."""
LOST = "device-lost"
BUSY = "A script is running; stop it first"
"""What is said where something cannot be done while a script runs."""


class RunModel(QObject):
    """Everything told so far: state, device, workspace, and the telemetry of the last run.

    Attributes:
        stack: where the script paused last, innermost first: name, file, line, column.
        wall_ms: how long the last run took, be it of a file or of a command; None while it runs.
        loss: what is told of a device that the account's run has lost; empty where it lost none.
        account_run: the number of the last run of a file, which counters and rows are about.
        account_ms: how long that and the commands after it took, which the counters count, too.
    """

    state_changed = Signal()
    variables_changed = Signal()
    telemetry_changed = Signal()
    device_changed = Signal()
    run_started = Signal()
    run_finished = Signal()
    problems_changed = Signal()
    parallel_changed = Signal()

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.refresh_scheduler = RefreshScheduler(self)
        self.state = RunState.STARTING
        self.detail = ""
        self.stack: tuple[tuple[str, str, int, int], ...] = ()
        self.frame = 0
        self._state_pace = Pace()
        self._state_timer = QTimer(self)
        self._state_timer.setSingleShot(True)
        self._state_timer.timeout.connect(self._tell_state)
        self.run = 0
        self.run_name = ""
        self.wall_ms: float | None = None
        self.account_run = 0
        self.account_ms = 0.0
        self.status = ""
        self.variables: tuple[protocol.VariableSummary, ...] = ()
        self._of_file = False
        self.device: DeviceRow | None = None
        self.adapters: tuple[DeviceRow, ...] = ()
        self.calibration = Calibration()
        self.crossovers: tuple[Crossover, ...] = ()
        self.error: protocol.ErrorRaised | None = None
        self.parallel = ParallelState()
        self._clear_run()
        for kind, handler in self._handlers():
            bridge.subscribe(kind, handler)

    def _handlers(self) -> Iterator[tuple[type[Any], Any]]:
        yield protocol.StateChanged, self._on_state
        yield protocol.Paused, self._on_paused
        yield protocol.FrameShown, self._on_frame_shown
        yield protocol.RunStarted, self._on_run_started
        yield protocol.VariablesChanged, self._on_variables
        yield protocol.TelemetryBatch, self._on_telemetry
        yield protocol.DeviceReady, self._on_device
        yield protocol.ErrorRaised, self._on_error
        yield protocol.RunFinished, self._on_run_finished
        yield protocol.StacksReady, self._on_stacks
        yield ParallelState, self._on_parallel

    def _clear_run(self) -> None:
        self.counters: dict[str, float] = {}
        self.groups: dict[int, GroupRow] = {}
        self.kernels: dict[str, KernelRow] = {}
        self.transfers: list[TransferRow] = []
        self.boundaries: list[BoundaryRow] = []
        self.loss = ""
        self.findings: list[Finding] = []
        self.residency: dict[str, ResidencyRow] = {}
        self.lines: dict[tuple[str, int], LineRow] = {}
        self.stacks: tuple[tuple[protocol.Stack, float], ...] = ()
        self.lifetimes = Lifetimes()
        self.memory: dict[str, int] = {}
        self.spans_seen = 0
        self.spans: list[SpanRow] = []

    # --- questions --------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """True while a script runs, is paused or waits, for input or for the engine's start."""
        if self.state == RunState.STARTING:
            return bool(self.detail)
        return self.state in (RunState.RUNNING, RunState.PAUSED, RunState.WAITING_INPUT)

    def note_work(self, what: str, started: float, spent: float) -> None:
        """Put work of the window while a script runs on the UI track."""
        if self.busy and spent >= LEAST_NOTED:
            self.spans.append((WINDOW_TRACK, what, started * 1e6, spent * 1e6, {}))
            self.spans_seen += 1

    def kernel_of(self, group: GroupRow) -> KernelRow | None:
        """The kernel that a group ran, if it ran one."""
        return self.kernels.get(group.kernel) if group.kernel is not None else None

    def groups_in(self, file: str) -> list[GroupRow]:
        """The groups whose lines are lines of ``file``."""
        return [g for g in self.groups.values() if (g.file or self.run_name) == file]

    def lines_in(self, file: str) -> list[LineRow]:
        """The rows of lines of ``file``."""
        return [row for (name, _), row in self.lines.items() if name == file]

    # --- events -----------------------------------------------------------------------

    def _on_state(self, event: protocol.StateChanged) -> None:
        self.state, self.detail = event.state, event.detail
        self.refresh_scheduler.set_running(on=event.state == RunState.RUNNING)
        if not self._state_timer.isActive():
            wait = self._state_pace.wait_ms()
            if wait:
                self._state_timer.start(wait)
            else:
                self._tell_state()

    def _on_paused(self, event: protocol.Paused) -> None:
        self.stack, self.frame = event.frames, 0
        self.state_changed.emit()

    def _on_frame_shown(self, event: protocol.FrameShown) -> None:
        self.frame = event.frame
        self.state_changed.emit()

    def _tell_state(self) -> None:
        self._state_pace.note()
        self.state_changed.emit()

    def _on_run_started(self, event: protocol.RunStarted) -> None:
        self.run = event.run
        self.refresh_scheduler.restart()
        self.wall_ms, self.status, self.error = None, "", None
        self._of_file = event.name != COMMAND
        if self._of_file:
            self.run_name = event.name
            self.account_run, self.account_ms = event.run, 0.0
            self._clear_run()
        self.run_started.emit()
        self.telemetry_changed.emit()
        self.problems_changed.emit()

    def _on_variables(self, event: protocol.VariablesChanged) -> None:
        self.variables = event.variables
        self.variables_changed.emit()

    def _on_device(self, event: protocol.DeviceReady) -> None:
        self.device, self.adapters, self.loss = event.device, event.adapters, ""
        self.calibration, self.crossovers = event.calibration, event.crossovers
        self.device_changed.emit()

    def _on_error(self, event: protocol.ErrorRaised) -> None:
        self.error = event
        self.problems_changed.emit()

    def _on_telemetry(self, batch: protocol.TelemetryBatch) -> None:
        rows = batch.rows
        if any(rows.counters.values()):  # an engine that has just begun knows nothing of the run
            self.counters.update(rows.counters)
        self.groups.update((row.id, row) for row in rows.groups)
        self.kernels.update((row.key, row) for row in rows.kernels)
        self.residency = {row.name: row for row in rows.residency} or self.residency
        self.transfers.extend(rows.transfers)
        del self.transfers[:-MAX_TRANSFERS]
        self.boundaries.extend(rows.boundaries)
        self._note_loss(rows.boundaries)
        spans = self.lifetimes.take(batch.spans)
        self.memory = batch.memory or self.memory
        self.spans.extend(spans)
        self.spans_seen += len(spans)
        del self.spans[:-MAX_SPANS]
        self.lines.update(((row.file, row.line), row) for row in rows.lines)
        self.telemetry_changed.emit()

    def _note_loss(self, boundaries: Iterable[BoundaryRow]) -> None:
        """Keep what is told of a device that the run has lost."""
        told = [row.detail for row in boundaries if row.reason == LOST]
        if told and told[-1] != self.loss:
            self.loss = told[-1]
            self.device_changed.emit()

    def _on_parallel(self, event: ParallelState) -> None:
        self.parallel = event
        self.parallel_changed.emit()

    def _on_stacks(self, event: protocol.StacksReady) -> None:
        spent = dict(self.stacks)  # a command adds to the account of the run before it
        for stack, ms in event.stacks:
            spent[stack] = spent.get(stack, 0.0) + ms
        self.stacks = tuple(spent.items())
        self.telemetry_changed.emit()

    def _on_run_finished(self, event: protocol.RunFinished) -> None:
        self.wall_ms, self.status = event.wall_ms, event.status
        self.account_ms += event.wall_ms
        self.refresh_scheduler.set_running(on=False)
        if event.rows is not None:
            self._take_all(event.rows)
        if event.device is not None and (self.device is None or self.loss):
            self.device = event.device
            self.device_changed.emit()
        if self._of_file:
            groups, lines = self.groups.values(), self.lines.values()
            self.findings = findings(self.run_name, self.transfers, groups, self.boundaries, lines)
        self.run_finished.emit()
        self.problems_changed.emit()

    def _take_all(self, rows: RunRows) -> None:
        """What a run tells at its end is complete: it replaces what the batches told."""
        self.counters = dict(rows.counters)
        self.groups = {row.id: row for row in rows.groups} or self.groups
        self.kernels = {row.key: row for row in rows.kernels} or self.kernels
        self.residency = {row.name: row for row in rows.residency}
        self.transfers = list(rows.transfers) or self.transfers
        self.boundaries = list(rows.boundaries) or self.boundaries
        self._note_loss(self.boundaries)
        self.lines.update(((row.file, row.line), row) for row in rows.lines)
        self.telemetry_changed.emit()
