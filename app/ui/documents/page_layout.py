"""Where the rows of a page are: heights stacked, with room between sections."""

from __future__ import annotations

from collections.abc import Sequence

from app.ui.documents.rows import Row

GAP, SECTION_GAP, TOP = 12, 34, 26


def stack(rows: Sequence[Row], line_height: int) -> int:
    """Give all rows their tops, and heights to those without; the bottom of the last one."""
    top = TOP
    before: Row | None = None
    for row in rows:
        if before is not None:
            same = before.segment.section == row.segment.section
            top += GAP if same else SECTION_GAP
        if not row.height:
            row.height = row.guess(line_height)
        row.top = top
        top += row.height
        before = row
    return top


def move_lines(rows: Sequence[Row], line: int, added: int, *, above: Row | None) -> None:
    """Lines came behind ``line`` (or went, with a negative number): rows below it move.

    What comes at the very beginning of a row belongs to the row before it, unless the row is
    where somebody writes; ``above`` is that row.
    """
    for row in rows:
        if row.first <= line <= row.last:
            row.last = max(row.first - 1, row.last + added)
        elif row.first > line:
            row.first = max(line + 1 if row is not above else line, row.first + added)
            row.last = max(row.first - 1, row.last + added)
