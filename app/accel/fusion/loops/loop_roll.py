"""Repeating chains become loops: what was captured pass by pass is recognised on the graph.

A script's loop that was not traced arrives as k copies of its body, one after the other, each
reading what the one before has computed. Taken as they are they make kernels that grow with the
number of passes. Here the copies are found by comparing every node with the one a period earlier,
and become one loop node: what the next copy reads is carried, numbers that differ from copy to copy
are a row that passes read one after the other, random streams and slices move by what they moved.

Whatever does not repeat exactly is left as it is: the copies before and behind, and everything if
other nodes read what a copy in the middle has computed.
"""

from __future__ import annotations

from dataclasses import field, replace
from itertools import pairwise, product
from typing import TYPE_CHECKING, cast

import numpy as np

from app.accel.fusion.loops.loop_trace import LoopTrace
from app.accel.fusion.loops.traced import derived_node
from app.accel.ir.ops import OPS, Category
from app.errors import Unsupported
from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any

    from numpy.typing import NDArray

    from app.accel.ir.node import Node

FEWEST_PASSES = 4
FEWEST_NODES = 32
"""Copies, and nodes in all of them, from which on a loop is worth its carried values' storage."""
LONGEST = 96
"""Nodes of the longest body that is looked for."""

_POINTWISE = {Category.ELEMENTWISE, Category.CAST, Category.RANDOM}


@record
class Source:
    """Leaves of one element that the host knows, their values, and what makes leaves."""

    scalars: AbstractSet[Node]
    value: Callable[[Node], NDArray[Any]]
    leaf: Callable[[NDArray[Any]], Node]

    def knows(self, node: Node) -> bool:
        """Whether a node is a number that needs no computing."""
        return node.op == "param" or node in self.scalars

    def number(self, node: Node) -> NDArray[Any]:
        """Its value, 1-by-1."""
        if node.op == "param":
            return np.full((1, 1), node.data[0], node.dtype.numpy)
        return self.value(node)


@record
class RolledLoop:
    """A loop that stands for copies: nodes of the last copy, and what gives their values."""

    ends: tuple[Node, ...]
    picks: tuple[Node, ...]


@mutable_record
class _Copies:
    """Copies of a body: `count` stretches of `period` nodes, from `start` on, and a `rest`."""

    nodes: Sequence[Node]
    place: dict[Node, int]
    start: int
    period: int
    count: int
    rest: int
    source: Source

    @property
    def stop(self) -> int:
        """The first node behind the copies."""
        return self.start + self.period * self.count

    def are_copies(self, k: int) -> bool:
        """Whether a node is made of the copies of what the one a period earlier is made of."""
        a, b = self.nodes[k - self.period], self.nodes[k]
        if not _same_kind(a, b):
            return False
        return all(self.answer(x, y) for x, y in zip(a.inputs, b.inputs, strict=True))

    def answer(self, x: Node, y: Node) -> bool:
        """Whether an operand of a copy and one of the next one are each other's copies."""
        if x is y or (self.source.knows(x) and self.source.knows(y) and x.dtype is y.dtype):
            return True
        return self.place.get(y, -1) - self.place.get(x, len(self.nodes)) == self.period

    def slot(self, x: Node, y: Node) -> int | None:
        """The place in the first copy of what the second one reads as `y`, and the first as `x`.

        None where it is no value of the copy before.
        """
        if x is y or (self.source.knows(x) and self.source.knows(y)):
            return None
        place = self.place[y]
        return place if place < self.start + self.period else None

    def of(self, at: int) -> list[Node]:
        """All copies of a node of the first one."""
        return [self.nodes[at + k * self.period] for k in range(self.count)]


def rolled_loop(order: Sequence[Node], wanted: Iterable[Node], source: Source) -> RolledLoop | None:
    """A loop for the longest repeating chain of a graph; None where there is none worth it.

    Args:
        order: nodes, operands first.
        wanted: nodes whose values are needed.
        source: knows and makes leaves.
    """
    nodes = [node for node in order if _is_body(node)]
    if len(nodes) < FEWEST_NODES:
        return None
    place = {node: k for k, node in enumerate(nodes)}
    ways = _possible_ways(nodes, place, source)
    if not ways:
        return None
    readers: dict[Node, list[Node]] = {}
    for node in order:
        for child in node.inputs:
            readers.setdefault(child, []).append(node)
    asked = set(wanted)
    for copies, carried in ways:
        ends = _ends(copies, carried, readers, asked)
        made = _loop(copies, carried, ends, source) if ends else None
        if made is not None:
            return made
    return None


_Way = tuple[int, int, int, tuple[tuple[int, int, int], ...]]
"""Start, period and number of copies; carried values by place, with a node that reads the first
one and at which of its operands."""

_known: dict[object, tuple[_Way, ...]] = {}
MOST_KNOWN = 256


