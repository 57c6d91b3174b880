"""What a run found out about single lines: what crossed the bus, what was read piece by piece.

Pure functions over the run model's rows; every finding has its numbers from them, and a fix.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.engine.run_rows import BoundaryRow, GroupRow, LineRow, TransferRow
from app.ui.run_model import reason_texts
from app.ui.support import formats

Place = tuple[str, int]
R = TypeVar("R", BoundaryRow, GroupRow, LineRow)

LEAST_DOWNLOAD = 1_000_000
LEAST_READS = 4
LARGEST_ELEMENT = 16
QUIET = frozenset({"fused", "resident", "cost-model-device", "forced"})
_OWN = frozenset({"plot", "inspection"})
_COVERED = {
    "forced-download": "needs-host-value",
    "scalar-reads": "needs-host-value",
    "double-without-f64": "precision",
}


@dataclass(frozen=True)
class Finding:
    """One remark of a run on a line.

    Attributes:
        file: the file.
        line: the line, from 1.
        code: stable name, such as ``forced-download``; a reason's name for a boundary.
        message: a sentence with the numbers, and a fix.
        variable: the variable it is about; empty when it is about the whole line.
    """

    file: str
    line: int
    code: str
    message: str
    variable: str = ""

    @property
    def marked(self) -> bool:
        """Whether the editor marks it: it is about speed, not only about where fusion stopped."""
        return self.code in _COVERED


def findings(
    run: str,
    transfers: Sequence[TransferRow],
    groups: Collection[GroupRow],
    boundaries: Iterable[BoundaryRow],
    lines: Collection[LineRow],
) -> list[Finding]:
    """All findings of the run of the file ``run``, by line."""
    found = [*_about_transfers(run, transfers, boundaries), *_about_doubles(run, groups)]
    said = {(f.file, f.line, _COVERED[f.code]) for f in found}
    for row in boundaries:
        file, line, reason = row.file or run, row.line, row.reason
        if reason not in QUIET and (file, line, reason) not in said:
            text = reason_texts.boundary(row, in_file(groups, file, run), in_file(lines, file, run))
            found.append(Finding(file, line, reason, text))
    return sorted(found, key=lambda f: (f.file, f.line))


def in_file(rows: Iterable[R], file: str, run: str) -> list[R]:
    """The rows of a file; those without a file are the run's."""
    return [row for row in rows if (row.file or run) == file]


def _about_transfers(
    run: str, transfers: Sequence[TransferRow], boundaries: Iterable[BoundaryRow]
) -> Iterator[Finding]:
    why = {(b.file or run, b.line): b for b in boundaries if b.reason not in QUIET}
    reads: dict[tuple[str, int, str], list[TransferRow]] = {}
    whole: dict[tuple[str, int, str], list[TransferRow]] = {}
    for row in transfers:
        if row.direction == "down" and row.line and row.cause not in _OWN:
            single = row.cause == "indexing" and row.bytes <= LARGEST_ELEMENT
            key = (row.file or run, row.line, row.variable)
            (reads if single else whole).setdefault(key, []).append(row)
    for (file, line, variable), rows in reads.items():
        if len(rows) >= LEAST_READS:
            yield Finding(file, line, "scalar-reads", _reads_text(variable, rows), variable)
    for (file, line, variable), rows in whole.items():
        if _bytes(rows) >= LEAST_DOWNLOAD:
            text = _download_text(variable, rows, why.get((file, line)))
            yield Finding(file, line, "forced-download", text, variable)


def _bytes(rows: Iterable[TransferRow]) -> int:
    return sum(row.bytes for row in rows)


def _transfer_time_text(rows: Iterable[TransferRow]) -> str:
    return formats.milliseconds(sum(row.ms for row in rows))


def _reads_text(variable: str, rows: Sequence[TransferRow]) -> str:
    what = f"'{variable}'" if variable else "an array"
    return (
        f"Single elements of {what} on the GPU are read here again and again, as in a loop: "
        f"{formats.count(len(rows))} downloads of {formats.bytes_text(_bytes(rows))} together "
        f"took {_transfer_time_text(rows)}. Gather it once before the loop, or compute on the "
        "whole array."
    )


def _download_text(variable: str, rows: Sequence[TransferRow], why: BoundaryRow | None) -> str:
    what = f" of '{variable}'" if variable else ""
    times = f", {formats.count(len(rows))} times" if len(rows) > 1 else ""
    detail = why.detail if why else ""
    needed = f" ({detail})" if detail else ""
    return (
        f"Forces a download{what}: {formats.bytes_text(_bytes(rows))} in "
        f"{_transfer_time_text(rows)}{times}{needed}. Reduce it on the GPU first, or take only the "
        "part that is needed."
    )


def _about_doubles(run: str, groups: Iterable[GroupRow]) -> Iterator[Finding]:
    seen: set[Place] = set()
    for group in groups:
        file = group.file or run
        for line in group.lines if group.reason == "precision" else ():
            if (file, line) not in seen:
                seen.add((file, line))
                yield Finding(file, line, "double-without-f64", _doubles_text(group))


def _doubles_text(group: GroupRow) -> str:
    measured, moved = group.measured_ms, formats.bytes_text(group.bytes)
    took = f" in {formats.milliseconds(measured)}" if measured is not None else ""
    return (
        f"Double on an adapter without f64: {moved} are worked on by the host{took}. "
        "Use single(…) where its precision is enough, and it can run on the GPU."
    )
