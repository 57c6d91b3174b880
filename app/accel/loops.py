"""Loops as one node: the body is traced once and becomes one kernel with the loop inside.

The engine traces a `for` body with placeholders::

    trace = LoopTrace(trips, first, step)
    y = trace.carry(y0)                 # value before a pass
    t = trace.counter                   # 1x1 F64: first + step * pass
    ...apply ops to y, t and outer nodes...
    y_after, = trace.finish([y_next])   # Unsupported (with the reason) where it cannot fuse

What changes from pass to pass is said in attrs: ``slice`` takes ``(steps, shape, moves)``,
``assign`` ``(steps, moves)`` and ``random_*`` ``(DType, shape, advance)``; `moves` are elements per
pass and dimension, `advance` (a multiple of four) is added to the random offset in every pass.
An array filled pass by pass is a carry whose next value is ``assign(carry, value)``, and which is
not read in the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from app.accel import shapes
from app.accel.dtypes import DType
from app.accel.node import Attrs, Node, Number, Shape, make, toposort
from app.accel.ops import OPS, Category
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]

_TOKENS = count()
HEADER = 3
"""Data items of a loop node before its body's: trips, first counter value, counter step."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One operation of a body; `args` are value numbers, `data` says where its data begins."""

    op: str
    attrs: Attrs
    args: tuple[int, ...]
    dtype: DType
    shape: Shape
    data: int
    n_data: int


@dataclass(frozen=True)
class LoopBody:
    """A traced body, free of data: equal bodies share a plan.

    Values are numbered: carries, outer values, the counter, then the entries.
    """

    carries: tuple[tuple[DType, Shape], ...]
    outers: int
    entries: tuple[Entry, ...]
    following: tuple[int, ...]
    lines: tuple[int, ...] = field(default=(), compare=False)

    @cached_property
    def _hash(self) -> int:
        return hash((self.carries, self.outers, self.entries, self.following))

    def __hash__(self) -> int:
        return self._hash

    @property
    def counter(self) -> int:
        """Number of the counter."""
        return len(self.carries) + self.outers

    def entry(self, number: int) -> Entry | None:
        """The entry with this value number; None for carries, outer values and the counter."""
        position = number - self.counter - 1
        return self.entries[position] if position >= 0 else None

    @cached_property
    def filled(self) -> tuple[bool, ...]:
        """Per carry: is it an output array that passes assign into?"""
        return tuple(
            (entry := self.entry(f)) is not None and entry.op == "assign" for f in self.following
        )

    @cached_property
    def box(self) -> Shape:
        """The points that walk through the loop side by side."""
        shape: Shape = (1, 1)
        for k, number in enumerate(self.following):
            if self.filled[k]:
                value = cast("Entry", self.entry(number)).args[1]
                shape = shapes.broadcast(shape, self.shape_of(value))
            else:
                shape = shapes.broadcast(shape, self.carries[k][1])
        return shape

    def shape_of(self, number: int) -> Shape:
        """Shape of a carry or entry; outer values and the counter count as scalars."""
        if number < len(self.carries):
            return self.carries[number][1]
        entry = self.entry(number)
        return entry.shape if entry is not None else (1, 1)


def moving(node: Node) -> bool:
    """Whether a node changes from pass to pass by itself."""
    if node.op == "slice":
        return len(node.attrs) > 2 and any(cast("tuple[int, ...]", node.attrs[2]))
    if node.op == "assign":
        return len(node.attrs) > 1 and any(cast("tuple[int, ...]", node.attrs[1]))
    return node.op.startswith("random") and len(node.attrs) > 2 and bool(node.attrs[2])


_PICKS: WeakKeyDictionary[Node, WeakSet[Node]] = WeakKeyDictionary()


def live_picks(loop: Node) -> list[Node]:
    """The final values of a loop that somebody still holds, not computed yet."""
    held = [p for p in _PICKS.get(loop, ()) if p.inputs]
    return sorted(held, key=lambda p: cast("int", p.attrs[2]))


