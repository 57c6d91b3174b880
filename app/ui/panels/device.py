"""The Device panel: the adapter in use in words, all adapters, what calibration measured."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.accel.planner.crossover import Crossover
from app.engine.protocol import ChooseDevice, Recalibrate
from app.engine.run_rows import Calibration, DeviceRow
from app.ui.panels.cost_curves import Curve, Curves
from app.ui.panels.live_meters import LiveMeters
from app.ui.panels.panel import Panel
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import formats
from app.ui.widgets.panel_parts import Switch, bar, column, label
from app.ui.widgets.row_table import ROW_HEIGHT, RowTable

LEAST_WIDE = 340
MODES = ("auto", "gpu", "cpu")

_TYPES = {
    "discrete": "discrete GPU",
    "integrated": "integrated GPU",
    "virtual": "virtual GPU",
    "cpu": "software, runs on the CPU",
}


def facts(device: DeviceRow) -> list[tuple[str, str]]:
    """What the panel says about a device: name of the fact, fact."""
    if device.type == "none":
        return [("Double precision", "yes, on the host")]
    double = "yes, on the GPU" if device.f64 else "no: doubles stay on the host"
    return [
        ("Type", _TYPES.get(device.type, device.type)),
        ("Driver", device.driver or formats.DASH),
        ("Interface", device.backend or formats.DASH),
        ("Double precision", double),
        ("Largest buffer", formats.bytes_text(device.max_buffer_bytes)),
        ("Largest binding", formats.bytes_text(device.max_binding_bytes)),
        *_features(device.features),
    ]


_FEATURES = (
    (
        "timestamp-query",
        "Times of kernels",
        "measured on the device",
        "not reported: wall times are shown",
    ),
    (
        "shader-int64",
        "64-bit integers",
        "yes, used for random numbers",
        "no: 32-bit halves are used",
    ),
    ("subgroup", "Subgroups", "yes", "no"),
)


def _features(known: Collection[str]) -> list[tuple[str, str]]:
    """What the device can do besides, in words; nothing of a host without a device."""
    return [(name, yes if key in known else no) for key, name, yes, no in _FEATURES if known]


ADAPTER_COLUMNS = (
    Column[DeviceRow](
        "Adapter",
        lambda a: a.name,
        width=0,
        tip=lambda a: f"{a.name}\nDouble-click to compute on it.",
    ),
    Column[DeviceRow](
        "Type",
        lambda a: a.type,
        tint="muted",
        width=64,
        tip=lambda a: f"{a.backend}, driver {a.driver or formats.DASH}",
    ),
    Column[DeviceRow]("f64", lambda a: "✓" if a.f64 else formats.DASH, width=40),
    Column[DeviceRow](
        "Largest buffer",
        lambda a: formats.bytes_text(a.max_buffer_bytes),
        numeric=True,
        width=96,
    ),
)


class Cells(QWidget):
    """Columns of widgets and layouts, as many beside each other as there is room for."""

    def __init__(self, columns: Sequence[Sequence[QWidget | QLayout]]) -> None:
        super().__init__()
        self._cells = [_cell(parts) for parts in columns]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 12, 12, 12)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(12)
        self._across = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the columns anew when the width asks for it."""
        super().resizeEvent(event)
        across = min(max(self.width() // LEAST_WIDE, 1), len(self._cells))
        if across == self._across:
            return
        self._across = across
        last = len(self._cells) - 1
        for number, cell in enumerate(self._cells):
            row, column = divmod(number, across)
            self._grid.addWidget(cell, row, column, 1, across - column if number == last else 1)
        for number in range(len(self._cells)):
            self._grid.setColumnStretch(number, int(number < across))
            self._grid.setRowStretch(number, int(number == last // across))


def _cell(parts: Sequence[QWidget | QLayout]) -> QWidget:
    cell = QWidget()
    layout = QVBoxLayout(cell)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for part in parts:
        if isinstance(part, QLayout):
            layout.addLayout(part)
        else:
            layout.addWidget(part)
    layout.addStretch(1)
    return cell


class DevicePanel(Panel):
    """Device, adapters, calibration."""

    empty_icon = "chip"
    empty_title = "Looking for devices"
    empty_text = "The engine is starting and asks the graphics drivers what is there."

    def _build(self) -> QWidget:
        self._name = label("", "title")
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(16)
        self._facts.setVerticalSpacing(4)
        self._facts.setColumnStretch(1, 1)
        self.adapters = RowModel(ADAPTER_COLUMNS, lambda a: (a.name, a.backend))
        self._table = RowTable(self.adapters, "Adapters")
        self._table.doubleClicked.connect(self._use)
        self._calibration = QGridLayout()
        self._calibration.setHorizontalSpacing(16)
        self._calibration.setVerticalSpacing(4)
        self._calibration.setColumnStretch(1, 1)
        self.kinds = QComboBox()
        self.kinds.setAccessibleName("Kind of operation")
        self.kinds.currentIndexChanged.connect(self._show_curves)
        self.curves = Curves("Times over sizes")
        return self._arrange()

    def _arrange(self) -> QWidget:
        self._adapters_title = label("Adapters", "caption")
        self._speeds_title = label("Speeds", "caption")
        self._curves_title = label("Size from which the GPU is faster", "caption")
        inside = Cells(
            (
                (self._facts,),
                (
                    self._adapters_title,
                    self._table,
                    label("Right now", "caption"),
                    LiveMeters(self.run_model),
                ),
                (self._speeds_title, self._calibration),
                (self._curves_title, self.kinds, self.curves),
            )
        )
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        return column(bar(self._name, None, *self._buttons()), area)

    def _buttons(self) -> Iterator[QWidget]:
        yield label("Run on", "muted")
        self._modes = Switch(("What is cheaper", "GPU", "CPU"), self._choose)
        self._modes.setToolTip("Where groups run: by cost, always on the GPU, always on the host")
        yield self._modes
        again = QPushButton("Measure Again")
        again.setToolTip("Measure the speeds of host and device again; takes a few seconds")
        again.clicked.connect(lambda: self.context.post(Recalibrate()))
        yield again

    def _choose(self, number: int) -> None:
        self.context.post(ChooseDevice(MODES[number]))

    def _use(self) -> None:
        """Compute on the adapter that was double-clicked."""
        adapter = self._table.selected()
        if adapter is not None:
            self.context.post(ChooseDevice(adapter.name))

    def _listen(self) -> None:
        self.run_model.device_changed.connect(self.invalidate)

    def _is_empty(self) -> bool:
        return self.run_model.device is None

    def _refresh(self) -> None:
        device = self.run_model.device
        if device is None:
            return
        chosen = device.chosen or "auto"
        why = "As chosen" if chosen == "cpu" else "No usable adapter"
        without = f"{why}: everything runs on the host"
        self._name.setText(without if device.type == "none" else device.name)
        self._modes.show_chosen(MODES.index(chosen) if chosen in MODES else -1)
        _fill(self._facts, facts(device))
        self.adapters.set_rows(list(self.run_model.adapters))
        rows = len(self.run_model.adapters)
        self._adapters_title.setVisible(rows > 0)
        self._table.setVisible(rows > 0)
        self._table.setFixedHeight((rows + 1) * ROW_HEIGHT + 6)
        _fill(self._calibration, calibration_facts(self.run_model.calibration))
        some = ", ≈ not measured yet" if self.run_model.calibration.assumed else ""
        self._speeds_title.setText(f"Speeds that the cost model uses{some}")
        self._fill_kinds()

    def _fill_kinds(self) -> None:
        """One entry per kind of operation, with its crossover in words."""
        rows, before = self.run_model.crossovers, max(self.kinds.currentIndex(), 0)
        self.kinds.blockSignals(True)
        self.kinds.clear()
        self.kinds.addItems([crossover_text(row) for row in rows])
        self.kinds.setCurrentIndex(min(before, len(rows) - 1))
        self.kinds.blockSignals(False)
        for widget in (self.kinds, self.curves, self._curves_title):
            widget.setVisible(bool(rows))
        self._show_curves()

    def _show_curves(self) -> None:
        number = self.kinds.currentIndex()
        if not 0 <= number < len(self.run_model.crossovers):
            return
        row = self.run_model.crossovers[number]
        made = [
            Curve(name, token, tuple(zip(row.sizes, times, strict=True)), times is row.moved)
            for name, token, times in (
                ("host", "host", row.host),
                ("GPU", "device", row.device),
                ("GPU with both copies", "transfer", row.moved),
            )
        ]
        self.curves.show_curves(made, row.from_size)


def crossover_text(row: Crossover) -> str:
    """A kind of operation and the size from which on the GPU wins."""
    size = row.from_size
    if size is None:
        return f"{row.title}: never"
    return f"{row.title}: from {formats.short_count(size)} elements"


_SPEEDS: tuple[tuple[str, str, Callable[[float], str]], ...] = (
    ("launch_ms", "Start of a kernel", formats.milliseconds),
    ("bandwidth", "Streaming", lambda v: f"{formats.bytes_text(v * 1000)}/s"),
    ("arithmetic", "Single precision", lambda v: f"{formats.large(v * 1000)} op/s"),
    ("doubles", "Double precision", lambda v: f"{formats.large(v * 1000)} op/s"),
    ("matmul", "Matrix product", lambda v: f"{formats.large(v * 2000)} flop/s"),
    ("upload", "Upload", lambda v: f"{formats.bytes_text(v * 1000)}/s"),
    ("download", "Download", lambda v: f"{formats.bytes_text(v * 1000)}/s"),
    ("compile_ms", "Compiling a kernel", formats.milliseconds),
)
_UNUSED = {("host", "upload"), ("host", "download"), ("host", "compile_ms")}


def calibration_facts(calibration: Calibration) -> list[tuple[str, str, str]]:
    """Speeds of the device beside those of the host; nothing measured is said too."""
    found = []
    speeds, assumed = calibration.speeds, calibration.assumed
    for key, title, text in _SPEEDS:
        device, host = (
            f"{'≈ ' if f'{side} {key}' in assumed else ''}{text(speeds[f'{side} {key}'])}"
            if f"{side} {key}" in speeds and (side, key) not in _UNUSED
            else ""
            for side in ("device", "host")
        )
        if device or host:
            found.append((title, device, host))
    if not found:
        return [("Not measured yet", "The first run on the GPU measures it.", "")]
    return [("", "GPU", "host"), *found]


def _fill(grid: QGridLayout, rows: Sequence[Sequence[str]]) -> None:
    while (item := grid.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.deleteLater()
    for number, (name, *texts) in enumerate(rows):
        title = label(name, "muted")
        title.setMinimumWidth(96)
        grid.addWidget(title, number, 0, Qt.AlignmentFlag.AlignTop)
        for place, text in enumerate(texts, start=1):
            value = label(text, "" if name else "muted")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            value.setWordWrap(len(texts) == 1)
            grid.addWidget(value, number, place)
