"""The variable editor asks only for what is in view, however large the variable."""

from __future__ import annotations

import random
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from app.engine import inspected
from app.engine.inspected import InspectVariable, VariablePage
from app.ui.panels.panel import Context
from app.ui.panels.variable import VariableView
from app.ui.panels.variable_widths import MOST
from app.ui.run_model.paged_model import MOST_ROWS, PAGE_ROWS, PagedModel
from app.ui.support.fonts import code_font
from tests.ui.recorded import FakeEngine, deliver

HUGE = (1_000_000_000, 1)


def answer(request: InspectVariable, size: tuple[int, ...], kind: str = "numeric") -> VariablePage:
    """What the engine would say: cells that tell their own row and column."""
    rows = range(request.rows[0], min(request.rows[1], size[0]))
    columns = range(request.columns[0], min(request.columns[1], size[1]))
    cells = tuple(tuple(f"{r}.{c}" for c in columns) for r in rows)
    return VariablePage(request, "single", size, kind, cells)


def test_a_billion_elements_take_one_page() -> None:
    asked: list[InspectVariable] = []
    model = PagedModel(asked.append)
    model.show("x")
    assert model.take(answer(asked[0], HUGE))
    assert model.rowCount() == MOST_ROWS
    assert model.text(5, 0) == "5.0"
    assert len(asked) == 1
    assert model.text(PAGE_ROWS * 3, 0) == "…"
    assert asked[1].rows == (PAGE_ROWS * 3, PAGE_ROWS * 4)
    assert model.take(answer(asked[1], HUGE))
    assert model.text(PAGE_ROWS * 3, 0) == f"{PAGE_ROWS * 3}.0"


def test_any_row_can_be_reached() -> None:
    asked: list[InspectVariable] = []
    model = PagedModel(asked.append)
    model.show("x")
    model.take(answer(asked[-1], HUGE))
    model.show_from(900_000_000)
    model.take(answer(asked[-1], HUGE))
    assert model.text(0, 0) == "900000000.0"
    assert model.headerData(0, protocol_vertical()) == "900000001"


def test_fields_have_rows_of_their_own() -> None:
    asked: list[InspectVariable] = []
    model = PagedModel(asked.append)
    model.show("s")
    cells = (("'probe'", "1×5", "char"), ("1", "1×1", "double"))
    columns = ("value", "size", "class")
    model.take(VariablePage(asked[0], "struct", (1, 1), "struct", cells, ("name", "n"), columns))
    assert (model.rowCount(), model.columnCount()) == (2, 3)
    assert model.headerData(1, protocol_vertical()) == "n"


def test_a_field_that_is_added_gets_a_row() -> None:
    asked: list[InspectVariable] = []
    model = PagedModel(asked.append)
    model.show("s")
    columns = ("value", "size", "class")
    cells = (("1", "1×1", "double"),)
    model.take(VariablePage(asked[0], "struct", (1, 1), "struct", cells, ("a",), columns))
    model.refresh()
    more = VariablePage(asked[-1], "struct", (1, 1), "struct", cells * 2, ("a", "b"), columns)
    model.take(more)
    assert (model.rowCount(), model.headerData(1, protocol_vertical())) == (2, "b")


def test_a_map_has_a_row_for_each_entry() -> None:
    asked: list[InspectVariable] = []
    model = PagedModel(asked.append)
    model.show("d")
    cells = (("'a'", "1"), ("'b'", "2"))
    names = ("key", "value")
    model.take(VariablePage(asked[0], "dictionary", (1, 1), "table", cells, (), names, entries=2))
    assert (model.rowCount(), model.text(1, 0)) == (2, "'b'")


def protocol_vertical() -> Qt.Orientation:
    """Qt's word for row headers."""
    return Qt.Orientation.Vertical


def test_answers_about_something_else_are_ignored() -> None:
    asked: list[InspectVariable] = []
    model = PagedModel(asked.append)
    model.show("x")
    old = asked[-1]
    model.show("y")
    assert not model.take(answer(old, (3, 3)))


def test_the_panel_digs_into_cells(context: Context, qtbot: QtBot) -> None:
    panel = VariableView(context)
    qtbot.addWidget(panel)
    panel.show()
    engine = context.bridge._engine
    assert isinstance(engine, FakeEngine)
    panel.open_variable("c")
    request = engine.requests[-1]
    assert isinstance(request, InspectVariable)
    context.bridge.receive(answer(request, (2, 3), "cell"))
    deliver(context.bridge)
    panel._on_double_click(panel.model.index(1, 2))
    request = engine.requests[-1]
    assert isinstance(request, InspectVariable)
    assert request.path == (("cell", 5),)
    assert panel._title.text() == "c{6}"
    panel._go_up()
    assert panel.model.path == ()


