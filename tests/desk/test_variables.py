"""The variable editor beside a running script, and edits that wait for it."""

from __future__ import annotations

from tests.desk.desk import Desk


def opened(desk: Desk, name: str, row: float) -> None:
    desk.click("window.panel('workspace').table.viewport()", (0.1, row), times=2)
    desk.wait(f"in_front('variable') and window.panel('variable').current.model.name == {name!r}")


def test_an_edit_while_a_script_runs_is_kept_and_said(desk: Desk) -> None:
    desk.run("kept = magic(3);")
    opened(desk, "kept", 0.03)
    desk.wait("window.panel('variable').current.model.rowCount() == 3")
    desk.open("for k = 1:40, pause(0.05); end\n")
    desk.to_editor()
    desk.key("F5")
    desk.wait("state() == 'RUNNING'")
    desk.click("window.panel('variable').current.grid.viewport()", (0.05, 0.1))
    desk.wait("focus() == 'Values'")
    desk.key("F2")
    desk.wait("focus().startswith('New value')")
    desk.key("ctrl+a")
    desk.type("77")
    desk.key("Return")
    desk.wait("'as soon as the script has ended' in window.status._notice.text()")
    desk.wait("state() == 'IDLE'")
    desk.wait("window.panel('variable').current.model.text(0, 0) == '77'")


def test_a_variable_that_waits_says_its_size(desk: Desk) -> None:
    desk.run("first = 1; large = rand(3000, 7);")
    opened(desk, "first", 0.03)
    desk.open("s = 0; for k = 1:3e9, s = s + k; end\n")  # machine code: no questions meanwhile
    desk.to_editor()
    desk.key("F5")
    desk.wait("state() == 'RUNNING'")
    opened(desk, "large", 0.1)
    assert "0×0" not in desk.ask("window.panel('variable').current._about.text()")
    assert "3000×7 double" in desk.ask("window.panel('variable').current._about.text()").replace(
        ",", ""
    )
    desk.key("ctrl+F2")
    desk.wait("state() == 'IDLE'")
    desk.wait("window.panel('variable').current.model.rowCount() == 3000")


TABS = "[window.panel('variable').tabs.tabText(n) for n in range(window.panel('variable').tabs.count())]"
CELLS = "[[v.model.text(r, c) for c in range(v.model.columnCount())] for v in [window.panel('variable').current] for r in range(v.model.rowCount())]"


def test_several_variables_are_open_at_once(desk: Desk) -> None:
    desk.run("first = magic(3); second = {1, 'a'};")
    opened(desk, "first", 0.03)
    opened(desk, "second", 0.1)
    assert desk.ask(TABS) == ["first", "second"]
    desk.click("window.panel('variable').tabs.tabBar()", (0.02, 0.5))
    desk.wait("window.panel('variable').current.model.name == 'first'")
    desk.run("second = {5}; first = magic(4);")
    opened(desk, "second", 0.1)
    desk.wait(f"{CELLS} == [['5']]")
    opened(desk, "first", 0.03)
    desk.wait("window.panel('variable').current.model.rowCount() == 4")
    desk.ask("window.panel('variable').close_tab(0)")
    assert desk.ask(TABS) == ["second"]


def test_dates_categories_and_tables_are_shown_as_they_are_written(desk: Desk) -> None:
    desk.run(
        "d = datetime(2024, 1, 1:2); c = categorical({'x', 'y'; 'y', 'x'});"
        " t = table([1; 2], d', c(:, 1));"
    )
    opened(desk, "c", 0.03)
    desk.wait(f"{CELLS} == [['x', 'y'], ['y', 'x']]")
    opened(desk, "d", 0.1)
    desk.wait(f"{CELLS} == [['01-Jan-2024', '02-Jan-2024']]")
    opened(desk, "t", 0.17)
    desk.wait(f"{CELLS} == [['1', '01-Jan-2024', 'x'], ['2', '02-Jan-2024', 'y']]")


