"""One pass over a pending graph: its order, its plan key, and what is demanded again."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from app.accel.ir.loop_node import live_picks
from app.accel.ir.value_ranges import least_of_number
from app.accel.planner import split_large
from app.errors import InternalError

if TYPE_CHECKING:
    from app.accel.backends.residency import Residency
    from app.accel.ir.node import Node


Sharing: TypeAlias = tuple[tuple[int, ...], ...]

SPECIAL = frozenset(split_large.SPLIT)
KEPT = frozenset({"leaf", "loop"})
"""What is never thrown away."""


class Walk:
    """One pass over a pending graph: its order, its key, and what is demanded again.

    Equal parameters are one node, but that two numbers happen to be equal says nothing of the
    structure: every use of a parameter has a number of its own.

    Attributes:
        order: nodes, operands first; a parameter as often as it is used.
        index: number of each node, of a parameter that of its first use.
        key: structure and residency; equal keys share a plan if `shares` what that takes for equal.
        repeated: numbers of all uses of each parameter that is used more than once.
        scalars: one-element leaves on the host, passed as parameters.
        again: numbers of nodes an earlier evaluation has computed and thrown away.
        oversized: products and scans over more than `limit` bytes, operands first.
        empty: what is computed to be an empty array, or of one, operands first.
        unfusable: whether the graph holds a complex value of a real node.
    """

    def __init__(self, residency: Residency, limit: int = 0) -> None:
        self.residency, self.limit = residency, limit
        self.order: list[Node] = []
        self.index: dict[Node, int] = {}
        self.key: list[object] = []
        self.repeated: dict[Node, list[int]] = {}
        self.scalars: set[Node] = set()
        self.again: list[int] = []
        self.oversized: list[Node] = []
        self.empty: list[Node] = []
        self.unfusable = False

    def go(self, wanted: list[Node]) -> None:
        """Walk everything below `wanted`."""
        index, order, key = self.index, self.order, self.key
        stack: list[Node] = wanted[::-1]
        empty = False
        while stack:
            node = stack[-1]
            if node in index:
                stack.pop()
                continue
            inputs, op = node.inputs, node.op
            if inputs:
                fresh = [c for c in inputs[::-1] if c not in index and c.op != "param"]
                if fresh:
                    stack += fresh
                    continue
            stack.pop()
            operands = [self._use(c) if c.op == "param" else index[c] for c in inputs]
            index[node] = len(order)
            order.append(node)
            if op in SPECIAL:
                self._special(node)
            if inputs:
                node.demands += 1
                key.append((op, node.attrs, *operands))
                if op == "loop":
                    key.append(int(node.data[0].real).bit_length())
                    self._want_siblings(node, wanted, stack)
            else:
                self.look_at(node)
            if not node.size:
                empty = True
        if empty:
            self.empty = [node for node in order if _is_of_nothing(node)]
        self._find_again(wanted)

    @property
    def sharing(self) -> Sharing:
        """The uses of parameters that are equal: numbers in `order`, in groups."""
        return tuple(map(tuple, self.repeated.values()))

    def shares(self, sharing: Sharing) -> bool:
        """Whether the uses of each of these groups are equal here, too."""
        order = self.order
        return all(order[k] is order[group[0]] for group in sharing for k in group)

    def _use(self, parameter: Node) -> int:
        """The number of a use of a parameter."""
        number = len(self.order)
        self.order.append(parameter)
        self.key.append((parameter.dtype, least_of_number(parameter.data[0])))
        first = self.index.setdefault(parameter, number)
        if first != number:
            self.repeated.setdefault(parameter, [first]).append(number)
        return number

    def _special(self, node: Node) -> None:
        """Note what kernels do not compute in one go."""
        if split_large.too_large(node, self.limit):
            self.oversized.append(node)

    def _want_siblings(self, loop: Node, wanted: list[Node], stack: list[Node]) -> None:
        """All variables that a loop carried and somebody still holds come from one run of it."""
        held = [p for p in live_picks(loop) if p not in self.index and p not in wanted]
        wanted.extend(held)
        stack[:0] = held

    def look_at(self, node: Node) -> None:
        """Add what has no operands to the key; a leaf by where its value is."""
        if node.op != "leaf":
            node.demands += 1
            self.key.append((node.op, node.attrs))
            return
        record = self.residency.record(node)
        if record is None:
            raise InternalError("runtime", f"the leaf {node} has no value")
        dtype, scalar = node.dtype, False
        if record.host is not None:
            self.unfusable |= record.is_complex
            scalar = node.size == 1 and record.device is None and not dtype.is_complex
            if scalar:
                self.scalars.add(node)
        self.key.append((dtype, node.shape, record.where, record.least, scalar))

    def _find_again(self, wanted: list[Node]) -> None:
        """Nodes thrown away before whose value a fresh consumer needs now."""
        found: set[Node] = set()
        for node in self.order:
            if node.demands == 1:
                for child in node.inputs:
                    again = child.demands > 1 and child.op not in KEPT and child.size > 1
                    if again and not _reads_transposed(node, child):
                        found.add(child)
        if found:
            found.difference_update(wanted)
            self.again = sorted(self.index[node] for node in found)


def _is_of_nothing(node: Node) -> bool:
    """Whether a node that is not stored is empty, or reads what is."""
    return node.op != "leaf" and not (node.size and all(child.size for child in node.inputs))


def _reads_transposed(node: Node, child: Node) -> bool:
    """Whether a product reads a matrix where it lies, although it is transposed."""
    turned = child.op == "permute" and child.attrs[0] == (1, 0) and child.inputs[0].op == "leaf"
    return turned and node.op == "matmul"
