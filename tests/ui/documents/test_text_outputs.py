"""Printed text in a document: prose is wrapped, columns scroll."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.ui.documents.outputs import TextOutput
from app.ui.documents.runs import Output

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
