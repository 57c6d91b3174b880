"""What if the arrays were smaller, and from which size on does the GPU win."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.accel.planner import crossover
from app.engine.protocol import RunState
from app.ui.panels.live_meters import card_texts
from app.ui.run_model import nvml, scaling_experiment
from app.ui.shell.main_window import MainWindow
from tests.support.adapters import require_adapter

Open = Callable[..., MainWindow]


def test_sizes_are_found_and_scaled() -> None:
    text = "k = 3;\nn = 4e6; % elements\nx = rand(n, 1);\nm = 2000;"
    found = scaling_experiment.sizes(text, "big = 1e8;\nn = 7e7;\n")
    assert [(s.name, s.value) for s in found] == [("n", 4e6), ("m", 2000), ("big", 1e8)]
    assert "n = 40000; % elements" in scaling_experiment.scaled_text(text, found[0], 0.01)
    assert scaling_experiment.scaled_text("x = 1;", found[2], 0.1) == "big = 10000000; x = 1;"


def test_curves_cross_between_the_sizes_that_were_run() -> None:
    host = ((1e4, 1.0), (1e5, 10.0), (1e6, 100.0))
    device = ((1e4, 4.0), (1e5, 4.0), (1e6, 10.0))
    found = scaling_experiment.Found("n", host, device)
    assert found.crossing == pytest.approx(10**4.602, rel=0.01)
    assert "from about n = 40" in scaling_experiment.words(found)
    back = scaling_experiment.Found("n", (*host, (1e7, 1.0)), (*device, (1e7, 20.0)))
    assert back.crossing is None
    assert (
        scaling_experiment.words(back)
        == "The CPU is faster at n = 10,000,000, but not at all sizes."
    )


def test_a_section_runs_at_three_sizes_on_both_sides(open_window: Open, qtbot: QtBot) -> None:
    text = "%% first\na = 1;\n%% second\nn = 2e5;\nx = rand(n, 1);\ny = sum(sin(x) .* x);\n"
    window = open_window(text, layout="gpu", device="auto")
    editor = window.editors.current()
    assert editor is not None
    editor.go_to(5)
    with qtbot.waitSignal(window.scaling.finished) as done:
        window.commands.run("run.whatif")
    (found,) = done.args
    assert [n for n, _ in found.host] == [2e3, 2e4, 2e5]
    assert all(ms > 0 for _, ms in (*found.host, *found.device))
    panel = window.panel("summary")
    qtbot.waitUntil(panel.tried.isVisible)  # type: ignore[attr-defined]
    assert panel.tried_text.text() == scaling_experiment.words(found)  # type: ignore[attr-defined]
    panel.grab()
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)


def test_the_device_panel_shows_the_cost_models_curves(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\n", layout="gpu", device="gpu")
    require_adapter(window.run_model.device.features)
    window.docks.show_panel("device")
    panel: Any = window.panel("device")
    qtbot.waitUntil(lambda: panel.kinds.count() == len(crossover.KINDS) + 1)
    panel.kinds.setCurrentIndex(1)
    row = window.run_model.crossovers[1]
    assert panel.curves.curves[0].points[0] == (row.sizes[0], row.host[0])
    assert panel.kinds.currentText().startswith(row.title)
    assert isinstance(panel, QWidget)
    panel.grab()


class FakeNvml:  # the names are the library's
    """Answers like the library, for one card."""

    def nvmlInit_v2(self) -> int:  # noqa: N802
        return 0

    def nvmlDeviceGetCount_v2(self, count: Any) -> int:  # noqa: N802
        count._obj.value = 1
        return 0

    def nvmlDeviceGetHandleByIndex_v2(self, _number: int, _handle: Any) -> int:  # noqa: N802
        return 0

    def nvmlDeviceGetName(self, _handle: Any, text: Any, _length: int) -> int:  # noqa: N802
        text.value = b"NVIDIA H100"
        return 0

    def nvmlDeviceGetUtilizationRates(self, _handle: Any, use: Any) -> int:  # noqa: N802
        use._obj.gpu = 73
        return 0

    def nvmlDeviceGetMemoryInfo(self, _handle: Any, memory: Any) -> int:  # noqa: N802
        memory._obj.used, memory._obj.total = 3 << 30, 80 << 30
        return 0

    def nvmlDeviceGetTemperature(self, _handle: Any, _sensor: ctypes.c_int, heat: Any) -> int:  # noqa: N802
        heat._obj.value = 54
        return 0

    def nvmlDeviceGetPowerUsage(self, _handle: Any, _power: Any) -> int:  # noqa: N802
        return 3


def test_the_cards_own_library_is_read_where_there_is_one() -> None:
    card = nvml.card_named("NVIDIA H100 (Vulkan)", FakeNvml())
    assert card is not None
    reading = card.read()
    assert reading is not None
    assert card_texts(reading) == {
        "Card busy": "73 %",
        "Card memory": "3.00 GB of 80.0 GB",
        "Temperature": "54 °C",
    }
    assert nvml.card_named("llvmpipe", FakeNvml()) is None
