"""Exact counters and frozen events of everything the accelerator does.

One `Recorder` per runtime. Rows accumulate for the report; events go to subscribers (panels, the
trace writer, tests) and into a ring. Field names are those of the report.
"""

from __future__ import annotations

import time
from collections import deque
from copy import copy
from dataclasses import field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Sized

    from app.accel.ir.node import Origin
    from app.accel.ir.plan import Reason


@mutable_record
class Counters:
    """The report's `counters`: true totals since the last reset.

    `work_inflation` is no total: the largest share of any plan's work in that of computing every
    value once (see `fuse.inflation`); 0 before the first plan.
    """

    captured_ops: int = 0
    plans: int = 0
    plan_cache_hits: int = 0
    groups: int = 0
    dispatches: int = 0
    submits: int = 0
    kernels_compiled: int = 0
    compile_ms: float = 0.0
    pipeline_hits: int = 0
    pipeline_misses: int = 0
    uploads: int = 0
    upload_bytes: int = 0
    upload_ms: float = 0.0
    downloads: int = 0
    download_bytes: int = 0
    download_ms: float = 0.0
    plot_download_bytes: int = 0
    device_ms: float | None = None
    host_ms: float = 0.0
    fallbacks: int = 0
    evictions: int = 0
    peak_device_bytes: int = 0
    peak_host_bytes: int = 0
    work_inflation: float = 0.0


class Event(NamedTuple):
    """Something that happened: `track` is the trace track, times are `perf_counter` seconds.

    Tracks: Script, Planner, Compile, Upload, Device, Wait, Download, Host; Memory, whose events say
    what was allocated and freed. `flow` ties the events of one
    group together.
    """

    track: str
    name: str
    start: float
    duration: float
    line: int = 0
    flow: int = 0
    detail: tuple[tuple[str, object], ...] = ()


@record
class ArrayRow:
    """An input or output of a group."""

    shape: tuple[int, ...]
    class_name: str
    resident: bool


@record
class OperationRow:
    """An operation of a group, as people see it (see `explain_kernel`).

    Attributes:
        id: the number of its value in the kernel.
        args: ids of what it reads; ``-1`` is the group's first input, ``-2`` the second.
        columns: where in the line its expression is.
        back: for what a loop carries the value it takes next; None for all others.
    """

    id: int
    op: str
    class_name: str
    shape: tuple[int, ...]
    args: tuple[int, ...]
    line: int
    columns: tuple[int, int] = (0, 0)
    back: int | None = None


@mutable_record
class GroupRow:
    """One fusion group as planned, with what its executions measured.

    Attributes:
        native_runs: executions on the host that ran machine code; the others ran NumPy.
        native_detail: why the host has no machine code for the group.
        operations: what it computes as a graph (see `explain_kernel`).
        stored: per output the id of the operation that it stores.
        units: operations of one execution, as the cost model counts them.
        work_inflation: the work of the whole plan beside that of computing every value once.
        sources: per input the group that made it, 0 for none; None before the first execution.
    """

    id: int
    kind: str
    provider: str
    reason: Reason
    ops: tuple[str, ...]
    lines: tuple[int, ...]
    inputs: tuple[ArrayRow, ...]
    outputs: tuple[ArrayRow, ...]
    host_estimate_ms: float | None
    device_estimate_ms: float | None
    bytes: int
    kernel: str | None
    file: str = ""
    detail: str = ""
    executions: int = 0
    dispatches: int = 0
    measured_ms: float | None = None
    native_runs: int = 0
    native_detail: str = ""
    operations: tuple[OperationRow, ...] = ()
    stored: tuple[int | None, ...] = ()
    units: int = 0
    work_inflation: float = 1.0
    sources: tuple[int, ...] | None = None

    def begin_anew(self) -> None:
        """The group belongs to the account of another run, where it has not been executed yet."""
        self.executions = self.dispatches = self.native_runs = 0
        self.measured_ms, self.sources, self.native_detail = None, None, ""


@record
class BoundaryRow:
    """Where fusion or laziness stopped, and why."""

    line: int
    reason: Reason
    detail: str
    file: str = ""


@mutable_record
class KernelRow:
    """One compiled kernel."""

    key: str
    label: str
    source: str
    workgroup: tuple[int, ...]
    compile_ms: float
    hits: int = 0
    misses: int = 0
    device_ms: float | None = None


@record
class TransferRow:
    """One crossing of the bus."""

    direction: str
    bytes: int
    ms: float
    line: int
    cause: str
    variable: str
    file: str = ""


@mutable_record
class LineRow:
    """What one source line cost.

    Attributes:
        waited_ms: what the script stood there for the device, or for work of other lines.
    """

    file: str
    line: int
    count: int = 0
    host_ms: float = 0.0
    device_ms: float = 0.0
    upload_bytes: int = 0
    download_bytes: int = 0
    waited_ms: float = 0.0


RING_LENGTH = 65536
COUNTER_NAMES = tuple(f.name for f in fields(Counters))
_counts_of = attrgetter(*COUNTER_NAMES)
_tuple = tuple.__new__


