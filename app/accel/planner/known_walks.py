"""Walks through graphs that are put together again as once before: what they find is known.

Order and key of such a graph depend on nothing but where its leaves are; those are looked at. Nodes
that nobody holds need not be there for a plan that has run: others like them stand in their places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias
from weakref import ref

from app.accel.ir.node import make_alike
from app.accel.planner.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.backends.residency import Residency
    from app.accel.ir.node import Node
    from app.accel.planner.put_off import Assembly
    from app.accel.planner.schedule import CompiledPlan


KnownWalks: TypeAlias = "dict[tuple[int, ...], KnownWalk]"
"""Of one graph, by the numbers of what is wanted."""


@dataclass(slots=True, eq=False)
class KnownWalk:
    """What a walk found.

    Attributes:
        order: its nodes, of which parameters are those of any such graph and others only like them.
        numbers: of every node among the values of the graph.
        leaves: places of leaves, with what the key says of them.
        computed: places of what is neither leaf nor parameter, with their numbers.
        held: those of them that somebody holds.
        plans: what has been planned for them, by whether what is wanted is fetched at once.
    """

    order: list[Node]
    numbers: list[int]
    leaves: list[tuple[int, int, object]]
    computed: list[tuple[int, int]]
    held: list[tuple[int, int]]
    plans: dict[bool, ref[CompiledPlan]] = field(default_factory=dict)

    @classmethod
    def kept(cls, walk: Walk, assembly: Assembly, numbers: tuple[int, ...]) -> KnownWalk | None:
        """A walk to these numbers, remembered for nodes that will be put together in this way."""
        made = cls.of(walk, assembly) if numbers else None
        if made is not None:
            assembly.blueprint.walks[numbers] = made
        return made

    @classmethod
    def of(cls, walk: Walk, assembly: Assembly) -> KnownWalk | None:
        """What to keep of a walk; None where another one might find something else."""
        there = assembly.blueprint.there
        number_of = {node(): number for number, node in assembly.values.items()}
        if walk.again or walk.oversized or walk.empty or walk.unfusable:
            return None
        numbers = [number_of.get(node, -1) for node in walk.order]
        leaves, computed = [], []
        for place, (node, number, key) in enumerate(
            zip(walk.order, numbers, walk.key, strict=False)
        ):
            if node.op == "loop" or (node.op == "leaf") != (0 <= number < there):
                return None  # there is a leaf that was something else, or the reverse
            if node.op == "leaf":
                leaves.append((place, number, key))
            elif node.op != "param":
                computed.append((place, number))
        if any(number < 0 for _, number in computed):
            return None
        parts = {part.number for part in assembly.blueprint.parts}
        return cls(
            [node if node.op == "param" else _stand_in(node) for node in walk.order],
            numbers,
            leaves,
            computed,
            [(place, number) for place, number in computed if number in parts],
        )

    def again(self, assembly: Assembly, residency: Residency, whole: bool) -> Walk | None:
        """The walk through a graph that has been put together anew; None where leaves differ.

        Unless the graph is to be `whole`, nodes that nobody holds are only like those there would
        be, and the walk has nothing but its order.
        """
        walk = Walk(residency)
        order, values = self.order.copy(), assembly.values
        for place, number, key in self.leaves:
            leaf = values[number]()
            assert leaf is not None  # it is below what is wanted
            walk.look_at(leaf)
            if walk.key.pop() != key or walk.unfusable:
                return None
            order[place] = leaf
        if whole:
            assembly.complete()
        for place, number in self.computed if whole else self.held:
            node = values[number]()
            if node is not None:
                if node.op == "leaf":
                    return None
                order[place] = node
        walk.order = order
        if whole:
            walk.index = dict(zip(order, range(len(order)), strict=True))
        return walk

    def count(self, assembly: Assembly, order: Sequence[Node], whole: bool) -> None:
        """The values of the walk are needed once more."""
        for place, _ in self.computed if whole else self.held:
            order[place].demands += 1
        if not whole:
            assembly.known.append(self)


def _stand_in(node: Node) -> Node:
    made = make_alike(node)
    made.inputs = ()
    return made