def test_a_table_from_a_spreadsheet_becomes_a_variable(desk: Desk) -> None:
    desk.run("first = zeros(2, 2);")
    desk.put_on_clipboard("name\tvalue\nfirst one\t1.5\nsecond\t\n")
    desk.click("window.panel('workspace').table.viewport()", (0.1, 0.03))
    desk.key("ctrl+v")
    desk.wait("'pasted' in [v.name for v in window.run_model.variables]")
    desk.run("disp(pasted.value(1)); disp(pasted.name(1))")
    desk.wait("'1.5000' in output() and 'first one' in output()")
    opened(desk, "first", 0.03)
    desk.click("window.panel('variable').current.grid.viewport()", (0.05, 0.1))
    desk.put_on_clipboard("7\t8\n\t9\n")
    desk.key("ctrl+v")
    desk.wait(f"{CELLS} == [['7', '8'], ['NaN', '9']]")
    desk.key("ctrl+z")
    desk.wait(f"{CELLS} == [['0', '0'], ['0', '0']]")


def test_elements_are_written_one_after_another(desk: Desk) -> None:
    desk.run("m = zeros(3); openvar m")
    desk.wait(f"focus() == 'Values' and {CELLS} == [['0'] * 3] * 3")
    desk.key("Right")
    desk.type("12")
    desk.key("Return")
    desk.type("2^5")
    desk.key("Tab")
    desk.type("pi")
    desk.key("Up")
    desk.type("99")
    desk.key("Escape", "F2", "End", "Up")
    desk.wait(f"{CELLS} == [['0', '12', '0'], ['0', '32', '3.14159'], ['0', '0', '0']]")
    desk.wait("window.panel('variable').current.grid.currentIndex().row() == 0")
    desk.type("7")
    desk.click("window.panel('variable').current.grid.viewport()", (0.02, 0.9))
    desk.wait(f"{CELLS}[0][2] == '7'")


def test_what_is_copied_has_all_rows_and_all_digits(desk: Desk) -> None:
    desk.run("m = (1:300)' * [pi, 1/3, 100]; openvar m")
    desk.wait("focus() == 'Values' and window.panel('variable').current.model.rowCount() == 300")
    desk.key("ctrl+a", "ctrl+c")
    desk.wait("'942.4777960769379' in QApplication.clipboard().text()")
    lines = desk.clipboard().split("\n")
    assert len(lines) == 300
    assert lines[0] == "3.141592653589793\t0.3333333333333333\t100"
    assert [float(line.split("\t")[0]) for line in lines][-1] == 300 * 3.141592653589793


def test_the_menu_of_a_grid_sorts_and_deletes_and_that_is_undone(desk: Desk) -> None:
    desk.run("m = [3 1; 1 2; 2 3]; openvar m")
    before = [["3", "1"], ["1", "2"], ["2", "3"]]
    desk.wait(f"focus() == 'Values' and {CELLS} == {before!r}")
    grid = "window.panel('variable').current.grid.viewport()"
    for steps_up, after in (
        (5, [["3", "1"], ["2", "3"], ["1", "2"]]),  # sorted by column 1, descending
        (4, [["0", "0"], ["3", "1"], ["1", "2"], ["2", "3"]]),  # a row above row 1
        (3, [["0", "3", "1"], ["0", "1", "2"], ["0", "2", "3"]]),  # a column before column 1
        (2, [["1", "2"], ["2", "3"]]),  # row 1 deleted
        (1, [["1"], ["2"], ["3"]]),  # column 1 deleted
    ):
        desk.click(grid, (0.02, 0.1), button=3)
        desk.wait("QApplication.activePopupWidget() is not None")
        desk.key(*["Up"] * steps_up, "Return")
        desk.wait(f"{CELLS} == {after!r}")
        desk.key("ctrl+z")
        desk.wait(f"{CELLS} == {before!r}")
