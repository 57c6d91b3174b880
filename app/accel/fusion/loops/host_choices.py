"""Choices that the host makes before a pass: their conditions follow from numbers that it knows.

``if mod(k, 10) == 0`` and the like are traced as choices between what the branches leave. Where
passes are captured one by one, only the branch that is taken becomes part of the graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from app.accel.fusion.loops.host_scalars import PassNumbers
    from app.accel.fusion.loops.traced import Traced
    from app.accel.ir.node import Node

LOOKED_AT = 1024
"""Passes whose ways are compared to find units of which there are few kinds."""


@record
class Sides:
    """What a choice may give, by its condition; None where that has to be computed."""

    condition: Node
    yes: Node | None
    no: Node | None

    def chosen(self, known: Mapping[Node, Node]) -> Node | None:
        """The value in a pass where these numbers are known as parameters."""
        number = known.get(self.condition, self.condition)
        if number.op != "param":
            return None
        return self.yes if number.data[0] else self.no


def sides_of(variant: Iterable[Node], known: AbstractSet[Node]) -> dict[Node, Sides]:
    """The choices among some nodes whose conditions the host knows.

    An array in which elements are set to a choice between something and what is there is one, too.
    """
    found: dict[Node, Sides] = {}
    for node in variant:
        if node.op == "select" and node.inputs[0] in known:
            condition, *sides = node.inputs
            alike = [s if (s.dtype, s.shape) == (node.dtype, node.shape) else None for s in sides]
            found[node] = Sides(condition, *alike)
        elif node.op == "scatter":
            value = node.inputs[-1]
            if value.op == "select" and value.inputs[0] in known:
                kept = [node.inputs[0] if _is_there(node, s) else None for s in value.inputs[1:]]
                found[node] = Sides(value.inputs[0], *kept)
    return found


def _is_there(scattered: Node, value: Node) -> bool:
    """Whether a value is what is in the places that are written to."""
    return value.op == "gather" and value.inputs == scattered.inputs[:2]


class HostChoices:
    """The choices of a traced body that the host makes.

    Attributes:
        conditions: the places of their conditions among the numbers of a pass.
    """

    def __init__(
        self,
        traced: Traced,
        variant: Sequence[Node],
        numbers: PassNumbers,
        carries: Sequence[Node],
    ) -> None:
        self._traced, self._variant = traced, variant
        self._computed = {*variant, *carries}
        self._known = numbers.known
        self._sides = sides_of(variant, numbers.known)
        column = {node: j for j, node in enumerate(numbers.read)}
        self._columns = {node: column[sides.condition] for node, sides in self._sides.items()}
        self.conditions = sorted(set(self._columns.values()))
        self._claims = self._claimed() if self._columns else {}
        self._needed: dict[tuple[bool, ...], list[Node]] = {}

    def _claimed(self) -> dict[Node, set[Node]]:
        """Per value that a pass may leave behind, the variables that it is left in."""
        found: dict[Node, set[Node]] = {}
        for carry, after in zip(self._traced.carries, self._traced.following, strict=True):
            pending = [after]
            while pending:
                node = pending.pop()
                claims = found.setdefault(node, set())
                if carry not in claims:
                    claims.add(carry)
                    pending += self._either(node)
        return found

    def _either(self, node: Node) -> list[Node]:
        sides = self._sides.get(node)
        return [] if sides is None else [s for s in (sides.yes, sides.no) if s is not None]

    def chosen(self, node: Node, row: Sequence[float]) -> Node | None:
        """The value that is chosen in a pass; None where a kernel makes the choice, or it is none.

        A kernel makes what would leave one value in two variables, or one that no pass computes.
        """
        sides = self._sides.get(node)
        if sides is None:
            return None
        side = sides.yes if row[self._columns[node]] else sides.no
        if side is None or side.op == "param" or side in self._known:
            return None
        own = self._claims.get(node)
        if own is None:
            return side
        apart = side in self._computed and len(own) == 1 and self._claims[side] == own
        return side if apart else None

    def needed(self, row: Sequence[float]) -> Sequence[Node]:
        """What is computed in a pass with these numbers, operands first."""
        if not self.conditions:
            return self._variant
        way = tuple([bool(row[j]) for j in self.conditions])
        found = self._needed.get(way)
        if found is None:
            found = self._needed[way] = self._below(row)
        return found

    def _below(self, row: Sequence[float]) -> list[Node]:
        needed: set[Node] = set()
        pending = list(self._traced.following)
        while pending:
            node = pending.pop()
            if node not in needed:
                needed.add(node)
                chosen = self.chosen(node, row)
                pending += node.inputs if chosen is None else (chosen,)
        return [node for node in self._variant if node in needed]

    def passes(self, most: int, rows: Sequence[Sequence[float]]) -> int:
        """Passes of a unit, at most `most`: the largest one of which there are fewest kinds."""
        ways = [tuple([bool(row[j]) for j in self.conditions]) for row in rows[:LOOKED_AT]]

        def kinds(size: int) -> int:
            return len({tuple(ways[k : k + size]) for k in range(0, len(ways) - size + 1, size)})

        return min(range(most, 0, -1), key=kinds)