def _possible_ways(
    nodes: Sequence[Node], place: dict[Node, int], source: Source
) -> list[tuple[_Copies, dict[int, Node]]]:
    """Where copies may begin and end, and what they carry.

    A script that runs again makes the same graph of other nodes: how its parts are connected says
    all that was looked for, and that is kept.
    """
    key = _connections(nodes, place, source)
    known = _known.get(key)
    if known is None:
        found = _find(nodes, place, source)
        ways = [] if found is None else _ways_to_cut(found)
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = tuple(_way_without_nodes(copies, carried) for copies, carried in ways)
        return ways
    made = []
    for start, period, count, carried in known:
        copies = _Copies(nodes, place, start, period, count, 0, source)
        made.append((copies, {slot: nodes[k].inputs[which] for slot, k, which in carried}))
    return made


def _way_without_nodes(copies: _Copies, carried: dict[int, Node]) -> _Way:
    """A way without its nodes."""
    first = range(copies.start, copies.start + copies.period)
    where = {x: (k, which) for k in first for which, x in enumerate(copies.nodes[k].inputs)}
    ends = tuple((slot, *where[x]) for slot, x in carried.items())
    return copies.start, copies.period, copies.count, ends


def _connections(nodes: Sequence[Node], place: dict[Node, int], source: Source) -> object:
    """What nodes compute and from which of them, up to what they and their operands are called."""
    others: dict[Node, int] = {}
    operands = [
        place[x] if x in place else -1 - others.setdefault(x, len(others))
        for node in nodes
        for x in node.inputs
    ]
    outside = tuple([(x.dtype, x.shape, source.knows(x)) for x in others])
    return tuple(_kinds(nodes).tolist()), tuple(operands), outside


def _ways_to_cut(found: _Copies) -> list[tuple[_Copies, dict[int, Node]]]:
    """Where copies may begin and end, those that carry least first: statements end there.

    The last copy may be left to the graph, where others read more of it than what is carried. What
    comes before the first one may be a copy, too, that begins with other values.
    """
    ways: list[tuple[_Copies, dict[int, Node]]] = []
    for shift, fewer in product(range(found.period), (0, 1)):
        count = found.count - fewer - (shift > found.rest)
        copies = replace(found, start=found.start + shift, count=count)
        if _begins(copies):
            copies = replace(copies, start=copies.start - copies.period, count=count + 1)
        carried = None if copies.count < FEWEST_PASSES else _carried_values(copies)
        if carried:
            ways.append((copies, carried))
    return sorted(ways, key=lambda way: (len(way[1]), -way[0].count))


def _begins(copies: _Copies) -> bool:
    """Whether the nodes before the first copy are one that reads values from before the loop."""
    first = copies.start - copies.period
    if first < 0:
        return False
    for k in range(first, copies.start):
        a, b = copies.nodes[k], copies.nodes[k + copies.period]
        if not _same_kind(a, b):
            return False
        for x, y in zip(a.inputs, b.inputs, strict=True):
            outside = copies.place.get(x, -1) < first and copies.place.get(y, -1) < copies.start
            carried = outside and y in copies.place and (x.dtype, x.shape) == (y.dtype, y.shape)
            if not (carried or copies.answer(x, y)):
                return False
    return True


def _is_body(node: Node) -> bool:
    """Whether a node may be part of a loop's body."""
    if node.dtype.is_complex:
        return False
    if node.op == "slice":
        return node.inputs[0].op == "leaf" and len(node.attrs) == 2
    return OPS[node.op].category in _POINTWISE or node.op == "fill"


