"""Advice after a run comes from its numbers, and small things stay unsaid."""

from __future__ import annotations

from app.engine.run_rows import TransferRow
from app.ui.run_model import advice
from tests.ui.recorded import group


def transfer(line: int, count: int, ms: float, direction: str = "down") -> TransferRow:
    return TransferRow(direction, count, ms, line, "indexing", "x")


def test_shares_add_up_to_the_wall_time() -> None:
    counters = {"device_ms": 30.0, "compile_ms": 20.0, "download_ms": 40.0}
    parts = advice.shares(100.0, counters)
    assert sum(p.ms for p in parts) == 100.0
    assert {p.title: p.ms for p in parts}["Downloads"] == 40.0


def test_what_went_on_at_the_same_time_is_told_once() -> None:
    counters = {"device_ms": 50.0, "compile_ms": 300.0, "host_ms": 30.0, "kernels_compiled": 9}
    parts = {p.title: p.ms for p in advice.shares(100.0, counters)}
    assert parts == {"GPU": 50.0, "Host maths": 30.0, "Compiling": 20.0}
    assert advice.advise(100.0, counters, [], [], [])[0].gain_ms == 20.0


def test_a_big_download_is_the_first_thing_said() -> None:
    found = advice.advise(1000.0, {}, [transfer(31, 800_000_000, 620.0)], [], [])
    assert found[0].line == 31
    assert found[0].gain_ms == 620.0
    assert "Line 31 downloaded 763 MB in 620 ms" in found[0].text


def test_many_small_reads_in_a_loop_are_noticed() -> None:
    found = advice.advise(100.0, {}, [transfer(5, 4, 1.0) for _ in range(60)], [], [])
    assert "60 times" in found[0].text


def test_small_things_stay_unsaid() -> None:
    assert advice.advise(1000.0, {"compile_ms": 20.0, "kernels_compiled": 2}, [], [], []) == []


def test_doubles_without_hardware_are_explained() -> None:
    row = group(
        1,
        "elementwise",
        [7],
        ["sin"],
        provider="host",
        reason="precision",
        measured_ms=90.0,
        device_estimate_ms=10.0,
    )
    found = advice.advise(100.0, {}, [], [row], [])
    assert found[0].gain_ms == 80.0
    assert "adapter has no doubles" in found[0].text
