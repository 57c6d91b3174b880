"""What changes now and then is shown at once; what changes all the time, at a pace."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.protocol import RunState
from app.ui.run_model.run_model import RunModel
from app.ui.support.bridge import Bridge
from app.ui.support.pace import BURST, EVERY_MS, Pace
from tests.ui.recorded import deliver


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of a pace stands still: how long a busy machine takes is not its affair."""
    monkeypatch.setattr("app.ui.support.pace.time", SimpleNamespace(monotonic=lambda: 0.0))


def most(began: float) -> float:
    """How often something may be shown since a time: at once at first, then at the pace."""
    return BURST + 1 + (time.monotonic() - began) * 1000 / EVERY_MS


def test_now_and_then_means_at_once() -> None:
    pace = Pace()
    for _ in range(BURST):
        assert pace.wait_ms() == 0
        pace.note()
    assert 0 < pace.wait_ms() <= EVERY_MS


def test_a_storm_of_states_is_told_at_a_pace_and_its_end_for_sure(qtbot: QtBot) -> None:
    model = RunModel(Bridge())
    told: list[RunState] = []
    model.state_changed.connect(lambda: told.append(model.state))
    began = time.monotonic()
    for _ in range(20 * BURST):
        for state in (RunState.RUNNING, RunState.IDLE):
            model.bridge.receive(protocol.StateChanged(state))
            deliver(model.bridge)
            assert model.state is state
        QCoreApplication.processEvents()
    assert told[:2] == [RunState.RUNNING, RunState.IDLE]
    assert len(told) <= most(began)
    qtbot.wait(2 * EVERY_MS)
    assert told[-1] is RunState.IDLE


def test_turns_of_runs_that_follow_each_other_closely_are_shared(qtbot: QtBot) -> None:
    model, turns = RunModel(Bridge()), []
    model.refresh_scheduler.due.connect(lambda: turns.append(1))
    began = time.monotonic()
    for _ in range(40):
        model.refresh_scheduler.restart()
        model.refresh_scheduler.ask()
        model.refresh_scheduler.set_running(on=False)
        qtbot.wait(5)
    assert len(turns) <= most(began)
    seen = len(turns)
    model.refresh_scheduler.ask()
    qtbot.waitUntil(lambda: len(turns) > seen)
