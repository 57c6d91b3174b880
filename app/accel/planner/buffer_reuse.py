"""Assignments to a part of an array without a copy of the rest, where its memory is to be had.

The part is written over an array that nobody else will read again: the one that is assigned into,
or, where every step of a stencil sets the same part, the value of two or three steps ago.
"""

from __future__ import annotations

from collections import Counter
from sys import getrefcount
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from app.accel.backends.residency import Record, Residency
    from app.accel.ir.node import Node
    from app.accel.planner.schedule import CompiledPlan, PlannedStep

HELD_BY_PLAN = 5
"""References to a node with one reader that only a plan execution holds."""


def try_donate(
    step: PlannedStep,
    plan: CompiledPlan,
    order: Sequence[Node],
    records: dict[int, Record],
    residency: Residency,
    moved: list[tuple[Record, Record]],
) -> bool:
    """Whether a copying step need not run: its output has been given memory that holds the rest."""
    if step.inherits >= 0 and not plan.guarded and not _was_of_a_leaf(step, records, moved):
        made = records.pop(step.inherits, None)
        if made is None and step.dependents is None:
            step.dependents = _dependents(step.inherits, _left_behind(plan), order)
        successor = made or _inherited_record(step, order, residency, moved)
        if successor is not None:
            records[step.outputs[0]] = successor
            return True
    return any(_swap_with_older(step, order, records, *older) for older in step.older)


def _was_of_a_leaf(
    step: PlannedStep, records: dict[int, Record], moved: Sequence[tuple[Record, Record]]
) -> bool:
    """Whether the memory would be a leaf's, and what others have read there would be gone.

    If the run is cut short the leaf gets it back, and they read it again.
    """
    made = records.get(step.inherits)
    return step.shared and any(made is successor for _, successor in moved)


def _inherited_record(
    step: PlannedStep,
    order: Sequence[Node],
    residency: Residency,
    moved: list[tuple[Record, Record]],
) -> Record | None:
    """A record with the memory of a leaf that only this plan still reads."""
    node = order[step.inherits]
    record = residency.record(node)
    # The plan's list and index, the reader's operands, this variable, the call: no one else.
    if record is None or record.pins or getrefcount(node) > HELD_BY_PLAN:
        return None
    if not movable(record) or _are_held(step.dependents or (), order):
        return None
    target = order[step.outputs[0]]
    successor = type(record)(target.dtype, target.size, line=target.origin.line)
    successor.host, successor.device = record.host, record.device
    record.host = record.device = None
    moved.append((record, successor))
    return successor


def _left_behind(plan: CompiledPlan) -> set[int]:
    """What a plan stores and leaves: values whose memory a later step may take over are not."""
    made = {number for step in plan.steps for number in step.outputs}
    made.difference_update(step.inherits for step in plan.steps)
    return made.difference(number for step in plan.steps for number, _ in step.older)


def _dependents(
    base: int, kept: Collection[int], order: Sequence[Node]
) -> tuple[tuple[int, int], ...]:
    """What would be computed again from a node, and how often the graph reads each: all that is
    made of it, up to what is kept."""
    readers: dict[int, list[int]] = {}
    for number, node in enumerate(order):
        for child in node.inputs:
            readers.setdefault(id(child), []).append(number)
    found: dict[int, int] = {}
    pending = list(readers.get(id(order[base]), []))
    while pending:
        number = pending.pop()
        if number not in found and number not in kept:
            users = readers.get(id(order[number]), [])
            found[number] = len(users)
            pending += users
    return tuple(found.items())


def _are_held(dependents: Iterable[tuple[int, int]], order: Sequence[Node]) -> bool:
    """Whether somebody outside holds one of these: he computes it anew."""
    for number, readers in dependents:
        node = order[number]
        if getrefcount(node) > HELD_BY_PLAN - 1 + readers:
            return True
    return False


def movable(record: Record) -> bool:
    """Whether nobody else sees the record's memory, so that it may be written to."""
    host, device = record.host, record.device
    if host is not None and (host.base is not None or getrefcount(host) > 3):
        return False
    return device is None or getrefcount(device) <= 3


def _swap_with_older(
    step: PlannedStep,
    order: Sequence[Node],
    records: dict[int, Record],
    older: int,
    alike: Sequence[int],
) -> bool:
    """Take the memory of a value of some steps ago: it holds the rest, if the parts agree.

    Only if this plan has made it: a leaf must be whole if the run is cut short.
    """
    output = step.outputs[0]
    if any(order[number].data != order[output].data for number in alike):
        return False
    made = records.pop(older, None)
    if made is not None:
        records[output] = made
    return made is not None


def drop_read(
    plan: CompiledPlan, place: int, order: Sequence[Node], records: dict[int, Record]
) -> None:
    """Drop what no step from `place` on reads and nobody needs who sees it or asks for it, or will
    compute something from it again."""
    kept = set(plan.wanted)
    for step in plan.steps[place:]:
        kept.update(step.touched)
    readers = Counter(id(child) for node in order for child in node.inputs)
    left: set[int] | None = None
    for number in [number for number in records if number not in kept]:
        node = order[number]
        if getrefcount(node) < HELD_BY_PLAN + readers[id(node)]:
            left = _left_behind(plan) if left is None else left
            if not _are_held(_dependents(number, left, order), order):
                del records[number]
