"""The loop that is being traced, and subscripts that follow its counter."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import Session, check_no_nan, listed_numbers
from app.engine.values import Array, DeviceArray, Value
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.fusion.loops.loop_trace import LoopTrace
    from app.accel.ir.node import Node
    from app.accel.runtime.lanes import LaneTrace
    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.loops.iteration import Counter

LEAST_STATE = 64
"""A pass that works on fewer elements is a scalar loop: one kernel would be one slow thread."""


MOST_LISTED = 1 << 20
"""Elements of a list that is looked at to see whether its numbers are evenly spaced."""
ENDLESS = 1 << 40
"""Passes of a loop that has no last one."""


class FormChanged(Exception):
    """A variable has another class, size or form after the pass: later passes may be traced."""


class KeptValue:
    """A global or persistent variable, seen as a cell that holds its value.

    Attributes:
        store: the dictionary that has it.
        name: its name there.
    """

    def __init__(self, store: dict[str, Value], name: str) -> None:
        self.store, self.name = store, name

    @property
    def key(self) -> tuple[int, str]:
        """What tells it from others."""
        return id(self.store), self.name

    @property
    def cell_contents(self) -> Value:
        """The value."""
        return self.store[self.name]

    @cell_contents.setter
    def cell_contents(self, value: Value) -> None:
        self.store[self.name] = value


class KeptElsewhere(BaseException):
    """A pass uses a value that no variable of the loop holds; no ``try`` of a script catches it."""

    def __init__(self, found: KeptValue) -> None:
        super().__init__(found.name)
        self.found = found


class SetInOneBranch(BaseException):
    """A place without numbers before the pass has some on one way through it; as `KeptElsewhere`.

    Attributes:
        place: where that is.
        node: what is there then.
    """

    def __init__(self, place: object, node: Node) -> None:
        super().__init__(place)
        self.place, self.node = place, node


def use_kept(store: dict[str, Value], name: str, kind: str) -> None:
    """A function that a traced pass calls declares a global or persistent variable.

    Raises `KeptElsewhere` where the trace does not know of it yet, `FormChanged` where it has no
    value before the first pass, `Unsupported` where no trace takes it in.
    """
    if Tracing.kept is None:
        raise Unsupported(f"a {kind} variable is used in every pass")
    if name not in store:
        raise FormChanged(f"a {kind} variable has no value before the first pass")
    found = KeptValue(store, name)
    if found.key not in Tracing.kept:
        raise KeptElsewhere(found)


class LaneTracing(Protocol):
    """A pass that is traced for all passes at once."""

    trace: LaneTrace

    def after_loop(
        self, form: LoopForm, passes: Counter | None, values: tuple[Value, ...]
    ) -> tuple[Value, ...]:
        """The variables of a loop inside the pass when it has ended. Raises Unsupported."""


class _Tracing(threading.local):
    """The trace that is being made on this thread, for the indexing of placeholders.

    Attributes:
        trace: the trace; None outside tracing.
        lanes: the trace of one pass for all passes around it (`lanes.LaneTracer`); None elsewhere.
        kept: global and persistent variables that the trace takes in; None where it takes in none.
    """

    trace: Any = None
    kept: set[tuple[int, str]] | None = None
    lanes: LaneTracing | None = None


Tracing = _Tracing()


@contextmanager
def following_lanes(args: tuple[Value, ...]) -> Iterator[None]:
    """Subscripts that follow the counter of a pass do so inside a loop of the pass, too."""
    lanes, held = Tracing.lanes, Tracing.trace
    inside = lanes is not None and held is not lanes.trace
    if lanes is not None and inside and any(_follows_counter(a, lanes.trace) for a in args):
        Tracing.trace = lanes.trace
    try:
        yield
    finally:
        Tracing.trace = held


def _follows_counter(sub: Value, trace: LaneTrace) -> bool:
    if type(sub) is not DeviceArray:
        return False
    node = sub.node.inputs[0] if sub.node.op == "iota" else sub.node
    found = affine(node, trace)
    return found is not None and found[0] != 0.0


def follows_counter(args: tuple[Value, ...]) -> bool:
    """True while a loop is traced and a subscript is a value of that trace."""
    return Tracing.trace is not None and any(type(a) is DeviceArray for a in args)


def affine(node: Any, given: Any = None) -> tuple[float, float] | None:
    """Scale and offset of a subscript ``scale * counter + offset``; None for anything else."""
    trace = given or Tracing.trace
    if trace is None:
        return None
    if node is trace.counter:
        return 1.0, 0.0
    if node.op == "param" and not isinstance(node.data[0], complex):
        return 0.0, float(node.data[0])
    if node.size != 1 or node.op not in {"plus", "minus", "times"}:
        return None
    parts = [affine(child, trace) for child in node.inputs]
    known = [p for p in parts if p is not None]
    if len(parts) != 2 or len(known) != 2:
        return None
    (a, b), (c, d) = known
    if node.op in {"plus", "minus"}:
        sign = 1.0 if node.op == "plus" else -1.0
        return a + sign * c, b + sign * d
    if node.op == "times" and (a == 0.0 or c == 0.0):
        return a * d + c * b, b * d
    return None


def counted(node: Node) -> Node:
    """``list(counter)`` in terms of the counter, where the numbers of the list are evenly spaced.

    The list must be on the host; all else is given back as it is.
    """
    found = _spacing(node, Tracing.trace) if node.op == "slice" and node.size == 1 else None
    if found is None:
        return node
    runtime, (scale, offset) = Session.runtime, found
    made: Node = Tracing.trace.counter
    if scale != 1.0:
        made = runtime.apply("times", (runtime.scalar(scale), made))
    return runtime.apply("plus", (made, runtime.scalar(offset))) if offset else made


def _spacing(node: Node, trace: LoopTrace) -> tuple[float, float] | None:
    """Scale and offset of the numbers that passes take from a list one after another."""
    array = node.inputs[0]
    if len(node.attrs) < 3 or array.op != "leaf" or array.dtype is not DType.F64:
        return None
    listed = listed_numbers(array, MOST_LISTED)
    if listed is None:
        return None
    apart = (1, *accumulate(array.shape[:-1], operator.mul))
    first = sum(map(operator.mul, node.data, apart))
    move = sum(map(operator.mul, cast("tuple[int, ...]", node.attrs[2]), apart))
    count = min(trace.trips, array.size)
    numbers = listed[first + move * np.arange(count)]
    step = float(numbers[1] - numbers[0]) if count > 1 else 0.0
    begun = float(numbers[0])
    if not (begun.is_integer() and step.is_integer()):
        return None
    if not np.array_equal(numbers, begun + step * np.arange(count)):
        return None
    scale = step / trace.step
    return scale, begun - scale * trace.first


_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


class Varying:
    """Which nodes are different from pass to pass.

    Attributes:
        known: what has been found out.
    """

    def __init__(self, trace: LoopTrace) -> None:
        self._trace = trace
        self.known: dict[Node, bool] = {}

    def __call__(self, node: Node) -> bool:
        """Whether a node is different from pass to pass."""
        known, pending = self.known, [node]
        while pending:
            n = pending[-1]
            if n in known:
                pending.pop()
                continue
            if self._trace.moves(n):
                known[n] = True
                continue
            below = [child for child in n.inputs if child not in known]
            if below:
                pending += below
                continue
            known[n] = any(known[child] for child in n.inputs)
        return known[node]


def same_in_all_passes(node: Any, trace: Any) -> bool | None:
    """The answer to a comparison of the counter that all passes give; None where they differ."""
    order = _ORDERS.get(node.op)
    sides = [affine(child, trace) for child in node.inputs] if order else []
    if order is None or None in sides:
        return None
    (a, b), (c, d) = (side for side in sides if side is not None)
    ends = {trace.first, trace.first + (trace.trips - 1) * trace.step}
    answers = {order(a * end + b, c * end + d) for end in ends}
    return answers.pop() if len(answers) == 1 else None


def moving_subscript(sub: DeviceArray, extent: int) -> tuple[int, int, int, int] | None:
    """Start (from 0), step, count and move per pass of a subscript that follows the counter."""
    found = None if Tracing.trace is None else _moving_row(sub.node)
    if found is None:
        return None
    trace, (scale, offset, step, count) = Tracing.trace, found
    if not step:
        return None
    first, move = scale * trace.first + offset, scale * trace.step
    if not (first.is_integer() and move.is_integer() and step.is_integer()):
        return None
    inside = min(_passes_inside(first + step * j, move, extent) for j in (0, count - 1))
    if inside < 2:
        raise Unsupported("a subscript leaves the array")
    trace.end_before(inside)
    return int(first) - 1, int(step), count, int(move)


class _MovingRow(NamedTuple):
    """Numbers ``scale * counter + offset + step * (0 … size - 1)``."""

    scale: float
    offset: float
    step: float
    size: int


def _moving_row(node: Node) -> _MovingRow | None:
    """Evenly spaced numbers in a row or column, all of which go on by as much in every pass."""
    if node.size == 1:
        found = affine(node)
        return None if found is None else _MovingRow(*found, 1.0, 1)
    if node.dtype is not DType.F64 or len(node.shape) != 2 or 1 not in node.shape:
        return None
    if node.op == "reshape":
        return _moving_row(node.inputs[0])
    if node.op == "iota" and node.inputs[1].op == "param":
        found = affine(node.inputs[0])
        step = float(node.inputs[1].data[0].real)
        return None if found is None else _MovingRow(*found, step, node.size)
    if node.op == "leaf":
        return _listed_row(node)
    return _row_of_two(node) if node.op in {"plus", "minus", "times"} else None


def _row_of_two(node: Node) -> _MovingRow | None:
    """The sum or difference of a row and a number or of two rows, or a row times a number."""
    rows = [_moving_row(child) for child in node.inputs]
    if None in rows or any(child.size != 1 and child.shape != node.shape for child in node.inputs):
        return None
    a, b = (row for row in rows if row is not None)
    if node.op == "times":
        a, b = (a, b) if b.size == 1 else (b, a)
        by = b.offset
        is_number = b.size == 1 and not b.scale
        return _MovingRow(a.scale * by, a.offset * by, a.step * by, a.size) if is_number else None
    sign = 1.0 if node.op == "plus" else -1.0
    steps = (a.step if a.size > 1 else 0.0) + sign * (b.step if b.size > 1 else 0.0)
    return _MovingRow(a.scale + sign * b.scale, a.offset + sign * b.offset, steps, node.size)


def _listed_row(leaf: Node) -> _MovingRow | None:
    """Whole numbers of the host that are evenly spaced."""
    numbers = listed_numbers(leaf, MOST_LISTED)
    if numbers is None:
        return None
    first, step = float(numbers[0]), float(numbers[1] - numbers[0])
    if not (first.is_integer() and step.is_integer()):
        return None
    even = np.array_equal(numbers, first + step * np.arange(numbers.size))
    return _MovingRow(0.0, first, step, numbers.size) if even else None


def _passes_inside(first: float, move: float, extent: int) -> int:
    """In how many passes a subscript stays inside the array."""
    if not 1 <= first <= extent:
        return 0
    if not move:
        return ENDLESS
    return int((extent - first if move > 0 else 1 - first) // move) + 1


def moving_range(start: Value, step: Value, stop: Value) -> Value | None:
    """``start:step:stop`` of as many numbers in every pass; None where that is not so."""
    if type(step) is not float or step == 0.0 or type(start) is not DeviceArray:
        return None
    count = _moving_count(start, step, stop)
    if count < 1:
        return None
    if count == 1:
        return start
    runtime = start.runtime
    return DeviceArray(
        runtime.apply("iota", (start.node, runtime.scalar(step)), (DType.F64, (1, count))), runtime
    )


def _moving_count(start: Value, step: float, stop: Value) -> int:
    """How many numbers there are in every pass; 0 where nobody knows."""
    ends = [_counter_relation(start), _counter_relation(stop)]
    if None not in ends:
        (scale, low), (other, high) = (e for e in ends if e is not None)
        return int((high - low) // step) + 1 if scale == other else 0
    lows, highs = _numbers_in_passes(start), _numbers_in_passes(stop)
    if lows is None or highs is None or (lows % 1).any() or (highs % 1).any() or step % 1:
        return 0
    counts = (highs - lows) // step + 1
    return int(counts[0]) if (counts == counts[0]).all() else 0


def _numbers_in_passes(v: Value) -> Array | None:
    """What a number that follows from the counter alone is in every pass; None for others."""
    trace = Tracing.trace
    if type(v) is float:
        return np.array([v])
    if type(v) is not DeviceArray or v.size != 1 or trace is None or Tracing.lanes is not None:
        return None
    found: Array | None = trace.numbers(v.node)
    return found if found is not None and found.dtype == np.float64 else None


def are_inside(places: Node, extent: int) -> bool:
    """Whether places that follow from the counter alone are valid in all passes of the trace."""
    while places.op == "reshape":
        places = places.inputs[0]
    last = 0.0
    if places.op == "iota" and places.inputs[1].op == "param":
        last = float(places.inputs[1].data[0].real) * (places.size - 1)
        places = places.inputs[0]
    if places.size != 1:
        return False
    first = _numbers_in_passes(DeviceArray(places, Session.runtime))
    if first is None or (first % 1).any() or last % 1:
        return False
    return all(((first + end >= 1) & (first + end <= extent)).all() for end in (0.0, last))


def _counter_relation(v: Value) -> tuple[float, float] | None:
    """Scale and offset of a number that follows the counter."""
    if type(v) is float:
        return 0.0, v
    return affine(v.node) if type(v) is DeviceArray else None


def truth(v: DeviceArray) -> bool:
    """The truth of a lazy array in a condition: not empty, no NaN, and no element zero."""
    runtime, node = Session.runtime, v.node
    if not v.size:
        return False
    if node.dtype.is_complex:
        raise Unsupported("a condition is complex")
    axes = (tuple(range(len(v.shape))),)
    if node.dtype.is_float:
        check_no_nan(node)
    if node.dtype is not DType.BOOL:
        node = runtime.apply("ne", (node, runtime.scalar(0.0, node.dtype)))
    if v.size > 1:
        node = runtime.apply("all", (node,), axes)
    return bool(runtime.gather(node, "needs-host-value: if").item())
