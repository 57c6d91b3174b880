"""Brackets and notes from the rows of a report."""

from __future__ import annotations

from app.engine.run_rows import LineRow
from app.ui.editor import run_annotations
from app.ui.editor.run_annotations import Bracket, Note
from tests.ui.recorded import GROUPS, group


def test_a_group_over_lines_becomes_a_bracket() -> None:
    marks = run_annotations.brackets([group(1, "elementwise", [3, 5], ["sin", "mul"])])
    assert marks == [
        Bracket(3, "first", "device"),
        Bracket(4, "through", "device"),
        Bracket(5, "last", "device"),
    ]


def test_the_widest_group_has_the_line() -> None:
    narrow = group(1, "single", [3], ["sin"], provider="host")
    wide = group(2, "elementwise", [2, 3], ["sin", "mul"])
    assert [m.part for m in run_annotations.brackets([wide, narrow])] == ["first", "last"]


def test_notes_stand_on_the_last_line_of_a_group() -> None:
    lines = [LineRow("a.m", 8, download_bytes=4)]
    notes = run_annotations.notes(GROUPS[:2], lines)
    assert notes == [
        Note(5, "GPU k1 · random · 80 µs", "device"),
        Note(7, "GPU k2 · 4 ops fused · 110 µs", "device"),
        Note(8, "↓ 4 B", "transfer"),
    ]


def test_several_groups_on_a_line_are_summed() -> None:
    two = [
        group(1, "random", [4], ["random"], measured_ms=1.0),
        group(2, "single", [4], ["sin"], measured_ms=2.0),
    ]
    assert run_annotations.notes(two, [])[0].text == "GPU 2 groups · 3.00 ms"


def test_heat_is_the_share_of_all_lines() -> None:
    times = {1: 60.0, 2: 25.0, 3: 14.0, 4: 1.0}
    assert run_annotations.heat(times) == {1: 2, 2: 1, 3: 0}
    assert run_annotations.heat({}) == {}
