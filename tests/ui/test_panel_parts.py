"""Small parts of panels: what they say has the room it needs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from app.ui.run_model.row_model import Column, RowModel
from app.ui.widgets.panel_parts import EmptyState
from app.ui.widgets.row_table import RowTable
from app.ui.widgets.turning_splitter import TurningSplitter


@pytest.mark.parametrize("size", [(150, 108), (150, 76), (240, 120), (400, 80), (500, 300)])
def test_the_words_of_an_empty_panel_are_never_cut(qtbot: QtBot, size: tuple[int, int]) -> None:
    state = EmptyState("stack", "Nothing to outline", "There is nothing.")
    panel = QStackedWidget()
    panel.addWidget(state)
    qtbot.addWidget(panel)
    panel.resize(*size)
    panel.show()
    state.say("Sections begin with %% and a title, and functions with their names.")
    parts = (state.title_label, state.text_label)
    qtbot.waitUntil(
        lambda: all(p.height() >= p.heightForWidth(p.width()) for p in parts if p.isVisible())
    )
    assert panel.height() == size[1]
    assert state.text_label.isVisible()
    assert state.title_label.isVisible() == (size != (150, 76))


def test_parts_stand_where_a_panel_is_narrow(qtbot: QtBot) -> None:
    first, second = QWidget(), QWidget()
    split = TurningSplitter((first, 300, 1), (second, 100, 1))
    qtbot.addWidget(split)
    split.show()
    for size, upright in (((800, 300), False), ((300, 600), True), ((800, 300), False)):
        split.resize(*size)
        QApplication.processEvents()
        assert (first.y() < second.y()) is upright
        longer = (first.height(), second.height()) if upright else (first.width(), second.width())
        assert longer[0] > 2 * longer[1]


def test_rows_that_come_do_not_scroll_a_table_back_to_what_is_selected(qtbot: QtBot) -> None:
    table = RowTable(RowModel((Column[int]("Number", str, width=0),), lambda row: row), "Numbers")
    qtbot.addWidget(table)
    table.resize(200, 150)
    table.show()
    table.rows_model.set_rows(range(100))
    table.select(2)
    table.verticalScrollBar().setValue(700)
    table.rows_model.set_rows(range(101))
    QApplication.processEvents()
    assert (table.selected(), table.verticalScrollBar().value()) == (2, 700)
    table.bring_into_view(5)
    assert (table.selected(), table.rowAt(0)) == (2, 5)
    for key, row in ((Qt.Key.Key_End, 100), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(table, key)
        assert table.selected() == row
        assert table.visualRect(table.currentIndex()).intersects(table.viewport().rect())
