"""Every GPU panel after a live run: what it says is what the engine counted."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.editor.hover import Hover
from app.ui.language_client.client import LanguageClient
from app.ui.run_model import trace_files
from app.ui.run_model.executions import chain
from app.ui.run_model.line_parts import parts_of
from app.ui.shell.main_window import MainWindow
from app.ui.support import formats
from tests.stories.conftest import close, opened, until
from tests.support.adapters import require_adapter
from tests.support.live_run import SCRIPT
from tests.support.window import run, shown


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """The window after a run on the adapter, for the tests of this file."""
    folder = tmp_path_factory.mktemp("live")
    with contextlib.chdir(folder):  # the engine changes to it; this leads back
        made = opened(folder, SCRIPT, "gpu")
        made.commands.run("run.file")
        until(lambda: made.run_model.wall_ms is not None and made.run_model.state == RunState.IDLE)
        require_adapter(made.run_model.device.features)
        for client in made.findChildren(LanguageClient):  # a thread begins with a first question
            client.ask("start", str, len)
        yield made
        close(made)
        made.deleteLater()


def test_lines_groups_and_kernels_belong_together(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    editor = window.editors.current()
    assert editor is not None
    qtbot.waitUntil(lambda: "ops fused" in bytes(editor.eOLAnnotationText(2)).decode())
    hover = editor.findChild(Hover)
    assert isinstance(hover, Hover)
    assert "Fusion stops here. The script needs the value here" in hover.line_text(4)
    assert "Ask for the value after the arrays are done" in hover.line_text(4)
    panel = shown(window, qtbot, "fusion")
    group = next(g for g in window.run_model.groups.values() if {2, 3} <= set(g.lines))
    panel.table.select(group.id)
    sine = next(row for row in group.operations if row.op == "sin")
    assert (sine.line, sine.shape, sine.class_name) == (2, (200_000, 1), "single")
    assert parts_of(group, [sine.id]) == [(2, 4, 10)]  # sin(x) and nothing else
    spot = panel.graph.area_of(sine.id).center().toPoint()
    qtbot.mouseClick(panel.graph, Qt.MouseButton.LeftButton, pos=spot)
    lines = [panel.kernel.source.line_text(n) for n in panel.kernel.shown.lines([sine.id])]
    assert lines
    assert all("sin_f32(" in line and line.endswith("// line 2: sin") for line in lines)
    editor.setSel(editor.positionFromLine(1) + 4, editor.positionFromLine(1) + 15)
    times = next(row.id for row in group.operations if row.op == "times")
    qtbot.waitUntil(lambda: panel.graph._marked == {sine.id, times})
    panel.export(group, tmp_path / "group.dot")
    assert 'label="200000×1 single"' in (tmp_path / "group.dot").read_text()
    passes = max(window.run_model.groups.values(), key=lambda g: g.executions)
    assert 7 in passes.lines
    assert passes.executions >= 2  # one group, run in pass after pass
    assert any(passes.sources or ())


def test_the_timeline_tells_device_time_and_joins_what_belongs_together(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    panel = shown(window, qtbot, "timeline")
    tracks = panel.view.tracks
    assert {"Script", "Planner", "Device", "Download"} <= set(tracks)
    spent = window.run_model.counters["device_ms"] * 1000
    assert tracks["Device"].total == pytest.approx(spent, rel=1e-6)
    assert any(span.line for span in tracks["Script"].spans)
    kernel = tracks["Device"].spans[-1]
    assert kernel.flow in window.run_model.groups
    joined = chain(("Device", kernel), panel.view.flows[kernel.flow], tracks)
    assert "Device" in [track for track, _ in joined][-2:]
    panel.view.select(("Device", kernel))
    assert "computes lines" in panel.summary.text()
    trace_files.write(window.run_model.spans, tmp_path / "trace.json")
    written = json.loads((tmp_path / "trace.json").read_text())
    assert {"ph", "ts", "dur", "tid"} <= set(written["traceEvents"][-1])
    panel.show_trace(tmp_path / "trace.json")
    assert panel.view.tracks["Device"].total == pytest.approx(spent, rel=1e-6)


def test_values_kernels_and_the_device_are_told_as_they_are(
    window: MainWindow, qtbot: QtBot
) -> None:
    residency = shown(window, qtbot, "residency")
    where = {row.value.name: row.value.where for row in residency.model.rows}
    name = next(name for name, place in where.items() if place in {"device", "both"})
    assert residency.chart.shown()
    residency.table.select(name)
    residency._act_on_selected("evict")
    qtbot.waitUntil(lambda: window.run_model.residency[name].where == "host")
    kernels = shown(window, qtbot, "kernels")
    assert {row.kernel.key for row in kernels.model.rows} == set(window.run_model.kernels)
    told = sum(row.kernel.hits for row in kernels.model.rows)
    assert f": {formats.plural(told, 'hit')}, " in kernels.summary.text()
    many = max(kernels.model.rows, key=lambda row: row.kernel.hits)
    kernels.table.select(many.kernel.key)
    assert sum(kernels.histogram.times) == pytest.approx(many.kernel.device_ms, rel=1e-6)
    device = shown(window, qtbot, "device")
    assert device._name.text() == window.run_model.device.name
    assert device.kinds.count() == len(window.run_model.crossovers) > 3


def test_the_summary_adds_up_and_compares_with_the_pinned_run(
    window: MainWindow, qtbot: QtBot
) -> None:
    panel = shown(window, qtbot, "summary")
    qtbot.waitUntil(lambda: bool(panel._bar.shares))
    wall = window.run_model.wall_ms
    assert wall is not None
    assert sum(share.ms for share in panel._bar.shares) == pytest.approx(wall, rel=0.02)
    panel.pin()
    run(window, qtbot)
    qtbot.waitUntil(lambda: "than the pinned run" in panel._facts.text())
