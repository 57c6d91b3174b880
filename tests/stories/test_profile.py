"""Where the time of a run went: lines, functions, flame graph, margin, baseline."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from app.ui.editor.marks import Margin
from app.ui.run_model import call_tree
from app.ui.shell.main_window import MainWindow
from tests.support.window import run

Open = Callable[..., MainWindow]
SCRIPT = """\
total = 0;
for k = 1:20
    total = total + slow(k);
end

function r = slow(k)
    for j = 1:2
        s = regexprep(sprintf('%d,', 1:2000), '1', num2str(k + j));
    end
    r = numel(strsplit(s, ','));
end
"""
STACKS = (
    ((("main", "m.m", 2), ("inner", "m.m", 7)), 30.0),
    ((("main", "m.m", 2), ("inner", "m.m", 8), ("inner", "m.m", 7)), 10.0),
    ((("main", "m.m", 1),), 5.0),
)


def test_stacks_become_calls_functions_and_lines() -> None:
    tree = call_tree.tree(STACKS)
    main = tree.calls["main", "m.m"]
    assert (tree.ms, main.ms, main.own_ms) == (45.0, 45.0, 5.0)
    assert main.calls["inner", "m.m"].line == 7
    table = {f.name: (f.total_ms, f.own_ms) for f in call_tree.functions(STACKS)}
    assert table == {"main": (45.0, 5.0), "inner": (40.0, 40.0)}
    assert call_tree.line_times(STACKS)["m.m", 7] == 40.0


def test_the_profile_of_a_run(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(SCRIPT)
    window.docks.show_panel("profile")
    panel = window.panel("profile")
    run(window, qtbot)
    qtbot.waitUntil(lambda: panel.functions.rowCount() == 2)  # type: ignore[attr-defined]
    names = [f.name for f in panel.functions.rows]  # type: ignore[attr-defined]
    assert sorted(names) == ["slow", "story"]
    lines = {line.number: line for line in panel.model.rows}  # type: ignore[attr-defined]
    assert lines[3].total_ms > 0
    assert any(line.total_ms > 0 for number, line in lines.items() if number > 6)
    panel.switch.choose(2)  # type: ignore[attr-defined]
    flame = panel.flame  # type: ignore[attr-defined]
    qtbot.waitUntil(flame.isVisible)
    slow = next(call for call, _ in flame.placed() if call.name == "slow")
    area = next(area for call, area in flame.placed() if call is slow)
    assert flame.call_at(area.center()) is slow
    assert "of the run" in flame.words(slow)
    flame.zoom(slow)
    assert flame.placed()[0][0] is slow
    flame.grab()
    panel.pin()  # type: ignore[attr-defined]
    assert all(line.change_ms == 0 for line in panel.model.rows)  # type: ignore[attr-defined]


def test_times_stand_in_the_margin_unless_unwanted(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(SCRIPT)
    editor = window.editors.current()
    assert editor is not None
    assert editor.marginWidthN(Margin.TIMES) == 0
    window.commands.run("run.file")
    width = editor.marginWidthN(Margin.TIMES)
    assert width > 0, "the text moves when the run is asked for, not when it ends"
    qtbot.waitUntil(lambda: b"s" in bytes(editor.marginText(2).data()))
    assert editor.marginWidthN(Margin.TIMES) == width
    window.run_code("x = 1;")
    qtbot.waitUntil(lambda: not window.run_model.busy)
    assert editor.marginWidthN(Margin.TIMES) == width
    window.commands.run("view.times")
    assert editor.marginWidthN(Margin.TIMES) == 0
