"""The crossing between threads: order, batching, budget, requests before the engine."""

from __future__ import annotations

import sys
import threading

import pytest
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.protocol import OutputText, Refresh
from app.ui.support.bridge import Bridge, coalesce
from tests.ui.recorded import FakeEngine


def test_runs_of_output_become_one_text_per_stream() -> None:
    texts = [OutputText("a"), OutputText("b"), OutputText("x", "err"), OutputText("c")]
    assert coalesce(texts) == [OutputText("ab"), OutputText("x", "err"), OutputText("c")]


def test_only_the_newest_workspace_counts() -> None:
    old, new = protocol.VariablesChanged(()), protocol.VariablesChanged((), frame=1)
    assert coalesce([old, new]) == [new]
    assert coalesce([old, OutputText("a"), new]) == [old, OutputText("a"), new]


def test_events_of_another_thread_arrive_in_order_in_this_one(qtbot: QtBot) -> None:
    bridge = Bridge()
    seen: list[tuple[int, int]] = []
    bridge.subscribe(protocol.RunStarted, lambda e: seen.append((e.run, threading.get_ident())))
    sender = threading.Thread(
        target=lambda: [bridge.receive(protocol.RunStarted("f", n)) for n in range(5000)]
    )
    sender.start()
    qtbot.waitUntil(lambda: len(seen) == 5000)
    sender.join()
    assert [run for run, _ in seen] == list(range(5000))
    assert {thread for _, thread in seen} == {threading.get_ident()}
    bridge.close()


def test_a_handler_that_fails_takes_no_event_from_others(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[type] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_more: told.append(kind))
    bridge = Bridge()
    seen: list[int] = []

    def fails(_event: protocol.RunStarted) -> None:
        raise ValueError("a panel broke")

    bridge.subscribe(protocol.RunStarted, fails)
    bridge.subscribe(protocol.RunStarted, lambda event: seen.append(event.run))
    for number in range(3):
        bridge.receive(protocol.RunStarted("f", number))
    qtbot.waitUntil(lambda: seen == [0, 1, 2])
    assert told == [ValueError] * 3
    bridge.close()


def test_requests_wait_for_the_engine() -> None:
    bridge = Bridge()
    bridge.post(Refresh())
    engines: list[FakeEngine] = []

    def make(emit: object) -> FakeEngine:
        engines.append(FakeEngine(emit))  # type: ignore[arg-type]
        return engines[0]

    bridge.start(make)
    assert engines[0].requests == [Refresh()]
    bridge.close()
    assert engines[0].closed


def test_a_handler_added_while_delivering_does_not_see_the_same_event(qtbot: QtBot) -> None:
    bridge = Bridge()
    seen: list[str] = []

    def first(_event: object) -> None:
        bridge.subscribe(protocol.ClearScreen, lambda _e: seen.append("late"))
        seen.append("first")

    bridge.subscribe(protocol.ClearScreen, first)
    bridge.receive(protocol.ClearScreen())
    bridge.drain()
    assert seen == ["first"]
    bridge.close()
