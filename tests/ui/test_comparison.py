"""CPU and GPU side by side: both run cold and warm, and the device is as before afterwards."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.engine.protocol import ChooseDevice, RunText
from app.ui.comparison import Side, sides, verdict
from app.ui.main_window import MainWindow
from tests.ui.recorded import FakeEngine


def test_both_sides_run_cold_and_warm(window: MainWindow, qtbot: QtBot) -> None:
    engine = window.bridge._engine
    assert isinstance(engine, FakeEngine)
    with qtbot.waitSignal(window.comparison.finished) as done:
        window.commands.run("run.compare")
    kinds = [r.device if isinstance(r, ChooseDevice) else "run" for r in engine.requests
             if isinstance(r, ChooseDevice | RunText)]  # fmt: skip
    assert kinds == ["cpu", *["run"] * 3, "gpu", *["run"] * 3, "auto"]
    assert [side.title for side in done.args[0]] == ["CPU", "GPU"]
    window.panel("summary").grab()


def test_the_faster_side_is_named() -> None:
    found = sides([100.0, 95.0, 90.0, 60.0, 9.0, 12.0])
    assert found == [Side("CPU", 100.0, 90.0), Side("GPU", 60.0, 9.0)]
    assert verdict(found) == "GPU is 10.0× faster when warm"
    assert "not finished" in verdict([])
