"""The body of a loop as it was traced: placeholders, and what became of them after one pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from app.accel.ir import shapes
from app.accel.ir.node import Attrs, Node, Number, make, toposort

if TYPE_CHECKING:
    from collections.abc import Sequence


def is_moving(node: Node) -> bool:
    """Whether a node changes from pass to pass by itself."""
    if node.op == "slice":
        return len(node.attrs) > 2 and any(cast("tuple[int, ...]", node.attrs[2]))
    if node.op == "assign":
        return len(node.attrs) > 1 and any(cast("tuple[int, ...]", node.attrs[1]))
    return node.op.startswith("random") and len(node.attrs) > 2 and bool(node.attrs[2])


def moves_of(node: Node) -> tuple[int, ...]:
    """By how much the data of a node that moves grow from pass to pass."""
    if node.op.startswith("random"):
        return 0, cast("int", node.attrs[2])
    return cast("tuple[int, ...]", node.attrs[2 if node.op == "slice" else 1])


def data_in_pass(node: Node, k: int) -> tuple[Number, ...]:
    """The data of a node that moves, `k` passes later."""
    pairs = zip(cast("tuple[int, ...]", node.data), moves_of(node), strict=True)
    return tuple([item + k * move for item, move in pairs])


def standing_attrs(node: Node) -> Attrs:
    """The attributes of a node that does not move any more."""
    return node.attrs[:1] if node.op == "assign" else node.attrs[:2]


@dataclass
class Traced:
    """A body as it was traced.

    Attributes:
        trips, first, step: passes, and what the counter counts.
        counter: its placeholder.
        token: mark of this trace's placeholders.
        carries: placeholders of the variables' values before a pass.
        initial: their values before the loop.
        following: their values after a pass.
        variants: by `carries` and `following`, what depends on the pass; bodies made of this one
            by `replace` share it.
    """

    trips: int
    first: float
    step: float
    counter: Node
    token: int
    carries: list[Node] = field(default_factory=list)
    initial: list[Node] = field(default_factory=list)
    following: list[Node] = field(default_factory=list)
    variants: dict[tuple[Node, ...], dict[Node, None]] = field(default_factory=dict)

    def carry(self, initial: Node) -> Node:
        """A placeholder of a variable with this value before the loop."""
        position = len(self.carries)
        node = make("carry", (), (position, self.token), initial.dtype, initial.shape)
        self.carries.append(node)
        self.initial.append(initial)
        return node

    def variant(self) -> dict[Node, None]:
        """Nodes that depend on the pass, operands first; all carries, read or not."""
        roots = (*self.carries, *self.following)
        found = self.variants.get(roots)
        if found is None:  # several ask for the same
            found = self.variants[roots] = self._depending(roots)
        return dict(found)

    def _depending(self, roots: Sequence[Node]) -> dict[Node, None]:
        variant: dict[Node, None] = {}
        reads_none = variant.keys().isdisjoint
        for node in toposort(roots):
            mine = node is self.counter or (node.op == "carry" and node.attrs[1] == self.token)
            if mine or is_moving(node) or not reads_none(node.inputs):
                variant[node] = None
        return variant


def derived_node(
    op: str,
    inputs: Sequence[Node],
    attrs: Attrs = (),
    data: tuple[Number, ...] = (),
    like: Node | None = None,
) -> Node:
    """A node of the graph, captured where `like` was."""
    dtype, shape = shapes.infer(op, tuple(inputs), attrs)
    made = make(op, tuple(inputs), attrs, dtype, shape, data)
    if like is not None and not made.origin.line:
        made.origin = like.origin
    return made
