"""The window takes turns during a run, for a fiftieth of its time at most."""

from __future__ import annotations

import time

import pytest
from pytestqt.qtbot import QtBot

from app.ui.support.refresh_scheduler import LEAST_MS, MOST_MS, RefreshScheduler


def busy(seconds: float) -> None:
    """Work in this thread."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_without_a_run_a_turn_comes_at_once_and_once(qtbot: QtBot) -> None:
    refresh_scheduler = RefreshScheduler()
    turns: list[int] = []
    refresh_scheduler.due.connect(lambda: turns.append(1))
    refresh_scheduler.ask()
    refresh_scheduler.ask()
    qtbot.waitUntil(lambda: bool(turns))
    qtbot.wait(20)
    assert turns == [1]


def test_a_run_is_not_asked_for_more_than_its_share(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)  # others have the machine do a lot
    refresh_scheduler = RefreshScheduler()
    refresh_scheduler.restart()
    assert refresh_scheduler.wait_ms() == LEAST_MS
    busy(0.02)
    assert 1000 <= refresh_scheduler.wait_ms() < 1500
    busy(0.08)
    assert refresh_scheduler.wait_ms() == MOST_MS


def test_painting_counts_as_part_of_a_turn(qtbot: QtBot) -> None:
    refresh_scheduler = RefreshScheduler()
    refresh_scheduler.due.connect(lambda: busy(0.015))
    refresh_scheduler.restart()
    refresh_scheduler._timer.start(0)
    qtbot.waitUntil(lambda: refresh_scheduler._turn > 0.01)
    assert refresh_scheduler._turn < 0.2


def test_the_end_of_a_run_brings_the_turn_forward(qtbot: QtBot) -> None:
    refresh_scheduler = RefreshScheduler()
    refresh_scheduler.restart()
    refresh_scheduler._turn = 60.0
    with qtbot.waitSignal(refresh_scheduler.due):
        refresh_scheduler.ask()
        assert refresh_scheduler._timer.interval() == MOST_MS
        refresh_scheduler.set_running(on=False)
        assert refresh_scheduler._timer.interval() == 0
