"""Column-major order: which element lies where."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.jit.builder import Builder


def row_of(out: Builder, place: str, rows: str) -> str:
    """The row of the element at a place of an array with so many rows, all from 0."""
    if rows == "1":
        return "0"
    known = _known_position(out, place, rows)
    return known[0] if known else out.op(f"urem i64 {place}, {rows}")


def column_of(out: Builder, place: str, rows: str) -> str:
    """The column of the element at a place."""
    if rows == "1":
        return place
    known = _known_position(out, place, rows)
    return known[1] if known else out.op(f"udiv i64 {place}, {rows}")


def _known_position(out: Builder, place: str, rows: str) -> tuple[str, str] | None:
    """Row and column of a place in a loop over columns and rows: a division takes far longer."""
    found = out.positions.get((place, rows))
    out.asked = out.asked or found is not None
    return found


def same_rows(out: Builder, place: str, rows: str, others: str) -> None:
    """An array with `others` rows has as many as one with `rows`: its places lie alike."""
    found = out.positions.get((place, rows))
    if found is not None:
        out.positions[place, others] = found


def row_and_column(out: Builder, place: str, rows: str) -> tuple[str, str]:
    """Row and column of the element at a place."""
    return row_of(out, place, rows), column_of(out, place, rows)


def place_of(out: Builder, row: str, column: str, rows: str) -> str:
    """The place of an element."""
    skipped = out.op(f"mul nsw i64 {column}, {rows}")
    return out.op(f"add nsw i64 {skipped}, {row}")
