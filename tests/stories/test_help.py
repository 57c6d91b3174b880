"""Help while writing: F1 on a word, a search, an example that runs; offline."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtNetwork import QAbstractSocket
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app import paths
from app.ui.shell.main_window import MainWindow
from tests.support.window import output

Open = Callable[..., MainWindow]


def page_text(window: MainWindow) -> str:
    """What the help page says."""
    panel: Any = window.panel("help")
    return str(panel.page.toPlainText())


def test_f1_opens_the_page_of_the_word_and_its_examples_run(
    open_window: Open, qtbot: QtBot
) -> None:
    window = open_window("y = cumsum([1 2 3]);\n", layout="classic")
    editor = window.editors.current()
    assert editor is not None
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    editor.gotoPos(6)
    QTest.keyClick(editor, Qt.Key.Key_F1)
    qtbot.waitUntil(lambda: page_text(window).startswith("cumsum"))
    text = page_text(window)
    assert window.docks.is_shown("help")
    assert "GPU" in text
    assert "fuses" in text
    assert "Precision" in text
    panel: Any = window.panel("help")
    links = re.findall(r"try:\d+", panel.page.toHtml())
    assert links
    panel.page.anchorClicked.emit(QUrl(links[0]))
    qtbot.waitUntil(lambda: re.search(r"ans =\s+logical\s+1|ans =\s+1", output(window)) is not None)


def test_a_search_finds_pages_by_name(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\n", layout="classic")
    window.commands.run("help.functions")
    panel: Any = window.panel("help")
    qtbot.waitUntil(lambda: bool(panel._index))
    QTest.keyClicks(panel.field, "interp1")
    assert "interp1" in page_text(window)
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page_text(window).startswith("interp1"))
    for title, path in paths.guides().items():
        panel.page.anchorClicked.emit(QUrl(f"see:{title}"))
        assert page_text(window).startswith(title)
        for block in path.read_text(encoding="utf-8").split("```")[1::2]:  # some guides are prose
            assert block.split("\n")[1] in page_text(window)
    panel.back()
    panel.back()


def test_the_window_opens_no_connection(
    open_window: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_address: object) -> None:
        pytest.fail("the window went to the network")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr(QAbstractSocket, "connectToHost", refuse)
    window = open_window("x = 1;\n", layout="classic")
    window.open_help("sin")
    qtbot.waitUntil(lambda: page_text(window).startswith("sin"))
    window.use_layout("gpu")
    qtbot.wait(50)
