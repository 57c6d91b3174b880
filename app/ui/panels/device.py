"""The Device panel: the adapter in use in words, all adapters, what calibration measured."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.engine.protocol import ChooseDevice, Recalibrate
from app.ui import formats
from app.ui.models.rows import Column, RowModel
from app.ui.panels.curves import Curve, Curves
from app.ui.panels.live_meters import LiveMeters
from app.ui.panels.panel import Panel, label
from app.ui.panels.tables import ROW_HEIGHT, RowTable

Row = Mapping[str, Any]

_TYPES = {
    "discrete": "discrete GPU",
    "integrated": "integrated GPU",
    "virtual": "virtual GPU",
    "cpu": "software adapter (runs on the CPU)",
    "none": "no adapter",
}


def facts(device: Row) -> list[tuple[str, str]]:
    """What the panel says about a device: name of the fact, fact."""
    double = "yes, on the GPU" if device.get("f64") else "no: doubles stay on the host"
    return [
        ("Type", _TYPES.get(str(device.get("type")), str(device.get("type", "")))),
        ("Driver", str(device.get("driver") or formats.DASH)),
        ("Interface", str(device.get("backend") or formats.DASH)),
        ("Double precision", double),
        ("Largest buffer", formats.bytes_text(device.get("max_buffer_bytes"))),
        ("Largest binding", formats.bytes_text(device.get("max_binding_bytes"))),
        *_features(device.get("features") or ()),
    ]


_FEATURES = (
    ("timestamp-query", "Times of kernels", "measured on the device",
     "not told by this device: wall times are shown"),
    ("shader-int64", "64-bit integers", "yes, random numbers are made with them",
     "no: random numbers are made from 32-bit halves"),
    ("subgroup", "Subgroups", "yes", "no"),
)  # fmt: skip


def _features(known: Collection[str]) -> list[tuple[str, str]]:
    """What the device can do besides, in words; nothing of a host without a device."""
    return [(name, yes if key in known else no) for key, name, yes, no in _FEATURES if known]


ADAPTER_COLUMNS = (
    Column[Row]("Adapter", lambda a: str(a.get("name", "")), width=0),
    Column[Row]("Type", lambda a: str(a.get("type", "")), tint="muted", width=90),
    Column[Row]("Interface", lambda a: str(a.get("backend", "")), tint="muted", width=90),
    Column[Row]("f64", lambda a: "✓" if a.get("f64") else formats.DASH, width=50),
    Column[Row]("Largest buffer", lambda a: formats.bytes_text(a.get("max_buffer_bytes")),
                numeric=True, width=110),
)  # fmt: skip


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
        self.adapters = RowModel(ADAPTER_COLUMNS, lambda a: (a.get("name"), a.get("backend")))
        self._table = RowTable(self.adapters, "Adapters")
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
        inside = QWidget()
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(12, 12, 12, 12)
        columns.setSpacing(24)
        left, right = QVBoxLayout(), QVBoxLayout()
        for layout in (left, right):
            layout.setSpacing(8)
            columns.addLayout(layout, 1)
        left.addWidget(self._name)
        left.addLayout(self._facts)
        left.addLayout(self._buttons())
        left.addWidget(label("Right now", "caption"))
        left.addWidget(LiveMeters(self.account))
        left.addStretch(1)
        self._adapters_title = label("Adapters", "caption")
        right.addWidget(self._adapters_title)
        right.addWidget(self._table)
        right.addWidget(label("Calibration", "caption"))
        right.addLayout(self._calibration)
        right.addSpacing(4)
        self._curves_title = label("From which size on the GPU is faster", "caption")
        right.addWidget(self._curves_title)
        right.addWidget(self.kinds)
        right.addWidget(self.curves)
        right.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        return area

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        for title, request in (
            ("Choose by cost", ChooseDevice("auto")),
            ("Always GPU", ChooseDevice("gpu")),
            ("Always CPU", ChooseDevice("cpu")),
            ("Measure again", Recalibrate()),
        ):
            button = QPushButton(title)
            button.clicked.connect(lambda _=False, request=request: self.context.post(request))
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _listen(self) -> None:
        self.account.device_changed.connect(self.invalidate)

    def _is_empty(self) -> bool:
        return not self.account.device

    def _refresh(self) -> None:
        device = self.account.device
        name = device.get("name", "")
        if device.get("type") == "none":
            name = "No usable adapter: everything runs on the host"
        self._name.setText(str(name))
        _fill(self._facts, facts(device))
        self.adapters.set_rows(list(self.account.adapters))
        rows = len(self.account.adapters)
        self._adapters_title.setVisible(rows > 0)
        self._table.setVisible(rows > 0)
        self._table.setFixedHeight((rows + 1) * ROW_HEIGHT + 6)
        _fill(self._calibration, calibration_facts(self.account.calibration))
        self._fill_kinds()

    def _fill_kinds(self) -> None:
        """One entry per kind of operation, with its crossover in words."""
        rows, before = self.account.crossovers, max(self.kinds.currentIndex(), 0)
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
        if not 0 <= number < len(self.account.crossovers):
            return
        row = self.account.crossovers[number]
        made = [
            Curve(name, token, tuple(zip(row["sizes"], row[key], strict=True)), key == "moved")
            for name, token, key in (
                ("host", "host", "host"),
                ("GPU", "device", "device"),
                ("GPU with both copies", "transfer", "moved"),
            )
        ]
        self.curves.show_curves(made, row["crossover"])


def crossover_text(row: Row) -> str:
    """A kind of operation and the size from which on the GPU wins."""
    size = row["crossover"]
    if size is None:
        return f"{row['title']}: never"
    return f"{row['title']}: from {formats.short_count(size)} elements"


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
_DEVICE_ONLY = {"upload", "download", "compile_ms"}


def calibration_facts(calibration: Row) -> list[tuple[str, str]]:
    """Speeds of the device beside those of the host; nothing measured is said too."""
    found = []
    for key, title, text in _SPEEDS:
        device, host = calibration.get(f"device {key}"), calibration.get(f"host {key}")
        parts = [f"GPU {text(device)}"] if device is not None else []
        if host is not None and key not in _DEVICE_ONLY:
            parts.append(f"host {text(host)}")
        if parts:
            found.append((title, "   ".join(parts)))
    return found or [("Not measured yet", "The first run on the GPU measures it.")]


def _fill(grid: QGridLayout, rows: list[tuple[str, str]]) -> None:
    while (item := grid.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.deleteLater()
    for number, (name, text) in enumerate(rows):
        title, value = label(name, "muted"), QLabel(text)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        value.setWordWrap(True)
        title.setMinimumWidth(120)
        grid.addWidget(title, number, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(value, number, 1)
