"""Words that are read from the right are seen, whatever stands beside them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.ui.editor.surface import MATLAB, Surface
from app.ui.panels.transcript import Transcript

PEACE = "\u05e9\u05dc\u05d5\u05dd"  # Hebrew, four letters
GREETING = "\u0633\u0644\u0627\u0645"  # Persian, four letters that are joined
POINTED = "\u05e9\u05b8\u05dc\u05d5\u05b9\u05dd"  # with two marks, which take no room
LINES = {
    f"{PEACE} {PEACE}": 9,
    f"% {GREETING} {PEACE}": 11,
    f"x = '{PEACE}'; y = 1;": 18,
    f'x = "{GREETING}"; % {GREETING}': 18,
    f"disp('{POINTED}')": 12,
    f"a {PEACE} b": 8,
}
"""Lines and their widths in letters."""


def _ink(surface: Surface, place: QRect) -> int:
    """Pixels in a part of the view that are not of its ground."""
    image: QImage = surface.viewport().grab(place).toImage()
    ground = QColor(image.pixel(0, 0))
    points = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return sum(image.pixelColor(*point) != ground for point in points)


@pytest.mark.parametrize("line", LINES)
def test_each_letter_has_its_room_and_each_word_is_seen(qtbot: QtBot, line: str) -> None:
    surface = Surface(MATLAB)
    qtbot.addWidget(surface)
    surface.resize(600, 200)
    surface.setCaretLineVisible(False)
    surface.show_text(f"{line}\n")
    surface.show()
    qtbot.waitExposed(surface)
    surface.viewport().grab()
    left, right = (surface.pointXFromPosition(p) for p in (0, surface.lineEndPosition(0)))
    assert abs(right - left - surface.textWidth(0, " " * LINES[line])) <= 1
    for at, word in surface._right_to_left.visible_words():
        corner = surface.pointXFromPosition(at), surface.pointYFromPosition(at)
        room = surface.pointXFromPosition(at + len(word.encode())) - corner[0]
        assert _ink(surface, QRect(*corner, room, surface.textHeight(0))) > 20
    assert surface.line_text(0) == line


def test_output_of_such_letters_alone_is_seen(qtbot: QtBot) -> None:
    transcript = Transcript()
    qtbot.addWidget(transcript)
    transcript.resize(300, 100)
    transcript.show()
    qtbot.waitExposed(transcript)
    blank = _ink(transcript, transcript.viewport().rect())
    transcript.write(f"{PEACE}\n")
    assert _ink(transcript, transcript.viewport().rect()) > blank + 20
    narrow = 12 * transcript.textWidth(1, " ")
    transcript.write(" ".join([GREETING] * 10) + "\n", "err")
    transcript.resize(narrow, 300)
    assert _ink(transcript, transcript.viewport().rect()) > 100, "also where lines are broken"
