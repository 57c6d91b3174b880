"""The façade of the accelerator: build nodes, ask for values, see what happened.

Threads: capture and evaluation belong to the engine thread; gathers and exports for the window
may come from other threads. `Runtime.lock` serialises everything that touches providers.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np

from app.accel.backends import reference
from app.accel.backends.host.host_provider import HostProvider
from app.accel.backends.recovery import forget_device, too_much
from app.accel.backends.registry import open_device
from app.accel.backends.residency import Record, Residency
from app.accel.fusion.loops.loop_trace import LoopTrace
from app.accel.fusion.loops.passes import Passes
from app.accel.fusion.simplify import RULES, fold_parameters, just_set
from app.accel.ir.dtypes import DType, of_numpy
from app.accel.ir.node import NOWHERE, Attrs, Node, Number, Origin, make, make_leaf
from app.accel.ir.parameters import parameter
from app.accel.ir.plan import Reason
from app.accel.ir.shapes import SCALAR, infer
from app.accel.planner.planner import Planner
from app.accel.runtime.evaluation import Evaluation
from app.accel.runtime.executor import Executor, no_cancel
from app.accel.runtime.replay import Replay
from app.accel.runtime.timeline import device_track
from app.accel.support.options import AccelOptions
from app.accel.support.telemetry import Recorder
from app.errors import DeviceLost, OutOfDeviceMemory, Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from app.accel.backends.base import DeviceInfo, Provider
    from app.accel.fusion.simplify import Call
    from app.accel.planner.put_off import Assembly

T = TypeVar("T")
Data: TypeAlias = tuple[Number, ...]


class Runtime:
    """Everything the engine needs of the accelerator.

    Attributes:
        recorder: counters, rows and events.
        evaluation: computes and stores values.
        locate: gives the place in the script that runs now; set by the interpreter.
        pending: whether a value is not known before some passes of a loop; set while one is traced.
    """

    def __init__(
        self,
        settings: object = None,
        provider: Provider | None = None,
        opener: Callable[[str], Provider] = open_device,
    ) -> None:
        self.options = AccelOptions.of(settings)
        self.recorder = Recorder(limit=self.options.report_limit)
        self.residency = Residency()
        self.locate: Callable[[], Origin] = lambda: NOWHERE
        self.pending: Callable[[Node], bool] | None = None
        self.lock = RLock()
        self._counters = self.recorder.counters
        host = HostProvider(self.options.host_threads)
        self.executor = Executor(self.recorder, self.residency, host, None)
        self.executor.timeline.track = device_track(self.options.device)
        self.planner = Planner(self.options, self.executor, opener)
        self.executor.sent.observe = self.planner.observe
        self.executor.provider_counters.on_compiled = self.planner.observe_compilation
        self._owner = object()
        self.placer, self.opening = self.planner.placer, self.planner.opening
        self._plans = self.planner.plans
        self.evaluation = Evaluation(
            self.executor,
            self.planner,
            self.apply,
            self.leaf,
            lambda: self.locate(),  # noqa: PLW0108 - the interpreter sets it later
        )
        if provider is not None:
            self.opening.adopt(provider)
            self.planner.adopt(provider)

    # --- building the graph ------------------------------------------------------------------

    def leaf(self, array: NDArray[Any], name: str = "", origin: Origin | None = None) -> Node:
        """A node whose value is `array` (at least 2-D); the array must not change any more."""
        node = make_leaf(of_numpy(array.dtype), array.shape, origin or NOWHERE)
        flat = array.reshape(-1, order="F")
        self.residency.put(node, Record(node.dtype, node.size, flat, name=name))
        return node

    def wished(self, node: Node) -> Node:
        """A leaf with the value of `node` that stands for the wish to have it on the device.

        What is computed from it inherits the wish (`Node.wished`).
        """
        made = make_leaf(node.dtype, node.shape, node.origin)
        made.wished = True
        self.residency.put(made, replace(self.evaluation.record(node), pins=0))
        return made

    def scalar(self, value: Number, dtype: DType = DType.F64) -> Node:
        """A 1x1 parameter node; its value is not part of any plan."""
        return parameter(value, dtype)

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
            found = rule(op, inputs, attrs) or (op == "slice" and just_set(inputs[0], attrs, data))
            if type(found) is Node:
                return found
            if found:
                op, given, attrs = cast("Call", found)
                inputs = tuple(map(self._operand, given))
        dtype, shape = infer(op, inputs, attrs)
        of_numbers = True
        for child in inputs:  # a generator takes three times as long
            if child.op != "param":
                of_numbers = False
                break
        owner = self._owner if of_numbers else None
        node = make(op, inputs, attrs, dtype, shape, data, owner=owner)
        if node.demands:
            node.demands = 0  # the statement runs again; that is no second reader
        if of_numbers and inputs and shape == SCALAR:
            return fold_parameters(node)
        if node.origin is NOWHERE:
            node.origin = origin or self.locate()
        limit = self.options.chain_limit
        if node.depth > (limit * 7 // 8 if op == "assign" else limit):  # best after a statement
            self.evaluate([node], Reason.GRAPH_LIMIT, "a long chain of pending operations")
        return node

    def note_assembly(self, assembly: Assembly) -> None:
        """Nodes were put together as others before."""
        self.evaluation.assembly = assembly

    def _operand(self, given: Node | Call) -> Node:
        """An operand of what a rule gives: the node of a call, where it is one."""
        if isinstance(given, Node):
            return given
        op, operands, attrs = given
        return self.apply(op, tuple(map(self._operand, operands)), attrs)

    def loop(self, trips: int, first: float = 1.0, step: float = 1.0) -> LoopTrace:
        """Begin to trace the body of a loop that may become one kernel; see `loops`."""
        return LoopTrace(trips, first, step)

    def passes(
        self,
        trace: LoopTrace,
        carries: Sequence[Node],
        following: Sequence[Node],
        poll: Callable[[], None],
    ) -> Passes:
        """The passes of a traced loop: placeholders and what a pass makes of each."""
        cause = Reason.NEEDS_HOST_VALUE

        def number(node: Node) -> float:
            found = self.gather(node, cause, "does the loop go on?").item()
            return float(found.real)  # complex where the graph was computed as such

        body = replace(trace.traced, carries=list(carries), following=list(following))

        def store(nodes: list[Node]) -> None:
            self.evaluate(nodes, Reason.FUSED, "what a pass of the loop leaves is stored")

        with self.lock:
            self.planner.open_for_loop(body)
        remote, replay = self.placer.is_apart, Replay(self).run
        passes = Passes(body, self.apply, poll, store, number, remote, replay)
        return replace(passes, device=lambda: self.executor.device)

    def trace_while(self, pending: Callable[[Node], bool] | None) -> None:
        """Refuse to compute what `pending` says of; None when no loop is traced any more."""
        self.pending = pending

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
        self.recorder.looked += 1
        if self.pending is not None and any(map(self.pending, wanted)):
            raise Unsupported("the data of a value are needed in every pass")
        with self.lock:
            reason, detail = _reason_and_detail(cause, detail)
            origin = self.locate()
            self.recorder.boundary(origin, reason, detail)
            try:
                self.evaluation.evaluate(wanted, origin, gathered)
            except DeviceLost as problem:
                self.lose_device(problem)
                self._surviving(lambda: self.evaluation.evaluate(wanted, origin, gathered))

    def gather(
        self, node: Node, cause: Reason | str = Reason.NEEDS_HOST_VALUE, detail: str = ""
    ) -> NDArray[Any]:
        """The value on the host, Fortran order. Complex where a real domain was left."""
        self.recorder.looked += 1
        if node.op == "iota" and all(child.op == "param" for child in node.inputs):
            made: NDArray[Any] = reference.progression_value(node)
            return made  # nothing to plan, nothing to fetch
        with self.lock:
            label = cause if cause == "plot" else _reason_and_detail(cause, detail)[0].value

            def fetched() -> NDArray[Any]:
                self.evaluate([node], cause, detail, gathered=True)
                return self.executor.storage.host_buffer(
                    self.evaluation.record(node), self.locate(), str(label)
                )

            return self._surviving(fetched).reshape(node.shape, order="F")

    def gather_elements(
        self,
        node: Node,
        indices: Sequence[int] | NDArray[np.integer[Any]],
        cause: Reason | str = Reason.NEEDS_HOST_VALUE,
    ) -> NDArray[Any]:
        """Elements at 0-based linear indices as a 1-D array; fetches only what is needed."""
        self.recorder.looked += 1
        with self.lock:
            wanted = np.asarray(indices, np.int64)
            return self._surviving(lambda: self._elements(node, wanted, cause))

    def _elements(self, node: Node, wanted: NDArray[np.integer[Any]], cause: Reason | str) -> Any:
        self.evaluate([node], cause, "some elements")
        record = self.evaluation.record(node)
        if record.host is not None:
            return record.host[wanted]
        if not wanted.size:
            return np.empty(0, node.dtype.numpy)
        low, high = int(wanted.min()), int(wanted.max())
        if (high - low + 1) * 4 > record.count and high - low > 4096:
            return self.executor.storage.host_buffer(record, self.locate(), "indexing")[wanted]
        part = self.executor.storage.fetch(record, self.locate(), "indexing", low, high - low + 1)
        return part[wanted - low]

    def settled_dtype(self, node: Node) -> DType:
        """The type the value really has: evaluates guarded nodes to see if they are complex."""
        self.evaluate([node], Reason.DOMAIN_GUARD, "is it complex?")
        return node.dtype.complex if self.evaluation.record(node).is_complex else node.dtype

    def to_device(self, node: Node, cause: Reason | str = Reason.FORCED) -> bool:
        """Bring the value to the device; False (recorded) when there is none that can hold it."""
        with self.lock:
            return self._surviving(lambda: self._to_device(node, cause))

    def _to_device(self, node: Node, cause: Reason | str) -> bool:
        self.evaluate([node], cause)
        record, device = self.evaluation.record(node), self.executor.device
        if device is None or not device.supports(node.dtype) or record.is_complex:
            reason = Reason.NO_DEVICE if device is None else Reason.PRECISION
            self.recorder.boundary(self.locate(), reason, "the value stays on the host")
            return False
        try:
            self.executor.storage.device_buffer(record, self.locate(), "gpuArray")
        except OutOfDeviceMemory as problem:
            live = self.executor.storage.live_bytes
            raise too_much(record, self.residency, live, problem) from problem
        except Unsupported as problem:
            self.recorder.boundary(self.locate(), Reason.BUFFER_LIMIT, str(problem))
            return False
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
        with self.lock:
            record, native = self._surviving(lambda: self._pinned_on_device(node))
            record.pins += native is not None
        try:
            yield native
        finally:
            record.pins -= native is not None

    def _pinned_on_device(self, node: Node) -> tuple[Record, object | None]:
        pinned, device = self._to_device(node, Reason.RESIDENT), self.executor.device
        record = self.evaluation.record(node)
        held = device is not None and record.device is not None and pinned
        return record, device.export(record.device.buffer) if held else None  # type: ignore[union-attr]

    def release(self, node: Node) -> None:
        """Let go of the device copy of a value that is on the host too."""
        record = self.residency.record(node)
        if record is not None and record.host is not None and not record.pins:
            record.device = None

    @property
    def may_get_card(self) -> bool:
        """Whether no device is there yet and a graphics card may come."""
        return self.planner.may_get_card

    @property
    def device_info(self) -> DeviceInfo | None:
        """The device in use, if any."""
        device = self.executor.device
        return device.info if device is not None else None

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
        self.executor.poll = self.executor.host.poll = function or no_cancel

    def open(self) -> DeviceInfo | None:
        """Open the device now and wait for it; what it is, None where there is none."""
        with self.lock:
            self.planner.open_for(math.inf)
            return self.device_info

    def synchronize(self) -> None:
        """Wait for the device and collect its times."""
        with self.lock:
            self._surviving(self._synchronize)

    def _synchronize(self) -> None:
        device = self.executor.device
        if device is None or (device.idle and self.executor.sent.all_done):
            self.executor.sent.catch_up()
            return
        started = perf_counter()
        device.synchronize()
        self.executor.sent.settle()
        origin = self.locate()
        self.executor.timeline.waited(origin, started, perf_counter())

    def begin(self, script: str) -> None:
        """A script begins; its kernels of the last time are compiled in the background."""
        self.planner.begin(script)

    def measure(self) -> None:
        """Measure the speeds that no run has measured yet; to be called between runs."""
        with self.lock:
            self._surviving(self.planner.measure)
            self.executor.host.trim()

    def reset_device(self) -> None:
        """Forget everything on the device; what can be computed again is, when it is needed."""
        with self.lock:
            self._synchronize()
            dead = self.residency.graveyard
            forget_device(self.residency)
            self.residency.graveyard = dead  # the device lives on, and frees them
            self.executor.storage.bury()
            self.forget_plans()
            if self.executor.device is not None:
                self.executor.device.trim()

    def memory(self) -> dict[str, int]:
        """Bytes on the device: `live`, kept free in the `pool`, and the `budget` (0 for none)."""
        device = self.executor.device
        if device is None:
            return {}
        held = device.statistics()
        return {
            "live": held.live_bytes,
            "pool": held.pooled_bytes,
            "budget": self.executor.storage.budget,
        }

    def forget_plans(self) -> None:
        """Drop cached plans (after settings or speeds have changed)."""
        self._plans.clear()

    def close(self) -> None:
        """Release device and threads."""
        with self.lock:
            self.planner.end()
            self._plans.clear()
            self.residency.table.clear()
            self.executor.storage.bury()
            self.executor.host.close()
            if self.executor.device is not None:
                self.executor.device.close()
                self.executor.detach()
            self.opening.close()

    # --- a lost device ---------------------------------------------------------------------

    def _surviving(self, action: Callable[[], T]) -> T:
        """Do something with the device; once more if it is lost meanwhile."""
        try:
            return action()
        except DeviceLost as problem:
            self.lose_device(problem)
        try:
            return action()
        except DeviceLost as problem:  # the new one, too: the host does the rest
            self.lose_device(problem)
        return action()

    def lose_device(self, problem: DeviceLost) -> None:
        """Go on with the device opened anew, or without one."""
        self.recorder.counters.fallbacks += 1
        gone = forget_device(self.residency)
        fresh = self.planner.lose()
        then = "it was opened anew" if fresh else "the host does the rest"
        names = ", ".join(sorted({record.name for record in gone if record.name}))
        text = f"the device was lost ({problem}); {then}" + (f"; lost: {names}" if names else "")
        self.recorder.boundary(self.locate(), Reason.DEVICE_LOST, text)
        logging.getLogger("fuselab.gpu").warning("%s", text)


def _reason_and_detail(cause: Reason | str, detail: str) -> tuple[Reason, str]:
    """A cause given as ``reason``, ``reason: detail``, or just the detail of needing a value."""
    if isinstance(cause, Reason):
        return cause, detail
    reason, _, rest = cause.partition(": ")
    try:
        return Reason(reason), detail or rest
    except ValueError:
        return Reason.NEEDS_HOST_VALUE, detail or cause


__all__ = ["AccelOptions", "Origin", "Runtime"]
