"""Lives of device buffers, the peak, and where kernels stand below the roofs."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.panels.life_chart import LifeChart, life_text
from app.ui.panels.live_meters import rates
from app.ui.panels.roofline import spot_text
from app.ui.run_model.buffer_lifetimes import MOST_LIVES, Lifetimes
from app.ui.run_model.roofline_model import Roofs, roofs_of, spots_of
from tests.ui import recorded


def memory(what: str, time: float, buffer: int, n_bytes: int, live: int) -> Any:
    """One event of the recorder as the window gets it."""
    detail = {"buffer": buffer, "bytes": n_bytes, "live": live, "name": "", "line": buffer}
    return ("Memory", what, time, 0.0, detail)


RUN: tuple[Any, ...] = (
    memory("allocate", 10.0, 1, 400, 400),
    ("Device", "submit", 12.0, 3.0, {}),
    memory("allocate", 20.0, 2, 600, 1000),
    memory("free", 30.0, 1, 400, 600),
    memory("allocate", 40.0, 1, 100, 700),
    ("Device", "submit", 45.0, 15.0, {}),
)


def test_lives_end_and_the_peak_is_known() -> None:
    found = Lifetimes()
    assert [span[0] for span in found.take(RUN)] == ["Device", "Device"]
    assert [(life.start, life.end, life.n_bytes) for life in found.lives] == [
        (10.0, 30.0, 400),
        (20.0, None, 600),
        (40.0, None, 100),
    ]
    assert found.peak == (20.0, 1000)
    assert found.last == 60.0


def test_of_many_buffers_the_large_ones_are_kept() -> None:
    found = Lifetimes()
    for number in range(3 * MOST_LIVES):
        found.take(
            [
                memory("allocate", number, number, number, 1),
                memory("free", number + 0.5, number, number, 0),
            ]
        )
    assert len(found.lives) <= MOST_LIVES
    assert found.lives[-1].n_bytes == 3 * MOST_LIVES - 1
    assert found.lives[0].n_bytes >= 2 * MOST_LIVES - 1


def test_a_click_on_a_bar_names_its_line(qtbot: QtBot) -> None:
    chart = LifeChart()
    qtbot.addWidget(chart)
    found = Lifetimes()
    found.take(RUN)
    chart.show_lifetimes(found, 1100, {2: "y"})
    chart.resize(400, 200)
    chart.show()
    chart.grab()
    bar = chart.bar_of(1, chart.shown()[1])
    with qtbot.waitSignal(chart.line_wanted) as wanted:
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=bar.center().toPoint())
    assert wanted.args == [2]
    assert life_text(found.lives[0], 60.0) == "line 1  ·  400 B  ·  lived 20 µs"
    assert life_text(found.lives[1], 60.0, "y").startswith("y  ·  line 2  ·  ")
    before = chart.grab().toImage()
    chart.follow("y")
    assert chart.grab().toImage() != before
    chart.follow("unknown")
    assert chart.grab().toImage() == before


def test_kernels_below_the_roofs() -> None:
    roofs = roofs_of(recorded.CALIBRATION.speeds, double=False)
    assert roofs == Roofs(4.1e12, 3.4e13)
    assert roofs.limit(1.0) == 4.1e12
    assert roofs.limit(1000.0) == 3.4e13
    groups = [recorded.group(2, "reduction", [6], ["sin", "mul"], bytes=8192)]
    (spot,) = spots_of(recorded.KERNELS, groups)
    assert spot.intensity == 2 * 1024 / 8192
    assert "of what memory allows" in spot_text(spot, roofs)


def test_rates_start_anew_with_a_run() -> None:
    assert rates({"dispatches": 10}, {"dispatches": 60}, 0.5)["dispatches"] == 100
    assert rates({"dispatches": 60}, {"dispatches": 2}, 0.5)["dispatches"] == 0
    assert rates({}, {"dispatches": 2}, 0.0)["dispatches"] == 0
