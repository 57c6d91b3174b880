"""Formulas among words: on their base line, and no reason for more room between lines."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QTextCharFormat, QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from app.ui.documents.formula import has_formulas, insert_formula
from app.ui.support.fonts import ui_font


def set_in_type(*formulas: str) -> QTextDocument:
    """A line: the letter T, each formula, and a word behind it."""
    document = QTextDocument()
    has_formulas(document)
    cursor = QTextCursor(document)
    look = QTextCharFormat()
    look.setFont(ui_font(30))
    look.setForeground(Qt.GlobalColor.black)
    cursor.insertText("T ", look)
    for formula in formulas:
        insert_formula(cursor, formula, "", look)
        cursor.insertText(" ", look)
    return document


def lowest_ink(document: QTextDocument, left: float, right: float) -> int:
    """The lowest row that something was painted in, between two places of the first line."""
    image = QImage(400, 160, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    document.drawContents(painter)
    painter.end()
    shades = np.frombuffer(image.constBits(), np.uint8).reshape(160, 400, 4)[..., 1]
    dark = (shades[:, round(left) : round(right)] < 128).any(axis=1)
    return int(np.flatnonzero(dark)[-1])


@pytest.mark.parametrize("beside", [(), ("\\frac{a}{b}",), ("\\sum_{k=1}^n k", "T_1")])
def test_formulas_stand_on_the_base_line_of_their_words(
    qtbot: QtBot, beside: tuple[str, ...]
) -> None:
    document = set_in_type("T", *beside)
    line = document.firstBlock().layout().lineAt(0)
    at = [float(line.cursorToX(place)[0]) + document.documentMargin() for place in range(4)]
    assert abs(lowest_ink(document, at[0], at[1]) - lowest_ink(document, at[2], at[3])) <= 1


def test_a_formula_of_one_row_makes_its_line_no_higher(qtbot: QtBot) -> None:
    plain, written = set_in_type(), set_in_type("0/0", "S_T - K", "x''")
    heights = [one.firstBlock().layout().lineAt(0).height() for one in (plain, written)]
    assert heights[1] <= 1.2 * heights[0]
