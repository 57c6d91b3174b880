"""The source of a kernel beside the operations of a group: which line computes which of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.engine.run_rows import OperationRow

_VALUE = re.compile(r"\blet ([abvex])(\d+)(?:_\d)? = ")
_NOTE = re.compile(r"\s*// line \d+$")


@dataclass(frozen=True)
class KernelText:
    """A kernel as it is shown.

    Attributes:
        text: the source; lines that compute an operation end in its line of the script.
        lines_of: lines (from 0) by operation.
        op_at: operation by line.
        script: by line the line of the script that it computes.
        entry: the line of the entry point, below the functions the kernel brings along.
    """

    text: str
    lines_of: Mapping[int, list[int]]
    op_at: Mapping[int, int]
    script: Mapping[int, int]
    entry: int

    def lines(self, ops: Iterable[int]) -> list[int]:
        """The lines of some operations."""
        return sorted(line for op in ops for line in self.lines_of.get(op, ()))


def annotated_kernel(source: str, operations: Iterable[OperationRow]) -> KernelText:
    """A kernel's source with the lines of one of the groups that run it."""
    rows = {row.id: row for row in operations}
    shown: list[str] = []
    lines_of: dict[int, list[int]] = {}
    for number, written in enumerate(source.split("\n")):
        line = _NOTE.sub("", written)
        row = rows.get(_value_of(line))
        if row is not None:
            lines_of.setdefault(row.id, []).append(number)
            line += f"  // line {row.line}: {row.op}" if row.line else ""
        shown.append(line)
    op_at = {line: op for op, lines in lines_of.items() for line in lines}
    script = {line: rows[op].line for line, op in op_at.items() if rows[op].line}
    return KernelText("\n".join(shown), lines_of, op_at, script, entry_line(source))


def _value_of(line: str) -> int:
    """The number of the value that a line computes, or -1."""
    found = _VALUE.search(line)
    if found is None or (found[1] == "x" and "_quad_" not in line):
        return -1
    return int(found[2])


def entry_line(source: str) -> int:
    """The line (from 0) of a kernel's entry point."""
    lines = source.split("\n")
    entry = next((n for n, line in enumerate(lines) if "@compute" in line), 0)
    return max(0, entry - 1)
