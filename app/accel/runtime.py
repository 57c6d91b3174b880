"""The façade of the accelerator: build nodes, ask for values, see what happened.

Threads: capture and evaluation belong to the engine thread; gathers and exports for the window
may come from other threads. A lock serialises everything that touches providers.
"""

from __future__ import annotations

import math
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel import calibration, cost, oracle, verify
from app.accel.dtypes import DType, of_numpy
from app.accel.executor import Executor, no_cancel
from app.accel.loops import LoopTrace
from app.accel.node import NOWHERE, Attrs, Node, Number, Origin, make, make_leaf, seal
from app.accel.opening import Opening, open_device
from app.accel.plan import Reason
from app.accel.providers.host import HostProvider
from app.accel.residency import Record, Residency
from app.accel.rules import RULES, folded
from app.accel.schedule import CompiledPlan, Placer, PlannedStep, Request, compile_plan
from app.accel.shapes import SCALAR, infer
from app.accel.telemetry import ArrayRow, Event, GroupRow, Recorder
from app.accel.walk import Walk
from app.errors import DeviceLost, DomainLeft, InternalError, MatlabError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from app.accel.cost import Speeds
    from app.accel.providers.base import DeviceInfo, Provider

PLANS_KEPT = 1024


@dataclass(slots=True)
class AccelOptions:
    """Plain values of the settings the accelerator reads.

    Attributes:
        device: auto, cpu, gpu, or part of an adapter's name.
        chain_limit: longest chain of pending operations before the graph is evaluated.
        memory_budget: device bytes to use at most; 0 for a default by device.
        host_threads: threads of the host path; 0 for one per core.
        calibration: measure the device once.
        verify: check every graph, kernel and plan.
    """

    device: str = "auto"
    chain_limit: int = 128
    memory_budget: int = 0
    host_threads: int = 0
    calibration: bool = True
    verify: bool = False

    @classmethod
    def of(cls, settings: object) -> AccelOptions:
        """The options found among the attributes of any settings object."""
        if isinstance(settings, cls):
            return settings
        options = cls()
        for item in fields(cls):
            setattr(options, item.name, getattr(settings, item.name, item.default))
        return options


