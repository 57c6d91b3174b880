"""A session on the device with a figure panel before it."""

from __future__ import annotations

import gc
from typing import Any

from pytestqt.qtbot import QtBot

from app import settings
from app.engine.protocol import FigureClosed, FigureUpdated
from app.engine.session.session import Session
from app.source import SourceText
from app.ui.plots.figure_export import picture
from app.ui.plots.figure_panel import FigurePanel

FIGURES = (FigureUpdated, FigureClosed)


class Desk:
    """A session on the device with a figure panel before it."""

    def __init__(self, qtbot: QtBot, device: str = "gpu") -> None:
        self.qtbot = qtbot
        self.events: list[Any] = []
        chosen = settings.load({"FUSELAB_DEVICE": device})
        self.session = Session(chosen, self.events.append, wait=lambda *_args: None)
        self.panel = FigurePanel()
        qtbot.addWidget(self.panel)
        self.panel.resize(520, 420)
        self.panel.show()

    def run(self, code: str) -> dict[str, Any]:
        """Run code, show its figures, give the counters with the drawing included."""
        self.session.run_source(SourceText("test", code))
        for event in self.events:
            if isinstance(event, FIGURES):
                self.panel.handle_event(event)
        self.events.clear()
        assert self.session.last_status == "ok", self.session.last_report
        self.qtbot.waitUntil(lambda: not self.panel._waiting)
        if self.panel.current is not None:
            picture(self.panel.current)
        counters = self.session.acceleration.recorder.counters
        return {name: getattr(counters, name) for name in type(counters).__slots__}

    def pins(self) -> int:
        """Buffers that figures hold."""
        gc.collect()
        residency = self.session.acceleration.runtime.residency
        return sum(record.pins for record in residency.table.values())

    def close(self) -> None:
        """Close everything."""
        self.session.run_source(SourceText("test", "close all force; clear"))
        self.panel.shut_down()
        self.panel.close()
        self.session.close()
