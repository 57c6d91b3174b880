"""Passes captured together as one unit that is repeated: what differs from unit to unit is known.

A unit is the graph of some passes. Numbers that the host knows before a pass are parameters of
their own, which no other node is made equal to, and of every slice, assignment and random number
it is known by how much its data grow from unit to unit. So kernels planned for one unit serve all
others, without capturing them.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING

from app.accel.fusion.loops.host_choices import HostChoices
from app.accel.fusion.loops.host_scalars import PassNumbers
from app.accel.fusion.loops.traced import data_in_pass, is_moving, moves_of, standing_attrs
from app.accel.ir.node import Node, Number, make_apart, toposort
from app.accel.ir.ops import OPS
from app.accel.ir.parameters import parameter
from app.errors import Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.fusion.loops.traced import Traced

MOST_PASSES = 8
DEPTH = 96
"""Depth of the chain that the passes of a unit may make together."""
NODES = 128
"""Nodes of all passes of a unit, beyond which planning it takes too long."""
MOST_ANEW = 12
"""Additions that take no longer than another operand of a kernel: places compared with bounds."""
MOVED = frozenset({"slice", "runs", "reshape", "permute", "repmat", "fill", "iota"})
"""What gives elements of other places, or makes them from nothing: read where they are needed."""


@mutable_record
class Unit:
    """The graph of some passes.

    Attributes:
        following: the values after them of the variables that the host does not know.
        placeholders: by parameter, the pass of the unit and the place in `PassNumbers.read`.
        moves: by how much the data of nodes grow from unit to unit.
        ways: such a pass, the place of a condition, and how it was decided.
    """

    following: list[Node]
    placeholders: dict[Node, tuple[int, int]]
    moves: dict[Node, tuple[Number, ...]] = field(default_factory=dict)
    ways: list[tuple[int, int, bool]] = field(default_factory=list)

    def move(self, node: Node, by: tuple[Number, ...]) -> None:
        """Note a node's moves. Raises Unsupported where nodes have met that will part again."""
        if self.moves.setdefault(node, by) != by:
            raise Unsupported("parts of arrays meet in one pass and not in others")