class Runtime:
    """Everything the engine needs of the accelerator.

    Attributes:
        recorder: counters, rows and events.
        locate: gives the place in the script that runs now; set by the interpreter.
    """

    def __init__(
        self,
        settings: object = None,
        provider: Provider | None = None,
        opener: Callable[[str], Provider] = open_device,
    ) -> None:
        self.options = AccelOptions.of(settings)
        self.recorder = Recorder()
        self.residency = Residency()
        self.locate: Callable[[], Origin] = lambda: NOWHERE
        self._lock = RLock()
        self._counters = self.recorder.counters
        host = HostProvider(self.options.host_threads)
        self.executor = Executor(self.recorder, self.residency, host, None)
        named = self.options.device not in {"auto", "cpu"}
        force = "gpu" if named else self.options.device
        speeds = cost.typical_host(host.threads)
        self.placer = Placer(None, speeds, speeds, force)
        self.executor.observe = self.placer.observe
        self.opening = Opening(self.options.device, self._calibrate, opener)
        self._measured: Speeds | None = None
        self._evaluations = 0
        self._plans: OrderedDict[object, CompiledPlan] = OrderedDict()
        if provider is not None:
            self.opening.adopt(provider)
            self._adopt(provider)

    def _calibrate(self, provider: Provider) -> None:
        """Runs in the opening thread: nothing else uses the device yet."""
        if self.options.calibration and self.placer.force == "auto":
            self.placer.host = calibration.host_speeds(self.executor.host)
            self._measured = calibration.device_speeds(provider)

    def _adopt(self, provider: Provider) -> None:
        """From now on plans may use this device."""
        self.executor.device = provider
        self.executor.budget = self.options.memory_budget or default_budget(provider)
        self.placer.provider = provider
        self.placer.device = self._measured or cost.typical(provider.info)
        self._plans.clear()

    # --- building the graph ------------------------------------------------------------------

    def leaf(self, array: NDArray[Any], name: str = "", origin: Origin | None = None) -> Node:
        """A node whose value is `array` (at least 2-D); the array must not change any more."""
        node = make_leaf(of_numpy(array.dtype), array.shape, origin or NOWHERE)
        flat = array.reshape(-1, order="F")
        self.residency.put(node, Record(node.dtype, node.size, flat, name=name))
        return node

    def scalar(self, value: Number, dtype: DType = DType.F64) -> Node:
        """A 1x1 parameter node; its value is not part of any plan."""
        return make("param", (), (), dtype, (1, 1), (value,))

    def apply(
        self,
        op: str,
        inputs: tuple[Node, ...],
        attrs: Attrs = (),
        data: tuple[Number, ...] = (),
        origin: Origin | None = None,
    ) -> Node:
        """The node of an operation. Raises MatlabError when the shapes do not fit."""
        self._counters.captured_ops += 1
        rule = RULES.get(op)
        if rule is not None:
            found = rule(op, inputs, attrs)
            if type(found) is Node:
                return found
            if found is not None:
                op, inputs, attrs = found  # type: ignore[misc]
        dtype, shape = infer(op, inputs, attrs)
        node = make(op, inputs, attrs, dtype, shape, data)
        if shape == SCALAR and inputs and all(child.op == "param" for child in inputs):
            return folded(node)
        if node.origin is NOWHERE:
            node.origin = origin or self.locate()
        if node.depth > self.options.chain_limit:
            self.evaluate([node], Reason.GRAPH_LIMIT, "a long chain of pending operations")
        return node

    def loop(self, trips: int, first: float = 1.0, step: float = 1.0) -> LoopTrace:
        """Begin to trace the body of a loop that may become one kernel; see `loops`."""
        return LoopTrace(trips, first, step)

    # --- values ------------------------------------------------------------------------------

    def evaluate(
        self,
        nodes: Iterable[Node],
        cause: Reason | str = Reason.NEEDS_HOST_VALUE,
        detail: str = "",
        gathered: bool = False,
    ) -> None:
        """Compute and store the values of `nodes`, together."""
        wanted = [node for node in dict.fromkeys(nodes) if node.op not in {"leaf", "param"}]
        if not wanted:
            return
        with self._lock:
            reason, detail = _typed(cause, detail)
            origin = self.locate()
            self.recorder.boundary(origin, reason, detail)
            self._evaluate(wanted, origin, gathered)

    def gather(
        self, node: Node, cause: Reason | str = Reason.NEEDS_HOST_VALUE, detail: str = ""
    ) -> NDArray[Any]:
        """The value on the host, Fortran order. Complex where a real domain was left."""
        with self._lock:
            self.evaluate([node], cause, detail, gathered=True)
            record = self._record(node)
            label = cause if cause == "plot" else _typed(cause, detail)[0].value
            flat = self.executor.host_buffer(record, self.locate(), str(label))
            return flat.reshape(node.shape, order="F")

    def gather_elements(
        self,
        node: Node,
        indices: Sequence[int] | NDArray[np.integer[Any]],
        cause: Reason | str = Reason.NEEDS_HOST_VALUE,
    ) -> NDArray[Any]:
        """Elements at 0-based linear indices as a 1-D array; fetches only what is needed."""
        with self._lock:
            self.evaluate([node], cause, "some elements")
            record, wanted = self._record(node), np.asarray(indices, np.int64)
            if record.host is not None:
                return record.host[wanted]
            if not wanted.size:
                return np.empty(0, node.dtype.numpy)
            low, high = int(wanted.min()), int(wanted.max())
            if (high - low + 1) * 4 > record.count and high - low > 4096:
                return self.executor.host_buffer(record, self.locate(), "indexing")[wanted]
            part = self.executor.fetch(record, self.locate(), "indexing", low, high - low + 1)
            return part[wanted - low]

    def settled_dtype(self, node: Node) -> DType:
        """The type the value really has: evaluates guarded nodes to see if they are complex."""
        self.evaluate([node], Reason.DOMAIN_GUARD, "is it complex?")
        return node.dtype.complex if self._record(node).is_complex else node.dtype

    def to_device(self, node: Node, cause: Reason | str = Reason.FORCED) -> bool:
        """Bring the value to the device; False (recorded) when there is none that can hold it."""
        with self._lock:
            self.evaluate([node], cause)
            record = self._record(node)
            device = self.executor.device
            if device is None or not device.supports(node.dtype) or record.is_complex:
                reason = Reason.NO_DEVICE if device is None else Reason.PRECISION
                self.recorder.boundary(self.locate(), reason, "the value stays on the host")
                return False
            self.executor.device_buffer(record, self.locate(), "gpuArray")
            return True

    def state(self, node: Node) -> str:
        """host, device, both or lazy."""
        record = self.residency.record(node)
        return record.where if record else "lazy"

    def name(self, node: Node, name: str) -> None:
        """Say which variable owns a stored value."""
        record = self.residency.record(node)
        if record is not None:
            record.name = name

    @contextmanager
    def export_buffer(self, node: Node) -> Iterator[object | None]:
        """The native device buffer, pinned while the block runs; None without a device."""
        with self._lock:
            pinned = self.to_device(node, Reason.RESIDENT)
            record, device = self._record(node), self.executor.device
            record.pins += pinned
            storage = record.device
        try:
            native = device.export(storage.buffer) if device and storage and pinned else None
            yield native
        finally:
            record.pins -= pinned

    def release(self, node: Node) -> None:
        """Let go of the device copy of a value that is on the host too."""
        record = self.residency.record(node)
        if record is not None and record.host is not None and not record.pins:
            record.device = None

    # --- the device --------------------------------------------------------------------------

    @property
    def device_info(self) -> DeviceInfo | None:
        """The device in use, if any."""
        device = self.executor.device
        return device.info if device is not None else None

    @property
    def info(self) -> DeviceInfo | None:
        """The device in use, if any."""
        return self.device_info

    def where(self, value: object) -> str:
        """State of a value of the engine: lazy arrays have a node, all others are on the host."""
        node = getattr(value, "node", None)
        return self.state(node) if isinstance(node, Node) else "host"

    @property
    def poll(self) -> Callable[[], None]:
        """Called between steps; set it to something that raises Interrupted."""
        return self.executor.poll

    @poll.setter
    def poll(self, function: Callable[[], None] | None) -> None:
        self.executor.poll = function or no_cancel

    def open(self) -> DeviceInfo | None:
        """Open the device now and wait for it; what it is, None where there is none."""
        with self._lock:
            if self.executor.device is None and not self.opening.done:
                provider = self.opening.wanted(math.inf)
                if provider is not None:
                    self._adopt(provider)
            return self.device_info

    def synchronize(self) -> None:
        """Wait for the device and collect its times."""
        with self._lock:
            if self.executor.device is not None:
                self.executor.device.synchronize()
                self.executor.settle()

    def forget_plans(self) -> None:
        """Drop cached plans (after settings or speeds have changed)."""
        self._plans.clear()

    def close(self) -> None:
        """Release device and threads."""
        with self._lock:
            self.opening.finish()
            self._plans.clear()
            self.residency.table.clear()
            self.executor.bury()
            self.executor.host.close()
            if self.executor.device is not None:
                self.executor.device.close()
                self.executor.device = None

    # --- evaluation --------------------------------------------------------------------------

    def _record(self, node: Node) -> Record:
        record = self.residency.record(node)
        if record is None and node.op == "param":
            record = Record(node.dtype, 1, oracle.param(node).reshape(-1))
            self.residency.put(node, record)
        if record is None:
            raise InternalError("runtime", f"{node} has no value after evaluation")
        return record

    def _evaluate(self, wanted: list[Node], origin: Origin, gathered: bool) -> None:
        walk = self._walk(wanted)
        if walk.unfusable:
            self._by_oracle(wanted)
            return
        plan = self._plan(walk, wanted, origin, gathered)
        try:
            records = self.executor.run(plan, walk.order, origin)
        except DomainLeft:
            self.recorder.boundary(origin, Reason.DOMAIN_GUARD, "the exact answer is complex")
            self._by_oracle(wanted)
            return
        except DeviceLost as problem:
            if self.executor.device is None:
                message = f"The device was lost: {problem}."
                raise MatlabError("Fuselab:deviceLost", message) from None
            self._device_lost(problem, origin)
            self._evaluate(wanted, origin, gathered)
            return
        self._note_host_bytes()
        for number, record in records.items():
            record.nonnegative = number in plan.nonnegative
            node = walk.order[number]
            self.residency.put(node, record)
            seal(node)

    def _note_host_bytes(self) -> None:
        """Keep the peak of host memory held by values; large tables are sampled."""
        self._evaluations += 1
        table = self.residency.table
        if len(table) > 512 and self._evaluations % 64:
            return
        held = sum(r.host.nbytes for r in list(table.values()) if r.host is not None)
        self._counters.peak_host_bytes = max(self._counters.peak_host_bytes, held)

    def _by_oracle(self, wanted: list[Node]) -> None:
        """Evaluate node by node on the host: empty arrays, and complex answers."""
        started = perf_counter()
        values = oracle.evaluate(wanted, self._leaf_value)
        for node in wanted:
            flat = values[node].reshape(-1, order="F")
            self.residency.put(node, Record(node.dtype, node.size, flat, line=node.origin.line))
            seal(node)
        self._counters.host_ms += (perf_counter() - started) * 1000

    def _leaf_value(self, node: Node) -> NDArray[Any]:
        flat = self.executor.host_buffer(self._record(node), self.locate(), "domain-guard")
        return flat.reshape(node.shape, order="F")

    def _device_lost(self, problem: DeviceLost, origin: Origin) -> None:
        """Go on without the device; values that lived only there are gone."""
        self.recorder.counters.fallbacks += 1
        self.recorder.boundary(origin, Reason.DEVICE_LOST, str(problem))
        for record in list(self.residency.table.values()):
            record.device = None
        self.residency.graveyard.clear()
        self.executor.live_bytes = 0
        self.executor.device = None
        self.placer.provider = None
        self._plans.clear()

    def _walk(self, wanted: list[Node]) -> Walk:
        walk = Walk(self.residency)
        walk.go(wanted)
        return walk

    def _plan(
        self, walk: Walk, wanted: list[Node], origin: Origin, gathered: bool
    ) -> CompiledPlan:
        key = (
            tuple(walk.key), tuple(walk.index[node] for node in wanted), tuple(walk.again),
            gathered, self.placer.correction.epoch,
        )  # fmt: skip
        plan = self._plans.get(key)
        self._counters.plans += 1
        if plan is not None:
            self._counters.plan_cache_hits += 1
            self._plans.move_to_end(key)
            self._counters.groups += len(plan.steps)
            for step in plan.steps:
                if step.row not in self.recorder.groups:
                    self._add_row(step, walk, origin)
            return plan
        started = perf_counter()
        nodes = list(dict.fromkeys([*wanted, *(walk.order[k] for k in walk.again)]))
        request = Request(walk.order, walk.index, nodes, walk.scalars, gathered)
        self._open_for(request)
        device = self.executor.device
        bindings = device.info.max_storage_bindings if device else 1 << 30
        plan = compile_plan(request, self.residency, self.placer, bindings)
        if self.options.verify:
            verify.graph(wanted)
            verify.plan(plan, [k for k, node in enumerate(walk.order) if node.op == "leaf"])
        for step in plan.steps:
            self._add_row(step, walk, origin)
        self._counters.groups += len(plan.steps)
        self._plans[key] = plan
        if len(self._plans) > PLANS_KEPT:
            self._plans.popitem(last=False)
        self.recorder.emit(Event("Planner", "plan", started, perf_counter() - started, origin.line))
        return plan

    def _open_for(self, request: Request) -> None:
        """Open the device if this evaluation is worth it."""
        if self.executor.device is not None or self.opening.done:
            return
        units = sum(map(cost.of_node, request.order))
        provider = self.opening.wanted(
            units / self.placer.host.arithmetic, self._counters.host_ms
        )
        self.placer.unopened = not self.opening.done
        if provider is not None:
            self._adopt(provider)
            return
        if self.opening.failed:
            self.recorder.boundary(self.locate(), Reason.NO_DEVICE, self.opening.problem)

    def _add_row(self, step: PlannedStep, walk: Walk, origin: Origin) -> None:
        self.recorder.next_group += 1
        step.row = self.recorder.next_group
        decision = step.decision
        self.recorder.groups[step.row] = GroupRow(
            step.row, step.kind, "wgpu" if decision.device else "host", decision.reason, step.ops,
            step.lines, self._arrays(step.inputs, walk), self._arrays(step.outputs, walk),
            decision.host_ms, decision.device_ms, step.work.bytes,
            step.kernel.key if decision.device else None, file=origin.file,
        )  # fmt: skip

    def _arrays(self, numbers: tuple[int, ...], walk: Walk) -> tuple[ArrayRow, ...]:
        rows = []
        for number in numbers:
            node = walk.order[number]
            record = self.residency.record(node) if node.op == "leaf" else None
            resident = record is not None and record.device is not None
            rows.append(ArrayRow(node.shape, node.dtype.label, resident))
        return tuple(rows)


def _typed(cause: Reason | str, detail: str) -> tuple[Reason, str]:
    """A cause given as ``reason``, ``reason: detail``, or just the detail of needing a value."""
    if isinstance(cause, Reason):
        return cause, detail
    reason, _, rest = cause.partition(": ")
    try:
        return Reason(reason), detail or rest
    except ValueError:
        return Reason.NEEDS_HOST_VALUE, detail or cause


def default_budget(device: Provider | None) -> int:
    """A software adapter shares our memory: a quarter of it; hardware says itself when it ends."""
    if device is None or device.info.type != "cpu":
        return 0
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4


__all__ = ["AccelOptions", "Origin", "Runtime"]
