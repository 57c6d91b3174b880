"""The Profile panel: what each line of the run cost, on the host, on the device and on the bus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from app import textfile
from app.errors import UsageError
from app.ui import formats
from app.ui.models.rows import Column, RowModel
from app.ui.panels.panel import Panel, bar, column, label
from app.ui.panels.tables import RowTable


@dataclass(frozen=True)
class Line:
    """One line of a file with its cost."""

    file: str
    number: int
    code: str
    count: int
    host_ms: float
    device_ms: float
    up: int
    down: int
    share: float

    @property
    def total_ms(self) -> float:
        """Host and device together."""
        return self.host_ms + self.device_ms


def _time(value: float) -> str:
    return formats.milliseconds(value) if value else formats.DASH


def _bytes(value: int) -> str:
    return formats.bytes_text(value) if value else formats.DASH


COLUMNS = (
    Column[Line]("Line", lambda r: f"{Path(r.file).name}:{r.number}", width=130,
                 key=lambda r: (r.file, r.number), tip=lambda r: r.file),
    Column[Line]("Code", lambda r: r.code, width=0, code=True, tip=lambda r: r.code),
    Column[Line]("Share", lambda r: f"{100 * r.share:.0f} %", key=lambda r: r.share, numeric=True,
                 width=60, tint=lambda r: "heat" if r.share >= 0.2 else "text"),
    Column[Line]("Total", lambda r: _time(r.total_ms), key=lambda r: r.total_ms, numeric=True,
                 width=80),
    Column[Line]("GPU", lambda r: _time(r.device_ms), key=lambda r: r.device_ms, numeric=True,
                 width=80, tint=lambda r: "device" if r.device_ms else "faint"),
    Column[Line]("Host", lambda r: _time(r.host_ms), key=lambda r: r.host_ms, numeric=True,
                 width=80, tint=lambda r: "text" if r.host_ms else "faint"),
    Column[Line]("Up", lambda r: _bytes(r.up), key=lambda r: r.up, numeric=True, width=76,
                 tint="muted"),
    Column[Line]("Down", lambda r: _bytes(r.down), key=lambda r: r.down, numeric=True, width=76,
                 tint="muted"),
    Column[Line]("Times", lambda r: formats.count(r.count), key=lambda r: r.count, numeric=True,
                 width=60, tint="muted"),
)  # fmt: skip


def lines_of(rows: list[dict[str, Any]]) -> list[Line]:
    """The lines with their shares, the most expensive first."""
    total = sum((r.get("host_ms") or 0.0) + (r.get("device_ms") or 0.0) for r in rows) or 1.0
    made = [_line(row, total) for row in rows]
    return sorted(made, key=lambda line: -line.total_ms)


def _line(row: dict[str, Any], total: float) -> Line:
    host, device = row.get("host_ms") or 0.0, row.get("device_ms") or 0.0
    return Line(
        row["file"], row["line"], _code(row["file"], row["line"]), row.get("count") or 0, host,
        device, row.get("upload_bytes") or 0, row.get("download_bytes") or 0,
        (host + device) / total,
    )  # fmt: skip


def _code(file: str, number: int) -> str:
    path = Path(file)
    if not path.is_file():
        return ""
    lines = _text(file, path.stat().st_mtime_ns)
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


@lru_cache(maxsize=32)
def _text(file: str, _changed: int) -> list[str]:
    try:
        return textfile.read(Path(file)).text.split("\n")
    except (OSError, UsageError):
        return []  # the table shows the numbers without the code


class ProfilePanel(Panel):
    """Always on: every run tells its array work per line."""

    empty_icon = "timeline"
    empty_title = "No times yet"
    empty_text = "Run a script with F5 to see what each line of array code cost."

    def _build(self) -> QWidget:
        self.model = RowModel(COLUMNS, lambda r: (r.file, r.number))
        self.table = RowTable(self.model, "Profile")
        self.table.doubleClicked.connect(self._go)
        self.summary = label("", "muted")
        return column(bar(self.summary, None), self.table)

    def _is_empty(self) -> bool:
        return not self.account.lines

    def _refresh(self) -> None:
        found = lines_of(list(self.account.lines.values()))
        self.model.set_rows(found)
        host = formats.milliseconds(sum(line.host_ms for line in found))
        device = formats.milliseconds(sum(line.device_ms for line in found))
        self.summary.setText(f"Array work: {device} on the GPU, {host} on the host")

    def _go(self) -> None:
        line = self.table.selected()
        if isinstance(line, Line):
            self.context.open_location(line.file, line.number)
