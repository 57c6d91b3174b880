"""Loops as one kernel: the body is traced with placeholders and becomes one node of the graph.

The values the loop carries are placeholders of an ``app.accel.loops.LoopTrace``; whatever asks for
their data while the body is traced ends the attempt with a reason, and the loop runs pass by pass
as usual.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from app.accel.plan import Reason
from app.engine.builtins import capture, registry
from app.engine.builtins.device import HostOnly
from app.engine.builtins.random_stream import stream_of
from app.engine.builtins.registry import Limits
from app.engine.interp.loops import Counter
from app.engine.interp.tracing import LEAST_STATE, Tracing
from app.engine.values import DeviceArray, Value, as_array
from app.errors import MatlabError, Unsupported

if TYPE_CHECKING:
    from app.engine.interp.interpreter import Interpreter
    from app.engine.interp.unit import Unit

LEAST_PASSES = 4
MOST_REFUSALS = 3
"""A loop that could not be traced so often is not tried again: inner loops would pay each time."""

_REFUSED: WeakKeyDictionary[CodeType, int] = WeakKeyDictionary()
_METADATA = frozenset(("size", "numel", "length", "ndims", "pi", "eps", "zeros", "ones", "Inf",
                       "inf", "NaN", "nan", "e", "rand", "randn", "randi"))  # fmt: skip
Facts = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


class TracingRuntime:
    """The runtime while a body is traced: builds nodes, refuses to compute them."""

    def __init__(self, runtime: Any) -> None:
        self._runtime = runtime

    def __getattr__(self, name: str) -> Any:
        if name in {"apply", "leaf", "scalar", "locate", "recorder", "loop"}:
            return getattr(self._runtime, name)
        raise Unsupported(f"the data of a value are needed in every pass ({name})")


def fuse(
    interpreter: Interpreter, body: Callable[..., tuple[Value, ...]], facts: Facts, passes: Any,
    values: tuple[Value | None, ...],
) -> tuple[Value, ...] | None:  # fmt: skip
    """The counter and the assigned variables after the loop; None when it has to run."""
    if type(passes) is not Counter or passes.count < LEAST_PASSES:
        return None
    runtime = capture.Session.runtime
    if runtime is None or Tracing.trace is not None or not any(map(_is_large, values)):
        return None
    if interpreter.debugger.watches(body.__code__):
        runtime.recorder.boundary(runtime.locate(), Reason.BREAKPOINT,
                                  "the loop runs pass by pass: it is being debugged")  # fmt: skip
        return None
    code = body.__code__
    if _REFUSED.get(code, 0) >= MOST_REFUSALS:
        return None
    try:
        return _Attempt(interpreter, runtime, body, facts, passes, values).run()
    except Unsupported as problem:
        _REFUSED[code] = _REFUSED.get(code, 0) + 1
        runtime.recorder.boundary(runtime.locate(), Reason.UNSUPPORTED_OP,
                                  f"the loop runs pass by pass: {problem}")  # fmt: skip
        return None
    except MatlabError:
        return None  # the loop itself raises it, in the right pass


def _is_large(v: Value | None) -> bool:
    return type(v) is DeviceArray or (isinstance(v, np.ndarray) and v.size >= Limits.capture)


def _refuse_draw(*_: Any) -> Any:
    raise Unsupported("a random scalar is drawn in every pass")


class _Attempt:
    """One try to make a kernel of a loop."""

    def __init__(
        self, interpreter: Interpreter, runtime: Any, body: Callable[..., tuple[Value, ...]],
        facts: Facts, passes: Counter, values: tuple[Value | None, ...],
    ) -> None:  # fmt: skip
        self.interpreter = interpreter
        self.runtime = runtime
        self.body = body
        self.variables, self.assigned, self.functions = facts
        self.passes = passes
        self.values = dict(zip(self.variables, values, strict=True))
        self.stream = stream_of(interpreter.context)
        self.tracing = TracingRuntime(runtime)

    def run(self) -> tuple[Value, ...]:
        """Trace the body and finish the loop node."""
        self._check_functions(self.body.__globals__["#unit"])
        start = self.stream.offset
        try:
            self._trace(())
            advance = self.stream.offset - start
            self.stream.offset = start
            results = self._trace((advance,)) if advance else self._trace(())
        except BaseException:
            self.stream.offset = start
            raise
        self.stream.offset = start + (self.stream.offset - start) * self.passes.count
        last = self.passes.start + self.passes.step * (self.passes.count - 1)
        return (last, *results)

    def _check_functions(self, unit: Unit) -> None:
        """Only builtins whose calls have no other effect may be traced."""
        for name in self.functions:
            if self.values.get(name) is not None:
                continue
            found = registry.lookup(name)
            target = self.interpreter.find(unit, name)
            if found is None or target is not self.interpreter.builtin(name):
                raise Unsupported(f"{name} is no builtin")
            if name not in _METADATA and isinstance(found.device, HostOnly):
                raise Unsupported(f"{name} runs on the host")

    def _trace(self, advance: tuple[int, ...]) -> list[Value]:
        """One trace; ``advance`` is what a pass takes from the random stream."""
        trace = self.runtime.loop(self.passes.count, self.passes.start, self.passes.step)
        counter = DeviceArray(trace.counter, self.tracing)
        arguments: list[Value | None] = []
        carried: dict[str, Any] = {}
        for name in self.variables:
            value = self.values[name]
            if name in self.assigned and value is not None:
                carried[name] = trace.carry(self._node(name, value))
                arguments.append(DeviceArray(carried[name], self.tracing))
            elif type(value) is DeviceArray:
                arguments.append(DeviceArray(value.node, self.tracing, value.guarded))
            else:
                arguments.append(value)
        after = self._run_body(trace, counter, arguments, advance)
        following = []
        for name, value in zip(self.assigned, after, strict=True):
            node = self._result(name, value)
            if name not in carried:
                zero = self.runtime.scalar(0.0)
                zero = capture.cast(zero, node.dtype)
                carried[name] = trace.carry(self.runtime.apply("fill", (zero,), (node.shape,)))
            following.append((name, node))
        if max((node.size for _, node in following), default=0) < LEAST_STATE:
            raise Unsupported("a pass works on single numbers")
        order = {name: k for k, name in enumerate(carried)}
        made = trace.finish([n for _, n in sorted(following, key=lambda item: order[item[0]])])
        return [DeviceArray(made[order[name]], self.runtime) for name in self.assigned]

    def _run_body(
        self, trace: Any, counter: DeviceArray, arguments: list[Value | None],
        advance: tuple[int, ...],
    ) -> tuple[Value, ...]:  # fmt: skip
        threshold = Limits.capture
        Tracing.trace, capture.Session.runtime = trace, self.tracing
        capture.Session.advance, Limits.capture = advance, 2
        vars(self.stream)["draw"] = _refuse_draw
        try:
            return self.body(counter, *arguments)
        finally:
            del vars(self.stream)["draw"]
            Tracing.trace, capture.Session.runtime = None, self.runtime
            capture.Session.advance, Limits.capture = (), threshold

    def _node(self, name: str, value: Value) -> Any:
        """The graph's node of a variable's value before the loop."""
        if type(value) in {float, bool}:
            return self.runtime.scalar(float(value)) if type(value) is float else (
                self.runtime.leaf(as_array(value)))  # fmt: skip
        if type(value) not in {np.ndarray, DeviceArray} or (
            type(value) is DeviceArray and value.guarded
        ):
            raise Unsupported(f"{name} is no real numeric array")
        node = capture.operand(value)
        if node is NotImplemented:
            raise Unsupported(f"{name} is no real numeric array")
        return node

    def _result(self, name: str, value: Value | None) -> Any:
        if type(value) is DeviceArray:
            if value.guarded:
                raise Unsupported(f"{name} may become complex")
            return value.node
        if value is None:
            raise Unsupported(f"{name} has no value")
        return self._node(name, value)
