"""The session's accelerator: made when the first array is captured, never before.

A script that captures nothing does not wait for it. Until the runtime is there, the interpreter
and the builtins hold a :class:`Proxy` that makes it at the first use.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from math import prod
from time import perf_counter
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from app.accel.ir.node import NOWHERE, Origin
from app.accel.support import system_cards
from app.accel.support.telemetry import Event, Recorder
from app.engine.capture import capture_session
from app.engine.interpreter import frames
from app.engine.interpreter.error_conversion import position_of
from app.engine.protocol import DeviceReady, Stack, TelemetryBatch
from app.engine.run_rows import ResidencyRow, all_rows, device_row
from app.engine.session.report import Outcome, RunReport
from app.engine.session.telemetry_feed import TelemetryFeed
from app.engine.values import DeviceArray, Value
from app.engine.values.types import CLASS_OF_DTYPE
from app.errors import Interrupted, UsageError

if TYPE_CHECKING:
    from app.accel.backends.base import Tell
    from app.accel.backends.residency import Record
    from app.accel.ir.node import Node
    from app.accel.runtime.runtime import Runtime
    from app.settings import Settings


class Proxy:
    """Stands for the runtime until something is asked of it."""

    __slots__ = ("_acceleration",)

    def __init__(self, acceleration: Acceleration) -> None:
        self._acceleration = acceleration

    @property
    def recorder(self) -> Recorder:
        """What happened: noting something opens nothing."""
        return self._acceleration.recorder

    def locate(self) -> Origin:
        """The line that runs now: asking opens nothing."""
        return place()

    @property
    def may_get_card(self) -> bool:
        """Whether a graphics card may come yet: asking opens nothing."""
        return self._acceleration.may_get_card

    def synchronize(self) -> None:
        """Wait for the device: there is nothing to wait for unless the runtime is open."""
        self._acceleration.synchronize()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._acceleration.runtime, name)


class Acceleration:
    """Owns the runtime of a session.

    Args:
        settings: the settings in force.
        poll: called between the steps of a plan; raises Interrupted to cancel.
        tell_waits: told what the engine waits for; raises Interrupted to cancel.
        describe_device: True to open the device, if need be, after a run: for its report.

    Attributes:
        proxy: what interpreter and builtins hold before the runtime is open.
    """

    def __init__(
        self,
        settings: Settings,
        poll: Callable[[], None],
        tell_waits: Tell,
        describe_device: bool = False,
    ) -> None:
        self._settings = settings
        self._poll = poll
        self._tell_waits = tell_waits
        self._runtime: Runtime | None = None
        self._retired: list[Runtime] = []
        self._unused = Recorder()
        self._feed = TelemetryFeed(self._unused)
        self.proxy = cast("Runtime", Proxy(self))
        self._describe_device = describe_device
        self._script = ""
        capture_session.activate(self.proxy, *self._sizes())
        settings.subscribe(self._setting_changed)

    def _setting_changed(self, name: str) -> None:
        if name in {"capture_threshold", "device"}:
            self.activate()

    def _sizes(self) -> tuple[int, int, int]:
        """Elements from which results go to the graph, everywhere and in long loops, and up to
        which arrays are worked on at once where the result is smaller.

        Where the host may do the work, what it does in less time than a plan takes it does at once,
        unless the user set the number.
        """
        settings = self._settings
        declared = settings.origin("capture_threshold") == "default"
        if declared and settings.device in {"auto", "cpu"}:
            return WORTH_A_PLAN, WORTH_A_LOOP, MODEST
        return settings.capture_threshold, settings.capture_threshold, 0

    def activate(self) -> None:
        """Capture for this session from now on; another one in the process may have had it."""
        capture_session.activate(self._runtime or self.proxy, *self._sizes())

    @property
    def runtime(self) -> Runtime:
        """The runtime, opened now if it is not open yet."""
        return self.open() if self._runtime is None else self._runtime

    @property
    def may_get_card(self) -> bool:
        """Whether no device is there yet and a graphics card may come; every loop asks."""
        if self._runtime is None and self._settings.device in {"auto", "cpu"}:
            return self._settings.device == "auto" and system_cards.may_have_card()
        return self.runtime.may_get_card

    def open(self) -> Runtime:
        """Make the runtime; unless asked for, its device opens when there is work for it."""
        from app.accel.runtime import devices

        runtime = devices.runtime(self._settings, self._script)
        runtime.poll = self._poll
        devices.tell_waits(runtime, self._tell_waits)
        runtime.locate = place
        runtime.recorder.owner_of = self._owner
        runtime.recorder.adopt(self._unused)
        self._runtime = runtime
        self._feed = TelemetryFeed(runtime.recorder)
        capture_session.activate(runtime, *self._sizes())
        try:
            devices.open_asked_for(runtime)
        except UsageError:
            self._runtime = None
            raise
        return runtime

    def _owner(self, record: Record) -> str:
        """The variable that holds a stored value: of the code that runs, or of what called it."""
        frame = frames.current()
        while frame is not None:
            for name, value in frames.variables_of(frame):
                node = node_of(value)
                if node is not None and self.runtime.residency.record(node) is record:
                    return name
            frame = frames.caller_of(frame)
        return ""

    def open_device(self) -> None:
        """Open the device too, so that a report or a panel can say what it is."""
        self.runtime.open()

    @property
    def recorder(self) -> Recorder:
        """What happened; empty while the runtime is not open."""
        return self._unused if self._runtime is None else self._runtime.recorder

    def restart(self, script: str = "") -> None:
        """Begin the account of a new run."""
        self._script = script
        if self._runtime is not None:
            self._runtime.begin(script)
        capture_session.begin_run()
        self.recorder.reset()
        self._feed.restart()

    def synchronize(self) -> None:
        """Wait for the device, if there is one."""
        if self._runtime is not None:
            self._runtime.synchronize()

    def abandon(self) -> None:
        """The run was interrupted: nobody waits for what the device still does."""
        if self._runtime is not None:
            from app.accel.runtime import devices

            devices.abandon(self._runtime)

    def rest(self) -> None:
        """Nothing runs: the time to measure what no run has measured yet, unless it is closed."""
        if self._runtime is not None:
            with suppress(Interrupted):
                self._runtime.measure()

    def lines_ran(self, name: str, looks: Iterable[tuple[Stack, float, float]]) -> None:
        """Note on the Script track which lines of a file were seen to run when."""
        for stack, start, end in looks:
            line = next((line for _, file, line in reversed(stack) if file == name), 0)
            function, file, inner = stack[-1]
            text = f"line {line}" if file == name else f"{function}, line {inner}"
            seen = (("seen", True),)
            self.recorder.emit(Event("Script", text, start, end - start, line, detail=seen))

    def script_ran(self, name: str, start: float, duration: float) -> None:
        """Note the run itself on the trace's Script track."""
        self.recorder.emit(Event("Script", name, start, duration))

    def report(self, outcome: Outcome, workspace: Mapping[str, Value]) -> RunReport:
        """The report of the run that just ended."""
        if self._describe_device:
            self.open_device()
        info = None if self._runtime is None else self._runtime.device_info
        rows = all_rows(self.recorder, self.residency(workspace))
        return RunReport(outcome, device_row(info), rows)

    @property
    def is_computing(self) -> bool:
        """Whether a plan is under way: no other one may begin between two of its steps."""
        return self._runtime is not None and self._runtime.executor.current is not None

    def due(self) -> bool:
        """Whether the next batch of telemetry may be sent."""
        return self._feed.due()

    def batch(self, workspace: Mapping[str, Value] | None = None) -> TelemetryBatch:
        """Telemetry since the last batch; with residency when a workspace is given."""
        memory = {} if self._runtime is None else self._runtime.memory()
        return self._feed.batch(() if workspace is None else self.residency(workspace), memory)

    # --- where values are --------------------------------------------------------------------

    def where(self, value: Value) -> str:
        """host, device, both or lazy."""
        if _is_pending(value):
            return "lazy"
        node = node_of(value)
        runtime = value.runtime if type(value) is DeviceArray else self._runtime
        return "host" if node is None or runtime is None else str(runtime.state(node))

    def residency(self, workspace: Mapping[str, Value]) -> tuple[ResidencyRow, ...]:
        """The report's ``residency`` rows: every numeric array of the workspace whose size is known
        (what a mask selects is not counted for this), and what else is on the device."""
        now, rows, owned = perf_counter(), list[ResidencyRow](), set[int]()
        runtime: Runtime | None
        node: Node | None
        for name, value in workspace.items():
            if type(value) is DeviceArray:
                if value.pending is not None or value.undecided is not None:
                    continue
                runtime, node = value.runtime, value.node
            elif type(value) is np.ndarray:
                runtime, node = self._runtime, capture_session.known_leaf(value)
            else:
                continue
            record = None if node is None or runtime is None else runtime.residency.record(node)
            rows.append(_row(name, value, node, record, now))
            if record is not None:
                owned.add(id(record))
        return (*rows, *self._unnamed_values(owned, now))

    def _unnamed_values(self, owned: Container[int], now: float) -> list[ResidencyRow]:
        """The largest values on the device that are no variables: a figure's, or in containers."""
        if self._runtime is None:
            return []
        found = [
            (node, record)
            for node, record in self._runtime.residency.table.items()
            if record.device is not None and id(record) not in owned
        ]
        found.sort(key=lambda pair: -pair[1].device_bytes)
        return [
            ResidencyRow(
                f"#{number}",
                node.dtype.label,
                node.shape,
                record.count * node.dtype.size,
                record.where,
                record.pins,
                "figure" if record.pins else "value",
                record.line,
                *_ages(record, now),
            )
            for number, (node, record) in enumerate(found[:MOST_OTHERS], 1)
        ]

    def device_ready(self) -> DeviceReady:
        """The device in use, all adapters and the calibration; opens the device."""
        from app.accel.planner import crossover
        from app.engine.figures.pinned_buffers import DrawingDevice
        from app.engine.session import device_survey

        self.open_device()
        found = device_survey.survey(self.runtime)
        drawing = DrawingDevice(self.runtime.executor.device)
        placer, opened = self.runtime.placer, self.runtime.device_info is not None
        curves = crossover.curves(placer.host, placer.device if opened else None)
        return DeviceReady(found.device, found.adapters, found.calibration, drawing, curves)

    # --- changing it -------------------------------------------------------------------------

    def act(self, action: str, value: Value) -> None:
        """``gather``, ``evict``, ``pin`` or ``unpin`` a value; does nothing to host-only ones."""
        node = value.node if type(value) is DeviceArray else node_of(value)
        if node is None:
            return
        runtime = self.runtime
        if action in {"gather", "evict"}:
            runtime.gather(node, action)
        if action == "evict":
            runtime.release(node)
        record = runtime.residency.record(node)
        if record is not None and action in {"pin", "unpin"}:
            record.pins = max(0, record.pins + (1 if action == "pin" else -1))

    def recalibrate(self) -> None:
        """Measure host and device again."""
        from app.accel.runtime import devices

        devices.recalibrate(self.runtime)

    def reopen(self) -> None:
        """Use another device from now on, as the settings say.

        The old runtime lives as long as the session: lazy values of it still find their data.
        """
        if self._runtime is not None:
            self._retired.append(self._runtime)
            self._runtime = None
            capture_session.activate(self.proxy, *self._sizes())

    def close(self) -> None:
        """Release the device; nothing is captured any more."""
        capture_session.deactivate()
        self._feed.close()
        for runtime in (*self._retired, self._runtime):
            if runtime is not None:
                runtime.close()
        self._retired.clear()
        self._runtime = None


