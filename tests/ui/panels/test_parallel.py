"""The Parallel panel: loops and how far they are, workers, and what its buttons ask for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.parallel_state import LoopState, ParallelState, WorkerState
from app.engine.protocol import RunState
from app.ui.panels.panel import Context
from app.ui.panels.parallel import ParallelPanel, device_words, last_printed
from tests.ui.recorded import deliver

LOOPS = (
    LoopState("/work/a.m", 3, 50, 50, running=False, where="2 workers", seconds=0.5),
    LoopState("/work/b.m", 7, 4000, 1000, running=True, where="this process: x", seconds=2.0),
)
WORKERS = (
    WorkerState(1, "busy", "line 3: passes 1 to 9", 4, 2048, 10, "gpu:1", "one\ntwo\nth"),
    WorkerState(2, "idle"),
)


@pytest.fixture
def asked() -> list[object]:
    """What the panel has asked for: code that is run, stops, places that are shown."""
    return []


@pytest.fixture
def panel(context: Context, asked: list[object], qtbot: QtBot) -> ParallelPanel:
    shown = replace(
        context,
        run_code=asked.append,
        open_location=lambda file, line: asked.append((file, line)),
    )
    made = ParallelPanel(shown, lambda: asked.append("stop"))
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    return made


def tell(panel: ParallelPanel, qtbot: QtBot, event: protocol.Event) -> None:
    """Have the engine say something, and wait until it is shown."""
    panel.context.bridge.receive(event)
    deliver(panel.context.bridge)
    qtbot.waitUntil(lambda: not panel._stale)


def texts(panel: ParallelPanel, row: int) -> list[str]:
    """A row of the loops."""
    model = panel.loops.rows_model
    return [model.index(row, k).data() for k in range(len(model.columns))]


def test_without_parallel_work_it_offers_a_pool(panel: ParallelPanel, asked: list[object]) -> None:
    assert panel.currentWidget() is not panel.content
    panel.switch_pool()
    assert asked == ["parpool;"]


def test_loops_and_workers(panel: ParallelPanel, qtbot: QtBot) -> None:
    tell(panel, qtbot, ParallelState(WORKERS, 3, LOOPS))
    assert texts(panel, 0)[:2] == ["b:7", "1\u2009000 of 4\u2009000"]
    assert texts(panel, 1)[:2] == ["a:3", "50 passes"]
    assert texts(panel, 1)[3] == "2 workers"
    assert [r.state for r in panel.workers.rows_model.rows] == ["busy", "idle"]
    assert [last_printed(r) for r in panel.workers.rows_model.rows] == ["two", ""]
    assert panel.summary.text().split("  ·  ") == [
        "2 workers",
        "1 busy",
        "3 tasks waiting",
        "1 loop running",
    ]
    assert not panel.grab().isNull()


def test_workers_say_what_they_compute_on() -> None:
    devices = ("cpu", "auto", "gpu:2", "node7, gpu:3", "node7, cpu")
    found = [device_words(WorkerState(1, "idle", device=device)) for device in devices]
    assert found == ["host", "card 1", "card 2", "node7, card 3", "node7, host"]


def test_no_workers_leave_their_side_empty(panel: ParallelPanel, qtbot: QtBot) -> None:
    tell(panel, qtbot, ParallelState(loops=LOOPS))
    assert panel.workers.isHidden()
    assert panel.summary.text().startswith("No pool")


def test_its_buttons(panel: ParallelPanel, qtbot: QtBot, asked: list[object]) -> None:
    tell(panel, qtbot, ParallelState(WORKERS, 0, LOOPS))
    assert panel.pool_button.text() == "End Pool"
    panel.pool_button.click()
    panel.loops.select(("/work/a.m", 3))
    panel.go_to()
    tell(panel, qtbot, protocol.StateChanged(RunState.RUNNING))
    assert not panel.pool_button.isEnabled()
    panel.stop_button.click()
    assert asked == ["delete(gcp('nocreate'))", ("/work/a.m", 3), "stop"]
