"""The one node type of the acceleration graph: immutable, hash-consed, equal by identity.

`make` returns the existing node when an equal one is alive, so common subexpressions vanish by
construction. Values never hang off a node: they live in the residency table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, cast
from weakref import ref

from app.accel.ir.dtypes import DType

Shape: TypeAlias = tuple[int, ...]
Attrs: TypeAlias = tuple[object, ...]
Number: TypeAlias = int | float | complex


class Origin(NamedTuple):
    """Where in the user's text a node was captured.

    Attributes:
        file: the file's name.
        line: line from 1; 0 when unknown.
        text: name of the variable assigned there, or empty.
        start: column, from 0, of the expression.
        end: the column behind it; where it is not behind `start` the rest of the line is meant.
    """

    file: str = ""
    line: int = 0
    text: str = ""
    start: int = 0
    end: int = 0


NOWHERE = Origin()
MAX_POSITION = 2**32
"""How many elements a kernel can tell apart by their places."""

WEIGHTS: dict[str, int] = {}
"""How much an op adds to the depth of a chain (1 by default); filled in by `ops`."""


class Maker(Protocol):
    """Makes the operands of a node that was put off."""

    def operands(self) -> tuple[Node, ...]:
        """The operands, with all that is below them."""


class Node:
    """One operation of the graph.

    Attributes:
        op: name of an op in `ops.OPS`.
        inputs: operand nodes; empty once the node is sealed (its value is known).
        attrs: what is part of the structure: axes, steps, target shapes.
        data: plain numbers bound at run time, not part of a plan's key: a parameter's value,
            the start of a slice, the key and offset of random numbers.
        dtype: element type.
        shape: column-major extents, at least two.
        size: number of elements.
        depth: weight of the heaviest chain of pending operations that ends here.
        demands: evaluations that needed the value so far; not part of the identity.
        owner: keeps what has no operands but numbers apart from the equal node of another runtime,
            which may store its value elsewhere; None where the operands do that.
        wished: whether the user wants it, or what it is made of, on the device.
        origin: where it was captured; not part of the identity.
        maker: makes the operands when somebody looks at them; None where they are there.
    """

    __slots__ = (
        "__weakref__",
        "attrs",
        "data",
        "demands",
        "depth",
        "dtype",
        "inputs",
        "maker",
        "op",
        "origin",
        "owner",
        "shape",
        "size",
        "wished",
    )

    op: str
    inputs: tuple[Node, ...]
    attrs: Attrs
    data: tuple[Number, ...]
    dtype: DType
    shape: Shape
    size: int
    depth: int
    demands: int
    owner: object
    wished: bool
    origin: Origin
    maker: Maker | None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> tuple[Node, ...]:
            """The operands of a node that was put off."""
            if name != "inputs":
                raise AttributeError(name)
            maker = self.maker
            if maker is not None:  # else another thread has made them meanwhile
                self.inputs = maker.operands()
                self.maker = None
                _file(self)
            return self.inputs

    def __repr__(self) -> str:
        extents = "x".join(map(str, self.shape))
        return f"{self.op}:{self.dtype.value}[{extents}]"


class _Entry(ref[Node]):
    """A weak reference that knows under which key it is filed."""

    __slots__ = ("key",)

    key: object


_ALIVE: dict[object, _Entry] = {}


def _forget(entry: _Entry, alive: dict[object, _Entry] = _ALIVE) -> None:
    """A node died; a younger node may already be filed under its key.

    Names of the module may be gone by then: the last nodes die with the interpreter.
    """
    if alive.get(entry.key) is entry:
        del alive[entry.key]


def _key(item: Number) -> object:
    """Tell 0.0 from -0.0 and True from 1 when data is compared."""
    return (item, repr(item)) if item in {0, 1} or item != item else item


def make(
    op: str,
    inputs: tuple[Node, ...],
    attrs: Attrs,
    dtype: DType,
    shape: Shape,
    data: tuple[Number, ...] = (),
    origin: Origin = NOWHERE,
    owner: object = None,
) -> Node:
    """The node of this description: the living one if there is one, else a new one."""
    key = (op, inputs, attrs, dtype, shape, tuple(map(_key, data)) if data else data, owner)
    known = _ALIVE.get(key)
    if known is not None and (node := known()) is not None:
        return node
    node = _build(op, inputs, attrs, dtype, shape, data, origin)
    node.owner = owner
    _ALIVE[key] = entry = _Entry(node, _forget)
    entry.key = key
    return node


def make_put_off(like: Node, maker: Maker) -> Node:
    """A node like another one, whose operands are made when somebody looks at them.

    Nodes that are made meanwhile are not found to be equal to it.
    """
    node = make_alike(like)
    node.maker = maker
    return node


def make_alike(like: Node) -> Node:
    """All of a node but its operands: to be read by those who need no more of it."""
    node = Node()
    node.op, node.attrs, node.data, node.maker = like.op, like.attrs, like.data, None
    node.dtype, node.shape, node.origin, node.demands = like.dtype, like.shape, like.origin, 0
    node.owner, node.size, node.depth, node.wished = like.owner, like.size, like.depth, like.wished
    return node


def _file(node: Node) -> None:
    """Let a node that was put off be found, unless an equal one has been made meanwhile."""
    key = _key_of(node)
    known = _ALIVE.get(key)
    if known is None or known() is None:
        _ALIVE[key] = entry = _Entry(node, _forget)
        entry.key = key


def _key_of(node: Node) -> object:
    data = tuple(map(_key, node.data)) if node.data else node.data
    return (node.op, node.inputs, node.attrs, node.dtype, node.shape, data, node.owner)


def _build(
    op: str,
    inputs: tuple[Node, ...],
    attrs: Attrs,
    dtype: DType,
    shape: Shape,
    data: tuple[Number, ...],
    origin: Origin,
) -> Node:
    node = Node()
    node.op, node.inputs, node.attrs, node.data = op, inputs, attrs, data
    node.dtype, node.shape, node.origin, node.demands, node.wished = dtype, shape, origin, 0, False
    node.owner, node.maker, node.size, depth = None, None, prod(shape), 0
    for operand in inputs:
        if operand.depth > depth:
            depth = operand.depth
        if operand.wished:
            node.wished = True
    node.depth = depth + WEIGHTS.get(op, 1)
    return node


def make_leaf(dtype: DType, shape: Shape, origin: Origin = NOWHERE) -> Node:
    """A fresh leaf: never equal to another one. Its value is in the residency table."""
    return _build("leaf", (), (), dtype, shape, (), origin)


def make_apart(op: str, attrs: Attrs, data: tuple[Number, ...], dtype: DType, shape: Shape) -> Node:
    """A node without operands that no other node can be equal to."""
    return _build(op, (), attrs, dtype, shape, data, NOWHERE)


def seal(node: Node) -> None:
    """Turn a computed node into a leaf: its value is stored, so its recipe can go.

    This is the only change a node ever sees. Its meaning stays; equal expressions captured
    later are new nodes.
    """
    if node.op == "leaf":
        return
    if node.maker is None:
        _ALIVE.pop(_key_of(node), None)
    node.maker = None
    node.op, node.inputs, node.attrs, node.data, node.depth = "leaf", (), (), (), 0


def unseal(
    node: Node, op: str, inputs: tuple[Node, ...], attrs: Attrs, data: tuple[Number, ...]
) -> None:
    """Give a leaf whose stored value was lost its recipe back."""
    node.op, node.inputs, node.attrs, node.data, node.demands = op, inputs, attrs, data, 0
    node.depth = WEIGHTS.get(op, 1) + max((operand.depth for operand in inputs), default=0)


def toposort(roots: Iterable[Node]) -> Iterator[Node]:
    """Every node reachable from `roots`, operands first; no recursion."""
    seen: set[Node] = set()
    stack: list[Node | None] = [*reversed(list(roots))]
    while stack:
        node = stack.pop()
        if node is None:  # all operands of the node below have been seen
            yield cast("Node", stack.pop())
        elif node not in seen:
            seen.add(node)
            if node.inputs:
                stack += (node, None, *node.inputs[::-1])
            else:
                yield node
