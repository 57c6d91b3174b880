"""The window as a whole: commands, layouts, themes, palette, session."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.run_rows import BoundaryRow, DeviceRow, RunRows
from app.ui.editor.breakpoints import Stop
from app.ui.editor.marks import Indicator
from app.ui.shell.actions import MENUS
from app.ui.shell.layouts import LAYOUTS
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore
from app.ui.support import fuzzy_match
from app.ui.support.resources import resource
from app.ui.support.theme import load_theme, theme, theme_hub
from tests.ui.conftest import make_window
from tests.ui.recorded import QUICKSTART, FakeEngine, engine_of


def test_every_command_has_help_and_no_shortcut_is_taken_twice(window: MainWindow) -> None:
    taken: dict[str, str] = {}
    for id_, declared in window.commands.declared.items():
        assert window.commands.actions[id_].whatsThis().endswith((".", declared.title)), id_
        assert declared.menu.split("/")[0] in MENUS
        keys = QKeySequence(declared.shortcut).toString()
        if keys:
            assert keys not in taken, f"{id_} and {taken.get(keys)} share {keys}"
            taken[keys] = id_


@pytest.mark.parametrize("keymap", ["matlab", "vscode"])
def test_keymaps_name_commands_that_exist(window: MainWindow, keymap: str) -> None:
    import tomllib

    keys = tomllib.loads(resource("keymaps", f"{keymap}.toml").read_text())["keys"]
    assert not set(keys) - set(window.commands.declared)
    window.commands.use_keymap(keymap)
    for id_, text in keys.items():
        assert window.commands.actions[id_].shortcut() == QKeySequence(text)


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_show_their_panels_and_come_back_as_left(window: MainWindow, name: str) -> None:
    window.use_layout(name, fresh=True)
    shown = {n: tuple(a.ids()) for n, a in window.docks.areas.items() if a.ids()}
    assert shown == dict(LAYOUTS[name].areas)
    if shown:
        panel = next(iter(shown.values()))[0]
        window.docks.hide_panel(panel)
        window.use_layout("focus" if name != "focus" else "classic")
        window.use_layout(name)
        assert not window.docks.is_shown(panel)


def test_another_layout_makes_only_what_is_seen(window: MainWindow, qtbot: QtBot) -> None:
    window.use_layout("gpu", fresh=True)
    qtbot.wait(20)
    made = {panel for panel in window.docks.specs if window.docks.made(panel)}
    assert {"fusion", "files"} <= made
    assert not made & {"kernels", "timeline", "device"}
    window.use_layout("classic", fresh=True)
    qtbot.wait(20)
    more = {panel for panel in window.docks.specs if window.docks.made(panel)} - made
    assert more == {"outline", "workspace", "command", "figures"} - made


def test_panels_move_float_and_come_back(window: MainWindow) -> None:
    docks = window.docks
    docks.move_panel("workspace", "left2")
    assert docks.area_of("workspace") == "left2"
    docks.float_panel("workspace")
    assert docks.area_of("workspace") is None
    assert docks.is_shown("workspace")
    saved = docks.save()
    docks.dock_panel("workspace")
    assert docks.area_of("workspace") == "left2"
    docks.restore(saved)
    assert "workspace" in docks.save()["floating"]
    docks.dock_panel("workspace")


def test_floating_panels_of_the_last_session_stay_over_the_window(
    window: MainWindow, qtbot: QtBot
) -> None:
    docks = window.docks
    docks.float_panel("workspace")
    saved = docks.save()
    docks.dock_panel("workspace")
    window.hide()
    docks.restore(saved)  # before the window is shown, as at a start
    floating = docks._floating["workspace"]
    assert not floating.isVisible()
    window.show()
    qtbot.waitUntil(floating.isVisible)
    assert floating.windowHandle().transientParent() is window.windowHandle()
    docks.dock_panel("workspace")


def test_both_themes_name_the_same_colours() -> None:
    dark, light = load_theme("dark"), load_theme("light")
    assert set(dark.colours) == set(light.colours)
    assert set(dark.syntax) == set(light.syntax)


def test_the_theme_changes_everywhere(window: MainWindow) -> None:
    editor = window.editors.current()
    assert editor is not None
    before = editor.styleBack(32)
    window.commands.run("view.theme")
    assert not theme().dark
    assert editor.styleBack(32) != before
    window.commands.run("view.theme")
    assert theme().dark
    assert theme_hub().mode == "dark"


def test_f5_saves_and_runs_the_file(window: MainWindow, qtbot: QtBot) -> None:
    editor = window.editors.current()
    assert editor is not None
    window.commands.run("run.file")
    request = engine_of(window).requests[-1]
    assert isinstance(request, protocol.RunText)
    assert (request.name, request.first_line) == (str(QUICKSTART), 1)
    qtbot.waitUntil(lambda: editor.eOLAnnotationText(6).size() > 0)
    assert "mean of 1024 values" in window.command_window.transcript.text()


def test_nothing_of_the_welcome_page_is_cut_in_a_small_window(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.editors.close_tab(0)
    window.resize(800, 600)
    page = window.welcome
    qtbot.waitUntil(lambda: page.isVisible() and page.widget() is not None)
    qtbot.waitUntil(lambda: page.widget().width() <= page.viewport().width())
    assert page.widget().minimumSizeHint().width() <= page.viewport().width()


def test_a_long_name_leaves_room_for_other_tabs(window: MainWindow) -> None:
    editor = window.editors.new("x = 1;\n", "a_script_for_chapter_four_" * 6 + "final.m")
    bar, index = window.editors.tabs.tabBar(), window.editors.tabs.indexOf(editor)
    assert bar.tabRect(index).width() < 360
    assert bar.tabText(index).startswith("a_script")
    assert "final.m" in bar.tabText(index)
    editor.setSavePoint()


def test_back_passes_over_texts_that_are_no_more(window: MainWindow) -> None:
    for _ in range(2):
        window.editors.new()
    while len(window.editors.editors()) > 1:
        window.editors.close_tab(1)
    assert window.trail.go(-1) is False
    window.editors.close_tab(0)
    assert window.trail.go(-1), "the last place is where one was before all was closed"
    reopened = window.editors.current()
    assert reopened is not None
    assert (reopened.path, reopened.caret_line) == (QUICKSTART, 1)


def test_a_run_takes_old_errors_away_in_every_file(window: MainWindow) -> None:
    editor, helper = window.editors.current(), window.editors.new("x = y;\n")
    assert editor is not None
    helper.run_marks.show_error(1, "Unrecognized function or variable 'y'.")
    window.begin_run(editor, "")
    assert helper.eOLAnnotationText(0).size() == 0


def test_a_section_runs_with_its_own_line_numbers(window: MainWindow) -> None:
    editor = window.editors.current()
    assert editor is not None
    editor.go_to(13)
    window.commands.run("run.advance")
    request = engine_of(window).requests[-1]
    assert isinstance(request, protocol.RunText)
    assert (request.first_line, request.lines) == (1, (10, 16))
    assert request.text == editor.text()
    assert editor.caret_line == 17


def test_breakpoints_reach_the_engine(window: MainWindow) -> None:
    editor = window.editors.current()
    assert editor is not None
    editor.stops.toggle(6)
    assert engine_of(window).requests[-1] == protocol.SetBreakpoints(
        (protocol.Breakpoint(str(QUICKSTART), 6),)
    )


def test_a_pause_shows_the_place_and_the_buttons(window: MainWindow, qtbot: QtBot) -> None:
    editor = window.editors.current()
    assert editor is not None
    paused = protocol.StateChanged(protocol.RunState.PAUSED)
    for event in (paused, protocol.Paused((("f", str(QUICKSTART), 13, 1),), "breakpoint")):
        window.bridge.receive(event)
    qtbot.waitUntil(lambda: editor.caret_line == 13)
    assert window.commands.actions["debug.step"].isEnabled()
    window.commands.run("debug.step")
    assert engine_of(window).requests[-1] == protocol.DebugCommand("step")


def test_a_pause_leaves_the_keyboard_at_the_prompt(window: MainWindow, qtbot: QtBot) -> None:
    editor = window.editors.current()
    assert editor is not None
    window.to_command_window()
    prompt = window.command_window.input
    qtbot.waitUntil(prompt.hasFocus)
    frames = (("f", str(QUICKSTART), 13, 1), ("quickstart", str(QUICKSTART), 5, 1))
    window.bridge.receive(protocol.StateChanged(protocol.RunState.PAUSED))
    window.bridge.receive(protocol.Paused(frames, "breakpoint"))
    qtbot.waitUntil(lambda: editor.caret_line == 13)
    assert prompt.hasFocus()
    window.bridge.receive(protocol.FrameShown(1))
    qtbot.waitUntil(lambda: editor.caret_line == 5)
    assert prompt.hasFocus()


RUNS = ("run.file", "run.section", "run.advance", "run.selection", "run.compare", "run.whatif")


def test_a_run_key_is_answered_while_a_script_runs(window: MainWindow, qtbot: QtBot) -> None:
    editor = window.editors.current()
    assert editor is not None
    window.bridge.receive(protocol.StateChanged(protocol.RunState.RUNNING))
    qtbot.waitUntil(lambda: window.run_model.busy)
    posted, line = len(engine_of(window).requests), editor.caret_line
    for command in RUNS:
        window.status.notify("before")
        window.commands.actions[command].trigger()
        assert window.status._notice.text() == "A script is running; stop it first", command
    assert (len(engine_of(window).requests), editor.caret_line) == (posted, line)


def test_run_section_takes_all_that_a_loop_spans_and_goes_on_behind(window: MainWindow) -> None:
    editor = window.editors.new("for k = 1:2\n%% B\nk\nend\n%% C\nz = 3;\n")
    editor.go_to(3)
    window.commands.run("run.advance")
    run = engine_of(window).requests[-1]
    assert isinstance(run, protocol.RunText)
    assert run.lines == (1, 4)
    assert editor.caret_line == 5
    editor.setSavePoint()


def test_a_run_that_waits_for_the_engine_is_shown_asked_for_once_and_can_be_stopped(
    window: MainWindow, qtbot: QtBot
) -> None:
    starting = protocol.RunState.STARTING
    window.bridge.receive(protocol.StateChanged(starting))
    qtbot.waitUntil(lambda: window.run_model.state == starting)
    assert not window.commands.actions["run.stop"].isEnabled(), "nothing waits"
    window.bridge.receive(protocol.StateChanged(starting, "/work/a.m"))
    qtbot.waitUntil(lambda: window.run_model.busy)
    assert window.status._state.text() == "○ starting: a.m"
    posted = len(engine_of(window).requests)
    window.commands.actions["run.file"].trigger()
    assert len(engine_of(window).requests) == posted
    window.commands.actions["run.stop"].trigger()
    assert engine_of(window).stopped == 1
    window.bridge.receive(protocol.StateChanged(protocol.RunState.ABSENT))
    qtbot.waitUntil(lambda: not window.run_model.busy)
    assert window.status._state.text() == "○ no engine"


@pytest.mark.parametrize("state", ["PAUSED", "WAITING_INPUT", "RUNNING"])
def test_stop_ends_what_runs_in_every_state(window: MainWindow, qtbot: QtBot, state: str) -> None:
    window.bridge.receive(protocol.StateChanged(protocol.RunState[state]))
    qtbot.waitUntil(lambda: window.run_model.busy)
    window.commands.actions["run.stop"].trigger()
    assert engine_of(window).stopped == 1


def test_the_palette_runs_what_fits_best(window: MainWindow, qtbot: QtBot) -> None:
    window.commands.run("view.palette")
    palette = window.palettes.palette
    assert palette is not None
    for words, command in (("run file", "Run: Run File"), ("file run", "Run: Run File")):
        best = fuzzy_match.best(words, palette.entries, lambda entry: entry.title, 1)
        assert best[0][0].title == command
    qtbot.keyClicks(palette.field, "layout gpu")
    qtbot.keyClicks(palette.field, "")
    palette.field.setText("gpu")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.layout_name == "gpu"
    assert not palette.isVisible()


def test_a_file_changed_by_others_is_read_again(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "a.m"
    file.write_text("x = 1;\n")
    editor = window.open_file(file)
    assert editor is not None
    file.write_text("x = 2;\n")
    qtbot.waitUntil(lambda: editor.text() == "x = 2;\n")
    editor.appendText(1, "y")
    file.write_text("x = 3;\n")
    qtbot.waitUntil(lambda: "unsaved text is kept" in window.status._notice.text())
    assert editor.text() == "x = 2;\ny"


def test_what_is_no_text_is_not_opened(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "a.mat"
    file.write_bytes(b"\0\1\2")
    assert window.open_file(file) is None
    assert "not a text file" in window.status._notice.text()


def test_a_killed_window_loses_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    first = make_window(qtbot, SessionStore(tmp_path))
    saved = tmp_path / "saved.m"
    saved.write_text("a = 1;\nb = 2;\n")
    editor = first.open_file(saved)
    assert editor is not None
    editor.stops.put(2, Stop(condition="a == 1"))
    editor.go_to(2)
    editor.appendText(6, "c = 3;")
    first.editors.new("untitled = true;", "untitled1.m")
    journal = tmp_path / "session.json"
    qtbot.waitUntil(lambda: journal.exists() and "untitled = true" in journal.read_text())

    store = SessionStore(tmp_path)
    second = make_window(qtbot, store)
    store.restore(second)
    texts = {e.name: (e.text(), e.stops.all()) for e in second.editors.editors()}
    assert texts == {
        "saved.m": ("a = 1;\nb = 2;\nc = 3;", [(2, Stop(condition="a == 1"))]),
        "untitled1.m": ("untitled = true;", []),
    }
    for window in (first, second):
        window.store.detach()
        for left in window.editors.editors():
            left.setSavePoint()
        window.close()


def test_a_broken_session_file_is_told_about(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "session.json").write_text("{broken")
    store = SessionStore(tmp_path)
    assert store.state == {}
    assert "could not be read" in store.problem
    assert [p.name for p in tmp_path.glob("session.json*")] == ["session.json.broken-1"]


def test_a_chosen_variable_lights_up_everywhere(window: MainWindow, qtbot: QtBot) -> None:
    window.use_layout("gpu")
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.wall_ms is not None)
    for panel in ("workspace", "transfers", "residency"):
        window.docks.show_panel(panel)
        qtbot.waitUntil(lambda panel=panel: window.panel(panel).table.model().rowCount() > 0)  # type: ignore[attr-defined]
    workspace = window.panel("workspace")
    qtbot.waitUntil(lambda: workspace.model.row_of("t") >= 0)  # type: ignore[attr-defined]
    row = workspace.model.row_of("t")  # type: ignore[attr-defined]
    workspace._on_click(workspace.model.index(row, 0))  # type: ignore[attr-defined]
    editor = window.editors.current()
    assert editor is not None
    place = editor.text().index("t = linspace")
    assert editor.indicatorValueAt(Indicator.WRITTEN, place)
    assert not editor.indicatorValueAt(Indicator.READ, editor.text().index("lines of maths"))
    assert window.panel("residency").table.selected().value.name == "t"  # type: ignore[attr-defined]
    assert window.panel("transfers").table.selected().row.variable == "t"  # type: ignore[attr-defined]


def test_files_are_dropped_and_remembered(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "dropped.m"
    file.write_text("x = 1;\n")
    window.editors.current().uriDropped.emit(file.as_uri())  # type: ignore[union-attr]
    assert window.editors.editor_of(str(file)) is not None
    window.open_any(tmp_path)
    assert window.current_folder == tmp_path
    assert engine_of(window).requests[-1] == protocol.ChangeFolder(str(tmp_path))
    window.commands.run("file.recent")
    palette = window.palettes.palette
    assert palette is not None
    assert [e.title for e, _ in palette._model.found] == ["dropped.m", "quickstart.m"]
    palette.close_palette()


def test_own_layouts_come_back(window: MainWindow) -> None:
    window.docks.move_panel("workspace", "left2")
    window.store.save_layout("mine", window.docks.save())
    window.use_layout("gpu")
    window.commands.run("view.own_layouts")
    palette = window.palettes.palette
    assert palette is not None
    palette._run(palette._model.index(0, 0))
    assert window.docks.area_of("workspace") == "left2"


def test_a_closed_window_leaves_nothing_behind(qapp: QApplication) -> None:
    before = len(qapp.allWidgets())
    for layout in ("gpu", "debug"):
        window = MainWindow(QUICKSTART.parent, SessionStore(None))
        window.use_layout(layout)
        window.open_file(QUICKSTART)
        window.show()
        window.bridge.start(FakeEngine)
        window.commands.run("run.file")
        window.bridge.drain()
        window.close()
        window.deleteLater()
        del window
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert len(qapp.allWidgets()) <= before
    timers = [t for t in gc.get_objects() if type(t) is QTimer and shiboken6.isValid(t)]
    assert not [t for t in timers if t.isActive()]


@pytest.mark.parametrize(
    "ask",
    [
        lambda window: window.panel("workspace")._save(),
        lambda window: window.panel("workspace")._load(),
        lambda window: window.panel("timeline")._save(),
        lambda window: window.panel("timeline")._open(),
        lambda window: window.commands.run("file.open"),
    ],
    ids=["save variables", "load variables", "save trace", "open trace", "open file"],
)
def test_dialogs_for_files_begin_in_the_current_folder(
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ask: Callable[[MainWindow], None],
) -> None:
    """The process is elsewhere while the engine of a folder that is not trusted has its own."""
    begun: list[str] = []

    def answer(_parent: object, _title: str, start: str, *_more: object) -> tuple[str, str]:
        begun.append(start)
        return "", ""

    for name in ("getOpenFileName", "getOpenFileNames"):
        monkeypatch.setattr(QFileDialog, name, answer)
    monkeypatch.setattr(QFileDialog, "exec", lambda dialog: begun.append(dialog.directory().path()))
    window.change_folder(tmp_path)
    ask(window)
    (start,) = begun
    assert tmp_path in (Path(start), Path(start).parent)


@pytest.mark.parametrize("again", [True, False], ids=["opened anew", "gone"])
@pytest.mark.parametrize("width", [700, 1400])
def test_a_lost_device_is_told_where_the_device_is_shown(
    window: MainWindow, qtbot: QtBot, width: int, again: bool
) -> None:
    """It was told in the log only, and the bar went on showing the device."""
    window.resize(width, 700)
    card = DeviceRow("Card 9", backend="Vulkan", type="discrete")
    window.run_model.device = card
    detail = "the device was lost (gone); " + ("it was opened anew" if again else "the host ...")
    window.bridge.receive(protocol.RunStarted("a.m", 71))
    rows = RunRows(boundaries=(BoundaryRow(3, "device-lost", detail),))
    window.bridge.receive(protocol.TelemetryBatch(rows))
    shown = window.status._device
    qtbot.waitUntil(lambda: shown.text() == "Card 9 · Vulkan · device lost")
    assert shown.isVisible()
    assert shown.toolTip() == detail
    assert shown.property("state") == "error"
    now = card if again else DeviceRow(reason="no adapter")
    window.bridge.receive(protocol.RunFinished(71, "ok", 1.0, rows, now))
    name = "Card 9 · Vulkan" if again else "host only"
    qtbot.waitUntil(lambda: shown.text() == f"{name} · device lost" and not window.run_model.busy)
    window.bridge.receive(protocol.RunStarted("a.m", 72))
    qtbot.waitUntil(lambda: shown.text() == name)
    assert shown.toolTip() == ("Card 9" if again else "no adapter")
    assert not shown.property("state")
    window.bridge.receive(protocol.RunFinished(72, "ok", 1.0))
