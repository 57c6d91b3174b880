"""What a run found out is marked in the editor and listed, until the line is edited."""

from __future__ import annotations

from typing import Any

from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.run_notes import RunNotes
from app.ui.shell.main_window import MainWindow
from tests.stories.conftest import Open
from tests.support.adapters import require_adapter

SCRIPT = """\
x = rand(4e5, 1, 'single');
y = sin(x) .* x;
s = 0;
for k = 1:8
    s = s + y(k * 1000);  % one by one
end
z = sort(y + 1);
w = num2cell(double(z));
r = [];
for k = 1:3
    r(end+1) = k;
end
"""


def run(window: MainWindow, qtbot: QtBot) -> None:
    """Run the file in front, to its end."""
    number = window.run_model.run
    window.commands.run("run.file")
    qtbot.waitUntil(
        lambda: (
            window.run_model.run > number
            and window.run_model.wall_ms is not None
            and window.run_model.state == RunState.IDLE
        ),
    )


def in_front(window: MainWindow) -> tuple[CodeEditor, RunNotes, Any]:
    """The editor, its notes and the Problems panel."""
    editor = window.editors.current()
    assert editor is not None
    notes = editor.findChild(RunNotes)
    assert isinstance(notes, RunNotes)
    window.docks.show_panel("problems")
    return editor, notes, window.panel("problems")


def codes(rows: Any) -> set[tuple[str, int]]:
    """Code and line."""
    return {(row.code, row.line) for row in rows}


def test_a_live_run_marks_what_costs(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(SCRIPT, device="gpu")
    run(window, qtbot)
    require_adapter(window.run_model.device.features)
    editor, notes, panel = in_front(window)
    found = codes(notes.findings())
    assert {("scalar-reads", 5), ("forced-download", 8)} <= found
    (read,) = (f for f in notes.findings() if f.code == "scalar-reads")
    assert "'y'" in read.message
    assert "8 downloads of 32 B" in read.message
    position = editor.positionFromLine(4) + 8
    assert read.message in [f.message for f in notes.at(position)]
    assert notes.at(editor.lineEndPosition(4) - 1) == []  # the comment is not marked
    qtbot.waitUntil(lambda: ("grows-in-loop", 11) in codes(panel.problems()))

    editor.insertText(editor.positionFromLine(2), "% a new line\n")  # marks move with the text
    assert ("forced-download", 9) in codes(notes.findings())
    editor.insertText(editor.positionFromLine(5) + 4, " ")  # an edit takes its line's away
    left = codes(notes.findings())
    assert ("scalar-reads", 6) not in left
    assert ("forced-download", 9) in left
    qtbot.waitUntil(lambda: ("scalar-reads", 6) not in codes(panel.problems()))
    assert ("forced-download", 9) in codes(panel.problems())


def test_the_panel_says_how_old_values_are_and_what_used_them(
    open_window: Open, qtbot: QtBot
) -> None:
    window = open_window(SCRIPT, device="gpu")
    run(window, qtbot)
    require_adapter(window.run_model.device.features)
    row = window.run_model.residency["y"]
    assert row.last_use in (7, 8)
    assert row.age_ms > row.idle_ms > 0
    window.docks.show_panel("residency")
    panel: Any = window.panel("residency")
    qtbot.waitUntil(lambda: panel.model.rowCount() > 0)
    titles = [column.title for column in panel.model.columns]
    held = next(held for held in panel.model.rows if held.value.name == "y")
    texts = {c.title: c.text(held) for c in panel.model.columns}
    assert {"Age", "Last use"} <= set(titles)
    assert texts["Last use"].startswith(f"line {row.last_use} · ")


def test_the_quick_fix_preallocates(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("r = [];\nfor k = 1:3\n    r(end+1) = k;\nend\n")
    editor, _, panel = in_front(window)
    qtbot.waitUntil(lambda: ("grows-in-loop", 3) in codes(panel.problems()))
    editor.go_to(3, 6)
    window.commands.run("edit.fix")
    assert editor.text() == "r = zeros(1, 3);\nfor k = 1:3\n    r(k) = k;\nend\n"
    qtbot.waitUntil(lambda: ("grows-in-loop", 3) not in codes(panel.problems()))
