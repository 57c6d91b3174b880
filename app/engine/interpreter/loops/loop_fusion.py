"""Loops as one kernel: the body is traced with placeholders and becomes one node of the graph.

The values the loop carries are placeholders of an ``app.accel.ir.loop_node.LoopTrace``; whatever
asks for their data while the body is traced ends the attempt with a reason, and the loop runs pass
by pass as usual.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CodeType
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from app.accel.ir.plan import Reason
from app.engine.builtins.lazy_limits import Limits
from app.engine.capture import capture
from app.engine.declarations import registry
from app.engine.declarations.device_support import HostOnly
from app.engine.interpreter.loops.branches import TracingRuntime, explore
from app.engine.interpreter.loops.iteration import Counter
from app.engine.interpreter.loops.tracing import LEAST_STATE, Tracing, moving_range
from app.engine.values import DeviceArray, Value, as_array
from app.engine.values.lazy import Watch
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError, Unsupported

if TYPE_CHECKING:
    from app.engine.interpreter.compile.unit import Unit
    from app.engine.interpreter.interpreter import Interpreter

LEAST_PASSES = 4
MOST_REFUSALS = 3
"""A loop that could not be traced so often is not tried again: inner loops would pay each time."""

_REFUSED: WeakKeyDictionary[CodeType, int] = WeakKeyDictionary()
_METADATA = frozenset(
    (
        "size",
        "numel",
        "length",
        "ndims",
        "pi",
        "eps",
        "zeros",
        "ones",
        "Inf",
        "inf",
        "NaN",
        "nan",
        "e",
        "rand",
        "randn",
        "randi",
    )
)
Facts = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
Refusal = tuple[str, int]
"""Why a body cannot be traced, and the line that says so."""


def fuse(
    interpreter: Interpreter,
    body: Callable[..., tuple[Value, ...]] | None,
    facts: Facts | Refusal,
    passes: Any,
    values: tuple[Value | None, ...],
) -> tuple[Value, ...] | None:
    """The counter and the assigned variables after the loop; None when it has to run."""
    if type(passes) is not Counter or passes.count < LEAST_PASSES:
        return None
    runtime = capture.Session.runtime
    if runtime is None or Tracing.trace is not None or not any(map(_is_large, values)):
        return None
    if body is None:
        _refused(runtime, cast("Refusal", facts))
        return None
    return _traced(interpreter, runtime, body, cast("Facts", facts), passes, values)


def _refused(runtime: Any, refusal: Refusal) -> None:
    reason, line = refusal
    origin = runtime.locate()._replace(line=line)
    detail = f"the loop runs pass by pass: {reason}"
    runtime.recorder.boundary(origin, Reason.NEEDS_HOST_VALUE, detail)


def _traced(
    interpreter: Interpreter,
    runtime: Any,
    body: Callable[..., tuple[Value, ...]],
    facts: Facts,
    passes: Counter,
    values: tuple[Value | None, ...],
) -> tuple[Value, ...] | None:
    if interpreter.debugger.watches(body.__code__):
        runtime.recorder.boundary(
            runtime.locate(), Reason.BREAKPOINT, "the loop runs pass by pass: it is being debugged"
        )
        return None
    code = body.__code__
    if _REFUSED.get(code, 0) >= MOST_REFUSALS:
        return None
    try:
        return _Attempt(interpreter, runtime, body, facts, passes, values).run()
    except Unsupported as problem:
        _REFUSED[code] = _REFUSED.get(code, 0) + 1
        runtime.recorder.boundary(
            runtime.locate(), Reason.UNSUPPORTED_OP, f"the loop runs pass by pass: {problem}"
        )
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
        self,
        interpreter: Interpreter,
        runtime: Any,
        body: Callable[..., tuple[Value, ...]],
        facts: Facts,
        passes: Counter,
        values: tuple[Value | None, ...],
    ) -> None:
        self.interpreter = interpreter
        self.runtime = runtime
        self.body = body
        self.variables, self.assigned, self.functions = facts
        self.passes = passes
        self.values = dict(zip(self.variables, values, strict=True))
        self.stream = stream_of(interpreter.context)
        self.tracing = TracingRuntime(runtime)
        self.drawn: set[int] = set()
        self.doubtful: set[str] = set()
        """Variables that may become complex: later passes must not take them for real."""

    def run(self) -> tuple[Value, ...]:
        """Trace the body and finish the loop node."""
        self._check_functions(self.body.__globals__["#unit"])
        start = self.stream.offset
        try:
            self._trace(())
            advance = self.stream.offset - start
            self.stream.offset = start
            results = self._settled((advance,) if advance else ())
        except BaseException:
            self.stream.offset = start
            raise
        self.stream.offset = start + (self.stream.offset - start) * self.passes.count
        last = self.passes.start + self.passes.step * (self.passes.count - 1)
        return (last, *results)

    def _settled(self, advance: tuple[int, ...]) -> list[Value]:
        """A trace in which all that may become complex was known to."""
        start = self.stream.offset
        while True:
            known = len(self.doubtful)
            results = self._trace(advance)
            if len(self.doubtful) == known:
                return results
            self.stream.offset = start

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
        carried = {
            name: trace.carry(self._node(name, value))
            for name, value in self.values.items()
            if name in self.assigned and value is not None
        }
        self.drawn, start = set(), self.stream.offset

        def run(decided: Mapping[Any, bool]) -> dict[str, Any]:
            self.stream.offset = start
            self.tracing.decided, self.tracing.operations = decided, 0
            after = self._run_body(trace, self._arguments(carried), advance)
            self.drawn.add(self.stream.offset)
            return {n: self._result(n, v) for n, v in zip(self.assigned, after, strict=True)}

        found = explore(run, self.runtime.apply, trace.untouched)
        if len(self.drawn) > 1:
            raise Unsupported("branches draw different amounts of random numbers")
        for name in self.assigned:
            if name not in carried:
                zero = capture.cast(self.runtime.scalar(0.0), found[name].dtype)
                shape = found[name].shape
                carried[name] = trace.carry(self.runtime.apply("fill", (zero,), (shape,)))
        order = {name: k for k, name in enumerate(carried)}
        following = [found[name] for name in carried]
        if trace.points(following) < LEAST_STATE:
            raise Unsupported("a pass works on single numbers")
        made = trace.finish(following)
        return [
            DeviceArray(made[order[name]], self.runtime, name in self.doubtful)
            for name in self.assigned
        ]

    def _arguments(self, carried: dict[str, Any]) -> list[Value | None]:
        """What the body is called with: placeholders, and lazy arrays that cannot be computed."""
        arguments: list[Value | None] = []
        for name in self.variables:
            value = self.values[name]
            if name in carried:
                arguments.append(DeviceArray(carried[name], self.tracing, name in self.doubtful))
            elif type(value) is DeviceArray:
                arguments.append(DeviceArray(value.node, self.tracing, value.guarded))
            else:
                arguments.append(value)
        return arguments

    def _run_body(
        self, trace: Any, arguments: list[Value | None], advance: tuple[int, ...]
    ) -> tuple[Value, ...]:
        threshold, watch, habits = Limits.capture, Watch.forced, Limits.habits
        Tracing.trace, capture.Session.runtime = trace, self.tracing
        capture.Session.advance, Limits.capture, Limits.habits = advance, 2, {}
        capture.Session.progression, Watch.forced = moving_range, None
        vars(self.stream)["draw"] = _refuse_draw
        try:
            return self.body(DeviceArray(trace.counter, self.tracing), *arguments)
        finally:
            del vars(self.stream)["draw"]
            Tracing.trace, capture.Session.runtime = None, self.runtime
            capture.Session.advance, Limits.capture, Limits.habits = (), threshold, habits
            capture.Session.progression, Watch.forced = None, watch

    def _node(self, name: str, value: Value) -> Any:
        """The graph's node of a variable's value before the loop."""
        if type(value) in {float, bool}:
            return (
                self.runtime.scalar(float(value))
                if type(value) is float
                else (self.runtime.leaf(as_array(value)))
            )
        if type(value) not in {np.ndarray, DeviceArray}:
            raise Unsupported(f"{name} is no real numeric array")
        if type(value) is DeviceArray and value.guarded:
            self.doubtful.add(name)
        node = capture.operand(value)
        if node is NotImplemented:
            raise Unsupported(f"{name} is no real numeric array")
        return node

    def _result(self, name: str, value: Value | None) -> Any:
        if type(value) is DeviceArray:
            if value.node.dtype.is_complex:
                raise Unsupported(f"{name} becomes complex")
            if value.guarded:
                self.doubtful.add(name)
            return value.node
        if value is None:
            raise Unsupported(f"{name} has no value")
        return self._node(name, value)
