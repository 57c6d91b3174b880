"""Which part of a line an operation computes, and which operations compute a part of a line."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from app.engine.run_rows import GroupRow, OperationRow

REST = 1 << 30
"""The end of a part that goes on to the end of its line, and perhaps beyond."""


class Part(NamedTuple):
    """A part of a line of the script: columns from 0."""

    line: int
    start: int
    end: int


def part_of(row: OperationRow) -> Part:
    """Where the expression of an operation is."""
    start, end = row.columns
    return Part(row.line, start, end if end > start else REST)


def parts_of(group: GroupRow, ops: Collection[int]) -> list[Part]:
    """The parts that some operations of a group compute, longest first."""
    found = {part_of(row) for row in _placed_operations(group) if row.id in ops}
    return sorted(found, key=lambda part: part.start - part.end)


def ops_at(group: GroupRow, place: Part) -> tuple[int, ...]:
    """The operations of what is selected; at a caret, of the smallest part around it."""
    on_line = [row for row in _placed_operations(group) if row.line == place.line]
    if place.start < place.end:
        return _ids(row for row in on_line if _is_inside(part_of(row), place))
    around = [row for row in on_line if _is_inside(place, part_of(row))]
    least = min((_length(row) for row in around), default=0)
    return _ids(row for row in around if _length(row) == least)


def _placed_operations(group: GroupRow) -> Iterable[OperationRow]:
    """The operations whose columns are known; machine code and traces of old sessions have none."""
    return (row for row in group.operations if any(row.columns))


def _is_inside(inner: Part, outer: Part) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _length(row: OperationRow) -> int:
    part = part_of(row)
    return part.end - part.start


def _ids(rows: Iterable[OperationRow]) -> tuple[int, ...]:
    return tuple(row.id for row in rows)
