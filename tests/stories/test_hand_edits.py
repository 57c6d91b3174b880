"""Cells of variables changed by hand, and taken back; statistics that can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.panels.variable import MEASURE
from app.ui.shell.main_window import MainWindow
from tests.support.window import (
    finish,
    opened_variable,
    output,
    paused_at,
    run,
    type_command,
    variable,
)

Open = Callable[..., MainWindow]
CONTROL = Qt.KeyboardModifier.ControlModifier


def change(panel: Any, qtbot: QtBot, row: int, column: int, text: str) -> None:
    """Type into a cell as a person does."""
    panel.grid.setFocus()
    qtbot.waitUntil(panel.grid.hasFocus)
    panel.grid.setCurrentIndex(panel.model.index(row, column))
    qtbot.keyClick(panel.grid, Qt.Key.Key_F2)
    field = next(f for f in panel.grid.viewport().findChildren(QLineEdit) if f.isVisible())
    qtbot.waitUntil(field.hasFocus)
    QTest.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_edits_are_undone_exactly(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("A = [pi NaN; 3 4];\n")
    run(window, qtbot)
    window.docks.show_panel("variable")
    panel = opened_variable(window, qtbot, "A")
    change(panel, qtbot, 0, 0, "7")
    qtbot.waitUntil(lambda: panel.model.text(0, 0) == "7")
    panel.grid.setCurrentIndex(panel.model.index(1, 1))
    QApplication.clipboard().setText("5\t6\n7\t8")
    qtbot.keyClick(panel.grid, Qt.Key.Key_V, CONTROL)
    qtbot.waitUntil(lambda: panel.model.size == (3, 3))
    qtbot.keyClick(panel.grid, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: panel.model.size == (2, 2) and panel.model.text(1, 1) == "4")
    qtbot.keyClick(panel.grid, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: panel.model.text(0, 0) == "3.14159")
    qtbot.keyClick(panel.grid, Qt.Key.Key_Y, CONTROL)
    qtbot.waitUntil(lambda: panel.model.text(0, 0) == "7")
    qtbot.keyClick(panel.grid, Qt.Key.Key_Z, CONTROL)
    qtbot.keyClick(panel.grid, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: "to undo" in window.status._notice.text())
    type_command(window, qtbot, "disp(A(1) == pi && isnan(A(1, 2)))")
    qtbot.waitUntil(lambda: output(window).rstrip().endswith("1"))


@pytest.mark.parametrize(
    ("code", "cell", "new", "shown"),
    [
        ('s = ["a" "b"];', (0, 1), '"new"', 's(2) == "new"'),
        ("s = {1, 'two'};", (0, 1), "[1 2]", "isequal(s{2}, [1 2])"),
        ("s.a = 1; s.b = 2;", (1, 0), "'text'", "strcmp(s.b, 'text')"),
        ("s = table([1;2], {'x';'y'});", (1, 0), "20", "s.Var1(2) == 20"),
    ],
)
def test_containers_are_edited(
    open_window: Open, qtbot: QtBot, code: str, cell: tuple[int, int], new: str, shown: str
) -> None:
    window = open_window(f"{code}\nold = s;\n")
    run(window, qtbot)
    window.docks.show_panel("variable")
    panel = opened_variable(window, qtbot, "s")
    before = panel.model.text(*cell)
    change(panel, qtbot, *cell, new)
    qtbot.waitUntil(lambda: panel.model.text(*cell) not in (before, "…"))
    qtbot.keyClick(panel.grid, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: panel.model.text(*cell) == before)
    qtbot.keyClick(panel.grid, Qt.Key.Key_Y, CONTROL)
    qtbot.waitUntil(lambda: panel.model.text(*cell) not in (before, "…"))
    type_command(window, qtbot, f"disp({shown})")
    qtbot.waitUntil(lambda: output(window).rstrip().endswith("1"))


@pytest.mark.parametrize(
    ("code", "check"),
    [
        ("s = int8([1 2; 3 4]);", "isequal(s, int8([0 0; 3 4]))"),
        ("s = {1, 'two'; 3, 4};", "isempty(s{1}) && isempty(s{3}) && s{2} == 3"),
        ('s = ["a" "b"; "c" "d"];', 'isequal(s, ["" ""; "c" "d"])'),
        ("s = datetime(2020, 1, [1 2; 3 4]);", "isequal(isnat(s), logical([1 1; 0 0]))"),
        ('s = table([1; 2], ["x"; "y"]);', "isnan(s.Var1(1)) && ismissing(s.Var2(1))"),
    ],
)
def test_selected_elements_are_cleared(
    open_window: Open, qtbot: QtBot, code: str, check: str
) -> None:
    window = open_window(f"{code}\nold = s;\n")
    run(window, qtbot)
    window.docks.show_panel("variable")
    panel = opened_variable(window, qtbot, "s")
    before = panel.model.text(0, 0)
    panel.grid.setFocus()
    panel.grid.setCurrentIndex(panel.model.index(0, 0))
    qtbot.keyClick(panel.grid, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(panel.grid, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: panel.model.text(0, 0) not in (before, "…"))
    type_command(window, qtbot, f"disp({check})")
    qtbot.waitUntil(lambda: output(window).rstrip().endswith("1"))


def test_parts_of_a_variable_take_tables_and_rows(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("s.values = [1 2 3];\nc = {1 2; 3 4};\nt = [true false];\n")
    run(window, qtbot)
    window.docks.show_panel("variable")
    panel = opened_variable(window, qtbot, "s")
    panel._on_double_click(panel.model.index(0, 0))
    qtbot.waitUntil(lambda: panel.model.place == "s.values" and panel.model.kind == "numeric")
    panel.grid.setCurrentIndex(panel.model.index(0, 1))
    panel.paste("7\t8\n9\t10")
    qtbot.waitUntil(lambda: panel.model.size == (2, 3))
    panel = opened_variable(window, qtbot, "c")
    panel.grid.setCurrentIndex(panel.model.index(1, 0))
    choose(panel, "Insert row above")
    qtbot.waitUntil(lambda: panel.model.size == (3, 2))
    panel = opened_variable(window, qtbot, "t")
    panel.grid.setCurrentIndex(panel.model.index(0, 1))
    choose(panel, "Insert column before")
    qtbot.waitUntil(lambda: panel.model.size == (1, 3))
    check = "isequal(s.values, [1 7 8; 0 9 10]) && isempty(c{2}) && c{3} == 3"
    type_command(window, qtbot, f"disp({check} && isequal(t, logical([1 0 0])) && islogical(t))")
    qtbot.waitUntil(lambda: output(window).rstrip().endswith("1"))


def choose(panel: Any, entry: str) -> None:
    """An entry of the menu of the selection."""
    menu = panel.menu()
    next(action for action in menu.actions() if action.text() == entry).trigger()
    menu.deleteLater()


def test_edits_while_paused_are_undone_too(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("f(1:3);\nfunction f(v)\nw = v;\ndisp(w)\nend\n", layout="debug")
    editor = window.editors.current()
    assert editor is not None
    editor.stops.toggle(4)
    window.commands.run("run.file")
    paused_at(window, qtbot, 4)
    window.docks.show_panel("variable")
    panel = opened_variable(window, qtbot, "w")
    change(panel, qtbot, 0, 1, "20")
    qtbot.waitUntil(lambda: panel.model.text(0, 1) == "20")
    change(panel, qtbot, 0, 2, "30")
    qtbot.waitUntil(lambda: panel.model.text(0, 2) == "30")
    qtbot.keyClick(panel.grid, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: panel.model.text(0, 2) == "3")
    finish(window, qtbot)
    qtbot.waitUntil(lambda: output(window).split()[-3:] == ["1", "20", "3"])


def test_statistics_can_be_stopped(open_window: Open, qtbot: QtBot) -> None:
    text = "x = rand(3e6, 1);\nfor k = 1:600\n    x = sin(x) + cos(x .* k);\nend\n"
    window = open_window(text)
    run(window, qtbot)
    assert variable(window, "x").where == "lazy"  # type: ignore[union-attr]
    window.panel("variable").open_variable("x")  # type: ignore[attr-defined]
    panel: Any = window.panel("variable").current  # type: ignore[attr-defined]
    qtbot.waitUntil(window.status.cancel.isVisible)
    qtbot.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    panel._measure.show()
    qtbot.mouseClick(panel._measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.status.cancel.isVisible)
    assert panel._measure.text() == "Cancel"
    qtbot.mouseClick(panel._measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    qtbot.waitUntil(lambda: panel._measure.text() == MEASURE)
    assert panel._statistics.text() == ""
