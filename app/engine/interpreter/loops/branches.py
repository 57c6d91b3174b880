"""Branches in a loop body that is traced: the body is run once per way through it.

A condition on a value of the trace has no answer yet. The run that asks for it is given up; the
body is run again with the answer *yes* and with *no*, and the variables take a value by choice.
A way that leaves the loop, fails or needs the host ends the trace there: the passes go on until
its condition is true, and that pass is the interpreter's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from app.accel.ir.dtypes import DType, of_numpy
from app.accel.ir.node import Node, toposort
from app.engine.capture.growing import GrowingArrays
from app.engine.interpreter.tracing import FormChanged
from app.errors import MatlabError, Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.accel.runtime.runtime import Runtime

MOST_WAYS = 16
MOST_RUNS = 32
"""Runs of a pass, one for each way through its branches."""
MOST_OPERATIONS = 4096
FEW = 4096
"""Elements of an array that is known again by what it holds."""
Few: TypeAlias = tuple[str, tuple[int, ...], bytes]

_NO_DATA = frozenset(
    (
        *("scalar", "locate", "recorder", "loop", "residency", "options", "pending"),
        *("trace_while", "opening", "device_info", "open", "planner", "placer", "lock"),
    )
)
"""What the runtime is asked for without looking at data."""

Nodes = dict[Any, Any]


class Undecided(BaseException):
    """A run needs the truth of a traced value; no ``try`` of a script catches it."""

    def __init__(self, node: Any) -> None:
        super().__init__(repr(node))
        self.node = node


class TooManyWays(BaseException):
    """A pass was run so often that the rest of its ways is not looked at either."""


class Left(BaseException):
    """A pass ends in a way that has no next pass.

    Attributes:
        way: by ``break`` or by ``return``.
        outcome: the variables there, where they are known.
    """

    def __init__(self, way: str, outcome: Outcome | None = None) -> None:
        super().__init__("it may be left early")
        self.way, self.outcome = way, outcome


class MaybeComplex(Unsupported):
    """A pass goes another way with complex numbers, which a value that passes change may be."""


class TracingRuntime:
    """The runtime while a body is traced: builds nodes, refuses to compute what passes change.

    Attributes:
        decided: answers to conditions, by node.
        growing: arrays that grow in the pass.
        kept: the global and persistent variables that are taken in; None for none, ever.
        operations: what this run has captured so far.
        varies: whether a node is different from pass to pass.
        asked: small values of what passes do not change that the trace depends on.
        views: transposes and the like of arrays of the host, with their nodes, by where they lie.
        looks, said: how often data were looked at for them, and what was said about that.
        answer: the answer to a condition that is the same in all passes; None for others.
    """

    def __init__(
        self, runtime: Runtime, varies: Callable[[Any], bool], answer: Callable[[Any], bool | None]
    ) -> None:
        self._runtime = runtime
        self.varies, self.answer = varies, answer
        self.decided: Mapping[Any, bool] = {}
        self.growing = GrowingArrays()
        self.kept: set[tuple[int, str]] | None = None
        self.operations = 0
        self.asked: dict[Node, Asked] = {}
        self.looks = self.said = 0
        self.views: dict[Hashable, tuple[NDArray[np.generic], Node]] = {}
        self._few: dict[Few, list[Node]] = {}
        self._made: Counter[Few] = Counter()

    def begin(self, decided: Mapping[Node, bool], growing: GrowingArrays) -> None:
        """A run of the body begins."""
        self.decided, self.growing, self.operations = decided, growing, 0
        self._made.clear()

    @property
    def as_runtime(self) -> Runtime:
        """The runtime that the values of a pass name as theirs."""
        return cast("Runtime", self)

    def __getattr__(self, name: str) -> Any:
        if name in _NO_DATA:
            return getattr(self._runtime, name)
        raise Unsupported(f"the data of a value are needed in every pass ({name})")

    def apply(self, *args: Any) -> Any:
        """The node of an operation; a body must not be longer than a kernel can be."""
        self.operations += 1
        if self.operations > MOST_OPERATIONS or self._is_deep(args[1]):
            raise Unsupported("a pass has too many operations")
        if self.growing and any(node in self.growing for node in args[1]):
            return self.growing.applied(self._runtime, *args)
        return self._runtime.apply(*args)

    def _is_deep(self, operands: Any) -> bool:
        """Whether a node of these would be so deep that it is computed at once."""
        limit = self._runtime.options.chain_limit * 3 // 4
        return any(node.depth > limit for node in operands)

    def leaf(self, array: Any, *rest: Any) -> Any:
        """The node of an array; numbers are parameters, equal ones the same.

        Every run of the body makes its small arrays anew: they have the nodes of the run before,
        and so has what is asked about them.
        """
        exact = array.dtype.kind in "fb" or (array.dtype.kind in "iu" and array.dtype.itemsize < 8)
        if array.size == 1 and array.ndim == 2 and exact:
            return self._runtime.scalar(array.item(), of_numpy(array.dtype))
        if rest or (array.size > FEW and array.base is None):
            return self._runtime.leaf(array, *rest)
        if array.size > FEW:
            return self._leaf_of_view(array)
        key = array.dtype.char, array.shape, array.tobytes(order="F")
        known, number = self._few.setdefault(key, []), self._made[key]
        self._made[key] += 1
        if number == len(known):
            known.append(self._runtime.leaf(array))
        return known[number]

    def _leaf_of_view(self, array: NDArray[np.generic]) -> Node:
        """The node of another view of an array, which every run of the body makes anew."""
        key = array.__array_interface__["data"][0], array.shape, array.strides, array.dtype
        if key not in self.views:
            self.views[key] = array, self._runtime.leaf(array)
        return self.views[key][1]

    def state(self, node: Any) -> str:
        """Where the data of a value are."""
        return "lazy" if self.varies(node) else str(self._runtime.state(node))

    def gather(self, node: Any, cause: str = "", detail: str = "") -> Any:
        """The value of what passes do not change, or the answer to a condition."""
        if not self.varies(node):
            recorder = self._runtime.recorder
            looked, said = recorder.looked, len(recorder.boundaries)
            below = _below(node)
            value = self._runtime.gather(node, cause, detail)
            if value.size <= FEW:
                self.looks += recorder.looked - looked
                self.said += len(recorder.boundaries) - said
                self.asked[node] = Asked(below, value)
            return value
        if node.size != 1 or node.dtype.label != "logical":
            raise Unsupported(f"the data of a value are needed in every pass ({cause or 'gather'})")
        answer = self.decided.get(node, self.answer(node))
        if answer is None:
            raise Undecided(node)
        return np.array([[answer]])

    def settled_dtype(self, node: Node) -> DType:
        """The type that what passes do not change really has."""
        if self.varies(node):
            raise MaybeComplex("whether a value is complex may change from pass to pass")
        return self._runtime.settled_dtype(node)

    def remember(self, answers: Sequence[tuple[Node, NDArray[np.generic]]]) -> None:
        """Take in what was known already of what passes do not change."""
        self.asked.update((node, Asked(_below(node), value)) for node, value in answers)

    def gather_elements(self, node: Any, indices: Any, cause: str = "") -> Any:
        """Elements of what passes do not change."""
        if self.varies(node):
            raise Unsupported("an element of a value is needed in every pass")
        return self._runtime.gather_elements(node, indices, cause)


class Asked(NamedTuple):
    """A question, whose nodes are what they are only before it is answered.

    Attributes:
        below: its nodes with their operands, operands first.
        answer: its value.
    """

    below: list[tuple[Node, tuple[Node, ...]]]
    answer: NDArray[np.generic]


def _below(node: Node) -> list[tuple[Node, tuple[Node, ...]]]:
    return [(n, n.inputs) for n in toposort([node])]


@mutable_record
class Outcome:
    """The variables after a pass.

    Attributes:
        values: what is at every place.
        state: the roots, with containers as the pass left them.
        stop: the condition that there is no next pass; None for never.
        after: how the loop is left by a whole pass; empty where the pass with the condition is
            the interpreter's.
        failure: why that is so.
    """

    values: Nodes
    state: Any
    stop: Any = None
    after: str = ""
    failure: BaseException | None = None

    @property
    def needs_host(self) -> bool:
        """Whether the pass with the condition is no end of the loop."""
        return not isinstance(self.failure, Left)


def explore(
    run: Callable[[Mapping[Any, bool]], Outcome],
    join: Callable[[Any, Outcome, Outcome], Outcome],
    ends: Callable[[Outcome, Any, bool, BaseException], Outcome],
    decided: Mapping[Any, bool] | None = None,
) -> Outcome:
    """The variables after a pass, whichever way it takes.

    `join` makes one outcome of two ways, `ends` adds to one that the other has none.
    """
    known = decided or {}
    try:
        return run(known)
    except Undecided as question:
        condition = question.node
    if len(known) >= MOST_WAYS:
        raise Unsupported("a pass has too many branches")
    found: dict[bool, Outcome] = {}
    failure: BaseException | None = None
    for answer in (True, False):
        try:
            found[answer] = explore(run, join, ends, {**known, condition: answer})
        except (Unsupported, MatlabError, Left) as problem:
            failure = problem.with_traceback(None)  # it would hold this frame, and its arrays
    if len(found) == 2:
        return join(condition, found[True], found[False])
    assert failure is not None
    if not found:
        raise failure
    ((answer, outcome),) = found.items()
    outcome.failure = outcome.failure or failure
    return ends(outcome, condition, not answer, failure)


def choose_value(
    apply: Callable[..., Any], untouched: Callable[[Any], Any], condition: Any, yes: Any, no: Any
) -> Any:
    """One of two values; two assignments to the same place become one of a chosen value.

    So does a single one: otherwise the place keeps what it had before the loop, and places that a
    list names what they have.
    """
    if yes is no:
        return yes
    if (yes.dtype, yes.shape) != (no.dtype, no.shape):
        if yes.shape == no.shape and yes.dtype.is_complex is not no.dtype.is_complex:
            raise FormChanged("a variable turns complex in one branch")
        raise Unsupported("a variable changes class or size from branch to branch")
    if yes.op == "assign" == no.op and _set_alike(yes, no):
        value = choose_value(apply, untouched, condition, yes.inputs[1], no.inputs[1])
        return apply("assign", (yes.inputs[0], value), yes.attrs, yes.data)
    for made, kept in ((yes, no), (no, yes)):
        if made.op == "assign" and made.inputs[0] is kept:
            try:
                before, value = untouched(made), made.inputs[1]
            except Unsupported:  # passes set the same place: whole arrays are chosen from
                break
            pair = (value, before) if made is yes else (before, value)
            value = apply("select", (condition, *pair))
            return apply("assign", (kept, value), made.attrs, made.data)
        if made.op == "scatter" and made.inputs[0] is kept:
            _, places, value = made.inputs
            before = apply("gather", (kept, places), (places.shape,))
            pair = (value, before) if made is yes else (before, value)
            return apply("scatter", (kept, places, apply("select", (condition, *pair))))
    return apply("select", (condition, yes, no))


def same_place(a: Node, b: Node) -> bool:
    """Whether two ways leave the same array behind, or set the same place of one."""
    return a is b or (a.op == b.op == "assign" and _set_alike(a, b))


def _set_alike(a: Node, b: Node) -> bool:
    return (a.inputs[0], a.attrs, a.data) == (b.inputs[0], b.attrs, b.data) and (
        a.inputs[1].shape == b.inputs[1].shape
    )
