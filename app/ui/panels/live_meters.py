"""What the device does right now: memory held, dispatches and bytes per second."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.ui import formats
from app.ui.models.account import Account
from app.ui.panels.meter import Meter
from app.ui.panels.panel import label

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


class LiveMeters(QWidget):
    """Follows the account; at rest the rates are those of nothing."""

    def __init__(self, account: Account) -> None:
        super().__init__()
        self._account = account
        self._before: dict[str, float] = {}
        self._clock = QElapsedTimer()
        self.memory = Meter("Device memory")
        self.memory_text = QLabel()
        self.values = {name: QLabel() for name, _ in _RATES}
        self._arrange()
        account.telemetry_changed.connect(self._measure)
        account.run_started.connect(self._begin)
        account.run_finished.connect(self._rest)
        self._rest()

    def _arrange(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, 120)
        grid.setColumnStretch(1, 1)
        grid.addWidget(label("Our memory", "muted"), 0, 0)
        grid.addWidget(self.memory_text, 0, 1)
        grid.addWidget(self.memory, 1, 1)
        for row, (name, title) in enumerate(_RATES, start=2):
            grid.addWidget(label(title, "muted"), row, 0)
            grid.addWidget(self.values[name], row, 1)

    def _begin(self) -> None:
        self._before = {}
        self._clock.start()

    def _measure(self) -> None:
        self._show_memory()
        seconds = self._clock.restart() / 1000 if self._clock.isValid() else 0.0
        now = dict(self._account.counters)
        if self._account.busy:
            self._show(rates(self._before, now, seconds))
        self._before = now

    def _rest(self) -> None:
        self._show(rates({}, {}, 0.0))
        self._show_memory()

    def _show(self, found: dict[str, float]) -> None:
        for name, value in found.items():
            text = formats.large(value) if name == "dispatches" else formats.bytes_text(value)
            self.values[name].setText(f"{text}/s" if value else formats.DASH)

    def _show_memory(self) -> None:
        memory = self._account.memory
        live, pool, budget = (memory.get(name, 0) for name in ("live", "pool", "budget"))
        limit = f" of {formats.bytes_text(budget)}" if budget else ""
        held = f"{formats.bytes_text(live)} live{limit}, {formats.bytes_text(pool)} kept free"
        self.memory_text.setText(held)
        self.memory.show_parts((("live", live, "device"), ("kept free", pool, "lazy")), budget)
