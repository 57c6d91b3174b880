"""Walks through graphs that are put together again as once before: what they find is known.

Order and key of such a graph depend on nothing but where its leaves are; those are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import call
from typing import TYPE_CHECKING, TypeAlias
from weakref import ref

from app.accel.planner.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.backends.residency import Residency
    from app.accel.ir.node import Node


KnownWalks: TypeAlias = "dict[tuple[int, ...], KnownWalk]"
"""Of one graph, by the numbers of what is wanted."""


@dataclass(frozen=True, slots=True)
class KnownWalk:
    """What a walk found.

    Attributes:
        order: numbers among the values of the graph.
        key: see `Walk`.
        firsts: places in `order` of nodes, for parameters those of their first use.
        leaves: places of leaves.
        computed: places of what is neither leaf nor parameter.
    """

    order: list[int]
    key: list[object]
    firsts: list[int]
    repeated: list[list[int]]
    leaves: list[int]
    computed: list[int]

    @classmethod
    def of(cls, walk: Walk, values: Sequence[Node | None], given: int) -> KnownWalk | None:
        """What to keep of a walk through values, of which so many were there before they were put
        together; None where another one might find something else."""
        numbers = {node: k for k, node in enumerate(values)}
        order = walk.order
        computed = [k for k, node in enumerate(order) if node.op not in {"leaf", "param"}]
        if walk.again or walk.oversized or walk.unfusable or not numbers.keys() >= set(order):
            return None
        if any(order[k].op == "loop" or numbers[order[k]] < given for k in computed):
            return None
        return cls(
            [numbers[node] for node in order],
            walk.key,
            list(walk.index.values()),
            list(walk.repeated.values()),
            [k for k, node in enumerate(order) if node.op == "leaf"],
            computed,
        )

    def again(self, values: Sequence[Node], residency: Residency, limit: int) -> Walk | None:
        """The walk through values that have been put together anew; None where leaves differ."""
        walk = Walk(residency, limit)
        order = walk.order = list(map(values.__getitem__, self.order))
        key = self.key
        for k in self.leaves:
            walk.look_at(order[k])
            if walk.key.pop() != key[k] or walk.unfusable:
                return None
        walk.key = key
        walk.index = dict(zip(map(order.__getitem__, self.firsts), self.firsts, strict=True))
        walk.repeated = {order[group[0]]: group for group in self.repeated}
        for k in self.computed:
            order[k].demands += 1
        return walk


@dataclass(slots=True)
class Assembly:
    """Nodes that have just been put together; they are kept alive by others.

    Attributes:
        known: walks through nodes that were put together in this way.
        values: all of them, operands first.
        given: how many of them were there before.
    """

    known: KnownWalks
    values: list[ref[Node]] = field(default_factory=list)
    given: int = 0

    def walk(self, wanted: Sequence[Node], residency: Residency, limit: int) -> Walk | None:
        """The walk below `wanted`, if it is known."""
        numbers = self._numbers(wanted)
        known = self.known.get(numbers) if numbers else None
        if known is None:
            return None
        values = list(map(call, self.values))  # what is gone was not below anything wanted
        return known.again(values, residency, limit)  # type: ignore[arg-type]

    def keep(self, wanted: Sequence[Node], walk: Walk) -> None:
        """Remember a walk for nodes that will be put together in this way."""
        numbers = self._numbers(wanted)
        made = KnownWalk.of(walk, list(map(call, self.values)), self.given)
        if numbers and made is not None:
            self.known[numbers] = made

    def _numbers(self, wanted: Sequence[Node]) -> tuple[int, ...]:
        """Numbers of nodes; nothing where one is another one's."""
        found = []
        for node in wanted:
            if (made := ref(node)) not in self.values:  # nodes are equal by identity
                return ()
            found.append(self.values.index(made))
        return tuple(found)
