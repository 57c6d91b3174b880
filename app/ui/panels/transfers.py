"""Everything that crossed the bus."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from PySide6.QtWidgets import QWidget

from app.ui.panels.panel import Panel
from app.ui.run_model import reason_texts
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import formats
from app.ui.widgets.panel_parts import bar, column, label
from app.ui.widgets.row_table import RowTable, value_of

Row = dict[str, Any]
LEAST_RATED = 65_536


def _rate_value(transfer: Row) -> float:
    return float(transfer["bytes"]) / transfer["ms"] * 1000 if transfer.get("ms") else 0.0


def _rate(transfer: Row) -> str:
    """Bytes per second; of a few bytes it would only measure the waiting."""
    if not transfer.get("ms") or transfer["bytes"] < LEAST_RATED:
        return formats.DASH
    return f"{formats.bytes_text(_rate_value(transfer))}/s"


_UP: dict[str, str] = {"up": "↑ upload", "down": "↓ download"}

TRANSFER_COLUMNS = (
    Column[Row](
        "Direction",
        lambda t: _UP.get(t["direction"], ""),
        width=104,
        tint=lambda t: "transfer" if t["direction"] == "down" else "both",
    ),
    Column[Row](
        "Bytes", lambda t: formats.bytes_text(t["bytes"]), value_of("bytes"), numeric=True, width=84
    ),
    Column[Row](
        "Time", lambda t: formats.milliseconds(t.get("ms")), value_of("ms"), numeric=True, width=76
    ),
    Column[Row]("Rate", _rate, _rate_value, numeric=True, tint="muted", width=84),
    Column[Row](
        "Line",
        lambda t: str(t.get("line") or formats.DASH),
        value_of("line"),
        numeric=True,
        width=52,
    ),
    Column[Row]("Variable", lambda t: str(t.get("variable") or formats.DASH), width=92, code=True),
    Column[Row](
        "Cause",
        lambda t: reason_texts.cause(str(t.get("cause", ""))),
        tint="muted",
        width=0,
        tip=lambda t: reason_texts.cause(str(t.get("cause", ""))),
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

    def _build(self) -> QWidget:
        self.model = RowModel(TRANSFER_COLUMNS, lambda t: t["number"])
        self.table = RowTable(self.model, "Transfers")
        self.table.doubleClicked.connect(self._go_to_line)
        self.summary = label("", "muted")
        return column(bar(self.summary, None), self.table)

    def _is_empty(self) -> bool:
        return not self.run_model.transfers

    def _why_empty(self) -> str:
        ran = bool(self.run_model.groups)
        return "All of the last run was computed where its data were." if ran else self.empty_text

    def _refresh(self) -> None:
        rows = [{**t, "number": n} for n, t in enumerate(self.run_model.transfers)]
        self.model.set_rows(rows)
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
            if row.get("variable") == name:
                self.table.select(row["number"])
                return

    def _go_to_line(self) -> None:
        transfer = self.table.selected()
        if transfer and transfer.get("line"):
            self.context.open_location(self.run_model.run_name, transfer["line"])
