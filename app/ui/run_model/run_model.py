"""The account of the current session as the window knows it, built from engine events.

Panels read it and listen to its signals; a recorded event stream builds the same model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.engine import protocol
from app.engine.parallel_state import ParallelState
from app.engine.run_state import COMMAND, RunState
from app.ui.run_model.buffer_lifetimes import Lifetimes
from app.ui.run_model.findings import Finding, findings
from app.ui.support.bridge import Bridge
from app.ui.support.refresh_scheduler import RefreshScheduler

Row = dict[str, Any]
MAX_TRANSFERS = 20_000
MAX_SPANS = 1_000_000
LEAST_NOTED = 0.001
BUSY = "A script is running; stop it first"
"""What is said where something cannot be done while a script runs."""


class RunModel(QObject):
    """Everything told so far: state, device, workspace, and the telemetry of the last run."""

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
        self.run = 0
        self.run_name = ""
        self.wall_ms: float | None = None
        self.status = ""
        self.variables: tuple[protocol.VariableSummary, ...] = ()
        self._of_file = False
        self.device: Row = {}
        self.adapters: tuple[Row, ...] = ()
        self.calibration: Row = {}
        self.crossovers: tuple[Row, ...] = ()
        self.error: protocol.ErrorRaised | None = None
        self.parallel = ParallelState()
        self._clear_run()
        for kind, handler in self._handlers():
            bridge.subscribe(kind, handler)

    def _handlers(self) -> Iterator[tuple[type[Any], Any]]:
        yield protocol.StateChanged, self._on_state
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
        self.groups: dict[Any, Row] = {}
        self.kernels: dict[Any, Row] = {}
        self.transfers: list[Row] = []
        self.boundaries: list[Row] = []
        self.findings: list[Finding] = []
        self.residency: dict[str, Row] = {}
        self.lines: dict[tuple[str, int], Row] = {}
        self.stacks: tuple[tuple[protocol.Stack, float], ...] = ()
        self.lifetimes = Lifetimes()
        self.memory: dict[str, int] = {}
        self.spans_seen = 0
        self.spans: list[tuple[str, str, float, float, Row]] = []

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
            self.spans.append(("UI", what, started * 1e6, spent * 1e6, {}))
            self.spans_seen += 1

    def kernel_of(self, group: Row) -> Row | None:
        """The kernel that a group ran, if it ran one."""
        return self.kernels.get(group.get("kernel"))

    def groups_in(self, file: str) -> list[Row]:
        """The groups whose lines are lines of ``file``."""
        return [g for g in self.groups.values() if g.get("file", self.run_name) == file]

    def lines_in(self, file: str) -> list[Row]:
        """The rows of lines of ``file``."""
        return [row for (name, _), row in self.lines.items() if name == file]

    # --- events -----------------------------------------------------------------------

    def _on_state(self, event: protocol.StateChanged) -> None:
        self.state, self.detail = event.state, event.detail
        self.refresh_scheduler.set_running(on=event.state == RunState.RUNNING)
        self.state_changed.emit()

    def _on_run_started(self, event: protocol.RunStarted) -> None:
        self.run = event.run
        self.refresh_scheduler.restart()
        self.wall_ms, self.status, self.error = None, "", None
        self._of_file = event.name != COMMAND
        if self._of_file:
            self.run_name = event.name
            self._clear_run()
        self.run_started.emit()
        self.telemetry_changed.emit()
        self.problems_changed.emit()

    def _on_variables(self, event: protocol.VariablesChanged) -> None:
        self.variables = event.variables
        self.variables_changed.emit()

    def _on_device(self, event: protocol.DeviceReady) -> None:
        self.device, self.adapters = event.device, event.adapters
        self.calibration, self.crossovers = event.calibration, event.crossovers
        self.device_changed.emit()

    def _on_error(self, event: protocol.ErrorRaised) -> None:
        self.error = event
        self.problems_changed.emit()

    def _on_telemetry(self, batch: protocol.TelemetryBatch) -> None:
        self.counters.update(batch.counters)
        _merge(self.groups, batch.groups, "id")
        _merge(self.kernels, batch.kernels, "key")
        self.residency = _keyed(batch.residency, "name") or self.residency
        self.transfers.extend(batch.transfers)
        del self.transfers[:-MAX_TRANSFERS]
        self.boundaries.extend(batch.boundaries)
        spans = self.lifetimes.take(batch.spans)
        self.memory = batch.memory or self.memory
        self.spans.extend(spans)
        self.spans_seen += len(spans)
        del self.spans[:-MAX_SPANS]
        for row in batch.lines:
            self.lines[row["file"], row["line"]] = row
        self.telemetry_changed.emit()

    def _on_parallel(self, event: ParallelState) -> None:
        self.parallel = event
        self.parallel_changed.emit()

    def _on_stacks(self, event: protocol.StacksReady) -> None:
        self.stacks = event.stacks
        self.telemetry_changed.emit()

    def _on_run_finished(self, event: protocol.RunFinished) -> None:
        self.wall_ms, self.status = event.wall_ms, event.status
        self.refresh_scheduler.set_running(on=False)
        if event.report:
            self._take_report(event.report)
        if self._of_file:
            groups, lines = self.groups.values(), self.lines.values()
            self.findings = findings(self.run_name, self.transfers, groups, self.boundaries, lines)
        self.run_finished.emit()
        self.problems_changed.emit()

    def _take_report(self, report: Row) -> None:
        """The report is complete and final: it replaces what the batches told."""
        self.counters = {k: v for k, v in report.get("counters", {}).items() if v is not None}
        self.groups = _keyed(report.get("groups", ()), "id") or self.groups
        self.kernels = _keyed(report.get("kernels", ()), "key") or self.kernels
        self.residency = _keyed(report.get("residency", ()), "name")
        self.transfers = list(report.get("transfers", ())) or self.transfers
        self.boundaries = list(report.get("boundaries", ())) or self.boundaries
        for row in report.get("lines", ()):
            self.lines[row["file"], row["line"]] = row
        if report.get("device") and not self.device:
            self.device = report["device"]
            self.device_changed.emit()
        self.telemetry_changed.emit()


def _keyed(rows: Iterable[Row], key: str) -> dict[Any, Row]:
    return {row[key]: row for row in rows}


def _merge(table: dict[Any, Row], rows: Iterable[Row], key: str) -> None:
    for row in rows:
        table[row[key]] = row