def test_higher_dimensions_have_boxes(context: Context, qtbot: QtBot) -> None:
    panel = VariableView(context)
    qtbot.addWidget(panel)
    panel.show()
    engine = context.bridge._engine
    assert isinstance(engine, FakeEngine)
    panel.open_variable("v")
    request = engine.requests[-1]
    assert isinstance(request, InspectVariable)
    context.bridge.receive(answer(request, (4, 4, 3, 2)))
    deliver(context.bridge)
    assert len(panel._page_boxes) == 2
    panel._page_boxes[0].setValue(3)
    request = engine.requests[-1]
    assert isinstance(request, InspectVariable)
    assert request.page == (2, 0)


def test_statistics_on_demand(context: Context, qtbot: QtBot) -> None:
    panel = VariableView(context)
    qtbot.addWidget(panel)
    panel.open_variable("x")
    context.bridge.receive(inspected.StatisticsReady("x", {"min": 0.0, "mean": 0.5}))
    deliver(context.bridge)
    assert panel._statistics.text() == "min 0   mean 0.5"


@pytest.mark.parametrize(
    ("page", "at", "target"),
    [
        (("struct", (1, 2), "table", (("1", "'x'"), ("2", "'y'")), ("a", "b")), (1, 1), "v(2).b"),
        (("probe", (2, 1), "table", (("1",), ("2",)), ("gain",)), (1, 0), "v(2).gain"),
        (("timetable", (2, 1), "table", (("1",), ("2",)), ("gain",)), (1, 0), "v{2,1}"),
        (("char", (1, 5), "text", (("hello",),), ()), (0, 0), "v"),
        (("char", (2, 2), "text", (("ab",), ("cd",)), ()), (0, 0), ""),
        (("function_handle", (1, 1), "object", (("@(x) x",),), ()), (0, 0), "v"),
        (("containers.Map", (1, 1), "table", (("'k'", "1"),), ("key", "value")), (0, 1), ""),
    ],
)
def test_what_is_written_over_a_cell_goes_to_its_element(
    page: tuple[Any, ...], at: tuple[int, int], target: str
) -> None:
    class_name, size, kind, cells, names = page
    asked: list[InspectVariable] = []
    model = PagedModel(asked.append)
    model.show("v")
    entries = len(cells) if class_name == "containers.Map" else None
    model.take(
        VariablePage(asked[0], class_name, size, kind, cells, column_names=names, entries=entries)
    )
    assert model.target(model.index(*at)) == target


@pytest.mark.parametrize("seed", range(6))
def test_columns_are_as_wide_as_their_values(context: Context, qtbot: QtBot, seed: int) -> None:
    """No value and no name of a column is cut, up to the most; what was dragged stays so."""
    dice = random.Random(seed)
    panel = VariableView(context)
    qtbot.addWidget(panel)
    panel.show()
    engine = context.bridge._engine
    assert isinstance(engine, FakeEngine)
    panel.open_variable("t")
    header = panel.grid.horizontalHeader()
    width = dice.randint(2, 6)
    names = tuple("N" * dice.randint(1, 30) for _ in range(width))
    dragged = dice.randrange(width)
    for attempt in range(3):
        request = engine.requests[-1]
        assert isinstance(request, InspectVariable)
        cells = tuple(tuple("x" * dice.randint(0, 40) for _ in names) for _ in range(9))
        page = VariablePage(request, "table", (9, width), "table", cells, (), names)
        context.bridge.receive(page)
        deliver(context.bridge)
        letters = QFontMetrics(code_font(12))
        for column in set(range(width)) - ({dragged} if attempt else set()):
            longest = max((row[column] for row in cells), key=len)
            shown = header.sectionSize(column)
            assert min(letters.horizontalAdvance(longest) + 8, MOST) <= shown <= MOST
            assert shown > min(header.fontMetrics().horizontalAdvance(names[column]), MOST - 1)
        if not attempt:
            header.resizeSection(dragged, 61)
        assert not attempt or header.sectionSize(dragged) == 61
        panel.model.refresh()