MOST_OTHERS = 50
WORTH_A_PLAN = 1 << 16
"""Elements of a result from which a chain of some ten operations takes longer on the host than its
plan: half a millisecond, and a tenth of a second for the first of a process. Of fewer, one
operation is done in a tenth of that."""
WORTH_A_LOOP = 1 << 12
"""The same where hundreds of passes share one plan."""
MODEST = 1 << 18
"""Elements that the host adds up, or multiplies by a vector, in less time than a plan takes."""


def _ages(record: Record, now: float) -> tuple[float, float | None, int]:
    """How long ago a value was made and last used, and by which line; None and 0 for unknown."""
    idle = (now - record.used) * 1000 if record.used else None
    return (now - record.made) * 1000, idle, record.used_line


def _row(
    name: str, value: Value, node: Node | None, record: Record | None, now: float
) -> ResidencyRow:
    """The row of a variable that is an array, with what the graph knows of it."""
    if type(value) is np.ndarray:
        described = name, CLASS_OF_DTYPE[value.dtype], value.shape, value.nbytes
    else:
        array = cast("DeviceArray", value)
        dtype, shape = array.node.dtype, array.shape
        described = name, dtype.label, shape, prod(shape) * dtype.size
    if record is None:
        return ResidencyRow(*described, "host" if node is None else "lazy")
    ages = _ages(record, now)
    return ResidencyRow(*described, record.where, record.pins, "variable", record.line, *ages)


