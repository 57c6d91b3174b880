"""Where a variable is read and written, and how one is followed through the window."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.ui.editor.marks import Indicator
from app.ui.panels.timeline import TimelinePanel
from app.ui.run_model.variable_uses import uses
from app.ui.shell.main_window import MainWindow
from tests.support.window import marked_lines


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("y = sin(x) .* y", ["W", "r"]),
        ("y(2:end, f(y)) = 3", ["W", "r"]),
        ("[m, y] = max(y)", ["W", "r"]),
        ("[y, m] = deal(1, 2)", ["W"]),
        ("y.part(3).name = 4; z = y", ["W", "r"]),
        ("if y == 2, y = 3; end", ["r", "W"]),
        ("for y = 1:3", ["W"]),
        ("z = f(y) == 1", ["r"]),
        ("s.y = y1 + my", []),
        ("y(1) + y == 3", ["r", "r"]),
    ],
)
def test_reads_and_writes_of_a_line(line: str, found: list[str]) -> None:
    assert ["W" if written else "r" for _, _, written in uses(line, "y")] == found


def test_a_variable_is_followed_in_editor_timeline_and_tables(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.use_layout("gpu")
    window.docks.show_panel("residency")
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: bool(window.run_model.spans))
    editor = window.editors.current()
    assert editor is not None
    line = next(n for n, text in enumerate(editor.lines()) if text.startswith("t ="))
    editor.go_to(line + 1)
    window.commands.run("view.follow")
    assert window.variable_highlight.name == "t"
    assert marked_lines(window, Indicator.WRITTEN) == [line + 1]
    assert line + 2 in marked_lines(window, Indicator.READ)
    timeline = window.panel("timeline")
    assert isinstance(timeline, TimelinePanel)
    assert timeline.view.lines == set(window.variable_highlight.lines)
    assert window.status._notice.text() == f"t: written 1×, read 3× in {editor.name}, 1 transfer"
    window.variable_highlight.follow("elsewhere")
    assert window.status._notice.text() == f"elsewhere: not used in {editor.name}, 0 transfers"
    window.variable_highlight.follow("t")
    editor.go_to(line + 1)
    window.commands.run("view.follow")
    assert marked_lines(window, Indicator.WRITTEN) == []
    assert timeline.view.lines == frozenset()
