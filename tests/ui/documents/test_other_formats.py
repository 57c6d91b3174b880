"""Files of other formats in the window, and links of documents."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from app.ui.shell.main_window import MainWindow
from tests.engine.livecode import mlx_files
from tests.support.documents import open_document


def test_an_mlx_file_opens_as_a_live_script_beside_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.mlx"
    mlx_files.write(path, mlx_files.paragraph("title", mlx_files.run("Words")))
    (tmp_path / "a.m").write_text("x = 1\n")
    editor = window.open_file(path)
    assert editor is not None
    assert editor.path == tmp_path / "a_2.m"
    assert editor.modified_text
    qtbot.waitUntil(lambda: window.documents.of(editor) is not None)
    assert editor.text().startswith("%[text] # Words\n")
    assert window.editors.save(editor)
    assert (tmp_path / "a_2.m").read_text() == editor.text()
    assert window.editors.open(tmp_path / "damaged.mlx") is None


def test_a_file_that_was_not_changed_is_not_written(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "mixed.m"
    content = b"%[text] # A\r\nx = 1 \n\r\n%[appendix]\r\n%---\n"
    path.write_bytes(content)
    editor = window.open_file(path)
    assert editor is not None
    qtbot.waitUntil(lambda: window.documents.of(editor) is not None)
    assert window.editors.save(editor)
    assert path.read_bytes() == content


def test_links_lead_to_anchors(window: MainWindow, qtbot: QtBot) -> None:
    words = "%[text] words\n" * 200
    text = f"%[text] [there](internal:H_1)\n%%\n{words}%%\n%[text] %[text:anchor:H_1] # There\n"
    _, face = open_document(window, qtbot, text)
    with qtbot.assertNotEmitted(face.view.link_clicked):
        face.view._on_link(QUrl("#H_1"))
    assert face.view.verticalScrollBar().value() > 0
    with qtbot.waitSignal(face.view.link_clicked):
        face.view._on_link(QUrl("#line-x"))


def test_the_layout_of_the_file_is_used(window: MainWindow, qtbot: QtBot) -> None:
    trailer = '%[appendix]\n%---\n%[metadata:view]\n%   data: {"layout":"onright"}\n%---\n'
    _, face = open_document(window, qtbot, f"%[text] a\nx = 1\n{trailer}")
    assert face.view.outputs_beside