def _find(nodes: Sequence[Node], place: dict[Node, int], source: Source) -> _Copies | None:
    """The longest stretch of copies, of the shortest body that gives it."""
    best: _Copies | None = None
    kinds = _kinds(nodes)
    for period in range(1, min(LONGEST, len(nodes) // FEWEST_PASSES) + 1):
        if np.count_nonzero(kinds[period:] == kinds[:-period]) + period < FEWEST_NODES:
            continue
        tried, run = _Copies(nodes, place, 0, period, 0, 0, source), 0
        for k in range(period, len(nodes) + 1):
            if k < len(nodes) and kinds[k] == kinds[k - period] and tried.are_copies(k):
                run += 1
                continue
            count = run // period + 1
            worth = count >= FEWEST_PASSES and count * period >= FEWEST_NODES
            if worth and (best is None or count * period > best.period * best.count):
                best = replace(tried, start=k - run - period, count=count, rest=run % period)
            run = 0
        if best is not None and best.period * best.count > 0.7 * len(nodes):
            break
    return best


def _kinds(nodes: Sequence[Node]) -> NDArray[np.int64]:
    """A number per node; what is computed in the same way has the same number."""
    known: dict[object, int] = {}
    kinds = [known.setdefault(_kind(n), len(known)) for n in nodes]
    return np.array(kinds, np.int64)


def _kind(node: Node) -> tuple[object, ...]:
    """How a node computes, of whatever operands."""
    stream = node.data[0] if node.op.startswith("random") else None
    return node.op, node.dtype, node.shape, node.attrs, len(node.data), len(node.inputs), stream


def _same_kind(a: Node, b: Node) -> bool:
    """Whether two nodes compute in the same way, of whatever operands."""
    return _kind(a) == _kind(b)


def _carried_values(copies: _Copies) -> dict[int, Node] | None:
    """By the place that gives the next value: what the first copy reads of the one before.

    None where a copy reads what is older than the one before it, or computed in another one.
    """
    for k in range(copies.start, copies.stop - copies.period):
        both = zip(copies.nodes[k].inputs, copies.nodes[k + copies.period].inputs, strict=True)
        if any(x is y and copies.place.get(x, -1) >= copies.start for x, y in both):
            return None
    found: dict[int, Node] = {}
    for k in range(copies.start, copies.start + copies.period):
        second = copies.nodes[k + copies.period]
        for x, y in zip(copies.nodes[k].inputs, second.inputs, strict=True):
            slot = copies.slot(x, y)
            if slot is None:
                continue
            if slot < copies.start or found.setdefault(slot, x) is not x:
                return None
    return found


def _ends(
    copies: _Copies, carried: dict[int, Node], readers: dict[Node, list[Node]], asked: set[Node]
) -> list[Node]:
    """Carried values of the last copy that others read; none where others read anything else."""
    inside = set(copies.nodes[copies.start : copies.stop])
    last = (copies.count - 1) * copies.period
    allowed = {copies.nodes[place + last] for place in carried}
    read = {
        node
        for node in inside
        if node in asked or any(reader not in inside for reader in readers.get(node, ()))
    }
    return [node for node in copies.nodes if node in read] if read <= allowed else []


def _loop(
    copies: _Copies, carried: dict[int, Node], ends: list[Node], source: Source
) -> RolledLoop | None:
    """The loop node, written as if its body had been traced."""
    trace = LoopTrace(copies.count)
    before = {slot: trace.carry(initial) for slot, initial in carried.items()}
    body = _Body(copies, source, before)
    try:
        for k in range(copies.start, copies.start + copies.period):
            body.add(k)
        final = trace.finish([body.made[copies.nodes[slot]] for slot in carried])
    except Unsupported:
        return None
    last = (copies.count - 1) * copies.period
    whose = {copies.nodes[slot + last]: k for k, slot in enumerate(carried)}
    return RolledLoop(tuple(ends), tuple(final[whose[node]] for node in ends))


@mutable_record
class _Body:
    """The body being written: of the first copy, on placeholders of what is carried."""

    copies: _Copies
    source: Source
    before: dict[int, Node]
    made: dict[Node, Node] = field(default_factory=dict)
    rows: dict[tuple[object, ...], Node] = field(default_factory=dict)

    def add(self, k: int) -> None:
        """Write a node of the first copy."""
        every = self.copies.of(k)
        node = every[0]
        inputs = tuple(self._operand(every, position) for position in range(len(node.inputs)))
        attrs = node.attrs
        if len({other.data for other in every}) > 1:
            moves = _moves(every)
            attrs = (*attrs, moves if node.op == "slice" else moves[1])
        self.made[node] = derived_node(node.op, inputs, attrs, node.data, node)

    def _operand(self, every: list[Node], position: int) -> Node:
        operands = [node.inputs[position] for node in every]
        first, second = operands[:2]
        slot = self.copies.slot(first, second)
        if slot is not None:
            return self.before[slot]
        if self.source.knows(first) and any(other is not first for other in operands):
            return self._row(operands)
        return self.made.get(first, first)

    def _row(self, numbers: list[Node]) -> Node:
        """Numbers that differ from copy to copy: an element of a row, one further every pass."""
        values = np.concatenate([self.source.number(n) for n in numbers], axis=1)
        key = values.tobytes()
        if key == values[:, :1].tobytes() * len(numbers):
            return numbers[0]
        row = self.rows.get((key, values.dtype))
        if row is None:
            row = self.rows[key, values.dtype] = self.source.leaf(np.asfortranarray(values))
        return derived_node("slice", (row,), ((1, 1), (1, 1), (0, 1)), (0, 0), numbers[0])


def _moves(every: list[Node]) -> tuple[int, ...]:
    """By how much data grow from copy to copy. Raises Unsupported where that changes."""
    data = [cast("tuple[int, ...]", node.data) for node in every]
    moves = tuple(b - a for a, b in zip(data[0], data[1], strict=True))
    for before, after in pairwise(data):
        if tuple(b - a for a, b in zip(before, after, strict=True)) != moves:
            raise Unsupported("copies do not move evenly")
    if every[0].op.startswith("random") and (moves[1] % 4 or moves[1] < 0):
        raise Unsupported("random numbers are not drawn in order")
    return moves
