"""The variable editor on a live session: overview, copying, pasting, editing, far rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from app.ui.panels.variable_text import (
    cells_of,
    matrix_code,
    new_variable_code,
    pasted_code,
    typed_code,
)
from app.ui.shell.main_window import MainWindow
from tests.support.window import opened_variable, run, variable

Open = Callable[..., MainWindow]


def test_tables_are_read_and_written() -> None:
    assert cells_of("1\t2\n3\t4\n") == [["1", "2"], ["3", "4"]]
    assert cells_of("1 2\n3") == []
    assert cells_of('"Gr""ace"\t85\r\n"two\nlines"\t86\r\n') == [
        ['Gr"ace', "85"],
        ["two\nlines", "86"],
    ]
    assert cells_of("1,5\t-2,25\n1.234,5\t1.234\n") == [["1.5", "-2.25"], ["1234.5", "1234"]]
    assert cells_of("x\t,5\n1,500\t2\n") == [["x", ".5"], ["1.500", "2"]]
    for kept in ("1,500\t2,000", "1.5\t2,25", "0.125\t2,25", "1,2,3\tx", "1,234.5\t1,50"):
        assert cells_of(kept) == [kept.split("\t")]
    assert cells_of("Ada Lovelace") == [["Ada Lovelace"]]
    assert cells_of("Ada Lovelace\nGrace B. Hopper\n") == [["Ada Lovelace"], ["Grace B. Hopper"]]
    assert cells_of("name, age\nAda, 36") == [["name", "age"], ["Ada", "36"]]
    assert cells_of("Hello, world") == [["Hello, world"]]
    assert cells_of("\n") == cells_of("1\t2\n3") == []
    assert matrix_code([["1e3", "-NaN"], ["true", ".5"]]) == "[1e3, -NaN; true, .5]"
    assert matrix_code([["system('x')"]]) == ""


def test_what_a_spreadsheet_copies_becomes_a_value() -> None:
    sheet = cells_of("name\tvalue\r\nfirst one\t1.5\r\nsecond\t\r\n")
    assert new_variable_code(sheet) == (
        'table(["first one"; "second"], [1.5; NaN], \'VariableNames\', ["name", "value"])'
    )
    assert new_variable_code(cells_of("1\t\n\t4")) == "[1, NaN; NaN, 4]"
    assert new_variable_code(cells_of('a "b"\tc')) == '["a ""b""", "c"]'
    assert new_variable_code([]) == ""
    assert pasted_code([["x", "2"]], "cell", "cell") == '{"x", 2}'
    assert pasted_code([["x"]], "numeric", "double") == ""
    assert pasted_code([["2024-01-05"]], "elements", "datetime") == '["2024-01-05"]'


@pytest.mark.parametrize(
    ("typed", "shown", "kind", "code"),
    [
        ("bye", '"hello"', "text", '"bye"'),
        ("f(x) [1]", '"hello"', "text", '"f(x) [1]"'),
        ("it's", "'two'", "cell", "'it''s'"),
        ("5", "'two'", "cell", "5"),
        ("[1 2]", "'two'", "struct", "[1 2]"),
        ("magic(3)", "'two'", "cell", "magic(3)"),
        ("'q'", '"s"', "table", "'q'"),
        ("36", '"s"', "table", '"36"'),
        ("zed", "'a'", "table", "'zed'"),
        ("red", "blue", "table", '"red"'),
        ("2025-03-04", "01-Jan-2024", "table", '"2025-03-04"'),
        ("pi", "1.5", "table", "pi"),
        ("2i", "1-2.5i", "table", "2i"),
        ("pi", "NaN", "numeric", "pi"),
        ("datetime(2024,1,2)", "01-Jan-2024", "elements", "datetime(2024,1,2)"),
        ("small", "large", "elements", '"small"'),
    ],
)
def test_what_is_typed_over_a_text_is_one(typed: str, shown: str, kind: str, code: str) -> None:
    assert typed_code(typed, shown, kind) == code