def node_of(value: Value) -> Node | None:
    """The graph's node of a value, if the graph knows it."""
    if type(value) is DeviceArray:
        return None if _is_pending(value) else value.node
    return capture_session.known_leaf(value) if type(value) is np.ndarray else None


def _is_pending(value: Value) -> bool:
    """Whether a value is what a mask selects, not counted yet, or may be real."""
    if type(value) is not DeviceArray:
        return False
    return value.pending is not None or value.undecided is not None


def place() -> Origin:
    """The place in the script that runs now."""
    frame = frames.current()
    if frame is None:
        return NOWHERE
    key = id(frame.f_code), frame.f_lasti
    known = _places.get(key)
    if known is None or known[0] is not frame.f_code:
        if len(_places) >= PLACES:
            _places.clear()
        known = _places[key] = frame.f_code, _place(frame)
    return known[1]


def _place(frame: FrameType) -> Origin:
    name = frame.f_code.co_filename
    line, last, start, end = position_of(frame.f_code, frame.f_lasti)
    if line is None or (not start and not end):
        return Origin(name, frame.f_lineno)
    return Origin(name, line, "", start or 0, (end or 0) if last == line else 0)


PLACES = 1024
_places: dict[tuple[int, int], tuple[CodeType, Origin]] = {}
"""Places by instruction: every captured operation asks for its own."""
