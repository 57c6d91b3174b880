"""Spans on tracks: found by time, giants apart; what belongs to one run of a group."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.ui.panels.panel import Context
from app.ui.panels.timeline import TimelinePanel
from app.ui.run_model import trace_files
from app.ui.run_model.executions import chain, executions
from app.ui.run_model.timeline_spans import GIANTS, Span, Track
from tests.ui import recorded
from tests.ui.recorded import deliver


def track(*spans: tuple[float, float]) -> Track:
    """A track with spans of these starts and durations."""
    made = Track()
    for start, duration in spans:
        made.add(Span(start, duration, f"{start:g}", 1))
    return made


def test_a_span_as_long_as_the_run_does_not_widen_the_search() -> None:
    short = [(10.0 * n, 5.0) for n in range(1000)]
    made = track(*short, (0.0, 10_000.0))
    found = made.between(5000.0, 5100.0)
    assert len(found) < 2 * GIANTS
    assert [s.duration for s in made.over(5001.0, 5002.0)] == [10_000.0, 5.0]
    assert made.inside(5000.0, 5020.0) == (20.0 + 5.0 + 5.0, 3)
    again = Track.of(list(made.spans))
    assert (again.starts, again.longest, again.total) == (made.starts, made.longest, made.total)
    assert [g for g in again.giants if g[0] > 5.0] == [g for g in made.giants if g[0] > 5.0]
    assert list(again.over(5001.0, 5002.0)) == list(made.over(5001.0, 5002.0))
    assert made.total == 15_000.0
    assert made.busy == 10_000.0
    assert made.spans[made.number_of(Span(5000.0, 5.0, "5000", 1))].start == 5000.0


def test_runs_of_a_group_are_told_apart() -> None:
    flow = [
        (name, Span(start, 1.0, name, 3, 7))
        for start, name in enumerate(
            ("Planner", "Compile", "Upload", "Device", "Download", "Planner", "Device", "Device")
        )
    ]
    runs = executions(flow[::-1])
    assert [[name for name, _ in run] for run in runs] == [
        ["Planner", "Compile", "Upload", "Device", "Download"],
        ["Planner", "Device"],
        ["Device"],
    ]
    lines = track((0.0, 4.5), (4.6, 3.0))
    assert [name for name, _ in chain(flow[6], flow, {"Script": lines})] == [
        "Script",
        "Planner",
        "Device",
    ]


def test_a_trace_opens_before_the_first_run(context: Context, qtbot: QtBot, tmp_path: Path) -> None:
    panel = TimelinePanel(context)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.currentWidget() is not panel.content
    trace_files.write(recorded.spans(), tmp_path / "t.json")
    panel.show_trace(tmp_path / "t.json")
    assert panel.currentWidget() is panel.content
    panel.grab()
    for event in recorded.events():
        context.bridge.receive(event)
    deliver(context.bridge)
    qtbot.waitUntil(lambda: not panel._opened)


def test_workers_and_cards_have_tracks_in_their_order(context: Context, qtbot: QtBot) -> None:
    panel = TimelinePanel(context)
    qtbot.addWidget(panel)
    names = ("Worker 10", "Device 2", "Worker 2", "Device", "Script")
    panel.view.add_spans([(name, "x", 10.0, 1.0, {}) for name in names])
    shown = [name for name in panel.view.tracks if panel.view.tracks[name].spans]
    assert shown == ["Script", "Device", "Device 2", "Worker 2", "Worker 10"]
    few = panel.view.minimumHeight()
    panel.view.add_spans([(f"Worker {k}", "x", 10.0, 1.0, {}) for k in range(20)])
    assert panel.view.minimumHeight() > few


def test_the_search_goes_on_over_all_tracks(context: Context, qtbot: QtBot) -> None:
    panel = TimelinePanel(context)
    qtbot.addWidget(panel)
    panel.view.add_spans(
        [
            ("Device", "sum", 0.0, 1.0, {}),
            ("Compile", "sum", 5.0, 1.0, {}),
            ("Device", "sin", 7.0, 1.0, {}),
            ("Device", "sum", 9.0, 1.0, {"guessed": True}),
        ]
    )
    panel.view.search("SUM")
    assert panel.view.lit is not None
    assert [span.start for span in panel.view.lit["Device"].spans] == [0.0, 9.0]
    panel.view.add_spans([("Device", "sum", 12.0, 1.0, {})])
    assert len(panel.view.lit["Device"].spans) == 3
    seen = []
    for _ in range(3):
        assert panel.view.selected is not None
        seen.append((panel.view.selected[0], panel.view.selected[1].start))
        panel.view.step(1)
    assert seen == [("Device", 0.0), ("Compile", 5.0), ("Device", 9.0)]
    for _ in range(2):
        panel.view.step(-1)
    assert panel.view.selected is not None
    assert panel.view.selected[0] == "Compile"
    panel.view.grab()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "null",
        '"text"',
        "[3]",
        "[" * 100_000,
        '{"traceEvents": 3}',
        '{"traceEvents": [null]}',
        '[{"ph": "X"}]',
        '[{"ph": "X", "pid": [], "tid": 1, "name": "a", "ts": 1}]',
        '[{"ph": "X", "pid": 1, "tid": 1, "name": "a", "ts": null}]',
        '[{"ph": "X", "pid": 1, "tid": 1, "name": "a", "ts": 1, "args": 3}]',
        '[{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": []}]',
        '[{"ph": "X", "pid": 1, "tid": 1, "name": "a", "ts": 1' + "0" * 400 + "}]",
    ],
)
def test_what_is_no_trace_is_told(
    context: Context, qtbot: QtBot, tmp_path: Path, text: str
) -> None:
    panel = TimelinePanel(context)
    qtbot.addWidget(panel)
    (tmp_path / "t.json").write_text(text)
    panel.show_trace(tmp_path / "t.json")
    assert not panel._opened
