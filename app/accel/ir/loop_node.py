"""Loops as one node: the body is traced once and becomes one kernel with the loop inside.

A traced body (see `loop_trace`) is a list of entries. What changes from pass to pass is said in
attrs: ``slice`` takes ``(steps, shape, moves)``, ``assign`` ``(steps, moves)`` and ``random_*``
``(DType, shape, advance)``; `moves` are elements per pass and dimension, `advance` (a multiple of
four) is added to the random offset in every pass. An array filled pass by pass is a carry whose
next value is ``assign(carry, value)``, and which is not read in the body.

A pass may also add up a value over all points (or multiply, or take the extreme). The kernel gives
one number per tile of points and pass; a reduction of those numbers is another step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from app.accel.ir import shapes
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Attrs, Node, Origin, Shape, make_apart
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]

HEADER = 3
"""Data items of a loop node before its body's: trips, first counter value, counter step."""
TILE = 256
"""Points whose values a pass adds up together."""
TOTALS: dict[str, float | None] = {"sum": 0.0, "prod": 1.0, "amin": None, "amax": None}
"""What a pass may do to a value over all points, with the number that changes nothing; None where
what is there already does."""


@record
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

    Values are numbered: carries, outer values, the counter, then the entries. `box` are the points
    that walk through the loop side by side, `totals` values that every pass takes over all points,
    as (op, value number), `origins` where the entries were captured.
    """

    carries: tuple[tuple[DType, Shape], ...]
    outers: int
    entries: tuple[Entry, ...]
    following: tuple[int, ...]
    box: Shape
    totals: tuple[tuple[str, int], ...] = ()
    origins: tuple[Origin, ...] = field(default=(), compare=False)

    def __getstate__(self) -> dict[str, object]:
        """What another process may know: hashes are this one's."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @cached_property
    def _hash(self) -> int:
        return hash(
            (self.carries, self.outers, self.entries, self.following, self.box, self.totals)
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The lines of the body."""
        return tuple(sorted({origin.line for origin in self.origins if origin.line}))

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

    def dtype_of(self, number: int) -> DType:
        """Element type of a carry, an entry or the counter."""
        if number < len(self.carries):
            return self.carries[number][0]
        entry = self.entry(number)
        return entry.dtype if entry is not None else DType.F64

    def shape_of(self, number: int) -> Shape:
        """Shape of a carry or entry; outer values and the counter count as scalars."""
        if number < len(self.carries):
            return self.carries[number][1]
        entry = self.entry(number)
        return entry.shape if entry is not None else (1, 1)


_PICKS: WeakKeyDictionary[Node, WeakSet[Node]] = WeakKeyDictionary()


def live_picks(loop: Node) -> list[Node]:
    """The final values of a loop that somebody still holds, not computed yet."""
    held = [p for p in _PICKS.get(loop, ()) if p.inputs]
    return sorted(held, key=lambda p: cast("int", p.attrs[2]))


def hold_picks(loop: Node, picks: Sequence[Node]) -> None:
    """Note what a loop leaves behind, as long as somebody holds it."""
    _PICKS.setdefault(loop, WeakSet()).update(picks)


def tiles(points: int) -> int:
    """Numbers that a pass gives of each total."""
    return max(1, -(-points // TILE))


def run(
    node: Node, operands: Sequence[Array], apply: Callable[[Node, list[Array]], Array]
) -> list[Array]:
    """Final values and totals by plain iteration; `apply` is the oracle's meaning of one node."""
    body = cast("LoopBody", node.attrs[0])
    trips, first, step = node.data[:HEADER]
    n = len(body.carries)
    state = list(operands[:n])
    totals = _no_totals(body, int(cast("int", trips)))
    for k in range(int(cast("int", trips))):
        counter = np.full((1, 1), cast("float", first) + k * cast("float", step))
        values = [*state, *operands[n:], counter]
        for entry in body.entries:
            stand_in = _at_pass(node, entry, k)
            values.append(apply(stand_in, [values[arg] for arg in entry.args]))
        for place, (op, number) in enumerate(body.totals):
            whole = apply(_over_all(op, body, number), [values[number]])
            if whole.dtype.kind == "c" and totals[place].dtype.kind != "c":  # a guard was left
                totals[place] = totals[place].astype(whole.dtype)
            nothing = TOTALS[op]
            totals[place][:, k] = whole.item() if nothing is None else nothing
            totals[place][0, k] = whole.item()
        state = [values[f] for f in body.following]
    return [*state, *totals]


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
    return make_apart(entry.op, attrs, tuple(data), entry.dtype, entry.shape)


def _no_totals(body: LoopBody, trips: int) -> list[Array]:
    """Room for the totals of every tile and pass; the first tile's are those of all."""
    rows = tiles(shapes.count(body.box))
    return [
        np.empty((rows, trips), body.dtype_of(number).numpy, order="F") for _, number in body.totals
    ]


def _over_all(op: str, body: LoopBody, number: int) -> Node:
    """An unshared node that stands for a total of a pass."""
    dtype, shape = body.dtype_of(number), body.shape_of(number)
    return make_apart(op, (tuple(range(len(shape))),), (), dtype, (1, 1))
