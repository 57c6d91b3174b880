"""A traced body done for some passes: as loops of one kernel each, else pass by pass.

Pass by pass needs no interpreter: the operations of the body are captured again with the values of
the pass in the places of its placeholders. Where the end depends on data, passes come in chunks
that grow; once the condition has turned true the state of a chunk stays what it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from app.accel.fusion.loops.host_choices import sides_of
from app.accel.fusion.loops.host_scalars import after_passes, known_numbers, passes_until
from app.accel.fusion.loops.loop_trace import loop_kernels, value_before_loop
from app.accel.fusion.loops.traced import (
    Traced,
    data_in_pass,
    derived_node,
    is_moving,
    standing_attrs,
)
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node, toposort
from app.accel.ir.ops import OPS, Category
from app.accel.ir.parameters import parameter
from app.errors import FewElements, Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Iterable

Replay: TypeAlias = (
    "Callable[[Traced, int, int, list[Node], Callable[[], None], bool], tuple[int, list[Node]]]"
)
"""Given a body, the next pass, passes, values, what may interrupt and whether every pass is stored:
passes done, and the values then. Raises Unsupported where the body cannot be replayed at all."""
MOST_AT_ONCE = 1024
"""Passes between two looks at a condition."""


def rewritten(
    order: Iterable[Node], known: dict[Node, Node], change: Callable[[Node, tuple[Node, ...]], Node]
) -> dict[Node, Node]:
    """`known`, and what `change` makes of every node that has other operands now.

    `order` has operands first.
    """
    for node in order:
        if node in known:
            continue
        inputs = tuple([known.get(child, child) for child in node.inputs])
        if inputs != node.inputs or is_moving(node):
            known[node] = change(node, inputs)
    return known


def later(traced: Traced, k: int, trips: int, initial: list[Node]) -> Traced:
    """The body from pass `k` on, with the values that the variables have there."""
    if not k:
        return replace(traced, trips=trips, initial=initial)

    def change(node: Node, inputs: tuple[Node, ...]) -> Node:
        data = data_in_pass(node, k) if is_moving(node) else node.data
        return derived_node(node.op, inputs, node.attrs, data, node)

    found = rewritten(toposort(traced.following), {}, change)
    following = [found.get(f, f) for f in traced.following]
    first = traced.first + k * traced.step
    made = replace(traced, trips=trips, first=first, initial=initial, following=following)
    made.alike = None
    return made


@mutable_record
class Passes:
    """The passes of one loop.

    Attributes:
        traced: its body.
        apply: captures an operation.
        poll: called before every pass that is done by itself and between others; may interrupt.
        evaluate: computes and stores values together.
        gather: fetches a number.
        reason: why it is no loop of one kernel; empty where it is.
        remote: whether values may lie on a device, where looking at one takes its time.
        replay: does passes that repeat from a tape, as many as it can.
        store: computes and stores values together after a pass that is done by itself; None
            leaves them to their readers.
        least: elements of the largest value that a pass must compute to be worth kernels of its
            own.
        device: what computes besides the host; it may come while passes are under way.
    """

    traced: Traced
    apply: Callable[..., Node]
    poll: Callable[[], None]
    evaluate: Callable[[list[Node]], None]
    gather: Callable[[Node], Any]
    remote: bool = True
    replay: Replay | None = None
    reason: str = ""
    store: Callable[[list[Node]], None] | None = None
    least: int = 0
    device: Callable[[], object] = lambda: None

    def end(self, stop: Node, k: int, most: int, initial: list[Node]) -> int | None:
        """Passes from pass `k` to the one in which `stop` is true, at most `most`.

        None where the host cannot know.
        """
        return passes_until(self._traced_from(k, initial), stop, most, self.poll)

    def numbers(self, k: int, passes: int, initial: list[Node]) -> dict[Node, float | bool]:
        """The values after `passes` passes from pass `k` on that the host can know."""
        return after_passes(self._traced_from(k, initial), passes, self.poll)

    def _traced_from(self, k: int, initial: list[Node]) -> Traced:
        first = self.traced.first + k * self.traced.step
        return replace(self.traced, first=first, initial=initial)

    def run(self, k: int, trips: int, initial: list[Node]) -> list[Node]:
        """The values after `trips` passes from pass `k` on."""
        if not self.reason:
            try:
                return loop_kernels(later(self.traced, k, trips, initial))
            except Unsupported as problem:
                self.reason = str(problem)
        return self._one_by_one(k, trips, initial)

    def _one_by_one(self, k: int, trips: int, initial: list[Node]) -> list[Node]:
        traced, values = self.traced, initial
        if traced.fact("largest", lambda: _largest(traced)) < self.least:
            raise FewElements("a pass computes few elements")
        if not self.remote and traced.fact("parts", lambda: _stores_parts(traced)):
            raise FewElements("a pass stores a small part of a large array: done in place")
        variant = list(traced.variant())  # nothing else has other operands in a pass
        decided = sides_of(variant, set(known_numbers(replace(traced, initial=values))))
        place, end, asked = k, k + trips, False
        device: object = None
        while place < end:
            if not asked or device is not self.device():
                asked, device = True, self.device()
                done, values = self._replayed_passes(place, end - place, values)
                place += done
                continue
            self.poll()
            known = dict(zip(traced.carries, values, strict=True))
            known[traced.counter] = parameter(traced.first + place * traced.step, DType.F64)

            def change(
                node: Node,
                inputs: tuple[Node, ...],
                place: int = place,
                known: dict[Node, Node] = known,
            ) -> Node:
                attrs, data = node.attrs, node.data
                side = decided[node].chosen(known) if node in decided else None
                if side is not None:
                    return known.get(side, side)
                if is_moving(node):
                    attrs, data = standing_attrs(node), data_in_pass(node, place)
                return self.apply(node.op, inputs, attrs, data, node.origin)

            rewritten(variant, known, change)
            values = [known.get(f, f) for f in traced.following]
            if self.store is not None:
                self.store(values)
            place += 1
        return values

    def _replayed_passes(self, k: int, trips: int, values: list[Node]) -> tuple[int, list[Node]]:
        if self.replay is None:
            return 0, values
        traced = replace(self.traced, initial=values)
        try:
            return self.replay(traced, k, trips, values, self.poll, self.store is not None)
        except Unsupported:
            self.replay = None
            return 0, values

    def until(
        self,
        stop: Node,
        k: int,
        most: int,
        initial: list[Node],
        late: bool = False,
        likely: int = 0,
    ) -> tuple[int, list[Node], bool]:
        """Passes from pass `k` to the one in which `stop` is true, and the values then.

        They are at most `most`. With `late` that pass is done, too; `likely` are the passes after
        which the first look at `stop` is taken, 0 where nobody knows. The last result says whether
        it was met.
        """
        traced = self._traced_from(0, initial)
        watched = self._with_stop_condition(traced, stop, late)
        beyond = self._with_stop_condition(traced, stop, late, stays=False)
        done, size, values = 0, 1, initial
        hoped = likely + (not late) if likely else 0  # it takes one more pass to see the end
        while done < most:
            trips = min(hoped - done if done < hoped else size, MOST_AT_ONCE, most - done)
            begun = [*values, parameter(True, DType.BOOL), parameter(0.0, DType.F64)]
            after = self._in_kernels(watched, beyond, k + done, trips, begun)
            *following, _, state = after or watched.run(k + done, trips, begun)
            found = self.gather(state)
            if not beyond.reason and found % 1:  # they have gone on behind the end
                following = self.run(k + done, int(found), values) if found >= 1 else values
            values = following
            self.reason = watched.reason and beyond.reason
            size = size if done < hoped else min(2 * size, MOST_AT_ONCE)
            done += int(found)
            if found % 1:
                return done, values, True
        return done, values, False

    def _in_kernels(
        self, watched: Passes, beyond: Passes, k: int, trips: int, begun: list[Node]
    ) -> list[Node] | None:
        """Passes as kernels that all of them are done in, though data decide where they end.

        Where a sum over all elements decides it, only the passes that go on `beyond` the end are
        such kernels: those behind it were done for nothing then. None where neither are, which the
        host leaves to the interpreter: Unsupported then.
        """
        for passes in (watched, beyond):
            if passes.reason:
                continue
            try:
                after = loop_kernels(later(passes.traced, k, trips, begun))
            except Unsupported as problem:
                passes.reason = str(problem)
                continue
            if passes is beyond:
                self.evaluate(after)
            else:
                beyond.reason = "the passes end in their kernels"
            return after
        if not self.remote:
            raise Unsupported(watched.reason)  # looking costs the host less than the choices do
        return None

    def _with_stop_condition(
        self, traced: Traced, stop: Node, late: bool, stays: bool = True
    ) -> Passes:
        """The same passes, whose state `stays` once the condition is true.

        The last value counts passes, with a half more once the condition was true.
        """
        watched = replace(traced, carries=list(traced.carries), initial=list(traced.initial))
        running = watched.carry(parameter(True, DType.BOOL))
        count = watched.carry(parameter(0.0, DType.F64))
        onward = derived_node("and", (running, derived_node("not", (stop,))))
        goes = running if late else onward
        following = list(traced.following)
        if stays:
            pairs = zip(traced.following, traced.carries, strict=True)
            following = [_value_while_running(traced, goes, f, c) for f, c in pairs]
        done = derived_node("cast", (goes,), (DType.F64,))
        met = derived_node("cast", (derived_node("and", (running, stop)),), (DType.F64,))
        half = derived_node("times", (met, parameter(0.5, DType.F64)))
        more = derived_node("plus", (count, derived_node("plus", (done, half))))
        watched.following, watched.alike = [*following, onward, more], None
        return replace(self, traced=watched, store=self.evaluate)


def _largest(traced: Traced) -> int:
    """Elements of the largest value that a pass computes or adds up; products multiply cheaply."""
    found, varying = 0, set[Node]()
    for node in toposort(traced.following):
        varies = node.op in ("carry", "counter") or is_moving(node)
        if not varies and varying.isdisjoint(node.inputs):
            continue  # what all passes share is computed before them
        varying.add(node)
        if node.op == "matmul":
            multiplied = node.size * node.inputs[0].size // max(1, node.shape[0])
            found = max(found, node.size, multiplied // PRODUCTS)
        elif node.op == "scatter":  # the others stay where they are
            found = max(found, node.inputs[1].size, node.inputs[2].size)
        elif node.op not in _MOVED:
            found = max(found, node.size, *(x.size for x in node.inputs if _joins(node)))
    return found


def _stores_parts(traced: Traced) -> bool:
    """Whether a pass stores little of a large array, which on the graph copies all of it."""
    least = max(MUCH, LEAST_PARTS * _largest(traced))
    return any(f.op == "assign" and f.size >= least for f in traced.following)


MUCH = 1 << 20
"""Elements whose copy takes longer than a pass of the interpreter."""
LEAST_PARTS = 8
"""A part is small where an array has at least so many of its size."""


def _joins(node: Node) -> bool:
    """Whether a value is made of all elements of its operands."""
    return OPS[node.op].category in (Category.REDUCTION, Category.ALGORITHM)


PRODUCTS = 256
"""Multiplications of a product that take as long as an element elsewhere."""
_MOVED = frozenset(
    {"leaf", "param", "carry", "counter", "assign", "slice", "runs", "reshape", "permute", "repmat"}
)
"""What computes nothing: values from elsewhere, and the same elements in other places."""


def _value_while_running(traced: Traced, goes: Node, f: Node, c: Node) -> Node:
    """The next value of a variable as long as the passes go on."""
    if f is c:
        return f
    if f.op == "assign" and f.inputs[0] is c:
        try:
            before = value_before_loop(traced, f)
        except Unsupported:
            return derived_node("select", (goes, f, c), (), (), f)
        value = derived_node("select", (goes, f.inputs[1], before))
        return derived_node("assign", (c, value), f.attrs, f.data, f)
    if f.op == "scatter" and f.inputs[0] is c:
        _, places, stored = f.inputs
        before = derived_node("gather", (c, places), (places.shape,))
        value = derived_node("select", (goes, stored, before))
        return derived_node("scatter", (c, places, value), f.attrs, f.data, f)
    return derived_node("select", (goes, f, c), (), (), f)
