"""The variable editor beside a running script, and edits that wait for it."""

from __future__ import annotations

from tests.desk.desk import Desk


def opened(desk: Desk, name: str, row: float) -> None:
    desk.click("window.panel('workspace').table.viewport()", (0.1, row), times=2)
    desk.wait(f"in_front('variable') and window.panel('variable').model.name == {name!r}")


def test_an_edit_while_a_script_runs_is_kept_and_said(desk: Desk) -> None:
    desk.run("kept = magic(3);")
    opened(desk, "kept", 0.03)
    desk.wait("window.panel('variable').model.rowCount() == 3")
    desk.open("for k = 1:40, pause(0.05); end\n")
    desk.to_editor()
    desk.key("F5")
    desk.wait("state() == 'RUNNING'")
    desk.click("window.panel('variable').grid.viewport()", (0.05, 0.1))
    desk.wait("focus() == 'Values'")
    desk.key("F2")
    desk.wait("focus().startswith('New value')")
    desk.key("ctrl+a")
    desk.type("77")
    desk.key("Return")
    desk.wait("'as soon as the script has ended' in window.status._notice.text()")
    desk.wait("state() == 'IDLE'")
    desk.wait("window.panel('variable').model.text(0, 0) == '77'")


def test_a_variable_that_waits_says_its_size(desk: Desk) -> None:
    desk.run("first = 1; large = rand(3000, 7);")
    opened(desk, "first", 0.03)
    desk.open("s = 0; for k = 1:3e9, s = s + k; end\n")  # machine code: no questions meanwhile
    desk.to_editor()
    desk.key("F5")
    desk.wait("state() == 'RUNNING'")
    opened(desk, "large", 0.1)
    assert "0×0" not in desk.ask("window.panel('variable')._about.text()")
    assert "3000×7 double" in desk.ask("window.panel('variable')._about.text()").replace(",", "")
    desk.key("ctrl+F2")
    desk.wait("state() == 'IDLE'")
    desk.wait("window.panel('variable').model.rowCount() == 3000")
