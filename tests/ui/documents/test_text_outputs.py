"""Printed text in a document: prose is wrapped, columns scroll."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.ui.documents.outputs import TextOutput
from app.ui.documents.runs import CUT, MOST_CHARACTERS, Output

PROSE = "Incorrect dimensions for matrix multiplication. " * 5
COLUMNS = "0.8147 " * 40 + "\n" + "0.9058 " * 40


@pytest.mark.parametrize(("text", "scrolls"), [(PROSE, False), (COLUMNS, True)])
def test_only_columns_have_a_bar(text: str, scrolls: bool, qtbot: QtBot) -> None:
    output = TextOutput("text")
    qtbot.addWidget(output)
    output.show()
    for width in (900, 400, 600):
        output.show_output(Output(1, "text", text), width)
        output.resize(width, output.sizeHint().height())
        shown = output.findChild(QPlainTextEdit)
        qtbot.waitUntil(lambda seen=shown: seen.horizontalScrollBar().isVisible() == scrolls)


@pytest.mark.parametrize("text", ["a", "a\nb", "x\n" * 23 + "y", "1\n× Ж 語 ع\n" * 9, "w " * 900])
def test_no_line_is_cut(text: str, qtbot: QtBot) -> None:
    output = TextOutput("text")
    qtbot.addWidget(output)
    output.show_output(Output(1, "text", text), 500)
    shown = output.findChild(QPlainTextEdit)
    needed, block = 0.0, shown.document().firstBlock()
    while block.isValid():
        needed += shown.blockBoundingRect(block).height()
        block = block.next()
    assert shown.height() >= needed


def test_a_flood_is_kept_from_a_line_on() -> None:
    output = Output(1, "text", "first\n")
    for number in range(60_000):
        output.add_text(f"line {number}\n")
    lines = output.text.split("\n")
    assert lines[0] == CUT
    assert lines[-2] == "line 59999"
    assert lines[1:-1] == [f"line {n}" for n in range(60_000 - len(lines) + 2, 60_000)]
    assert MOST_CHARACTERS - 20 < len(output.text) < MOST_CHARACTERS + 100


def test_backspaces_take_away_what_the_line_printed() -> None:
    output = Output(1, "text")
    for number in range(3):
        output.add_text("\b" * number + f"{number:2d}")
    assert output.text == "  2"