class UnitCapture:
    """Captures the passes of a traced body in units.

    Attributes:
        numbers: what the host knows before every pass.
        settled: variables that no pass reads and that every pass sets to what all passes share.
        carries: the others that it does not know.
        choices: those that the host makes before a pass.
    """

    def __init__(self, traced: Traced, apply: Callable[..., Node]) -> None:
        self.traced, self.apply = traced, apply
        self.numbers = PassNumbers(traced)
        self.variant = traced.nodes("of units", self._variant)
        self.outer = traced.nodes("outer", self._outer)
        self.settled = traced.nodes("settled", self._settled)
        self.carries = traced.nodes("unknown", self._unknown_carries)
        self.choices = HostChoices(traced, self.variant, self.numbers, self.carries)

    def _variant(self) -> list[Node]:
        known = self.numbers.known
        found = [n for n in self.traced.variant() if n not in known and n.op != "carry"]
        if any(n.op == "power" and n.inputs[1] in known for n in found):
            raise Unsupported("an exponent that changes from pass to pass decides what is computed")
        return found

    def _unknown_carries(self) -> list[Node]:
        traced, known = self.traced, self.numbers.known
        after = zip(traced.carries, traced.following, strict=True)
        if any(f in known and c not in known for c, f in after):
            raise Unsupported("a value becomes a number that the host knows")
        return [c for c in traced.carries if c not in known and c not in self.settled]

    def _settled(self) -> list[Node]:
        traced, outer = self.traced, set(self.outer)
        read = {child for node in self.variant for child in node.inputs}
        read.update(f for c, f in zip(traced.carries, traced.following, strict=True) if f is not c)
        after = zip(traced.carries, traced.following, strict=True)
        known = self.numbers.known
        return [c for c, f in after if f in outer and c not in read and c not in known]

    def _outer(self) -> list[Node]:
        inside = {*self.variant, *self.traced.carries, *self.numbers.known}
        return [n for n in toposort(self.traced.following) if n not in inside]

    def shared(self) -> list[Node]:
        """Values that all passes read and that are to be computed before them."""
        return self.traced.nodes("shared", self._shared)

    def _shared(self) -> list[Node]:
        found: dict[Node, None] = {}
        pending = self._pending
        for node in self.variant:
            for child in node.inputs:
                below = child
                while below.op in MOVED and below.inputs:
                    below = below.inputs[0]
                if below in pending:
                    found[below] = None
        return list(found)

    @property
    def _pending(self) -> set[Node]:
        """What does not change in the loop, is not stored, and is better read than computed."""
        costs: dict[Node, float] = {}
        for node in self.outer:  # operands first
            below = sum(costs[child] for child in node.inputs)
            costs[node] = below + OPS[node.op].costs.units if node.inputs else math.inf
            if node.op in {"param", "position"}:
                costs[node] = 0.0
        return {
            n
            for n in self.outer
            if n.inputs and n.size > 1 and n.op not in MOVED and costs[n] > MOST_ANEW
        }

    def passes(self, trips: int, ahead: Sequence[Sequence[float]]) -> int:
        """Passes of a unit: as many as may be planned together, and few are left over.

        `ahead` are the first rows of numbers: of what the host decides there shall be few ways.
        """
        deep = max((n.depth for n in self.traced.following), default=1)
        most = min(MOST_PASSES, DEPTH // max(1, deep), NODES // max(1, len(self.variant)), trips)
        if most < 4:
            return max(1, most)
        if self.choices.conditions:
            return self.choices.passes(most, ahead)
        aligned = 4 if any(map(is_moving, self.variant)) else 1  # or units need other shaders
        return min(range(most // aligned * aligned, 3, -aligned), key=lambda size: trips % size)

    def capture(
        self, place: int, rows: Sequence[tuple[float, ...]], values: Sequence[Node]
    ) -> Unit:
        """The graph of the passes from `place` on that begin with `values`, one per row.

        Raises Unsupported where another unit would have another graph.
        """
        state = dict(zip(self.carries, values, strict=True))
        unit = Unit([], {})
        for node in self.outer:
            if node.data and node.op != "param":
                unit.move(node, (0,) * len(node.data))
        for k, row in enumerate(rows):
            known = dict(state)
            for j, (node, number) in enumerate(zip(self.numbers.read, row, strict=True)):
                made = make_apart("param", (), (number,), node.dtype, (1, 1))
                known[node], unit.placeholders[made] = made, (k, j)
            for node in self.choices.needed(row):
                chosen = self.choices.chosen(node, row)
                known[node] = (
                    self._node_in_unit(node, place + k, len(rows), known, unit)
                    if chosen is None
                    else known.get(chosen, chosen)
                )
            unit.ways += [(k, j, bool(row[j])) for j in self.choices.conditions]
            after = zip(self.traced.carries, self.traced.following, strict=True)
            state = {c: known.get(f, f) for c, f in after if c in state}
        unit.following = list(state.values())
        return unit

    def _node_in_unit(
        self, node: Node, place: int, passes: int, known: dict[Node, Node], unit: Unit
    ) -> Node:
        inputs = tuple([known.get(child, child) for child in node.inputs])
        attrs, data, by = node.attrs, node.data, (0,) * len(node.data)
        if is_moving(node):
            attrs, data = standing_attrs(node), data_in_pass(node, place)
            by = tuple([passes * move for move in moves_of(node)])
        made = self.apply(node.op, inputs, attrs, data, node.origin)
        if made.op == "param":
            raise Unsupported("a number that changes from pass to pass is no parameter")
        if data:
            unit.move(made, by)
        return made

    def left_behind(self) -> dict[Node, Node]:
        """What every pass sets the settled variables to."""
        after = zip(self.traced.carries, self.traced.following, strict=True)
        return {c: f for c, f in after if c in self.settled}

    def with_numbers(self, values: Sequence[Node], numbers: Sequence[float]) -> list[Node]:
        """The values of all variables, those that the host knows as parameters."""
        found = {**self.left_behind(), **dict(zip(self.carries, values, strict=True))}
        for carry, number in zip(self.numbers.carries, numbers, strict=True):
            found[carry] = parameter(number, carry.dtype)
        return [found[carry] for carry in self.traced.carries]
