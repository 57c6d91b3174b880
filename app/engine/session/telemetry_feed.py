"""Telemetry for the window: what changed since the last batch, at most ten batches a second."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from app.engine.protocol import TelemetryBatch
from app.engine.run_rows import (
    BoundaryRow,
    GroupRow,
    KernelRow,
    LineRow,
    ResidencyRow,
    RunRows,
    counters_of,
    rows_of,
)

if TYPE_CHECKING:
    from app.accel.support import telemetry
    from app.accel.support.telemetry import Event, Recorder

R = TypeVar("R")
INTERVAL_S = 0.1
MOST_SPANS = 20_000

Span = tuple[str, str, float, float, dict[str, Any]]


class TelemetryFeed:
    """Turns a recorder's rows into batches of those that are new or changed.

    Must be used in the thread that runs the script: the rows are read while nobody writes them.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._spans: deque[Event] = deque(maxlen=MOST_SPANS)
        self._leave = recorder.subscribe(self._spans.append)
        self._sent: dict[Hashable, tuple[object, ...]] = {}
        self._transfers = 0
        self._next = 0.0
        self.restart()

    def restart(self) -> None:
        """Begin anew: the recorder was reset."""
        self._spans.clear()
        self._sent.clear()
        self._transfers = 0
        self._next = time.monotonic() + INTERVAL_S

    def due(self) -> bool:
        """Whether the next batch may be sent; then the one after it has to wait."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + INTERVAL_S
        return True

    def batch(
        self, residency: tuple[ResidencyRow, ...] = (), memory: Mapping[str, int] | None = None
    ) -> TelemetryBatch:
        """Everything that is new or changed since the last batch; the arguments as they are."""
        recorder = self._recorder
        transfers = tuple(islice(recorder.transfers, self._transfers, None))
        self._transfers += len(transfers)
        rows = RunRows(
            counters_of(recorder),
            rows_of(GroupRow, self._changed_rows(recorder.groups.values(), _group_state)),
            rows_of(KernelRow, self._changed_rows(recorder.kernels.values(), _kernel_state)),
            transfers,
            rows_of(BoundaryRow, self._changed_rows(recorder.boundaries.values(), _boundary_state)),
            residency,
            rows_of(LineRow, self._changed_rows(recorder.lines.values(), _line_state)),
        )
        spans = tuple(_span(self._spans.popleft()) for _ in range(len(self._spans)))
        return TelemetryBatch(rows, spans, dict(memory or {}))

    def close(self) -> None:
        """Listen no more."""
        self._leave()

    def _changed_rows(
        self, rows: Iterable[R], state: Callable[[R], tuple[Hashable, tuple[object, ...]]]
    ) -> Iterator[R]:
        """The rows whose state is not the one that was sent last."""
        for row in rows:
            key, now = state(row)
            if self._sent.get(key) != now:
                self._sent[key] = now
                yield row


def _group_state(row: telemetry.GroupRow) -> tuple[Hashable, tuple[object, ...]]:
    return ("group", row.id), (row.executions, row.dispatches, row.measured_ms)


def _kernel_state(row: telemetry.KernelRow) -> tuple[Hashable, tuple[object, ...]]:
    return ("kernel", row.key), (row.hits, row.misses, row.device_ms)


def _boundary_state(row: telemetry.BoundaryRow) -> tuple[Hashable, tuple[object, ...]]:
    return ("boundary", row.file, row.line, row.reason.value, row.detail), ()


def _line_state(row: telemetry.LineRow) -> tuple[Hashable, tuple[object, ...]]:
    times = (row.count, row.host_ms, row.device_ms, row.waited_ms)
    return ("line", row.file, row.line), (*times, row.upload_bytes, row.download_bytes)


def _span(event: Event) -> Span:
    track, name, start, duration, line, flow, detail = event
    arguments = dict(detail) if detail else {}
    arguments["line"], arguments["flow"] = line, flow
    return track, name, start * 1e6, duration * 1e6, arguments
