"""The runtime that a thread's operations go to, and how values become nodes of its graph.

``activate`` connects a runtime; until then nothing is captured.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from typing import cast as typed

import numpy as np

from app.accel.ir.dtypes import DType, of_numpy
from app.accel.ir.node import NOWHERE, Node, Origin
from app.accel.ir.plan import Reason
from app.accel.ir.whole_ranges import whole_range
from app.engine.capture.lazy_limits import UNLIMITED, Learning, Limits, Place
from app.engine.values import Array, DeviceArray, Value, as_array, trim_shape
from app.engine.values.lazy import Selection, Watch
from app.errors import logical_nan_error

if TYPE_CHECKING:
    from app.accel.runtime.runtime import Runtime

F64, F32, BOOL = DType.F64, DType.F32, DType.BOOL
_IS_NAN = "needs-host-value: is there a NaN among logical operands?"
MOST_SPREAD = 1 << 12
"""Elements of an array up to which it is looked whether they are one number."""
_KEPT_LEAVES = 64
_KEPT_BYTES = 1 << 31


class _Session(threading.local):
    """The runtime that operations captured on this thread go to.

    Attributes:
        runtime: the acceleration façade; to be asked for where the session is active.
        threshold: elements from which arrays are captured at the start of a run.
        in_loops: the same for long loops.
        at_once: elements of arrays of which little is made at once.
        learning: what lines have shown that need their results at once.
        advance: what every pass of a traced loop takes from the random stream; else empty.
        progression: makes ``a:d:b`` of numbers that follow the counter of a traced loop.
        leaves: host arrays that are in the graph, by identity: the array, its node, its references.
    """

    def __init__(self) -> None:
        self.runtime = typed("Runtime", None)
        self.threshold = self.in_loops = UNLIMITED
        self.at_once = 0
        self.learning = Learning()
        self.advance: tuple[int, ...] = ()
        self.progression: Callable[[Value, Value, Value], Value | None] | None = None
        self.leaves: dict[int, tuple[Array, Node, int]] = {}

    @property
    def is_active(self) -> bool:
        """Whether a runtime is connected, so that operations are captured."""
        return self.runtime is not None


Session = _Session()


def activate(runtime: Runtime, threshold: int, in_loops: int = 0, at_once: int = 0) -> None:
    """Send arrays of this thread of ``threshold`` elements and more to ``runtime`` from now on.

    Args:
        runtime: the session's.
        threshold: elements.
        in_loops: elements where many passes are done as one kernel; 0 for just as many.
        at_once: most elements of arrays of which little is made on the host at once; 0 for none.
    """
    if Session.runtime is not runtime:
        Session.leaves.clear()
    Session.runtime = runtime
    Session.threshold, Session.in_loops = threshold, in_loops or threshold
    Session.at_once = at_once
    begin_run()


def begin_run() -> None:
    """Forget what earlier runs have taught about small arrays."""
    Limits.capture, Limits.habits, Limits.place = Session.threshold, {}, _place
    Limits.in_loops, Limits.at_once = Session.in_loops, Session.at_once
    Session.learning = Learning()
    Watch.forced = _learn


def _place() -> Place:
    """The line that runs now; nowhere while nothing is captured."""
    origin = NOWHERE if not Session.is_active else Session.runtime.locate()
    return origin.file, origin.line


def _learn() -> None:
    """A pending value was needed at once: learn for its lines whether planning was worth it."""
    small, largest = Session.runtime.evaluation.last_arrays()
    for place, count in largest.items():
        if not small:
            Session.learning.worth_it(place)
        elif Session.learning.hasty(place, count):
            most = Limits.habits[place].largest
            detail = f"results of up to {most} elements are computed at once on this line from here"
            origin = Origin(*place)
            Session.runtime.recorder.boundary(origin, Reason.TOO_SMALL, detail)


def deactivate() -> None:
    """Compute everything on the host."""
    Session.runtime = typed("Runtime", None)
    Limits.capture, Limits.habits = UNLIMITED, {}
    Watch.forced = None
    Session.leaves.clear()


def leaf(a: Array) -> Node:
    """The leaf of a host array; the same one as long as the array is in use.

    A leaf refers to the array, so that an assignment into the array finds it shared and copies.
    """
    entry = Session.leaves.get(id(a))
    if entry is not None:
        return entry[1]
    flags = a.flags
    solid = flags.f_contiguous or flags.c_contiguous
    node: Node = Session.runtime.leaf(a if solid else np.asfortranarray(a))
    if a.size < Limits.capture and a.dtype != np.bool_:  # what masks select is known by the mask
        return node
    sweep()
    while Session.leaves and (
        len(Session.leaves) >= _KEPT_LEAVES or _kept_bytes() + a.nbytes > _KEPT_BYTES
    ):
        Session.leaves.pop(next(iter(Session.leaves)))
    Session.leaves[id(a)] = (a, node, 4 if flags.f_contiguous else 3)
    return node


def known_leaf(a: Array) -> Node | None:
    """The leaf that stands for a host array, if there is one."""
    entry = Session.leaves.get(id(a))
    return None if entry is None else entry[1]


def listed_numbers(leaf: Node, most: int) -> Array | None:
    """The elements of a list that the host has; None for others, and for more than `most`.

    Capture has looked at them then: the same lines may capture something else for other ones.
    """
    record = Session.runtime.residency.record(leaf)
    if record is None or record.host is None or record.is_complex or not 0 < leaf.size <= most:
        return None
    numbers: Array = record.host
    note_look(((leaf, numbers),))
    return numbers


def _kept_bytes() -> int:
    return sum(entry[0].nbytes for entry in Session.leaves.values())


def sweep() -> None:
    """Forget arrays that nobody else holds any more."""
    for key in list(Session.leaves):
        entry = Session.leaves[key]
        if sys.getrefcount(entry[0]) <= entry[2] - 1:
            del Session.leaves[key]
        del entry


def lazy_of(node: Node, guarded: bool = False) -> DeviceArray:
    """A node as a value."""
    return DeviceArray(node, Session.runtime, guarded)


def operand(v: Value) -> Any:
    """The node of a real numeric array; NotImplemented for complex and containers."""
    if type(v) is DeviceArray:
        # The very first arrays of a session name their runtime before it was open.
        if v.runtime is Session.runtime or v.runtime.residency is Session.runtime.residency:
            return NotImplemented if v.node.dtype.is_complex else v.node
        return _moved(v)
    if type(v) is complex:
        return NotImplemented
    a = v if type(v) is np.ndarray else as_array(v)
    return NotImplemented if a.dtype.kind not in "fbiu" else leaf(a)


def spread_operand(v: Value) -> Any:
    """The same for what is read element by element: of a small array on the host that is one number
    throughout, the number is all that kernels are told, and nothing is uploaded.

    What is captured follows from its elements; those of small arrays are part of every description
    of variables.
    """
    if type(v) is np.ndarray and 1 < v.size < Limits.capture and v.size <= MOST_SPREAD:
        number = _only_number(v)
        if number is not None:
            scalar = Session.runtime.scalar(number, of_numpy(v.dtype))
            return Session.runtime.apply("fill", (scalar,), (v.shape,))
    return operand(v)


def _only_number(a: Array) -> float | None:
    """What all elements are, to the bit; None where they differ, and for classes whose numbers no
    double holds."""
    if a.dtype.kind not in "fiu" or (a.dtype.kind != "f" and a.itemsize == 8):
        return None
    words = a.view(f"u{a.itemsize}")
    return a.item(0) if (words == words.item(0)).all() else None


def _moved(v: DeviceArray) -> object:
    """The node of an array that was captured before the device was changed.

    What was asked to be a device array is one on the device of now.
    """
    node = operand(as_array(v.gather("device-change")))
    if node is NotImplemented or not v.node.wished or not Session.runtime.to_device(node):
        return node
    return node if node.wished else Session.runtime.wished(node)


def cast(node: Node, dtype: DType) -> Node:
    """``node`` in another element type."""
    if node.dtype is not dtype:
        node = Session.runtime.apply("cast", (node,), (dtype,))
    return node


def note_look(seen: Sequence[tuple[Node, Array]] = ()) -> None:
    """What is captured now depends on elements of an array that somebody has looked at before.

    A trace remembers what it has seen: a node with its value.
    """
    if seen and Watch.runtime is not None:
        Watch.runtime.remember(seen)
    else:
        Session.runtime.recorder.looked += 1


def check_no_nan(node: Node) -> None:
    """Raise the error for floats that are to be logical where one is NaN; that alone is fetched."""
    if whole_range(node) is not None:
        return
    runtime = Session.runtime
    wrong = runtime.apply("isnan", (node,))
    if node.size > 1:
        wrong = runtime.apply("any", (wrong,), (tuple(range(len(node.shape))),))
        if Watch.truth is None:  # what was looked at is stored: nothing is computed twice
            runtime.evaluate((node, wrong), _IS_NAN)
    if runtime.gather(wrong, _IS_NAN).item():
        raise logical_nan_error()


class Traits(NamedTuple):
    """What capture asks of an op's record; see `accel.ir.operations.spec.OpSpec`."""

    category: str
    arity: int
    whole: bool
    integers: bool
    guarded: bool
    real: bool
    complex_kernels: bool


