"""What the device does right now: memory held, dispatches and bytes per second."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.ui.run_model.nvml import Card, Reading, card_named
from app.ui.run_model.run_model import RunModel
from app.ui.support import formats
from app.ui.widgets.meter import Meter
from app.ui.widgets.panel_parts import label

_RATES = (
    ("dispatches", "Dispatches"),
    ("upload_bytes", "Uploads"),
    ("download_bytes", "Downloads"),
)


def rates(before: dict[str, float], now: dict[str, float], seconds: float) -> dict[str, float]:
    """Growth of the counters per second; a new run begins at nothing."""
    return {
        name: max(now.get(name, 0.0) - before.get(name, 0.0), 0.0) / seconds if seconds else 0.0
        for name, _ in _RATES
    }


_CARD = ("Card busy", "Card memory", "Temperature", "Power")
CARD_MS = 1000


def card_texts(reading: Reading) -> dict[str, str]:
    """What the card's own library tells, in words."""
    used, total = formats.bytes_text(reading.used_bytes), formats.bytes_text(reading.total_bytes)
    texts = {"Card busy": f"{reading.busy_percent} %", "Card memory": f"{used} of {total}"}
    if reading.celsius is not None:
        texts["Temperature"] = f"{reading.celsius} °C"
    if reading.watts is not None:
        texts["Power"] = f"{reading.watts:.0f} W"
    return texts


class LiveMeters(QWidget):
    """Follows the run model; at rest the rates are those of nothing."""

    def __init__(self, run_model: RunModel) -> None:
        super().__init__()
        self._run_model = run_model
        self._before: dict[str, float] = {}
        self._clock = QElapsedTimer()
        self.memory = Meter("Device memory")
        self.memory_text = QLabel()
        self.values = {name: QLabel() for name, _ in _RATES}
        self.card: Card | None = None
        self.card_rows = {name: (label(name, "muted"), QLabel()) for name in _CARD}
        self._card_timer = QTimer(self)
        self._card_timer.setInterval(CARD_MS)
        self._card_timer.timeout.connect(self.show_card)
        self._arrange()
        run_model.device_changed.connect(self._find_card)
        run_model.telemetry_changed.connect(self._measure)
        run_model.run_started.connect(self._begin)
        run_model.run_finished.connect(self._show_rest)
        self._show_rest()

    def _arrange(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, 96)
        grid.setColumnStretch(1, 1)
        grid.addWidget(label("Our memory", "muted"), 0, 0)
        grid.addWidget(self.memory_text, 0, 1)
        grid.addWidget(self.memory, 1, 1)
        for row, (name, title) in enumerate(_RATES, start=2):
            grid.addWidget(label(title, "muted"), row, 0)
            grid.addWidget(self.values[name], row, 1)

        for row, parts in enumerate(self.card_rows.values(), start=2 + len(_RATES)):
            for place, part in enumerate(parts):
                grid.addWidget(part, row, place)
                part.hide()

    # --- the card's own library ---------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks: ask the card's library, if there is one."""
        super().showEvent(event)
        self._find_card()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        self._card_timer.stop()

    def _find_card(self) -> None:
        if self.isVisible():
            device = self._run_model.device
            self.card = card_named(device.name if device is not None else "")
            self.show_card()
            if self.card is not None:
                self._card_timer.start()

    def show_card(self) -> None:
        """Show what the library tells; nothing where there is none."""
        reading = self.card.read() if self.card is not None else None
        texts = card_texts(reading) if reading is not None else {}
        for name, (title, value) in self.card_rows.items():
            value.setText(texts.get(name, ""))
            for part in (title, value):
                part.setVisible(name in texts)

    def _begin(self) -> None:
        self._before = {}
        self._clock.start()

    def _measure(self) -> None:
        self._show_memory()
        seconds = self._clock.restart() / 1000 if self._clock.isValid() else 0.0
        now = dict(self._run_model.counters)
        if self._run_model.busy:
            self._show(rates(self._before, now, seconds))
        self._before = now

    def _show_rest(self) -> None:
        self._show(rates({}, {}, 0.0))
        self._show_memory()

    def _show(self, found: dict[str, float]) -> None:
        for name, value in found.items():
            text = formats.large(value) if name == "dispatches" else formats.bytes_text(value)
            self.values[name].setText(f"{text}/s" if value else formats.DASH)

    def _show_memory(self) -> None:
        memory = self._run_model.memory
        live, pool, budget = (memory.get(name, 0) for name in ("live", "pool", "budget"))
        limit = f" of {formats.bytes_text(budget)}" if budget else ""
        held = f"{formats.bytes_text(live)} live{limit}, {formats.bytes_text(pool)} kept free"
        self.memory_text.setText(held)
        self.memory.show_parts((("live", live, "device"), ("kept free", pool, "lazy")), budget)
