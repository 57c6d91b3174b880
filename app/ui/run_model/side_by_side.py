"""Two texts side by side: lines that belong together in one row, gaps where one has none."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 4
"""Equal lines kept around a change; what lies between is one row that says how many."""
LEAST_LEFT_OUT = 3


@dataclass(frozen=True)
class Pair:
    """One row.

    Attributes:
        kind: ``equal``, ``changed``, ``removed``, ``added`` or ``left_out``.
        before: number and text of the line on the left; number 0 where there is none.
        after: the same on the right.
    """

    kind: str
    before: tuple[int, str]
    after: tuple[int, str]


def side_by_side(before: str, after: str) -> list[Pair]:
    """The rows of a comparison, long equal parts left out."""
    left, right = before.splitlines(), after.splitlines()
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    found: list[Pair] = []
    for kind, a0, a1, b0, b1 in matcher.get_opcodes():
        if kind == "equal":
            found += _equal(left, a0, a1, b0, b1 - b0, at_end=a1 == len(left))
            continue
        for step in range(max(a1 - a0, b1 - b0)):
            old, new = a0 + step, b0 + step
            has_old, has_new = old < a1, new < b1
            found.append(
                Pair(
                    "changed" if has_old and has_new else "removed" if has_old else "added",
                    (old + 1, left[old]) if has_old else (0, ""),
                    (new + 1, right[new]) if has_new else (0, ""),
                )
            )
    return found


def _equal(lines: list[str], a0: int, a1: int, b0: int, count: int, at_end: bool) -> list[Pair]:
    """Equal lines, those far from any change as one row."""
    rows = [
        Pair("equal", (a0 + k + 1, lines[a0 + k]), (b0 + k + 1, lines[a0 + k]))
        for k in range(count)
    ]
    head = 0 if a0 == 0 else CONTEXT
    tail = 0 if at_end else CONTEXT
    hidden = count - head - tail
    if hidden < LEAST_LEFT_OUT:
        return rows
    gap = Pair("left_out", (0, f"{hidden} equal lines"), (0, ""))
    return [*rows[:head], gap, *rows[count - tail :]] if tail else [*rows[:head], gap]