@cache
def traits(op: str) -> Traits | None:
    """Of an op, from a table that is imported once something is captured; None of no op."""
    from app.accel.ir.ops import OPS, Complex, Result

    spec = OPS.get(op)
    if spec is None:
        return None
    real = spec.result in {Result.REAL, Result.BOOL}
    guarded, kernels = spec.domain is not None, spec.complex is Complex.KERNELS
    category = spec.category.value
    return Traits(category, spec.arity, spec.whole, spec.integers, guarded, real, kernels)


def leaves_domain(op: str, node: Node) -> bool:
    """Whether what an op of real operands became may turn out complex."""
    known = traits(op)
    return known is not None and known.guarded and node.op == op and node.attrs != (1,)


def chosen_shape(mask: Node, shape: tuple[int, ...]) -> tuple[int, int] | None:
    """The size of what a mask selects from an array; only the number of elements is fetched.

    None where nothing is selected.
    """
    count = Selection(mask, Session.runtime, None).count
    if not count:
        return None
    return (1, count) if len(shape) == 2 and shape[0] == 1 else (count, 1)


def reshape_lazy(a: DeviceArray, shape: tuple[int, ...]) -> DeviceArray:
    """The same elements with another size."""
    node = a.runtime.apply("reshape", (a.node,), (trim_shape(shape),))
    return DeviceArray(node, a.runtime, a.guarded)
