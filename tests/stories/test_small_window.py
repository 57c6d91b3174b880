"""In a small window the list of groups keeps its rows, and the words about one unfold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.shell.main_window import MainWindow
from app.ui.widgets.row_table import ROW_HEIGHT
from tests.support.window import run

Open = Callable[..., MainWindow]
CODE = "".join(
    f"x{n} = rand(80000, 1);\ny{n} = sum(sin(x{n}) .* {n});\ndisp(y{n})\n" for n in (2, 3, 4)
)


def test_the_list_comes_before_the_words(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(CODE, layout="gpu")
    window.resize(1024, 700)
    window.use_layout("gpu", fresh=True)
    run(window, qtbot)
    panel: Any = window.panel("fusion")
    qtbot.waitUntil(lambda: len(panel.model.rows) >= 3)
    words = panel._decision
    qtbot.waitUntil(lambda: panel.table.viewport().height() >= 3 * ROW_HEIGHT)
    window.grab()
    folded = words.height()
    assert folded % words.fontMetrics().lineSpacing() == 0
    assert words.heightForWidth(words.width()) > folded
    assert words.toolTip() == words.text()
    assert words._shown_lines()[-1].endswith("…")
    qtbot.mouseClick(words, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: words.height() > folded)
    whole = words.height()
    qtbot.mouseClick(words, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: words.height() < whole)  # the panel itself may have grown meanwhile
