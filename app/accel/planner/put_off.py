"""Graphs put together anew, as they were captured before: what nobody looks at is not made.

Of such a graph there are at first the nodes that somebody holds. Their operands, and what is below
them, are made when somebody asks for them; an evaluation that is known does not (see
`known_walks`).
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

from app.accel.ir.node import make, make_alike, make_leaf, make_put_off
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.ir.dtypes import DType
    from app.accel.ir.node import Attrs, Node, Number, Origin, Shape
    from app.accel.planner.known_walks import KnownWalk, KnownWalks


class Step(NamedTuple):
    """A node to make; `operands` are numbers of values: given ones, constants, parameters, then
    nodes."""

    op: str
    operands: tuple[int, ...]
    attrs: Attrs
    dtype: DType
    shape: Shape
    data: tuple[Number, ...]
    owner: object
    origin: Origin


class Part(NamedTuple):
    """A node that somebody holds.

    Attributes:
        number: its number.
        like: a node like it.
        held: numbers of what it is made of that is there: operands given, constants, other parts.
        inside: numbers of what else is below it, operands first.
    """

    number: int
    like: Node
    held: tuple[int, ...]
    inside: dict[int, None]


@mutable_record
class Blueprint:
    """How a graph is put together.

    Attributes:
        there: how many of its values are there: those given, and constants.
        parameters: its numbers; they come next.
        steps: its other nodes, operands first.
        parts: those that somebody holds.
        walks: what is known of evaluations of these.
    """

    there: int
    parameters: Sequence[Node]
    steps: Sequence[Step]
    parts: Sequence[Part]
    walks: KnownWalks = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        there: int,
        parameters: Sequence[Node],
        steps: Sequence[Step],
        nodes: Sequence[Node],
        wanted: set[int],
    ) -> Blueprint:
        """The blueprint of `nodes`, which `steps` make; of them the numbers `wanted` are held."""
        first = there + len(parameters)
        parts = []
        for number in sorted(wanted):
            if number < first:
                continue
            held, inside, stack = set[int](), set[int](), [number]
            while stack:
                for operand in steps[stack.pop() - first].operands:
                    if operand < there or operand in wanted:
                        held.add(operand)
                    elif operand >= first and operand not in inside:
                        inside.add(operand)
                        stack.append(operand)
            like = make_alike(nodes[number - first])
            parts.append(Part(number, like, tuple(sorted(held)), dict.fromkeys(sorted(inside))))
        return cls(there, parameters, steps, parts)

    def put_together(self, there: Sequence[Node]) -> tuple[Assembly, dict[int, Node]]:
        """The graph, made of the values that are there; and its nodes by number."""
        made: dict[int, Node] = dict(enumerate(there))
        assembly = Assembly(self)
        for part in self.parts:
            held = list(map(made.__getitem__, part.held))
            made[part.number] = make_put_off(part.like, PutOff(assembly, part, held))
        made.update(enumerate(self.parameters, self.there))
        assembly.values = dict(zip(made, map(ref, made.values()), strict=True))
        return assembly, made


@mutable_record
class Assembly:
    """Nodes that have been put together; they are kept alive by others.

    Attributes:
        values: all that have been made so far.
        known: evaluations of them so far that did not need them all.
        whole: whether all are made that are below one that is held.
    """

    blueprint: Blueprint
    values: dict[int, ref[Node]] = field(default_factory=dict)
    known: list[KnownWalk] = field(default_factory=list)
    whole: bool = False

    def numbers(self, wanted: Sequence[Node]) -> tuple[int, ...]:
        """Numbers of nodes; nothing where one is another one's."""
        found = []
        values = self.values
        for node in wanted:
            for part in self.blueprint.parts:
                if values[part.number]() is node:
                    found.append(part.number)
                    break
            else:
                return ()
        return tuple(found)

    def holders(self) -> list[PutOff]:
        """What nodes are still to be made by."""
        held = [self.values[part.number]() for part in self.blueprint.parts]
        makers = [node.maker for node in held if node is not None]
        return [maker for maker in makers if isinstance(maker, PutOff)]

    def stored(self, number: int, holders: Sequence[PutOff]) -> Node | None:
        """A leaf for a value of a node that has not been made: kept by all nodes still to be made
        that it is below of; None where there is none."""
        leaf: Node | None = None
        for holder in holders:
            if number in holder.part.inside:
                if leaf is None:
                    step = self.blueprint.steps[number - self.first]
                    leaf = make_leaf(step.dtype, step.shape, step.origin)
                holder.leaves[number] = leaf
        return leaf

    def complete(self) -> None:
        """Make all that is below what is held: from now on evaluations are counted there."""
        if self.whole:
            return
        self.whole = True
        held = [self.values[part.number]() for part in self.blueprint.parts]
        for node in held:
            if node is not None:
                _ = node.inputs

    @property
    def first(self) -> int:
        """The number of the first step."""
        return self.blueprint.there + len(self.blueprint.parameters)


@mutable_record
class PutOff:
    """Makes the operands of a node: see `Maker`."""

    assembly: Assembly
    part: Part
    held: list[Node]
    leaves: dict[int, Node] = field(default_factory=dict)

    def operands(self) -> tuple[Node, ...]:
        """The operands, with all that is below them; those of all other nodes come with them."""
        assembly, first = self.assembly, self.assembly.first
        assembly.complete()
        blueprint = assembly.blueprint
        values = dict(enumerate(blueprint.parameters, blueprint.there))
        values.update(zip(self.part.held, self.held, strict=True))
        values.update(self.leaves)
        value_of = values.__getitem__
        for number in self.part.inside:
            if number in values:
                continue
            op, operands, attrs, dtype, shape, data, owner, origin = blueprint.steps[number - first]
            inputs = tuple(map(value_of, operands))
            node = values[number] = make(op, inputs, attrs, dtype, shape, data, origin, owner)
            node.demands = sum([number in known.numbers for known in assembly.known])
            assembly.values[number] = ref(node)
        return tuple(map(value_of, blueprint.steps[self.part.number - first].operands))
