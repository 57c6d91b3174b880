"""The body of a loop as it was traced: placeholders, and what became of them after one pass."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, TypeVar, cast

from app.accel.ir import shapes
from app.accel.ir.node import Attrs, Node, Number, make, toposort
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

Fact = TypeVar("Fact")


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


@mutable_record
class Alike:
    """The nodes of a body of which others are put together, with what is known of all of them.

    Attributes:
        order: the nodes, in the order that all these bodies share.
        known: what has been found out of one of them: places in `order`, and facts.
    """

    order: Sequence[Node]
    known: dict[Hashable, object]

    def nodes(self, name: Hashable, find: Callable[[], Iterable[Node]]) -> list[Node]:
        """As `Traced.nodes`."""
        places = self.known.get(name)
        if places is None:
            found, place = list(find()), {node: k for k, node in enumerate(self.order)}
            self.known[name] = [place[node] for node in found]
            return found
        return list(map(self.order.__getitem__, cast("list[int]", places)))

    def fact(self, name: Hashable, find: Callable[[], Fact]) -> Fact:
        """As `Traced.fact`."""
        if name not in self.known:
            self.known[name] = find()
        return cast("Fact", self.known[name])


@mutable_record
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
        alike: its nodes, where other bodies have been put together of nodes like them; None for a
            body that was traced, or made of such a one with other nodes.
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
    alike: Alike | None = None

    def carry(self, initial: Node) -> Node:
        """A placeholder of a variable with this value before the loop."""
        taken = [cast("int", c.attrs[0]) for c in self.carries]  # some may have been left out
        node = make(
            "carry", (), (max(taken, default=-1) + 1, self.token), initial.dtype, initial.shape
        )
        self.carries.append(node)
        self.initial.append(initial)
        return node

    def variant(self) -> dict[Node, None]:
        """Nodes that depend on the pass, operands first; all carries, read or not."""
        roots = (*self.carries, *self.following)
        found = self.variants.get(roots)
        if found is None:  # several ask for the same
            found = dict.fromkeys(self.nodes("variant", lambda: self._depending(roots)))
            self.variants[roots] = found
        return dict(found)

    def nodes(self, name: str, find: Callable[[], Iterable[Node]]) -> list[Node]:
        """Nodes of this name, which `find` finds unless it has done so for a body like this one."""
        return list(find()) if self.alike is None else self.alike.nodes(self._kind(name), find)

    def fact(self, name: str, find: Callable[[], Fact]) -> Fact:
        """A fact of this name, likewise; it refers to no node."""
        return find() if self.alike is None else self.alike.fact(self._kind(name), find)

    def _kind(self, name: str) -> Hashable:
        """What is found out depends on which variables are numbers of the host before."""
        return name, tuple([node.op == "param" for node in self.initial])

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