class LoopTrace:
    """Placeholders of one loop while its body is traced."""

    def __init__(self, trips: int, first: float = 1.0, step: float = 1.0) -> None:
        self.trips, self.first, self.step = trips, first, step
        self._token = next(_TOKENS)
        self._carries: list[Node] = []
        self._initial: list[Node] = []
        self.counter = make("counter", (), (self._token,), DType.F64, (1, 1))

    def carry(self, initial: Node) -> Node:
        """The value of a variable before a pass; `initial` is its value before the loop."""
        position = len(self._carries)
        node = make("carry", (), (position, self._token), initial.dtype, initial.shape)
        self._carries.append(node)
        self._initial.append(initial)
        return node

    def finish(self, following: Sequence[Node]) -> list[Node]:
        """The carried variables' values after the loop. Raises Unsupported with the reason."""
        variant = self._variant(following)
        _check(variant, following, self._carries)
        outers: dict[Node, int] = {}
        data: list[Number] = [self.trips, self.first, self.step]
        body = self._body(following, variant, outers, data)
        inputs = (*self._initial, *outers)
        dtype, shape = body.carries[0]
        loop = make("loop", inputs, (body,), dtype, shape, tuple(data))
        picks = [
            make("pick", (loop,), (dtype, shape, k), dtype, shape)
            for k, (dtype, shape) in enumerate(body.carries)
        ]
        _PICKS.setdefault(loop, WeakSet()).update(picks)
        return picks

    def _variant(self, following: Sequence[Node]) -> dict[Node, None]:
        """Nodes that depend on the pass, operands first."""
        variant: dict[Node, None] = {}
        for node in toposort(following):
            mine = node is self.counter or (node.op == "carry" and node.attrs[1] == self._token)
            if mine or moving(node) or any(child in variant for child in node.inputs):
                variant[node] = None
        return variant

    def _body(
        self, following: Sequence[Node], variant: dict[Node, None], outers: dict[Node, int],
        data: list[Number],
    ) -> LoopBody:  # fmt: skip
        n_carries = len(self._carries)
        inner = [n for n in variant if n not in self._carries and n is not self.counter]
        for node in (*(child for n in inner for child in n.inputs), *following):
            if node not in variant:
                outers.setdefault(node, n_carries + len(outers))
        numbers = {node: k for k, node in enumerate(self._carries)} | outers
        base = n_carries + len(outers)
        numbers[self.counter] = base
        entries: list[Entry] = []
        for node in inner:
            numbers[node] = base + 1 + len(entries)
            args = tuple(numbers[child] for child in node.inputs)
            entries.append(Entry(node.op, node.attrs, args, node.dtype, node.shape, len(data),
                                 len(node.data)))  # fmt: skip
            data.extend(node.data)
        carries = tuple((node.dtype, node.shape) for node in self._carries)
        lines = tuple(sorted({n.origin.line for n in inner if n.origin.line}))
        return LoopBody(carries, len(outers), tuple(entries),
                        tuple(numbers[node] for node in following), lines)  # fmt: skip


_POINTWISE = {Category.ELEMENTWISE, Category.CAST, Category.RANDOM}


def _check(variant: dict[Node, None], following: Sequence[Node], carries: list[Node]) -> None:
    """Refuse, with the reason, what cannot be one kernel."""
    fills = {}
    for node, carry in zip(following, carries, strict=True):
        if (node.dtype, node.shape) != (carry.dtype, carry.shape):
            raise Unsupported("a variable changes class or size from pass to pass")
        if node.op == "assign":
            fills[node] = carry
    for node in variant:
        _check_node(node, variant, fills)
    for node, carry in fills.items():
        if node.inputs[0] is not carry:
            raise Unsupported("an array is filled and replaced in one pass")
        if node.inputs[1] is carry or any(carry in n.inputs for n in variant if n is not node):
            raise Unsupported("an array is read while passes fill it")


def _check_node(node: Node, variant: dict[Node, None], fills: dict[Node, Node]) -> None:
    if node.op in {"carry", "counter"} or OPS[node.op].category in _POINTWISE:
        return
    if node.op == "slice":
        if node.inputs[0] in variant:
            raise Unsupported("a part of a value that the loop computes is read")
    elif node.op == "assign":
        if node not in fills:
            raise Unsupported("an array is assigned into more than once in a pass")
    elif node.op != "fill":
        raise Unsupported(f"{node.op} in a loop body does not fuse")


# --- meaning ----------------------------------------------------------------------------------


def run(node: Node, operands: Sequence[Array], apply: Callable[[Node, list[Array]], Array]
        ) -> list[Array]:  # fmt: skip
    """Final carried values by plain iteration; `apply` is the oracle's meaning of one node."""
    body = cast("LoopBody", node.attrs[0])
    trips, first, step = node.data[:HEADER]
    n = len(body.carries)
    state = list(operands[:n])
    for k in range(int(cast("int", trips))):
        counter = np.full((1, 1), cast("float", first) + k * cast("float", step))
        values = [*state, *operands[n:], counter]
        for entry in body.entries:
            stand_in = _at_pass(node, entry, k)
            values.append(apply(stand_in, [values[arg] for arg in entry.args]))
        state = [values[f] for f in body.following]
    return state


def _at_pass(loop: Node, entry: Entry, k: int) -> Node:
    """An unshared node that stands for an entry in pass `k`."""
    data = list(loop.data[entry.data : entry.data + entry.n_data])
    attrs = entry.attrs
    if entry.op in {"slice", "assign"}:
        moves = attrs[2:3] if entry.op == "slice" else attrs[1:2]
        if moves:
            data = [d + k * m for d, m in zip(data, cast("tuple[int, ...]", moves[0]), strict=True)]
    elif entry.op.startswith("random") and len(attrs) > 2:
        data[1] += k * cast("int", attrs[2])
    stand_in = Node()
    stand_in.op, stand_in.inputs, stand_in.attrs, stand_in.data = entry.op, (), attrs, tuple(data)
    stand_in.dtype, stand_in.shape = entry.dtype, entry.shape
    stand_in.size = shapes.count(entry.shape)
    return stand_in
