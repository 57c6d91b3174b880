"""CPU and GPU side by side: both run cold and warm, and the device is as before afterwards."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.engine.protocol import ChooseDevice, RunText
from app.ui.run_model.device_comparison import Side, sides, verdict
from app.ui.shell.main_window import MainWindow
from tests.ui.recorded import FakeEngine


def test_both_sides_run_cold_and_warm(window: MainWindow, qtbot: QtBot) -> None:
    engine = window.bridge._engine
    assert isinstance(engine, FakeEngine)
    with qtbot.waitSignal(window.comparison.finished) as done:
        window.commands.run("run.compare")
    kinds = [
        r.device if isinstance(r, ChooseDevice) else "run"
        for r in engine.requests
        if isinstance(r, ChooseDevice | RunText)
    ]
    assert kinds == ["cpu", *["run"] * 3, "gpu", *["run"] * 3, "auto"]
    assert [side.title for side in done.args[0]] == ["CPU", "GPU"]
    window.panel("summary").grab()


def test_three_sizes_run_on_both_sides(window: MainWindow, qtbot: QtBot) -> None:
    engine, editor = window.bridge._engine, window.editors.current()
    assert isinstance(engine, FakeEngine)
    assert editor is not None
    editor.go_to(13)
    with qtbot.waitSignal(window.scaling.finished) as done:
        window.commands.run("run.whatif")
    texts = [r.text for r in engine.requests if isinstance(r, RunText)]
    runs = len(texts) // 6
    assert [text.splitlines()[1] for text in texts[::runs]] == [
        "n = 40000;",
        "n = 400000;",
        "n = 4000000;",
    ] * 2
    assert engine.requests[-1] == ChooseDevice("auto")
    (found,) = done.args
    assert found.name == "n"
    window.use_layout("gpu")
    window.docks.show_panel("summary")
    panel = window.panel("summary")
    qtbot.waitUntil(panel.tried.isVisible)  # type: ignore[attr-defined]


def test_the_faster_side_is_named() -> None:
    found = sides([100.0, 95.0, 90.0, 60.0, 9.0, 12.0])
    assert found == [Side("CPU", 100.0, 90.0), Side("GPU", 60.0, 9.0)]
    assert verdict(found) == "GPU is 10.0× faster when warm"
    assert "not finished" in verdict([])
