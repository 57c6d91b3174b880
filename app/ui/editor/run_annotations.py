"""What the editor says about lines after a run: brackets of groups, notes at the ends of lines.

Pure functions from the rows of the report to marks, so that they can be tested without a window.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.engine.run_rows import GroupRow, LineRow
from app.ui.editor.marks import HEAT_SHARES
from app.ui.run_model.line_parts import Part
from app.ui.support import formats


@dataclass(frozen=True)
class Note:
    """The text behind a line; ``side`` is device, host or transfer."""

    line: int
    text: str
    side: str


@dataclass(frozen=True)
class Bracket:
    """The mark of one line in the group margin; ``part`` is single, first, middle or last."""

    line: int
    part: str
    side: str


@dataclass(frozen=True)
class GroupFocus:
    """What of a group is tinted in the editor: its lines, and parts of them.

    Attributes:
        file: the file of the group; empty for the one that ran.
    """

    file: str
    lines: tuple[int, ...]
    side: str
    parts: tuple[Part, ...] = ()


def side_of(group: GroupRow) -> str:
    """Where the group ran: ``device`` or ``host``."""
    return "host" if group.provider == "host" else "device"


def brackets(groups: Iterable[GroupRow]) -> list[Bracket]:
    """The brackets that join the lines of each group; a line belongs to its widest group."""
    marks: dict[int, Bracket] = {}
    for group in sorted(groups, key=lambda g: len(set(g.lines))):
        lines = sorted(set(group.lines))
        for line, part in _parts(lines):
            marks[line] = Bracket(line, part, side_of(group))
    return [marks[line] for line in sorted(marks)]


def _parts(lines: list[int]) -> Iterable[tuple[int, str]]:
    if len(lines) == 1:
        yield lines[0], "single"
        return
    first, last = lines[0], lines[-1]
    inside = set(lines)
    yield first, "first"
    for line in range(first + 1, last):
        yield line, "middle" if line in inside else "through"
    yield last, "last"


def notes(groups: Iterable[GroupRow], lines: Iterable[LineRow]) -> list[Note]:
    """One note per line: the groups that end there, with times, and the bytes that moved."""
    ending: dict[int, list[GroupRow]] = {}
    for group in groups:
        if group.lines:
            ending.setdefault(max(group.lines), []).append(group)
    moved = {row.line: row for row in lines}
    result = []
    for line in sorted({*ending, *(n for n, row in moved.items() if _traffic(row))}):
        parts = [_groups_text(ending[line])] if line in ending else []
        traffic = _traffic(moved[line]) if line in moved else []
        side = side_of(ending[line][-1]) if line in ending else "transfer"
        result.append(Note(line, " · ".join([*parts, *traffic]), side))
    return result


def heat(times: Mapping[int, float]) -> dict[int, int]:
    """The lines that took a good share of the time of all lines, and how hot they are (0 to 2)."""
    total = sum(times.values())
    if total <= 0:
        return {}
    levels = {line: sum(ms / total >= share for share in HEAT_SHARES) for line, ms in times.items()}
    return {line: level - 1 for line, level in levels.items() if level}


def _groups_text(groups: list[GroupRow]) -> str:
    if len(groups) == 1:
        return _group_text(groups[0])
    times = [g.measured_ms for g in groups if g.measured_ms is not None]
    total = f" · {formats.milliseconds(sum(times))}" if times else ""
    return f"{_side_name(groups[-1])} {len(groups)} groups{total}"


def _group_text(group: GroupRow) -> str:
    name = f"{_side_name(group)} {label(group)}"
    operations = len(group.ops)
    shape = f"{operations} ops fused" if operations > 1 else group.kind
    parts = [name, shape]
    if group.measured_ms is not None:
        parts.append(formats.milliseconds(group.measured_ms))
    if group.executions > 1:
        parts.append(f"×{formats.count(group.executions)}")
    return " · ".join(parts)


def label(group: GroupRow) -> str:
    """The short name of a group, such as ``k3``."""
    return f"k{group.id}"


def _side_name(group: GroupRow) -> str:
    return "CPU" if side_of(group) == "host" else "GPU"


def _traffic(row: LineRow) -> list[str]:
    texts = []
    if row.upload_bytes:
        texts.append(f"↑ {formats.bytes_text(row.upload_bytes)}")
    if row.download_bytes:
        texts.append(f"↓ {formats.bytes_text(row.download_bytes)}")
    return texts