@mutable_record
class Recorder:
    """Collects rows, counts and events.

    Attributes:
        limit: rows kept of each list.
        alike: numbers of groups by what makes them the same.
        owner_of: says which variable holds a stored value; set by the interpreter.
        looked: how often somebody has asked for values, in all runs.
        account: grows where the account of another run begins.
        catch_up: books what is known and has been put off; called before totals are read.
    """

    counters: Counters = field(default_factory=Counters)
    groups: dict[int, GroupRow] = field(default_factory=dict)
    boundaries: dict[tuple[str, int, Reason, str], BoundaryRow] = field(default_factory=dict)
    kernels: dict[str, KernelRow] = field(default_factory=dict)
    transfers: list[TransferRow] = field(default_factory=list)
    lines: dict[tuple[str, int], LineRow] = field(default_factory=dict)
    events: deque[Event] = field(default_factory=lambda: deque(maxlen=RING_LENGTH))
    subscribers: list[Callable[[Event], None]] = field(default_factory=list)
    next_group: int = 0
    alike: dict[tuple[object, ...], int] = field(default_factory=dict)
    limit: int = 10000
    owner_of: Callable[[Any], str] = field(default=lambda _: "")
    looked: int = 0
    account: int = 0
    catch_up: Callable[[], None] = field(default=lambda: None)

    def full(self, rows: Sized) -> bool:
        """Whether a list of the report has all the rows it may have; counters go on counting."""
        return len(rows) >= self.limit

    def note(
        self,
        track: str,
        name: str,
        start: float,
        duration: float,
        line: int = 0,
        flow: int = 0,
        detail: tuple[tuple[str, object], ...] = (),
    ) -> None:
        """`emit` of the event of these, written out: there are several per operation."""
        event = _tuple(Event, (track, name, start, duration, line, flow, detail))
        self.events.append(event)
        if self.subscribers:
            for subscriber in self.subscribers:
                subscriber(event)

    def emit(self, event: Event) -> None:
        """Put an event into the ring and hand it to the subscribers."""
        self.events.append(event)
        for subscriber in self.subscribers:
            subscriber(event)

    def emit_all(self, events: Sequence[Event]) -> None:
        """`emit` all of these."""
        self.events.extend(events)
        for subscriber in self.subscribers:
            deque(map(subscriber, events), 0)

    def subscribe(self, subscriber: Callable[[Event], None]) -> Callable[[], None]:
        """Hand every further event to `subscriber`; returns the way out."""
        self.subscribers.append(subscriber)
        return lambda: self.subscribers.remove(subscriber)

    def memory(
        self, what: str, buffer: int, change: int, live: int, line: int = 0, name: str = ""
    ) -> None:
        """Emit that device storage was allocated or freed; `live` is what is held afterwards."""
        detail = (("buffer", buffer), ("bytes", abs(change)), ("live", live), ("name", name))
        self.note("Memory", what, time.perf_counter(), 0.0, line, 0, detail)

    def boundary(self, origin: Origin, reason: Reason, detail: str) -> None:
        """Record where laziness or fusion stopped; repeated passes of a line count once."""
        key = (origin.file, origin.line, reason, detail)
        if key not in self.boundaries and not self.full(self.boundaries):
            self.boundaries[key] = BoundaryRow(origin.line, reason, detail, origin.file)
            self.emit(
                Event(
                    "Planner",
                    reason.value,
                    time.perf_counter(),
                    0.0,
                    origin.line,
                    detail=(("detail", detail),),
                )
            )

    def line(self, origin: Origin) -> LineRow:
        """The row of a source line."""
        key = (origin.file, origin.line)
        row = self.lines.get(key)
        if row is None:
            row = LineRow(*key)
            if not self.full(self.lines):
                self.lines[key] = row
        return row

    def adopt(self, other: Recorder) -> None:
        """Take over what was noted before there was a runtime."""
        self.boundaries.update(other.boundaries)
        self.lines.update(other.lines)
        self.events.extend(other.events)
        other.reset()

    def group(self, kernel: str, row: GroupRow) -> int:
        """The number of a group: the one it has if it was planned before in this run.

        The passes of a loop that is not one kernel are one group, run many times.
        """
        key = _alike(kernel, row)
        return self._known(key, row) or self._numbered(key, row)

    def again(self, kernel: str, row: GroupRow) -> int:
        """The number in this run of a group that an earlier run had; the row is this run's now."""
        key = _alike(kernel, row)
        known = self._known(key, row)
        if known:
            return known
        if self.groups.get(row.id) is row:
            row = copy(row)
        row.begin_anew()
        return self._numbered(key, row)

    def _known(self, key: tuple[object, ...], row: GroupRow) -> int:
        """The number of the same group in this run; 0 for none."""
        number = self.alike.get(key)
        if number is None or not row.lines:
            return 0
        known = self.groups.get(number)
        if known is None:
            return 0
        known.host_estimate_ms = row.host_estimate_ms
        known.device_estimate_ms, known.detail = row.device_estimate_ms, row.detail
        return known.id

    def _numbered(self, key: tuple[object, ...], row: GroupRow) -> int:
        self.next_group += 1
        row.id = self.alike[key] = self.next_group
        if not self.full(self.groups):
            self.groups[row.id] = row
        return row.id

    def reset(self) -> None:
        """Forget everything; group numbers go on so that traces stay unambiguous."""
        self.account += 1
        Counters.__init__(self.counters)  # others hold on to them
        for store in (self.groups, self.alike, self.boundaries, self.kernels, self.lines):
            store.clear()
        self.transfers.clear()
        self.events.clear()

    def counters_json(self) -> dict[str, int | float | None]:
        """The report's `counters` object."""
        self.catch_up()
        return dict(zip(COUNTER_NAMES, _counts_of(self.counters), strict=True))


def _alike(kernel: str, row: GroupRow) -> tuple[object, ...]:
    """What a group has in common with those that are the same."""
    shapes = tuple([a.shape for a in (*row.inputs, *row.outputs)])
    return kernel, row.file, row.lines, row.provider, row.reason, shapes
