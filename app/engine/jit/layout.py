"""Column-major order: which element lies where."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.jit.builder import Builder


def row_of(out: Builder, place: str, rows: str) -> str:
    """The row of the element at a place of an array with so many rows, all from 0."""
    return "0" if rows == "1" else out.op(f"urem i64 {place}, {rows}")


def column_of(out: Builder, place: str, rows: str) -> str:
    """The column of the element at a place."""
    return place if rows == "1" else out.op(f"udiv i64 {place}, {rows}")


def row_and_column(out: Builder, place: str, rows: str) -> tuple[str, str]:
    """Row and column of the element at a place."""
    return row_of(out, place, rows), column_of(out, place, rows)


def place_of(out: Builder, row: str, column: str, rows: str) -> str:
    """The place of an element."""
    skipped = out.op(f"mul nsw i64 {column}, {rows}")
    return out.op(f"add nsw i64 {skipped}, {row}")
