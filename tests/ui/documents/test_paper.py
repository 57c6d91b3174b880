"""Documents on paper: nothing that fits is cut by the end of a page."""

from __future__ import annotations

import itertools
import random

import pytest
from PySide6.QtCore import QSizeF
from pytestqt.qtbot import QtBot

from app.engine.livecode.document import LiveDocument
from app.ui.documents.pdf import Paper, keep_together

PAGE = QSizeF(600, 500)


@pytest.mark.parametrize("seed", range(4))
def test_pages_cut_neither_code_nor_paragraphs(qtbot: QtBot, seed: int) -> None:
    draw = random.Random(seed)
    lines = []
    for _ in range(30):
        lines += ["%[text] ## Heading"] * draw.randrange(3)
        lines += ["%[text] " + "words of it " * draw.randrange(1, 40)] * draw.randrange(3)
        lines += [f"x = {n};" for n in range(draw.randrange(1, 14))]
    made = Paper(LiveDocument("\n".join(lines)), (), PAGE).document
    made.setPageSize(PAGE)
    keep_together(made)
    layout, block, pages = made.documentLayout(), made.begin(), list[tuple[int, int]]()
    while block.isValid():
        place = layout.blockBoundingRect(block)
        if place.height() <= PAGE.height() / 2:
            first, last = (int(y / PAGE.height()) for y in (place.top(), place.bottom() - 1))
            assert first == last, block.text()
            pages.append((first, block.blockFormat().headingLevel()))
        block = block.next()
    assert pages[-1][0] > 2
    after_headings = itertools.pairwise(pages)
    assert all(page == below for (page, level), (below, _) in after_headings if level)
