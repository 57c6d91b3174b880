"""When the device is lost: values are computed again from their recipes, or reported by name.

A stored value is a leaf, its recipe is gone from the graph. What is kept beside it is a description
of the evaluation that made it, which holds on to no array: leaves are referred to weakly.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

from app.accel.ir.node import Node, make, unseal
from app.errors import MatlabError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.accel.backends.residency import Record, Residency
    from app.accel.ir.dtypes import DType
    from app.accel.ir.node import Attrs, Origin, Shape
    from app.errors import OutOfDeviceMemory


_data_of = attrgetter("data")


class Entry(NamedTuple):
    """One node of an evaluation without its data; `args` are numbers of earlier entries."""

    op: str
    attrs: Attrs
    dtype: DType
    shape: Shape
    args: tuple[int, ...]
    origin: Origin


class Outline(NamedTuple):
    """What all evaluations by one plan have in common; `leaves` are the numbers of leaves."""

    entries: list[Entry]
    leaves: tuple[int, ...]


def outline(order: Sequence[Node], index: dict[Node, int]) -> Outline:
    """The outline of an evaluation."""
    entries = [
        Entry(n.op, n.attrs, n.dtype, n.shape, tuple(index[c] for c in n.inputs), n.origin)
        for n in order
    ]
    return Outline(entries, tuple(k for k, node in enumerate(order) if node.op == "leaf"))


class Recipe:
    """How the values of one evaluation were computed: its outline, data and leaves."""

    __slots__ = ("data", "entries", "held")

    def __init__(self, outline: Outline, order: Sequence[Node]) -> None:
        self.entries = outline.entries
        self.data = list(map(_data_of, order))
        self.held = {k: ref(order[k]) for k in outline.leaves}

    def needed(self, number: int) -> list[int]:
        """Entries that one value is made of, operands first."""
        found, stack = {number}, [number]
        while stack:
            fresh = set(self.entries[stack.pop()].args) - found
            found |= fresh
            stack.extend(fresh)
        return sorted(found)

    def leaves(self, number: int) -> list[Node | None]:
        """Leaves that a value is made of; None for those that are gone."""
        return [self.held[k]() for k in self.needed(number) if k in self.held]

    def restore(self, node: Node, number: int) -> None:
        """Give a stored node its recipe back."""
        made: dict[int, Node] = {}
        for k in self.needed(number):
            entry, data = self.entries[k], self.data[k]
            inputs = tuple(made[arg] for arg in entry.args)
            if k == number:
                unseal(node, entry.op, inputs, entry.attrs, data)
            elif k in self.held:
                leaf = self.held[k]()
                assert leaf is not None
                made[k] = leaf
            else:
                made[k] = make(
                    entry.op, inputs, entry.attrs, entry.dtype, entry.shape, data, entry.origin
                )


def forget_device(residency: Residency) -> list[Record]:
    """All device copies are gone: give values their recipes back; those that have none."""
    lost: dict[Node, Record] = {}
    for node, record in residency.table.items():
        record.device = None
        if record.host is None:
            lost[node] = record
    residency.graveyard = []  # what still dies of the old device goes to the old list
    gone = {node for node, record in lost.items() if _hopeless(record)}
    while more := {n for n in lost.keys() - gone if _leans_on(lost[n], gone)}:
        gone |= more
    for node, record in lost.items():
        if node not in gone and record.recipe is not None:
            recipe, number = record.recipe
            recipe.restore(node, number)
            del residency.table[node]
    return [lost[node] for node in gone]


def _hopeless(record: Record) -> bool:
    return record.recipe is None or None in record.recipe[0].leaves(record.recipe[1])


def _leans_on(record: Record, gone: Iterable[Node | None]) -> bool:
    if record.recipe is None:
        return True
    recipe, number = record.recipe
    return any(leaf in gone for leaf in recipe.leaves(number))


def gone(record: Record) -> MatlabError:
    """The error about a value that the device took with it."""
    what = f"the value of '{record.name}'" if record.name else "a value"
    where = f" computed in line {record.line}" if record.line else ""
    return MatlabError(
        "Fuselab:deviceLost",
        f"The device was lost, and with it {what}{where}: what it was made of is gone too. "
        "Run the script again.",
    )


def too_much(
    record: Record, residency: Residency, live: int, problem: OutOfDeviceMemory
) -> MatlabError:
    """The error when a value that was asked for on the device does not fit there."""
    held = sorted(residency.victims(), key=lambda r: -r.device_bytes)[:3]
    largest = ", ".join(f"{r.name or 'unnamed'} ({r.device_bytes} bytes)" for r in held)
    return MatlabError(
        "Fuselab:outOfDeviceMemory",
        f"Out of device memory: {record.count * record.dtype.size} bytes were asked for, "
        f"{live} are live{f' (largest: {largest})' if largest else ''}: {problem}. "
        "Gather or clear large gpuArrays, or raise the setting memory_budget.",
    )
