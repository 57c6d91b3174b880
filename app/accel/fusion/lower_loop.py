"""Kernels with the loop inside: every point of the box carries its own state through all passes.

What does not change from pass to pass is computed before the loop. Slices that move read memory
in every pass; arrays that are filled are written in every pass.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, cast

from app.accel.fusion import index_map as views
from app.accel.fusion.index_map import Offset, Row, View
from app.accel.ir import shapes, value_ranges
from app.accel.ir.dtypes import DType
from app.accel.ir.node import NOWHERE, Node, make
from app.accel.ir.plan import LoopSpec, Reduce, Store, Total
from app.records import mutable_record

if TYPE_CHECKING:
    from app.accel.fusion.lower import Lowering
    from app.accel.ir.loop_node import Entry, LoopBody
    from app.accel.ir.node import Shape


@mutable_record
class LoopLowering:
    """Lowers one loop node.

    Attributes:
        low: the common lowering: its body becomes prologue, steps and epilogue in turn.
        loop: the loop node.
        nodes: stand-in nodes by value number.
        homes: where the data of stand-ins really is: the loop node and the first item.
    """

    low: Lowering
    loop: Node
    nodes: list[Node] = field(default_factory=list)
    homes: dict[Node, tuple[Node, int]] = field(default_factory=dict)

    @property
    def body(self) -> LoopBody:
        """The traced body."""
        return cast("LoopBody", self.loop.attrs[0])

    def lower(
        self, picks: dict[int, Node], rows: dict[int, Row]
    ) -> tuple[LoopSpec, int, list[Store]]:
        """The loop, the length of the prologue, and the final stores by carry."""
        self._stand_ins()
        n = len(self.body.carries)
        view = views.identity(self.body.box)
        self._invariants(view)
        initial = [self._initial(k, view) for k in self.plain]
        prologue = len(self.low.body)
        for position, k in enumerate(self.plain):
            self.low.carries[self.nodes[k]] = position
        following = [self._value(self.body.following[k], view) for k in self.plain]
        stores = [
            store
            for k in picks
            if k < n and self.body.filled[k]
            for store in self._fill(k, list(picks).index(k))
        ]
        totals = tuple(
            self._total(k, list(picks).index(n + k), view)
            for k in range(len(self.body.totals))
            if n + k in picks
        )
        steps = tuple(self.low.body[prologue:])
        final = self._final(picks, rows)
        trips = self.low.slot(self.loop, 0, DType.U32)
        strides = tuple(
            self.low.constant(stride, DType.I64) if stride else -1
            for _, __, stride, ___ in self.low.maps
        )
        spec = LoopSpec(
            trips, steps, tuple(initial), tuple(following), tuple(stores), strides, totals
        )
        return spec, prologue, final

    @property
    def plain(self) -> list[int]:
        """Carries with a value per point; the others are arrays that passes fill."""
        return [k for k, filled in enumerate(self.body.filled) if not filled]

    def _stand_ins(self) -> None:
        """Nodes for the body's values, so that views and lowering work as everywhere else."""
        body = self.body
        n = len(body.carries)
        for k, (dtype, shape) in enumerate(body.carries):
            self.nodes.append(make("carry", (), (k, "kernel"), dtype, shape))
        self.nodes.extend(self.loop.inputs[n:])
        self.nodes.append(make("counter", (), ("kernel",), DType.F64, (1, 1)))
        self.homes[self.nodes[-1]] = (self.loop, 1)
        for number, entry in enumerate(body.entries):
            inputs = tuple(self.nodes[arg] for arg in entry.args)
            # The entry's number keeps stand-ins apart that differ in their data alone.
            node = make(
                entry.op,
                inputs,
                entry.attrs,
                entry.dtype,
                entry.shape,
                (number,),
                body.origins[number] if body.origins else NOWHERE,
            )
            self.nodes.append(node)
            self.homes[node] = (self.loop, entry.data)
            known = [self.low.ranges.get(child, value_ranges.ANY) for child in inputs]
            self.low.ranges[node] = value_ranges.transfer(node, known)
        self.low.homes.update(self.homes)

    def _initial(self, k: int, view: views.Rows) -> int:
        node = self.loop.inputs[k]
        return self.low.value(node, self._fit(view, node.shape))

    def _fit(self, view: views.Rows, shape: Shape) -> View:
        """The box's view of a value that may be smaller than the box."""
        zero = Row(views.ZERO, (0,) * view.rank)
        rows = views.fit(view, len(shape)).rows
        kept = tuple(r if e != 1 else zero for r, e in zip(rows, shape, strict=True))
        return views.Rows(kept, view.rank)

    def _value(self, number: int, view: views.Rows) -> int:
        node = self.nodes[number]
        return self.low.value(node, self._fit(view, node.shape))

    def _invariants(self, view: views.Rows) -> None:
        """Compute before the loop what the passes read from outside."""
        body = self.body
        inside = {self.nodes[k] for k in range(len(body.carries))}
        inside.update(self.nodes[body.counter :])
        targets = [f for k, f in enumerate(body.following) if not body.filled[k]]
        targets += [
            cast("Entry", body.entry(f)).args[1]
            for k, f in enumerate(body.following)
            if body.filled[k]
        ]
        targets += [number for _, number in body.totals]
        stack: list[tuple[Node, View]] = [
            (self.nodes[t], self._fit(view, self.nodes[t].shape)) for t in targets
        ]
        seen: set[tuple[Node, View]] = set()
        while stack:
            node, at = stack.pop()
            if (node, at) in seen:
                continue
            seen.add((node, at))
            if node not in inside:
                self.low.value(node, at)
            elif node.op != "slice":
                stack.extend(
                    (child, views.operand(node, k, at)) for k, child in enumerate(node.inputs)
                )

    def _total(self, k: int, binding: int, view: views.Rows) -> Total:
        """What a pass takes over all points."""
        op, number = self.body.totals[k]
        dtype = self.body.dtype_of(number)
        op = {"amin": "min", "amax": "max"}.get(op, op)
        return Total(Reduce(op, self._value(number, view), dtype), binding)

    def _fill(self, k: int, binding: int) -> list[Store]:
        """What a pass writes into an array that it fills."""
        entry = cast("Entry", self.body.entry(self.body.following[k]))
        node = self.nodes[self.body.following[k]]
        value = self.nodes[entry.args[1]]
        steps = cast("tuple[int, ...]", entry.attrs[0])
        moves = cast("tuple[int, ...]", entry.attrs[1]) if len(entry.attrs) > 1 else ()
        distance = shapes.multiples(shapes.with_rank(entry.shape, len(steps)))
        part = shapes.with_rank(value.shape, len(steps))  # many points store what is smaller
        strides = [s * d if e != 1 else 0 for s, d, e in zip(steps, distance, part, strict=False)]
        rank = len(self.body.box)
        strides = (strides + [0] * rank)[:rank]
        terms = tuple((node, j, d) for j, d in enumerate(distance))
        stride = sum(m * d for m, d in zip(moves, distance, strict=False))
        row = self.low.map(Row(Offset(0, terms), tuple(strides)), stride)
        number = self._value(entry.args[1], views.identity(self.body.box))
        return [Store(binding, number, value.dtype, row)]

    def _final(self, picks: dict[int, Node], rows: dict[int, Row]) -> list[Store]:
        """Stores of final values, after the loop."""
        self.low.values.clear()
        self.low.part = 1
        stores = []
        for binding, (k, pick) in enumerate(picks.items()):
            if k >= len(self.body.carries) or self.body.filled[k]:
                continue
            attrs = (self.plain.index(k),)
            number = self.low.add("carry", pick.dtype, (), attrs)
            stores.append(Store(binding, number, pick.dtype, self.low.map(rows[k])))
        return stores


def moving_slice(low: Lowering, node: Node, at: View) -> int | None:
    """A load whose place moves from pass to pass; None where the slice stands still."""
    moves = cast("tuple[int, ...]", node.attrs[2]) if len(node.attrs) > 2 else ()
    if node not in low.homes:
        return None
    child = node.inputs[0]
    if child not in low.stored:
        raise views.NeedsRoot(child)
    row = views.operand(node, 0, at).linear(child.shape)
    distance = shapes.multiples(shapes.with_rank(child.shape, len(moves)))
    stride = sum(m * d for m, d in zip(moves, distance, strict=True))
    return low.load(child, row, stride)


def counter(low: Lowering, node: Node) -> int:
    """The loop counter's value: first + step * pass."""
    first = low.add("param", DType.F64, (), (low.slot(node, 0, DType.F64),))
    step = low.add("param", DType.F64, (), (low.slot(node, 1, DType.F64),))
    done = low.add("cast", DType.F64, (low.add("counter", DType.U32),))
    return low.add("plus", DType.F64, (first, low.add("times", DType.F64, (step, done))))
