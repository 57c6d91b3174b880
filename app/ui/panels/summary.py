"""The run summary: where the time went, and what to change first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui.panels.cost_curves import Curve, Curves
from app.ui.panels.panel import Context, Panel
from app.ui.panels.summary_bars import CompareBars, ShareBar
from app.ui.run_model import advice, reason_texts
from app.ui.run_model.advice import Advice
from app.ui.run_model.device_comparison import Comparison, Side
from app.ui.run_model.scaling_experiment import Found, ScalingExperiment
from app.ui.run_model.scaling_experiment import words as whatif_words
from app.ui.support import formats
from app.ui.widgets.panel_parts import label


class _Pinned(NamedTuple):
    """A run that later ones of its file are compared with."""

    run: int
    file: str
    wall_ms: float
    parts: Mapping[str, float]


class SummaryPanel(Panel):
    """What a person wants to know after F5, in one look."""

    empty_icon = "history"
    empty_title = "No summary yet"
    empty_text = "Run a script with F5 to see where its time goes and what to change first."
    of_runs = True

    def __init__(
        self, context: Context, comparison: Comparison, scaling: ScalingExperiment
    ) -> None:
        self._comparison, self._whatif = comparison, scaling
        self._compared: list[Side] | None = None
        self._tried: Found | None = None
        super().__init__(context)
        comparison.finished.connect(self._on_compared)
        scaling.finished.connect(self._on_tried)

    def _build(self) -> QWidget:
        inside = QWidget()
        self._pinned: _Pinned | None = None
        self._headline = QLabel()
        self._headline.setProperty("role", "figure")
        self._facts = label("", "muted")
        self._bar = ShareBar()
        self._list = QVBoxLayout()
        self._list.setSpacing(6)
        self._pin = QPushButton("Compare later runs with this one")
        self._pin.clicked.connect(self.pin)
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._headline)
        top.addWidget(self._facts, 1)
        top.addWidget(self._pin)
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(12)
        layout.addLayout(top)
        self._sides = CompareBars()
        layout.addWidget(self._sides)
        self.tried_text = label("", "title")
        self.tried = Curves("Times at other sizes")
        layout.addWidget(self.tried_text)
        layout.addWidget(self.tried)
        layout.addWidget(self._bar)
        layout.addLayout(self._list)
        layout.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(inside)
        return area

    def _listen(self) -> None:
        self.run_model.run_finished.connect(self.invalidate)
        self.run_model.run_started.connect(self._forget)

    def _forget(self) -> None:
        """A run of its own: what was compared and tried before is not about it."""
        if not (self._comparison.active or self._whatif.active):
            self._compared = self._tried = None
        self.invalidate()

    def _is_empty(self) -> bool:
        return self.run_model.wall_ms is None

    def _on_compared(self, found: list[Side]) -> None:
        self._compared = found
        self.invalidate()

    def _on_tried(self, found: Found | None) -> None:
        self._tried = found
        self.context.notify(whatif_words(found))
        self.invalidate()

    def _show_tried(self) -> None:
        found = self._tried
        self.tried.setVisible(found is not None)
        self.tried_text.setVisible(found is not None)
        if found is not None:
            self.tried_text.setText(whatif_words(found))
            curves = (Curve("CPU", "host", found.host), Curve("GPU", "device", found.device))
            self.tried.show_curves(curves, found.crossing)

    def pin(self) -> None:
        """Compare later runs with this one."""
        wall = self.run_model.account_ms
        parts = {share.title: share.ms for share in advice.shares(wall, self.run_model.counters)}
        self._pinned = _Pinned(self.run_model.account_run, self.run_model.run_name, wall, parts)
        self._refresh()

    def _pinned_run(self) -> _Pinned | None:
        """The pinned run, when it was another one of the same file."""
        run_model, pinned = self.run_model, self._pinned
        same = pinned is not None and pinned.file == run_model.run_name
        return (
            pinned if pinned is not None and same and pinned.run != run_model.account_run else None
        )

    def _refresh(self) -> None:
        run_model, wall = self.run_model, self.run_model.account_ms
        self._headline.setText(formats.milliseconds(wall))
        self._facts.setText(self._facts_text(wall))
        self._sides.setVisible(self._compared is not None)
        self._sides.show_sides(self._compared or [])
        self._show_tried()
        before = self._pinned_run()
        self._bar.show_shares(
            advice.shares(wall, run_model.counters), before.parts if before else {}
        )
        found = advice.advise(
            wall,
            run_model.counters,
            run_model.transfers,
            run_model.groups.values(),
            run_model.boundaries,
        )
        self._show_advice(found)

    def _facts_text(self, wall: float) -> str:
        counters = self.run_model.counters
        parts = [
            formats.plural(counters.get("groups", 0), "group"),
            formats.plural(counters.get("dispatches", 0), "dispatch", "dispatches"),
            f"↑ {formats.bytes_text(counters.get('upload_bytes', 0))}",
            f"↓ {formats.bytes_text(counters.get('download_bytes', 0))}",
        ]
        before = self._pinned_run()
        if before is not None:
            ratio = max(before.wall_ms, 1e-9) / max(wall, 1e-9)
            word = "faster" if ratio > 1 else "slower"
            times = ratio if ratio > 1 else 1 / ratio
            parts.append(f"{times:.2f}× {word} than the pinned run")
        return "   ".join(parts)

    def _show_advice(self, found: list[Advice]) -> None:
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for one in found:
            self._list.addWidget(self._card(one))
        why = reason_texts.idle_device(self.run_model.groups.values())
        if why and not self.run_model.counters.get("dispatches"):
            idle = label(f"Nothing ran on the GPU. {why}", "muted")
            idle.setWordWrap(True)
            self._list.addWidget(idle)
        if not found:
            self._list.addWidget(label("Nothing stands out: no single cause costs 5 %.", "muted"))

    def _card(self, one: Advice) -> QWidget:
        card = QFrame()
        card.setObjectName("Card")
        row = QHBoxLayout(card)
        row.setContentsMargins(12, 8, 8, 8)
        gain = label(f"up to −{formats.milliseconds(one.gain_ms)}", "device")
        gain.setMinimumWidth(110)
        row.addWidget(gain)
        text = QLabel(one.text)
        text.setWordWrap(True)
        row.addWidget(text, 1)
        if one.line:
            show = QPushButton("Show")
            show.clicked.connect(partial(self._open, one.line))
            row.addWidget(show)
        return card

    def _open(self, line: int, *_checked: bool) -> None:
        self.context.open_location(self.run_model.run_name, line)
