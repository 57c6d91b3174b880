"""The Profile panel: what each line of the run cost, on the host, on the device and on the bus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from app import textfile
from app.engine.run_rows import LineRow
from app.errors import UsageError
from app.paths import is_file
from app.ui.panels.flame import FlameGraph
from app.ui.panels.panel import Panel
from app.ui.run_model import call_tree
from app.ui.run_model.call_tree import Function
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import formats
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, Switch, bar, column
from app.ui.widgets.row_table import RowTable

Place = tuple[str, int]


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

    pinned_ms: float | None = None

    @property
    def total_ms(self) -> float:
        """Host and device together."""
        return self.host_ms + self.device_ms

    @property
    def change_ms(self) -> float | None:
        """How much longer than in the pinned run."""
        return None if self.pinned_ms is None else self.total_ms - self.pinned_ms


def change_text(change: float | None) -> str:
    """A difference with its sign."""
    if change is None:
        return formats.DASH
    sign = "+" if change >= 0 else "\u2212"
    return f"{sign}{formats.milliseconds(abs(change))}"


def change_tint(change: float | None) -> str:
    """Green for faster, the colour of heat for slower; small changes are noise."""
    if change is None or abs(change) < 0.05:
        return "faint"
    return "good" if change < 0 else "heat"


def _time(value: float) -> str:
    return formats.milliseconds(value) if value else formats.DASH


def _bytes(value: int) -> str:
    return formats.bytes_text(value) if value else formats.DASH


COLUMNS = (
    Column[Line](
        "Line",
        lambda r: f"{Path(r.file).name}:{r.number}",
        width=130,
        key=lambda r: (r.file, r.number),
        tip=lambda r: r.file,
    ),
    Column[Line]("Code", lambda r: r.code, width=0, code=True, tip=lambda r: r.code),
    Column[Line](
        "Share",
        lambda r: f"{100 * r.share:.0f} %",
        key=lambda r: r.share,
        numeric=True,
        width=60,
        tint=lambda r: "heat" if r.share >= 0.2 else "text",
    ),
    Column[Line](
        "Total", lambda r: _time(r.total_ms), key=lambda r: r.total_ms, numeric=True, width=80
    ),
    Column[Line](
        "GPU",
        lambda r: _time(r.device_ms),
        key=lambda r: r.device_ms,
        numeric=True,
        width=80,
        tint=lambda r: "device" if r.device_ms else "faint",
    ),
    Column[Line](
        "Host",
        lambda r: _time(r.host_ms),
        key=lambda r: r.host_ms,
        numeric=True,
        width=80,
        tint=lambda r: "text" if r.host_ms else "faint",
    ),
    Column[Line](
        "Pinned",
        lambda r: change_text(r.change_ms),
        key=lambda r: r.change_ms or 0.0,
        numeric=True,
        width=80,
        tint=lambda r: change_tint(r.change_ms),
        tip=lambda r: "Longer or shorter than in the pinned run.",
    ),
    Column[Line](
        "Up", lambda r: _bytes(r.up), key=lambda r: r.up, numeric=True, width=76, tint="muted"
    ),
    Column[Line](
        "Down", lambda r: _bytes(r.down), key=lambda r: r.down, numeric=True, width=76, tint="muted"
    ),
    Column[Line](
        "Groups",
        lambda r: formats.count(r.count),
        key=lambda r: r.count,
        numeric=True,
        width=64,
        tint="muted",
        tip=lambda r: "How often groups of array work ran here.",
    ),
)


PINNED = 6


def lines_of(
    rows: list[LineRow],
    sampled: Mapping[Place, float],
    pinned: Mapping[Place, float],
    wall_ms: float = 0.0,
) -> list[Line]:
    """The lines with their shares of the run, the most expensive first."""
    known = {(row.file, row.line): row for row in rows}
    made = [
        _line(
            place, known.get(place) or LineRow(*place), sampled.get(place, 0.0), pinned.get(place)
        )
        for place in {**known, **sampled}
    ]
    total = max([wall_ms, *(line.total_ms for line in made)], default=0.0) or 1.0
    shared = [replace(line, share=line.total_ms / total) for line in made]
    return sorted(shared, key=lambda line: -line.total_ms)


def _line(place: Place, row: LineRow, sampled: float, pinned: float | None) -> Line:
    host, device = row.host_ms, row.device_ms
    here = sampled - device - row.waited_ms  # waiting counts where the work is
    return Line(
        *place,
        _code(*place),
        row.count,
        max(host, here),
        device,
        row.upload_bytes,
        row.download_bytes,
        0.0,
        pinned,
    )


def _code(file: str, number: int) -> str:
    path = Path(file)
    if not is_file(path):
        return ""
    lines = _text(file, path.stat().st_mtime_ns)
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


@lru_cache(maxsize=32)
def _text(file: str, _changed: int) -> list[str]:
    try:
        return textfile.read(Path(file)).text.split("\n")
    except (OSError, UsageError):
        return []  # the table shows the numbers without the code


FUNCTION_COLUMNS = (
    Column[Function]("Function", lambda f: f.name, width=0, code=True, tip=lambda f: f.file),
    Column[Function](
        "File", lambda f: Path(f.file).name, tint="muted", width=140, tip=lambda f: f.file
    ),
    Column[Function](
        "Total",
        lambda f: _time(f.total_ms),
        key=lambda f: f.total_ms,
        numeric=True,
        width=90,
        tip=lambda f: "With everything it called.",
    ),
    Column[Function](
        "Itself",
        lambda f: _time(f.own_ms),
        key=lambda f: f.own_ms,
        numeric=True,
        width=90,
        tip=lambda f: "Without what it called.",
    ),
)


class ProfilePanel(Panel):
    """Always on: every run tells the time of its lines and functions."""

    empty_icon = "timeline"
    empty_title = "No times yet"
    empty_text = "Run a script with F5 to see what each line and each function cost."
    of_runs = True

    def _build(self) -> QWidget:
        self._pinned: dict[Place, float] = {}
        self.model = RowModel(COLUMNS, lambda r: (r.file, r.number))
        self.table = RowTable(self.model, "Profile")
        self.table.doubleClicked.connect(self._open_selected)
        self.functions = RowModel(FUNCTION_COLUMNS, lambda f: (f.file, f.name))
        self.function_table = RowTable(self.functions, "Functions")
        self.function_table.doubleClicked.connect(self._go_to_function)
        self.flame = FlameGraph()
        self.flame.place_wanted.connect(self.context.open_location)
        area = QScrollArea()
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(self.flame)
        self.views = QStackedWidget()
        for view in (self.table, self.function_table, area):
            self.views.addWidget(view)
        self.switch = Switch(("Lines", "Functions", "Flame graph"), self.views.setCurrentIndex)
        self.summary = ElidedLabel("muted")
        self.pin_button = IconButton("pin", "Compare later runs with this one", self.pin)
        return column(bar(self.switch, self.summary, self.pin_button), self.views)

    def _is_empty(self) -> bool:
        return not (self.run_model.lines or self.run_model.stacks)

    def pin(self) -> None:
        """Compare later runs with this one."""
        self._pinned = {(line.file, line.number): line.total_ms for line in self._lines()}
        self._refresh()
        self.context.notify("Later runs are compared with this one, line by line")

    def _lines(self) -> list[Line]:
        times = call_tree.line_times(self.run_model.stacks)
        rows, wall_ms = list(self.run_model.lines.values()), self.run_model.account_ms
        return lines_of(rows, times, self._pinned, wall_ms)

    def _refresh(self) -> None:
        self.table.setColumnHidden(PINNED, not self._pinned)
        self.model.set_rows(self._lines())
        self.functions.set_rows(call_tree.functions(self.run_model.stacks))
        self.flame.show_tree(call_tree.tree(self.run_model.stacks))
        rows = self.run_model.lines.values()
        host = formats.milliseconds(sum(row.host_ms for row in rows))
        device = formats.milliseconds(sum(row.device_ms for row in rows))
        self.summary.setText(f"Array work: {device} on the GPU, {host} on the host")

    def _open_selected(self) -> None:
        line = self.table.selected()
        if isinstance(line, Line):
            self.context.open_location(line.file, line.number)

    def _go_to_function(self) -> None:
        function = self.function_table.selected()
        if isinstance(function, Function) and function.line:
            self.context.open_location(function.file, function.line)
