"""Everything that crossed the bus."""

from __future__ import annotations

from collections.abc import Collection
from itertools import starmap
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from app.engine.run_rows import TransferRow
from app.ui.panels.panel import Panel
from app.ui.run_model import reason_texts
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import formats
from app.ui.widgets.panel_parts import bar, column, label
from app.ui.widgets.row_table import RowTable

LEAST_RATED = 65_536


class Numbered(NamedTuple):
    """A transfer and its place among all, which names its row."""

    number: int
    row: TransferRow


def _rate_value(t: Numbered) -> float:
    return t.row.bytes / t.row.ms * 1000 if t.row.ms else 0.0


def _rate(t: Numbered) -> str:
    """Bytes per second; of a few bytes it would only measure the waiting."""
    if not t.row.ms or t.row.bytes < LEAST_RATED:
        return formats.DASH
    return f"{formats.bytes_text(_rate_value(t))}/s"


_UP: dict[str, str] = {"up": "↑ upload", "down": "↓ download"}

TRANSFER_COLUMNS = (
    Column[Numbered](
        "Direction",
        lambda t: _UP.get(t.row.direction, ""),
        width=104,
        tint=lambda t: "transfer" if t.row.direction == "down" else "both",
    ),
    Column[Numbered](
        "Bytes",
        lambda t: formats.bytes_text(t.row.bytes),
        lambda t: t.row.bytes,
        numeric=True,
        width=84,
    ),
    Column[Numbered](
        "Time", lambda t: formats.milliseconds(t.row.ms), lambda t: t.row.ms, numeric=True, width=76
    ),
    Column[Numbered]("Rate", _rate, _rate_value, numeric=True, tint="muted", width=84),
    Column[Numbered](
        "Line",
        lambda t: str(t.row.line or formats.DASH),
        lambda t: t.row.line,
        numeric=True,
        width=52,
    ),
    Column[Numbered]("Variable", lambda t: t.row.variable or formats.DASH, width=92, code=True),
    Column[Numbered](
        "Cause",
        lambda t: reason_texts.cause(t.row.cause),
        tint="muted",
        width=0,
        tip=lambda t: reason_texts.cause(t.row.cause),
    ),
)


class TransfersPanel(Panel):
    """Everything that crossed the bus, and which line asked for it."""

    empty_icon = "transfers"
    empty_title = "Nothing crossed the bus"
    empty_text = (
        "Run a script with F5: what it uploads and downloads appears here, with the line that "
        "caused it."
    )
    of_runs = True

    def _build(self) -> QWidget:
        self.model = RowModel(TRANSFER_COLUMNS, lambda t: t.number)
        self.table = RowTable(self.model, "Transfers")
        self.table.doubleClicked.connect(self._go_to_line)
        self.summary = label("", "muted")
        return column(bar(self.summary, None), self.table)

    def _is_empty(self) -> bool:
        return not self.run_model.transfers

    def _why_empty(self) -> str:
        ran = self.run_model.wall_ms is not None
        return "The last run computed everything where its data were." if ran else self.empty_text

    def _refresh(self) -> None:
        self.model.set_rows(list(starmap(Numbered, enumerate(self.run_model.transfers))))
        c = self.run_model.counters
        up, down, plots = (
            formats.bytes_text(c.get(f"{name}_bytes", 0))
            for name in ("upload", "download", "plot_download")
        )
        self.summary.setText(
            f"↑ {up} in {formats.count(c.get('uploads', 0))}  ·  "
            f"↓ {down} in {formats.count(c.get('downloads', 0))}  ·  for plots {plots}"
        )

    def follow(self, name: str, _lines: Collection[int]) -> None:
        """Show the first transfer of a variable."""
        for row in self.model.rows:
            if row.row.variable == name:
                self.table.select(row.number)
                return

    def _go_to_line(self) -> None:
        chosen = self.table.selected()
        if chosen is not None and chosen.row.line:
            self.context.open_location(self.run_model.run_name, chosen.row.line)
