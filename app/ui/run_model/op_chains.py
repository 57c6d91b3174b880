"""The operations of a group in one line, with repeated runs joined."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_PASS = 24


def chain_text(ops: Sequence[str]) -> str:
    """The operations in one line, repeated runs joined."""
    parts = []
    for part, count in repeats(list(ops)):
        chain = " → ".join(part)
        parts.append(f"({chain}) ×{count}" if count > 1 else chain)
    return " → ".join(parts)


def repeats(ops: Sequence[str]) -> list[tuple[tuple[str, ...], int]]:
    """The operations with repeated runs joined: an unrolled loop is shown as one pass."""
    found: list[tuple[tuple[str, ...], int]] = []
    start = 0
    while start < len(ops):
        length, count = _best_repeat(ops, start)
        found.append((tuple(ops[start : start + length]), count))
        start += length * count
    return found


def _best_repeat(ops: Sequence[str], start: int) -> tuple[int, int]:
    best = (1, 1)
    for length in range(1, min(LONGEST_PASS, (len(ops) - start) // 2) + 1):
        part, count = ops[start : start + length], 1
        while ops[start + count * length : start + (count + 1) * length] == part:
            count += 1
        if count > 2 and length * count > best[0] * best[1]:
            best = (length, count)
    return best