def test_a_table_is_copied_and_pasted(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("A = zeros(4, 3);\n")
    run(window, qtbot)
    panel = opened_variable(window, qtbot, "A")
    panel.grid.setCurrentIndex(panel.model.index(1, 1))
    QApplication.clipboard().setText("5\t6\n7\t8\n9\t10")
    qtbot.keyClick(panel.grid, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.model.text(3, 2) == "10")
    assert panel.model.text(1, 1) == "5"
    everything = QItemSelectionModel.SelectionFlag.ClearAndSelect
    panel.grid.selectionModel().select(panel.model.index(1, 1), everything)
    panel.grid.selectionModel().select(
        panel.model.index(1, 2), QItemSelectionModel.SelectionFlag.Select
    )
    qtbot.keyClick(panel.grid, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: QApplication.clipboard().text() == "5\t6")
    panel.paste("not numbers")
    assert "cannot be pasted" in window.status._notice.text()


def test_a_cell_with_several_lines_is_pasted(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("c = cell(2, 2);\n")
    run(window, qtbot)
    panel = opened_variable(window, qtbot, "c")
    panel.grid.setCurrentIndex(panel.model.index(0, 0))
    panel.paste('"one ""1""\nand two"\t3,5\n4\t5')
    qtbot.waitUntil(lambda: panel.model.text(0, 1) == "3.5")
    assert panel.model.text(0, 0) == '"one "1"↵and two"'


@pytest.mark.parametrize("refused", ["3 + )", "nosuch + 1", "[1 2 3]"])
def test_an_edit_that_is_refused_stays_with_its_error(
    open_window: Open, qtbot: QtBot, refused: str
) -> None:
    window = open_window("A = zeros(4, 3);\n")
    run(window, qtbot)
    panel = opened_variable(window, qtbot, "A")
    grid, problem = panel.grid, panel.writing._problem
    grid.setCurrentIndex(panel.model.index(1, 1))

    def field() -> QLineEdit:
        return next(f for f in grid.findChildren(QLineEdit) if not f.isHidden())

    qtbot.keyClick(grid, Qt.Key.Key_F2)
    field().setText("")
    qtbot.keyClicks(field(), refused)
    qtbot.keyClick(field(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not problem.isHidden())
    assert field().text() == refused
    assert field().accessibleDescription() == problem.text() != ""
    assert field().geometry() == grid.visualRect(panel.model.index(1, 1))
    qtbot.keyClicks(field(), "x")
    assert problem.isHidden()
    field().selectAll()
    qtbot.keyClicks(field(), "8")
    qtbot.keyClick(field(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.model.text(1, 1) == "8")
    assert problem.isHidden()


def test_two_clicks_of_the_right_button_edit_nothing(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("A = zeros(4, 3);\n")
    run(window, qtbot)
    grid = opened_variable(window, qtbot, "A").grid
    place = grid.visualRect(grid.model().index(1, 1)).center()
    qtbot.mouseDClick(grid.viewport(), Qt.MouseButton.RightButton, pos=place)
    assert not grid.findChildren(QLineEdit)
    qtbot.mouseDClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert grid.findChildren(QLineEdit)


def test_a_matrix_is_seen_as_a_whole(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("A = (1:3000)' * ones(1, 400, 'single');\nA = A + 0.5;\n", device="gpu")
    run(window, qtbot)
    panel = opened_variable(window, qtbot, "A")
    window.docks.show_panel("variable")
    qtbot.waitUntil(panel.heat_map.isVisible)
    shown = panel.heat_map.overview
    assert shown.size == (3000, 400)
    assert len(shown.values) == len(shown.values[0]) == 64
    assert (shown.values[0][0], shown.values[-1][0]) == (1.5, 3000.5)
    before = window.run_model.counters.get("download_bytes", 0)
    assert before < 3000 * 400 * 4
    panel.heat_map.place_wanted.emit(2900, 350)
    assert (panel.grid.currentIndex().row(), panel.grid.currentIndex().column()) == (2900, 350)
    qtbot.waitUntil(lambda: panel.model.text(2900, 350) == "2901.5")
    panel.grab()


def test_statistics_come_on_demand(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = linspace(-1, 3, 5000);\nx(7) = NaN;\n")
    run(window, qtbot)
    panel = opened_variable(window, qtbot, "x")
    assert panel._statistics.text() == ""
    qtbot.mouseClick(panel._measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "nan 1" in panel._statistics.text())
    assert "min -1" in panel._statistics.text()
    assert "max 3" in panel._statistics.text()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("s.a = 1; s.b = 'two';", "struct"),
        ("s = {1, 'two'};", "cell"),
        ('s = ["a", "b"];', "text"),
        ("s = table([1;2], {'x';'y'});", "table"),
        ("s = @(x) x + 1;", "object"),
        ("s = datetime(2024, 1, 2);", ""),
    ],
)
def test_every_kind_has_a_viewer(open_window: Open, qtbot: QtBot, code: str, kind: str) -> None:
    window = open_window(f"{code}\n")
    run(window, qtbot)
    assert variable(window, "s") is not None
    panel = opened_variable(window, qtbot, "s")
    assert panel.model.kind == kind or (not kind and panel.model.kind)
    assert panel.model.text(0, 0)
    if kind == "table":
        assert [panel.model.text(1, n) for n in range(2)] == ["2", "'y'"]
