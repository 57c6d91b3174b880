"""Every panel from the recorded run: what it says, what a click does, what it says when empty."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.run_rows import Calibration, RunRows
from app.engine.run_state import RunState
from app.ui.panels.device import DevicePanel, calibration_facts, facts
from app.ui.panels.fusion import MEASURED, FusionPanel
from app.ui.panels.kernels import KernelsPanel
from app.ui.panels.panel import Context, Panel
from app.ui.panels.profile import PINNED, ProfilePanel
from app.ui.panels.residency import ResidencyPanel
from app.ui.panels.timeline import TimelinePanel
from app.ui.panels.transfers import TransfersPanel
from app.ui.panels.workspace import CLASS, WorkspacePanel
from app.ui.run_model import trace_files
from app.ui.run_model.line_parts import Part
from tests.ui import recorded
from tests.ui.recorded import deliver

Replay = Callable[[], None]
PANELS = [
    FusionPanel,
    KernelsPanel,
    TransfersPanel,
    ResidencyPanel,
    TimelinePanel,
    WorkspacePanel,
    ProfilePanel,
]


def shown(qtbot: QtBot, panel: Panel) -> Panel:
    """A panel on the screen, up to date."""
    qtbot.addWidget(panel)
    panel.resize(1100, 300)
    panel.show()
    return panel


def column(table: QTableView, number: int) -> list[str]:
    """The texts of a column."""
    model = table.model()
    return [model.index(row, number).data() for row in range(model.rowCount())]


@pytest.mark.parametrize("kind", PANELS)
def test_an_empty_panel_says_what_to_do(
    kind: type[Panel], context: Context, qtbot: QtBot, replay: Replay
) -> None:
    panel = shown(qtbot, kind(context))
    assert panel.currentWidget() is not panel.content
    assert panel.empty_title
    assert panel.empty_text.endswith(".")
    replay()
    qtbot.waitUntil(lambda: panel.currentWidget() is panel.content)


@pytest.mark.parametrize("kind", [kind for kind in PANELS if kind.of_runs])
def test_nobody_is_told_to_run_what_runs(kind: type[Panel], context: Context, qtbot: QtBot) -> None:
    panel = shown(qtbot, kind(context))
    said = panel._empty.text_label
    assert "F5" in said.text()
    context.bridge.receive(protocol.StateChanged(RunState.RUNNING))
    deliver(context.bridge)
    qtbot.waitUntil(lambda: "A run is in progress" in said.text())
    context.run_model.note_work(kind.__name__, 0.0, 1.0)  # slow drawing is no event of the run
    context.bridge.receive(protocol.StateChanged(RunState.IDLE))
    deliver(context.bridge)
    qtbot.waitUntil(lambda: "A run is in progress" not in said.text())


@pytest.mark.parametrize("kind", [FusionPanel, KernelsPanel, TransfersPanel])
def test_a_panel_that_stays_empty_after_a_run_says_why(
    kind: type[Panel], context: Context, qtbot: QtBot
) -> None:
    panel = shown(qtbot, kind(context))
    context.bridge.receive(protocol.RunStarted("small.m", 1))
    context.bridge.receive(protocol.RunFinished(1, "ok", 3.0))
    deliver(context.bridge)
    qtbot.waitUntil(
        lambda: "last run" in " ".join(child.text() for child in panel._empty.findChildren(QLabel))
    )


def test_fusion_keeps_group_picture_and_kernel_in_step(
    context: Context, qtbot: QtBot, replay: Replay
) -> None:
    replay()
    panel = shown(qtbot, FusionPanel(context))
    assert isinstance(panel, FusionPanel)
    assert column(panel.table, 0) == ["k1", "k2", "k3", "k4", "k5", "k6"]
    panel.table.select(2)
    assert ("op", "sin") in panel.graph.texts()
    assert "sin_f32" in panel.kernel.source.text()
    assert "Estimated GPU 90 µs, host 420 µs. Measured 110 µs." in panel._decision.text()
    assert "Fusion stops at line 8: the script needs the value here" in panel._decision.text()
    panel.table.select(5)
    assert "no GPU kernel" in panel.kernel.source.text()
    assert "Too small" in panel._decision.text()
    panel.select_part(Part(13, 0, 0))
    assert panel.table.selected().id == 4


def test_a_group_is_exported_as_graph_and_picture(
    context: Context, qtbot: QtBot, replay: Replay, tmp_path: Path
) -> None:
    replay()
    panel = shown(qtbot, FusionPanel(context))
    assert isinstance(panel, FusionPanel)
    panel.export(recorded.GROUPS[1], tmp_path / "g.dot")
    dot = (tmp_path / "g.dot").read_text()
    assert 'op0 [shape=ellipse, label="sin"];' in dot
    assert 'op2 -> op3 [label="1024×1 single"];' in dot
    panel.export(recorded.GROUPS[1], tmp_path / "g.svg")
    assert (tmp_path / "g.svg").read_text().startswith("<?xml")


def test_the_selected_group_stays_selected(context: Context, qtbot: QtBot, replay: Replay) -> None:
    replay()
    panel = shown(qtbot, FusionPanel(context))
    assert isinstance(panel, FusionPanel)
    panel.table.select(3)
    more = recorded.group(7, "single", [20], ["sin"])
    context.bridge.receive(protocol.TelemetryBatch(RunRows(groups=(more,))))
    deliver(context.bridge)
    qtbot.waitUntil(lambda: len(column(panel.table, 0)) == 7)
    assert panel.table.selected().id == 3


def test_transfers_say_direction_bytes_line_and_cause(
    context: Context, qtbot: QtBot, replay: Replay, opened: list[tuple[str, int]]
) -> None:
    replay()
    panel = shown(qtbot, TransfersPanel(context))
    assert isinstance(panel, TransfersPanel)
    assert column(panel.table, 0) == ["↓ download", "↓ download", "↑ upload"]
    assert column(panel.table, 1) == ["4 B", "4 B", "32.0 KB"]
    assert column(panel.table, 6)[0] == "fprintf needs the value"
    assert panel.summary.text().endswith("for plots 0 B")
    panel.table.selectRow(1)
    panel._go_to_line()
    assert opened == [(str(recorded.QUICKSTART), 15)]


def test_kernels_count_hits_and_misses(context: Context, qtbot: QtBot, replay: Replay) -> None:
    replay()
    panel = shown(qtbot, KernelsPanel(context))
    assert isinstance(panel, KernelsPanel)
    assert column(panel.table, 2) == ["1", "3", "1", "0"]
    assert column(panel.table, 1) == ["random", "reduction", "reduction", "elementwise"]
    spans = [("Device", "submit", 10.0 * n, 50.0, {"flow": 2, "line": 6}) for n in range(3)]
    context.run_model.spans.extend(spans)
    panel.table.select("key2")
    assert panel.histogram.times == [0.05, 0.05, 0.05]
    panel.histogram.show_times([1.0, 1.1, 1.1, 4.0])
    assert panel.histogram.words() == "4 runs, half of them below 1.10 ms"
    panel.grab()
    assert panel.summary.text().startswith("Pipeline cache: 5 hits, 4 misses")


def test_without_kernels_the_panel_says_why(context: Context, qtbot: QtBot) -> None:
    alone = recorded.group(1, "elementwise", [3], ["sin"], provider="host", reason="forced")
    panel = shown(qtbot, KernelsPanel(context))
    context.bridge.receive(protocol.TelemetryBatch(RunRows(groups=(alone,))))
    deliver(context.bridge)
    told = "The last run used no GPU kernel. You chose this place yourself. Set the device back"
    qtbot.waitUntil(lambda: panel._empty.text_label.text().startswith(told))


def test_residency_offers_actions(context: Context, qtbot: QtBot, replay: Replay) -> None:
    replay()
    panel = shown(qtbot, ResidencyPanel(context))
    assert isinstance(panel, ResidencyPanel)
    engine = context.bridge._engine
    assert isinstance(engine, recorded.FakeEngine)
    panel._act_on_selected("evict")
    assert not engine.requests  # nothing is selected
    panel.table.select("x")
    for action, sent in (
        ("evict", "evict"),
        ("gather", "gather"),
        ("pin", "pin"),
        ("pin", "unpin"),
    ):
        panel._act_on_selected(action)
        assert engine.requests[-1] == protocol.VariableAction(sent, "x")
    assert "15.3 MB on the GPU  ·  peak 30.6 MB" in panel.summary.text()


def test_numbers_are_right_aligned_and_sort_by_value(
    context: Context, qtbot: QtBot, replay: Replay
) -> None:
    replay()
    panel = shown(qtbot, WorkspacePanel(context))
    assert isinstance(panel, WorkspacePanel)
    index = panel.model.index(0, 4)
    assert index.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    panel.table.sortByColumn(4, Qt.SortOrder.DescendingOrder)
    assert column(panel.table, 0)[-1] == "m"


def test_workspace_filters_and_says_where(context: Context, qtbot: QtBot, replay: Replay) -> None:
    replay()
    panel = shown(qtbot, WorkspacePanel(context))
    assert isinstance(panel, WorkspacePanel)
    assert column(panel.table, 5) == ["□ host", "□ host", "◧ both", "■ GPU", "◌ lazy"]
    panel.filter.setText("gpu")
    assert column(panel.table, 0) == ["x"]
    menu = panel.menu_for(recorded.VARIABLES[3])
    assert "Plot" in [a.text() for a in menu.actions()]
    menu.deleteLater()


@pytest.mark.parametrize("width", [300, 360, 420, 700])
def test_names_are_whole_where_there_is_room(context: Context, qtbot: QtBot, width: int) -> None:
    """Values keep the room that they need at least, and no column leaves for a name."""
    panel = shown(qtbot, WorkspacePanel(context))
    assert isinstance(panel, WorkspacePanel)
    table = panel.table

    def show(name: str) -> list[bool]:
        variable = protocol.VariableSummary(name, "double", (1, 1), 8, "host", "1")
        context.bridge.receive(protocol.VariablesChanged((variable,)))
        deliver(context.bridge)
        qtbot.waitUntil(lambda: column(table, 0) == [name])
        panel.resize(width, 300)
        return [table.isColumnHidden(n) for n in range(6)]

    hidden = show("x")
    assert show("brushedData") == hidden
    assert show("a_name_that_nobody_would_like_to_type") == hidden
    spare = table.viewport().width() - sum(table.columnWidth(n) for n in (0, 2, 3, 4, 5))
    assert spare >= min(table.least_stretched, table.viewport().width() - 84)
    show("brushedData")
    if width >= 360:
        assert table.columnWidth(0) >= table.sizeHintForColumn(0)


def test_ten_thousand_variables_stay_fluid(context: Context, qtbot: QtBot) -> None:
    many = tuple(
        protocol.VariableSummary(f"v{n:05}", "double", (1, 1), 8, "host", str(n))
        for n in range(10_000)
    )
    panel = shown(qtbot, WorkspacePanel(context))
    context.bridge.receive(protocol.VariablesChanged(many))
    deliver(context.bridge)
    assert isinstance(panel, WorkspacePanel)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 10_000)


def test_device_says_facts_in_words(context: Context, qtbot: QtBot) -> None:
    deliver(context.bridge)
    panel = shown(qtbot, DevicePanel(context))
    texts = [child.text() for child in panel.findChildren(QLabel)]
    assert "discrete GPU" in texts
    assert "yes, on the GPU" in texts
    assert {"3.73 TB/s", "19.6 GB/s"} <= set(texts)
    assert calibration_facts(Calibration({"host matmul": 3.0}, ("host matmul",)))[1:] == [
        ("Matrix product", "", "≈ 6.00 k flop/s")
    ]
    context.run_model.device = chosen = replace(recorded.DEVICE, type="none", chosen="cpu")
    panel._refresh()
    texts = [child.text() for child in panel.findChildren(QLabel)]
    assert "As chosen: everything runs on the host" in texts
    assert facts(chosen) == [("Double precision", "yes, on the host")]


def test_the_device_is_chosen_by_button_and_by_adapter(context: Context, qtbot: QtBot) -> None:
    deliver(context.bridge)
    panel = shown(qtbot, DevicePanel(context))
    assert isinstance(panel, DevicePanel)
    engine = context.bridge._engine
    assert isinstance(engine, recorded.FakeEngine)
    panel._modes.choose(2)
    assert engine.requests[-1] == protocol.ChooseDevice("cpu")
    panel._table.selectRow(1)
    panel._use()
    assert engine.requests[-1] == protocol.ChooseDevice(recorded.SOFTWARE.name)
    asked = len(engine.requests)
    context.run_model.device = replace(recorded.DEVICE, chosen="gpu")
    panel._refresh()
    assert [b.isChecked() for b in panel._modes._group.buttons()] == [False, True, False]
    assert len(engine.requests) == asked


def test_timeline_finds_spans_and_zooms(
    context: Context, qtbot: QtBot, replay: Replay, opened: list[tuple[str, int]]
) -> None:
    replay()
    panel = shown(qtbot, TimelinePanel(context))
    assert isinstance(panel, TimelinePanel)
    view = panel.view
    qtbot.waitUntil(lambda: bool(view.tracks))
    assert list(view.tracks) == [
        "Script",
        "Planner",
        "Compile",
        "Upload",
        "Device",
        "Download",
        "UI",
    ]
    width = view.view[1] - view.view[0]
    qtbot.keyClick(view, Qt.Key.Key_W)
    assert view.view[1] - view.view[0] == pytest.approx(width * 0.7)
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert view.view == (0.0, view.end)
    panel.field.setText("group 13")
    assert view.selected is not None
    assert view.selected[1].line == 13
    assert panel.summary.text() == "Device: group 13  ·  260 µs  ·  line 13"
    panel.grab()
    panel.field.setText("")
    view.select(("Device", view.tracks["Device"].spans[0]))
    view.step(1)
    assert view.selected == ("Device", view.tracks["Device"].spans[1])
    view.measure(5000.0, 0.0)
    assert panel.summary.text().startswith("5.00 ms measured  ·  Script 4.50 ms in 5  ·  Planner")
    qtbot.keyClick(view, Qt.Key.Key_M)
    assert view.measured == (view.selected[1].start, view.selected[1].start + 260.0)
    panel.grab()
    view.select(None)
    qtbot.keyClick(view, Qt.Key.Key_M)
    assert view.measured is None
    panel.follow("y", [13])
    assert [view._fits(span) for span in view.tracks["Device"].spans].count(True) == 1
    view.line_wanted.emit(13)
    assert opened == [(str(recorded.QUICKSTART), 13)]


def test_a_saved_trace_opens_again(
    context: Context, qtbot: QtBot, replay: Replay, tmp_path: Path
) -> None:
    replay()
    panel = shown(qtbot, TimelinePanel(context))
    assert isinstance(panel, TimelinePanel)
    before = {name: len(track.spans) for name, track in panel.view.tracks.items()}
    trace_files.write(context.run_model.spans, tmp_path / "t.json")
    panel.show_trace(tmp_path / "t.json")
    assert {name: len(track.spans) for name, track in panel.view.tracks.items()} == before
    (tmp_path / "broken.json").write_text("{}")
    panel.show_trace(tmp_path / "broken.json")
    assert list(panel.view.tracks) == list(before)


def test_the_profile_shows_the_dearest_line_first(
    context: Context, qtbot: QtBot, replay: Replay, opened: list[tuple[str, int]]
) -> None:
    replay()
    context.run_model.account_ms = 1.0
    panel = shown(qtbot, ProfilePanel(context))
    assert isinstance(panel, ProfilePanel)
    assert column(panel.table, 0)[0] == "quickstart.m:19"
    assert column(panel.table, 1)[0].startswith("plot(t, sin(t)")
    assert column(panel.table, 2) == ["40 %", "30 %", "30 %"]
    assert panel.summary.text() == "Array work: 100 µs on the GPU, 900 µs on the host"
    assert panel.table.isColumnHidden(PINNED)
    panel.pin()
    assert not panel.table.isColumnHidden(PINNED)
    panel.table.selectRow(0)
    panel._open_selected()
    assert opened == [(str(recorded.QUICKSTART), 19)]


def test_what_waits_for_its_turn_is_shown_when_the_run_ends(
    context: Context, qtbot: QtBot, replay: Replay
) -> None:
    replay()
    panel = shown(qtbot, FusionPanel(context))
    assert isinstance(panel, FusionPanel)
    refresh_scheduler = context.run_model.refresh_scheduler
    refresh_scheduler.restart()
    refresh_scheduler._turn = 60.0
    context.bridge.receive(protocol.StateChanged(protocol.RunState.RUNNING))
    more = recorded.group(9, "single", [21], ["cos"])
    context.bridge.receive(protocol.TelemetryBatch(RunRows(groups=(more,))))
    deliver(context.bridge)
    assert refresh_scheduler._timer.remainingTime() > 1000
    assert "k9" not in column(panel.table, 0)
    context.bridge.receive(protocol.StateChanged(protocol.RunState.IDLE))
    deliver(context.bridge)
    qtbot.waitUntil(lambda: "k9" in column(panel.table, 0))


def cut(table: QTableView, number: int) -> list[str]:
    """The texts of a column that its cells cannot show whole."""
    too_narrow = table.columnWidth(number) < table.sizeHintForColumn(number)
    return column(table, number) if too_narrow or table.isColumnHidden(number) else []


def test_long_classes_are_whole(context: Context, qtbot: QtBot) -> None:
    panel = shown(qtbot, WorkspacePanel(context))
    assert isinstance(panel, WorkspacePanel)
    panel.resize(900, 300)
    classes = ("double", "a.LongClassOfAPackage", "containers.Map")
    told = tuple(
        protocol.VariableSummary(f"v{n}", name, (3, 4), 96, "host", "3×4", is_complex=n == 0)
        for n, name in enumerate(classes)
    )
    context.bridge.receive(protocol.VariablesChanged(told))
    deliver(context.bridge)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 3)
    assert cut(panel.table, CLASS) == []
    assert "double (complex)" in column(panel.table, CLASS)


def test_how_often_a_group_ran_is_whole(context: Context, qtbot: QtBot) -> None:
    panel = shown(qtbot, FusionPanel(context))
    assert isinstance(panel, FusionPanel)
    panel.resize(1130, 400)
    often = recorded.group(1, "elementwise", [3], ["sin"], executions=123_456, measured_ms=12.3)
    context.run_model.groups[1] = often
    panel.invalidate()
    qtbot.waitUntil(lambda: panel.model.rowCount() == 1)
    assert column(panel.table, MEASURED)[0].endswith("×123456")
    assert cut(panel.table, MEASURED) == []
