"""The run summary from the recorded run."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.run_rows import BoundaryRow, RunRows
from app.ui.run_model import advice
from app.ui.shell.main_window import MainWindow
from tests.ui import recorded


def test_the_summary_says_where_the_time_went_and_what_to_change(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.docks.show_panel("summary")
    panel: Any = window.panel("summary")
    assert panel.currentWidget() is not panel.content
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.docks.is_seen("command"))  # what the run says comes in front
    window.docks.show_panel("summary")
    qtbot.waitUntil(lambda: panel.currentWidget() is panel.content)
    assert panel._headline.text() == "51.7 ms"
    assert panel._facts.text() == "6 groups   8 dispatches   ↑ 32.0 KB   ↓ 8 B"
    assert sum(share.ms for share in panel._bar.shares) == pytest.approx(51.7)
    cards = [card.text() for card in panel.content.findChildren(QLabel)]
    assert any(text.startswith("4 kernels were compiled in 42.3 ms") for text in cards)
    panel._bar.resize(320, 60)
    assert panel._bar.minimumHeight() > advice_height(1)
    panel.pin()
    window.run_model.account_ms, window.run_model.account_run = 103.4, 2
    panel._refresh()
    assert panel._facts.text().endswith("2.00× slower than the pinned run")
    assert any("(was 42.3 ms)" in text for _, _, text, _ in panel._bar._words())
    window.run_model.run_name = "another.m"
    panel._refresh()
    assert "pinned" not in panel._facts.text()
    assert not [b for b in panel.content.findChildren(QPushButton) if b.text() == "Show"]


def test_a_command_after_the_run_changes_no_part_of_its_account(
    window: MainWindow, qtbot: QtBot
) -> None:
    """The counters are still those of the run: its time is not that of the command."""
    window.docks.show_panel("summary")
    panel: Any = window.panel("summary")
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.wall_ms is not None)
    window.docks.show_panel("summary")
    qtbot.waitUntil(lambda: panel.currentWidget() is panel.content)
    before = {share.title: share.ms for share in panel._bar.shares}
    panel.pin()
    engine = window.bridge._engine
    assert isinstance(engine, recorded.FakeEngine)
    engine.emit(protocol.RunStarted("<command>", 9))
    engine.emit(protocol.RunFinished(9, "ok", 1.5))
    engine.emit(protocol.TelemetryBatch(RunRows(counters={"groups": 0, "dispatches": 0})))
    recorded.deliver(window.bridge)
    panel._refresh()
    assert window.run_model.wall_ms == 1.5
    assert panel._headline.text() == "53.2 ms"
    assert panel._facts.text() == "6 groups   8 dispatches   ↑ 32.0 KB   ↓ 8 B"
    after = {share.title: share.ms for share in panel._bar.shares}
    assert after.pop("Script and waiting") == pytest.approx(before.pop("Script and waiting") + 1.5)
    assert after == before


def advice_height(rows: int) -> int:
    """The height of the bar with so many rows of words below it."""
    from app.ui.panels.summary_bars import BAR, LEGEND

    return BAR + 12 + rows * LEGEND


def test_advice_has_its_numbers_from_the_groups() -> None:
    forced = recorded.group(
        1,
        "loop",
        [3],
        ["sin"],
        reason="forced",
        measured_ms=80.0,
        device_estimate_ms=40.0,
        host_estimate_ms=10.0,
    )
    redone = recorded.group(2, "single", [5], ["log"], measured_ms=30.0)
    stops = [BoundaryRow(5, "domain-guard")]
    found = advice.advise(100.0, {}, [], [forced, redone], stops)
    assert [(one.line, one.gain_ms) for one in found] == [(3, 60.0), (5, 30.0)]
    assert "the host is estimated to be faster" in found[0].text
